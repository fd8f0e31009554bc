// SPDX-License-Identifier: Apache-2.0
// Fields that are numbers, formulae, words, axes or damping.
#include "input/yaml/fields.h"

#include "base/rotation.h"
#include "input/yaml/function.h"
#include "input/yaml/names.h"
#include "input/yaml/number.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/turbsim.h"
#include "input/yaml/units.h"
#include "mechanics/element.h"
#include "mechanics/polar_file.h"
#include "mechanics/wind_file.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// ---- numbers ----

// The k-th of units such as "N|N|N m"; the last goes for all that follow.
static const char *unit_of(const Field *f, int k, char *text, size_t size) {
  const char *u = f->unit, *bar;
  while (k-- > 0 && (bar = strchr(u, '|'))) u = bar + 1;
  bar = strchr(u, '|');
  snprintf(text, size, "%.*s", (int)(bar ? (size_t)(bar - u) : strlen(u)), u);
  return text;
}

Error ReadReal(Reader *r, FieldValue *v, const Tree *t, int k, double *out) {
  char si[32];
  bool good;
  TRY(ReadNumber(r, v->field->name, t, unit_of(v->field, k, si, sizeof si), out, &good));
  v->good = v->good && good;
  return 0;
}

Error ReadRealField(Reader *r, FieldValue *v, void *out) { return ReadReal(r, v, v->tree, 0, out); }

// A number that is whole but for the round-off of a formula.
Error ReadIntField(Reader *r, FieldValue *v, void *out) {
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
  if (good) *(int *)out = (int)whole;
  return 0;
}

static bool is_rows(const Tree *t, int rows, int columns) {
  if (t->kind != TREE_LIST || t->count != rows) return false;
  for (int i = 0; i < rows; i++)
    if (t->entry[i]->kind != TREE_LIST || t->entry[i]->count != columns) return false;
  return true;
}

static bool is_list(const Tree *t, int count) { return t->kind == TREE_LIST && t->count == count; }

static Error ReadReals(Reader *r, FieldValue *v, double *out) {
  const Tree *t = v->tree;
  int n = v->field->count;
  char wanted[64];
  if (n == 1 && t->kind != TREE_LIST) TRY(ReadReal(r, v, t, 0, out));
  else if (n == 9 && is_rows(t, 3, 3)) {
    for (int i = 0; i < 9; i++) TRY(ReadReal(r, v, t->entry[i / 3]->entry[i % 3], i, &out[i]));
  } else if (is_list(t, n)) {
    for (int i = 0; i < n; i++) TRY(ReadReal(r, v, t->entry[i], i, &out[i]));
  } else {
    const char *axis = n == 3 && t->kind == TREE_WORD && strlen(t->text) == 1 ? strchr("xyz", t->text[0]) : NULL;
    if (axis)
      snprintf(wanted, sizeof wanted, "a list of 3 numbers, here [%d, %d, %d]", *axis == 'x', *axis == 'y',
               *axis == 'z');
    else snprintf(wanted, sizeof wanted, n == 9 ? "3 rows of 3 numbers" : "a list of %d numbers", n);
    TRY(ReportWrongForm(r, v, wanted));
  }
  return 0;
}

Error ReadRealsField(Reader *r, FieldValue *v, void *out) { return ReadReals(r, v, out); }

Error ReadOneOrRealsField(Reader *r, FieldValue *v, void *out) {
  double *x = out;
  if (v->tree->kind == TREE_LIST) return ReadReals(r, v, out);
  TRY(ReadReal(r, v, v->tree, 0, out));
  for (int i = 1; i < v->field->count; i++) x[i] = x[0];
  return 0;
}

Error ReadOptionalRealsField(Reader *r, FieldValue *v, void *out) {
  double *value = NULL;
  TRY(StoreAllocate(&r->store, (size_t)v->field->count * sizeof *value, &value));
  TRY(ReadReals(r, v, value));
  *(const double **)out = value;
  return 0;
}

// Numbers that differ in no more than the round-off of the program that wrote them, a billionth of the diagonal or of
// them.
static bool are_alike(const double *m, int n, int i, int j) {
  double a = m[i * n + j], b = m[j * n + i], diagonal = sqrt(fabs(m[i * n + i] * m[j * n + j]));
  return fabs(a - b) <= 1e-9 * fmax(diagonal, fmax(fabs(a), fabs(b)));
}

// Rows of numbers that must be symmetric; the mean is taken of those that are so but for round-off.
static Error ReadRows(Reader *r, FieldValue *v, int n, double *out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const Tree *t = v->tree->entry[i]->entry[j];
      TRY(ReadReal(r, v, t, i == j ? i : INT_MAX, &out[i * n + j]));
    }
  for (int i = 0; i < n && v->good; i++)
    for (int j = 0; j < i && v->good; j++) {
      const Tree *t = v->tree->entry[i]->entry[j];
      double *a = &out[i * n + j], *b = &out[j * n + i];
      if (*a == *b) continue;
      v->good = are_alike(out, n, i, j);
      if (v->good) {
        *a = *b = 0.5 * (*a + *b);
        continue;
      }
      TRY(ReportError(r, t->at, "'%s' must be symmetric: row %d, column %d is %g, but row %d, column %d is %g",
                      v->field->name, i + 1, j + 1, out[i * n + j], j + 1, i + 1, out[j * n + i]));
    }
  return 0;
}

Error ReadMatrixField(Reader *r, FieldValue *v, void *structure) {
  int n = v->field->count;
  double *out = structure;
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

Error ReadTensorField(Reader *r, FieldValue *v, void *structure) {
  static const int at[6] = {0, 4, 8, 1, 2, 5};
  const Tree *t = v->tree;
  double m[9], *out = structure;
  if (is_rows(t, 3, 3)) {
    TRY(ReadRows(r, v, 3, m));
    for (int i = 0; v->good && i < 6; i++) out[i] = m[at[i]];
  } else if (is_list(t, 3) || is_list(t, 6)) {
    for (int i = 0; i < t->count; i++) TRY(ReadReal(r, v, t->entry[i], i, &out[i]));
  } else TRY(ReportWrongForm(r, v, "3 numbers (the diagonal), 6 (11 22 33 12 13 23) or 3 rows of 3"));
  return 0;
}

// Rows of numbers; how many stands behind the pointer to them.
Error ReadRowsField(Reader *r, FieldValue *v, void *out) {
  const Tree *t = v->tree;
  int n = v->field->count;
  double *value = NULL;
  char wanted[120];
  if (t->kind == TREE_MAP && v->field->more == &polar_file) return ReadPolarFile(r, v, out);
  if (t->kind == TREE_MAP && v->field->more == &wind_file) return ReadWindFile(r, v);
  if (t->kind != TREE_LIST || !t->count || !is_rows(t, t->count, n)) {
    snprintf(wanted, sizeof wanted, "rows of %d numbers, [[...], [...]]%s", n,
             v->field->more == &polar_file  ? ", or a file, {aerodyn: airfoil.dat}"
             : v->field->more == &wind_file ? ", or a file, {turbsim: wind.bts}"
                                            : "");
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

Error ReadFormulaField(Reader *r, FieldValue *v, void *out) {
  bool good = v->tree->kind == TREE_WORD;
  const FieldMore *more = v->field->more;
  if (good && more) TRY(ReadNamedFormula(r, v->tree, more->word, out, &good));
  else if (good) TRY(ReadTimeFormula(r, v->tree, out, &good));
  else TRY(ReportWrongForm(r, v, more ? "a formula" : "a formula of t"));
  v->good = v->good && good;
  return 0;
}

// The number of what is written among the words of a field; no such word is an error.
static Error FindWord(Reader *r, FieldValue *v, const char *(*word)(int i), int *found) {
  Nearest n;
  nearest_begin(&n, v->tree->text);
  for (int i = 0; word(i); i++) {
    *found = i;
    if (!strcmp(word(i), v->tree->text)) return 0;
    nearest_try(&n, word(i));
  }
  v->good = false;
  TRY(ReportError(r, v->tree->at, "there is no %s '%s'%s", v->field->name, v->tree->text,
                  nearest_hint(&n, "there are")));
  return 0;
}

Error ReadTextField(Reader *r, FieldValue *v, void *out) {
  const FieldMore *more = v->field->more;
  int i;
  if (v->tree->kind != TREE_WORD) return ReportWrongForm(r, v, "a word");
  *(const char **)out = v->tree->text;
  return more && more->word ? FindWord(r, v, more->word, &i) : 0;
}

Error ReadWordField(Reader *r, FieldValue *v, void *out) {
  if (v->tree->kind != TREE_WORD) return ReportWrongForm(r, v, "a word");
  return FindWord(r, v, v->field->more->word, out);
}

static const char *flag_word(int i) { return i == 0 ? "false" : i == 1 ? "true" : NULL; }

Error ReadFlagField(Reader *r, FieldValue *v, void *out) {
  int i = 0;
  if (v->tree->kind != TREE_WORD) return ReportWrongForm(r, v, "true or false");
  TRY(FindWord(r, v, flag_word, &i));
  *(bool *)out = i == 1;
  return 0;
}

Error ReadAnyField(Reader *r, FieldValue *v, void *out) {
  (void)r;
  *(const Tree **)out = v->tree;
  return 0;
}

// ---- axes ----

static const Field rotate_fields[] = {
    {"about", FIELD_REALS, 3, offsetof(RotateText, about), "", true, 0, "axis of rotation", NULL},
    {"by", FIELD_REAL, 1, offsetof(RotateText, by), "rad", true, 0, "angle", NULL},
};
static const FieldTable rotate_table = FIELDS(rotate_fields, RotateText);
const FieldMore rotate_more = {&rotate_table, NULL};

Error ReadAxes(Reader *r, const char *what, const Form *form, const Tree *entry, const RotateText *turn, double axes[9],
               bool *has, bool *good) {
  *has = form_given(form, "axes");
  if (!form_good(form, "rotate")) return 0;
  const Tree *rotate = tree_find(entry, "rotate");
  double length = vec3_norm(vec3_of(turn->about));
  if (*has) TRY(ReportError(r, rotate->at, "give %s either 'axes' or 'rotate'", what));
  else if (!(length > 0))
    TRY(ReportError(r, tree_find(rotate, "about")->at, "the axis of a rotation must not be zero"));
  *good = *good && !*has && length > 0;
  if (!*good) return 0;
  Mat3 m = rotation_exponential(vec3_scale(turn->by / length, vec3_of(turn->about)));
  for (int j = 0; j < 3; j++) vec3_to(mat3_column(m, j), axes + 3 * j);
  *has = true;
  return 0;
}

// ---- damping ----

// The damping of an element: a time of its stiffness, as a number; or a map, of that time and a rate of its mass, or of
// the ratio of critical damping z at one frequency w or at two,
//   stiffness:       eta = 2 z/w
//   both (Rayleigh): eta = 2 z/(w1 + w2),  alpha = 2 z w1 w2/(w1 + w2),
// so that (alpha/w + eta w)/2 = z there.
// Equations: eq-law-rayleigh (9.5).

static const double two_pi = 6.283185307179586;

// One frequency or two, in Hz; `count` is 0 after a mistake.
static Error ReadFrequencies(Reader *r, const Tree *t, double *w, int *count) {
  bool list = t->kind == TREE_LIST, good = true;
  *count = 0;
  if (list && t->count != 1 && t->count != 2) {
    TRY(ReportError(r, t->at, "'at' of a damping is one frequency or a list of two, not of %d", t->count));
    return 0;
  }
  int n = list ? t->count : 1;
  for (int i = 0; i < n; i++) {
    const Tree *entry = list ? t->entry[i] : t;
    bool read;
    TRY(ReadNumber(r, "at", entry, "Hz", &w[i], &read));
    good = good && read;
    if (!read || w[i] > 0) continue;
    good = false;
    TRY(ReportError(r, entry->at, "a frequency must be positive, not %g Hz", w[i]));
  }
  for (int i = 0; i < n; i++) w[i] *= two_pi;
  if (good) *count = n;
  return 0;
}

// The map of a ratio: `out` gets the time of the stiffness and the rate of the mass.
static Error ReadRatio(Reader *r, FieldValue *v, const ElementDamping *d, double out[2]) {
  const Tree *ratio = tree_find(v->tree, "ratio"), *at = tree_find(v->tree, "at");
  double w[2];
  int count = 0;
  if (!(d->ratio >= 0 && d->ratio < 1)) {
    v->good = false;
    TRY(ReportError(r, ratio->at,
                    d->ratio < 0 ? "negative damping would create energy"
                                 : "'ratio' is a fraction of critical damping, from 0 to below 1; 5 %% is 0.05, not %g",
                    d->ratio));
    return 0;
  }
  TRY(ReadFrequencies(r, at, w, &count));
  v->good = v->good && count > 0;
  if (count == 1) out[0] = 2 * d->ratio / w[0];
  if (count == 2) out[0] = 2 * d->ratio / (w[0] + w[1]), out[1] = out[0] * w[0] * w[1];
  return 0;
}

// What a map lacks or has too much of; NULL: nothing.
static const char *wrong_fields(const Form *f) {
  bool ratio = form_given(f, "ratio"), at = form_given(f, "at"),
       rates = form_given(f, "stiffness") || form_given(f, "mass");
  if (ratio && rates) return "damping has a 'ratio' with 'at', or 'stiffness' and 'mass', not both";
  if (ratio && !at)
    return "'ratio' needs 'at', the one or two frequencies at which it applies; ratios at other frequencies follow";
  if (at && !ratio) return "'at' needs 'ratio', the fraction of critical damping at these frequencies";
  return ratio || rates ? NULL : "damping needs a 'ratio' with 'at', or 'stiffness' or 'mass'";
}

Error ReadDampingField(Reader *r, FieldValue *v, void *structure) {
  double out[2] = {0, 0};
  ElementDamping d;
  Form form = {v->field->more->fields, &d, 0, 0, 0};
  bool good;
  if (v->tree->kind != TREE_MAP) return ReadReal(r, v, v->tree, 0, structure);
  const Tree *ratio = tree_find(v->tree, "ratio");
  if (ratio && ratio->kind == TREE_LIST) {
    v->good = false;
    TRY(ReportError(
        r, ratio->at,
        "'ratio' is one number: ratios mode by mode would couple every node of the model to every other. Give "
        "one ratio at two frequencies; between them the ratio is smaller"));
    return 0;
  }
  TRY(FormsRead(r, v->field->name, v->tree->at, v->tree, 1, &form, &good));
  v->good = v->good && good;
  const char *wrong = good ? wrong_fields(&form) : NULL;
  if (wrong) TRY(ReportError(r, v->tree->at, "%s", wrong));
  if (wrong || !good) {
    v->good = false;
    return 0;
  }
  if (form_given(&form, "ratio")) TRY(ReadRatio(r, v, &d, out));
  else out[0] = d.stiffness, out[1] = d.mass;
  if (v->good && (out[0] < 0 || out[1] < 0)) {
    v->good = false;
    TRY(ReportError(r, v->tree->at, "negative damping would create energy"));
  }
  if (v->good && v->field->count < 2 && out[1] != 0) {
    v->good = false;
    TRY(ReportError(r, v->tree->at,
                    "a component without mass has no mass-proportional damping: give 'ratio' with one frequency, or "
                    "'stiffness' alone"));
  }
  if (!v->good) return 0;
  double *to = structure;
  to[0] = out[0];
  if (v->field->count > 1) to[1] = out[1];
  return 0;
}
