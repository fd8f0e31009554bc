// SPDX-License-Identifier: Apache-2.0
// Operations of a tape, which reading (model/tape_read.c) and evaluating (tape.c) share.
#ifndef LIMBER_BASE_TAPE_OPERATIONS_H
#define LIMBER_BASE_TAPE_OPERATIONS_H

// Those of two values from ADD to ATAN2; from FUNCTIONS on functions of one value.
enum { NUMBER, NAME, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, ATAN2, NEGATE, FUNCTIONS };

const char *tape_function(int i); // the name of the i-th function; NULL after the last

#endif
