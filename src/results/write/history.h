// SPDX-License-Identifier: Apache-2.0
// The history: rows in time of the ledger, the solver steps and the probes. All ranks have the same rows.
#ifndef LIMBER_RESULTS_WRITE_HISTORY_H
#define LIMBER_RESULTS_WRITE_HISTORY_H

#include "input/input.h"
#include "results/container/container.h"
#include "results/write/hdf5_file.h"

typedef struct History History;

// Creates groups and tables without rows; without a file: only for HistoryRow.
PetscErrorCode HistoryCreate(const Input *in, File *f, History **out);
PetscErrorCode HistoryOpen(History *h); // after the file is shared
// Updates the history with a step; `due`: a row must be recorded.
PetscErrorCode HistoryStep(History *h, LimberRun run, const LimberOutcome *step, bool *due);
bool history_waits(const History *h);                     // steps were taken since the last row
PetscErrorCode HistoryRecord(History *h, LimberRun run);  // adds a row
PetscErrorCode HistoryRestart(History *h, LimberRun run); // writes the row of the start again, before the first step
// The numbers of a row, their count, and the name and units of the i-th.
PetscErrorCode HistoryRow(History *h, LimberRun run, double *row);
int history_width(const History *h);
void history_column(const History *h, int i, char *name, size_t size);
void history_units(const History *h, int i, char *units, size_t size); // of one column
void history_stresses(const History *h, char *text, size_t size);      // probes_stresses
PetscErrorCode HistoryWrite(History *h);                               // writes all rows to the file
// Saves and restores the position in the history; all rows must be in the file. False: the container does not fit.
PetscErrorCode HistorySave(const History *h, CheckpointContainer *p);
bool history_restore(History *h, const CheckpointContainer *p);
PetscErrorCode HistoryClose(History *h);
PetscErrorCode HistoryDestroy(History **h);

#endif
