// SPDX-License-Identifier: Apache-2.0
// What a model file puts between the steps of a run: the control network, and the loads of the air (aerodyn.h). At the end of each step, sensors are read and blocks evaluated; their
// outputs are the signals of the next step (docs/control.md).
#ifndef LIMBER_CONTROL_CONTROL_H
#define LIMBER_CONTROL_CONTROL_H

#include "input/input.h"
#include "model/refusal.h"
#include "results/container/container.h"

#include <petscsys.h>

// Before a run of a model that may have run before: its signals are 0, as before the first run.
PetscErrorCode ControlReset(const Input *in);

// Attaches the air and the control network of its model file to a created or restored run, if there are such, and the
// probes that events watch. `from`: a checkpoint, or NULL to start the network. `wrong`: "", or why it cannot start. Collective.
PetscErrorCode ControlAttach(const Input *in, LimberRun run, const CheckpointContainer *from, Refusal *wrong);

#endif
