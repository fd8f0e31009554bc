// SPDX-License-Identifier: Apache-2.0
#include "input/blades/polar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE = 1000, COLUMNS = 4 };

static const double degree = 3.141592653589793 / 180;

void polar_choose(ImportMistake *mistake, int tables, int *number) {
  if (!*number && tables == 1) *number = 1;
  if (*number >= 1 && *number <= tables) return;
  if (!tables) snprintf(mistake->text, sizeof mistake->text, "the airfoil has no table of coefficients");
  else if (!*number)
    snprintf(mistake->text, sizeof mistake->text,
             "there are %d tables, one for each Reynolds number: choose one with 'number'", tables);
  else
    snprintf(mistake->text, sizeof mistake->text, "there is no table %d, but %d table%s", *number, tables,
             tables == 1 ? "" : "s");
  *number = 0;
}

// The first words of the next line that is no comment; 0: the file ends.
static int next_words(Words *w, char *line, char *word[COLUMNS]) {
  int n = 0;
  while (n == 0 && words_line(w, line, LINE)) {
    line[strcspn(line, "!")] = 0;
    for (char *p = strtok(line, " \t,"); p && n < COLUMNS; p = strtok(NULL, " \t,")) word[n++] = p;
  }
  return n;
}

static Error ReadRow(Words *w, int n, char *word[COLUMNS], const double *before, double *row) {
  static const char *const what[] = {"an angle", "a coefficient of lift", "one of drag", "one of moment"};
  if (n < 3) TRY(ReportMistake(w, "a row has an angle in degrees, and coefficients of lift, drag and moment"));
  for (int k = 0; k < n && w->good; k++) TRY(WordReal(w, word[k], what[k], &row[k]));
  row[0] *= degree;
  if (w->good && !(fabs(row[0]) <= 360.001 * degree))
    TRY(ReportMistake(w, "the angle %s is beyond 360 degrees", word[0]));
  if (w->good && before && !(row[0] > before[0])) TRY(ReportMistake(w, "the angles must increase"));
  return 0;
}

static Error ReadRows(Words *w, Store *store, long count, PolarRows *out) {
  char line[LINE], *word[COLUMNS];
  double *row;
  if (count < 2 || count > (w->end - w->p) / 6 + 1) {
    TRY(ReportMistake(w, "NumAlf is %ld; a number of at least 2 is expected, with as many rows below", count));
    return 0;
  }
  TRY(StoreAllocate(store, (size_t)(COLUMNS * count) * sizeof *row, &row));
  for (long i = 0; i < count && w->good; i++) {
    double *at = row + COLUMNS * i;
    at[3] = 0;
    TRY(ReadRow(w, next_words(w, line, word), word, i ? at - COLUMNS : NULL, at));
  }
  *out = (PolarRows){row, (int)count};
  return 0;
}

Error PolarReadAerodyn(const BladeText *text, Store *store, int number, PolarRows *out) {
  Words w = words_of(text->text, text->length, text->mistake);
  char line[LINE], *word[COLUMNS];
  long tables = 1, count = 0;
  int n, table = 0;
  *out = (PolarRows){NULL, 0};
  text->mistake->file = text->path;
  while (w.good && !out->row && (n = next_words(&w, line, word)) > 0) {
    if (n >= 2 && !strcasecmp(word[1], "NumTabs")) {
      TRY(WordInt(&w, word[0], "a number of tables", &tables));
      if (w.good && (tables < 1 || tables > 1000000)) TRY(ReportMistake(&w, "NumTabs is %ld", tables));
      text->mistake->line = words_at(&w);
      if (w.good) polar_choose(text->mistake, (int)tables, &number);
      w.good = w.good && number > 0;
    }
    if (!w.good || n < 2 || strcasecmp(word[1], "NumAlf") != 0) continue;
    TRY(WordInt(&w, word[0], "a number of rows", &count));
    if (w.good && ++table == (number ? number : 1)) TRY(ReadRows(&w, store, count, out));
  }
  if (w.good && !out->row)
    TRY(ReportMistake(
        &w, table ? "the file ends before table %d" : "this is no airfoil file of AeroDyn: no line 'NumAlf'", number));
  if (!w.good) *out = (PolarRows){NULL, 0};
  return 0;
}
