// SPDX-License-Identifier: Apache-2.0
// Events of a run: found where their conditions are met within a step, which then ends there, and thrown between steps.
#ifndef LIMBER_ANALYSES_STEPPING_EVENTS_H
#define LIMBER_ANALYSES_STEPPING_EVENTS_H

#include "analyses/stepping/stepper.h"
#include "model/refusal.h"
#include "results/container/container.h"

typedef struct {            // one that happened
  double time, event, loss; // s; its number in the model; J: energy that it took
} EventRecord;

typedef struct {   // of one event; numbers only, so that they go to a checkpoint as they are
  double happened; // how often
  double time;     // when it did last
  double seen;     // of a delay: how often the other event had happened when it was last counted
  double armed;    // 0 or 1: the value was on the side from which it may come
  double side;     // -1: the value comes from below, 1: from above
  double before;   // the value at the start of the step
  double mean;     // of a mean: over the last step ...
  double length;   // ... of this length; 0: there was none
} EventTrack;

typedef struct Events {
  int count;
  EventTrack *track;
  double *now;  // the value of each at the end of the step
  double *mean; // as it was sampled
  double *end;  // of a mean that goes on smoothly: its value at the end of the whole step; else NAN
  bool *due;    // it happens at the end of the step
  EventRecord *record;
  int records, room;
  double loss; // of all
} Events;

// What forbids events; `wrong` stays as it is where nothing does.
void events_check(Model m, const Stepper *p, Refusal *wrong);
// p->events, or NULL where the model has none.
PetscErrorCode EventsCreate(Stepper *p);
PetscErrorCode EventsDestroy(Stepper *p);
// The values that are watched as the run starts, and events at that time.
PetscErrorCode EventsStart(Stepper *p);

// Takes a step of length h from the state that was saved; `good`: it may stand.
typedef PetscErrorCode (*StepAgain)(Stepper *p, double h, void *context, bool *good);

// The length of a step of length h from t on, or less where an event of known time comes before its end.
double events_limit(const Stepper *p, double t, double h);
// After a step of `length`, which may stand. Where a condition was met before its end the step is taken again, shorter,
// so that it ends there. Then `length` is its own.
PetscErrorCode EventsFind(Stepper *p, double *length, StepAgain again, void *context);
// Throws what happens at the end of a step of length h, at the time of the state. `conflict`: what contradicts it;
// without a name, nothing.
PetscErrorCode EventsThrow(Stepper *p, double h, LimberCause *conflict);
// Throws one. events_throw.c
PetscErrorCode EventThrow(Stepper *p, int event, LimberCause *conflict);
// Loops, factors and memory after switches changed. events_throw.c
PetscErrorCode SwitchesApply(Stepper *p, LimberCause *conflict);

// All of it as numbers, for a checkpoint: how many, and they. Restoring brings joints and loads to what they were.
size_t events_size(const Stepper *p);
void events_save(const Stepper *p, double *image);
PetscErrorCode EventsRestore(Stepper *p, size_t count, const double *image, bool *good);

// Values of events that watch formulae of probes. Probes belong to the file of a run; the stepper knows no more of them
// than these functions.

typedef struct EventSensors EventSensors;
struct EventSensors {
  // The values at the present state, by the numbers of their events; those of others are left alone. `stands`: the step
  // that led there does; else it is an attempt. Collective, as all here.
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
