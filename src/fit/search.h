// SPDX-License-Identifier: Apache-2.0
// A search for an optimum: where it is, and what is known there. search.c has its steps; kinks.c continues where slopes
// jump.
#ifndef LIMBER_FIT_SEARCH_H
#define LIMBER_FIT_SEARCH_H

#include "fit/optimize.h"

typedef struct {
  OptimumProblem *p;
  int n, m;
  double *x, *trial, *low, *high; // low, high: of the step
  double f, *c, *g, *a;           // at x
  double *b;                      // n x n
  double *trial_c, *moved_c, *last_x, *last_slope, *slope, *kept;
  double first;           // f at the start
  double radius, penalty; // of the trust region; of violated rows
  bool curved;            // B has been updated
  QuadraticProblem q;
  Refusal *wrong;
} Search;

enum { MOST_STEPS = 200 };              // as a message says
static const double close_row = 1e-4;   // violation of a row that is not mended: there is no optimum
static const double close_slope = 1e-3; // of the merit over its size, where round-off or a kink ends the search

// Evaluates values and derivatives at x; `known`: the last evaluation was there.
PetscErrorCode SearchLinearise(Search *w, bool known);
// f + penalty sum max(0, -c_i)
double search_merit(const Search *w, double f, const double *c);
double worst_violation(int m, const double *c);
// Of f, for comparisons: the largest value so far, or the change since the start.
double search_size(const Search *w);
// Whether the errors of the derivatives of the last evaluation are small beside their size.
bool slopes_are_good(const Search *w);

// Continues at x, where slopes jump, with those of points nearby: f is the largest of their tangents there. `found`: all
// of them together promise no more; w->q.y and w->slope then have the multipliers of rows and the slopes of the
// Lagrangian. kinks.c
PetscErrorCode KinkSearch(Search *w, bool *found);

#endif
