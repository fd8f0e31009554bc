// SPDX-License-Identifier: Apache-2.0
// Numbers as they stand in a file, and the parameters that formulae of numbers name.
#ifndef LIMBER_INPUT_YAML_NUMBER_H
#define LIMBER_INPUT_YAML_NUMBER_H

#include "base/field.h"
#include "input/yaml/tree.h"
#include "input/yaml/units.h"
#include "limber/limber.h"

typedef struct Reader Reader;

int next_parameter(const Reader *r, const char **text); // that a text names, and what follows it; -1: no more

// What a number, a number with a unit or a formula is worth, in SI base units.
typedef struct {
  double value;
  Dimension dimension;
  bool definite;
  const char *unit; // as it was written with the number, or with the parameter that stands alone; NULL: none
} NumberValue;

// The number that a word of the field `field` stands for, in the unit `si` ("" for a pure number, UNIT_ANY for
// SI units of any quantity).
Error ReadNumber(Reader *r, const char *field, const Tree *word, const char *si, double *out, bool *good);
Error ReadNumberValue(Reader *r, const char *field, const Tree *word, const char *si, NumberValue *out, bool *good);
bool is_formula(const Reader *r, const char *text); // more than one word, or the name of a parameter

// A formula of the time t and the parameters.
Error ReadTimeFormula(Reader *r, const Tree *word, LimberFormula *out, bool *good);
// A formula of the names that its owner gives.
Error ReadNamedFormula(Reader *r, const Tree *word, const char *(*name)(int i), LimberFormula *out, bool *good);
// Reports those that have no value at some time of the run.
Error CheckTimeFormulae(Reader *r);
bool names_time(const Reader *r, const char *text); // `t` stands in it and is no parameter

// What a number in the unit is in the unit of the field.
Error FindFactor(Reader *r, const Field *field, const Tree *unit, double *factor, bool *good);

#endif
