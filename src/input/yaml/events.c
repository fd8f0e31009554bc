// SPDX-License-Identifier: Apache-2.0
// The part `events`: conditions, and what happens where they are met.
#include "input/yaml/components.h"
#include "input/yaml/form.h"
#include "input/yaml/number.h"
#include "input/yaml/parts.h"
#include "input/yaml/probe_formula.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "mechanics/event.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

// ---- events of probes, which are read later ----

typedef struct EventText EventText;
struct EventText {
  ptrdiff_t event; // in the model
  const Scope *scope;
  const Tree *probe, *value;
  EventText *next;
};

// The last one, as the data of the part.
static EventText **texts_of(const Reader *r) { return part_data(r, &part_events); }

static Error CompleteEvent(Reader *r, const Kind *kind, const char *name, SourceLocation at, const Tree *fields,
                           Form *form, bool *good) {
  const Tree *probe = field_find(kind->fields, "probe") ? tree_find(fields, "probe") : NULL;
  EventText *t, **last = texts_of(r);
  (void)name, (void)at, (void)form;
  if (!*good || !probe) return 0;
  if (strlen(probe->text) > LIMIT_FORMULA) {
    *good = false;
    return ReportError(r, probe->at, "a formula has at most %d characters", LIMIT_FORMULA);
  }
  TRY(StoreAllocate(&r->store, sizeof *t, &t));
  *t = (EventText){r->model->events.count, r->scope, probe, tree_find(fields, "value"), *last};
  *last = t;
  return 0;
}

// The unit of a column, "" where the name is none or its unit is not known.
static const char *unit_of_column(const Reader *r, const char *name) {
  for (int k = 0; k < r->in->probes; k++) {
    const Probe *p = &r->in->probe[k];
    ProbeColumns c;
    int at = probes_find(r->model, 1, p, name);
    for (int i = 0; at >= 0 && probe_columns(r->model, p, i, &c); at -= c.width, i++)
      if (at < c.width) {
        const char *unit = c.units ? c.units[at] : c.unit;
        return unit && strcmp(unit, "1") ? unit : "";
      }
  }
  return "";
}

static Error CheckEvent(Reader *r, const EventText *t) {
  int errors = r->diagnostics->errors;
  const char *full;
  bool good;
  TRY(ReadSignalFormula(r, t->probe, NULL, NULL, &full));
  if (r->diagnostics->errors > errors || t->event >= r->model->events.count) return 0;
  EventCondition *c = &((ModelEvent *)r->model->events.data)[t->event].condition;
  double before = c->threshold;
  const char *unit = unit_of_column(r, full);
  c->formula = full;
  if (*unit) TRY(ReadNumber(r, "value", t->value, unit, &c->threshold, &good));
  c->tolerance *= fmax(1, fabs(c->threshold)) / fmax(1, fabs(before));
  return 0;
}

// Formulae of events, once probes are read, and the units of columns for their values.
static Error CheckEvents(Reader *r) {
  for (const EventText *t = *texts_of(r); t; t = t->next) {
    r->scope = t->scope;
    TRY(CheckEvent(r, t));
  }
  r->scope = NULL;
  return 0;
}

// ---- the part ----

CATALOGUE_KINDS(event_kind, event_kinds)

static Error ReadEvents(Reader *r, const Tree *list, SourceLocation at) {
  (void)at;
  return ReadComponents(r, &part_events, list);
}

const Part part_events = {.key = "events",
                          .one = "event",
                          .form = PART_LIST,
                          .kind = event_kind,
                          .add = ModelAddEvent,
                          .named = true,
                          .scoped = true,
                          .complete = CompleteEvent,
                          .size = sizeof(EventText *),
                          .read = ReadEvents,
                          .check = CheckEvents};
