// SPDX-License-Identifier: Apache-2.0
// Columns of a run as a table of text, or in OpenFAST's binary format.
#include "console/library_commands.h"
#include "post/export/openfast.h"
#include "post/export/study.h"
#include "results/read/study_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const name = "export";

enum { BLOCK = 4096 }; // rows that are read at once

static void print_list(const Results *r) {
  const double *t = results_time(r);
  const char *last = "";
  char ended[40], title[200], from[120], to[40];
  int rows = results_rows(r), width = 4;
  results_text(r, "ended", ended, sizeof ended);
  results_text(r, "title", title, sizeof title);
  for (int i = 0; i < results_columns(r); i++) {
    int length = (int)strlen(results_column(r, i)->name);
    width = length > width ? length : width;
  }
  if (!strcmp(ended, "running")) snprintf(ended, sizeof ended, "running, or killed");
  results_at(r, t[0], from, sizeof from);
  snprintf(to, sizeof to, strcmp(results_axis_units(r), "s") ? "%.8g" : "%.8g s", t[rows - 1]);
  printf("%s%s%s: %d rows from %s to %s; ended: %s\n\n", results_path(r), *title ? ", " : "", title, rows, from, to,
         ended);
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
  if (!path) return good ? EXIT_GOOD : EXIT_MISTAKE; // what could not be written is told at the end
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
