// SPDX-License-Identifier: Apache-2.0
// Axes and locations in which forces of the last step are reported: at joints and in the axes of nodes, as they are
// when the forces act. Also samples the forces of loads.
#include "analyses/stepping/observable.h"

#include "base/rotation.h"
#include "mechanics/simplex.h"

// ---- axes ----

// The rotation half way between two.
static Mat3 half_way(Mat3 from, Mat3 to) {
  Vec3 c = rotation_conformal(mat3_mul(to, mat3_transpose(from)));
  return mat3_mul(rotation_half(c), from);
}

Mat3 state_force_axes(const Layout *layout, const State *state, PetscInt node) {
  Mat3 now = node_axes(state->x + 4 * node);
  const Vec3 *start = state->x_start ? state->x_start : state->x_before;
  if (!state->stepped || layout->rule->tableau.force_rule == FORCE_END) return now;
  return half_way(node_axes(start + 4 * node), now);
}

// The number of points of a body that begins at this node of a joint; 0: it is a separate node.
static int body_points(Model m, const ModelJoint *j, int node) {
  int n = 0, component = model_node(m, j->node[node])->component;
  if (node == j->last) return j->points;
  if (!j->bodies || model_node(m, j->node[node])->kind != NODE_POINT) return 0;
  while (node + n < j->last && n < SIMPLEX_POINTS && model_node(m, j->node[node + n])->component == component) n++;
  return n;
}

// A direction carried by a node or body of a joint, when the forces act. `reference`: in the reference, in ground axes.
static Vec3 carried_direction(Model m, const ModelJoint *j, const LocalMotion *it, int node, Vec3 reference) {
  int points = body_points(m, j, node);
  Vec3 sum = vec3_zero();
  if (points) {
    Vec3 x[SIMPLEX_POINTS] = {{0}};
    double weight[SIMPLEX_POINTS] = {0};
    for (int i = 0; i < points; i++) x[i] = model_node(m, j->node[node + i])->x[0];
    simplex_direction_weights(points, x, reference, weight);
    for (int i = 0; i < points; i++) {
      int at = it->first[node + i];
      Vec3 now = it->xk[0][at];
      sum = vec3_axpy(sum, weight[i], it->force_rule == FORCE_END ? now : vec3_mean(it->xn[at], now));
    }
    return sum;
  }
  const Vec3 *x = model_node(m, j->node[node])->x;
  const NodeMotion *moved = &it->motion[0][node];
  for (int k = 1; k < 4; k++)
    sum = vec3_axpy(sum, vec3_dot(reference, x[k]), it->kind[node] == NODE_FRAME ? moved->rho[k] : moved->x[k]);
  return sum;
}

Mat3 joint_axes(Model m, const ModelJoint *j, const LocalMotion *it) {
  const JointGeometry *g = &j->joint.geometry;
  bool has = vec3_norm(g->axis) > 0 && vec3_norm(g->second) > 0;
  if (!has || (it->kind[0] == NODE_POINT && !body_points(m, j, 0))) return mat3_identity();
  Vec3 e3 = vec3_unit(carried_direction(m, j, it, 0, g->axis)), e1 = carried_direction(m, j, it, 0, g->second);
  e1 = vec3_unit(vec3_axpy(e1, -vec3_dot(e1, e3), e3));
  return mat3_columns(e1, vec3_cross(e3, e1), e3);
}

// ---- the location of a joint on its second body ----

void joint_point_weights(Model m, const ModelJoint *j, double *weight) {
  Vec3 x[SIMPLEX_POINTS] = {{0}};
  for (int i = 0; i < j->points; i++) x[i] = model_node(m, j->node[j->last + i])->x[0], weight[i] = 1.0 / j->points;
  if (!j->kind->ties) simplex_position_weights(j->points, x, j->joint.geometry.at[1], weight);
}

// A coupling has no location: its moment is taken about the node.
Vec3 joint_lever(Model m, const ModelJoint *j, const LocalMotion *it) {
  const ModelNode *node = model_node(m, j->node[j->last]);
  Vec3 arm = vec3_sub(j->joint.geometry.at[1], node->x[0]);
  if (j->kind->ties || node->kind == NODE_POINT) return vec3_zero();
  return carried_direction(m, j, it, j->last, arm);
}

// ---- loads ----

// The amplitude of a load at the time of the state; in a static analysis, multiplied by the load factor.
static double amplitude_now(const Motion *motion, PetscInt load) {
  const Load *l = &model_load(motion->layout.model, load)->load;
  if (!switches_load_acts(&motion->switches, load)) return 0;
  if (isinf(motion->step.h)) return motion->step.end_amplitude[load].next;
  return model_amplitude(motion->layout.model, l->amplitude, motion->state.time);
}

static void add_wrench(StateSample *a, Vec3 x, Vec3 force, Vec3 moment) {
  Vec3 f = vec3_add(vec3_of(a->load.force), force);
  Vec3 m = vec3_add(vec3_of(a->load.moment), vec3_add(moment, vec3_cross(x, force)));
  vec3_to(f, a->load.force), vec3_to(m, a->load.moment);
}

static const Tableau at_end = {.s = 1, .force_rule = FORCE_END, .a = {{1}}, .b = {1}, .weight = {1}};

static void sample_element_load(const Layout *layout, const State *state, PetscInt e, const Load *l, double amplitude,
                                StateSample *a) {
  const ModelElement *el = model_element(layout->model, layout->element[e]);
  const PetscInt *node = layout->element_node + layout->element_node_start[e];
  LocalMotion it;
  NodeLoad on[MAX_LOCAL_NODES];
  local_motion_begin(&it, 1, FORCE_END);
  for (int k = 0; k < el->nnode; k++) {
    Vec3 still[MAX_STAGES] = {{0}};
    local_motion_add_node(&it, model_node(layout->model, layout->node[node[k]])->kind, state->x + 4 * node[k], still,
                          still);
  }
  load_on_element(l, el->kind, el->data, &at_end, (Amplitude){.now = amplitude, .next = amplitude}, &it, on, NULL);
  for (int k = 0; k < el->nnode; k++) add_wrench(a, state->x[4 * node[k]], on[k].force[0], on[k].moment[0]);
}

// Force on the mass of a node: m a at its position, and the moment of its first moments.
static void sample_field(const Layout *layout, const State *state, PetscInt field, PetscInt i, double amplitude,
                         StateSample *a) {
  double first[4];
  Vec3 on[4], moment = vec3_zero();
  int nvec = node_vectors(model_node(layout->model, layout->node[i])->kind);
  layout_field_mass(layout, field, i, first);
  load_on_mass(vec3_scale(amplitude, model_load(layout->model, layout->field[field])->load.acceleration), nvec, first,
               on);
  for (int j = 1; j < nvec; j++) moment = vec3_add(moment, vec3_cross(state->x[4 * i + j], on[j]));
  add_wrench(a, state->x[4 * i], on[0], moment);
}

// The force of a load that prescribes its coordinate is the total minus that of the other loads.
static void sample_joint_load(const Motion *motion, const double *unknown, PetscInt j, PetscInt id, StateSample *a) {
  const Load *l = &model_load(motion->layout.model, id)->load;
  a->load.force[0] = motion->state.load_force[id];
  if (!load_prescribes(l) || !switches_load_acts(&motion->switches, id)) return;
  JointReaction reaction;
  if (motion->state.reaction && motion->state.stepped) reaction = motion->state.reaction[j];
  else motion_joint_reaction(motion, unknown, j, &reaction);
  a->load.force[0] = reaction.drive.z[l->coord];
  for (PetscInt i = motion->layout.joint_load_start[j]; i < motion->layout.joint_load_start[j + 1]; i++) {
    PetscInt other = motion->layout.joint_load[i];
    if (model_load(motion->layout.model, other)->load.coord == l->coord)
      a->load.force[0] -= motion->state.load_force[other];
  }
}

void motion_sample_load(const Motion *motion, const double *unknown, int id, StateSample *a) {
  const Load *l = &model_load(motion->layout.model, id)->load;
  double amplitude = amplitude_now(motion, id);
  switch (l->target) {
  case LOAD_NODE: {
    PetscInt i = motion->layout.local_node[l->id];
    if (i < 0 || i >= motion->layout.nnode_own) return;
    NodeMotion m;
    NodeLoad on;
    node_motion(model_node(motion->layout.model, l->id)->kind, FORCE_END, motion->state.x + 4 * i, vec3_zero(),
                vec3_zero(), &m);
    load_on_node(l, &at_end, (Amplitude){.now = amplitude, .next = amplitude}, motion->state.x + 4 * i, &m, &on);
    vec3_to(on.force[0], a->load.force), vec3_to(on.moment[0], a->load.moment);
    break;
  }
  case LOAD_ELEMENT:
    for (PetscInt e = 0; e < motion->layout.nelement; e++)
      if (motion->layout.element_primary[e] &&
          model_element(motion->layout.model, motion->layout.element[e])->component == l->id)
        sample_element_load(&motion->layout, &motion->state, e, l, amplitude, a);
    break;
  case LOAD_FIELD:
    for (PetscInt f = 0; f < motion->layout.nfield; f++)
      for (PetscInt i = 1; i < motion->layout.nnode_own && motion->layout.field[f] == id; i++)
        sample_field(&motion->layout, &motion->state, f, i, amplitude, a);
    break;
  case LOAD_JOINT:
    for (PetscInt j = 0; j < motion->layout.njoint; j++)
      if (motion->layout.joint_primary[j] && motion->layout.joint[j] == l->id)
        sample_joint_load(motion, unknown, j, id, a);
    break;
  case LOAD_WHEEL: break; // its torque is recorded by a probe of the wheel
  }
}
