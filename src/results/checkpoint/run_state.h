// SPDX-License-Identifier: Apache-2.0
// Writes everything that the next steps depend on (analyses/stepping/state.def) to a checkpoint, in the order of the
// model, so that a run can continue on another number of ranks.
#ifndef LIMBER_RESULTS_CHECKPOINT_RUN_STATE_H
#define LIMBER_RESULTS_CHECKPOINT_RUN_STATE_H

#include "model/refusal.h"
#include "results/container/container.h"
#include "analyses/stepping/stepper.h"

// Writes the divided arrays to the file (NULL except on rank 0) and everything else to the container of rank 0.
// Collective.
PetscErrorCode RunWrite(LimberRun run, FILE *file, CheckpointContainer *p);

// Continues a run from a container, which all ranks have, and its file, which rank 0 has. `wrong`: "", or what does not
// fit. If the model was changed, the change of stored energy is counted as work, with a remark.
PetscErrorCode RunRestore(Model model, const LimberOptions *options, const CheckpointContainer *p, bool changed,
                          LimberRun *run, Refusal *wrong);

#endif
