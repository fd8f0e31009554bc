// SPDX-License-Identifier: Apache-2.0
// Results of an analysis that is no run in time, in the same form: rows along an axis such as modes, speeds or
// frequencies. Their dataset /history/time holds that axis, whose name and units are its attributes `name` and `units`.
#ifndef LIMBER_RESULTS_WRITE_TABLE_H
#define LIMBER_RESULTS_WRITE_TABLE_H

#include "input/analyses/point_analysis.h"
#include "analyses/response/response.h"
#include "input/input.h"
#include "results/write/hdf5_file.h"

typedef struct {
  const PointColumn *about;
  int width;                // 0: it is left out
  const char *const *names; // of its numbers; NULL: it has one
  double *values;           // rows x width
} TableColumn;

typedef struct {
  const char *analysis;                   // modes, campbell, ...
  const char *axis, *units, *description; // of the rows: "mode", "1", "number of the mode"
  int rows;
  double *at; // of each row, increasing
  int columns;
  TableColumn *column;
  const char *remarks; // a line each; NULL: none
  // Snapshots of states that are no rows, for `limber view`: `pose` puts the run's state into the frame and tells its
  // time.
  LimberRun run; // NULL: there are none
  int frames;
  PetscErrorCode (*pose)(void *self, int frame, double *time);
  // What else goes into the file, in groups of its own: on rank 0, before the frames. NULL: nothing.
  PetscErrorCode (*more)(void *self, hid_t file);
  void *self;
} ResultsTable;

typedef struct { // of a column
  int width;
  const char *const *names;
} TableShape;

// Sets name, rows and columns of a table, whose values are zero. `columns`: those of the analysis, or others, which end
// with a NULL name; `shape`: of each of them, NULL: each is one number.
PetscErrorCode TableCreate(const PointAnalysis *a, const PointColumn *columns, const TableShape *shape, int rows,
                           ResultsTable *t);
PetscErrorCode TableDestroy(ResultsTable *t);
// Collective; all ranks have the same rows.
PetscErrorCode TableWrite(const char *path, const Input *in, MPI_Comm comm, const ResultsTable *t);

// Transfer functions in a results file: a row for each frequency, a table for each pair of an input and an output,
// /history/INPUT/OUTPUT, with the columns amplitude, phase, real and imaginary.

// Collective; all ranks hold the same.
PetscErrorCode ResponseFileWrite(const char *path, const Input *in, MPI_Comm comm, const Response *r,
                                 const char *remarks);

#endif
