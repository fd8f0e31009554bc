// SPDX-License-Identifier: Apache-2.0
// Functions of time: named ones in any order, each read when it is first needed, and what may stand for one.
#include "input/yaml/function.h"

#include "base/functions/function.h"
#include "input/yaml/part.h"
#include "input/yaml/control.h"
#include "input/yaml/number.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "model/formula.h"
#include "model/model.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { NEW, UNDER_WAY, DONE };

typedef struct {
  const Tree *tree;
  const Scope *scope;
} TimeFormula;

typedef struct {       // while a file is read: functions are read when another names them first
  const Tree **entry;  // of each name in `functions`
  const Scope **scope; // of each
  char *state;
  int room;
  int chain[LIMIT_FUNCTION_DEPTH], depth; // from the first name under way to the last, each needs the next
  int nested;                             // functions under way, named or not
  TimeFormula *timed;                     // formulae of the time
  int timeds, timed_room;
} FunctionTexts;

static FunctionTexts *texts_of(const Reader *r) { return part_data(r, &part_functions); }
static Names *names_of(const Reader *r) { return part_names(r, &part_functions); }

// ---- formulae of the time ----

static bool is_sign(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

static bool names_time(const Reader *r, const char *text) {
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
  FunctionTexts *all = texts_of(r);
  TRY(StoreGrow(&r->store, sizeof *all->timed, all->timeds, all->timeds + 1, &all->timed_room, &all->timed));
  all->timed[all->timeds++] = (TimeFormula){t, r->scope};
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
  const FunctionTexts *all = texts_of(r);
  for (int i = 0; i < all->timeds; i++) {
    const Tree *tree = all->timed[i].tree;
    Timed f = {.parameters = {.r = r}};
    FormulaMistake mistake;
    Formula *formula;
    r->scope = all->timed[i].scope;
    TRY(FormulaCreate(tree->text, find_running, &f, &formula, &mistake));
    for (int k = 0; formula && k <= TIMES; k++) {
      f.t = r->in->end * k / TIMES;
      if (isfinite(formula_value(formula))) continue;
      TRY(ReportError(r, tree->at, "'%s' has no finite value at t = %.6g s", tree->text, f.t));
      break;
    }
    formula_destroy(&formula);
  }
  r->scope = NULL;
  return 0;
}

// ---- functions ----

// "a needs b, b needs a"
static Error ReportCycle(Reader *r, const Tree *word, int name) {
  const FunctionTexts *w = texts_of(r);
  char text[600] = "";
  int first = 0;
  while (w->chain[first] != name) first++;
  for (int i = first; i < w->depth; i++) {
    size_t used = strlen(text);
    if (used < sizeof text - 200)
      snprintf(text + used, sizeof text - used, "%s%.80s needs %.80s", used ? ", " : "",
               names_of(r)->name[w->chain[i]].text, names_of(r)->name[i + 1 < w->depth ? w->chain[i + 1] : name].text);
  }
  TRY(ReportError(r, word->at, "the function '%s' refers to itself: %s", names_of(r)->name[name].text, text));
  return 0;
}

static Error ReportDepth(Reader *r, const Tree *where) {
  TRY(ReportError(r, where->at, "functions are nested more than %d deep", LIMIT_FUNCTION_DEPTH));
  return 0;
}

static Error FindOrAddFunction(Reader *r, const Tree *tree, const char *units, const char *own, int *id);

// One more name of a function, by which formulae of control blocks find it.
static Error AddSynonym(Reader *r, const Tree *tree, const char *name, int of) {
  LimberCombination same = {&(LimberFunctionId){of}, 1};
  int id;
  int before = r->model->reasons.count;
  TRY(ModelAddFunction(r->model, "sum", name, &same, &id));
  if (r->model->reasons.count != before) TRY(TakeModelDiagnostics(r, before, NULL, tree->at));
  return 0;
}

// Reads a named function, if it has not been read; `word` is who names it.
static Error ReadNamedFunction(Reader *r, const Tree *word, int name) {
  FunctionTexts *w = texts_of(r);
  const Tree *entry = w->entry[name];
  const char *text = names_of(r)->name[name].text;
  int id = BROKEN;
  if (w->state[name] == DONE) return 0;
  if (w->state[name] == UNDER_WAY) {
    TRY(ReportCycle(r, word, name));
    return 0;
  }
  if (w->nested == LIMIT_FUNCTION_DEPTH) {
    TRY(ReportDepth(r, word));
    return 0;
  }
  const Scope *from = r->scope;
  w->state[name] = UNDER_WAY, w->chain[w->depth++] = name, w->nested++;
  r->scope = w->scope[name];
  if (entry->kind == TREE_MAP || tree_empty(entry)) TRY(ReadUnlisted(r, &part_functions, entry, text, &id));
  else TRY(FindOrAddFunction(r, entry, UNIT_ANY, text, &id));
  const char *known = id >= 0 ? model_function(r->model, id)->name : text;
  if (!known || strcmp(known, text)) TRY(AddSynonym(r, entry, text, id));
  r->scope = from;
  w->state[name] = DONE, w->depth--, w->nested--;
  names_of(r)->name[name].id = id;
  return 0;
}

static Error ListFunctions(Reader *r, const Tree *map) {
  FunctionTexts *w = texts_of(r);
  char name[200];
  if (map->kind != TREE_MAP) {
    TRY(ReportError(r, map->at, "'functions' must be a map of name to function, not %s",
                    tree_name(map, name, sizeof name)));
    return 0;
  }
  int first = names_of(r)->count, need = first + map->count, room[2] = {w->room, w->room};
  TRY(StoreGrow(&r->store, sizeof *w->entry, first, need, &room[0], &w->entry));
  TRY(StoreGrow(&r->store, sizeof *w->scope, first, need, &room[1], &w->scope));
  TRY(StoreGrow(&r->store, 1, first, need, &w->room, &w->state));
  for (int i = 0; i < map->count; i++) {
    const Tree *key = map->key[i];
    const char *full;
    bool good;
    TRY(CheckPartName(r, &part_functions, key->text, key->at, &good));
    if (!good) continue;
    TRY(ScopeName(r, key->text, &full));
    w->entry[names_of(r)->count] = map->entry[i], w->scope[names_of(r)->count] = r->scope;
    TRY(NamesAdd(names_of(r), full, BROKEN, key->at));
  }
  return 0;
}

// Those of instances are listed before; all are read when the names of all are known.
static Error ReadFunctions(Reader *r, const Tree *map, SourceLocation at) {
  (void)at;
  if (map) TRY(ListFunctions(r, map));
  for (int i = 0; i < names_of(r)->count && !r->scope; i++) TRY(ReadNamedFunction(r, texts_of(r)->entry[i], i));
  return 0;
}

// A formula of the time in the place of a function.
static Error AddExpression(Reader *r, const Tree *tree, const char *own, int *id) {
  LimberExpression e = {0};
  bool good;
  TRY(ReadTimeFormula(r, tree, &e.value, &good));
  if (!good) return 0;
  int before = r->model->reasons.count;
  TRY(ModelAddFunction(r->model, "expression", own, &e, id));
  if (r->model->reasons.count == before) return 0;
  *id = BROKEN;
  TRY(TakeModelDiagnostics(r, before, NULL, tree->at));
  return 0;
}

// A quantity with a unit, where a function in SI units stands: what to write.
static Error ReportQuantity(Reader *r, const Tree *word) {
  static const char *const units[] = {"rad", "rad s-1", "m", "m s-1", "N", "N m", NULL};
  const char *rest;
  double value;
  for (int i = 0; units[i]; i++) {
    UnitsResult result;
    TRY(UnitsRead(&r->units, word->text, units[i], &value, &rest, &result));
    if (result == UNITS_GOOD && *word->text)
      return ReportError(r, word->at,
                         "'%s': a pure number or a function is expected here; write %.15g, which is %s in SI units",
                         word->text, value, word->text);
  }
  return ReportError(
      r, word->at, "'%s': a pure number or a function is expected here, such as {expression: 2*sin(3*t)}", word->text);
}

// A number in one of the units "rad|m", in any (UNIT_ANY), or a pure number ("").
static Error ReadQuantity(Reader *r, const Tree *word, const char *units, double *value, bool *good) {
  NumberValue w;
  char one[40];
  UnitsResult result = UNITS_DIMENSION;
  if (!*units || !strcmp(units, UNIT_ANY)) return ReadNumber(r, "value", word, units, value, good);
  TRY(ReadNumberValue(r, "value", word, "", &w, good));
  *value = w.value;
  if (!*good || !w.unit) return 0;
  for (const char *u = units; result != UNITS_GOOD; u = strchr(u, '|') + 1) {
    snprintf(one, sizeof one, "%.*s", (int)strcspn(u, "|"), u);
    TRY(UnitsCompare(&r->units, w.unit, one, &result));
    if (!strchr(u, '|')) break;
  }
  *good = result == UNITS_GOOD;
  if (*good) return 0;
  const char *bar = strchr(units, '|');
  return ReportError(r, word->at, "'%s' is not a number in %.*s%s%s", word->text, (int)strcspn(units, "|"), units,
                     bar ? " or " : "", bar ? bar + 1 : "");
}

// `own`: the name of a function that is made here; NULL: it has none
static Error FindOrAddFunction(Reader *r, const Tree *tree, const char *units, const char *own, int *id) {
  const char *unit;
  LimberConstant constant = {0};
  UnitsResult result = UNITS_NO_NUMBER;
  bool good = false;
  *id = BROKEN;
  if (tree->kind == TREE_MAP) {
    if (texts_of(r)->nested == LIMIT_FUNCTION_DEPTH) {
      TRY(ReportDepth(r, tree));
      return 0;
    }
    texts_of(r)->nested++;
    TRY(ReadUnlisted(r, &part_functions, tree, NULL, id));
    texts_of(r)->nested--;
    return 0;
  }
  const Name *name = tree->kind == TREE_WORD ? scope_find(r, names_of(r), tree->text) : NULL;
  if (name) {
    int i = (int)(name - names_of(r)->name);
    TRY(ReadNamedFunction(r, tree, i));
    *id = names_of(r)->name[i].id;
    return 0;
  }
  int signal = tree->kind == TREE_WORD ? control_signal(r, tree->text) : LIMBER_NONE;
  if (signal != LIMBER_NONE) {
    *id = signal;
    return 0;
  }
  if (tree->kind == TREE_WORD && names_column(tree->text)) return AddAmplitudeFormula(r, tree, id);
  if (tree->kind == TREE_WORD) TRY(UnitsRead(&r->units, tree->text, "", &constant.value, &unit, &result));
  bool formula = tree->kind == TREE_WORD && is_formula(r, tree->text);
  switch (result) {
  case UNITS_GOOD: good = true; break;
  case UNITS_NO_NUMBER:
  case UNITS_UNKNOWN:
    if (tree->kind == TREE_WORD && names_time(r, tree->text)) TRY(AddExpression(r, tree, own, id));
    else if (formula) TRY(ReadQuantity(r, tree, units, &constant.value, &good));
    else if (result == UNITS_NO_NUMBER) TRY(FindPartName(r, &part_functions, tree, id));
    else if (*units) TRY(ReadQuantity(r, tree, units, &constant.value, &good));
    else TRY(ReportQuantity(r, tree));
    break;
  case UNITS_DIMENSION:
  case UNITS_REVOLUTION:
    if (*units) TRY(ReadQuantity(r, tree, units, &constant.value, &good));
    else TRY(ReportQuantity(r, tree));
    break;
  }
  if (good) TRY(ModelAddFunction(r->model, "constant", own, &constant, id));
  return 0;
}

Error FindFunction(Reader *r, const Tree *tree, const char *units, int *id) {
  return FindOrAddFunction(r, tree, units, NULL, id);
}

CATALOGUE_KINDS(function_kind, function_kinds)

const Part part_functions = {.key = "functions",
                             .one = "function",
                             .form = PART_NAMED,
                             .kind = function_kind,
                             .add = ModelAddFunction,
                             .value_allowed = true,
                             .always = true,
                             .scoped = true,
                             .size = sizeof(FunctionTexts),
                             .read = ReadFunctions};
