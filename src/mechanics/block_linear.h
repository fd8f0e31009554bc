// SPDX-License-Identifier: Apache-2.0
// Linear systems x' = A x + B u, y = C x + D u of control blocks, whose states are exact for inputs in straight lines.
#ifndef LIMBER_MECHANICS_BLOCK_LINEAR_H
#define LIMBER_MECHANICS_BLOCK_LINEAR_H

#include "mechanics/block.h"

typedef struct {
  int n, m, p; // states, inputs, outputs
  double a[BLOCK_ORDER * BLOCK_ORDER], b[BLOCK_ORDER * BLOCK_INPUTS], c[BLOCK_OUTPUTS * BLOCK_ORDER],
      d[BLOCK_OUTPUTS * BLOCK_INPUTS];
} LinearSystem;

int linear_work(int n, int m); // numbers that linear_step remembers for a dt
void linear_step(const LinearSystem *s, const BlockStep *t, double *work, double *state, double *out);

// The companion form of a transfer function, coefficients of falling powers; the first of the denominator is not 0.
void linear_transfer_function(int numerator, const double *num, int denominator, const double *den, LinearSystem *out);

#endif
