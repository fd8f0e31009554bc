// SPDX-License-Identifier: Apache-2.0
// Critical points of a path: where a direction loses its stiffness. At a limit point the factor of the loads has an extreme, at a
// bifurcation it goes on and another path begins.
#include "analyses/statics/statics.h"

#include <string.h>

// Rows of the tangent that stand for themselves: prescribed coordinates, and rows of joints that are left out.
static PetscErrorCode DecoupledRows(const System *s, PetscInt *count, PetscInt **rows) {
  PetscFunctionBegin;
  *count = 0;
  PetscCall(PetscMalloc1((MAX_ROWS + MAX_COORDS) * s->layout.njoint + 1, rows));
  for (PetscInt j = 0; j < s->layout.njoint; j++) {
    const Joint *m = &model_joint(s->layout.model, s->layout.joint[j])->joint;
    if (s->layout.joint_block[j] < 0 || s->layout.joint_block[j] >= s->layout.nblock_own) continue;
    PetscInt first = 3 * s->layout.block_global[s->layout.joint_block[j]];
    for (int r = 0; r < m->rows.nrow; r++)
      if (s->redundancy.row_off[j][r]) (*rows)[(*count)++] = first + r;
    for (int c = 0; c < m->ncoord; c++)
      if (m->prescribed[c]) (*rows)[(*count)++] = first + m->rows.nrow + c;
  }
  PetscFunctionReturn(0);
}

// A multiplier of the constraints takes one negative pivot each.
static PetscErrorCode CountConstraints(const System *s, int *count) {
  int own = 0;
  PetscFunctionBegin;
  for (PetscInt j = 0; j < s->layout.njoint; j++) {
    const Joint *m = &model_joint(s->layout.model, s->layout.joint[j])->joint;
    if (s->layout.joint_block[j] < 0 || s->layout.joint_block[j] >= s->layout.nblock_own) continue;
    for (int r = 0; r < m->rows.nrow; r++) own += !s->redundancy.row_off[j][r];
  }
  PetscCallMPI(MPI_Allreduce(&own, count, 1, MPI_INT, MPI_SUM, s->layout.comm));
  PetscFunctionReturn(0);
}

// Factors by MUMPS without any message of PETSc where they do not exist.
static PetscErrorCode Factor(Mat k, PetscBool symmetric, Mat *out, bool *good) {
  MatFactorInfo info;
  MatFactorError error;
  PetscFunctionBegin;
  PetscCall(MatFactorInfoInitialize(&info));
  PetscCall(MatGetFactor(k, MATSOLVERMUMPS, symmetric ? MAT_FACTOR_CHOLESKY : MAT_FACTOR_LU, out));
  PetscCall(MatMumpsSetIcntl(*out, 13, 1)); // the root on one process, so that its pivots are counted
  if (!symmetric) PetscCall(MatMumpsSetIcntl(*out, 33, 1));
  if (symmetric) PetscCall(MatCholeskyFactorSymbolic(*out, k, NULL, &info));
  else PetscCall(MatLUFactorSymbolic(*out, k, NULL, NULL, &info));
  if (symmetric) PetscCall(MatCholeskyFactorNumeric(*out, k, &info));
  else PetscCall(MatLUFactorNumeric(*out, k, &info));
  PetscCall(MatFactorGetError(*out, &error));
  *good = error == MAT_FACTOR_NOERROR;
  PetscFunctionReturn(0);
}

PetscErrorCode StaticsCountNegative(System *s, int *count) {
  PetscInt n, *rows;
  PetscBool symmetric;
  double size;
  bool good = false;
  Mat k, factor;
  PetscFunctionBegin;
  *count = -1;
  PetscCall(MatConvert(s->matrix.tangent, MATAIJ, MAT_INITIAL_MATRIX, &k));
  PetscCall(DecoupledRows(s, &n, &rows));
  PetscCall(MatZeroRowsColumns(k, n, rows, 1, NULL, NULL));
  PetscCall(PetscFree(rows));
  PetscCall(MatNorm(k, NORM_INFINITY, &size));
  PetscCall(MatIsSymmetric(k, 1e-9 * size, &symmetric));
  if (symmetric) PetscCall(MatSetOption(k, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(Factor(k, symmetric, &factor, &good));
  if (good && symmetric) {
    PetscInt negative;
    int constraints;
    PetscCall(MatGetInertia(factor, &negative, NULL, NULL));
    PetscCall(CountConstraints(s, &constraints));
    *count = (int)negative - constraints;
  } else if (good) {
    PetscReal sign;
    PetscCall(MatMumpsGetRinfog(factor, 12, &sign));
    *count = sign < 0;
  }
  PetscCall(MatDestroy(&factor));
  PetscCall(MatDestroy(&k));
  PetscFunctionReturn(0);
}

PetscErrorCode StaticsAddCritical(Stepper *p, CriticalKind kind, double factor, int before, int after) {
  Statics *x = statics_of(p);
  PetscInt block;
  PetscFunctionBegin;
  if (x->ncritical == x->room) {
    x->room = x->room ? 2 * x->room : 8;
    PetscCall(PetscRealloc((size_t)x->room * sizeof *x->critical, &x->critical));
  }
  Critical *c = &x->critical[x->ncritical++];
  *c = (Critical){.kind = kind, .factor = factor, .negative = {before, after}};
  PetscCall(SystemFindUnconstrained(p->s, &block));
  if (block >= 0) PetscCall(SystemNameBlock(p->s, block, c->where, sizeof c->where));
  PetscFunctionReturn(0);
}

PetscErrorCode StaticsRemark(Stepper *p, char *text, size_t size) {
  static const char *const words[] = {
      [CRITICAL_LIMIT] = "limit point", [CRITICAL_BIFURCATION] = "bifurcation", [CRITICAL_POINT] = "critical point"};
  const Statics *x = statics_of(p);
  size_t used = 0;
  PetscFunctionBegin;
  text[0] = 0;
  for (int i = 0; i < x->ncritical && used + 1 < size; i++) {
    const Critical *c = &x->critical[i];
    used += (size_t)snprintf(text + used, size - used,
                             "%s at load factor %.9g: %s moves most; %d direction%s of negative stiffness after it\n",
                             words[c->kind], c->factor, c->where, c->negative[1], c->negative[1] == 1 ? "" : "s");
  }
  PetscFunctionReturn(0);
}
