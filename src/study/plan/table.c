// SPDX-License-Identifier: Apache-2.0
// A table of values that go together: its first line has the paths of the fields, each with its unit in brackets, and each
// further line is a combination.
#include "input/yaml/files.h"
#include "input/yaml/report.h"
#include "input/yaml/table.h"
#include "input/yaml/units.h"
#include "study/plan/reader.h"

#include <string.h>

typedef struct {
  PlanReader *x;
  const Tree *word; // the name of the file
  const char *path;
  TableLines lines;
  PlanVariable *variable; // the first of the table; the others follow
  int columns, rows;
} Table;

// "let.wind [m/s]"
static Error ReadHeading(Table *t, TableCell cell) {
  PlanReader *x = t->x;
  const char *bracket = memchr(cell.text, '[', cell.length), *end = cell.text + cell.length, *path, *unit = "";
  size_t length = bracket ? (size_t)(bracket - cell.text) : cell.length;
  UnitsResult result = UNITS_GOOD;
  PlanVariable *v;
  while (length && (cell.text[length - 1] == ' ' || cell.text[length - 1] == '\t')) length--;
  TRY(StoreText(&x->plan->store, cell.text, length, &path));
  if (bracket && end[-1] == ']') TRY(StoreText(&x->plan->store, bracket + 1, (size_t)(end - bracket) - 2, &unit));
  else if (bracket) result = UNITS_UNKNOWN;
  if (bracket && *unit) TRY(UnitsCompare(&x->reader.units, unit, "", &result));
  if (result == UNITS_UNKNOWN) {
    TRY(ReportError(&x->reader, t->word->at, "column %d of '%s': there is no unit '%.*s'", t->columns + 1, t->path,
                    (int)(end - bracket < 80 ? end - bracket : 80), bracket));
    return 0;
  }
  TRY(AddVariable(x, path, t->word->at, &v));
  if (v) v->unit = unit;
  return 0;
}

// A path and, where blanks divide cells, the brackets after it.
static TableCell next_heading(const TableLines *l, TableCell *line) {
  TableCell cell = next_table_cell(l, line);
  const char *end =
      l->divider == ' ' && line->length && *line->text == '[' ? memchr(line->text, ']', line->length) : NULL;
  if (!end) return cell;
  const char *rest = end + 1, *last = line->text + line->length;
  while (rest < last && (*rest == ' ' || *rest == '\t')) rest++;
  *line = (TableCell){rest, (size_t)(last - rest)};
  cell.length = (size_t)(end + 1 - cell.text);
  return cell;
}

static Error ReadHeadings(Table *t) {
  TableCell line;
  int errors = t->x->reader.diagnostics->errors;
  bool more = next_table_line(&t->lines, &line);
  if (!more) {
    TRY(ReportError(&t->x->reader, t->word->at, "'%s' is empty", t->path));
    return 0;
  }
  find_table_divider(&t->lines, line);
  t->variable = t->x->plan->variable + t->x->plan->variables;
  for (; line.length && t->x->reader.diagnostics->errors == errors; t->columns++)
    TRY(ReadHeading(t, next_heading(&t->lines, &line)));
  return 0;
}

static int count_rows(TableLines lines) {
  TableCell line;
  int n = 0;
  while (next_table_line(&lines, &line)) n++;
  return n;
}

// A number, or a word; then the whole column is words.
static Error ReadCell(Table *t, int row, int column, TableCell cell) {
  PlanVariable *v = &t->variable[column];
  double *value = (double *)v->value + row;
  if (!v->word && read_table_number(cell, value)) return 0;
  if (!cell.length) {
    TRY(ReportError(&t->x->reader, t->word->at, "line %d of '%s' has nothing in column %d, '%s'", t->lines.line,
                    t->path, column + 1, v->path));
    return 0;
  }
  if (row > 0 && !v->word) {
    TRY(ReportError(&t->x->reader, t->word->at,
                    "line %d of '%s' has no number in column %d, '%s', but the lines before have", t->lines.line,
                    t->path, column + 1, v->path));
    return 0;
  }
  if (!v->word && *v->unit) {
    TRY(ReportError(&t->x->reader, t->word->at, "line %d of '%s' has no number in column %d, '%s [%s]'", t->lines.line,
                    t->path, column + 1, v->path, v->unit));
    return 0;
  }
  if (!v->word) TRY(StoreAllocate(&t->x->plan->store, (size_t)t->rows * sizeof *v->word, &v->word));
  TRY(StoreText(&t->x->plan->store, cell.text, cell.length, (const char **)&v->word[row]));
  *value = row;
  return 0;
}

static Error ReadRows(Table *t) {
  TableCell line;
  int errors = t->x->reader.diagnostics->errors;
  for (int k = 0; k < t->columns; k++) {
    PlanVariable *v = &t->variable[k];
    double *value;
    TRY(StoreAllocate(&t->x->plan->store, (size_t)t->rows * sizeof *value, &value));
    v->value = value, v->count = t->rows;
  }
  for (int row = 0; next_table_line(&t->lines, &line); row++) {
    int column = 0;
    for (; line.length && column < t->columns; column++)
      TRY(ReadCell(t, row, column, next_table_cell(&t->lines, &line)));
    if (t->x->reader.diagnostics->errors > errors) return 0; // one is enough
    if (line.length || column < t->columns) {
      TRY(ReportError(&t->x->reader, t->word->at, "line %d of '%s' has %s than the %d columns of the first line",
                      t->lines.line, t->path, line.length ? "more" : "fewer", t->columns));
      return 0;
    }
  }
  return 0;
}

Error ReadTable(PlanReader *x) {
  Table t = {.x = x, .word = tree_find(x->map, "table")};
  const char *text;
  size_t length = 0;
  int errors = x->reader.diagnostics->errors;
  TRY(ReadSource(&x->reader, t.word, &t.path, &text, &length));
  if (!text) return 0;
  if (memchr(text, 0, length)) {
    TRY(ReportError(&x->reader, t.word->at, "'%s' is no text", t.path));
    return 0;
  }
  t.lines = table_lines(text, length);
  TRY(ReadHeadings(&t));
  if (x->reader.diagnostics->errors > errors) return 0;
  t.rows = count_rows(t.lines);
  if (!t.rows) TRY(ReportError(&x->reader, t.word->at, "'%s' has no line after the first", t.path));
  else if (t.rows > LIMIT_TABLE_VALUES / t.columns)
    TRY(ReportError(&x->reader, t.word->at, "'%s' has more than %d values", t.path, LIMIT_TABLE_VALUES));
  else TRY(ReadRows(&t));
  x->plan->axis[x->plan->axes++] = (PlanAxis){.count = t.rows, .hash = random_hash("table")};
  return 0;
}
