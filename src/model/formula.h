// SPDX-License-Identifier: Apache-2.0
// Reads formulae such as "2*R*sin(pi/6)" into tapes (base/tape.h). A formula may contain numbers, names whose values
// its owner provides, pi and the usual functions; it can neither read nor run anything. Depth and length are limited.
#ifndef LIMBER_MODEL_FORMULA_H
#define LIMBER_MODEL_FORMULA_H

#include "base/tape.h"
#include "limber/catalogue.h"
#include "model/error.h"

#include <stddef.h>

typedef struct {
  char text[300];   // what is wrong, "" if nothing is
  char unknown[80]; // the name that is not defined, or ""
  size_t at;        // byte offset in the formula
} FormulaMistake;

// Address of the value of a name; NULL: the name is not defined.
typedef const double *(*FormulaName)(void *owner, const char *name);

size_t tape_room(const char *text); // number of steps that its tape needs room for

// Reads a formula that can be differentiated with respect to the names; its parameters are constants.
bool tape_read_smooth(const LimberFormula *f, int names, const char *const *name, Tape *out, FormulaMistake *mistake);

const char *formula_function(int i); // the name of the i-th function; NULL after the last

// Formulae whose names refer to values stored elsewhere, which are read at each evaluation.

typedef struct Formula Formula;

// *out is NULL after a mistake.
Error FormulaCreate(const char *text, FormulaName name, void *owner, Formula **out, FormulaMistake *mistake);
void formula_destroy(Formula **formula);

double formula_value(const Formula *formula); // may be infinite or NaN

#endif
