// SPDX-License-Identifier: Apache-2.0
// The outer faces of bodies of cells: of solids, and of the meshes that elements carry.
#ifndef LIMBER_POST_PICTURE_FACES_H
#define LIMBER_POST_PICTURE_FACES_H

#include "mechanics/shape.h"
#include "model/model.h"

typedef struct {
  int key[VISUAL_CORNERS];                          // in order, for comparison
  int corner[VISUAL_CORNERS], middle[VISUAL_EDGES]; // nodes, as of a VisualFace; points of meshes come after the nodes
  int cell;
} SurfaceFace;

// Faces that belong to one cell only, for memory_free. `first_cell`: of each element; NULL: only those of the meshes that
// elements carry, and cells are not numbered.
Error FindOuterFaces(Model m, const int *first_cell, SurfaceFace **out, int *count);

#endif
