// SPDX-License-Identifier: Apache-2.0
// Values of events that watch formulae of probes. Probes belong to the file of a run; the stepper knows no more of them than these
// functions.
#ifndef LIMBER_ANALYSES_STEPPING_EVENT_SENSORS_H
#define LIMBER_ANALYSES_STEPPING_EVENT_SENSORS_H

#include "analyses/stepping/events.h"
#include "results/container/container.h"

typedef struct EventSensors EventSensors;
struct EventSensors {
  // The values at the present state, by the numbers of their events; those of others are left alone. `stands`: the step that led
  // there does; else it is an attempt. Collective, as all here.
  PetscErrorCode (*read)(EventSensors *s, bool stands, double *value);
  PetscErrorCode (*save)(const EventSensors *s, CheckpointContainer *container); // as between.h has them
  PetscErrorCode (*restore)(EventSensors *s, const void *bytes, size_t size, bool *good);
  PetscErrorCode (*destroy)(EventSensors **s);
  bool *mean;   // each event: its value is of a step, not of a state
  bool *signal; // it names signals, which jump between steps
};

// Takes the values from which events of probes start, once the stepper has its sensors.
PetscErrorCode EventsStartSensors(Stepper *p);
// After signals jumped: throws what they reach. `conflict`: what contradicts it; without a name, nothing.
PetscErrorCode EventsSeeSignals(Stepper *p, LimberCause *conflict);

#endif
