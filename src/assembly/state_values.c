// SPDX-License-Identifier: Apache-2.0
// The state as it is reported.
#include "assembly/state_values.h"
#include "assembly/ranks.h"

PetscErrorCode EquationsRefresh(const Layout *layout, Equations *equations) {
  PetscFunctionBegin;
  if (layout->size == 1) PetscFunctionReturn(0); // there are no ghosts
  PetscCall(VecGhostUpdateBegin(equations->unknown, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGhostUpdateEnd(equations->unknown, INSERT_VALUES, SCATTER_FORWARD));
  PetscFunctionReturn(0);
}

PetscErrorCode EquationsOpenUnknowns(const Layout *layout, const Equations *equations, Vec *local, const double **q) {
  PetscFunctionBegin;
  *local = equations->unknown;
  if (layout->size > 1) PetscCall(VecGhostGetLocalForm(equations->unknown, local));
  PetscCall(VecGetArrayRead(*local, q));
  PetscFunctionReturn(0);
}

PetscErrorCode EquationsCloseUnknowns(const Layout *layout, const Equations *equations, Vec *local, const double **q) {
  PetscFunctionBegin;
  PetscCall(VecRestoreArrayRead(*local, q));
  if (layout->size > 1) PetscCall(VecGhostRestoreLocalForm(equations->unknown, local));
  PetscFunctionReturn(0);
}

void motion_node_values(const Motion *motion, PetscInt node, Vec3 x[4], Vec3 *velocity, Vec3 *angular) {
  NodeState n = step_node_state(&motion->state, &motion->step, node);
  NodeKind kind = model_node(motion->layout.model, motion->layout.node[node])->kind;
  for (int j = 0; j < 4; j++) x[j] = j < node_vectors(kind) ? n.x[j] : vec3_zero();
  *velocity = n.v[0], *angular = vec3_zero();
  if (layout_is_material(&motion->layout, node)) {
    Mat3 r = node_axes(x);
    *velocity = mat3_apply(r, n.v[0]), *angular = mat3_apply(r, n.v[1]);
  } else if (kind == NODE_FRAME) // omega = 1/2 sum d_j x d_j'
    for (int j = 1; j < 4; j++) *angular = vec3_axpy(*angular, 0.5, vec3_cross(x[j], n.v[j]));
}

void state_node_momentum(const Layout *layout, const State *state, PetscInt node, Vec3 *momentum, Vec3 *angular) {
  const Vec3 *x = state->x + 4 * node, *v = state->v + 4 * node;
  *momentum = *angular = vec3_zero();
  if (layout_is_material(layout, node)) {
    Mat3 axes = node_axes(x);
    *momentum = mat3_apply(axes, inertia_momentum(&layout->inertia[node], v[0], v[1]));
    *angular = mat3_apply(axes, inertia_angular(&layout->inertia[node], v[0], v[1]));
    *angular = vec3_add(*angular, vec3_cross(x[0], *momentum));
    return;
  }
  int nvec = node_vectors(model_node(layout->model, layout->node[node])->kind);
  for (int b = 0; b < nvec; b++) { // sum_ab M_ab x_a x v_b
    const double(*mass)[4] = (const double(*)[4])layout->mass[node];
    *momentum = vec3_axpy(*momentum, mass[0][b], v[b]);
    for (int a = 0; a < nvec; a++)
      if (mass[a][b] != 0) *angular = vec3_axpy(*angular, mass[a][b], vec3_cross(x[a], v[b]));
  }
}

// Equations: eq-start-tangent (6.4).
Vec3 motion_reported_rate(const Motion *motion, Vec3 angular) {
  double x = 0.5 * (motion->state.stepped ? motion->state.last_h : motion->step.usual) * vec3_norm(angular);
  return motion->layout.rule->tangent_rates && x > 0 ? vec3_scale(atan(x) / x, angular) : angular;
}

int state_element_vectors(const Layout *layout, const State *state, PetscInt e, Vec3 *x) {
  int n = 0;
  for (PetscInt a = layout->element_node_start[e]; a < layout->element_node_start[e + 1]; a++) {
    PetscInt i = layout->element_node[a];
    for (int j = 0; j < node_vectors(model_node(layout->model, layout->node[i])->kind); j++)
      x[n++] = state->x[4 * i + j];
  }
  return n;
}

void state_get_joint(const Layout *layout, const State *state, PetscInt joint, JointState *out) {
  const ModelJoint *m = model_joint(layout->model, layout->joint[joint]);
  for (int a = 0, n = 0; a < m->nnode; a++) {
    PetscInt i = layout->joint_node[joint][a];
    out->kind[a] = model_node(layout->model, layout->node[i])->kind, out->first[a] = n;
    for (int v = 0; v < node_vectors(out->kind[a]); v++) out->x[n++] = state->x[4 * i + v];
  }
}

// From the rates of its nodes: g(q, z) = 0. That of an angle is the slope of the angle: in the row that gives it its
// value directors have their rates as they are reported.
Coords motion_coordinate_rates(const Motion *motion, PetscInt joint, bool reported) {
  const ModelJoint *m = model_joint(motion->layout.model, motion->layout.joint[joint]);
  const Joint *form = switches_model_joint(&motion->layout, &motion->switches, motion->layout.joint[joint]);
  double g[MAX_ROWS] = {0}, change[MAX_ROWS] = {0};
  LocalMotion it;
  RowsState rows;
  local_motion_begin(&it, 1, motion->layout.rule->tableau.force_rule);
  for (int a = 0; a < m->nnode; a++) {
    PetscInt i = motion->layout.joint_node[joint][a];
    const Vec3 none[MAX_STAGES] = {{0, 0, 0}};
    local_motion_add_node(&it, model_node(motion->layout.model, motion->layout.node[i])->kind, motion->state.x + 4 * i,
                          none, none);
  }
  rows_evaluate(&form->rows, &it, &motion->state.coord[joint], &motion->state.coord[joint], false, &rows);
  for (int a = 0; a < m->nnode; a++) {
    PetscInt i = motion->layout.joint_node[joint][a];
    Vec3 x[4], v, w;
    motion_node_values(motion, i, x, &v, &w);
    Vec3 dw = vec3_sub(motion_reported_rate(motion, w), w);
    for (int k = 0; k < node_vectors(it.kind[a]); k++) {
      Vec3 rate = k == 0                                   ? v
                  : layout_is_material(&motion->layout, i) ? vec3_cross(w, x[k])
                                                           : motion->state.v[4 * i + k];
      for (int r = 0; r < form->rows.nrow; r++) {
        Vec3 along = rows.along_vec[0][r][it.first[a] + k];
        g[r] += vec3_dot(along, rate), change[r] += k ? vec3_dot(along, vec3_cross(dw, x[k])) : 0;
      }
    }
  }
  // The other rows of a coupling have coordinates alone, whose rates follow from those of its angles.
  for (int c = 0; c < m->joint.ncoord && reported && m->kind->ties; c++)
    if (joint_coord_is_angle(form, c)) g[joint_coord_row(&form->rows, c)] += change[joint_coord_row(&form->rows, c)];
  Coords out = rows_coord_rates(form->rows.nrow, m->joint.ncoord, rows.end_z[0], g);
  for (int c = 0; c < m->joint.ncoord && reported && !m->kind->ties; c++) {
    int row = joint_coord_row(&form->rows, c);
    if (joint_coord_is_angle(form, c)) out.z[c] -= change[row] / rows.end_z[0][c][row];
  }
  return out;
}

// Angles as solvers/joint_angles.c has those that are unknowns: by at most half a turn, or what the nodes turn and a
// margin.
Coords motion_followed_coords(const Motion *motion, PetscInt joint) {
  const ModelJoint *m = model_joint(motion->layout.model, motion->layout.joint[joint]);
  const int stages = motion->layout.rule->tableau.s;
  Coords z = motion->state.coord[joint];
  JointState before;
  Vec3 x[MAX_LOCAL_VECTORS];
  double most = 0.5;
  if (layout_joint(&motion->layout, joint)->ncoord == m->joint.ncoord) return z;
  state_get_joint(&motion->layout, &motion->state, joint, &before);
  for (int a = 0; a < m->nnode; a++) {
    const NodeMotion *moved = motion->step.motion + motion->layout.joint_node[joint][a] * stages;
    for (int v = 0; v < node_vectors(before.kind[a]); v++) x[before.first[a] + v] = moved->x[v];
    if (before.kind[a] == NODE_FRAME) most += 4 * atan(vec3_norm(moved->c) / 4);
  }
  for (int c = 0; c < m->joint.ncoord; c++) {
    double last = motion->state.coord[joint].z[c] - motion->state.coord_before[joint].z[c];
    double expected = motion->state.last_h > 0 ? last * motion->step.h / motion->state.last_h : 0;
    z.z[c] += joint_coord_change(&m->joint, c, before.x, x, &motion->state.coord[joint], expected, most);
  }
  return z;
}

double motion_joint_gap(const Motion *motion, PetscInt joint) {
  const Joint *m = layout_joint(&motion->layout, joint);
  double g[MAX_ROWS], rate[MAX_ROWS], size[MAX_ROWS], worst = 0;
  JointState q;
  if (motion->switches.any && motion->switches.joint[motion->layout.joint[joint]].released != 0) return 0;
  state_get_joint(&motion->layout, &motion->state, joint, &q);
  rows_value(&m->rows, q.x, m->ncoord > 0 ? &motion->state.coord[joint] : no_coords, g);
  for (int r = 0; r < m->rows.nrow; r++) size[r] = 1;
  for (int c = 0; c < m->ncoord; c++) { // where a row grows with a coordinate, the gap is that of the coordinate
    rows_rate(&m->rows, q.x, &motion->state.coord[joint], c, rate);
    for (int r = 0; r < m->rows.nrow; r++) size[r] = PetscMax(size[r], fabs(rate[r]));
  }
  for (int r = 0; r < m->rows.nrow; r++) worst = PetscMax(worst, number_or_infinity(fabs(g[r]) / size[r]));
  return worst;
}

PetscErrorCode MotionWorstGap(const Motion *motion, double *gap, PetscInt *joint) {
  PetscFunctionBegin;
  *joint = -1, *gap = 0;
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    double g = motion_joint_gap(motion, j);
    if (g > *gap) *gap = g, *joint = motion->layout.joint[j];
  }
  PetscCall(ReduceLargest(motion->layout.comm, gap, joint, NULL));
  PetscFunctionReturn(0);
}
