// SPDX-License-Identifier: Apache-2.0
// The state as it is reported.
#include "assembly/system.h"

PetscErrorCode SystemRefresh(System *s) {
  PetscFunctionBegin;
  if (s->layout.size == 1) PetscFunctionReturn(0); // there are no ghosts
  PetscCall(VecGhostUpdateBegin(s->linear.unknown, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGhostUpdateEnd(s->linear.unknown, INSERT_VALUES, SCATTER_FORWARD));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemOpenUnknowns(const System *s, Vec *local, const double **q) {
  PetscFunctionBegin;
  *local = s->linear.unknown;
  if (s->layout.size > 1) PetscCall(VecGhostGetLocalForm(s->linear.unknown, local));
  PetscCall(VecGetArrayRead(*local, q));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCloseUnknowns(const System *s, Vec *local, const double **q) {
  PetscFunctionBegin;
  PetscCall(VecRestoreArrayRead(*local, q));
  if (s->layout.size > 1) PetscCall(VecGhostRestoreLocalForm(s->linear.unknown, local));
  PetscFunctionReturn(0);
}

void system_node_values(const System *s, PetscInt node, Vec3 x[4], Vec3 *velocity, Vec3 *angular) {
  NodeState n = system_node_state(s, node);
  NodeKind kind = model_node(s->layout.model, s->layout.node[node])->kind;
  for (int j = 0; j < 4; j++) x[j] = j < node_vectors(kind) ? n.x[j] : vec3_zero();
  *velocity = n.v[0], *angular = vec3_zero();
  if (system_material(s, node)) {
    Mat3 r = node_axes(x);
    *velocity = mat3_apply(r, n.v[0]), *angular = mat3_apply(r, n.v[1]);
  } else if (kind == NODE_FRAME) // omega = 1/2 sum d_j x d_j'
    for (int j = 1; j < 4; j++) *angular = vec3_axpy(*angular, 0.5, vec3_cross(x[j], n.v[j]));
}

// Equations: eq-start-tangent (6.4).
Vec3 system_reported_rate(const System *s, Vec3 angular) {
  double x = 0.5 * (s->state.stepped ? s->state.last_h : s->step.usual) * vec3_norm(angular);
  return s->rule->tangent_rates && x > 0 ? vec3_scale(atan(x) / x, angular) : angular;
}

int system_element_vectors(const System *s, PetscInt e, Vec3 *x) {
  int n = 0;
  for (PetscInt a = s->layout.element_node_start[e]; a < s->layout.element_node_start[e + 1]; a++) {
    PetscInt i = s->layout.element_node[a];
    for (int j = 0; j < node_vectors(model_node(s->layout.model, s->layout.node[i])->kind); j++)
      x[n++] = s->state.x[4 * i + j];
  }
  return n;
}

void system_joint_state(const System *s, PetscInt joint, JointState *out) {
  const ModelJoint *m = model_joint(s->layout.model, s->layout.joint[joint]);
  for (int a = 0, n = 0; a < m->nnode; a++) {
    PetscInt i = s->layout.joint_node[joint][a];
    out->kind[a] = model_node(s->layout.model, s->layout.node[i])->kind, out->first[a] = n;
    for (int v = 0; v < node_vectors(out->kind[a]); v++) out->x[n++] = s->state.x[4 * i + v];
  }
}

// From the rates of its nodes: g(q, z) = 0. That of an angle is the slope of the angle: in the row that gives it its value directors have
// their rates as they are reported.
Coords system_coordinate_rates(const System *s, PetscInt joint, bool reported) {
  const ModelJoint *m = model_joint(s->layout.model, s->layout.joint[joint]);
  const Joint *form = system_model_joint(s, s->layout.joint[joint]);
  double g[MAX_ROWS] = {0}, change[MAX_ROWS] = {0};
  LocalMotion it;
  RowsState rows;
  local_motion_begin(&it, 1, s->rule->tableau.force_rule);
  for (int a = 0; a < m->nnode; a++) {
    PetscInt i = s->layout.joint_node[joint][a];
    const Vec3 none[MAX_STAGES] = {{0, 0, 0}};
    local_motion_add_node(&it, model_node(s->layout.model, s->layout.node[i])->kind, s->state.x + 4 * i, none, none);
  }
  rows_evaluate(&form->rows, &it, &s->state.coord[joint], &s->state.coord[joint], false, &rows);
  for (int a = 0; a < m->nnode; a++) {
    PetscInt i = s->layout.joint_node[joint][a];
    Vec3 x[4], v, w;
    system_node_values(s, i, x, &v, &w);
    Vec3 dw = vec3_sub(system_reported_rate(s, w), w);
    for (int k = 0; k < node_vectors(it.kind[a]); k++) {
      Vec3 rate = k == 0 ? v : system_material(s, i) ? vec3_cross(w, x[k]) : s->state.v[4 * i + k];
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

// Angles as solvers/joint_angles.c has those that are unknowns: by at most half a turn, or what the nodes turn and a margin.
Coords system_followed_coords(const System *s, PetscInt joint) {
  const ModelJoint *m = model_joint(s->layout.model, s->layout.joint[joint]);
  const int stages = s->rule->tableau.s;
  Coords z = s->state.coord[joint];
  JointState before;
  Vec3 x[MAX_LOCAL_VECTORS];
  double most = 0.5;
  if (system_joint(s, joint)->ncoord == m->joint.ncoord) return z;
  system_joint_state(s, joint, &before);
  for (int a = 0; a < m->nnode; a++) {
    const NodeMotion *moved = s->step.motion + s->layout.joint_node[joint][a] * stages;
    for (int v = 0; v < node_vectors(before.kind[a]); v++) x[before.first[a] + v] = moved->x[v];
    if (before.kind[a] == NODE_FRAME) most += 4 * atan(vec3_norm(moved->c) / 4);
  }
  for (int c = 0; c < m->joint.ncoord; c++) {
    double last = s->state.coord[joint].z[c] - s->state.coord_before[joint].z[c];
    double expected = s->state.last_h > 0 ? last * s->step.h / s->state.last_h : 0;
    z.z[c] += joint_coord_change(&m->joint, c, before.x, x, &s->state.coord[joint], expected, most);
  }
  return z;
}

double system_joint_gap(const System *s, PetscInt joint) {
  const Joint *m = system_joint(s, joint);
  double g[MAX_ROWS], rate[MAX_ROWS], size[MAX_ROWS], worst = 0;
  JointState q;
  if (s->switches.any && s->switches.joint[s->layout.joint[joint]].released != 0) return 0;
  system_joint_state(s, joint, &q);
  rows_value(&m->rows, q.x, m->ncoord > 0 ? &s->state.coord[joint] : no_coords, g);
  for (int r = 0; r < m->rows.nrow; r++) size[r] = 1;
  for (int c = 0; c < m->ncoord; c++) { // where a row grows with a coordinate, the gap is that of the coordinate
    rows_rate(&m->rows, q.x, &s->state.coord[joint], c, rate);
    for (int r = 0; r < m->rows.nrow; r++) size[r] = PetscMax(size[r], fabs(rate[r]));
  }
  for (int r = 0; r < m->rows.nrow; r++) worst = PetscMax(worst, number_or_infinity(fabs(g[r]) / size[r]));
  return worst;
}

PetscErrorCode SystemWorstGap(const System *s, double *gap, PetscInt *joint) {
  PetscFunctionBegin;
  *joint = -1, *gap = 0;
  for (PetscInt j = 0; j < s->layout.njoint; j++) {
    double g = system_joint_gap(s, j);
    if (g > *gap) *gap = g, *joint = s->layout.joint[j];
  }
  PetscCall(ReduceLargest(s->layout.comm, gap, joint, NULL));
  PetscFunctionReturn(0);
}
