// SPDX-License-Identifier: Apache-2.0
#include "analyses/stepping/ledger.h"

#include "analyses/stepping/between.h"
#include "analyses/stepping/contact.h"
#include "analyses/stepping/event_sensors.h"
#include "analyses/stepping/events.h"
#include "analyses/stepping/first_touch.h"
#include "analyses/stepping/parts.h"
#include "analyses/stepping/start.h"
#include "assembly/contacts.h"
#include "model/step_back.h"
#include "solvers/redundancy.h"

#include <string.h>

static void refuse(const char *kind, const char *name, const char *why, int order, char *wrong, size_t size) {
  snprintf(wrong, size, "%s '%s' %s, " STEP_BACK_ADVICE, kind, name ? name : "?", why, order);
}

// What forbids the steps backwards that a composed step has; `wrong` stays as it is where nothing does.
static void check_composition(Model m, const Stepper *p, char *wrong, size_t size) {
  const char *why = NULL;
  int order = p->options.order;
  if (!p->rule.composition) return;
  if (p->options.control.on)
    snprintf(wrong, size, "run: steps of order 4 and 6 are equal: leave out `control` or `order`");
  for (LimberId i = 0; i < m->components.count && !wrong[0]; i++)
    if ((why = component_forbids_step_back(m, i)))
      refuse(model_component(m, i)->kind->name, model_component(m, i)->name, why, order, wrong, size);
  for (LimberId i = 0; i < m->joints.count && !wrong[0]; i++)
    if ((why = joint_forbids_step_back(m, i)))
      refuse(model_joint(m, i)->kind->name, model_joint(m, i)->name, why, order, wrong, size);
  for (LimberId i = 0; i < m->loads.count && !wrong[0]; i++)
    if ((why = load_forbids_step_back(m, i)))
      refuse(model_load(m, i)->kind->name, model_load(m, i)->name, why, order, wrong, size);
}

PetscErrorCode StepperPrepare(Model model, const LimberOptions *options, Stepper **out, char *wrong, size_t size) {
  Stepper *p;
  const SchemeKind *kind = scheme_kind(options->scheme);
  const AnalysisKind *analysis = options->analysis == LIMBER_ANALYSIS_STATIC ? analysis_find("static") : NULL;
  bool own = analysis && analysis->rule;
  PetscFunctionBegin;
  *out = NULL;
  const char *why = kind ? NULL : "there is no such scheme";
  if (options->analysis != LIMBER_ANALYSIS_TIME && !analysis) why = "there is no such analysis";
  if (!why && !own && !(options->step > 0)) why = "the step must be positive";
  if (!why && !own) why = control_error(&options->control, options->step);
  PetscCall(PetscSNPrintf(wrong, size, "%s%s", why ? "run: " : "", why ? why : ""));
  if (why) PetscFunctionReturn(0);
  PetscCall(PetscNew(&p));
  p->options = *options;
  if (!(p->options.tolerance > 0)) p->options.tolerance = 1e-12;
  if (p->options.iterations <= 0) p->options.iterations = 20;
  if (p->options.halvings == 0) p->options.halvings = 12;
  if (p->options.paper.terms == 0) p->options.paper.terms = 2;
  if (p->options.paper.power1 == 0) p->options.paper.power1 = 1;
  if (p->options.paper.power2 == 0) p->options.paper.power2 = 1;
  if (own) analysis->rule(&p->rule), p->options.step = 1, p->options.control.on = p->options.equilibrium = false;
  else why = scheme_make(kind, &p->options, &p->rule).text;
  if (why) PetscCall(PetscSNPrintf(wrong, size, "run: %s", why));
  else if ((why = contacts_forbidden(model, &p->rule))) PetscCall(PetscSNPrintf(wrong, size, "run: %s", why));
  else check_composition(model, p, wrong, size);
  if (!own && !wrong[0]) events_check(model, p, wrong, size);
  if (wrong[0]) {
    PetscCall(PetscFree(p));
    PetscFunctionReturn(0);
  }
  p->kind = analysis ? analysis : analysis_find(p->rule.analysis ? p->rule.analysis : "dynamic");
  PetscCheck(p->kind, PETSC_COMM_SELF, PETSC_ERR_PLIB, "scheme %s names no analysis", kind->name);
  if (p->rule.drifts) p->options.halvings = -1;
  PetscCall(SystemCreate(model, &p->rule, &p->s));
  p->s->step.usual = p->options.step, p->s->step.end_forces = options->end_forces;
  for (int i = 0; i < 2; i++) PetscCall(VecDuplicate(p->s->linear.residual, &p->previous[i]));
  PetscCall(PartsCreate(p));
  PetscCall(PetscCalloc2(model->loads.count, &p->load_work, model->loads.count, &p->drive_force));
  for (int e = 0; e < model->elements.count && !p->potentials; e++) {
    const ModelElement *el = model_element(model, e);
    ElementPoint at = {.hyper = NULL, .reeled = false};
    if (el->kind->points(el->data) > 0) element_point(el->kind, el->data, 0, &at);
    p->potentials = at.hyper || at.reeled;
  }
  p->step_fraction = 1;
  PetscCall(ContactsCreate(p));
  if (p->kind->prepare) PetscCall(p->kind->prepare(p, wrong, size));
  PetscCall(EventsCreate(p));
  p->ends_at_touch = p->kind->undoes && first_touch_ends_steps(p);
  if (wrong[0]) PetscCall(StepperDestroy(&p));
  *out = p;
  PetscFunctionReturn(0);
}

PetscErrorCode StepperUpdateEnergies(Stepper *p, const StepBalance *balance) {
  LimberLedger *l = &p->ledger;
  PetscFunctionBegin;
  PetscCall(p->kind->energies(p, balance, &l->kinetic, &l->strain, &l->potential));
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
  control_begin(&p->control, &p->options.control, p->options.step, p->rule.order);
  LimberLedger *l = &p->ledger;
  PetscCall(StepperUpdateEnergies(p, NULL));
  PetscCall(LedgerMemory(p->s, &l->memory));
  p->energy_start = l->kinetic + l->strain + l->potential, p->potential_start = l->potential;
  p->memory_start = l->memory;
  l->exchanged = l->kinetic + l->strain;
  contacts_step(p, 0);
  PetscCall(EventsStart(p));
  *out = p;
  PetscFunctionReturn(0);
}

PetscErrorCode StepperDestroy(Stepper **stepper) {
  Stepper *p = *stepper;
  PetscFunctionBegin;
  if (!p) PetscFunctionReturn(0);
  for (int i = 0; i < 2; i++) PetscCall(VecDestroy(&p->previous[i]));
  PetscCall(PetscFree2(p->load_work, p->drive_force));
  if (p->between) PetscCall(p->between->destroy(&p->between));
  if (p->sensors) PetscCall(p->sensors->destroy(&p->sensors));
  PetscCall(StateDestroy(p));
  PetscCall(ContactsDestroy(p));
  PetscCall(EventsDestroy(p));
  if (p->kind->destroy) PetscCall(p->kind->destroy(p));
  PetscCall(PartsDestroy(p));
  PetscCall(SystemDestroy(&p->s));
  PetscCall(PetscFree(p));
  *stepper = NULL;
  PetscFunctionReturn(0);
}

// Velocities after the impacts of a step, and what these took.
static PetscErrorCode TakeImpulses(Stepper *p, double h, const StepBalance *balance) {
  LimberLedger *l = &p->ledger;
  double before = l->kinetic + l->strain + l->potential;
  ContactImpulses c;
  PetscFunctionBegin;
  PetscCall(SystemImpulses(p->s, h, &c));
  if (c.joints) PetscCall(StepperRecall(p));
  PetscCall(StepperUpdateEnergies(p, balance));
  l->damping += c.impact + c.friction, l->memory -= c.memory, l->dissipated += c.memory;
  l->residual += l->kinetic + l->strain + l->potential - before + c.impact + c.friction;
  l->worst_residual = PetscMax(l->worst_residual, fabs(l->residual));
  PetscFunctionReturn(0);
}

// Books a converged step and moves the state.
PetscErrorCode StepperAccept(Stepper *p, double h) {
  System *s = p->s;
  LimberLedger *l = &p->ledger;
  double before = l->kinetic + l->strain + l->potential + l->memory, work;
  StepBalance a = {0};
  PetscFunctionBegin;
  PetscCall(p->kind->accept(p, &work, &a));
  PetscCall(StepperUpdateEnergies(p, &a));
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
  if (s->contacts && s->contacts->hard) PetscCall(TakeImpulses(p, h, &a));
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
    out->cause = model_joint_cause(p->s->layout.model, joint);
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
  PetscFunctionBegin;
  if (o->inverted) {
    out->reason = LIMBER_INVERTED_ELEMENT;
    out->cause = model_component_cause(p->s->layout.model, o->inverted - 1);
    PetscFunctionReturn(0);
  }
  if (o->rotation.angle > 0) {
    out->reason = LIMBER_LARGE_ROTATION, out->rotation = o->rotation.angle;
    out->cause = o->rotation.node >= 0 ? model_node_cause(p->s->layout.model, o->rotation.node)
                                       : model_joint_cause(p->s->layout.model, o->rotation.joint);
    PetscFunctionReturn(0);
  }
  out->reason = o->singular ? LIMBER_SINGULAR : LIMBER_NO_CONVERGENCE;
  if (!o->singular && p->kind->has_residual) PetscCall(SumUnbalanced(p->s, &out->unbalanced));
  if (o->singular) PetscCall(SystemNameUnconstrained(p->s, &out->cause));
  else if (o->worst >= 0) PetscCall(SystemNameResidual(p->s, o->worst, &out->cause));
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
