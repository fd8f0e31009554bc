// SPDX-License-Identifier: Apache-2.0
// With exact momentum (assembly/exact_momentum.c) the velocities of a component of several nodes depend on the displacements of all
// of them, through the turn b and the motion of its mass centre. The tangent leaves this out, which keeps it sparse, and lacks
// L C R^T with three columns for b and three for the mass centre. Corrections are completed by Woodbury's formula,
//   x = x0 - Q (1 + C R^T Q)^-1 C R^T x0,   Q = T^-1 L,
// with C = 1 for the mass centre and the negative inverse of the equation for b.
// Columns of all components share their solutions: components that only contacts connect are taken as if they were apart. Without
// contacts nothing but its masses resists a translation of a free component, so that its columns need no solution.
// Equations: eq-momentum-woodbury (4.15).
#include "solvers/solvers.h"

#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"

#include <petscblaslapack.h>

enum { TURNS = 3, COLUMNS = 6, ENTRIES = COLUMNS * COLUMNS };

typedef struct { // consecutive own blocks of a component
  PetscInt component, from, to;
} Run;

struct MomentumColumns {
  int rows, solved; // 3, or 6 if a component is free; columns whose solutions are needed
  Vec left[COLUMNS], right[COLUMNS], q[COLUMNS];
  double *small;       // inverse of 1 + C R^T Q of each component, by rows
  ComponentStep *step; // of each component when the tangent was made
  PetscInt nrun;
  Run *run;
};

PetscErrorCode MomentumColumnsDestroy(MomentumColumns **columns) {
  PetscFunctionBegin;
  if (!*columns) PetscFunctionReturn(0);
  for (int k = 0; k < COLUMNS; k++) {
    PetscCall(VecDestroy(&(*columns)->left[k]));
    PetscCall(VecDestroy(&(*columns)->right[k]));
    PetscCall(VecDestroy(&(*columns)->q[k]));
  }
  PetscCall(PetscFree3((*columns)->small, (*columns)->step, (*columns)->run));
  PetscCall(PetscFree(*columns));
  PetscFunctionReturn(0);
}

// The component of a block; a joint has that of a node that moves.
static PetscInt block_component(const Layout *layout, PetscInt b) {
  PetscInt node = layout->block_node[b], joint = layout->block_joint[b], found = -1;
  if (node >= 0) found = layout->component[node];
  for (int a = 0; node < 0 && joint >= 0 && a < model_joint(layout->model, layout->joint[joint])->nnode; a++)
    found = PetscMax(found, layout->component[layout->joint_node[joint][a]]);
  return found < layout->ncomponent ? found : -1;
}

static PetscErrorCode CreateColumns(System *s, MomentumColumns **out) {
  const Layout *layout = &s->motion.layout;
  MomentumColumns *c;
  int free = 0;
  PetscFunctionBegin;
  PetscCall(PetscNew(&c));
  *out = c;
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    free |= layout->component[i] >= 0 && !layout_is_single(layout, i) && layout->free_body[i] >= 0;
  PetscCall(ReduceArray(layout->comm, &free, 1, MPI_INT, MPI_LOR));
  c->rows = free ? COLUMNS : TURNS, c->solved = s->motion.contacts ? c->rows : TURNS;
  for (int k = 0; k < c->rows; k++) PetscCall(VecDuplicate(s->linear.increment, &c->right[k]));
  for (int k = 0; k < c->solved; k++) {
    PetscCall(VecDuplicate(s->linear.increment, &c->left[k]));
    PetscCall(VecDuplicate(s->linear.increment, &c->q[k]));
  }
  PetscCall(
      PetscMalloc3(ENTRIES * layout->ncomponent, &c->small, layout->ncomponent, &c->step, layout->nblock_own, &c->run));
  for (PetscInt b = 0; b < layout->nblock_own; b++) {
    PetscInt component = block_component(layout, b);
    if (component < 0) continue;
    if (c->nrun == 0 || c->run[c->nrun - 1].component != component || c->run[c->nrun - 1].to != b)
      c->run[c->nrun++] = (Run){component, b, b};
    c->run[c->nrun - 1].to = b + 1;
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode OpenColumns(int count, Vec *columns, double **to) {
  PetscFunctionBegin;
  for (int k = 0; k < count; k++) PetscCall(VecGetArray(columns[k], &to[k]));
  PetscFunctionReturn(0);
}

static PetscErrorCode CloseColumns(int count, Vec *columns, double **from) {
  PetscFunctionBegin;
  for (int k = 0; k < count; k++) PetscCall(VecRestoreArray(columns[k], &from[k]));
  PetscFunctionReturn(0);
}

// L and R over own nodes; they are zero elsewhere.
static PetscErrorCode FillColumns(const Motion *motion, MomentumColumns *c) {
  const Layout *layout = &motion->layout;
  double *left[COLUMNS], *right[COLUMNS];
  PetscFunctionBegin;
  PetscCall(OpenColumns(c->solved, c->left, left));
  PetscCall(OpenColumns(c->rows, c->right, right));
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    PetscInt from = layout->node_block[i] * layout->bs;
    MomentumNode q;
    if (layout->component[i] < 0 || from < 0 || layout_is_single(layout, i)) continue;
    motion_momentum_columns(motion, i, &q);
    PetscInt n = node_blocks(model_node(layout->model, layout->node[i])->kind) * layout->bs;
    int count = q.free ? COLUMNS : TURNS;
    for (int k = 0; k < count; k++)
      for (PetscInt j = 0; j < n; j++) {
        right[k][from + j] = q.right[k][j];
        if (k < c->solved) left[k][from + j] = q.left[k][j];
      }
  }
  PetscCall(CloseColumns(c->solved, c->left, left));
  PetscCall(CloseColumns(c->rows, c->right, right));
  PetscFunctionReturn(0);
}

// Q by the solvers of the system, with the columns in the place of the residual.
static PetscErrorCode SolveColumns(System *s, MomentumColumns *c, PetscBool *good) {
  Vec residual = s->equations.residual, increment = s->linear.increment;
  bool done = false;
  PetscFunctionBegin;
  if (s->linear.factors[0].checked == s->equations.matrix.made) // the correction was solved with these factors
    PetscCall(SolverApplyBlockLU(s->linear.ksp, c->solved, c->left, c->q, &done));
  if (done) PetscFunctionReturn(0);
  for (int k = 0; k < c->solved && *good; k++) {
    s->equations.residual = c->left[k], s->linear.increment = c->q[k];
    PetscCall(SystemSolve(s, good));
  }
  s->equations.residual = residual, s->linear.increment = increment;
  PetscFunctionReturn(0);
}

static PetscErrorCode CountRows(const Run *run, PetscBLASInt *out) {
  return PetscBLASIntCast(3 * (run->to - run->from), out);
}

// Adds R^T times columns to out[component * stride + k * row_stride + l]. Blocks have three rows.
static PetscErrorCode AddProducts(MomentumColumns *c, int count, Vec *columns, double *out, PetscInt stride,
                                  int row_stride) {
  double *right[COLUMNS], *with[COLUMNS];
  PetscBLASInt one = 1, n;
  PetscFunctionBegin;
  PetscCall(OpenColumns(c->rows, c->right, right));
  PetscCall(OpenColumns(count, columns, with));
  for (const Run *run = c->run; run < c->run + c->nrun; run++) {
    PetscCall(CountRows(run, &n));
    for (int k = 0; k < c->rows; k++)
      for (int l = 0; l < count; l++)
        out[run->component * stride + k * row_stride + l] +=
            BLASdot_(&n, right[k] + 3 * run->from, &one, with[l] + 3 * run->from, &one);
  }
  PetscCall(CloseColumns(c->rows, c->right, right));
  PetscCall(CloseColumns(count, columns, with));
  PetscFunctionReturn(0);
}

// The first three of r, which are `stride` apart, become those of C r; the others are those of C r.
static void multiply_inner(const ComponentStep *step, double *r, int stride) {
  Vec3 turn = mat3_apply(step->inverse, vec3(r[0], r[stride], r[2 * stride]));
  r[0] = -turn.x, r[stride] = -turn.y, r[2 * stride] = -turn.z;
}

// The inverse of a small matrix in its place; of a singular one zero.
static PetscErrorCode InvertSmall(int count, double *small) {
  double a[ENTRIES], inverse[ENTRIES] = {0};
  PetscBLASInt n = (PetscBLASInt)count, pivot[COLUMNS], info;
  PetscFunctionBegin;
  for (int k = 0; k < count; k++)
    for (int l = 0; l < count; l++) a[k + count * l] = small[COLUMNS * k + l], inverse[k + count * l] = k == l;
  PetscCallBLAS("LAPACKgesv", LAPACKgesv_(&n, &n, a, &n, pivot, inverse, &n, &info));
  for (int k = 0; k < count; k++)
    for (int l = 0; l < count; l++) small[COLUMNS * k + l] = info ? 0 : inverse[k + count * l];
  PetscFunctionReturn(0);
}

PetscErrorCode SystemMakeMomentumColumns(System *s, PetscBool *good) {
  const Layout *layout = &s->motion.layout;
  PetscFunctionBegin;
  if (!s->linear.momentum) PetscCall(CreateColumns(s, &s->linear.momentum));
  MomentumColumns *c = s->linear.momentum;
  PetscCall(PetscArraycpy(c->step, s->motion.step.component, layout->ncomponent));
  PetscCall(FillColumns(&s->motion, c));
  PetscCall(SolveColumns(s, c, good));
  if (!*good) PetscFunctionReturn(0);
  PetscCall(PetscArrayzero(c->small, ENTRIES * layout->ncomponent));
  PetscCall(AddProducts(c, c->solved, c->q, c->small, ENTRIES, COLUMNS));
  PetscCall(ReduceArray(layout->comm, c->small, (PetscInt64)ENTRIES * layout->ncomponent, MPI_DOUBLE, MPI_SUM));
  for (PetscInt i = 0; i < layout->ncomponent; i++) {
    for (int k = 0; k < c->solved; k++) {
      multiply_inner(&c->step[i], c->small + ENTRIES * i + k, COLUMNS);
      c->small[ENTRIES * i + (COLUMNS + 1) * k] += 1;
    }
    PetscCall(InvertSmall(c->solved, c->small + ENTRIES * i));
  }
  PetscFunctionReturn(0);
}

static void multiply_small(int count, const double *small, double *r) {
  double out[COLUMNS] = {0};
  for (int k = 0; k < count; k++)
    for (int l = 0; l < count; l++) out[k] += small[COLUMNS * k + l] * r[l];
  for (int k = 0; k < count; k++) r[k] = out[k];
}

// Without contacts a mass centre that x0 moves by U moves by (1 - b~) U/g: what it moves less.
static void find_translation(const ComponentStep *step, double *product) {
  Vec3 moved = vec3_of(product + TURNS);
  vec3_to(vec3_sub(moved, mat3_apply(step->tilt, moved)), product + TURNS);
}

// Moves the nodes of a run by -u.
static void move_centre(const Layout *layout, const Run *run, const double *u, double *x) {
  for (PetscInt b = run->from; b < run->to; b++)
    for (int k = 0; k < 3 && layout->block_node[b] >= 0 && layout->node_block[layout->block_node[b]] == b; k++)
      x[3 * b + k] -= u[k];
}

PetscErrorCode SystemCompleteCorrection(System *s) {
  MomentumColumns *c = s->linear.momentum;
  const Layout *layout = &s->motion.layout;
  double *product, *x, *q[COLUMNS];
  PetscBLASInt one = 1, n;
  PetscFunctionBegin;
  if (!c) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(COLUMNS * layout->ncomponent, &product));
  PetscCall(AddProducts(c, 1, &s->linear.increment, product, COLUMNS, 1));
  PetscCall(ReduceArray(layout->comm, product, (PetscInt64)COLUMNS * layout->ncomponent, MPI_DOUBLE, MPI_SUM));
  for (PetscInt i = 0; i < layout->ncomponent; i++) {
    multiply_inner(&c->step[i], product + COLUMNS * i, 1);
    multiply_small(c->solved, c->small + ENTRIES * i, product + COLUMNS * i);
    if (c->solved < c->rows) find_translation(&c->step[i], product + COLUMNS * i);
  }
  PetscCall(VecGetArray(s->linear.increment, &x));
  PetscCall(OpenColumns(c->solved, c->q, q));
  for (const Run *run = c->run; run < c->run + c->nrun; run++) {
    PetscCall(CountRows(run, &n));
    for (int k = 0; k < c->solved; k++) {
      double f = -product[COLUMNS * run->component + k];
      PetscCallBLAS("BLASaxpy", BLASaxpy_(&n, &f, q[k] + 3 * run->from, &one, x + 3 * run->from, &one));
    }
    if (c->solved < c->rows) move_centre(layout, run, product + COLUMNS * run->component + TURNS, x);
  }
  PetscCall(CloseColumns(c->solved, c->q, q));
  PetscCall(VecRestoreArray(s->linear.increment, &x));
  PetscCall(PetscFree(product));
  PetscFunctionReturn(0);
}
