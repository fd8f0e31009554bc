// SPDX-License-Identifier: Apache-2.0
// A plan beside its model: what varies must be there, and so must the channels.
#include "input/input.h"
#include "input/yaml/names.h"
#include "input/yaml/reader.h"
#include "input/yaml/units.h"
#include "quantities/ledger.h"
#include "study/plan/plan.h"

#include <stdio.h>
#include <string.h>

// ---- what varies ----

// Parameters of the model's own files.
static Error SuggestParameter(const Input *in, const char *word, Nearest *n, Store *store) {
  nearest_begin(n, word);
  for (int i = 0; i < in->sources; i++) {
    Diagnostics ignored = {0};
    TreeCount count = {0};
    Tree *root;
    int file;
    TRY(DiagnosticsAddFile(&ignored, "", in->source[i].text, in->source[i].length, &file));
    TRY(TreeRead(store, &ignored, (SourceLocation){0, in->source[i].length, 0}, &count, &root));
    const Tree *let = root ? tree_find(root, "let") : NULL;
    for (int k = 0; let && let->kind == TREE_MAP && k < let->count; k++) nearest_try(n, let->key[k]->text);
    TRY(DiagnosticsDestroy(&ignored));
  }
  return 0;
}

// A parameter that nothing uses is none of the model: the change has made it.
static Error ReportVariable(const Plan *p, const PlanVariable *v, const Input *in, const Diagnostic *found,
                            Diagnostics *d) {
  Nearest n;
  Store store = {0};
  if (found->level != DIAGNOSTIC_UNUSED) {
    TRY(DiagnosticsAdd(d, found->level, v->at, "'%s' in '%s': %s", v->path, p->model, found->text));
    return 0;
  }
  TRY(SuggestParameter(in, v->path + 4, &n, &store));
  TRY(DiagnosticsAdd(d, DIAGNOSTIC_ERROR, v->at, "'%s' has no parameter '%s'%s", p->model, v->path + 4,
                     n.all[0] ? nearest_hint(&n, "it has") : ""));
  TRY(StoreDestroy(&store));
  return 0;
}

Error PlanCheckChanges(const Plan *p, const Input *in, char *wrong, size_t size) {
  *wrong = 0;
  for (int i = 0; i < in->diagnostics.count && !*wrong; i++) {
    const Diagnostic *found = &in->diagnostics.diagnostic[i];
    int change = diagnostics_change_at(&in->diagnostics, found->at);
    if (found->level != DIAGNOSTIC_UNUSED || change < 0 || change >= in->changes - p->variables) continue;
    char name[200];
    Nearest n;
    Store store = {0};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(in->change[change] + 4, "="), in->change[change] + 4);
    TRY(SuggestParameter(in, name, &n, &store));
    snprintf(wrong, size, "--set %s: nothing in '%s' uses the parameter '%s'%s", in->change[change], p->model, name,
             n.all[0] ? nearest_hint(&n, "it has") : "");
    TRY(StoreDestroy(&store));
  }
  return 0;
}

// What the reader says of the changes that the plan has made, the last of them.
static Error CheckVariables(const Plan *p, const Input *in, Diagnostics *d) {
  for (int i = 0; i < in->diagnostics.count; i++) {
    const Diagnostic *found = &in->diagnostics.diagnostic[i];
    int change = diagnostics_change_at(&in->diagnostics, found->at), k = change - (in->changes - p->variables);
    if (change >= 0 && k >= 0 && k < p->variables) TRY(ReportVariable(p, &p->variable[k], in, found, d));
  }
  return 0;
}

// ---- channels ----

typedef struct {
  Nearest nearest;
  Store store; // of the names
  Error error;
} Suggestion;

static void try_name(void *self, const char *name) {
  Suggestion *s = self;
  const char *copy;
  if (!s->error) s->error = StoreText(&s->store, name, strlen(name), &copy);
  if (!s->error) nearest_try(&s->nearest, copy);
}

// The unit of a column of a probe: probe and quantity by its number in the row.
static const char *unit_of_column(const Input *in, int column) {
  static const char *const none = "";
  for (int i = 0; i < in->probes; i++) {
    ProbeColumns c;
    int width = probe_width(in->model, &in->probe[i]);
    if (column >= width) {
      column -= width;
      continue;
    }
    for (int q = 0; probe_columns(in->model, &in->probe[i], q, &c); column -= c.width, q++)
      if (column < c.width) return c.units ? c.units[column] : c.unit;
  }
  return none;
}

Error PlanReportColumn(const Plan *p, const char *column, SourceLocation at, const Input *in, Diagnostics *d) {
  Suggestion s = {.error = 0};
  nearest_begin(&s.nearest, column);
  for (int i = 0; i < in->probes; i++) probe_visit(in->model, &in->probe[i], try_name, &s);
  for (int i = 0; i < LEDGER_COLUMNS; i++)
    if (ledger_columns[i].in_formulas) try_name(&s, ledger_columns[i].path);
  TRY(s.error);
  TRY(DiagnosticsAdd(d, DIAGNOSTIC_ERROR, at, "'%s' has no column '%s'%s%s", p->model, column,
                     nearest_hint(&s.nearest, "it has"), in->probes ? "" : "; it has no probes"));
  TRY(StoreDestroy(&s.store));
  return 0;
}

static Error CheckUnit(Units **units, const PlanChannel *c, const char *written, const char *unit, const char *what,
                       Diagnostics *d) {
  UnitsResult result;
  if (!*written) return 0;
  TRY(UnitsCompare(units, written, unit, &result));
  if (result != UNITS_GOOD)
    TRY(DiagnosticsAdd(d, DIAGNOSTIC_ERROR, c->at, "'%s' of '%s' is in %s, but the column is %s%s", what, c->column,
                       written, *unit ? "in " : "a pure number", unit));
  return 0;
}

// The probe of that name that records more than one column, or NULL.
static const Probe *probe_of(const Input *in, const char *name) {
  for (int i = 0; i < in->probes; i++)
    if (!strcmp(in->probe[i].name, name)) return &in->probe[i];
  return NULL;
}

typedef struct {
  Plan *plan;
  PlanChannel like; // which channels are to be
  Model model;
  PlanChannel *channel;
  int channels, room;
} Channels;

static Error AppendChannel(Channels *all, const PlanChannel *c) {
  if (all->channels > LIMIT_CHANNELS) return 0; // which is reported at the end
  if (all->channels == all->room) {
    all->room = all->room ? 2 * all->room : 16;
    TRY(MemoryResize((size_t)all->room * sizeof *all->channel, &all->channel));
  }
  all->channel[all->channels++] = *c;
  return 0;
}

// All columns of a probe, under their full names.
static Error AppendProbe(Channels *all, const Probe *p) {
  ProbeColumns q;
  for (int i = 0; probe_columns(all->model, p, i, &q); i++)
    for (int k = 0; k < q.width; k++) {
      char text[400];
      PlanChannel c = all->like;
      if (p->kind == PROBE_FORMULA) snprintf(text, sizeof text, "%s", p->name);
      else
        snprintf(text, sizeof text, "%s.%s%s%s", p->name, q.name, q.columns ? "." : "", q.columns ? q.columns[k] : "");
      TRY(StoreText(&all->plan->store, text, strlen(text), &c.column));
      TRY(AppendChannel(all, &c));
    }
  return 0;
}

// The channel that says which runs are worst, where `summary` does not name the channels.
static Error FindWorst(const Plan *p, const Channels *all, const Input *in, Diagnostics *d, int *worst) {
  int column = probes_find(in->model, in->probes, in->probe, p->worst_of);
  *worst = 0;
  for (int i = 0; i < all->channels; i++)
    if (column >= 0 && probes_find(in->model, in->probes, in->probe, all->channel[i].column) == column) {
      *worst = i;
      return 0;
    }
  TRY(PlanReportColumn(p, p->worst_of, p->worst_at, in, d));
  return 0;
}

static Error CheckChannels(Plan *p, const Input *in, Units **units, Diagnostics *d) {
  Channels all = {.plan = p, .model = in->model};
  int worst = -1;
  for (int i = 0; i < p->channels; i++) {
    const PlanChannel *c = &p->channel[i];
    int column = probes_find(in->model, in->probes, in->probe, c->column);
    const Probe *probe = column < 0 ? probe_of(in, c->column) : NULL;
    const char *unit = column < 0 ? "" : unit_of_column(in, column);
    if (i == p->worst_channel) worst = all.channels;
    if (column < 0 && ledger_find(c->column)) unit = NULL;
    else if (column < 0 && !probe) {
      TRY(PlanReportColumn(p, c->column, c->at, in, d));
      continue;
    }
    for (int k = 0; k < c->summary.levels && !probe && unit; k++)
      TRY(CheckUnit(units, c, c->level_unit[k], unit, "up_crossings", d));
    if (!probe && unit) TRY(CheckUnit(units, c, c->ultimate_unit, unit, "ultimate", d));
    all.like = *c;
    if (probe) TRY(AppendProbe(&all, probe));
    else TRY(AppendChannel(&all, c));
  }
  if (!p->channels) {
    all.like = (PlanChannel){.factor = 1, .summary = {.extremes = true, .mean = true, .deviation = true}};
    for (int i = 0; i < in->probes; i++) TRY(AppendProbe(&all, &in->probe[i]));
    if (p->worst_of) TRY(FindWorst(p, &all, in, d, &worst));
  }
  if (all.channels > LIMIT_CHANNELS)
    TRY(DiagnosticsAdd(d, DIAGNOSTIC_ERROR, (SourceLocation){0, 0, 0},
                       "the study has more than %d channels: name them in 'summary'", LIMIT_CHANNELS));
  TRY(StoreAllocate(&p->store, (size_t)all.channels * sizeof *p->channel, &p->channel));
  if (all.channels) memcpy(p->channel, all.channel, (size_t)all.channels * sizeof *p->channel);
  p->channels = all.channels, p->worst_channel = worst < 0 ? 0 : worst;
  memory_free(&all.channel);
  return 0;
}

Error PlanCheckModel(Plan *p, const Input *in, Diagnostics *d) {
  Units *units = NULL;
  TRY(CheckVariables(p, in, d));
  p->accuracy = in->accuracy > 0;
  if (p->error_bars && in->options.control.on)
    TRY(DiagnosticsAdd(d, DIAGNOSTIC_ERROR, (SourceLocation){0, 0, 0},
                       "'error_bars' compares runs with different steps, and '%s' has `run: {control: ...}`, which "
                       "chooses its steps: leave out one of the two",
                       p->model));
  if (!in->diagnostics.errors) TRY(CheckChannels(p, in, &units, d));
  TRY(UnitsDestroy(&units));
  return 0;
}
