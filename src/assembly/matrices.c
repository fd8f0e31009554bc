// SPDX-License-Identifier: Apache-2.0
// The mass of a node is constant over its vectors x_0 = r, x_1 .. x_3 = d (node.h), so that with dx_a = J_a q,
// J_0 = (1, 0) and J_j = (0, -[x_j]), matrices of inertia are sums over the pairs of its vectors:
//   M = sum M_ab J_a^T J_b,  G = 2 sum M_ab J_a^T [Omega] J_b.
// The centrifugal part of K is that of the forces sum_b M_ab [Omega]^2 x_b on the vectors.
#include "assembly/matrices.h"
#include "assembly/evaluate.h"
#include "assembly/wheels.h"

typedef struct {
  double v[6][6];
} NodeBlock;

static int node_size(const Layout *layout, PetscInt node) {
  return 3 * node_blocks(model_node(layout->model, layout->node[node])->kind);
}

static bool has_unknowns(const Layout *layout, PetscInt node) { return layout->node_block[node] >= 0; }

// ---- inertia ----

// Momentum and angular momentum of a unit of each velocity.
static NodeBlock mass_block(const Layout *layout, const State *state, PetscInt node) {
  const Inertia *q = &layout->inertia[node];
  int size = node_size(layout, node);
  Mat3 axes = size > 3 ? node_axes(state->x + 4 * node) : mat3_identity();
  NodeBlock out = {{{0}}};
  for (int c = 0; c < size; c++) {
    double unit[6] = {0}, column[6];
    unit[c] = 1;
    Vec3 v = mat3_apply_transpose(axes, vec3_of(unit)), w = mat3_apply_transpose(axes, vec3_of(unit + 3));
    vec3_to(mat3_apply(axes, inertia_momentum(q, v, w)), column);
    vec3_to(mat3_apply(axes, inertia_angular(q, v, w)), column + 3);
    for (int r = 0; r < size; r++) out.v[r][c] = column[r];
  }
  return out;
}

// Changes of a node's vectors by a unit of one of its unknowns.
static void unit_motion(const Vec3 *x, int c, Vec3 dx[4]) {
  double unit[6] = {0};
  unit[c] = 1;
  dx[0] = vec3_of(unit);
  for (int j = 1; j < 4; j++) dx[j] = vec3_cross(vec3_of(unit + 3), x[j]);
}

// Forces on the vectors as force and moment.
static void put_column(const Vec3 *x, int size, const Vec3 f[4], int c, NodeBlock *out) {
  double column[6];
  Vec3 moment = vec3_zero();
  for (int j = 1; j < 4 && size > 3; j++) moment = vec3_add(moment, vec3_cross(x[j], f[j]));
  vec3_to(f[0], column), vec3_to(moment, column + 3);
  for (int r = 0; r < size; r++) out->v[r][c] = column[r];
}

static NodeBlock gyroscopic_block(const Layout *layout, const State *state, PetscInt node, const Spin *spin) {
  const Vec3 *x = state->x + 4 * node, omega = vec3_scale(2 * spin->rate, spin->axis);
  int size = node_size(layout, node), nvec = size > 3 ? 4 : 1;
  NodeBlock out = {{{0}}};
  for (int c = 0; c < size && layout_turns(layout, spin, node) && !layout_is_abstract(layout, node); c++) {
    Vec3 dx[4], f[4];
    unit_motion(x, c, dx);
    for (int a = 0; a < nvec; a++) {
      f[a] = vec3_zero();
      for (int b = 0; b < nvec; b++) f[a] = vec3_axpy(f[a], layout->mass[node][a][b], vec3_cross(omega, dx[b]));
    }
    put_column(x, size, f, c, &out);
  }
  return out;
}

static NodeBlock mass_damping_block(const Layout *layout, const State *state, PetscInt node) {
  const Vec3 *x = state->x + 4 * node;
  int size = node_size(layout, node), nvec = size > 3 ? 4 : 1;
  NodeBlock out = {{{0}}};
  for (int c = 0; c < size; c++) {
    Vec3 dx[4], f[4];
    unit_motion(x, c, dx);
    for (int a = 0; a < nvec; a++) {
      f[a] = vec3_zero();
      for (int b = 0; b < nvec; b++) f[a] = vec3_axpy(f[a], layout->damped_mass[node][a][b], dx[b]);
    }
    put_column(x, size, f, c, &out);
  }
  return out;
}

// What the tangent of a step leaves out of the centrifugal forces, rate^2 sum M_ab (x_a x axis)(x_b x axis)^T, and of
// the pairs of position and directors.
static NodeBlock along_axis_block(const Layout *layout, const State *state, PetscInt node, const Spin *spin) {
  const Vec3 *x = state->x + 4 * node;
  int size = node_size(layout, node), nvec = size > 3 ? 4 : 1;
  double b[4][6] = {{0}};
  NodeBlock out = {{{0}}};
  vec3_to(spin->axis, b[0]);
  for (int j = 1; j < nvec; j++) vec3_to(vec3_cross(x[j], spin->axis), b[j] + 3);
  for (int i = 0; i < nvec; i++)
    for (int j = 0; j < nvec; j++)
      for (int r = 0; r < size && (i > 0 || j > 0); r++)
        for (int c = 0; c < size; c++)
          out.v[r][c] += spin->rate * spin->rate * layout->mass[node][i][j] * b[i][r] * b[j][c];
  return out;
}

// ---- matrices ----

// Adds the block of a node to a matrix.
static PetscErrorCode AddNodeBlock(const Layout *layout, PetscInt node, const NodeBlock *block, Mat a) {
  int n = node_size(layout, node) / 3;
  PetscInt at[2];
  double value[36];
  PetscFunctionBegin;
  for (int i = 0; i < n; i++) at[i] = layout->block_global[layout->node_block[node] + i];
  for (int r = 0; r < 3 * n; r++)
    for (int c = 0; c < 3 * n; c++) value[r * 3 * n + c] = block->v[r][c];
  PetscCall(MatSetValuesBlocked(a, n, at, n, at, value, ADD_VALUES));
  PetscFunctionReturn(0);
}

static PetscErrorCode FinishMatrix(Mat a) {
  PetscFunctionBegin;
  PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

// A matrix with a block for each node.
static PetscErrorCode CreateNodeMatrix(const Layout *layout, Mat *out) {
  PetscInt n = layout->nblock_own * layout->bs;
  PetscFunctionBegin;
  PetscCall(MatCreateBAIJ(layout->comm, layout->bs, n, n, PETSC_DETERMINE, PETSC_DETERMINE, 2, NULL, 0, NULL, out));
  PetscFunctionReturn(0);
}

static PetscErrorCode CheckRule(const Layout *layout) {
  PetscFunctionBegin;
  PetscCheck(layout->rule->without_inertia, layout->comm, PETSC_ERR_ARG_WRONGSTATE,
             "matrices are those of a system without inertia in its steps");
  PetscFunctionReturn(0);
}

PetscErrorCode CreateMass(const Layout *layout, const State *state, Mat *m) {
  PetscFunctionBegin;
  PetscCall(CheckRule(layout));
  PetscCall(CreateNodeMatrix(layout, m));
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    NodeBlock block = mass_block(layout, state, i);
    if (has_unknowns(layout, i)) PetscCall(AddNodeBlock(layout, i, &block, *m));
  }
  PetscCall(FinishMatrix(*m));
  PetscFunctionReturn(0);
}

PetscErrorCode CreateGyroscopic(const Motion *motion, const Spin *spin, Mat *g) {
  PetscFunctionBegin;
  PetscCall(CheckRule(&motion->layout));
  PetscCall(CreateNodeMatrix(&motion->layout, g));
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    NodeBlock block = gyroscopic_block(&motion->layout, &motion->state, i, spin);
    if (has_unknowns(&motion->layout, i)) PetscCall(AddNodeBlock(&motion->layout, i, &block, *g));
  }
  for (PetscInt k = 0; k < motion->layout.model->wheels.count; k++) { // p theta' x n
    PetscInt i = layout_wheel_node(&motion->layout, k);
    NodeBlock block = {{{0}}};
    if (i < 0) continue;
    Mat3 n = mat3_cross(wheel_axis(model_wheel(motion->layout.model, k)->wheel, motion->state.x + 4 * i));
    for (int r = 0; r < 9; r++)
      block.v[3 + r / 3][3 + r % 3] = -motion_wheel_steady(motion, k, spin) * n.m[r / 3][r % 3];
    PetscCall(AddNodeBlock(&motion->layout, i, &block, *g));
  }
  PetscCall(FinishMatrix(*g));
  PetscFunctionReturn(0);
}

PetscErrorCode CreateMassDamping(const Layout *layout, const State *state, Mat *d) {
  PetscFunctionBegin;
  PetscCall(CheckRule(layout));
  *d = NULL;
  if (!layout->damped_mass) PetscFunctionReturn(0);
  PetscCall(CreateNodeMatrix(layout, d));
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    NodeBlock block = mass_damping_block(layout, state, i);
    if (has_unknowns(layout, i)) PetscCall(AddNodeBlock(layout, i, &block, *d));
  }
  PetscCall(FinishMatrix(*d));
  PetscFunctionReturn(0);
}

// ---- forces and their tangent at the state ----

// No increments; multipliers as the state has them.
static PetscErrorCode SetUnknowns(const Motion *motion, Equations *equations) {
  double *q;
  PetscFunctionBegin;
  PetscCall(VecZeroEntries(equations->unknown));
  PetscCall(VecGetArray(equations->unknown, &q));
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    const Joint *joint = switches_model_joint(&motion->layout, &motion->switches, motion->layout.joint[j]);
    if (motion->layout.joint_block[j] < 0 || motion->layout.joint_block[j] >= motion->layout.nblock_own) continue;
    for (int r = 0; r < joint->rows.nrow; r++)
      q[3 * motion->layout.joint_block[j] + r] = motion->state.multiplier[j][r];
  }
  PetscCall(VecRestoreArray(equations->unknown, &q));
  PetscFunctionReturn(0);
}

// In a step of no end nothing has a rate: dampers are without force.
static PetscErrorCode EvaluateAtState(Motion *motion, Equations *equations, const Spin *spin, double h,
                                      PetscBool tangent) {
  Spin before = motion->step.spin;
  PetscFunctionBegin;
  PetscCall(CheckRule(&motion->layout));
  PetscCall(MotionBeginStep(motion, 1)); // loads and drives, of which those at the start of the step are taken
  motion->step.h = h, motion->step.spin = spin ? *spin : (Spin){.rate = 0};
  for (PetscInt l = 0; l < motion->layout.model->loads.count; l++) {
    motion->step.end_amplitude[l].next = motion->step.end_amplitude[l].now;
    motion->step.amplitude[l][0] = motion->step.end_amplitude[l].now;
  }
  for (PetscInt j = 0; j < motion->layout.njoint; j++) motion->step.target[j] = motion->state.coord[j];
  PetscCall(SetUnknowns(motion, equations));
  PetscCall(EquationsEvaluate(motion, equations, tangent));
  motion->step.spin = before;
  PetscFunctionReturn(0);
}

PetscErrorCode EvaluateForces(Motion *motion, Equations *equations, const Spin *spin, Vec out) {
  PetscFunctionBegin;
  PetscCall(EvaluateAtState(motion, equations, spin, PETSC_INFINITY, PETSC_FALSE));
  PetscCall(VecCopy(equations->residual, out));
  PetscFunctionReturn(0);
}

PetscErrorCode AddSpinStiffness(const Layout *layout, const State *state, const Spin *spin, Mat k) {
  PetscFunctionBegin;
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    NodeBlock block = along_axis_block(layout, state, i, spin);
    if (has_unknowns(layout, i) && layout_turns(layout, spin, i) && !layout_is_abstract(layout, i))
      PetscCall(AddNodeBlock(layout, i, &block, k));
  }
  PetscCall(FinishMatrix(k));
  PetscFunctionReturn(0);
}

PetscErrorCode CreateStiffness(Motion *motion, Equations *equations, const Spin *spin, Mat *k) {
  PetscFunctionBegin;
  PetscCall(EvaluateAtState(motion, equations, spin, PETSC_INFINITY, PETSC_TRUE));
  PetscCall(MatDuplicate(equations->matrix.tangent, MAT_COPY_VALUES, k));
  if (spin && spin->rate != 0) PetscCall(AddSpinStiffness(&motion->layout, &motion->state, spin, *k));
  PetscFunctionReturn(0);
}

// The tangent of a step is K + C/h; in one so short, round-off is that of C. The damping of masses comes beside it.
PetscErrorCode CreateDamping(Motion *motion, Equations *equations, const Spin *spin, Mat *c) {
  Mat k;
  double h = 1e-9;
  PetscFunctionBegin;
  PetscCall(EvaluateAtState(motion, equations, spin, PETSC_INFINITY, PETSC_TRUE));
  PetscCall(MatDuplicate(equations->matrix.tangent, MAT_COPY_VALUES, &k));
  PetscCall(EvaluateAtState(motion, equations, spin, h, PETSC_TRUE));
  PetscCall(MatDuplicate(equations->matrix.tangent, MAT_COPY_VALUES, c));
  PetscCall(MatAXPY(*c, -1, k, SAME_NONZERO_PATTERN));
  PetscCall(MatScale(*c, h));
  PetscCall(MatDestroy(&k));
  for (PetscInt i = 1; i < motion->layout.nnode_own && motion->layout.damped_mass; i++) {
    NodeBlock block = mass_damping_block(&motion->layout, &motion->state, i);
    if (has_unknowns(&motion->layout, i)) PetscCall(AddNodeBlock(&motion->layout, i, &block, *c));
  }
  PetscCall(FinishMatrix(*c));
  PetscFunctionReturn(0);
}
