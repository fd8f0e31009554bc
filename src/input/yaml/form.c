// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/form.h"

#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"

#include <stdlib.h>
#include <string.h>

Error ReportWrongForm(Reader *r, FieldValue *v, const char *wanted) {
  char name[200];
  const char *hint = "";
  v->good = false;
  for (int i = 0; v->tree->kind == TREE_LIST && i < v->tree->count; i++) { // [max(a, b)] is a list of two words
    const char *word = v->tree->entry[i]->text;
    if (strchr(word, '(') && !strchr(word, ')')) hint = "; put a formula with a comma in quotes";
  }
  TRY(ReportError(r, v->tree->at, "'%s' must be %s, not %s%s", v->field->name, wanted,
                  tree_name(v->tree, name, sizeof name), hint));
  return 0;
}

static Error ReadMap(Reader *r, FieldValue *v, const Tree *map, void *out) {
  bool good;
  Form form = {v->field->more->fields, out, 0, 0, 0};
  TRY(FormsRead(r, v->field->name, map->at, map, 1, &form, &good));
  v->good = v->good && good;
  return 0;
}

Error ReadMapField(Reader *r, FieldValue *v, void *out) { return ReadMap(r, v, v->tree, out); }

// A list of maps, or one map; how many stands behind the pointer to them. A list in the place of a map is its first
// field.
Error ReadMapsField(Reader *r, FieldValue *v, void *out) {
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
         type == FIELD_ELEMENT || type == FIELD_LOAD || type == FIELD_EVENT;
}

static Error ReadValue(Reader *r, FieldValue *v) {
  const Field *f = v->field;
  void *out = v->structure + f->offset;
  if (!tree_empty(v->tree)) return r->field_reader[f->type](r, v, out);
  v->good = false;
  if (is_id(f->type)) *(int *)out = BROKEN;
  if (!v->tree->broken) TRY(ReportError(r, v->tree->at, "'%s' has no value", f->name));
  return 0;
}

// A field that no form has: the nearest, or all that there are. Whoever misspelt a field has not forgotten it.
static Error ReportUnknownField(Reader *r, const char *what, const Tree *key, int count, Form *forms) {
  Nearest n;
  nearest_begin(&n, key->text);
  for (int k = 0; k < count && !diagnostics_are_full(r->diagnostics); k++)
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
    if (!f) continue;
    uint64_t bit = (uint64_t)1 << (f - forms[k].fields->field);
    FieldValue v = {f, entry, forms[k].out, true};
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

// Whether the numbers of a load are in axes of their own, which its field `axes` says.
static bool has_own_axes(const Form *form) {
  const Field *axes = field_find(form->fields, "axes");
  return axes && axes->type == FIELD_WORD && *(const int *)((char *)form->out + axes->offset) != LIMBER_AXES_GROUND;
}

static void pose_numbers(const Scope *s, const Field *f, double *x) {
  static const double ground[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, none[9] = {0};
  bool place = f->more == &field_position || f->more == &field_point;
  if (f->count == 9 && !memcmp(x, none, sizeof none)) memcpy(x, ground, sizeof ground);
  for (int j = 0; j < f->count; j += 3)
    vec3_to(place ? scope_position(s, vec3_of(x + j)) : scope_direction(s, vec3_of(x + j)), x + j);
}

// Brings the fields of a form that has been read to ground axes.
static void pose_form(const Scope *s, const Form *form) {
  if (!s || !s->posed) return;
  for (int i = 0; i < form->fields->count; i++) {
    const Field *f = &form->fields->field[i];
    void *out = (char *)form->out + f->offset;
    bool given = (form->given & ~form->bad) >> i & 1, bad = form->bad >> i & 1;
    bool marked = f->more == &field_position || f->more == &field_point || f->more == &field_direction ||
                  (f->more == &field_load_direction && !has_own_axes(form));
    if (!marked || bad || f->count % 3) continue;
    if (!given && f->more == &field_point) continue;
    if (f->type == FIELD_REALS) pose_numbers(s, f, out);
    else if (f->type == FIELD_OPTIONAL_REALS && given) pose_numbers(s, f, *(double **)out);
  }
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
  for (int k = 0; k < count; k++) pose_form(r->scope, &forms[k]);
  return 0;
}

static bool has_bit(const Form *f, uint64_t bits, const char *field) {
  const Field *found = field_find(f->fields, field);
  return found && (bits >> (found - f->fields->field) & 1);
}

bool form_given(const Form *f, const char *field) { return has_bit(f, f->given, field); }
bool form_good(const Form *f, const char *field) { return has_bit(f, f->given & ~f->bad, field); }

// ---- rules ----

Error ApplyRules(Reader *r, const Tree *map, const Form *form, size_t count, const Rule *rule, bool *good) {
  for (size_t i = 0; i < count; i++) {
    const Tree *value = tree_find(map, rule[i].field);
    if (!rule[i].error || !value || (form && !form_good(form, rule[i].field))) continue;
    *good = false;
    TRY(ReportError(r, value->at, "'%s' %s", rule[i].field, rule[i].what));
  }
  return 0;
}

// A number and the unit behind it.
static Error ReadRangeEnd(Reader *r, const Tree *tree, const char *text, const char *example, double *value,
                          const char **unit) {
  char *end;
  *value = strtod(text, &end), *unit = NULL;
  if (end == text) return ReportError(r, tree->at, "'%s' must begin with a number, such as %s", text, example);
  while (*end == ' ') end++;
  if (*end) TRY(ModelCopyString(r->model, end, unit));
  return 0;
}

Error ReadParameterRange(Reader *r, const Tree *map, const char *from, const char *to, const char *example,
                         double *first, double *last, const char **unit) {
  const Tree *start = tree_find(map, "from"), *end = tree_find(map, "to");
  const char *own = NULL;
  TRY(ReadRangeEnd(r, end, to, example, last, unit));
  *first = 0;
  if (start) TRY(ReadRangeEnd(r, start, from, example, first, &own));
  if (start && strcmp(own ? own : "", *unit ? *unit : "") && !(*first == 0 && !own))
    return ReportError(r, start->at, "'from' and 'to' must have the same unit");
  if (!(*last > *first)) return ReportError(r, end->at, "'to' must be above 'from'");
  return 0;
}
