// SPDX-License-Identifier: Apache-2.0
// Formulae whose names have values elsewhere, which are read at each evaluation.
#ifndef LIMBER_MODEL_FORMULA_H
#define LIMBER_MODEL_FORMULA_H

#include "model/error.h"
#include "model/tape_read.h"

typedef struct Formula Formula;

// *out is NULL after a mistake.
Error FormulaCreate(const char *text, FormulaName name, void *owner, Formula **out, FormulaMistake *mistake);
void formula_destroy(Formula **formula);

double formula_value(const Formula *formula); // may be infinite or no number

#endif
