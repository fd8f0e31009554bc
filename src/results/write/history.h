// SPDX-License-Identifier: Apache-2.0
// The history: rows in time of the ledger, of what the solver did and of the probes. All ranks hold the same rows.
#ifndef LIMBER_RESULTS_WRITE_HISTORY_H
#define LIMBER_RESULTS_WRITE_HISTORY_H

#include "input/input.h"
#include "results/container/container.h"
#include "results/write/hdf5_file.h"

typedef struct History History;

// Groups and tables without rows; without a file: only to ask for rows.
PetscErrorCode HistoryCreate(const Input *in, File *f, History **out);
PetscErrorCode HistoryOpen(History *h); // once the file is shared
// Accounts for a step; `due` if a row stands for it.
PetscErrorCode HistoryStep(History *h, LimberRun run, const LimberOutcome *step, bool *due);
bool history_waits(const History *h);                    // steps were taken since the last row
PetscErrorCode HistoryRecord(History *h, LimberRun run); // adds a row
// The numbers of a row, how many they are, and the name and the units of the i-th.
PetscErrorCode HistoryRow(History *h, LimberRun run, double *row);
int history_width(const History *h);
void history_column(const History *h, int i, char *name, size_t size);
void history_units(const History *h, int i, char *units, size_t size); // of one column
void history_stresses(const History *h, char *text, size_t size);      // probes_stresses
PetscErrorCode HistoryWrite(History *h);                               // brings all rows into the file
// Where the history is, to a packet and back; all rows are in the file. False: the packet does not fit.
PetscErrorCode HistorySave(const History *h, CheckpointContainer *p);
bool history_restore(History *h, const CheckpointContainer *p);
PetscErrorCode HistoryClose(History *h);
PetscErrorCode HistoryDestroy(History **h);

#endif
