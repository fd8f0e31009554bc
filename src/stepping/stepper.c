// SPDX-License-Identifier: Apache-2.0
#include "stepping/stepper.h"

#include "base/rotation.h"
#include "stepping/ledger.h"

#include <string.h>

// The accelerations with which a scheme that carries them starts: (v_1 - v_0)/h of a short energy preserving step, which
// honours joints and loads. Their error is of the first order in that step, so a scheme of order 2 keeps its order.
static PetscErrorCode StartAccelerations(Stepper *p) {
  System *s = p->s;
  double h = 0.01 * p->options.step;
  StepRule rule = {0};
  NewtonOutcome o;
  const double *q;
  Vec local;
  PetscFunctionBegin;
  scheme_preserving.make(&p->options, &rule);
  s->rule = &rule;
  PetscCall(SystemBeginStep(s, h));
  PetscCall(VecZeroEntries(s->unknown));
  PetscCall(SystemNewton(s, 0, 1e-14, p->options.iterations, &o));
  if (o.converged) {
    PetscCall(VecGhostUpdateBegin(s->unknown, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecGhostUpdateEnd(s->unknown, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecGhostGetLocalForm(s->unknown, &local));
    PetscCall(VecGetArrayRead(local, &q));
    for (PetscInt i = 1; i < s->nnode; i++) {
      NodeKind kind = model_node(s->model, s->node[i])->kind;
      NodeState n = system_node_state(s, i);
      Vec3 u[MAX_INTERVALS], c[MAX_INTERVALS], vk[MAX_INTERVALS][4];
      NodeMotion m;
      system_increments(s, q, i, u, c);
      node_move(kind, n.x, u[0], c[0], &m);
      ambient_velocity(&rule.tableau, h, node_vectors(kind), n.v, &m, vk);
      for (int j = 0; j < node_vectors(kind); j++) n.a[j] = n.w[j] = vec3_scale(1 / h, vec3_sub(vk[0][j], n.v[j]));
    }
    PetscCall(VecRestoreArrayRead(local, &q));
    PetscCall(VecGhostRestoreLocalForm(s->unknown, &local));
  }
  PetscCall(VecZeroEntries(s->unknown));
  s->rule = &p->rule;
  PetscFunctionReturn(0);
}

PetscErrorCode StepperCreate(Model model, const LimberOptions *options, Stepper **out, const char **wrong) {
  Stepper *p;
  const SchemeKind *kind = scheme_find(options->scheme);
  PetscFunctionBegin;
  *out = NULL;
  *wrong = kind ? NULL : "there is no such scheme";
  if (kind && !(options->step > 0)) *wrong = "the step must be positive";
  if (!*wrong) *wrong = control_wrong(&options->control, options->step);
  if (*wrong) PetscFunctionReturn(0);
  PetscCall(PetscNew(&p));
  p->options = *options;
  if (!(p->options.tolerance > 0)) p->options.tolerance = 1e-12;
  if (p->options.iterations <= 0) p->options.iterations = 20;
  if (p->options.halvings == 0) p->options.halvings = 12;
  *wrong = kind->make(&p->options, &p->rule);
  if (*wrong) {
    PetscCall(PetscFree(p));
    PetscFunctionReturn(0);
  }
  PetscCall(SystemCreate(model, &p->rule, &p->s));
  PetscCall(VecDuplicate(p->s->residual, &p->previous));
  PetscCall(PetscCalloc1(model->loads.count, &p->load_work));
  p->share = 1;
  control_begin(&p->control, &options->control, options->step, p->rule.order);
  LimberLedger *l = &p->ledger;
  PetscCall(LedgerEnergies(p->s, &l->kinetic, &l->strain, &l->potential));
  p->energy_start = l->kinetic + l->strain + l->potential, p->potential_start = l->potential;
  l->exchanged = l->kinetic + l->strain;
  for (PetscInt i = 1; i < p->s->nnode_own; i++) p->mass += p->s->inertia[i].m;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &p->mass, 1, MPI_DOUBLE, MPI_SUM, p->s->comm));
  if (p->rule.memory) PetscCall(StartAccelerations(p));
  *out = p;
  PetscFunctionReturn(0);
}

PetscErrorCode StepperDestroy(Stepper **stepper) {
  Stepper *p = *stepper;
  PetscFunctionBegin;
  if (!p) PetscFunctionReturn(0);
  PetscCall(VecDestroy(&p->previous));
  PetscCall(PetscFree(p->load_work));
  PetscCall(StateDestroy(p));
  PetscCall(SystemDestroy(&p->s));
  PetscCall(PetscFree(p));
  *stepper = NULL;
  PetscFunctionReturn(0);
}

// The state at the end of the step, for own nodes and ghosts alike: the same function of the same unknowns.
static PetscErrorCode Advance(Stepper *p) {
  System *s = p->s;
  const Tableau *t = &p->rule.tableau;
  const double *q;
  Vec local;
  PetscFunctionBegin;
  PetscCall(VecGhostGetLocalForm(s->unknown, &local));
  PetscCall(VecGetArrayRead(local, &q));
  for (PetscInt i = 1; i < s->nnode; i++) {
    NodeKind kind = model_node(s->model, s->node[i])->kind;
    NodeState n = system_node_state(s, i);
    Vec3 u[MAX_INTERVALS], c[MAX_INTERVALS];
    NodeMotion m[MAX_INTERVALS];
    if (kind == NODE_FIXED) continue;
    system_increments(s, q, i, u, c);
    for (int k = 0; k < t->s; k++) node_move(kind, n.x, u[k], c[k], &m[k]);
    if (kind == NODE_FRAME) { // keep the directors orthonormal against the growth of round-off
      Mat3 r = rotation_orthonormalised(mat3_columns(m[0].x[1], m[0].x[2], m[0].x[3]));
      for (int j = 0; j < 3; j++) m[0].x[j + 1] = mat3_column(r, j);
    }
    if (system_material(s, i)) {
      MaterialVelocity w;
      system_frame_velocity(s, q, i, &w);
      for (int j = 0; j < 4; j++) n.x[j] = m[0].x[j];
      Mat3 axes = mat3_columns(n.x[1], n.x[2], n.x[3]);
      n.v[0] = vec3_add(w.vk[0][0], mat3_apply_transpose(axes, system_carry(s, i)));
      n.v[1] = w.vk[0][1];
    } else if (s->slips[s->node[i]]) {
      PointVelocity w;
      system_point_velocity(s, q, i, &w);
      n.x[0] = m[0].x[0], n.v[0] = w.vk[0];
    } else p->rule.advance(&p->rule, s->h, node_vectors(kind), m, n);
  }
  p->ledger.constraint = 0;
  for (PetscInt j = 0; j < s->njoint; j++) {
    const ModelJoint *joint = model_joint(s->model, s->joint[j]);
    double lambda[MAX_INTERVALS][MAX_ROWS], g[MAX_ROWS];
    Coords zk[MAX_INTERVALS];
    Vec3 x[MAX_ITEM_VECTORS];
    int n = 0;
    system_joint_unknowns(s, q, j, lambda, zk);
    s->coord[j] = zk[0];
    memcpy(s->multiplier[j], lambda[0], sizeof lambda[0]);
    if (p->rule.slip) { // the projection's impulse belongs to the mean force of the step
      double mu[MAX_INTERVALS][MAX_ROWS];
      system_slip_multipliers(s, q, j, mu);
      for (int i = 0; i < joint->joint.nslip; i++) s->multiplier[j][joint->joint.slip_row[i]] -= mu[0][i] / s->h;
    }
    for (int a = 0; a < joint->nnode; a++)
      for (int v = 0; v < node_vectors(model_node(s->model, joint->node[a])->kind); v++)
        x[n++] = s->x[4 * s->joint_node[j][a] + v];
    rows_value(&joint->joint.rows, x, zk, g);
    for (int r = 0; r < joint->joint.rows.nrow; r++) p->ledger.constraint = PetscMax(p->ledger.constraint, fabs(g[r]));
  }
  PetscCall(VecRestoreArrayRead(local, &q));
  PetscCall(VecGhostRestoreLocalForm(s->unknown, &local));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &p->ledger.constraint, 1, MPI_DOUBLE, MPI_MAX, s->comm));
  PetscFunctionReturn(0);
}

// Books a converged step and moves the state.
PetscErrorCode StepperAccept(Stepper *p, double h) {
  System *s = p->s;
  LimberLedger *l = &p->ledger;
  double before = l->kinetic + l->strain + l->potential, work;
  Account a;
  PetscFunctionBegin;
  // ghosts of the unknowns as Newton left them
  PetscCall(VecGhostUpdateBegin(s->unknown, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGhostUpdateEnd(s->unknown, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(LedgerStep(p, &work, &a));
  PetscCall(Advance(p));
  PetscCall(LedgerEnergies(s, &l->kinetic, &l->strain, &l->potential));
  double change = l->kinetic + l->strain + l->potential - before;
  if (!p->rule.proved) a.lost = work - a.damped - change;
  l->work += work, l->joints += a.joints, l->damping += a.damped, l->dissipated += a.lost;
  l->residual = change - work + a.damped + a.lost;
  l->worst_residual = PetscMax(l->worst_residual, fabs(l->residual));
  l->exchanged = PetscMax(l->exchanged, PetscMax(l->kinetic + l->strain, fabs(l->potential - p->potential_start)));
  l->exchanged = PetscMax(l->exchanged, fabs(l->work));
  s->time += h;
  PetscCall(VecCopy(s->unknown, p->previous));
  p->previous_step = h;
  PetscFunctionReturn(0);
}

// No increments but those of the mass centres of free components, so that Newton's path does not depend on the velocity
// with which such a component is carried along.
static PetscErrorCode StartCarried(Stepper *p, double h) {
  System *s = p->s;
  const Tableau *t = &p->rule.tableau;
  double *q;
  PetscFunctionBegin;
  PetscCall(VecZeroEntries(s->unknown));
  PetscCall(VecGetArray(s->unknown, &q));
  for (PetscInt i = 1; i < s->nnode_own; i++) {
    if (s->component[i] < 0 || s->node_block[i] < 0) continue;
    for (int k = 0; k < t->s; k++)
      vec3_to(vec3_scale(t->b[k] * h, s->carry[s->component[i]]), q + s->node_block[i] * s->bs + 3 * k);
  }
  PetscCall(VecRestoreArray(s->unknown, &q));
  PetscFunctionReturn(0);
}

// Arms of mean directors vanish at half a turn: their balance of moments has roots there that the energy theorem does not
// cover. No frame may turn that far in a step.
static PetscErrorCode TurnedTooFar(Stepper *p, bool *far) {
  System *s = p->s;
  const double *q;
  PetscMPIInt found = 0;
  PetscFunctionBegin;
  *far = false;
  if (p->rule.tableau.place != FORCE_MEAN) PetscFunctionReturn(0);
  PetscCall(VecGetArrayRead(s->unknown, &q));
  for (PetscInt i = 1; i < s->nnode_own; i++) {
    Vec3 u[MAX_INTERVALS], c[MAX_INTERVALS];
    system_increments(s, q, i, u, c);
    for (int k = 0; k < p->rule.tableau.s; k++) found |= !(vec3_norm(c[k]) < 3.99); // |c| = 4 is half a turn
  }
  PetscCall(VecRestoreArrayRead(s->unknown, &q));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_LOR, s->comm));
  *far = found;
  PetscFunctionReturn(0);
}

// One try at a step: from the previous increments, then from none.
PetscErrorCode StepperTry(Stepper *p, double h, int *iterations, NewtonOutcome *o) {
  System *s = p->s;
  PetscFunctionBegin;
  PetscCall(LedgerCarry(s));
  PetscCall(SystemBeginStep(s, h));
  o->converged = false;
  for (int start = p->previous_step > 0 ? 0 : 1; start < 2 && !o->converged; start++) {
    if (start == 0) {
      PetscCall(VecCopy(p->previous, s->unknown));
      PetscCall(VecScale(s->unknown, h / p->previous_step));
    } else PetscCall(StartCarried(p, h));
    PetscCall(SystemNewton(s, p->ledger.exchanged, p->options.tolerance, p->options.iterations, o));
    *iterations += o->iterations;
    bool far = false;
    if (o->converged) PetscCall(TurnedTooFar(p, &far));
    o->converged = o->converged && !far;
  }
  PetscFunctionReturn(0);
}

// The theorem forbids that the account of a step is open by more than Newton's tolerance (1e-11 of the energy) and
// round-off. Below the energy of all masses moving by 1e-9 of the model's size in a step, as in first steps from rest,
// round-off may be all there is.
bool stepper_account_open(const Stepper *p, double h) {
  double slow = 1e-9 * p->s->length / h;
  return fabs(p->ledger.residual) > 1e-6 * p->ledger.exchanged + p->mass * slow * slow;
}

PetscErrorCode StepperNameFailure(Stepper *p, const NewtonOutcome *o, LimberOutcome *out) {
  PetscFunctionBegin;
  out->reason = o->singular ? LIMBER_SINGULAR : LIMBER_NO_CONVERGENCE;
  if (o->worst >= 0) PetscCall(SystemNameBlock(p->s, o->worst, out->where, sizeof out->where));
  PetscFunctionReturn(0);
}

// The increments that led to the state.
PetscErrorCode StepperRecall(Stepper *p) {
  Vec unknown = p->s->unknown;
  PetscFunctionBegin;
  PetscCall(VecCopy(p->previous, unknown));
  PetscCall(VecGhostUpdateBegin(unknown, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGhostUpdateEnd(unknown, INSERT_VALUES, SCATTER_FORWARD));
  PetscFunctionReturn(0);
}

PetscErrorCode StepperStep(Stepper *p, LimberOutcome *out) {
  System *s = p->s;
  double whole = p->options.step, shortest = p->options.halvings < 0 ? 1 : ldexp(1, -p->options.halvings);
  double done = 0; // share of the whole step; a sum of powers of two, so exact, which lengths in seconds would not be
  PetscFunctionBegin;
  if (p->options.control.on) {
    PetscCall(ControlledStep(p, out));
    PetscFunctionReturn(0);
  }
  *out = (LimberOutcome){.reason = LIMBER_CONVERGED, .step = whole};
  while (done < 1) {
    NewtonOutcome o;
    double share = PetscMin(p->share, 1 - done), h = share * whole;
    s->time = ((double)p->count + done) * whole;
    PetscCall(StepperTry(p, h, &out->iterations, &o));
    if (o.converged) {
      PetscCall(StepperAccept(p, h));
      done += share, out->substeps++;
      out->step = PetscMin(out->step, h);
      p->share = PetscMin(1, 2 * p->share);
      if (stepper_account_open(p, h)) {
        out->reason = LIMBER_ACCOUNT_OPEN;
        break;
      }
    } else if (0.5 * share >= shortest) {
      p->share = 0.5 * share;
      p->previous_step = 0;
      out->rejected++;
    } else {
      PetscCall(StepperNameFailure(p, &o, out));
      PetscCall(StepperRecall(p));
      break;
    }
  }
  if (out->reason == LIMBER_CONVERGED) p->count++;
  s->time = ((double)p->count + (out->reason == LIMBER_CONVERGED ? 0 : done)) * whole;
  out->time = s->time;
  PetscFunctionReturn(0);
}
