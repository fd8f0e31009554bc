// SPDX-License-Identifier: Apache-2.0
// Creates and destroys a stepper, and checks its options.
#include "analyses/stepping/stepper.h"

#include "analyses/stepping/between.h"
#include "analyses/stepping/bonds.h"
#include "analyses/stepping/contact.h"
#include "analyses/stepping/events.h"
#include "analyses/stepping/ledger.h"
#include "analyses/stepping/parts.h"
#include "analyses/stepping/ports.h"
#include "analyses/stepping/start.h"
#include "assembly/ranks.h"
#include "model/refusal.h"
#include "model/steps.h"

static void refuse_order(const char *kind, const char *name, const char *why, int order, Refusal *wrong) {
  refuse(wrong, "%s '%s' %s, " STEP_BACK_ADVICE, kind, shown_name(name), why, order);
}

// Refuses what forbids the backward steps of a composed step; otherwise `wrong` is unchanged.
static void check_composition(Model m, const Stepper *p, Refusal *wrong) {
  const char *why = NULL;
  int order = p->options.order;
  if (!p->rule.composition) return;
  if (p->options.control.on) refuse(wrong, "run: steps of order 4 and 6 are equal: leave out `control` or `order`");
  for (int i = 0; i < m->components.count && !is_refused(wrong); i++)
    if ((why = component_forbids_step_back(m, i)))
      refuse_order(model_component(m, i)->kind->name, model_component(m, i)->name, why, order, wrong);
  for (int i = 0; i < m->joints.count && !is_refused(wrong); i++)
    if ((why = joint_forbids_step_back(m, i)))
      refuse_order(model_joint(m, i)->kind->name, model_joint(m, i)->name, why, order, wrong);
  for (int i = 0; i < m->loads.count && !is_refused(wrong); i++)
    if ((why = load_forbids_step_back(m, i)))
      refuse_order(model_load(m, i)->kind->name, model_load(m, i)->name, why, order, wrong);
}

PetscErrorCode StepperPrepare(Model model, const LimberOptions *options, Stepper **out, Refusal *wrong) {
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
  refuse(wrong, "%s%s", why ? "run: " : "", why ? why : "");
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
  if (why) refuse(wrong, "run: %s", why);
  else if ((why = contacts_forbidden(model, &p->rule))) refuse(wrong, "run: %s", why);
  else if ((why = ports_forbidden(model, &p->rule, p->options.control.on))) refuse(wrong, "run: %s", why);
  else check_composition(model, p, wrong);
  if (!own && !is_refused(wrong)) events_check(model, p, wrong);
  if (is_refused(wrong)) {
    PetscCall(PetscFree(p));
    PetscFunctionReturn(0);
  }
  p->kind = analysis ? analysis : analysis_find(p->rule.analysis ? p->rule.analysis : "dynamic");
  PetscCheck(p->kind, PETSC_COMM_SELF, PETSC_ERR_PLIB, "scheme %s names no analysis", kind->name);
  if (p->rule.drifts) p->options.halvings = -1;
  PetscCall(SystemCreate(model, &p->rule, &p->s));
  p->s->motion.step.usual = p->options.step, p->s->motion.step.end_forces = options->end_forces;
  for (int i = 0; i < PREVIOUS; i++) PetscCall(VecDuplicate(p->s->equations.residual, &p->previous[i]));
  PetscCall(PartsCreate(p));
  PetscCall(PortsCreate(p));
  PetscCall(BondsCreate(p));
  PetscCall(PetscCalloc2(model->loads.count, &p->load_work, model->loads.count, &p->drive_force));
  for (int e = 0; e < model->elements.count && !p->potentials; e++) {
    const ModelElement *el = model_element(model, e);
    p->potentials = element_can_invert(el->kind, el->data);
  }
  p->step_fraction = 1;
  PetscCall(ContactsCreate(p));
  if (p->kind->prepare) PetscCall(p->kind->prepare(p, wrong));
  PetscCall(EventsCreate(p));
  p->ends_at_touch = p->kind->undoes && first_touch_ends_steps(p);
  PetscBool checks = PETSC_FALSE;
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-limber_check_ghosts", &checks, NULL));
  p->checks_ghosts = checks;
  if (is_refused(wrong)) PetscCall(StepperDestroy(&p));
  *out = p;
  PetscFunctionReturn(0);
}

PetscErrorCode StepperBegin(Stepper **stepper, Refusal *wrong) {
  Stepper *p = *stepper;
  PetscFunctionBegin;
  PetscCall(CheckOtherRanks(p->s->motion.layout.comm));
  PetscCall(StepperStart(p, wrong));
  if (!is_refused(wrong) && p->ports) PetscCall(PortsStart(p, wrong));
  if (is_refused(wrong)) {
    PetscCall(StepperDestroy(stepper));
    PetscFunctionReturn(0);
  }
  control_begin(&p->control, &p->options.control, p->options.step, p->rule.order);
  LimberLedger *l = &p->ledger;
  PetscCall(StepperUpdateEnergies(p, NULL));
  PetscCall(LedgerMemory(&p->s->motion.layout, &p->s->motion.state, &l->scheme_energy));
  p->energy_start = l->kinetic + l->strain + l->potential, p->potential_start = l->potential;
  p->memory_start = l->scheme_energy;
  l->exchanged = l->kinetic + l->strain;
  contacts_step(p, 0);
  PetscCall(EventsStart(p));
  PetscFunctionReturn(0);
}

PetscErrorCode StepperCreate(Model model, const LimberOptions *options, Stepper **out, Refusal *wrong) {
  PetscFunctionBegin;
  PetscCall(StepperPrepare(model, options, out, wrong));
  if (!is_refused(wrong)) PetscCall(StepperBegin(out, wrong));
  PetscFunctionReturn(0);
}

PetscErrorCode StepperDestroy(Stepper **stepper) {
  Stepper *p = *stepper;
  PetscFunctionBegin;
  if (!p) PetscFunctionReturn(0);
  for (int i = 0; i < PREVIOUS; i++) PetscCall(VecDestroy(&p->previous[i]));
  PetscCall(PetscFree2(p->load_work, p->drive_force));
  while (p->between) {
    Between *next = p->between->next;
    PetscCall(p->between->destroy(&p->between));
    p->between = next;
  }
  if (p->sensors) PetscCall(p->sensors->destroy(&p->sensors));
  PetscCall(StateDestroy(p));
  PetscCall(ContactsDestroy(p));
  PetscCall(EventsDestroy(p));
  if (p->kind->destroy) PetscCall(p->kind->destroy(p));
  PetscCall(PartsDestroy(p));
  PetscCall(PortsDestroy(p));
  PetscCall(BondsDestroy(p));
  PetscCall(SystemDestroy(&p->s));
  PetscCall(PetscFree(p));
  *stepper = NULL;
  PetscFunctionReturn(0);
}
