// SPDX-License-Identifier: Apache-2.0
// Columns of a run, or the table of a study, as text; columns also in OpenFAST's binary format.
#include "console/console.h"
#include "console/library_commands.h"
#include "console/output.h"
#include "model/refusal.h"
#include "post/export/openfast.h"
#include "post/study/study.h"
#include "results/read/study_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The table of a study as CSV. Its status is a word, its cause a text in quotes.

enum { SLICE = 4096 }; // runs that are read at once

static const char *const name = "export";

typedef struct {
  StudyTable *table;
  int *column; // those that were asked for
  int count;
  bool cause;
} Selection;

static void print_study_list(const StudyTable *t) {
  static const char *const kinds[] = {"varies", "outcome", "statistic", "concurrent", "error"};
  int width = 4;
  for (int i = 0; i < study_table_columns(t); i++) {
    int length = (int)strlen(study_table_column(t, i)->name);
    width = length > width ? length : width;
  }
  printf("%ld runs\n\n%-*s  %-7s  %s\n", study_table_runs(t), width, "name", "units", "kind");
  for (int i = 0; i < study_table_columns(t); i++) {
    const StudyColumn *c = study_table_column(t, i);
    printf("%-*s  %-7s  %s\n", width, c->name, c->units, kinds[c->kind]);
  }
  printf("%-*s  %-7s  %s\n", width, "cause", "", kinds[STUDY_OUTCOME]);
}

static bool select_name(Selection *s, const char *word) {
  int *column, count;
  if (!strcmp(word, "cause")) return s->cause = true;
  if (!study_columns(name, s->table, 1, &word, &column, &count)) return false;
  for (int i = 0; i < count; i++) s->column[s->count++] = column[i];
  free(column);
  return true;
}

static bool select_all(Selection *s, const Arguments *a) {
  int columns = study_table_columns(s->table);
  s->column = calloc((size_t)columns * (size_t)(a->words + 1), sizeof *s->column);
  if (!s->column) return print_command_error(name, "out of memory"), false;
  for (int i = 1; i < a->words; i++)
    if (!select_name(s, a->word[i])) return false;
  if (a->words > 1) return true;
  for (int i = 0; i < columns; i++) s->column[s->count++] = i;
  return s->cause = true;
}

static void print_quoted(const char *text, FILE *out) {
  if (!*text) return;
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"') fputc('"', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

static void print_study_head(const Selection *s, FILE *out) {
  fputs("run [1]", out);
  for (int k = 0; k < s->count; k++) {
    const StudyColumn *c = study_table_column(s->table, s->column[k]);
    fprintf(out, ",%s [%s]", c->name, *c->units ? c->units : "1");
  }
  fputs(s->cause ? ",cause [1]\n" : "\n", out);
}

static void print_study_row(const Selection *s, long run, const double *values, int at, const char *cause, FILE *out) {
  char word[400];
  fprintf(out, "%ld", run);
  for (int k = 0; k < s->count; k++) {
    double v = values[(size_t)k * SLICE + (size_t)at];
    bool status = !strcmp(study_table_column(s->table, s->column[k])->name, "status");
    if (status && study_table_statuses(s->table)) fprintf(out, ",%s", study_table_status(s->table, (int)v));
    else if (study_table_word(s->table, s->column[k], v, word, sizeof word)) fputc(',', out), print_quoted(word, out);
    else if (v != v) fputs(",nan", out);
    else fprintf(out, ",%.17g", v + 0.0); // no -0
  }
  if (s->cause) fputc(',', out), print_quoted(cause, out);
  fputc('\n', out);
}

static bool print_study_rows(const Selection *s, FILE *out) {
  long runs = study_table_runs(s->table);
  double *values = malloc((size_t)(s->count + 1) * SLICE * sizeof *values);
  char(*cause)[STUDY_CAUSE_TEXT] = calloc(SLICE, sizeof *cause);
  bool good = values && cause;
  for (long from = 0, n; good && from < runs; from += n) {
    n = runs - from < SLICE ? runs - from : SLICE;
    for (int k = 0; good && k < s->count; k++)
      good = study_table_read(s->table, s->column[k], from, n, values + (size_t)k * SLICE);
    if (good && s->cause) good = study_table_causes(s->table, from, n, cause);
    for (int i = 0; good && i < n; i++)
      print_study_row(s, study_table_first(s->table) + from + i, values, i, cause[i], out);
  }
  if (!good) print_command_error(name, "the table of the study is damaged, or a file of its blocks is missing");
  free(values), free(cause);
  return good;
}

// For each channel its largest and smallest value over all runs, and all channels then.
static bool print_extremes(const Selection *s, FILE *out) {
  Survey survey;
  ExtremeRow *rows = NULL;
  int count = 0;
  bool good = survey_make(name, s->table, 0, NULL, &survey) && extremes_find(&survey, &rows, &count);
  if (good) extremes_csv(&survey, rows, count, out);
  extremes_free(rows, count);
  survey_free(&survey);
  return good;
}

static ExitCode write_study_table(const Selection *s, const Arguments *a) {
  const char *path = argument_value(a, "output");
  OutputFile f = {.out = stdout};
  if (path && !strcmp(path, "-")) path = NULL;
  if (path && !begin_output(name, a, path, FILE_CSV, &f)) return EXIT_MISTAKE;
  bool extremes = argument_value(a, "extremes") != NULL;
  if (!extremes) print_study_head(s, f.out);
  bool good = extremes ? print_extremes(s, f.out) : print_study_rows(s, f.out);
  if (!path) return good ? EXIT_GOOD : EXIT_MISTAKE;
  if (!good) return output_discard(&f), EXIT_MISTAKE;
  if (!end_output(name, &f)) return EXIT_MACHINE;
  if (!is_device(path)) printf("%s: %ld runs\n", path, study_table_runs(s->table));
  return EXIT_GOOD;
}

// The table of a study as text: a row for each run, with its number, status and cause.
static ExitCode export_study(const Arguments *a) {
  Selection s = {0};
  Refusal wrong;
  ExitCode code = EXIT_MISTAKE;
  if (argument_value(a, "from") || argument_value(a, "to") || argument_value(a, "every") ||
      argument_value(a, "file-id"))
    return print_command_error(name, "'%s' is the table of a study: it has runs, not times", a->word[0]), EXIT_MISTAKE;
  if (argument_value(a, "extremes") && a->words > 1)
    return print_command_error(name, "--extremes takes no columns, such as '%s'", a->word[1]), EXIT_MISTAKE;
  if (!study_table_open(a->word[0], &s.table, &wrong)) return print_command_error(name, "%s", wrong.text), EXIT_MISTAKE;
  if (argument_value(a, "list")) print_study_list(s.table), code = EXIT_GOOD;
  else if (select_all(&s, a)) code = write_study_table(&s, a);
  free(s.column);
  study_table_close(&s.table);
  return code;
}

// Columns of a run.

enum { BLOCK = 4096 }; // rows that are read at once

static void print_list(const Results *r) {
  const double *t = results_time(r);
  const char *last = "";
  char status[40], title[200], from[120], to[40];
  int rows = results_rows(r), width = 4;
  results_status(r, status, sizeof status);
  results_text(r, "title", title, sizeof title);
  for (int i = 0; i < results_columns(r); i++) {
    int length = (int)strlen(results_column(r, i)->name);
    width = length > width ? length : width;
  }
  results_at(r, t[0], from, sizeof from);
  snprintf(to, sizeof to, strcmp(results_axis_units(r), "s") ? "%.8g" : "%.8g s", t[rows - 1]);
  printf("%s%s%s: %d rows from %s to %s; status: %s\n\n", results_path(r), *title ? ", " : "", title, rows, from, to,
         status);
  printf("%-*s  %-20s  %-7s  %s\n", width, "name", "short", "units", "description");
  for (int i = 0; i < results_columns(r); i++) {
    const ResultColumn *c = results_column(r, i);
    if (i && strcmp(last, c->group)) printf("\n%s%s%s\n", c->group, *c->subject ? ": " : "", c->subject);
    printf("%-*s  %-20s  %-7s  %s\n", width, c->name, strcmp(c->brief, c->name) ? c->brief : "", c->units,
           c->description);
    last = c->group;
  }
}

static void print_head(const Results *r, const ColumnSelection *c, FILE *out) {
  for (int k = 0; k < c->count; k++)
    fprintf(out, "%s%s [%s]", k ? "," : "", c->label[k], results_column(r, c->column[k])->units);
  fputc('\n', out);
}

// The table in blocks of rows, so that it may be larger than the memory.
static bool print_rows(Results *r, const ColumnSelection *c, const RowSelection *rows, FILE *out) {
  double **values = calloc((size_t)c->count, sizeof *values);
  bool good = values != NULL;
  for (int done = 0; good && done < rows->count; done += BLOCK) {
    RowSelection block = {rows->first + done * rows->every, rows->count - done, rows->every};
    if (block.count > BLOCK) block.count = BLOCK;
    for (int k = 0; good && k < c->count; k++) good = read_selected_values(name, r, c->column[k], &block, &values[k]);
    for (int i = 0; good && i < block.count; i++)
      for (int k = 0; k < c->count; k++)
        fprintf(out, "%.17g%c", values[k][i] + 0.0, k + 1 < c->count ? ',' : '\n'); // no -0
    for (int k = 0; values && k < c->count; k++) free(values[k]), values[k] = NULL;
  }
  free(values);
  return good;
}

// Time first, once, and then what was asked for; all columns if nothing was.
static bool select_table_columns(const Results *r, const Arguments *a, ColumnSelection *c) {
  const char *word[MAX_WORDS + 1] = {"time"};
  int words = 1;
  for (int i = 1; i < a->words; i++)
    if (strcmp(a->word[i], "time")) word[words++] = a->word[i];
  if (a->words > 1) return select_columns(name, r, words, word, c);
  c->count = results_columns(r);
  c->column = calloc((size_t)c->count, sizeof *c->column);
  c->label = calloc((size_t)c->count, sizeof *c->label);
  for (int i = 0; c->column && c->label && i < c->count; i++)
    c->column[i] = i, c->label[i] = results_column(r, i)->name;
  return c->column && c->label;
}

static ExitCode write_table(Results *r, const Arguments *a, const ColumnSelection *c, const RowSelection *rows) {
  const char *path = argument_value(a, "output");
  bool openfast = is_openfast_path(path);
  int form;
  if (path && !strcmp(path, "-")) path = NULL;
  OutputFile f = {.out = stdout};
  if (!parse_openfast_form(name, argument_value(a, "file-id"), &form)) return EXIT_MISTAKE;
  if (form && !openfast)
    return print_command_error(name, "--file-id is for files that end in .outb; -o names none"), EXIT_MISTAKE;
  if (path && !begin_output(name, a, path, openfast ? FILE_OPENFAST : FILE_CSV, &f)) return EXIT_MISTAKE;
  if (!openfast) print_head(r, c, f.out);
  bool good = openfast ? write_openfast(name, r, c, rows, &form, f.out) : print_rows(r, c, rows, f.out);
  if (!path) return good ? EXIT_GOOD : EXIT_MISTAKE; // what could not be written is reported at the end
  if (!good) return output_discard(&f), EXIT_MISTAKE;
  if (!end_output(name, &f)) return EXIT_MACHINE;
  if (is_device(path)) return EXIT_GOOD;
  printf("%s: %d rows of %d columns", path, rows->count, c->count);
  if (openfast) printf(", FileID %d", form);
  putchar('\n');
  return EXIT_GOOD;
}

int limber_command_export(const Arguments *a) {
  Results *r;
  TimeRange time_range;
  RowSelection rows;
  ColumnSelection c = {0};
  ExitCode code = EXIT_MISTAKE;
  if (!is_printing_process()) return EXIT_GOOD;
  if (is_study_table(a->word[0])) return export_study(a);
  if (argument_value(a, "extremes"))
    return print_command_error(name, "--extremes is for the table of a study, which %s is not", a->word[0]),
           EXIT_MISTAKE;
  if (!parse_time_range(name, a, &time_range) || !open_results(name, a->word[0], &r)) return EXIT_MISTAKE;
  if (argument_value(a, "list")) print_list(r), code = EXIT_GOOD;
  else if (select_table_columns(r, a, &c) && select_rows(name, r, &time_range, &rows))
    code = write_table(r, a, &c, &rows);
  column_selection_free(&c);
  results_close(&r);
  return code;
}
