// SPDX-License-Identifier: Apache-2.0
// Evaluates what formulae of control blocks and events refer to (sensors.h).
#include "control/sensors.h"

#include "analyses/stepping/events.h"
#include "analyses/stepping/stepper.h"
#include "model/formula.h"
#include "model/refusal.h"
#include "quantities/ledger.h"

#include <string.h>

enum { LEDGER_NUMBERS = sizeof(LimberLedger) / sizeof(double) };

// ---- names ----

static const double *find_function(Sensors *s, const char *name) {
  int id = limber_model_find_function(s->in->model, name).index;
  if (id == LIMBER_NONE) return NULL;
  for (int i = 0; i < s->functions; i++)
    if (s->function[i] == id) return &s->function_value[i];
  s->function[s->functions] = id;
  return &s->function_value[s->functions++];
}

// Whoever uses the formula of a probe uses the columns that this reads.
static void note_column(Sensors *s, int column) {
  int width = probes_width(s->probes);
  s->used[column] = true;
  if (!probes_is_formula(s->probes, column)) return;
  s->formulas = true;
  for (int i = 0; i < width; i++) s->used[i] = s->used[i] || probes_reads(s->probes, column, i);
  for (int i = 0; i < LEDGER_NUMBERS; i++)
    s->used[width + i] = s->used[width + i] || probes_reads_ledger(s->probes, column, (size_t)i);
  for (int f = 0; f < s->in->model->functions.count; f++)
    s->signals = s->signals || probes_reads_function(s->probes, column, f);
}

const double *sensors_find(Sensors *s, const char *name, bool *of_step) {
  if (!strcmp(name, "t") || !strcmp(name, "time")) return &s->time;
  int at = probes_find(s->in->model, s->file.probes, s->file.probe, name);
  if (at >= 0 && of_step) *of_step = *of_step || probes_of_step(s->probes, at);
  if (at >= 0) note_column(s, at);
  if (at >= 0) return &s->row[at];
  const double *function = find_function(s, name);
  if (function) return function;
  for (int i = 0; i < s->in->constants; i++)
    if (!strcmp(s->in->constant[i].name, name)) return &s->in->constant[i].value;
  const double *ledger = ledger_value(&s->run->stepper->ledger, name);
  if (ledger) s->used[probes_width(s->probes) + (ledger - (const double *)&s->run->stepper->ledger)] = true;
  return ledger;
}

// Collects the probes that a formula uses. The formula is created again once their row exists.
typedef struct {
  const Input *in;
  bool *named;
  bool formula; // a formula was named that was not before
} Wanted;

static const double *want_value(void *owner, const char *name) {
  static const double one = 1;
  Wanted *w = owner;
  for (int k = 0; k < w->in->probes; k++)
    if (probes_find(w->in->model, 1, &w->in->probe[k], name) >= 0) {
      w->formula = w->formula || (!w->named[k] && w->in->probe[k].kind == PROBE_FORMULA);
      w->named[k] = true;
      break;
    }
  return &one;
}

// ---- readings ----

static void read_functions(Sensors *s) {
  s->time = limber_run_time(s->run);
  for (int i = 0; i < s->functions; i++) s->function_value[i] = model_amplitude(s->in->model, s->function[i], s->time);
}

PetscErrorCode SensorsRead(Sensors *s, bool stands) {
  PetscFunctionBegin;
  if (s->file.probes && stands) PetscCall(ProbesSample(s->probes, s->run, s->row));
  else if (s->file.probes) PetscCall(ProbesPeek(s->probes, s->run, s->row));
  read_functions(s);
  PetscFunctionReturn(0);
}

size_t sensors_readings(const Sensors *s) { return (size_t)probes_width(s->probes) + LEDGER_NUMBERS; }

PetscErrorCode SensorsPeek(Sensors *s, double *out) {
  int width = probes_width(s->probes);
  const double *ledger = (const double *)&s->run->stepper->ledger;
  PetscFunctionBegin;
  if (s->file.probes) PetscCall(ProbesPeek(s->probes, s->run, out));
  for (int i = 0; i < width; i++) out[i] = s->used[i] ? out[i] : 0;
  for (int i = 0; i < LEDGER_NUMBERS; i++) out[width + i] = s->used[width + i] ? ledger[i] : 0;
  PetscFunctionReturn(0);
}

void sensors_take(Sensors *s, const double *readings) {
  int width = probes_width(s->probes);
  double *ledger = (double *)&s->run->stepper->ledger;
  for (int i = 0; i < width; i++) s->row[i] = readings[i];
  for (int i = 0; i < LEDGER_NUMBERS; i++)
    if (s->used[width + i]) ledger[i] = readings[width + i];
  read_functions(s);
}

bool sensors_of_several(const Sensors *s, size_t reading) {
  return reading < (size_t)probes_width(s->probes) && s->used[reading] && s->of_several[reading];
}

const char *sensors_name(Sensors *s, size_t reading, bool *of_several) {
  bool column = reading < (size_t)probes_width(s->probes);
  *of_several = column && s->used[reading] && (s->of_several[reading] || probes_searches(s->probes, (int)reading));
  return column ? s->name[reading].name : "ledger";
}

PetscErrorCode SensorsSave(const Sensors *s, const char *name, CheckpointContainer *container) {
  CheckpointContainer all = {0};
  PetscFunctionBegin;
  PetscCall(ProbesSave(s->probes, &all));
  PetscCall(ContainerEnd(&all));
  PetscCall(ContainerPut(container, name, 0, all.data, all.size));
  memory_free(&all.data);
  PetscFunctionReturn(0);
}

bool sensors_restore(Sensors *s, const char *name, const CheckpointContainer *from) {
  Refusal why;
  size_t size;
  const void *bytes = container_find(from, name, 0, &size);
  CheckpointContainer all = {.data = (unsigned char *)bytes, .size = size};
  return bytes && container_check(&all, &why) && probes_restore(s->probes, &all);
}

// ---- creating ----

static PetscErrorCode WantFormula(Wanted *w, const char *text) {
  FormulaMistake mistake;
  Formula *f = NULL;
  PetscFunctionBegin;
  PetscCall(FormulaCreate(text, want_value, w, &f, &mistake));
  formula_destroy(&f);
  PetscFunctionReturn(0);
}

// Sensors are the probes that formulae use, and those that the formulae among these use.
static PetscErrorCode ChooseProbes(Sensors *s, int count, const char *const *formula) {
  Wanted w = {.in = s->in};
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(s->in->probes, &w.named));
  for (int i = 0; i < count; i++) PetscCall(WantFormula(&w, formula[i]));
  while (w.formula) {
    w.formula = false;
    for (int k = 0; k < s->in->probes; k++)
      if (w.named[k] && s->in->probe[k].kind == PROBE_FORMULA) PetscCall(WantFormula(&w, s->in->probe[k].formula));
  }
  s->file = *s->in, s->file.probes = 0;
  PetscCall(PetscMalloc1(s->in->probes, &s->file.probe));
  for (int k = 0; k < s->in->probes; k++) {
    if (!w.named[k]) continue;
    Probe *p = &s->file.probe[s->file.probes++];
    *p = s->in->probe[k];
    if (p->kind != PROBE_STRESS && p->kind != PROBE_MESH_STRESS) p->extreme = NULL;
  }
  PetscCall(PetscFree(w.named));
  PetscFunctionReturn(0);
}

PetscErrorCode SensorsCreate(const Input *in, LimberRun run, int count, const char *const *formula, Sensors **out) {
  Sensors *s;
  ptrdiff_t functions = in->model->functions.count;
  PetscFunctionBegin;
  PetscCall(PetscNew(&s));
  *out = s;
  s->in = in, s->run = run;
  PetscCall(ChooseProbes(s, count, formula));
  PetscCall(ProbesCreate(&s->file, &s->probes));
  size_t width = (size_t)probes_width(s->probes);
  PetscCall(PetscCalloc4(width, &s->row, sensors_readings(s), &s->used, width, &s->name, width, &s->of_several));
  probes_name_columns(&s->file, s->name, s->of_several);
  PetscCall(PetscMalloc2(functions, &s->function, functions, &s->function_value));
  PetscFunctionReturn(0);
}

PetscErrorCode SensorsDestroy(Sensors **sensors) {
  Sensors *s = *sensors;
  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(0);
  if (s->probes) PetscCall(ProbesDestroy(&s->probes));
  PetscCall(PetscFree(s->file.probe));
  PetscCall(PetscFree4(s->row, s->used, s->name, s->of_several));
  PetscCall(PetscFree2(s->function, s->function_value));
  PetscCall(PetscFree(*sensors));
  PetscFunctionReturn(0);
}

typedef struct {
  EventSensors sensors; // comes first
  Sensors *read;
  int count, *event; // events that watch formulae of probes
  Formula **formula;
  int creating;
} EventProbes;

static const double *find_value(void *owner, const char *name) {
  EventProbes *e = owner;
  const Input *in = e->read->in;
  bool is_time = !strcmp(name, "t") || !strcmp(name, "time");
  const double *signal = in->network.signals && !is_time ? model_signal_value(in->model, name) : NULL;
  if (!signal) return sensors_find(e->read, name, &e->sensors.mean[e->creating]);
  e->sensors.signal[e->creating] = true;
  return signal;
}

static PetscErrorCode ReadEventProbes(EventSensors *s, bool stands, double *value) {
  EventProbes *e = (EventProbes *)s;
  PetscFunctionBegin;
  PetscCall(SensorsRead(e->read, stands));
  for (int i = 0; i < e->count; i++) value[e->event[i]] = formula_value(e->formula[i]);
  PetscFunctionReturn(0);
}

static PetscErrorCode SaveEventProbes(const EventSensors *s, CheckpointContainer *container) {
  PetscFunctionBegin;
  PetscCall(SensorsSave(((const EventProbes *)s)->read, "watched", container));
  PetscFunctionReturn(0);
}

static PetscErrorCode RestoreEventProbes(EventSensors *s, const void *bytes, size_t size, bool *good) {
  const CheckpointContainer from = {.data = (unsigned char *)bytes, .size = size};
  Refusal why;
  PetscFunctionBegin;
  *good = bytes && container_check(&from, &why) && sensors_restore(((EventProbes *)s)->read, "watched", &from);
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroyEventProbes(EventSensors **sensors) {
  EventProbes *e = (EventProbes *)*sensors;
  PetscFunctionBegin;
  for (int i = 0; i < e->count; i++) formula_destroy(&e->formula[i]);
  PetscCall(SensorsDestroy(&e->read));
  PetscCall(PetscFree2(e->event, e->formula));
  PetscCall(PetscFree2(e->sensors.mean, e->sensors.signal));
  PetscCall(PetscFree(e));
  *sensors = NULL;
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateFormulae(EventProbes *e, const Input *in, LimberRun run) {
  int events = (int)in->model->events.count;
  const char **text;
  FormulaMistake mistake;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(events, &e->sensors.mean, events, &e->sensors.signal));
  PetscCall(PetscCalloc2(e->count, &e->event, e->count, &e->formula));
  PetscCall(PetscMalloc1(e->count, &text));
  for (int i = 0, n = 0; i < events; i++) {
    const EventCondition *c = &model_event(in->model, i)->condition;
    if (c->watch == WATCH_PROBE) e->event[n] = i, text[n++] = c->formula;
  }
  PetscCall(SensorsCreate(in, run, e->count, text, &e->read));
  for (int i = 0; i < e->count; i++) {
    e->creating = e->event[i];
    PetscCall(FormulaCreate(text[i], find_value, e, &e->formula[i], &mistake));
    PetscCheck(e->formula[i], PETSC_COMM_SELF, PETSC_ERR_PLIB, "formula '%s': %s", text[i], mistake.text);
  }
  PetscCall(PetscFree(text));
  PetscFunctionReturn(0);
}

PetscErrorCode EventProbesAttach(const Input *in, LimberRun run, const CheckpointContainer *from, Refusal *wrong) {
  EventProbes *e;
  int count = 0;
  size_t length;
  bool good;
  PetscFunctionBegin;
  for (ptrdiff_t i = 0; i < in->model->events.count; i++)
    count += model_event(in->model, i)->condition.watch == WATCH_PROBE;
  if (!count || !run->stepper->events) PetscFunctionReturn(0);
  PetscCall(PetscNew(&e));
  e->count = count;
  e->sensors.read = ReadEventProbes, e->sensors.destroy = DestroyEventProbes;
  e->sensors.save = SaveEventProbes, e->sensors.restore = RestoreEventProbes;
  PetscCall(CreateFormulae(e, in, run));
  run->stepper->sensors = &e->sensors;
  if (!from) {
    PetscCall(EventsStartSensors(run->stepper));
    PetscFunctionReturn(0);
  }
  const void *bytes = container_find(from, "sensors", 0, &length);
  PetscCall(RestoreEventProbes(&e->sensors, bytes, length, &good));
  if (!good) refuse(wrong, "the state of its events does not fit the model");
  PetscFunctionReturn(0);
}
