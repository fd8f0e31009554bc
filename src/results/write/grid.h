// SPDX-License-Identifier: Apache-2.0
// The model as points and cells, for visualisation. Points: all nodes except the ground, in the model's order. Cells:
// those of the elements, then one per joint, in the model's order; the ground is omitted. Points of the meshes that
// elements carry come after the nodes, and the cells of such a mesh are those of its element.
#ifndef LIMBER_RESULTS_WRITE_GRID_H
#define LIMBER_RESULTS_WRITE_GRID_H

#include "model/model.h"

#include <petscsys.h>
#include <stdint.h>

typedef struct {
  PetscInt points, cells, ids; // numbers of points, cells, and points in all cells
  int64_t *connectivity, *offsets;
  uint8_t *types;                    // VTK types
  int32_t *component, *kind, *point; // for each cell: item or joint; kind; integration point, -1: none
  int64_t *mixed;                    // the cells in XDMF format
  PetscInt mixed_length;
  PetscInt *first; // first cell of each element, then of each joint, then the end
} Grid;

PetscErrorCode GridCreate(Model m, Grid *g);
PetscErrorCode GridDestroy(Grid *g);

// Whether the k-th cell of these nodes contains a point.
bool grid_has_cell(const ElementKind *kind, const void *data, const int *node, int nnode, int k);

// Names of fixed length, padded with zeros, to be freed: of points ("tip" or "blade.7"), of items and joints, of the
// kinds of the catalogue, and the rows of a kind with units ("N [N], V2 [N]").
typedef struct {
  PetscInt count;
  size_t length;
  char *text;
} GridNames;
PetscErrorCode GridNamePoints(Model m, GridNames *out);
PetscErrorCode GridNameComponents(Model m, GridNames *out);
PetscErrorCode GridNameKinds(GridNames *out);
PetscErrorCode GridNameRows(Model m, GridNames *out);

#endif
