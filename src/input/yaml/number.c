// SPDX-License-Identifier: Apache-2.0
// Numbers as they stand in a file: plain, with a unit, or as a formula of the parameters under `let`.
#include "input/yaml/number.h"

#include "input/yaml/kept.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "model/formula.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

// ---- formulae of parameters ----

// A formula is not calculated with units. Its dimension shows by trial: if lengths are measured in a unit 1/s times as
// long, every parameter p becomes s^d p, where d is its power of m, and a formula of dimension m^e must become s^e
// times what it was. Where two factors s give the same e for every base unit the formula has this dimension, and it
// must be that of its field. Where they do not, plain numbers in the formula carry dimensions of their own, as in `R +
// 0.1`, which nobody can check; and what is a pure number may stand anywhere, as a plain number may. Angles are pure
// numbers.

const double *formula_parameter(void *owner, const char *text) {
  FormulaParameters *f = owner;
  int found = scope_parameter(f->r, text);
  if (found < 0) return NULL;
  Parameter *p = &f->r->parameter[found];
  p->used = true;
  f->broken = f->broken || !p->good;
  f->crowded = f->crowded || f->names == MOST_PARAMETERS;
  if (f->crowded) return &p->value;
  f->value[f->names] = p->value, f->name[f->names] = p;
  return &f->value[f->names++];
}

// ---- the dimension ----

// The power of one base unit in the formula's dimension; false where there is none.
static bool find_power(Formula *formula, FormulaParameters *f, int base, double at_one, double *power) {
  static const double factor[2] = {1.25, 1.5};
  double found[2];
  bool present = false;
  *power = 0;
  for (int i = 0; i < f->names; i++) present = present || f->name[i]->dimension.power[base] != 0;
  if (!present) return true;
  for (int k = 0; k < 2; k++) {
    double before[MOST_PARAMETERS];
    for (int i = 0; i < f->names; i++) {
      before[i] = f->value[i];
      f->value[i] *= pow(factor[k], f->name[i]->dimension.power[base]);
    }
    found[k] = log(formula_value(formula) / at_one) / log(factor[k]);
    for (int i = 0; i < f->names; i++) f->value[i] = before[i];
  }
  if (!(fabs(found[0] - found[1]) < 1e-9)) return false;
  *power = rint(60 * found[0]) / 60;
  return fabs(*power - found[0]) < 1e-9;
}

// A parameter that is zero stands at 1 in the trials: zero has every dimension.
static bool find_dimension(Formula *formula, FormulaParameters *f, Dimension *out) {
  bool definite = !f->crowded;
  for (int i = 0; i < f->names; i++) {
    definite = definite && f->name[i]->definite;
    if (f->value[i] == 0) f->value[i] = 1;
  }
  double at_one = formula_value(formula);
  for (int b = 0; definite && b < RADIAN; b++) definite = find_power(formula, f, b, at_one, &out->power[b]);
  for (int i = 0; i < f->names; i++) f->value[i] = f->name[i]->value;
  return definite;
}

static void find_value(Formula *formula, FormulaParameters *f, NumberValue *out, bool *finite) {
  out->value = formula_value(formula);
  *finite = isfinite(out->value);
  if (!f->broken && *finite) out->definite = find_dimension(formula, f, &out->dimension);
}

// ---- formulae of readings before ----

typedef struct { // a parameter as it was in the last reading
  const char *name;
  double value;
  Dimension dimension;
  bool definite;
} KeptParameter;

typedef struct {
  Formula *formula;
  FormulaParameters f;
  KeptParameter *parameter;
  bool known; // `value` is that of the parameters as they were
  NumberValue value;
} KeptFormula;

typedef struct {
  Names parameters; // that may be names of parameters
  Names texts;      // of formulae
  KeptFormula **formula;
} KeptFormulae;

static Error DestroyKeptFormulae(void *data) {
  KeptFormulae *all = data;
  for (int i = 0; i < all->texts.count; i++) {
    formula_destroy(&all->formula[i]->formula);
    memory_free(&all->formula[i]);
  }
  memory_free(&all->formula);
  TRY(NamesDestroy(&all->texts));
  TRY(NamesDestroy(&all->parameters));
  return 0;
}
static const KeptKind kept_formulae = {sizeof(KeptFormulae), DestroyKeptFormulae};

Error IsKeptParameter(Reader *r, const char *name, bool *kept) {
  KeptFormulae *all;
  *kept = false;
  if (!r->kept) return 0;
  TRY(FindKept(r->kept, &kept_formulae, &all));
  *kept = names_find(&all->parameters, name);
  return 0;
}

Error KeepParameter(Reader *r, const char *name) {
  KeptFormulae *all;
  const char *copy;
  if (!r->kept) return 0;
  TRY(FindKept(r->kept, &kept_formulae, &all));
  if (all->parameters.count > LIMIT_KEPT_FORMULAE) return 0;
  TRY(StoreText(&r->kept->store, name, strlen(name), &copy));
  return NamesAdd(&all->parameters, copy, 0, (SourceLocation){0, 0, 0});
}

// Lists the parameters of a formula anew, with their values. False: one of them is no more. `same`: all are as they
// were.
static bool find_parameters(Reader *r, KeptFormula *k, bool *same) {
  FormulaParameters *f = &k->f;
  *same = k->known;
  f->r = r, f->broken = false;
  for (int i = 0; i < f->names; i++) {
    const KeptParameter *old = &k->parameter[i];
    const Name *name = names_find(&r->let, old->name);
    if (!name) return false;
    Parameter *p = &r->parameter[name->id];
    f->name[i] = p, f->value[i] = p->value;
    f->broken = f->broken || !p->good;
    *same = *same && p->good && p->definite == old->definite && !memcmp(&p->value, &old->value, sizeof p->value) &&
            !memcmp(&p->dimension, &old->dimension, sizeof p->dimension);
  }
  for (int i = 0; i < f->names; i++) f->name[i]->used = true;
  return true;
}

static Error KeepFormula(Reader *r, const char *text, KeptFormulae *all, KeptFormula **out) {
  InputFile *kept = r->kept;
  FormulaMistake mistake;
  KeptFormula *k;
  *out = NULL;
  TRY(MemoryNew(sizeof *k, &k));
  k->f.r = r;
  TRY(FormulaCreate(text, formula_parameter, &k->f, &k->formula, &mistake));
  if (!k->formula || k->f.crowded) {
    formula_destroy(&k->formula);
    memory_free(&k);
    return 0;
  }
  TRY(StoreAllocate(&kept->store, (size_t)k->f.names * sizeof *k->parameter, &k->parameter));
  for (int i = 0; i < k->f.names; i++)
    TRY(StoreText(&kept->store, k->f.name[i]->name, strlen(k->f.name[i]->name), &k->parameter[i].name));
  TRY(StoreText(&kept->store, text, strlen(text), &text));
  TRY(MemoryResize((size_t)(all->texts.count + 1) * sizeof *all->formula, &all->formula));
  all->formula[all->texts.count] = k;
  TRY(NamesAdd(&all->texts, text, all->texts.count, (SourceLocation){0, 0, 0}));
  *out = k;
  return 0;
}

static void evaluate_kept(KeptFormula *k, bool same, NumberValue *out, bool *finite) {
  *finite = true;
  if (same) *out = k->value;
  else find_value(k->formula, &k->f, out, finite);
  k->known = *finite && !k->f.broken;
  k->value = *out;
  for (int i = 0; i < k->f.names && !same; i++) {
    const Parameter *p = k->f.name[i];
    k->parameter[i].value = p->value, k->parameter[i].dimension = p->dimension, k->parameter[i].definite = p->definite;
  }
}

// Value and dimension. `mistake`: what is wrong with the text, or "". `finite`: there is a value.
static Error EvaluateFormula(Reader *r, const char *text, FormulaParameters *f, NumberValue *out, bool *finite,
                             FormulaMistake *mistake) {
  bool keep = r->kept && !r->scope; // a text means something else in each instance
  KeptFormulae *all = NULL;
  if (keep) TRY(FindKept(r->kept, &kept_formulae, &all));
  const Name *name = keep ? names_find(&all->texts, text) : NULL;
  KeptFormula *k = name ? all->formula[name->id] : NULL;
  Formula *formula;
  bool same = false;
  *mistake = (FormulaMistake){.text = ""};
  *finite = false;
  if (keep && !k && all->texts.count < LIMIT_KEPT_FORMULAE) TRY(KeepFormula(r, text, all, &k));
  if (k && find_parameters(r, k, &same)) {
    evaluate_kept(k, same, out, finite);
    *f = k->f;
    return 0;
  }
  f->r = r, f->names = 0, f->crowded = f->broken = false;
  TRY(FormulaCreate(text, formula_parameter, f, &formula, mistake));
  if (formula) find_value(formula, f, out, finite);
  formula_destroy(&formula);
  return 0;
}

// ---- names of parameters ----

int next_parameter(const Reader *r, const char **text) {
  char name[80];
  for (const char *p = *text; *p;) {
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '.') n++;
    if (n && n < sizeof name && !isdigit((unsigned char)*p)) {
      memcpy(name, p, n), name[n] = 0;
      int found = scope_parameter(r, name);
      *text = p + n;
      if (found >= 0) return found;
    }
    p += n ? n : 1;
  }
  *text = "";
  return -1;
}

// ---- what is wrong with a number ----

SourceLocation locate_piece(const Reader *r, const Tree *t, size_t at, size_t length) {
  SourceLocation p = t->at;
  const DiagnosticFile *f = &r->diagnostics->file[p.file];
  size_t n = strlen(t->text), begin = p.begin;
  if (begin < f->length && strchr("'\"", f->text[begin]) && t->quoted) begin++;
  if (begin + n > f->length || memcmp(f->text + begin, t->text, n)) return p;
  p.begin = begin + (at < n ? at : n), p.end = p.begin + length;
  return p;
}

static size_t word_length(const char *s) {
  size_t n = 0;
  while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '.') n++;
  return n;
}

static Error ReportName(Reader *r, const Tree *t, const FormulaMistake *m) {
  char hint[200];
  size_t length = strlen(m->unknown);
  const char *after = t->text + m->at + length;
  SourceLocation at = locate_piece(r, t, m->at, length);
  if (after[strspn(after, " ")] == '(') {
    Nearest n;
    nearest_begin(&n, m->unknown);
    for (int i = 0; formula_function(i); i++) nearest_try(&n, formula_function(i));
    TRY(ReportError(r, at, "there is no function '%s'%s", m->unknown, nearest_hint(&n, "there are")));
  } else
    TRY(ReportError(r, at, "there is no parameter '%s'%s", m->unknown,
                    did_you_mean(r, &r->let, m->unknown, hint, sizeof hint)));
  return 0;
}

Error ReportFormula(Reader *r, const Tree *t, const FormulaMistake *m) {
  char unit[32];
  if (m->unknown[0]) {
    TRY(ReportName(r, t, m));
    return 0;
  }
  UnitsResult result = UNITS_UNKNOWN;
  size_t length = word_length(t->text + m->at);
  snprintf(unit, sizeof unit, "%.*s", (int)length, t->text + m->at);
  size_t before = m->at; // a unit follows a number
  while (before > 0 && t->text[before - 1] == ' ') before--;
  bool follows = before > 0 && isdigit((unsigned char)t->text[before - 1]);
  if (follows && isalpha((unsigned char)unit[0])) TRY(UnitsCompare(&r->units, unit, "", &result));
  if (result != UNITS_UNKNOWN)
    TRY(ReportError(r, locate_piece(r, t, m->at, length),
                    "a formula cannot contain units: define the number with its unit under 'let'"));
  else TRY(ReportError(r, locate_piece(r, t, m->at, length ? length : 1), "%s", m->text));
  return 0;
}

static Error ReportNoNumber(Reader *r, const char *field, const Tree *t, const char *si) {
  char hint[200] = "", name[200];
  if (t->broken) return 0;
  if (t->kind == TREE_WORD) did_you_mean(r, &r->let, t->text, hint, sizeof hint);
  TRY(ReportError(r, t->at, "'%s' must be a number%s%s, not %s%s", field, *si ? " in " : "", si,
                  tree_name(t, name, sizeof name), hint));
  return 0;
}

static Error ReportDimension(Reader *r, const char *field, const Tree *t, const Dimension *d, const char *si) {
  char found[80], hint[200] = "";
  size_t number = strspn(t->text, "+-.0123456789");
  const char *unit = t->text + number + strspn(t->text + number, " ");
  if (number && isdigit((unsigned char)t->text[number - 1]) && scope_parameter(r, unit) >= 0)
    snprintf(hint, sizeof hint, "; a product is written %.*s*%s", (int)number, t->text, unit);
  dimension_text(d, found, sizeof found);
  TRY(ReportError(r, t->at, "'%s' has the dimension %s, but '%s' is %s%s%s", t->text, found, field,
                  *si ? "in " : "a pure number", si, hint));
  return 0;
}

static Error ReportRevolution(Reader *r, const char *field, const Tree *t, const char *si) {
  if (strstr(si, "rad"))
    TRY(ReportError(r, t->at, "'%s' is a frequency, but '%s' is an angular velocity in %s (60 rpm, not 1 Hz)", t->text,
                    field, si));
  else
    TRY(ReportError(r, t->at, "'%s' is an angular velocity, but '%s' is a frequency in %s (1 Hz, not 60 rpm)", t->text,
                    field, si));
  return 0;
}

static Error ReportUnit(Reader *r, const Tree *t, const char *unit) {
  const char *hint = *unit == ',' ? "; a decimal point is written '.'" : "", *rest = unit;
  if (strpbrk(unit, "+(") || next_parameter(r, &rest) >= 0) hint = "; a formula is written with '*' and without units";
  TRY(ReportError(r, t->at, "'%s': there is no unit '%s'%s", t->text, unit, hint));
  return 0;
}

// ---- reading ----

static const double largest_number = 1e100;

bool is_formula(const Reader *r, const char *text) {
  if (scope_parameter(r, text) >= 0) return true;
  for (const char *p = text; *p; p++) {
    bool sign = *p == '+' || *p == '-';
    if (!strchr("+-*/^()<>=!&|?", *p)) continue;
    if (sign && p == text && !isalpha((unsigned char)p[1]) && p[1] != '(') continue;                      // -5
    if (sign && p - text > 1 && (p[-1] == 'e' || p[-1] == 'E') && strchr("0123456789.", p[-2])) continue; // 1e-5
    return true;
  }
  return false;
}

static bool begins_word(const char *s) { return isalpha((unsigned char)*s) || ((unsigned char)*s & 0x80); }

static Error ReadFormula(Reader *r, const Tree *t, NumberValue *out, bool *good) {
  FormulaMistake mistake;
  FormulaParameters f;
  bool finite;
  *good = false;
  TRY(EvaluateFormula(r, t->text, &f, out, &finite, &mistake));
  if (mistake.text[0]) {
    TRY(ReportFormula(r, t, &mistake));
    return 0;
  }
  if (!f.broken && !finite) TRY(ReportError(r, t->at, "'%s' has no finite value", t->text));
  *good = !f.broken && finite;
  if (f.names == 1 && !strcmp(f.name[0]->name, t->text)) { // it stands alone, and so does its unit
    out->unit = f.name[0]->unit;
    out->dimension = f.name[0]->dimension;
  }
  return 0;
}

Error ReadNumberValue(Reader *r, const char *field, const Tree *t, const char *si, NumberValue *out, bool *good) {
  UnitsResult result = UNITS_NO_NUMBER;
  const char *unit = "";
  *out = (NumberValue){.definite = true};
  *good = false;
  if (t->kind == TREE_WORD) TRY(UnitsReadAny(&r->units, t->text, &out->value, &out->dimension, &unit, &result));
  switch (result) {
  case UNITS_GOOD:
    out->unit = *unit ? unit : NULL;
    *good = true;
    break;
  case UNITS_NO_NUMBER:
  case UNITS_UNKNOWN:
  case UNITS_DIMENSION:
  case UNITS_REVOLUTION:
    if (t->kind == TREE_WORD && !begins_word(unit) && is_formula(r, t->text)) TRY(ReadFormula(r, t, out, good));
    else if (result == UNITS_NO_NUMBER) TRY(ReportNoNumber(r, field, t, si));
    else TRY(ReportUnit(r, t, unit));
    break;
  }
  if (*good && !(fabs(out->value) < largest_number)) { // products of such numbers are infinite
    *good = false;
    TRY(ReportError(r, t->at, "'%s' is too large: numbers are below 1e100", t->text));
  }
  return 0;
}

// May it stand where `si` is wanted? A unit as written says whether revolutions are meant, a formula does not.
static Error CheckDimension(Reader *r, const char *field, const Tree *t, const NumberValue *w, const char *si,
                            bool *good) {
  Dimension wanted;
  UnitsResult result = UNITS_GOOD;
  bool pure = true, same = true;
  for (int b = 0; b < RADIAN; b++) pure = pure && w->dimension.power[b] == 0;
  if (w->unit) TRY(UnitsCompare(&r->units, w->unit, si, &result));
  else if (w->definite && !pure) {
    TRY(UnitsDimension(&r->units, si, &wanted));
    for (int b = 0; b < RADIAN; b++) same = same && w->dimension.power[b] == wanted.power[b];
    if (!same) result = UNITS_DIMENSION;
  }
  *good = result == UNITS_GOOD;
  if (result == UNITS_REVOLUTION) TRY(ReportRevolution(r, field, t, si));
  else if (!*good) TRY(ReportDimension(r, field, t, &w->dimension, si));
  return 0;
}

Error ReadNumber(Reader *r, const char *field, const Tree *t, const char *si, double *out, bool *good) {
  NumberValue w;
  const char *unit;
  UnitsResult result = UNITS_NO_NUMBER;
  if (!strcmp(si, UNIT_ANY)) {
    TRY(ReadNumberValue(r, field, t, "", &w, good));
    if (*good) *out = w.value;
    return 0;
  }
  if (t->kind == TREE_WORD) TRY(UnitsRead(&r->units, t->text, si, out, &unit, &result));
  *good = result == UNITS_GOOD && fabs(*out) < largest_number;
  if (*good) return 0;
  TRY(ReadNumberValue(r, field, t, si, &w, good));
  if (*good) TRY(CheckDimension(r, field, t, &w, si, good));
  if (*good) *out = w.value;
  return 0;
}

Error FindFactor(Reader *r, const Field *field, const Tree *unit, double *factor, bool *good) {
  char text[100];
  const char *rest;
  UnitsResult result;
  snprintf(text, sizeof text, "1 %.90s", unit->text);
  TRY(UnitsRead(&r->units, text, field->unit, factor, &rest, &result));
  *good = result == UNITS_GOOD && *unit->text;
  if (!*good)
    TRY(ReportError(r, unit->at, "'%s' is not a unit of '%s', %s%s", unit->text, field->name,
                    *field->unit ? "in " : "a pure number", field->unit));
  return 0;
}
