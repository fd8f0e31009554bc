// SPDX-License-Identifier: Apache-2.0
#include "post/plot/plot.h"

#include "console/library_commands.h"
#include "input/yaml/names.h"
#include "post/study/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void range_extend(double range[2], double value) {
  if (!isfinite(value)) return;
  if (!(range[0] <= value)) range[0] = value;
  if (!(range[1] >= value)) range[1] = value;
}

bool range_contains(const double range[2], double value) { return !(value < range[0]) && !(value > range[1]); }

static bool read_one(Plot *p, int run, int column, const char *label, const RowSelection *rows, PlotSeries *s) {
  Results *r = p->run[run];
  *s = (PlotSeries){.n = rows->count, .run = run, .column = column, .label = label};
  snprintf(s->units, sizeof s->units, "%s", results_column(r, column)->units);
  s->x = malloc((size_t)rows->count * sizeof *s->x);
  if (!s->x) return print_command_error(plot_name, "not enough memory"), false;
  for (int i = 0; i < rows->count; i++) s->x[i] = results_time(r)[rows->first + (size_t)i * (size_t)rows->every];
  return read_selected_values(plot_name, r, column, rows, &s->y);
}

// Column by column of the first run, which gives the labels; of each all runs.
bool series_read(Plot *p, PlotSeries **out, int *count) {
  ColumnSelection c[MAX_RUNS] = {0};
  RowSelection rows[MAX_RUNS];
  bool good = true;
  *out = NULL, *count = 0;
  for (int i = 0; good && i < p->runs; i++)
    good = select_columns(plot_name, p->run[i], p->words, p->word, &c[i]) &&
           select_rows(plot_name, p->run[i], &p->time_range, &rows[i]);
  for (int i = 1; good && i < p->runs; i++)
    if (c[i].count != c[0].count) {
      print_command_error(plot_name, "the columns of %s and %s differ; name them one by one", results_path(p->run[0]),
                          results_path(p->run[i]));
      good = false;
    }
  if (good) *out = calloc((size_t)c[0].count * (size_t)p->runs, sizeof **out);
  for (int k = 0; good && *out && k < c[0].count; k++)
    for (int i = 0; good && i < p->runs; i++)
      good = read_one(p, i, c[i].column[k], c[0].label[k], &rows[i], &(*out)[(*count)++]);
  for (int i = 0; i < p->runs; i++) column_selection_free(&c[i]);
  if (good && *out) return true;
  series_free(*out, *count);
  *out = NULL, *count = 0;
  return false;
}

void print_damaged_history(const Plot *p) {
  print_command_error(plot_name, "'%s' is damaged: a quantity has more columns than it should",
                      results_path(p->run[0]));
}

bool series_over(Plot *p, PlotSeries *s, int count, const char **name, const char **units) {
  const char *over = argument_value(p->arguments, "over");
  bool good = true;
  for (int i = 0; over && good && i < count; i++) {
    Results *r = p->run[s[i].run];
    ColumnSelection c = {0};
    RowSelection rows;
    double *x = NULL;
    good = select_columns(plot_name, r, 1, &over, &c) && select_rows(plot_name, r, &p->time_range, &rows);
    if (good && c.count != 1)
      good = false, print_command_error(plot_name, "--over '%s' is %d columns; name one, such as %s", over, c.count,
                                        results_column(r, c.column[0])->name);
    if (good) good = read_selected_values(plot_name, r, c.column[0], &rows, &x);
    if (good) {
      free(s[i].x), s[i].x = x;
      if (s[i].run == 0) *name = over, *units = results_column(r, c.column[0])->units;
    }
    column_selection_free(&c);
  }
  return good;
}

void series_free(PlotSeries *s, int count) {
  for (int i = 0; i < count; i++) free(s[i].x), free(s[i].y);
  free(s);
}

bool series_flatten(Plot *p, PlotSeries *s, int count) {
  bool good = true;
  for (int run = 0; run < p->runs && good; run++) {
    CurveScales scales = {0};
    RowSelection rows;
    good = select_rows(plot_name, p->run[run], &p->time_range, &rows) &&
           curve_scales_begin(plot_name, p->run[run], &rows, &scales);
    for (int i = 0; i < count && good; i++) {
      if (s[i].run != run) continue;
      s[i].round_off = curve_round_off(&scales, s[i].column, s[i].n, s[i].y);
      curve_flatten(&s[i].round_off, s[i].n, s[i].y);
    }
    curve_scales_end(&scales);
  }
  return good;
}

// Of each piece the least and the largest value, in the order in which they come.
void series_thin(PlotSeries *s, int pieces) {
  if (s->n <= 4 * pieces) return;
  int n = 0;
  for (int k = 0; k < pieces; k++) {
    int from = (int)((long long)k * s->n / pieces), to = (int)((long long)(k + 1) * s->n / pieces);
    int least = from, most = from;
    for (int i = from; i < to; i++) {
      if (s->y[i] < s->y[least]) least = i;
      if (s->y[i] > s->y[most]) most = i;
    }
    int first = least < most ? least : most, second = least < most ? most : least;
    double x[2] = {s->x[first], s->x[second]}, y[2] = {s->y[first], s->y[second]};
    for (int i = 0; i < (first == second ? 1 : 2); i++) s->x[n] = x[i], s->y[n++] = y[i];
  }
  s->n = n;
}

void series_legend(const Plot *p, const PlotSeries *s, int columns, const char *name, char *text, size_t size) {
  if (p->runs == 1) snprintf(text, size, "%s", columns == 1 ? "" : name);
  else if (columns == 1) snprintf(text, size, "%s", p->label[s->run]);
  else snprintf(text, size, "%s, %s", name, p->label[s->run]);
}

const char *const plot_name = "plot";

static const struct {
  const char *option;
  ExitCode (*draw)(Plot *p);
  bool columns, one_run;
} kinds[] = {
    {"spectrum", plot_spectrum, true, false}, {"path", plot_path, true, false},
    {"shape", plot_shape, false, true},       {"ledger", plot_ledger, false, true},
    {"campbell", plot_campbell, false, true}, {"bode", plot_bode, false, false},
    {"stress", plot_stress, true, true},      {"", plot_history, true, false}, // none of these options
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool ends_in(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n > m && !strcmp(text + n - m, end);
}

// ---- runs and how they are called ----

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void name_run(Results *r, int way, char *text, size_t size) {
  char scheme[60], title[200];
  double step = results_real(r, "step", 0), rho = results_real(r, "rho_inf", 0), order = results_real(r, "order", 2);
  const char *path = results_path(r);
  results_text(r, "scheme", scheme, sizeof scheme);
  if (order > 2) snprintf(scheme + strlen(scheme), sizeof scheme - strlen(scheme), " of order %g", order);
  results_text(r, "title", title, sizeof title);
  switch (way) {
  case 0: snprintf(text, size, "%s", title); break;
  case 1: snprintf(text, size, "%s", scheme); break;
  case 2: snprintf(text, size, "step %g s", step); break;
  case 3: snprintf(text, size, "%s, step %g s", scheme, step); break;
  case 4: snprintf(text, size, "rho_inf %g", rho); break;
  case 5: snprintf(text, size, "%.*s", (int)strlen(base_name(path)) - 3, base_name(path)); break;
  default: snprintf(text, size, "%s", path); break;
  }
}

// The first way of naming the runs that distinguishes each from every other: by title, scheme, step, ..., file.
static void name_runs(Plot *p) {
  bool apart = false;
  for (int way = 0; way < 7 && !apart; way++) {
    apart = true;
    for (int i = 0; i < p->runs; i++) {
      name_run(p->run[i], way, p->label[i], sizeof p->label[i]);
      for (int k = 0; k < i; k++) apart = apart && strcmp(p->label[i], p->label[k]);
      apart = apart && *p->label[i];
    }
  }
}

static bool read_labels(Plot *p) {
  const char *text;
  int n = 0;
  name_runs(p);
  for (; (text = argument_of_many(p->arguments, "label", n)); n++) {
    if (n >= p->runs)
      return print_command_error(plot_name, "--label '%s' is one too many for %d runs", text, p->runs), false;
    snprintf(p->label[n], sizeof p->label[n], "%s", text);
  }
  return true;
}

// The title that the user gave, or the one that all runs have.
static void read_title(Plot *p) {
  const char *given = argument_value(p->arguments, "title");
  char other[400];
  if (given) {
    snprintf(p->title, sizeof p->title, "%s", given);
    return;
  }
  if (p->study) study_table_text(p->study, "title", p->title, sizeof p->title);
  else results_text(p->run[0], "title", p->title, sizeof p->title);
  for (int i = 1; i < p->runs; i++) {
    results_text(p->run[i], "title", other, sizeof other);
    if (strcmp(other, p->title)) p->title[0] = 0;
  }
}

static bool read_words(Plot *p) {
  const Arguments *a = p->arguments;
  for (int i = 0; i < a->words; i++) {
    if (!ends_in(a->word[i], ".h5")) p->word[p->words++] = a->word[i];
    else if (p->runs == MAX_RUNS) return print_command_error(plot_name, "more than %d runs", MAX_RUNS), false;
    else if (is_study_table(a->word[i])) {
      if (p->study) return print_command_error(plot_name, "a picture shows one study"), false;
      if (!open_study(plot_name, p->study_path = a->word[i], &p->study)) return false;
    } else if (!open_results(plot_name, a->word[i], &p->run[p->runs])) return false;
    else p->runs++;
  }
  if (p->study && p->runs) return print_command_error(plot_name, "a study and runs cannot be in one picture"), false;
  if (p->study) return true;
  if (!p->runs) print_command_error(plot_name, "no run is given: a file of `limber run` whose name ends in .h5");
  return p->runs > 0;
}

// ---- options ----

// "a:b"; either side may be left out.
static bool read_range(const Plot *p, const char *option, double range[2]) {
  const char *text = argument_value(p->arguments, option), *at = text;
  char *end;
  range[0] = range[1] = NAN;
  if (!text) return true;
  for (int i = 0; i < 2; i++) {
    double value = strtod(at, &end);
    if (end > at) range[i] = value;
    else if (*at == '*') end++;
    if (*end != (i ? 0 : ':')) break;
    at = end + 1;
    if (i && !(range[0] >= range[1])) return true;
  }
  print_command_error(plot_name, "--%s needs a range such as 0:0.5, 0: or :0.5, not '%s'", option, text);
  return false;
}

static bool read_log(Plot *p, bool spectrum) {
  const char *text = argument_value(p->arguments, "log");
  p->log_y = spectrum;
  if (!text) return true;
  p->log_x = !strcmp(text, "x") || !strcmp(text, "xy"), p->log_y = !strcmp(text, "y") || !strcmp(text, "xy");
  if (p->log_x || p->log_y || !strcmp(text, "none")) return true;
  print_command_error(plot_name, "--log is x, y, xy or none, not '%s'", text);
  return false;
}

// pendulum.h5 becomes pendulum_tip.x.png, in the present folder.
static bool read_path(Plot *p, const char *kind) {
  const char *given = argument_value(p->arguments, "output"),
             *base = base_name(p->study ? p->study_path : results_path(p->run[0]));
  const char *column = p->words ? p->word[0] : "";
  Refusal wrong;
  if (given) snprintf(p->path, sizeof p->path, "%s", given);
  else
    snprintf(p->path, sizeof p->path, "%.*s%s%s%s%s.png", (int)strlen(base) - 3, base, *column ? "_" : "", column,
             *kind ? "_" : "", kind);
  return canvas_takes(p->path, &wrong) || (print_command_error(plot_name, "%s", wrong.text), false);
}

// Of a study there are histograms, and columns over another.
static bool read_study_kind(const Plot *p) {
  static const char *const others[] = {"spectrum", "straighten", "path",   "shape", "times", "plane", "ledger",
                                       "campbell", "bode",       "stress", "from",  "to",    "every", NULL};
  for (int i = 0; others[i]; i++)
    if (argument_value(p->arguments, others[i]))
      return print_command_error(plot_name, "--%s is for runs, and %s is a study", others[i], p->study_path), false;
  if (!p->words)
    print_command_error(plot_name, "nothing to plot: name columns of %s; limber export %s --list lists them",
                        p->study_path, p->study_path);
  return p->words > 0;
}

static bool read_kind(Plot *p, int *kind) {
  *kind = KINDS - 1;
  if (p->study) return read_study_kind(p);
  for (int i = 0; i < KINDS - 1; i++) {
    if (!argument_value(p->arguments, kinds[i].option)) continue;
    if (*kind < KINDS - 1)
      return print_command_error(plot_name, "--%s and --%s cannot be in one picture", kinds[*kind].option,
                                 kinds[i].option),
             false;
    *kind = i;
  }
  if (kinds[*kind].columns && !p->words)
    return print_command_error(
               plot_name,
               "nothing to plot: name columns of %s, --ledger or --shape; limber export %s --list lists the columns",
               results_path(p->run[0]), results_path(p->run[0])),
           false;
  if (!kinds[*kind].columns && p->words && kinds[*kind].draw != plot_bode)
    return print_command_error(plot_name, "--%s takes no columns, such as '%s'", kinds[*kind].option, p->word[0]),
           false;
  if (kinds[*kind].one_run && p->runs > 1)
    return print_command_error(plot_name, "--%s shows one run", kinds[*kind].option), false;
  return true;
}

// ---- the picture ----

static ExitCode write_picture(Plot *p) {
  const CanvasKind *kind = canvas_kind_or(p->path, &canvas_png);
  OutputFile picture;
  if (!begin_output(plot_name, p->arguments, p->path, kind->file, &picture)) return EXIT_MISTAKE;
  if (!diagram_draw(p->diagram, kind, picture.out)) {
    print_command_error(plot_name, "not enough memory");
    return output_discard(&picture), EXIT_MACHINE;
  }
  if (!end_output(plot_name, &picture)) return EXIT_MACHINE;
  if (!is_device(p->path)) printf("%s\n", p->path);
  return EXIT_GOOD;
}

static ExitCode draw_plot(Plot *p, int kind) {
  bool script = argument_value(p->arguments, "script") != NULL;
  if (!script && !check_output(plot_name, p->arguments, p->path, canvas_kind_or(p->path, &canvas_png)->file))
    return EXIT_MISTAKE;
  ExitCode code = p->study ? plot_study(p) : kinds[kind].draw(p);
  if (code != EXIT_GOOD) return code;
  if (!script) return write_picture(p);
  diagram_layout(p->diagram);
  if (p->diagram->failed) return print_command_error(plot_name, "not enough memory"), EXIT_MACHINE;
  diagram_script(p->diagram, p->path, stdout);
  return EXIT_GOOD;
}

int limber_command_plot(const Arguments *a) {
  Plot *p = calloc(1, sizeof *p);
  ExitCode code = EXIT_MISTAKE;
  int kind;
  if (!is_printing_process() || !p) return free(p), p ? EXIT_GOOD : EXIT_MACHINE;
  p->arguments = a, p->diagram = calloc(1, sizeof *p->diagram);
  if (!p->diagram) return free(p), EXIT_MACHINE;
  if (parse_time_range(plot_name, a, &p->time_range) && read_range(p, "xrange", p->x) &&
      read_range(p, "yrange", p->y) && read_words(p) && read_labels(p) && read_kind(p, &kind) &&
      read_log(p, kinds[kind].draw == plot_spectrum) && read_path(p, kinds[kind].option)) {
    read_title(p);
    snprintf(p->diagram->title, sizeof p->diagram->title, "%s", p->title);
    code = draw_plot(p, kind);
  }
  for (int i = 0; i < p->runs; i++) results_close(&p->run[i]);
  if (p->study) study_table_close(&p->study);
  diagram_free(p->diagram);
  free(p);
  return code;
}
