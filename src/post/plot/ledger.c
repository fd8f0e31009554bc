// SPDX-License-Identifier: Apache-2.0
// The energy ledger: strain + kinetic + potential + scheme + damping + dissipated, one upon the other, against
// start + work.
#include "post/page/page.h"
#include "post/plot/plot.h"
#include "quantities/ledger.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 1200, LEFT = 150, RIGHT = 35, BOTTOM = 85, TOP = 65, UPPER = 520, LOWER = 170, GAP = 34 };
enum {
  STRAIN,
  KINETIC,
  POTENTIAL,
  SCHEME_ENERGY,
  DAMPING,
  DISSIPATED,
  AREAS,
  WORK = AREAS,
  RESIDUAL,
  EXCHANGED,
  LINES
};

static const LedgerId columns[LINES] = {LEDGER_STRAIN,        LEDGER_KINETIC,  LEDGER_POTENTIAL,
                                        LEDGER_SCHEME_ENERGY, LEDGER_DAMPING,  LEDGER_DISSIPATED,
                                        LEDGER_WORK,          LEDGER_RESIDUAL, LEDGER_EXCHANGED};
static const unsigned fill[AREAS] = {0x40b696, 0x4095c5, 0xecb740, 0xf4eb72, 0xd99bbd, 0xcacaca};

// Heights of the areas, from below; `start` is what there was at the first row. Potential energy is
// measured above its minimum.
static double stack_areas(PlotSeries *s, bool shown[AREAS]) {
  int n = s[0].n;
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int i = 0; i < n; i++) least = fmin(least, s[POTENTIAL].y[i]), most = fmax(most, s[POTENTIAL].y[i]);
  for (int k = 0; k < AREAS; k++) shown[k] = k != POTENTIAL && k != DAMPING && k != SCHEME_ENERGY;
  shown[POTENTIAL] = most > least;
  for (int i = 0; i < n; i++) {
    shown[DAMPING] = shown[DAMPING] || s[DAMPING].y[i] != 0;
    shown[SCHEME_ENERGY] =
        shown[SCHEME_ENERGY] || s[SCHEME_ENERGY].y[i] > 1e-3 * s[EXCHANGED].y[n - 1]; // thinner than a line
  }
  for (int i = 0; i < n; i++) s[POTENTIAL].y[i] -= least;
  for (int k = 1; k < AREAS; k++)
    for (int i = 0; i < n; i++) s[k].y[i] += s[k - 1].y[i];
  return s[DISSIPATED].y[0] - s[WORK].y[0];
}

static void fill_areas(Plot *p, Panel *q, const PlotSeries *s, const bool shown[AREAS]) {
  double y[2] = {0, 0}, *zero = calloc((size_t)s[0].n + 1, sizeof *zero);
  for (int k = 0; k <= WORK; k++)
    for (int i = 0; i < s[k].n; i++)
      if (range_contains(p->x, s[k].x[i])) range_extend(y, s[k].y[i]);
  double air = y[1] > y[0] ? 0.04 * (y[1] - y[0]) : 1;
  y[1] += air, y[0] -= y[0] < 0 ? air : 0;
  axis_set(&q->y, shown[POTENTIAL] ? "energy, potential energy above its minimum" : "energy", "J",
           isnan(p->y[0]) ? y[0] : p->y[0], isnan(p->y[1]) ? y[1] : p->y[1]);
  q->legend = LEGEND_ABOVE, q->x.bare = true;
  for (int k = 0; k < AREAS; k++) {
    if (!shown[k]) continue;
    Curve *c = panel_curve(p->diagram, q, CURVE_AREA, s[k].n, s[k].x, s[k].y, k ? s[k - 1].y : zero);
    curve_name(c, "area", k);
    c->colour = fill[k];
    snprintf(c->legend, sizeof c->legend, "%s",
             k == SCHEME_ENERGY ? "stored scheme energy" : ledger_columns[columns[k]].name);
  }
  Curve *c = panel_curve(p->diagram, q, CURVE_LINE, s[WORK].n, s[WORK].x, s[WORK].y, NULL);
  curve_name(c, "work", 0);
  c->colour = 0x000000, c->width = 2.5, c->dash = 1;
  snprintf(c->legend, sizeof c->legend, "start + work");
  if (!zero) p->diagram->failed = true;
  free(zero);
}

// |residual|/exchanged, where there is any.
static void fill_residual(Plot *p, Panel *q, PlotSeries *s) {
  double y[2] = {1e-16, 1e-14};
  int n = 0;
  for (int i = 0; i < s[0].n; i++) {
    double scale = s[EXCHANGED].y[s[0].n - 1], open = scale > 0 ? fabs(s[RESIDUAL].y[i]) / scale : 0;
    if (!(open > 0) || !range_contains(p->x, s[0].x[i])) continue;
    s[RESIDUAL].x[n] = s[0].x[i], s[RESIDUAL].y[n++] = open;
    range_extend(y, fmax(open, 1e-18));
  }
  axis_set(&q->y, "balance error", "", y[0] / 3, y[1] * 40);
  q->y.log = true;
  Curve *c = panel_curve(p->diagram, q, CURVE_DOTS, n, s[RESIDUAL].x, s[RESIDUAL].y, NULL);
  curve_name(c, "open", 0);
  c->colour = 0xd55e00, c->width = 3.6;
  PanelText *t = panel_text(q, q->x.low, q->y.high, TEXT_START, 0x000000);
  t->dx = 14, t->dy = 26;
  snprintf(t->text, sizeof t->text, "%s",
           n ? "energy balance error of a step / energy exchanged" : "no energy balance error in any step");
}

static void fill_ledger(Plot *p, PlotSeries *s) {
  Diagram *d = p->diagram;
  bool shown[AREAS];
  double start = stack_areas(s, shown);
  int n = s[0].n;
  for (int i = 0; i < n; i++) s[WORK].y[i] += start;
  Panel *upper = diagram_panel(d, LEFT, TOP, WIDTH - RIGHT, TOP + UPPER), *lower;
  axis_set(&upper->x, "", "", isnan(p->x[0]) ? s[0].x[0] : p->x[0], isnan(p->x[1]) ? s[0].x[n - 1] : p->x[1]);
  fill_areas(p, upper, s, shown);
  upper->top += legend_height(upper, WIDTH - LEFT - RIGHT), upper->bottom = upper->top + UPPER;
  lower = diagram_panel(d, LEFT, upper->bottom + GAP, WIDTH - RIGHT, upper->bottom + GAP + LOWER);
  axis_set(&lower->x, results_axis(p->run[0]), results_axis_units(p->run[0]), upper->x.low, upper->x.high);
  fill_residual(p, lower, s);
  d->width = WIDTH, d->height = (int)lower->bottom + BOTTOM, d->fit_left = true;
}

// Areas need some thousand rows, evenly taken; of the residuals between two the largest is kept.
static void thin_rows(PlotSeries *s) {
  enum { MOST = 4000 };
  int every = (s[0].n + MOST - 1) / MOST, n = (s[0].n + every - 1) / every;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < LINES; k++) {
      double worst = 0;
      for (int j = i * every; k == RESIDUAL && j < s[k].n && j < (i + 1) * every; j++)
        worst = fmax(worst, fabs(s[k].y[j]));
      s[k].x[i] = s[k].x[i * every], s[k].y[i] = k == RESIDUAL ? worst : s[k].y[i * every];
    }
  for (int k = 0; k < LINES; k++) s[k].n = n;
}

// Adds a column that only some models have to another.
static void add_column(Results *r, LedgerId id, double sign, PlotSeries *s) {
  double *more = column_values(r, ledger_path(id));
  int first = 0;
  while (first < results_rows(r) && s->n && results_time(r)[first] < s->x[0]) first++;
  for (int i = 0; more && i < s->n && first + i < results_rows(r); i++) s->y[i] += sign * more[first + i];
  free(more);
}

ExitCode plot_ledger(Plot *p) {
  PlotSeries *s;
  int count;
  for (int k = 0; k < LINES; k++) p->word[k] = ledger_path(columns[k]);
  p->words = LINES;
  if (!series_read(p, &s, &count)) return EXIT_MISTAKE;
  bool good = count == LINES;
  if (good) add_column(p->run[0], LEDGER_EVENTS, 1, &s[DISSIPATED]); // with what the scheme took
  if (good) add_column(p->run[0], LEDGER_PORT_WORK, -1, &s[WORK]);   // that of other models, through ports
  if (good) thin_rows(s), fill_ledger(p, s);
  else print_damaged_history(p);
  series_free(s, count);
  return good ? EXIT_GOOD : EXIT_MISTAKE;
}
