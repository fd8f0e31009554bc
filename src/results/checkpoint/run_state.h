// SPDX-License-Identifier: Apache-2.0
// All that the next steps depend on, to a container and back. It stands by the model's own numbers of nodes and joints, so a
// run may go on with another number of ranks.
#ifndef LIMBER_RESULTS_CHECKPOINT_RUN_STATE_H
#define LIMBER_RESULTS_CHECKPOINT_RUN_STATE_H

#include "results/container/container.h"
#include "analyses/stepping/stepper.h"

// Collective; the container grows on rank 0.
PetscErrorCode RunSave(LimberRun run, CheckpointContainer *p);

// A run that goes on from a container, which all ranks hold. `wrong` is "", or what does not fit. Where the model was changed,
// the change of the state's energy is booked as work, with a remark.
PetscErrorCode RunRestore(Model model, const LimberOptions *options, const CheckpointContainer *p, bool changed,
                          LimberRun *run, char *wrong, size_t size);

#endif
