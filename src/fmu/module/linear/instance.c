// SPDX-License-Identifier: Apache-2.0
#include "fmu/module/linear/linear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char instance_no_exchange[] = "";

unsigned first_input(const Instance *c) { return (void)c, 1; }
unsigned first_output(const Instance *c) { return (unsigned)(1 + c->m); }
unsigned first_state(const Instance *c) { return (unsigned)(1 + c->m + c->p); }
unsigned first_rate(const Instance *c) { return (unsigned)(1 + c->m + c->p + c->n); }

void instance_destroy(Instance *c) {
  if (!c) return;
  exponential_close(&c->exact);
  base_close(&c->base);
  free(c->file), free(c->x), free(c->change);
  free(c);
}

// ---- opening ----

enum { MOST = 1 << 20 }; // of states, inputs and outputs

// The numbers of resources/matrices.bin, which has no more and no fewer.
static bool read_numbers(Instance *c) {
  char path[4400];
  size_t n = c->n, m = c->m, p = c->p, count = n * n + n * m + p * n + p * m + m + p;
  snprintf(path, sizeof path, "%smatrices.bin", c->base.folder);
  FILE *f = fopen(path, "rb");
  long size = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;
  bool good = size >= 0 && (size_t)size == count * sizeof *c->file && !fseek(f, 0, SEEK_SET);
  if (good) c->file = calloc(count + 1, sizeof *c->file);
  good = good && c->file && fread(c->file, sizeof *c->file, count, f) == count;
  for (size_t i = 0; good && i < count; i++) good = isfinite(c->file[i]);
  if (f) fclose(f);
  if (!good) return instance_refuse(c, "cannot read '%s', which has the matrices", path), false;
  c->a = c->file, c->b = c->a + n * n, c->c = c->b + n * m, c->d = c->c + p * n, c->u0 = c->d + p * m;
  c->y0 = c->u0 + m;
  return true;
}

static void set_starts(Instance *c) {
  base_start(&c->base);
  for (size_t i = 0; i < c->m; i++) c->base.input[i] = c->u0[i];
  memset(c->x, 0, c->n * sizeof *c->x);
  c->continuous = false;
}

static bool open_model(Instance *c) {
  c->n = c->base.has.states, c->m = c->base.has.input.count, c->p = c->base.has.outputs;
  if (c->n > MOST || c->m > MOST || c->p > MOST || !read_numbers(c)) return false;
  c->x = calloc(c->n + 1, sizeof *c->x);
  c->change = calloc(c->m + 1, sizeof *c->change);
  c->base.saved = c->n + 2 * c->m; // states, inputs, slopes
  if (!c->x || !c->change || !exponential_open(&c->exact, c->n, c->m, c->a, c->b))
    return instance_refuse(c, "out of memory"), false;
  return true;
}

Instance *instance_create(const Host *host, const char *token, const char *resources) {
  Instance *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  if (!base_open(c, host, token, resources) || !open_model(c)) return instance_destroy(c), NULL;
  set_starts(c);
  return c;
}

// The equations do not depend on the time.
Status instance_check_start(Instance *c, double start) {
  return isfinite(start) ? STATUS_OK : instance_refuse(c, "a start at %g s is no time", start);
}

Status instance_ready(Instance *c) {
  if (c->base.phase != INITIALISING) return instance_refuse(c, "no initialisation has begun");
  c->base.phase = STEPPING;
  return STATUS_OK;
}

Status instance_reset(Instance *c) {
  set_starts(c);
  return STATUS_OK;
}

// ---- variables ----

static void find_change(Instance *c) {
  for (size_t i = 0; i < c->m; i++) c->change[i] = c->base.input[i] - c->u0[i];
}

// A row of a matrix of the states times x, and that of one of the inputs times the change of the inputs.
static double row_value(const Instance *c, const double *of_states, const double *of_inputs, size_t row) {
  double sum = 0;
  for (size_t j = 0; j < c->n; j++) sum += of_states[row * c->n + j] * c->x[j];
  for (size_t j = 0; j < c->m; j++) sum += of_inputs[row * c->m + j] * c->change[j];
  return sum;
}

void linear_rates(Instance *c, double *rate) {
  find_change(c);
  for (size_t i = 0; i < c->n; i++) rate[i] = row_value(c, c->a, c->b, i);
}

Status instance_get(Instance *c, const unsigned *reference, size_t count, double *value) {
  const size_t outputs = first_output(c), states = first_state(c), rates = first_rate(c);
  find_change(c);
  for (size_t i = 0; i < count; i++) {
    size_t r = reference[i];
    if (r == 0) value[i] = c->base.time;
    else if (r < outputs) value[i] = c->base.input[r - 1];
    else if (r >= rates + c->n) return instance_refuse(c, "there is no variable %zu", r);
    else if (r >= states && r < rates) value[i] = c->x[r - states];
    else if (c->base.phase == MADE)
      return instance_refuse(c, "outputs and derivatives have values from the initialisation on");
    else if (r < states) value[i] = c->y0[r - outputs] + row_value(c, c->c, c->d, r - outputs);
    else value[i] = row_value(c, c->a, c->b, r - rates);
  }
  return STATUS_OK;
}

Status instance_set(Instance *c, const unsigned *reference, size_t count, const double *value) {
  const size_t outputs = first_output(c), states = first_state(c);
  for (size_t i = 0; i < count; i++) {
    size_t r = reference[i];
    bool input = r > 0 && r < outputs, state = r >= states && r < states + c->n;
    if (!input && !state) return instance_refuse(c, "the variable %zu cannot be set", r);
    if (!isfinite(value[i]))
      return instance_refuse(c, "the variable %zu is set to %g, which is no number", r, value[i]);
    if (state && c->base.phase > INITIALISING)
      return instance_refuse(c, "the variable %zu is a state, which can be set until the initialisation ends", r);
    if (input) c->base.input[r - 1] = value[i];
    else c->x[r - states] = value[i];
  }
  return STATUS_OK;
}

// ---- steps ----

Status instance_step(Instance *c, double time, double step, bool events, AfterStep after, void *data,
                     Reached *reached) {
  (void)events, (void)after, (void)data;
  Base *b = &c->base;
  *reached = (Reached){b->time, false};
  if (b->host.exchange)
    return instance_refuse(c, "this instance is for model exchange, where the host takes the steps");
  if (b->phase != STEPPING) return instance_refuse(c, "steps come after the initialisation");
  if (!(fabs(time - b->time) <= 1e-9 * fmax(fabs(b->time), fabs(step))))
    return instance_refuse(c, "a step from %.17g s cannot begin: the model is at %.17g s", time, b->time);
  if (!(step >= 0) || !isfinite(time + step)) return instance_refuse(c, "a step of %g s cannot be taken", step);
  b->failed = true;
  find_change(c);
  const char *wrong = step > 0 ? exponential_step(&c->exact, step, c->x, c->change, b->slope) : "";
  if (*wrong) return instance_refuse(c, "a step of %g s cannot be taken: %s", step, wrong);
  b->failed = false;
  b->time = reached->reached = time + step;
  for (size_t i = 0; i < c->m; i++) b->input[i] += b->slope[i] * step, b->slope[i] = 0;
  return STATUS_OK;
}

// ---- the state ----

Status instance_save(Instance *c, SavedState **state) {
  SavedState *s = saved_prepare(c, state);
  if (!s) return instance_refuse(c, "out of memory");
  s->phase = c->base.phase, s->time = c->base.time, s->failed = c->base.failed, s->flag = c->continuous;
  double *value = s->value;
  copy_values(&value, c->x, c->n);
  copy_values(&value, c->base.input, c->m);
  copy_values(&value, c->base.slope, c->m);
  return STATUS_OK;
}

Status instance_restore(Instance *c, const SavedState *s) {
  const double *value = s->value;
  take_values(&value, c->x, c->n);
  take_values(&value, c->base.input, c->m);
  take_values(&value, c->base.slope, c->m);
  c->base.phase = s->phase, c->base.time = s->time, c->base.failed = s->failed, c->continuous = s->flag;
  return STATUS_OK;
}
