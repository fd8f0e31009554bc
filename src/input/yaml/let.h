// SPDX-License-Identifier: Apache-2.0
// The parameters under `let`.
#ifndef LIMBER_INPUT_YAML_LET_H
#define LIMBER_INPUT_YAML_LET_H

#include "input/yaml/tree.h"

typedef struct Reader Reader;

Error ReadLet(Reader *r, const Tree *map);
Error WarnAboutUnusedParameters(Reader *r);

#endif
