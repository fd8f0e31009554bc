// SPDX-License-Identifier: Apache-2.0
// Takes a step of the requested length, in parts if it must be cut.
#include "analyses/stepping/between.h"
#include "analyses/stepping/bonds.h"
#include "analyses/stepping/contact.h"
#include "analyses/stepping/events.h"
#include "analyses/stepping/fast_rotation.h"
#include "analyses/stepping/parts.h"
#include "analyses/stepping/ports.h"
#include "analyses/stepping/stepper.h"
#include "solvers/redundancy.h"

// One attempt. If Newton converged, the state was moved and the step judged.
typedef struct {
  NewtonOutcome newton;
  LimberOutcome verdict;
  bool moved; // parts of a composed step were taken
} Trial;

static PetscErrorCode AttemptPart(Stepper *p, double h, int *iterations, Trial *t) {
  PetscFunctionBegin;
  t->verdict = (LimberOutcome){.reason = LIMBER_CONVERGED};
  if (p->bonds) PetscCall(BondsAdvance(p, h, iterations, &t->newton));
  else PetscCall(p->kind->advance(p, h, iterations, &t->newton));
  if (!t->newton.converged) PetscFunctionReturn(0);
  PetscCall(StepperAccept(p, h));
  PetscCall(StepperVerdict(p, h, &t->verdict));
  PetscFunctionReturn(0);
}

static bool is_accepted(const Trial *t) { return t->newton.converged && t->verdict.reason == LIMBER_CONVERGED; }

// Takes a step, or the parts of a composed step. The energy balance error is the sum over the parts; joint forces are
// the means over the parts.
static PetscErrorCode AttemptStep(Stepper *p, double h, int *iterations, Trial *t) {
  const Composition *c = p->rule.composition;
  double start = p->s->motion.state.time, at = 0, open = 0;
  PetscFunctionBegin;
  t->moved = false;
  if (!c) {
    PetscCall(AttemptPart(p, h, iterations, t));
    PetscFunctionReturn(0);
  }
  PetscCall(PartsBegin(p, h));
  for (int k = 0; k < composition_count(c); k++) {
    double length = composition_length(c, k);
    p->s->motion.state.time = start + at * h, at += length;
    PetscCall(AttemptPart(p, length * h, iterations, t));
    t->moved = t->moved || t->newton.converged;
    if (!is_accepted(t)) PetscFunctionReturn(0);
    open += p->ledger.residual;
    PetscCall(PartsAdd(p, length));
  }
  parts_end(p);
  p->ledger.residual = open;
  PetscFunctionReturn(0);
}

typedef struct {        // the longest step from the present state that converged but was rejected
  double step_fraction; // 0: none
  double previous_step[PREVIOUS];
} Refused;

// No length was accepted. If one converged, it is taken once more so that its state can be shown.
static PetscErrorCode GiveUp(Stepper *p, const Refused *r, double step_fraction, Trial *t, double *done,
                             LimberOutcome *out) {
  PetscFunctionBegin;
  if (p->rule.composition) { // half a composed step is not a meaningful state
    out->reason = t->verdict.reason;
    out->cause = t->verdict.cause;
    if (!t->newton.converged) PetscCall(StepperNameFailure(p, &t->newton, out));
    PetscCall(StateRestore(p));
    PetscCall(StepperRecall(p));
    PetscFunctionReturn(0);
  }
  if (r->step_fraction > step_fraction || (r->step_fraction > 0 && !t->newton.converged)) {
    step_fraction = p->step_fraction = r->step_fraction, p->growth = (Growth){0};
    PetscCall(StateRestore(p));
    PetscCall(PetscArraycpy(p->previous_step, r->previous_step, PREVIOUS));
    PetscCall(AttemptStep(p, step_fraction * p->options.step, &out->iterations, t));
  }
  if (!t->newton.converged) {
    PetscCall(StepperNameFailure(p, &t->newton, out));
    PetscCall(StepperRecall(p));
    PetscFunctionReturn(0);
  }
  *done += step_fraction, out->substeps++;
  out->step = PetscMin(out->step, step_fraction * p->options.step);
  out->reason = t->verdict.reason;
  out->cause = t->verdict.cause;
  PetscFunctionReturn(0);
}

enum { MOST_PATIENT = 8 };

static void grow_step(Stepper *p) {
  Growth *g = &p->growth;
  if (g->grown) g->patience /= 2;
  g->grown = p->step_fraction < 1 && ++g->since >= g->patience;
  if (g->grown) g->since = 0, p->step_fraction = PetscMin(1, 2 * p->step_fraction);
}

// `soon`: the cut says nothing about later steps, such as one at an inverted cell, which a longer step may avoid.
static void halve_step(Stepper *p, double step_fraction, bool soon) {
  Growth *g = &p->growth;
  if (g->grown && !soon) g->patience = PetscMin(MOST_PATIENT, 2 * PetscMax(1, g->patience));
  g->grown = false, g->since = 0;
  p->step_fraction = 0.5 * step_fraction;
}

static PetscErrorCode RepeatStep(Stepper *p, double h, void *context, bool *good) {
  Trial t;
  PetscFunctionBegin;
  PetscCall(StateRestore(p));
  PetscCall(AttemptStep(p, h, &((LimberOutcome *)context)->iterations, &t));
  *good = is_accepted(&t);
  if (*good) ((LimberOutcome *)context)->reason = LIMBER_CONVERGED;
  if (!*good && !t.newton.converged) PetscCall(StepperNameFailure(p, &t.newton, context));
  else if (!*good) ((LimberOutcome *)context)->reason = t.verdict.reason;
  PetscFunctionReturn(0);
}

// The time after the steps done so far and a part of the next.
static double time_after(const Stepper *p, double done) {
  return p->origin.time + ((double)(p->count - p->origin.count) + done) * p->options.step;
}

// Ends an accepted step where surfaces begin to touch or an event happens, and triggers the event.
static PetscErrorCode EndAtEvents(Stepper *p, double *h, double *step_fraction, double done, Trial *t,
                                  LimberOutcome *out) {
  double whole = *h;
  LimberCause conflict;
  bool good = true;
  PetscFunctionBegin;
  if (p->ends_at_touch) PetscCall(FirstTouchFind(p, h, RepeatStep, out, &good));
  if (good) PetscCall(EventsFind(p, h, RepeatStep, out));
  t->verdict.reason = out->reason;
  if (out->reason != LIMBER_CONVERGED) PetscFunctionReturn(0);
  if (*h < whole) *step_fraction = *h / p->options.step;
  if (done + *step_fraction > 1 - 1e-9) *step_fraction = 1 - done; // do not leave a tiny rest
  p->s->motion.state.time = time_after(p, done + *step_fraction >= 1 ? 1 : done + *step_fraction);
  PetscCall(EventsThrow(p, *h, &conflict));
  if (!conflict.name[0]) PetscFunctionReturn(0);
  out->reason = t->verdict.reason = LIMBER_CONTRADICTION, out->cause = conflict;
  PetscFunctionReturn(0);
}

// A step is cut if Newton does not converge or the step is rejected. The state is then restored bit for bit.
static PetscErrorCode TakeStep(Stepper *p, LimberOutcome *out) {
  System *s = p->s;
  double whole = p->options.step, shortest = p->options.halvings < 0 ? 1 : ldexp(1, -p->options.halvings);
  double done = 0; // fraction of the whole step: a sum of powers of two, so exact, unlike seconds
  double open = 0; // sum of the energy balance errors of its parts
  int cuts = 0;    // by events, which are not failures
  Refused refused = {0};
  PetscFunctionBegin;
  if (p->kind->step) {
    PetscCall(p->kind->step(p, out));
    PetscFunctionReturn(0);
  }
  if (p->options.control.on) {
    PetscCall(ControlledStep(p, out));
    PetscFunctionReturn(0);
  }
  *out = (LimberOutcome){.reason = LIMBER_CONVERGED, .step = whole};
  while (done < 1 && out->reason == LIMBER_CONVERGED) {
    Trial t;
    bool changed;
    double previous[PREVIOUS];
    double step_fraction = PetscMin(p->step_fraction, 1 - done), h = step_fraction * whole;
    PetscCall(PetscArraycpy(previous, p->previous_step, PREVIOUS));
    s->motion.state.time = time_after(p, done);
    double until = p->events ? events_limit(p, s->motion.state.time, h) : h;
    if (until < h) h = until, step_fraction = h / whole, cuts++;
    PetscCall(RedundancyUpdate(&s->motion, &s->redundancy, false, &changed));
    if (p->kind->undoes) PetscCall(StateSave(p));
    PetscCall(AttemptStep(p, h, &out->iterations, &t));
    bool solved = t.newton.converged, last = 0.5 * step_fraction < shortest || (solved && !p->kind->undoes);
    if (is_accepted(&t)) {
      double length = h;
      if (p->events || p->ends_at_touch) PetscCall(EndAtEvents(p, &h, &step_fraction, done, &t, out));
      if (!is_accepted(&t)) break;
      cuts += h < length;
      contacts_step(p, h), rotation_step(p);
      done += step_fraction, out->substeps++, open += p->ledger.residual;
      out->step = PetscMin(out->step, h);
      grow_step(p);
      refused.step_fraction = 0;
      continue;
    }
    if (solved && !(refused.step_fraction > 0)) {
      refused.step_fraction = step_fraction;
      PetscCall(PetscArraycpy(refused.previous_step, previous, PREVIOUS));
    }
    if ((solved || t.moved) && !last) PetscCall(StateRestore(p));
    if (last) PetscCall(GiveUp(p, &refused, step_fraction, &t, &done, out));
    else {
      halve_step(p, step_fraction, t.newton.inverted != 0);
      p->previous_step[0] = p->previous_step[1] = 0;
      out->rejected++;
    }
  }
  if (out->reason == LIMBER_CONVERGED) p->count++, p->ledger.residual = open, out->substeps -= cuts;
  p->ledger.worst_residual = PetscMax(p->ledger.worst_residual, fabs(p->ledger.residual));
  s->motion.state.time = time_after(p, out->reason == LIMBER_CONVERGED ? 0 : done);
  out->time = s->motion.state.time;
  PetscFunctionReturn(0);
}

PetscErrorCode StepperRepeatStep(Stepper *p, LimberOutcome *out) {
  LimberOutcome first = *out;
  PetscFunctionBegin;
  PetscCall(StateRestoreStep(p));
  p->ledger.momentum_error = p->ledger.angular_momentum_error = 0;
  PetscCall(TakeStep(p, out));
  out->iterations += first.iterations, out->rejected += first.rejected;
  PetscFunctionReturn(0);
}

PetscErrorCode StepperStep(Stepper *p, LimberOutcome *out) {
  LimberCause conflict;
  PetscFunctionBegin;
  p->s->monitor.step = p->count + 1;
  p->ledger.momentum_error = p->ledger.angular_momentum_error = 0;
  if (p->ports) {
    PetscCheck(p->ports->started, PETSC_COMM_SELF, PETSC_ERR_ORDER,
               "the model has ports, and nothing is connected to them: call LimberPortsStart first, or in Python "
               "limber.couple");
    ports_begin(p);
  }
  for (const Between *b = p->between; b; b = b->next)
    if (b->repeats) PetscCall(StateSaveStep(p));
  if (p->bonds) PetscCall(BondsBegin(p));
  PetscCall(TakeStep(p, out));
  if (p->ports && out->reason == LIMBER_CONVERGED) ports_end(p);
  for (Between *b = p->between; b && out->reason == LIMBER_CONVERGED; b = b->next) PetscCall(b->step(b, p, out));
  if (!p->between || !p->sensors || out->reason != LIMBER_CONVERGED) PetscFunctionReturn(0);
  PetscCall(EventsSeeSignals(p, &conflict));
  if (!conflict.name[0]) PetscFunctionReturn(0);
  out->reason = LIMBER_CONTRADICTION, out->cause = conflict;
  PetscFunctionReturn(0);
}

// A step that chooses its length.
static PetscErrorCode ControlledStepTo(Stepper *p, double time, LimberOutcome *out) {
  double *end = &p->control.limits.end, before = *end;
  PetscFunctionBegin;
  if (!(before > p->s->motion.state.time && before < time)) *end = time;
  PetscErrorCode error = StepperStep(p, out);
  *end = before;
  PetscCall(error);
  PetscFunctionReturn(0);
}

PetscErrorCode StepperStepTo(Stepper *p, double time, LimberOutcome *out) {
  static const double near = 1e-6; // of a step: times that were added up meet the times of steps
  double whole = p->options.step, *now = &p->s->motion.state.time, left = time - *now;
  PetscFunctionBegin;
  if (p->options.control.on) {
    PetscCall(ControlledStepTo(p, time, out));
    PetscFunctionReturn(0);
  }
  if (left > (1 - near) * whole) {
    PetscCall(StepperStep(p, out));
    PetscFunctionReturn(0);
  }
  p->origin = (StepOrigin){*now, p->count};
  p->options.step = left;
  PetscErrorCode error = StepperStep(p, out);
  p->options.step = whole;
  PetscCall(error);
  if (out->reason == LIMBER_CONVERGED) *now = out->time = time;
  p->origin = (StepOrigin){*now, p->count};
  PetscFunctionReturn(0);
}
