// SPDX-License-Identifier: Apache-2.0
// Changes of the command line.
#ifndef LIMBER_INPUT_YAML_CHANGE_H
#define LIMBER_INPUT_YAML_CHANGE_H

#include "input/yaml/tree.h"

typedef struct Reader Reader;

// Carries them out.
Error ApplyChanges(Reader *r, Tree **root);

#endif
