// SPDX-License-Identifier: Apache-2.0
#include "post/plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void range_extend(double range[2], double value) {
  if (!isfinite(value)) return;
  if (!(range[0] <= value)) range[0] = value;
  if (!(range[1] >= value)) range[1] = value;
}

bool range_contains(const double range[2], double value) { return !(value < range[0]) && !(value > range[1]); }

static bool read_one(Plot *p, int run, int column, const char *label, const RowSelection *rows, PlotSeries *s) {
  Results *r = p->run[run];
  *s = (PlotSeries){.n = rows->count, .run = run, .column = column, .label = label};
  snprintf(s->units, sizeof s->units, "%s", results_column(r, column)->units);
  s->x = malloc((size_t)rows->count * sizeof *s->x);
  if (!s->x) return print_command_error(plot_name, "there is not enough memory"), false;
  for (int i = 0; i < rows->count; i++) s->x[i] = results_time(r)[rows->first + (size_t)i * (size_t)rows->every];
  return read_selected_values(plot_name, r, column, rows, &s->y);
}

// Column by column of the first run, which gives the labels; of each all runs.
bool series_read(Plot *p, PlotSeries **out, int *count) {
  ColumnSelection c[MAX_RUNS] = {0};
  RowSelection rows[MAX_RUNS];
  bool good = true;
  *out = NULL, *count = 0;
  for (int i = 0; good && i < p->runs; i++)
    good = select_columns(plot_name, p->run[i], p->words, p->word, &c[i]) &&
           select_rows(plot_name, p->run[i], &p->time_range, &rows[i]);
  for (int i = 1; good && i < p->runs; i++)
    if (c[i].count != c[0].count) {
      print_command_error(plot_name, "the columns of %s and %s differ; name them one by one", results_path(p->run[0]),
                          results_path(p->run[i]));
      good = false;
    }
  if (good) *out = calloc((size_t)c[0].count * (size_t)p->runs, sizeof **out);
  for (int k = 0; good && *out && k < c[0].count; k++)
    for (int i = 0; good && i < p->runs; i++)
      good = read_one(p, i, c[i].column[k], c[0].label[k], &rows[i], &(*out)[(*count)++]);
  for (int i = 0; i < p->runs; i++) column_selection_free(&c[i]);
  if (good && *out) return true;
  series_free(*out, *count);
  *out = NULL, *count = 0;
  return false;
}

void print_damaged_history(const Plot *p) {
  print_command_error(plot_name, "'%s' is damaged: a quantity has more columns than it should",
                      results_path(p->run[0]));
}

bool series_over(Plot *p, PlotSeries *s, int count, const char **name, const char **units) {
  const char *over = argument_value(p->arguments, "over");
  bool good = true;
  for (int i = 0; over && good && i < count; i++) {
    Results *r = p->run[s[i].run];
    ColumnSelection c = {0};
    RowSelection rows;
    double *x = NULL;
    good = select_columns(plot_name, r, 1, &over, &c) && select_rows(plot_name, r, &p->time_range, &rows);
    if (good && c.count != 1)
      good = false, print_command_error(plot_name, "--over '%s' is %d columns; name one, such as %s", over, c.count,
                                        results_column(r, c.column[0])->name);
    if (good) good = read_selected_values(plot_name, r, c.column[0], &rows, &x);
    if (good) {
      free(s[i].x), s[i].x = x;
      if (s[i].run == 0) *name = over, *units = results_column(r, c.column[0])->units;
    }
    column_selection_free(&c);
  }
  return good;
}

void series_free(PlotSeries *s, int count) {
  for (int i = 0; i < count; i++) free(s[i].x), free(s[i].y);
  free(s);
}

bool series_flatten(Plot *p, PlotSeries *s, int count) {
  bool good = true;
  for (int run = 0; run < p->runs && good; run++) {
    CurveScales scales = {0};
    RowSelection rows;
    good = select_rows(plot_name, p->run[run], &p->time_range, &rows) &&
           curve_scales_begin(plot_name, p->run[run], &rows, &scales);
    for (int i = 0; i < count && good; i++) {
      if (s[i].run != run) continue;
      s[i].round_off = curve_round_off(&scales, s[i].column, s[i].n, s[i].y);
      curve_flatten(&s[i].round_off, s[i].n, s[i].y);
    }
    curve_scales_end(&scales);
  }
  return good;
}

// Of each piece the least and the largest value, in the order in which they come.
void series_thin(PlotSeries *s, int pieces) {
  if (s->n <= 4 * pieces) return;
  int n = 0;
  for (int k = 0; k < pieces; k++) {
    int from = (int)((long long)k * s->n / pieces), to = (int)((long long)(k + 1) * s->n / pieces);
    int least = from, most = from;
    for (int i = from; i < to; i++) {
      if (s->y[i] < s->y[least]) least = i;
      if (s->y[i] > s->y[most]) most = i;
    }
    int first = least < most ? least : most, second = least < most ? most : least;
    double x[2] = {s->x[first], s->x[second]}, y[2] = {s->y[first], s->y[second]};
    for (int i = 0; i < (first == second ? 1 : 2); i++) s->x[n] = x[i], s->y[n++] = y[i];
  }
  s->n = n;
}

void series_legend(const Plot *p, const PlotSeries *s, int columns, const char *name, char *text, size_t size) {
  if (p->runs == 1) snprintf(text, size, "%s", columns == 1 ? "" : name);
  else if (columns == 1) snprintf(text, size, "%s", p->label[s->run]);
  else snprintf(text, size, "%s, %s", name, p->label[s->run]);
}
