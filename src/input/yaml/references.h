// SPDX-License-Identifier: Apache-2.0
// Words that stand where a node is wanted.
#ifndef LIMBER_INPUT_YAML_REFERENCES_H
#define LIMBER_INPUT_YAML_REFERENCES_H

#include "input/yaml/tree.h"
#include "limber/limber.h"

typedef struct Reader Reader;

// The node that a word names: its own name, ELEMENT.end, MESH.17, or a body of points; BROKEN after a mistake.
Error FindNode(Reader *r, const Tree *word, int *id);

#endif
