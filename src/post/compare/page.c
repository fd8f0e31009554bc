// SPDX-License-Identifier: Apache-2.0
// The comparison as a page: both runs in one chart for every column that differs, the largest difference first.
#include "post/compare/compare.h"
#include "post/curves.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CHARTS = 60 };

static int by_difference(const void *left, const void *right) {
  const Difference *a = *(const Difference *const *)left, *b = *(const Difference *const *)right;
  double x = beyond_scale(a), y = beyond_scale(b);
  if (a->judged != b->judged) return a->judged ? -1 : 1;
  return x > y ? -1 : x < y ? 1 : strcmp(a->name->name, b->name->name);
}

// The name of a run's file, or its path where both have the same name.
static const char *label_of(const Comparison *c, int k) {
  bool apart = strcmp(results_file(c->run[0]), results_file(c->run[1])) != 0;
  return apart ? results_file(c->run[k]) : results_path(c->run[k]);
}

// Curves that are constant within round-off are straight lines. False: both are nothing but round-off, and not drawn.
static bool draw_chart(const Comparison *c, const Difference *d, CurveScales *scales, FILE *out) {
  double *value[2] = {NULL, NULL};
  bool still = true;
  Chart chart = {.title = d->name->name, .y = {"", d->name->units}, .lines = 2};
  chart.x = (ChartAxis){results_axis(c->run[0]), results_axis_units(c->run[0])};
  for (int k = 0; k < 2; k++) {
    RoundOff o = curve_round_off(&scales[k], d->column[k], c->rows, d->value[k]);
    value[k] = malloc((size_t)c->rows * sizeof *value[k] + 1);
    if (value[k])
      memcpy(value[k], d->value[k], (size_t)c->rows * sizeof *value[k]), curve_flatten(&o, c->rows, value[k]);
    chart.line[k] = (ChartLine){label_of(c, k), c->time, value[k] ? value[k] : d->value[k], c->rows, k == 1, 0};
    still = still && *round_off_text(&o);
  }
  if (!still) chart_write(&chart, out);
  free(value[0]), free(value[1]);
  return !still;
}

// The largest differences; columns of round-off are named.
static void draw_charts(const Comparison *c, const Difference *const *sorted, int count, FILE *out) {
  CurveScales scales[2] = {{0}};
  int still = 0, shown = count < MOST_CHARTS ? count : MOST_CHARTS;
  bool *flat = calloc((size_t)shown + 1, sizeof *flat), good = flat != NULL;
  for (int k = 0; k < 2 && good; k++)
    good = curve_scales_begin(compare_name, c->run[k], &(RowSelection){0, results_rows(c->run[k]), 1}, &scales[k]);
  fputs("<div class=\"charts\">\n", out);
  for (int i = 0; i < shown && good; i++) flat[i] = !draw_chart(c, sorted[i], scales, out), still += flat[i];
  fputs("</div>\n", out);
  if (still) fputs("<p class=\"sub\">Round-off alone, and not drawn:", out);
  for (int i = 0; i < shown && still; i++)
    if (flat[i]) page_text(out, "span", "", " %s", sorted[i]->name->name);
  if (still) fputs("</p>\n", out);
  curve_scales_end(&scales[0]), curve_scales_end(&scales[1]);
  free(flat);
}

static void write_rows(const Comparison *c, const Difference *const *sorted, int count, FILE *out) {
  static const char *const head[] = {"", "column", "unit", "largest", "at t [s]", "rms", "of norm", "of largest"};
  page_head(out, 8, head);
  for (int i = 0; i < count; i++) {
    const Difference *d = sorted[i];
    bool beyond = d->judged && !(beyond_scale(d) <= c->tolerance);
    fputs("<tr>", out);
    page_text(out, "td", beyond ? "look" : "good", "%s", beyond ? "differs" : d->judged ? "within" : "");
    page_text(out, "td", "", "%s", d->name->name);
    page_text(out, "td", "", "%s", d->name->units);
    page_number(out, d->most), page_number(out, d->at), page_number(out, d->rms), page_number(out, d->relative);
    page_number(out, beyond_scale(d));
    fputs("</tr>\n", out);
  }
  fputs("</tbody></table>\n", out);
}

static void write_all(Comparison *c, const Difference *const *sorted, int count, FILE *out) {
  char from[120];
  page_begin(out, "Two runs compared");
  page_text(out, "h1", "", "%s and %s", results_path(c->run[0]), results_path(c->run[1]));
  page_text(out, "p", "sub",
            "%d rows from %s to %.6g%s; %d of %d columns differ, %d by more than %.3g of their largest value.", c->rows,
            results_at(c->run[0], c->time[0], from, sizeof from), c->time[c->rows - 1],
            strcmp(results_axis_units(c->run[0]), "s") ? "" : " s", count, c->columns, c->beyond, c->tolerance);
  if (c->resampled)
    page_text(out, "p", "",
              "Their times differ: the second is taken at the times of the first, straight between its rows.");
  page_section(out, "The models");
  if (!compare_models(c, out, true)) page_text(out, "p", "", "They are the same.");
  page_section(out, "Columns");
  write_rows(c, sorted, count, out);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < c->alones[k]; i++)
      page_text(out, "p", "", "Only in %s: %s", results_path(c->run[k]),
                results_column(c->run[k], c->alone[k][i])->name);
  draw_charts(c, sorted, count, out);
  if (count > MOST_CHARTS) page_text(out, "p", "sub", "The other %d columns are not drawn.", count - MOST_CHARTS);
  page_end(out);
}

bool compare_page(Comparison *c, const Arguments *a, const char *path) {
  const Difference **sorted = calloc((size_t)c->columns + 1, sizeof *sorted);
  OutputFile f;
  int count = 0;
  if (!sorted) return print_command_error(compare_name, "there is not enough memory"), false;
  if (!begin_output(compare_name, a, path, FILE_HTML, &f)) return free(sorted), false;
  for (int i = 0; i < c->columns; i++)
    if (!c->column[i].same) sorted[count++] = &c->column[i];
  if (count) qsort(sorted, (size_t)count, sizeof *sorted, by_difference);
  write_all(c, sorted, count, f.out);
  free(sorted);
  return end_output(compare_name, &f);
}
