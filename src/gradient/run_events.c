// SPDX-License-Identifier: Apache-2.0
// The derivative of the length of a part of a step, of runs that are differentiated forward: it ends in an event, or it is the
// rest after one.
// Equations: eq-gradient-cut (27.7).
#include "gradient/run.h"

#include "analyses/stepping/events.h"
#include "gradient/rates.h"

#include <math.h>

static const double same_event = 1e-8; // of a threshold or a step: events that happen together move as little apart

static const EventCondition *condition_of(const RunWork *w, int event) {
  return &model_event(w->p->in->model, event)->condition;
}

// The derivative of the excess of an event over its threshold at the end of the shadows' step.
static PetscErrorCode FindExcessRate(Direction *d, int event, double *rate) {
  PetscFunctionBegin;
  *rate = 0;
  for (int k = 0; k < POINTS; k++) {
    double excess;
    PetscCall(EventFindExcess(d->shadow[k].run->stepper, event, &excess));
    *rate += difference_of_two.weight[k] / d->delta * excess;
  }
  PetscFunctionReturn(0);
}

static double event_time_rate(const Direction *d, int event) {
  double rate = 0;
  for (int k = 0; k < POINTS; k++)
    rate += difference_of_two.weight[k] / d->delta * event_due_time(d->shadow[k].run->stepper, event);
  return rate;
}

// The derivative of the length of a part of a step that ends in an event: with it the excess over the threshold has none.
// The excess changes in proportion to it, up to terms that its second correction takes.
static PetscErrorCode FindCut(RunWork *w, Direction *d, double start, double *longest, bool *fresh) {
  double room = PetscMin(w->part.h, w->part.rest), step = 1e-3 * room / d->delta, x = start, excess[2], slope;
  PetscFunctionBegin;
  PetscCall(RunMoveShadows(w, d, x, fresh));
  PetscCall(FindExcessRate(d, w->part.event, &excess[0]));
  PetscCall(RunMoveShadows(w, d, x + step, fresh));
  PetscCall(FindExcessRate(d, w->part.event, &excess[1]));
  slope = (excess[1] - excess[0]) / step;
  if (!(fabs(slope) > 0)) {
    refuse(w->wrong, "the event '%s' only touches its threshold at t = %g s: its time is not differentiable",
           model_event(w->p->in->model, w->part.event)->name, w->run->stepper->s->motion.state.time + w->part.h);
    PetscFunctionReturn(0);
  }
  x -= excess[0] / slope, *longest = PetscMax(*longest, fabs(x) * d->delta / room);
  if (*longest > farthest_cut) PetscFunctionReturn(0);
  PetscCall(RunMoveShadows(w, d, x, fresh));
  PetscCall(FindExcessRate(d, w->part.event, &excess[0]));
  PetscCall(RunMoveShadows(w, d, x - excess[0] / slope, fresh));
  PetscFunctionReturn(0);
}

// Whether a parameter moves the event without the end of the step: at the end of a whole step, or with another event.
static PetscErrorCode CheckOthers(RunWork *w, Direction *d) {
  const Events *e = w->run->stepper->events;
  double end = w->run->stepper->s->motion.state.time + w->part.h, moves, time_rate;
  PetscFunctionBegin;
  PetscCall(RatesFindTime(w->run->stepper, d->rate, &time_rate));
  for (int i = 0; i < e->count && !is_refused(w->wrong); i++) {
    const EventCondition *c = condition_of(w, i);
    if (c->value && e->due[i]) {
      PetscCall(FindExcessRate(d, i, &moves));
      moves /= fmax(1, fabs(c->threshold));
    } else if (!c->value && event_due_time(w->run->stepper, i) <= end + event_due_tolerance(w->run->stepper))
      moves = (event_time_rate(d, i) - time_rate - d->length_rate) / w->run->stepper->options.step;
    else continue;
    if (fabs(moves) * d->delta <= same_event) continue;
    refuse(w->wrong, "the event '%s' at t = %g s is not differentiable: %s, and %s moves it",
           model_event(w->p->in->model, i)->name, end,
           w->part.rest > 0 ? "another event happens at the same time"
                            : "it happens at the end of a step, so choose another `step`",
           run_parameter(w, d)->path);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode RunPropagatePart(RunWork *w, Direction *d, double *start, double *longest, bool *fresh) {
  Stepper *p = w->run->stepper;
  double time_rate;
  PetscFunctionBegin;
  PetscCall(RatesFindTime(p, d->rate, &time_rate));
  if (!(w->part.rest > 0) || w->part.event < 0)
    PetscCall(RunMoveShadows(w, d, -time_rate, fresh)); // steps end at given times
  else if (condition_of(w, w->part.event)->value) PetscCall(FindCut(w, d, *start, longest, fresh));
  else {
    double rate = event_time_rate(d, w->part.event) - time_rate;
    *longest = PetscMax(*longest, fabs(rate) * d->delta / PetscMin(w->part.h, w->part.rest));
    if (*longest <= farthest_cut) PetscCall(RunMoveShadows(w, d, rate, fresh));
  }
  *start = d->length_rate;
  if (p->events && w->part.event >= 0 && *longest <= farthest_cut && !is_refused(w->wrong))
    PetscCall(CheckOthers(w, d));
  PetscFunctionReturn(0);
}
