// SPDX-License-Identifier: Apache-2.0
// Values that formulae of a run may use: columns of probes, functions, parameters, the time, the ledger; and the probes
// that events watch.
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
  Input file; // the same with only the probes that formulae use
  Probes *probes;
  double *row, time;
  int *function; // functions that formulae use, and their present values
  double *function_value;
  int functions;
  // For gradients: columns that formulae use and then numbers of the ledger, in the order of readings.
  bool *used, formulas, signals; // some columns are formulae; some read signals
  LinearName *name;              // of columns; and whether they belong to several states
  bool *of_several;
} Sensors;

PetscErrorCode SensorsCreate(const Input *in, LimberRun run, int count, const char *const *formula, Sensors **out);
PetscErrorCode SensorsDestroy(Sensors **sensors);

// The address of a named value, updated by each reading; NULL: unknown name. `of_step` (may be NULL) is set if the
// value belongs to a step, not to a state.
const double *sensors_find(Sensors *s, const char *name, bool *of_step);

// Reads all sensors. `stands`: the step was accepted, so probes follow the motion from it. Collective.
PetscErrorCode SensorsRead(Sensors *s, bool stands);

// Readings for gradients: columns of probes and numbers of the ledger. Those that formulae do not use are 0.
size_t sensors_readings(const Sensors *s);
PetscErrorCode SensorsPeek(Sensors *s, double *out);       // at the present state, which is not followed
void sensors_take(Sensors *s, const double *readings);     // in place of SensorsRead
bool sensors_of_several(const Sensors *s, size_t reading); // it belongs to several states, such as an acceleration
// The name of a reading, and whether it belongs to several states or to many places.
const char *sensors_name(Sensors *s, size_t reading, bool *of_several);

// Saves and restores the state of the probes.
PetscErrorCode SensorsSave(const Sensors *s, const char *name, CheckpointContainer *container);
bool sensors_restore(Sensors *s, const char *name, const CheckpointContainer *from);

// Probes that events watch.

// Attaches the probes that events watch, after the control network. `from`: a checkpoint, or NULL to start these
// events. `wrong`: unchanged, or why they cannot start. Collective.
PetscErrorCode EventProbesAttach(const Input *in, LimberRun run, const CheckpointContainer *from, Refusal *wrong);

#endif
