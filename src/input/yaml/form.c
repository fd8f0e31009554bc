// SPDX-License-Identifier: Apache-2.0
// From a map of the file to a structure, by its field table: the only place that knows how a type of field is written.
#include "input/yaml/old_names.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct { // one value of a field under way
  const Field *field;
  const Tree *tree;
  char *structure; // that the table fills
  bool good;
} Value;

// ---- numbers ----

// The k-th of units such as "N|N|N m"; the last goes for all that follow.
static const char *unit_of(const Field *f, int k, char *text, size_t size) {
  const char *u = f->unit, *bar;
  while (k-- > 0 && (bar = strchr(u, '|'))) u = bar + 1;
  bar = strchr(u, '|');
  snprintf(text, size, "%.*s", (int)(bar ? (size_t)(bar - u) : strlen(u)), u);
  return text;
}

static Error ReadReal(Reader *r, Value *v, const Tree *t, int k, double *out) {
  char si[32];
  bool good;
  TRY(ReadNumber(r, v->field->name, t, unit_of(v->field, k, si, sizeof si), out, &good));
  v->good = v->good && good;
  return 0;
}

// A number that is whole but for the round-off of a formula.
static Error ReadInt(Reader *r, Value *v, int *out) {
  const Tree *t = v->tree;
  char name[200];
  const char *unit;
  double value = 0;
  UnitsResult result = UNITS_NO_NUMBER;
  if (t->kind == TREE_WORD) TRY(UnitsRead(&r->units, t->text, "", &value, &unit, &result));
  bool good = t->kind == TREE_WORD && (result != UNITS_NO_NUMBER || is_formula(r, t->text));
  if (good) TRY(ReadNumber(r, v->field->name, t, "", &value, &good));
  else if (!t->broken)
    TRY(ReportError(r, t->at, "'%s' must be a whole number, not %s", v->field->name, tree_name(t, name, sizeof name)));
  double whole = rint(value);
  if (good && fabs(value - whole) > 1e-14 * fabs(whole)) {
    good = false;
    if (is_formula(r, t->text))
      TRY(ReportError(r, t->at, "'%s' must be a whole number, but '%s' is %.6g", v->field->name, t->text, value));
    else TRY(ReportError(r, t->at, "'%s' must be a whole number, not '%s'", v->field->name, t->text));
  } else if (good && fabs(whole) > INT_MAX) {
    good = false;
    TRY(ReportError(r, t->at, "'%s' is too large: at most %d", v->field->name, INT_MAX));
  }
  v->good = v->good && good;
  if (good) *out = (int)whole;
  return 0;
}

static Error ReportWrongForm(Reader *r, Value *v, const char *wanted) {
  char name[200];
  const char *hint = "";
  v->good = false;
  for (int i = 0; v->tree->kind == TREE_LIST && i < v->tree->count; i++) { // [max(a, b)] is a list of two words
    const char *word = v->tree->entry[i]->text;
    if (strchr(word, '(') && !strchr(word, ')')) hint = "; a formula with a comma stands in quotes";
  }
  TRY(ReportError(r, v->tree->at, "'%s' must be %s, not %s%s", v->field->name, wanted,
                  tree_name(v->tree, name, sizeof name), hint));
  return 0;
}

static bool is_rows(const Tree *t, int rows, int columns) {
  if (t->kind != TREE_LIST || t->count != rows) return false;
  for (int i = 0; i < rows; i++)
    if (t->entry[i]->kind != TREE_LIST || t->entry[i]->count != columns) return false;
  return true;
}

static bool is_list(const Tree *t, int count) { return t->kind == TREE_LIST && t->count == count; }

static Error ReadReals(Reader *r, Value *v, double *out) {
  const Tree *t = v->tree;
  int n = v->field->count;
  char wanted[64];
  if (n == 1 && t->kind != TREE_LIST) TRY(ReadReal(r, v, t, 0, out));
  else if (n == 9 && is_rows(t, 3, 3)) {
    for (int i = 0; i < 9; i++) TRY(ReadReal(r, v, t->entry[i / 3]->entry[i % 3], i, &out[i]));
  } else if (is_list(t, n)) {
    for (int i = 0; i < n; i++) TRY(ReadReal(r, v, t->entry[i], i, &out[i]));
  } else {
    snprintf(wanted, sizeof wanted, n == 9 ? "3 rows of 3 numbers" : "a list of %d numbers", n);
    TRY(ReportWrongForm(r, v, wanted));
  }
  return 0;
}

// Rows of numbers that must be symmetric.
static Error ReadRows(Reader *r, Value *v, int n, double *out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const Tree *t = v->tree->entry[i]->entry[j];
      TRY(ReadReal(r, v, t, i == j ? i : INT_MAX, &out[i * n + j]));
      if (j >= i || !v->good || out[i * n + j] == out[j * n + i]) continue;
      v->good = false;
      TRY(ReportError(r, t->at, "'%s' must be symmetric: row %d, column %d is %g, but row %d, column %d is %g",
                      v->field->name, i + 1, j + 1, out[i * n + j], j + 1, i + 1, out[j * n + i]));
    }
  return 0;
}

static Error ReadMatrix(Reader *r, Value *v, double *out) {
  int n = v->field->count;
  char wanted[80];
  if (is_rows(v->tree, n, n)) TRY(ReadRows(r, v, n, out));
  else if (is_list(v->tree, n)) {
    for (int i = 0; i < n; i++) TRY(ReadReal(r, v, v->tree->entry[i], i, &out[i * n + i]));
  } else {
    snprintf(wanted, sizeof wanted, "%d numbers (the diagonal) or %d rows of %d", n, n, n);
    TRY(ReportWrongForm(r, v, wanted));
  }
  return 0;
}

static Error ReadTensor(Reader *r, Value *v, double *out) {
  static const int at[6] = {0, 4, 8, 1, 2, 5};
  const Tree *t = v->tree;
  double m[9];
  if (is_rows(t, 3, 3)) {
    TRY(ReadRows(r, v, 3, m));
    for (int i = 0; v->good && i < 6; i++) out[i] = m[at[i]];
  } else if (is_list(t, 3) || is_list(t, 6)) {
    for (int i = 0; i < t->count; i++) TRY(ReadReal(r, v, t->entry[i], i, &out[i]));
  } else TRY(ReportWrongForm(r, v, "3 numbers (the diagonal), 6 (11 22 33 12 13 23) or 3 rows of 3"));
  return 0;
}

// All lists of a structure have one length, which is its first member.
static Error ReadList(Reader *r, Value *v, const double **out) {
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
  *length = count, *out = value;
  return 0;
}

// Rows of numbers; how many stands behind the pointer to them.
static Error ReadRowsOf(Reader *r, Value *v, void *out) {
  const Tree *t = v->tree;
  int n = v->field->count;
  double *value = NULL;
  char wanted[64];
  if (t->kind != TREE_LIST || !t->count || !is_rows(t, t->count, n)) {
    snprintf(wanted, sizeof wanted, "rows of %d numbers, [[...], [...]]", n);
    TRY(ReportWrongForm(r, v, wanted));
    return 0;
  }
  TRY(StoreAllocate(&r->store, (size_t)(t->count * n) * sizeof *value, &value));
  for (int i = 0; i < t->count * n; i++) TRY(ReadReal(r, v, t->entry[i / n]->entry[i % n], i % n, &value[i]));
  memcpy(out, &value, sizeof value);
  memcpy((char *)out + sizeof value, &t->count, sizeof(int));
  return 0;
}

// ---- the rest ----

static Error ReadIds(Reader *r, Value *v, LimberId *out) {
  switch (v->field->type) {
  case FIELD_NODE: TRY(FindNode(r, v->tree, out)); break;
  case FIELD_NODES:
    if (!is_list(v->tree, v->field->count)) {
      char wanted[40];
      snprintf(wanted, sizeof wanted, "a list of %d nodes", v->field->count);
      TRY(ReportWrongForm(r, v, wanted));
      break;
    }
    for (int i = 0; i < v->field->count; i++) {
      TRY(FindNode(r, v->tree->entry[i], &out[i]));
      if (out[i] == BROKEN) v->good = false;
    }
    break;
  case FIELD_SECTION: TRY(FindName(r, "section", &r->sections, v->tree, out)); break;
  case FIELD_JOINT: TRY(FindName(r, "joint", &r->joints, v->tree, out)); break;
  case FIELD_ELEMENT: TRY(FindName(r, "element", &r->elements, v->tree, out)); break;
  case FIELD_FUNCTION: TRY(FindFunction(r, v->tree, out)); break;
  case FIELD_REAL:
  case FIELD_INT:
  case FIELD_REALS:
  case FIELD_OPTIONAL_REALS:
  case FIELD_MATRIX:
  case FIELD_TENSOR:
  case FIELD_LIST:
  case FIELD_ROWS:
  case FIELD_ELEMENTS:
  case FIELD_FUNCTIONS:
  case FIELD_FORMULA:
  case FIELD_MATERIAL:
  case FIELD_CELLS:
  case FIELD_BULK:
  case FIELD_TEXT:
  case FIELD_MAP:
  case FIELD_MAPS:
  case FIELD_ANY: break;
  }
  if (*out == BROKEN) v->good = false;
  return 0;
}

static Error ReadMaterial(Reader *r, Value *v, LimberMaterial *out) {
  LimberId id;
  TRY(FindName(r, "material", &r->materials, v->tree, &id));
  if (id == BROKEN) v->good = false;
  else *out = r->material[id];
  return 0;
}

static Error ReadTimed(Reader *r, Value *v, LimberFormula *out) {
  bool good = v->tree->kind == TREE_WORD;
  if (good) TRY(ReadTimeFormula(r, v->tree, out, &good));
  else TRY(ReportWrongForm(r, v, "a formula of t"));
  v->good = v->good && good;
  return 0;
}

static Error ReadWord(Reader *r, Value *v, const char **out) {
  const FieldMore *more = v->field->more;
  const char *text = v->tree->text;
  Nearest n;
  if (v->tree->kind != TREE_WORD) {
    TRY(ReportWrongForm(r, v, "a word"));
    return 0;
  }
  *out = text;
  if (!more || !more->word) return 0;
  nearest_begin(&n, text);
  for (int i = 0; more->word(i); i++) {
    if (!strcmp(more->word(i), text)) return 0;
    nearest_try(&n, more->word(i));
  }
  v->good = false;
  TRY(ReportError(r, v->tree->at, "there is no %s '%s'%s", v->field->name, text, nearest_hint(&n, "there are")));
  return 0;
}

static Error ReadMap(Reader *r, Value *v, const Tree *map, void *out) {
  bool good;
  Form form = {v->field->more->fields, out, 0, 0, 0};
  TRY(FormsRead(r, v->field->name, map->at, map, 1, &form, &good));
  v->good = v->good && good;
  return 0;
}

// A list of maps, or one map; how many stands behind the pointer to them. A list in the place of a map is its first
// field.
static Error ReadMaps(Reader *r, Value *v, void *out) {
  const FieldTable *fields = v->field->more->fields;
  bool one = v->tree->kind == TREE_MAP;
  int count = one ? 1 : v->tree->count;
  char *maps = NULL;
  if ((v->tree->kind != TREE_LIST && !one) || !count) {
    TRY(ReportWrongForm(r, v, "a list of maps"));
    return 0;
  }
  TRY(StoreAllocate(&r->store, (size_t)count * fields->size, &maps));
  for (int i = 0; i < count; i++) {
    Tree *entry = one ? (Tree *)v->tree : v->tree->entry[i], *entries[] = {entry};
    Tree name = {.kind = TREE_WORD, .at = entry->at, .text = fields->field[0].name}, *keys[] = {&name};
    Tree map = {.kind = TREE_MAP, .at = entry->at, .text = "", .count = 1, .key = keys, .entry = entries};
    TRY(ReadMap(r, v, entry->kind == TREE_LIST ? &map : entry, maps + (size_t)i * fields->size));
  }
  memcpy(out, &maps, sizeof maps);
  memcpy((char *)out + sizeof maps, &count, sizeof(int));
  return 0;
}

static bool is_id(FieldType type) {
  return type == FIELD_NODE || type == FIELD_SECTION || type == FIELD_FUNCTION || type == FIELD_JOINT ||
         type == FIELD_ELEMENT;
}

static Error ReadValue(Reader *r, Value *v) {
  const Field *f = v->field;
  void *out = v->structure + f->offset;
  if (tree_empty(v->tree)) {
    v->good = false;
    if (is_id(f->type)) *(LimberId *)out = BROKEN;
    if (!v->tree->broken) TRY(ReportError(r, v->tree->at, "'%s' has no value", f->name));
    return 0;
  }
  switch (f->type) {
  case FIELD_REAL: TRY(ReadReal(r, v, v->tree, 0, out)); break;
  case FIELD_INT: TRY(ReadInt(r, v, out)); break;
  case FIELD_REALS: TRY(ReadReals(r, v, out)); break;
  case FIELD_OPTIONAL_REALS: {
    double *value = NULL;
    TRY(StoreAllocate(&r->store, (size_t)f->count * sizeof *value, &value));
    TRY(ReadReals(r, v, value));
    *(const double **)out = value;
    break;
  }
  case FIELD_MATRIX: TRY(ReadMatrix(r, v, out)); break;
  case FIELD_TENSOR: TRY(ReadTensor(r, v, out)); break;
  case FIELD_LIST: TRY(ReadList(r, v, out)); break;
  case FIELD_ROWS: TRY(ReadRowsOf(r, v, out)); break;
  case FIELD_NODE:
  case FIELD_NODES:
  case FIELD_SECTION:
  case FIELD_FUNCTION:
  case FIELD_JOINT:
  case FIELD_ELEMENT: TRY(ReadIds(r, v, out)); break;
  case FIELD_ELEMENTS:
  case FIELD_FUNCTIONS: TRY(FindList(r, f, v->tree, out, &v->good)); break;
  case FIELD_MATERIAL: TRY(ReadMaterial(r, v, out)); break;
  case FIELD_CELLS: TRY(ReadCells(r, f, v->tree, out, &v->good)); break;
  case FIELD_BULK: TRY(ReadBulk(r, f, v->tree, out, &v->good)); break;
  case FIELD_FORMULA: TRY(ReadTimed(r, v, out)); break;
  case FIELD_TEXT: TRY(ReadWord(r, v, out)); break;
  case FIELD_MAP: TRY(ReadMap(r, v, v->tree, out)); break;
  case FIELD_MAPS: TRY(ReadMaps(r, v, out)); break;
  case FIELD_ANY: *(const Tree **)out = v->tree; break;
  }
  return 0;
}

// A field that no form has: the nearest, or all that there are. Whoever misspelt a field has not forgotten it.
static Error ReportUnknownField(Reader *r, const char *what, const Tree *key, int count, Form *forms) {
  Nearest n;
  nearest_begin(&n, key->text);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < forms[k].fields->count; i++) nearest_try(&n, forms[k].fields->field[i].name);
  TRY(ReportError(r, key->at, "%s has no field '%s'%s", what, key->text, nearest_hint(&n, "its fields are")));
  for (int k = 0; k < count && n.best; k++) {
    const Field *f = field_find(forms[k].fields, n.best);
    if (f) forms[k].missed |= (uint64_t)1 << (f - forms[k].fields->field);
  }
  return 0;
}

static Error ReportRepeatedField(Reader *r, const Tree *map, const Tree *key) {
  char where[300];
  int i = 0;
  while (strcmp(map->key[i]->text, key->text) && i < map->count - 1) i++;
  TRY(ReportError(r, key->at, "'%s' is given twice, first %s", key->text,
                  diagnostics_describe_location(r->diagnostics, map->key[i]->at, key->at, where, sizeof where)));
  return 0;
}

static Error ReadKey(Reader *r, const char *what, const Tree *map, int at, int count, Form *forms, bool *good) {
  const Tree *key = map->key[at], *entry = map->entry[at];
  for (int k = 0; k < count; k++) {
    const Field *f = field_find(forms[k].fields, key->text);
    const char *now = f ? NULL : new_name_of_field(key->text);
    if (now) f = field_find(forms[k].fields, now);
    if (!f) continue;
    if (now) TRY(WarnAboutOldName(r, key->at, key->text, now));
    uint64_t bit = (uint64_t)1 << (f - forms[k].fields->field);
    Value v = {f, entry, forms[k].out, true};
    if (forms[k].given & bit) {
      v.good = false;
      TRY(ReportRepeatedField(r, map, key));
    } else TRY(ReadValue(r, &v));
    forms[k].given |= bit;
    if (!v.good) forms[k].bad |= bit;
    *good = *good && v.good;
    return 0;
  }
  *good = false;
  TRY(ReportUnknownField(r, what, key, count, forms));
  return 0;
}

Error FormsRead(Reader *r, const char *what, SourceLocation at, const Tree *map, int count, Form *forms, bool *good) {
  char name[200];
  *good = true;
  for (int k = 0; k < count; k++) {
    ENSURE(forms[k].fields->count <= 64, ERROR_PROGRAM, "%s has more than 64 fields", what);
    field_defaults(forms[k].fields, forms[k].out);
    forms[k].given = forms[k].bad = forms[k].missed = 0;
  }
  if (map->broken || (map->kind != TREE_MAP && !tree_empty(map))) {
    *good = false;
    if (map->broken) return 0;
    TRY(ReportError(r, map->at, "%s must be a map of its fields, not %s", what, tree_name(map, name, sizeof name)));
    return 0;
  }
  for (int i = 0; i < map->count; i++) TRY(ReadKey(r, what, map, i, count, forms, good));
  for (int k = 0; k < count; k++)
    for (int i = 0; i < forms[k].fields->count; i++) {
      const Field *f = &forms[k].fields->field[i];
      if (!f->required || ((forms[k].given | forms[k].missed) >> i & 1)) continue;
      *good = false;
      TRY(ReportError(r, at, "%s needs '%s' (%s)", what, f->name, f->help));
    }
  return 0;
}

static bool has_bit(const Form *f, uint64_t bits, const char *field) {
  const Field *found = field_find(f->fields, field);
  return found && (bits >> (found - f->fields->field) & 1);
}

bool form_given(const Form *f, const char *field) { return has_bit(f, f->given, field); }
bool form_good(const Form *f, const char *field) { return has_bit(f, f->given & ~f->bad, field); }
