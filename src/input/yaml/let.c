// SPDX-License-Identifier: Apache-2.0
// The parameters under `let`: each a number, a number with a unit, or a formula of others, in any order.

#include "input/yaml/number.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "model/formula.h"

#include <ctype.h>
#include <string.h>

// ---- names ----

static bool is_parameter(const char *s) {
  if (!isalpha((unsigned char)*s) && *s != '_') return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_') return false;
  return true;
}

// Does the name mean something in every formula? Then it is a function, or a formula of it alone lacks no name.
static Error IsTaken(Reader *r, const char *name, bool *taken) {
  FormulaMistake mistake;
  Formula *f;
  *taken = true;
  for (int i = 0; formula_function(i); i++)
    if (!strcmp(formula_function(i), name)) return 0;
  bool kept;
  TRY(IsKeptParameter(r, name, &kept));
  *taken = !kept;
  if (kept) return 0;
  TRY(FormulaCreate(name, NULL, NULL, &f, &mistake));
  formula_destroy(&f);
  *taken = strcmp(mistake.unknown, name) != 0;
  if (!*taken) TRY(KeepParameter(r, name));
  return 0;
}

static Error CheckParameter(Reader *r, const Tree *key, bool *good) {
  bool taken = false;
  *good = is_parameter(key->text);
  if (!*good) {
    TRY(ReportError(
        r, key->at,
        "'%s' is not a valid name of a parameter: it must begin with a letter, followed by letters, digits and '_'",
        key->text));
    return 0;
  }
  TRY(IsTaken(r, key->text, &taken));
  if (taken) TRY(ReportError(r, key->at, "'%s' is reserved: it has a meaning in every formula", key->text));
  *good = !taken;
  if (*good) TRY(CheckName(r, "parameter", &r->let, key->text, key->at, good));
  return 0;
}

// ---- values ----

typedef struct {
  int parameter;
  const char *rest; // of its text: what has not been looked at
} ParameterVisit;

typedef struct {
  ParameterVisit *visit; // from the first parameter to the one under way, each needs the next
  int depth;
  char *state; // of each parameter
} Walk;

enum { NEW, UNDER_WAY, DONE };

static Error EvaluateParameter(Reader *r, Parameter *p) {
  char what[100];
  NumberValue w;
  snprintf(what, sizeof what, "%.90s", p->name);
  r->scope = p->scope;
  TRY(ReadNumberValue(r, what, p->tree, "", &w, &p->good));
  if (!p->good) return 0;
  p->value = w.value;
  p->dimension = w.dimension, p->definite = w.definite;
  if (w.unit) TRY(StoreText(&r->store, w.unit, strlen(w.unit), &p->unit));
  return 0;
}

// "a needs b, b needs a"
static Error ReportCycle(Reader *r, const Walk *w, int from) {
  char text[600] = "";
  int first = w->depth - 1;
  while (w->visit[first].parameter != from) first--;
  for (int i = first; i < w->depth; i++) {
    Parameter *p = &r->parameter[w->visit[i].parameter];
    int needed = i + 1 < w->depth ? w->visit[i + 1].parameter : from;
    size_t used = strlen(text);
    p->good = false;
    if (used < sizeof text - 200)
      snprintf(text + used, sizeof text - used, "%s%.80s needs %.80s", used ? ", " : "", p->name,
               r->parameter[needed].name);
  }
  TRY(ReportError(r, r->parameter[from].tree->at, "'%s' is defined by itself: %s", r->parameter[from].name, text));
  return 0;
}

// What a number with a unit names is no parameter: `m: 5 m`.
static Error BeginParameter(Reader *r, Walk *w, int i) {
  const char *text = r->parameter[i].good ? r->parameter[i].tree->text : "", *unit;
  Dimension dimension;
  UnitsResult result;
  double value;
  TRY(UnitsReadAny(&r->units, text, &value, &dimension, &unit, &result));
  bool simple = result == UNITS_GOOD || strlen(text) > LIMIT_FORMULA; // or too long, which is told where it is read
  w->visit[w->depth++] = (ParameterVisit){i, simple ? "" : text};
  w->state[i] = UNDER_WAY;
  return 0;
}

// Evaluates a parameter after all that it needs.
static Error EvaluateInOrder(Reader *r, Walk *w, int first) {
  TRY(BeginParameter(r, w, first));
  while (w->depth) {
    ParameterVisit *top = &w->visit[w->depth - 1];
    Parameter *p = &r->parameter[top->parameter];
    r->scope = p->scope;
    int next = p->good ? next_parameter(r, &top->rest) : -1; // of one that is wrong nothing more is wanted
    if (next < 0) {
      if (p->good) TRY(EvaluateParameter(r, p));
      w->state[top->parameter] = DONE, w->depth--;
    } else if (w->state[next] == UNDER_WAY) TRY(ReportCycle(r, w, next));
    else if (w->state[next] == NEW) TRY(BeginParameter(r, w, next));
  }
  return 0;
}

// Lists a parameter; its value is read in the scope `in`.
static Error AddParameter(Reader *r, const Tree *key, const Tree *entry, const Scope *in) {
  char name[200];
  const char *full;
  bool good;
  TRY(CheckParameter(r, key, &good));
  if (!good) return 0;
  TRY(ScopeName(r, key->text, &full));
  Parameter *p = &r->parameter[r->let.count];
  *p = (Parameter){.name = key->text, .scope = in, .key = key, .tree = entry, .good = true};
  if (entry->kind != TREE_WORD || tree_empty(entry)) {
    p->good = false;
    if (!entry->broken)
      TRY(ReportError(r, entry->at, "'%s' must be a number, a number with a unit or a formula, not %s", key->text,
                      tree_name(entry, name, sizeof name)));
  }
  return NamesAdd(&r->let, full, r->let.count, key->at);
}

static Error AddParameters(Reader *r, const Tree *map) {
  char name[200];
  if (map->kind != TREE_MAP)
    return ReportError(r, map->at, "'let' must be a map of name to number, not %s", tree_name(map, name, sizeof name));
  for (int i = 0; i < map->count; i++) TRY(AddParameter(r, map->key[i], map->entry[i], r->scope));
  return 0;
}

// ---- parameters of instances ----

static const Tree *map_of(const Tree *of, const char *key) {
  const Tree *map = of && of->kind == TREE_MAP ? tree_find(of, key) : NULL;
  return map && map->kind == TREE_MAP ? map : NULL;
}

static Error ReportUnknownParameters(Reader *r, const Scope *s, const Tree *known, const Tree *given) {
  for (int i = 0; given && i < given->count; i++) {
    Nearest n;
    if (known && tree_find(known, given->key[i]->text)) continue;
    nearest_begin(&n, given->key[i]->text);
    for (int k = 0; known && k < known->count; k++) nearest_try(&n, known->key[k]->text);
    TRY(ReportError(r, given->key[i]->at, "part '%s' has no parameter '%s'%s", s->part, given->key[i]->text,
                    known && known->count ? nearest_hint(&n, "it has") : ""));
  }
  return 0;
}

// The values that the instance gives are those of the scope around it.
static Error AddInstanceParameters(Reader *r, const Scope *s) {
  const Tree *known = map_of(s->tree, "parameters"), *given = map_of(s->entry, "parameters");
  r->scope = s->parent;
  TRY(ReportUnknownParameters(r, s, known, given));
  for (int i = 0; known && i < known->count; i++) {
    const Tree *value = given ? tree_find(given, known->key[i]->text) : NULL;
    r->scope = s->parent;
    if (!value && tree_empty(known->entry[i]))
      TRY(ReportError(r, s->key->at, "the instance '%s' must set the parameter '%s' of part '%s'", s->key->text,
                      known->key[i]->text, s->part));
    r->scope = s;
    if (value || !tree_empty(known->entry[i]))
      TRY(AddParameter(r, known->key[i], value ? value : known->entry[i], value ? s->parent : s));
  }
  const Tree *let = tree_find(s->tree, "let");
  if (let) TRY(AddParameters(r, let));
  return 0;
}

static bool is_word(const char *s) {
  if (!isalpha((unsigned char)*s) && *s != '_') return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && !strchr("_-#.", *s)) return false;
  return true;
}

// A parameter of a part that is no number and no formula stands for a name.
static void find_words(Reader *r, const Scope *s) {
  const Tree *known = map_of(s->tree, "parameters");
  for (int i = 0; known && i < known->count; i++) {
    r->scope = s;
    const Name *found = NULL;
    const char *full;
    if (ScopeName(r, known->key[i]->text, &full)) continue;
    found = names_find(&r->let, full);
    Parameter *p = found ? &r->parameter[found->id] : NULL;
    if (!p || !p->good) continue;
    r->scope = p->scope;
    p->word = is_word(p->tree->text) && scope_parameter(r, p->tree->text) < 0;
  }
}

// Lists the parameters of the model itself that are numbers: those that a program may set.
static Error ListParameters(Reader *r) {
  Input *in = r->in;
  if (!r->let.count) return 0;
  TRY(ModelAllocate(r->model, (size_t)r->let.count * sizeof *in->parameter, &in->parameter));
  for (int i = 0; i < r->let.count; i++) {
    const Parameter *p = &r->parameter[i];
    const char *unit;
    char text[200] = "", *kept[2];
    Dimension dimension;
    UnitsResult result = UNITS_NO_NUMBER;
    double value;
    if (p->scope || strchr(r->let.name[i].text, '.') || !p->good || p->word) continue;
    TRY(UnitsReadAny(&r->units, p->tree->text, &value, &dimension, &unit, &result));
    if (result != UNITS_GOOD) continue;
    dimension_text(&dimension, text, sizeof text);
    if (!strcmp(text, "1")) text[0] = 0;
    TRY(ModelAllocate(r->model, strlen(p->name) + 1, &kept[0]));
    TRY(ModelAllocate(r->model, strlen(text) + 1, &kept[1]));
    in->parameter[in->parameters++] = (InputParameter){strcpy(kept[0], p->name), value, strcpy(kept[1], text)};
  }
  return 0;
}

Error ReadLet(Reader *r, const Tree *map) {
  long long count = map ? map->count : 0;
  Walk w = {0};
  for (int i = 0; i < r->scope_count; i++) {
    const Tree *parameters = map_of(r->scopes[i]->tree, "parameters"), *let = map_of(r->scopes[i]->tree, "let");
    count += (parameters ? parameters->count : 0) + (let ? let->count : 0);
  }
  TRY(StoreAllocate(&r->store, (size_t)count * sizeof *r->parameter, &r->parameter));
  if (map) TRY(AddParameters(r, map));
  for (int i = 0; i < r->scope_count; i++) TRY(AddInstanceParameters(r, r->scopes[i]));
  for (int i = 0; i < r->scope_count; i++) find_words(r, r->scopes[i]);
  TRY(StoreAllocate(&r->store, (size_t)r->let.count * sizeof *w.visit, &w.visit));
  TRY(StoreAllocate(&r->store, (size_t)r->let.count * sizeof *w.state, &w.state));
  for (int i = 0; i < r->let.count; i++)
    if (w.state[i] == NEW && !r->parameter[i].word) TRY(EvaluateInOrder(r, &w, i));
  r->scope = NULL;
  TRY(ListParameters(r));
  return 0;
}

// An included file may well define more than one model needs, and a change may have taken the place of what used it.
Error WarnAboutUnusedParameters(Reader *r) {
  for (int i = 0; i < r->let.count; i++) {
    const Parameter *p = &r->parameter[i];
    bool own = !strchr(r->let.name[i].text, '.'); // not of an instance, which need not use all that its part has
    if (own && !p->used && p->key->at.file == r->changes)
      TRY(DiagnosticsAdd(r->diagnostics, DIAGNOSTIC_UNUSED, p->key->at, "nothing uses the parameter '%s'", p->name));
  }
  return 0;
}
