// SPDX-License-Identifier: Apache-2.0
// Histories: all rows of all columns where that is little, else of each stretch of rows the least and the largest value of
// each column, in their order, so that no peak is lost.
#include "post/curves.h"
#include "post/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 4000, BUDGET = 2000000 }; // of a column; bytes of all

static void write_columns(ViewerPage *v, int columns, const RoundOff *round_off) {
  fputs(",\n\"columns\":[", v->scene.json);
  for (int i = 0; i < columns; i++) {
    const ResultColumn *c = results_column(v->run, i);
    char title[400];
    quantity_title(c, title, sizeof title);
    const struct {
      const char *key, *text;
    } part[] = {{"name", c->name},
                {"brief", c->brief},
                {"group", c->group},
                {"quantity", c->quantity},
                {"title", title},
                {"still", round_off_text(&round_off[i])},
                {"units", c->units},
                {"component", c->component},
                {"description", c->description}};
    for (int k = 0; k < 9; k++) {
      fprintf(v->scene.json, "%s\"%s\":", k ? "," : i ? ",\n{" : "{", part[k].key);
      json_text(v->scene.json, part[k].text);
    }
    if (*round_off_text(&round_off[i])) fprintf(v->scene.json, ",\"scale\":%.6g", round_off[i].scale);
    fputs("}", v->scene.json);
  }
  fputs("]", v->scene.json);
}

// Least and largest of rows `from` to `to - 1`, whichever comes first before the other.
static void find_extremes(const double *x, int from, int to, float out[2]) {
  int least = from, most = from;
  for (int i = from; i < to; i++) {
    if (x[i] < x[least]) least = i;
    if (x[i] > x[most]) most = i;
  }
  out[0] = (float)x[least < most ? least : most], out[1] = (float)x[least < most ? most : least];
}

// Energies that are added up must be of one time: of each stretch the first and the last row.
static void decimate_column(const double *x, int rows, int rows_shown, bool energies, float *out) {
  int parts = rows_shown / 2;
  for (int i = 0; i < rows_shown && rows_shown == rows; i++) out[i] = (float)x[i];
  for (int p = 0; p < parts && rows_shown < rows; p++) {
    int from = (int)((long)p * rows / parts), to = (int)((long)(p + 1) * rows / parts);
    if (energies) out[2 * p] = (float)x[from], out[2 * p + 1] = (float)x[to - 1];
    else find_extremes(x, from, to, out + 2 * p);
  }
}

static void decimate_time(ViewerPage *v, const double *t, double *out) {
  int rows = v->rows_of, parts = v->rows / 2;
  for (int i = 0; i < v->rows && v->rows == rows; i++) out[i] = t[i];
  for (int p = 0; p < parts && v->rows < rows; p++) {
    int from = (int)((long)p * rows / parts), to = (int)((long)(p + 1) * rows / parts);
    out[2 * p] = t[from], out[2 * p + 1] = t[to - 1];
    v->row_shift = fmax(v->row_shift, t[to - 1] - t[from]);
  }
}

static Error WriteHistories(ViewerPage *v, bool *good) {
  int columns = results_columns(v->run), n = v->rows_of = results_rows(v->run);
  double most = fmin(MOST_ROWS, (double)BUDGET / (4.0 * (columns > 0 ? columns : 1))), *x = NULL, *t = NULL;
  float *all = NULL;
  RoundOff *round_off = NULL;
  CurveScales scales = {0};
  v->rows = n <= most ? n : 2 * (int)(fmax(most, 20) / 2);
  TRY(MemoryNew((size_t)(n + 1) * sizeof *x, &x));
  TRY(MemoryNew((size_t)(v->rows + 1) * sizeof *t, &t));
  TRY(MemoryNew(((size_t)v->rows * (size_t)columns + 1) * sizeof *all, &all));
  TRY(MemoryNew(((size_t)columns + 1) * sizeof *round_off, &round_off));
  *good = curve_scales_begin(view_name, v->run, &(RowSelection){0, n, 1}, &scales);
  decimate_time(v, results_time(v->run), t);
  for (int i = 0; i < columns && *good; i++) {
    *good = results_read(v->run, i, 0, n, x);
    if (*good) round_off[i] = curve_round_off(&scales, i, n, x), curve_flatten(&round_off[i], n, x);
    decimate_column(x, n, v->rows, !strcmp(results_column(v->run, i)->group, "ledger"),
                    all + (size_t)i * (size_t)v->rows);
  }
  view_array(v, "time", VIEW_F64, (size_t)v->rows, t);
  view_array(v, "history", VIEW_F32, (size_t)v->rows * (size_t)columns, all);
  write_columns(v, columns, round_off);
  curve_scales_end(&scales);
  memory_free(&x), memory_free(&t), memory_free(&all), memory_free(&round_off);
  return 0;
}

bool view_history(ViewerPage *v) {
  bool good = true;
  v->machine = WriteHistories(v, &good) != 0;
  if (!good) print_command_error(view_name, "'%s' is damaged: its history cannot be read", results_path(v->run));
  return good && !v->machine;
}
