// SPDX-License-Identifier: Apache-2.0
// Entries of a catalogue: an entry names its kind, and the kind's field table says the rest.
#ifndef LIMBER_INPUT_YAML_COMPONENTS_H
#define LIMBER_INPUT_YAML_COMPONENTS_H

#include "input/yaml/part.h"
#include "input/yaml/tree.h"

// Adds a list of entries to the model, and their names to those of the part.
Error ReadComponents(Reader *r, const Part *part, const Tree *list);
// Reads a part by its function, or as such a list.
Error ReadPart(Reader *r, const Part *part, const Tree *tree, SourceLocation at);
// Adds one entry that has its name already, or none (NULL): a function.
Error ReadUnlisted(Reader *r, const Part *part, const Tree *entry, const char *name, int *id);

#endif
