// SPDX-License-Identifier: Apache-2.0
// What may stand for a function of time.
#ifndef LIMBER_INPUT_YAML_FUNCTION_H
#define LIMBER_INPUT_YAML_FUNCTION_H

#include "input/yaml/tree.h"
#include "limber/limber.h"

typedef struct Reader Reader;

// The name of a function, a number, a formula, or the function itself.
Error FindFunction(Reader *r, const Tree *tree, LimberId *id);

#endif
