// SPDX-License-Identifier: Apache-2.0
// Results of an analysis that is no run in time, in the same form: rows along an axis such as modes, speeds or frequencies. Their
// dataset /history/time holds that axis, whose name and units are its attributes `name` and `units`.
#ifndef LIMBER_RESULTS_WRITE_TABLE_H
#define LIMBER_RESULTS_WRITE_TABLE_H

#include "input/input.h"
#include "results/write/hdf5_file.h"

typedef struct {
  const char *group, *name; // /history/GROUP/NAME; several columns may have one group
  const char *units, *description;
  int width;
  const char *const *names; // of its numbers; NULL: it has one
  const double *values;     // rows x width
} TableColumn;

typedef struct {
  const char *analysis;                   // modes, campbell, ...
  const char *axis, *units, *description; // of the rows: "mode", "1", "number of the mode"
  int rows;
  const double *at; // of each row, increasing
  int columns;
  const TableColumn *column;
  const char *remarks; // a line each; NULL: none
  // Snapshots of states that are no rows, for `limber view`: `pose` puts the run's state into the frame and tells its time.
  LimberRun run; // NULL: there are none
  int frames;
  PetscErrorCode (*pose)(void *self, int frame, double *time);
  // What else goes into the file, in groups of its own: on rank 0, before the frames. NULL: nothing.
  PetscErrorCode (*more)(void *self, hid_t file);
  void *self;
} ResultsTable;

// Collective; all ranks have the same rows.
PetscErrorCode TableWrite(const char *path, const Input *in, MPI_Comm comm, const ResultsTable *t);

#endif
