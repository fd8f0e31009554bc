// SPDX-License-Identifier: Apache-2.0
// Numbers as they stand in a file, and the parameters that formulae of numbers name.
#ifndef LIMBER_INPUT_YAML_NUMBER_H
#define LIMBER_INPUT_YAML_NUMBER_H

#include "base/field.h"
#include "input/yaml/reader.h"
#include "input/yaml/tree.h"
#include "input/yaml/units.h"
#include "limber/limber.h"
#include "model/formula.h"

int next_parameter(const Reader *r, const char **text); // that a text names, and what follows it; -1: no more

// What a number, a number with a unit or a formula is worth, in SI base units.
typedef struct {
  double value;
  Dimension dimension;
  bool definite;
  const char *unit; // as it was written with the number, or with the parameter that stands alone; NULL: none
} NumberValue;

// ---- formulae ----

enum { MOST_PARAMETERS = 64 }; // in one formula

typedef struct { // that a formula names
  Reader *r;
  Parameter *name[MOST_PARAMETERS];
  double value[MOST_PARAMETERS]; // as the formula reads them
  int names;
  bool crowded; // there are more
  bool broken;  // one of them has no value, which has been noted
} FormulaParameters;

// Where the formula reads the value of a name, which is then listed; NULL: there is no such parameter. `owner`:
// FormulaParameters.
const double *formula_parameter(void *owner, const char *name);

// Of readings before: whether a name was found to be a possible parameter; notes that it is.
Error IsKeptParameter(Reader *r, const char *name, bool *kept);
Error KeepParameter(Reader *r, const char *name);

// A piece of a word, where the word stands in the file as it is read.
SourceLocation locate_piece(const Reader *r, const Tree *t, size_t at, size_t length);
Error ReportFormula(Reader *r, const Tree *t, const FormulaMistake *m);

// ---- numbers ----

// The number that a word of the field `field` stands for, in the unit `si` ("" for a pure number, UNIT_ANY for
// SI units of any quantity).
Error ReadNumber(Reader *r, const char *field, const Tree *word, const char *si, double *out, bool *good);
Error ReadNumberValue(Reader *r, const char *field, const Tree *word, const char *si, NumberValue *out, bool *good);
bool is_formula(const Reader *r, const char *text); // more than one word, or the name of a parameter

// What a number in the unit is in the unit of the field.
Error FindFactor(Reader *r, const Field *field, const Tree *unit, double *factor, bool *good);

#endif
