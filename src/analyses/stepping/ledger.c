// SPDX-License-Identifier: Apache-2.0
// Energies, work and losses of a step: the energy balance (ledger.h).
// Equations: eq-scheme-theorem (3.3), eq-decaying-theorem (4.3), eq-joint-drive-energy (5.8).
#include "analyses/stepping/ledger.h"

#include "analyses/stepping/ports.h"

#include "assembly/evaluate.h"
#include "assembly/contacts.h"
#include "assembly/create.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "assembly/step_memory.h"
#include "assembly/wheels.h"

bool ledger_has_potential(const Layout *layout, const Load *l) {
  return l->target == LOAD_FIELD && !l->switched && model_amplitude_constant(layout->model, l->amplitude);
}

// -sum g . (m r + s_j d_j) of one node
static double field_potential(const Layout *layout, PetscInt l, PetscInt i, const Vec3 *x) {
  double w = 0, first[4];
  int nvec = node_vectors(model_node(layout->model, layout->node[i])->kind);
  layout_field_mass(layout, l, i, first);
  for (int j = 0; j < nvec; j++)
    w -= first[j] * vec3_dot(model_load(layout->model, layout->field[l])->load.acceleration, x[j]);
  return w;
}

PetscErrorCode LedgerEnergies(Motion *motion, const double *elements, double *kinetic, double *strain,
                              double *potential) {
  double sum[3] = {0, 0, 0};
  PetscFunctionBegin;
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    NodeState n = step_node_state(&motion->state, &motion->step, i);
    int nvec = node_vectors(model_node(motion->layout.model, motion->layout.node[i])->kind);
    sum[0] += layout_is_material(&motion->layout, i) ? inertia_energy(&motion->layout.inertia[i], n.v[0], n.v[1])
                                                     : ambient_energy(nvec, motion->layout.mass[i], n.v);
    for (PetscInt l = 0; l < motion->layout.nfield; l++) {
      const Load *q = &model_load(motion->layout.model, motion->layout.field[l])->load;
      if (ledger_has_potential(&motion->layout, q))
        sum[2] += model_amplitude(motion->layout.model, q->amplitude, 0) * field_potential(&motion->layout, l, i, n.x);
    }
  }
  for (PetscInt i = 0; i < motion->layout.model->wheels.count; i++) sum[0] += motion_wheel_energy(motion, i);
  for (PetscInt e = 0; e < motion->layout.nelement && !elements; e++) {
    const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
    Vec3 x[MAX_LOCAL_VECTORS];
    if (!motion->layout.element_primary[e] || el->kind->points(el->data) == 0) continue;
    state_element_vectors(&motion->layout, &motion->state, e, x);
    sum[1] += element_energy(el->kind, el->data, x);
  }
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    const Joint *joint = layout_joint(&motion->layout, j);
    for (int c = 0; motion->layout.joint_primary[j] && c < joint->ncoord; c++)
      sum[1] += law_energy(&joint->law[c], motion->state.coord[j].z[c]) +
                friction_energy(&joint->law[c].friction, &motion->state.bristles[j].of[c]);
  }
  PetscCall(ReduceArray(motion->layout.comm, sum, 3, MPI_DOUBLE, MPI_SUM));
  *kinetic = sum[0], *strain = sum[1] + (elements ? *elements : 0), *potential = sum[2];
  if (motion->contacts) {
    double stored;
    PetscCall(ContactsEnergy(motion, &stored));
    *strain += stored;
  }
  PetscFunctionReturn(0);
}

PetscErrorCode LedgerMemory(const Layout *layout, const State *state, double *memory) {
  PetscFunctionBegin;
  *memory = 0;
  for (PetscInt i = 1; i < layout->nnode_own && state->dv; i++)
    *memory +=
        layout->rule->tableau.delta * ambient_energy(node_vectors(model_node(layout->model, layout->node[i])->kind),
                                                     layout->mass[i], state->dv + 4 * i);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, memory, 1, MPI_DOUBLE, MPI_SUM, layout->comm));
  PetscFunctionReturn(0);
}

// The tableau for the work of loads, as in the balances. Loads at the end of the step have no exact work; the mean over
// the step is used instead.
static Tableau working_tableau(const Layout *layout) {
  Tableau t = layout->rule->tableau;
  if (t.force_rule == FORCE_END) t.a[0][0] = 0.5;
  return t;
}
static double load_amplitude(const Tableau *w, const StepContext *step, PetscInt load, int k) {
  return amplitude_of(w, step->end_amplitude[load], k);
}

// Loss and stored scheme energy of a node: from the change of its velocity beyond that of the last step.
static void recall_balance(Stepper *p, PetscInt i, int nvec, const NodeMotion *m, double *lost, double *memory) {
  Motion *motion = &p->s->motion;
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  double delta = motion->step.recall.delta, keep = motion->step.recall.keep;
  AmbientRates q;
  Vec3 dv[4], change[4];
  p->rule.rates(&p->rule, motion->step.h, nvec, n, &q);
  for (int j = 0; j < nvec; j++) {
    dv[j] = vec3_scale(motion->step.h, vec3_axpy(q.acc0[0][j], q.rate[0][0], m->chord[j]));
    if (n.kept) dv[j] = n.kept[j];
    change[j] = vec3_axpy(dv[j], -keep, n.dv[j]);
  }
  *memory += delta * ambient_energy(nvec, motion->layout.mass[i], dv);
  *lost += delta * ambient_energy(nvec, motion->layout.mass[i], change);
  *lost += delta * (1 - keep * keep) * ambient_energy(nvec, motion->layout.mass[i], n.dv);
}

// The contribution of a node to the balance: its velocity jump and the work of its loads.
static void node_balance(Stepper *p, const double *q, PetscInt i, double *lost, double *memory, double *work) {
  Motion *motion = &p->s->motion;
  const Tableau *t = &p->rule.tableau;
  NodeKind kind = model_node(motion->layout.model, motion->layout.node[i])->kind;
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  int nvec = node_vectors(kind);
  Vec3 u[MAX_STAGES], c[MAX_STAGES];
  const NodeMotion *m = motion->step.motion + i * t->s;
  bool material = layout_is_material(&motion->layout, i);
  Tableau way = working_tableau(&motion->layout);
  layout_increments(&motion->layout, q, i, u, c);
  if (t->delta > 0) recall_balance(p, i, nvec, m, lost, memory);
  else if (p->rule.proved) {
    const Inertia *q6 = &motion->layout.inertia[i];
    if (material) {
      MaterialVelocity w;
      Vec3 start[2];
      motion_frame_velocity(motion, q, i, &w);
      motion_start_velocity(motion, i, start);
      Vec3 yv = vec3_sub(w.vn[0], start[0]), yw = vec3_sub(w.vn[1], start[1]);
      Vec3 mv = vec3_axpy(start[0], 0.5, yv), mw = vec3_axpy(start[1], 0.5, yw);
      // K(start) - K(start + y) = -y . M (start + y/2)
      *lost -= vec3_dot(yv, inertia_momentum(q6, mv, mw)) + vec3_dot(yw, inertia_angular(q6, mv, mw));
      for (int k = 0; k < t->s; k++)
        *lost += t->loss[k] * inertia_energy(q6, vec3_sub(w.vk[k][0], w.vn[0]), vec3_sub(w.vk[k][1], w.vn[1]));
    } else if (kind == NODE_POINT) {
      PointVelocity w;
      Vec3 start[2], y;
      motion_point_velocity(motion, q, i, &w);
      motion_start_velocity(motion, i, start);
      y = vec3_sub(w.vn, n.v[0]);
      *lost -= q6->m * vec3_dot(y, vec3_axpy(start[0], 0.5, y)); // |start|^2/2 - |start + y|^2/2
      for (int k = 0; k < t->s; k++) {
        Vec3 jump = vec3_sub(w.vk[k], w.vn);
        *lost += t->loss[k] * 0.5 * q6->m * vec3_dot(jump, jump);
      }
    } else if (t->loss[0] != 0 || t->s > 1) {
      Vec3 vk[MAX_STAGES][4];
      ambient_velocity(t, motion->step.h, nvec, n.v, m, vk);
      for (int k = 0; k < t->s; k++) {
        for (int j = 0; j < nvec; j++) vk[k][j] = vec3_sub(vk[k][j], n.v[j]);
        *lost += t->loss[k] * ambient_energy(nvec, motion->layout.mass[i], vk[k]);
      }
    }
  }
  for (PetscInt l = motion->layout.node_load_start[i]; l < motion->layout.node_load_start[i + 1]; l++) {
    PetscInt id = motion->layout.node_load[l];
    NodeLoad load;
    load_on_node(&model_load(motion->layout.model, id)->load, &way, motion->step.end_amplitude[id], n.x, m, &load);
    for (int k = 0; k < t->s; k++)
      work[id] += t->weight[k] * load_work(load.force[k], load.moment[k], kind, t->force_rule, u[k], c[k]);
  }
  for (PetscInt l = 0; l < motion->layout.nfield; l++)
    for (int k = 0; k < t->s; k++)
      work[motion->layout.field[l]] -=
          t->weight[k] * load_amplitude(&way, &motion->step, motion->layout.field[l], k) *
          (field_potential(&motion->layout, l, i, m[k].x) - field_potential(&motion->layout, l, i, n.x));
}

// Work of the distributed loads on an element.
static void element_load_balance(const Motion *motion, const double *q, PetscInt e, double *work) {
  const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
  Tableau way = working_tableau(&motion->layout);
  LocalMotion it;
  if (motion->layout.element_load_start[e] == motion->layout.element_load_start[e + 1]) return;
  state_gather_element(&motion->layout, &motion->state, q, e, &it);
  for (PetscInt l = motion->layout.element_load_start[e]; l < motion->layout.element_load_start[e + 1]; l++) {
    PetscInt id = motion->layout.element_load[l];
    NodeLoad node[MAX_LOCAL_NODES];
    load_on_element(&model_load(motion->layout.model, id)->load, el->kind, el->data, &way,
                    motion->step.end_amplitude[id], &it, node, NULL);
    for (int a = 0; a < it.nnode; a++) {
      Vec3 u[MAX_STAGES], c[MAX_STAGES];
      layout_increments(&motion->layout, q, motion->layout.element_node[motion->layout.element_node_start[e] + a], u,
                        c);
      for (int k = 0; k < it.s; k++)
        work[id] +=
            way.weight[k] * load_work(node[a].force[k], node[a].moment[k], it.kind[a], it.force_rule, u[k], c[k]);
    }
  }
}

// Adds what dampers, friction and jumps along a joint's coordinates remove, and the forces of the laws to `force`.
static void add_law_balance(const Motion *motion, PetscInt j, const Coords *zk, const double *lambda, Coords *force,
                            StepBalance *step_balance) {
  const Tableau *t = &motion->layout.rule->tableau;
  const Joint *joint = layout_joint(&motion->layout, j);
  for (int c = 0; c < joint->ncoord; c++) {
    LawState state;
    FrictionStep friction;
    double z[MAX_STAGES];
    if (!law_acts(&joint->law[c])) continue;
    for (int k = 0; k < t->s; k++) z[k] = zk[k].z[c];
    double past = motion->state.coord_increment[0] ? motion->state.coord_increment[0][j].z[c] : 0;
    law_evaluate(&joint->law[c], t, motion->step.h, &motion->step.recall, past, motion->state.coord[j].z[c], z, &state);
    step_balance->damped += state.damped, step_balance->lost += state.lost, step_balance->memory += state.memory;
    for (int k = 0; k < t->s; k++) force[k].z[c] += state.force[k];
    joint_friction(joint, c, t, motion->step.h, &motion->state.bristles[j], lambda, motion->state.coord[j].z[c], z[0],
                   &friction);
    step_balance->damped += friction.taken, force[0].z[c] += friction.force;
  }
}

// The mean of a load's force at the ends of this step and of the last one, if there was one.
static double mean_with_last(Stepper *p, PetscInt load, double force) {
  double last = p->s->motion.state.time > 0 ? p->drive_force[load] : force;
  p->drive_force[load] = force;
  return 0.5 * (last + force);
}

// Work of the loads on a joint's coordinates that prescribe nothing; `force` becomes the rest, for those that do. If
// forces act at the end of the step, only that force is known, for a controller as for a drive.
static void joint_load_balance(Stepper *p, PetscInt j, const Coords *zk, Coords *force, double *work) {
  Motion *motion = &p->s->motion;
  const Tableau *t = &motion->layout.rule->tableau;
  Tableau way = working_tableau(&motion->layout);
  for (PetscInt i = motion->layout.joint_load_start[j]; i < motion->layout.joint_load_start[j + 1]; i++) {
    const Load *l = &model_load(motion->layout.model, motion->layout.joint_load[i])->load;
    CoordLoad q;
    if (load_prescribes(l) || !switches_load_acts(&motion->switches, motion->layout.joint_load[i])) continue;
    motion_joint_load(motion, j, motion->layout.joint_load[i], zk, &q);
    for (int k = 0; k < t->s; k++) force[k].z[l->coord] -= q.force[k];
    if (t->force_rule == FORCE_END && l->drive == DRIVE_FORCE)
      q.force[0] = l->torque * load_amplitude(&way, &motion->step, motion->layout.joint_load[i], 0);
    if (t->force_rule == FORCE_END && l->drive == DRIVE_CONTROL)
      q.force[0] = mean_with_last(p, motion->layout.joint_load[i], q.force[0]);
    for (int k = 0; k < t->s; k++)
      work[motion->layout.joint_load[i]] +=
          t->weight[k] * q.force[k] * (zk[k].z[l->coord] - motion->state.coord[j].z[l->coord]);
  }
}

// Work of the drives: `force` along the way from t_n, and the start-of-step impulse of the projection (projection.h).
// If forces act at the end of the step, the mean with that of the last step is used.
static void drive_balance(Stepper *p, const double *q, PetscInt j, const Coords *zk, const Coords *force, double *work,
                          StepBalance *step_balance) {
  Motion *motion = &p->s->motion;
  const Tableau *t = &motion->layout.rule->tableau;
  const Joint *joint = layout_joint(&motion->layout, j);
  double mu[MAX_STAGES][MAX_ROWS];
  ProjectionRows projection_rows;
  bool drives = false, ends = t->force_rule == FORCE_END;
  for (int c = 0; c < joint->ncoord; c++) drives = drives || joint->prescribed[c];
  if (!drives) return;
  if (motion->layout.rule->projects_velocities)
    motion_projection_rows(motion, j, true, &projection_rows), layout_projection_multipliers(&motion->layout, q, j, mu);
  for (PetscInt i = motion->layout.joint_load_start[j]; i < motion->layout.joint_load_start[j + 1]; i++) {
    PetscInt id = motion->layout.joint_load[i];
    const Load *l = &model_load(motion->layout.model, id)->load;
    double sum = 0, pushed = 0;
    if (!load_prescribes(l) || !switches_load_acts(&motion->switches, id)) continue;
    for (int k = 0; k < t->s; k++) {
      double f = force[k].z[l->coord];
      if (ends) f = mean_with_last(p, id, f);
      sum += t->weight[k] * f * (zk[k].z[l->coord] - motion->state.coord[j].z[l->coord]);
    }
    for (int r = 0; r < joint->nprojection && motion->layout.rule->projects_velocities; r++)
      pushed += mu[0][r] * projection_rows.of[r][l->coord];
    work[id] += sum + pushed, step_balance->lost += pushed, step_balance->drives += sum + pushed;
  }
}

static void joint_balance(Stepper *p, const double *q, PetscInt j, double *work, StepBalance *step_balance) {
  Motion *motion = &p->s->motion;
  const Tableau *t = &p->rule.tableau;
  const Joint *joint = layout_joint(&motion->layout, j);
  int nnode = model_joint(motion->layout.model, motion->layout.joint[j])->nnode;
  double lambda[MAX_STAGES][MAX_ROWS], gn[MAX_ROWS], gk[MAX_ROWS];
  Coords zk[MAX_STAGES], force[MAX_STAGES];
  Vec3 xn[MAX_LOCAL_VECTORS], xk[MAX_LOCAL_VECTORS];
  state_joint_unknowns(&motion->layout, &motion->state, q, j, lambda, zk);
  for (int k = 0; k < t->s; k++) {
    int n = 0;
    for (int a = 0; a < nnode; a++) {
      PetscInt i = motion->layout.joint_node[j][a];
      const Vec3 *moved = motion->step.motion[i * t->s + k].x;
      for (int v = 0; v < node_vectors(model_node(motion->layout.model, motion->layout.node[i])->kind); v++)
        xn[n] = motion->state.x[4 * i + v], xk[n++] = moved[v];
    }
    rows_value(&joint->rows, xn, joint->ncoord > 0 ? &motion->state.coord[j] : no_coords, gn);
    rows_value(&joint->rows, xk, joint->ncoord > 0 ? &zk[k] : no_coords, gk);
    for (int r = 0; r < joint->rows.nrow; r++) step_balance->joints += t->weight[k] * lambda[k][r] * (gk[r] - gn[r]);
    if (joint->ncoord > 0)
      rows_on_coords(&joint->rows, t->force_rule, xn, xk, &motion->state.coord[j], &zk[k], lambda[k], &force[k]);
  }
  if (joint->ncoord == 0) return;
  add_law_balance(motion, j, zk, lambda[0], force, step_balance);
  joint_load_balance(p, j, zk, force, work);
  drive_balance(p, q, j, zk, force, work, step_balance);
}

// Work of the joints. Joints in batches have neither coordinates nor stages.
static PetscErrorCode AddJoints(Stepper *p, const double *q, double *work, StepBalance *step_balance) {
  const System *s = p->s;
  const Layout *layout = &s->motion.layout;
  double(*start)[MAX_ROWS], (*end)[MAX_ROWS], lambda[MAX_STAGES][MAX_ROWS];
  Coords zk[MAX_STAGES];
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(layout->njoint, &start, layout->njoint, &end));
  batches_joint_values(&s->equations.batches, s->motion.state.x, 4 * sizeof(Vec3), start);
  batches_joint_values(&s->equations.batches, s->motion.step.motion->x, sizeof(NodeMotion), end);
  for (PetscInt j = 0; j < layout->njoint; j++) {
    if (!layout->joint_primary[j]) continue;
    if (!s->equations.batches.joint_batched[j]) {
      joint_balance(p, q, j, work, step_balance);
      continue;
    }
    state_joint_unknowns(layout, &s->motion.state, q, j, lambda, zk);
    for (int r = 0; r < layout_joint(layout, j)->rows.nrow; r++)
      step_balance->joints += p->rule.tableau.weight[0] * lambda[0][r] * (end[j][r] - start[j][r]);
  }
  PetscCall(PetscFree2(start, end));
  PetscFunctionReturn(0);
}

PetscErrorCode LedgerStep(Stepper *p, double *work, StepBalance *step_balance) {
  System *s = p->s;
  PetscInt nload = s->motion.layout.model->loads.count;
  double *sum; // work of each load, then the balance
  const double *q;
  Vec local;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(nload + STEP_BALANCE_SIZE, &sum));
  StepBalance *own = (StepBalance *)(sum + nload);
  PetscCall(EquationsOpenUnknowns(&s->motion.layout, &s->equations, &local, &q));
  for (PetscInt i = 1; i < s->motion.layout.nnode_own; i++)
    if (s->motion.layout.node_block[i] >= 0) {
      node_balance(p, q, i, &own->lost, &own->memory, sum);
      own->damped += step_mass_damping_work(&s->motion.layout, &s->motion.step, i);
    }
  for (PetscInt e = 0; e < s->motion.layout.nelement; e++) {
    const ModelElement *el = model_element(s->motion.layout.model, s->motion.layout.element[e]);
    if (!s->motion.layout.element_primary[e] || el->kind->points(el->data) == 0) continue;
    own->augmented += motion_augmented_work(&s->motion, q, e);
    element_load_balance(&s->motion, q, e, sum);
  }
  PetscCall(AddJoints(p, q, sum, own));
  for (PetscInt i = 0; i < s->motion.layout.model->wheels.count; i++) motion_wheel_balance(&s->motion, q, i, sum);
  if (s->motion.state.wave || s->motion.state.bond) PetscCall(PortsMove(&s->motion, q));
  PetscCall(EquationsCloseUnknowns(&s->motion.layout, &s->equations, &local, &q));
  PetscCall(ReduceArray(s->motion.layout.comm, sum, nload + STEP_BALANCE_SIZE, MPI_DOUBLE, MPI_SUM));
  *work = 0, *step_balance = *own;
  for (PetscInt l = 0; l < nload; l++) {
    p->load_work[l] += sum[l];
    if (model_load(s->motion.layout.model, l)->load.held) step_balance->held += sum[l];
    if (model_load(s->motion.layout.model, l)->load.wave) step_balance->ports -= sum[l];
    else if (!ledger_has_potential(&s->motion.layout, &model_load(s->motion.layout.model, l)->load)) *work += sum[l];
  }
  if (s->motion.contacts) {
    double taken;
    PetscCall(ContactsBalance(&s->motion, &taken));
    step_balance->damped += taken;
  }
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

PetscErrorCode LedgerElements(Stepper *p, StepBalance *step_balance) {
  ElementBalance own = {0};
  double sum[7];
  PetscFunctionBegin;
  PetscCall(EquationsRemember(&p->s->motion, &p->s->equations, &own));
  sum[0] = own.damped, sum[1] = own.lost, sum[2] = own.strain, sum[3] = own.memory, sum[4] = own.rough;
  sum[5] = own.flow.at_rest, sum[6] = own.flow.at_rest - own.flow.all;
  PetscCall(ReduceArray(p->s->motion.layout.comm, sum, 7, MPI_DOUBLE, MPI_SUM));
  step_balance->damped += sum[0], step_balance->lost += sum[1], step_balance->elements = sum[2],
                                                                step_balance->memory += sum[3];
  step_balance->rough = 1e-15 * sum[4];
  step_balance->wind = sum[5], step_balance->air_damped = sum[6];
  PetscFunctionReturn(0);
}

// The largest loss on this rank and its cause: an element, a joint or a node.
static PetscErrorCode FindLoss(Stepper *p, const double *q, double *most, LimberCause *out) {
  Motion *motion = &p->s->motion;
  double *work;
  PetscFunctionBegin;
  *most = -1, *out = (LimberCause){.index = LIMBER_NONE};
  PetscCall(PetscCalloc1(motion->layout.model->loads.count, &work));
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    double lost = 0, memory = 0;
    if (motion->layout.node_block[i] >= 0) node_balance(p, q, i, &lost, &memory, work);
    lost = number_or_infinity(lost);
    if (lost > *most) *most = lost, *out = model_node_cause(motion->layout.model, motion->layout.node[i]);
  }
  for (PetscInt e = 0; e < motion->layout.nelement; e++) {
    const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
    ElementBalance a = {0};
    if (motion->layout.element_primary[e] && el->kind->points(el->data) > 0)
      motion_element_balance(motion, e, false, &a);
    a.lost = number_or_infinity(a.lost);
    if (a.lost > *most) *most = a.lost, *out = model_component_cause(motion->layout.model, el->component);
  }
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    StepBalance a = {0};
    if (motion->layout.joint_primary[j]) joint_balance(p, q, j, work, &a);
    a.lost = number_or_infinity(a.lost);
    if (a.lost > *most) *most = a.lost, *out = model_joint_cause(motion->layout.model, motion->layout.joint[j]);
  }
  PetscCall(PetscFree(work));
  PetscFunctionReturn(0);
}

PetscErrorCode LedgerNameLoss(Stepper *p, LimberCause *out) {
  const double *q;
  double most;
  PetscMPIInt rank;
  Vec local;
  PetscFunctionBegin;
  PetscCall(EquationsMoveNodes(&p->s->motion, &p->s->equations));
  PetscCall(EquationsOpenUnknowns(&p->s->motion.layout, &p->s->equations, &local, &q));
  PetscCall(FindLoss(p, q, &most, out));
  PetscCall(EquationsCloseUnknowns(&p->s->motion.layout, &p->s->equations, &local, &q));
  PetscCall(ReduceLargest(p->s->motion.layout.comm, &most, NULL, &rank));
  PetscCallMPI(MPI_Bcast(out, (PetscMPIInt)sizeof *out, MPI_BYTE, rank, p->s->motion.layout.comm));
  PetscFunctionReturn(0);
}

PetscErrorCode LedgerMomentum(const Motion *motion, Vec3 *momentum, Vec3 *angular) {
  double sum[6] = {0};
  PetscFunctionBegin;
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    Vec3 p, h;
    if (layout_is_abstract(&motion->layout, i)) continue;
    state_node_momentum(&motion->layout, &motion->state, i, &p, &h);
    sum[0] += p.x, sum[1] += p.y, sum[2] += p.z, sum[3] += h.x, sum[4] += h.y, sum[5] += h.z;
  }
  for (PetscInt i = 0; i < motion->layout.model->wheels.count; i++) {
    Vec3 h = state_wheel_momentum(&motion->layout, &motion->state, i);
    sum[3] += h.x, sum[4] += h.y, sum[5] += h.z;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sum, 6, MPI_DOUBLE, MPI_SUM, motion->layout.comm));
  *momentum = vec3_of(sum), *angular = vec3_of(sum + 3);
  PetscFunctionReturn(0);
}
