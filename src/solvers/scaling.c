// SPDX-License-Identifier: Apache-2.0
// What iterative solvers solve: the tangent without its zero blocks, and scales of its unknowns. Each row times its unknown is an energy, but displacements, multipliers and slips differ by many
// orders of magnitude, so a sum of squares ignores the small ones. With x_i = y_i/d_i, where d_i^2 = |T_ii| for a node
// and sum_j T_ij^2/d_j^2 for unknowns without stiffness of their own, |y|^2 is an energy.
// Equations: eq-linear-scale (13.2).
#include "assembly/contacts.h"
#include "assembly/workspace.h"
#include "solvers/solvers.h"

// ---- scales ----

// Scales that follow from other scales; `left` counts rows that have none yet.
static PetscErrorCode FromOthers(const Layout *layout, const MatrixSlots *matrix, double *d, PetscInt *left) {
  PetscInt ncol;
  const PetscInt *col;
  const PetscScalar *value;
  PetscFunctionBegin;
  *left = 0;
  for (PetscInt i = 0, first = layout->first_block * layout->bs, n = layout->nblock_own * layout->bs; i < n; i++) {
    double sum = 0;
    if (d[i] > 0) continue;
    PetscCall(MatGetRow(matrix->tangent, first + i, &ncol, &col, &value));
    for (PetscInt k = 0; k < ncol; k++) { // on the same rank only: a joint's last node is there
      PetscInt j = col[k] - first;
      if (j >= 0 && j < n && d[j] > 0) sum += PetscSqr(value[k] / d[j]);
    }
    PetscCall(MatRestoreRow(matrix->tangent, first + i, &ncol, &col, &value));
    if (sum > 0) d[i] = -PetscSqrtReal(sum); // not yet seen by the rows that follow
    else (*left)++;
  }
  for (PetscInt i = 0; i < layout->nblock_own * layout->bs; i++) d[i] = PetscAbsReal(d[i]);
  PetscFunctionReturn(0);
}

PetscErrorCode MatrixFindSizes(const Layout *layout, const MatrixSlots *matrix, Vec sizes) {
  double *d;
  PetscInt left = 1;
  PetscFunctionBegin;
  PetscCall(MatGetDiagonal(matrix->tangent, sizes));
  PetscCall(VecGetArray(sizes, &d));
  for (PetscInt i = 0; i < layout->nblock_own * layout->bs; i++)
    d[i] = layout->block_node[i / layout->bs] >= 0 ? PetscSqrtReal(PetscAbsReal(d[i])) : 0;
  for (int sweep = 0; sweep < 3 && left > 0; sweep++) PetscCall(FromOthers(layout, matrix, d, &left));
  for (PetscInt i = 0; i < layout->nblock_own * layout->bs; i++)
    if (!(d[i] > 0)) d[i] = 1;
  PetscCall(VecRestoreArray(sizes, &d));
  PetscFunctionReturn(0);
}

// A preconditioner keeps the first scales and its factors until it is reset. The outer preconditioner, which the solver
// sees, passes everything on to the inner one with the factors, and can be reset alone.
static PetscErrorCode SetUpInner(PC outer) {
  PC inner;
  PCFailedReason reason;
  Mat a, p;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(outer, &inner));
  PetscCall(PCGetOperators(outer, &a, &p));
  PetscCall(PCSetOperators(inner, a, p));
  PetscCall(PCSetUp(inner));
  PetscCall(PCGetFailedReason(inner, &reason));
  PetscCall(PCSetFailedReason(outer, reason));
  PetscFunctionReturn(0);
}

static PetscErrorCode ApplyInner(PC outer, Vec x, Vec y) {
  PC inner;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(outer, &inner));
  PetscCall(PCApply(inner, x, y));
  PetscFunctionReturn(0);
}

static PetscErrorCode ViewInner(PC outer, PetscViewer viewer) {
  PC inner;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(outer, &inner));
  PetscCall(PCView(inner, viewer));
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroyInner(PC outer) {
  PC inner;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(outer, &inner));
  PetscCall(PCDestroy(&inner));
  PetscFunctionReturn(0);
}

static const char wrapper[] = "sizes of unknowns around"; // the name of the outer preconditioner

PetscErrorCode SolverWrap(KSP ksp) {
  PC inner, outer;
  PetscFunctionBegin;
  PetscCall(KSPGetPC(ksp, &inner));
  PetscCall(PetscObjectReference((PetscObject)inner));
  PetscCall(PCCreate(PetscObjectComm((PetscObject)ksp), &outer));
  PetscCall(PCSetType(outer, PCSHELL));
  PetscCall(PCShellSetContext(outer, inner));
  PetscCall(PCShellSetSetUp(outer, SetUpInner));
  PetscCall(PCShellSetApply(outer, ApplyInner));
  PetscCall(PCShellSetView(outer, ViewInner));
  PetscCall(PCShellSetDestroy(outer, DestroyInner));
  PetscCall(PCShellSetName(outer, wrapper));
  PetscCall(KSPSetPC(ksp, outer));
  PetscCall(PCDestroy(&outer));
  PetscFunctionReturn(0);
}

PetscErrorCode SolverInner(KSP ksp, PC *inner) {
  PetscBool wrapped;
  const char *name = NULL;
  PetscFunctionBegin;
  PetscCall(KSPGetPC(ksp, inner));
  PetscCall(PetscObjectTypeCompare((PetscObject)*inner, PCSHELL, &wrapped));
  if (wrapped) PetscCall(PCShellGetName(*inner, &name));
  PetscCall(PetscStrcmp(name, wrapper, &wrapped));
  if (wrapped) PetscCall(PCShellGetContext(*inner, inner));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemScale(System *s, KSP ksp) {
  PC outer;
  Mat tangent;
  PetscFunctionBegin;
  if (s->linear.scale_tangent == s->equations.matrix.made) PetscFunctionReturn(0);
  s->linear.scale_tangent = s->equations.matrix.made;
  if (!s->linear.scale) PetscCall(VecDuplicate(s->equations.residual, &s->linear.scale));
  PetscCall(MatrixFindSizes(&s->motion.layout, &s->equations.matrix, s->linear.scale));
  PetscCall(KSPGetPC(ksp, &outer));
  PetscCall(KSPGetOperators(ksp, &tangent, NULL));
  PetscCall(PCReset(outer));
  PetscCall(PCSetOperators(outer, tangent, tangent));
  PetscCall(PCSetDiagonalScale(outer, s->linear.scale));
  PetscFunctionReturn(0);
}

// ---- the tangent without its zero blocks ----

// The tangent has slots for all pairs of bodies that may touch before the list is next updated, but few of them do.
// Without the others, the matrix and its factors are much smaller.
static const double worthwhile = 0.6; // fraction of the blocks kept, above which no copy is made

// Copies the non-zero blocks of a row and the diagonal block, from `at` on, as long as their global columns are below
// `limit`. Returns where it stopped.
static PetscInt keep_blocks(const Layout *layout, const MatrixParts *t, int part, PetscInt row, PetscInt at,
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
static PetscInt collect_blocks(const Layout *layout, const MatrixParts *t, Pattern *to, double *value) {
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
  MatrixParts t;
  Pattern p;
  double *value;
  PetscInt64 blocks[2]; // all, kept
  PetscFunctionBegin;
  if (motion->contacts && motion->contacts->linked && matrix->reduced_from != matrix->made) {
    PetscCall(MatDestroy(&matrix->reduced));
    matrix->reduced_from = matrix->made;
    PetscCall(MatrixPartsOpen(matrix->tangent, &t));
    blocks[0] = t.start[0][motion->layout.nblock_own] + (t.part[1] ? t.start[1][motion->layout.nblock_own] : 0);
    PetscCall(PetscMalloc3(motion->layout.nblock_own + 1, &p.start, blocks[0], &p.column,
                           blocks[0] * motion->layout.bs * motion->layout.bs, &value));
    blocks[1] = collect_blocks(&motion->layout, &t, &p, value);
    PetscCall(MatrixPartsClose(&t));
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, blocks, 2, MPIU_INT64, MPI_SUM, motion->layout.comm));
    if ((double)blocks[1] < worthwhile * (double)blocks[0])
      PetscCall(CreateReduced(&motion->layout, matrix, &p, value));
    PetscCall(PetscFree3(p.start, p.column, value));
  }
  *out = matrix->reduced ? matrix->reduced : matrix->tangent;
  PetscFunctionReturn(0);
}
