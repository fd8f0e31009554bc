// SPDX-License-Identifier: Apache-2.0
// Runs a model file repeatedly with different values; what does not change is read and prepared once. Results are
// bit-for-bit those of `limber run` with the same changes, whatever was run before.
#ifndef LIMBER_ANALYSES_REPEAT_REPEAT_H
#define LIMBER_ANALYSES_REPEAT_REPEAT_H

#include "input/input.h"
#include "model/refusal.h"

#include <petscsys.h>

typedef struct Repeater Repeater;

// `file`, `text` and `options` describe the model file, as for InputRead; changes in `options` apply to all runs.
// `changes`: the number of fields that change from run to run.
PetscErrorCode RepeaterCreate(MPI_Comm comm, const char *file, const char *text, size_t length,
                              const InputOptions *options, int changes, Repeater **r);
PetscErrorCode RepeaterDestroy(Repeater **r);
// Later runs are those of the `static` part of the model, as with `limber static`.
void repeater_use_static(Repeater *r);
// Later runs of models without a step take the first one that `limber run` would try; else they are refused.
void repeater_use_first_step(Repeater *r);

// Starts the next run: `change[i]` is "path=value". The run and its input belong to the repeater, up to the next start.
// `run` is NULL if the model cannot be read or started with these values; `wrong`: why.
PetscErrorCode RepeaterStart(Repeater *r, const char *const *change, const Input **in, LimberRun *run, Refusal *wrong);
// The same with any number of changes.
PetscErrorCode RepeaterStartWith(Repeater *r, int changes, const char *const *change, const Input **in, LimberRun *run,
                                 Refusal *wrong);

#endif
