// SPDX-License-Identifier: Apache-2.0
// Lists of names that an analysis asks for: loads and signals that are inputs, probes that are outputs.
#ifndef LIMBER_INPUT_YAML_NAME_LIST_H
#define LIMBER_INPUT_YAML_NAME_LIST_H

#include "input/yaml/tree.h"

typedef struct Reader Reader;

// A name or a list of names; NULL: none are given. What names no load or signal, or no probe, is reported.
Error ReadInputNames(Reader *r, const Tree *tree, int *count, const char *const **names);
Error ReadOutputNames(Reader *r, const Tree *tree, int *count, const char *const **names);

#endif
