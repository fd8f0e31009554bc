// SPDX-License-Identifier: Apache-2.0
// A Campbell diagram: frequencies of modes over what was varied, multiples of the speed, crossings; damping ratios below.
#include "post/plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1560, LEFT = 120, RIGHT = 700, BOTTOM = 85, TOP = 65, UPPER = 620, LOWER = 190, GAP = 34 };
enum { MOST_NAMES = 16384 };

typedef struct {
  PlotSeries *frequency, *damping, *multiple; // series one after the other
  int modes, multiples;
  char names[MOST_NAMES];
} Diagram;

// The k-th name up to the first comma, after which its strain is told.
static void mode_label(const Diagram *d, int k, char *text, size_t size) {
  const char *line = d->names;
  for (int i = 0; i < k && line; i++) line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
  if (line && *line) snprintf(text, size, "%d  %.*s", k + 1, (int)strcspn(line, ",\n"), line);
  else snprintf(text, size, "mode %d", k + 1);
}

// Where a mode crosses a multiple of the speed, between rows along straight lines.
static int print_crossings(const Plot *p, const Diagram *d) {
  int count = 0;
  fputs("$cross0 << EOD\n", p->out);
  for (int k = 0; k < d->modes; k++)
    for (int m = 0; m < d->multiples; m++) {
      const PlotSeries *f = &d->frequency[k], *g = &d->multiple[m];
      for (int i = 0; i + 1 < f->n; i++) {
        double a = f->y[i] - g->y[i], b = f->y[i + 1] - g->y[i + 1], t = a / (a - b);
        if (!((a > 0) != (b > 0)) || isnan(t)) continue;
        fprintf(p->out, "%.10g %.10g\n", f->x[i] + t * (f->x[i + 1] - f->x[i]), f->y[i] + t * (f->y[i + 1] - f->y[i]));
        count++;
      }
    }
  fputs("EOD\n", p->out);
  return count;
}

static void set_x(const Plot *p, const Diagram *d) {
  const PlotSeries *f = d->frequency;
  script_range(p, 'x', isnan(p->x[0]) ? f->x[0] : p->x[0], isnan(p->x[1]) ? f->x[f->n - 1] : p->x[1]);
}

static void label_x(const Plot *p) {
  char axis[200] = "", units[60] = "";
  results_text(p->run[0], "axis", axis, sizeof axis);
  results_text(p->run[0], "axis_units", units, sizeof units);
  script_axis(p, 'x', !strncmp(axis, "let.", 4) ? axis + 4 : axis, units);
}

// The multiples' numbers stand where their lines leave the frame.
static void label_multiples(const Plot *p, const Diagram *d, double top) {
  for (int m = 0; m < d->multiples; m++) {
    const PlotSeries *g = &d->multiple[m];
    const char *dot = strrchr(g->label, '.');
    double x = g->x[g->n - 1], y = g->y[g->n - 1];
    for (int i = 0; i + 1 < g->n; i++)
      if (g->y[i] <= top && g->y[i + 1] > top) {
        double t = (top - g->y[i]) / (g->y[i + 1] - g->y[i]);
        x = g->x[i] + t * (g->x[i + 1] - g->x[i]), y = top;
        break;
      }
    fprintf(p->out, "set label %d ", m + 1);
    script_text(p, dot ? dot + 1 : g->label);
    fprintf(p->out, " at %.10g,%.10g %s tc rgb '#777777' front\n", x, y,
            y >= top ? "center offset 0,0.6" : "left offset 0.4,0");
  }
}

static void draw_frequencies(const Plot *p, const Diagram *d, bool alone) {
  double y[2] = {0, 0};
  char text[300];
  for (int k = 0; k < d->modes; k++)
    for (int i = 0; i < d->frequency[k].n; i++)
      if (range_contains(p->x, d->frequency[k].x[i])) range_extend(y, d->frequency[k].y[i]);
  if (!isnan(p->y[0])) y[0] = p->y[0];
  y[1] = isnan(p->y[1]) ? 1.04 * y[1] : p->y[1];
  script_range(p, 'y', y[0], y[1]);
  script_axis(p, 'y', "frequency", "Hz");
  label_multiples(p, d, y[1]);
  int crossings = print_crossings(p, d);
  if (alone) label_x(p);
  else fputs("set format x ''\nunset xlabel\n", p->out);
  fputs("plot ", p->out);
  for (int m = 0; m < d->multiples; m++)
    fprintf(p->out, "$multiple%d with lines lc rgb '#aaaaaa' dt 2 lw 1.5 notitle, \\\n     ", m);
  for (int k = 0; k < d->modes; k++) {
    fprintf(p->out, "$frequency%d with lines ", k);
    script_line(p, k, 2.2);
    fputs(" title ", p->out);
    mode_label(d, k, text, sizeof text);
    script_text(p, text);
    fputs(k + 1 < d->modes ? ", \\\n     " : "", p->out);
  }
  if (crossings) {
    fputs(", \\\n     $cross0 with ", p->out);
    script_dots(p, 0.9);
    fputs("lc rgb '#333333' title 'crossing with a multiple of the speed'", p->out);
  }
  fputc('\n', p->out);
}

static void draw_damping(const Plot *p, const Diagram *d) {
  double y[2] = {0, 0};
  for (int k = 0; k < d->modes; k++)
    for (int i = 0; i < d->damping[k].n; i++) d->damping[k].y[i] *= 100, range_extend(y, d->damping[k].y[i]);
  for (int k = 0; k < d->modes; k++) script_data(p, "damping", k, d->damping[k].n, d->damping[k].x, d->damping[k].y);
  double air = y[1] > y[0] ? 0.06 * (y[1] - y[0]) : 1;
  for (int m = 0; m < d->multiples; m++) fprintf(p->out, "unset label %d\n", m + 1);
  fputs("unset label 99\nunset key\nset format x '%h'\n", p->out);
  script_range(p, 'y', y[0] < 0 ? y[0] - air : 0, y[1] + air);
  script_axis(p, 'y', "damping", "%");
  label_x(p);
  fputs("plot ", p->out);
  for (int k = 0; k < d->modes; k++) {
    fprintf(p->out, "$damping%d with lines ", k);
    script_line(p, k, 2.2);
    fputs(k + 1 < d->modes ? " notitle, \\\n     " : " notitle\n", p->out);
  }
}

static void draw_diagram(Plot *p, const Diagram *d) {
  bool damped = false;
  for (int k = 0; k < d->modes; k++)
    for (int i = 0; i < d->damping[k].n; i++) damped = damped || fabs(d->damping[k].y[i]) > 1e-6;
  int lower = damped ? LOWER + GAP : 0;
  script_begin(p, WIDTH, TOP + UPPER + lower + BOTTOM);
  for (int k = 0; k < d->modes; k++)
    script_data(p, "frequency", k, d->frequency[k].n, d->frequency[k].x, d->frequency[k].y);
  for (int k = 0; k < d->multiples; k++)
    script_data(p, "multiple", k, d->multiple[k].n, d->multiple[k].x, d->multiple[k].y);
  fputs("set multiplot\n", p->out);
  script_title(p, LEFT, WIDTH - RIGHT);
  fprintf(p->out, "set key at screen %.4f, screen %.4f left top vertical maxcols 1\n", (WIDTH - RIGHT + 30.0) / WIDTH,
          1 - (double)TOP / p->height);
  set_x(p, d);
  script_frame(p, LEFT, WIDTH - RIGHT, BOTTOM + lower, BOTTOM + lower + UPPER);
  draw_frequencies(p, d, !damped);
  if (damped) {
    script_frame(p, LEFT, WIDTH - RIGHT, BOTTOM, BOTTOM + LOWER);
    draw_damping(p, d);
  }
  fputs("unset multiplot\n", p->out);
}

ExitCode plot_campbell(Plot *p) {
  static const char *const words[] = {"campbell.frequency", "campbell.damping", "multiple.frequency"};
  char wrong[300];
  int count, first;
  Diagram *d = calloc(1, sizeof *d);
  PlotSeries *s;
  if (!d) return EXIT_MACHINE;
  d->modes = results_find(p->run[0], words[0], &first, wrong, sizeof wrong);
  if (!d->modes) {
    print_command_error(plot_name, "--campbell draws results of limber campbell; %s are of another analysis",
                        results_path(p->run[0]));
    return free(d), EXIT_MISTAKE;
  }
  d->multiples = results_find(p->run[0], words[2], &first, wrong, sizeof wrong);
  p->words = d->multiples ? 3 : 2;
  for (int i = 0; i < p->words; i++) p->word[i] = words[i];
  if (!series_read(p, &s, &count)) return free(d), EXIT_MISTAKE;
  if (count != 2 * d->modes + d->multiples) {
    print_damaged_history(p);
    return series_free(s, count), free(d), EXIT_MISTAKE;
  }
  d->frequency = s, d->damping = s + d->modes, d->multiple = s + 2 * d->modes;
  results_text(p->run[0], "mode_names", d->names, sizeof d->names);
  draw_diagram(p, d);
  series_free(s, count);
  free(d);
  return EXIT_GOOD;
}
