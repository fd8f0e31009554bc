// SPDX-License-Identifier: Apache-2.0
// Residual and tangent of a step: nodes, elements and joints, each in its place.
#include "assembly/evaluate.h"
#include "assembly/contacts.h"
#include "assembly/log_events.h"
#include "assembly/ranks.h"
#include "assembly/create.h"
#include "assembly/state_values.h"
#include "assembly/step_memory.h"
#include "assembly/wheels.h"
#include "base/rotation.h"

void state_joint_unknowns(const Layout *layout, const State *state, const double *q, PetscInt joint,
                          double lambda[MAX_STAGES][MAX_ROWS], Coords *zk) {
  const Joint *j = layout_joint(layout, joint);
  const double *at = q + layout->joint_block[joint] * layout->bs;
  for (int k = 0; k < layout->rule->tableau.s; k++) {
    for (int r = 0; r < j->rows.nrow; r++) lambda[k][r] = at[r / 3 * layout->bs + 3 * k + r % 3];
    zk[k] = state->coord[joint];
    for (int c = 0; c < j->ncoord; c++) {
      int z = j->rows.nrow + c;
      zk[k].z[c] += at[z / 3 * layout->bs + 3 * k + z % 3];
    }
  }
}

// Functions of time begin at t = 0.
static bool is_before_start(const State *state, double h) { return h < 0 && state->time + h < 0; }

// What a function of time is at t + h; a step back beyond the start continues it to the other side as it is from t on.
static double amplitude_after(const Layout *layout, const State *state, int f, double h) {
  if (!is_before_start(state, h)) return model_amplitude(layout->model, f, state->time + h);
  double ahead = model_amplitude(layout->model, f, state->time + fabs(h));
  return 2 * model_amplitude(layout->model, f, state->time) - ahead;
}

static double drive_after(const Layout *layout, const State *state, const Load *l, double h, double zn) {
  if (!is_before_start(state, h)) return model_drive(layout->model, l, state->time, h, zn);
  double ahead = model_drive(layout->model, l, state->time, fabs(h), zn);
  return ahead + 2 * h * model_drive_rate(layout->model, l, state->time);
}

// The same of models with events, whose loads may begin and end.
static Amplitude switched_amplitude(const Motion *motion, PetscInt load, double h) {
  int f = model_load(motion->layout.model, load)->load.amplitude;
  double t = motion->state.time - motion->switches.load[load].since;
  if (!switches_load_acts(&motion->switches, load)) return (Amplitude){.now = 0};
  return (Amplitude){.now = model_amplitude(motion->layout.model, f, t),
                     .next = model_amplitude(motion->layout.model, f, t + h)};
}

static void switched_drive(Motion *motion, PetscInt j, PetscInt load, double h) {
  const Load *l = &model_load(motion->layout.model, load)->load;
  const LoadSwitch *w = &motion->switches.load[load];
  double t = motion->state.time - w->since;
  if (!switches_load_acts(&motion->switches, load)) return;
  motion->step.target[j].z[l->coord] = model_drive(motion->layout.model, l, t, h, motion->state.coord[j].z[l->coord]);
  if (l->drive == DRIVE_MOTION) motion->step.target[j].z[l->coord] += w->from;
  motion->step.target_rate[j].z[l->coord] = model_drive_rate(motion->layout.model, l, t);
}

static void hold_locked(Motion *motion, PetscInt j) {
  const JointSwitch *w = &motion->switches.joint[motion->layout.joint[j]];
  for (int c = 0; c < MAX_COORDS; c++)
    if (w->locked[c] != 0) {
      motion->step.target[j].z[c] = isnan(w->lock_at[c]) ? motion->state.coord[j].z[c] : w->lock_at[c];
      motion->step.target_rate[j].z[c] = 0;
    }
}

// A load passes through the tableau like a stress, straight in time from t_n to t_n + h; across a jump it does not
// change.
PetscErrorCode MotionBeginStep(Motion *motion, double h) {
  const Tableau *t = &motion->layout.rule->tableau;
  Model m = motion->layout.model;
  PetscFunctionBegin;
  motion->step.h = h, motion->step.recall = state_recall(&motion->layout, &motion->state, h);
  for (PetscInt l = 0; l < m->loads.count; l++) {
    int f = model_load(m, l)->load.amplitude;
    motion->step.end_amplitude[l] = motion->switches.any
                                        ? switched_amplitude(motion, l, h)
                                        : (Amplitude){.now = model_amplitude(m, f, motion->state.time),
                                                      .next = amplitude_after(&motion->layout, &motion->state, f, h)};
    for (int k = 0; k < t->s; k++) motion->step.amplitude[l][k] = amplitude_of(t, motion->step.end_amplitude[l], k);
  }
  for (int i = 0; i < m->ports.count; i++) {
    const ModelPort *q = model_port(m, i);
    double z = motion->step.exchange > 0 ? port_impedance(q, motion->step.exchange) : 0;
    for (int k = 0; k < q->count; k++)
      motion->step.end_amplitude[q->load + k] =
          (Amplitude){.impedance_over_h = z / h, .wave = sqrt(2 * z) * motion->state.wave[q->wave + k].in};
  }
  for (int i = 0; i < m->bonds.count; i++)
    motion->step.end_amplitude[model_bond(m, i)->load] = (Amplitude){.wave = -motion->state.bond[i].force};
  for (PetscInt j = 0; j < motion->layout.njoint; j++) { // what nothing drives stays
    motion->step.target[j] = motion->state.coord[j], motion->step.target_rate[j] = (Coords){{0}};
    for (PetscInt i = motion->layout.joint_load_start[j]; i < motion->layout.joint_load_start[j + 1]; i++) {
      const Load *l = &model_load(m, motion->layout.joint_load[i])->load;
      if (!load_prescribes(l)) continue;
      if (motion->switches.any) {
        switched_drive(motion, j, motion->layout.joint_load[i], h);
        continue;
      }
      motion->step.target[j].z[l->coord] =
          drive_after(&motion->layout, &motion->state, l, h, motion->state.coord[j].z[l->coord]);
      motion->step.target_rate[j].z[l->coord] = model_drive_rate(m, l, motion->state.time);
    }
    if (motion->switches.any) hold_locked(motion, j);
  }
  if (motion->contacts) PetscCall(ContactsBegin(motion));
  if (motion->step.component) PetscCall(MotionBeginMomentum(motion));
  PetscFunctionReturn(0);
}

PetscErrorCode EquationsAddLocal(const Layout *layout, Equations *equations, PetscInt count, const PetscInt *blocks,
                                 double *residual, PetscBool tangent) {
  PetscFunctionBegin;
  for (PetscInt b = 0; b < count; b++)
    for (PetscInt i = 0; i < layout->bs && blocks[b] < layout->nblock_own; i++)
      residual[blocks[b] * layout->bs + i] += equations->scratch->r[b * layout->bs + i];
  if (tangent && equations->matrix.next == equations->matrix.count)
    PetscCall(MatrixFindSlots(layout, &equations->matrix, count, blocks));
  if (tangent) equations_add_blocks(layout, equations, count, blocks);
  PetscFunctionReturn(0);
}

static PetscInt node_block_list(const Layout *layout, PetscInt node, PetscInt *blocks) {
  int n = node_blocks(model_node(layout->model, layout->node[node])->kind);
  for (int b = 0; b < n; b++) blocks[b] = layout->node_block[node] + b;
  return n;
}

static PetscInt projection_block_list(const Layout *layout, PetscInt node, PetscInt *blocks) {
  int n = node_blocks(model_node(layout->model, layout->node[node])->kind);
  for (int b = 0; b < n; b++) blocks[b] = layout->node_block[node] - n + b;
  return n;
}

// y^k of a local node with projection; false if it does not
static bool layout_projection(const Layout *layout, const double *q, PetscInt node, ProjectionVelocity *out) {
  if (!layout->has_projection[layout->node[node]]) return false;
  int n = node_blocks(model_node(layout->model, layout->node[node])->kind);
  const double *at = q + (layout->node_block[node] - n) * layout->bs;
  for (int k = 0; k < layout->rule->tableau.s; k++) {
    out->v[k] = vec3_of(at + 3 * k);
    out->w[k] = n > 1 ? vec3_of(at + layout->bs + 3 * k) : vec3_zero();
  }
  return true;
}

void motion_start_velocity(const Motion *motion, PetscInt node, Vec3 vn[2]) {
  const Vec3 *x = motion->state.x + 4 * node, *v = motion->state.v + 4 * node;
  bool frame = layout_is_material(&motion->layout, node);
  Vec3 centre_velocity = step_centre_velocity(&motion->layout, &motion->step, node);
  vn[0] = vec3_sub(v[0], frame ? mat3_apply_transpose(node_axes(x), centre_velocity) : centre_velocity);
  vn[1] = v[1];
}

void motion_frame_velocity(const Motion *motion, const double *q, PetscInt node, MaterialVelocity *out) {
  Vec3 u[MAX_STAGES], c[MAX_STAGES], vn[2];
  ProjectionVelocity y;
  layout_increments(&motion->layout, q, node, u, c);
  motion_start_velocity(motion, node, vn);
  material_velocity(&motion->layout.rule->tableau, motion->step.h,
                    step_centre_velocity(&motion->layout, &motion->step, node), motion->state.x + 4 * node, vn,
                    layout_projection(&motion->layout, q, node, &y) ? &y : NULL, u, c, out);
}

void motion_point_velocity(const Motion *motion, const double *q, PetscInt node, PointVelocity *out) {
  Vec3 u[MAX_STAGES], c[MAX_STAGES];
  const CoRotation *corotation = step_corotation(&motion->layout, &motion->step, node);
  ProjectionVelocity y;
  layout_increments(&motion->layout, q, node, u, c);
  if (corotation)
    corotation_velocity(corotation, &motion->layout.rule->tableau, motion->step.h, motion->state.v[4 * node], u, out);
  else
    point_velocity(&motion->layout.rule->tableau, motion->step.h, motion->state.v[4 * node],
                   layout_projection(&motion->layout, q, node, &y) ? &y : NULL, u, out);
}

// Centrifugal forces on the vectors of a node at the end of the step: rate^2 sum_j M_ij P (x_j - centre), P across the
// axis.
static void add_spin(const StepContext *step, Equations *equations, NodeKind kind, const double mass[4][4],
                     const NodeMotion *m) {
  Vec3 a = step->spin.axis, f[4], out[4];
  double rate = step->spin.rate * step->spin.rate, kappa[4][4];
  int nvec = node_vectors(kind);
  for (int j = 0; j < nvec; j++) {
    Vec3 x = j == 0 ? vec3_sub(m->x[0], step->spin.centre) : m->x[j];
    out[j] = vec3_scale(-rate, vec3_axpy(x, -vec3_dot(a, x), a));
  }
  for (int i = 0; i < nvec; i++) {
    f[i] = vec3_zero();
    for (int j = 0; j < nvec; j++) f[i] = vec3_axpy(f[i], mass[i][j], out[j]), kappa[i][j] = -rate * mass[i][j];
  }
  node_add_force(equations->scratch, kind, 0, m, 0, f);
  node_add_scalar_tangent(equations->scratch, kind, 0, m, 0, kind, 0, m, 0, &kappa[0][0], 4);
  Mat3 along = mat3_columns(vec3_scale(a.x, a), vec3_scale(a.y, a), vec3_scale(a.z, a));
  local_add_mat(equations->scratch, 0, 0, rate * mass[0][0], along); // the arms' part along the axis is left to Newton
}

static void add_fields(const Motion *moving, Equations *equations, NodeKind kind, PetscInt i,
                       const NodeMotion *motion) {
  for (PetscInt l = 0; l < moving->layout.nfield; l++) {
    Vec3 f[4], g = model_load(moving->layout.model, moving->layout.field[l])->load.acceleration;
    double first[4];
    layout_field_mass(&moving->layout, l, i, first);
    for (int k = 0; k < moving->layout.rule->tableau.s; k++) {
      load_on_mass(vec3_scale(-moving->step.amplitude[moving->layout.field[l]][k], g), node_vectors(kind), first, f);
      node_add_force(equations->scratch, kind, 0, &motion[k], k, f);
    }
  }
}

static void add_inertia(const Motion *motion, Equations *equations, const double *q, PetscInt i, NodeKind kind,
                        const ProjectionVelocity *y) {
  const Tableau *t = &motion->layout.rule->tableau;
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  Vec3 u[MAX_STAGES], c[MAX_STAGES], vn[2];
  layout_increments(&motion->layout, q, i, u, c);
  if (layout_is_material(&motion->layout, i)) {
    motion_start_velocity(motion, i, vn);
    material_inertia(t, motion->step.h, &motion->layout.inertia[i],
                     step_centre_velocity(&motion->layout, &motion->step, i), n.x, vn, y, u, c, equations->scratch);
  } else if (step_corotation(&motion->layout, &motion->step, i))
    corotation_inertia(step_corotation(&motion->layout, &motion->step, i), t, motion->step.h,
                       motion->layout.inertia[i].m, n.v[0], u, equations->scratch);
  else if (y) point_inertia(t, motion->step.h, motion->layout.inertia[i].m, n.v[0], y, u, equations->scratch);
  else {
    AmbientRates rates;
    motion->layout.rule->rates(motion->layout.rule, motion->step.h, node_vectors(kind), n, &rates);
    ambient_inertia(kind, t->s, motion->layout.mass[i], &rates, motion->step.motion + i * t->s, equations->scratch);
  }
}

static void add_node_loads(const Motion *moving, Equations *equations, NodeKind kind, PetscInt i,
                           const NodeMotion *motion, bool fields) {
  for (PetscInt l = moving->layout.node_load_start[i]; l < moving->layout.node_load_start[i + 1]; l++)
    load_add_node(&model_load(moving->layout.model, moving->layout.node_load[l])->load, &moving->layout.rule->tableau,
                  moving->step.end_amplitude[moving->layout.node_load[l]], kind, moving->state.x + 4 * i, motion,
                  equations->scratch);
  if (fields) add_fields(moving, equations, kind, i, motion);
  if (layout_is_mass_damped(&moving->layout, i)) equations_add_mass_damping(moving, equations, i, kind, motion);
}

// Inertia and loads of one node, or what a frame has beside those on masses.
static PetscErrorCode EvaluateNode(const Motion *moving, Equations *equations, const double *q, PetscInt i,
                                   double *residual, PetscBool tangent) {
  const Tableau *t = &moving->layout.rule->tableau;
  NodeKind kind = model_node(moving->layout.model, moving->layout.node[i])->kind;
  const NodeMotion *motion = moving->step.motion + i * t->s;
  PetscInt blocks[4], count;
  ProjectionVelocity y;
  bool framed = batches_have_frame(moving, &equations->batches, i), projected;
  PetscFunctionBegin;
  if (framed && moving->layout.node_load_start[i] == moving->layout.node_load_start[i + 1] &&
      !layout_is_mass_damped(&moving->layout, i))
    PetscFunctionReturn(0);
  count = node_block_list(&moving->layout, i, blocks), projected = layout_projection(&moving->layout, q, i, &y);
  if (projected) count += projection_block_list(&moving->layout, i, blocks + count);
  local_begin(equations->scratch, t->s, (int)count, tangent);
  if (!framed) add_inertia(moving, equations, q, i, kind, projected ? &y : NULL);
  if (layout_turns(&moving->layout, &moving->step.spin, i) && !layout_is_abstract(&moving->layout, i))
    add_spin(&moving->step, equations, kind, moving->layout.mass[i], &motion[0]);
  add_node_loads(moving, equations, kind, i, motion, !framed);
  PetscCall(EquationsAddLocal(&moving->layout, equations, count, blocks, residual, tangent));
  PetscFunctionReturn(0);
}

static void gather_nodes(const Motion *motion, PetscInt nnode, const PetscInt *nodes, LocalMotion *it,
                         PetscInt *blocks) {
  int n = motion->layout.rule->tableau.s;
  PetscInt count = 0;
  local_motion_begin(it, n, motion->layout.rule->tableau.force_rule);
  for (PetscInt a = 0; a < nnode; a++) {
    local_motion_add_moved(it, model_node(motion->layout.model, motion->layout.node[nodes[a]])->kind,
                           motion->state.x + 4 * nodes[a], motion->step.motion + n * nodes[a]);
    count += node_block_list(&motion->layout, nodes[a], blocks + count);
  }
}

void state_gather_element(const Layout *layout, const State *state, const double *q, PetscInt e, LocalMotion *it) {
  Vec3 u[MAX_STAGES], c[MAX_STAGES];
  local_motion_begin(it, layout->rule->tableau.s, layout->rule->tableau.force_rule);
  for (PetscInt a = layout->element_node_start[e]; a < layout->element_node_start[e + 1]; a++) {
    PetscInt i = layout->element_node[a];
    layout_increments(layout, q, i, u, c);
    local_motion_add_node(it, model_node(layout->model, layout->node[i])->kind, state->x + 4 * i, u, c);
  }
}

// An element's loads, and its strains where they are asked for.
static PetscErrorCode AddElement(const Motion *motion, Equations *equations, PetscInt e, bool strains, bool augmented,
                                 double *residual, PetscBool tangent) {
  const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
  PetscInt blocks[MAX_LOCAL_BLOCKS];
  LocalMotion it;
  PetscFunctionBegin;
  if (!strains && !augmented && motion->layout.element_load_start[e] == motion->layout.element_load_start[e + 1])
    PetscFunctionReturn(0);
  if (el->kind->points(el->data) == 0) PetscFunctionReturn(0);
  gather_nodes(motion, el->nnode, motion->layout.element_node + motion->layout.element_node_start[e], &it, blocks);
  local_begin(equations->scratch, it.s, it.nblock, tangent);
  ElementStep step = motion_element_step(motion, e);
  if (strains) element_evaluate(el->kind, el->data, &step, &it, equations->scratch);
  if (augmented)
    augmented_evaluate(el->kind, el->data, &it, motion->augmented.penalty_factor,
                       augmented_multipliers(&motion->augmented, e), equations->scratch);
  for (PetscInt l = motion->layout.element_load_start[e]; l < motion->layout.element_load_start[e + 1]; l++) {
    NodeLoad node[MAX_LOCAL_NODES];
    load_on_element(&model_load(motion->layout.model, motion->layout.element_load[l])->load, el->kind, el->data,
                    &motion->layout.rule->tableau, motion->step.end_amplitude[motion->layout.element_load[l]], &it,
                    node, equations->scratch);
  }
  PetscCall(EquationsAddLocal(&motion->layout, equations, it.nblock, blocks, residual, tangent));
  PetscFunctionReturn(0);
}

// An element, or what one in a batch has beside its strains.
static PetscErrorCode EvaluateElement(const Motion *motion, Equations *equations, PetscInt e, double *residual,
                                      PetscBool tangent) {
  PetscFunctionBegin;
  PetscCall(AddElement(motion, equations, e, !equations->batches.batched[e],
                       augmented_multipliers(&motion->augmented, e), residual, tangent));
  PetscFunctionReturn(0);
}

void motion_projection_rows(const Motion *motion, PetscInt joint, bool stepping, ProjectionRows *out) {
  const ModelJoint *m = model_joint(motion->layout.model, motion->layout.joint[joint]);
  Vec3 corotation[MAX_LOCAL_NODES];
  JointState q;
  state_get_joint(&motion->layout, &motion->state, joint, &q);
  for (int a = 0; a < m->nnode; a++) corotation[a] = motion->state.v[4 * motion->layout.joint_node[joint][a] + 1];
  projection_build_rows(layout_joint(&motion->layout, joint), m->nnode, q.kind, q.first, q.x,
                        &motion->state.coord[joint], &motion->step.target_rate[joint], motion->step.h,
                        stepping ? corotation : NULL, out);
}

// The projection's part of a joint: blocks of y for each moving node, then those of mu, behind the joint's own.
static PetscInt evaluate_projection(const Motion *motion, const double *q, PetscInt j, const LocalMotion *it, int at,
                                    PetscInt *blocks, ProjectionNode *node) {
  const ModelJoint *m = model_joint(motion->layout.model, motion->layout.joint[j]);
  for (int a = 0; a < m->nnode; a++) {
    PetscInt i = motion->layout.joint_node[j][a];
    ProjectionNode *n = &node[a];
    n->kind = it->kind[a], n->block = it->block[a], n->projection = at;
    if (n->kind == NODE_FIXED) continue;
    layout_projection(&motion->layout, q, i, &n->y);
    motion_start_velocity(motion, i, n->start);
    if (n->kind == NODE_FRAME) motion_frame_velocity(motion, q, i, &n->frame);
    else motion_point_velocity(motion, q, i, &n->point);
    at += (int)projection_block_list(&motion->layout, i, blocks + at);
  }
  for (int b = 0; b < projection_blocks(layout_joint(&motion->layout, j)); b++)
    blocks[at + b] = motion->layout.joint_block[j] + joint_blocks(layout_joint(&motion->layout, j)) + b;
  return at;
}

void layout_projection_multipliers(const Layout *layout, const double *q, PetscInt joint,
                                   double mu[MAX_STAGES][MAX_ROWS]) {
  const Joint *j = layout_joint(layout, joint);
  const double *own = q + (layout->joint_block[joint] + joint_blocks(j)) * layout->bs;
  for (int k = 0; k < layout->rule->tableau.s; k++)
    for (int r = 0; r < j->nprojection; r++) mu[k][r] = own[r / 3 * layout->bs + 3 * k + r % 3];
}

// What laws and loads put on the coordinates of a joint over the step, along the coordinate.
static void store_coord_forces(Motion *motion, PetscInt j, const double *lambda, const Coords *zk) {
  const Joint *m = layout_joint(&motion->layout, j);
  CoordForces *out = &motion->state.coord_force[j];
  *out = (CoordForces){.spring = {{0}}};
  for (int c = 0; c < m->ncoord; c++) {
    LawState law;
    FrictionStep sticks;
    double z[MAX_STAGES], past = motion->state.coord_increment[0] ? motion->state.coord_increment[0][j].z[c] : 0;
    if (!law_acts(&m->law[c])) continue;
    for (int k = 0; k < motion->layout.rule->tableau.s; k++) z[k] = zk[k].z[c];
    law_evaluate(&m->law[c], &motion->layout.rule->tableau, motion->step.h, &motion->step.recall, past,
                 motion->state.coord[j].z[c], z, &law);
    out->spring.z[c] = law.damper + law.friction - law.force[0];
    joint_friction(m, c, &motion->layout.rule->tableau, motion->step.h, &motion->state.bristles[j], lambda,
                   motion->state.coord[j].z[c], z[0], &sticks);
    out->damper.z[c] = -law.damper, out->friction.z[c] = -law.friction - sticks.force;
  }
  for (PetscInt i = motion->layout.joint_load_start[j]; i < motion->layout.joint_load_start[j + 1]; i++) {
    PetscInt load = motion->layout.joint_load[i];
    CoordLoad q = {.force = {0}};
    if (!load_prescribes(&model_load(motion->layout.model, load)->load) && switches_load_acts(&motion->switches, load))
      motion_joint_load(motion, j, load, zk, &q);
    motion->state.load_force[load] = q.force[0];
  }
}

// The multipliers of a joint over the step; the impulse of the projection at its start belongs to their mean.
void motion_store_multipliers(Motion *motion, const double *q, PetscInt j) {
  const Joint *m = layout_joint(&motion->layout, j);
  double lambda[MAX_STAGES][MAX_ROWS], mu[MAX_STAGES][MAX_ROWS];
  Coords zk[MAX_STAGES];
  ProjectionRows projection_rows;
  state_joint_unknowns(&motion->layout, &motion->state, q, j, lambda, zk);
  for (int r = 0; r < MAX_ROWS; r++) motion->state.multiplier[j][r] = r < m->rows.nrow ? lambda[0][r] : 0;
  store_coord_forces(motion, j, lambda[0], zk);
  if (!motion->layout.rule->projects_velocities || m->nprojection == 0) return;
  motion_projection_rows(motion, j, true, &projection_rows);
  layout_projection_multipliers(&motion->layout, q, j, mu);
  for (int i = 0; i < m->nprojection; i++)
    for (int r = 0; r < m->rows.nrow; r++)
      motion->state.multiplier[j][r] -= mu[0][i] * projection_rows.part[i][r] / motion->step.h;
}

void motion_joint_load(const Motion *motion, PetscInt joint, PetscInt load, const Coords *zk, CoordLoad *out) {
  const Load *l = &model_load(motion->layout.model, load)->load;
  double z[MAX_STAGES];
  for (int k = 0; k < motion->layout.rule->tableau.s; k++) z[k] = zk[k].z[l->coord];
  load_on_coord(l, &motion->layout.rule->tableau, motion->step.h, motion->step.end_amplitude[load],
                motion->state.coord[joint].z[l->coord], z, out);
}

// Loads on the coordinates of a joint: the sum of their forces; their tangents go to the item.
static void evaluate_joint_loads(const Motion *motion, Equations *equations, PetscInt j, int first, const Coords *zk,
                                 Coords *force) {
  int n = motion->layout.rule->tableau.s;
  Local *out = equations->scratch;
  for (int k = 0; k < n; k++) force[k] = (Coords){{0}};
  for (PetscInt i = motion->layout.joint_load_start[j]; i < motion->layout.joint_load_start[j + 1]; i++) {
    const Load *l = &model_load(motion->layout.model, motion->layout.joint_load[i])->load;
    int at = layout_joint(&motion->layout, j)->rows.nrow + l->coord;
    CoordLoad q;
    if (!switches_load_acts(&motion->switches, motion->layout.joint_load[i])) continue;
    motion_joint_load(motion, j, motion->layout.joint_load[i], zk, &q);
    for (int k = 0; k < n; k++) {
      int row = local_at(out, first + at / 3, k) + at % 3;
      force[k].z[l->coord] += q.force[k];
      for (int m = 0; m < n && out->tangent; m++)
        out->k[row * out->n + local_at(out, first + at / 3, m) + at % 3] -= q.tangent[k][m];
    }
  }
}

// Where a coordinate is prescribed, its balance gives way to z_k = target; a jump takes no time, and it stands still.
static void prescribe_coords(const Motion *motion, Equations *equations, PetscInt j, int first, const Coords *zk) {
  const Joint *m = layout_joint(&motion->layout, j);
  Local *out = equations->scratch;
  for (int c = 0; c < m->ncoord; c++) {
    int at = m->rows.nrow + c;
    for (int k = 0; k < motion->layout.rule->tableau.s && m->prescribed[c]; k++) {
      int row = local_at(out, first + at / 3, k) + at % 3;
      for (int i = 0; i < out->n && out->tangent; i++) out->k[row * out->n + i] = i == row;
      out->r[row] = zk[k].z[c] - (k ? motion->state.coord[j].z[c] : motion->step.target[j].z[c]);
    }
  }
}

// Rows that follow from others stay without force.
static void leave_out(const Motion *motion, Equations *equations, PetscInt j, int first,
                      double lambda[MAX_STAGES][MAX_ROWS]) {
  const Joint *m = layout_joint(&motion->layout, j);
  Local *out = equations->scratch;
  for (int r = 0; r < m->rows.nrow; r++)
    for (int k = 0; k < motion->layout.rule->tableau.s && motion->row_off[j][r]; k++) {
      int row = local_at(out, first + r / 3, k) + r % 3;
      for (int c = 0; c < out->n && out->tangent; c++) out->k[row * out->n + c] = c == row;
      out->r[row] = lambda[k][r];
    }
}

static PetscErrorCode EvaluateJoint(const Motion *motion, Equations *equations, const double *q, PetscInt j,
                                    double *residual, PetscBool tangent) {
  const Joint *joint = layout_joint(&motion->layout, j);
  int nnode = model_joint(motion->layout.model, motion->layout.joint[j])->nnode;
  PetscInt blocks[MAX_LOCAL_BLOCKS], count;
  double lambda[MAX_STAGES][MAX_ROWS], mu[MAX_STAGES][MAX_ROWS];
  Coords zk[MAX_STAGES], force[MAX_STAGES];
  ProjectionNode node[MAX_LOCAL_NODES];
  int own = joint_blocks(joint), mine = 0;
  bool projects = motion->layout.rule->projects_velocities && joint->nprojection > 0;
  LocalMotion it;
  PetscFunctionBegin;
  gather_nodes(motion, nnode, motion->layout.joint_node[j], &it, blocks);
  for (int b = 0; b < own; b++) blocks[it.nblock + b] = motion->layout.joint_block[j] + b;
  count = it.nblock + own;
  if (projects) {
    mine = (int)evaluate_projection(motion, q, j, &it, (int)count, blocks, node);
    count = mine + projection_blocks(joint);
    layout_projection_multipliers(&motion->layout, q, j, mu);
  }
  local_begin(equations->scratch, it.s, (int)count, tangent);
  state_joint_unknowns(&motion->layout, &motion->state, q, j, lambda, zk);
  evaluate_joint_loads(motion, equations, j, it.nblock, zk, force);
  joint_evaluate(joint, &motion->layout.rule->tableau, motion->step.h, &motion->step.recall,
                 motion->state.coord_increment[0] ? &motion->state.coord_increment[0][j] : NULL,
                 &motion->state.bristles[j], &it, &motion->state.coord[j], zk, lambda, force, equations->scratch);
  prescribe_coords(motion, equations, j, it.nblock, zk);
  leave_out(motion, equations, j, it.nblock, lambda);
  if (projects) {
    ProjectionRows projection_rows;
    motion_projection_rows(motion, j, true, &projection_rows);
    projection_evaluate(joint, &motion->layout.rule->tableau, motion->step.h, motion->layout.rule->rho, nnode, node,
                        &projection_rows, motion->row_off[j], mu, mine, equations->scratch);
  }
  PetscCall(EquationsAddLocal(&motion->layout, equations, count, blocks, residual, tangent));
  PetscFunctionReturn(0);
}

PetscErrorCode EquationsEvaluate(Motion *motion, Equations *equations, PetscBool tangent) {
  Vec local;
  const double *q;
  double *r;
  double t0, t1;
  PetscFunctionBegin;
  t0 = equations_clock(equations);
  PetscCall(LogEventBegin(tangent ? LOG_ASSEMBLE : LOG_EVALUATE));
  PetscCall(EquationsRefresh(&motion->layout, equations));
  if (tangent) PetscCall(MatrixOpenTangent(motion, &equations->matrix));
  PetscCall(VecZeroEntries(equations->residual));
  PetscCall(EquationsOpenUnknowns(&motion->layout, equations, &local, &q));
  PetscCall(VecGetArray(equations->residual, &r));
  equations_evaluate_frames(motion, equations, q, r, tangent);
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++)
    if (motion->layout.node_block[i] >= 0) PetscCall(EvaluateNode(motion, equations, q, i, r, tangent));
  if (motion->step.component && motion->layout.rule->exact_momentum)
    PetscCall(EquationsBalanceMomentum(motion, equations, r, tangent));
  PetscCall(EquationsEvaluateBatches(motion, equations, r, tangent));
  for (PetscInt e = 0; e < motion->layout.nelement; e++) PetscCall(EvaluateElement(motion, equations, e, r, tangent));
  PetscCall(EquationsEvaluateWheels(motion, equations, r, tangent));
  equations_evaluate_joint_batches(motion, equations, q, r, tangent);
  for (PetscInt j = 0; j < motion->layout.njoint; j++)
    if (!equations->batches.joint_batched[j]) PetscCall(EvaluateJoint(motion, equations, q, j, r, tangent));
  if (motion->contacts) PetscCall(ContactsEvaluate(motion, equations, r, tangent));
  PetscCall(VecRestoreArray(equations->residual, &r));
  PetscCall(EquationsCloseUnknowns(&motion->layout, equations, &local, &q));
  if (tangent) matrix_stiffen_thin_frames(motion, &equations->matrix);
  if (tangent) PetscCall(MatrixCloseTangent(&motion->layout, &equations->matrix));
  PetscCall(LogEventEnd(tangent ? LOG_ASSEMBLE : LOG_EVALUATE));
  t1 = equations_clock(equations);
  equations->watch.evaluate += t1 - t0;
  PetscFunctionReturn(0);
}

// ---- impulse of loads and reactions ----

static bool element_is_tied(const Layout *layout, PetscInt e) {
  bool tied = false;
  for (PetscInt a = layout->element_node_start[e]; a < layout->element_node_start[e + 1]; a++)
    tied = tied || model_node(layout->model, layout->node[layout->element_node[a]])->kind == NODE_FIXED;
  return tied;
}

// Loads, and elements and joints that are tied to the ground.
static PetscErrorCode EvaluateOutside(Motion *motion, Equations *equations, const double *q, double *r) {
  const Layout *layout = &motion->layout;
  PetscFunctionBegin;
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    NodeKind kind = model_node(layout->model, layout->node[i])->kind;
    PetscInt blocks[4], count = node_block_list(layout, i, blocks);
    if (layout->node_block[i] < 0) continue;
    local_begin(equations->scratch, layout->rule->tableau.s, (int)count, false);
    add_node_loads(motion, equations, kind, i, motion->step.motion + i * layout->rule->tableau.s, true);
    PetscCall(EquationsAddLocal(layout, equations, count, blocks, r, PETSC_FALSE));
  }
  for (PetscInt e = 0; e < layout->nelement; e++) {
    bool tied = element_is_tied(layout, e);
    PetscCall(
        AddElement(motion, equations, e, tied, tied && augmented_multipliers(&motion->augmented, e), r, PETSC_FALSE));
  }
  for (PetscInt j = 0; j < layout->njoint;
       j++) { // those that tie coordinates of other joints may act on the ground too
    const ModelJoint *m = model_joint(layout->model, layout->joint[j]);
    if (model_joint_is_tied(layout->model, m) || m->kind->ties)
      PetscCall(EvaluateJoint(motion, equations, q, j, r, PETSC_FALSE));
  }
  if (motion->contacts) PetscCall(ContactsEvaluate(motion, equations, r, PETSC_FALSE));
  PetscFunctionReturn(0);
}

// Adds the impulse at an own node and the sizes of it and of the node's momentum.
static void add_impulse(const Motion *motion, const double *r, PetscInt i, double sum[8]) {
  const Layout *layout = &motion->layout;
  const double *at = r + layout->node_block[i] * layout->bs, h = motion->step.h;
  Vec3 f = vec3_scale(-h, vec3_of(at)), m = vec3_zero(), p, own, x = motion->state.x[4 * i];
  if (node_blocks(model_node(layout->model, layout->node[i])->kind) > 1) m = vec3_scale(-h, vec3_of(at + layout->bs));
  state_node_momentum(layout, &motion->state, i, &p, &own);
  sum[6] += vec3_norm(f) + vec3_norm(p), sum[7] += vec3_norm(x) * vec3_norm(f) + vec3_norm(m) + vec3_norm(own);
  m = vec3_add(m, vec3_cross(vec3_mean(x, motion->step.motion[i].x[0]), f));
  vec3_to(vec3_add(vec3_of(sum), f), sum), vec3_to(vec3_add(vec3_of(sum + 3), m), sum + 3);
}

PetscErrorCode EquationsImpulse(Motion *motion, Equations *equations, StepImpulse *out) {
  const Layout *layout = &motion->layout;
  const double *q;
  double *r, sum[8] = {0};
  Vec local;
  PetscFunctionBegin;
  PetscCall(VecZeroEntries(equations->work));
  PetscCall(EquationsOpenUnknowns(layout, equations, &local, &q));
  PetscCall(VecGetArray(equations->work, &r));
  PetscCall(EvaluateOutside(motion, equations, q, r));
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    if (layout->node_block[i] >= 0 && !layout_is_abstract(layout, i)) add_impulse(motion, r, i, sum);
  PetscCall(VecRestoreArray(equations->work, &r));
  PetscCall(EquationsCloseUnknowns(layout, equations, &local, &q));
  PetscCall(ReduceArray(layout->comm, sum, 8, MPI_DOUBLE, MPI_SUM));
  *out = (StepImpulse){vec3_of(sum), vec3_of(sum + 3), sum[6], sum[7]};
  PetscFunctionReturn(0);
}
