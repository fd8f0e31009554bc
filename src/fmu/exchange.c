// SPDX-License-Identifier: Apache-2.0
// Model exchange: modes of the FMU and its events (exchange.h).
#include "fmu/exchange.h"

#include <math.h>
#include <string.h>

enum {
  MOST_STATES = 100000,
  MOST_EVENTS = 10000,
  MOST_UPDATES = 1000
}; // of an FMU; in a step of the block; of an event
static const double usual_tolerance = 1e-6;

// ---- creating ----

static bool find_sizes(Fmu *f) {
  FmuExchange *x = f->exchange;
  const FmuDescription *d = f->use->description;
  if (is_second(f)) x->states = (size_t)d->states, x->indicators = (size_t)d->indicators;
  else if (!CALL3(f, fmi3GetNumberOfContinuousStates, &x->states) ||
           !CALL3(f, fmi3GetNumberOfEventIndicators, &x->indicators))
    return false;
  if (x->states <= MOST_STATES && x->indicators <= MOST_STATES) return true;
  return fmu_fail(f, "it has %zu states and %zu event indicators; at most %d of each can be used", x->states,
                  x->indicators, MOST_STATES);
}

Error ExchangeCreate(Fmu *f) {
  const FmuUse *u = f->use;
  FmuExchange *x;
  TRY(MemoryNew(sizeof *x, &x));
  f->exchange = x;
  x->tolerance = u->tolerance > 0                ? u->tolerance
                 : u->description->tolerance > 0 ? u->description->tolerance
                                                 : usual_tolerance;
  x->clock.event = INFINITY;
  if (!find_sizes(f)) return 0;
  double **states[] = {&x->x,    &x->x1,   &x->stage, &x->nominal, &x->k[0], &x->k[1],
                       &x->k[2], &x->k[3], &x->k[4],  &x->k[5],    &x->k[6]};
  for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
    TRY(MemoryNew((x->states + 1) * sizeof(double), states[i]));
  TRY(MemoryNew((x->indicators + 1) * sizeof(double), &x->z));
  TRY(MemoryNew((x->indicators + 1) * sizeof(double), &x->z1));
  double **inputs[] = {&x->last, &x->goal, &x->marked_last};
  for (int i = 0; i < 3; i++) TRY(MemoryNew(((size_t)u->inputs + 1) * sizeof(double), inputs[i]));
  return 0;
}

void exchange_destroy(Fmu *f) {
  FmuExchange *x = f->exchange;
  if (!x) return;
  double **all[] = {&x->x,    &x->x1,   &x->stage, &x->nominal, &x->k[0], &x->k[1], &x->k[2], &x->k[3],
                    &x->k[4], &x->k[5], &x->k[6],  &x->z,       &x->z1,   &x->last, &x->goal, &x->marked_last};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) memory_free(all[i]);
  memory_free(&f->exchange);
}

// ---- modes ----

static bool get_states(Fmu *f) {
  FmuExchange *x = f->exchange;
  size_t n = x->states;
  x->fresh = false;
  if (!n) return true;
  bool good = is_second(f) ? CALL2(f, fmi2GetContinuousStates, x->x, n) : CALL3(f, fmi3GetContinuousStates, x->x, n);
  for (size_t i = 0; i < n && good; i++)
    if (!isfinite(x->x[i]))
      good = fmu_fail(f, "its state %zu of %zu is no finite number at t = %.8g s, although all its calls returned OK",
                      i + 1, n, f->time);
  return good;
}

static bool get_nominals(Fmu *f) {
  FmuExchange *x = f->exchange;
  size_t n = x->states;
  bool good = true;
  if (n)
    good = is_second(f) ? CALL2(f, fmi2GetNominalsOfContinuousStates, x->nominal, n)
                        : CALL3(f, fmi3GetNominalsOfContinuousStates, x->nominal, n);
  for (size_t i = 0; i < n; i++)
    if (!(x->nominal[i] > 0 && isfinite(x->nominal[i]))) x->nominal[i] = 1;
  return good;
}

static bool get_indicators(Fmu *f) {
  Trial t = exchange_indicators(f, f->exchange->z);
  return t == TRIAL_TOO_LONG ? fmu_fail(f, "at t = %.8g s %s", f->time, f->exchange->why) : t == TRIAL_GOOD;
}

// Updates the discrete states; `again`: once more.
static bool update(Fmu *f, bool *again, bool *nominals) {
  FmuExchange *x = f->exchange;
  bool ends, values, scaled, timed;
  double time = INFINITY;
  if (is_second(f)) {
    fmi2EventInfo e = {0};
    if (!CALL2(f, fmi2NewDiscreteStates, &e)) return false;
    *again = e.newDiscreteStatesNeeded, ends = e.terminateSimulation, values = e.valuesOfContinuousStatesChanged;
    scaled = e.nominalsOfContinuousStatesChanged, timed = e.nextEventTimeDefined, time = e.nextEventTime;
  } else if (!CALL3(f, fmi3UpdateDiscreteStates, again, &ends, &scaled, &values, &timed, &time)) return false;
  if (ends) return fmu_fail(f, "it ends the simulation at t = %.8g s%s%s", f->time, f->log[0] ? ": " : "", f->log);
  if (timed && isnan(time)) return fmu_fail(f, "the time of its next event is no number at t = %.8g s", f->time);
  x->clock.event = timed ? time : INFINITY;
  *nominals = *nominals || scaled;
  (void)values; // all states are read after each event
  return true;
}

// From event mode to continuous-time mode.
static bool finish_event(Fmu *f) {
  bool again = true, nominals = false, good = true;
  for (int k = 0; again && good; k++) {
    if (k == MOST_UPDATES)
      return fmu_fail(f, "its discrete states do not settle at t = %.8g s: they were updated %d times", f->time, k);
    good = update(f, &again, &nominals);
  }
  good = good &&
         (is_second(f) ? CALL2_PLAIN(f, fmi2EnterContinuousTimeMode) : CALL3_PLAIN(f, fmi3EnterContinuousTimeMode));
  return good && (!nominals || get_nominals(f)) && get_states(f) && get_indicators(f);
}

static bool enter_event_mode(Fmu *f) {
  FmuExchange *x = f->exchange;
  if (++x->events > MOST_EVENTS)
    return fmu_fail(f, "it has more than %d events between t = %.8g s and %.8g s: it switches to and fro", MOST_EVENTS,
                    x->from, x->from + x->span);
  return is_second(f) ? CALL2_PLAIN(f, fmi2EnterEventMode) : CALL3_PLAIN(f, fmi3EnterEventMode);
}

bool exchange_start(Fmu *f, const double *in) {
  FmuExchange *x = f->exchange;
  x->clock.time = f->time;
  if (f->use->inputs)
    memcpy(x->last, in, (size_t)f->use->inputs * sizeof *in), memcpy(x->goal, in, (size_t)f->use->inputs * sizeof *in);
  return finish_event(f) && get_nominals(f);
}

bool exchange_jump(Fmu *f, const double *in) {
  FmuExchange *x = f->exchange;
  size_t bytes = (size_t)f->use->inputs * sizeof *in;
  if (!bytes || !memcmp(x->last, in, bytes)) return true;
  memcpy(x->last, in, bytes), memcpy(x->goal, in, bytes);
  x->events = 0;
  return enter_event_mode(f) && fmu_set_inputs(f, in) && finish_event(f);
}

// ---- a step ----

static bool is_due(double event, double time) { return event <= time + 1e-13 * fmax(1, fabs(time)); }

static bool handle_time_event(Fmu *f) {
  FmuExchange *x = f->exchange;
  x->clock.time = fmax(x->clock.time, x->clock.event);
  Trial t = exchange_place(f, x->clock.time, x->x);
  if (t == TRIAL_TOO_LONG) return fmu_fail(f, "at t = %.8g s %s", f->time, x->why);
  return t == TRIAL_GOOD && enter_event_mode(f) && finish_event(f);
}

// After a step of the solver, at whose end the FMU is.
static bool complete_step(Fmu *f, bool crossed) {
  bool ends = false, wants = false, good;
  if (!f->interface->announces_steps) wants = false, good = true;
  else if (is_second(f)) {
    fmi2Boolean enter = 0, end = 0;
    good = CALL2(f, fmi2CompletedIntegratorStep, !f->interface->can_save, &enter, &end);
    wants = enter, ends = end;
  } else good = CALL3(f, fmi3CompletedIntegratorStep, !f->interface->can_save, &wants, &ends);
  if (good && ends)
    return fmu_fail(f, "it ends the simulation at t = %.8g s%s%s", f->time, f->log[0] ? ": " : "", f->log);
  if (good && (wants || crossed)) good = enter_event_mode(f) && finish_event(f);
  else if (good) good = get_indicators(f);
  return good;
}

// Whole numbers and the like jump at the end of the step.
static bool jump_at_end(Fmu *f, const double *in) {
  FmuExchange *x = f->exchange;
  bool any = false, good = true;
  for (int i = 0; i < f->use->inputs; i++) any = any || (f->use->input[i].variable->sampled && in[i] != x->last[i]);
  if (any) good = enter_event_mode(f) && fmu_set_inputs(f, in) && finish_event(f);
  if (f->use->inputs) memcpy(x->last, in, (size_t)f->use->inputs * sizeof *in);
  return good;
}

bool exchange_step(Fmu *f, double from, double step, const double *in) {
  FmuExchange *x = f->exchange;
  double end = from + step, tiny = 1e-13 * fmax(1, fabs(end));
  bool good = true, crossed;
  x->from = from, x->span = step, x->events = x->steps = 0;
  if (f->use->inputs) memcpy(x->goal, in, (size_t)f->use->inputs * sizeof *in);
  x->fresh = false;
  while (good) {
    if (is_due(x->clock.event, x->clock.time)) good = handle_time_event(f);
    else if (x->clock.time >= end - tiny) break;
    else good = exchange_advance(f, fmin(end, x->clock.event), &crossed) && complete_step(f, crossed);
  }
  return good && jump_at_end(f, in);
}

// ---- its state ----

void exchange_mark(Fmu *f) {
  FmuExchange *x = f->exchange;
  x->marked = x->clock;
  if (f->use->inputs) memcpy(x->marked_last, x->last, (size_t)f->use->inputs * sizeof *x->last);
}

bool exchange_go_back(Fmu *f) {
  FmuExchange *x = f->exchange;
  size_t bytes = (size_t)f->use->inputs * sizeof *x->last;
  x->clock = x->marked;
  if (bytes) memcpy(x->last, x->marked_last, bytes), memcpy(x->goal, x->marked_last, bytes);
  f->time = x->clock.time;
  return get_states(f) && get_indicators(f);
}

size_t exchange_record_size(const Fmu *f) {
  return f->exchange ? sizeof(ExchangeClock) + (size_t)f->use->inputs * sizeof(double) : 0;
}

void exchange_save(const Fmu *f, void *record) {
  const FmuExchange *x = f->exchange;
  memcpy(record, &x->clock, sizeof x->clock);
  if (f->use->inputs) memcpy((char *)record + sizeof x->clock, x->last, (size_t)f->use->inputs * sizeof *x->last);
}

bool exchange_restore(Fmu *f, const void *record) {
  FmuExchange *x = f->exchange;
  memcpy(&x->marked, record, sizeof x->marked);
  if (f->use->inputs)
    memcpy(x->marked_last, (const char *)record + sizeof x->marked, (size_t)f->use->inputs * sizeof *x->last);
  return exchange_go_back(f) && get_nominals(f);
}
