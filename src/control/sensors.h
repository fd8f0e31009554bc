// SPDX-License-Identifier: Apache-2.0
// What formulae of a run may name: columns of probes, functions, parameters, the time, the ledger; and the probes that
// events watch.
#ifndef LIMBER_CONTROL_SENSORS_H
#define LIMBER_CONTROL_SENSORS_H

#include "input/input.h"
#include "model/refusal.h"
#include "results/container/container.h"
#include "results/write/probes.h"

#include <petscsys.h>

typedef struct {
  const Input *in;
  LimberRun run;
  Input file; // the same with the probes that formulae name
  Probes *probes;
  double *row, time;
  int *function; // that formulae name, and their values now
  double *function_value;
  int functions;
} Sensors;

PetscErrorCode SensorsCreate(const Input *in, LimberRun run, int count, const char *const *formula, Sensors **out);
PetscErrorCode SensorsDestroy(Sensors **sensors);

// Where the value of a name stands after each reading; NULL: it is none of a sensor. `of_step`, or NULL, is set where
// it is that of a step, and not of a state.
const double *sensors_find(Sensors *s, const char *name, bool *of_step);

// Reads all of them. `stands`: at the end of a step that stands, from which probes follow the motion. Collective.
PetscErrorCode SensorsRead(Sensors *s, bool stands);

// What probes remember.
PetscErrorCode SensorsSave(const Sensors *s, const char *name, CheckpointContainer *container);
bool sensors_restore(Sensors *s, const char *name, const CheckpointContainer *from);

// Probes that events watch.

// Gives a run the probes that events of its file watch, after its network of control. `from`: a checkpoint, or NULL:
// these events start. `wrong` stays as it is, or why they cannot. Collective.
PetscErrorCode EventProbesAttach(const Input *in, LimberRun run, const CheckpointContainer *from, Refusal *wrong);

#endif
