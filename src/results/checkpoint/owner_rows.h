// SPDX-License-Identifier: Apache-2.0
// An array of the state between the ranks that own its items and a file, which has them in the order of the model. Each rank has a
// contiguous share of the rows of the file, and the first writes or reads them, one share after the other in pieces: no rank has the whole.
#ifndef LIMBER_RESULTS_CHECKPOINT_OWNER_ROWS_H
#define LIMBER_RESULTS_CHECKPOINT_OWNER_ROWS_H

#include "analyses/stepping/saved_state.h"
#include "results/container/checkpoint_file.h"

// Writes an array. `file` is NULL but on the first rank, which gets its place. Collective.
PetscErrorCode OwnerRowsWrite(Stepper *p, const StateArray *a, FILE *file, DividedPlace *place);
// Reads an array, ghosts included, from its place. `good`: it has the size that the model asks for. Collective.
PetscErrorCode OwnerRowsRead(Stepper *p, const StateArray *a, FILE *file, const DividedPlace *place, bool *good);

#endif
