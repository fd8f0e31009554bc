// SPDX-License-Identifier: Apache-2.0
// The outer faces of a component of cells: those that belong to one cell only.
#ifndef LIMBER_MODEL_OUTER_FACES_H
#define LIMBER_MODEL_OUTER_FACES_H

#include "model/model.h"

typedef struct {
  int key[LOOK_CORNERS]; // its corners in order, for comparison
  int node[SURFACE_NODES];
  int nnode;
} OuterFace;

typedef struct {
  OuterFace *face;
  int count;
} OuterFaces;

// Of a component; only those that are cells of `only`, unless it has none. `reason`: what is wrong, or NULL.
Error OuterFacesFind(LimberModel m, int component, const LimberCells *only, OuterFaces *out, const char **reason);
// Nodes of the i-th, and their number; 0 after the last.
int outer_faces_at(const OuterFaces *f, int i, int node[SURFACE_NODES]);
void outer_faces_free(OuterFaces *f);

#endif
