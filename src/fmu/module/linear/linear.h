// SPDX-License-Identifier: Apache-2.0
// An instance of an FMU that `limber linearize` wrote:
//   x' = A x + B (u - u0),   y = y0 + C x + D (u - u0)
// with the inputs u0 and outputs y0 of the operating point; the states x are changes from it.
#ifndef LIMBER_FMU_MODULE_LINEAR_LINEAR_H
#define LIMBER_FMU_MODULE_LINEAR_LINEAR_H

#include "fmu/module/base.h"
#include "fmu/module/linear/exponential.h"

struct Instance {
  Base base;
  size_t n, m, p; // states, inputs, outputs
  double *file;   // all numbers of resources/matrices.bin: those below
  const double *a, *b, *c, *d, *u0, *y0;
  double *x, *change; // states; u - u0
  bool continuous;    // model exchange: in the continuous-time mode; else in the event mode
  Exponential exact;
};

// x' of the present states and inputs.
void linear_rates(Instance *c, double *rate);
// Value references of the first input, output, state and derivative.
unsigned first_input(const Instance *c), first_output(const Instance *c), first_state(const Instance *c),
    first_rate(const Instance *c);

#endif
