// SPDX-License-Identifier: Apache-2.0
// Reading results: the columns of a run by name. Needs neither MPI nor PETSc to be started, and reads a file that a run
// is still writing as well as one that a run left unfinished.
//
// A column is called group.quantity.component: time, ledger.kinetic, tip.position.x, hinge.angle. In short a component
// is looked for in the quantities of its probe in turn, positions and forces first: tip.x, root.N; the work of a load
// is load.work, and the value of a formula has the name of the formula. A quantity without component (tip.position) or
// a group (tip, ledger) is all that it holds.
#ifndef LIMBER_RESULTS_READ_RESULTS_H
#define LIMBER_RESULTS_READ_RESULTS_H

#include "model/refusal.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *name;                          // in full: tip.position.x
  const char *brief;                         // tip.x; the name where there is nothing shorter
  const char *group, *quantity, *component;  // tip, position, x; "" for what there is not
  const char *units, *description, *subject; // m, in ground axes, what the group is about
  int table, index;                          // where it lies in the file
} ResultColumn;

typedef struct Results Results;

// Opens a file and lists its columns. False, with the reason in `wrong`, if it is not the result of a run. A child
// process reads it until it is closed (reader.h): also a file that HDF5 cannot survive is only damaged.
bool results_open(const char *path, Results **out, Refusal *wrong);
void results_close(Results **r);

const char *results_path(const Results *r);
const char *results_file(const Results *r); // the path without its folders
int results_rows(const Results *r);
const double *results_time(const Results *r);
int results_columns(const Results *r);
const ResultColumn *results_column(const Results *r, int i);

// What the rows follow, the column `time`: "time" with the units s of a run; a load factor, a step, a speed ... of
// other analyses.
const char *results_axis(const Results *r);
const char *results_axis_units(const Results *r);
// A row for messages: "t = 0.5 s", "load factor 0.5", "speed 12 rad s-1".
const char *results_at(const Results *r, double at, char *text, size_t size);

// How many columns a name means, from `first` on; 0, with the reason and a suggestion in `wrong`, if none.
int results_find(const Results *r, const char *name, int *first, Refusal *wrong);

// Rows `from` to `from + count - 1` of a column. False: the file is damaged.
bool results_read(Results *r, int column, int from, int count, double *values);

// Attributes of the run (docs/results.md); false if there is none of that name.
bool results_text(const Results *r, const char *attribute, char *text, size_t size);
double results_real(const Results *r, const char *attribute, double otherwise);

// Rows with from <= t <= to, but for round-off: the first, and how many.
int results_time_range(const Results *r, double from, double to, int *first);

// ---- snapshots ----

// Times of the snapshots; 0 if the run took none.
int results_snapshots(Results *r, const double **times);

// What was there at a snapshot: positions of points, and cells as lists of points.
typedef struct {
  int points, cells;
  double (*at)[3];
  int *type;        // of each cell, as VTK numbers them
  int *point;       // integration point that a cell stands for, -1: none, as of a joint
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

// What happened in the run; count 0: nothing, or the run has not come to its end.
ResultEvents results_events(Results *r);
void result_events_free(ResultEvents *e);

// ---- what the run was made of ----

// The texts of the model file (file 0) and of those that it includes, each to be freed; false: there is no such file.
bool results_source(Results *r, int file, char **name, char **text);
// What the command line changed, to be freed one by one and together; NULL if nothing.
char **results_changes(Results *r, int *count);
// A list of texts, such as /modes/names, to be freed in the same way; NULL if there is none.
char **results_texts(Results *r, const char *path, int *count);

#endif
