// SPDX-License-Identifier: Apache-2.0
// Watches event conditions, ends steps where they are met and triggers the events (events.h).
// Equations: eq-event-condition (21.1), eq-event-mean (21.2).
#include "analyses/stepping/events.h"

#include "analyses/stepping/observable.h"
#include "model/refusal.h"
#include "model/steps.h"

#include <math.h>
#include <string.h>

void events_check(Model m, const Stepper *p, Refusal *wrong) {
  const char *why = m->events.count > 0 ? events_refused(p->options.scheme, p->options.order) : NULL;
  if (why) refuse(wrong, "run: %s", why);
}

PetscErrorCode EventsCreate(Stepper *p) {
  Events *e;
  int count = p->s->motion.layout.model->events.count;
  PetscFunctionBegin;
  if (count == 0 || !p->kind->undoes) PetscFunctionReturn(0);
  PetscCall(PetscNew(&e));
  e->count = count;
  PetscCall(PetscCalloc5(count, &e->track, count, &e->now, count, &e->mean, count, &e->end, count, &e->due));
  p->events = e;
  PetscFunctionReturn(0);
}

PetscErrorCode EventsDestroy(Stepper *p) {
  Events *e = p->events;
  PetscFunctionBegin;
  if (!e) PetscFunctionReturn(0);
  PetscCall(PetscFree5(e->track, e->now, e->mean, e->end, e->due));
  PetscCall(PetscFree(e->record));
  PetscCall(PetscFree(p->events));
  PetscFunctionReturn(0);
}

// ---- values ----

static const EventCondition *condition_of(const Stepper *p, int i) {
  return &model_event(p->s->motion.layout.model, i)->condition;
}

static bool may_happen(const Stepper *p, int i) {
  return model_event(p->s->motion.layout.model, i)->repeats || p->events->track[i].happened == 0;
}

static bool is_probe(const Stepper *p, int i) { return condition_of(p, i)->watch == WATCH_PROBE; }

// Whether an event has a value that may reach a threshold.
static bool is_watched(const Stepper *p, int i) {
  return condition_of(p, i)->value && may_happen(p, i) && (p->sensors || !is_probe(p, i));
}

bool event_is_mean(const Stepper *p, int i) { return condition_of(p, i)->mean || (p->sensors && p->sensors->mean[i]); }

// Means are accurate only to the tolerance of Newton.
static double tolerance_of(const Stepper *p, int i) {
  const EventCondition *c = condition_of(p, i);
  return event_is_mean(p, i) ? fmax(c->tolerance, 1e-9 * fabs(c->threshold)) : c->tolerance;
}

static Observable observable_of(Model m, const EventCondition *c) {
  if (c->watch == WATCH_SECTION) return observable_station(m, OBSERVABLE_SECTION, c->id, c->at);
  return (Observable){.kind = c->watch == WATCH_JOINT ? OBSERVABLE_JOINT : OBSERVABLE_NODE, .id = c->id};
}

static void take_sample(const EventCondition *c, const StateSample *a, EventSample *out) {
  memset(out, 0, sizeof *out);
  if (c->watch == WATCH_JOINT) {
    memcpy(out->joint.coord, a->joint.coord, sizeof out->joint.coord);
    memcpy(out->joint.rate, a->joint.rate, sizeof out->joint.rate);
    memcpy(out->joint.force, a->joint.force, sizeof out->joint.force);
    memcpy(out->joint.moment, a->joint.moment, sizeof out->joint.moment);
  } else if (c->watch == WATCH_NODE) {
    memcpy(out->node.position, a->motion.x[0], sizeof out->node.position);
    memcpy(out->node.velocity, a->motion.velocity, sizeof out->node.velocity);
    memcpy(out->node.angular, a->motion.angular, sizeof out->node.angular);
  } else memcpy(out->section, a->section.force, sizeof out->section);
}

// A formula that gives NaN keeps its last value; an infinite one is limited to a very large number.
static PetscErrorCode ReadProbes(Stepper *p, bool stands) {
  Events *e = p->events;
  PetscFunctionBegin;
  PetscCall(p->sensors->read(p->sensors, stands, e->mean));
  for (int i = 0; i < e->count; i++) {
    if (!is_probe(p, i)) continue;
    if (isnan(e->mean[i])) e->mean[i] = e->track[i].before;
    e->mean[i] = fmin(fmax(e->mean[i], -1e300), 1e300);
  }
  PetscFunctionReturn(0);
}

// Evaluates all watched values at the present state, after a step of length h. A mean belongs to the middle of its
// step; the line through the last two means is extrapolated to the end.
static PetscErrorCode ReadValues(Stepper *p, double h) {
  Events *e = p->events;
  Observable *observable;
  StateSample *sample;
  int *of, n = 0;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(e->count, &observable, e->count, &sample, e->count, &of));
  for (int i = 0; i < e->count; i++) {
    const EventCondition *c = condition_of(p, i);
    if (is_watched(p, i) && !is_probe(p, i)) of[n] = i, observable[n++] = observable_of(p->s->motion.layout.model, c);
  }
  PetscCall(SystemSample(p->s, n, observable, sample));
  for (int k = 0; k < n; k++) {
    const EventCondition *c = condition_of(p, of[k]);
    EventSample s;
    take_sample(c, &sample[k], &s);
    e->mean[of[k]] = c->value(c, &s);
  }
  PetscCall(PetscFree3(observable, sample, of));
  if (p->sensors) PetscCall(ReadProbes(p, false));
  for (int i = 0; i < e->count; i++) {
    const EventTrack *t = &e->track[i];
    e->now[i] = e->mean[i];
    if (event_is_mean(p, i) && t->length > 0 && h > 0) e->now[i] += (e->mean[i] - t->mean) * h / (h + t->length);
  }
  PetscFunctionReturn(0);
}

// How far a value is beyond its threshold: negative before it is reached.
static double beyond(const EventCondition *c, const EventTrack *t, double value) {
  return (t->side > 0 ? -1 : 1) * (value - c->threshold);
}

// A condition is armed once its value was clearly on the other side of the threshold.
static void arm(const Stepper *p, int i, double value, bool fresh) {
  const EventCondition *c = condition_of(p, i);
  EventTrack *t = &p->events->track[i];
  double d = value - c->threshold, tolerance = tolerance_of(p, i);
  bool unknown = fresh && event_is_mean(p, i); // there was no step yet
  t->before = value;
  if (t->armed != 0 && !fresh) return;
  if (c->direction >= 0 && d < -10 * tolerance && !unknown) t->armed = 1, t->side = -1;
  if (c->direction <= 0 && d > 10 * tolerance && !unknown) t->armed = 1, t->side = 1;
  if (c->direction > 0 && unknown) t->armed = 1, t->side = -1; // a mean that is too large in the first step also counts
}

// ---- times ----

double event_due_time(const Stepper *p, int i) {
  const EventCondition *c = condition_of(p, i);
  const EventTrack *t = p->events->track;
  if (c->value || !may_happen(p, i)) return INFINITY;
  if (c->watch == WATCH_TIME) return c->at;
  return t[c->id].happened > t[i].seen ? t[c->id].time + c->at : INFINITY;
}

double event_due_tolerance(const Stepper *p) { return 1e-9 * p->options.step + 1e-15 * fabs(p->s->motion.state.time); }

double events_limit(const Stepper *p, double t, double h) {
  double length = h;
  for (int i = 0; p->events && i < p->events->count; i++) {
    double left = event_due_time(p, i) - t;
    if (left > event_due_tolerance(p) && left < length - event_due_tolerance(p)) length = left;
  }
  return length;
}

// ---- location in a step ----

// The event that went beyond its threshold first, by linear interpolation over the step; -1: none.
static int find_overshoot(const Stepper *p) {
  const Events *e = p->events;
  double least = INFINITY;
  int found = -1;
  for (int i = 0; i < e->count; i++) {
    const EventCondition *c = condition_of(p, i);
    const EventTrack *t = &e->track[i];
    if (!is_watched(p, i) || t->armed == 0) continue;
    double a = beyond(c, t, t->before), b = beyond(c, t, e->now[i]);
    if (!(b > tolerance_of(p, i))) continue;
    double at = a < 0 ? -a / (b - a) : 0;
    if (at < least) least = at, found = i;
  }
  return found;
}

// If a mean changes about as fast as in the step before, its values within the step are taken on a straight line. It is
// not sampled in shorter steps: their forces contain round-off and errors of the scheme from velocities over a short
// time.
static void keep_smooth_means(Stepper *p, double h) {
  Events *e = p->events;
  for (int i = 0; i < e->count; i++) {
    const EventTrack *t = &e->track[i];
    e->end[i] = NAN;
    if (!is_watched(p, i) || !event_is_mean(p, i) || !(t->length > 0)) continue;
    double last = 2 * fabs(t->before - t->mean) / t->length;
    if (fabs(e->now[i] - t->before) <= 4 * last * h) e->end[i] = e->now[i];
  }
}

// Evaluates the values after a step of length x that replaces one of length h.
static PetscErrorCode ReadShortened(Stepper *p, double x, double h) {
  Events *e = p->events;
  PetscFunctionBegin;
  PetscCall(ReadValues(p, x));
  for (int i = 0; i < e->count; i++)
    if (is_watched(p, i) && event_is_mean(p, i) && !isnan(e->end[i]))
      e->now[i] = e->track[i].before + (e->end[i] - e->track[i].before) * x / h;
  PetscFunctionReturn(0);
}

enum { MOST_TRIES = 60 };
// Fractions of a step: bracket width at which the search ends, for values and for means; shortest step tried, because
// velocities over a shorter one would be round-off.
static const double narrow = 1e-13, narrow_mean = 1e-3, shortest = 1e-9;

// Finds the root of event `i` in a step of at most `length` by the Illinois method: false position with half the value
// of an end that stays. `whole`: the requested length of the step.
static PetscErrorCode FindRoot(Stepper *p, int i, double whole, double *length, StepAgain again, void *context,
                               bool *good) {
  const EventCondition *c = condition_of(p, i);
  const EventTrack *t = &p->events->track[i];
  double low = 0, high = *length, a = beyond(c, t, t->before), b = beyond(c, t, p->events->now[i]);
  double width = (event_is_mean(p, i) ? narrow_mean : narrow) * high, least = shortest * p->options.step;
  int side = 0;
  bool at_high = true;
  PetscFunctionBegin;
  if (!(a < 0)) a = -fabs(c->threshold);
  *good = true;
  for (int n = 0; n < MOST_TRIES && high - low > width && high > least; n++) {
    double x = n % 4 == 3 ? 0.5 * (low + high) : low - a * (high - low) / (b - a);
    x = PetscMax(PetscMin(PetscMax(x, low + 0.25 * width), high - 0.25 * width), least);
    PetscCall(again(p, x, context, good));
    at_high = false;
    if (!*good) break;
    PetscCall(ReadShortened(p, x, whole));
    double f = beyond(c, t, p->events->now[i]);
    bool met = fabs(f) <= tolerance_of(p, i);
    if (met || f > 0) {
      if (side == 1) a *= 0.5;
      side = 1, high = x, b = f, at_high = true;
    } else {
      if (side == -1) b *= 0.5;
      side = -1, low = x, a = f;
    }
    if (met) break;
  }
  *length = high;
  if (at_high) PetscFunctionReturn(0);
  PetscCall(again(p, high, context, good));
  if (*good) PetscCall(ReadShortened(p, high, whole));
  PetscFunctionReturn(0);
}

PetscErrorCode EventsFind(Stepper *p, double *length, StepAgain again, void *context) {
  Events *e = p->events;
  bool good = true;
  double whole = *length;
  PetscFunctionBegin;
  if (!e) PetscFunctionReturn(0);
  for (int i = 0; i < e->count; i++) e->due[i] = false;
  PetscCall(ReadValues(p, whole));
  keep_smooth_means(p, whole);
  for (int n = 0, i; n < e->count && good && (i = find_overshoot(p)) >= 0 && !e->due[i]; n++) {
    for (int k = 0; k < e->count; k++) e->due[k] = false;
    PetscCall(FindRoot(p, i, whole, length, again, context, &good));
    e->due[i] = true;
  }
  for (int i = 0; i < e->count; i++) {
    const EventCondition *c = condition_of(p, i);
    if (is_watched(p, i) && e->track[i].armed != 0)
      e->due[i] = e->due[i] || beyond(c, &e->track[i], e->now[i]) >= -tolerance_of(p, i);
  }
  PetscFunctionReturn(0);
}

// ---- triggering ----

// The next event that happens now, in the order of the model; -1: none.
static int next_due(const Stepper *p) {
  Events *e = p->events;
  for (int i = 0; i < e->count; i++)
    if (e->due[i] || event_due_time(p, i) <= p->s->motion.state.time + event_due_tolerance(p)) return i;
  return -1;
}

static void mark_happened(Stepper *p, int i) {
  EventTrack *t = &p->events->track[i];
  const EventCondition *c = condition_of(p, i);
  p->events->due[i] = false;
  t->happened++, t->time = p->s->motion.state.time, t->armed = 0;
  if (c->watch == WATCH_EVENT) t->seen = p->events->track[c->id].happened;
}

PetscErrorCode EventsThrow(Stepper *p, double h, LimberCause *conflict) {
  Events *e = p->events;
  bool any = false;
  PetscFunctionBegin;
  *conflict = (LimberCause){.index = LIMBER_NONE};
  if (!e) PetscFunctionReturn(0);
  for (int i; !conflict->name[0] && (i = next_due(p)) >= 0; any = true) {
    mark_happened(p, i);
    PetscCall(EventThrow(p, i, conflict));
  }
  if (any || !(h > 0)) PetscCall(ReadValues(p, 0)); // velocities have changed
  for (int i = 0; i < e->count; i++) {
    EventTrack *t = &e->track[i];
    if (!is_watched(p, i)) continue;
    arm(p, i, e->now[i], !(h > 0));
    t->mean = e->mean[i], t->length = any ? 0 : h;
  }
  if (p->sensors) PetscCall(ReadProbes(p, true));
  PetscFunctionReturn(0);
}

PetscErrorCode EventsThrowAlike(Stepper *p, const Stepper *other, int first, LimberCause *conflict) {
  PetscFunctionBegin;
  *conflict = (LimberCause){.index = LIMBER_NONE};
  for (int k = first; k < other->events->records && !conflict->name[0]; k++) {
    int event = (int)other->events->record[k].event;
    mark_happened(p, event);
    PetscCall(EventThrow(p, event, conflict));
  }
  if (p->sensors) PetscCall(ReadProbes(p, true));
  PetscFunctionReturn(0);
}

PetscErrorCode EventFindExcess(Stepper *p, int event, double *excess) {
  PetscFunctionBegin;
  PetscCall(ReadValues(p, 0));
  *excess = p->events->now[event] - condition_of(p, event)->threshold;
  PetscFunctionReturn(0);
}

PetscErrorCode EventsStartSensors(Stepper *p) {
  Events *e = p->events;
  PetscFunctionBegin;
  PetscCall(ReadProbes(p, true));
  for (int i = 0; i < e->count; i++)
    if (is_probe(p, i)) arm(p, i, e->mean[i], true);
  PetscFunctionReturn(0);
}

PetscErrorCode EventsSeeSignals(Stepper *p, LimberCause *conflict) {
  Events *e = p->events;
  bool any = false;
  PetscFunctionBegin;
  *conflict = (LimberCause){.index = LIMBER_NONE};
  for (int i = 0; i < e->count; i++) any = any || p->sensors->signal[i];
  if (!any) PetscFunctionReturn(0);
  any = false;
  PetscCall(ReadValues(p, 0));
  for (int i = 0; i < e->count; i++) {
    e->due[i] = p->sensors->signal[i] && is_watched(p, i) && e->track[i].armed != 0 &&
                beyond(condition_of(p, i), &e->track[i], e->now[i]) >= -tolerance_of(p, i);
    any = any || e->due[i];
    if (p->sensors->signal[i] && is_watched(p, i)) arm(p, i, e->now[i], false);
  }
  if (any) PetscCall(EventsThrow(p, p->options.step, conflict));
  PetscFunctionReturn(0);
}

PetscErrorCode EventsStart(Stepper *p) {
  LimberCause conflict;
  Events *e = p->events;
  PetscFunctionBegin;
  if (!e) PetscFunctionReturn(0);
  for (int j = 0; j < p->s->motion.layout.model->joints.count; j++) { // locked from the start: at the present value
    JointSwitch *w = &p->s->motion.switches.joint[j];
    StateSample a;
    bool locked = false;
    for (int c = 0; c < MAX_COORDS; c++) locked = locked || w->locked[c] != 0;
    if (!locked) continue;
    PetscCall(SystemSample(p->s, 1, &(Observable){.kind = OBSERVABLE_JOINT, .id = j}, &a));
    for (int c = 0; c < MAX_COORDS; c++)
      if (w->locked[c] != 0) w->lock_at[c] = a.joint.coord[c];
  }
  PetscCall(EventsThrow(p, 0, &conflict));
  PetscFunctionReturn(0);
}

// ---- checkpoints ----

enum { TRACK_NUMBERS = sizeof(EventTrack) / sizeof(double), RECORD_NUMBERS = sizeof(EventRecord) / sizeof(double) };
enum { JOINT_NUMBERS = sizeof(JointSwitch) / sizeof(double), LOAD_NUMBERS = sizeof(LoadSwitch) / sizeof(double) };

// Tracks, switches of joints and loads, the total loss, the records.
size_t events_size(const Stepper *p) {
  const Events *e = p->events;
  Model m = p->s->motion.layout.model;
  if (!e) return 0;
  return (size_t)e->count * TRACK_NUMBERS + (size_t)m->joints.count * JOINT_NUMBERS +
         (size_t)m->loads.count * LOAD_NUMBERS + 1 + (size_t)e->records * RECORD_NUMBERS;
}

static double *put(double *at, const void *from, size_t bytes) {
  if (bytes) memcpy(at, from, bytes);
  return at + bytes / sizeof(double);
}
static const double *take(const double *at, void *to, size_t bytes) {
  if (bytes) memcpy(to, at, bytes);
  return at + bytes / sizeof(double);
}

void events_save(const Stepper *p, double *image) {
  const Events *e = p->events;
  const Switches *w = &p->s->motion.switches;
  Model m = p->s->motion.layout.model;
  image = put(image, e->track, (size_t)e->count * sizeof *e->track);
  image = put(image, w->joint, (size_t)m->joints.count * sizeof *w->joint);
  image = put(image, w->load, (size_t)m->loads.count * sizeof *w->load);
  image = put(image, &e->loss, sizeof e->loss);
  put(image, e->record, (size_t)e->records * sizeof *e->record);
}

PetscErrorCode EventsRestore(Stepper *p, size_t count, const double *image, bool *good) {
  Events *e = p->events;
  Switches *w = &p->s->motion.switches;
  Model m = p->s->motion.layout.model;
  LimberCause conflict;
  PetscFunctionBegin;
  *good = true;
  if (!e) PetscFunctionReturn(0);
  size_t least = events_size(p) - (size_t)e->records * RECORD_NUMBERS;
  *good =
      image && count >= least && (count - least) % RECORD_NUMBERS == 0 && (count - least) / RECORD_NUMBERS < 1 << 24;
  if (!*good) PetscFunctionReturn(0);
  size_t joints = (size_t)m->joints.count * sizeof *w->joint, loads = (size_t)m->loads.count * sizeof *w->load;
  image = take(image, e->track, (size_t)e->count * sizeof *e->track);
  bool switched = (joints && memcmp(w->joint, image, joints)) || // empty arrays have no address
                  (loads && memcmp(w->load, image + joints / sizeof *image, loads));
  image = take(image, w->joint, joints);
  image = take(image, w->load, loads);
  image = take(image, &e->loss, sizeof e->loss);
  e->records = e->room = (int)((count - least) / RECORD_NUMBERS);
  PetscCall(PetscFree(e->record));
  PetscCall(PetscMalloc1(e->room, &e->record));
  take(image, e->record, (size_t)e->records * sizeof *e->record);
  for (int i = 0; i < e->records && *good; i++) *good = e->record[i].event >= 0 && e->record[i].event < e->count;
  if (switched) PetscCall(SwitchesApply(p, &conflict));
  PetscFunctionReturn(0);
}
