// SPDX-License-Identifier: Apache-2.0
// Samples motion, forces and energies of the state (observable.h).
#include "analyses/stepping/observable.h"

#include "assembly/contacts.h"
#include "assembly/state_values.h"
#include "assembly/step_memory.h"
#include "assembly/wheels.h"
#include "solvers/redundancy.h"

#include "base/rotation.h"
#include "mechanics/plane_material.h"
#include "mechanics/simplex.h"
#include "model/stress.h"

#include <string.h>

Observable observable_station(Model m, ObservableKind kind, int component, double at) {
  const ModelElement *e = model_component_station(m, component, &at);
  return (Observable){.kind = kind, .id = (int)(e - model_element(m, 0)), .at = at};
}

Observable observable_point(Model m, int component, int point) {
  const ModelElement *e = model_component_point(m, component, &point);
  return (Observable){.kind = OBSERVABLE_POINT, .id = (int)(e - model_element(m, 0)), .point = point};
}

// The index of the first number in a sorted list that is not below `value`.
static PetscInt first_from(PetscInt count, const PetscInt *list, PetscInt value) {
  PetscInt low = 0;
  while (count > 0) {
    PetscInt half = count / 2;
    if (list[low + half] < value) low += half + 1, count -= half + 1;
    else count = half;
  }
  return low;
}

// The local element or joint if it is primary on this rank; otherwise -1.
static PetscInt local_index(PetscInt count, const PetscInt *list, const bool *primary, PetscInt component) {
  PetscInt i = first_from(count, list, component);
  return i < count && list[i] == component && primary[i] ? i : -1;
}

void motion_vector_rates(const Motion *motion, PetscInt node, Vec3 *rate) {
  NodeState n = step_node_state(&motion->state, &motion->step, node);
  int nvec = node_vectors(model_node(motion->layout.model, motion->layout.node[node])->kind);
  if (layout_is_material(&motion->layout, node)) {
    Vec3 x[4], w;
    motion_node_values(motion, node, x, &rate[0], &w);
    for (int j = 1; j < nvec; j++) rate[j] = vec3_cross(w, x[j]);
  } else
    for (int j = 0; j < nvec; j++) rate[j] = n.v[j];
}

void motion_element_rates(const Motion *motion, PetscInt e, Vec3 *rate) {
  for (PetscInt i = motion->layout.element_node_start[e]; i < motion->layout.element_node_start[e + 1]; i++) {
    PetscInt node = motion->layout.element_node[i];
    motion_vector_rates(motion, node, rate);
    rate += node_vectors(model_node(motion->layout.model, motion->layout.node[node])->kind);
  }
}

// ---- motion ----

static void sample_node(const Motion *motion, int node, StateSample *a) {
  PetscInt i = motion->layout.local_node[node];
  Vec3 x[4], v, w;
  if (node == 0 ? motion->layout.rank != 0 : i < 0 || i >= motion->layout.nnode_own) return;
  motion_node_values(motion, i, x, &v, &w);
  for (int j = 0; j < 4; j++) vec3_to(x[j], a->motion.x[j]);
  vec3_to(v, a->motion.velocity), vec3_to(motion_reported_rate(motion, w), a->motion.angular);
  if (model_node(motion->layout.model, node)->kind == NODE_POINT) return;
  Mat3 axes = state_force_axes(&motion->layout, &motion->state, i);
  for (int j = 0; j < 3; j++) vec3_to(mat3_column(axes, j), a->motion.force_axes[j]);
}

// Interpolated directors D = R U are not a rotation, but R is. With A = R^T D', its angular velocity w = R omega
// satisfies
//   (tr U I - U) omega = axial vector of A - A^T.
static Vec3 polar_rate(Mat3 d, Mat3 rate, Mat3 *r) {
  *r = d;
  for (int k = 0; k < 4; k++) *r = rotation_orthonormalised(*r);
  Mat3 t = mat3_transpose(*r), u = mat3_mul(t, d), a = mat3_mul(t, rate);
  Vec3 axial = vec3(a.m[2][1] - a.m[1][2], a.m[0][2] - a.m[2][0], a.m[1][0] - a.m[0][1]);
  Mat3 k = mat3_sub(mat3_scale(u.m[0][0] + u.m[1][1] + u.m[2][2], mat3_identity()), u);
  Vec3 k1 = mat3_column(k, 0), k2 = mat3_column(k, 1), k3 = mat3_column(k, 2);
  Vec3 omega = vec3(vec3_dot(axial, vec3_cross(k2, k3)), vec3_dot(axial, vec3_cross(k3, k1)),
                    vec3_dot(axial, vec3_cross(k1, k2)));
  return mat3_apply(*r, vec3_scale(1 / mat3_det(k), omega));
}

static void sample_station(const Motion *motion, const Observable *q, StateSample *a) {
  PetscInt e = local_index(motion->layout.nelement, motion->layout.element, motion->layout.element_primary, q->id);
  Vec3 x[MAX_LOCAL_VECTORS], rate[MAX_LOCAL_VECTORS], y[MAX_Y], dy[MAX_Y];
  if (e < 0) return;
  const ModelElement *el = model_element(motion->layout.model, q->id);
  Rows rows;
  rows_begin(&rows);
  el->kind->line.station(el->data, q->at, &rows);
  state_element_vectors(&motion->layout, &motion->state, e, x);
  motion_element_rates(motion, e, rate);
  rows_interpolate(&rows, x, y);
  rows_interpolate(&rows, rate, dy);
  vec3_to(y[0], a->motion.x[0]), vec3_to(dy[0], a->motion.velocity);
  if (rows.ny < 4) return;
  Mat3 r;
  Vec3 w = polar_rate(mat3_columns(y[1], y[2], y[3]), mat3_columns(dy[1], dy[2], dy[3]), &r);
  vec3_to(motion_reported_rate(motion, w), a->motion.angular);
  for (int j = 0; j < 3; j++) vec3_to(mat3_column(r, j), a->motion.x[j + 1]);
}

// A node of the mesh that an element carries.
static void sample_mesh_node(const Motion *motion, const Observable *q, StateSample *a) {
  PetscInt e = local_index(motion->layout.nelement, motion->layout.element, motion->layout.element_primary, q->id);
  Vec3 y[MAX_LOCAL_VECTORS], rate[MAX_LOCAL_VECTORS], small[MAX_LOCAL_VECTORS];
  if (e < 0) return;
  const ModelElement *el = model_element(motion->layout.model, q->id);
  const CarriedMesh *mesh = element_mesh(el->kind, el->data);
  state_element_vectors(&motion->layout, &motion->state, e, y);
  motion_element_rates(motion, e, rate);
  vec3_to(carried_place(mesh, y, q->point), a->motion.x[0]);
  vec3_to(carried_place(mesh, rate, q->point), a->motion.velocity);
  carried_displacements(mesh, el->kind, el->data, y, small);
  carried_stress(mesh, small, q->point, a->motion.stress);
}

// The node of such a mesh where the von Mises stress is largest, the first of equals.
static PetscErrorCode SampleMeshStress(const Motion *motion, const Observable *q, StateSample *a) {
  PetscInt e = local_index(motion->layout.nelement, motion->layout.element, motion->layout.element_primary, q->id);
  Vec3 y[MAX_LOCAL_VECTORS], small[MAX_LOCAL_VECTORS];
  double(*stress)[CARRIED_STRESSES];
  int most = 0;
  PetscFunctionBegin;
  if (e < 0) PetscFunctionReturn(0);
  const ModelElement *el = model_element(motion->layout.model, q->id);
  const CarriedMesh *mesh = element_mesh(el->kind, el->data);
  PetscCall(PetscMalloc1(mesh->points, &stress));
  state_element_vectors(&motion->layout, &motion->state, e, y);
  carried_displacements(mesh, el->kind, el->data, y, small);
  carried_stresses(mesh, small, stress);
  for (int i = 0; i < mesh->points; i++)
    if (i == 0 || stress_exceeds(von_mises(stress[i]), a->largest.von_mises))
      most = i, a->largest.von_mises = von_mises(stress[i]);
  a->largest.number = mesh->number[most];
  vec3_to(mesh->at[most], a->largest.at);
  PetscCall(PetscFree(stress));
  PetscFunctionReturn(0);
}

void observable_unloaded(Model m, const Observable *q, StateSample *out) {
  Vec3 x[MAX_LOCAL_VECTORS] = {{0}}, y[MAX_Y];
  memset(out, 0, sizeof *out);
  if (q->kind == OBSERVABLE_NODE) {
    for (int j = 0; j < 4; j++) vec3_to(model_node(m, q->id)->x[j], out->motion.x[j]);
    return;
  }
  const ModelElement *el = model_element(m, q->id);
  Rows rows;
  rows_begin(&rows);
  el->kind->line.station(el->data, q->at, &rows);
  for (int i = 0, n = 0; i < el->nnode; i++) {
    const ModelNode *node = model_node(m, model_element_nodes(m, el)[i]);
    for (int j = 0; j < node_vectors(node->kind); j++) x[n++] = node->x[j];
  }
  rows_interpolate(&rows, x, y);
  vec3_to(y[0], out->motion.x[0]);
  if (rows.ny < 4) return;
  Mat3 r = mat3_columns(y[1], y[2], y[3]);
  for (int k = 0; k < 4; k++) r = rotation_orthonormalised(r);
  for (int j = 0; j < 3; j++) vec3_to(mat3_column(r, j), out->motion.x[j + 1]);
}

// ---- forces ----

// The weight of an integration point at `at`, in the polynomial through all points of the element.
static double lagrange_weight(const ModelElement *el, int g, double at) {
  double lagrange = 1;
  ElementPoint own, other;
  element_point(el->kind, el->data, g, &own);
  for (int i = 0; i < el->kind->points(el->data); i++) {
    if (i == g) continue;
    element_point(el->kind, el->data, i, &other);
    lagrange *= (at - other.at) / (own.at - other.at);
  }
  return lagrange;
}

static void sample_resultant(const Motion *motion, const Observable *q, StateSample *a) {
  PetscInt e = local_index(motion->layout.nelement, motion->layout.element, motion->layout.element_primary, q->id);
  Vec3 x[MAX_LOCAL_VECTORS], sum[2] = {{0}}, one[2];
  if (e < 0) return;
  const ModelElement *el = model_element(motion->layout.model, q->id);
  state_element_vectors(&motion->layout, &motion->state, e, x);
  for (int g = 0; g < el->kind->points(el->data); g++) {
    double strain[MAX_ROWS], force[MAX_ROWS], lagrange = lagrange_weight(el, g, q->at);
    motion_section(motion, e, g, strain, force);
    el->kind->line.resultant(el->data, g, x, force, one);
    for (int k = 0; k < 2; k++) sum[k] = vec3_axpy(sum[k], lagrange, one[k]);
  }
  vec3_to(sum[0], a->resultant.force), vec3_to(sum[1], a->resultant.moment);
}

// Strains and forces at an integration point, and the outputs of its element kind.
static void sample_point(const Motion *motion, PetscInt e, const ModelElement *el, int g, StateSample *out) {
  const ElementOutput *output = &el->kind->output;
  Vec3 x[MAX_LOCAL_VECTORS];
  motion_section(motion, e, g, out->section.strain, out->section.force);
  if (output->flow_values) motion_flow_values(motion, e, g, out->section.own);
  if (!output->own_values) return;
  state_element_vectors(&motion->layout, &motion->state, e, x);
  output->own_values(el->data, g, x, out->section.strain, out->section.force, out->section.own);
}

// Forces are most accurate at integration points. Between them, uses the polynomial through all points of the element.
static void sample_section(const Motion *motion, const Observable *q, StateSample *a) {
  PetscInt e = local_index(motion->layout.nelement, motion->layout.element, motion->layout.element_primary, q->id);
  if (e < 0) return;
  const ModelElement *el = model_element(motion->layout.model, q->id);
  int count = el->kind->points(el->data);
  if (q->kind == OBSERVABLE_POINT) {
    sample_point(motion, e, el, q->point, a);
    return;
  }
  for (int g = 0; g < count; g++) {
    double lagrange = lagrange_weight(el, g, q->at);
    StateSample one;
    ElementPoint at;
    element_point(el->kind, el->data, g, &at);
    sample_point(motion, e, el, g, &one);
    for (int r = 0; r < at.rows.nrow; r++)
      a->section.strain[r] += lagrange * one.section.strain[r], a->section.force[r] += lagrange * one.section.force[r];
    for (int i = 0; i < el->kind->output.own; i++) a->section.own[i] += lagrange * one.section.own[i];
  }
}

// Gathers a joint's nodes over the last step from their end positions and increments; `still`: without increments.
static void gather_joint(const Layout *layout, const State *state, const double *q, PetscInt j, bool still,
                         LocalMotion *it) {
  const ModelJoint *joint = model_joint(layout->model, layout->joint[j]);
  local_motion_begin(it, 1, layout->rule->tableau.force_rule);
  for (int a = 0; a < joint->nnode; a++) {
    PetscInt i = layout->joint_node[j][a];
    NodeKind kind = model_node(layout->model, layout->node[i])->kind;
    Vec3 u[MAX_STAGES] = {{0}}, c[MAX_STAGES] = {{0}}, xn[4];
    if (!still) layout_increments(layout, q, i, u, c);
    Mat3 back = mat3_transpose(rotation_matrix(c[0]));
    xn[0] = vec3_sub(state->x[4 * i], u[0]);
    for (int k = 1; k < node_vectors(kind); k++) xn[k] = mat3_apply(back, state->x[4 * i + k]);
    local_motion_add_node(it, kind, xn, u, c);
  }
}

// The position of a point when the forces of the step act.
static Vec3 force_application_point(const LocalMotion *it, int node) {
  Vec3 now = it->xk[0][it->first[node]];
  return it->force_rule == FORCE_END ? now : vec3_mean(it->xn[it->first[node]], now);
}

// The reaction on a body of points.
static void reaction_on_body(Model m, const ModelJoint *joint, const double *lambda, const LocalMotion *it,
                             const RowsState *rows, Vec3 *out) {
  Vec3 force = vec3_zero(), moment = vec3_zero(), at = vec3_zero();
  double weight[SIMPLEX_POINTS];
  int end = joint->last + joint->points;
  joint_point_weights(m, joint, weight);
  for (int b = joint->last; b < end; b++) at = vec3_axpy(at, weight[b - joint->last], force_application_point(it, b));
  for (int b = joint->last; b < end; b++) {
    Vec3 f = vec3_zero();
    for (int r = 0; r < joint->joint.rows.nrow; r++) f = vec3_axpy(f, -lambda[r], rows->along_vec[0][r][it->first[b]]);
    force = vec3_add(force, f);
    moment = vec3_add(moment, vec3_cross(vec3_sub(force_application_point(it, b), at), f));
  }
  out[0] = force, out[1] = moment;
}

// Force and moment about the joint on the last of its nodes, -sum_r lambda_r along_r, as in the balance of the step.
static void reaction_at_joint(Model model, const ModelJoint *joint, const double *lambda, const LocalMotion *it,
                              const RowsState *rows, Vec3 *out) {
  int b = joint->last;
  const NodeMotion *m = &it->motion[0][b];
  if (joint->points) {
    reaction_on_body(model, joint, lambda, it, rows, out);
    return;
  }
  Vec3 force = vec3_zero(), moment = vec3_zero();
  for (int r = 0; r < joint->joint.rows.nrow; r++) {
    const Vec3 *along = &rows->along_vec[0][r][it->first[b]];
    force = vec3_axpy(force, -lambda[r], along[0]);
    for (int k = 1; k < node_vectors(it->kind[b]); k++)
      moment = vec3_axpy(moment, -lambda[r], vec3_cross(it->kind[b] == NODE_FRAME ? m->rho[k] : m->x[k], along[k]));
  }
  out[0] = force, out[1] = vec3_sub(moment, vec3_cross(joint_lever(model, joint, it), force));
}

// The coordinates at the start of the step that led to the state.
static Coords coords_before(const Layout *layout, const State *state, const double *unknown, PetscInt j) {
  double lambda[MAX_STAGES][MAX_ROWS];
  Coords z[MAX_STAGES], before;
  state_joint_unknowns(layout, state, unknown, j, lambda, z); // z: the coordinates and their increments
  for (int c = 0; c < MAX_COORDS; c++) before.z[c] = 2 * state->coord[j].z[c] - z[0].z[c];
  return before;
}

// Forces of drives and loads on the coordinates of a joint over the last step. For a prescribed coordinate: the force
// of its rows minus that of its law.
static Coords coord_drives(const Layout *layout, const State *state, PetscInt j, const LocalMotion *it,
                           const Coords *before) {
  const Joint *joint = layout_joint(layout, j);
  const CoordForces *law = &state->coord_force[j];
  Coords on, drive = {{0}};
  if (joint->ncoord == 0) return drive;
  rows_on_coords(&joint->rows, it->force_rule, it->xn, it->xk[0], before, &state->coord[j], state->multiplier[j], &on);
  for (int c = 0; c < joint->ncoord; c++)
    drive.z[c] = joint->prescribed[c] ? on.z[c] - law->spring.z[c] - law->damper.z[c] - law->friction.z[c] : 0;
  for (PetscInt i = layout->joint_load_start[j]; i < layout->joint_load_start[j + 1]; i++) {
    const Load *l = &model_load(layout->model, layout->joint_load[i])->load;
    if (!joint->prescribed[l->coord]) drive.z[l->coord] += state->load_force[layout->joint_load[i]];
  }
  return drive;
}

void motion_joint_reaction(const Motion *motion, const double *unknown, PetscInt j, JointReaction *out) {
  const ModelJoint *joint = model_joint(motion->layout.model, motion->layout.joint[j]);
  Coords before = coords_before(&motion->layout, &motion->state, unknown, j);
  LocalMotion it;
  RowsState rows;
  Vec3 on[2];
  gather_joint(&motion->layout, &motion->state, unknown, j, false, &it);
  rows_evaluate(&switches_model_joint(&motion->layout, &motion->switches, motion->layout.joint[j])->rows, &it, &before,
                &motion->state.coord[j], false, &rows);
  reaction_at_joint(motion->layout.model, joint, motion->state.multiplier[j], &it, &rows, on);
  Mat3 axes = joint_axes(motion->layout.model, joint, &it);
  *out = (JointReaction){on[0], on[1], mat3_apply_transpose(axes, on[0]), mat3_apply_transpose(axes, on[1]),
                         coord_drives(&motion->layout, &motion->state, j, &it, &before)};
}

static void sample_joint(const Motion *motion, const double *unknown, const Observable *o, StateSample *a) {
  PetscInt j = local_index(motion->layout.njoint, motion->layout.joint, motion->layout.joint_primary, o->id);
  JointReaction reaction = {.force = vec3_zero()};
  if (j < 0) return;
  const ModelJoint *joint = model_joint(motion->layout.model, o->id);
  int n = joint->joint.rows.nrow;
  memcpy(a->joint.multiplier, motion->state.multiplier[j], (size_t)n * sizeof(double));
  memcpy(a->joint.coord, motion->state.coord[j].z, sizeof a->joint.coord);
  if (motion->state.reaction && motion->state.stepped) reaction = motion->state.reaction[j];
  else if (!o->without_forces) motion_joint_reaction(motion, unknown, j, &reaction);
  vec3_to(reaction.force, a->joint.force), vec3_to(reaction.moment, a->joint.moment);
  vec3_to(reaction.own_force, a->joint.reaction), vec3_to(reaction.own_moment, a->joint.reaction + 3);
  if (!joint->joint.ncoord) return;
  const CoordForces *law = &motion->state.coord_force[j];
  memcpy(a->joint.drive, reaction.drive.z, sizeof reaction.drive.z);
  memcpy(a->joint.spring, law->spring.z, sizeof law->spring.z);
  memcpy(a->joint.damper, law->damper.z, sizeof law->damper.z);
  memcpy(a->joint.friction, law->friction.z, sizeof law->friction.z);
  Coords zdot = motion_coordinate_rates(motion, j, true);
  bool released = motion->switches.any && motion->switches.joint[o->id].released != 0;
  for (int c = 0; c < joint->joint.ncoord && !released; c++) a->joint.rate[c] = zdot.z[c];
}

// ---- energies ----

// Adds the energies of an element's own inertia at one of its nodes.
static void node_energy(const Motion *motion, PetscInt i, int component, const Inertia *q, StateSample *a) {
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  int nvec = node_vectors(model_node(motion->layout.model, motion->layout.node[i])->kind);
  double mass[4][4];
  if (i == 0) return; // the ground
  inertia_ambient(q, mass);
  a->energy.kinetic +=
      layout_is_material(&motion->layout, i) ? inertia_energy(q, n.v[0], n.v[1]) : ambient_energy(nvec, mass, n.v);
  for (PetscInt l = 0; l < motion->layout.nfield; l++) {
    const Load *load = &model_load(motion->layout.model, motion->layout.field[l])->load;
    if (load->switched || !model_amplitude_constant(motion->layout.model, load->amplitude) ||
        !load_acts_on(load, component))
      continue;
    double amplitude = model_amplitude(motion->layout.model, load->amplitude, 0);
    for (int j = 0; j < nvec; j++) a->energy.potential -= amplitude * mass[j][0] * vec3_dot(load->acceleration, n.x[j]);
  }
}

static void sample_energy(const Motion *motion, int id, StateSample *a) {
  const ModelComponent *component = model_component(motion->layout.model, id);
  PetscInt end = component->first + component->count;
  int wheel = model_find_wheel(motion->layout.model, id);
  for (PetscInt e = first_from(motion->layout.nelement, motion->layout.element, component->first);
       e < motion->layout.nelement && motion->layout.element[e] < end; e++) {
    const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
    Vec3 x[MAX_LOCAL_VECTORS];
    if (!motion->layout.element_primary[e]) continue;
    if (wheel >= 0) a->energy.kinetic += motion_wheel_energy(motion, wheel);
    for (int k = 0; k < el->nnode; k++) {
      Inertia q;
      el->kind->inertia(el->data, k, &q);
      node_energy(motion, motion->layout.element_node[motion->layout.element_node_start[e] + k], el->component, &q, a);
    }
    if (!el->kind->points(el->data)) continue;
    state_element_vectors(&motion->layout, &motion->state, e, x);
    a->energy.strain += element_energy(el->kind, el->data, x);
  }
}

static PetscErrorCode SampleContact(const Motion *motion, int id, StateSample *a) {
  double gap, energy;
  PetscFunctionBegin;
  if (!motion->contacts) PetscFunctionReturn(0);
  PetscCall(ContactsMeasure(motion, id, &gap, &energy));
  if (motion->layout.rank) PetscFunctionReturn(0);
  const ContactTotal *t = &motion->contacts->total[id];
  a->contact.normal = t->normal, a->contact.friction = t->friction, a->contact.touching = t->touching;
  a->contact.gap = gap, a->contact.energy = energy, a->contact.touched = t->touched;
  PetscFunctionReturn(0);
}

static void sample_wheel(const Motion *motion, int id, StateSample *a) {
  int k = model_find_wheel(motion->layout.model, id);
  if (k < 0 || layout_wheel_node(&motion->layout, k) < 0) return;
  const Wheel *w = model_wheel(motion->layout.model, k)->wheel;
  const WheelState *q = &motion->state.wheel[k];
  double turn = motion_wheel_turn(motion, k);
  a->wheel.speed = q->p / w->inertia - (w->driven ? 0 : turn);
  a->wheel.momentum = q->p + (w->driven ? w->inertia * turn : 0);
  a->wheel.torque = q->torque, a->wheel.power = q->power, a->wheel.work = q->work;
}

PetscErrorCode SystemSample(System *s, int count, const Observable *observable, StateSample *sample) {
  const double *unknown;
  Vec local;
  PetscFunctionBegin;
  if (!count) PetscFunctionReturn(0);
  memset(sample, 0, (size_t)count * sizeof *sample);
  bool joints = false;
  for (int i = 0; i < count; i++)
    joints = joints || observable[i].kind == OBSERVABLE_JOINT || observable[i].kind == OBSERVABLE_LOAD;
  if (joints) PetscCall(RedundancyLeastNormMultipliers(&s->motion, &s->redundancy));
  PetscCall(EquationsOpenUnknowns(&s->motion.layout, &s->equations, &local, &unknown));
  for (int i = 0; i < count; i++) {
    switch (observable[i].kind) {
    case OBSERVABLE_NODE: sample_node(&s->motion, observable[i].id, &sample[i]); break;
    case OBSERVABLE_STATION: sample_station(&s->motion, &observable[i], &sample[i]); break;
    case OBSERVABLE_SECTION:
    case OBSERVABLE_POINT: sample_section(&s->motion, &observable[i], &sample[i]); break;
    case OBSERVABLE_RESULTANT: sample_resultant(&s->motion, &observable[i], &sample[i]); break;
    case OBSERVABLE_JOINT: sample_joint(&s->motion, unknown, &observable[i], &sample[i]); break;
    case OBSERVABLE_LOAD: motion_sample_load(&s->motion, unknown, observable[i].id, &sample[i]); break;
    case OBSERVABLE_ENERGY: sample_energy(&s->motion, observable[i].id, &sample[i]); break;
    case OBSERVABLE_MESH_NODE: sample_mesh_node(&s->motion, &observable[i], &sample[i]); break;
    case OBSERVABLE_MESH_STRESS: PetscCall(SampleMeshStress(&s->motion, &observable[i], &sample[i])); break;
    case OBSERVABLE_WHEEL: sample_wheel(&s->motion, observable[i].id, &sample[i]); break;
    case OBSERVABLE_CONTACT: PetscCall(SampleContact(&s->motion, observable[i].id, &sample[i])); break;
    }
  }
  PetscCall(EquationsCloseUnknowns(&s->motion.layout, &s->equations, &local, &unknown));
  if (s->motion.layout.size > 1)
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sample, count * (int)(sizeof *sample / sizeof(double)), MPI_DOUBLE,
                               MPI_SUM, s->motion.layout.comm));
  PetscFunctionReturn(0);
}
