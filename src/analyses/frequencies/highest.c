// SPDX-License-Identifier: Apache-2.0
// Finds the highest frequency with Lanczos' method without a shift, applied to the accelerations due to elastic forces:
// for positions q of nodes and z of coordinates that joints allow, a and z' with
//   M a + B_q^T lambda = K_qq q,   B_z^T lambda = K_zz z,   B_q a + B_z z' = 0,
// a map that is symmetric in the inner product of M and whose largest eigenvalue is omega^2. What has no mass and no
// joint is in equilibrium, K a = 0 in its rows. The largest Lanczos value approaches omega^2 from below in few steps,
// however dense the other eigenvalues are.
#include "analyses/frequencies/frequencies.h"

#include "solvers/krylov.h"
#include "solvers/solvers.h"

typedef enum { ROW_NODE, ROW_LIGHT, ROW_COORDINATE, ROW_OTHER } RowKind; // light: of a node, without mass or joint

typedef struct {
  const Pencil *p;
  double *kind; // of own rows: a RowKind
  Mat s;
  KSP ksp;
  Vec work;
  bool good;
} Highest;

// ---- rows ----

static PetscErrorCode NameRows(const Pencil *p, double *kind) {
  const Layout *layout = &p->s->motion.layout;
  PetscFunctionBegin;
  for (PetscInt i = 0; i < 3 * layout->nblock_own; i++)
    kind[i] = layout->block_joint[i / 3] >= 0 ? ROW_OTHER : ROW_NODE;
  for (PetscInt j = 0; j < layout->njoint; j++) {
    const Joint *joint = &model_joint(layout->model, layout->joint[j])->joint;
    PetscInt block = layout->joint_block[j];
    for (int c = 0; c < joint->ncoord && block >= 0 && block < layout->nblock_own; c++)
      if (!joint->prescribed[c]) kind[3 * block + joint->rows.nrow + c] = ROW_COORDINATE;
  }
  PetscFunctionReturn(0);
}

// The kinds of all rows, on every rank.
static PetscErrorCode GatherKinds(const Highest *h, Vec *out) {
  Vec own;
  VecScatter all;
  double *a;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(MatCreateVecs(h->p->k, &own, NULL));
  PetscCall(VecGetLocalSize(own, &n));
  PetscCall(VecGetArray(own, &a));
  PetscCall(PetscArraycpy(a, h->kind, n));
  PetscCall(VecRestoreArray(own, &a));
  PetscCall(VecScatterCreateToAll(own, &all, out));
  PetscCall(VecScatterBegin(all, own, *out, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(all, own, *out, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterDestroy(&all));
  PetscCall(VecDestroy(&own));
  PetscFunctionReturn(0);
}

static bool of_node(double kind) { return kind == ROW_NODE || kind == ROW_LIGHT; }

// Whether a joint acts on a row of K.
static bool has_joint(PetscInt n, const PetscInt *col, const double *value, const double *kind) {
  bool any = false;
  for (PetscInt k = 0; k < n; k++) any = any || (!of_node(kind[col[k]]) && value[k] != 0);
  return any;
}

// K without the entries between nodes and those between coordinates, with M in place of the former.
static PetscErrorCode CreateMatrix(Highest *h) {
  const Pencil *p = h->p;
  PetscInt first, last, n;
  const PetscInt *col;
  const double *value, *kind, *mass;
  double row[1];
  Vec all, diagonal;
  PetscFunctionBegin;
  PetscCall(GatherKinds(h, &all));
  PetscCall(VecGetArrayRead(all, &kind));
  PetscCall(MatCreateVecs(p->m, &diagonal, NULL));
  PetscCall(MatGetDiagonal(p->m, diagonal));
  PetscCall(VecGetArrayRead(diagonal, &mass));
  PetscCall(MatDuplicate(p->k, MAT_COPY_VALUES, &h->s));
  PetscCall(MatSetOption(h->s, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  PetscCall(MatGetOwnershipRange(p->k, &first, &last));
  for (PetscInt i = first; i < last; i++) {
    PetscCall(MatGetRow(p->k, i, &n, &col, &value));
    if (kind[i] == ROW_NODE && !(mass[i - first] > 0) && !has_joint(n, col, value, kind))
      h->kind[i - first] = ROW_LIGHT;
    for (PetscInt k = 0; k < n; k++) {
      bool nodes = of_node(kind[i]) && of_node(kind[col[k]]) && h->kind[i - first] == ROW_NODE;
      bool coordinates = kind[i] == ROW_COORDINATE && kind[col[k]] == ROW_COORDINATE;
      row[0] = 0;
      if (nodes || coordinates) PetscCall(MatSetValues(h->s, 1, &i, 1, &col[k], row, INSERT_VALUES));
    }
    PetscCall(MatRestoreRow(p->k, i, &n, &col, &value));
  }
  PetscCall(MatAssemblyBegin(h->s, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(h->s, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAXPY(h->s, 1, p->m, DIFFERENT_NONZERO_PATTERN));
  PetscCall(VecRestoreArrayRead(diagonal, &mass));
  PetscCall(VecRestoreArrayRead(all, &kind));
  PetscCall(VecDestroy(&diagonal));
  PetscCall(VecDestroy(&all));
  PetscFunctionReturn(0);
}

// ---- the operator ----

// Keeps only motions of nodes and coordinates, or forces on them except on rows in equilibrium.
static PetscErrorCode Restrict(const Highest *h, bool forces, Vec x) {
  double *a;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(VecGetLocalSize(x, &n));
  PetscCall(VecGetArray(x, &a));
  for (PetscInt i = 0; i < n; i++)
    if (h->kind[i] == ROW_OTHER || (forces && h->kind[i] == ROW_LIGHT)) a[i] = 0;
  PetscCall(VecRestoreArray(x, &a));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindAccelerations(Highest *h, Vec force, Vec out) {
  KSPConvergedReason reason;
  PetscFunctionBegin;
  PetscCall(Restrict(h, true, force));
  PetscCall(KSPSolve(h->ksp, force, out));
  PetscCall(KSPGetConvergedReason(h->ksp, &reason));
  h->good = h->good && reason > 0;
  PetscCall(Restrict(h, false, out));
  PetscFunctionReturn(0);
}

// Takes the place of M^-1, applied to K x.
static PetscErrorCode ApplyInverse(void *self, Vec force, Vec out) {
  Highest *h = self;
  PetscFunctionBegin;
  PetscCall(VecCopy(force, h->work));
  PetscCall(FindAccelerations(h, h->work, out));
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateSolver(Highest *h) {
  PC pc;
  PetscFunctionBegin;
  PetscCall(KSPCreate(h->p->s->motion.layout.comm, &h->ksp));
  PetscCall(KSPSetOperators(h->ksp, h->s, h->s));
  PetscCall(KSPSetType(h->ksp, KSPPREONLY));
  PetscCall(KSPGetPC(h->ksp, &pc));
#ifdef PETSC_HAVE_MUMPS
  PetscCall(PCSetType(pc, PCLU));
  PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
#else
  PetscCall(SolverUseSuperLU(pc));
#endif
  PetscCall(MatCreateVecs(h->s, &h->work, NULL));
  PetscFunctionReturn(0);
}

// ---- Lanczos ----

static PetscErrorCode LargestValue(Highest *h, Vec start, double *square, bool *found) {
  KrylovSearch search = {ApplyInverse, h,           h->p->k,           h->p->m,    .start = start,
                         .count = 1,   .width = 30, .tolerance = 1e-3, .limit = 20};
  KrylovResult result;
  PetscFunctionBegin;
  PetscCall(KrylovFind(&search, &result));
  *found = result.count > 0;
  if (*found) *square = result.re[0];
  PetscCall(KrylovDestroy(&result));
  PetscFunctionReturn(0);
}

static PetscErrorCode Search(Highest *h, double *square, bool *found) {
  Vec start, force;
  bool any = false;
  PetscReal size;
  PetscFunctionBegin;
  PetscCall(MatCreateVecs(h->p->k, &start, &force));
  PetscCall(PencilStart(h->p, 0, start));
  PetscCall(MatMult(h->p->m, start, force));
  PetscCall(FindAccelerations(h, force, start)); // the part of the start that joints allow
  PetscCall(MatMult(h->p->k, start, h->work));
  PetscCall(FindAccelerations(h, h->work, force));
  PetscCall(VecNorm(force, NORM_2, &size));
  if (h->good && size > 0) PetscCall(LargestValue(h, start, square, &any));
  *found = h->good && any && *square > 0 && !PetscIsInfOrNanReal(*square);
  PetscCall(VecDestroy(&start));
  PetscCall(VecDestroy(&force));
  PetscFunctionReturn(0);
}

// Follower loads and states out of balance add a skew part, which is small compared with the stiffness that determines
// the highest frequency.
static PetscErrorCode TakeSymmetricPart(Pencil *p) {
  Mat other;
  PetscFunctionBegin;
  if (p->symmetric) PetscFunctionReturn(0);
  PetscCall(MatTranspose(p->k, MAT_INITIAL_MATRIX, &other));
  PetscCall(MatAXPY(p->k, 1, other, UNKNOWN_NONZERO_PATTERN));
  PetscCall(MatScale(p->k, 0.5));
  PetscCall(MatDestroy(&other));
  PetscFunctionReturn(0);
}

PetscErrorCode HighestFind(System *s, const Spin *spin, double *hz, bool *found) {
  Pencil p;
  Highest h = {.p = &p, .good = true};
  double square = 0;
  PetscFunctionBegin;
  *found = false;
  PetscCall(PencilCreate(s, spin, LIMBER_DAMPED_NO, &p));
  PetscCall(PetscMalloc1(3 * s->motion.layout.nblock_own, &h.kind));
  PetscCall(NameRows(&p, h.kind));
  PetscCall(TakeSymmetricPart(&p));
  PetscCall(CreateMatrix(&h));
  PetscCall(CreateSolver(&h));
  PetscCall(Search(&h, &square, found));
  PetscCall(KSPDestroy(&h.ksp));
  PetscCall(MatDestroy(&h.s));
  PetscCall(VecDestroy(&h.work));
  *hz = PetscSqrtReal(square) / (2 * PETSC_PI);
  PetscCall(PetscFree(h.kind));
  PetscCall(PencilDestroy(&p));
  PetscFunctionReturn(0);
}
