// SPDX-License-Identifier: Apache-2.0
// Formulae such as "2*R*sin(pi/6)", through muParser. A formula knows numbers, the names that its owner gives values to,
// pi, and the usual functions; it can neither read nor run anything.
#ifndef LIMBER_MODEL_FORMULA_H
#define LIMBER_MODEL_FORMULA_H

#include "model/error.h"

#include <stdbool.h>

typedef struct Formula Formula;

// Where the value of a name stands, or NULL: there is no such name.
typedef const double *(*FormulaName)(void *owner, const char *name);

typedef struct {
  char text[300];   // what is wrong, "" if nothing is
  char unknown[80]; // the name that there is not, or ""
  size_t at;        // byte of the formula
} FormulaMistake;

// *out is NULL after a mistake. The values that names point at are read at each evaluation.
Error FormulaCreate(const char *text, FormulaName name, void *owner, Formula **out, FormulaMistake *mistake);
// Another text in the place of the old, faster than a new formula; false after a mistake.
bool formula_change(Formula *f, const char *text, FormulaName name, void *owner, FormulaMistake *mistake);
void formula_destroy(Formula **formula);

double formula_value(Formula *formula); // may be infinite or no number

const char *formula_function(int i); // the name of the i-th function; NULL after the last
const char *formula_library(void);   // version of muParser

#endif
