// SPDX-License-Identifier: Apache-2.0
// Writes results of analyses that are not time simulations (table.h).
#include "results/write/table.h"

#include "analyses/stepping/stepper.h"
#include "files/output_file.h"
#include "results/write/output.h"
#include "results/write/snapshots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Writes a table with all its rows, on rank 0.
static PetscErrorCode WriteColumn(File *f, const char *path, const TableColumn *c, const ResultsTable *t) {
  int rows = t->rows;
  hid_t table;
  PetscFunctionBegin;
  PetscCall(FileTableCreate(f->id, &(FileTable){.path = path,
                                                .width = c->width,
                                                .columns = c->names,
                                                .type = H5T_IEEE_F64LE,
                                                .chunk = FILE_CHUNK,
                                                .units = c->about->units ? c->about->units : t->units,
                                                .description = c->about->help,
                                                .axis = t->axis}));
  H5Make(table, H5Dopen2(f->id, path, H5P_DEFAULT));
  PetscCall(FileWrite(f, table,
                      &(FileRows){.total = (hsize_t)rows,
                                  .count = (hsize_t)rows,
                                  .type = H5T_NATIVE_DOUBLE,
                                  .values = c->values,
                                  .stride = c->width,
                                  .width = c->width}));
  H5Call(H5Dclose(table));
  PetscFunctionReturn(0);
}

static bool is_first_of_group(const ResultsTable *t, int i) {
  for (int k = 0; k < i; k++)
    if (t->column[k].width && !strcmp(t->column[k].about->group, t->column[i].about->group)) return false;
  return true;
}

static PetscErrorCode WriteRows(File *f, const ResultsTable *t) {
  const PointColumn axis = {.units = t->units, .help = t->description};
  char path[512];
  hid_t set;
  PetscFunctionBegin;
  PetscCall(FileGroup(f->id, "/history", "rows of the analysis: the first dimension of every dataset"));
  PetscCall(WriteColumn(f, "/history/time", &(TableColumn){&axis, 1, NULL, t->at}, t));
  H5Make(set, H5Dopen2(f->id, "/history/time", H5P_DEFAULT));
  PetscCall(FileText(set, "name", t->axis));
  H5Call(H5Dclose(set));
  for (int i = 0; i < t->columns; i++) {
    const PointColumn *about = t->column[i].about;
    if (!t->column[i].width) continue;
    snprintf(path, sizeof path, "/history/%s", about->group);
    if (is_first_of_group(t, i)) PetscCall(FileGroup(f->id, path, about->help));
    snprintf(path, sizeof path, "/history/%s/%s", about->group, about->name);
    PetscCall(WriteColumn(f, path, &t->column[i], t));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode TakeFrames(const Input *in, File *f, const ResultsTable *t) {
  Snapshots *snapshots;
  Input every = *in;
  double time;
  PetscFunctionBegin;
  every.snapshots = 1;
  PetscCall(SnapshotsCreate(&every, f, t->run, &snapshots));
  PetscCall(FileOpenOnAllRanks(f));
  PetscCall(SnapshotsOpen(snapshots));
  for (int i = 0; i < t->frames; i++) {
    PetscCall(t->pose(t->self, i, &time));
    t->run->stepper->s->motion.state.time = time;
    PetscCall(SnapshotsTake(snapshots, t->run));
  }
  PetscCall(SnapshotsWriteSidecar(snapshots, true));
  PetscCall(SnapshotsClose(snapshots));
  PetscCall(FileReturnToFirstRank(f));
  PetscCall(SnapshotsDestroy(&snapshots));
  PetscFunctionReturn(0);
}

PetscErrorCode TableWrite(const char *path, const Input *in, MPI_Comm comm, const ResultsTable *t) {
  char sidecar[4200];
  File f;
  PetscFunctionBegin;
  if (is_null_device(path)) PetscFunctionReturn(0);
  PetscCall(FileCreate(comm, path, &f));
  output_sidecar(path, sidecar, sizeof sidecar);
  if (f.rank == 0) {
    remove(sidecar); // from an earlier run
    PetscCall(OutputWriteSources(f.id, in, t->analysis));
    PetscCall(FileText(f.id, "remarks", t->remarks ? t->remarks : ""));
    PetscCall(WriteRows(&f, t));
    if (t->more) PetscCall(t->more(t->self, f.id));
  }
  if (t->run && t->frames > 0) PetscCall(TakeFrames(in, &f, t));
  if (f.rank == 0) PetscCall(FileText(f.id, "status", run_status_words[RUN_FINISHED]));
  PetscCall(FileClose(&f));
  PetscFunctionReturn(0);
}

PetscErrorCode TableCreate(const PointAnalysis *a, const PointColumn *columns, const TableShape *shape, int rows,
                           ResultsTable *t) {
  PetscFunctionBegin;
  t->analysis = a->command.name, t->rows = rows;
  while (columns[t->columns].name) t->columns++;
  PetscCall(PetscCalloc2(rows, &t->at, t->columns, &t->column));
  for (int i = 0; i < t->columns; i++) {
    TableColumn *c = &t->column[i];
    *c = (TableColumn){&columns[i], shape ? shape[i].width : 1, shape ? shape[i].names : NULL, NULL};
    PetscCall(PetscCalloc1((size_t)rows * (size_t)c->width, &c->values));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode TableDestroy(ResultsTable *t) {
  PetscFunctionBegin;
  for (int i = 0; i < t->columns; i++) PetscCall(PetscFree(t->column[i].values));
  PetscCall(PetscFree2(t->at, t->column));
  PetscFunctionReturn(0);
}

enum { PARTS = 4 };
static const char *const parts[PARTS] = {"amplitude", "phase", "real", "imaginary"};

typedef struct {
  char units[160], description[500];
} PairText;

// The phase in degrees; exactly 0 or -180 (a lag) for a number that is real up to round-off.
static double phase_of(const double value[2]) {
  if (fabs(value[1]) <= 1e-9 * fabs(value[0])) return value[0] < 0 ? -180 : 0;
  return atan2(value[1], value[0]) * 180 / M_PI;
}

// The unit of output over input: "m" over "1" is m, over "rad s-1" it is m (rad s-1)-1.
static void unit_of_pair(const char *output, const char *input, char *text, size_t size) {
  if (!strcmp(input, "1")) snprintf(text, size, "%s", output);
  else snprintf(text, size, "%s (%s)-1", output, input);
}

static void fill_pair(const Response *r, int input, int output, double *values) {
  double turn = 0, last = 0;
  for (int f = 0; f < r->frequencies; f++) {
    const double *v = response_value(r, f, input, output);
    double phase = phase_of(v) + turn, *row = values + (size_t)f * PARTS;
    if (f > 0 && fabs(phase - last) > 180 + 1e-6) { // keeps the phase continuous over frequencies
      double whole = 360 * round((last - phase) / 360);
      turn += whole, phase += whole;
    }
    last = phase;
    row[0] = hypot(v[0], v[1]), row[1] = phase, row[2] = v[0], row[3] = v[1];
  }
}

PetscErrorCode ResponseFileWrite(const char *path, const Input *in, MPI_Comm comm, const Response *r,
                                 const char *remarks) {
  ResultsTable table = {.axis = "frequency", .units = "Hz", .description = "of the input", .remarks = remarks};
  int pairs = r->inputs * r->outputs;
  PointColumn *about;
  TableShape *shape;
  PairText *text;
  char unit[80];
  PetscFunctionBegin;
  PetscCall(PetscCalloc3(pairs + 1, &about, pairs, &shape, pairs, &text));
  for (int k = 0; k < pairs; k++) {
    const LinearName *input = &r->input[k / r->outputs], *output = &r->output[k % r->outputs];
    unit_of_pair(output->unit, input->unit, unit, sizeof unit);
    snprintf(text[k].units, sizeof text[k].units, "%.70s, degree, %.30s, %.30s", unit, unit, unit);
    snprintf(text[k].description, sizeof text[k].description, "%s over %s", output->name, input->name);
    // /history/time contains the frequencies
    about[k] = (PointColumn){strcmp(input->name, "time") ? input->name : "time.input", output->name, text[k].units,
                             text[k].description};
    shape[k] = (TableShape){PARTS, parts};
  }
  PetscCall(TableCreate(&analysis_of_response, about, shape, r->frequencies, &table));
  memcpy(table.at, r->frequency, (size_t)r->frequencies * sizeof *table.at);
  for (int k = 0; k < pairs; k++) fill_pair(r, k / r->outputs, k % r->outputs, table.column[k].values);
  PetscCall(TableWrite(path, in, comm, &table));
  PetscCall(TableDestroy(&table));
  PetscCall(PetscFree3(about, shape, text));
  PetscFunctionReturn(0);
}
