// SPDX-License-Identifier: Apache-2.0
// Blade files that a model names, with those that they name: sources of the model, held to its rules.
#ifndef LIMBER_INPUT_YAML_BLADE_SOURCE_H
#define LIMBER_INPUT_YAML_BLADE_SOURCE_H

#include "input/blades/open.h"

typedef struct Reader Reader;

// `word`: the name of the file, where mistakes are told as "line 3 of 'file': ...".
Error ReadBladeSource(Reader *r, const Tree *word, const BladeChoices *choices, Blade *out, bool *good);

#endif
