// SPDX-License-Identifier: Apache-2.0
// The results of a run: one HDF5 file and a sidecar for programs that draw (docs/results.md), written by all ranks
// together. The same run twice gives the same bytes: nothing of the machine, the day or the pace of the run goes in.
#ifndef LIMBER_RESULTS_WRITE_OUTPUT_H
#define LIMBER_RESULTS_WRITE_OUTPUT_H

#include "files/output_file.h"
#include "input/input.h"
#include "model/refusal.h"
#include "results/container/container.h"

#include <petscsys.h>

typedef struct Output Output;

// Creates the file and records the state at the start. Collective, as all here.
PetscErrorCode OutputCreate(const char *path, const Input *in, LimberRun run, Output **out);

// Goes on with a file that was taken back (results/container/container.h) to where the packet was made, which all ranks
// hold. `changed`: the model is no longer the one of the file, which then has both. NULL if the packet does not
// fit.
PetscErrorCode OutputResume(const char *path, const Input *in, LimberRun run, const CheckpointContainer *p,
                            bool changed, Output **out);
// Brings all rows into the file, the file to the disk, and into the packet what OutputResume needs, on rank 0.
PetscErrorCode OutputSave(Output *o, CheckpointContainer *p);

// Accounts for a step; records a row at every `every`-th and a snapshot at every multiple of their interval.
PetscErrorCode OutputStep(Output *o, LimberRun run, const LimberOutcome *step);

// The largest stresses so far, a line each.
void output_stresses(const Output *o, char *text, size_t size);

// Records the last state if that is still due and closes the file. `ended` says how: end, interrupted, ...;
// `snapshots` comes back as their number.
PetscErrorCode OutputClose(Output **o, LimberRun run, const char *ended, int *snapshots);

// Options and texts of the model into a file that another analysis writes; `file`: HDF5's, on rank 0.
PetscErrorCode OutputWriteSources(long long file, const Input *in, const char *analysis);

const char *output_library(void);                              // version of HDF5
void output_sidecar(const char *path, char *out, size_t size); // its name: run.xdmf of run.h5
// The name of a file beside the results: run.checkpoint.
void output_beside(const char *path, const char *ending, char *out, size_t size);

// What stands in the way of new results.

// Why a file must not be written there, or "". The files of the model are never overwritten, others that Limber did not
// write only if output_allow_overwrite allows it. Results (FILE_RESULTS) are looked at with the files beside them, and
// claimed (files/claim.h). Collective.
Error FileObstacle(MPI_Comm comm, const char *path, FileKind kind, const Input *in, Refusal *wrong);

// Claims results that a run left and that will be written again; why that cannot be, or "". Collective.
Error ResultsClaim(MPI_Comm comm, const char *path, Refusal *wrong);

#endif
