// SPDX-License-Identifier: Apache-2.0
// Formulae: reading their text, and formulae whose names have values elsewhere.
#ifndef LIMBER_MODEL_FORMULA_H
#define LIMBER_MODEL_FORMULA_H

#include "base/tape.h"
#include "limber/catalogue.h"
#include "model/error.h"

#include <stddef.h>

// Formulae such as "2*R*sin(pi/6)" (base/tape.h) from their text. A formula knows numbers, the names that its owner
// gives values to, pi, and the usual functions; it can neither read nor run anything. Depth and length are bounded.

typedef struct {
  char text[300];   // what is wrong, "" if nothing is
  char unknown[80]; // the name that is not defined, or ""
  size_t at;        // byte of the formula
} FormulaMistake;

// Address of the value of a name, or NULL: the name is not defined.
typedef const double *(*FormulaName)(void *owner, const char *name);

size_t tape_room(const char *text); // number of steps for which `step` of its tape needs room

// Reads a formula with derivatives with respect to the names; its parameters are constants.
bool tape_read_smooth(const LimberFormula *f, int names, const char *const *name, Tape *out, FormulaMistake *mistake);

const char *formula_function(int i); // the name of the i-th function; NULL after the last

// Formulae whose names have values elsewhere, which are read at each evaluation.

typedef struct Formula Formula;

// *out is NULL after a mistake.
Error FormulaCreate(const char *text, FormulaName name, void *owner, Formula **out, FormulaMistake *mistake);
void formula_destroy(Formula **formula);

double formula_value(const Formula *formula); // may be infinite or no number

#endif
