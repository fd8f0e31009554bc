// SPDX-License-Identifier: Apache-2.0
#include "post/curves.h"
#include "quantities/ledger.h"

#include <math.h>
#include <pocketfft.h>
#include <stdlib.h>
#include <string.h>

static const double of_vector = 1e-12, of_run = 1e-13;
static const double small = 1e-6;    // curves that reach more are motion; the run is not searched for their scale
static const double nothing = 1e-20; // of any quantity in SI units

bool curve_scales_begin(const char *command, Results *run, const RowSelection *rows, CurveScales *out) {
  int n = results_columns(run);
  *out = (CurveScales){.command = command, .run = run, .rows = *rows};
  out->largest = malloc(((size_t)n + 1) * sizeof *out->largest);
  if (!out->largest) return print_command_error(command, "not enough memory"), false;
  for (int i = 0; i < n; i++) out->largest[i] = NAN;
  return true;
}

void curve_scales_end(CurveScales *s) { free(s->largest), s->largest = NULL; }

static void find_extremes(int n, const double *y, double range[2]) {
  range[0] = INFINITY, range[1] = -INFINITY;
  for (int i = 0; i < n; i++)
    if (isfinite(y[i])) range[0] = fmin(range[0], y[i]), range[1] = fmax(range[1], y[i]);
}

static double largest_magnitude(const double range[2]) {
  return range[0] <= range[1] ? fmax(fabs(range[0]), fabs(range[1])) : 0;
}

static double largest_of(CurveScales *s, int column) {
  double *y = NULL, range[2];
  if (!isnan(s->largest[column])) return s->largest[column];
  s->largest[column] = 0;
  if (read_selected_values(s->command, s->run, column, &s->rows, &y)) {
    find_extremes(s->rows.count, y, range);
    s->largest[column] = largest_magnitude(range);
  }
  free(y);
  return s->largest[column];
}

bool column_is_probe(const ResultColumn *c) { return strcmp(c->group, "time") && !ledger_has_group(c->group); }

static bool same_vector(const ResultColumn *a, const ResultColumn *b) {
  return !strcmp(a->group, b->group) && !strcmp(a->quantity, b->quantity) && !strcmp(a->units, b->units);
}

static bool is_formula(const ResultColumn *c) { return !strcmp(c->quantity, "value"); }

// The largest value of the vector of a column, whose components stand side by side.
static double scale_of_vector(CurveScales *s, int column) {
  const ResultColumn *own = results_column(s->run, column);
  double most = largest_of(s, column);
  for (int i = column - 1; i >= 0 && same_vector(results_column(s->run, i), own); i--)
    most = fmax(most, largest_of(s, i));
  for (int i = column + 1; i < results_columns(s->run) && same_vector(results_column(s->run, i), own); i++)
    most = fmax(most, largest_of(s, i));
  return most;
}

// The largest value with the units of a column that any probe has.
static double scale_of_run(CurveScales *s, int column) {
  const ResultColumn *own = results_column(s->run, column);
  double most = 0;
  for (int i = 0; i < results_columns(s->run); i++) {
    const ResultColumn *c = results_column(s->run, i);
    if (column_is_probe(c) && !is_formula(c) && !strcmp(c->units, own->units)) most = fmax(most, largest_of(s, i));
  }
  return most;
}

RoundOff curve_round_off(CurveScales *s, int column, int n, const double *y) {
  const ResultColumn *c = results_column(s->run, column);
  double range[2];
  find_extremes(n, y, range);
  RoundOff o = {.most = largest_magnitude(range)};
  if (!(range[0] <= range[1])) return o;
  double size = range[1] - range[0];
  s->largest[column] = o.most;
  o.scale = scale_of_vector(s, column);
  o.still = size <= of_vector * o.scale;
  o.value = o.most <= of_vector * o.scale && o.most < o.scale ? 0 : 0.5 * (range[0] + range[1]);
  bool in_run = column_is_probe(c) && !is_formula(c) && *c->units && strcmp(c->units, "1");
  if (o.most > small || (o.still && o.value == 0 && o.scale > nothing) || !column_is_probe(c)) return o;
  double whole = in_run ? scale_of_run(s, column) : 0;
  if (o.most < nothing || o.most <= of_run * whole) o.still = true, o.value = 0, o.scale = fmax(whole, o.scale);
  else if (size <= of_run * whole) o.still = true;
  if (o.scale < nothing) o.scale = 0;
  return o;
}

void curve_flatten(const RoundOff *o, int n, double *y) {
  for (int i = 0; i < n && o->still; i++)
    if (isfinite(y[i])) y[i] = o->value;
}

const char *round_off_text(const RoundOff *o) {
  if (!o->still || o->value != 0) return "";
  return o->most > 0 ? "0 within round-off" : "0";
}

void quantity_title(const ResultColumn *c, char *text, size_t size) {
  size_t group = strlen(c->group), n = strlen(c->quantity);
  bool said = is_formula(c) || (group >= n && !strcmp(c->group + group - n, c->quantity));
  snprintf(text, size, "%s%s%s", c->group, said || !group ? "" : " ", said ? "" : c->quantity);
}

static void take_line_out(int n, double *x) {
  double mean = 0, slope = 0, square = 0, middle = 0.5 * (n - 1);
  for (int i = 0; i < n; i++) mean += x[i] / n;
  for (int i = 0; i < n; i++) slope += (i - middle) * (x[i] - mean), square += (i - middle) * (i - middle);
  for (int i = 0; i < n; i++) x[i] -= mean + (square > 0 ? slope / square : 0) * (i - middle);
}

bool amplitude_spectrum(int n, const double *x, bool straighten, double *amplitude) {
  double *c = n > 0 ? malloc((size_t)n * sizeof *c) : NULL; // the values; then Re 0, Re 1, Im 1, Re 2, Im 2, ...
  rfft_plan plan = c ? make_rfft_plan((size_t)n) : NULL;
  bool done = plan != NULL;
  if (done) {
    memcpy(c, x, (size_t)n * sizeof *c);
    if (straighten) take_line_out(n, c);
    done = rfft_forward(plan, c, 1) == 0;
    destroy_rfft_plan(plan);
  }
  for (int k = 0; done && k < spectrum_size(n); k++)
    amplitude[k] = k == 0       ? 1.0 / n * fabs(c[0])
                   : 2 * k == n ? 1.0 / n * fabs(c[n - 1])
                                : 2.0 / n * hypot(c[2 * k - 1], c[2 * k]);
  free(c);
  return done;
}
