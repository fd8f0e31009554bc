// SPDX-License-Identifier: Apache-2.0
// Matrices of Nastran as text (matrix.h): DMIG entries of bulk data, and OUTPUT4. A file may have several: the stiffness is
// the first whose name begins with K, the mass the first with M; the only one has any name.
#include "input/importers/matrix.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 300, NAME = 17, WORD = 64 };

// From columns of a line, or as long as it is; without blanks around it.
static void cut(const char *line, size_t from, size_t width, char out[WORD]) {
  size_t length = strlen(line), n = 0;
  size_t to = from + width < length ? from + width : length;
  while (from < to && isspace((unsigned char)line[from])) from++;
  while (to > from && isspace((unsigned char)line[to - 1])) to--;
  for (; from < to && n < WORD - 1; from++) out[n++] = line[from];
  out[n] = 0;
}

// A number, whose exponent may come without its letter: 1.5+3.
static Error ReadNumber(Words *w, const char *word, double *out) {
  char copy[WORD + 1];
  size_t n = 0;
  for (size_t i = 0; word[i] && n < WORD - 1; i++) {
    bool sign = word[i] == '+' || word[i] == '-';
    if (sign && i && (isdigit((unsigned char)word[i - 1]) || word[i - 1] == '.')) copy[n++] = 'E';
    copy[n++] = word[i];
  }
  copy[n] = 0;
  return WordReal(w, copy, "the value of an entry", out);
}

static bool begins_with(const char *name, char letter) { return toupper((unsigned char)name[0]) == letter; }

// ---- DMIG ----

enum { FIELDS = 10, GROUP = 4 };

typedef struct {
  Words *w;
  Store *s;
  const Mesh *m;
  FileMatrix *out;
  char name[NAME]; // of the matrix that is read
  bool within;     // a column of it
  bool square;     // both mirrors of an entry are there
  int column;
} Dmig;

// Fields of a line: divided by commas, of 16 columns where the first ends with a star, or of 8; the last field, a mark of
// continuation, is left out. Returns their number; 0: a comment.
static int cut_fields(const char *line, char field[FIELDS][WORD]) {
  int n = 0;
  if (line[0] == '$' || !line[strspn(line, " \t")]) return 0;
  if (strchr(line, ',')) {
    for (const char *p = line; n < FIELDS - 1; p++) {
      size_t width = strcspn(p, ",");
      cut(p, 0, width, field[n++]);
      p += width;
      if (!*p) break;
    }
    return n;
  }
  cut(line, 0, 8, field[n++]);
  bool wide = strchr(field[0], '*') != NULL;
  for (size_t from = 8; n <= (wide ? GROUP : 2 * GROUP); from += wide ? 16 : 8)
    cut(line, from, wide ? 16 : 8, field[n++]);
  return n;
}

static bool is_keyword(const char *word, const char *keyword) {
  size_t n = strlen(keyword);
  for (size_t i = 0; i < n; i++)
    if (toupper((unsigned char)word[i]) != keyword[i]) return false;
  return !word[n] || (word[n] == '*' && !word[n + 1]);
}

// The unknown of a grid point: three of each node of the mesh, in the order of their numbers.
static Error FindUnknown(Dmig *d, const char *grid, const char *component, int *out) {
  long number, direction;
  TRY(WordInt(d->w, grid, "a grid point", &number));
  TRY(WordInt(d->w, *component ? component : "0", "a component from 1 to 3", &direction));
  int node = mesh_node(d->m, number);
  if (d->w->good && (direction < 1 || direction > 3))
    TRY(ReportMistake(d->w,
                      "the component %ld of grid point %ld is no displacement: a reduced body takes the matrices of "
                      "solids, without rotations and scalar points",
                      direction, number));
  else if (d->w->good && node < 0) TRY(ReportMistake(d->w, "the mesh has no node %ld", number));
  *out = d->w->good ? 3 * node + (int)direction - 1 : 0;
  return 0;
}

// Entries of the column: groups of grid point, component and value from a field on.
static Error ReadGroups(Dmig *d, int fields, char field[FIELDS][WORD], int from) {
  for (int i = from; i + 2 < fields && d->w->good; i += GROUP) {
    int row;
    double value;
    if (!field[i][0]) continue;
    TRY(FindUnknown(d, field[i], field[i + 1], &row));
    TRY(ReadNumber(d->w, field[i + 2], &value));
    if (d->square && row != d->column) value *= 0.5;
    if (d->w->good) TRY(MatrixAdd(d->s, d->out, (MatrixEntry){row, d->column, value}));
  }
  return 0;
}

static Error ReadHeader(Dmig *d, int fields, char field[FIELDS][WORD]) {
  long form = 0, type = 0;
  if (fields > 3) TRY(WordInt(d->w, field[3], "the form of the matrix", &form));
  if (fields > 4) TRY(WordInt(d->w, field[4], "the type of its numbers", &type));
  if (d->w->good && form != 1 && form != 6)
    TRY(ReportMistake(d->w, "the matrix %s has the form %ld: it must be square (1) or symmetric (6)", d->name, form));
  else if (d->w->good && type != 1 && type != 2)
    TRY(ReportMistake(d->w, "the numbers of the matrix %s are complex: they must be real", d->name));
  d->square = form == 1;
  return 0;
}

// The name of the matrix that a file has for a letter.
static void find_name(Words w, char letter, char out[NAME]) {
  char line[LINE], field[FIELDS][WORD];
  out[0] = 0;
  while (words_line(&w, line, sizeof line) && !begins_with(out, letter)) {
    int n = cut_fields(line, field);
    if (n < 2 || !is_keyword(field[0], "DMIG") || (out[0] && !begins_with(field[1], letter))) continue;
    snprintf(out, NAME, "%.*s", NAME - 1, field[1]);
  }
}

bool is_dmig(const char *text, size_t length) {
  ImportMistake none;
  char name[NAME];
  find_name(words_of(text, length < 20000 ? length : 20000, &none), 'K', name);
  return name[0];
}

Error ReadDmig(Words *w, char letter, const Mesh *m, Store *s, FileMatrix *out, bool *square) {
  Dmig d = {.w = w, .s = s, .m = m, .out = out};
  char line[LINE], field[FIELDS][WORD];
  find_name(*w, letter, d.name);
  while (w->good && words_line(w, line, sizeof line)) {
    int n = cut_fields(line, field);
    if (!n) continue;
    if (!is_keyword(field[0], "DMIG")) {
      bool more = d.within && !isalpha((unsigned char)field[0][0]);
      if (more) TRY(ReadGroups(&d, n, field, 1));
      d.within = more;
      continue;
    }
    d.within = n > 3 && !strcmp(field[1], d.name);
    if (!d.within) continue;
    if (!strcmp(field[2], "0")) {
      TRY(ReadHeader(&d, n, field));
      d.within = false;
    } else {
      TRY(FindUnknown(&d, field[2], field[3], &d.column));
      if (!strchr(field[0], '*')) TRY(ReadGroups(&d, n, field, 5));
    }
  }
  *square = d.square;
  return 0;
}

// ---- OUTPUT4 ----

typedef struct {
  Words *w;
  Store *s;
  FileMatrix *out;
  long columns, rows;
  int form, words; // words of a number
  bool big;        // BIGMAT: strings have their length and row in two words
  size_t width;    // of a number
  bool used;
} Output4;

static Error NextLine(Output4 *q, const char *what, char *line) {
  line[0] = 0;
  if (q->w->good && !words_line(q->w, line, LINE)) TRY(ReportMistake(q->w, "the file ends where %s is expected", what));
  return 0;
}

static int cut_integers(const char *line, long *out, int most) {
  int n = 0;
  for (char *end; n < most; line = end) {
    long x = strtol(line, &end, 10);
    if (end == line) break;
    out[n++] = x;
  }
  return n;
}

// Numbers of a column, from a row on.
static Error ReadString(Output4 *q, long column, long row, long count) {
  char line[LINE], word[WORD];
  if (count < 0 || row < 1 || row > q->rows || count > q->rows - row + 1)
    TRY(ReportMistake(q->w, "column %ld has %ld numbers from row %ld on, and the matrix %ld rows", column, count, row,
                      q->rows));
  while (count > 0 && q->w->good) {
    TRY(NextLine(q, "a number", line));
    for (size_t from = 0; count > 0 && q->w->good && (from < strlen(line) || !from); from += q->width, row++, count--) {
      double value;
      cut(line, from, q->width, word);
      TRY(ReadNumber(q->w, word, &value));
      if (q->w->good && q->used) TRY(MatrixAdd(q->s, q->out, (MatrixEntry){(int)row - 1, (int)column - 1, value}));
    }
  }
  return 0;
}

// The strings of a sparse column; `words`: their headers and numbers.
static Error ReadStrings(Output4 *q, long column, long words) {
  char line[LINE];
  while (words > 0 && q->w->good) {
    long x[2] = {0, 0}, length;
    TRY(NextLine(q, "a string of numbers", line));
    if (q->w->good && cut_integers(line, x, 2) != (q->big ? 2 : 1))
      TRY(ReportMistake(q->w, "'%.60s' is no head of a string of numbers", line));
    if (q->big) length = x[0] - 1;
    else length = x[0] / 65536 - 1, x[1] = x[0] % 65536;
    if (q->w->good && length < 1) TRY(ReportMistake(q->w, "'%.60s' is a string of no numbers", line));
    if (q->w->good) TRY(ReadString(q, column, x[1], length / q->words));
    words -= length + (q->big ? 2 : 1);
  }
  return 0;
}

// `10 10 6 2KAAX 1P,3E23.16`: columns, rows, form, type, name and format, each but the last of 8 columns.
static Error ReadHead(Output4 *q, const char *line, char name[WORD]) {
  char word[WORD], format[WORD];
  long x[4] = {0};
  for (int i = 0; i < 4; i++) {
    cut(line, 8 * (size_t)i, 8, word);
    TRY(WordInt(q->w, word, "a number of the head of a matrix", &x[i]));
  }
  cut(line, 32, 8, name), cut(line, 40, 30, format);
  char *e = strchr(format, 'E');
  q->big = x[1] < 0, q->rows = labs(x[1]), q->columns = x[0], q->form = (int)x[2], q->words = (int)x[3];
  q->width = e ? strtoul(e + 1, NULL, 10) : 0;
  if (!q->w->good) return 0;
  if (q->width < 8 || q->width > WORD - 2)
    TRY(ReportMistake(q->w, "'%s' is no format of OUTPUT4, such as 1P,3E23.16", format));
  else if (q->words != 1 && q->words != 2)
    TRY(ReportMistake(q->w, "the numbers of the matrix %s are complex: they must be real", name));
  else if (q->columns != q->rows || q->rows < 1 || q->rows > INT_MAX / 4)
    TRY(ReportMistake(q->w, "the matrix %s has %ld rows and %ld columns: it must be square", name, q->rows,
                      q->columns));
  return 0;
}

static Error ReadColumns(Output4 *q) {
  char line[LINE];
  while (q->w->good) {
    long x[3] = {0};
    TRY(NextLine(q, "a column of the matrix", line));
    if (q->w->good && cut_integers(line, x, 3) != 3) TRY(ReportMistake(q->w, "'%.60s' is no head of a column", line));
    if (x[0] > q->columns) return NextLine(q, "the end of the matrix", line);
    if (q->w->good && x[0] < 1) TRY(ReportMistake(q->w, "there is no column %ld", x[0]));
    if (!q->w->good) break;
    if (x[1] > 0) TRY(ReadString(q, x[0], x[1], x[2] / q->words));
    else TRY(ReadStrings(q, x[0], x[2]));
  }
  return 0;
}

bool is_output4(const char *text, size_t length) {
  char line[LINE], word[WORD];
  Words w = words_of(text, length, NULL);
  if (!words_line(&w, line, sizeof line)) return false;
  cut(line, 40, 30, word);
  return !strncmp(word, "1P,", 3);
}

Error ReadOutput4(Words *w, char letter, Store *s, FileMatrix *out, bool *square) {
  char line[LINE], name[WORD];
  bool found = false;
  for (int i = 0; w->good && !found && words_line(w, line, sizeof line); i++) {
    Output4 q = {.w = w, .s = s, .out = out};
    if (!line[strspn(line, " \t")]) continue;
    TRY(ReadHead(&q, line, name));
    found = w->good && begins_with(name, letter);
    q.used = found || !i;
    if (q.used) out->count = 0, out->size = (int)q.rows;
    if (w->good) TRY(ReadColumns(&q));
    if (!q.used || !w->good) continue;
    bool below = false, above = false;
    for (int k = 0; k < out->count; k++)
      below = below || out->entry[k].row > out->entry[k].column,
      above = above || out->entry[k].row < out->entry[k].column;
    *square = q.form != 6 || (below && above); // of a symmetric matrix there may be one half
    for (int k = 0; k < out->count && *square; k++)
      if (out->entry[k].row != out->entry[k].column) out->entry[k].value *= 0.5;
  }
  return 0;
}
