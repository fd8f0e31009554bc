// SPDX-License-Identifier: Apache-2.0
// Minimal coordinates: null space and pseudo-inverse of the joints' rows from a singular value decomposition, the same
// on every rank. The metric W scales rotations with the size of the model.
#include "analyses/floquet/floquet.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "model/refusal.h"

#include <petscblaslapack.h>
#include <string.h>

static const double rank_tolerance = 1e-9, difference = 1e-5;

// ---- the rows of a joint ----

static void joint_rows(const Motion *motion, PetscInt j, ProjectionRows *out) {
  const ModelJoint *m = model_joint(motion->layout.model, motion->layout.joint[j]);
  JointState q;
  state_get_joint(&motion->layout, &motion->state, j, &q);
  projection_build_rows(&m->joint, m->nnode, q.kind, q.first, q.x, &motion->state.coord[j],
                        &motion->step.target_rate[j], motion->step.h, NULL, out);
}

static bool is_frame(const Layout *layout, PetscInt node) {
  return model_node(layout->model, layout->node[node])->kind == NODE_FRAME;
}

// Coefficients of row i for the velocities of a node of the joint, in ground axes.
static void ground_row(const Layout *layout, const State *state, const ProjectionRows *g, PetscInt node, int end, int i,
                       double out[6]) {
  Mat3 r = is_frame(layout, node) ? node_axes(state->x + 4 * node) : mat3_identity();
  vec3_to(mat3_apply(r, g->v[end][i]), out);
  vec3_to(is_frame(layout, node) ? mat3_apply(r, g->w[end][i]) : vec3_zero(), out + 3);
}

// Velocity and angular velocity of a local node, in ground axes.
static void node_velocity(const Motion *motion, PetscInt node, double out[6]) {
  Vec3 x[4], v, w;
  motion_node_values(motion, node, x, &v, &w);
  vec3_to(v, out), vec3_to(w, out + 3);
}

// c - G v of all rows of own joints, scaled.
static void add_defects(const Motion *motion, const Coordinates *c, double factor, double *out) {
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    const ModelJoint *m = model_joint(motion->layout.model, motion->layout.joint[j]);
    ProjectionRows g;
    if (!motion->layout.joint_primary[j]) continue;
    joint_rows(motion, j, &g);
    for (int i = 0; i < m->joint.nprojection; i++) {
      PetscInt row = c->first[motion->layout.joint[j]] + i;
      double sum = g.rate[i];
      for (int a = 0; a < m->nnode; a++) {
        PetscInt node = motion->layout.joint_node[j][a];
        double of[6], v[6];
        if (motion->layout.node_block[node] < 0) continue;
        ground_row(&motion->layout, &motion->state, &g, node, a, i, of), node_velocity(motion, node, v);
        for (int k = 0; k < 6; k++) sum -= of[k] * v[k];
      }
      out[row] += factor * c->row_scale[row] * sum;
    }
  }
}

// G W^-1/2 with rows of unit length, rows x 6 nodes, by columns; redundant rows are zero.
static PetscErrorCode FillRows(const Motion *motion, Coordinates *c, double *a) {
  PetscInt n = 6 * c->nodes;
  PetscFunctionBegin;
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    const ModelJoint *m = model_joint(motion->layout.model, motion->layout.joint[j]);
    ProjectionRows g;
    if (!motion->layout.joint_primary[j]) continue;
    joint_rows(motion, j, &g);
    for (int i = 0; i < m->joint.nprojection; i++) {
      PetscInt row = c->first[motion->layout.joint[j]] + i;
      if (motion->row_off[j][m->joint.projection_row[i]]) continue;
      for (int e = 0; e < m->nnode; e++) {
        PetscInt node = motion->layout.joint_node[j][e];
        double of[6];
        if (motion->layout.node_block[node] < 0) continue;
        ground_row(&motion->layout, &motion->state, &g, node, e, i, of);
        for (int k = 0; k < 6; k++)
          a[(6 * motion->layout.node[node] + k) * c->rows + row] += k < 3 ? of[k] : of[k] / c->length;
      }
    }
  }
  PetscCall(ReduceArray(motion->layout.comm, a, (PetscInt64)c->rows * n, MPI_DOUBLE, MPI_SUM));
  for (PetscInt r = 0; r < c->rows; r++) {
    double sum = 0;
    for (PetscInt k = 0; k < n; k++) sum += a[k * c->rows + r] * a[k * c->rows + r];
    c->row_scale[r] = sum > 0 ? 1 / PetscSqrtReal(sum) : 0;
    for (PetscInt k = 0; k < n; k++) a[k * c->rows + r] *= c->row_scale[r];
  }
  PetscFunctionReturn(0);
}

// ---- null space ----

// Whether a node has this column: a point has no rotation, a fixed node has no column.
static bool has_column(Model m, PetscInt column) {
  NodeKind kind = model_node(m, column / 6)->kind;
  return kind == NODE_FRAME || (kind == NODE_POINT && column % 6 < 3);
}

static PetscErrorCode Decompose(Model m, Coordinates *c, const double *a) {
  PetscInt n = 6 * c->nodes, used = 0, *column;
  double *part, *value, *u, *vt, *work, query;
  PetscBLASInt rows, cols, info, size = -1, least, full;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(n, &column));
  for (PetscInt k = 0; k < n; k++)
    if (has_column(m, k)) column[used++] = k;
  PetscCall(PetscBLASIntCast(c->rows, &rows));
  PetscCall(PetscBLASIntCast(used, &cols));
  least = rows < cols ? rows : cols, full = cols;
  PetscCall(PetscCalloc4(c->rows * used, &part, PetscMax(least, 1), &value, c->rows * PetscMax(least, 1), &u,
                         used * used, &vt));
  for (PetscInt k = 0; k < used; k++)
    for (PetscInt r = 0; r < c->rows; r++) part[k * c->rows + r] = a[column[k] * c->rows + r];
  if (rows > 0) {
    PetscCallBLAS("LAPACKgesvd",
                  LAPACKgesvd_("S", "A", &rows, &cols, part, &rows, value, u, &rows, vt, &full, &query, &size, &info));
    size = (PetscBLASInt)query;
    PetscCall(PetscMalloc1(size, &work));
    PetscCallBLAS("LAPACKgesvd",
                  LAPACKgesvd_("S", "A", &rows, &cols, part, &rows, value, u, &rows, vt, &full, work, &size, &info));
    PetscCheck(!info, PETSC_COMM_SELF, PETSC_ERR_LIB, "singular values of the joints' rows: LAPACK says %d", (int)info);
    PetscCall(PetscFree(work));
  } else
    for (PetscInt k = 0; k < used; k++) vt[k * used + k] = 1;
  PetscInt rank = 0;
  while (rank < least && value[rank] > rank_tolerance * value[0]) rank++;
  c->count = used - rank;
  PetscCall(PetscCalloc2(n * c->count, &c->basis, n * c->rows, &c->inverse));
  for (PetscInt i = 0; i < c->count; i++)
    for (PetscInt k = 0; k < used; k++) c->basis[i * n + column[k]] = vt[k * used + rank + i];
  for (PetscInt r = 0; r < c->rows; r++)
    for (PetscInt k = 0; k < used; k++)
      for (PetscInt i = 0; i < rank; i++)
        c->inverse[r * n + column[k]] += vt[k * used + i] / value[i] * u[i * c->rows + r];
  PetscCall(PetscFree4(part, value, u, vt));
  PetscCall(PetscFree(column));
  PetscFunctionReturn(0);
}

PetscErrorCode CoordinatesCreate(const Motion *motion, Coordinates *c) {
  Model m = motion->layout.model;
  double *a;
  PetscFunctionBegin;
  *c = (Coordinates){.nodes = m->nodes.count, .length = motion->layout.length > 0 ? motion->layout.length : 1};
  PetscCall(PetscMalloc1(m->joints.count + 1, &c->first));
  c->first[0] = 0;
  for (int j = 0; j < m->joints.count; j++) c->first[j + 1] = c->first[j] + model_joint(m, j)->joint.nprojection;
  c->rows = c->first[m->joints.count];
  PetscCall(PetscMalloc1(c->rows, &c->row_scale));
  PetscCall(PetscCalloc1(c->rows * 6 * c->nodes, &a));
  PetscCall(FillRows(motion, c, a));
  PetscCall(Decompose(m, c, a));
  PetscCall(PetscFree(a));
  PetscFunctionReturn(0);
}

PetscErrorCode CoordinatesDestroy(Coordinates *c) {
  PetscFunctionBegin;
  PetscCall(PetscFree(c->first));
  PetscCall(PetscFree(c->row_scale));
  PetscCall(PetscFree2(c->basis, c->inverse));
  PetscFunctionReturn(0);
}

// ---- from coordinates to a disturbance ----

// Changes of a joint's coordinates that keep its equations satisfied when its nodes move: G dx + Gz dz = 0 in the
// least-squares sense.
static void joint_coordinates(const Layout *layout, const State *state, PetscInt j, const Disturbance *d, Coords *dz) {
  const ModelJoint *m = model_joint(layout->model, layout->joint[j]);
  const Joint *joint = &m->joint;
  double g[2][MAX_ROWS], rate[MAX_COORDS][MAX_ROWS], a[MAX_COORDS][MAX_COORDS + 1] = {{0}};
  int of[MAX_COORDS], n = 0;
  *dz = (Coords){{0}};
  for (int i = 0; i < 2; i++) {
    JointState q;
    state_get_joint(layout, state, j, &q);
    for (int e = 0; e < m->nnode; e++)
      for (int v = 0; v < node_vectors(q.kind[e]); v++) {
        Vec3 *x = &q.x[q.first[e] + v];
        *x = vec3_axpy(*x, i ? -difference : difference, d->x[4 * layout->joint_node[j][e] + v]);
      }
    rows_value(&joint->rows, q.x, &state->coord[j], g[i]);
  }
  JointState q;
  state_get_joint(layout, state, j, &q);
  for (int c = 0; c < joint->ncoord; c++)
    if (!joint->prescribed[c]) of[n] = c, rows_rate(&joint->rows, q.x, &state->coord[j], c, rate[n++]);
  for (int r = 0; r < joint->rows.nrow; r++)
    for (int b = 0; b < n; b++) {
      a[b][n] -= rate[b][r] * (g[0][r] - g[1][r]) / (2 * difference);
      for (int k = 0; k < n; k++) a[b][k] += rate[b][r] * rate[k][r];
    }
  for (int p = 0; p < n; p++) // positive definite: no pivots are needed
    for (int b = 0; b < n; b++) {
      double f = b == p || a[p][p] == 0 ? 0 : a[b][p] / a[p][p];
      for (int k = p; k <= n; k++) a[b][k] -= f * a[p][k];
    }
  for (int b = 0; b < n; b++) dz->z[of[b]] = a[b][b] > 0 ? a[b][n] / a[b][b] : 0;
}

// Applies displacements and rotations `q`, 6 per node; velocities in ground axes do not change.
static void spread_positions(const Motion *motion, const double *q, Disturbance *out) {
  disturbance_zero(&motion->layout, out);
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    const double *at = q + 6 * motion->layout.node[i];
    double v[6];
    if (motion->layout.node_block[i] < 0) continue;
    out->x[4 * i] = vec3_of(at);
    if (!is_frame(&motion->layout, i)) continue;
    node_velocity(motion, i, v);
    for (int j = 1; j < 4; j++) {
      out->x[4 * i + j] = vec3_cross(vec3_of(at + 3), motion->state.x[4 * i + j]);
      if (!layout_is_material(&motion->layout, i)) out->v[4 * i + j] = vec3_cross(vec3_of(v + 3), out->x[4 * i + j]);
    }
    for (int k = 0; k < 2 && layout_is_material(&motion->layout, i); k++) // R^T v of a constant v
      out->v[4 * i + k] =
          mat3_apply_transpose(node_axes(motion->state.x + 4 * i), vec3_cross(vec3_of(v + 3 * k), vec3_of(at + 3)));
  }
  for (PetscInt j = 0; j < motion->layout.njoint; j++)
    joint_coordinates(&motion->layout, &motion->state, j, out, &out->z[j]);
}

static void spread_velocities(const Layout *layout, const State *state, const double *q, Disturbance *out) {
  for (PetscInt i = 1; i < layout->nnode; i++) {
    const double *at = q + 6 * layout->node[i];
    if (layout->node_block[i] < 0) continue;
    if (layout_is_material(layout, i)) {
      for (int k = 0; k < 2; k++)
        out->v[4 * i + k] =
            vec3_add(out->v[4 * i + k], mat3_apply_transpose(node_axes(state->x + 4 * i), vec3_of(at + 3 * k)));
      continue;
    }
    out->v[4 * i] = vec3_add(out->v[4 * i], vec3_of(at));
    for (int j = 1; j < 4 && is_frame(layout, i); j++)
      out->v[4 * i + j] = vec3_add(out->v[4 * i + j], vec3_cross(vec3_of(at + 3), state->x[4 * i + j]));
  }
}

// Adds G^+ d(c - G v) along the disturbance of the positions.
static PetscErrorCode AddVelocityOfPositions(Motion *motion, const Coordinates *c, Disturbance *d) {
  Disturbance base;
  double *defect, *q, size = 0;
  PetscInt n = 6 * c->nodes;
  PetscFunctionBegin;
  PetscCall(DisturbanceCreate(&motion->layout, &base));
  PetscCall(PetscCalloc2(c->rows, &defect, n, &q));
  disturbance_of_state(&motion->layout, &motion->state, &base);
  for (PetscInt i = 4; i < 4 * motion->layout.nnode; i++)
    size = PetscMax(size, vec3_norm(d->x[i]) / (i % 4 ? 1 : c->length));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_DOUBLE, MPI_MAX, motion->layout.comm));
  double e = difference / (size > 0 ? size : 1);
  for (int i = 0; i < 2; i++) {
    disturb(&motion->layout, &motion->state, &base, i ? -e : e, d);
    add_defects(motion, c, (i ? -0.5 : 0.5) / e, defect);
  }
  disturb(&motion->layout, &motion->state, &base, 0, d);
  PetscCall(ReduceArray(motion->layout.comm, defect, c->rows, MPI_DOUBLE, MPI_SUM));
  for (PetscInt r = 0; r < c->rows; r++)
    for (PetscInt k = 0; k < n; k++) q[k] += c->inverse[r * n + k] * defect[r] / (k % 6 < 3 ? 1 : c->length);
  spread_velocities(&motion->layout, &motion->state, q, d);
  PetscCall(PetscFree2(defect, q));
  PetscCall(DisturbanceDestroy(&base));
  PetscFunctionReturn(0);
}

void coordinates_displacement(const Coordinates *c, const double *yq, double *out) {
  PetscInt n = 6 * c->nodes;
  for (PetscInt k = 0; k < n; k++) out[k] = 0;
  for (PetscInt i = 0; i < c->count; i++)
    for (PetscInt k = 0; k < n; k++) out[k] += yq[i] * c->basis[i * n + k] / (k % 6 < 3 ? 1 : c->length);
}

PetscErrorCode CoordinatesSpread(Motion *motion, const Coordinates *c, const double *y, Disturbance *out) {
  double *q;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(6 * c->nodes, &q));
  coordinates_displacement(c, y, q);
  spread_positions(motion, q, out);
  PetscCall(AddVelocityOfPositions(motion, c, out));
  coordinates_displacement(c, y + c->count, q);
  spread_velocities(&motion->layout, &motion->state, q, out);
  PetscCall(PetscFree(q));
  PetscFunctionReturn(0);
}

// ---- and back ----

PetscErrorCode CoordinatesRead(const Layout *layout, const State *state, const Coordinates *c, const Disturbance *d,
                               double *y) {
  PetscInt n = 6 * c->nodes;
  double *q;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(2 * n, &q));
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    const Vec3 *x = state->x + 4 * i, *v = state->v + 4 * i, *dx = d->x + 4 * i, *dv = d->v + 4 * i;
    double *at = q + 6 * layout->node[i];
    Vec3 turn = vec3_zero(), spin = vec3_zero();
    if (layout->node_block[i] < 0) continue;
    for (int j = 1; j < 4 && is_frame(layout, i); j++) {
      turn = vec3_axpy(turn, 0.5, vec3_cross(x[j], dx[j]));
      spin = vec3_axpy(spin, 0.5, vec3_add(vec3_cross(dx[j], v[j]), vec3_cross(x[j], dv[j])));
    }
    vec3_to(dx[0], at), vec3_to(turn, at + 3), vec3_to(dv[0], at + n), vec3_to(spin, at + n + 3);
    for (int k = 0; k < 2 && layout_is_material(layout, i); k++) {
      Mat3 r = node_axes(x);
      vec3_to(vec3_add(mat3_apply(r, dv[k]), vec3_cross(turn, mat3_apply(r, v[k]))), at + n + 3 * k);
    }
  }
  PetscCall(ReduceArray(layout->comm, q, 2 * n, MPI_DOUBLE, MPI_SUM));
  for (PetscInt i = 0; i < 2 * c->count; i++) {
    const double *basis = c->basis + i % c->count * n, *of = q + (i < c->count ? 0 : n);
    y[i] = 0;
    for (PetscInt k = 0; k < n; k++) y[i] += basis[k] * of[k] * (k % 6 < 3 ? 1 : c->length);
  }
  PetscCall(PetscFree(q));
  PetscFunctionReturn(0);
}

PetscErrorCode DisturbanceCreate(const Layout *layout, Disturbance *d) {
  PetscFunctionBegin;
  PetscCall(PetscCalloc3(4 * layout->nnode, &d->x, 4 * layout->nnode, &d->v, layout->njoint, &d->z));
  PetscFunctionReturn(0);
}

PetscErrorCode DisturbanceDestroy(Disturbance *d) {
  PetscFunctionBegin;
  PetscCall(PetscFree3(d->x, d->v, d->z));
  PetscFunctionReturn(0);
}

void disturbance_add(const Layout *layout, Disturbance *to, double factor, const Disturbance *d) {
  for (PetscInt i = 0; i < 4 * layout->nnode; i++)
    to->x[i] = vec3_axpy(to->x[i], factor, d->x[i]), to->v[i] = vec3_axpy(to->v[i], factor, d->v[i]);
  for (PetscInt j = 0; j < layout->njoint; j++)
    for (int c = 0; c < MAX_COORDS; c++) to->z[j].z[c] += factor * d->z[j].z[c];
}

void disturbance_zero(const Layout *layout, Disturbance *d) {
  for (PetscInt i = 0; i < 4 * layout->nnode; i++) d->x[i] = d->v[i] = vec3_zero();
  for (PetscInt j = 0; j < layout->njoint; j++) d->z[j] = (Coords){{0}};
}

void disturbance_copy(const Layout *layout, const Disturbance *from, Disturbance *to) {
  for (PetscInt i = 0; i < 4 * layout->nnode; i++) to->x[i] = from->x[i], to->v[i] = from->v[i];
  for (PetscInt j = 0; j < layout->njoint; j++) to->z[j] = from->z[j];
}

void disturbance_of_state(const Layout *layout, const State *state, Disturbance *out) {
  for (PetscInt i = 0; i < 4 * layout->nnode; i++) out->x[i] = state->x[i], out->v[i] = state->v[i];
  for (PetscInt j = 0; j < layout->njoint; j++) out->z[j] = state->coord[j];
}

void disturb(const Layout *layout, State *state, const Disturbance *base, double e, const Disturbance *d) {
  for (PetscInt i = 0; i < 4 * layout->nnode; i++) {
    state->x[i] = vec3_axpy(base->x[i], e, d->x[i]);
    state->v[i] = vec3_axpy(base->v[i], e, d->v[i]);
  }
  for (PetscInt j = 0; j < layout->njoint; j++)
    for (int c = 0; c < MAX_COORDS; c++) state->coord[j].z[c] = base->z[j].z[c] + e * d->z[j].z[c];
}

// Every direction that joints allow must have mass: the smallest eigenvalue of N^T M N is positive.

// The mass matrix of every node (6 x 6) for (v, w) in ground axes; rotations are scaled with the size of the model.
static PetscErrorCode FillMass(const Layout *layout, const State *state, const Coordinates *c, double *mass) {
  PetscFunctionBegin;
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    bool frame = model_node(layout->model, layout->node[i])->kind == NODE_FRAME;
    Mat3 r = frame ? node_axes(state->x + 4 * i) : mat3_identity();
    if (layout->node_block[i] < 0) continue;
    for (int k = 0; k < (frame ? 6 : 3); k++) {
      double unit[6] = {0}, *out = mass + 36 * layout->node[i] + 6 * k;
      unit[k] = k < 3 ? 1 : 1 / c->length;
      Vec3 v = mat3_apply_transpose(r, vec3_of(unit)), w = mat3_apply_transpose(r, vec3_of(unit + 3));
      vec3_to(mat3_apply(r, inertia_momentum(&layout->inertia[i], v, w)), out);
      vec3_to(vec3_scale(1 / c->length, mat3_apply(r, inertia_angular(&layout->inertia[i], v, w))), out + 3);
    }
  }
  PetscCall(ReduceArray(layout->comm, mass, (PetscInt64)36 * c->nodes, MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}

static double product(const Coordinates *c, const double *mass, PetscInt i, PetscInt j) {
  const double *a = c->basis + i * 6 * c->nodes, *b = c->basis + j * 6 * c->nodes;
  double sum = 0;
  for (PetscInt n = 0; n < c->nodes; n++)
    for (int k = 0; k < 36; k++) sum += a[6 * n + k / 6] * mass[36 * n + k] * b[6 * n + k % 6];
  return sum;
}

PetscErrorCode CheckMass(const Layout *layout, const State *state, const Coordinates *c, Refusal *wrong) {
  PetscBLASInt n = (PetscBLASInt)c->count, room = -1, info;
  double *mass, *reduced, *value, *work, *q, query, most = 0;
  PetscInt at = 0;
  char name[256];
  PetscFunctionBegin;
  PetscCall(PetscCalloc4(36 * c->nodes, &mass, n * n, &reduced, n, &value, 6 * c->nodes, &q));
  PetscCall(FillMass(layout, state, c, mass));
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) reduced[i * n + j] = reduced[j * n + i] = product(c, mass, i, j);
  PetscCallBLAS("LAPACKsyev", LAPACKsyev_("V", "U", &n, reduced, &n, value, &query, &room, &info));
  room = (PetscBLASInt)query;
  PetscCall(PetscMalloc1(room, &work));
  PetscCallBLAS("LAPACKsyev", LAPACKsyev_("V", "U", &n, reduced, &n, value, work, &room, &info));
  PetscCall(PetscFree(work));
  if (!(value[0] > 1e-14 * value[n - 1])) {
    coordinates_displacement(c, reduced, q);
    for (PetscInt k = 0; k < 6 * c->nodes; k++)
      if (fabs(q[k]) > most) most = fabs(q[k]), at = k;
    model_name_node(layout->model, at / 6, name, sizeof name);
    if (model_node(layout->model, at / 6)->states)
      refuse(wrong,
             "floquet: %s is a state of the air, which has no mass: multipliers need mass everywhere. Give the strip "
             "`unsteady: none`",
             name);
    else
      refuse(wrong,
             "floquet: %s has no %s in a direction in which it may %s: multipliers need mass everywhere. "
             "Give its section or body one, however small",
             name, at % 6 < 3 ? "mass" : "moment of inertia", at % 6 < 3 ? "move" : "turn");
  }
  PetscCall(PetscFree4(mass, reduced, value, q));
  PetscFunctionReturn(0);
}
