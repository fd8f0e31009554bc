// SPDX-License-Identifier: Apache-2.0
// Residual and tangent of a step: nodes, elements and joints, each in its place.
#include "assembly/contacts.h"
#include "base/rotation.h"
#include "assembly/system.h"

void system_joint_unknowns(const System *s, const double *q, PetscInt joint, double lambda[MAX_STAGES][MAX_ROWS],
                           Coords *zk) {
  const Joint *j = system_joint(s, joint);
  const double *at = q + s->layout.joint_block[joint] * s->layout.bs;
  for (int k = 0; k < s->rule->tableau.s; k++) {
    for (int r = 0; r < j->rows.nrow; r++) lambda[k][r] = at[r / 3 * s->layout.bs + 3 * k + r % 3];
    zk[k] = s->state.coord[joint];
    for (int c = 0; c < j->ncoord; c++) {
      int z = j->rows.nrow + c;
      zk[k].z[c] += at[z / 3 * s->layout.bs + 3 * k + z % 3];
    }
  }
}

// Functions of time begin at t = 0.
static bool is_before_start(const System *s, double h) { return h < 0 && s->state.time + h < 0; }

// What a function of time is at t + h; a step back beyond the start continues it to the other side as it is from t on.
static double amplitude_after(const System *s, int f, double h) {
  if (!is_before_start(s, h)) return model_amplitude(s->layout.model, f, s->state.time + h);
  double ahead = model_amplitude(s->layout.model, f, s->state.time + fabs(h));
  return 2 * model_amplitude(s->layout.model, f, s->state.time) - ahead;
}

static double drive_after(const System *s, const Load *l, double h, double zn) {
  if (!is_before_start(s, h)) return model_drive(s->layout.model, l, s->state.time, h, zn);
  double ahead = model_drive(s->layout.model, l, s->state.time, fabs(h), zn);
  return ahead + 2 * h * model_drive_rate(s->layout.model, l, s->state.time);
}

// The same of models with events, whose loads may begin and end.
static Amplitude switched_amplitude(const System *s, PetscInt load, double h) {
  int f = model_load(s->layout.model, load)->load.amplitude;
  double t = s->state.time - s->switches.load[load].since;
  if (!system_load_acts(s, load)) return (Amplitude){0, 0};
  return (Amplitude){model_amplitude(s->layout.model, f, t), model_amplitude(s->layout.model, f, t + h)};
}

static void switched_drive(System *s, PetscInt j, PetscInt load, double h) {
  const Load *l = &model_load(s->layout.model, load)->load;
  const LoadSwitch *w = &s->switches.load[load];
  double t = s->state.time - w->since;
  if (!system_load_acts(s, load)) return;
  s->step.target[j].z[l->coord] = model_drive(s->layout.model, l, t, h, s->state.coord[j].z[l->coord]);
  if (l->drive == DRIVE_MOTION) s->step.target[j].z[l->coord] += w->from;
  s->step.target_rate[j].z[l->coord] = model_drive_rate(s->layout.model, l, t);
}

static void hold_locked(System *s, PetscInt j) {
  const JointSwitch *w = &s->switches.joint[s->layout.joint[j]];
  for (int c = 0; c < MAX_COORDS; c++)
    if (w->locked[c] != 0) {
      s->step.target[j].z[c] = isnan(w->lock_at[c]) ? s->state.coord[j].z[c] : w->lock_at[c];
      s->step.target_rate[j].z[c] = 0;
    }
}

// A load passes through the tableau like a stress, straight in time from t_n to t_n + h; across a jump it does not change.
PetscErrorCode SystemBeginStep(System *s, double h) {
  const Tableau *t = &s->rule->tableau;
  Model m = s->layout.model;
  PetscFunctionBegin;
  s->step.h = h, s->step.recall = system_recall(s, h);
  for (PetscInt l = 0; l < m->loads.count; l++) {
    int f = model_load(m, l)->load.amplitude;
    s->step.end_amplitude[l] = s->switches.any
                                   ? switched_amplitude(s, l, h)
                                   : (Amplitude){model_amplitude(m, f, s->state.time), amplitude_after(s, f, h)};
    for (int k = 0; k < t->s; k++) s->step.amplitude[l][k] = amplitude_of(t, s->step.end_amplitude[l], k);
  }
  for (PetscInt j = 0; j < s->layout.njoint; j++) { // what nothing drives stays
    s->step.target[j] = s->state.coord[j], s->step.target_rate[j] = (Coords){{0}};
    for (PetscInt i = s->layout.joint_load_start[j]; i < s->layout.joint_load_start[j + 1]; i++) {
      const Load *l = &model_load(m, s->layout.joint_load[i])->load;
      if (!load_prescribes(l)) continue;
      if (s->switches.any) {
        switched_drive(s, j, s->layout.joint_load[i], h);
        continue;
      }
      s->step.target[j].z[l->coord] = drive_after(s, l, h, s->state.coord[j].z[l->coord]);
      s->step.target_rate[j].z[l->coord] = model_drive_rate(m, l, s->state.time);
    }
    if (s->switches.any) hold_locked(s, j);
  }
  if (s->contacts) PetscCall(ContactsBegin(s));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemAddLocal(System *s, PetscInt count, const PetscInt *blocks, double *residual, PetscBool tangent) {
  PetscFunctionBegin;
  for (PetscInt b = 0; b < count; b++)
    for (PetscInt i = 0; i < s->layout.bs && blocks[b] < s->layout.nblock_own; i++)
      residual[blocks[b] * s->layout.bs + i] += s->scratch->r[b * s->layout.bs + i];
  if (tangent && s->matrix.next == s->matrix.count) PetscCall(SystemFindSlots(s, count, blocks));
  if (tangent) system_add_blocks(s, count, blocks);
  PetscFunctionReturn(0);
}

static PetscInt node_block_list(const System *s, PetscInt node, PetscInt *blocks) {
  int n = node_blocks(model_node(s->layout.model, s->layout.node[node])->kind);
  for (int b = 0; b < n; b++) blocks[b] = s->layout.node_block[node] + b;
  return n;
}

static PetscInt projection_block_list(const System *s, PetscInt node, PetscInt *blocks) {
  int n = node_blocks(model_node(s->layout.model, s->layout.node[node])->kind);
  for (int b = 0; b < n; b++) blocks[b] = s->layout.node_block[node] - n + b;
  return n;
}

bool system_projection(const System *s, const double *q, PetscInt node, ProjectionVelocity *out) {
  if (!s->layout.has_projection[s->layout.node[node]]) return false;
  int n = node_blocks(model_node(s->layout.model, s->layout.node[node])->kind);
  const double *at = q + (s->layout.node_block[node] - n) * s->layout.bs;
  for (int k = 0; k < s->rule->tableau.s; k++) {
    out->v[k] = vec3_of(at + 3 * k);
    out->w[k] = n > 1 ? vec3_of(at + s->layout.bs + 3 * k) : vec3_zero();
  }
  return true;
}

void system_start_velocity(const System *s, PetscInt node, Vec3 vn[2]) {
  const Vec3 *x = s->state.x + 4 * node, *v = s->state.v + 4 * node;
  bool frame = system_material(s, node);
  Vec3 centre_velocity = system_centre_velocity(s, node);
  vn[0] = vec3_sub(v[0], frame ? mat3_apply_transpose(node_axes(x), centre_velocity) : centre_velocity);
  vn[1] = v[1];
}

void system_frame_velocity(const System *s, const double *q, PetscInt node, MaterialVelocity *out) {
  Vec3 u[MAX_STAGES], c[MAX_STAGES], vn[2];
  ProjectionVelocity y;
  system_increments(s, q, node, u, c);
  system_start_velocity(s, node, vn);
  material_velocity(&s->rule->tableau, s->step.h, system_centre_velocity(s, node), s->state.x + 4 * node, vn,
                    system_projection(s, q, node, &y) ? &y : NULL, u, c, out);
}

void system_point_velocity(const System *s, const double *q, PetscInt node, PointVelocity *out) {
  Vec3 u[MAX_STAGES], c[MAX_STAGES];
  const CoRotation *corotation = system_corotation(s, node);
  ProjectionVelocity y;
  system_increments(s, q, node, u, c);
  if (corotation) corotation_velocity(corotation, &s->rule->tableau, s->step.h, s->state.v[4 * node], u, out);
  else
    point_velocity(&s->rule->tableau, s->step.h, s->state.v[4 * node], system_projection(s, q, node, &y) ? &y : NULL, u,
                   out);
}

// Centrifugal forces on the vectors of a node at the end of the step: rate^2 sum_j M_ij P (x_j - centre), P across the axis.
static void add_spin(System *s, NodeKind kind, const double mass[4][4], const NodeMotion *m) {
  Vec3 a = s->step.spin.axis, f[4], out[4];
  double rate = s->step.spin.rate * s->step.spin.rate, kappa[4][4];
  int nvec = node_vectors(kind);
  for (int j = 0; j < nvec; j++) {
    Vec3 x = j == 0 ? vec3_sub(m->x[0], s->step.spin.centre) : m->x[j];
    out[j] = vec3_scale(-rate, vec3_axpy(x, -vec3_dot(a, x), a));
  }
  for (int i = 0; i < nvec; i++) {
    f[i] = vec3_zero();
    for (int j = 0; j < nvec; j++) f[i] = vec3_axpy(f[i], mass[i][j], out[j]), kappa[i][j] = -rate * mass[i][j];
  }
  node_add_force(s->scratch, kind, 0, m, 0, f);
  node_add_scalar_tangent(s->scratch, kind, 0, m, 0, kind, 0, m, 0, &kappa[0][0], 4);
  Mat3 along = mat3_columns(vec3_scale(a.x, a), vec3_scale(a.y, a), vec3_scale(a.z, a));
  local_add_mat(s->scratch, 0, 0, rate * mass[0][0], along); // the arms' part along the axis is left to Newton
}

static void add_fields(System *s, NodeKind kind, PetscInt i, const NodeMotion *motion) {
  for (PetscInt l = 0; l < s->layout.nfield; l++) {
    Vec3 f[4], g = model_load(s->layout.model, s->layout.field[l])->load.acceleration;
    double first[4];
    system_field_mass(s, l, i, first);
    for (int k = 0; k < s->rule->tableau.s; k++) {
      load_on_mass(vec3_scale(-s->step.amplitude[s->layout.field[l]][k], g), node_vectors(kind), first, f);
      node_add_force(s->scratch, kind, 0, &motion[k], k, f);
    }
  }
}

static void add_inertia(System *s, const double *q, PetscInt i, NodeKind kind, const ProjectionVelocity *y) {
  const Tableau *t = &s->rule->tableau;
  NodeState n = system_node_state(s, i);
  Vec3 u[MAX_STAGES], c[MAX_STAGES], vn[2];
  system_increments(s, q, i, u, c);
  if (system_material(s, i)) {
    system_start_velocity(s, i, vn);
    material_inertia(t, s->step.h, &s->layout.inertia[i], system_centre_velocity(s, i), n.x, vn, y, u, c, s->scratch);
  } else if (system_corotation(s, i))
    corotation_inertia(system_corotation(s, i), t, s->step.h, s->layout.inertia[i].m, n.v[0], u, s->scratch);
  else if (y) point_inertia(t, s->step.h, s->layout.inertia[i].m, n.v[0], y, u, s->scratch);
  else {
    AmbientRates rates;
    s->rule->rates(s->rule, s->step.h, node_vectors(kind), n, &rates);
    ambient_inertia(kind, t->s, s->layout.mass[i], &rates, s->step.motion + i * t->s, s->scratch);
  }
}

// Inertia and loads of one node, or what a frame has beside those on masses.
static PetscErrorCode EvaluateNode(System *s, const double *q, PetscInt i, double *residual, PetscBool tangent) {
  const Tableau *t = &s->rule->tableau;
  NodeKind kind = model_node(s->layout.model, s->layout.node[i])->kind;
  const NodeMotion *motion = s->step.motion + i * t->s;
  PetscInt blocks[4], count;
  ProjectionVelocity y;
  bool framed = system_framed(s, i), projected;
  PetscFunctionBegin;
  if (framed && s->layout.node_load_start[i] == s->layout.node_load_start[i + 1] && !system_is_mass_damped(s, i))
    PetscFunctionReturn(0);
  count = node_block_list(s, i, blocks), projected = system_projection(s, q, i, &y);
  if (projected) count += projection_block_list(s, i, blocks + count);
  local_begin(s->scratch, t->s, (int)count, tangent);
  if (!framed) add_inertia(s, q, i, kind, projected ? &y : NULL);
  if (s->step.spin.rate != 0 && !system_is_abstract(s, i)) add_spin(s, kind, s->layout.mass[i], &motion[0]);
  for (PetscInt l = s->layout.node_load_start[i]; l < s->layout.node_load_start[i + 1]; l++)
    load_add_node(&model_load(s->layout.model, s->layout.node_load[l])->load, t,
                  s->step.end_amplitude[s->layout.node_load[l]], kind, s->state.x + 4 * i, motion, s->scratch);
  if (!framed) add_fields(s, kind, i, motion);
  if (system_is_mass_damped(s, i)) system_add_mass_damping(s, i, kind, motion);
  PetscCall(SystemAddLocal(s, count, blocks, residual, tangent));
  PetscFunctionReturn(0);
}

static void gather_nodes(const System *s, PetscInt nnode, const PetscInt *nodes, LocalMotion *it, PetscInt *blocks) {
  int n = s->rule->tableau.s;
  PetscInt count = 0;
  local_motion_begin(it, n, s->rule->tableau.force_rule);
  for (PetscInt a = 0; a < nnode; a++) {
    local_motion_add_moved(it, model_node(s->layout.model, s->layout.node[nodes[a]])->kind, s->state.x + 4 * nodes[a],
                           s->step.motion + n * nodes[a]);
    count += node_block_list(s, nodes[a], blocks + count);
  }
}

void system_gather_element(const System *s, const double *q, PetscInt e, LocalMotion *it) {
  Vec3 u[MAX_STAGES], c[MAX_STAGES];
  local_motion_begin(it, s->rule->tableau.s, s->rule->tableau.force_rule);
  for (PetscInt a = s->layout.element_node_start[e]; a < s->layout.element_node_start[e + 1]; a++) {
    PetscInt i = s->layout.element_node[a];
    system_increments(s, q, i, u, c);
    local_motion_add_node(it, model_node(s->layout.model, s->layout.node[i])->kind, s->state.x + 4 * i, u, c);
  }
}

// An element, or what one in a batch has beside its strains.
static PetscErrorCode EvaluateElement(System *s, PetscInt e, double *residual, PetscBool tangent) {
  const ModelElement *el = model_element(s->layout.model, s->layout.element[e]);
  PetscInt blocks[MAX_LOCAL_BLOCKS];
  LocalMotion it;
  PetscFunctionBegin;
  if (s->batches.batched[e] && !system_augmented_multipliers(s, e) &&
      s->layout.element_load_start[e] == s->layout.element_load_start[e + 1])
    PetscFunctionReturn(0);
  if (el->kind->points(el->data) == 0) PetscFunctionReturn(0);
  gather_nodes(s, el->nnode, s->layout.element_node + s->layout.element_node_start[e], &it, blocks);
  local_begin(s->scratch, it.s, it.nblock, tangent);
  ElementStep step = system_element_step(s, e);
  if (!s->batches.batched[e]) element_evaluate(el->kind, el->data, &step, &it, s->scratch);
  if (system_augmented_multipliers(s, e))
    augmented_evaluate(el->kind, el->data, &it, s->augmented.penalty_factor, system_augmented_multipliers(s, e),
                       s->scratch);
  for (PetscInt l = s->layout.element_load_start[e]; l < s->layout.element_load_start[e + 1]; l++) {
    NodeLoad node[MAX_LOCAL_NODES];
    load_on_element(&model_load(s->layout.model, s->layout.element_load[l])->load, el->kind, el->data,
                    &s->rule->tableau, s->step.end_amplitude[s->layout.element_load[l]], &it, node, s->scratch);
  }
  PetscCall(SystemAddLocal(s, it.nblock, blocks, residual, tangent));
  PetscFunctionReturn(0);
}

void system_projection_rows(const System *s, PetscInt joint, bool stepping, ProjectionRows *out) {
  const ModelJoint *m = model_joint(s->layout.model, s->layout.joint[joint]);
  Vec3 corotation[MAX_LOCAL_NODES];
  JointState q;
  system_joint_state(s, joint, &q);
  for (int a = 0; a < m->nnode; a++) corotation[a] = s->state.v[4 * s->layout.joint_node[joint][a] + 1];
  projection_build_rows(system_joint(s, joint), m->nnode, q.kind, q.first, q.x, &s->state.coord[joint],
                        &s->step.target_rate[joint], s->step.h, stepping ? corotation : NULL, out);
}

// The projection's part of a joint: blocks of y for each moving node, then those of mu, behind the joint's own.
static PetscInt evaluate_projection(System *s, const double *q, PetscInt j, const LocalMotion *it, int at,
                                    PetscInt *blocks, ProjectionNode *node) {
  const ModelJoint *m = model_joint(s->layout.model, s->layout.joint[j]);
  for (int a = 0; a < m->nnode; a++) {
    PetscInt i = s->layout.joint_node[j][a];
    ProjectionNode *n = &node[a];
    n->kind = it->kind[a], n->block = it->block[a], n->projection = at;
    if (n->kind == NODE_FIXED) continue;
    system_projection(s, q, i, &n->y);
    system_start_velocity(s, i, n->start);
    if (n->kind == NODE_FRAME) system_frame_velocity(s, q, i, &n->frame);
    else system_point_velocity(s, q, i, &n->point);
    at += (int)projection_block_list(s, i, blocks + at);
  }
  for (int b = 0; b < projection_blocks(system_joint(s, j)); b++)
    blocks[at + b] = s->layout.joint_block[j] + joint_blocks(system_joint(s, j)) + b;
  return at;
}

void system_projection_multipliers(const System *s, const double *q, PetscInt joint, double mu[MAX_STAGES][MAX_ROWS]) {
  const Joint *j = system_joint(s, joint);
  const double *own = q + (s->layout.joint_block[joint] + joint_blocks(j)) * s->layout.bs;
  for (int k = 0; k < s->rule->tableau.s; k++)
    for (int r = 0; r < j->nprojection; r++) mu[k][r] = own[r / 3 * s->layout.bs + 3 * k + r % 3];
}

// What laws and loads put on the coordinates of a joint over the step, along the coordinate.
static void store_coord_forces(System *s, PetscInt j, const double *lambda, const Coords *zk) {
  const Joint *m = system_joint(s, j);
  CoordForces *out = &s->state.coord_force[j];
  *out = (CoordForces){.spring = {{0}}};
  for (int c = 0; c < m->ncoord; c++) {
    LawState law;
    FrictionStep sticks;
    double z[MAX_STAGES], past = s->state.coord_increment[0] ? s->state.coord_increment[0][j].z[c] : 0;
    if (!law_acts(&m->law[c])) continue;
    for (int k = 0; k < s->rule->tableau.s; k++) z[k] = zk[k].z[c];
    law_evaluate(&m->law[c], &s->rule->tableau, s->step.h, &s->step.recall, past, s->state.coord[j].z[c], z, &law);
    out->spring.z[c] = law.damper + law.friction - law.force[0];
    joint_friction(m, c, &s->rule->tableau, s->step.h, &s->state.bristles[j], lambda, s->state.coord[j].z[c], z[0],
                   &sticks);
    out->damper.z[c] = -law.damper, out->friction.z[c] = -law.friction - sticks.force;
  }
  for (PetscInt i = s->layout.joint_load_start[j]; i < s->layout.joint_load_start[j + 1]; i++) {
    PetscInt load = s->layout.joint_load[i];
    CoordLoad q = {.force = {0}};
    if (!load_prescribes(&model_load(s->layout.model, load)->load) && system_load_acts(s, load))
      system_joint_load(s, j, load, zk, &q);
    s->state.load_force[load] = q.force[0];
  }
}

// The multipliers of a joint over the step; the impulse of the projection at its start belongs to their mean.
void system_store_multipliers(System *s, const double *q, PetscInt j) {
  const Joint *m = system_joint(s, j);
  double lambda[MAX_STAGES][MAX_ROWS], mu[MAX_STAGES][MAX_ROWS];
  Coords zk[MAX_STAGES];
  ProjectionRows projection_rows;
  system_joint_unknowns(s, q, j, lambda, zk);
  for (int r = 0; r < MAX_ROWS; r++) s->state.multiplier[j][r] = r < m->rows.nrow ? lambda[0][r] : 0;
  store_coord_forces(s, j, lambda[0], zk);
  if (!s->rule->projects_velocities || m->nprojection == 0) return;
  system_projection_rows(s, j, true, &projection_rows);
  system_projection_multipliers(s, q, j, mu);
  for (int i = 0; i < m->nprojection; i++)
    for (int r = 0; r < m->rows.nrow; r++)
      s->state.multiplier[j][r] -= mu[0][i] * projection_rows.part[i][r] / s->step.h;
}

void system_joint_load(const System *s, PetscInt joint, PetscInt load, const Coords *zk, CoordLoad *out) {
  const Load *l = &model_load(s->layout.model, load)->load;
  double z[MAX_STAGES];
  for (int k = 0; k < s->rule->tableau.s; k++) z[k] = zk[k].z[l->coord];
  load_on_coord(l, &s->rule->tableau, s->step.h, s->step.end_amplitude[load].now, s->step.end_amplitude[load].next,
                s->state.coord[joint].z[l->coord], z, out);
}

// Loads on the coordinates of a joint: the sum of their forces; their tangents go to the item.
static void evaluate_joint_loads(System *s, PetscInt j, int first, const Coords *zk, Coords *force) {
  int n = s->rule->tableau.s;
  Local *out = s->scratch;
  for (int k = 0; k < n; k++) force[k] = (Coords){{0}};
  for (PetscInt i = s->layout.joint_load_start[j]; i < s->layout.joint_load_start[j + 1]; i++) {
    const Load *l = &model_load(s->layout.model, s->layout.joint_load[i])->load;
    int at = system_joint(s, j)->rows.nrow + l->coord;
    CoordLoad q;
    if (!system_load_acts(s, s->layout.joint_load[i])) continue;
    system_joint_load(s, j, s->layout.joint_load[i], zk, &q);
    for (int k = 0; k < n; k++) {
      int row = local_at(out, first + at / 3, k) + at % 3;
      force[k].z[l->coord] += q.force[k];
      for (int m = 0; m < n && out->tangent; m++)
        out->k[row * out->n + local_at(out, first + at / 3, m) + at % 3] -= q.tangent[k][m];
    }
  }
}

// Where a coordinate is prescribed, its balance gives way to z_k = target; a jump takes no time, and it stands still.
static void prescribe_coords(System *s, PetscInt j, int first, const Coords *zk) {
  const Joint *m = system_joint(s, j);
  Local *out = s->scratch;
  for (int c = 0; c < m->ncoord; c++) {
    int at = m->rows.nrow + c;
    for (int k = 0; k < s->rule->tableau.s && m->prescribed[c]; k++) {
      int row = local_at(out, first + at / 3, k) + at % 3;
      for (int i = 0; i < out->n && out->tangent; i++) out->k[row * out->n + i] = i == row;
      out->r[row] = zk[k].z[c] - (k ? s->state.coord[j].z[c] : s->step.target[j].z[c]);
    }
  }
}

// Rows that follow from others stay without force.
static void leave_out(System *s, PetscInt j, int first, double lambda[MAX_STAGES][MAX_ROWS]) {
  const Joint *m = system_joint(s, j);
  Local *out = s->scratch;
  for (int r = 0; r < m->rows.nrow; r++)
    for (int k = 0; k < s->rule->tableau.s && s->redundancy.row_off[j][r]; k++) {
      int row = local_at(out, first + r / 3, k) + r % 3;
      for (int c = 0; c < out->n && out->tangent; c++) out->k[row * out->n + c] = c == row;
      out->r[row] = lambda[k][r];
    }
}

static PetscErrorCode EvaluateJoint(System *s, const double *q, PetscInt j, double *residual, PetscBool tangent) {
  const Joint *joint = system_joint(s, j);
  int nnode = model_joint(s->layout.model, s->layout.joint[j])->nnode;
  PetscInt blocks[MAX_LOCAL_BLOCKS], count;
  double lambda[MAX_STAGES][MAX_ROWS], mu[MAX_STAGES][MAX_ROWS];
  Coords zk[MAX_STAGES], force[MAX_STAGES];
  ProjectionNode node[MAX_LOCAL_NODES];
  int own = joint_blocks(joint), mine = 0;
  bool projects = s->rule->projects_velocities && joint->nprojection > 0;
  LocalMotion it;
  PetscFunctionBegin;
  if (s->batches.joint_batched[j]) PetscFunctionReturn(0);
  gather_nodes(s, nnode, s->layout.joint_node[j], &it, blocks);
  for (int b = 0; b < own; b++) blocks[it.nblock + b] = s->layout.joint_block[j] + b;
  count = it.nblock + own;
  if (projects) {
    mine = (int)evaluate_projection(s, q, j, &it, (int)count, blocks, node);
    count = mine + projection_blocks(joint);
    system_projection_multipliers(s, q, j, mu);
  }
  local_begin(s->scratch, it.s, (int)count, tangent);
  system_joint_unknowns(s, q, j, lambda, zk);
  evaluate_joint_loads(s, j, it.nblock, zk, force);
  joint_evaluate(joint, &s->rule->tableau, s->step.h, &s->step.recall,
                 s->state.coord_increment[0] ? &s->state.coord_increment[0][j] : NULL, &s->state.bristles[j], &it,
                 &s->state.coord[j], zk, lambda, force, s->scratch);
  prescribe_coords(s, j, it.nblock, zk);
  leave_out(s, j, it.nblock, lambda);
  if (projects) {
    ProjectionRows projection_rows;
    system_projection_rows(s, j, true, &projection_rows);
    projection_evaluate(joint, &s->rule->tableau, s->step.h, s->rule->rho, nnode, node, &projection_rows,
                        s->redundancy.row_off[j], mu, mine, s->scratch);
  }
  PetscCall(SystemAddLocal(s, count, blocks, residual, tangent));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemEvaluate(System *s, PetscBool tangent) {
  Vec local;
  const double *q;
  double *r;
  double t0, t1;
  PetscFunctionBegin;
  t0 = system_clock(s);
  PetscCall(LogEventBegin(tangent ? LOG_ASSEMBLE : LOG_EVALUATE));
  PetscCall(SystemRefresh(s));
  if (tangent) PetscCall(SystemOpenTangent(s));
  PetscCall(VecZeroEntries(s->linear.residual));
  PetscCall(SystemOpenUnknowns(s, &local, &q));
  PetscCall(VecGetArray(s->linear.residual, &r));
  system_evaluate_frames(s, q, r, tangent);
  for (PetscInt i = 1; i < s->layout.nnode_own; i++)
    if (s->layout.node_block[i] >= 0) PetscCall(EvaluateNode(s, q, i, r, tangent));
  PetscCall(SystemEvaluateBatches(s, r, tangent));
  for (PetscInt e = 0; e < s->layout.nelement; e++) PetscCall(EvaluateElement(s, e, r, tangent));
  PetscCall(SystemEvaluateWheels(s, r, tangent));
  system_evaluate_joint_batches(s, q, r, tangent);
  for (PetscInt j = 0; j < s->layout.njoint; j++) PetscCall(EvaluateJoint(s, q, j, r, tangent));
  if (s->contacts) PetscCall(ContactsEvaluate(s, r, tangent));
  PetscCall(VecRestoreArray(s->linear.residual, &r));
  PetscCall(SystemCloseUnknowns(s, &local, &q));
  if (tangent) system_stiffen_thin_frames(s);
  if (tangent) PetscCall(SystemCloseTangent(s));
  PetscCall(LogEventEnd(tangent ? LOG_ASSEMBLE : LOG_EVALUATE));
  t1 = system_clock(s);
  s->watch.evaluate += t1 - t0;
  PetscFunctionReturn(0);
}
