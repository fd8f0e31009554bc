// SPDX-License-Identifier: Apache-2.0
// The table of a study as CSV. Its status is a word, its culprit a text in quotes.
#include "post/export/study.h"

#include "console/output.h"
#include "post/study/study.h"

#include <stdlib.h>
#include <string.h>

enum { SLICE = 4096 }; // runs that are read at once

static const char *const name = "export";

typedef struct {
  StudyTable *table;
  int *column; // those that were asked for
  int count;
  bool culprit;
} Selection;

static void print_list(const StudyTable *t) {
  static const char *const kinds[] = {"varies", "outcome", "statistic", "companion"};
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
  printf("%-*s  %-7s  %s\n", width, "culprit", "", kinds[STUDY_OUTCOME]);
}

static bool select_name(Selection *s, const char *word) {
  int *column, count;
  if (!strcmp(word, "culprit")) return s->culprit = true;
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
  return s->culprit = true;
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

static void print_head(const Selection *s, FILE *out) {
  fputs("run [1]", out);
  for (int k = 0; k < s->count; k++) {
    const StudyColumn *c = study_table_column(s->table, s->column[k]);
    fprintf(out, ",%s [%s]", c->name, *c->units ? c->units : "1");
  }
  fputs(s->culprit ? ",culprit [1]\n" : "\n", out);
}

static void print_row(const Selection *s, long run, const double *values, int at, const char *culprit, FILE *out) {
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
  if (s->culprit) fputc(',', out), print_quoted(culprit, out);
  fputc('\n', out);
}

static bool print_rows(const Selection *s, FILE *out) {
  long runs = study_table_runs(s->table);
  double *values = malloc((size_t)(s->count + 1) * SLICE * sizeof *values);
  char(*culprit)[STUDY_CULPRIT_TEXT] = calloc(SLICE, sizeof *culprit);
  bool good = values && culprit;
  for (long from = 0, n; good && from < runs; from += n) {
    n = runs - from < SLICE ? runs - from : SLICE;
    for (int k = 0; good && k < s->count; k++)
      good = study_table_read(s->table, s->column[k], from, n, values + (size_t)k * SLICE);
    if (good && s->culprit) good = study_table_culprits(s->table, from, n, culprit);
    for (int i = 0; good && i < n; i++)
      print_row(s, study_table_first(s->table) + from + i, values, i, culprit[i], out);
  }
  if (!good) print_command_error(name, "the table of the study is damaged, or a file of its blocks is missing");
  free(values), free(culprit);
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

static ExitCode write_table(const Selection *s, const Arguments *a) {
  const char *path = argument_value(a, "output");
  OutputFile f = {.out = stdout};
  if (path && !strcmp(path, "-")) path = NULL;
  if (path && !begin_output(name, a, path, FILE_CSV, &f)) return EXIT_MISTAKE;
  bool extremes = argument_value(a, "extremes") != NULL;
  if (!extremes) print_head(s, f.out);
  bool good = extremes ? print_extremes(s, f.out) : print_rows(s, f.out);
  if (!path) return good ? EXIT_GOOD : EXIT_MISTAKE;
  if (!good) return output_discard(&f), EXIT_MISTAKE;
  if (!end_output(name, &f)) return EXIT_MACHINE;
  if (!is_device(path)) printf("%s: %ld runs\n", path, study_table_runs(s->table));
  return EXIT_GOOD;
}

ExitCode export_study(const Arguments *a) {
  Selection s = {0};
  char wrong[4400];
  ExitCode code = EXIT_MISTAKE;
  if (argument_value(a, "from") || argument_value(a, "to") || argument_value(a, "every") ||
      argument_value(a, "file-id"))
    return print_command_error(name, "'%s' is the table of a study: it has runs, no times", a->word[0]), EXIT_MISTAKE;
  if (argument_value(a, "extremes") && a->words > 1)
    return print_command_error(name, "--extremes takes no columns, such as '%s'", a->word[1]), EXIT_MISTAKE;
  if (!study_table_open(a->word[0], &s.table, wrong, sizeof wrong))
    return print_command_error(name, "%s", wrong), EXIT_MISTAKE;
  if (argument_value(a, "list")) print_list(s.table), code = EXIT_GOOD;
  else if (select_all(&s, a)) code = write_table(&s, a);
  free(s.column);
  study_table_close(&s.table);
  return code;
}
