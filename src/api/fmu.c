// SPDX-License-Identifier: Apache-2.0
// The public interface to FMUs of other programs.
#include "base/cookie.h"
#include "fmu/load.h"
#include "input/yaml/source.h"
#include "limber/limber.h"

#include <math.h>
#include <string.h>

struct LimberFmuData {
  Store store;
  FmuDescription description;
  SourceText file;
  FmuUse use;
  bool allowed, started;
  int *channel;     // of each variable: which input it is, or -1
  bool *given;      // of each variable: it is among the parameters
  double *in, time; // of all inputs; s
  Fmu *fmu;         // once it is started
  char name[200];   // of the file
};

typedef struct { // before the bytes of a saved state
  uint64_t size, inputs;
  double time;
} StateHead;

static bool is_number(const FmuVariable *v) { return v->type < FMU_STRING && !v->array; }

static bool is_settable(const FmuVariable *v) {
  if (!is_number(v) || v->constant || v->causality == FMU_CALCULATED || v->causality == FMU_INDEPENDENT) return false;
  return v->causality == FMU_INPUT || v->causality == FMU_PARAMETER || v->exact;
}

LimberFmuOptions limber_fmu_options_default(void) { return (LimberFmuOptions){.cookie = OPTIONS_COOKIE}; }

static Error ChooseInterface(LimberFmu f, const LimberFmuOptions *o) {
  const FmuDescription *d = &f->description;
  bool exchange = o->interface == LIMBER_FMU_MODEL_EXCHANGE ||
                  (o->interface == LIMBER_FMU_ANY && !d->step.identifier && d->exchange.identifier);
  f->use.interface = exchange ? &d->exchange : &d->step;
  f->use.tolerance = o->tolerance;
  ENSURE(f->use.interface->identifier, ERROR_ARGUMENT, "'%s' is not made for %s", f->name,
         exchange ? "model exchange" : "co-simulation");
  ENSURE(!f->use.interface->needs_tool, ERROR_ARGUMENT, "'%s' needs the tool that made it, which Limber does not start",
         f->name);
  return 0;
}

// All inputs are those of the FMU; start values that are set become parameters.
static Error ListChannels(LimberFmu f) {
  const FmuDescription *d = &f->description;
  FmuUse *u = &f->use;
  size_t n = (size_t)d->variables + 1;
  TRY(StoreAllocate(&f->store, n * sizeof *f->channel, &f->channel));
  TRY(StoreAllocate(&f->store, n * sizeof *f->given, &f->given));
  TRY(StoreAllocate(&f->store, n * sizeof *f->in, &f->in));
  TRY(StoreAllocate(&f->store, n * sizeof *u->input, &u->input));
  TRY(StoreAllocate(&f->store, n * sizeof *u->parameter, &u->parameter));
  for (int i = 0; i < d->variables; i++) {
    const FmuVariable *v = &d->variable[i];
    f->channel[i] = -1, f->given[i] = false;
    if (v->causality != FMU_INPUT || !is_settable(v)) continue;
    f->channel[i] = u->inputs;
    f->in[u->inputs] = isfinite(v->start) ? v->start : 0;
    u->input[u->inputs++] = (FmuChannel){.variable = v, .factor = 1};
  }
  return 0;
}

static Error OpenFmu(const char *path, const LimberFmuOptions *o, LimberFmu f) {
  Refusal wrong;
  size_t length;
  snprintf(f->name, sizeof f->name, "%s", path);
  TRY(SourceRead(path, &source_rule_model, &f->file));
  ENSURE(f->file.text, ERROR_ARGUMENT, "cannot read '%s': %s", path, source_error(f->file.error));
  TRY(FmuDescriptionUnpack(&f->store, f->file.text, f->file.length, &f->description, &length, &wrong));
  ENSURE(!is_refused(&wrong), ERROR_ARGUMENT, "cannot use '%s': %s", path, wrong.text);
  f->use = (FmuUse){.file = f->name, .bytes = f->file.text, .size = f->file.length, .description = &f->description};
  TRY(ChooseInterface(f, o));
  return ListChannels(f);
}

int LimberFmuOpen(const char *path, const LimberFmuOptions *options, LimberFmu *fmu) {
  const LimberFmuOptions o = options ? *options : limber_fmu_options_default();
  LimberFmu f;
  ENSURE(path && fmu, ERROR_ARGUMENT, "LimberFmuOpen is given NULL for %s", path ? "fmu" : "path");
  *fmu = NULL;
  ENSURE(o.cookie == OPTIONS_COOKIE, ERROR_ARGUMENT,
         "LimberFmuOpen is given options that limber_fmu_options_default did not make");
  ENSURE((unsigned)o.interface <= LIMBER_FMU_MODEL_EXCHANGE, ERROR_ARGUMENT, "there is no interface %d", o.interface);
  ENSURE(o.tolerance >= 0 && o.tolerance < 1, ERROR_ARGUMENT, "the tolerance is between 0 and 1, not %g", o.tolerance);
  TRY(MemoryNew(sizeof *f, &f));
  f->time = NAN, f->allowed = o.allow_library;
  Error error = OpenFmu(path, &o, f);
  if (error) LimberFmuClose(&f);
  *fmu = f;
  return error;
}

int LimberFmuClose(LimberFmu *fmu) {
  if (!fmu || !*fmu) return 0;
  fmu_close(&(*fmu)->fmu);
  memory_free(&(*fmu)->file.text);
  Error error = StoreDestroy(&(*fmu)->store);
  memory_free(fmu);
  return error;
}

int LimberFmuGetDescription(LimberFmu f, LimberFmuDescription *out) {
  ENSURE(f && out, ERROR_ARGUMENT, "LimberFmuGetDescription is given NULL");
  const FmuDescription *d = &f->description;
  *out = (LimberFmuDescription){.name = d->name ? d->name : "",
                                .version = d->version,
                                .co_simulation = d->step.identifier,
                                .model_exchange = d->exchange.identifier,
                                .interface = f->use.interface == &d->exchange ? LIMBER_FMU_MODEL_EXCHANGE
                                                                              : LIMBER_FMU_CO_SIMULATION,
                                .can_save = f->use.interface->can_save && f->use.interface->can_serialize,
                                .variable_step = f->use.interface->variable_step,
                                .variables = d->variables,
                                .start = d->start,
                                .stop = d->stop,
                                .step = d->length,
                                .tolerance = d->tolerance};
  return 0;
}

int LimberFmuGetVariable(LimberFmu f, int i, LimberFmuVariable *out) {
  ENSURE(f && out, ERROR_ARGUMENT, "LimberFmuGetVariable is given NULL");
  ENSURE(i >= 0 && i < f->description.variables, ERROR_ARGUMENT, "there is no variable %d", i);
  const FmuVariable *v = &f->description.variable[i];
  *out = (LimberFmuVariable){.name = v->name,
                             .unit = v->unit_name ? v->unit_name : "",
                             .type = fmu_type_name(v->type),
                             .causality = (int)v->causality,
                             .number = is_number(v),
                             .settable = is_settable(v),
                             .start = v->start};
  return 0;
}

int limber_fmu_find(LimberFmu f, const char *name) {
  const FmuVariable *v = f && name ? fmu_variable(&f->description, name) : NULL;
  return v ? (int)(v - f->description.variable) : LIMBER_NONE;
}

// ---- running ----

int LimberFmuStart(LimberFmu f, double time) {
  Refusal wrong;
  ENSURE(f, ERROR_ARGUMENT, "LimberFmuStart is given NULL");
  ENSURE(isfinite(time), ERROR_ARGUMENT, "the start is no finite number");
  ENSURE(!f->fmu, LIMBER_ERROR_WRONG_STATE, "'%s' was started before: open it again", f->name);
  ENSURE(f->allowed, LIMBER_ERROR_WRONG_STATE,
         "'%s' needs allow_library of its options, in Python allow_library=True: it runs with your permissions",
         f->name);
  TRY(FmuOpen(&f->use, f->description.name ? f->description.name : "fmu", &f->fmu, &wrong));
  bool good = !is_refused(&wrong);
  if (good && !fmu_start(f->fmu, time, f->in)) good = false, refuse(&wrong, "%s", fmu_message(f->fmu));
  ENSURE(good, ERROR_LIBRARY, "'%s': %s", f->name, wrong.text);
  f->started = true, f->time = time;
  return 0;
}

#define CHECK_STARTED(f, function) \
  ENSURE(f, ERROR_ARGUMENT, function " is given NULL"); \
  ENSURE((f)->started, LIMBER_ERROR_WRONG_STATE, "'%s' was not started", (f)->name)
#define CHECK_WENT(f, call) ENSURE(call, ERROR_LIBRARY, "'%s': %s", (f)->name, fmu_message((f)->fmu))

static void set_start(LimberFmu f, int i, double value) {
  FmuUse *u = &f->use;
  const FmuVariable *v = &f->description.variable[i];
  if (!f->given[i]) u->parameter[u->parameters++] = (FmuChannel){.variable = v, .factor = 1};
  f->given[i] = true;
  for (int k = 0; k < u->parameters; k++)
    if (u->parameter[k].variable == v) u->parameter[k].value = value;
}

int LimberFmuSet(LimberFmu f, int i, double value) {
  ENSURE(f, ERROR_ARGUMENT, "LimberFmuSet is given NULL");
  ENSURE(i >= 0 && i < f->description.variables, ERROR_ARGUMENT, "there is no variable %d", i);
  ENSURE(isfinite(value), ERROR_ARGUMENT, "'%s' is set to no finite number", f->description.variable[i].name);
  ENSURE(is_settable(&f->description.variable[i]), ERROR_ARGUMENT, "'%s' cannot be set",
         f->description.variable[i].name);
  if (f->channel[i] < 0) {
    ENSURE(!f->fmu, LIMBER_ERROR_WRONG_STATE, "'%s' can be set before the start only", f->description.variable[i].name);
    return set_start(f, i, value), 0;
  }
  f->in[f->channel[i]] = value;
  if (f->started) CHECK_WENT(f, fmu_hold(f->fmu, f->in));
  return 0;
}

int LimberFmuGet(LimberFmu f, int i, double *value) {
  CHECK_STARTED(f, "LimberFmuGet");
  ENSURE(value, ERROR_ARGUMENT, "LimberFmuGet is given NULL");
  ENSURE(i >= 0 && i < f->description.variables, ERROR_ARGUMENT, "there is no variable %d", i);
  ENSURE(is_number(&f->description.variable[i]), ERROR_ARGUMENT, "'%s' is not a single number",
         f->description.variable[i].name);
  CHECK_WENT(f, fmu_get_number(f->fmu, &f->description.variable[i], value));
  return 0;
}

int LimberFmuStep(LimberFmu f, double step) {
  CHECK_STARTED(f, "LimberFmuStep");
  ENSURE(step > 0 && isfinite(f->time + step) && f->time + step > f->time, ERROR_ARGUMENT, "a step of %g s", step);
  CHECK_WENT(f, fmu_step(f->fmu, f->time, step, f->in));
  f->time += step;
  return 0;
}

double limber_fmu_time(LimberFmu f) { return f ? f->time : NAN; }

// ---- its state ----

int LimberFmuSave(LimberFmu f, void **state, size_t *size) {
  unsigned char *bytes = NULL, *to = NULL;
  size_t own = 0, inputs;
  bool good = false;
  CHECK_STARTED(f, "LimberFmuSave");
  ENSURE(state && size, ERROR_ARGUMENT, "LimberFmuSave is given NULL");
  memory_free(state);
  *size = 0, inputs = (size_t)f->use.inputs * sizeof(double);
  CHECK_WENT(f, fmu_can_save(f->fmu));
  TRY(FmuSave(f->fmu, &bytes, &own, &good));
  StateHead head = {own, (uint64_t)f->use.inputs, f->time};
  Error error = good ? MemoryNew(sizeof head + inputs + own, &to) : 0;
  if (good && !error) {
    memcpy(to, &head, sizeof head);
    if (inputs) memcpy(to + sizeof head, f->in, inputs);
    memcpy(to + sizeof head + inputs, bytes, own);
    *state = to, *size = sizeof head + inputs + own;
  }
  memory_free(&bytes);
  TRY(error);
  CHECK_WENT(f, good);
  return 0;
}

int LimberFmuRestore(LimberFmu f, const void *state, size_t size) {
  StateHead head = {0};
  CHECK_STARTED(f, "LimberFmuRestore");
  ENSURE(state, ERROR_ARGUMENT, "LimberFmuRestore is given NULL");
  const unsigned char *from = state;
  size_t inputs = (size_t)f->use.inputs * sizeof(double);
  if (size >= sizeof head) memcpy(&head, from, sizeof head);
  ENSURE(size >= sizeof head && head.inputs == (uint64_t)f->use.inputs && size - sizeof head >= inputs &&
             head.size == size - sizeof head - inputs && head.size > 0 && isfinite(head.time),
         ERROR_ARGUMENT, "%zu bytes are no state of '%s'", size, f->name);
  CHECK_WENT(f, fmu_restore(f->fmu, from + sizeof head + inputs, head.size));
  if (inputs) memcpy(f->in, from + sizeof head, inputs);
  f->time = head.time;
  return 0;
}
