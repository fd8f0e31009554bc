// SPDX-License-Identifier: Apache-2.0
// Cells of meshes by their names.
#ifndef LIMBER_INPUT_YAML_CELLS_H
#define LIMBER_INPUT_YAML_CELLS_H

#include "base/field.h"
#include "input/importers/mesh.h"
#include "input/yaml/tree.h"

typedef struct Reader Reader;

// The cells of a field's dimensions that a word names, MESH or MESH.GROUP (NULL: all), of which elements can be made; what is
// wrong is noted.
Error FindCells(Reader *r, const Field *f, const Tree *t, const Mesh **m, const MeshGroup **group, bool *good);

#endif
