// SPDX-License-Identifier: Apache-2.0
// Takes a step whose length is chosen (step_control.h). The loss of an attempt is known only after the state has moved,
// so the state is saved before and restored bit for bit if the loss is too large (saved_state.h).
#include "analyses/stepping/fast_rotation.h"
#include "analyses/stepping/events.h"
#include "analyses/stepping/contact.h"
#include "analyses/stepping/ledger.h"
#include "solvers/redundancy.h"

// One attempt: its loss, and whether it is accepted.
typedef struct {
  NewtonOutcome newton;
  int iterations;
  LimberOutcome verdict; // on the step that Newton found
  double lost;
} Attempt;

static PetscErrorCode AttemptAndJudge(Stepper *p, double h, Attempt *a, bool *good) {
  double before = p->ledger.dissipated, memory = p->ledger.scheme_energy, t = p->s->motion.state.time;
  PetscFunctionBegin;
  *a = (Attempt){.lost = -1}, *good = false;
  PetscCall(p->kind->advance(p, h, &a->iterations, &a->newton));
  if (!a->newton.converged) PetscFunctionReturn(0);
  PetscCall(StepperAccept(p, h));
  PetscCall(StepperVerdict(p, h, &a->verdict));
  if (a->verdict.reason != LIMBER_CONVERGED) PetscFunctionReturn(0);
  // a step shorter than the last releases a part of the stored scheme energy, however short it is: that is not counted
  double let_go = (1 - p->s->motion.step.recall.keep * p->s->motion.step.recall.keep) * memory;
  a->lost = PetscAbsReal(p->ledger.dissipated - before - let_go);
  *good = a->lost <= control_allows(&p->control, t, h);
  PetscFunctionReturn(0);
}

// Explains why the shortest step was rejected. The state is that before the step, the unknowns are those of the step.
static PetscErrorCode ExplainRejection(Stepper *p, const Attempt *a, LimberOutcome *out) {
  PetscFunctionBegin;
  if (!a->newton.converged) PetscCall(StepperNameFailure(p, &a->newton, out));
  else if (a->verdict.reason == LIMBER_CONVERGED) out->reason = LIMBER_LOSS;
  else {
    out->reason = a->verdict.reason;
    out->cause = a->verdict.cause;
  }
  if (out->reason == LIMBER_LOSS && p->rule.proved) PetscCall(LedgerNameLoss(p, &out->cause));
  PetscCall(StepperRecall(p));
  PetscFunctionReturn(0);
}

static PetscErrorCode RepeatStep(Stepper *p, double h, void *context, bool *good) {
  LimberOutcome *out = context;
  Attempt a;
  bool small;
  PetscFunctionBegin;
  PetscCall(StateRestore(p));
  PetscCall(AttemptAndJudge(p, h, &a, &small));
  out->iterations += a.iterations;
  *good = a.newton.converged && a.verdict.reason == LIMBER_CONVERGED;
  if (*good) out->reason = LIMBER_CONVERGED;
  else PetscCall(ExplainRejection(p, &a, out));
  PetscFunctionReturn(0);
}

static PetscErrorCode ThrowEvents(Stepper *p, double h, LimberOutcome *out) {
  LimberCause conflict;
  PetscFunctionBegin;
  PetscCall(EventsThrow(p, h, &conflict));
  if (!conflict.name[0]) PetscFunctionReturn(0);
  out->reason = LIMBER_CONTRADICTION, out->cause = conflict;
  PetscFunctionReturn(0);
}

PetscErrorCode ControlledStep(Stepper *p, LimberOutcome *out) {
  double t = p->s->motion.state.time, end = t, h = 0;
  Attempt a = {0};
  bool good = false, changed;
  PetscFunctionBegin;
  PetscCall(RedundancyUpdate(&p->s->motion, &p->s->redundancy, false, &changed));
  *out = (LimberOutcome){.reason = LIMBER_CONVERGED};
  PetscCall(StateSave(p));
  while (!good) {
    h = control_length(&p->control, t, &end);
    if (p->events && events_limit(p, t, h) < h) h = events_limit(p, t, h), end = t + h;
    PetscCall(AttemptAndJudge(p, h, &a, &good));
    out->iterations += a.iterations;
    if (good) break;
    PetscCall(StateRestore(p));
    out->rejected++;
    if (!control_reject(&p->control, t, h, a.lost)) break;
  }
  if (good) {
    double length = h;
    bool found = true;
    if (p->ends_at_touch) PetscCall(FirstTouchFind(p, &length, RepeatStep, out, &found));
    if (p->events && found) PetscCall(EventsFind(p, &length, RepeatStep, out));
    if (length < h) h = length, end = t + h;
    control_accept(&p->control, t, h, a.lost, a.iterations, out->rejected == 0);
    p->s->motion.state.time = end;
    rotation_step(p);
    p->count++, out->substeps = 1;
    if (p->events && out->reason == LIMBER_CONVERGED) PetscCall(ThrowEvents(p, h, out));
  } else PetscCall(ExplainRejection(p, &a, out));
  out->time = p->s->motion.state.time, out->step = h;
  PetscFunctionReturn(0);
}
