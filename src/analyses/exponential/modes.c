// SPDX-License-Identifier: Apache-2.0
// The structure that the exponential scheme propagates: its matrices at the reference, its modes and their damping.
#include "analyses/exponential/exponential.h"
#include "assembly/matrices.h"
#include "assembly/ranks.h"
#include "model/refusal.h"

#include <petscblaslapack.h>

// ---- matrices ----

// Numbers the rows of nodes: blocks of the system that belong to no joint, in their order.
static PetscErrorCode OrderUnknowns(const Stepper *p, Structure *t) {
  const System *s = p->s;
  const Exponential *x = exponential_of(p);
  PetscInt first, last, blocks;
  PetscFunctionBegin;
  t->comm = s->motion.layout.comm, t->rows = t->own = 0;
  PetscCall(MatGetSize(s->equations.matrix.tangent, &blocks, NULL));
  PetscCall(MatGetOwnershipRange(s->equations.matrix.tangent, &first, &last));
  PetscCall(PetscMalloc1(x->n, &t->all));
  for (PetscInt b = 0; b < blocks / 3; b++) {
    if (3 * b == first) t->first = t->rows;
    for (int i = 0; i < 3 && x->block[b] >= 0; i++) t->all[t->rows++] = x->block[b] + i;
    if (3 * b >= first && 3 * b < last && x->block[b] >= 0) t->own += 3;
  }
  PetscFunctionReturn(0);
}

// The row of each unknown
static PetscErrorCode RowsOf(const Structure *t, PetscInt **row) {
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(t->rows, row));
  for (PetscInt i = 0; i < t->rows; i++) (*row)[t->all[i]] = i;
  PetscFunctionReturn(0);
}

static PetscErrorCode NewMatrix(const Structure *t, PetscInt most, Mat *out) {
  PetscFunctionBegin;
  PetscCall(MatCreateAIJ(t->comm, t->own, t->own, t->rows, t->rows, most, NULL, most, NULL, out));
  PetscCall(MatSetOption(*out, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  PetscFunctionReturn(0);
}

// A matrix of the system without the rows and columns of joints.
static PetscErrorCode TakeRows(const Stepper *p, const Structure *t, Mat from, Mat *out) {
  const Exponential *x = exponential_of(p);
  PetscInt first, last, most = 0, ncol, *row, *to;
  const PetscInt *col;
  const PetscScalar *value;
  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(from, &first, &last));
  for (PetscInt i = first; i < last; i++) {
    PetscCall(MatGetRow(from, i, &ncol, NULL, NULL));
    most = PetscMax(most, ncol);
    PetscCall(MatRestoreRow(from, i, &ncol, NULL, NULL));
  }
  PetscCall(RowsOf(t, &row));
  PetscCall(PetscMalloc1(most, &to));
  PetscCall(NewMatrix(t, PetscMin(most, t->own), out));
  for (PetscInt i = first; i < last; i++) {
    PetscInt at = x->block[i / 3] < 0 ? -1 : row[x->block[i / 3] + i % 3];
    if (at < 0) continue;
    PetscCall(MatGetRow(from, i, &ncol, &col, &value));
    for (PetscInt k = 0; k < ncol; k++) to[k] = x->block[col[k] / 3] < 0 ? -1 : row[x->block[col[k] / 3] + col[k] % 3];
    PetscCall(MatSetValues(*out, 1, &at, ncol, to, value, INSERT_VALUES)); // columns of joints, -1, are ignored
    PetscCall(MatRestoreRow(from, i, &ncol, &col, &value));
  }
  PetscCall(MatAssemblyBegin(*out, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*out, MAT_FINAL_ASSEMBLY));
  PetscCall(PetscFree(row));
  PetscCall(PetscFree(to));
  PetscFunctionReturn(0);
}

static PetscErrorCode TakeMass(const Stepper *p, const Structure *t, Mat *out) {
  Mat whole;
  PetscFunctionBegin;
  PetscCall(CreateMass(&p->s->motion.layout, &p->s->motion.state, &whole));
  PetscCall(TakeRows(p, t, whole, out));
  PetscCall(MatDestroy(&whole));
  PetscFunctionReturn(0);
}

// The whole matrix, dense, on every rank.
static PetscErrorCode GatherDense(const Structure *t, Mat a, double *out) {
  PetscInt n = t->rows, ncol;
  const PetscInt *col;
  const PetscScalar *value;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(out, n * n));
  for (PetscInt i = t->first; i < t->first + t->own; i++) {
    PetscCall(MatGetRow(a, i, &ncol, &col, &value));
    for (PetscInt k = 0; k < ncol; k++) out[t->all[i] + n * t->all[col[k]]] = value[k];
    PetscCall(MatRestoreRow(a, i, &ncol, &col, &value));
  }
  PetscCall(ReduceArray(t->comm, out, n * n, MPI_DOUBLE, MPI_SUM));
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < i; j++) out[i + n * j] = out[j + n * i] = 0.5 * (out[i + n * j] + out[j + n * i]);
  PetscFunctionReturn(0);
}

// ---- modes ----

// All modes of K and M, of unit mass. An omega^2 within the round-off of the highest is that of a rigid motion.
static PetscErrorCode AllModes(Exponential *x, const Structure *t, bool *good) {
  PetscBLASInt n = (PetscBLASInt)x->n, info, type = 1, size = 35 * n + 32;
  double *mass, *whole, *work, most = 0;
  PetscFunctionBegin;
  x->m = x->n;
  PetscCall(PetscMalloc4(x->n * x->m, &x->mode, x->n * x->m, &x->heavy, x->m, &x->square, x->m, &x->decay));
  PetscCall(PetscMalloc3(x->n * x->n, &mass, x->n * x->n, &whole, size, &work));
  PetscCall(GatherDense(t, t->m, mass));
  PetscCall(PetscArraycpy(whole, mass, x->n * x->n));
  PetscCall(GatherDense(t, t->k, x->mode));
  LAPACKsygv_(&type, "V", "U", &n, x->mode, &n, mass, &n, x->square, work, &size, &info);
  *good = info == 0;
  for (PetscInt i = 0; i < x->n; i++) most = PetscMax(most, fabs(x->square[i]));
  for (PetscInt i = 0; i < x->n; i++) {
    if (fabs(x->square[i]) <= 4e-16 * (double)x->n * most) x->square[i] = 0;
    exponential_times(x->n, x->n, whole, false, x->mode + x->n * i, x->heavy + x->n * i);
  }
  PetscCall(PetscFree3(mass, whole, work));
  PetscFunctionReturn(0);
}

// ---- damping ----

static PetscErrorCode IsDamped(const Layout *layout, int *damped) {
  PetscFunctionBegin;
  *damped = 0;
  for (PetscInt e = 0; e < layout->nelement; e++) {
    const ModelElement *el = model_element(layout->model, layout->element[e]);
    *damped |= el->kind->points(el->data) > 0 && element_is_damped(el->kind, el->data);
  }
  *damped |= layout->damped_mass != NULL;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, damped, 1, MPI_INT, MPI_LOR, layout->comm));
  PetscFunctionReturn(0);
}

// Adds mass damping to a matrix of the structure, whose pattern includes it.
static PetscErrorCode AddMassDamping(const Stepper *p, const Structure *t, Mat c) {
  Mat whole, part;
  PetscFunctionBegin;
  PetscCall(CreateMassDamping(&p->s->motion.layout, &p->s->motion.state, &whole));
  if (!whole) PetscFunctionReturn(0);
  PetscCall(TakeRows(p, t, whole, &part));
  PetscCall(MatAXPY(c, 1, part, SUBSET_NONZERO_PATTERN));
  PetscCall(MatDestroy(&part));
  PetscCall(MatDestroy(&whole));
  PetscFunctionReturn(0);
}

// Damping of the modes: of each mode alone, and coupling between them.
static PetscErrorCode FindDamping(Stepper *p, const Structure *t) {
  Exponential *x = exponential_of(p);
  PetscInt m = x->m;
  double *column, most = 0, off = 0, h = p->options.step;
  int damped;
  Mat c;
  Vec from, to;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(x->decay, m));
  PetscCall(IsDamped(&p->s->motion.layout, &damped));
  if (!damped) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(x->n, &column));
  PetscCall(ExponentialForces(p, NULL, h, PETSC_TRUE, column));
  PetscCall(TakeRows(p, t, p->s->equations.matrix.tangent, &c));
  PetscCall(MatAXPY(c, -1, t->k, SAME_NONZERO_PATTERN));
  PetscCall(MatScale(c, h));
  PetscCall(AddMassDamping(p, t, c));
  PetscCall(MatCreateVecs(c, &from, &to));
  PetscCall(PetscMalloc1(m * m, &x->coupling));
  for (PetscInt k = 0; k < m; k++) {
    PetscCall(StructureSet(t, x->mode + x->n * k, from));
    PetscCall(MatMult(c, from, to));
    PetscCall(StructureGet(t, to, column));
    exponential_times(x->n, m, x->mode, true, column, x->coupling + m * k);
    x->decay[k] = 0.5 * PetscMax(0, x->coupling[k + m * k]);
    most = PetscMax(most, x->coupling[k + m * k]);
    x->coupling[k + m * k] = 0;
  }
  for (PetscInt i = 0; i < m * m; i++) off = PetscMax(off, fabs(x->coupling[i]));
  if (off <= 1e-11 * most) PetscCall(PetscFree(x->coupling)); // proportional damping
  PetscCall(VecDestroy(&from));
  PetscCall(VecDestroy(&to));
  PetscCall(MatDestroy(&c));
  PetscCall(PetscFree(column));
  PetscFunctionReturn(0);
}

PetscErrorCode ExponentialModes(Stepper *p, Refusal *wrong) {
  Exponential *x = exponential_of(p);
  Structure t = {0};
  double *force;
  bool good = true;
  PetscFunctionBegin;
  PetscCall(OrderUnknowns(p, &t));
  PetscCall(PetscMalloc1(x->n, &force));
  PetscCall(ExponentialForces(p, NULL, PETSC_INFINITY, PETSC_TRUE, force));
  PetscCall(TakeRows(p, &t, p->s->equations.matrix.tangent, &t.k));
  PetscCall(TakeMass(p, &t, &t.m));
  if (p->options.modes > 0) PetscCall(ExponentialBasis(p, &t, wrong));
  else PetscCall(AllModes(x, &t, &good));
  if (!good) refuse(wrong, "run: `exponential` finds no modes: the mass matrix is not positive definite");
  if (!is_refused(wrong)) PetscCall(FindDamping(p, &t));
  PetscCall(MatDestroy(&t.k));
  PetscCall(MatDestroy(&t.m));
  PetscCall(PetscFree(t.all));
  PetscCall(PetscFree(force));
  PetscFunctionReturn(0);
}

// The lowest modes, with the Krylov-Schur method for (K + s M)^-1 M.

static PetscErrorCode SolveShifted(void *self, Vec b, Vec x) { return KSPSolve(self, b, x); }

PetscErrorCode LowestModesFind(const Structure *t, PetscInt modes, double shift, LowestModes *out) {
  KrylovSearch search = {SolveShifted, NULL, t->m, t->m, .count = (int)modes, .tolerance = 1e-12, .limit = 500};
  Mat shifted;
  PetscFunctionBegin;
  *out = (LowestModes){.shift = shift};
  PetscCall(MatDuplicate(t->k, MAT_COPY_VALUES, &shifted));
  PetscCall(MatAXPY(shifted, shift, t->m, DIFFERENT_NONZERO_PATTERN));
  PetscCall(KSPCreate(t->comm, &out->ksp));
  PetscCall(KSPSetOptionsPrefix(out->ksp, "limber_modes_"));
  PetscCall(KSPSetOperators(out->ksp, shifted, shifted));
  PetscCall(MatDestroy(&shifted));
  PetscCall(SolverUseLU(out->ksp));
  PetscCall(KSPSetFromOptions(out->ksp));
  search.self = out->ksp;
  PetscCall(MatCreateVecs(t->k, &search.start, NULL));
  PetscCall(VecSetRandom(search.start, NULL));
  PetscCall(KrylovFind(&search, &out->result));
  out->found = PetscMin((PetscInt)out->result.count, modes);
  PetscCall(VecDestroy(&search.start));
  PetscFunctionReturn(0);
}

double lowest_mode_square(const LowestModes *m, PetscInt i) { return 1 / m->result.re[i] - m->shift; }

PetscErrorCode LowestModesDestroy(LowestModes *m) {
  PetscFunctionBegin;
  PetscCall(KSPDestroy(&m->ksp));
  PetscCall(KrylovDestroy(&m->result));
  PetscFunctionReturn(0);
}
