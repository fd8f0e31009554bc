// SPDX-License-Identifier: Apache-2.0
// The exact solution of x' = A x + B u over a step, for inputs that are linear in time:
//   x(h) = e^(A h) x(0) + G u(0) + L u',   G = int_0^h e^(A s) ds B,   L = int_0^h e^(A (h - s)) s ds B.
// By scaling and squaring of F = e^(A h) - 1, which is small for slow motions: F(2 h) = 2 F + F F,
// G(2 h) = 2 G + F G, L(2 h) = 2 L + F L + h G. The matrices of lengths that were asked before are kept.
#ifndef LIMBER_FMU_MODULE_LINEAR_EXPONENTIAL_H
#define LIMBER_FMU_MODULE_LINEAR_EXPONENTIAL_H

#include <stdbool.h>
#include <stddef.h>

enum { KEPT_LENGTHS = 4 };

typedef struct {
  double length;     // s; 0: none
  double *f, *g, *l; // n x n, n x m, n x m, by rows
  unsigned long used;
} ExactStep;

typedef struct {
  size_t n, m;
  double *a, *b;  // balanced: of the states x / scale
  double *scale;  // powers of 2
  double norm;    // of `a`
  double *vector; // of work
  ExactStep step[KEPT_LENGTHS];
  unsigned long uses;
} Exponential;

// A and B by rows. False: no memory.
bool exponential_open(Exponential *e, size_t n, size_t m, const double *a, const double *b);
void exponential_close(Exponential *e);
// Moves x over a step of length h > 0; u and slope are those of its start. "", or why it cannot.
const char *exponential_step(Exponential *e, double h, double *x, const double *u, const double *slope);

#endif
