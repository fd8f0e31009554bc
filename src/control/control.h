// SPDX-License-Identifier: Apache-2.0
// The control network of a model file in a run: sensors are read at the end of each step, blocks are evaluated, and
// their outputs are the signals of the next step (docs/control.md).
#ifndef LIMBER_CONTROL_CONTROL_H
#define LIMBER_CONTROL_CONTROL_H

#include "input/input.h"
#include "model/refusal.h"
#include "results/container/container.h"

#include <petscsys.h>

// Gives a run that was created or restored the network of its file, if that has one, and the probes that its events
// watch. `from`: a checkpoint, or NULL: the network starts. `wrong` is "", or why it cannot start. Collective.
PetscErrorCode ControlAttach(const Input *in, LimberRun run, const CheckpointContainer *from, Refusal *wrong);

#endif
