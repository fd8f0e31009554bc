// SPDX-License-Identifier: Apache-2.0
// The tangent without its zero blocks, for iterative solvers. The tangent has slots for all pairs of bodies that may
// touch before the list is next updated, but few of them do. Without the others, the matrix and its factors are much
// smaller.
#include "assembly/contacts.h"
#include "assembly/workspace.h"
#include "solvers/solvers.h"

static const double worthwhile = 0.6; // fraction of the blocks kept, above which no copy is made

typedef struct {
  Mat part[2]; // own columns, others
  const PetscInt *ghost, *start[2], *column[2];
  double *value[2];
} TangentParts;

static PetscErrorCode OpenParts(const Layout *layout, MatrixSlots *matrix, TangentParts *t) {
  PetscInt n;
  PetscBool done;
  PetscFunctionBegin;
  *t = (TangentParts){.part = {matrix->tangent}};
  if (layout->size > 1) PetscCall(MatMPIBAIJGetSeqBAIJ(matrix->tangent, &t->part[0], &t->part[1], &t->ghost));
  for (int p = 0; p < 2 && t->part[p]; p++) {
    PetscCall(MatGetRowIJ(t->part[p], 0, PETSC_FALSE, PETSC_TRUE, &n, &t->start[p], &t->column[p], &done));
    PetscCall(MatSeqBAIJGetArray(t->part[p], &t->value[p]));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode CloseParts(TangentParts *t) {
  PetscInt n;
  PetscBool done;
  PetscFunctionBegin;
  for (int p = 0; p < 2 && t->part[p]; p++) {
    PetscCall(MatSeqBAIJRestoreArray(t->part[p], &t->value[p]));
    PetscCall(MatRestoreRowIJ(t->part[p], 0, PETSC_FALSE, PETSC_TRUE, &n, &t->start[p], &t->column[p], &done));
  }
  PetscFunctionReturn(0);
}

// Copies the non-zero blocks of a row and the diagonal block, from `at` on, as long as their global columns are below
// `limit`. Returns where it stopped.
static PetscInt keep_blocks(const Layout *layout, const TangentParts *t, int part, PetscInt row, PetscInt at,
                            PetscInt limit, Pattern *to, double *value, PetscInt *count) {
  PetscInt bs = layout->bs, size = bs * bs;
  for (; at < t->start[part][row + 1]; at++) {
    PetscInt local = t->column[part][at], column = part ? t->ghost[local] : local + layout->first_block, k = 0;
    const double *from = t->value[part] + at * size;
    if (column >= limit) break;
    while (k < size && from[k] == 0) k++;
    if (k == size && (part || local != row)) continue;
    to->column[*count] = column;
    double *block = value + size * (*count)++;
    for (int i = 0; i < bs; i++)
      for (int j = 0; j < bs; j++) block[i * bs + j] = from[j * bs + i]; // stored by columns, passed by rows
  }
  return at;
}

// Copies all rows in the order of global columns: those of lower ranks, own, those of higher ranks.
static PetscInt collect_blocks(const Layout *layout, const TangentParts *t, Pattern *to, double *value) {
  PetscInt count = 0;
  for (PetscInt row = 0; row < layout->nblock_own; row++) {
    to->start[row] = count;
    PetscInt other = t->part[1] ? t->start[1][row] : 0;
    if (t->part[1]) other = keep_blocks(layout, t, 1, row, other, layout->first_block, to, value, &count);
    keep_blocks(layout, t, 0, row, t->start[0][row], PETSC_MAX_INT, to, value, &count);
    if (t->part[1]) keep_blocks(layout, t, 1, row, other, PETSC_MAX_INT, to, value, &count);
  }
  return to->start[layout->nblock_own] = count;
}

static PetscErrorCode CreateReduced(const Layout *layout, MatrixSlots *matrix, const Pattern *p, const double *value) {
  PetscInt n = layout->nblock_own * layout->bs;
  Mat *m = &matrix->reduced;
  PetscFunctionBegin;
  PetscCall(MatCreate(layout->comm, m));
  PetscCall(MatSetSizes(*m, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  PetscCall(MatSetType(*m, MATBAIJ));
  PetscCall(MatSetBlockSize(*m, layout->bs));
  PetscCall(MatSeqBAIJSetPreallocationCSR(*m, layout->bs, p->start, p->column, value));
  PetscCall(MatMPIBAIJSetPreallocationCSR(*m, layout->bs, p->start, p->column, value));
  PetscFunctionReturn(0);
}

PetscErrorCode MatrixReducedTangent(const Motion *motion, MatrixSlots *matrix, Mat *out) {
  TangentParts t;
  Pattern p;
  double *value;
  PetscInt64 blocks[2]; // all, kept
  PetscFunctionBegin;
  if (motion->contacts && motion->contacts->linked && matrix->reduced_from != matrix->made) {
    PetscCall(MatDestroy(&matrix->reduced));
    matrix->reduced_from = matrix->made;
    PetscCall(OpenParts(&motion->layout, matrix, &t));
    blocks[0] = t.start[0][motion->layout.nblock_own] + (t.part[1] ? t.start[1][motion->layout.nblock_own] : 0);
    PetscCall(PetscMalloc3(motion->layout.nblock_own + 1, &p.start, blocks[0], &p.column,
                           blocks[0] * motion->layout.bs * motion->layout.bs, &value));
    blocks[1] = collect_blocks(&motion->layout, &t, &p, value);
    PetscCall(CloseParts(&t));
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, blocks, 2, MPIU_INT64, MPI_SUM, motion->layout.comm));
    if ((double)blocks[1] < worthwhile * (double)blocks[0])
      PetscCall(CreateReduced(&motion->layout, matrix, &p, value));
    PetscCall(PetscFree3(p.start, p.column, value));
  }
  *out = matrix->reduced ? matrix->reduced : matrix->tangent;
  PetscFunctionReturn(0);
}
