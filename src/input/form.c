// SPDX-License-Identifier: Apache-2.0
// From a map of the file to a structure, by its field table: the only place that knows how a type of field is written.
#include "input/reader.h"

#include <limits.h>
#include <stdlib.h>
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

static PetscErrorCode NoteUnit(Reader *r, const Field *f, const Tree *t, const char *unit, const char *si,
                               UnitsResult result) {
  char found[64], name[200], wants[80];
  PetscFunctionBegin;
  if (*si) snprintf(wants, sizeof wants, " in %s", si);
  switch (result) {
  case UNITS_GOOD: break;
  case UNITS_NO_NUMBER:
    PetscCall(
        Wrong(r, t->at, "'%s' must be a number%s, not %s", f->name, *si ? wants : "", tree_name(t, name, sizeof name)));
    break;
  case UNITS_UNKNOWN:
    PetscCall(Wrong(r, t->at, "'%s': there is no unit '%s'%s", t->text, unit,
                    *unit == ',' ? "; a decimal point is written '.'" : ""));
    break;
  case UNITS_DIMENSION:
    PetscCall(UnitsDimension(&r->units, unit, found, sizeof found));
    if (*si) PetscCall(Wrong(r, t->at, "'%s' has the dimension %s, but '%s' is in %s", t->text, found, f->name, si));
    else PetscCall(Wrong(r, t->at, "'%s' has the dimension %s, but '%s' is a pure number", t->text, found, f->name));
    break;
  case UNITS_REVOLUTION:
    if (strstr(si, "rad"))
      PetscCall(Wrong(r, t->at, "'%s' is a frequency, but '%s' is an angular velocity in %s (60 rpm, not 1 Hz)",
                      t->text, f->name, si));
    else
      PetscCall(Wrong(r, t->at, "'%s' is an angular velocity, but '%s' is a frequency in %s (1 Hz, not 60 rpm)",
                      t->text, f->name, si));
    break;
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode ReadReal(Reader *r, Value *v, const Tree *t, int k, double *out) {
  char si[32];
  const char *unit = "";
  UnitsResult result = UNITS_NO_NUMBER;
  PetscFunctionBegin;
  unit_of(v->field, k, si, sizeof si);
  if (t->kind == TREE_WORD) PetscCall(UnitsRead(&r->units, t->text, si, out, &unit, &result));
  if (result != UNITS_GOOD) {
    v->good = false;
    if (t->broken) PetscFunctionReturn(0);
    PetscCall(NoteUnit(r, v->field, t, unit, si, result));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode ReadInt(Reader *r, Value *v, int *out) {
  const Tree *t = v->tree;
  char *end = NULL, name[200];
  PetscFunctionBegin;
  long value = t->kind == TREE_WORD ? strtol(t->text, &end, 10) : 0;
  if (!end || end == t->text || *end || value > INT_MAX || value < INT_MIN) {
    v->good = false;
    PetscCall(Wrong(r, t->at, "'%s' must be a whole number, not %s", v->field->name, tree_name(t, name, sizeof name)));
  } else *out = (int)value;
  PetscFunctionReturn(0);
}

static PetscErrorCode NoteShape(Reader *r, Value *v, const char *wanted) {
  char name[200];
  PetscFunctionBegin;
  v->good = false;
  PetscCall(
      Wrong(r, v->tree->at, "'%s' must be %s, not %s", v->field->name, wanted, tree_name(v->tree, name, sizeof name)));
  PetscFunctionReturn(0);
}

static bool is_rows(const Tree *t, int rows, int columns) {
  if (t->kind != TREE_LIST || t->count != rows) return false;
  for (int i = 0; i < rows; i++)
    if (t->entry[i]->kind != TREE_LIST || t->entry[i]->count != columns) return false;
  return true;
}

static bool is_list(const Tree *t, int count) { return t->kind == TREE_LIST && t->count == count; }

static PetscErrorCode ReadReals(Reader *r, Value *v, double *out) {
  const Tree *t = v->tree;
  int n = v->field->count;
  char wanted[64];
  PetscFunctionBegin;
  if (n == 9 && is_rows(t, 3, 3)) {
    for (int i = 0; i < 9; i++) PetscCall(ReadReal(r, v, t->entry[i / 3]->entry[i % 3], i, &out[i]));
  } else if (is_list(t, n)) {
    for (int i = 0; i < n; i++) PetscCall(ReadReal(r, v, t->entry[i], i, &out[i]));
  } else {
    snprintf(wanted, sizeof wanted, n == 9 ? "3 rows of 3 numbers" : "a list of %d numbers", n);
    PetscCall(NoteShape(r, v, wanted));
  }
  PetscFunctionReturn(0);
}

// Rows of numbers that must be symmetric.
static PetscErrorCode ReadRows(Reader *r, Value *v, int n, double *out) {
  PetscFunctionBegin;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const Tree *t = v->tree->entry[i]->entry[j];
      PetscCall(ReadReal(r, v, t, i == j ? i : INT_MAX, &out[i * n + j]));
      if (j >= i || !v->good || out[i * n + j] == out[j * n + i]) continue;
      v->good = false;
      PetscCall(Wrong(r, t->at, "'%s' must be symmetric: row %d, column %d is %g, but row %d, column %d is %g",
                      v->field->name, i + 1, j + 1, out[i * n + j], j + 1, i + 1, out[j * n + i]));
    }
  PetscFunctionReturn(0);
}

static PetscErrorCode ReadMatrix(Reader *r, Value *v, double *out) {
  int n = v->field->count;
  char wanted[80];
  PetscFunctionBegin;
  if (is_rows(v->tree, n, n)) PetscCall(ReadRows(r, v, n, out));
  else if (is_list(v->tree, n)) {
    for (int i = 0; i < n; i++) PetscCall(ReadReal(r, v, v->tree->entry[i], i, &out[i * n + i]));
  } else {
    snprintf(wanted, sizeof wanted, "%d numbers (the diagonal) or %d rows of %d", n, n, n);
    PetscCall(NoteShape(r, v, wanted));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode ReadTensor(Reader *r, Value *v, double *out) {
  static const int at[6] = {0, 4, 8, 1, 2, 5};
  const Tree *t = v->tree;
  double m[9];
  PetscFunctionBegin;
  if (is_rows(t, 3, 3)) {
    PetscCall(ReadRows(r, v, 3, m));
    for (int i = 0; v->good && i < 6; i++) out[i] = m[at[i]];
  } else if (is_list(t, 3) || is_list(t, 6)) {
    for (int i = 0; i < t->count; i++) PetscCall(ReadReal(r, v, t->entry[i], i, &out[i]));
  } else PetscCall(NoteShape(r, v, "3 numbers (the diagonal), 6 (11 22 33 12 13 23) or 3 rows of 3"));
  PetscFunctionReturn(0);
}

// All lists of a structure have one length, which is its first member.
static PetscErrorCode ReadList(Reader *r, Value *v, const double **out) {
  const Tree *t = v->tree;
  int *length = (int *)v->structure;
  double *value;
  PetscFunctionBegin;
  if (t->kind != TREE_LIST || !t->count) {
    PetscCall(NoteShape(r, v, "a list of numbers"));
    PetscFunctionReturn(0);
  }
  if (*length && *length != t->count) {
    v->good = false;
    PetscCall(Wrong(r, t->at, "'%s' has %d entries, but the list before it has %d", v->field->name, t->count, *length));
  }
  PetscCall(StoreKeep(&r->store, (size_t)t->count * sizeof *value, &value));
  for (int i = 0; i < t->count; i++) PetscCall(ReadReal(r, v, t->entry[i], i, &value[i]));
  *length = t->count, *out = value;
  PetscFunctionReturn(0);
}

// ---- the rest ----

static PetscErrorCode ReadIds(Reader *r, Value *v, LimberId *out) {
  PetscFunctionBegin;
  switch (v->field->type) {
  case FIELD_NODE: PetscCall(FindNode(r, v->tree, out)); break;
  case FIELD_NODES:
    if (!is_list(v->tree, v->field->count)) {
      char wanted[40];
      snprintf(wanted, sizeof wanted, "a list of %d nodes", v->field->count);
      PetscCall(NoteShape(r, v, wanted));
      break;
    }
    for (int i = 0; i < v->field->count; i++) {
      PetscCall(FindNode(r, v->tree->entry[i], &out[i]));
      if (out[i] == BROKEN) v->good = false;
    }
    break;
  case FIELD_SECTION: PetscCall(FindName(r, "section", &r->sections, v->tree, out)); break;
  case FIELD_JOINT: PetscCall(FindName(r, "joint", &r->joints, v->tree, out)); break;
  case FIELD_FUNCTION: PetscCall(FindFunction(r, v->tree, out)); break;
  case FIELD_REAL:
  case FIELD_INT:
  case FIELD_REALS:
  case FIELD_MATRIX:
  case FIELD_TENSOR:
  case FIELD_LIST:
  case FIELD_TEXT:
  case FIELD_ANY: break;
  }
  if (*out == BROKEN) v->good = false;
  PetscFunctionReturn(0);
}

static PetscErrorCode ReadValue(Reader *r, Value *v) {
  const Field *f = v->field;
  void *out = v->structure + f->offset;
  PetscFunctionBegin;
  if (tree_empty(v->tree)) {
    v->good = false;
    if (!v->tree->broken) PetscCall(Wrong(r, v->tree->at, "'%s' has no value", f->name));
    PetscFunctionReturn(0);
  }
  switch (f->type) {
  case FIELD_REAL: PetscCall(ReadReal(r, v, v->tree, 0, out)); break;
  case FIELD_INT: PetscCall(ReadInt(r, v, out)); break;
  case FIELD_REALS: PetscCall(ReadReals(r, v, out)); break;
  case FIELD_MATRIX: PetscCall(ReadMatrix(r, v, out)); break;
  case FIELD_TENSOR: PetscCall(ReadTensor(r, v, out)); break;
  case FIELD_LIST: PetscCall(ReadList(r, v, out)); break;
  case FIELD_NODE:
  case FIELD_NODES:
  case FIELD_SECTION:
  case FIELD_FUNCTION:
  case FIELD_JOINT: PetscCall(ReadIds(r, v, out)); break;
  case FIELD_TEXT:
    if (v->tree->kind == TREE_WORD) *(const char **)out = v->tree->text;
    else PetscCall(NoteShape(r, v, "a word"));
    break;
  case FIELD_ANY: *(const Tree **)out = v->tree; break;
  }
  PetscFunctionReturn(0);
}

// A field that no form has: the nearest, or all that there are. Whoever misspelt a field has not forgotten it.
static PetscErrorCode NoteUnknown(Reader *r, const char *what, const Tree *key, int count, Form *forms) {
  Nearest n;
  PetscFunctionBegin;
  nearest_begin(&n, key->text);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < forms[k].fields->count; i++) nearest_try(&n, forms[k].fields->field[i].name);
  PetscCall(Wrong(r, key->at, "%s has no field '%s'%s", what, key->text, nearest_hint(&n, "its fields are")));
  for (int k = 0; k < count && n.best; k++) {
    const Field *f = field_find(forms[k].fields, n.best);
    if (f) forms[k].missed |= (uint64_t)1 << (f - forms[k].fields->field);
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode ReadKey(Reader *r, const char *what, const Tree *key, const Tree *entry, int count, Form *forms,
                              bool *good) {
  PetscFunctionBegin;
  for (int k = 0; k < count; k++) {
    const Field *f = field_find(forms[k].fields, key->text);
    if (!f) continue;
    uint64_t bit = (uint64_t)1 << (f - forms[k].fields->field);
    Value v = {f, entry, forms[k].out, true};
    if (forms[k].given & bit) {
      v.good = false;
      PetscCall(Wrong(r, key->at, "'%s' is given twice", f->name));
    } else PetscCall(ReadValue(r, &v));
    forms[k].given |= bit;
    if (!v.good) forms[k].bad |= bit;
    *good = *good && v.good;
    PetscFunctionReturn(0);
  }
  *good = false;
  PetscCall(NoteUnknown(r, what, key, count, forms));
  PetscFunctionReturn(0);
}

PetscErrorCode FormsRead(Reader *r, const char *what, Place at, const Tree *map, int count, Form *forms, bool *good) {
  char name[200];
  PetscFunctionBegin;
  *good = true;
  for (int k = 0; k < count; k++) {
    PetscCheck(forms[k].fields->count <= 64, PETSC_COMM_SELF, PETSC_ERR_PLIB, "%s has more than 64 fields", what);
    field_defaults(forms[k].fields, forms[k].out);
    forms[k].given = forms[k].bad = forms[k].missed = 0;
  }
  if (map->broken || (map->kind != TREE_MAP && !tree_empty(map))) {
    *good = false;
    if (map->broken) PetscFunctionReturn(0);
    PetscCall(Wrong(r, map->at, "%s must be a map of its fields, not %s", what, tree_name(map, name, sizeof name)));
    PetscFunctionReturn(0);
  }
  for (int i = 0; i < map->count; i++) PetscCall(ReadKey(r, what, map->key[i], map->entry[i], count, forms, good));
  for (int k = 0; k < count; k++)
    for (int i = 0; i < forms[k].fields->count; i++) {
      const Field *f = &forms[k].fields->field[i];
      if (!f->required || ((forms[k].given | forms[k].missed) >> i & 1)) continue;
      *good = false;
      PetscCall(Wrong(r, at, "%s needs '%s' (%s)", what, f->name, f->help));
    }
  PetscFunctionReturn(0);
}

static bool has_bit(const Form *f, uint64_t bits, const char *field) {
  const Field *found = field_find(f->fields, field);
  return found && (bits >> (found - f->fields->field) & 1);
}

bool form_given(const Form *f, const char *field) { return has_bit(f, f->given, field); }
bool form_good(const Form *f, const char *field) { return has_bit(f, f->given & ~f->bad, field); }
