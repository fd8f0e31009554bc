// SPDX-License-Identifier: Apache-2.0
// A formula may name the columns of all probes that are no formulae, of the formulae above it, and parameters.
#include "input/yaml/probe_formula.h"

#include "input/yaml/number.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "model/formula.h"
#include "quantities/ledger.h"

#include <ctype.h>
#include <string.h>

enum { MOST_COLUMN = 400 };

Error ReadUnit(Reader *r, const Tree *unit, Probe *probe, bool *good) {
  char text[80];
  const char *rest;
  double value;
  UnitsResult result = UNITS_GOOD;
  if (unit) {
    snprintf(text, sizeof text, "1 %s", unit->text);
    TRY(UnitsRead(&r->units, text, "", &value, &rest, &result));
  }
  if (result == UNITS_UNKNOWN) {
    *good = false;
    TRY(ReportError(r, unit->at, "there is no unit '%s'", unit->text));
  }
  const char *name = unit ? unit->text : "1";
  TRY(StoreText(&r->model->store, name, strlen(name), &probe->unit));
  return 0;
}

typedef struct {
  Reader *r;
  int self; // the probe whose formula it is; beyond the last: the formula is of a control block
  Error error;
  SignalSeen seen; // or NULL
  void *seen_by;
} FormulaScope;

static bool is_control(const FormulaScope *s) { return s->self >= s->r->in->probes; }

static bool in_scope(const FormulaScope *s, int probe) {
  return s->r->in->probe[probe].kind != PROBE_FORMULA || probe < s->self;
}

// Lists a parameter that a formula names.
static Error StoreConstant(Reader *r, int parameter) {
  const Parameter *p = &r->parameter[parameter];
  const char *name = r->let.name[parameter].text;
  Input *in = r->in;
  for (int i = 0; i < in->constants; i++)
    if (!strcmp(in->constant[i].name, name)) return 0;
  if (!in->constants) TRY(ModelAllocate(r->model, (size_t)r->let.count * sizeof *in->constant, &in->constant));
  ProbeConstant *c = &in->constant[in->constants++];
  c->value = p->value;
  TRY(StoreText(&r->model->store, name, strlen(name), &c->name));
  return 0;
}

// Whether a name is a column of a probe: `tip.x` of `tip`, `blade.7.x` of `blade.7`. `full`: with the name of the
// instance.
static bool is_column(const FormulaScope *s, const char *name, char *full, size_t size) {
  char head[300];
  if (strlen(name) >= sizeof head) return false;
  for (const char *end = name; *end; end++) {
    if (end[1] && end[1] != '.') continue;
    snprintf(head, sizeof head, "%.*s", (int)(end + 1 - name), name);
    const Name *probe = scope_find(s->r, part_names(s->r, &part_probes), head);
    if (!probe || probe->id == BROKEN || !in_scope(s, probe->id)) continue;
    int length = snprintf(full, size, "%s%s", probe->text, end + 1);
    if (length > 0 && (size_t)length < size && probes_find(s->r->model, 1, &s->r->in->probe[probe->id], full) >= 0)
      return true;
  }
  return false;
}

// A value for a known name; which one does not matter while the formula is only checked.
static const double *find_known_value(void *owner, const char *name) {
  static const double one = 1;
  FormulaScope *s = owner;
  char full[MOST_COLUMN];
  if (!strcmp(name, "time") || ledger_find(name)) return &one;
  if (is_control(s) && !strcmp(name, "t")) return &one;
  const Name *signal = scope_find(s->r, part_names(s->r, &part_control), name);
  if (signal && signal->id != BROKEN && s->seen) s->seen(s->seen_by, signal->id);
  if (signal) return &one;
  if (is_column(s, name, full, sizeof full)) return &one;
  if (is_control(s) && scope_find(s->r, part_names(s->r, &part_functions), name)) return &one;
  int let = scope_parameter(s->r, name);
  if (let < 0) return NULL;
  s->r->parameter[let].used = true;
  if (!s->error) s->error = StoreConstant(s->r, let);
  return &one;
}

// The formula of an instance with names in full: results know no instances.
static Error WriteInFull(const FormulaScope *s, const char *text, const char **out) {
  char full[MOST_COLUMN], name[MOST_COLUMN], *all;
  size_t used = 0, room = (strlen(text) + 1) * (LIMIT_SCOPED_NAME + 2);
  TRY(StoreAllocate(&s->r->store, room, &all));
  while (*text) {
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '.') n++;
    const char *word = text;
    size_t length = n ? n : 1;
    if (n && n < sizeof name && !isdigit((unsigned char)*text)) {
      snprintf(name, sizeof name, "%.*s", (int)n, text);
      const Name *other = scope_find(s->r, part_names(s->r, &part_control), name);
      if (!other && is_column(s, name, full, sizeof full)) word = full, length = strlen(full);
      else {
        int let = scope_parameter(s->r, name);
        if (!other && is_control(s)) other = scope_find(s->r, part_names(s->r, &part_functions), name);
        if (!other && let >= 0) other = &s->r->let.name[let];
        if (other) word = other->text, length = strlen(word);
      }
    }
    if (used + length >= room) break;
    memcpy(all + used, word, length);
    used += length, text += n ? n : 1;
  }
  return StoreText(&s->r->model->store, all, used, out);
}

// Does the word begin with the name, alone or before a '.'?
static bool begins_with_name(const char *word, const char *name) {
  size_t n = strlen(name);
  return !strncmp(word, name, n) && (!word[n] || word[n] == '.');
}

// Names that might have been meant.
typedef struct {
  Reader *r;
  Nearest nearest;
  Error error;
} Guess;

static void try_name(void *self, const char *name) {
  Guess *g = self;
  const char *stored = NULL;
  if (!g->error) g->error = StoreText(&g->r->store, name, strlen(name), &stored);
  if (!g->error) nearest_try(&g->nearest, stored);
}

// A probe that is known, but does not record this.
static Error ReportProbeError(Reader *r, const Probe *p, const char *name, SourceLocation at) {
  const char *rest = name[strlen(p->name)] ? name + strlen(p->name) + 1 : "";
  ProbeColumns c;
  Nearest n;
  for (int i = 0; probe_columns(r->model, p, i, &c); i++)
    if (!strcmp(c.name, rest)) { // a quantity of several columns
      nearest_begin(&n, "");
      for (int k = 0; k < c.width; k++) nearest_try(&n, c.columns[k]);
      TRY(ReportError(r, at, "'%s' has several columns: %s", name, n.all));
      return 0;
    }
  nearest_begin(&n, "");
  for (int i = 0; probe_columns(r->model, p, i, &c); i++) nearest_try(&n, c.name);
  TRY(ReportError(r, at, "nothing is called '%s'; probe '%s' records %s", name, p->name, n.all));
  return 0;
}

// A name that there is not.
static Error ReportUnknownName(Reader *r, const FormulaScope *s, const char *name, SourceLocation at) {
  const Probe *probe = r->in->probe, *group = NULL;
  const Names *probes = part_names(r, &part_probes), *control = part_names(r, &part_control),
              *functions = part_names(r, &part_functions);
  Guess g = {.r = r};
  if (diagnostics_are_full(r->diagnostics)) return ReportError(r, at, "nothing is called '%s'", name);
  for (int i = 0; i < probes->count; i++) // whoever named a broken probe is not to blame
    if (probes->name[i].id == BROKEN && begins_with_name(name, probes->name[i].text)) return 0;
  nearest_begin(&g.nearest, name);
  for (int i = 0; i < r->in->probes; i++) {
    if (in_scope(s, i)) probe_visit(r->model, &probe[i], try_name, &g);
    if (begins_with_name(name, probe[i].name)) group = &probe[i];
  }
  TRY(g.error);
  if (group && !in_scope(s, (int)(group - probe))) {
    TRY(ReportError(r, at,
                    group == &probe[s->self] ? "the formula '%s' refers to itself"
                                             : "the formula '%s' is defined below; move it up",
                    group->name));
    return 0;
  }
  for (int i = 0; i < LEDGER_COLUMNS; i++)
    if (ledger_columns[i].in_formulas) nearest_try(&g.nearest, ledger_columns[i].path);
  nearest_try(&g.nearest, "time");
  for (int i = 0; i < control->count; i++) nearest_try(&g.nearest, control->name[i].text);
  for (int i = 0; is_control(s) && i < functions->count; i++) nearest_try(&g.nearest, functions->name[i].text);
  for (int i = 0; i < r->let.count; i++) nearest_try(&g.nearest, r->let.name[i].text);
  if (!g.nearest.best && group) TRY(ReportProbeError(r, group, name, at));
  if (!g.nearest.best && group) return 0;
  if (!g.nearest.best) {
    nearest_begin(&g.nearest, "");
    for (int i = 0; i < r->in->probes; i++)
      if (in_scope(s, i)) nearest_try(&g.nearest, probe[i].name);
    nearest_try(&g.nearest, "time"), nearest_try(&g.nearest, "ledger");
  }
  TRY(ReportError(r, at, "nothing is called '%s'%s", name, nearest_hint(&g.nearest, "there are")));
  return 0;
}

// The name of a probe that stands in the formula but cannot, because it holds a '-' or a letter beyond ASCII.
static const char *find_unusable_name(Reader *r, const char *text) {
  const Names *probes = part_names(r, &part_probes);
  for (int i = 0; i < probes->count; i++) {
    const char *name = probes->name[i].text;
    bool plain = true;
    for (const char *p = name; *p; p++) plain = plain && *p != '-' && !((unsigned char)*p & 0x80);
    if (!plain && strstr(text, name)) return name;
  }
  return NULL;
}

static Error CheckFormula(Reader *r, int self, const Tree *t, SignalSeen seen, void *seen_by) {
  FormulaScope scope = {r, self, 0, seen, seen_by};
  Formula *f = NULL;
  FormulaMistake m;
  const char *unusable_name = find_unusable_name(r, t->text);
  size_t begin = t->at.begin + t->quoted, end = t->at.end > begin + t->quoted ? t->at.end - t->quoted : t->at.end;
  if (unusable_name) {
    size_t at = begin + (size_t)(strstr(t->text, unusable_name) - t->text);
    TRY(ReportError(r, (SourceLocation){at, at + strlen(unusable_name), t->at.file},
                    "'%s' cannot be used in a formula, where '-' is minus and names consist of letters, digits and "
                    "'_'; give that probe a 'name'",
                    unusable_name));
    return 0;
  }
  TRY(FormulaCreate(t->text, find_known_value, &scope, &f, &m));
  TRY(scope.error);
  formula_destroy(&f);
  if (!m.text[0]) return 0;
  SourceLocation at = {begin + m.at, begin + m.at + (m.unknown[0] ? strlen(m.unknown) : 1), t->at.file};
  if (at.end > end) at = t->at;
  if (m.unknown[0]) TRY(ReportUnknownName(r, &scope, m.unknown, at));
  else TRY(ReportError(r, at, "%s", m.text));
  return 0;
}

Error ReadFormulae(Reader *r, const Tree *const *formula, const Scope *const *scope) {
  int count = 0;
  for (int i = 0; i < r->in->probes; i++)
    if (formula[i] && ++count > LIMIT_FORMULAE)
      return ReportError(r, formula[i]->at, "a model has at most %d formulae", LIMIT_FORMULAE);
  for (int i = 0; i < r->in->probes; i++) {
    if (!formula[i]) continue;
    r->scope = scope[i];
    TRY(WriteInFull(&(FormulaScope){.r = r, .self = i}, formula[i]->text, &r->in->probe[i].formula));
    TRY(CheckFormula(r, i, formula[i], NULL, NULL));
  }
  r->scope = NULL;
  return 0;
}

Error ReadSignalFormula(Reader *r, const Tree *formula, SignalSeen seen, void *seen_by, const char **full) {
  TRY(WriteInFull(&(FormulaScope){.r = r, .self = r->in->probes}, formula->text, full));
  return CheckFormula(r, r->in->probes, formula, seen, seen_by);
}
