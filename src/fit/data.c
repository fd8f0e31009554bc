// SPDX-License-Identifier: Apache-2.0
// Measured data: histories in tables and single numbers. Each measured number becomes a quantity of the model.
#include "fit/fit.h"

#include "input/yaml/table.h"
#include "input/yaml/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const Input *in;
  SourceReader read;
  LimberFit f;
  GradientQuantity *quantity;
  int room;
  Refusal *wrong;
} DataWork;

// ---- points ----

static PetscErrorCode AddPoint(DataWork *w, const GradientQuantity *q, double time, double value) {
  LimberFit f = w->f;
  PetscFunctionBegin;
  if (f->points == LIMIT_FIT_POINTS) {
    refuse(w->wrong, "there are more than %d measured numbers", LIMIT_FIT_POINTS);
    PetscFunctionReturn(0);
  }
  if (f->points == w->room) {
    w->room = w->room ? 2 * w->room : 256;
    PetscCall(PetscRealloc((size_t)w->room * sizeof *w->quantity, &w->quantity));
    PetscCall(PetscRealloc((size_t)w->room * sizeof *f->time, &f->time));
    PetscCall(PetscRealloc((size_t)w->room * sizeof *f->measured, &f->measured));
  }
  w->quantity[f->points] = *q;
  f->time[f->points] = time, f->measured[f->points++] = value;
  PetscFunctionReturn(0);
}

// ---- tables ----

typedef struct {
  const char *file, *text;
  TableLines lines;
  int time, value; // columns
} DataTable;

// "measured.csv:12:7" of a place in the text.
static void refuse_at(Refusal *wrong, const DataTable *t, const char *at, const char *what) {
  const char *begin = at;
  while (begin > t->text && begin[-1] != '\n') begin--;
  refuse(wrong, "%.4000s:%d:%d: %s", t->file, t->lines.line, (int)(at - begin) + 1, what);
}

static int find_column(const TableLines *l, TableCell line, const char *name) {
  char *end;
  long number = strtol(name, &end, 10);
  int count = 0;
  for (; line.length; count++) {
    TableCell c = next_table_cell(l, &line);
    if (c.length == strlen(name) && !memcmp(c.text, name, c.length)) return count;
  }
  return *name && !*end && number >= 1 && number <= count ? (int)number - 1 : -1;
}

static bool find_columns(DataTable *t, const FitData *d, Refusal *wrong) {
  TableCell header;
  char text[400];
  if (!next_table_line(&t->lines, &header)) {
    refuse(wrong, "%.4000s:1:1: the file has no lines", t->file);
    return false;
  }
  find_table_divider(&t->lines, header);
  t->time = d->time ? find_column(&t->lines, header, d->time) : 0;
  t->value = find_column(&t->lines, header, d->column);
  if (t->time >= 0 && t->value >= 0 && t->time != t->value) return true;
  if (t->time == t->value) snprintf(text, sizeof text, "times and values cannot be in one column");
  else
    snprintf(text, sizeof text, "the first line has no column '%.100s'; name one of its columns as `%s`",
             t->time < 0 ? d->time : d->column, t->time < 0 ? "time" : "column");
  refuse_at(wrong, t, header.text, text);
  return false;
}

// A cell of a line; false: it is no number. An empty one is NAN.
static bool read_cell(const DataTable *t, TableCell line, int column, double *out, Refusal *wrong) {
  const char *end = line.text + line.length;
  TableCell c = {end, 0};
  for (int i = 0; i <= column; i++) c = line.length ? next_table_cell(&t->lines, &line) : (TableCell){end, 0};
  *out = NAN;
  if (!c.length || read_table_number(c, out)) return true;
  refuse_at(wrong, t, c.text,
            memchr(c.text, ',', c.length) ? "this is not a number: a decimal point is written '.'"
                                          : "this is not a number; leave the cell empty where nothing was measured");
  return false;
}

static PetscErrorCode ReadRows(DataWork *w, const FitData *d, GradientQuantity *q, DataTable *t) {
  double end = fmin(d->to, w->in->end * (1 + 1e-12)), time, value, last = -INFINITY;
  int early = 0, late = 0;
  TableCell line;
  PetscFunctionBegin;
  while (!is_refused(w->wrong) && next_table_line(&t->lines, &line)) {
    if (!read_cell(t, line, t->time, &time, w->wrong) || !read_cell(t, line, t->value, &value, w->wrong)) break;
    if (isnan(time) && !isnan(value)) refuse_at(w->wrong, t, line.text, "this line has a value without a time");
    time *= d->time_factor;
    if (time <= last) refuse_at(w->wrong, t, line.text, "times must grow from line to line");
    if (isnan(time) || is_refused(w->wrong)) continue;
    last = time;
    if (isnan(value) || (d->from > 0 && time < d->from) || time > d->to) continue;
    if (time < 0) early++;
    if (time > end) late++;
    q->number = time;
    if (time >= 0 && time <= end) PetscCall(AddPoint(w, q, time, value * d->factor));
  }
  if (early) fit_remark(w->f, "%s: %d rows before the start of the run, t = 0, are left out", t->file, early);
  if (late) fit_remark(w->f, "%s: %d rows after the end of the run, %g s, are left out", t->file, late, w->in->end);
  PetscFunctionReturn(0);
}

// Of a file below the folder of the model file.
static PetscErrorCode ReadHistory(DataWork *w, const FitData *d, FitEntry *e) {
  const char *slash = strrchr(w->in->file, '/');
  int folder = slash ? (int)(slash - w->in->file) + 1 : 0;
  char path[4096], below[4096];
  SourceText text = {0};
  GradientQuantity q = {.of = OF_TIME};
  PetscFunctionBegin;
  if (!(w->in->end > 0)) refuse(w->wrong, "the file has no part `run`, which measured histories need");
  snprintf(path, sizeof path, "%.*s%s", *d->file == '/' ? 0 : folder, w->in->file, d->file);
  snprintf(below, sizeof below, "%.*s", folder ? folder : 1, folder ? w->in->file : ".");
  SourceRule rule = {w->in->allow_outside ? NULL : below, LIMIT_FILE_BYTES};
  if (!is_refused(w->wrong)) PetscCall(w->read(path, &rule, &text));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  if (!text.text) refuse(w->wrong, "cannot read '%.4000s': %s", path, source_error(text.error));
  else if (memchr(text.text, 0, text.length)) refuse(w->wrong, "'%.4000s' is not a text file", path);
  DataTable t = {.file = d->file, .text = text.text};
  if (!is_refused(w->wrong)) t.lines = table_lines(text.text, text.length);
  snprintf(q.text, sizeof q.text, "%s", d->of), snprintf(q.column, sizeof q.column, "%s", d->of);
  if (!is_refused(w->wrong) && find_columns(&t, d, w->wrong)) PetscCall(ReadRows(w, d, &q, &t));
  memory_free(&text.text);
  e->file = d->file;
  if (!is_refused(w->wrong) && w->f->points == e->first)
    refuse(w->wrong, "%.4000s: no row has a number in column '%s' within the run", t.file, d->column);
  PetscFunctionReturn(0);
}

PetscErrorCode FitReadData(const Input *in, SourceReader read, LimberFit f, GradientQuantity **quantity,
                           Refusal *wrong) {
  DataWork w = {.in = in, .read = read, .f = f, .wrong = wrong};
  PetscFunctionBegin;
  for (int i = 0; i < in->fit.measured && !is_refused(wrong); i++) {
    const FitData *d = &in->fit.data[i];
    FitEntry *e = &f->entry[i];
    GradientQuantity q;
    *e = (FitEntry){.first = f->points, .noise = d->noise, .estimated = isnan(d->noise)};
    snprintf(e->of, sizeof e->of, "%s", d->of);
    if (d->file) PetscCall(ReadHistory(&w, d, e));
    else if (parse_quantity(d->of, &q, wrong)) PetscCall(AddPoint(&w, &q, NAN, d->value));
    e->count = f->points - e->first;
  }
  *quantity = w.quantity;
  PetscFunctionReturn(0);
}

PetscErrorCode FitCheckUnits(const Input *in, const struct LimberFitData *f, Refusal *wrong) {
  Units *units = NULL;
  PetscFunctionBegin;
  for (int i = 0; i < f->entries && !is_refused(wrong); i++)
    PetscCall(TunedCheckUnit(&units, f->entry[i].of, f->entry[i].unit, in->fit.data[i].unit, wrong));
  PetscCall(UnitsDestroy(&units));
  PetscFunctionReturn(0);
}
