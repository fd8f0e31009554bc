// SPDX-License-Identifier: Apache-2.0
// An instance of an FMU that `limber fmu` wrote: a run of its model. It uses the public interface of Limber alone.
#include "fmu/module/base.h"
#include "fmu/module/run/library.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Instance {
  Base base;
  double *parameter;
  bool *changed; // each parameter has another value than that of the model file
  double *row;   // of the history
  bool stale;    // inputs were set since the row was made
  LimberFile file;
  LimberRun run;
  LimberRecord record;
  LimberFunctionId *signal; // of each input
};

const char instance_no_exchange[] = "this FMU is for co-simulation: its bound on the energy is that of its own steps";

static void end_run(Instance *c) {
  if (c->record) limber.LimberRecordDestroy(&c->record);
  if (c->run) limber.LimberRunDestroy(&c->run);
  if (c->file) limber.LimberFileDestroy(&c->file);
}

void instance_destroy(Instance *c) {
  if (!c) return;
  end_run(c);
  base_close(&c->base);
  free(c->parameter), free(c->changed), free(c->row), free(c->signal);
  free(c);
}

static void set_starts(Instance *c) {
  for (size_t i = 0; i < c->base.has.parameter.count; i++) {
    c->parameter[i] = c->base.has.parameter.item[i].start;
    c->changed[i] = false;
  }
  base_start(&c->base);
  c->stale = true;
}

static bool find_limber(Instance *c) {
  char why[4000] = "";
  if (!c->base.has.model) return instance_refuse(c, "the list of what the FMU has names no model"), false;
  if (!start_limber(c->base.folder, c->base.has.library, why, sizeof why)) {
    instance_refuse(c,
                    "this FMU needs " LIMBER_LIBRARY " of Limber " LIMBER_VERSION
                    ", which does not start: %s. Install Limber, or set LD_LIBRARY_PATH to its folder",
                    why);
    return false;
  }
  if (limber.limber_ranks() > 1)
    instance_refuse(c, "an FMU of Limber runs in a host of one process, not of %d", limber.limber_ranks());
  return limber.limber_ranks() == 1;
}

static bool allocate(Instance *c) {
  const Contents *has = &c->base.has;
  c->parameter = calloc(has->parameter.count + 1, sizeof *c->parameter);
  c->changed = calloc(has->parameter.count + 1, sizeof *c->changed);
  c->signal = calloc(has->input.count + 1, sizeof *c->signal);
  c->row = calloc(has->outputs + 1, sizeof *c->row);
  c->base.saved = has->parameter.count + 2 * has->input.count + has->outputs + 1; // parameters, inputs, slopes, the row
  if (!c->parameter || !c->changed || !c->signal || !c->row) return instance_refuse(c, "out of memory"), false;
  return true;
}

Instance *instance_create(const Host *host, const char *token, const char *resources) {
  Instance *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  if (!base_open(c, host, token, resources) || !find_limber(c) || !allocate(c)) return instance_destroy(c), NULL;
  set_starts(c);
  return c;
}

Status instance_check_start(Instance *c, double start) {
  return start == 0 ? STATUS_OK : instance_refuse(c, "a run of Limber starts at 0 s, not at %g s", start);
}

// ---- the run ----

// Reads the model with the changes of the command that wrote the FMU, then those of the parameters.
static Status read_model(Instance *c) {
  char path[8400];
  size_t parameters = c->base.has.parameter.count, given = (size_t)c->base.has.changes;
  const char **change = calloc(given + parameters + 1, sizeof *change);
  char(*text)[600] = calloc(parameters + 1, sizeof *text);
  LimberReadOptions options = limber.limber_read_options_default();
  int error = LIMBER_ERROR_MEMORY;
  locale_t before = plain_numbers_begin();
  if (change && text) {
    for (size_t i = 0; i < given; i++) change[options.changes++] = c->base.has.change[i];
    for (size_t i = 0; i < parameters; i++) {
      const Variable *p = &c->base.has.parameter.item[i];
      if (!c->changed[i]) continue;
      snprintf(text[i], sizeof text[i], "%s=%.17g %s", p->name, c->parameter[i], p->unit);
      change[options.changes++] = text[i];
    }
    options.change = change;
    snprintf(path, sizeof path, "%s%s", c->base.folder, c->base.has.model);
    error = limber.LimberFileRead(path, &options, &c->file);
  }
  plain_numbers_end(before);
  free(change), free(text);
  if (error) return instance_refuse(c, "%s", limber.limber_error());
  if (limber.limber_file_errors(c->file)) return instance_refuse(c, "%s", limber.limber_file_diagnostics(c->file));
  return STATUS_OK;
}

static Status set_signals(Instance *c, double after) {
  LimberModel model = limber.limber_file_model(c->file);
  for (size_t i = 0; i < c->base.has.input.count; i++)
    if (limber.LimberModelSetSignal(model, c->signal[i], c->base.input[i] + c->base.slope[i] * after))
      return instance_refuse(c, "%s", limber.limber_error());
  return STATUS_OK;
}

static Status make_row(Instance *c, const LimberOutcome *step) {
  if (limber.LimberRecordRow(c->record, c->run, step, c->row)) return instance_refuse(c, "%s", limber.limber_error());
  c->stale = false;
  return STATUS_OK;
}

static Status open_run(Instance *c) {
  Status status = read_model(c);
  if (status) return status;
  LimberModel model = limber.limber_file_model(c->file);
  for (size_t i = 0; i < c->base.has.input.count; i++) {
    c->signal[i] = limber.limber_model_find_function(model, c->base.has.input.item[i].name);
    if (c->signal[i].index == LIMBER_NO_FUNCTION.index)
      return instance_refuse(c, "the model has no signal '%s' with these parameters", c->base.has.input.item[i].name);
  }
  if ((status = set_signals(c, 0))) return status;
  if (limber.LimberFileStart(c->file, &c->run)) return instance_refuse(c, "%s", limber.limber_error());
  if (!c->run) return instance_refuse(c, "the run does not start: %s", limber.limber_model_diagnostics(model));
  if (limber.LimberRecordCreate(c->file, &c->record)) return instance_refuse(c, "%s", limber.limber_error());
  size_t columns = (size_t)limber.limber_record_columns(c->record);
  if (columns != c->base.has.outputs + 1)
    return instance_refuse(c, "with these parameters the model has %zu outputs in place of %zu", columns - 1,
                           c->base.has.outputs);
  return STATUS_OK;
}

// The run with the present parameters; it is there already where none was set since.
static Status start_run(Instance *c) {
  if (c->run) return STATUS_OK;
  Status status = open_run(c);
  c->stale = true;
  if (status) end_run(c);
  return status;
}

// The row of the start, with the inputs that were set.
static Status refresh_row(Instance *c) {
  Status status = start_run(c);
  if (!status && c->stale) {
    if ((status = set_signals(c, 0))) return status;
    status = make_row(c, NULL);
  }
  return status;
}

Status instance_ready(Instance *c) {
  if (c->base.phase != INITIALISING) return instance_refuse(c, "no initialisation has begun");
  Status status = refresh_row(c);
  if (!status) c->base.phase = STEPPING;
  return status;
}

Status instance_reset(Instance *c) {
  end_run(c);
  set_starts(c);
  return STATUS_OK;
}

// ---- variables ----

Status instance_get(Instance *c, const unsigned *reference, size_t count, double *value) {
  const size_t inputs = 1 + c->base.has.parameter.count, outputs = inputs + c->base.has.input.count;
  Status status;
  for (size_t i = 0; i < count; i++) {
    size_t r = reference[i];
    if (r == 0) value[i] = c->base.time;
    else if (r < inputs) value[i] = c->parameter[r - 1];
    else if (r < outputs) value[i] = c->base.input[r - inputs];
    else if (r - outputs >= c->base.has.outputs) return instance_refuse(c, "there is no variable %zu", r);
    else if (c->base.phase == MADE) return instance_refuse(c, "outputs have values from the initialisation on");
    else {
      if (c->base.phase == INITIALISING && (status = refresh_row(c))) return status;
      value[i] = c->row[1 + r - outputs];
    }
  }
  return STATUS_OK;
}

Status instance_set(Instance *c, const unsigned *reference, size_t count, const double *value) {
  const size_t inputs = 1 + c->base.has.parameter.count, outputs = inputs + c->base.has.input.count;
  for (size_t i = 0; i < count; i++) {
    size_t r = reference[i];
    if (r == 0 || r >= outputs) return instance_refuse(c, "the variable %zu cannot be set", r);
    const Variable *v = r < inputs ? &c->base.has.parameter.item[r - 1] : &c->base.has.input.item[r - inputs];
    if (!isfinite(value[i])) return instance_refuse(c, "'%s' is set to %g, which is no number", v->name, value[i]);
    if (r >= inputs) c->base.input[r - inputs] = value[i], c->stale = true;
    else if (c->base.phase > INITIALISING)
      return instance_refuse(c, "the parameter '%s' is fixed from the first step on", v->name);
    else if (c->parameter[r - 1] != value[i]) {
      c->parameter[r - 1] = value[i], c->changed[r - 1] = value[i] != v->start;
      end_run(c); // it is started again with the new value
    }
  }
  return STATUS_OK;
}

// ---- steps ----

// Times closer than this are one, as for LimberRunStepTo.
static double time_tolerance(const Instance *c) { return 1e-6 * limber.limber_file_options(c->file).step; }

// Where the next step on the way to `to` ends at the latest. A way that is no multiple of the run's steps is divided
// into equal steps: the schemes are of second order where steps do not change.
static double step_end(const Instance *c, double now, double to) {
  LimberOptions options = limber.limber_file_options(c->file);
  double near = time_tolerance(c), steps = ceil((to - now - near) / options.step);
  if (options.control.on || steps <= 1 || fabs(to - now - steps * options.step) <= near) return to;
  return now + (to - now) / steps;
}

static Status take_step(Instance *c, double from, double to) {
  LimberOutcome outcome;
  double now = limber.limber_run_time(c->run), end = step_end(c, now, to);
  double length = fmin(limber.limber_file_options(c->file).step, end - now);
  Status status = set_signals(c, now + 0.5 * length - from); // held at the value in the middle of the step
  if (status) return status;
  if (limber.LimberRunStepTo(c->run, end, &outcome)) return instance_refuse(c, "%s", limber.limber_error());
  if (outcome.reason != LIMBER_CONVERGED)
    return instance_refuse(c, "the step from %g s ended with %s%s%s", now, limber.limber_reason_name(outcome.reason),
                           *outcome.cause.name ? " at " : "", outcome.cause.name);
  return make_row(c, &outcome);
}

Status instance_step(Instance *c, double time, double step, bool events, AfterStep after, void *data,
                     Reached *reached) {
  *reached = (Reached){c->base.time, false};
  if (c->base.phase != STEPPING) return instance_refuse(c, "steps come after the initialisation");
  double near = time_tolerance(c), to = time + step;
  if (!(fabs(time - c->base.time) <= near))
    return instance_refuse(c, "a step from %.17g s cannot begin: the run is at %.17g s", time, c->base.time);
  if (!(step >= 0) || !isfinite(to)) return instance_refuse(c, "a step of %g s cannot be taken", step);
  c->base.failed = true;
  while (to - limber.limber_run_time(c->run) > near && !reached->early) {
    int happened = limber.limber_run_events(c->run);
    Status status = take_step(c, time, to);
    if (status) return status;
    double now = limber.limber_run_time(c->run);
    bool event = events && limber.limber_run_events(c->run) > happened;
    reached->early = ((after && after(data, now)) || event) && to - now > near;
  }
  c->base.failed = false;
  c->base.time = reached->reached = reached->early ? limber.limber_run_time(c->run) : to;
  for (size_t i = 0; i < c->base.has.input.count; i++) c->base.slope[i] = 0;
  return STATUS_OK;
}

// ---- the state ----

Status instance_save(Instance *c, SavedState **state) {
  SavedState *s = saved_prepare(c, state);
  if (!s) return instance_refuse(c, "out of memory");
  s->phase = c->base.phase, s->time = c->base.time, s->failed = c->base.failed;
  s->flag = c->stale, s->has_run = c->run != NULL;
  double *value = s->value;
  copy_values(&value, c->parameter, c->base.has.parameter.count);
  copy_values(&value, c->base.input, c->base.has.input.count);
  copy_values(&value, c->base.slope, c->base.has.input.count);
  copy_values(&value, c->row, c->base.has.outputs + 1);
  if (s->has_run && (limber.LimberRunSave(c->run, &s->part[0], &s->part_size[0]) ||
                     limber.LimberRecordSave(c->record, &s->part[1], &s->part_size[1])))
    return instance_refuse(c, "%s", limber.limber_error());
  return STATUS_OK;
}

Status instance_restore(Instance *c, const SavedState *s) {
  const double *value = s->value;
  Status status;
  bool same = !memcmp(value, c->parameter, c->base.has.parameter.count * sizeof *value);
  if (!same || !s->has_run) end_run(c);
  take_values(&value, c->parameter, c->base.has.parameter.count);
  for (size_t i = 0; i < c->base.has.parameter.count; i++)
    c->changed[i] = c->parameter[i] != c->base.has.parameter.item[i].start;
  take_values(&value, c->base.input, c->base.has.input.count);
  take_values(&value, c->base.slope, c->base.has.input.count);
  if (s->has_run) {
    if ((status = start_run(c))) return status;
    if (limber.LimberRunRestore(c->run, s->part[0], s->part_size[0]) ||
        limber.LimberRecordRestore(c->record, s->part[1], s->part_size[1]))
      return instance_refuse(c, "%s", limber.limber_error());
  }
  take_values(&value, c->row, c->base.has.outputs + 1);
  c->base.phase = s->phase, c->base.time = s->time, c->base.failed = s->failed, c->stale = s->flag;
  return STATUS_OK;
}
