// SPDX-License-Identifier: Apache-2.0
// Probes that events watch.
#ifndef LIMBER_CONTROL_EVENT_PROBES_H
#define LIMBER_CONTROL_EVENT_PROBES_H

#include "input/input.h"
#include "results/container/container.h"

#include <petscsys.h>

// Gives a run the probes that events of its file watch, after its network of control. `from`: a checkpoint, or NULL: these events
// start. `wrong` stays as it is, or why they cannot. Collective.
PetscErrorCode EventProbesAttach(const Input *in, LimberRun run, const CheckpointContainer *from, char *wrong,
                                 size_t size);

#endif
