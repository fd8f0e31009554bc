// SPDX-License-Identifier: Apache-2.0
// Histories and spectra: panels, one above the other, over a common axis.
#include "post/plot/plot.h"
#include "post/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PANELS = 12, WIDTH = 1200, RIGHT = 35, BOTTOM = 85, TOP = 65, GAP = 22, LINE = 27 };

typedef struct {
  Plot *p;
  PlotSeries *s;
  int count;
  int panel[MAX_PANELS]; // a series whose units the panel has
  int panels;
  double x[2];
  int left; // where the frames begin
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

// The name of the axis: that of the only column, else what all names begin or end with: tip.position or velocity.
static void panel_name(const Picture *f, int k, char *text, size_t size) {
  const ResultColumn *first = NULL;
  bool same_group = true, same_quantity = true;
  text[0] = 0;
  for (int i = 0; i < f->count; i++) {
    if (!in_panel(f, k, i) || f->s[i].run) continue;
    const ResultColumn *c = results_column(f->p->run[0], f->s[i].column);
    if (!first) first = c, snprintf(text, size, "%s", f->s[i].label);
    same_group = same_group && !strcmp(c->group, first->group);
    same_quantity = same_quantity && !strcmp(c->quantity, first->quantity);
  }
  if (panel_columns(f, k) == 1 || !first) return;
  snprintf(text, size, "%s%s%s", same_group ? first->group : "", same_group && same_quantity ? "." : "",
           same_quantity ? first->quantity : "");
}

// The range of what a panel shows, with some air.
static void panel_range(const Picture *f, int k, double y[2]) {
  const Plot *p = f->p;
  double all[2] = {NAN, NAN};
  for (int i = 0; i < f->count; i++)
    for (int j = 0; in_panel(f, k, i) && j < f->s[i].n; j++)
      if (range_contains(f->x, f->s[i].x[j]) && (!p->log_y || f->s[i].y[j] > 0)) range_extend(all, f->s[i].y[j]);
  if (isnan(all[0])) all[0] = p->log_y ? 0.1 : -1, all[1] = 1;
  if (p->log_y) { // five decades: what lies below is round-off, or nothing that the eye could weigh
    y[1] = 2 * all[1], y[0] = fmax(all[0] / 2, 1e-5 * all[1]);
  } else {
    double scale = fmax(fabs(all[0]), fabs(all[1])), air = 0.05 * (all[1] - all[0]);
    if (air <= 1e-12 * scale) air = scale > 0 ? 0.1 * scale : 1;
    y[0] = all[0] - air, y[1] = all[1] + air;
  }
  for (int i = 0; i < 2; i++)
    if (!isnan(p->y[i])) y[i] = p->y[i];
}

static double axis_fraction(const double range[2], bool logarithmic, double value) {
  return logarithmic ? log(value / range[0]) / log(range[1] / range[0]) : (value - range[0]) / (range[1] - range[0]);
}

// Puts the key into the emptiest corner; where none is empty, above the curves, for which the range is raised.
static void choose_key_corner(const Picture *f, int k, double y[2], int entries, double entry_width, double height) {
  static const char *const corner[4] = {"top right", "top left", "bottom right", "bottom left"};
  const Plot *p = f->p;
  int hits[4] = {0}, best = 0, beside = 1; // entries beside each other, where the panel is too low for a pile of them
  while (beside < 3 && beside < entries && (entries + beside - 1) / beside * LINE + 15 > 0.4 * height) beside++;
  int rows = (entries + beside - 1) / beside;
  double wide = beside * entry_width / (WIDTH - f->left - RIGHT), high = (rows * LINE + 15) / height;
  for (int i = 0; i < f->count; i++)
    for (int j = 0; in_panel(f, k, i) && j < f->s[i].n; j++) {
      if (p->log_y && f->s[i].y[j] <= 0) continue;
      double a = axis_fraction(f->x, p->log_x, f->s[i].x[j]), b = axis_fraction(y, p->log_y, f->s[i].y[j]);
      if (a >= 0 && a <= 1 && (a < wide || a > 1 - wide)) {
        if (b > 1 - high) hits[a < wide]++;
        if (b < high) hits[2 + (a < wide)]++;
      }
    }
  for (int i = 1; i < 4; i++)
    if (hits[i] < hits[best]) best = i;
  fprintf(p->out, "set key %s vertical maxrows %d\n", corner[best], rows);
  if (!hits[best] || !isnan(p->y[1]) || high > 0.7) return;
  if (p->log_y) y[1] *= pow(y[1] / y[0], high / (1 - high));
  else y[1] += (y[1] - y[0]) * high / (1 - high);
  fputs("set key top right\n", p->out);
}

static void draw_panel(const Picture *f, int k, double height) {
  const Plot *p = f->p;
  char text[700], name[400];
  int columns = panel_columns(f, k), entries = 0, column = -1;
  size_t longest = 0;
  double y[2];
  panel_range(f, k, y);
  for (int i = 0; i < f->count; i++) {
    if (!in_panel(f, k, i)) continue;
    series_legend(p, &f->s[i], columns, text, sizeof text);
    longest = strlen(text) > longest ? strlen(text) : longest;
    entries++;
  }
  if (longest && (p->runs == 1 || k == 0)) // the legend of runs is the same in all panels
    choose_key_corner(f, k, y, entries, 80 + 11.0 * (double)longest, height);
  else fputs("unset key\n", p->out);
  panel_name(f, k, name, sizeof name);
  snprintf(text, sizeof text, "%s%s%s", f->y_prefix, *f->y_prefix && *name ? " of " : "", name);
  script_axis(p, 'y', text, f->s[f->panel[k]].units);
  script_range(p, 'y', y[0], y[1]);
  fputs("plot ", p->out);
  for (int i = 0, n = 0; i < f->count; i++) {
    if (!in_panel(f, k, i)) continue;
    const PlotSeries *s = &f->s[i];
    column += s->run == 0;
    series_legend(p, s, columns, text, sizeof text);
    fprintf(p->out, "%s$data%d with lines ", n++ ? ", \\\n     " : "", i);
    // runs that agree cover each other: those behind are broader
    script_line(p, p->runs > 1 ? s->run : column, fmin(2 + 1.2 * (p->runs - 1 - s->run), 6));
    fputs(" title ", p->out);
    script_text(p, text);
  }
  fputc('\n', p->out);
}

static void draw_panels(Picture *f) {
  static const int heights[] = {0, 580, 390, 310};
  Plot *p = f->p;
  f->left = 150;
  for (int k = 0; k < f->panels; k++) { // numbers with a power of ten need room
    double y[2], most;
    panel_range(f, k, y);
    most = fmax(fabs(y[0]), fabs(y[1]));
    if (!p->log_y && (most < 2e-4 || most >= 1e6)) f->left = 215;
  }
  int each = f->panels < 4 ? heights[f->panels] : 250, height = TOP + f->panels * (each + GAP) - GAP + BOTTOM;
  script_begin(p, WIDTH, height);
  for (int i = 0; i < f->count; i++) script_data(p, "data", i, f->s[i].n, f->s[i].x, f->s[i].y);
  fprintf(p->out, "set multiplot\n");
  if (p->log_x) fputs("set logscale x\nset format x '10^{%T}'\n", p->out);
  if (p->log_y) fputs("set logscale y\nset format y '10^{%T}'\n", p->out);
  script_range(p, 'x', f->x[0], f->x[1]);
  for (int k = 0; k < f->panels; k++) {
    double bottom = BOTTOM + (double)(f->panels - 1 - k) * (each + GAP);
    script_frame(p, f->left, WIDTH - RIGHT, bottom, bottom + each);
    if (k) fputs("unset label 99\n", p->out);
    else script_title(p, f->left, WIDTH - RIGHT);
    if (k + 1 < f->panels) fputs("set format x ''\n", p->out);
    else {
      if (f->panels > 1) fprintf(p->out, "set format x '%s'\n", p->log_x ? "10^{%T}" : "%h");
      script_axis(p, 'x', f->x_name, f->x_units);
    }
    draw_panel(f, k, each);
  }
  fputs("unset multiplot\n", p->out);
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
  if (!(f->x[1] > f->x[0])) f->x[1] = f->x[0] + (p->log_x ? 9 * f->x[0] : 1);
}

static ExitCode draw_all(Picture *f) {
  if (!make_panels(f)) return EXIT_MISTAKE;
  common_range(f);
  draw_panels(f);
  return EXIT_GOOD;
}

ExitCode plot_history(Plot *p) {
  Picture f = {.p = p, .x_name = results_axis(p->run[0]), .x_units = results_axis_units(p->run[0]), .y_prefix = ""};
  ExitCode code = EXIT_MISTAKE;
  if (series_read(p, &f.s, &f.count) && series_over(p, f.s, f.count, &f.x_name, &f.x_units)) {
    for (int i = 0; i < f.count; i++) series_thin(&f.s[i]);
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
    return print_command_error(plot_name, "there is not enough memory"), false;
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
  bool good = series_read(p, &f.s, &f.count);
  for (int i = 0; good && i < f.count; i++) good = replace_by_spectrum(p, &f.s[i]);
  if (good) code = draw_all(&f);
  series_free(f.s, f.count);
  return code;
}
