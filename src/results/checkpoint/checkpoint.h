// SPDX-License-Identifier: Apache-2.0
// A checkpoint: run.checkpoint beside run.h5 contains all that a run needs to continue (docs/resume.md). It replaces
// the previous one atomically, so a complete one always exists.
#ifndef LIMBER_RESULTS_CHECKPOINT_CHECKPOINT_H
#define LIMBER_RESULTS_CHECKPOINT_CHECKPOINT_H

#include "console/console.h"
#include "model/refusal.h"
#include "results/container/container.h"
#include "results/write/output.h"

#define CHECKPOINT_SECONDS 60.0 // default interval

// Parts of a model whose checksums show whether a state fits it.
enum { PART_NODES, PART_ELEMENTS, PART_JOINTS, PART_LOADS, PART_PROBES, PARTS };
extern const char *const checkpoint_parts[PARTS];

typedef struct {
  char limber[32], scheme[32]; // program version; scheme
  double time, step, end, snapshots;
  int32_t ranks, controlled;
  uint64_t part[PARTS]; // checksums
} CheckpointHead;

void checkpoint_head(const Input *in, int ranks, double time, CheckpointHead *out);

// The name of the checkpoint of a results file.
void checkpoint_path(const char *results, char *out, size_t size);

// Saves a run and its results, with `more` in the section "account". `good` is false, with the reason, if the file
// could not be written; the previous checkpoint is then kept. Collective.
PetscErrorCode CheckpointWrite(const char *results, const Input *in, LimberRun run, Output *o, const void *more,
                               size_t more_size, bool *good, Refusal *wrong);

// Reads the checkpoint of a results file: all ranks get the container, rank 0 also the file with divided arrays.
// `wrong`: "", or the reason for a failure. Collective. checkpoint_close frees it.
PetscErrorCode CheckpointRead(const char *results, CheckpointContainer *p, CheckpointHead *head, Refusal *wrong);
void checkpoint_close(CheckpointContainer *p);

// Reads the model stored in the checkpoint, with further changes.
PetscErrorCode CheckpointInput(const CheckpointContainer *p, int changes, const char *const *change, Input **in);

// Finds a model file that changed since the run started; false: none did.
bool checkpoint_model_changed(const CheckpointContainer *p, char *name, size_t size);

// Converts "60s", "5 min", "2h" or "0" to seconds.
bool checkpoint_interval(const char *text, double *out);

#endif
