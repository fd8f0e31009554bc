// SPDX-License-Identifier: Apache-2.0
// What varies: the entries of `vary`.
#include "input/yaml/fields.h"
#include "input/yaml/files.h"
#include "input/yaml/report.h"
#include "input/yaml/table.h"
#include "input/yaml/units.h"
#include "study/plan/reader.h"

#include <math.h>
#include <string.h>

// ---- names ----

// A path as for --set: words divided by '.'.
static const char *path_error(const char *path) {
  size_t n = strlen(path);
  if (!n || path[0] == '.' || path[n - 1] == '.' || strstr(path, "..") || strchr(path, '=') || strchr(path, '\n'))
    return "is not a path of a field, such as let.E or run.step";
  if (!strncmp(path, "include", 7) && (!path[7] || path[7] == '.')) return "cannot vary";
  return NULL;
}

// `*out` is NULL after a mistake.
static Error AddVariable(PlanReader *x, const char *path, SourceLocation at, PlanVariable **out) {
  Plan *p = x->plan;
  const char *error = path_error(path);
  *out = NULL;
  if (error) {
    TRY(ReportError(&x->reader, at, "'%s' %s", path, error));
    return 0;
  }
  for (int i = 0; i < p->variables; i++)
    if (!strcmp(p->variable[i].path, path)) {
      TRY(ReportError(&x->reader, at, "'%s' varies twice", path));
      return 0;
    }
  if (p->variables == LIMIT_VARIABLES) {
    TRY(ReportError(&x->reader, at, "more than %d fields vary", LIMIT_VARIABLES));
    return 0;
  }
  *out = &p->variable[p->variables++];
  **out = (PlanVariable){.path = path, .unit = "", .at = at, .axis = p->axes};
  return 0;
}

// ---- values ----

// Counts values; not `good` where these are too many.
static Error CountValues(PlanReader *x, SourceLocation at, double count, bool *good) {
  x->values += count;
  *good = x->values <= LIMIT_LISTED_VALUES;
  if (!*good) TRY(ReportError(&x->reader, at, "up to here more than %d values are listed", LIMIT_LISTED_VALUES));
  return 0;
}

// The text of a word, with its quotes, or of a list in brackets, as it stands in the file.
static Error TextOfValue(PlanReader *x, const Tree *value, const char **out, bool *good) {
  const char *file = x->reader.diagnostics->file[value->at.file].text;
  *good = true;
  if (value->kind == TREE_WORD && !value->quoted) *out = value->text;
  else if (strchr("['\"", file[value->at.begin]))
    TRY(StoreText(&x->plan->store, file + value->at.begin, value->at.end - value->at.begin, out));
  else *good = false;
  *good = *good && !tree_empty(value) && !strchr(*out, '\n');
  if (!*good && !value->broken)
    TRY(ReportError(&x->reader, value->at, "a value must be a number, a word or a list in brackets, on one line"));
  return 0;
}

static Error ReadWords(PlanReader *x, const Tree *list, PlanVariable *v, bool *good) {
  const char **word;
  double *value;
  TRY(StoreAllocate(&x->plan->store, (size_t)list->count * sizeof *word, &word));
  TRY(StoreAllocate(&x->plan->store, (size_t)list->count * sizeof *value, &value));
  for (int i = 0; i < list->count; i++) {
    bool right;
    TRY(TextOfValue(x, list->entry[i], &word[i], &right));
    *good = *good && right;
    value[i] = i;
  }
  v->word = word, v->value = value, v->count = list->count;
  return 0;
}

static Error ReadNumbers(PlanReader *x, const Tree *list, PlanVariable *v, bool *good) {
  double *value;
  TRY(StoreAllocate(&x->plan->store, (size_t)list->count * sizeof *value, &value));
  TRY(FindUnit(x, list->count, list->entry, &v->unit));
  for (int i = 0; i < list->count; i++) {
    bool right;
    TRY(ReadInUnit(x, v->path, list->entry[i], v->unit, &value[i], &right));
    *good = *good && right;
  }
  v->value = value, v->count = list->count;
  return 0;
}

// Numbers, or, where one is no number, words.
static Error ReadList(PlanReader *x, const Tree *list, PlanVariable *v, bool *good) {
  bool numbers = true;
  *good = list->kind == TREE_LIST && list->count > 0;
  if (!*good) {
    TRY(ReportError(&x->reader, list->at, "'%s' needs values: a list, such as [1, 2, 3]", v->path));
    return 0;
  }
  TRY(CountValues(x, list->at, list->count, good));
  for (int i = 0; i < list->count && *good; i++) {
    PlanNumber number;
    TRY(ReadPlanNumber(x, list->entry[i], &number, good));
    numbers = numbers && number.is_number;
  }
  if (!*good) return 0;
  if (numbers) TRY(ReadNumbers(x, list, v, good));
  else TRY(ReadWords(x, list, v, good));
  return 0;
}

// The column of a file, as lists of numbers in model files have it.
typedef struct {
  int count;
  const double *value;
} ColumnOfFile;

static Error ReadFileColumn(PlanReader *x, const Tree *map, PlanVariable *v, bool *good) {
  ColumnOfFile column = {0};
  const Tree *unit = tree_find(map, "unit");
  Field field = {"values", FIELD_LIST, 1, offsetof(ColumnOfFile, value), "", false, 0, "", NULL};
  if (unit && unit->kind == TREE_WORD) TRY(StoreText(&x->plan->store, unit->text, strlen(unit->text), &v->unit));
  if (unit) { // the numbers stay in it, if there is such a unit
    UnitsResult result = UNITS_UNKNOWN;
    if (*v->unit) TRY(UnitsCompare(&x->reader.units, v->unit, "", &result));
    *good = result != UNITS_UNKNOWN;
    if (!*good) {
      TRY(ReportError(&x->reader, unit->at, "there is no unit '%s'", unit->text));
      return 0;
    }
    field.unit = v->unit;
  }
  FieldValue value = {&field, map, (char *)&column, true};
  TRY(ReadListField(&x->reader, &value, &column.value));
  *good = value.good;
  if (*good) TRY(CountValues(x, map->at, column.count, good));
  if (!*good) return 0;
  double *copy;
  TRY(StoreAllocate(&x->plan->store, (size_t)column.count * sizeof *copy, &copy));
  memcpy(copy, column.value, (size_t)column.count * sizeof *copy);
  v->value = copy, v->count = column.count;
  return 0;
}

// ---- ranges ----

static Error ReadRange(PlanReader *x, const Tree *map, const VariableText *t, const Form *form, PlanVariable *v,
                       bool *good) {
  Reader *r = &x->reader;
  Tree *words[] = {(Tree *)t->from, (Tree *)t->to, (Tree *)t->step};
  double from, to, step = 0, *value, count = t->count;
  bool right[3] = {true, true, true}, counted = form_given(form, "count");
  *good = t->from && t->to && counted == !t->step;
  if (!*good) {
    TRY(ReportError(r, map->at, "a range has 'from', 'to' and one of 'step' and 'count'"));
    return 0;
  }
  TRY(FindUnit(x, t->step ? 3 : 2, words, &v->unit));
  TRY(ReadInUnit(x, "from", t->from, v->unit, &from, &right[0]));
  TRY(ReadInUnit(x, "to", t->to, v->unit, &to, &right[1]));
  if (t->step) TRY(ReadInUnit(x, "step", t->step, v->unit, &step, &right[2]));
  *good = right[0] && right[1] && right[2];
  if (!*good) return 0;
  if (t->step) count = floor((to - from) / step * (1 + 1e-12) + 1e-9) + 1;
  const Tree *at = t->step ? t->step : tree_find(map, "count");
  *good = t->step ? step != 0 && (to - from) / step > 0 : count >= 2;
  if (!*good && t->step) TRY(ReportError(r, at->at, "'step' must lead from 'from' to 'to'"));
  else if (!*good) TRY(ReportError(r, at->at, "'count' of a range must be at least 2"));
  else if (!(count <= LIMIT_POINTS)) {
    *good = false;
    TRY(ReportError(r, at->at, "a range has at most %d values", LIMIT_POINTS));
  }
  if (*good) TRY(CountValues(x, at->at, count, good));
  if (!*good) return 0;
  v->count = (int)count;
  TRY(StoreAllocate(&x->plan->store, (size_t)v->count * sizeof *value, &value));
  for (int i = 0; i < v->count; i++) value[i] = t->step ? from + i * step : from + (to - from) * (i / (count - 1));
  if (!t->step) value[v->count - 1] = to;
  v->value = value;
  return 0;
}

static Error ReadCount(PlanReader *x, const Tree *map, const VariableText *t, PlanVariable *v, bool *good) {
  double *value;
  *good = t->count >= 1 && t->count <= LIMIT_POINTS;
  if (!*good) {
    TRY(ReportError(&x->reader, tree_find(map, "count")->at, "'count' must be from 1 to %d", LIMIT_POINTS));
    return 0;
  }
  TRY(CountValues(x, map->at, t->count, good));
  if (!*good) return 0;
  TRY(StoreAllocate(&x->plan->store, (size_t)t->count * sizeof *value, &value));
  for (int i = 0; i < t->count; i++) value[i] = i;
  v->value = value, v->count = t->count;
  return 0;
}

// ---- an entry ----

static Error ReadMapOfVariable(PlanReader *x, const Tree *map, PlanVariable *v, bool *good) {
  VariableText t;
  Form form = {&variable_table, &t, 0, 0, 0};
  const char *unit = NULL;
  bool range, found, right;
  TRY(FormsRead(&x->reader, v->path, v->at, map, 1, &form, good));
  if (!*good) return 0;
  TRY(ReadDistribution(x, &t.distribution, &unit, &v->distribution, &found, &right));
  if (unit) v->unit = unit;
  range = t.from || t.to || t.step;
  bool counted = form_given(&form, "count");
  *good = right;
  if (found + (t.values != NULL) + (range || counted) != 1) {
    *good = false;
    if (right)
      TRY(ReportError(&x->reader, v->at,
                      "'%s' needs one of: values, from with to, count, or a distribution such as normal", v->path));
  } else if (t.values && t.values->kind == TREE_MAP) TRY(ReadFileColumn(x, t.values, v, good));
  else if (t.values) TRY(ReadList(x, t.values, v, good));
  else if (range) TRY(ReadRange(x, map, &t, &form, v, good));
  else if (counted) TRY(ReadCount(x, map, &t, v, good));
  return 0;
}

static Error ReadVariable(PlanReader *x, const Tree *key, const Tree *entry) {
  Plan *p = x->plan;
  PlanVariable *v;
  bool good = true;
  TRY(AddVariable(x, key->text, key->at, &v));
  if (!v) return 0;
  if (entry->kind == TREE_MAP) TRY(ReadMapOfVariable(x, entry, v, &good));
  else TRY(ReadList(x, entry, v, &good));
  p->axis[p->axes++] = (PlanAxis){.count = v->count, .hash = random_hash(v->path)};
  return 0;
}

Error ReadVariables(PlanReader *x) {
  const Tree *map = x->text.vary;
  char name[200];
  if (!map) return 0;
  if (map->kind != TREE_MAP) {
    if (!map->broken)
      TRY(ReportError(&x->reader, map->at, "'vary' must be a map of path to values, such as {let.E: [1, 2]}, not %s",
                      tree_name(map, name, sizeof name)));
    return 0;
  }
  for (int i = 0; i < map->count; i++) TRY(ReadVariable(x, map->key[i], map->entry[i]));
  return 0;
}

// A table of values that go together: its first line has the paths of the fields, each with its unit in brackets, and
// each further line is a combination.

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
    TRY(ReportError(&x->reader, t.word->at, "'%s' is not a text file", t.path));
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
