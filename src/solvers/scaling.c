// SPDX-License-Identifier: Apache-2.0
// Scales of unknowns. Each row times its unknown is an energy, but displacements, multipliers and slips differ by many
// orders of magnitude, so a sum of squares ignores the small ones. With x_i = y_i/d_i, where d_i^2 = |T_ii| for a node
// and sum_j T_ij^2/d_j^2 for unknowns without stiffness of their own, |y|^2 is an energy.
// Equations: eq-linear-scale (13.2).
#include "solvers/solvers.h"

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
