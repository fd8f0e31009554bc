// SPDX-License-Identifier: Apache-2.0
// Loci: one column over another, on axes of equal scale.
#include "post/plot/plot.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 1200, RIGHT = 35, BOTTOM = 85, TOP = 65 };

// Widens ranges until they fill a frame `wide` pixels wide with equal scales; returns the height of the frame.
static double equal_scales(const Plot *p, double x[2], double y[2], double wide) {
  double *range[2] = {x, y};
  double most = fmax(x[1] - x[0], y[1] - y[0]), least, high;
  if (!(most > 0)) most = 1;
  for (int i = 0; i < 2; i++) range[i][0] -= 0.05 * most, range[i][1] += 0.05 * most;
  for (int i = 0; i < 2; i++) {
    if (!isnan(p->x[i])) x[i] = p->x[i];
    if (!isnan(p->y[i])) y[i] = p->y[i];
  }
  high = wide * (y[1] - y[0]) / (x[1] - x[0]);
  high = fmin(fmax(high, 0.35 * wide), 0.85 * wide);
  least = (x[1] - x[0]) * high / wide;
  if (least > y[1] - y[0]) {
    double more = 0.5 * (least - (y[1] - y[0]));
    if (isnan(p->y[0])) y[0] -= more;
    if (isnan(p->y[1])) y[1] += more;
  } else {
    double more = 0.5 * ((y[1] - y[0]) * wide / high - (x[1] - x[0]));
    if (isnan(p->x[0])) x[0] -= more;
    if (isnan(p->x[1])) x[1] += more;
  }
  return high;
}

void equal_panel(Plot *p, Panel *q, double range[2][2], double right, double top, double bottom) {
  double left = 130, high = 0, above = 0, all[2][2];
  for (int pass = 0; pass < 3; pass++) { // the numbers of the axis take room, which changes the ranges
    memcpy(all, range, sizeof all);
    high = equal_scales(p, all[0], all[1], right - left);
    q->x.low = all[0][0], q->x.high = all[0][1], q->y.low = all[1][0], q->y.high = all[1][1];
    if (pass < 2) left = fmax(left, ceil(axis_room(&q->y, high)));
  }
  if (q->legend == LEGEND_ABOVE) above = legend_height(q, right - left);
  q->left = left, q->right = right, q->top = top + above, q->bottom = top + above + floor(high + 0.5);
  p->diagram->height = (int)(q->bottom + bottom);
  if (!p->diagram->width) p->diagram->width = (int)right + 35;
}

// Pair k and run i: the columns are read pair by pair, each for all runs.
static PlotSeries *of_pair(const Plot *p, PlotSeries *s, int k, int second, int i) {
  return &s[(2 * k + second) * p->runs + i];
}

// tip.z and tip.x come from tip: one name for the curve.
static void pair_name(const Plot *p, const PlotSeries *a, const PlotSeries *b, char *text, size_t size) {
  const ResultColumn *x = results_column(p->run[0], a->column), *y = results_column(p->run[0], b->column);
  if (!strcmp(x->group, y->group)) snprintf(text, size, "%s", x->group);
  else snprintf(text, size, "%s over %s", b->label, a->label);
}

static void axis_name(const Plot *p, PlotSeries *s, int pairs, int second, char *text, size_t size) {
  const ResultColumn *first = results_column(p->run[0], of_pair(p, s, 0, second, 0)->column);
  bool same = true;
  for (int k = 1; k < pairs; k++)
    same = same && !strcmp(results_column(p->run[0], of_pair(p, s, k, second, 0)->column)->component, first->component);
  if (pairs == 1) snprintf(text, size, "%s", of_pair(p, s, 0, second, 0)->label);
  else snprintf(text, size, "%s", same ? first->component : "");
}

static void add_path(Plot *p, Panel *q, PlotSeries *s, int k, int i) {
  const PlotSeries *a = of_pair(p, s, k, 0, i), *b = of_pair(p, s, k, 1, i);
  int number = k * p->runs + i;
  Curve *c = panel_curve(p->diagram, q, CURVE_LINE, a->n, a->y, b->y, NULL);
  curve_name(c, "data", number);
  c->colour = series_colour(number), c->dash = series_dash(number), c->width = fmin(2 + 1.2 * (p->runs - 1 - i), 6);
  if (q->legend) {
    pair_name(p, a, b, c->legend, sizeof c->legend);
    size_t used = strlen(c->legend);
    if (p->runs > 1) snprintf(c->legend + used, sizeof c->legend - used, ", %s", p->label[i]);
  }
  c = panel_curve(p->diagram, q, CURVE_DOTS, a->n > 0, a->y, b->y, NULL); // where the curve begins
  curve_name(c, "start", number);
  c->colour = series_colour(number), c->width = 11;
}

static void draw_paths(Plot *p, PlotSeries *s, int pairs) {
  Diagram *d = p->diagram;
  double range[2][2] = {{NAN, NAN}, {NAN, NAN}};
  char text[400];
  Panel *q = diagram_panel(d, 0, 0, 0, 0);
  q->legend = pairs * p->runs > 1 ? LEGEND_ABOVE : LEGEND_NONE;
  for (int k = 0; k < pairs; k++)
    for (int i = 0; i < p->runs; i++) {
      const PlotSeries *a = of_pair(p, s, k, 0, i), *b = of_pair(p, s, k, 1, i);
      for (int j = 0; j < a->n; j++) range_extend(range[0], a->y[j]), range_extend(range[1], b->y[j]);
      add_path(p, q, s, k, i);
    }
  for (int k = 0; k < 2; k++) {
    axis_name(p, s, pairs, k, text, sizeof text);
    axis_set(k ? &q->y : &q->x, text, s[k * p->runs].units, 0, 0);
  }
  equal_panel(p, q, range, WIDTH - RIGHT, TOP, BOTTOM);
}

ExitCode plot_path(Plot *p) {
  PlotSeries *s;
  int count;
  ExitCode code = EXIT_MISTAKE;
  if (!series_read(p, &s, &count)) return EXIT_MISTAKE;
  if (!series_flatten(p, s, count)) return series_free(s, count), EXIT_MISTAKE;
  int columns = count / p->runs;
  if (columns % 2)
    print_command_error(plot_name, "--path needs columns in pairs, such as tip.x tip.z; here are %d", columns);
  else draw_paths(p, s, columns / 2), code = EXIT_GOOD;
  series_free(s, count);
  return code;
}
