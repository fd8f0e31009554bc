// SPDX-License-Identifier: Apache-2.0
// Numbers as they stand in a file: plain, with a unit, or as a formula of the parameters under `let`.
#include "input/yaml/number.h"

#include "input/yaml/lookup.h"
#include "input/yaml/parameter_formula.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "model/formula.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

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

// A piece of a word, where the word stands in the file as it is read.
static SourceLocation locate_piece(const Reader *r, const Tree *t, size_t at, size_t length) {
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

static Error ReportFormula(Reader *r, const Tree *t, const FormulaMistake *m) {
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
                    "no unit can stand in a formula: give the number with its unit a name under 'let'"));
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

// ---- formulae of the time ----

static bool is_sign(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

bool names_time(const Reader *r, const char *text) {
  if (scope_parameter(r, "t") >= 0) return false;
  for (const char *p = text; (p = strchr(p, 't')); p++)
    if ((p == text || !is_sign(p[-1])) && !is_sign(p[1])) return true;
  return false;
}

static const double *find_timed(void *owner, const char *text) {
  static const double start = 0;
  return strcmp(text, "t") ? formula_parameter(owner, text) : &start;
}

Error ReadTimeFormula(Reader *r, const Tree *t, LimberFormula *out, bool *good) {
  FormulaMistake mistake;
  FormulaParameters f = {.r = r};
  LimberParameter *p;
  Formula *formula;
  *good = false;
  TRY(FormulaCreate(t->text, find_timed, &f, &formula, &mistake));
  formula_destroy(&formula);
  if (mistake.text[0]) {
    TRY(ReportFormula(r, t, &mistake));
    return 0;
  }
  if (scope_parameter(r, "t") >= 0)
    TRY(ReportError(r, t->at, "here `t` is the time, but `let` has a parameter `t`: rename it"));
  else if (f.crowded) TRY(ReportError(r, t->at, "a formula names at most %d parameters", MOST_PARAMETERS));
  else *good = !f.broken;
  TRY(StoreAllocate(&r->store, (size_t)f.names * sizeof *p, &p));
  for (int i = 0; i < f.names; i++) p[i] = (LimberParameter){f.name[i]->name, f.name[i]->value};
  *out = (LimberFormula){t->text, p, f.names};
  if (r->timeds == r->timed_room) {
    r->timed_room = r->timed_room ? 2 * r->timed_room : 16;
    TRY(MemoryResize((size_t)r->timed_room * sizeof *r->timed, &r->timed));
    TRY(MemoryResize((size_t)r->timed_room * sizeof *r->timed_scope, &r->timed_scope));
  }
  r->timed_scope[r->timeds] = r->scope;
  r->timed[r->timeds++] = t;
  return 0;
}

typedef struct {
  FormulaParameters parameters; // comes first
  const char *(*name)(int i);
} Named;

static bool is_one_of(const char *(*name)(int i), const char *text) {
  int i = 0;
  while (name(i) && strcmp(name(i), text)) i++;
  return name(i);
}

// A name that the formula may have, next to one that there is not.
static const char *nearest_name(const char *(*name)(int i), const char *text) {
  for (int i = 0; name(i); i++)
    if (field_distance(name(i), text) <= 2) return name(i);
  return NULL;
}

static const double *find_named(void *owner, const char *text) {
  static const double start = 0;
  return is_one_of(((Named *)owner)->name, text) ? &start : formula_parameter(owner, text);
}

Error ReadNamedFormula(Reader *r, const Tree *t, const char *(*name)(int i), LimberFormula *out, bool *good) {
  FormulaMistake mistake;
  Named f = {{.r = r}, name};
  LimberParameter *p;
  Formula *formula;
  *good = false;
  TRY(FormulaCreate(t->text, find_named, &f, &formula, &mistake));
  formula_destroy(&formula);
  if (mistake.text[0]) {
    const char *near = nearest_name(name, mistake.unknown);
    if (near && *mistake.unknown)
      TRY(ReportError(r, locate_piece(r, t, mistake.at, strlen(mistake.unknown)),
                      "nothing is called '%s'; did you mean '%s'?", mistake.unknown, near));
    else if (*mistake.unknown && scope_find(r, part_names(r, &part_joints), mistake.unknown))
      TRY(ReportError(r, locate_piece(r, t, mistake.at, strlen(mistake.unknown)),
                      "'%s' is a joint: here its coordinate has the name of the field, such as `%s`", mistake.unknown,
                      name(0)));
    else TRY(ReportFormula(r, t, &mistake));
    return 0;
  }
  for (int i = 0; name(i); i++)
    if (scope_parameter(r, name(i)) >= 0) {
      TRY(ReportError(r, t->at, "here `%s` is a coordinate, but `let` has a parameter `%s`: rename it", name(i),
                      name(i)));
      return 0;
    }
  if (f.parameters.crowded) TRY(ReportError(r, t->at, "a formula names at most %d parameters", MOST_PARAMETERS));
  else *good = !f.parameters.broken;
  TRY(StoreAllocate(&r->store, (size_t)f.parameters.names * sizeof *p, &p));
  for (int i = 0; i < f.parameters.names; i++)
    p[i] = (LimberParameter){f.parameters.name[i]->name, f.parameters.name[i]->value};
  *out = (LimberFormula){t->text, p, f.parameters.names};
  return 0;
}

typedef struct {
  FormulaParameters parameters; // comes first
  double t;
} Timed;

static const double *find_running(void *owner, const char *text) {
  return strcmp(text, "t") ? formula_parameter(owner, text) : &((Timed *)owner)->t;
}

Error CheckTimeFormulae(Reader *r) {
  enum { TIMES = 1000 };
  for (int i = 0; i < r->timeds; i++) {
    Timed f = {.parameters = {.r = r}};
    FormulaMistake mistake;
    Formula *formula;
    r->scope = r->timed_scope[i];
    TRY(FormulaCreate(r->timed[i]->text, find_running, &f, &formula, &mistake));
    for (int k = 0; formula && k <= TIMES; k++) {
      f.t = r->in->end * k / TIMES;
      if (isfinite(formula_value(formula))) continue;
      TRY(ReportError(r, r->timed[i]->at, "'%s' has no finite value at t = %.6g s", r->timed[i]->text, f.t));
      break;
    }
    formula_destroy(&formula);
  }
  r->scope = NULL;
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
    TRY(ReportError(r, unit->at, "'%s' is no unit of '%s', %s%s", unit->text, field->name,
                    *field->unit ? "in " : "a pure number", field->unit));
  return 0;
}
