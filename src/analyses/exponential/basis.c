// SPDX-License-Identifier: Apache-2.0
// A basis for structures that are too large for all their modes: the lowest modes, and the static shapes
// (K + s M)^-1 f due to loads and joints, where f is the pattern of a load or a unit force at an unknown of a joint's
// node. The small s gives floating structures such shapes, too. Modes of the structure restricted to this basis replace
// its own.
//
// What the basis omits: under a force f cos(omega t) the structure moves by (K - omega^2 M)^-1 f, that is
// u_1 + omega^2 u_2 + ..., u_1 = K^-1 f, u_2 = K^-1 M u_1. The basis contains u_1. The part of u_2 that it lacks,
// relative to u_1 in the norm of K, shows up to which frequency forces are followed.
// Equations: eq-exponential-shapes (15.8), eq-exponential-series (15.9).
#include "analyses/exponential/exponential.h"
#include "analyses/stepping/start.h"
#include "assembly/ranks.h"
#include "model/refusal.h"

#include <petscblaslapack.h>

typedef struct { // columns that are orthonormal with respect to M
  const Structure *t;
  PetscInt n, count, most;
  double *a, *ma; // and M times them
  Vec from, to;
} Columns;

static PetscErrorCode MultiplyStructure(const Columns *b, Mat a, const double *from, double *to) {
  PetscFunctionBegin;
  PetscCall(StructureSet(b->t, from, b->from));
  PetscCall(MatMult(a, b->from, b->to));
  PetscCall(StructureGet(b->t, b->to, to));
  PetscFunctionReturn(0);
}

static PetscErrorCode SolveStructure(const Columns *b, KSP ksp, const double *from, double *to) {
  PetscFunctionBegin;
  PetscCall(StructureSet(b->t, from, b->from));
  PetscCall(KSPSolve(ksp, b->from, b->to));
  PetscCall(StructureGet(b->t, b->to, to));
  PetscFunctionReturn(0);
}

static double dot_product(PetscInt n, const double *a, const double *b) {
  double sum = 0;
  for (PetscInt i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// Makes u orthogonal to the columns.
static void clear_of(const Columns *b, double *u) {
  for (PetscInt k = 0; k < b->count; k++) {
    double c = dot_product(b->n, b->ma + b->n * k, u);
    for (PetscInt i = 0; i < b->n; i++) u[i] -= c * b->a[b->n * k + i];
  }
}

// Adds u as a column unless the others contain it up to 1e-6 of its size.
static PetscErrorCode AddShape(Columns *b, double *u) {
  double *mu = b->ma + b->n * b->count, *to = b->a + b->n * b->count, before, after;
  PetscFunctionBegin;
  PetscCall(MultiplyStructure(b, b->t->m, u, mu));
  before = dot_product(b->n, u, mu);
  clear_of(b, u);
  clear_of(b, u);
  PetscCall(MultiplyStructure(b, b->t->m, u, mu));
  after = dot_product(b->n, u, mu);
  if (!(after > 1e-12 * before)) PetscFunctionReturn(0);
  for (PetscInt i = 0; i < b->n; i++) to[i] = u[i] / sqrt(after), mu[i] /= sqrt(after);
  b->count++;
  PetscFunctionReturn(0);
}

// ---- lowest modes ----

// The largest omega^2 of a single unknown.
static PetscErrorCode FindStiffest(const Columns *b, double *most) {
  const double *k, *m;
  PetscFunctionBegin;
  PetscCall(MatGetDiagonal(b->t->k, b->from));
  PetscCall(MatGetDiagonal(b->t->m, b->to));
  PetscCall(VecGetArrayRead(b->from, &k));
  PetscCall(VecGetArrayRead(b->to, &m));
  *most = 0;
  for (PetscInt i = 0; i < b->t->own; i++) *most = PetscMax(*most, k[i] / m[i]);
  PetscCall(VecRestoreArrayRead(b->from, &k));
  PetscCall(VecRestoreArrayRead(b->to, &m));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 1, MPI_DOUBLE, MPI_MAX, b->t->comm));
  PetscFunctionReturn(0);
}

// Adds the lowest modes to the columns; `highest`: the largest omega^2.
static PetscErrorCode AddLowestModes(Columns *b, const LowestModes *modes, double *highest) {
  double *u;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(b->n, &u));
  for (PetscInt i = 0; i < modes->found; i++) {
    double value = lowest_mode_square(modes, i);
    PetscCall(StructureGet(b->t, modes->result.vector[i], u));
    PetscCall(AddShape(b, u));
    *highest = i == 0 ? value : PetscMax(*highest, value);
  }
  PetscCall(PetscFree(u));
  PetscFunctionReturn(0);
}

// ---- forces ----

// Force number i: of a load, or 1 at an unknown of a joint's node. False: it is zero.
static bool force_of(const Stepper *p, PetscInt i, double *f) {
  const Exponential *x = exponential_of(p);
  PetscInt loads = p->s->motion.layout.model->loads.count;
  double most = 0;
  for (PetscInt k = 0; k < x->n; k++) f[k] = i < loads ? x->push[i * x->n + k] : k == x->touched[i - loads];
  for (PetscInt k = 0; k < x->n; k++) most = PetscMax(most, fabs(f[k]));
  return most > 0;
}

// Modes of the structure restricted to the columns.
static PetscErrorCode FindRitzModes(Exponential *x, const Columns *b, double stiffest) {
  PetscBLASInt m = (PetscBLASInt)b->count, info, size = 35 * m + 32;
  double *projected, *column, *work;
  PetscFunctionBegin;
  x->m = b->count;
  PetscCall(PetscMalloc4(x->n * x->m, &x->mode, x->n * x->m, &x->heavy, x->m, &x->square, x->m, &x->decay));
  PetscCall(PetscMalloc3(x->m * x->m, &projected, x->n, &column, size, &work));
  for (PetscInt k = 0; k < x->m; k++) {
    PetscCall(MultiplyStructure(b, b->t->k, b->a + x->n * k, column));
    exponential_times(x->n, x->m, b->a, true, column, projected + x->m * k);
  }
  LAPACKsyev_("V", "U", &m, projected, &m, x->square, work, &size, &info);
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dsyev gives %d", (int)info);
  for (PetscInt k = 0; k < x->m; k++) {
    if (fabs(x->square[k]) <= 1e-13 * stiffest) x->square[k] = 0; // a rigid motion
    exponential_times(x->n, x->m, b->a, false, projected + x->m * k, x->mode + x->n * k);
    exponential_times(x->n, x->m, b->ma, false, projected + x->m * k, x->heavy + x->n * k);
  }
  PetscCall(PetscFree3(projected, column, work));
  PetscFunctionReturn(0);
}

// The angular frequency up to which, for every force, the response outside the basis is at most 1 % of the static one.
static PetscErrorCode FindFollowedFrequency(const Stepper *p, const Columns *b, KSP ksp, PetscInt forces,
                                            double *omega) {
  PetscInt n = b->n;
  double *f, *u, *y, worst = 0;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(n, &f, n, &u, n, &y));
  for (PetscInt i = 0; i < forces; i++) {
    if (!force_of(p, i, f)) continue;
    PetscCall(SolveStructure(b, ksp, f, u));
    PetscCall(MultiplyStructure(b, b->t->k, u, y));
    double whole = dot_product(n, u, y);
    PetscCall(MultiplyStructure(b, b->t->m, u, y));
    PetscCall(SolveStructure(b, ksp, y, u));
    clear_of(b, u);
    PetscCall(MultiplyStructure(b, b->t->k, u, y));
    if (whole > 0) worst = PetscMax(worst, sqrt(PetscMax(0, dot_product(n, u, y)) / whole));
  }
  *omega = worst > 0 ? sqrt(0.01 / worst) : PETSC_INFINITY;
  PetscCall(PetscFree3(f, u, y));
  PetscFunctionReturn(0);
}

static PetscErrorCode BuildBasis(Stepper *p, Columns *b, PetscInt forces, Refusal *wrong) {
  PetscInt modes = p->options.modes;
  double *f, *u, stiffest = 0, highest = 0, omega = 0;
  LowestModes lowest;
  PetscFunctionBegin;
  PetscCall(FindStiffest(b, &stiffest));
  PetscCall(LowestModesFind(b->t, modes, 1e-9 * stiffest, &lowest));
  PetscCall(PetscMalloc2(b->n, &f, b->n, &u));
  PetscCall(AddLowestModes(b, &lowest, &highest));
  if (lowest.found < modes)
    refuse(wrong, "run: only %d of %d `modes` could be found. Ask for fewer", (int)lowest.found, (int)modes);
  for (PetscInt i = 0; i < forces && !is_refused(wrong); i++) {
    if (!force_of(p, i, f)) continue;
    PetscCall(SolveStructure(b, lowest.ksp, f, u));
    PetscCall(AddShape(b, u));
  }
  if (!is_refused(wrong)) {
    PetscCall(FindRitzModes(exponential_of(p), b, stiffest));
    PetscCall(FindFollowedFrequency(p, b, lowest.ksp, forces, &omega));
    start_remark(p,
                 "%d modes up to %.3g Hz and %d shapes of loads and joints represent %d unknowns: the response to "
                 "forces up to %.3g Hz has an error below 1 %%; higher frequencies need more `modes`",
                 (int)modes, sqrt(PetscMax(0, highest)) / (2 * PETSC_PI), (int)(b->count - modes), (int)b->n,
                 omega / (2 * PETSC_PI));
  }
  PetscCall(LowestModesDestroy(&lowest));
  PetscCall(PetscFree2(f, u));
  PetscFunctionReturn(0);
}

PetscErrorCode ExponentialBasis(Stepper *p, const Structure *t, Refusal *wrong) {
  const Exponential *x = exponential_of(p);
  PetscInt forces = x->near + p->s->motion.layout.model->loads.count, modes = p->options.modes;
  Columns b = {.t = t, .n = x->n};
  PetscFunctionBegin;
  if (forces > EXPONENTIAL_ATTACHED)
    refuse(wrong,
           "run: with `modes` every load and every unknown of a joint's node adds a shape; at most %d "
           "are allowed, and this model has %d. Choose another scheme",
           EXPONENTIAL_ATTACHED, (int)forces);
  else if (modes + forces > x->n)
    refuse(wrong,
           "run: %d `modes` and %d shapes of loads and joints are more than the %d unknowns of the "
           "nodes. Ask for fewer modes, or leave out `modes`",
           (int)modes, (int)forces, (int)x->n);
  if (!is_refused(wrong)) {
    b.most = modes + forces;
    PetscCall(PetscMalloc2(b.n * (b.most + 1), &b.a, b.n * (b.most + 1), &b.ma));
    PetscCall(MatCreateVecs(t->k, &b.from, &b.to));
    PetscCall(BuildBasis(p, &b, forces, wrong));
    PetscCall(VecDestroy(&b.from));
    PetscCall(VecDestroy(&b.to));
    PetscCall(PetscFree2(b.a, b.ma));
  }
  PetscFunctionReturn(0);
}

// ---- vectors of the structure between unknowns, which every rank has, and rows, which ranks own ----

PetscErrorCode StructureSet(const Structure *t, const double *from, Vec to) {
  double *y;
  PetscFunctionBegin;
  PetscCall(VecGetArray(to, &y));
  for (PetscInt i = 0; i < t->own; i++) y[i] = from[t->all[t->first + i]];
  PetscCall(VecRestoreArray(to, &y));
  PetscFunctionReturn(0);
}

PetscErrorCode StructureGet(const Structure *t, Vec from, double *to) {
  const double *y;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(to, t->rows));
  PetscCall(VecGetArrayRead(from, &y));
  for (PetscInt i = 0; i < t->own; i++) to[t->all[t->first + i]] = y[i];
  PetscCall(VecRestoreArrayRead(from, &y));
  PetscCall(ReduceArray(t->comm, to, t->rows, MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}
