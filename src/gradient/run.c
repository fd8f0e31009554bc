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

static const double part = 5e-5;          // of a parameter: the shorter difference; the other is twice as long
static const double still_part = 1e-3;    // the same where the state hardly moves, for less round-off
static const double still_move = 1e-6;    // of the model size, rad: so far it moves then
static const double farthest_move = 2e-4; // of the model size, rad: beyond it differences are made shorter
static const double astray = 100;         // energy of a last correction relative to that of the first
static const double round_off = 1e-22;    // energy of a correction of the shadows relative to all energy
static const double negligible = 1e-15;   // energy of a correction relative to that of the first

// ---- a parameter ----

static PetscErrorCode DestroyShadows(Direction *d) {
  PetscFunctionBegin;
  for (int k = 0; k < POINTS; k++) PetscCall(ShadowDestroy(&d->shadow[k]));
  PetscFunctionReturn(0);
}

static void check_periods(const RunWork *w, int parameter, const Input *shadow) {
  const Network *own = &w->p->in->network, *other = &shadow->network;
  for (int b = 0; b < own->blocks && b < other->blocks; b++)
    if (own->block[b].period != other->block[b].period)
      refuse(w->wrong, "the `period` of the block '%s' depends on %s: give it a number", own->block[b].name,
             w->p->g->parameter[parameter].path);
}

static PetscErrorCode CreateShadows(const RunWork *w, Direction *d) {
  const Stepper *p = w->run->stepper;
  PetscFunctionBegin;
  for (int k = 0; k < POINTS && !is_refused(w->wrong); k++)
    PetscCall(ShadowCreate(w->p, IN_RUN, d->parameter, difference_of_two.at[k], d->delta, &w->p->in->options,
                           &p->s->motion.layout, &d->shadow[k], w->wrong));
  for (int k = 0; k < POINTS && !is_refused(w->wrong); k++) {
    size_t size;
    PetscCall(RatesSize(d->shadow[k].run->stepper, &size));
    const LimberOptions *o = &w->p->in->options, *q = &d->shadow[k].in->options;
    int differs = size != w->size;
    if (q->step != o->step || q->rho_inf != o->rho_inf || q->scheme != o->scheme)
      refuse(w->wrong, "the step and the scheme of the part `run` depend on %s: give them numbers",
             w->p->g->parameter[d->parameter].path);
    if (!is_refused(w->wrong)) check_periods(w, d->parameter, d->shadow[k].in);
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &differs, 1, MPI_INT, MPI_LOR, p->s->motion.layout.comm));
    if (differs) refuse(w->wrong, "%s changes what the model contains", w->p->g->parameter[d->parameter].path);
  }
  PetscFunctionReturn(0);
}

// Differences of the columns of the shadows at their states.
static PetscErrorCode SampleShadows(RunWork *w, Direction *d) {
  const Difference *f = &difference_of_two;
  PetscFunctionBegin;
  for (int i = 0; i < w->columns.count; i++) d->column[i] = 0;
  for (int k = 0; k < POINTS; k++) {
    PetscCall(ColumnsSample(&d->shadow[k].columns, d->shadow[k].run, d->row[k]));
    for (int i = 0; i < w->columns.count; i++) d->column[i] += f->weight[k] / d->delta * d->row[k][i];
  }
  PetscFunctionReturn(0);
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

// Whether other events happen at the start.
static bool starts_alike(const Stepper *p, const Stepper *other) {
  bool alike = true;
  for (int i = 0; p->events && i < p->events->count; i++)
    alike = alike && p->events->track[i].happened == other->events->track[i].happened;
  return alike;
}

static PetscErrorCode StartDirection(RunWork *w, Direction *d, int parameter, int length) {
  const GradientParameter *q = &w->p->g->parameter[parameter];
  PetscFunctionBegin;
  *d = (Direction){.parameter = parameter, .delta = length * parameter_delta(q, part)};
  PetscCall(PetscCalloc1(w->size, &d->rate));
  PetscCall(PetscCalloc1(switches_size(w->run->stepper), &d->switched));
  PetscCall(PetscCalloc2(w->columns.count, &d->column, w->columns.count, &d->history));
  for (int k = 0; k < POINTS; k++) PetscCall(PetscCalloc1(w->columns.count + 1, &d->row[k]));
  PetscCall(VecDuplicate(w->q, &d->dq));
  PetscCall(VecZeroEntries(d->dq));
  PetscCall(CreateShadows(w, d));
  for (int k = 0; k < POINTS && !is_refused(w->wrong); k++)
    if (!starts_alike(w->run->stepper, d->shadow[k].run->stepper))
      refuse(w->wrong, "%s changes which events happen at the start", q->path);
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(TakeRates(w, d));
  PetscCall(TakeSwitches(w, d));
  PetscCall(SampleShadows(w, d));
  PetscFunctionReturn(0);
}

static PetscErrorCode EndDirection(Direction *d) {
  PetscFunctionBegin;
  PetscCall(DestroyShadows(d));
  PetscCall(PetscFree(d->rate));
  PetscCall(PetscFree(d->switched));
  PetscCall(PetscFree2(d->column, d->history));
  for (int k = 0; k < POINTS; k++) PetscCall(PetscFree(d->row[k]));
  PetscCall(VecDestroy(&d->dq));
  PetscFunctionReturn(0);
}

// Differences of both lengths anew, the first of `delta`. `cut`: because an event moves.
static PetscErrorCode ChangeDelta(RunWork *w, Direction *both, double delta, bool cut) {
  const char *path = w->p->g->parameter[both->parameter].path;
  const Stepper *p = w->run->stepper;
  PetscFunctionBegin;
  bool too_short = !(delta > parameter_delta(&w->p->g->parameter[both->parameter], 1e-9));
  if (too_short && cut)
    refuse(w->wrong, "the event '%s' happens too near an end of the step at t = %g s: choose another `step`",
           model_event(w->p->in->model, w->part.event)->name, p->s->motion.state.time);
  else if (too_short)
    refuse(w->wrong,
           "at t = %.4g s the motion is so sensitive to %s that its gradient is round-off: end the run earlier",
           p->s->motion.state.time, path);
  for (int i = 0; i < LENGTHS && !is_refused(w->wrong); i++) {
    both[i].delta = (i + 1) * delta;
    PetscCall(DestroyShadows(&both[i]));
    PetscCall(CreateShadows(w, &both[i]));
    for (int k = 0; k < POINTS && !is_refused(w->wrong); k++)
      PetscCall(SwitchesPut(both[i].shadow[k].run->stepper, p, distance_of(&both[i], k), both[i].switched));
  }
  PetscFunctionReturn(0);
}

// Shorter differences where the state became more sensitive to the parameter.
static PetscErrorCode ShortenDelta(RunWork *w, Direction *both) {
  double size = 0, usual = parameter_delta(&w->p->g->parameter[both->parameter], part);
  PetscFunctionBegin;
  PetscCall(RatesMeasure(w->run->stepper, both->rate, &size));
  if (both->delta > usual && size * both->delta > still_move) PetscCall(ChangeDelta(w, both, usual, false));
  if (size * both->delta > farthest_move && !is_refused(w->wrong))
    PetscCall(ChangeDelta(w, both, 0.2 * farthest_move / size, false));
  PetscFunctionReturn(0);
}

// Longer differences where the state at the start hardly depends on the parameter.
static PetscErrorCode LengthenDelta(RunWork *w, Direction *both) {
  double size = 0, longer = parameter_delta(&w->p->g->parameter[both->parameter], still_part);
  PetscFunctionBegin;
  PetscCall(RatesMeasure(w->run->stepper, both->rate, &size));
  if (size * longer > still_move) PetscFunctionReturn(0);
  PetscCall(ChangeDelta(w, both, longer, false));
  for (int i = 0; i < LENGTHS && !is_refused(w->wrong); i++) {
    PetscCall(TakeRates(w, &both[i]));
    PetscCall(SampleShadows(w, &both[i]));
  }
  PetscFunctionReturn(0);
}

// ---- a step ----

// Of the part of a step under way.
static double length_of(const RunWork *w, const Direction *d, int k) {
  return w->part.h + distance_of(d, k) * d->length_rate;
}

// Which surfaces are near each other there.
static PetscErrorCode PlaceContacts(System *s, double h) {
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
    PetscCall(PlaceContacts(p->s, length_of(w, d, k)));
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
         p->s->motion.state.time, w->p->g->parameter[d->parameter].path);
}

// dq/dp; afterwards all shadows are evaluated with it.
static PetscErrorCode FindUnknownRate(RunWork *w, Direction *d, bool *fresh) {
  System *s = w->run->stepper->s;
  double first = 0, energy = 0, last = INFINITY;
  PetscFunctionBegin;
  PetscCall(VecZeroEntries(d->dq));
  PetscCall(PlaceShadows(w, d));
  for (int round = 0; round < ROUNDS; round++) {
    PetscCall(FindResidualRate(w, d));
    PetscCall(SolveForRate(s, fresh));
    PetscCall(SystemCorrectionEnergy(s, &energy));
    if (round == 0) first = energy;
    if (round > 2 && energy > 0.25 * last) break; // the rest is round-off
    PetscCall(VecAXPY(d->dq, -1, s->linear.increment));
    if (round && energy <= negligible * first) break;
    last = energy;
  }
  check_corrections(w, d, first, energy);
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
    PetscCall(SampleShadows(w, &w->direction[i]));
  }
  PetscFunctionReturn(0);
}

// ---- histories ----

static PetscErrorCode AddRow(RunWork *w, bool start) {
  double rate[DIRECTIONS];
  HistoryDerivative d[DIRECTIONS];
  PetscFunctionBegin;
  PetscCall(ColumnsSample(&w->columns, w->run, w->value));
  for (int i = 0; i < w->columns.count; i++) {
    if (start && w->columns.of_step[i]) continue;
    for (int k = 0; k < w->count; k++) rate[k] = w->direction[k].column[i], d[k] = w->direction[k].history[i];
    history_add(&w->history[i], limber_run_time(w->run), w->value[i], w->count, rate, d);
    for (int k = 0; k < w->count; k++) w->direction[k].history[i] = d[k];
  }
  PetscFunctionReturn(0);
}

// An extreme in two rows with different derivatives has none: its error is what they differ by.
static void check_extreme(const RunWork *w, int i, const Direction *d, LimberDerivative *out) {
  struct LimberGradientData *g = w->p->g;
  const HistoryValue *v = &w->history[i];
  const char *text = g->quantity[w->columns.quantity[i]].text;
  double apart = d->history[i].apart;
  size_t used = strlen(g->remarks);
  char remark[400];
  if ((v->q->of != OF_MAX && v->q->of != OF_MIN) || isnan(v->also) || apart <= 1e-3 * fabs(out->value)) return;
  if (apart <= out->error) return;
  out->error = apart;
  snprintf(
      remark, sizeof remark,
      "%s has the same value at %g s and at %g s: it is not differentiable, and the derivatives are those at %g s\n",
      text, fmin(v->first, v->also), fmax(v->first, v->also), v->first);
  if (!strstr(g->remarks, remark)) snprintf(g->remarks + used, sizeof g->remarks - used, "%s", remark);
}

static void put_derivatives(RunWork *w) {
  struct LimberGradientData *g = w->p->g;
  for (int i = 0; i < w->columns.count; i++) {
    int q = w->columns.quantity[i];
    g->value[q] = history_value(&w->history[i]);
    if (isnan(g->value[q])) refuse(w->wrong, "%s: the run ends before", g->quantity[q].text);
    for (int k = 0; k < w->count; k += LENGTHS) {
      const Direction *d = &w->direction[k];
      LimberDerivative *out = &g->d[q * g->parameters + d->parameter];
      double fine = history_derivative(&w->history[i], &d[0].history[i]),
             coarse = history_derivative(&w->history[i], &d[1].history[i]);
      out->value = (4 * fine - coarse) / 3;
      out->error = 2 * fabs(fine - coarse) + 4 * PETSC_MACHINE_EPSILON * fabs(g->value[q]) / d[0].delta;
      check_extreme(w, i, d, out);
    }
  }
}

// ---- a run ----

// A mean over a step is extrapolated to its end from that of the step before.
static void check_means(RunWork *w) {
  const Stepper *p = w->run->stepper;
  for (int i = 0; p->events && i < p->events->count; i++)
    if (event_is_mean(p, i))
      refuse(w->wrong,
             "gradients of runs do not support events that watch forces, which are means over a step, yet: '%s'",
             model_event(w->p->in->model, i)->name);
}

static PetscErrorCode PrepareRun(RunWork *w) {
  Stepper *p = w->run->stepper;
  const char *why = forward_unsupported(w->p->in, p);
  PetscFunctionBegin;
  if (why) refuse(w->wrong, "gradients of runs do not support %s yet", why);
  if (why) PetscFunctionReturn(0);
  PetscCall(ControlAttach(w->p->in, w->run, NULL, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  check_means(w);
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  if (p->events) w->thrown = p->events->records;
  PetscCall(RatesSize(p, &w->size));
  PetscCall(ColumnsCreate(w->p->g, IN_RUN, w->p->in, w->run, &w->columns, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(PetscCalloc3(w->size, &w->state, w->columns.count, &w->value, w->columns.count, &w->history));
  for (int i = 0; i < w->columns.count; i++) history_begin(&w->p->g->quantity[w->columns.quantity[i]], &w->history[i]);
  PetscCall(VecDuplicate(p->s->equations.unknown, &w->q));
  PetscCall(VecDuplicate(p->s->equations.residual, &w->sum));
  PetscFunctionReturn(0);
}

static PetscErrorCode EndRun(RunWork *w) {
  PetscFunctionBegin;
  for (int i = 0; i < w->count; i++) PetscCall(EndDirection(&w->direction[i]));
  if (w->columns.quantity) PetscCall(ColumnsDestroy(&w->columns));
  PetscCall(PetscFree3(w->state, w->value, w->history));
  PetscCall(VecDestroy(&w->q));
  PetscCall(VecDestroy(&w->sum));
  PetscCall(LimberRunDestroy(&w->run));
  PetscFunctionReturn(0);
}

// The run with derivatives with respect to `count` parameters from `first` on.
static PetscErrorCode Simulate(const GradientProblem *p, int first, int count, Refusal *wrong) {
  RunWork w = {.p = p, .wrong = wrong};
  StepVisitor visit = {KeepState, PropagateRates, EndPart, EndStep, &w, &w.part};
  PetscFunctionBegin;
  PetscCall(PetscNew(&w.run));
  PetscCall(StepperCreate(p->in->model, &p->in->options, &w.run->stepper, wrong));
  if (is_refused(wrong)) {
    PetscCall(PetscFree(w.run));
    PetscFunctionReturn(0);
  }
  PetscCall(PrepareRun(&w));
  for (int i = 0; i < LENGTHS * count && !is_refused(wrong); i++)
    PetscCall(StartDirection(&w, &w.direction[w.count++], first + i / LENGTHS, 1 + i % LENGTHS));
  for (int i = 0; i < w.count && !is_refused(wrong); i += LENGTHS) PetscCall(LengthenDelta(&w, &w.direction[i]));
  if (!is_refused(wrong)) PetscCall(AddRow(&w, true));
  for (int64_t n = 0; n < p->in->steps && !is_refused(wrong); n++) {
    PetscCall(RunTakeStep(w.run, &visit, wrong));
    if (!is_refused(wrong)) PetscCall(AddRow(&w, false));
  }
  if (!is_refused(wrong)) put_derivatives(&w);
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
