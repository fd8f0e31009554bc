// SPDX-License-Identifier: Apache-2.0
// Histories, spectra and loci.
#include "post/plot/plot.h"
#include "post/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Histories and spectra: panels, one above the other, over a common axis.

enum { WIDTH = 1200, LEFT = 150, RIGHT = 35, BOTTOM = 85, TOP = 65, GAP = 22 };

typedef struct {
  Plot *p;
  PlotSeries *s;
  int count;
  int panel[MAX_PANELS]; // a series whose units the panel has
  int panels;
  double x[2];
  const char *x_name, *x_units, *y_prefix;
} Picture;

// Columns of equal units share a panel; where there are several runs to compare, each column has its own.
static bool in_panel(const Picture *f, int k, int i) {
  const PlotSeries *s = f->s, *a = &s[i], *b = &s[f->panel[k]];
  return f->p->runs > 1 ? i / f->p->runs == f->panel[k] / f->p->runs : !strcmp(a->units, b->units);
}

static bool make_panels(Picture *f) {
  for (int i = 0; i < f->count; i++) {
    int k = 0;
    while (k < f->panels && !in_panel(f, k, i)) k++;
    if (k == MAX_PANELS)
      return print_command_error(plot_name, "these columns need more than %d panels", MAX_PANELS), false;
    if (k == f->panels) f->panel[f->panels++] = i;
  }
  return true;
}

// How many columns a panel shows.
static int panel_columns(const Picture *f, int k) {
  int n = 0;
  for (int i = 0; i < f->count; i++) n += in_panel(f, k, i) && f->s[i].run == 0;
  return n;
}

// What all columns of a panel share.
typedef struct {
  bool group, quantity;
} SharedName;

// The name of the axis: that of the only column, else what all names begin or end with: tip.position or velocity.
static SharedName panel_name(const Picture *f, int k, char *text, size_t size) {
  const ResultColumn *first = NULL;
  SharedName same = {true, true};
  text[0] = 0;
  for (int i = 0; i < f->count; i++) {
    if (!in_panel(f, k, i) || f->s[i].run) continue;
    const ResultColumn *c = results_column(f->p->run[0], f->s[i].column);
    if (!first) first = c, snprintf(text, size, "%s", f->s[i].label);
    same.group = same.group && !strcmp(c->group, first->group);
    same.quantity = same.quantity && !strcmp(c->quantity, first->quantity) && strcmp(c->quantity, "value");
  }
  if (panel_columns(f, k) == 1 || !first) return same;
  snprintf(text, size, "%s%s%s", same.group ? first->group : "", same.group && same.quantity ? "." : "",
           same.quantity ? first->quantity : "");
  return same;
}

// The name of a column in the legend: without what the axis says.
static void legend_name(const Picture *f, const PlotSeries *s, SharedName same, char *text, size_t size) {
  const ResultColumn *c = results_column(f->p->run[0], s->column);
  const char *part[3] = {same.group ? "" : c->group, same.quantity ? "" : c->quantity, c->component};
  text[0] = 0;
  if (!same.group && !same.quantity) snprintf(text, size, "%s", s->label);
  for (int i = 0; i < 3 && (same.group || same.quantity); i++) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used && *part[i] ? "." : "", part[i]);
  }
  if (!*text) snprintf(text, size, "%s", s->label);
}

// What a panel says if all that it shows is round-off.
static bool panel_noise(const Picture *f, int k, char *text, size_t size) {
  double most = 0;
  char units[80];
  for (int i = 0; i < f->count; i++) {
    if (!in_panel(f, k, i)) continue;
    if (!*round_off_text(&f->s[i].round_off)) return false;
    most = fmax(most, f->s[i].round_off.most);
  }
  pretty_units(f->s[f->panel[k]].units, units, sizeof units);
  if (most > 0) snprintf(text, size, "0 within round-off: at most %.1e%s%s", most, *units ? " " : "", units);
  else snprintf(text, size, "zero throughout");
  return true;
}

// The range of what a panel shows, with some air.
static void panel_range(const Picture *f, int k, double y[2]) {
  const Plot *p = f->p;
  double all[2] = {NAN, NAN};
  for (int i = 0; i < f->count; i++)
    for (int j = 0; in_panel(f, k, i) && j < f->s[i].n; j++)
      if (range_contains(f->x, f->s[i].x[j]) && (!p->log_y || f->s[i].y[j] > 0)) {
        double band = f->s[i].error > 0 && !p->log_y ? f->s[i].error : 0;
        range_extend(all, f->s[i].y[j] - band), range_extend(all, f->s[i].y[j] + band);
      }
  if (isnan(all[0])) all[0] = p->log_y ? 0.1 : -1, all[1] = 1;
  if (p->log_y) { // five decades: what lies below is round-off, or nothing that the eye could weigh
    y[1] = 2 * all[1], y[0] = fmax(all[0] / 2, 1e-5 * all[1]);
  } else {
    char text[100];
    double scale = fmax(fabs(all[0]), fabs(all[1])), air = 0.05 * (all[1] - all[0]);
    if (panel_noise(f, k, text, sizeof text)) { // on the scale on which its relatives move
      scale = f->s[f->panel[k]].round_off.scale, all[1] = scale > 0 ? scale : 1, all[0] = -all[1], air = 0;
    }
    if (air <= 1e-12 * scale) air = scale > 0 ? 0.1 * scale : 1;
    y[0] = all[0] - air, y[1] = all[1] + air;
  }
  for (int i = 0; i < 2; i++)
    if (!isnan(p->y[i])) y[i] = p->y[i];
}

// What a panel with a logarithmic axis says of a column that has no place on it.
static bool panel_lacks(const Picture *f, int k, char *text, size_t size) {
  for (int i = 0; f->p->log_y && i < f->count; i++) {
    bool any = !in_panel(f, k, i) || *round_off_text(&f->s[i].round_off); // which the legend names
    for (int j = 0; !any && j < f->s[i].n; j++) any = f->s[i].y[j] > 0;
    if (!any) return snprintf(text, size, "%.100s is nowhere positive", f->s[i].label), true;
  }
  return false;
}

// Curves of one run that are zero lie upon each other: they are one curve of the legend. Returns its first series, or
// -1.
static int zeros_legend(const Picture *f, int k, SharedName same, char *text, size_t size) {
  char name[300], names[36] = "";
  int first = -1, count = 0;
  bool exact = true, fits = true;
  for (int i = 0; i < f->count && f->p->runs == 1; i++) {
    if (!in_panel(f, k, i) || !*round_off_text(&f->s[i].round_off)) continue;
    legend_name(f, &f->s[i], same, name, sizeof name);
    size_t used = strlen(names);
    fits = fits && used + strlen(name) + 3 < sizeof names;
    if (fits) snprintf(names + used, sizeof names - used, "%s%.32s", used ? ", " : "", name);
    if (first < 0) first = i;
    exact = exact && f->s[i].round_off.most == 0, count++;
  }
  if (!fits) snprintf(names, sizeof names, "%d columns", count);
  bool all = count == panel_columns(f, k); // then a note says what they are
  snprintf(text, size, "%s%s%s", count == 1 ? name : names, all ? "" : ": ",
           all     ? ""
           : exact ? "0"
                   : "0 within round-off");
  return panel_columns(f, k) > 1 ? first : -1;
}

// The error bar of a column, below its line.
static void add_band(Plot *p, Panel *q, const PlotSeries *s, int i, unsigned colour) {
  double *low = malloc((size_t)s->n * sizeof *low + 1), *high = malloc((size_t)s->n * sizeof *high + 1);
  unsigned light = 0;
  for (int part = 0; part < 24; part += 8) light |= (255 - (255 - (colour >> part & 255)) / 3) << part;
  if (!low || !high) p->diagram->failed = true;
  for (int j = 0; low && high && j < s->n; j++) low[j] = s->y[j] - s->error, high[j] = s->y[j] + s->error;
  Curve *c = low && high ? panel_curve(p->diagram, q, CURVE_AREA, s->n, s->x, high, low) : NULL;
  if (c) curve_name(c, "band", i), c->colour = light;
  free(low), free(high);
}

static void fill_panel(const Picture *f, int k, Panel *q) {
  Plot *p = f->p;
  char text[700], name[400], note[150], column_name[300], zero_names[400];
  int columns = panel_columns(f, k), column = -1, zero_column = -1;
  double y[2];
  panel_range(f, k, y);
  SharedName same = panel_name(f, k, name, sizeof name);
  int zeros = zeros_legend(f, k, same, zero_names, sizeof zero_names);
  snprintf(text, sizeof text, "%s%s%s", f->y_prefix, *f->y_prefix && *name ? " of " : "", name);
  axis_set(&q->y, text, f->s[f->panel[k]].units, y[0], y[1]);
  q->y.log = p->log_y, q->fixed_top = !isnan(p->y[1]);
  q->legend = p->runs == 1 || k == 0 ? LEGEND_CORNER : LEGEND_NONE; // the legend of runs is the same in all panels
  for (int i = 0; i < f->count; i++) {
    const PlotSeries *s = &f->s[i];
    if (!in_panel(f, k, i)) continue;
    bool zero = zeros >= 0 && *round_off_text(&s->round_off);
    if (!zero || i == zeros) column += s->run == 0;
    if (i == zeros) zero_column = column;
    int colour = p->runs > 1 ? s->run : zero ? zero_column : column;
    if (s->error > 0 && !zero && !p->log_y) add_band(p, q, s, i, series_colour(colour));
    Curve *c = panel_curve(p->diagram, q, CURVE_LINE, s->n, s->x, s->y, NULL);
    curve_name(c, "data", i);
    c->colour = series_colour(colour), c->dash = series_dash(colour);
    c->width = fmin(2 + 1.2 * (p->runs - 1 - s->run), 6); // runs that agree cover each other: those behind are broader
    legend_name(f, s, same, column_name, sizeof column_name);
    if (i == zeros) snprintf(c->legend, sizeof c->legend, "%s", zero_names);
    else if (q->legend && !zero) series_legend(p, s, columns, column_name, c->legend, sizeof c->legend);
  }
  if (panel_noise(f, k, note, sizeof note) || panel_lacks(f, k, note, sizeof note)) {
    PanelText *t = panel_text(q, f->x[0], y[0], TEXT_START, 0x666666);
    t->dx = 14, t->dy = -14;
    snprintf(t->text, sizeof t->text, "%s", note);
  }
}

static void fill_panels(Picture *f) {
  static const int heights[] = {0, 580, 390, 310};
  Diagram *d = f->p->diagram;
  int each = f->panels < 4 ? heights[f->panels] : 250, wide = WIDTH - LEFT - RIGHT;
  double top = TOP;
  for (int k = 0; k < f->panels; k++) {
    Panel *q = diagram_panel(d, LEFT, 0, WIDTH - RIGHT, 0);
    axis_set(&q->x, f->x_name, f->x_units, f->x[0], f->x[1]);
    q->x.log = f->p->log_x, q->x.bare = k + 1 < f->panels;
    fill_panel(f, k, q);
    double legend = q->legend ? legend_height(q, wide) : 0;
    q->top = top, q->bottom = top + each;
    if (q->legend && (legend > 0.3 * each || !legend_has_corner(q))) // too large to stand among the curves
      q->legend = LEGEND_ABOVE, q->top += legend, q->bottom += legend;
    top = q->bottom + GAP;
  }
  d->width = WIDTH, d->height = (int)(top - GAP + BOTTOM), d->fit_left = true;
}

// The range of the axis that all panels share.
static void common_range(Picture *f) {
  const Plot *p = f->p;
  f->x[0] = f->x[1] = NAN;
  for (int i = 0; i < f->count; i++)
    for (int j = 0; j < f->s[i].n; j++)
      if (!p->log_x || f->s[i].x[j] > 0) range_extend(f->x, f->s[i].x[j]);
  for (int i = 0; i < 2; i++)
    if (!isnan(p->x[i])) f->x[i] = p->x[i];
  if (f->x[1] > f->x[0]) return;
  double at = isnan(f->x[0]) ? 1 : f->x[0], air = at != 0 ? 0.5 * fabs(at) : 1; // one value: in the middle
  f->x[0] = at - air, f->x[1] = at + air;
}

static ExitCode draw_all(Picture *f) {
  if (!make_panels(f)) return EXIT_MISTAKE;
  common_range(f);
  fill_panels(f);
  return EXIT_GOOD;
}

static void find_error(Plot *p, PlotSeries *s) { s->error = results_error(p->run[s->run], s->column, NULL); }

ExitCode plot_history(Plot *p) {
  Picture f = {.p = p, .x_name = results_axis(p->run[0]), .x_units = results_axis_units(p->run[0]), .y_prefix = ""};
  ExitCode code = EXIT_MISTAKE;
  if (series_read(p, &f.s, &f.count) && series_flatten(p, f.s, f.count) &&
      series_over(p, f.s, f.count, &f.x_name, &f.x_units)) {
    for (int i = 0; i < f.count; i++) find_error(p, &f.s[i]), series_thin(&f.s[i], 3000);
    code = draw_all(&f);
  }
  series_free(f.s, f.count);
  return code;
}

// ---- spectra ----

// Leaves out the row at the beginning of the interval, and a last row that comes early: N rows then stand for N steps.
static bool equal_steps(const Plot *p, PlotSeries *s) {
  const double *t = s->x;
  int n = s->n;
  const char *path = results_path(p->run[s->run]);
  if (n < 5)
    return print_command_error(plot_name, "%s has %d rows in that interval, too few for a spectrum", path, n), false;
  double step = t[2] - t[1];
  if (fabs(t[n - 1] - t[n - 2] - step) > 1e-4 * step) n--;
  for (int i = 1; i < n; i++)
    if (fabs(t[i] - t[i - 1] - step) > 1e-4 * step) {
      bool chosen = results_real(p->run[s->run], "largest", 0) > 0; // the run chose its steps
      print_command_error(plot_name, "the rows of %s are not equally spaced about t = %g s, so they have no spectrum%s",
                          path, t[i],
                          chosen ? "\n  Run the model with 'rows' in its 'control', such as rows: 1 ms." : "");
      return false;
    }
  s->n = n - 1;
  memmove(s->x, s->x + 1, (size_t)s->n * sizeof *s->x);
  memmove(s->y, s->y + 1, (size_t)s->n * sizeof *s->y);
  return true;
}

static bool replace_by_spectrum(Plot *p, PlotSeries *s) {
  if (!equal_steps(p, s)) return false;
  double rate = (s->n - 1) / (s->x[s->n - 1] - s->x[0]) / s->n;
  int size = spectrum_size(s->n);
  double *amplitude = malloc((size_t)size * sizeof *amplitude);
  if (!amplitude || !amplitude_spectrum(s->n, s->y, argument_value(p->arguments, "straighten") != NULL, amplitude)) {
    free(amplitude);
    return print_command_error(plot_name, "not enough memory"), false;
  }
  free(s->y), s->y = amplitude, s->n = size;
  for (int k = 0; k < size; k++) s->x[k] = k * rate;
  // the mean would hide all else on an axis that is not logarithmic, and a logarithmic one has no place for 0 Hz
  s->y[0] = NAN;
  return true;
}

ExitCode plot_spectrum(Plot *p) {
  Picture f = {.p = p, .x_name = "frequency", .x_units = "Hz", .y_prefix = "amplitude"};
  ExitCode code = EXIT_MISTAKE;
  bool good = series_read(p, &f.s, &f.count) && series_flatten(p, f.s, f.count);
  for (int i = 0; good && i < f.count; i++) good = replace_by_spectrum(p, &f.s[i]);
  if (good) code = draw_all(&f);
  series_free(f.s, f.count);
  return code;
}

// Loci: one column over another, on axes of equal scale.

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
