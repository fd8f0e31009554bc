// SPDX-License-Identifier: Apache-2.0
// Loci: one column over another, on axes of equal scale.
#include "post/plot/plot.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 1200, LEFT = 150, RIGHT = 35, BOTTOM = 85, TOP = 65, KEY = 27 };

double equal_scales(const Plot *p, double x[2], double y[2], double wide) {
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

static void draw_paths(Plot *p, PlotSeries *s, int pairs) {
  double x[2] = {NAN, NAN}, y[2] = {NAN, NAN};
  char text[400];
  int curves = pairs * p->runs, key = curves > 1 ? (curves + 2) / 3 * KEY : 0;
  for (int k = 0; k < pairs; k++)
    for (int i = 0; i < p->runs; i++) {
      const PlotSeries *a = of_pair(p, s, k, 0, i), *b = of_pair(p, s, k, 1, i);
      for (int j = 0; j < a->n; j++) range_extend(x, a->y[j]), range_extend(y, b->y[j]);
    }
  double high = equal_scales(p, x, y, WIDTH - LEFT - RIGHT);
  script_begin(p, WIDTH, (int)(high + 0.5) + TOP + key + BOTTOM);
  for (int k = 0; k < pairs; k++)
    for (int i = 0; i < p->runs; i++)
      script_data(p, "data", k * p->runs + i, of_pair(p, s, k, 0, i)->n, of_pair(p, s, k, 0, i)->y,
                  of_pair(p, s, k, 1, i)->y);
  script_frame(p, LEFT, WIDTH - RIGHT, BOTTOM, BOTTOM + high);
  script_title(p, LEFT, WIDTH - RIGHT);
  fputs("set size ratio -1\n", p->out);
  if (key)
    fprintf(p->out, "set key at screen 0.5, screen %.4f center horizontal maxcols 3\n",
            1 - (TOP - 10 + key / 2.0) / p->height);
  else fputs("unset key\n", p->out);
  for (int k = 0; k < 2; k++) {
    axis_name(p, s, pairs, k, text, sizeof text);
    script_axis(p, k ? 'y' : 'x', text, s[k * p->runs].units);
    script_range(p, k ? 'y' : 'x', k ? y[0] : x[0], k ? y[1] : x[1]);
  }
  fputs("plot ", p->out);
  for (int k = 0; k < pairs; k++)
    for (int i = 0; i < p->runs; i++) {
      const PlotSeries *a = of_pair(p, s, k, 0, i);
      int colour = k * p->runs + i;
      pair_name(p, a, of_pair(p, s, k, 1, i), text, sizeof text);
      if (p->runs > 1) snprintf(text + strlen(text), sizeof text - strlen(text), ", %s", p->label[i]);
      fprintf(p->out, "%s$data%d with lines ", k + i ? ", \\\n     " : "", k * p->runs + i);
      script_line(p, colour, fmin(2 + 1.2 * (p->runs - 1 - i), 6));
      fputs(" title ", p->out);
      script_text(p, text);
      // a dot where the curve begins
      fprintf(p->out, ", \\\n     $data%d every ::0::0 with ", k * p->runs + i);
      script_dots(p, 1.3);
      script_line(p, colour, 1);
      fputs(" notitle", p->out);
    }
  fputc('\n', p->out);
}

ExitCode plot_path(Plot *p) {
  PlotSeries *s;
  int count;
  ExitCode code = EXIT_MISTAKE;
  if (!series_read(p, &s, &count)) return EXIT_MISTAKE;
  int columns = count / p->runs;
  if (columns % 2)
    print_command_error(plot_name, "--path needs columns in pairs, such as tip.x tip.z; here are %d", columns);
  else draw_paths(p, s, columns / 2), code = EXIT_GOOD;
  series_free(s, count);
  return code;
}
