// SPDX-License-Identifier: Apache-2.0
// Operations of a tape, which reading (model/formula.c) and evaluating (tape.c) share.
#ifndef LIMBER_BASE_TAPE_OPERATIONS_H
#define LIMBER_BASE_TAPE_OPERATIONS_H

#include <stdbool.h>

enum {
  // one more value
  NUMBER,
  NAME,
  SOURCE,
  // of two values, with derivatives
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  POWER,
  ATAN2,
  // of two values, without
  MINIMUM,
  MAXIMUM,
  LESS,
  GREATER,
  LESS_OR_EQUAL,
  GREATER_OR_EQUAL,
  EQUAL,
  UNEQUAL,
  AND,
  OR,
  // steps that are skipped
  SKIP,
  SKIP_IF_ZERO, // takes one value
  // of one value
  NEGATE,
  FUNCTIONS // from here on the functions of tape_function
};

enum { TAPE_FUNCTIONS = 21 };

const char *tape_function(int i);    // the name of the i-th function of one value
bool tape_function_is_smooth(int i); // it has derivatives

#endif
