// SPDX-License-Identifier: Apache-2.0
#include "post/compare/compare.h"

#include "console/library_commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_table(const Comparison *c) {
  int width = 6, same = 0;
  for (int i = 0; i < c->columns; i++) {
    int n = (int)strlen(c->column[i].name->name);
    same += c->column[i].same;
    if (!c->column[i].same && n > width) width = n;
  }
  if (same < c->columns)
    printf("  %-*s  %-8s  %10s  %10s  %10s  %10s  %10s\n", width, "column", "unit", "largest", "at t [s]", "rms",
           "of norm", "of largest");
  for (int i = 0; i < c->columns; i++) {
    const Difference *d = &c->column[i];
    if (d->same) continue;
    bool beyond = d->judged && !(beyond_scale(d) <= c->tolerance);
    printf("%c %-*s  %-8s  %10.3g  %10.6g  %10.3g  %10.3g  %10.3g\n", beyond ? '*' : ' ', width, d->name->name,
           d->name->units, d->most, d->at, d->rms, d->relative, beyond_scale(d));
  }
  printf("%d of %d columns are the same to the bit\n", same, c->columns);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < c->alones[k]; i++)
      printf("only in %s: %s\n", results_path(c->run[k]), results_column(c->run[k], c->alone[k][i])->name);
}

// The end of one run may lie before that of the other: then the rest is not compared, and they differ.
static bool same_ends(const Comparison *c, const TimeRange *time_range) {
  const double *t[2];
  double end[2];
  for (int k = 0; k < 2; k++)
    t[k] = results_time(c->run[k]), end[k] = fmin(t[k][results_rows(c->run[k]) - 1], time_range->to);
  return fabs(end[0] - end[1]) <= 1e-9 * fmax(end[0], end[1]);
}

static void print_head(Comparison *c, bool ends) {
  char at[120];
  for (int k = 0; k < 2; k++) {
    char title[300] = "", ended[40] = "";
    int rows = results_rows(c->run[k]);
    results_text(c->run[k], "title", title, sizeof title);
    results_text(c->run[k], "ended", ended, sizeof ended);
    printf("%c %s%s%s: %d rows to %s; ended: %s\n", k ? '+' : '-', results_path(c->run[k]), *title ? ", " : "", title,
           rows, results_at(c->run[k], results_time(c->run[k])[rows - 1], at, sizeof at), ended);
  }
  if (!ends)
    printf("the runs do not end together: they are compared up to %s\n",
           results_at(c->run[0], c->time[c->rows - 1], at, sizeof at));
  if (c->resampled)
    printf("their times differ: %s is taken at the %d times of %s, straight between its rows\n",
           results_path(c->run[1]), c->rows, results_path(c->run[0]));
}

static const Difference *worst_of(const Comparison *c) {
  const Difference *worst = NULL;
  for (int i = 0; i < c->columns; i++)
    if (c->column[i].judged && (!worst || beyond_scale(&c->column[i]) > beyond_scale(worst))) worst = &c->column[i];
  return worst;
}

static ExitCode print_conclusion(const Comparison *c, bool ends) {
  const Difference *d = worst_of(c);
  int alone = c->alones[0] + c->alones[1];
  bool good = !c->beyond && !alone && ends;
  if (good && c->tolerance == 0) printf("the runs are the same to the bit\n");
  else if (good)
    printf("the runs agree within %.3g; the worst is %s, %.3g of its largest value\n", c->tolerance,
           d ? d->name->name : "nothing", d ? beyond_scale(d) : 0);
  else {
    printf("the runs differ: %d columns by more than %.3g of their largest value", c->beyond, c->tolerance);
    if (c->beyond && d) printf(", most of all %s, by %.3g at t = %.6g s", d->name->name, beyond_scale(d), d->at);
    if (alone) printf("; %d columns are in one run only", alone);
    if (!ends) printf("; they do not end together");
    printf("\n");
  }
  return good ? EXIT_GOOD : EXIT_FAILED;
}

static ExitCode compare_runs(Comparison *c, const Arguments *a, const TimeRange *time_range) {
  const char *html = argument_value(a, "html");
  if (!compare_columns(c, time_range, a->words - 2, a->word + 2)) return EXIT_MISTAKE;
  if (html && (!page_path(compare_name, a, html, c->run[0], ".compare.html", (char[4200]){0}, 4200) ||
               !compare_page(c, a, html)))
    return EXIT_MISTAKE;
  bool ends = same_ends(c, time_range);
  print_head(c, ends);
  int lines = compare_models(c, stdout, false);
  if (!lines) printf("the model is the same\n");
  print_table(c);
  if (html) printf("%s: open it in a browser\n", html);
  return print_conclusion(c, ends);
}

int limber_command_compare(const Arguments *a) {
  Comparison c = {0};
  TimeRange time_range;
  const char *tolerance = argument_value(a, "tolerance");
  ExitCode code = EXIT_MISTAKE;
  if (!is_printing_process()) return EXIT_GOOD;
  bool good = parse_time_range(compare_name, a, &time_range) &&
              (!tolerance || parse_option_number(compare_name, "tolerance", tolerance, &c.tolerance));
  if (good && !(c.tolerance >= 0)) good = false, print_command_error(compare_name, "--tolerance must not be negative");
  for (int k = 0; k < 2 && good; k++) good = open_results(compare_name, a->word[k], &c.run[k]);
  if (good) code = compare_runs(&c, a, &time_range);
  comparison_free(&c);
  return code;
}
