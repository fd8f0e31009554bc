// SPDX-License-Identifier: Apache-2.0
#include "analyses/dynamic/stepper.h"

#include "base/rotation.h"
#include "analyses/dynamic/contact.h"
#include "analyses/exponential/exponential.h"
#include "analyses/dynamic/start.h"
#include "solvers/redundancy.h"

#include <string.h>

PetscErrorCode StepperPrepare(Model model, const LimberOptions *options, Stepper **out, char *wrong, size_t size) {
  Stepper *p;
  const SchemeKind *kind = scheme_find(options->scheme);
  PetscFunctionBegin;
  *out = NULL;
  const char *why = kind ? NULL : "there is no such scheme";
  if (kind && !(options->step > 0)) why = "the step must be positive";
  if (!why) why = control_error(&options->control, options->step);
  PetscCall(PetscSNPrintf(wrong, size, "%s%s", why ? "run: " : "", why ? why : ""));
  if (why) PetscFunctionReturn(0);
  PetscCall(PetscNew(&p));
  p->options = *options;
  if (!(p->options.tolerance > 0)) p->options.tolerance = 1e-12;
  if (p->options.iterations <= 0) p->options.iterations = 20;
  if (p->options.halvings == 0) p->options.halvings = 12;
  if (p->options.terms == 0) p->options.terms = 2;
  if (p->options.power1 == 0) p->options.power1 = 1;
  if (p->options.power2 == 0) p->options.power2 = 1;
  why = kind->make(&p->options, &p->rule);
  if (why) {
    PetscCall(PetscSNPrintf(wrong, size, "run: %s", why));
    PetscCall(PetscFree(p));
    PetscFunctionReturn(0);
  }
  if (p->rule.drifts) p->options.halvings = -1;
  PetscCall(SystemCreate(model, &p->rule, &p->s));
  p->s->augmented.usual_step = options->step, p->s->step.end_forces = options->end_forces;
  for (int i = 0; i < 2; i++) PetscCall(VecDuplicate(p->s->linear.residual, &p->previous[i]));
  PetscCall(PetscCalloc2(model->loads.count, &p->load_work, model->loads.count, &p->drive_force));
  for (int e = 0; e < model->elements.count && !p->potentials; e++) {
    const ModelElement *el = model_element(model, e);
    ElementPoint at = {.hyper = NULL};
    if (el->kind->points(el->data) > 0) element_point(el->kind, el->data, 0, &at);
    p->potentials = at.hyper;
  }
  p->step_fraction = 1;
  PetscCall(ContactsCreate(p));
  if (p->rule.exponential) PetscCall(ExponentialCreate(p, wrong, size));
  if (wrong[0]) PetscCall(StepperDestroy(&p));
  *out = p;
  PetscFunctionReturn(0);
}

PetscErrorCode StepperUpdateEnergies(Stepper *p, const double *elements) {
  LimberLedger *l = &p->ledger;
  PetscFunctionBegin;
  PetscCall(LedgerEnergies(p->s, elements, &l->kinetic, &l->strain, &l->potential));
  if (p->exponential && p->exponential->linear) exponential_energies(p->exponential, &l->kinetic, &l->strain);
  PetscFunctionReturn(0);
}

PetscErrorCode StepperCreate(Model model, const LimberOptions *options, Stepper **out, char *wrong, size_t size) {
  Stepper *p;
  PetscFunctionBegin;
  *out = NULL;
  PetscCall(StepperPrepare(model, options, &p, wrong, size));
  if (wrong[0]) PetscFunctionReturn(0);
  PetscCall(StepperStart(p, wrong, size));
  if (wrong[0]) {
    PetscCall(StepperDestroy(&p));
    PetscFunctionReturn(0);
  }
  control_begin(&p->control, &options->control, options->step, p->rule.order);
  LimberLedger *l = &p->ledger;
  PetscCall(StepperUpdateEnergies(p, NULL));
  PetscCall(LedgerMemory(p->s, &l->memory));
  p->energy_start = l->kinetic + l->strain + l->potential, p->potential_start = l->potential;
  l->exchanged = l->kinetic + l->strain;
  contacts_step(p, 0);
  *out = p;
  PetscFunctionReturn(0);
}

PetscErrorCode StepperDestroy(Stepper **stepper) {
  Stepper *p = *stepper;
  PetscFunctionBegin;
  if (!p) PetscFunctionReturn(0);
  for (int i = 0; i < 2; i++) PetscCall(VecDestroy(&p->previous[i]));
  PetscCall(PetscFree2(p->load_work, p->drive_force));
  PetscCall(StateDestroy(p));
  PetscCall(ContactsDestroy(p));
  PetscCall(ExponentialDestroy(p));
  PetscCall(SystemDestroy(&p->s));
  PetscCall(PetscFree(p));
  *stepper = NULL;
  PetscFunctionReturn(0);
}

// The state at the end of the step, for own nodes and ghosts alike: the same function of the same unknowns.
PetscErrorCode StepperAdvance(Stepper *p) {
  System *s = p->s;
  const double *q;
  Vec local;
  PetscFunctionBegin;
  PetscCall(SystemOpenUnknowns(s, &local, &q));
  for (PetscInt j = 0; j < s->layout.njoint; j++)
    system_store_multipliers(s, q, j), s->state.coord_before[j] = s->state.coord[j];
  PetscCall(PetscArraycpy(s->state.x_before, s->state.x, 4 * s->layout.nnode));
  s->state.stepped = true, s->state.last_h = s->step.h;
  s->redundancy.least_norm = false;
  for (PetscInt i = 1; i < s->layout.nnode; i++) {
    NodeKind kind = model_node(s->layout.model, s->layout.node[i])->kind;
    NodeState n = system_node_state(s, i);
    NodeMotion *m = s->step.motion + i * s->rule->tableau.s;
    if (kind == NODE_FIXED) continue;
    if (kind == NODE_FRAME) { // keep the directors orthonormal against the growth of round-off
      Mat3 r = rotation_orthonormalised(mat3_columns(m[0].x[1], m[0].x[2], m[0].x[3]));
      for (int j = 0; j < 3; j++) m[0].x[j + 1] = mat3_column(r, j);
    }
    if (system_material(s, i)) {
      MaterialVelocity w;
      system_frame_velocity(s, q, i, &w);
      for (int j = 0; j < 4; j++) n.x[j] = m[0].x[j];
      Mat3 axes = node_axes(n.x);
      n.v[0] = vec3_add(w.vk[0][0], mat3_apply_transpose(axes, system_centre_velocity(s, i)));
      n.v[1] = w.vk[0][1];
    } else if (system_corotation(s, i)) {
      PointVelocity w;
      system_point_velocity(s, q, i, &w);
      n.x[0] = m[0].x[0], n.v[0] = corotation_end_velocity(system_corotation(s, i), &w);
    } else if (s->layout.has_projection[s->layout.node[i]]) {
      PointVelocity w;
      system_point_velocity(s, q, i, &w);
      n.x[0] = m[0].x[0], n.v[0] = w.vk[0];
    } else p->rule.advance(&p->rule, s->step.h, node_vectors(kind), m, n);
  }
  p->ledger.constraint = s->augmented.strain;
  for (PetscInt j = 0; j < s->layout.njoint; j++) {
    double lambda[MAX_STAGES][MAX_ROWS];
    Coords zk[MAX_STAGES];
    system_joint_unknowns(s, q, j, lambda, zk);
    s->state.coord[j] = zk[0];
    p->ledger.constraint = PetscMax(p->ledger.constraint, system_joint_gap(s, j));
  }
  PetscCall(SystemCloseUnknowns(s, &local, &q));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &p->ledger.constraint, 1, MPI_DOUBLE, MPI_MAX, s->layout.comm));
  PetscFunctionReturn(0);
}

// Books a converged step and moves the state.
PetscErrorCode StepperAccept(Stepper *p, double h) {
  System *s = p->s;
  LimberLedger *l = &p->ledger;
  double before = l->kinetic + l->strain + l->potential + l->memory, work;
  StepBalance a = {0};
  PetscFunctionBegin;
  if (p->exponential) PetscCall(ExponentialAccept(p, &work, &a));
  else {
    PetscCall(SystemMoveNodes(s)); // by the unknowns as Newton left them
    PetscCall(LedgerStep(p, &work, &a));
    PetscCall(StepperAdvance(p));
    PetscCall(LedgerElements(p, &a));
  }
  PetscCall(StepperUpdateEnergies(p, p->exponential ? NULL : &a.elements));
  l->memory = a.memory, p->rough = a.rough;
  double change = l->kinetic + l->strain + l->potential + l->memory - before;
  if (!p->rule.proved) a.lost = work - a.damped - a.augmented - change;
  l->work += work, l->joints += a.joints + a.augmented, l->drives += a.drives, l->damping += a.damped,
      l->dissipated += a.lost;
  l->residual = change - work + a.damped + a.lost + a.augmented;
  l->worst_residual = PetscMax(l->worst_residual, fabs(l->residual));
  l->exchanged = PetscMax(l->exchanged, PetscMax(l->kinetic + l->strain, fabs(l->potential - p->potential_start)));
  l->exchanged = PetscMax(l->exchanged, fabs(l->work - p->branched));
  s->state.time += h;
  Vec oldest = p->previous[1];
  p->previous[1] = p->previous[0], p->previous_step[1] = p->previous_step[0];
  p->previous[0] = oldest, p->previous_step[0] = h;
  PetscCall(VecCopy(s->linear.unknown, oldest));
  PetscFunctionReturn(0);
}

// No increments but those of the mass centres of free components, so that Newton's path does not depend on the velocity
// with which such a component is carried along.
static PetscErrorCode StartFromCentreVelocity(Stepper *p, double h) {
  System *s = p->s;
  const Tableau *t = &p->rule.tableau;
  double *q;
  PetscFunctionBegin;
  PetscCall(VecZeroEntries(s->linear.unknown));
  PetscCall(VecGetArray(s->linear.unknown, &q));
  for (PetscInt i = 1; i < s->layout.nnode_own; i++) {
    if (s->layout.free_body[i] < 0 || s->layout.node_block[i] < 0) continue;
    for (int k = 0; k < t->s; k++)
      vec3_to(vec3_scale(t->b[k] * h, s->step.centre_velocity[s->layout.free_body[i]]),
              q + s->layout.node_block[i] * s->layout.bs + 3 * k);
  }
  PetscCall(VecRestoreArray(s->linear.unknown, &q));
  PetscFunctionReturn(0);
}

// Arms of mean directors vanish at half a turn: their balance of moments has roots there that the energy theorem does not
// cover. No frame may turn that far in a step.
static PetscErrorCode RotatedTooFar(Stepper *p, bool *far) {
  System *s = p->s;
  const double *q;
  PetscMPIInt found = 0;
  PetscFunctionBegin;
  *far = false;
  if (p->rule.tableau.force_rule != FORCE_MEAN) PetscFunctionReturn(0);
  PetscCall(VecGetArrayRead(s->linear.unknown, &q));
  for (PetscInt i = 1; i < s->layout.nnode_own; i++) {
    Vec3 u[MAX_STAGES], c[MAX_STAGES];
    system_increments(s, q, i, u, c);
    for (int k = 0; k < p->rule.tableau.s; k++) found |= !(vec3_norm(c[k]) < 3.99); // |c| = 4 is half a turn
  }
  PetscCall(VecRestoreArrayRead(s->linear.unknown, &q));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_LOR, s->layout.comm));
  *far = found;
  PetscFunctionReturn(0);
}

// Increments that go on as they changed from the last but one step to the last, each taken over its length; those of the last
// step; none.
enum { GO_ON, AS_BEFORE, FROM_REST, STARTS };

static PetscErrorCode StartFrom(Stepper *p, int start, double h) {
  const double *last = p->previous_step;
  Vec x = p->s->linear.unknown;
  PetscFunctionBegin;
  if (start == FROM_REST) {
    PetscCall(StartFromCentreVelocity(p, h));
    PetscFunctionReturn(0);
  }
  PetscCall(VecCopy(p->previous[0], x));
  double on = start == GO_ON ? (h + last[0]) / (last[0] + last[1]) : 0;
  if (start == GO_ON) PetscCall(VecAXPBY(x, -on * h / last[1], (1 + on) * h / last[0], p->previous[1]));
  else PetscCall(VecScale(x, h / last[0]));
  PetscFunctionReturn(0);
}

// A potential of large strain knows only det C = J^2, and a long step may pass its wall at J = 0. The item, counted from 1.
static PetscErrorCode FindInverted(Stepper *p, int *component) {
  System *s = p->s;
  const double *q;
  Vec local;
  PetscFunctionBegin;
  *component = 0;
  if (!p->potentials) PetscFunctionReturn(0);
  PetscCall(SystemRefresh(s));
  PetscCall(SystemOpenUnknowns(s, &local, &q));
  for (PetscInt e = 0; e < s->layout.nelement; e++) {
    const ModelElement *el = model_element(s->layout.model, s->layout.element[e]);
    LocalMotion it;
    system_gather_element(s, q, e, &it);
    for (int k = 0; k < it.s; k++)
      if (element_is_inverted(el->kind, el->data, it.xn, it.xk[k]))
        *component = PetscMax(*component, el->component + 1);
  }
  PetscCall(SystemCloseUnknowns(s, &local, &q));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, component, 1, MPI_INT, MPI_MAX, s->layout.comm));
  PetscFunctionReturn(0);
}

// Newton from the unknowns as they are, and whether what it finds is a step.
static PetscErrorCode SolveFromHere(Stepper *p, int *iterations, NewtonOutcome *o) {
  System *s = p->s;
  bool far = true;
  PetscFunctionBegin;
  for (int again = 0; again < 2 && far; again++) { // once more from where angles are nearest
    PetscCall(SystemSolveAugmented(s, p->ledger.exchanged, p->options.tolerance, p->options.iterations, o));
    *iterations += o->iterations;
    far = false;
    if (o->converged) PetscCall(SystemUnwind(s, &far));
  }
  if (o->converged && !far) PetscCall(RotatedTooFar(p, &far));
  PetscCall(FindInverted(p, &o->inverted));
  o->converged = o->converged && !far && !o->inverted;
  PetscFunctionReturn(0);
}

static PetscErrorCode SolveStep(Stepper *p, double h, int *iterations, NewtonOutcome *o) {
  bool arrived;
  PetscFunctionBegin;
  o->converged = false;
  int first = p->previous_step[0] == 0 ? FROM_REST : p->previous_step[1] == 0 ? AS_BEFORE : GO_ON;
  for (int start = first; start < STARTS && !o->converged; start++) {
    PetscCall(StartFrom(p, start, h));
    PetscCall(SolveFromHere(p, iterations, o));
    if (p->growth.grown) PetscFunctionReturn(0); // a part that need not be longer
  }
  if (o->converged) PetscFunctionReturn(0);
  PetscCall(StartFrom(p, FROM_REST, h));
  PetscCall(SystemApproach(p->s, p->options.iterations, iterations, &arrived));
  if (arrived) PetscCall(SolveFromHere(p, iterations, o));
  PetscFunctionReturn(0);
}

PetscErrorCode StepperAttempt(Stepper *p, double h, int *iterations, NewtonOutcome *o) {
  System *s = p->s;
  bool changed = false;
  PetscFunctionBegin;
  if (p->exponential) {
    PetscCall(ExponentialAttempt(p, h, iterations, o));
    PetscFunctionReturn(0);
  }
  PetscCall(SystemFindCentreVelocities(s));
  PetscCall(SystemBeginStep(s, h));
  PetscCall(SystemFindCorotation(s));
  PetscCall(SolveStep(p, h, iterations, o));
  if (!o->converged) PetscCall(SystemUpdateRedundantRows(s, true, &changed)); // other rows of a loop may do
  if (changed) PetscCall(SolveStep(p, h, iterations, o));
  PetscFunctionReturn(0);
}

// The theorem forbids that the account of a step is open by more than Newton's tolerance (1e-11 of the energy) and
// round-off, that of strains among it, which stiff parts that hardly move do not get below. Below the energy of all masses moving by 1e-9 of the model's size in a step, as in first steps from rest,
// round-off may be all there is.
static bool is_balance_violated(const Stepper *p, double h) {
  double slow = 1e-9 * p->s->layout.length / h;
  return fabs(p->ledger.residual) > 1e-9 * p->ledger.exchanged + p->s->layout.total_mass * slow * slow + p->rough;
}

PetscErrorCode StepperVerdict(Stepper *p, double h, LimberOutcome *out) {
  double gap;
  PetscInt joint;
  PetscFunctionBegin;
  if (is_balance_violated(p, h)) out->reason = LIMBER_BALANCE_ERROR;
  else if (!p->rule.drifts &&
           p->ledger.constraint > PetscMax(1e-6 * PetscMax(1, p->s->layout.length), p->s->augmented.strain)) {
    // of joints only rows that were left out can be
    out->reason = LIMBER_CONTRADICTION;
    PetscCall(SystemWorstGap(p->s, &gap, &joint));
    model_name_joint(p->s->layout.model, joint, out->where, sizeof out->where);
  }
  PetscFunctionReturn(0);
}

// sum |r dx| over all rows as Newton left them.
static PetscErrorCode SumUnbalanced(const System *s, double *out) {
  const double *r, *d;
  double sum = 0;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(s->linear.residual, &r));
  PetscCall(VecGetArrayRead(s->linear.increment, &d));
  for (PetscInt i = 0; i < s->layout.nblock_own * s->layout.bs; i++) sum += PetscAbsReal(r[i] * d[i]);
  PetscCall(VecRestoreArrayRead(s->linear.residual, &r));
  PetscCall(VecRestoreArrayRead(s->linear.increment, &d));
  PetscCallMPI(MPI_Allreduce(&sum, out, 1, MPI_DOUBLE, MPI_SUM, s->layout.comm));
  PetscFunctionReturn(0);
}

PetscErrorCode StepperNameFailure(Stepper *p, const NewtonOutcome *o, LimberOutcome *out) {
  PetscInt block = o->worst;
  PetscFunctionBegin;
  if (o->inverted) {
    out->reason = LIMBER_INVERTED_ELEMENT;
    const ModelComponent *component = model_component(p->s->layout.model, o->inverted - 1);
    snprintf(out->where, sizeof out->where, "%s '%s'", component->kind->name, component->name ? component->name : "?");
    PetscFunctionReturn(0);
  }
  out->reason = o->singular ? LIMBER_SINGULAR : LIMBER_NO_CONVERGENCE;
  if (!o->singular && !p->exponential) PetscCall(SumUnbalanced(p->s, &out->unbalanced));
  if (o->singular) PetscCall(SystemFindUnconstrained(p->s, &block));
  if (block >= 0 && o->singular) PetscCall(SystemNameBlock(p->s, block, out->where, sizeof out->where));
  else if (block >= 0) PetscCall(SystemNameResidual(p->s, block, out->where, sizeof out->where));
  PetscFunctionReturn(0);
}

// The increments that led to the state.
PetscErrorCode StepperRecall(Stepper *p) {
  PetscFunctionBegin;
  PetscCall(VecCopy(p->previous[0], p->s->linear.unknown));
  PetscCall(SystemRefresh(p->s));
  PetscCall(SystemMoveAgain(p->s));
  PetscFunctionReturn(0);
}
