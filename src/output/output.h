// SPDX-License-Identifier: Apache-2.0
// The results of a run: one HDF5 file (docs/results.md). Rank 0 writes. The same run twice gives the same bytes: nothing
// of the machine, the day or the pace of the run goes into the file.
#ifndef LIMBER_OUTPUT_OUTPUT_H
#define LIMBER_OUTPUT_OUTPUT_H

#include "input/input.h"

#include <petscsys.h>

typedef struct Output Output;

// Creates the file and records the state at the start. Collective, as all here.
PetscErrorCode OutputCreate(const char *path, const Input *in, LimberRun run, Output **out);

// Accounts for a step, and records a row at every `every`-th.
PetscErrorCode OutputStep(Output *o, LimberRun run, const LimberOutcome *step);

// Records the last state if that is still due and closes the file. `ended` says how: end, interrupted, ...
PetscErrorCode OutputClose(Output **o, LimberRun run, const char *ended);

const char *output_library(void); // name and version of HDF5

#endif
