// SPDX-License-Identifier: Apache-2.0
// The model as points and cells, for programs that draw. Points: all nodes but the ground, in the model's order. Cells:
// those of the elements, then one a joint, in the model's order; the ground has no place in them.
#ifndef LIMBER_RESULTS_WRITE_GRID_H
#define LIMBER_RESULTS_WRITE_GRID_H

#include "model/model.h"

#include <petscsys.h>
#include <stdint.h>

typedef struct {
  PetscInt points, cells, ids; // numbers of points, of cells, of points in all cells
  int64_t *connectivity, *offsets;
  uint8_t *types;                    // of VTK
  int32_t *component, *kind, *point; // of each cell: element item, or joint behind the items; catalogue; -1: no forces
  int64_t *mixed;                    // the cells as XDMF has them
  PetscInt mixed_length;
  PetscInt *first; // cell of each element, then of each joint; with the end
} Grid;

PetscErrorCode GridCreate(Model m, Grid *g);
PetscErrorCode GridDestroy(Grid *g);

// Whether the k-th cell of these nodes has a point.
bool grid_has_cell(const ElementKind *kind, const int *node, int nnode, int k);

// Names, of one length and padded with zeros, to be freed: "tip" or "blade.7" of each point; of items and joints; of
// the kinds of the catalogue; the rows of a kind with their units, "N [N], V2 [N]".
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
