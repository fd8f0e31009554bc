// SPDX-License-Identifier: Apache-2.0
// A Campbell diagram: frequencies of modes over what was varied, multiples of the speed, crossings; damping ratios
// below. Thin dotted curves are frequencies in the frame of a rotor on a support, where they differ.
#include "model/refusal.h"
#include "post/plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 120, RIGHT = 860, BESIDE = 700, BOTTOM = 85, TOP = 65, UPPER = 620, LOWER = 190, GAP = 34 };
enum { MOST_NAMES = 16384 };

typedef struct {
  PlotSeries *frequency, *damping, *multiple, *rotor; // series one after the other; rotor NULL: not recorded
  int modes, multiples;
  char names[MOST_NAMES];
} Campbell;

// Cuts a name that is too wide for the legend.
static void fit_label(char *text) {
  const double most = BESIDE - LEGEND_SAMPLE - 120;
  size_t n = strlen(text);
  if (text_width(text, TEXT_SIZE) <= most) return;
  do {
    do n--;
    while (n && ((unsigned char)text[n] & 0xc0) == 0x80);
    text[n] = 0;
  } while (n && text_width(text, TEXT_SIZE) > most - text_width("...", TEXT_SIZE));
  memcpy(text + n, "...", sizeof "...");
}

// The k-th name up to the first comma, after which its strain is named.
static void mode_label(const Campbell *d, int k, char *text, size_t size) {
  const char *line = d->names;
  for (int i = 0; i < k && line; i++) line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
  if (line && *line) snprintf(text, size, "%d  %.*s", k + 1, (int)strcspn(line, ",\n"), line);
  else snprintf(text, size, "mode %d", k + 1);
  fit_label(text);
}

// Where a mode crosses a multiple of the speed, between rows along straight lines.
static void add_crossings(Plot *p, Panel *q, const Campbell *d) {
  PointList l = {0};
  for (int k = 0; k < d->modes; k++)
    for (int m = 0; m < d->multiples; m++) {
      const PlotSeries *f = &d->frequency[k], *g = &d->multiple[m];
      for (int i = 0; i + 1 < f->n; i++) {
        double a = f->y[i] - g->y[i], b = f->y[i + 1] - g->y[i + 1], t = a / (a - b);
        if (!((a > 0) != (b > 0)) || isnan(t)) continue;
        points_add(&l, f->x[i] + t * (f->x[i + 1] - f->x[i]), f->y[i] + t * (f->y[i + 1] - f->y[i]));
      }
    }
  if (l.failed) p->diagram->failed = true;
  else if (l.n) {
    Curve *c = panel_points(p->diagram, q, CURVE_DOTS, &l);
    curve_name(c, "cross", 0);
    c->colour = 0x333333, c->width = 9;
    snprintf(c->legend, sizeof c->legend, "crossing with a multiple of the speed");
  }
  free(l.at);
}

static void set_x(const Plot *p, const Campbell *d, Axis *a) {
  const PlotSeries *f = d->frequency;
  char axis[200] = "", units[60] = "";
  results_text(p->run[0], "axis", axis, sizeof axis);
  results_text(p->run[0], "axis_units", units, sizeof units);
  axis_set(a, !strncmp(axis, "let.", 4) ? axis + 4 : axis, units, isnan(p->x[0]) ? f->x[0] : p->x[0],
           isnan(p->x[1]) ? f->x[f->n - 1] : p->x[1]);
}

// The multiples' numbers stand where their lines leave the frame.
static void label_multiples(Panel *q, const Campbell *d) {
  for (int m = 0; m < d->multiples; m++) {
    const PlotSeries *g = &d->multiple[m];
    const char *dot = strrchr(g->label, '.');
    double top = q->y.high, x = NAN, y = NAN;
    for (int i = 0; i < g->n; i++) { // the last point within the frame
      if (g->x[i] > q->x.high || g->y[i] > top) break;
      x = g->x[i], y = g->y[i];
      if (i + 1 < g->n && g->y[i + 1] > top && g->x[i + 1] <= q->x.high) {
        double t = (top - g->y[i]) / (g->y[i + 1] - g->y[i]);
        x = g->x[i] + t * (g->x[i + 1] - g->x[i]), y = top;
        break;
      }
    }
    if (isnan(x)) continue;
    PanelText *t = panel_text(q, x, y, y >= top ? TEXT_MIDDLE : TEXT_START, 0x777777);
    t->dx = y >= top ? 0 : 6, t->dy = y >= top ? -7 : 6;
    snprintf(t->text, sizeof t->text, "%s", dot ? dot + 1 : g->label);
  }
}

static void draw_in_rotor(Plot *p, Panel *q, const Campbell *d) {
  bool named = false;
  for (int k = 0; k < d->modes && d->rotor; k++) {
    const PlotSeries *f = &d->frequency[k], *r = &d->rotor[k];
    double most = 0;
    for (int i = 0; i < r->n; i++) most = fmax(most, fabs(r->y[i] - f->y[i]) / fmax(1e-30, f->y[i]));
    if (!(most > 1e-6)) continue;
    Curve *c = panel_curve(p->diagram, q, CURVE_LINE, r->n, r->x, r->y, NULL);
    curve_name(c, "rotor", k);
    c->colour = series_colour(k), c->dash = 2, c->width = 1;
    if (!named) snprintf(c->legend, sizeof c->legend, "thin: in the frame of the rotor");
    named = true;
  }
}

static void fill_frequencies(Plot *p, Panel *q, const Campbell *d) {
  double y[2] = {0, 0};
  for (int k = 0; k < d->modes; k++)
    for (int i = 0; i < d->frequency[k].n; i++)
      if (range_contains(p->x, d->frequency[k].x[i])) range_extend(y, d->frequency[k].y[i]);
  if (!isnan(p->y[0])) y[0] = p->y[0];
  y[1] = !isnan(p->y[1]) ? p->y[1] : y[1] > 0 ? 1.04 * y[1] : 1;
  axis_set(&q->y, "frequency", "Hz", y[0], y[1]);
  label_multiples(q, d);
  for (int m = 0; m < d->multiples; m++) {
    Curve *c = panel_curve(p->diagram, q, CURVE_LINE, d->multiple[m].n, d->multiple[m].x, d->multiple[m].y, NULL);
    curve_name(c, "multiple", m);
    c->colour = 0xaaaaaa, c->dash = 1, c->width = 1.5;
  }
  for (int k = 0; k < d->modes; k++) {
    Curve *c = panel_curve(p->diagram, q, CURVE_LINE, d->frequency[k].n, d->frequency[k].x, d->frequency[k].y, NULL);
    curve_name(c, "frequency", k);
    c->colour = series_colour(k), c->dash = series_dash(k), c->width = 2.2;
    mode_label(d, k, c->legend, sizeof c->legend);
  }
  draw_in_rotor(p, q, d);
  add_crossings(p, q, d);
}

static void fill_damping(Plot *p, Panel *q, const Campbell *d) {
  double y[2] = {0, 0};
  for (int k = 0; k < d->modes; k++)
    for (int i = 0; i < d->damping[k].n; i++) d->damping[k].y[i] *= 100, range_extend(y, d->damping[k].y[i]);
  double air = y[1] > y[0] ? 0.06 * (y[1] - y[0]) : 1;
  axis_set(&q->y, "damping", "%", y[0] < 0 ? y[0] - air : 0, y[1] + air);
  for (int k = 0; k < d->modes; k++) {
    Curve *c = panel_curve(p->diagram, q, CURVE_LINE, d->damping[k].n, d->damping[k].x, d->damping[k].y, NULL);
    curve_name(c, "damping", k);
    c->colour = series_colour(k), c->dash = series_dash(k), c->width = 2.2;
  }
}

static void fill_diagram(Plot *p, const Campbell *d) {
  bool damped = false;
  for (int k = 0; k < d->modes; k++)
    for (int i = 0; i < d->damping[k].n; i++) damped = damped || fabs(d->damping[k].y[i]) > 1e-6;
  Panel *upper = diagram_panel(p->diagram, LEFT, TOP, RIGHT, TOP + UPPER), *last = upper;
  set_x(p, d, &upper->x);
  fill_frequencies(p, upper, d);
  upper->legend = LEGEND_RIGHT;
  if (damped) {
    upper->x.bare = true;
    last = diagram_panel(p->diagram, LEFT, TOP + UPPER + GAP, RIGHT, TOP + UPPER + GAP + LOWER);
    set_x(p, d, &last->x);
    fill_damping(p, last, d);
  }
  p->diagram->width = RIGHT + (int)fmin(legend_width(upper) + 100, BESIDE);
  p->diagram->height = (int)last->bottom + BOTTOM, p->diagram->fit_left = true;
}

ExitCode plot_campbell(Plot *p) {
  static const char *const words[] = {"campbell.frequency", "campbell.damping", "campbell.rotor_frequency",
                                      "multiple.frequency"};
  Refusal wrong;
  int count, first;
  Campbell *d = calloc(1, sizeof *d);
  PlotSeries *s;
  if (!d) return EXIT_MACHINE;
  d->modes = results_find(p->run[0], words[0], &first, &wrong);
  if (!d->modes) {
    print_command_error(plot_name, "--campbell draws results of limber campbell; %s are of another analysis",
                        results_path(p->run[0]));
    return free(d), EXIT_MISTAKE;
  }
  int rotor = results_find(p->run[0], words[2], &first, &wrong);
  d->multiples = results_find(p->run[0], words[3], &first, &wrong);
  p->words = 0;
  for (int i = 0; i < 4; i++)
    if (i < 2 || (i == 2 && rotor) || (i == 3 && d->multiples)) p->word[p->words++] = words[i];
  if (!series_read(p, &s, &count)) return free(d), EXIT_MISTAKE;
  if (count != 2 * d->modes + rotor + d->multiples || (rotor && rotor != d->modes)) {
    print_damaged_history(p);
    return series_free(s, count), free(d), EXIT_MISTAKE;
  }
  d->frequency = s, d->damping = s + d->modes, d->multiple = s + 2 * d->modes + rotor;
  d->rotor = rotor ? s + 2 * d->modes : NULL;
  results_text(p->run[0], "mode_names", d->names, sizeof d->names);
  fill_diagram(p, d);
  series_free(s, count);
  free(d);
  return EXIT_GOOD;
}
