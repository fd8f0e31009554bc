// SPDX-License-Identifier: Apache-2.0
// A formula of up to three names as a list of operations, evaluated with its first and second derivatives: each intermediate value
// carries them along (forward differentiation), so that they are exact to round-off. It has the arithmetic and the smooth functions of
// the formulae of a model (model/formula.h); model/tape_read.h reads it.
#ifndef LIMBER_BASE_TAPE_H
#define LIMBER_BASE_TAPE_H

#include <stdbool.h>

enum { TAPE_NAMES = 3, TAPE_STEPS = 200, TAPE_DEPTH = 40 };

typedef struct {
  double value, d[TAPE_NAMES], dd[TAPE_NAMES][TAPE_NAMES];
} Jet;

typedef struct {
  int operation; // of the values that wait, the last come first
  double number; // of a constant; which name
} TapeStep;

typedef struct {
  int count;
  bool used[TAPE_NAMES];
  TapeStep step[TAPE_STEPS];
} Tape;

void tape_evaluate(const Tape *t, const double *x, Jet *out);

#endif
