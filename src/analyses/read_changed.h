// SPDX-License-Identifier: Apache-2.0
// For analyses that vary a parameter: the model is read again, as by one more --set.
#ifndef LIMBER_ANALYSES_READ_CHANGED_H
#define LIMBER_ANALYSES_READ_CHANGED_H

#include "input/input.h"
#include "model/refusal.h"

#include <petscsys.h>

// `change`: "let.P=3 N". On the communicator of the model that was read first. `wrong` stays, or tells the first
// error, or that nothing depends on what is changed.
PetscErrorCode InputReadChanged(const Input *in, SourceReader read, const char *change, Input **out, Refusal *wrong);

#endif
