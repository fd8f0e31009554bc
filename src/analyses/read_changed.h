// SPDX-License-Identifier: Apache-2.0
// Reads a model again with one more change, as with --set, for analyses that vary a parameter.
#ifndef LIMBER_ANALYSES_READ_CHANGED_H
#define LIMBER_ANALYSES_READ_CHANGED_H

#include "input/input.h"
#include "model/refusal.h"

#include <petscsys.h>

// `change`: "let.P=3 N"; NULL: none. The model gets the communicator of the first one. `wrong`: unchanged, or the first error, or
// that nothing depends on what is changed.
PetscErrorCode InputReadChanged(const Input *in, SourceReader read, const char *change, Input **out, Refusal *wrong);

// The same with several changes.
PetscErrorCode InputReadChanges(const Input *in, SourceReader read, int changes, const char *const *change, Input **out,
                                Refusal *wrong);

// For many of them: what does not change is read once. `file` is that of `in`, and outlives all models that are read.
PetscErrorCode InputFileOf(const Input *in, SourceReader read, InputFile **file);
PetscErrorCode InputFileReadChanged(InputFile *file, const Input *in, const char *change, Input **out, Refusal *wrong);

#endif
