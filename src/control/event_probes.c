// SPDX-License-Identifier: Apache-2.0
#include "control/event_probes.h"

#include "analyses/stepping/event_sensors.h"
#include "control/sensors.h"
#include "model/formula.h"

#include <string.h>

typedef struct {
  EventSensors sensors; // comes first
  Sensors *read;
  int count, *event; // that watch formulae of probes
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
  char why[200];
  PetscFunctionBegin;
  *good =
      bytes && container_check(&from, why, sizeof why) && sensors_restore(((EventProbes *)s)->read, "watched", &from);
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

PetscErrorCode EventProbesAttach(const Input *in, LimberRun run, const CheckpointContainer *from, char *wrong,
                                 size_t size) {
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
  if (!good) snprintf(wrong, size, "the state of its events does not fit the model");
  PetscFunctionReturn(0);
}
