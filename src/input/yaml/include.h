// SPDX-License-Identifier: Apache-2.0
// The model file, the files that it includes, and the changes of the command line.
#ifndef LIMBER_INPUT_YAML_INCLUDE_H
#define LIMBER_INPUT_YAML_INCLUDE_H

#include "input/yaml/tree.h"

typedef struct Reader Reader;

// The parts of the model file, those of the files that it includes merged into it, read now or from before (kept.h).
Error ReadSources(Reader *r, Tree **out);
// Carries out the changes of the command line.
Error ApplyChanges(Reader *r, Tree **root);
Error CheckVersion(Reader *r, const Tree *limber, int version);

#endif
