// SPDX-License-Identifier: Apache-2.0
#include "post/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const compare_name = "compare";

// ---- rows ----

static bool same_times(const Comparison *c, int count) {
  const double *a = results_time(c->run[0]) + c->first[0], *b = results_time(c->run[1]) + c->first[1];
  for (int i = 0; i < count; i++)
    if (fabs(a[i] - b[i]) > 1e-12 * fmax(fabs(a[i]), fabs(b[i]))) return false;
  return true;
}

// The rows of the first run that lie within both, and whether the second must be resampled to them.
static bool select_times(Comparison *c, const TimeRange *time_range) {
  double from = time_range->from, to = time_range->to;
  int count[2];
  for (int k = 0; k < 2; k++) {
    const double *t = results_time(c->run[k]);
    from = fmax(from, t[0]), to = fmin(to, t[results_rows(c->run[k]) - 1]);
  }
  for (int k = 0; k < 2; k++) count[k] = results_time_range(c->run[k], from, to, &c->first[k]);
  c->rows = count[0], c->time = (double *)results_time(c->run[0]) + c->first[0];
  c->resampled = count[0] != count[1] || !same_times(c, count[0]);
  if (c->rows > 0 && count[1] > 0) return true;
  return print_command_error(compare_name, "the runs have no time in common"), false;
}

static double *read_rows(Results *r, int column, int first, int count) {
  double *x = calloc((size_t)count + 1, sizeof *x);
  if (x && results_read(r, column, first, count, x)) return x;
  free(x);
  return print_command_error(compare_name, "'%s' is damaged: its history cannot be read", results_path(r)), NULL;
}

// The second run at the times of the first, straight between its rows.
static double *resample_column(const Comparison *c, int column) {
  Results *r = c->run[1];
  const double *t = results_time(r);
  int rows = results_rows(r), k = 0;
  double *x = read_rows(r, column, 0, rows), *out = x ? calloc((size_t)c->rows + 1, sizeof *out) : NULL;
  for (int i = 0; out && i < c->rows; i++) {
    double at = fmin(fmax(c->time[i], t[0]), t[rows - 1]);
    while (k + 2 < rows && t[k + 1] < at) k++;
    double part = rows > 1 ? (at - t[k]) / (t[k + 1] - t[k]) : 0;
    out[i] = part <= 0 ? x[k] : part >= 1 ? x[k + 1] : (1 - part) * x[k] + part * x[k + 1];
  }
  free(x);
  return out;
}

// ---- one column ----

static double difference_of(double a, double b) {
  if (isnan(a) && isnan(b)) return 0;
  return a == b ? 0 : isfinite(a) && isfinite(b) ? fabs(a - b) : INFINITY;
}

static bool measure_difference(Comparison *c, Difference *d) {
  double sum = 0, norm = 0;
  d->value[0] = read_rows(c->run[0], d->column[0], c->first[0], c->rows);
  d->value[1] =
      c->resampled ? resample_column(c, d->column[1]) : read_rows(c->run[1], d->column[1], c->first[1], c->rows);
  if (!d->value[0] || !d->value[1]) return false;
  const double *a = d->value[0], *b = d->value[1];
  d->same = true;
  for (int i = 0; i < c->rows; i++) {
    double off = difference_of(a[i], b[i]);
    d->same = d->same && off == 0;
    if (off > d->most) d->most = off, d->at = c->time[i];
    sum += off * off, norm += isfinite(a[i]) ? a[i] * a[i] : 0;
    for (int k = 0; k < 2; k++)
      if (isfinite(d->value[k][i])) d->scale = fmax(d->scale, fabs(d->value[k][i]));
  }
  d->rms = sqrt(sum / c->rows);
  d->relative = sum == 0 ? 0 : norm > 0 ? sqrt(sum / norm) : INFINITY;
  return true;
}

// What the solver did, and round-off itself, is shown but counts only where bits are compared.
static bool is_judged(const ResultColumn *c) {
  if (!strcmp(c->group, "steps")) return false;
  return strcmp(c->group, "ledger") ||
         (strcmp(c->quantity, "residual") && strcmp(c->quantity, "joints") && strcmp(c->quantity, "constraint"));
}

static bool same_quantity(const ResultColumn *a, const ResultColumn *b) {
  return !strcmp(a->group, b->group) && !strcmp(a->quantity, b->quantity) && !strcmp(a->units, b->units);
}

// The largest value of the columns that have this unit.
static double largest_of(const Comparison *c, const char *units) {
  double most = 0;
  for (int i = 0; i < c->columns; i++)
    if (!strcmp(c->column[i].name->units, units)) most = fmax(most, c->column[i].scale);
  return most;
}

// A component that vanishes is measured by the others of its quantity, an energy by what was exchanged, and a place that
// stands still by a millionth of what others with its unit do.
static void unify_scales(Comparison *c) {
  double exchanged = 0, *floor = calloc((size_t)c->columns + 1, sizeof *floor);
  for (int i = 0; floor && i < c->columns; i++) floor[i] = 1e-6 * largest_of(c, c->column[i].name->units);
  for (int i = 0, n; i < c->columns; i += n) {
    Difference *d = &c->column[i];
    double scale = floor ? floor[i] : 0;
    for (n = 0; i + n < c->columns && same_quantity(d[0].name, d[n].name); n++) scale = fmax(scale, d[n].scale);
    for (int k = 0; k < n; k++) d[k].scale = scale;
    if (!strcmp(d->name->name, "ledger.exchanged")) exchanged = scale;
  }
  for (int i = 0; i < c->columns; i++)
    if (!strcmp(c->column[i].name->group, "ledger") && !strcmp(c->column[i].name->units, "J"))
      c->column[i].scale = fmax(c->column[i].scale, exchanged);
  free(floor);
}

double beyond_scale(const Difference *d) { return d->most == 0 ? 0 : d->scale > 0 ? d->most / d->scale : INFINITY; }

// ---- all columns ----

static int find_same(Results *r, const char *name) {
  for (int i = 0; i < results_columns(r); i++)
    if (!strcmp(results_column(r, i)->name, name)) return i;
  return -1;
}

static bool is_asked(Results *r, int column, int words, const char *const *word, bool *good) {
  char wrong[5000];
  bool asked = !words;
  for (int w = 0; w < words && *good; w++) {
    int first, n = results_find(r, word[w], &first, wrong, sizeof wrong);
    if (!n) *good = false, print_command_error(compare_name, "%s", wrong);
    asked = asked || (column >= first && column < first + n);
  }
  return asked;
}

static bool pair_columns(Comparison *c, int words, const char *const *word) {
  bool good = true;
  for (int k = 0; k < 2; k++) {
    int n = results_columns(c->run[k]);
    c->alone[k] = calloc((size_t)n + 1, sizeof **c->alone);
    if (!k) c->column = calloc((size_t)n + 1, sizeof *c->column);
    if (!c->alone[k] || !c->column) return print_command_error(compare_name, "there is not enough memory"), false;
    for (int i = 0; i < n && good; i++) {
      const ResultColumn *name = results_column(c->run[k], i);
      int other = find_same(c->run[1 - k], name->name);
      if (!strcmp(name->name, "time") || !is_asked(c->run[k], i, words, word, &good)) continue;
      if (other < 0) c->alone[k][c->alones[k]++] = i;
      else if (!k) c->column[c->columns++] = (Difference){.column = {i, other}, .name = name};
    }
  }
  return good;
}

bool compare_columns(Comparison *c, const TimeRange *time_range, int words, const char *const *word) {
  if (!pair_columns(c, words, word) || !select_times(c, time_range)) return false;
  for (int i = 0; i < c->columns; i++)
    if (!measure_difference(c, &c->column[i])) return false;
  unify_scales(c);
  for (int i = 0; i < c->columns; i++) {
    Difference *d = &c->column[i];
    d->judged = c->tolerance == 0 || is_judged(d->name);
    c->beyond += d->judged && !(beyond_scale(d) <= c->tolerance);
  }
  return true;
}

void comparison_free(Comparison *c) {
  for (int i = 0; i < c->columns; i++) free(c->column[i].value[0]), free(c->column[i].value[1]);
  free(c->column), free(c->alone[0]), free(c->alone[1]);
  for (int k = 0; k < 2; k++)
    if (c->run[k]) results_close(&c->run[k]);
}
