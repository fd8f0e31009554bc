// SPDX-License-Identifier: Apache-2.0
// The blocks of a matrix of one process, as they are stored.
#ifndef LIMBER_SOLVERS_MATRIX_BLOCKS_H
#define LIMBER_SOLVERS_MATRIX_BLOCKS_H

#include <petscmat.h>

typedef struct {
  PetscInt n, bs; // block rows
  const PetscInt *start, *column;
  PetscScalar *value; // blocks by columns
} MatrixBlocks;

PetscErrorCode MatrixBlocksOpen(Mat a, MatrixBlocks *out);
PetscErrorCode MatrixBlocksClose(Mat a, MatrixBlocks *b);

#endif
