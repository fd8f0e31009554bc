// SPDX-License-Identifier: Apache-2.0
// The account of energy: strain + kinetic + potential + memory + damping + dissipated, one upon the other, against start + work.
#include "post/plot/plot.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 1200, LEFT = 150, RIGHT = 35, BOTTOM = 85, TOP = 65, UPPER = 520, LOWER = 170, GAP = 34, KEY = 62 };
enum { STRAIN, KINETIC, POTENTIAL, MEMORY, DAMPING, DISSIPATED, AREAS, WORK = AREAS, RESIDUAL, EXCHANGED, LEDGER };

static const char *const columns[LEDGER] = {"ledger.strain", "ledger.kinetic",  "ledger.potential",
                                            "ledger.memory", "ledger.damping",  "ledger.dissipated",
                                            "ledger.work",   "ledger.residual", "ledger.exchanged"};
static const char *const fill[AREAS] = {"#009e73", "#0072b2", "#e69f00", "#f0e442", "#cc79a7", "#b8b8b8"};

// Heights of the areas, from below; `start` is what there was at the first row. A potential has no zero of its own: it
// counts from its least.
static double stack_areas(PlotSeries *s, bool shown[AREAS]) {
  int n = s[0].n;
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int i = 0; i < n; i++) least = fmin(least, s[POTENTIAL].y[i]), most = fmax(most, s[POTENTIAL].y[i]);
  for (int k = 0; k < AREAS; k++) shown[k] = k != POTENTIAL && k != DAMPING && k != MEMORY;
  shown[POTENTIAL] = most > least;
  for (int i = 0; i < n; i++) {
    shown[DAMPING] = shown[DAMPING] || s[DAMPING].y[i] != 0;
    shown[MEMORY] = shown[MEMORY] || s[MEMORY].y[i] > 1e-3 * s[EXCHANGED].y[n - 1]; // thinner than a line
  }
  for (int i = 0; i < n; i++) s[POTENTIAL].y[i] -= least;
  for (int k = 1; k < AREAS; k++)
    for (int i = 0; i < n; i++) s[k].y[i] += s[k - 1].y[i];
  return s[DISSIPATED].y[0] - s[WORK].y[0];
}

static void draw_areas(const Plot *p, const PlotSeries *s, const bool shown[AREAS]) {
  static const char *const names[AREAS] = {"strain", "kinetic", "potential", "memory", "damping", "dissipated"};
  double y[2] = {0, 0};
  for (int k = 0; k <= WORK; k++)
    for (int i = 0; i < s[k].n; i++)
      if (range_contains(p->x, s[k].x[i])) range_extend(y, s[k].y[i]);
  double air = y[1] > y[0] ? 0.04 * (y[1] - y[0]) : 1;
  y[1] += air, y[0] -= y[0] < 0 ? air : 0;
  script_range(p, 'y', isnan(p->y[0]) ? y[0] : p->y[0], isnan(p->y[1]) ? y[1] : p->y[1]);
  script_axis(p, 'y', shown[POTENTIAL] ? "energy, potential from its least" : "energy", "J");
  fputs("set style fill solid 0.75 noborder\nset format x ''\nplot ", p->out);
  for (int k = 0; k < AREAS; k++) {
    if (!shown[k]) continue;
    fprintf(p->out, "$area%d using 1:2:3 with filledcurves lc rgb '%s' title '%s', \\\n     ", k, fill[k], names[k]);
  }
  fprintf(p->out, "$work0 with lines lc rgb '#000000' dt 2 lw 2.5 title 'start + work'\n");
}

// |residual|/exchanged, where there is any.
static void draw_residual(const Plot *p, PlotSeries *s) {
  double y[2] = {1e-16, 1e-14};
  int n = 0;
  for (int i = 0; i < s[0].n; i++) {
    double scale = s[EXCHANGED].y[s[0].n - 1], open = scale > 0 ? fabs(s[RESIDUAL].y[i]) / scale : 0;
    if (!(open > 0) || !range_contains(p->x, s[0].x[i])) continue;
    s[RESIDUAL].x[n] = s[0].x[i], s[RESIDUAL].y[n++] = open;
    range_extend(y, fmax(open, 1e-18));
  }
  if (!n) s[RESIDUAL].x[0] = s[0].x[0], s[RESIDUAL].y[0] = 1e-30, n = 1;
  script_data(p, "open", 0, n, s[RESIDUAL].x, s[RESIDUAL].y);
  script_axis(p, 'y', "balance error", "");
  script_axis(p, 'x', results_axis(p->run[0]), results_axis_units(p->run[0]));
  double decades = log10(y[1]) - log10(y[0]);
  fprintf(p->out, "set logscale y\nset format x '%%h'\nset format y '10^{%%T}'\nset ytics 1e-24,%g\nunset mytics\n",
          pow(10, ceil(decades / 3)));
  fputs("unset key\nunset label 99\n", p->out);
  fputs("set label 1 'residual of a step / energy exchanged' at graph 0.01,0.9 front\n", p->out);
  script_range(p, 'y', y[0] / 3, y[1] * 40);
  fputs("plot $open0 with ", p->out);
  script_dots(p, 0.35);
  fputs("lc rgb '#d55e00'\n", p->out);
}

static void draw_ledger(Plot *p, PlotSeries *s) {
  bool shown[AREAS];
  double start = stack_areas(s, shown);
  int n = s[0].n;
  for (int i = 0; i < n; i++) s[WORK].y[i] += start;
  script_begin(p, WIDTH, TOP + KEY + UPPER + GAP + LOWER + BOTTOM);
  for (int k = 0; k < AREAS; k++) {
    fprintf(p->out, "$area%d << EOD\n", k);
    for (int i = 0; i < n; i++) fprintf(p->out, "%.10g %.10g %.10g\n", s[k].x[i], k ? s[k - 1].y[i] : 0, s[k].y[i]);
    fputs("EOD\n", p->out);
  }
  script_data(p, "work", 0, n, s[WORK].x, s[WORK].y);
  fputs("set multiplot\n", p->out);
  script_title(p, LEFT, WIDTH - RIGHT);
  fprintf(p->out, "set key at screen 0.5, screen %.4f center horizontal maxcols 3\n",
          1 - (TOP - 10 + KEY / 2.0) / p->height);
  script_range(p, 'x', isnan(p->x[0]) ? s[0].x[0] : p->x[0], isnan(p->x[1]) ? s[0].x[n - 1] : p->x[1]);
  script_frame(p, LEFT, WIDTH - RIGHT, BOTTOM + LOWER + GAP, BOTTOM + LOWER + GAP + UPPER);
  draw_areas(p, s, shown);
  script_frame(p, LEFT, WIDTH - RIGHT, BOTTOM, BOTTOM + LOWER);
  draw_residual(p, s);
  fputs("unset multiplot\n", p->out);
}

// Areas need some thousand rows, evenly taken; of the residuals between two the largest is kept.
static void thin_rows(PlotSeries *s) {
  enum { MOST = 4000 };
  int every = (s[0].n + MOST - 1) / MOST, n = (s[0].n + every - 1) / every;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < LEDGER; k++) {
      double worst = 0;
      for (int j = i * every; k == RESIDUAL && j < s[k].n && j < (i + 1) * every; j++)
        worst = fmax(worst, fabs(s[k].y[j]));
      s[k].x[i] = s[k].x[i * every], s[k].y[i] = k == RESIDUAL ? worst : s[k].y[i * every];
    }
  for (int k = 0; k < LEDGER; k++) s[k].n = n;
}

ExitCode plot_ledger(Plot *p) {
  PlotSeries *s;
  int count;
  for (int k = 0; k < LEDGER; k++) p->word[k] = columns[k];
  p->words = LEDGER;
  if (!series_read(p, &s, &count)) return EXIT_MISTAKE;
  bool good = count == LEDGER;
  if (good) thin_rows(s), draw_ledger(p, s);
  else print_damaged_history(p);
  series_free(s, count);
  return good ? EXIT_GOOD : EXIT_MISTAKE;
}
