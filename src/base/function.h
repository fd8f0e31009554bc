// SPDX-License-Identifier: Apache-2.0
// Functions of time. A kind is one file in functions.def's list that ends in one descriptor.
#ifndef LIMBER_BASE_FUNCTION_H
#define LIMBER_BASE_FUNCTION_H

#include "base/field.h"

typedef struct {
  const char *name, *help;
  FieldTable fields;
  const char *(*check)(const void *params); // NULL, or what is wrong
  double (*value)(const void *params, double t);
} FunctionKind;

#define FUNCTION(name) extern const FunctionKind function_##name;
#include "base/functions.def"
#undef FUNCTION

extern const FunctionKind *const function_kinds[]; // ends with NULL

#endif
