// SPDX-License-Identifier: Apache-2.0
// Reads results: the columns of a run by name. It does not need MPI or PETSc to be initialised, and also reads files
// that a run is still writing or left unfinished.
//
// A column is called group.quantity.component: time, ledger.kinetic, tip.position.x, hinge.angle. Short names omit the
// quantity: tip.x and root.N mean the first quantity of the probe with that component, positions and forces first. The
// work of a load is load.work; a formula has one column with its own name. A quantity (tip.position) or a group (tip,
// ledger) means all its columns.
#ifndef LIMBER_RESULTS_READ_RESULTS_H
#define LIMBER_RESULTS_READ_RESULTS_H

#include "model/refusal.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *name;                          // full: tip.position.x
  const char *brief;                         // tip.x, or the full name
  const char *group, *quantity, *component;  // tip, position, x; "" if missing
  const char *units, *description, *subject; // m; in ground axes; description of the group
  int table, index;                          // location in the file
} ResultColumn;

typedef struct Results Results;

// Opens a file and lists its columns. False, with the reason in `wrong`, if it is not the result of a run. A child
// process reads it until it is closed (reader.h): a file that crashes HDF5 is only reported as damaged.
bool results_open(const char *path, Results **out, Refusal *wrong);
void results_close(Results **r);

const char *results_path(const Results *r);
const char *results_file(const Results *r); // the path without folders
int results_rows(const Results *r);
const double *results_time(const Results *r);
int results_columns(const Results *r);
const ResultColumn *results_column(const Results *r, int i);

// The dataset of a column, such as /history/probes/tip/position.
const char *results_table(const Results *r, int column);
// The error bar of a column in a run that has some (docs/error_bars.md): of all its values, or of "end", "min", "max",
// "mean" or "rms". NAN: none.
double results_error(Results *r, int column, const char *of);

// The axis of the rows, column `time`: "time" in s for a run; load factor, step, speed ... for other analyses.
const char *results_axis(const Results *r);
const char *results_axis_units(const Results *r);
// A row for messages: "t = 0.5 s", "load factor 0.5", "speed 12 rad s-1".
const char *results_at(const Results *r, double at, char *text, size_t size);

// The number of columns that a name means, from `first` on; 0, with the reason and a suggestion in `wrong`, if none.
int results_find(const Results *r, const char *name, int *first, Refusal *wrong);

// Rows `from` to `from + count - 1` of a column. False: the file is damaged.
bool results_read(Results *r, int column, int from, int count, double *values);

// Attributes of the run (docs/results.md); false if there is none of that name.
bool results_text(const Results *r, const char *attribute, char *text, size_t size);
// The status of a run (model/steps.h) in words; "running, or killed" without an end. Returns `text`.
const char *results_status(const Results *r, char *text, size_t size);
double results_real(const Results *r, const char *attribute, double otherwise);

// Rows with from <= t <= to, up to round-off: the first, and their number.
int results_time_range(const Results *r, double from, double to, int *first);

// ---- snapshots ----

// Times of the snapshots; 0 if the run took none.
int results_snapshots(Results *r, const double **times);

// The geometry at a snapshot: positions of points, and cells as lists of points.
typedef struct {
  int points, cells;
  double (*at)[3];
  int *type;        // VTK type of each cell
  int *point;       // integration point of each cell; -1: none, such as for a joint
  int *first, *ids; // the points of cell c are ids[first[c]] to ids[first[c + 1] - 1]
} SnapshotGeometry;

bool results_snapshot_geometry(Results *r, int snapshot, SnapshotGeometry *s); // false: the file is damaged
void snapshot_geometry_free(SnapshotGeometry *s);

// An array of all points or of all cells at a snapshot, such as PointData/velocity: `count` rows of `width` numbers.
bool results_block(Results *r, const char *array, int snapshot, int count, int width, double *out);

// ---- events ----

typedef struct {
  char (*name)[80];
  double *time, *loss; // s; J
  int count;
} ResultEvents;

// Events of the run; count 0: none, or the run has not ended.
ResultEvents results_events(Results *r);
void result_events_free(ResultEvents *e);

// ---- sources of the run ----

// The texts of the model file (file 0) and of the files it includes, to be freed; false: there is no such file.
bool results_source(Results *r, int file, char **name, char **text);
// Changes from the command line; free each text and the list. NULL: none.
char **results_changes(Results *r, int *count);
// A list of texts, such as /modes/names, to be freed in the same way; NULL: there is none.
char **results_texts(Results *r, const char *path, int *count);

#endif
