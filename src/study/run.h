// SPDX-License-Identifier: Apache-2.0
// One run of a study: the model with its values, step by step, and the statistics of the channels.
#ifndef LIMBER_STUDY_RUN_H
#define LIMBER_STUDY_RUN_H

#include "input/input.h"
#include "study/study.h"

#include <petscsys.h>

typedef struct {
  const Plan *plan;
  const StudyLayout *layout;
  const char *model, *text; // file and text of the model
  size_t length;
  InputOptions input;
  const char *kept; // folder in which every run leaves its results, or NULL
} StudyModel;

typedef struct StudyRunner StudyRunner;

PetscErrorCode StudyRunnerCreate(MPI_Comm comm, const StudyModel *m, StudyRunner **out);
PetscErrorCode StudyRunnerDestroy(StudyRunner **r);
// Does the run of a row, whose parameters are given. `results`: a file for the history and the snapshots, or NULL.
// Collective.
PetscErrorCode StudyRunnerRun(StudyRunner *r, StudyRow *row, const char *results, StudyWatch *w, bool *stopped);

// The unit of a channel of a model, which lives as long as the model. NULL: there is no such column.
const char *study_channel_unit(const Input *in, const char *column);
// "study.runs/000123.h5"
void study_kept_path(const char *folder, uint64_t run, char *path, size_t size);

#endif
