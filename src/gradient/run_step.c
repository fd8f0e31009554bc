// SPDX-License-Identifier: Apache-2.0
// A step of a run that is differentiated, and what of a run has no gradient.
#include "gradient/gradient.h"

#include "analyses/stepping/between.h"
#include "analyses/stepping/contact.h"
#include "analyses/stepping/events.h"
#include "assembly/contacts.h"
#include "solvers/redundancy.h"

// ---- what has no gradient yet ----

// The force falls in the step in which sliding begins: which step that is does not change smoothly.
static bool breaks_loose(const Friction *f) {
  return friction_acts(f) && (f->static_limit > f->kinetic || f->static_coefficient > f->kinetic_coefficient);
}

static bool any_breaks_loose(Model m) {
  for (int j = 0; j < m->joints.count; j++) {
    const Joint *joint = &model_joint(m, j)->joint;
    for (int c = 0; c < joint->ncoord; c++)
      if (breaks_loose(&joint->law[c].friction)) return true;
  }
  return false;
}

// What a pair of surfaces remembers from step to step has no derivative.
static const char *unsupported_contact(const Stepper *p) {
  Model m = p->s->motion.layout.model;
  if (p->ends_at_touch) return "contact with `first_touch`";
  for (int c = 0; c < m->contacts.count; c++) {
    const LimberContact *law = &model_contact(m, c)->law;
    if (p->s->motion.contacts->hard) return "contact without penetration";
    if (contact_damper(law->restitution) != 0) return "contact with `restitution`";
    if (law->stick_stiffness > 0) return "contact with friction that sticks";
  }
  return NULL;
}

const char *run_unsupported(const Input *in, const Stepper *p) {
  Model m = p->s->motion.layout.model;
  LimberScheme scheme = in->options.scheme;
  if (scheme != LIMBER_SCHEME_DECAYING && scheme != LIMBER_SCHEME_PRESERVING)
    return "schemes other than `decaying` and `preserving`";
  if (p->options.control.on || in->steps == 0) return "adaptive steps";
  if (p->rule.composition) return "steps of order 4 and 6";
  if (p->s->motion.contacts && unsupported_contact(p)) return unsupported_contact(p);
  if (p->ports || p->bonds) return "ports and bonds";
  if (p->s->motion.augmented.at) return "elements with `enforcement: augmented`";
  for (int b = 0; b < in->network.blocks; b++)
    if (in->network.block[b].kind->loads != BLOCK_LOADS_NOTHING) return "control blocks that are libraries or FMUs";
  if (in->aerodyn) return "`aerodynamics`";
  for (int i = 0; i < m->nodes.count; i++)
    if (model_node(m, i)->states) return "states of the flow around elements";
  if (any_breaks_loose(m)) return "friction in joints whose static limit is above the kinetic one";
  return NULL;
}

void check_readings(const Stepper *p, Refusal *wrong) {
  for (Between *b = p->between; b; b = b->next)
    for (size_t i = 0; b->back && i < b->back->count(b) && !is_refused(wrong); i++) {
      bool unused;
      if (b->back->of_several(b, i))
        refuse(wrong, "gradients of runs do not support control blocks that read '%s' yet",
               b->back->name(b, i, &unused));
    }
}

void check_shadow(const GradientProblem *p, int parameter, const Input *shadow, Refusal *wrong) {
  const LimberOptions *o = &p->in->options, *q = &shadow->options;
  const Network *own = &p->in->network, *other = &shadow->network;
  if (parameter < 0) return; // the model as it is
  const char *path = p->g->parameter[parameter].path;
  if (q->step != o->step || q->rho_inf != o->rho_inf || q->scheme != o->scheme || shadow->given_end != p->in->given_end)
    refuse(wrong, "the step, the end or the scheme of the part `run` depends on %s: give them numbers", path);
  for (int b = 0; b < own->blocks && b < other->blocks && !is_refused(wrong); b++)
    if (own->block[b].period != other->block[b].period)
      refuse(wrong, "the `period` of the block '%s' depends on %s: give it a number", own->block[b].name, path);
}

// ---- a step ----

void refuse_failure(Refusal *wrong, const Stepper *p, const LimberOutcome *out) {
  if (is_refused(wrong)) return;
  refuse(wrong,
         "the step to t = %g s cannot be taken as a whole (%s): a gradient needs a shorter `step` in the part `run`",
         (double)(p->count + 1) * p->options.step, out->cause.name[0] ? out->cause.name : "cause not located");
}

// One attempt from the state, which moves.
static PetscErrorCode Attempt(Stepper *p, double h, LimberOutcome *out, bool *good) {
  NewtonOutcome o;
  int iterations = 0;
  PetscFunctionBegin;
  PetscCall(p->kind->advance(p, h, &iterations, &o));
  if (!o.converged) PetscCall(StepperNameFailure(p, &o, out));
  else {
    PetscCall(StepperAccept(p, h));
    PetscCall(StepperVerdict(p, h, out));
  }
  *good = out->reason == LIMBER_CONVERGED;
  PetscFunctionReturn(0);
}

static PetscErrorCode AttemptAgain(Stepper *p, double h, void *context, bool *good) {
  PetscFunctionBegin;
  PetscCall(StateRestore(p));
  PetscCall(Attempt(p, h, context, good));
  PetscFunctionReturn(0);
}

// The event in which a part of a step to that time ends; -1: none.
static int event_at(const Stepper *p, double time) {
  for (int i = 0; i < p->events->count; i++)
    if (p->events->due[i] || event_due_time(p, i) <= time + event_due_tolerance(p)) return i;
  return -1;
}

// Cuts a part of a step where an event happens (fixed_step.c); the state is then that at its start again.
static PetscErrorCode FindEnd(Stepper *p, StepPart *part, LimberOutcome *out) {
  double start = p->s->motion.state.time, all = part->h;
  bool good = false;
  PetscFunctionBegin;
  part->h = events_limit(p, start, all);
  PetscCall(StateSave(p));
  PetscCall(Attempt(p, part->h, out, &good));
  if (!good) PetscFunctionReturn(0);
  PetscCall(EventsFind(p, &part->h, AttemptAgain, out));
  PetscCall(StateRestore(p));
  part->event = event_at(p, start + part->h);
  part->rest = all - part->h > 1e-9 * p->options.step ? all - part->h : 0; // no tiny rest
  PetscFunctionReturn(0);
}

// Takes a part of a step. `done`: fraction of the whole step.
static PetscErrorCode TakePart(Stepper *p, const StepVisitor *visit, double *done, LimberOutcome *out) {
  double whole = p->options.step;
  StepPart part = {.h = (1 - *done) * whole, .event = -1};
  NewtonOutcome o;
  LimberCause conflict = {.index = LIMBER_NONE};
  bool changed;
  int iterations = 0;
  PetscFunctionBegin;
  p->s->motion.state.time = ((double)p->count + *done) * whole;
  PetscCall(RedundancyUpdate(&p->s->motion, &p->s->redundancy, false, &changed));
  if (visit->before) PetscCall(visit->before(visit->self));
  if (p->events) PetscCall(FindEnd(p, &part, out));
  if (out->reason != LIMBER_CONVERGED) PetscFunctionReturn(0);
  *done = part.rest > 0 ? *done + part.h / whole : 1;
  if (visit->part) *visit->part = part;
  PetscCall(p->kind->advance(p, part.h, &iterations, &o));
  if (!o.converged) {
    PetscCall(StepperNameFailure(p, &o, out));
    PetscFunctionReturn(0);
  }
  if (visit->solved) PetscCall(visit->solved(visit->self));
  PetscCall(StepperAccept(p, part.h));
  PetscCall(StepperVerdict(p, part.h, out));
  p->s->motion.state.time = ((double)p->count + *done) * whole;
  if (!p->events || out->reason != LIMBER_CONVERGED) PetscFunctionReturn(0);
  PetscCall(EventsThrow(p, part.h, &conflict));
  if (conflict.name[0]) out->reason = LIMBER_CONTRADICTION, out->cause = conflict;
  else if (visit->thrown) PetscCall(visit->thrown(visit->self));
  PetscFunctionReturn(0);
}

PetscErrorCode RunTakeStep(LimberRun run, const StepVisitor *visit, Refusal *wrong) {
  Stepper *p = run->stepper;
  LimberOutcome out = {.reason = LIMBER_CONVERGED};
  LimberCause conflict = {.index = LIMBER_NONE};
  double done = 0;
  PetscFunctionBegin;
  while (done < 1 && out.reason == LIMBER_CONVERGED && !is_refused(wrong)) PetscCall(TakePart(p, visit, &done, &out));
  if (out.reason == LIMBER_CONVERGED && !is_refused(wrong)) {
    p->count++;
    for (Between *b = p->between; b && out.reason == LIMBER_CONVERGED; b = b->next) PetscCall(b->step(b, p, &out));
    if (p->between && p->sensors && out.reason == LIMBER_CONVERGED) PetscCall(EventsSeeSignals(p, &conflict));
    if (conflict.name[0]) out.reason = LIMBER_CONTRADICTION, out.cause = conflict;
    else if (out.reason == LIMBER_CONVERGED && visit->ended) PetscCall(visit->ended(visit->self));
  }
  if (out.reason != LIMBER_CONVERGED) refuse_failure(wrong, p, &out);
  PetscFunctionReturn(0);
}
