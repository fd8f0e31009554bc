// SPDX-License-Identifier: Apache-2.0
// `limber compare`: by what two runs differ.
#include "console/library_commands.h"
#include "model/refusal.h"
#include "post/curves.h"
#include "quantities/ledger.h"
#include "post/page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int column[2];            // in each run
  const ResultColumn *name; // of the first
  double most, at;          // largest |difference|, and when
  double rms, relative;     // root mean square of the difference; its norm over that of the first
  double scale;             // largest |value| of the quantity in both runs, of energies the energy exchanged
  bool same;                // bit-for-bit identical
  bool judged;              // counts for the verdict
  double *time, *value[2];  // rows compared
} Difference;

typedef struct {
  Results *run[2];
  double *time; // at which runs are compared
  int rows, first[2];
  bool resampled; // the second run, to the times of the first
  Difference *column;
  int columns;
  int *alone[2], alones[2]; // columns that the other run has not
  double tolerance;
  int beyond; // differences that are larger
} Comparison;

static const char *const compare_name = "compare";

// ---- rows ----

static bool same_times(const Comparison *c, int count) {
  const double *a = results_time(c->run[0]) + c->first[0], *b = results_time(c->run[1]) + c->first[1];
  for (int i = 0; i < count; i++)
    if (fabs(a[i] - b[i]) > 1e-12 * fmax(fabs(a[i]), fabs(b[i]))) return false;
  return true;
}

// The rows of the first run that lie within both, and whether the second must be resampled to them.
static bool select_times(Comparison *c, const TimeRange *time_range) {
  double from = time_range->from, to = time_range->to;
  int count[2];
  for (int k = 0; k < 2; k++) {
    const double *t = results_time(c->run[k]);
    from = fmax(from, t[0]), to = fmin(to, t[results_rows(c->run[k]) - 1]);
  }
  for (int k = 0; k < 2; k++) count[k] = results_time_range(c->run[k], from, to, &c->first[k]);
  c->rows = count[0], c->time = (double *)results_time(c->run[0]) + c->first[0];
  c->resampled = count[0] != count[1] || !same_times(c, count[0]);
  if (c->rows > 0 && count[1] > 0) return true;
  return print_command_error(compare_name, "the runs have no time in common"), false;
}

static double *read_rows(Results *r, int column, int first, int count) {
  double *x = calloc((size_t)count + 1, sizeof *x);
  if (x && results_read(r, column, first, count, x)) return x;
  free(x);
  return print_command_error(compare_name, "'%s' is damaged: its history cannot be read", results_path(r)), NULL;
}

// The second run at the times of the first, straight between its rows.
static double *resample_column(const Comparison *c, int column) {
  Results *r = c->run[1];
  const double *t = results_time(r);
  int rows = results_rows(r), k = 0;
  double *x = read_rows(r, column, 0, rows), *out = x ? calloc((size_t)c->rows + 1, sizeof *out) : NULL;
  for (int i = 0; out && i < c->rows; i++) {
    double at = fmin(fmax(c->time[i], t[0]), t[rows - 1]);
    while (k + 2 < rows && t[k + 1] < at) k++;
    double part = rows > 1 ? (at - t[k]) / (t[k + 1] - t[k]) : 0;
    out[i] = part <= 0 ? x[k] : part >= 1 ? x[k + 1] : (1 - part) * x[k] + part * x[k + 1];
  }
  free(x);
  return out;
}

// ---- one column ----

static double difference_of(double a, double b) {
  if (isnan(a) && isnan(b)) return 0;
  return a == b ? 0 : isfinite(a) && isfinite(b) ? fabs(a - b) : INFINITY;
}

static bool measure_difference(Comparison *c, Difference *d) {
  double sum = 0, norm = 0;
  d->value[0] = read_rows(c->run[0], d->column[0], c->first[0], c->rows);
  d->value[1] =
      c->resampled ? resample_column(c, d->column[1]) : read_rows(c->run[1], d->column[1], c->first[1], c->rows);
  if (!d->value[0] || !d->value[1]) return false;
  const double *a = d->value[0], *b = d->value[1];
  d->same = true;
  for (int i = 0; i < c->rows; i++) {
    double off = difference_of(a[i], b[i]);
    d->same = d->same && off == 0;
    if (off > d->most) d->most = off, d->at = c->time[i];
    sum += off * off, norm += isfinite(a[i]) ? a[i] * a[i] : 0;
    for (int k = 0; k < 2; k++)
      if (isfinite(d->value[k][i])) d->scale = fmax(d->scale, fabs(d->value[k][i]));
  }
  d->rms = sqrt(sum / c->rows);
  d->relative = sum == 0 ? 0 : norm > 0 ? sqrt(sum / norm) : INFINITY;
  return true;
}

// What the solver did, and round-off itself, is shown but counts only where bits are compared.
static bool is_judged(const ResultColumn *c) {
  int i = ledger_rank(c->group, c->quantity);
  return i != LEDGER_RESIDUAL && i != LEDGER_JOINTS && i != LEDGER_CONSTRAINT && i != LEDGER_MOMENTUM_ERROR &&
         i != LEDGER_ANGULAR_MOMENTUM_ERROR && strcmp(c->group, ledger_columns[LEDGER_STEP].group);
}

static bool same_quantity(const ResultColumn *a, const ResultColumn *b) {
  return !strcmp(a->group, b->group) && !strcmp(a->quantity, b->quantity) && !strcmp(a->units, b->units);
}

// The largest value of the columns that have this unit.
static double largest_of(const Comparison *c, const char *units) {
  double most = 0;
  for (int i = 0; i < c->columns; i++)
    if (!strcmp(c->column[i].name->units, units)) most = fmax(most, c->column[i].scale);
  return most;
}

// A component that vanishes is measured by the others of its quantity, an energy by what was exchanged, and a place
// that stands still by a millionth of what others with its unit do.
static void unify_scales(Comparison *c) {
  double exchanged = 0, *floor = calloc((size_t)c->columns + 1, sizeof *floor);
  for (int i = 0; floor && i < c->columns; i++) floor[i] = 1e-6 * largest_of(c, c->column[i].name->units);
  for (int i = 0, n; i < c->columns; i += n) {
    Difference *d = &c->column[i];
    double scale = floor ? floor[i] : 0;
    for (n = 0; i + n < c->columns && same_quantity(d[0].name, d[n].name); n++) scale = fmax(scale, d[n].scale);
    for (int k = 0; k < n; k++) d[k].scale = scale;
    if (!strcmp(d->name->name, ledger_path(LEDGER_EXCHANGED))) exchanged = scale;
  }
  for (int i = 0; i < c->columns; i++)
    if (!strcmp(c->column[i].name->group, ledger_columns[LEDGER_EXCHANGED].group) &&
        !strcmp(c->column[i].name->units, "J"))
      c->column[i].scale = fmax(c->column[i].scale, exchanged);
  free(floor);
}

// The largest difference over the scale.
static double beyond_scale(const Difference *d) {
  return d->most == 0 ? 0 : d->scale > 0 ? d->most / d->scale : INFINITY;
}

// ---- all columns ----

static int find_same(Results *r, const char *name) {
  for (int i = 0; i < results_columns(r); i++)
    if (!strcmp(results_column(r, i)->name, name)) return i;
  return -1;
}

static bool is_asked(Results *r, int column, int words, const char *const *word, bool *good) {
  Refusal wrong;
  bool asked = !words;
  for (int w = 0; w < words && *good; w++) {
    int first, n = results_find(r, word[w], &first, &wrong);
    if (!n) *good = false, print_command_error(compare_name, "%s", wrong.text);
    asked = asked || (column >= first && column < first + n);
  }
  return asked;
}

static bool pair_columns(Comparison *c, int words, const char *const *word) {
  bool good = true;
  for (int k = 0; k < 2; k++) {
    int n = results_columns(c->run[k]);
    c->alone[k] = calloc((size_t)n + 1, sizeof **c->alone);
    if (!k) c->column = calloc((size_t)n + 1, sizeof *c->column);
    if (!c->alone[k] || !c->column) return print_command_error(compare_name, "not enough memory"), false;
    for (int i = 0; i < n && good; i++) {
      const ResultColumn *name = results_column(c->run[k], i);
      int other = find_same(c->run[1 - k], name->name);
      if (!strcmp(name->name, "time") || !is_asked(c->run[k], i, words, word, &good)) continue;
      if (other < 0) c->alone[k][c->alones[k]++] = i;
      else if (!k) c->column[c->columns++] = (Difference){.column = {i, other}, .name = name};
    }
  }
  return good;
}

// Reads and compares all columns that both have, or those that are named; false after a message.
static bool compare_columns(Comparison *c, const TimeRange *time_range, int words, const char *const *word) {
  if (!pair_columns(c, words, word) || !select_times(c, time_range)) return false;
  for (int i = 0; i < c->columns; i++)
    if (!measure_difference(c, &c->column[i])) return false;
  unify_scales(c);
  for (int i = 0; i < c->columns; i++) {
    Difference *d = &c->column[i];
    d->judged = c->tolerance == 0 || is_judged(d->name);
    c->beyond += d->judged && !(beyond_scale(d) <= c->tolerance);
  }
  return true;
}

static void comparison_free(Comparison *c) {
  for (int i = 0; i < c->columns; i++) free(c->column[i].value[0]), free(c->column[i].value[1]);
  free(c->column), free(c->alone[0]), free(c->alone[1]);
  for (int k = 0; k < 2; k++)
    if (c->run[k]) results_close(&c->run[k]);
}

// Lines in which the texts of two models differ: what is left of each beside a longest common sequence.

enum { MOST_LINES = 3000 }; // between the first and the last difference

typedef struct {
  char *text, **line;
  int lines;
} ModelText;

static void split_lines(ModelText *t) {
  int room = 1;
  for (const char *c = t->text; *c; c++) room += *c == '\n';
  t->line = calloc((size_t)room + 1, sizeof *t->line);
  for (char *at = t->text; t->line && *at;) {
    t->line[t->lines++] = at;
    at += strcspn(at, "\n");
    if (*at) *at++ = 0;
  }
}

static void print_line(FILE *out, bool page, const char *name, int side, int line, const char *text) {
  if (page) page_text(out, "pre", "", "%c %s:%d  %s", side ? '+' : '-', name, line, text);
  else fprintf(out, "  %c %s:%d: %s\n", side ? '+' : '-', name, line, text);
}

// length[i][j]: of the longest common sequence of the lines from i and from j on.
static int compare_middle(const ModelText t[2], const int from[2], const int n[2], const char *name, FILE *out,
                          bool page) {
  size_t width = (size_t)n[1] + 1;
  int *length = calloc(((size_t)n[0] + 1) * width, sizeof *length), told = 0, i = 0, j = 0;
  char **a = t[0].line + from[0], **b = t[1].line + from[1];
  if (!length) return 1;
  for (int p = n[0] - 1; p >= 0; p--)
    for (int q = n[1] - 1; q >= 0; q--) {
      int *at = &length[(size_t)p * width + (size_t)q];
      *at = !strcmp(a[p], b[q]) ? at[width + 1] + 1 : at[width] > at[1] ? at[width] : at[1];
    }
  while (i < n[0] || j < n[1]) {
    const int *at = &length[(size_t)i * width + (size_t)j];
    if (i < n[0] && j < n[1] && !strcmp(a[i], b[j])) i++, j++;
    else if (i < n[0] && (j == n[1] || at[width] >= at[1]))
      print_line(out, page, name, 0, from[0] + i + 1, a[i]), i++, told++;
    else print_line(out, page, name, 1, from[1] + j + 1, b[j]), j++, told++;
  }
  free(length);
  return told;
}

static int compare_texts(ModelText t[2], const char *name, FILE *out, bool page) {
  int from[2] = {0, 0}, n[2], told = 0;
  for (int k = 0; k < 2; k++) split_lines(&t[k]);
  if (!t[0].line || !t[1].line) return 1;
  int least = t[0].lines < t[1].lines ? t[0].lines : t[1].lines, end = 0;
  while (from[0] < least && !strcmp(t[0].line[from[0]], t[1].line[from[0]])) from[0]++;
  from[1] = from[0];
  while (end < least - from[0] && !strcmp(t[0].line[t[0].lines - 1 - end], t[1].line[t[1].lines - 1 - end])) end++;
  for (int k = 0; k < 2; k++) n[k] = t[k].lines - from[k] - end;
  if (n[0] > MOST_LINES || n[1] > MOST_LINES) {
    print_line(out, page, name, 0, from[0] + 1, "... the texts differ from here on by too many lines to list them");
    told = 1;
  } else told = compare_middle(t, from, n, name, out, page);
  return told;
}

static int compare_changes(Comparison *c, FILE *out, bool page) {
  char **change[2];
  int count[2], told = 0;
  for (int k = 0; k < 2; k++) change[k] = results_changes(c->run[k], &count[k]);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < count[k]; i++) {
      bool found = false;
      for (int j = 0; j < count[1 - k]; j++) found = found || !strcmp(change[k][i], change[1 - k][j]);
      if (!found) print_line(out, page, "--set", k, i + 1, change[k][i]), told++;
    }
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < count[k]; i++) free(change[k][i]);
    free(change[k]);
  }
  return told;
}

// Prints lines that only one of the texts of the models has; how many. `page`: as HTML.
static int compare_models(Comparison *c, FILE *out, bool page) {
  int told = 0;
  bool more = true;
  for (int file = 0; more; file++) {
    ModelText t[2] = {{0}, {0}};
    char *name[2] = {NULL, NULL};
    bool there[2];
    for (int k = 0; k < 2; k++) there[k] = results_source(c->run[k], file, &name[k], &t[k].text);
    more = there[0] && there[1];
    if (more) told += compare_texts(t, name[0], out, page);
    else if (there[0] || there[1])
      print_line(out, page, there[0] ? name[0] : name[1], !there[0], 1, "(this file)"), told++;
    for (int k = 0; k < 2; k++) free(name[k]), free(t[k].line), free(t[k].text);
  }
  return told + compare_changes(c, out, page);
}

// The comparison as a page: both runs in one chart for every column that differs, the largest difference first.

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
    page_text(out, "p", "", "Their times differ: the second run is interpolated linearly at the times of the first.");
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

static bool compare_page(Comparison *c, const Arguments *a, const char *path) {
  const Difference **sorted = calloc((size_t)c->columns + 1, sizeof *sorted);
  OutputFile f;
  int count = 0;
  if (!sorted) return print_command_error(compare_name, "not enough memory"), false;
  if (!begin_output(compare_name, a, path, FILE_HTML, &f)) return free(sorted), false;
  for (int i = 0; i < c->columns; i++)
    if (!c->column[i].same) sorted[count++] = &c->column[i];
  if (count) qsort(sorted, (size_t)count, sizeof *sorted, by_difference);
  write_all(c, sorted, count, f.out);
  free(sorted);
  return end_output(compare_name, &f);
}

// ---- the command ----

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
  printf("%d of %d columns are bit-for-bit identical\n", same, c->columns);
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
    char title[300] = "", status[40];
    int rows = results_rows(c->run[k]);
    results_text(c->run[k], "title", title, sizeof title);
    results_status(c->run[k], status, sizeof status);
    printf("%c %s%s%s: %d rows to %s; status: %s\n", k ? '+' : '-', results_path(c->run[k]), *title ? ", " : "", title,
           rows, results_at(c->run[k], results_time(c->run[k])[rows - 1], at, sizeof at), status);
  }
  if (!ends)
    printf("the runs end at different times: they are compared up to %s\n",
           results_at(c->run[0], c->time[c->rows - 1], at, sizeof at));
  if (c->resampled)
    printf("their times differ: %s is interpolated linearly at the %d times of %s\n", results_path(c->run[1]), c->rows,
           results_path(c->run[0]));
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
  if (good && c->tolerance == 0) printf("the runs are bit-for-bit identical\n");
  else if (good)
    printf("the runs agree within %.3g; the worst is %s, %.3g of its largest value\n", c->tolerance,
           d ? d->name->name : "nothing", d ? beyond_scale(d) : 0);
  else {
    printf("the runs differ: %d columns by more than %.3g of their largest value", c->beyond, c->tolerance);
    if (c->beyond && d) printf(", most of all %s, by %.3g at t = %.6g s", d->name->name, beyond_scale(d), d->at);
    if (alone) printf("; %d columns are in one run only", alone);
    if (!ends) printf("; they end at different times");
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
