// SPDX-License-Identifier: Apache-2.0
// With exact momentum (assembly/corotation.c) the velocities of a component depend on the way of all its nodes, by the motion of
// its mass centre and by the turn b. The tangent leaves that out, which keeps it sparse, and lacks
//   sigma P G^-1 P^T,   P = M Z,   G = Z^T M Z,   sigma = 4 delta/(h^2 (1 + 2 delta)),
// the columns of Z being translations of the component, where it is free, and turns of its velocities. Corrections are
// completed by Woodbury's formula, x = x0 - Q (G/sigma + P^T Q)^-1 P^T x0 with Q = T^-1 P. Columns of all components share
// six solutions: those that only contacts connect are taken as if they were apart.
#include "solvers/solvers.h"

#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"

#include <petscblaslapack.h>

enum { COLUMNS = 6 };

struct MomentumColumns {
  Vec p[COLUMNS], q[COLUMNS];
  double *small; // of each component, G/sigma + P^T Q, row by row
  int first;     // 3 where no component is free
};

PetscErrorCode MomentumColumnsDestroy(MomentumColumns **columns) {
  PetscFunctionBegin;
  if (!*columns) PetscFunctionReturn(0);
  for (int k = 0; k < COLUMNS; k++) {
    PetscCall(VecDestroy(&(*columns)->p[k]));
    PetscCall(VecDestroy(&(*columns)->q[k]));
  }
  PetscCall(PetscFree((*columns)->small));
  PetscCall(PetscFree(*columns));
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateColumns(System *s, MomentumColumns **out) {
  MomentumColumns *c;
  bool free = false;
  PetscFunctionBegin;
  PetscCall(PetscNew(&c));
  *out = c;
  for (PetscInt i = 0; i < s->motion.layout.ncomponent; i++) free = free || !s->motion.layout.component_tied[i];
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &free, 1, MPI_C_BOOL, MPI_LOR, s->motion.layout.comm));
  c->first = free ? 0 : 3;
  for (int k = c->first; k < COLUMNS; k++) {
    PetscCall(VecDuplicate(s->linear.increment, &c->p[k]));
    PetscCall(VecDuplicate(s->linear.increment, &c->q[k]));
  }
  PetscCall(PetscMalloc1(COLUMNS * COLUMNS * s->motion.layout.ncomponent, &c->small));
  PetscFunctionReturn(0);
}

// P, and G/sigma over own nodes.
static PetscErrorCode FillColumns(System *s, MomentumColumns *c) {
  const Motion *motion = &s->motion;
  const Layout *layout = &motion->layout;
  double *p[COLUMNS] = {NULL}, h = motion->step.h, delta = motion->step.recall.delta;
  double by_sigma = h * h * (1 + 2 * delta) / (4 * delta);
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(c->small, COLUMNS * COLUMNS * layout->ncomponent));
  for (int k = c->first; k < COLUMNS; k++) {
    PetscCall(VecZeroEntries(c->p[k]));
    PetscCall(VecGetArray(c->p[k], &p[k]));
  }
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    PetscInt component = layout->component[i], blocks[2] = {layout->node_block[i], layout->node_block[i] + 1};
    NodeKind kind = model_node(layout->model, layout->node[i])->kind;
    Vec3 v[4], z[COLUMNS][4], f[COLUMNS][4];
    if (component < 0 || blocks[0] < 0) continue;
    int nvec = node_vectors(kind);
    motion_middle_velocity(motion, i, v);
    double *small = c->small + COLUMNS * COLUMNS * component;
    for (int k = c->first; k < COLUMNS; k++) {
      Vec3 e = vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
      for (int a = 0; a < nvec; a++) z[k][a] = k >= 3 ? vec3_cross(e, v[a]) : a == 0 ? e : vec3_zero();
      if (k < 3 && layout->component_tied[component])
        for (int a = 0; a < nvec; a++) z[k][a] = vec3_zero();
      for (int a = 0; a < nvec; a++) {
        f[k][a] = vec3_zero();
        for (int b = 0; b < nvec; b++) f[k][a] = vec3_axpy(f[k][a], layout->mass[i][a][b], z[k][b]);
      }
      local_begin(s->equations.scratch, 1, node_blocks(kind), false);
      node_add_force(s->equations.scratch, kind, 0, motion->step.motion + i, 0, f[k]);
      PetscCall(EquationsAddLocal(layout, &s->equations, node_blocks(kind), blocks, p[k], PETSC_FALSE));
      for (int l = c->first; l <= k; l++)
        for (int a = 0; a < nvec; a++) small[COLUMNS * k + l] += by_sigma * vec3_dot(z[l][a], f[k][a]);
    }
  }
  for (int k = c->first; k < COLUMNS; k++) PetscCall(VecRestoreArray(c->p[k], &p[k]));
  PetscFunctionReturn(0);
}

// Adds to sum[component * stride] the product of two vectors over the component's own nodes.
static PetscErrorCode AddProducts(const Layout *layout, Vec a, Vec b, double *sum, PetscInt stride) {
  const double *p, *q;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(a, &p));
  PetscCall(VecGetArrayRead(b, &q));
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    PetscInt from = layout->node_block[i] * layout->bs, component = layout->component[i];
    if (component < 0 || from < 0) continue;
    int n = node_blocks(model_node(layout->model, layout->node[i])->kind) * (int)layout->bs;
    for (int j = 0; j < n; j++) sum[component * stride] += p[from + j] * q[from + j];
  }
  PetscCall(VecRestoreArrayRead(a, &p));
  PetscCall(VecRestoreArrayRead(b, &q));
  PetscFunctionReturn(0);
}

// Q = T^-1 P by the solvers of the system, in whose place of the residual the columns stand.
static PetscErrorCode SolveColumns(System *s, MomentumColumns *c, PetscBool *good) {
  Vec residual = s->equations.residual, increment = s->linear.increment;
  PetscFunctionBegin;
  for (int k = c->first; k < COLUMNS && *good; k++) {
    s->equations.residual = c->p[k], s->linear.increment = c->q[k];
    PetscCall(SystemSolve(s, good));
  }
  s->equations.residual = residual, s->linear.increment = increment;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemMakeMomentumColumns(System *s, PetscBool *good) {
  const PetscInt stride = COLUMNS * COLUMNS;
  PetscFunctionBegin;
  if (!s->linear.momentum) PetscCall(CreateColumns(s, &s->linear.momentum));
  MomentumColumns *c = s->linear.momentum;
  PetscCall(FillColumns(s, c));
  PetscCall(SolveColumns(s, c, good));
  if (!*good) PetscFunctionReturn(0);
  for (PetscInt i = 0; i < s->motion.layout.ncomponent; i++)
    for (int k = 0; k < COLUMNS; k++)
      for (int l = 0; l < k; l++) c->small[stride * i + COLUMNS * l + k] = c->small[stride * i + COLUMNS * k + l];
  for (int k = c->first; k < COLUMNS; k++)
    for (int l = c->first; l < COLUMNS; l++)
      PetscCall(AddProducts(&s->motion.layout, c->p[k], c->q[l], c->small + COLUMNS * k + l, stride));
  PetscCall(ReduceArray(s->motion.layout.comm, c->small, (PetscInt64)stride * s->motion.layout.ncomponent, MPI_DOUBLE,
                        MPI_SUM));
  PetscFunctionReturn(0);
}

// (small)^-1 r in place; zero rows have no part.
static PetscErrorCode SolveSmall(const double *small, double *r) {
  double a[COLUMNS * COLUMNS], trace = 0;
  PetscBLASInt n = COLUMNS, one = 1, pivot[COLUMNS], info;
  PetscFunctionBegin;
  for (int k = 0; k < COLUMNS; k++) trace = PetscMax(trace, PetscAbsReal(small[COLUMNS * k + k]));
  for (int k = 0; k < COLUMNS; k++)
    for (int l = 0; l < COLUMNS; l++) a[k + COLUMNS * l] = small[COLUMNS * k + l];
  for (int k = 0; k < COLUMNS; k++)
    if (PetscAbsReal(small[COLUMNS * k + k]) <= 1e-12 * trace) a[k + COLUMNS * k] += trace > 0 ? trace : 1;
  PetscCallBLAS("LAPACKgesv", LAPACKgesv_(&n, &one, a, &n, pivot, r, &n, &info));
  if (info)
    for (int k = 0; k < COLUMNS; k++) r[k] = 0;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCompleteCorrection(System *s) {
  const MomentumColumns *c = s->linear.momentum;
  const Layout *layout = &s->motion.layout;
  const double *q[COLUMNS] = {NULL};
  double *product, *x;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(COLUMNS * layout->ncomponent, &product));
  for (int k = c->first; k < COLUMNS; k++)
    PetscCall(AddProducts(layout, c->p[k], s->linear.increment, product + k, COLUMNS));
  PetscCall(ReduceArray(layout->comm, product, (PetscInt64)COLUMNS * layout->ncomponent, MPI_DOUBLE, MPI_SUM));
  for (PetscInt i = 0; i < layout->ncomponent; i++)
    PetscCall(SolveSmall(c->small + COLUMNS * COLUMNS * i, product + COLUMNS * i));
  PetscCall(VecGetArray(s->linear.increment, &x));
  for (int k = c->first; k < COLUMNS; k++) PetscCall(VecGetArrayRead(c->q[k], &q[k]));
  for (PetscInt b = 0; b < layout->nblock_own; b++) {
    PetscInt node = layout->block_node[b];
    if (node < 0 && layout->block_joint[b] >= 0) // a joint has the component of a node that moves
      for (int a = 0; a < model_joint(layout->model, layout->joint[layout->block_joint[b]])->nnode; a++)
        if (layout->component[layout->joint_node[layout->block_joint[b]][a]] >= 0)
          node = layout->joint_node[layout->block_joint[b]][a];
    if (node < 0 || layout->component[node] < 0) continue;
    const double *f = product + COLUMNS * layout->component[node];
    for (PetscInt i = b * layout->bs; i < (b + 1) * layout->bs; i++)
      for (int k = c->first; k < COLUMNS; k++) x[i] -= f[k] * q[k][i];
  }
  for (int k = c->first; k < COLUMNS; k++) PetscCall(VecRestoreArrayRead(c->q[k], &q[k]));
  PetscCall(VecRestoreArray(s->linear.increment, &x));
  PetscCall(PetscFree(product));
  PetscFunctionReturn(0);
}
