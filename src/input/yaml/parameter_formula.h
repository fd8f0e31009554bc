// SPDX-License-Identifier: Apache-2.0
// Formulae of the parameters under `let`: their values and dimensions.
#ifndef LIMBER_INPUT_YAML_PARAMETER_FORMULA_H
#define LIMBER_INPUT_YAML_PARAMETER_FORMULA_H

#include "input/yaml/number.h"
#include "input/yaml/reader.h"
#include "model/formula.h"

enum { MOST_PARAMETERS = 64 }; // in one formula

typedef struct { // that a formula names
  Reader *r;
  Parameter *name[MOST_PARAMETERS];
  double value[MOST_PARAMETERS]; // as the formula reads them
  int names;
  bool crowded; // there are more
  bool broken;  // one of them has no value, which has been noted
} FormulaParameters;

// Where the formula reads the value of a name, which is then listed; NULL: there is no such parameter. `owner`: FormulaParameters.
const double *formula_parameter(void *owner, const char *name);

// Value and dimension. `mistake`: what is wrong with the text, or "". `finite`: there is a value.
Error EvaluateFormula(Reader *r, const char *text, FormulaParameters *f, NumberValue *out, bool *finite,
                      FormulaMistake *mistake);

// Of readings before: whether a name was found to be a possible parameter; notes that it is.
Error IsKeptParameter(Reader *r, const char *name, bool *kept);
Error KeepParameter(Reader *r, const char *name);

#endif
