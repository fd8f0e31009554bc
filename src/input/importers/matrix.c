// SPDX-License-Identifier: Apache-2.0
#include "input/importers/matrix.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- text ----

Error MatrixAdd(Store *s, FileMatrix *m, MatrixEntry entry) {
  TRY(StoreGrow(s, sizeof *m->entry, m->count, m->count + 1, &m->room, &m->entry));
  m->entry[m->count++] = entry;
  return 0;
}

static Error AddEntry(Words *w, Store *s, FileMatrix *m, long row, long column, double value) {
  long most = m->size ? m->size : INT_MAX / 4;
  if (w->good && (row < 1 || column < 1 || row > most || column > most))
    TRY(ReportMistake(w, "the entry %ld, %ld is outside of the matrix, of %ld rows", row, column, most));
  return w->good ? MatrixAdd(s, m, (MatrixEntry){(int)row - 1, (int)column - 1, value}) : 0;
}

// `%%MatrixMarket matrix coordinate real symmetric`, comments, `rows columns entries`, then an entry in each line.
static Error ReadMarket(Words *w, Store *s, FileMatrix *out, bool *square) {
  char line[300], word[5][64];
  long rows, columns, entries, row, column;
  double value;
  words_line(w, line, sizeof line);
  for (char *p = line; *p; p++) *p = (char)tolower((unsigned char)*p);
  bool right = sscanf(line, "%63s %63s %63s %63s %63s", word[0], word[1], word[2], word[3], word[4]) == 5 &&
               !strcmp(word[1], "matrix");
  bool symmetric = right && !strcmp(word[4], "symmetric"), general = right && !strcmp(word[4], "general");
  if (!right || strcmp(word[2], "coordinate") != 0 ||
      (strcmp(word[3], "real") != 0 && strcmp(word[3], "integer") != 0) || (!symmetric && !general)) {
    TRY(ReportMistake(w, "a Matrix Market file of a body begins with '%%%%MatrixMarket matrix coordinate real', then "
                         "'symmetric' or 'general'"));
    return 0;
  }
  while (w->p < w->end && (*w->p == '%' || isspace((unsigned char)*w->p))) words_line(w, line, sizeof line);
  TRY(NextInt(w, "the number of rows", &rows));
  TRY(NextInt(w, "the number of columns", &columns));
  TRY(NextCount(w, "the number of entries", &entries));
  if (w->good && (rows != columns || rows < 1 || rows > INT_MAX / 4))
    TRY(ReportMistake(w, "the matrix has %ld rows and %ld columns: it must be square", rows, columns));
  *square = general;
  if (w->good) out->size = (int)rows;
  for (long i = 0; i < entries && w->good; i++) {
    TRY(NextInt(w, "a row", &row));
    TRY(NextInt(w, "a column", &column));
    TRY(NextReal(w, "the value of an entry", &value));
    // of a general matrix both mirrors are there: each counts by half, and its difference is checked
    TRY(AddEntry(w, s, out, row, column, general && row != column ? 0.5 * value : value));
  }
  if (w->good && words_next(w, word[0], sizeof word[0]))
    TRY(ReportMistake(w, "the file has more than %ld entries", entries));
  return 0;
}

// Entries (row, column) and their mirrors have the same value.
typedef struct {
  int least, other, sign;
  double value;
} MirrorEntry;

static int compare_mirrors(const void *a, const void *b) {
  const MirrorEntry *x = a, *y = b;
  return x->least != y->least ? (x->least > y->least) - (x->least < y->least)
                              : (x->other > y->other) - (x->other < y->other);
}

static Error CheckSymmetry(Words *w, const FileMatrix *m) {
  MirrorEntry *all;
  double most = 0;
  int n = 0;
  TRY(MemoryNew((size_t)m->count * sizeof *all + 1, &all));
  for (int i = 0; i < m->count; i++) {
    int r = m->entry[i].row, c = m->entry[i].column;
    if (r != c) all[n++] = (MirrorEntry){r < c ? r : c, r < c ? c : r, r < c ? 1 : -1, m->entry[i].value};
    most = m->entry[i].value > most ? m->entry[i].value : -m->entry[i].value > most ? -m->entry[i].value : most;
  }
  if (n) qsort(all, (size_t)n, sizeof *all, compare_mirrors);
  for (int i = 0, k; i < n && w->good; i = k) {
    double sum = 0;
    for (k = i; k < n && !compare_mirrors(&all[i], &all[k]); k++) sum += all[k].sign * all[k].value;
    if (sum > 1e-9 * most || sum < -1e-9 * most)
      TRY(ReportMistake(w, "the matrix is not symmetric: the entries %d, %d and %d, %d differ", all[i].least + 1,
                        all[i].other + 1, all[i].other + 1, all[i].least + 1));
  }
  memory_free(&all);
  return 0;
}

// `row column value`.
static Error ReadTriples(Words *w, Store *s, FileMatrix *out) {
  char word[64];
  while (w->good && words_next(w, word, sizeof word)) {
    long row, column;
    double value;
    TRY(WordInt(w, word, "a row of the matrix", &row));
    TRY(NextInt(w, "a column", &column));
    TRY(NextReal(w, "the value of an entry", &value));
    TRY(AddEntry(w, s, out, row, column, value));
  }
  return 0;
}

static bool is_market(const char *text, size_t length) {
  static const char market[] = "%%matrixmarket";
  size_t n = sizeof market - 1;
  for (size_t i = 0; i < n; i++)
    if (i == length || tolower((unsigned char)text[i]) != market[i]) return false;
  return true;
}

Error ReadMatrix(const char *text, size_t length, char letter, const Mesh *m, Store *s, FileMatrix *out,
                 ImportMistake *mistake) {
  Words w = words_of(text, length, mistake);
  bool square = false;
  *out = (FileMatrix){0};
  if (is_market(text, length)) TRY(ReadMarket(&w, s, out, &square));
  else if (is_output4(text, length)) TRY(ReadOutput4(&w, letter, s, out, &square));
  else if (is_dmig(text, length)) {
    out->of_nodes = true;
    TRY(ReadDmig(&w, letter, m, s, out, &square));
  } else TRY(ReadTriples(&w, s, out));
  if (w.good && square) TRY(CheckSymmetry(&w, out));
  if (w.good && !out->count) TRY(ReportMistake(&w, "the matrix has no entries"));
  return 0;
}

Error ReadUnknowns(const char *text, size_t length, Store *s, Unknowns *out, ImportMistake *mistake) {
  Words w = words_of(text, length, mistake);
  char word[64];
  *out = (Unknowns){0};
  while (w.good && words_next(&w, word, sizeof word)) {
    char *dot = strchr(word, '.');
    long node = 0;
    if (!dot || strlen(dot) != 2 || !isdigit((unsigned char)dot[1])) {
      TRY(ReportMistake(&w, "'%s' is no unknown; NODE.DIRECTION is expected, such as 12.3", word));
      return 0;
    }
    int direction = dot[1] - '0';
    *dot = 0;
    TRY(WordInt(&w, word, "the number of a node", &node));
    if (w.good && (direction < 1 || direction > 3))
      TRY(ReportMistake(&w,
                        "the direction %d of node %ld is no displacement: a reduced body takes the matrices of "
                        "solids, without rotations, temperatures or modal unknowns",
                        direction, node));
    if (!w.good) return 0;
    TRY(StoreGrow(s, sizeof *out->of, out->count, out->count + 1, &out->room, &out->of));
    out->of[out->count++] = (Unknown){node, direction - 1};
  }
  if (w.good && !out->count) TRY(ReportMistake(&w, "the file has no unknowns"));
  return 0;
}
