// SPDX-License-Identifier: Apache-2.0
// Events of a run. A step ends where the condition of an event is met, and the event is triggered between steps.
#ifndef LIMBER_ANALYSES_STEPPING_EVENTS_H
#define LIMBER_ANALYSES_STEPPING_EVENTS_H

#include "analyses/stepping/stepper.h"
#include "model/refusal.h"
#include "results/container/container.h"

typedef struct {            // an event that happened
  double time, event, loss; // s; its index in the model; J: energy it removed
} EventRecord;

typedef struct {   // state of one event; numbers only, so that it can be written to a checkpoint
  double happened; // how often
  double time;     // when it last happened
  double seen;     // of a delay: count of the other event when this one last happened
  double armed;    // 0 or 1: the value was clearly on the other side of the threshold
  double side;     // -1: the value comes from below, 1: from above
  double before;   // the value at the start of the step
  double mean;     // of a mean: over the last step ...
  double length;   // ... of this length; 0: there was none
} EventTrack;

typedef struct Events {
  int count;
  EventTrack *track;
  double *now;  // the value of each at the end of the step
  double *mean; // the sampled values
  double *end;  // of a mean that changes smoothly: its value at the end of the whole step; else NAN
  bool *due;    // it happens at the end of the step
  EventRecord *record;
  int records, room;
  double loss; // of all
} Events;

// Refuses options that forbid events; otherwise `wrong` is unchanged.
void events_check(Model m, const Stepper *p, Refusal *wrong);
// Sets p->events; NULL if the model has none.
PetscErrorCode EventsCreate(Stepper *p);
PetscErrorCode EventsDestroy(Stepper *p);
// Takes the initial values and triggers events at the start.
PetscErrorCode EventsStart(Stepper *p);

// Takes a step of length h from the saved state; `good`: it is accepted.
typedef PetscErrorCode (*StepAgain)(Stepper *p, double h, void *context, bool *good);

// The length of a step of length h from t, cut where an event of known time comes before its end.
double events_limit(const Stepper *p, double t, double h);
// After an accepted step of `length`: if a condition was met before its end, repeats the step so that it ends there.
// `length` is updated.
PetscErrorCode EventsFind(Stepper *p, double *length, StepAgain again, void *context);
// Triggers the events at the end of a step of length h. `conflict`: what contradicts them; without a name: nothing.
PetscErrorCode EventsThrow(Stepper *p, double h, LimberCause *conflict);
// Triggers those that happened in another run of a model alike, from its record `first` on, at the end of the same step.
PetscErrorCode EventsThrowAlike(Stepper *p, const Stepper *other, int first, LimberCause *conflict);
// Triggers one event. events_throw.c
PetscErrorCode EventThrow(Stepper *p, int event, LimberCause *conflict);
// The time of an event that does not depend on a value, infinity: not known yet; and how accurate it is.
double event_due_time(const Stepper *p, int event);
double event_due_tolerance(const Stepper *p);
// Whether its value is the mean over a step; how far its value is from the threshold, at the state.
bool event_is_mean(const Stepper *p, int event);
PetscErrorCode EventFindExcess(Stepper *p, int event, double *excess);
// Updates loops and factors after switches changed. events_throw.c
PetscErrorCode SwitchesApply(Stepper *p, LimberCause *conflict);

// The state of all events as numbers for a checkpoint: count, save, restore. Restoring also restores joints and loads.
size_t events_size(const Stepper *p);
void events_save(const Stepper *p, double *image);
PetscErrorCode EventsRestore(Stepper *p, size_t count, const double *image, bool *good);

// Values of events that watch formulae of probes. Probes belong to the model file; the stepper knows only these
// functions.

typedef struct EventSensors EventSensors;
struct EventSensors {
  // Evaluates the values at the present state, indexed by event; other entries are left alone. `stands`: the step was
  // accepted; otherwise it is an attempt. Collective, like all functions here.
  PetscErrorCode (*read)(EventSensors *s, bool stands, double *value);
  PetscErrorCode (*save)(const EventSensors *s, CheckpointContainer *container); // as in between.h
  PetscErrorCode (*restore)(EventSensors *s, const void *bytes, size_t size, bool *good);
  PetscErrorCode (*destroy)(EventSensors **s);
  bool *mean;   // for each event: its value belongs to a step, not to a state
  bool *signal; // for each event: it uses signals, which jump between steps
};

// Takes the initial values of events that watch probes, once the stepper has its sensors.
PetscErrorCode EventsStartSensors(Stepper *p);
// Triggers the events that signals reached by a jump. `conflict`: what contradicts them; without a name: nothing.
PetscErrorCode EventsSeeSignals(Stepper *p, LimberCause *conflict);

#endif
