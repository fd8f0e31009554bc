// SPDX-License-Identifier: Apache-2.0
// Where blocks of items are in the tangent.
#ifndef LIMBER_ASSEMBLY_MATRIX_SLOTS_H
#define LIMBER_ASSEMBLY_MATRIX_SLOTS_H

#include "assembly/equations.h"

// Whether rows of a local block may depend on the unknowns of another of the same item.
bool layout_links(const Layout *layout, PetscInt row, PetscInt col);

// The tangent, zeroed and open for blocks of items in their order, whose places are found first; and closed.
PetscErrorCode MatrixOpenTangent(const Motion *motion, MatrixSlots *matrix);
PetscErrorCode MatrixCloseTangent(const Layout *layout, MatrixSlots *matrix);
PetscErrorCode MatrixFindSlots(const Layout *layout, MatrixSlots *matrix, PetscInt count, const PetscInt *blocks);
void equations_add_blocks(const Layout *layout, Equations *equations, PetscInt count, const PetscInt *blocks);

#endif
