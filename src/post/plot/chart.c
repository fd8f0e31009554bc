// SPDX-License-Identifier: Apache-2.0
#include "post/plot/chart.h"

#include "post/plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 830, RIGHT = 24, TOP = 62, FRAME = 250, BOTTOM = 76, PIECES = 400, MOST_EVENTS = 100 };

static Diagram *begin_chart(const char *title, ChartAxis x, ChartAxis y) {
  Diagram *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  snprintf(d->title, sizeof d->title, "%s", title);
  Panel *p = diagram_panel(d, 0, TOP, WIDTH - RIGHT, TOP + FRAME);
  axis_set(&p->x, x.name, x.units, NAN, NAN);
  axis_set(&p->y, y.name, y.units, NAN, NAN);
  d->width = WIDTH, d->smallest = TEXT_SIZE - 2; // a page shows it at about half its size
  return d;
}

static void finish_chart(Diagram *d, FILE *out) {
  Panel *p = &d->panel[0];
  p->left = ceil(axis_room(&p->y, FRAME)), p->legend = LEGEND_ABOVE;
  p->top += legend_height(p, p->right - p->left), p->bottom = p->top + FRAME;
  d->height = (int)p->bottom + BOTTOM;
  diagram_draw(d, &canvas_page, out);
  diagram_free(d);
}

// ---- ranges ----

static double value_on(const Chart *c, double y) {
  if (c->kind == CHART_LOG) y = fabs(y);
  return isfinite(y) && (c->kind != CHART_LOG || y > 0) ? y : NAN;
}

static void extend_axis(Axis *a, double value) {
  double range[2] = {a->low, a->high};
  range_extend(range, value);
  a->low = range[0], a->high = range[1];
}

// A little beyond the values, or some range where they give none.
static void widen_axis(Axis *a, double fraction) {
  if (isnan(a->low)) a->low = a->log ? 1e-16 : 0, a->high = 1;
  if (a->log) {
    double factor = fmax(pow(a->high / a->low, fraction), 1.5);
    a->low /= factor, a->high *= factor;
    return;
  }
  double size = a->high - a->low, least = 1e-9 * fmax(fabs(a->low), fabs(a->high));
  if (size > least) size *= 2 * fraction;
  else size = least > 0 ? fmax(0.2 * fabs(a->high), 1e-300) : 1;
  a->low -= size / 2, a->high += size / 2;
}

// ---- curves ----

static void name_curve(const Chart *c, const ChartLine *l, Curve *curve) {
  snprintf(curve->legend, sizeof curve->legend, "%s", c->lines > 1 ? l->name : "");
}

static void add_line(Diagram *d, Panel *p, const Chart *c, int i) {
  const ChartLine *l = &c->line[i];
  Curve *k = panel_curve(d, p, CURVE_LINE, l->count, l->x, l->y, NULL);
  for (int j = 0; j < k->n; j++) k->y[j] = value_on(c, k->y[j]);
  PlotSeries s = {.x = k->x, .y = k->y, .n = k->n};
  series_thin(&s, PIECES);
  k->n = s.n, k->width = 2.6;
  k->colour = l->dashed ? 0 : series_colour(i), k->dash = l->dashed ? 1 : series_dash(i);
  name_curve(c, l, k);
}

// Areas upon each other; of many rows every n-th is drawn.
static void add_areas(Diagram *d, Panel *p, const Chart *c) {
  int every = 1 + c->line[0].count / (2 * PIECES), n = (c->line[0].count + every - 1) / every;
  double *sum = calloc(3 * (size_t)n + 1, sizeof *sum), *next = sum ? sum + n : NULL, *x = sum ? next + n : NULL;
  if (!sum) d->failed = true;
  for (int k = 0; k < c->lines && sum; k++) {
    const ChartLine *l = &c->line[k];
    if (l->dashed || l->count != c->line[0].count) continue;
    for (int i = 0; i < n; i++) {
      double y = l->y[i * every];
      x[i] = l->x[i * every], next[i] = sum[i] + (isfinite(y) ? y : 0);
      extend_axis(&p->y, next[i]);
    }
    Curve *area = panel_curve(d, p, CURVE_AREA, n, x, next, sum);
    area->colour = l->colour;
    name_curve(c, l, area);
    memcpy(sum, next, (size_t)n * sizeof *sum);
  }
  free(sum);
}

static void add_events(Diagram *d, Panel *p, const Chart *c) {
  double x[3 * MOST_EVENTS], y[3 * MOST_EVENTS];
  int n = 0;
  for (int i = 0; i < c->events && i < MOST_EVENTS; i++) {
    if (!(c->event[i] >= p->x.low && c->event[i] <= p->x.high)) continue;
    x[n] = c->event[i], y[n++] = p->y.low, x[n] = c->event[i], y[n++] = p->y.high;
    x[n] = y[n] = NAN, n++;
  }
  if (!n) return;
  Curve *k = panel_curve(d, p, CURVE_LINE, n, x, y, NULL);
  k->colour = 0x777777, k->width = 1.6, k->dash = 2;
}

void chart_write(const Chart *c, FILE *out) {
  Diagram *d = begin_chart(c->title, c->x, c->y);
  if (!d) return;
  Panel *p = &d->panel[0];
  bool stacked = c->kind == CHART_STACKED;
  p->y.log = c->kind == CHART_LOG;
  for (int k = 0; k < c->lines; k++)
    for (int i = 0; i < c->line[k].count; i++) {
      extend_axis(&p->x, c->line[k].x[i]);
      if (!stacked || c->line[k].dashed) extend_axis(&p->y, value_on(c, c->line[k].y[i]));
    }
  if (c->scale > 0) extend_axis(&p->y, c->scale), extend_axis(&p->y, -c->scale);
  if (stacked) extend_axis(&p->y, 0), add_areas(d, p, c);
  widen_axis(&p->x, 0), widen_axis(&p->y, 0.05);
  add_events(d, p, c);
  for (int k = 0; k < c->lines; k++)
    if (!stacked || c->line[k].dashed) add_line(d, p, c, k);
  if (c->note) {
    PanelText *t = panel_text(p, p->x.low, p->y.low, TEXT_START, 0x666666);
    t->dx = 14, t->dy = -14;
    snprintf(t->text, sizeof t->text, "%s", c->note);
  }
  finish_chart(d, out);
}

void chart_bars(const char *title, const char *x, const char *y, int first, int bars, const double *count, FILE *out) {
  Diagram *d = begin_chart(title, (ChartAxis){x, ""}, (ChartAxis){y, ""});
  if (!d) return;
  Panel *p = &d->panel[0];
  PointList l = {0};
  double most = 0;
  for (int i = 0; i < bars; i++) {
    const double left = first + i - 0.4, right = first + i + 0.4;
    if (!(count[i] > 0)) continue;
    points_add(&l, left, 0), points_add(&l, left, count[i]), points_add(&l, right, count[i]), points_add(&l, right, 0);
    points_add(&l, NAN, NAN);
    most = fmax(most, count[i]);
  }
  p->x.low = first - 0.5, p->x.high = first + bars - 0.5, p->y.low = 0, p->y.high = most > 0 ? 1.05 * most : 1;
  for (p->x.step = 1; bars / p->x.step > 10; p->x.step *= 2) continue;
  Curve *k = panel_points(d, p, CURVE_FILL, &l);
  k->colour = series_colour(0), k->width = 1;
  free(l.at);
  finish_chart(d, out);
}
