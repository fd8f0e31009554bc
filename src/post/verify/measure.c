// SPDX-License-Identifier: Apache-2.0
// Numbers from columns of results, or from a formula of columns, such as ledger.kinetic + ledger.strain, which is
// evaluated row by row.
#include "post/verify/measure.h"

#include "model/formula.h"
#include "model/refusal.h"
#include "post/curves.h"
#include "results/read/results.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 32 };

typedef struct {
  Results *r;
  int column[MOST_COLUMNS], columns;
  double value[MOST_COLUMNS]; // of each in the row under way
  bool crowded;
} ColumnExpression;

// Is it a formula, rather than the name of a column?
static bool is_expression(const Results *r, const char *text) {
  Refusal none;
  int first;
  return strpbrk(text, "+-*/^( ") && !results_find(r, text, &first, &none);
}

static const double *find_named_column(void *owner, const char *name) {
  ColumnExpression *c = owner;
  Refusal none;
  int column;
  if (results_find(c->r, name, &column, &none) != 1) return NULL;
  for (int i = 0; i < c->columns; i++)
    if (c->column[i] == column) return &c->value[i];
  if (c->columns == MOST_COLUMNS) return c->crowded = true, &c->value[0];
  c->column[c->columns] = column;
  return &c->value[c->columns++];
}

static bool evaluate_rows(ColumnExpression *c, Formula *f, int first, int count, double *values) {
  double *read = malloc((size_t)count * (size_t)(c->columns + 1) * sizeof *read);
  bool good = read != NULL;
  for (int k = 0; good && k < c->columns; k++)
    good = results_read(c->r, c->column[k], first, count, read + (size_t)k * (size_t)count);
  for (int i = 0; good && i < count; i++) {
    for (int k = 0; k < c->columns; k++) c->value[k] = read[(size_t)k * (size_t)count + (size_t)i];
    values[i] = formula_value(f);
  }
  free(read);
  return good;
}

// Rows `first` to `first + count - 1`. False, with the reason in `wrong`, if the formula is mistaken.
static bool evaluate_expression(Results *r, const char *text, int first, int count, double *values, Refusal *wrong) {
  ColumnExpression c = {.r = r};
  FormulaMistake mistake;
  Formula *f = NULL;
  bool good = false;
  int column, found;
  if (FormulaCreate(text, find_named_column, &c, &f, &mistake)) refuse(wrong, "not enough memory");
  else if (mistake.unknown[0]) {
    found = results_find(r, mistake.unknown, &column, wrong);
    if (found > 1)
      refuse(wrong, "'%s' is %d columns; name one, such as %s", mistake.unknown, found,
             results_column(r, column)->name);
  } else if (mistake.text[0]) refuse(wrong, "'%s': %s", text, mistake.text);
  else if (c.crowded) refuse(wrong, "a formula has at most %d columns", MOST_COLUMNS);
  else if (!evaluate_rows(&c, f, first, count, values)) refuse(wrong, "'%s' cannot be read", text);
  else good = true;
  formula_destroy(&f);
  return good;
}

typedef struct { // a column between two times
  const double *time;
  double *value;
  int count;
} MeasuredSeries;

// In a message, a file that goes away again is called "the file".
static void forget_path(const Results *r, Measured *out) {
  size_t path = strlen(results_path(r));
  Refusal whole = out->wrong;
  if (!strncmp(whole.text, results_path(r), path)) refuse(&out->wrong, "the file%s", whole.text + path);
}

// Is there such a column, or a formula? Its units.
static bool find_column(const Quantity *q, const char *name, Results *r, int *column, bool *formula, Measured *out) {
  *formula = is_expression(r, name);
  int found = *formula ? 1 : results_find(r, name, column, &out->wrong);
  if (found > 1)
    refuse(&out->wrong, "'%s' is %d columns; name one, such as %s", name, found, results_column(r, *column)->name);
  snprintf(out->units, sizeof out->units, "%s",
           q->unit              ? q->unit
           : *formula || !found ? ""
                                : results_column(r, *column)->units);
  return found == 1;
}

// The rows of a column or formula between two times; its value is NULL, and the reason is reported, if there are none.
static MeasuredSeries read_series(const Quantity *q, const char *name, Results *r, Measured *out) {
  MeasuredSeries s = {0};
  int column = 0, first;
  bool formula, good = find_column(q, name, r, &column, &formula, out);
  s.count = good ? results_time_range(r, q->from, q->to, &first) : 0;
  if (good && !s.count) refuse(&out->wrong, "the results have no rows from %g s to %g s", q->from, q->to);
  if (s.count) {
    s.time = results_time(r) + first;
    s.value = malloc((size_t)s.count * sizeof *s.value);
    if (!s.value) refuse(&out->wrong, "not enough memory");
    else if (formula) evaluate_expression(r, name, first, s.count, s.value, &out->wrong);
    else if (!results_read(r, column, first, s.count, s.value)) refuse(&out->wrong, "'%s' cannot be read", name);
  }
  forget_path(r, out);
  if (is_refused(&out->wrong)) free(s.value), s.value = NULL;
  return s;
}

// Between two rows the value is taken along a straight line.
static double value_at(const MeasuredSeries *s, double t, Measured *out) {
  double near = 1e-9 * (s->time[s->count - 1] - s->time[0]);
  int i = 0;
  while (i < s->count && s->time[i] < t - near) i++;
  if (i == s->count || (i == 0 && s->time[0] > t + near)) {
    refuse(&out->wrong, "t = %g s lies outside the results, which go from %g s to %g s", t, s->time[0],
           s->time[s->count - 1]);
    return 0;
  }
  if (fabs(s->time[i] - t) <= near) return s->value[i];
  double part = (t - s->time[i - 1]) / (s->time[i] - s->time[i - 1]);
  return (1 - part) * s->value[i - 1] + part * s->value[i];
}

// Rows in which another column has values from `from` to `to`, with these in place of the time.
static MeasuredSeries read_over(const Quantity *q, Results *r, Measured *out) {
  Quantity all = *q;
  all.from = -INFINITY, all.to = INFINITY;
  MeasuredSeries x = read_series(&all, q->over, r, out), y = {0};
  if (x.value) y = read_series(&all, q->column, r, out);
  if (y.value) {
    double low = fmin(q->from, q->to), high = fmax(q->from, q->to);
    int count = 0;
    for (int i = 0; i < x.count; i++)
      if (x.value[i] >= low && x.value[i] <= high) x.value[count] = x.value[i], y.value[count++] = y.value[i];
    if (!count) refuse(&out->wrong, "'%s' has no values from %g to %g", q->over, low, high);
    y.count = count, y.time = x.value, x.value = NULL;
  }
  free(x.value);
  return y;
}

// Where another column first has the value `at`; between two rows along a straight line.
static double value_over(const Quantity *q, const MeasuredSeries *s, Measured *out) {
  const double *x = s->time;
  double low = x[0], high = x[0];
  for (int i = 0; i < s->count; i++) low = fmin(low, x[i]), high = fmax(high, x[i]);
  double near = 1e-9 * (high - low);
  for (int i = 0; i < s->count; i++) {
    if (fabs(x[i] - q->at) <= near) return s->value[i];
    if (i == 0 || (x[i - 1] < q->at) == (x[i] < q->at)) continue;
    double part = (q->at - x[i - 1]) / (x[i] - x[i - 1]);
    return (1 - part) * s->value[i - 1] + part * s->value[i];
  }
  refuse(&out->wrong, "'%s' never is %g: it goes from %g to %g", q->over, q->at, low, high);
  return 0;
}

static double peak_of(const Quantity *q, const MeasuredSeries *s) {
  int best = 0;
  for (int i = 1; i < s->count; i++) {
    double x = s->value[i], y = s->value[best];
    switch (q->peak) {
    case PEAK_LARGEST: best = x > y ? i : best; break;
    case PEAK_SMALLEST: best = x < y ? i : best; break;
    case PEAK_FARTHEST: best = fabs(x) > fabs(y) ? i : best; break;
    }
  }
  return q->give == GIVE_PLACE ? s->time[best] : s->value[best];
}

// Of the rows after `from`: with that at `to` a period that fits in between is counted once.
static double spectral_peak(const Quantity *q, const MeasuredSeries *all, Measured *out) {
  int skip = all->count > 1 && all->time[0] <= q->from + 1e-6 * (all->time[1] - all->time[0]);
  MeasuredSeries tail = {all->time + skip, all->value + skip, all->count - skip}, *s = &tail;
  int n = s->count, best = -1;
  double *amplitude = malloc((size_t)spectrum_size(n) * sizeof *amplitude);
  double h = n > 1 ? (s->time[n - 1] - s->time[0]) / (n - 1) : 0, result = 0;
  bool even = h > 0;
  for (int i = 1; i < n; i++) even = even && fabs(s->time[i] - s->time[i - 1] - h) < 1e-6 * h;
  if (!even)
    refuse(&out->wrong,
           "a spectrum needs equally spaced rows; a run that chooses its steps has them with 'rows' of 'control'");
  else if (!amplitude || !amplitude_spectrum(n, s->value, false, amplitude))
    refuse(&out->wrong, "not enough memory for a spectrum");
  for (int k = 0; !is_refused(&out->wrong) && k < spectrum_size(n); k++) {
    double f = k / (n * h);
    if (f >= q->band[0] && f <= q->band[1] && (best < 0 || amplitude[k] > amplitude[best])) best = k;
  }
  if (!is_refused(&out->wrong) && best < 0)
    refuse(&out->wrong, "the spectrum has no line from %g Hz to %g Hz: its lines are %g Hz apart", q->band[0],
           q->band[1], 1 / (n * h));
  else if (best >= 0) result = q->give == GIVE_PLACE ? best / (n * h) : amplitude[best];
  free(amplitude);
  return result;
}

// Over the times that both have.
static double measure_difference(const Quantity *q, const MeasuredSeries *a, const MeasuredSeries *b, Measured *out) {
  double near = 1e-9 * (a->time[a->count - 1] - a->time[0]), largest = 0, squares = 0;
  int common = 0;
  for (int i = 0, j = 0; i < a->count && j < b->count;) {
    if (a->time[i] < b->time[j] - near) i++;
    else if (b->time[j] < a->time[i] - near) j++;
    else {
      double d = fabs(a->value[i++] - b->value[j++]);
      largest = fmax(largest, d), squares += d * d, common++;
    }
  }
  if (!common) refuse(&out->wrong, "the runs have no time in common");
  return q->norm == NORM_LARGEST || !common ? largest : sqrt(squares / common);
}

// The order by which the differences of neighbouring steps fall, from the last three.
static double measure_order(const Quantity *q, int count, const MeasuredSeries *s, Measured *out) {
  double d[2];
  for (int k = 0; k < 2; k++) {
    const MeasuredSeries *coarse = &s[count - 3 + k], *fine = coarse + 1;
    d[k] = q->at < 0 ? measure_difference(q, coarse, fine, out)
                     : fabs(value_at(coarse, q->at, out) - value_at(fine, q->at, out));
  }
  if (!is_refused(&out->wrong) && !(d[0] > 0 && d[1] > 0))
    refuse(&out->wrong, "the runs do not differ: there is no order");
  return is_refused(&out->wrong) ? 0 : log(d[0] / d[1]) / log(q->step[0] / q->step[1]);
}

// What the last three values at a time go to as the step goes to zero, if their error falls by one power of it.
static double measure_limit(const Quantity *q, int count, const MeasuredSeries *s, Measured *out) {
  double x[3];
  for (int k = 0; k < 3; k++) x[k] = value_at(&s[count - 3 + k], q->at, out);
  double coarse = x[1] - x[0], fine = x[2] - x[1];
  if (!is_refused(&out->wrong) && !(fabs(fine) < fabs(coarse)))
    refuse(&out->wrong, "the values do not come closer: there is no limit");
  return is_refused(&out->wrong) ? 0 : x[2] + fine * fine / (coarse - fine);
}

// From the first passage upwards through zero to the last of `periods` more; between two rows along a straight line.
static double measure_period(const Quantity *q, const MeasuredSeries *s, Measured *out) {
  double first = 0, last = 0;
  int passages = 0;
  for (int i = 1; i < s->count && passages <= q->periods; i++) {
    double a = s->value[i - 1], b = s->value[i];
    if (!(a <= 0 && b > 0)) continue;
    last = s->time[i - 1] + (s->time[i] - s->time[i - 1]) * a / (a - b);
    if (!passages++) first = last;
  }
  if (passages <= q->periods)
    refuse(&out->wrong, "'%s' passes upwards through zero %d times, which is too few for %d periods", q->column,
           passages, q->periods);
  return (last - first) / q->periods;
}

void measure_quantity(const Quantity *q, int count, Results *const *results, Measured *out) {
  MeasuredSeries *s = calloc((size_t)count, sizeof *s);
  *out = (Measured){.units = ""};
  if (!s) refuse(&out->wrong, "not enough memory");
  for (int i = 0; s && i < count && !is_refused(&out->wrong); i++)
    s[i] = q->over ? read_over(q, results[i], out) : read_series(q, q->column, results[i], out);
  if (!is_refused(&out->wrong)) switch (q->measure) {
    case MEASURE_AT:
      out->value = q->over ? value_over(q, s, out) : value_at(s, q->at, out);
      if (q->since >= 0) out->value -= value_at(s, q->since, out);
      break;
    case MEASURE_PEAK:
      out->value = peak_of(q, s);
      if (q->give == GIVE_PLACE) strcpy(out->units, q->over ? "" : "s");
      break;
    case MEASURE_SPECTRUM:
      out->value = spectral_peak(q, s, out);
      if (q->give == GIVE_PLACE) strcpy(out->units, "Hz");
      break;
    case MEASURE_DIFFERENCE: out->value = measure_difference(q, &s[0], &s[1], out); break;
    case MEASURE_ORDER:
      out->value = q->give == GIVE_LIMIT ? measure_limit(q, count, s, out) : measure_order(q, count, s, out);
      if (q->give != GIVE_LIMIT) strcpy(out->units, "1");
      break;
    case MEASURE_PERIOD:
      out->value = measure_period(q, s, out);
      strcpy(out->units, "s");
      break;
    }
  for (int i = 0; s && i < count; i++) {
    free(s[i].value);
    if (q->over) free((double *)s[i].time);
  }
  free(s);
}
