// SPDX-License-Identifier: Apache-2.0
// All that the next steps depend on (analyses/stepping/state.def), to a checkpoint and back, in the order of the model,
// so that a run may continue with another number of ranks.
#ifndef LIMBER_RESULTS_CHECKPOINT_RUN_STATE_H
#define LIMBER_RESULTS_CHECKPOINT_RUN_STATE_H

#include "model/refusal.h"
#include "results/container/container.h"
#include "analyses/stepping/stepper.h"

// The divided arrays to the file, which is NULL but on the first rank; all else to the container, which grows there.
// Collective.
PetscErrorCode RunWrite(LimberRun run, FILE *file, CheckpointContainer *p);

// Continues a run from a container, which all ranks have, and its file, which the first has. `wrong` is "", or what
// does not fit. Where the model was changed, the change of the state's energy is booked as work, with a remark.
PetscErrorCode RunRestore(Model model, const LimberOptions *options, const CheckpointContainer *p, bool changed,
                          LimberRun *run, Refusal *wrong);

#endif
