// SPDX-License-Identifier: Apache-2.0
// What may stand for a function of time.
#ifndef LIMBER_INPUT_YAML_FUNCTION_H
#define LIMBER_INPUT_YAML_FUNCTION_H

#include "input/yaml/tree.h"
#include "limber/limber.h"

typedef struct Reader Reader;

// The name of a function, a number, a formula, or the function itself. `units` of a number: "rad|m", one of these;
// UNIT_ANY; or "", a pure number.
Error FindFunction(Reader *r, const Tree *tree, const char *units, int *id);

// A formula of the time t and the parameters.
Error ReadTimeFormula(Reader *r, const Tree *word, LimberFormula *out, bool *good);
// A formula of the names that its owner gives.
Error ReadNamedFormula(Reader *r, const Tree *word, const char *(*name)(int i), LimberFormula *out, bool *good);
// Reports those that have no value at some time of the run.
Error CheckTimeFormulae(Reader *r);

#endif
