// SPDX-License-Identifier: Apache-2.0
// Derivatives of runs in time, forward. A step solves R(q; S, p) = 0 for its unknowns q and moves the state to F(S, q, p).
// With the derivative dS/dp at its start,
//   R_q dq/dp = -(R_S dS/dp + R_p),   dS'/dp = F_S dS/dp + F_q dq/dp + F_p.
// The right-hand side and dS'/dp are central differences between two shadows, whose states and unknowns are those of the
// run plus multiples of dS/dp and dq/dp: shadows evaluate and move, and never solve. The tangent is that of the run with
// its factors; what it omits is corrected by repetition. This is done with differences of two lengths, each from the start
// to the end of the run: extrapolated they are of fourth order, and how far they disagree shows the error.
// A step that ends in an event has a length that depends on p, and the shadows have steps of their own lengths.
// Equations: eq-gradient-step (27.5), eq-gradient-state (27.6), eq-gradient-cut (27.7), eq-gradient-saltation (27.8).
#include "gradient/run.h"

#include "gradient/adjoint.h"
#include "gradient/rates.h"

#include "analyses/stepping/between.h"
#include "analyses/stepping/events.h"
#include "assembly/contacts.h"
#include "assembly/evaluate.h"
#include "assembly/state_values.h"
#include "control/control.h"
#include "solvers/solvers.h"

#include <math.h>
#include <string.h>

static const double still_part = 1e-3;    // the same where the state hardly moves, for less round-off
static const double still_move = 1e-6;    // of the model size, rad: so far it moves then
static const double farthest_move = 2e-4; // of the model size, rad: beyond it differences are made shorter
static const double astray = 100;         // energy of a last correction relative to that of the first
static const double round_off = 1e-22;    // energy of a correction of the shadows relative to all energy
static const double negligible = 1e-20;   // energy of a next correction relative to that of the first

// ---- a parameter ----

static PetscErrorCode DestroyShadows(Direction *d) {
  PetscFunctionBegin;
  for (int k = 0; k < POINTS; k++) PetscCall(ShadowDestroy(&d->shadow[k]));
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateShadows(const RunWork *w, Direction *d) {
  const Stepper *p = w->run->stepper;
  PetscFunctionBegin;
  for (int k = 0; k < POINTS && !is_refused(w->wrong); k++)
    PetscCall(ShadowCreate(w->p, IN_RUN, d->parameter, difference_of_two.at[k], d->delta, &w->p->in->options,
                           &p->s->motion.layout, &d->shadow[k], w->wrong));
  for (int k = 0; k < POINTS && !is_refused(w->wrong); k++) {
    size_t size;
    PetscCall(StateVectorSize(d->shadow[k].run->stepper, &size));
    int differs = size != w->size;
    check_shadow(w->p, d->parameter, d->shadow[k].in, w->wrong);
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &differs, 1, MPI_INT, MPI_LOR, p->s->motion.layout.comm));
    if (differs && !is_refused(w->wrong))
      refuse(w->wrong, "%s changes what the model contains", run_parameter(w, d)->path);
  }
  if (p->count > 0 && !is_refused(w->wrong)) run_follow(w, d);
  PetscFunctionReturn(0);
}

// What probes and sensors of the run remember of earlier states, such as turns, in shadows that begin in the middle of it.
void run_follow(const RunWork *w, const Direction *d) {
  Between *own = w->run->stepper->between;
  for (int k = 0; k < POINTS; k++) {
    const Shadow *s = &d->shadow[k];
    if (own && own->back) own->back->follow(s->run->stepper->between, own);
    if (w->columns.probes.probes) probes_follow(s->columns.probes.probes, w->columns.probes.probes);
  }
}

// dS/dp from the shadows as they are.
static PetscErrorCode TakeRates(RunWork *w, Direction *d) {
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(d->rate, w->size));
  for (int k = 0; k < POINTS; k++)
    PetscCall(RatesAddState(d->shadow[k].run->stepper, difference_of_two.weight[k] / d->delta, d->rate));
  PetscFunctionReturn(0);
}

static PetscErrorCode TakeSwitches(const RunWork *w, Direction *d) {
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(d->switched, switches_size(w->run->stepper)));
  for (int k = 0; k < POINTS; k++)
    switches_add(d->shadow[k].run->stepper, difference_of_two.weight[k] / d->delta, d->switched);
  PetscFunctionReturn(0);
}

void check_start(const Stepper *p, const Stepper *other, const char *path, Refusal *wrong) {
  bool alike = true;
  for (int i = 0; p->events && i < p->events->count; i++)
    alike = alike && p->events->track[i].happened == other->events->track[i].happened;
  if (!alike) refuse(wrong, "%s changes which events happen at the start", path);
}

PetscErrorCode RunStartDirection(RunWork *w, Direction *d, int parameter, int length) {
  PetscFunctionBegin;
  *d = (Direction){.parameter = parameter};
  d->delta = length * parameter_delta(run_parameter(w, d), forward_part);
  PetscCall(PetscCalloc1(w->size, &d->rate));
  PetscCall(PetscCalloc1(switches_size(w->run->stepper), &d->switched));
  PetscCall(PetscCalloc2(w->columns.count, &d->change, w->columns.count, &d->history));
  for (int k = 0; k < POINTS; k++) PetscCall(PetscCalloc1(w->columns.count + 1, &d->row[k]));
  PetscCall(VecDuplicate(w->q, &d->dq));
  PetscCall(VecZeroEntries(d->dq));
  PetscCall(CreateShadows(w, d));
  for (int k = 0; k < POINTS && !is_refused(w->wrong); k++)
    if (w->run->stepper->count == 0)
      check_start(w->run->stepper, d->shadow[k].run->stepper, run_parameter(w, d)->path, w->wrong);
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(TakeRates(w, d));
  PetscCall(TakeSwitches(w, d));
  PetscCall(RunSampleShadows(d));
  PetscFunctionReturn(0);
}

static PetscErrorCode EndDirection(Direction *d) {
  PetscFunctionBegin;
  PetscCall(DestroyShadows(d));
  PetscCall(PetscFree(d->rate));
  PetscCall(PetscFree(d->switched));
  PetscCall(PetscFree2(d->change, d->history));
  for (int k = 0; k < POINTS; k++) PetscCall(PetscFree(d->row[k]));
  PetscCall(VecDestroy(&d->dq));
  PetscFunctionReturn(0);
}

// Differences of both lengths anew, the first of `delta`. `cut`: because an event moves.
static PetscErrorCode ChangeDelta(RunWork *w, Direction *both, double delta, bool cut) {
  const GradientParameter *q = run_parameter(w, both);
  const Stepper *p = w->run->stepper;
  PetscFunctionBegin;
  bool too_short = !(delta > parameter_delta(q, 1e-9));
  if (too_short && cut)
    refuse(w->wrong, "the event '%s' happens too near an end of the step at t = %g s: choose another `step`",
           model_event(w->p->in->model, w->part.event)->name, p->s->motion.state.time);
  else if (too_short)
    refuse(w->wrong,
           "at t = %.4g s the motion is so sensitive to %s that its gradient is round-off: end the run earlier",
           p->s->motion.state.time, q->path);
  for (int i = 0; i < LENGTHS && !is_refused(w->wrong); i++) {
    both[i].delta = (i + 1) * delta;
    if (both->parameter >= 0) PetscCall(DestroyShadows(&both[i]));
    if (both->parameter >= 0) PetscCall(CreateShadows(w, &both[i]));
    for (int k = 0; k < POINTS && !is_refused(w->wrong); k++)
      PetscCall(SwitchesPut(both[i].shadow[k].run->stepper, p, distance_of(&both[i], k), both[i].switched));
  }
  PetscFunctionReturn(0);
}

// Shorter differences where the state became more sensitive to the parameter.
static PetscErrorCode ShortenDelta(RunWork *w, Direction *both) {
  double size = 0, usual = parameter_delta(run_parameter(w, both), forward_part);
  PetscFunctionBegin;
  PetscCall(RatesMeasure(w->run->stepper, both->rate, &size));
  if (both->delta > usual && size * both->delta > still_move) PetscCall(ChangeDelta(w, both, usual, false));
  if (size * both->delta > farthest_move && !is_refused(w->wrong))
    PetscCall(ChangeDelta(w, both, 0.2 * farthest_move / size, false));
  PetscFunctionReturn(0);
}

// Longer differences where the state at the start hardly depends on the parameter.
static PetscErrorCode LengthenDelta(RunWork *w, Direction *both) {
  double size = 0, longer = parameter_delta(run_parameter(w, both), still_part);
  PetscFunctionBegin;
  PetscCall(RatesMeasure(w->run->stepper, both->rate, &size));
  if (size * longer > still_move) PetscFunctionReturn(0);
  PetscCall(ChangeDelta(w, both, longer, false));
  for (int i = 0; i < LENGTHS && !is_refused(w->wrong); i++) {
    PetscCall(TakeRates(w, &both[i]));
    PetscCall(RunSampleShadows(&both[i]));
  }
  PetscFunctionReturn(0);
}

// ---- a step ----

// Of the part of a step under way.
static double length_of(const RunWork *w, const Direction *d, int k) {
  return w->part.h + distance_of(d, k) * d->length_rate;
}

PetscErrorCode RunPlaceContacts(System *s, double h) {
  PetscFunctionBegin;
  if (!s->motion.contacts) PetscFunctionReturn(0);
  contacts_scatter(&s->motion, NULL, 0);
  PetscCall(SystemUpdateContacts(s, h));
  PetscFunctionReturn(0);
}

// Puts the shadows at the start of the step, each with a length of its own.
static PetscErrorCode PlaceShadows(const RunWork *w, const Direction *d) {
  const System *base = w->run->stepper->s;
  PetscFunctionBegin;
  for (int k = 0; k < POINTS; k++) {
    Stepper *p = d->shadow[k].run->stepper;
    Motion *motion = &p->s->motion;
    PetscCall(RatesPutState(p, w->state, distance_of(d, k), d->rate));
    for (PetscInt j = 0; j < motion->layout.njoint; j++)
      memcpy(motion->row_off[j], base->motion.row_off[j], sizeof motion->row_off[j]);
    p->s->redundancy.least_norm = base->redundancy.least_norm;
    PetscCall(RunPlaceContacts(p->s, length_of(w, d, k)));
    PetscCall(MotionFindCentreVelocities(motion));
    PetscCall(MotionBeginStep(motion, length_of(w, d, k)));
    PetscCall(MotionFindCorotation(motion));
  }
  PetscFunctionReturn(0);
}

// The derivative of the residual, in the residual of the run.
static PetscErrorCode FindResidualRate(RunWork *w, Direction *d) {
  PetscFunctionBegin;
  PetscCall(VecZeroEntries(w->sum));
  for (int k = 0; k < POINTS; k++) {
    System *s = d->shadow[k].run->stepper->s;
    PetscCall(VecWAXPY(s->equations.unknown, distance_of(d, k), d->dq, w->q));
    PetscCall(EquationsEvaluate(&s->motion, &s->equations, PETSC_FALSE));
    PetscCall(VecAXPY(w->sum, difference_of_two.weight[k] / d->delta, s->equations.residual));
  }
  PetscCall(VecCopy(w->sum, w->run->stepper->s->equations.residual));
  PetscFunctionReturn(0);
}

static PetscErrorCode SolveForRate(System *s, bool *fresh) {
  PetscBool good;
  PetscFunctionBegin;
  PetscCall(SystemSolve(s, &good));
  if (good && s->motion.step.component && s->motion.layout.ncomponent > 0) {
    if (*fresh) PetscCall(SystemMakeMomentumColumns(s, &good));
    if (good) PetscCall(SystemCompleteCorrection(s));
  }
  *fresh = false;
  PetscCheck(good, s->motion.layout.comm, PETSC_ERR_NOT_CONVERGED, "the tangent of a step that was solved is singular");
  PetscFunctionReturn(0);
}

// Corrections that become larger although they move the shadows by more than round-off: a kink lies at the state.
static void check_corrections(RunWork *w, const Direction *d, double first, double energy) {
  const Stepper *p = w->run->stepper;
  const LimberLedger *l = &p->ledger;
  double all = fabs(l->kinetic) + fabs(l->strain) + l->exchanged;
  if (energy <= astray * first || energy * d->delta * d->delta <= round_off * all) return;
  refuse(w->wrong,
         "the step from t = %.4g s has no derivative with respect to %s: a force sets in where it begins, such as that "
         "of a cable that becomes taut or of a stop",
         p->s->motion.state.time, run_parameter(w, d)->path);
}

// dq/dp; afterwards all shadows are evaluated with it. The longer difference begins with that of the shorter one.
static PetscErrorCode FindUnknownRate(RunWork *w, Direction *d, bool *fresh) {
  System *s = w->run->stepper->s;
  double energy = 0, last = d->shorter ? d->shorter->first : 0;
  bool good = false;
  PetscFunctionBegin;
  if (d->shorter) PetscCall(VecCopy(d->shorter->dq, d->dq));
  else PetscCall(VecZeroEntries(d->dq));
  d->first = d->shorter ? last : 0;
  PetscCall(PlaceShadows(w, d));
  for (int round = 0; round < ROUNDS; round++) {
    PetscCall(FindResidualRate(w, d));
    if (good) break;
    PetscCall(SolveForRate(s, fresh));
    PetscCall(SystemCorrectionEnergy(s, &energy));
    if (round == 0) d->first = PetscMax(d->first, energy), last = d->first;
    if (round > 2 && energy > 0.25 * last) break; // the rest is round-off
    PetscCall(VecAXPY(d->dq, -1, s->linear.increment));
    good = (round || d->shorter) && (energy == 0 || energy * (energy / last) <= negligible * d->first); // of a next one
    last = energy;
  }
  check_corrections(w, d, d->first, energy);
  PetscFunctionReturn(0);
}

// Solves for dq/dp with a derivative of the length, and moves the shadows to the end of the step.
PetscErrorCode RunMoveShadows(RunWork *w, Direction *d, double length_rate, bool *fresh) {
  PetscFunctionBegin;
  d->length_rate = length_rate;
  PetscCall(FindUnknownRate(w, d, fresh));
  for (int k = 0; k < POINTS; k++) PetscCall(StepperAccept(d->shadow[k].run->stepper, length_of(w, d, k)));
  PetscFunctionReturn(0);
}

static PetscErrorCode PropagateBoth(RunWork *w, Direction *both, bool *fresh) {
  double start = 0;
  PetscFunctionBegin;
  PetscCall(ShortenDelta(w, both));
  for (int i = 0; i < LENGTHS && !is_refused(w->wrong); i++) {
    double longest = 0;
    PetscCall(RunPropagatePart(w, &both[i], &start, &longest, fresh));
    if (longest <= farthest_cut || is_refused(w->wrong)) continue;
    PetscCall(ChangeDelta(w, both, both->delta * 0.7 * farthest_cut / longest, true));
    i = -1; // again
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode PropagateRates(void *self) {
  RunWork *w = self;
  System *s = w->run->stepper->s;
  bool fresh = true;
  PetscFunctionBegin;
  if (!w->count) PetscFunctionReturn(0);
  PetscCall(VecCopy(s->equations.unknown, w->q));
  PetscCall(EquationsEvaluate(&s->motion, &s->equations, PETSC_TRUE));
  for (int i = 0; i < w->count && !is_refused(w->wrong); i += LENGTHS)
    PetscCall(PropagateBoth(w, &w->direction[i], &fresh));
  PetscCall(VecCopy(w->q, s->equations.unknown));
  PetscFunctionReturn(0);
}

// The events of the run in all shadows.
static PetscErrorCode ThrowInShadows(RunWork *w) {
  const Stepper *base = w->run->stepper;
  LimberCause conflict;
  PetscFunctionBegin;
  if (!base->events) PetscFunctionReturn(0);
  for (int i = 0; i < w->count && !is_refused(w->wrong); i++) {
    Direction *d = &w->direction[i];
    for (int k = 0; k < POINTS && !is_refused(w->wrong); k++) {
      PetscCall(ThrowAlike(d->shadow[k].run->stepper, base, w->thrown, &conflict));
      if (conflict.name[0]) refuse(w->wrong, "events contradict each other: %s", conflict.name);
    }
    if (base->events->records > w->thrown) PetscCall(TakeSwitches(w, d));
  }
  w->thrown = base->events->records;
  PetscFunctionReturn(0);
}

static PetscErrorCode EndPart(void *self) {
  RunWork *w = self;
  PetscFunctionBegin;
  PetscCall(ThrowInShadows(w));
  for (int i = 0; i < w->count && !is_refused(w->wrong) && w->part.rest > 0; i++)
    PetscCall(TakeRates(w, &w->direction[i]));
  PetscFunctionReturn(0);
}

static PetscErrorCode KeepState(void *self) {
  RunWork *w = self;
  PetscFunctionBegin;
  PetscCall(RatesTakeState(w->run->stepper, w->state));
  PetscFunctionReturn(0);
}

// Between steps, as in the run.
static PetscErrorCode EndStep(void *self) {
  RunWork *w = self;
  LimberOutcome out = {.reason = LIMBER_CONVERGED};
  PetscFunctionBegin;
  for (int i = 0; i < w->count; i++)
    for (int k = 0; k < POINTS; k++) {
      Stepper *p = w->direction[i].shadow[k].run->stepper;
      p->s->motion.state.time = w->run->stepper->s->motion.state.time;
      for (Between *b = p->between; b && out.reason == LIMBER_CONVERGED; b = b->next) PetscCall(b->step(b, p, &out));
    }
  if (out.reason != LIMBER_CONVERGED) refuse_failure(w->wrong, w->run->stepper, &out);
  PetscCall(ThrowInShadows(w)); // that signals reached
  for (int i = 0; i < w->count && !is_refused(w->wrong); i++) {
    PetscCall(TakeRates(w, &w->direction[i]));
    PetscCall(RunSampleShadows(&w->direction[i]));
  }
  PetscFunctionReturn(0);
}

// ---- a run ----

void check_means(const GradientProblem *p, const Stepper *stepper, Refusal *wrong) {
  for (int i = 0; stepper->events && i < stepper->events->count; i++)
    if (event_is_mean(stepper, i))
      refuse(wrong, "gradients of runs do not support events that watch forces, which are means over a step, yet: '%s'",
             model_event(p->in->model, i)->name);
}

PetscErrorCode RunPrepareWork(RunWork *w) {
  Stepper *p = w->run->stepper;
  PetscFunctionBegin;
  if (p->events) w->thrown = p->events->records;
  PetscCall(StateVectorSize(p, &w->size));
  PetscCall(PetscCalloc2(w->size, &w->state, w->columns.count, &w->value));
  PetscCall(VecDuplicate(p->s->equations.unknown, &w->q));
  PetscCall(VecDuplicate(p->s->equations.residual, &w->sum));
  PetscFunctionReturn(0);
}

StepVisitor run_visitor(RunWork *w) { return (StepVisitor){KeepState, PropagateRates, EndPart, EndStep, w, &w->part}; }

PetscErrorCode RunEndDirections(RunWork *w) {
  PetscFunctionBegin;
  for (int i = 0; i < w->count; i++) PetscCall(EndDirection(&w->direction[i]));
  w->count = 0;
  PetscFunctionReturn(0);
}

PetscErrorCode RunEndWork(RunWork *w) {
  PetscFunctionBegin;
  PetscCall(RunEndDirections(w));
  PetscCall(PetscFree2(w->state, w->value));
  PetscCall(VecDestroy(&w->q));
  PetscCall(VecDestroy(&w->sum));
  PetscFunctionReturn(0);
}

static PetscErrorCode PrepareRun(RunWork *w) {
  Stepper *p = w->run->stepper;
  const char *why = run_unsupported(w->p->in, p);
  PetscFunctionBegin;
  if (why) refuse(w->wrong, "gradients of runs do not support %s yet", why);
  if (why) PetscFunctionReturn(0);
  PetscCall(ControlAttach(w->p->in, w->run, NULL, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  check_means(w->p, p, w->wrong);
  check_readings(p, w->wrong);
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(ColumnsCreate(w->p->g, IN_RUN, w->p->in, w->run, &w->columns, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(w->columns.count, &w->history));
  for (int i = 0; i < w->columns.count; i++) history_begin(&w->p->g->quantity[w->columns.quantity[i]], &w->history[i]);
  PetscCall(RunPrepareWork(w));
  PetscFunctionReturn(0);
}

static PetscErrorCode EndRun(RunWork *w) {
  PetscFunctionBegin;
  PetscCall(RunEndWork(w));
  if (w->columns.quantity) PetscCall(ColumnsDestroy(&w->columns));
  PetscCall(PetscFree(w->history));
  PetscCall(LimberRunDestroy(&w->run));
  PetscFunctionReturn(0);
}

// The run with derivatives with respect to `count` parameters from `first` on.
static PetscErrorCode Simulate(const GradientProblem *p, int first, int count, Refusal *wrong) {
  RunWork w = {.p = p, .wrong = wrong};
  StepVisitor visit = run_visitor(&w);
  PetscFunctionBegin;
  PetscCall(PetscNew(&w.run));
  PetscCall(ControlReset(p->in));
  PetscCall(StepperCreate(p->in->model, &p->in->options, &w.run->stepper, wrong));
  if (is_refused(wrong)) {
    PetscCall(PetscFree(w.run));
    PetscFunctionReturn(0);
  }
  PetscCall(PrepareRun(&w));
  for (int i = 0; i < LENGTHS * count && !gradient_ends(p, wrong); i++)
    PetscCall(RunStartDirection(&w, &w.direction[w.count++], first + i / LENGTHS, 1 + i % LENGTHS));
  for (int i = 1; i < w.count; i += LENGTHS) w.direction[i].shorter = &w.direction[i - 1];
  for (int i = 0; i < w.count && !is_refused(wrong); i += LENGTHS) PetscCall(LengthenDelta(&w, &w.direction[i]));
  if (!is_refused(wrong)) PetscCall(RunAddRow(&w, true));
  for (int64_t n = 0; n < p->in->steps && !gradient_ends(p, wrong); n++) {
    PetscCall(RunTakeStep(w.run, &visit, wrong));
    if (!is_refused(wrong)) PetscCall(RunAddRow(&w, false));
  }
  if (!is_refused(wrong)) run_put_derivatives(&w);
  PetscCall(EndRun(&w));
  PetscFunctionReturn(0);
}

PetscErrorCode RunGradient(const GradientProblem *p, Refusal *wrong) {
  int all = p->g->parameters;
  PetscFunctionBegin;
  if (!(p->in->end > 0)) refuse(wrong, "the file has no part `run`: add one, such as `run: {step: 1 ms, end: 1 s}`");
  else if (p->in->first_step) refuse(wrong, "the file has no step: add `step` to the part `run`");
  if (p->method == LIMBER_GRADIENT_ADJOINT && all && !is_refused(wrong)) {
    PetscCall(RunAdjoint(p, wrong));
    PetscFunctionReturn(0);
  }
  for (int first = 0; (first < all || first == 0) && !is_refused(wrong); first += AT_ONCE)
    PetscCall(Simulate(p, first, PetscMin(AT_ONCE, all - first), wrong));
  PetscFunctionReturn(0);
}
