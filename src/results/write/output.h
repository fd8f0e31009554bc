// SPDX-License-Identifier: Apache-2.0
// The results of a run: one HDF5 file and a sidecar for visualisation (docs/results.md), written by all ranks together.
// The same run twice gives identical files: they do not depend on the machine, the date or the speed of the run.
#ifndef LIMBER_RESULTS_WRITE_OUTPUT_H
#define LIMBER_RESULTS_WRITE_OUTPUT_H

#include "files/output_file.h"
#include "input/input.h"
#include "model/refusal.h"
#include "model/steps.h"
#include "results/container/container.h"

#include <petscsys.h>

typedef struct Output Output;

// Creates the file and records the initial state. Collective, like all functions here.
PetscErrorCode OutputCreate(const char *path, const Input *in, LimberRun run, Output **out);

// Continues a file that was rolled back (results/container/container.h) to the time of the container, which all ranks
// have. `changed`: the model differs from that of the file, which then contains both. NULL if the container does not
// fit.
PetscErrorCode OutputResume(const char *path, const Input *in, LimberRun run, const CheckpointContainer *p,
                            bool changed, Output **out);
// Writes all rows to the file, the file to disk, and the data for OutputResume to the container of rank 0.
PetscErrorCode OutputSave(Output *o, CheckpointContainer *p);

// Writes the row of the start again, whose waves are known now. Before the first step.
PetscErrorCode OutputRestart(Output *o, LimberRun run);

// Updates the results with a step: a row at every `every`-th step, a snapshot at every multiple of the interval.
PetscErrorCode OutputStep(Output *o, LimberRun run, const LimberOutcome *step);

// The largest stresses so far, one per line.
void output_stresses(const Output *o, char *text, size_t size);

// Records the last state if still due, and closes the file. Returns the number of
// snapshots.
PetscErrorCode OutputClose(Output **o, LimberRun run, RunStatus status, int *snapshots);
// Whether the last writer of results got as far as closing them.
bool output_was_closed(const char *path);

// Writes options and sources of the model to a file of another analysis; `file`: an HDF5 id, on rank 0.
PetscErrorCode OutputWriteSources(long long file, const Input *in, const char *analysis);

const char *output_library(void);                              // version of HDF5
void output_sidecar(const char *path, char *out, size_t size); // name of the sidecar: run.xdmf for run.h5
// The name of a file beside the results: run.checkpoint.
void output_beside(const char *path, const char *ending, char *out, size_t size);

// Checks before new results are written.

// Why a file must not be written there, or "". Model files are never overwritten; other files that Limber did not write
// only with output_allow_overwrite. For results (FILE_RESULTS) the files beside them are checked too, and the results
// are claimed (files/claim.h). Collective; MPI_COMM_NULL: for this process alone, in which MPI need not have started.
Error FileObstacle(MPI_Comm comm, const char *path, FileKind kind, const Input *in, Refusal *wrong);

// Claims existing results that will be continued; why that is not possible, or "". Collective.
Error ResultsClaim(MPI_Comm comm, const char *path, Refusal *wrong);

#endif
