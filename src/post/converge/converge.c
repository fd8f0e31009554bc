// SPDX-License-Identifier: Apache-2.0
#include "post/converge/converge.h"

#include "post/curves.h"
#include "post/selection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const converge_measures[CONVERGE_MEASURES] = {"end", "min", "max", "mean", "rms", "history"};
const char *const converge_verdicts[VERDICT_NOT_CONVERGED + 1] = {"converged", "order not seen", "not converged"};

// Differences below this part of a quantity's range are those of Newton's tolerance, and have no order.
static const double solver_noise = 1e-8;
static const double tiny = 0.01; // a range that shrinks with the step, over the scale of what it belongs to
static const double width = 0.5; // of the observed order about that of the scheme; also the least order of a bar
static const double sure = 1.25; // safety factor where the order is seen
static const double unsure = 3;  // ... where it is not; the order is 1 then
static const double beyond_vertex = 1.5; // ... of the distance of a vertex from the extreme row

// ---- the bar ----

// Jumps of a motion shift in time by chance, which costs order 1: a smaller difference, and the order that it shows, may
// be chance, too.
static double wide_bar(const double d[3], const ConvergeOrders *o) {
  double most = fmax(d[0], d[1] / exp2(o->jumps ? 1 : o->order[0]));
  return unsure * (o->jumps ? fmax(most, d[2] / 4) : most); // fmax ignores NaN
}

ConvergeBar converge_bar(const double d[3], bool monotone, const ConvergeOrders *o, double scale) {
  double most = fmax(d[0], d[1]), p = d[0] > 0 && d[1] > 0 ? log2(d[1] / d[0]) : NAN;
  if (most <= solver_noise * scale) return (ConvergeBar){unsure * most, NAN, VERDICT_CONVERGED};
  for (int i = 0; monotone && !o->jumps && i < o->count; i++)
    if (fabs(p - o->order[i]) <= width || (o->faster && p > o->order[i]))
      return (ConvergeBar){sure * d[0] / (exp2(fmin(p, o->order[i])) - 1), p, VERDICT_CONVERGED};
  if (p >= width || (d[0] == 0 && d[1] > 0)) return (ConvergeBar){wide_bar(d, o), p, VERDICT_ORDER_NOT_SEEN};
  if (0.5 * log2(d[2] / most) >= width)
    return (ConvergeBar){unsure * most, p, VERDICT_ORDER_NOT_SEEN}; // d[1] is small by chance
  return (ConvergeBar){NAN, p, VERDICT_NOT_CONVERGED};
}

// Where histories part, as in a chaotic motion, the order of a value is chance.
ConvergeBar converge_value_bar(const double d[3], bool monotone, const ConvergeOrders *o, double scale,
                               const ConvergeHistory *history) {
  ConvergeBar bar = converge_bar(d, monotone, o, scale);
  bool known = isfinite(history->bar.error), converged = bar.verdict == VERDICT_CONVERGED, noise = isnan(bar.order);
  if (history->parts && !noise)
    bar = (ConvergeBar){bar.order >= width ? unsure * fmax(fmax(d[0], d[1]), d[2]) : NAN, bar.order,
                        VERDICT_NOT_CONVERGED};
  else if (known && isnan(bar.error)) bar.error = history->bar.error + unsure * d[0];
  else if (!known && !noise) bar = (ConvergeBar){converged ? unsure * d[0] : NAN, bar.order, VERDICT_NOT_CONVERGED};
  else if (history->bar.verdict != VERDICT_CONVERGED && !noise && converged) // perhaps by chance
    bar = (ConvergeBar){wide_bar(d, o), bar.order, VERDICT_ORDER_NOT_SEEN};
  if (isfinite(bar.error) && bar.verdict == VERDICT_NOT_CONVERGED) bar.verdict = VERDICT_ORDER_NOT_SEEN;
  return bar;
}

// ---- runs ----

typedef struct {
  const char *command;
  Convergence *c;
  Results **of;              // from c->first on
  int count;                 // of these
  double *y[CONVERGE_MOST];  // a column, all rows
  double *at[CONVERGE_MOST]; // the same at the common times
  const double *time;        // common times: those of the third run from the end
  int rows;
  double *range, *size; // of each column of the last run: largest minus smallest value; largest magnitude
  bool *fades;          // the range shrinks with the step
  double *d[3];         // running maxima of the differences of the last runs, the latest first
  double in_step;       // of a column: what a jump shifted by a step of the last run changes; 0: there are no jumps
} Family;

static bool no_memory(const Family *f) { return print_command_error(f->command, "not enough memory"), false; }

static void family_close(Family *f) {
  for (int k = 0; k < f->count; k++) free(f->y[k]), free(f->at[k]);
  free(f->range), free(f->size), free(f->fades);
  for (int i = 0; i < 3; i++) free(f->d[i]);
}

static bool family_open(Family *f, const char (*path)[4200]) {
  f->of = &f->c->result[f->c->first];
  for (int k = f->c->first; k < f->c->runs; k++, f->count++)
    if (!f->c->result[k] && !open_results(f->command, path[k], &f->c->result[k])) return false;
  const Results *coarse = f->of[f->count - CONVERGE_LEAST], *last = f->of[f->count - 1];
  f->time = results_time(coarse), f->rows = results_rows(coarse);
  f->range = calloc((size_t)results_columns(last) + 1, sizeof *f->range);
  f->size = calloc((size_t)results_columns(last) + 1, sizeof *f->size);
  f->fades = calloc((size_t)results_columns(last) + 1, sizeof *f->fades);
  for (int i = 0; i < 3; i++)
    if (!(f->d[i] = calloc((size_t)f->rows + 1, sizeof **f->d))) return no_memory(f);
  for (int k = 0; k < f->count; k++) {
    f->y[k] = calloc((size_t)results_rows(f->of[k]) + 1, sizeof **f->y);
    f->at[k] = calloc((size_t)f->rows + 1, sizeof **f->at);
    if (!f->y[k] || !f->at[k]) return no_memory(f);
    if (results_columns(f->of[k]) != results_columns(last) || results_rows(f->of[k]) < 2)
      return print_command_error(f->command, "the runs do not have the same columns"), false;
  }
  return f->range && f->size && f->fades ? true : no_memory(f);
}

static bool read_column(Family *f, int k, int column) {
  if (results_read(f->of[k], column, 0, results_rows(f->of[k]), f->y[k])) return true;
  return print_command_error(f->command, "'%s' is damaged: column %s cannot be read", results_path(f->of[k]),
                             results_column(f->of[k], column)->name),
         false;
}

// A run at the common times: its row at that time, or straight between two rows, as around an event.
static void resample(const Family *f, int k) {
  const double *t = results_time(f->of[k]), *y = f->y[k];
  int rows = results_rows(f->of[k]), j = 0;
  double close = 1e-6 * f->c->run[f->c->first + k].step;
  for (int i = 0; i < f->rows; i++) {
    double at = fmin(f->time[i], t[rows - 1]);
    while (j + 1 < rows && t[j + 1] <= at + close) j++;
    double part = j + 1 < rows && at - t[j] > close ? (at - t[j]) / (t[j + 1] - t[j]) : 0;
    f->at[k][i] = part > 0 ? (1 - part) * y[j] + part * y[j + 1] : y[j];
  }
}

static bool is_motion(const ResultColumn *c) { return !strcmp(c->units, "m") || !strcmp(c->units, "rad"); }

// ---- one column ----

static void extremes_of(int n, const double *y, double range[2]) {
  range[0] = INFINITY, range[1] = -INFINITY;
  for (int i = 0; i < n; i++) {
    if (!isfinite(y[i])) continue;
    if (y[i] < range[0]) range[0] = y[i];
    if (y[i] > range[1]) range[1] = y[i];
  }
}

static double value_of(int n, const double *t, const double *y, ConvergeMeasure m) {
  double range[2], sum = 0, span = 0;
  extremes_of(n, y, range);
  if (m == CONVERGE_END) return y[n - 1];
  if (m == CONVERGE_MIN || m == CONVERGE_MAX) return range[m == CONVERGE_MAX];
  for (int i = 1; i < n; i++) {
    double a = m == CONVERGE_RMS ? y[i - 1] * y[i - 1] : y[i - 1], b = m == CONVERGE_RMS ? y[i] * y[i] : y[i];
    if (isfinite(a) && isfinite(b)) sum += 0.5 * (t[i] - t[i - 1]) * (a + b), span += t[i] - t[i - 1];
  }
  if (!(span > 0)) return NAN;
  return m == CONVERGE_RMS ? sqrt(sum / span) : sum / span;
}

double converge_beyond(const double t[3], const double y[3], int i) {
  double a = t[1] - t[0], b = t[2] - t[1];
  if (!(a > 0) || !(b > 0) || !isfinite(y[0]) || !isfinite(y[2])) return 0;
  double left = (y[1] - y[0]) / a, right = (y[2] - y[1]) / b, bend = (right - left) / (a + b);
  double slope = (b * left + a * right) / (a + b); // in the middle
  double vertex = bend != 0 ? t[1] - slope / (2 * bend) : INFINITY;
  if (vertex < t[0] || vertex > t[2]) return 0; // the curve has no extreme here
  return beyond_vertex * fabs(y[1] - slope * slope / (4 * bend) - y[i]);
}

static double between_rows(int n, const double *t, const double *y, double extreme) {
  double most = 0;
  for (int i = 0; i < n && n > 2; i++) {
    int first = i == 0 ? 0 : i + 1 < n ? i - 1 : n - 3;
    if (y[i] == extreme) most = fmax(most, converge_beyond(t + first, y + first, i - first));
  }
  return most;
}

static bool same_vector(const ResultColumn *a, const ResultColumn *b) {
  return !strcmp(a->group, b->group) && !strcmp(a->quantity, b->quantity) && !strcmp(a->units, b->units);
}

// The largest range of a column with these units that does not fade.
static double moving_range(const Family *f, const char *units) {
  const Results *r = f->of[f->count - 1];
  double most = 0;
  for (int i = 0; i < results_columns(r); i++)
    if (!f->fades[i] && !strcmp(results_column(r, i)->units, units)) most = fmax(most, f->range[i]);
  return most;
}

// The range of the component that moves most; the largest value where nothing moves. A range that shrinks with the step
// may be that of a conserved energy or of the violation of a constraint: if it is tiny, the scale is that of what is
// conserved, or of columns with the same units. Of places it is never the distance from the origin.
static double scale_of(const Family *f, int column) {
  const Results *r = f->of[f->count - 1];
  const ResultColumn *own = results_column(r, column);
  double range = 0, size = 0;
  bool fades = true;
  for (int i = 0; i < results_columns(r); i++) {
    if (!same_vector(results_column(r, i), own)) continue;
    range = fmax(range, f->range[i]), size = fmax(size, f->size[i]);
    fades = fades && (f->fades[i] || !(f->range[i] > 0));
  }
  if (!(range > 1e-9 * size)) return size;
  double other = fades ? fmax(is_motion(own) ? 0 : size, moving_range(f, own->units)) : 0;
  return range <= tiny * other ? other : range;
}

// Largest differences of the last runs up to each common time. NaN, as the force over a step at the start, is left out.
static void find_differences(Family *f) {
  for (int n = 0; n < 3; n++) {
    const int k = f->count - 1 - n;
    double now = 0;
    for (int i = 0; i < f->rows; i++) {
      double d = k > 0 ? fabs(f->at[k][i] - f->at[k - 1][i]) : NAN;
      if (isfinite(d)) now = fmax(now, d);
      f->d[n][i] = k > 0 ? now : NAN;
    }
  }
}

// The time of an impact, or of a load's jump, is known to a step: impacts add up, and a load that jumps up and down has
// its impulse to a part step/hold. Where the jump is near the end of a step in all runs, these do not differ.
static void find_change_in_step(Family *f) {
  const int last = f->count - 1, rows = results_rows(f->of[last]);
  const double *t = results_time(f->of[last]), *y = f->y[last], step = f->c->run[f->c->runs - 1].step;
  double range[2];
  extremes_of(rows, y, range);
  f->in_step = isfinite(f->c->hold) && range[0] <= range[1] ? step / f->c->hold * (range[1] - range[0]) : 0;
  for (int i = 1; i < rows && f->c->impacts; i++) {
    double change = 2 * fabs(y[i] - y[i - 1]) * fmin(1, step / (t[i] - t[i - 1]));
    if (isfinite(change)) f->in_step = fmax(f->in_step, change);
  }
}

static ConvergeBar widen_bar(const Family *f, ConvergeBar bar) {
  if (bar.error < f->in_step) bar.error = f->in_step, bar.verdict = VERDICT_ORDER_NOT_SEEN;
  return bar;
}

static ConvergeBar bar_until(const Family *f, int row, double scale) {
  const ConvergeOrders o = {{f->c->order}, 1, f->c->meshes, f->c->jumps};
  ConvergeBar bar = converge_bar((double[]){f->d[0][row], f->d[1][row], f->d[2][row]}, true, &o, scale);
  return widen_bar(f, bar);
}

// A run's error: its distance from the last run, and the error of that.
static void judge_run(Family *f, int k, ConvergeRow *row, double distance) {
  ConvergeRun *run = &f->c->run[f->c->first + k];
  if (!k) row->first = sure * distance + row->error;
  double most = distance + row->error, error = row->scale > 0 && isfinite(most) ? most / row->scale : INFINITY;
  if (most == 0) error = 0;
  if (row->counts && (run->worst < 0 || error > run->error)) run->error = error, run->worst = (int)(row - f->c->row);
}

static void compare_history(Family *f, ConvergeRow *row) {
  const int last = f->count - 1;
  double range[2];
  find_differences(f), find_change_in_step(f);
  ConvergeBar bar = bar_until(f, f->rows - 1, row->scale);
  extremes_of(results_rows(f->of[last]), f->y[last], range);
  row->value = range[1] - range[0], row->error = bar.error, row->order = bar.order, row->verdict = bar.verdict;
  row->spread = fmax(f->d[0][f->rows - 1], f->d[1][f->rows - 1]);
  for (int k = 0; k < f->count; k++) {
    double most = 0;
    for (int i = 0; i < f->rows; i++) {
      double d = fabs(f->at[k][i] - f->at[last][i]);
      if (isfinite(d)) most = fmax(most, d);
    }
    judge_run(f, k, row, most);
  }
}

// Whether the last two runs differ by more than the accuracy before the end.
static bool parts(const Family *f, const ConvergeRow *history) {
  return f->d[0][f->rows - 1] > f->c->accuracy * history->scale;
}

// The value at the end differs no more than the history does, and extremes and means no more than the history and what
// more rows add to them.
static void compare_value(Family *f, ConvergeRow *row, const ConvergeRow *history) {
  const int last = f->count - 1;
  double q[CONVERGE_MOST], beyond = 0, low = INFINITY, high = -INFINITY;
  for (int k = 0; k < f->count; k++)
    q[k] = value_of(results_rows(f->of[k]), results_time(f->of[k]), f->y[k], row->measure);
  double a = q[last - 2] - q[last - 1], b = q[last - 1] - q[last];
  double d[] = {fabs(b), fabs(a), last > 2 ? fabs(q[last - 3] - q[last - 2]) : NAN};
  bool integral = row->measure == CONVERGE_MEAN || row->measure == CONVERGE_RMS; // over straight lines: order 2
  const ConvergeOrders o = {{f->c->order, 2}, 1 + integral, f->c->meshes, f->c->jumps};
  ConvergeHistory of_history = {{history->error, history->order, history->verdict}, parts(f, history)};
  bool monotone = a * b >= 0, known = isfinite(history->error) && row->measure == CONVERGE_END;
  ConvergeBar bar = known && !of_history.parts ? converge_bar(d, monotone, &o, row->scale)
                                               : converge_value_bar(d, monotone, &o, row->scale, &of_history);
  bar = widen_bar(f, bar);
  if (known) bar.error = fmin(bar.error, history->error); // fmin ignores NaN
  if (known && bar.verdict == VERDICT_NOT_CONVERGED) bar.verdict = VERDICT_ORDER_NOT_SEEN;
  if (row->measure == CONVERGE_MIN || row->measure == CONVERGE_MAX)
    beyond = between_rows(results_rows(f->of[last]), results_time(f->of[last]), f->y[last], q[last]);
  for (int k = last - 2; k <= last; k++) low = fmin(low, q[k]), high = fmax(high, q[k]);
  row->value = q[last], row->error = bar.error + beyond, row->order = bar.order, row->verdict = bar.verdict;
  row->spread = high - low;
  for (int k = 0; k < f->count; k++) judge_run(f, k, row, fabs(q[k] - q[last]));
}

// Runs that part by more than the accuracy may have an error bar within it.
static void find_horizon(Family *f, const ConvergeRow *history) {
  Convergence *c = f->c;
  double most = c->accuracy * history->scale;
  if (!history->counts || !(history->scale > 0) || !parts(f, history)) return;
  c->parted = true;
  for (int i = 0; i < f->rows && f->time[i] < c->horizon && !(history->error <= most); i++)
    if (f->d[0][i] > most) {
      c->horizon = i ? f->time[i - 1] : f->time[0];
      snprintf(c->horizon_column, sizeof c->horizon_column, "%s", history->label);
    }
}

static bool compare_column(Family *f, int column, bool counts) {
  Convergence *c = f->c;
  const ResultColumn *name = results_column(f->of[f->count - 1], column);
  ConvergeRow *history = &c->row[c->rows + CONVERGE_HISTORY];
  for (int k = 0; k < f->count; k++) {
    if (!read_column(f, k, column)) return false;
    resample(f, k);
  }
  for (int m = 0; m < CONVERGE_MEASURES; m++) {
    ConvergeRow *row = &c->row[c->rows + m];
    *row = (ConvergeRow){.measure = (ConvergeMeasure)m, .scale = scale_of(f, column), .counts = counts, .mesh = NAN};
    snprintf(row->column, sizeof row->column, "%s", name->name);
    snprintf(row->label, sizeof row->label, "%s", name->brief);
    snprintf(row->units, sizeof row->units, "%s", name->units);
  }
  compare_history(f, history);
  for (int m = 0; m < CONVERGE_HISTORY; m++) compare_value(f, &c->row[c->rows + m], history);
  find_horizon(f, history);
  c->rows += CONVERGE_MEASURES;
  return true;
}

// ---- all columns ----

// What shrinks with the step may tend to 0. A length or an angle does so with the order of the scheme: a motion that
// steps miss in part shrinks, too.
static bool fades(const Family *f, const ResultColumn *c, const double x[3]) {
  double most = is_motion(c) ? exp2(width - f->c->order) : 0.7;
  return x[1] < most * x[0] && x[2] < most * x[1];
}

// Ranges of a column in the last runs; whether it is constant within round-off in all of them.
static bool find_range(Family *f, CurveScales *scales, int column, bool *still) {
  const int last = f->count - 1;
  double range[3], size[3];
  for (int n = 0; n < 3; n++) {
    const int k = last - 2 + n;
    double at[2];
    if (!read_column(f, k, column)) return false;
    extremes_of(results_rows(f->of[k]), f->y[k], at);
    range[n] = at[0] <= at[1] ? at[1] - at[0] : 0, size[n] = at[0] <= at[1] ? fmax(fabs(at[0]), fabs(at[1])) : 0;
  }
  f->range[column] = range[2], f->size[column] = size[2];
  f->fades[column] = fades(f, results_column(f->of[last], column), range);
  RoundOff o = curve_round_off(scales, column, results_rows(f->of[last]), f->y[last]);
  double most = 1e-9 * fmax(o.scale, 1e-8);
  *still = o.still;
  for (int n = 0; n < 2; n++) *still = *still && range[n] <= most && fabs(size[n] - size[2]) <= most;
  return true;
}

// A column of a probe, or one that is named.
static bool is_wanted(const ColumnSelection *s, const Results *r, int column) {
  bool wanted = !s->count && column_is_probe(results_column(r, column));
  for (int k = 0; k < s->count && !wanted; k++) wanted = s->column[k] == column;
  return wanted;
}

// Whether lengths and angles alone are read.
static bool reads_motion(const Family *f, const ColumnSelection *s) {
  const Results *r = f->of[f->count - 1];
  bool any = false;
  for (int i = 0; i < results_columns(r); i++) any = any || (is_wanted(s, r, i) && is_motion(results_column(r, i)));
  return f->c->counting && any;
}

// Ranges of all columns of probes, or of those that are named; which of them are round-off.
static bool find_ranges(Family *f, const ColumnSelection *s, bool *still) {
  const int last = f->count - 1;
  Results *r = f->of[last];
  CurveScales scales;
  RowSelection rows = {0, results_rows(r), 1};
  if (!curve_scales_begin(f->command, r, &rows, &scales)) return false;
  bool good = true, motion = reads_motion(f, s);
  for (int i = 0; good && i < results_columns(r); i++) {
    bool named = !s->count && column_is_probe(results_column(r, i));
    for (int k = 0; k < s->count && !named; k++)
      named = same_vector(results_column(r, i), results_column(r, s->column[k]));
    if (!named || (motion && !is_motion(results_column(r, i)))) continue;
    good = find_range(f, &scales, i, &still[i]);
  }
  curve_scales_end(&scales);
  return good;
}

static bool add_still(Family *f, int column) {
  Convergence *c = f->c;
  void *more = realloc(c->still, (size_t)(c->stills + 1) * sizeof *c->still);
  if (!more) return no_memory(f);
  c->still = more;
  snprintf(c->still[c->stills++], sizeof *c->still, "%s", results_column(f->of[f->count - 1], column)->brief);
  return true;
}

// The table of histories: value and error of each column at the common times.
static bool write_table(Family *f, int count, const int *column, FILE *out) {
  Convergence *c = f->c;
  const int last = f->count - 1;
  double *cell = calloc((size_t)f->rows * (size_t)(2 * count) + 1, sizeof *cell);
  if (!cell) return no_memory(f);
  fprintf(out, "time [s]");
  for (int k = 0; k < count; k++) {
    const ConvergeRow *row = &c->row[k * CONVERGE_MEASURES];
    for (int j = 0; j <= last; j++) {
      if (!read_column(f, j, column[k])) return free(cell), false;
      resample(f, j);
    }
    find_differences(f), find_change_in_step(f);
    for (int i = 0; i < f->rows; i++) {
      double *at = &cell[(size_t)i * (size_t)(2 * count) + (size_t)(2 * k)];
      at[0] = f->at[last][i], at[1] = bar_until(f, i, row->scale).error;
    }
    fprintf(out, ",%s [%s],%s error [%s]", row->label, row->units, row->label, row->units);
  }
  fprintf(out, "\n");
  for (int i = 0; i < f->rows; i++) {
    fprintf(out, "%.17g", f->time[i]);
    for (int k = 0; k < 2 * count; k++) fprintf(out, ",%.17g", cell[(size_t)i * (size_t)(2 * count) + (size_t)k] + 0.0);
    fprintf(out, "\n");
  }
  free(cell);
  return true;
}

static bool compare_columns(Family *f, const ColumnSelection *s, bool *still, int *column, FILE *table) {
  Results *r = f->of[f->count - 1];
  int columns = results_columns(r), count = 0;
  bool motion = reads_motion(f, s);
  if (!find_ranges(f, s, still)) return false;
  for (int i = 0; i < columns; i++) {
    bool wanted = is_wanted(s, r, i) && (!motion || is_motion(results_column(r, i)));
    if (wanted && still[i] && !add_still(f, i)) return false;
    if (wanted && !still[i]) column[count++] = i;
  }
  f->c->row = calloc((size_t)count * CONVERGE_MEASURES + 1, sizeof *f->c->row);
  if (!f->c->row) return no_memory(f);
  motion = false;
  for (int k = 0; k < count && f->c->motion; k++) motion = motion || is_motion(results_column(r, column[k]));
  for (int k = 0; k < count; k++)
    if (!compare_column(f, column[k], !motion || is_motion(results_column(r, column[k])))) return false;
  return !table || write_table(f, count, column, table);
}

bool converge_misses_load(const Convergence *c) {
  return c->longest > 0 && c->run[c->runs - 1].step > c->longest * (1 + 1e-9);
}

static void choose_step(Convergence *c) {
  c->chosen = -1;
  if (converge_misses_load(c)) return;
  for (int k = c->runs - 1; k >= c->first && c->run[k].error <= c->accuracy; k--) c->chosen = k;
}

bool converge_compare(const char *command, const char (*path)[4200], int words, const char *const *word, FILE *table,
                      Convergence *c) {
  Family f = {.command = command, .c = c};
  ColumnSelection s = {0};
  bool *still = NULL, good = false;
  int *column = NULL;
  converge_free(c);
  c->horizon = INFINITY, c->horizon_column[0] = 0, c->parted = false;
  for (int k = 0; k < c->runs; k++) c->run[k].error = 0, c->run[k].worst = -1;
  if (family_open(&f, path) && select_columns(command, f.of[0], words, word, &s)) {
    still = calloc((size_t)results_columns(f.of[0]) + 1, sizeof *still);
    column = calloc((size_t)results_columns(f.of[0]) + 1, sizeof *column);
    good = still && column ? compare_columns(&f, &s, still, column, table) : no_memory(&f);
    c->end = f.time[f.rows - 1], c->horizon = fmin(c->horizon, c->end);
    choose_step(c);
  }
  free(still), free(column);
  column_selection_free(&s);
  family_close(&f);
  return good;
}

void converge_close(Convergence *c) {
  for (int k = 0; k < CONVERGE_MOST; k++) results_close(&c->result[k]);
}

// ---- meshes ----

static const ConvergeRow *same_row(const Convergence *c, const ConvergeRow *row) {
  for (int i = 0; i < c->rows; i++)
    if (c->row[i].measure == row->measure && !strcmp(c->row[i].column, row->column)) return &c->row[i];
  return NULL;
}

void converge_add_mesh(const Convergence *meshes, Convergence *c) {
  c->mesh_step = meshes->run[0].step, c->mesh_error = 0, c->mesh_worst = -1;
  for (int i = 0; i < c->rows; i++) {
    ConvergeRow *row = &c->row[i];
    const ConvergeRow *finer = same_row(meshes, row);
    double error = INFINITY;
    row->mesh = finer ? finer->first : NAN;
    if (isfinite(row->mesh)) error = row->scale > 0 ? row->mesh / row->scale : 0;
    if (row->counts && (c->mesh_worst < 0 || error > c->mesh_error)) c->mesh_error = error, c->mesh_worst = i;
  }
}
