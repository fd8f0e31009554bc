// SPDX-License-Identifier: Apache-2.0
// Results of analyses that are not time simulations, in the same format: rows along an axis such as modes, speeds or
// frequencies. The dataset /history/time contains that axis, with attributes `name` and `units`.
#ifndef LIMBER_RESULTS_WRITE_TABLE_H
#define LIMBER_RESULTS_WRITE_TABLE_H

#include "input/analyses/point_analysis.h"
#include "analyses/response/response.h"
#include "input/input.h"
#include "results/write/hdf5_file.h"

typedef struct {
  const PointColumn *about;
  int width;                // 0: the column is omitted
  const char *const *names; // of its components; NULL: one number
  double *values;           // rows x width
} TableColumn;

typedef struct {
  const char *analysis;                   // modes, campbell, ...
  const char *axis, *units, *description; // of the rows: "mode", "1", "number of the mode"
  int rows;
  double *at; // axis value of each row, increasing
  int columns;
  TableColumn *column;
  const char *remarks; // one per line; NULL: none
  // Snapshots of other states, for `limber view`: `pose` sets the state of the run for a frame and returns its time.
  LimberRun run; // NULL: no snapshots
  int frames;
  PetscErrorCode (*pose)(void *self, int frame, double *time);
  // Writes further groups to the file, on rank 0, before the frames. NULL: nothing.
  PetscErrorCode (*more)(void *self, hid_t file);
  void *self;
} ResultsTable;

typedef struct { // of a column
  int width;
  const char *const *names;
} TableShape;

// Sets name, rows and columns of a table, with zero values. `columns`: those of the analysis or others, ended by a NULL
// name; `shape`: shape of each column, NULL: one number each.
PetscErrorCode TableCreate(const PointAnalysis *a, const PointColumn *columns, const TableShape *shape, int rows,
                           ResultsTable *t);
PetscErrorCode TableDestroy(ResultsTable *t);
// Collective; all ranks have the same rows.
PetscErrorCode TableWrite(const char *path, const Input *in, MPI_Comm comm, const ResultsTable *t);

// Transfer functions: a row per frequency and a table per pair of input and output, /history/INPUT/OUTPUT, with columns
// amplitude, phase, real and imaginary.

// Collective; all ranks have the same data.
PetscErrorCode ResponseFileWrite(const char *path, const Input *in, MPI_Comm comm, const Response *r,
                                 const char *remarks);

#endif
