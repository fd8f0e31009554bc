// SPDX-License-Identifier: Apache-2.0
// `limber export` of a study: runs as lines of a table, or its extremes.
#include "post/study/study.h"

#include <stdlib.h>
#include <string.h>

static const char *const name = "export";

enum { PIECE = 4096 }; // rows that are read at once

static void print_list(const StudyTable *t, const char *path) {
  char title[400] = "";
  int width = 6;
  study_table_text(t, "title", title, sizeof title);
  for (int i = 0; i < study_table_columns(t); i++) {
    int n = (int)strlen(study_table_column(t, i)->name);
    width = n > width && n < 80 ? n : width;
  }
  printf("%s%s%s: a study of %ld runs\n\n%-*s  units\n", path, *title ? ", " : "", title, study_table_runs(t), width,
         "name");
  for (int i = 0; i < study_table_columns(t); i++) {
    const StudyColumn *c = study_table_column(t, i);
    if (i && c->kind != study_table_column(t, i - 1)->kind) putchar('\n');
    printf("%-*s  %s\n", width, c->name, c->units);
  }
}

typedef struct {
  StudyTable *table;
  const int *column;
  int columns, every;
  double *value;                       // a piece of each column
  char (*culprit)[STUDY_CULPRIT_TEXT]; // NULL: not asked for
  FILE *out;
} Lines;

static void print_text(FILE *out, const char *text) {
  bool quoted = text[strcspn(text, ",\"\n")] != 0;
  if (quoted) fputc('"', out);
  for (; *text; text++) {
    if (*text == '"') fputc('"', out);
    fputc(*text, out);
  }
  if (quoted) fputc('"', out);
}

static void print_head(const Lines *l) {
  char text[1000];
  fputs("run", l->out);
  for (int k = 0; k < l->columns; k++) {
    const StudyColumn *c = study_table_column(l->table, l->column[k]);
    bool status = !strcmp(c->set, "/status");
    snprintf(text, sizeof text, status ? "%s" : "%s [%s]", c->name, c->units);
    fputc(',', l->out), print_text(l->out, text);
  }
  fputs(l->culprit ? ",culprit\n" : "\n", l->out);
}

static void print_line(const Lines *l, long row, long i) {
  char word[400];
  fprintf(l->out, "%ld", row + study_table_first(l->table));
  for (int k = 0; k < l->columns; k++) {
    double x = l->value[(long)k * PIECE + i];
    const StudyColumn *c = study_table_column(l->table, l->column[k]);
    fputc(',', l->out);
    if (!strcmp(c->set, "/status")) print_text(l->out, study_table_status(l->table, (int)x));
    else if (study_table_word(l->table, l->column[k], x, word, sizeof word)) print_text(l->out, word);
    else fprintf(l->out, "%.17g", x + 0.0); // no -0
  }
  if (l->culprit) fputc(',', l->out), print_text(l->out, l->culprit[i]);
  fputc('\n', l->out);
}

static bool print_lines(const Lines *l) {
  long runs = study_table_runs(l->table);
  print_head(l);
  for (long from = 0; from < runs; from += PIECE) {
    long count = runs - from < PIECE ? runs - from : PIECE;
    bool good = true;
    for (int k = 0; k < l->columns && good; k++)
      good = study_table_read(l->table, l->column[k], from, count, l->value + (long)k * PIECE);
    if (l->culprit && good) good = study_table_culprits(l->table, from, count, l->culprit);
    if (!good) return print_command_error(name, "the table is damaged: its rows cannot be read"), false;
    for (long i = 0; i < count; i++)
      if ((from + i) % l->every == 0) print_line(l, from + i, i);
  }
  return true;
}

static bool write_lines(StudyTable *t, const Arguments *a, int every, FILE *out) {
  int *column = NULL, count = 0;
  static const char *const groups[] = {"parameters", "outcome", "statistics", "companions"};
  Lines l = {.table = t, .every = every, .out = out};
  bool all = a->words == 1, good = false;
  const char *word[4];
  int words = 0;
  for (int k = 0; k < 4; k++) // those that there are
    for (int i = 0; all && i < study_table_columns(t); i++)
      if ((int)study_table_column(t, i)->kind == k) {
        word[words++] = groups[k];
        break;
      }
  if (!study_columns(name, t, all ? words : a->words - 1, all ? word : a->word + 1, &column, &count)) return false;
  l.column = column, l.columns = count;
  l.value = malloc(((size_t)count * PIECE + 1) * sizeof *l.value);
  if (all) l.culprit = malloc(PIECE * sizeof *l.culprit);
  if (l.value && (!all || l.culprit)) good = print_lines(&l);
  else print_command_error(name, "there is not enough memory");
  free(l.value), free(l.culprit), free(column);
  return good;
}

static bool write_extremes(StudyTable *t, FILE *out) {
  Survey s;
  ExtremeRow *rows = NULL;
  int count = 0;
  bool good = survey_make(name, t, 0, NULL, &s) && extremes_find(&s, &rows, &count);
  if (good) extremes_csv(&s, rows, count, out);
  if (rows) extremes_free(rows, count);
  survey_free(&s);
  return good;
}

static bool check_options(const Arguments *a, TimeRange *range) {
  static const char *const others[] = {"from", "to", "file-id", NULL};
  for (int i = 0; others[i]; i++)
    if (argument_value(a, others[i]))
      return print_command_error(name, "--%s is for runs, and %s is a study", others[i], a->word[0]), false;
  if (argument_value(a, "extremes") && a->words > 1)
    return print_command_error(name, "--extremes takes no columns, such as '%s'", a->word[1]), false;
  return parse_time_range(name, a, range);
}

ExitCode study_export(const Arguments *a) {
  const char *path = argument_value(a, "output");
  OutputFile f = {.out = stdout};
  StudyTable *t = NULL;
  TimeRange range;
  if (path && !strcmp(path, "-")) path = NULL;
  if (!check_options(a, &range) || !open_study(name, a->word[0], &t)) return EXIT_MISTAKE;
  bool list = argument_value(a, "list") != NULL, good = list;
  if (list) print_list(t, a->word[0]);
  else if (!path || begin_output(name, a, path, FILE_CSV, &f)) {
    good = argument_value(a, "extremes") ? write_extremes(t, f.out) : write_lines(t, a, range.every, f.out);
    if (path && !good) output_discard(&f);
    else if (path) good = end_output(name, &f);
    if (path && good && !is_device(path)) printf("%s\n", path);
  }
  study_table_close(&t);
  return good ? EXIT_GOOD : EXIT_MISTAKE;
}
