// SPDX-License-Identifier: Apache-2.0
// Columns of a study: histograms over the runs that finished, one above the other, or points over another column.
#include "post/plot/plot.h"
#include "post/study/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1200, LEFT = 150, RIGHT = 35, BOTTOM = 85, TOP = 65, BINS = 50 };

// A range with some air, or what the user gave.
static void give_range(const double user[2], bool log, double low, double high, double air, double out[2]) {
  double size = high - low, more = size > 0 ? air * size : high != 0 ? 0.5 * fabs(high) : 1;
  out[0] = low - more, out[1] = high + more;
  if (log)
    out[0] = low / pow(high / low, air) * (high > low ? 1 : 0.5),
    out[1] = high * (high > low ? pow(high / low, air) : 2);
  for (int i = 0; i < 2; i++)
    if (!isnan(user[i])) out[i] = user[i];
}

static bool draw_histogram(Plot *p, Survey *s, int k, double top, double bottom) {
  const ColumnSurvey *c = &s->column[k];
  double count[BINS], x[5], y[5], range[2], most = 0, size;
  int bins = c->high > c->low ? (c->count < 200 ? 20 : BINS) : 1;
  if (!survey_histogram(s, k, bins, count)) return false;
  for (int i = 0; i < bins; i++) most = fmax(most, count[i]);
  Panel *q = diagram_panel(p->diagram, LEFT, top, WIDTH - RIGHT, bottom);
  give_range(p->x, false, c->low, c->high, 0.02, range);
  axis_set(&q->x, survey_column(s, k)->name, survey_column(s, k)->units, range[0], range[1]);
  give_range(p->y, false, 0, 1.05 * most, 0, range);
  axis_set(&q->y, "runs", "", p->log_y ? 0.5 : range[0], range[1]);
  q->y.log = p->log_y, q->fixed_top = true;
  size = bins > 1 ? (c->high - c->low) / bins : 0.2 * (q->x.high - q->x.low);
  double first = bins > 1 ? c->low : c->low - 0.5 * size, gap = 0.04 * size;
  for (int i = 0; i < bins; i++) {
    double left = first + i * size + gap, right = first + (i + 1) * size - gap, base = p->log_y ? 0.5 : 0;
    double corner[5][2] = {{left, base}, {left, count[i]}, {right, count[i]}, {right, base}, {left, base}};
    for (int j = 0; j < 5; j++) x[j] = corner[j][0], y[j] = corner[j][1];
    if (!(count[i] > 0)) continue;
    Curve *bar = panel_curve(p->diagram, q, CURVE_FILL, 5, x, y, NULL);
    bar->colour = series_colour(0), bar->width = 0.5;
    curve_name(bar, "bar", k * BINS + i);
  }
  return true;
}

static bool draw_points(Plot *p, Survey *s, int k, int over, double top, double bottom, bool last) {
  const ColumnSurvey *x = &s->column[over], *y = &s->column[k];
  double range[2];
  if ((p->log_x && !(x->low > 0)) || (p->log_y && !(y->low > 0))) {
    print_command_error(plot_name, "%s is not positive everywhere, as a logarithmic axis requires",
                        survey_column(s, p->log_x && !(x->low > 0) ? over : k)->name);
    return false;
  }
  Panel *q = diagram_panel(p->diagram, LEFT, top, WIDTH - RIGHT, bottom);
  give_range(p->x, p->log_x, x->low, x->high, 0.03, range);
  axis_set(&q->x, survey_column(s, over)->name, survey_column(s, over)->units, range[0], range[1]);
  give_range(p->y, p->log_y, y->low, y->high, 0.05, range);
  axis_set(&q->y, survey_column(s, k)->name, survey_column(s, k)->units, range[0], range[1]);
  q->x.log = p->log_x, q->y.log = p->log_y, q->x.bare = !last;
  Curve *c = panel_curve(p->diagram, q, CURVE_DOTS, s->samples, x->finished, y->finished, NULL);
  c->colour = series_colour(0), c->width = s->samples > 2000 ? 2.5 : s->samples > 200 ? 4 : 6;
  curve_name(c, "data", k);
  return true;
}

static bool draw_panels(Plot *p, Survey *s, bool over) {
  static const int heights[] = {0, 580, 390, 310};
  int panels = s->columns - over, each = panels < 4 ? heights[panels] : 250;
  double top = TOP, gap = over ? 22 : 85; // each histogram has its own axis
  bool good = true;
  for (int k = 0; k < panels && good; k++, top += each + gap)
    good = over ? draw_points(p, s, k, panels, top, top + each, k + 1 == panels)
                : draw_histogram(p, s, k, top, top + each);
  p->diagram->width = WIDTH, p->diagram->height = (int)(top - gap + BOTTOM), p->diagram->fit_left = true;
  return good;
}

ExitCode plot_study(Plot *p) {
  const char *over = argument_value(p->arguments, "over");
  int *column = NULL, *other = NULL, count = 0, others = 0;
  Survey s = {0};
  bool good = study_columns(plot_name, p->study, p->words, p->word, &column, &count) &&
              (!over || study_columns(plot_name, p->study, 1, &over, &other, &others));
  if (good && count > MAX_PANELS)
    good = false,
    print_command_error(plot_name, "these are %d columns, and a picture has %d panels", count, MAX_PANELS);
  if (good && over && others != 1)
    good = false, print_command_error(plot_name, "--over takes one column, and '%s' has %d", over, others);
  if (good && over) column[count] = other[0];
  good = good && survey_make(plot_name, p->study, count + (over != NULL), column, &s);
  for (int k = 0; good && k < s.columns; k++)
    if (!s.column[k].count) {
      good = false;
      print_command_error(plot_name, "no run that finished has a number in '%s'", survey_column(&s, k)->name);
    }
  good = good && draw_panels(p, &s, over != NULL);
  survey_free(&s);
  free(column), free(other);
  return good ? EXIT_GOOD : EXIT_MISTAKE;
}
