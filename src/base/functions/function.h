// SPDX-License-Identifier: Apache-2.0
// Functions of time. A kind is one file in functions.def's list that ends in one descriptor.
#ifndef LIMBER_BASE_FUNCTIONS_FUNCTION_H
#define LIMBER_BASE_FUNCTIONS_FUNCTION_H

#include "base/field.h"
#include "limber/catalogue.h"

enum { FUNCTION_FORMULAS = 2 }; // of a function at most

// A value and its rate, that to the right where a function has a corner or a jump.
typedef struct {
  double value, rate;
} Signal;

// What a function may ask of the model that holds it.
typedef struct FunctionHost FunctionHost;
struct FunctionHost {
  Signal (*other)(const FunctionHost *host, int function, double t);
  double (*formula)(const FunctionHost *host, int i, double t); // of its i-th field of that type
  bool rate;                                                    // is wanted, too; else any number may stand there
};

typedef struct {
  const char *name, *help;
  FieldTable fields;
  Reason (*check)(const void *params);
  Signal (*at)(const void *params, const FunctionHost *host, double t); // only kinds made of others need the host
  const void *example;                                                  // for the tests, over some seconds from 0
} FunctionKind;

#define FUNCTION(name, Name) extern const FunctionKind function_##name;
#include "base/functions/functions.def"
#undef FUNCTION

extern const FunctionKind *const function_kinds[]; // ends with NULL

#endif
