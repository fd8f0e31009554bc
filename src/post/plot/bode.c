// SPDX-License-Identifier: Apache-2.0
// Bode diagrams of transfer functions (limber response): amplitude above, phase below, over the frequency.
#include "post/plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_PAIRS = 8,
  WIDTH = 1200,
  LEFT = 150,
  RIGHT = 35,
  BOTTOM = 85,
  TOP = 65,
  GAP = 22,
  UPPER = 480,
  LOWER = 300
};

typedef struct {
  Plot *p;
  PlotSeries *s; // of each pair: amplitudes of all runs, then phases of all runs
  int count, pairs;
  char name[MOST_PAIRS][2][500]; // columns
  char label[MOST_PAIRS][400];
} Bode;

static bool is_pair(const ResultColumn *c) { return !strcmp(c->component, "amplitude"); }

// A pair is named by its input, by input.output or by a column of it; without words all are taken.
static bool is_wanted(const Plot *p, const ResultColumn *c) {
  char whole[500];
  size_t n = (size_t)snprintf(whole, sizeof whole, "%s.%s", c->group, c->quantity);
  bool wanted = p->words == 0;
  for (int i = 0; i < p->words; i++) {
    const char *w = p->word[i];
    wanted = wanted || !strcmp(w, c->group) || (!strncmp(w, whole, n) && (!w[n] || w[n] == '.'));
  }
  return wanted;
}

static bool choose_pairs(Bode *b) {
  Plot *p = b->p;
  int all = 0, fit = 0;
  for (int i = 0; i < results_columns(p->run[0]); i++) {
    const ResultColumn *c = results_column(p->run[0], i);
    if (!is_pair(c)) continue;
    all++;
    if (!is_wanted(p, c)) continue;
    if (fit++ >= MOST_PAIRS) continue;
    snprintf(b->name[b->pairs][0], sizeof b->name[0][0], "%s", c->name);
    snprintf(b->name[b->pairs][1], sizeof b->name[0][1], "%s.%s.phase", c->group, c->quantity);
    snprintf(b->label[b->pairs++], sizeof b->label[0], "%s over %s", c->quantity, c->group);
  }
  if (!all)
    print_command_error(plot_name, "%s contains no transfer functions: limber response computes them",
                        results_path(p->run[0]));
  else if (!fit)
    print_command_error(plot_name, "%s has no transfer function of that name; limber export %s --list lists all",
                        results_path(p->run[0]), results_path(p->run[0]));
  else if (fit > MOST_PAIRS)
    print_command_error(plot_name, "%d transfer functions are more than the %d that a diagram can show: name some", fit,
                        MOST_PAIRS);
  return fit > 0 && fit <= MOST_PAIRS;
}

static const PlotSeries *series_of(const Bode *b, int pair, int part, int run) {
  return &b->s[(2 * pair + part) * b->p->runs + run];
}

// What amplitudes span: at most eight decades, zeros left out.
static void amplitude_range(const Bode *b, double y[2]) {
  double all[2] = {NAN, NAN};
  for (int k = 0; k < b->pairs; k++)
    for (int r = 0; r < b->p->runs; r++) {
      const PlotSeries *s = series_of(b, k, 0, r);
      for (int i = 0; i < s->n; i++)
        if (s->y[i] > 0) range_extend(all, s->y[i]);
    }
  if (isnan(all[0])) all[0] = all[1] = 1;
  y[1] = 2 * all[1], y[0] = fmax(all[0] / 2, 1e-8 * all[1]);
  for (int i = 0; i < 2; i++)
    if (!isnan(b->p->y[i])) y[i] = b->p->y[i];
}

// Whole multiples of 90 degrees.
static void phase_range(const Bode *b, double y[2]) {
  double all[2] = {-90, 0};
  for (int k = 0; k < b->pairs; k++)
    for (int r = 0; r < b->p->runs; r++) {
      const PlotSeries *s = series_of(b, k, 1, r);
      for (int i = 0; i < s->n; i++) range_extend(all, s->y[i]);
    }
  y[0] = 90 * floor(all[0] / 90 + 1e-6) - 15, y[1] = 90 * ceil(all[1] / 90 - 1e-6) + 15;
}

static void add_curves(const Bode *b, Panel *q, int part) {
  Plot *p = b->p;
  q->legend = part == 0 && b->pairs * p->runs > 1 ? LEGEND_CORNER : LEGEND_NONE;
  for (int k = 0; k < b->pairs; k++)
    for (int r = 0; r < p->runs; r++) {
      const PlotSeries *s = series_of(b, k, part, r);
      int number = k * p->runs + r;
      Curve *c = panel_curve(p->diagram, q, CURVE_LINE, s->n, s->x, s->y, NULL);
      curve_name(c, "data", (2 * k + part) * p->runs + r);
      c->colour = series_colour(number), c->dash = series_dash(number);
      if (q->legend)
        snprintf(c->legend, sizeof c->legend, "%s%s%s", b->pairs > 1 || p->runs == 1 ? b->label[k] : "",
                 b->pairs > 1 && p->runs > 1 ? ", " : "", p->runs > 1 ? p->label[r] : "");
    }
}

static void fill_diagram(Bode *b) {
  Plot *p = b->p;
  Diagram *d = p->diagram;
  const char *units = series_of(b, 0, 0, 0)->units;
  double x[2] = {NAN, NAN}, y[2];
  bool same = true;
  for (int i = 0; i < b->count; i++)
    for (int k = 0; k < b->s[i].n; k++) range_extend(x, b->s[i].x[k]);
  for (int k = 1; k < b->pairs; k++) same = same && !strcmp(series_of(b, k, 0, 0)->units, units);
  for (int i = 0; i < 2; i++)
    if (!isnan(p->x[i])) x[i] = p->x[i];
  Panel *upper = diagram_panel(d, LEFT, TOP, WIDTH - RIGHT, TOP + UPPER);
  axis_set(&upper->x, "", "", x[0], x[1]);
  upper->x.log = x[0] > 0, upper->x.bare = true;
  amplitude_range(b, y);
  axis_set(&upper->y, b->pairs == 1 && p->runs == 1 ? b->label[0] : "amplitude", same ? units : "", y[0], y[1]);
  upper->y.log = true, upper->fixed_top = !isnan(p->y[1]);
  add_curves(b, upper, 0);
  Panel *lower = diagram_panel(d, LEFT, TOP + UPPER + GAP, WIDTH - RIGHT, TOP + UPPER + GAP + LOWER);
  axis_set(&lower->x, "frequency", "Hz", x[0], x[1]);
  lower->x.log = x[0] > 0;
  phase_range(b, y);
  axis_set(&lower->y, "phase", "degrees", y[0], y[1]);
  lower->y.step = 90 * ceil((y[1] - y[0]) / 90 / 8);
  add_curves(b, lower, 1);
  d->width = WIDTH, d->height = TOP + UPPER + GAP + LOWER + BOTTOM, d->fit_left = true;
}

ExitCode plot_bode(Plot *p) {
  Bode *b = calloc(1, sizeof *b);
  ExitCode code = EXIT_MISTAKE;
  if (!b) return print_command_error(plot_name, "not enough memory"), EXIT_MACHINE;
  b->p = p;
  bool good = choose_pairs(b);
  p->words = 2 * b->pairs;
  for (int i = 0; i < p->words; i++) p->word[i] = b->name[i / 2][i % 2];
  good = good && series_read(p, &b->s, &b->count);
  if (good && b->count != p->words * p->runs) good = false, print_damaged_history(p);
  if (good) fill_diagram(b), code = EXIT_GOOD;
  series_free(b->s, b->count);
  free(b);
  return code;
}
