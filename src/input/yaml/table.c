// SPDX-License-Identifier: Apache-2.0
// Lists of numbers that stand in a column of a file: {file: gust.csv, column: speed}.
// A file is lines of cells, divided by commas, semicolons, tabs or blanks, the first of these that its first line has.
// That line may name the columns; empty lines and those that begin with '#' do not count.
#include "input/yaml/table.h"

#include "input/yaml/fields.h"
#include "input/yaml/files.h"
#include "input/yaml/names.h"
#include "input/yaml/number.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- lines and cells ----

TableLines table_lines(const char *text, size_t length) {
  bool marked = length > 3 && !strncmp(text, "\xEF\xBB\xBF", 3); // as UTF-8
  return (TableLines){text + (marked ? 3 : 0), text + length, 0, 0};
}

bool next_table_line(TableLines *l, TableCell *out) {
  while (l->at < l->end) {
    const char *end = memchr(l->at, '\n', (size_t)(l->end - l->at)), *p = l->at;
    if (!end) end = l->end;
    l->at = end < l->end ? end + 1 : end;
    l->line++;
    while (end > p && isspace((unsigned char)end[-1])) end--;
    while (p < end && isspace((unsigned char)*p) && (*p != '\t' || l->divider != '\t')) p++;
    if (p == end || *p == '#') continue;
    *out = (TableCell){p, (size_t)(end - p)};
    return true;
  }
  return false;
}

void find_table_divider(TableLines *l, TableCell first) {
  l->divider = ' ';
  for (const char *d = ";\t,"; *d && l->divider == ' '; d++)
    if (memchr(first.text, *d, first.length)) l->divider = *d;
}

TableCell next_table_cell(const TableLines *l, TableCell *line) {
  const char *p = line->text, *end = p + line->length, *q = p;
  while (q < end && (l->divider == ' ' ? !isspace((unsigned char)*q) : *q != l->divider)) q++;
  const char *rest = q < end ? q + 1 : end, *last = q;
  while (l->divider == ' ' && rest < end && isspace((unsigned char)*rest)) rest++;
  *line = (TableCell){rest, (size_t)(end - rest)};
  while (p < last && isspace((unsigned char)*p)) p++;
  while (last > p && isspace((unsigned char)last[-1])) last--;
  if (last - p > 1 && *p == '"' && last[-1] == '"') p++, last--;
  return (TableCell){p, (size_t)(last - p)};
}

bool read_table_number(TableCell c, double *out) {
  char text[64], *end;
  if (!c.length || c.length >= sizeof text || strspn(c.text, "+-.0123456789eE") < c.length) return false;
  memcpy(text, c.text, c.length), text[c.length] = 0;
  *out = strtod(text, &end);
  return !*end && isfinite(*out);
}

// ---- columns ----

typedef struct {
  const char *file, *column, *unit;
  double scale;
} ColumnText;

static const Field column_fields[] = {
    {"file", FIELD_TEXT, 1, offsetof(ColumnText, file), "", true, 0,
     "file with lines of numbers, relative to the file that names it", NULL},
    {"column", FIELD_TEXT, 1, offsetof(ColumnText, column), "", true, 0, "its name, or its number from 1", NULL},
    {"unit", FIELD_TEXT, 1, offsetof(ColumnText, unit), "", false, 0, "unit of the numbers; default: SI", NULL},
    {"scale", FIELD_REAL, 1, offsetof(ColumnText, scale), "", false, 1, "factor that multiplies the numbers", NULL},
};
static const FieldTable column_table = FIELDS(column_fields, ColumnText);
const Kind kind_column = {"column", "A column of a file, instead of a list of numbers.", &column_table};

static int count_cells(const TableLines *l, TableCell line) {
  int n = 0;
  while (line.length) next_table_cell(l, &line), n++;
  return n;
}

static TableCell cell_at(const TableLines *l, TableCell line, int column) {
  TableCell c = {"", 0};
  for (int i = 0; i <= column; i++) c = next_table_cell(l, &line);
  return c;
}

static bool is_header(const TableLines *l, TableCell line) {
  double value;
  while (line.length) {
    TableCell c = next_table_cell(l, &line);
    if (c.length && !read_table_number(c, &value)) return true;
  }
  return false;
}

// Whether names stand over numbers, as many as there are names. What is no such table is not quoted in messages: it may
// be anybody's file.
static bool is_table(TableLines l, TableCell header) {
  TableCell line;
  double value;
  int cells = 0, names = count_cells(&l, header);
  if (!next_table_line(&l, &line)) return false;
  for (; line.length; cells++) {
    TableCell c = next_table_cell(&l, &line);
    if (c.length && !read_table_number(c, &value)) return false;
  }
  return cells == names;
}

// The column that a word names, counted from 0; -1 after a mistake.
static Error FindColumn(Reader *r, const Tree *word, const char *path, const TableLines *l, TableCell first,
                        int *column) {
  bool header = is_header(l, first);
  int cells = count_cells(l, first);
  Nearest n;
  char name[80], *end;
  long number = strtol(word->text, &end, 10);
  nearest_begin(&n, word->text);
  *column = -1;
  if (cells > LIMIT_TABLE_COLUMNS) {
    TRY(ReportError(r, word->at, "'%s' has %d columns; a table has at most %d", path, cells, LIMIT_TABLE_COLUMNS));
    return 0;
  }
  TableCell rest = first;
  for (int i = 0; header && i < cells; i++) {
    TableCell c = next_table_cell(l, &rest);
    snprintf(name, sizeof name, "%.*s", (int)(c.length < 70 ? c.length : 70), c.text);
    if (!strcmp(name, word->text) && *column < 0) *column = i;
    char *keep;
    TRY(StoreAllocate(&r->store, strlen(name) + 1, &keep));
    nearest_try(&n, strcpy(keep, name));
  }
  if (*column >= 0) return 0;
  if (*word->text && !*end && number >= 1 && number <= cells) *column = (int)number - 1;
  else if (*word->text && !*end) TRY(ReportError(r, word->at, "'%s' has the columns 1 to %d", path, cells));
  else if (header)
    TRY(ReportError(r, word->at, "'%s' has no column '%s'%s", path, word->text,
                    is_table(*l, first) ? nearest_hint(&n, "it has") : ""));
  else
    TRY(ReportError(r, word->at, "the first line of '%s' names no columns: give the number of one, 1 to %d", path,
                    cells));
  return 0;
}

// Tells where, not what: the file may be no table but somebody's secret.
static Error ReportCell(Reader *r, SourceLocation at, const char *path, int line, int column, TableCell c) {
  const char *hint = memchr(c.text, ',', c.length) ? "; a decimal point is written '.'" : "";
  if (!c.length) TRY(ReportError(r, at, "line %d of '%s' has nothing in column %d", line, path, column + 1));
  else TRY(ReportError(r, at, "line %d of '%s' has no number in column %d%s", line, path, column + 1, hint));
  return 0;
}

// The numbers of a column; `good` is false after a mistake.
static Error ReadNumbers(Reader *r, const Tree *map, const char *path, TableLines l, double factor, double **value,
                         int *count, bool *good) {
  TableCell first, line;
  int column = -1, room = 0;
  double *list = NULL;
  *good = false, *count = 0;
  if (!next_table_line(&l, &first)) {
    TRY(ReportError(r, map->at, "'%s' has no lines of numbers", path));
    return 0;
  }
  find_table_divider(&l, first);
  TRY(FindColumn(r, tree_find(map, "column"), path, &l, first, &column));
  *good = column >= 0;
  line = first;
  bool more = !is_header(&l, first) || next_table_line(&l, &line);
  for (; *good && more; more = next_table_line(&l, &line)) {
    double x = 0;
    TableCell c = cell_at(&l, line, column);
    *good = read_table_number(c, &x);
    if (!*good) TRY(ReportCell(r, tree_find(map, "file")->at, path, l.line, column, c));
    if (*count == room) TRY(MemoryResize((size_t)(room = room ? 2 * room : 256) * sizeof *list, &list));
    list[(*count)++] = factor * x;
  }
  if (*good && !*count) {
    *good = false;
    TRY(ReportError(r, map->at, "'%s' has no lines of numbers", path));
  }
  TRY(StoreAllocate(&r->store, (size_t)*count * sizeof **value, value));
  if (*count) memcpy(*value, list, (size_t)*count * sizeof **value);
  memory_free(&list);
  return 0;
}

static Error ReadColumn(Reader *r, const Field *field, const Tree *map, double **value, int *count, bool *good) {
  ColumnText text;
  Form form = {&column_table, &text, 0, 0, 0};
  const char *path, *all;
  size_t length = 0;
  double factor = 1;
  bool unit = true;
  *count = 0;
  TRY(FormsRead(r, "a column", map->at, map, 1, &form, good));
  if (!*good) return 0;
  if (text.unit) TRY(FindFactor(r, field, tree_find(map, "unit"), &factor, &unit));
  TRY(ReadSource(r, tree_find(map, "file"), &path, &all, &length));
  *good = unit && all;
  if (!*good) return 0;
  TRY(CountScanned(r, tree_find(map, "file"), (long long)length, good));
  if (!*good) return 0;
  if (memchr(all, 0, length)) {
    *good = false;
    TRY(ReportError(r, tree_find(map, "file")->at, "'%s' is not a text file", path));
    return 0;
  }
  TableLines lines = table_lines(all, length);
  TRY(ReadNumbers(r, map, path, lines, factor * text.scale, value, count, good));
  r->values += *count;
  if (*good && r->values > LIMIT_TABLE_VALUES) {
    *good = false;
    TRY(ReportError(r, tree_find(map, "file")->at, "with this column the tables of the model have more than %d numbers",
                    LIMIT_TABLE_VALUES));
  }
  return 0;
}

// All lists of a structure have one length, which is its first member.
Error ReadListField(Reader *r, FieldValue *v, void *out) {
  const Tree *t = v->tree;
  int *length = (int *)v->structure, count = t->count;
  double *value = NULL;
  bool column = t->kind == TREE_MAP, good = true;
  if (!column && (t->kind != TREE_LIST || !t->count)) {
    TRY(ReportWrongForm(r, v, "a list of numbers or the column of a file"));
    return 0;
  }
  if (column) TRY(ReadColumn(r, v->field, t, &value, &count, &good));
  v->good = v->good && good;
  if (!good) return 0;
  if (*length && *length != count) {
    v->good = false;
    TRY(ReportError(r, t->at, "'%s' has %d entries, but the list before it has %d", v->field->name, count, *length));
  }
  if (!column) {
    TRY(StoreAllocate(&r->store, (size_t)count * sizeof *value, &value));
    for (int i = 0; i < count; i++) TRY(ReadReal(r, v, t->entry[i], i, &value[i]));
  }
  *length = count, *(const double **)out = value;
  return 0;
}
