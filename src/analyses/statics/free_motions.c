// SPDX-License-Identifier: Apache-2.0
// Excludes motions that nothing holds, such as the spin of a strut between ball joints. Their stiffness is round-off,
// whose sign means nothing. With such motions N (N^T W N = 1), as `modes` finds them, the stiffness gets a border
//   B = ( K      c W N )
//       ( c N^T W   0  )
// that adds one negative and one positive pivot for each. The other pivots are those of K on motions orthogonal to N. N
// need not be exact, as long as no motion without stiffness is orthogonal to it. S = -c^2 (B^-1)_22 is the stiffness
// along N.
// Equations: eq-static-free (16.4).
#include "analyses/statics/statics.h"
#include "assembly/state_values.h"
#include "model/refusal.h"

#include "analyses/modes/modes.h"

#include <petscblaslapack.h>

PetscErrorCode FreeMotionsDestroy(FreeMotions *f) {
  PetscFunctionBegin;
  if (f->count) PetscCall(VecDestroyVecs(f->count, &f->border));
  if (f->count) PetscCall(VecDestroyVecs(f->count, &f->motion));
  *f = (FreeMotions){0};
  PetscFunctionReturn(0);
}

static PetscErrorCode TakeMotions(const Modes *m, FreeMotions *f) {
  PetscFunctionBegin;
  if (m->rigid == 0) PetscFunctionReturn(0);
  PetscCall(VecDuplicateVecs(m->rigid_mode[0].right[0], m->rigid, &f->border));
  PetscCall(VecDuplicateVecs(m->rigid_mode[0].right[0], m->rigid, &f->motion));
  f->count = m->rigid, f->scale = 1e-2 * m->pencil.stiffest;
  for (int i = 0; i < f->count; i++) {
    double square;
    PetscCall(VecCopy(m->rigid_mode[i].right[0], f->motion[i]));
    PetscCall(MatMult(m->pencil.m, f->motion[i], f->border[i]));
    PetscCall(VecScale(f->border[i], f->scale));
    PetscCall(ModeRoundOff(&m->pencil, &m->rigid_mode[i], &square));
    f->round_off = PetscMax(f->round_off, square);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode StaticsWeights(const Stepper *p, Mat *out) {
  PetscInt own = 3 * p->s->motion.layout.nblock_own;
  PetscFunctionBegin;
  PetscCall(MatCreateAIJ(p->s->motion.layout.comm, own, own, PETSC_DETERMINE, PETSC_DETERMINE, 1, NULL, 0, NULL, out));
  PetscCall(MatDiagonalSet(*out, statics_of(p)->weight, INSERT_VALUES));
  PetscFunctionReturn(0);
}

// Largest ratio of stiffness and weight of an unknown.
static PetscErrorCode FindStiffest(const Stepper *p, double *out) {
  const double *k, *w;
  PetscInt n;
  Vec diagonal;
  PetscFunctionBegin;
  *out = 0;
  PetscCall(VecDuplicate(statics_of(p)->weight, &diagonal));
  PetscCall(MatGetDiagonal(p->s->equations.matrix.tangent, diagonal));
  PetscCall(VecGetLocalSize(diagonal, &n));
  PetscCall(VecGetArrayRead(diagonal, &k));
  PetscCall(VecGetArrayRead(statics_of(p)->weight, &w));
  for (PetscInt i = 0; i < n; i++)
    if (w[i] > 0) *out = PetscMax(*out, PetscAbsReal(k[i]) / w[i]);
  PetscCall(VecRestoreArrayRead(statics_of(p)->weight, &w));
  PetscCall(VecRestoreArrayRead(diagonal, &k));
  PetscCall(VecDestroy(&diagonal));
  PetscFunctionReturn(0);
}

// Whether every motion has a stiffness, by the factors of the tangent if the path has any: of a random motion three
// inverse iterations leave the one with the least stiffness, if that is so small.
static PetscErrorCode HasNoFreeMotion(Stepper *p, bool *none) {
  System *s = p->s;
  const Vec weight = statics_of(p)->weight;
  double stiffest, stiffness = 0, size = 0;
  PetscBool good = PETSC_TRUE;
  Vec residual;
  PetscFunctionBegin;
  PetscCall(LinearHasSymmetricFactors(&s->linear, none));
  if (!*none || s->motion.step.spin.rate != 0) {
    *none = false;
    PetscFunctionReturn(0);
  }
  PetscCall(VecDuplicate(weight, &residual));
  PetscCall(VecCopy(s->equations.residual, residual));
  PetscCall(VecSetRandom(s->linear.increment, NULL));
  for (int i = 0; i < 3 && good; i++) {
    PetscCall(VecPointwiseMult(s->equations.residual, weight, s->linear.increment));
    PetscCall(SystemSolve(s, &good));
    PetscCall(VecDot(s->equations.residual, s->linear.increment, &stiffness));
    PetscCall(VecPointwiseMult(s->equations.work, weight, s->linear.increment));
    PetscCall(VecDot(s->equations.work, s->linear.increment, &size));
  }
  PetscCall(FindStiffest(p, &stiffest));
  *none = good && PetscAbsReal(stiffness) > PENCIL_RIGID * stiffest * size;
  PetscCall(VecCopy(residual, s->equations.residual));
  PetscCall(VecDestroy(&residual));
  PetscFunctionReturn(0);
}

PetscErrorCode StaticsFindFree(Stepper *p) {
  Statics *x = statics_of(p);
  const LimberModesOptions options = {.count = 1, .damped = LIMBER_DAMPED_NO};
  Refusal wrong;
  Mat k, weight;
  Pencil pencil;
  Modes *modes;
  Vec unknown;
  bool none;
  PetscFunctionBegin;
  PetscCall(FreeMotionsDestroy(&x->free_motions));
  PetscCall(HasNoFreeMotion(p, &none));
  if (none) PetscFunctionReturn(0);
  PetscCall(VecDuplicate(x->weight, &unknown));
  PetscCall(VecCopy(p->s->equations.unknown, unknown));
  PetscCall(MatDuplicate(p->s->equations.matrix.tangent, MAT_COPY_VALUES, &k));
  if (p->s->motion.step.spin.rate != 0)
    PetscCall(AddSpinStiffness(&p->s->motion.layout, &p->s->motion.state, &p->s->motion.step.spin, k));
  PetscCall(StaticsWeights(p, &weight));
  PetscCall(PencilCreateUndamped(p->s, NULL, k, weight, &pencil));
  PetscCall(MatDestroy(&k));
  PetscCall(MatDestroy(&weight));
  PetscCall(ModesFindOf(&pencil, &options, &modes, &wrong));
  if (modes) PetscCall(TakeMotions(modes, &x->free_motions));
  PetscCall(ModesDestroy(&modes));
  PetscCall(VecCopy(unknown, p->s->equations.unknown));
  PetscCall(VecDestroy(&unknown));
  PetscCall(EquationsRefresh(&p->s->motion.layout, &p->s->equations));
  PetscFunctionReturn(0);
}

// ---- the border ----

// Gathers the entries of a border vector on all ranks.
static PetscErrorCode GatherBorder(const FreeMotions *f, int i, VecScatter *scatter, Vec *all) {
  PetscFunctionBegin;
  if (!*scatter) PetscCall(VecScatterCreateToAll(f->border[i], scatter, all));
  PetscCall(VecScatterBegin(*scatter, f->border[i], *all, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(*scatter, f->border[i], *all, INSERT_VALUES, SCATTER_FORWARD));
  PetscFunctionReturn(0);
}

// The rows of the border come last, on the last rank.
static PetscErrorCode CreateEmpty(const FreeMotions *f, Mat k, Mat *out) {
  PetscMPIInt rank, ranks;
  PetscInt rows, all, *diagonal, *beside, more;
  MPI_Comm comm = PetscObjectComm((PetscObject)k);
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &ranks));
  PetscCall(MatGetLocalSize(k, &rows, NULL));
  PetscCall(MatGetSize(k, &all, NULL));
  more = rank == ranks - 1 ? f->count : 0;
  PetscCall(PetscMalloc2(rows + more, &diagonal, rows + more, &beside));
  PetscInt first, last, n;
  PetscCall(MatGetOwnershipRange(k, &first, &last));
  for (PetscInt i = 0; i < rows; i++) {
    PetscCall(MatGetRow(k, first + i, &n, NULL, NULL));
    diagonal[i] = PetscMin(n + f->count, rows + more), beside[i] = PetscMin(n + f->count, all + f->count - rows - more);
    PetscCall(MatRestoreRow(k, first + i, &n, NULL, NULL));
  }
  for (PetscInt i = rows; i < rows + more; i++) diagonal[i] = rows + more, beside[i] = all - rows;
  PetscCall(
      MatCreateAIJ(comm, rows + more, rows + more, PETSC_DETERMINE, PETSC_DETERMINE, 0, diagonal, 0, beside, out));
  PetscCall(PetscFree2(diagonal, beside));
  PetscFunctionReturn(0);
}

PetscErrorCode FreeMotionsBorder(const FreeMotions *f, Mat k, Mat *out) {
  PetscInt first, last, all, n;
  const PetscInt *col;
  const PetscScalar *value;
  VecScatter scatter = NULL;
  Vec every = NULL;
  PetscFunctionBegin;
  if (f->count == 0) {
    PetscCall(PetscObjectReference((PetscObject)k));
    *out = k;
    PetscFunctionReturn(0);
  }
  PetscCall(CreateEmpty(f, k, out));
  PetscCall(MatGetOwnershipRange(k, &first, &last));
  PetscCall(MatGetSize(k, &all, NULL));
  for (PetscInt i = first; i < last; i++) {
    PetscCall(MatGetRow(k, i, &n, &col, &value));
    PetscCall(MatSetValues(*out, 1, &i, n, col, value, INSERT_VALUES));
    PetscCall(MatRestoreRow(k, i, &n, &col, &value));
  }
  for (int j = 0; j < f->count; j++) {
    const double *w;
    PetscInt own_first, own_last, at = all + j;
    PetscCall(GatherBorder(f, j, &scatter, &every));
    PetscCall(VecGetArrayRead(every, &w));
    for (PetscInt i = first; i < last; i++)
      if (w[i] != 0) PetscCall(MatSetValue(*out, i, at, w[i], INSERT_VALUES));
    PetscCall(MatGetOwnershipRange(*out, &own_first, &own_last));
    for (PetscInt i = 0; i < all && at >= own_first && at < own_last; i++)
      if (w[i] != 0) PetscCall(MatSetValue(*out, at, i, w[i], INSERT_VALUES));
    if (at >= own_first && at < own_last) PetscCall(MatSetValue(*out, at, at, 0, INSERT_VALUES));
    PetscCall(VecRestoreArrayRead(every, &w));
  }
  PetscCall(MatAssemblyBegin(*out, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*out, MAT_FINAL_ASSEMBLY));
  PetscCall(VecScatterDestroy(&scatter));
  PetscCall(VecDestroy(&every));
  PetscFunctionReturn(0);
}

// ---- solutions ----

// Copies the entries that two vectors share; in one of them those of the border follow.
static PetscErrorCode CopyCommon(Vec from, Vec to) {
  const double *a;
  double *b;
  PetscInt n, m;
  PetscFunctionBegin;
  PetscCall(VecGetLocalSize(from, &n));
  PetscCall(VecGetLocalSize(to, &m));
  PetscCall(VecGetArrayRead(from, &a));
  PetscCall(VecGetArray(to, &b));
  PetscCall(PetscArraycpy(b, a, PetscMin(n, m)));
  PetscCall(VecRestoreArray(to, &b));
  PetscCall(VecRestoreArrayRead(from, &a));
  PetscFunctionReturn(0);
}

PetscErrorCode FreeMotionsSolve(Mat bordered, Mat factor, bool transpose, Vec b, Vec x) {
  Vec right, left;
  PetscFunctionBegin;
  PetscCall(MatCreateVecs(bordered, &right, &left));
  PetscCall(VecZeroEntries(right));
  PetscCall(CopyCommon(b, right));
  if (transpose) PetscCall(MatSolveTranspose(factor, right, left));
  else PetscCall(MatSolve(factor, right, left));
  PetscCall(CopyCommon(left, x));
  PetscCall(VecDestroy(&right));
  PetscCall(VecDestroy(&left));
  PetscFunctionReturn(0);
}

// Finds S, and in `motion` the motions to which it belongs: if they have no stiffness, those of the state.
static PetscErrorCode StiffnessAlong(FreeMotions *f, Mat bordered, Mat factor, double *s) {
  PetscInt all, first, last;
  Vec right, left;
  PetscFunctionBegin;
  PetscCall(MatGetSize(bordered, &all, NULL));
  PetscCall(MatGetOwnershipRange(bordered, &first, &last));
  PetscCall(MatCreateVecs(bordered, &right, &left));
  PetscCall(PetscArrayzero(s, f->count * f->count));
  for (int j = 0; j < f->count; j++) {
    const double *a;
    PetscInt at = all - f->count + j;
    PetscCall(VecZeroEntries(right));
    if (at >= first && at < last) PetscCall(VecSetValue(right, at, 1, INSERT_VALUES));
    PetscCall(VecAssemblyBegin(right));
    PetscCall(VecAssemblyEnd(right));
    PetscCall(MatSolve(factor, right, left));
    PetscCall(CopyCommon(left, f->motion[j]));
    PetscCall(VecGetArrayRead(left, &a));
    for (int i = 0; i < f->count; i++) {
      PetscInt row = all - f->count + i;
      if (row >= first && row < last) s[i + f->count * j] = -f->scale * f->scale * a[row - first];
    }
    PetscCall(VecRestoreArrayRead(left, &a));
  }
  PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, s, f->count * f->count, MPI_DOUBLE, MPI_SUM, PetscObjectComm((PetscObject)bordered)));
  PetscCall(VecDestroy(&right));
  PetscCall(VecDestroy(&left));
  PetscFunctionReturn(0);
}

PetscErrorCode FreeMotionsCountNegative(FreeMotions *f, Mat bordered, Mat factor, int *count) {
  PetscBLASInt n = f->count, work_size = 35 * n + 32, info;
  double *s, *value, *work;
  PetscFunctionBegin;
  *count = 0;
  if (n == 0) PetscFunctionReturn(0);
  PetscCall(PetscMalloc3(n * n, &s, n, &value, work_size, &work));
  PetscCall(StiffnessAlong(f, bordered, factor, s));
  LAPACKsyev_("N", "U", &n, s, &n, value, work, &work_size, &info);
  for (int i = 0; i < n && info == 0; i++) *count += value[i] < -f->round_off;
  PetscCall(PetscFree3(s, value, work));
  PetscFunctionReturn(0);
}

// B^-1 gave the motions of the state that was counted: they become the border for the next state.
PetscErrorCode FreeMotionsFollow(FreeMotions *f, Vec weight) {
  PetscFunctionBegin;
  for (int i = 0; i < f->count; i++) {
    double size;
    for (int j = 0; j < i; j++) { // border[j] = c W n_j of the previous ones
      PetscCall(VecDot(f->border[j], f->motion[i], &size));
      PetscCall(VecAXPY(f->motion[i], -size / f->scale, f->motion[j]));
    }
    PetscCall(VecPointwiseMult(f->border[i], weight, f->motion[i]));
    PetscCall(VecDot(f->border[i], f->motion[i], &size));
    PetscCall(VecScale(f->motion[i], 1 / PetscSqrtReal(size)));
    PetscCall(VecScale(f->border[i], f->scale / PetscSqrtReal(size)));
  }
  PetscFunctionReturn(0);
}
