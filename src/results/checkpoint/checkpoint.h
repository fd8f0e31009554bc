// SPDX-License-Identifier: Apache-2.0
// A checkpoint: run.checkpoint beside run.h5, a packet with all that a run needs to continue (docs/resume.md). It
// replaces the one before in one stroke, so that at any moment there is one that is whole.
#ifndef LIMBER_RESULTS_CHECKPOINT_CHECKPOINT_H
#define LIMBER_RESULTS_CHECKPOINT_CHECKPOINT_H

#include "console/console.h"
#include "model/refusal.h"
#include "results/container/container.h"
#include "results/write/output.h"

#define CHECKPOINT_SECONDS 60.0 // between two, if nothing else is asked for

// What there is of each part of a model, to tell whether a state fits it.
enum { PART_NODES, PART_ELEMENTS, PART_JOINTS, PART_LOADS, PART_PROBES, PARTS };
extern const char *const checkpoint_parts[PARTS];

typedef struct {
  char limber[32], scheme[32]; // version of the program
  double time, step, end, snapshots;
  int32_t ranks, controlled;
  uint64_t part[PARTS]; // checksums
} CheckpointHead;

void checkpoint_head(const Input *in, int ranks, double time, CheckpointHead *out);

// The name of the checkpoint of a results file.
void checkpoint_path(const char *results, char *out, size_t size);

// Saves a run and its results, with `more` in the section "account". `good` is false where the file could not be
// written, with the reason; the one before stands then. Collective.
PetscErrorCode CheckpointWrite(const char *results, const Input *in, LimberRun run, Output *o, const void *more,
                               size_t more_size, bool *good, Refusal *wrong);

// Reads the checkpoint of a results file: all ranks get the container, the first the file with divided arrays. `wrong`
// is "", or what is the matter. Collective. And done with it.
PetscErrorCode CheckpointRead(const char *results, CheckpointContainer *p, CheckpointHead *head, Refusal *wrong);
void checkpoint_close(CheckpointContainer *p);

// The model as the checkpoint has it, with more changes.
PetscErrorCode CheckpointInput(const CheckpointContainer *p, int changes, const char *const *change, Input **in);

// A file of the model that is no longer as it was when the run started; false: none is.
bool checkpoint_model_changed(const CheckpointContainer *p, char *name, size_t size);

// "60s", "5 min", "2h", "0": seconds.
bool checkpoint_interval(const char *text, double *out);

#endif
