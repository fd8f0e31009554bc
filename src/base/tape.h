// SPDX-License-Identifier: Apache-2.0
// A formula as a list of operations on a stack of values; model/formula.h makes it from a text. tape_value evaluates
// it. tape_evaluate also gives its first and second derivatives with respect to up to three names: each intermediate
// value carries them along (forward differentiation), so that they are exact to round-off.
#ifndef LIMBER_BASE_TAPE_H
#define LIMBER_BASE_TAPE_H

#include <stdbool.h>

enum { TAPE_NAMES = 3 };

typedef struct {
  double value, d[TAPE_NAMES], dd[TAPE_NAMES][TAPE_NAMES];
} Jet;

typedef struct {
  int operation; // of tape_operations.h
  int which;     // name; number of steps that are skipped; place of the source's name in the text
  union {
    double number;        // of a constant
    const double *source; // read at each evaluation
  };
} TapeStep;

typedef struct {
  int count;
  TapeStep *step;
} Tape;

double tape_value(const Tape *t);                             // of a tape without names
void tape_evaluate(const Tape *t, const double *x, Jet *out); // of smooth operations
bool tape_uses(const Tape *t, int name);

#endif
