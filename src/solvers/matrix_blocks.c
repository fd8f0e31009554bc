// SPDX-License-Identifier: Apache-2.0
#include "solvers/matrix_blocks.h"

PetscErrorCode MatrixBlocksOpen(Mat a, MatrixBlocks *out) {
  PetscBool done;
  PetscFunctionBegin;
  PetscCall(MatGetBlockSize(a, &out->bs));
  PetscCall(MatGetRowIJ(a, 0, PETSC_FALSE, PETSC_TRUE, &out->n, &out->start, &out->column, &done));
  PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_SUP, "a matrix without rows of blocks");
  PetscCall(MatSeqBAIJGetArray(a, &out->value));
  PetscFunctionReturn(0);
}

PetscErrorCode MatrixBlocksClose(Mat a, MatrixBlocks *b) {
  PetscBool done;
  PetscFunctionBegin;
  PetscCall(MatSeqBAIJRestoreArray(a, &b->value));
  PetscCall(MatRestoreRowIJ(a, 0, PETSC_FALSE, PETSC_TRUE, &b->n, &b->start, &b->column, &done));
  PetscFunctionReturn(0);
}
