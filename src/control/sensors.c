// SPDX-License-Identifier: Apache-2.0
#include "control/sensors.h"

#include "analyses/stepping/stepper.h"
#include "model/formula.h"
#include "quantities/ledger.h"

#include <string.h>

// ---- names ----

static const double *find_function(Sensors *s, const char *name) {
  int id = limber_model_find_function(s->in->model, name).index;
  if (id == LIMBER_NONE) return NULL;
  for (int i = 0; i < s->functions; i++)
    if (s->function[i] == id) return &s->function_value[i];
  s->function[s->functions] = id;
  return &s->function_value[s->functions++];
}

const double *sensors_find(Sensors *s, const char *name, bool *of_step) {
  if (!strcmp(name, "t") || !strcmp(name, "time")) return &s->time;
  int at = probes_find(s->in->model, s->file.probes, s->file.probe, name);
  if (at >= 0 && of_step) *of_step = *of_step || probes_of_step(s->probes, at);
  if (at >= 0) return &s->row[at];
  const double *function = find_function(s, name);
  if (function) return function;
  for (int i = 0; i < s->in->constants; i++)
    if (!strcmp(s->in->constant[i].name, name)) return &s->in->constant[i].value;
  return ledger_value(&s->run->stepper->ledger, name);
}

// Which probes a formula names. The formula is made once more when the row of these is there.
typedef struct {
  const Input *in;
  bool *named, formula;
} Wanted;

static const double *want_value(void *owner, const char *name) {
  static const double one = 1;
  Wanted *w = owner;
  for (int k = 0; k < w->in->probes; k++)
    if (probes_find(w->in->model, 1, &w->in->probe[k], name) >= 0) {
      w->named[k] = true;
      w->formula = w->formula || w->in->probe[k].kind == PROBE_FORMULA;
      break;
    }
  return &one;
}

// ---- readings ----

PetscErrorCode SensorsRead(Sensors *s, bool stands) {
  PetscFunctionBegin;
  s->time = limber_run_time(s->run);
  if (s->file.probes && stands) PetscCall(ProbesSample(s->probes, s->run, s->row));
  else if (s->file.probes) PetscCall(ProbesPeek(s->probes, s->run, s->row));
  for (int i = 0; i < s->functions; i++) s->function_value[i] = model_amplitude(s->in->model, s->function[i], s->time);
  PetscFunctionReturn(0);
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
  char why[200];
  size_t size;
  const void *bytes = container_find(from, name, 0, &size);
  CheckpointContainer all = {.data = (unsigned char *)bytes, .size = size};
  return bytes && container_check(&all, why, sizeof why) && probes_restore(s->probes, &all);
}

// ---- creating ----

// Sensors are the probes that formulae name; a formula of probes may need any of them.
static PetscErrorCode ChooseProbes(Sensors *s, int count, const char *const *formula) {
  Wanted w = {.in = s->in};
  FormulaMistake mistake;
  Formula *f = NULL;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(s->in->probes, &w.named));
  for (int i = 0; i < count; i++) {
    PetscCall(FormulaCreate(formula[i], want_value, &w, &f, &mistake));
    formula_destroy(&f);
  }
  s->file = *s->in, s->file.probes = 0;
  PetscCall(PetscMalloc1(s->in->probes, &s->file.probe));
  for (int k = 0; k < s->in->probes; k++) {
    if (!w.named[k] && !w.formula) continue;
    Probe *p = &s->file.probe[s->file.probes++];
    *p = s->in->probe[k];
    if (p->kind != PROBE_STRESS) p->extreme = NULL;
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
  PetscCall(PetscCalloc1(probes_width(s->probes), &s->row));
  PetscCall(PetscMalloc2(functions, &s->function, functions, &s->function_value));
  PetscFunctionReturn(0);
}

PetscErrorCode SensorsDestroy(Sensors **sensors) {
  Sensors *s = *sensors;
  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(0);
  if (s->probes) PetscCall(ProbesDestroy(&s->probes));
  PetscCall(PetscFree(s->file.probe));
  PetscCall(PetscFree(s->row));
  PetscCall(PetscFree2(s->function, s->function_value));
  PetscCall(PetscFree(*sensors));
  PetscFunctionReturn(0);
}
