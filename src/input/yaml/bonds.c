// SPDX-License-Identifier: Apache-2.0
//   ports:
//     - bond: {name: jack, joint: slide, fmu: jack, flow: v, effort: force, tolerance: 1 mJ}
#include "input/yaml/bonds.h"

#include "fmu/read/description.h"
#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "model/network.h"

#include <string.h>

struct BondText { // what a bond names
  ptrdiff_t bond; // in the model
  int block, flow, effort;
  BondText *next;
};

// The last one, as the data of the part.
static BondText **texts_of(const Reader *r) { return part_data(r, &part_ports); }

// The control block of that name, by its first signal.
static Error FindBlock(Reader *r, const char *word, SourceLocation at, int *block) {
  const Names *signals = part_names(r, &part_control);
  char first[300];
  snprintf(first, sizeof first, "%.200s.1", word);
  const Name *name = scope_find(r, signals, word);
  if (!name) name = scope_find(r, signals, first);
  *block = name && name->id != BROKEN ? r->in->network.signal_block[name->id] : LIMBER_NONE;
  if (name && name->id == BROKEN) return 0;
  if (*block == LIMBER_NONE) return ReportError(r, at, "there is no control block '%s'", word);
  if (r->in->network.block[*block].use.unit) return 0;
  *block = LIMBER_NONE;
  return ReportError(r, at, "the control block '%s' is no `fmu`", word);
}

// Which of the variables has that name; -1: none.
static int find_channel(const FmuChannel *c, int count, const char *word) {
  for (int i = 0; i < count; i++)
    if (!strcmp(c[i].variable->name, word)) return i;
  return -1;
}

static Error FindChannel(Reader *r, const char *what, const FmuChannel *c, int count, const char *word,
                         SourceLocation at, const char *block, int *out) {
  Nearest n;
  *out = find_channel(c, count, word);
  if (*out >= 0) return 0;
  nearest_begin(&n, word);
  for (int i = 0; i < count; i++) nearest_try(&n, c[i].variable->name);
  return ReportError(r, at, "the control block '%s' has no '%s' among its `%s`%s", block, word, what,
                     nearest_hint(&n, "they are"));
}

static bool is_taken(const Reader *r, const BondText *one) {
  for (const BondText *t = *texts_of(r); t; t = t->next)
    if (t->block == one->block && (t->flow == one->flow || t->effort == one->effort)) return true;
  return false;
}

Error CompletePort(Reader *r, const Kind *kind, const char *name, SourceLocation at, const Tree *fields, Form *form,
                   bool *good) {
  const LimberBond *p = form->out;
  int errors = r->diagnostics->errors;
  BondText one = {.bond = r->model->bonds.count, .next = *texts_of(r)}, *t;
  (void)name, (void)at;
  if (!*good || strcmp(kind->name, load_bond.name)) return 0;
  *good = false;
  TRY(FindBlock(r, p->fmu, tree_find(fields, "fmu")->at, &one.block));
  if (one.block == LIMBER_NONE) return 0;
  const NetworkBlock *b = &r->in->network.block[one.block];
  const FmuUse *u = b->use.unit->use;
  TRY(FindChannel(r, "inputs", u->input, u->inputs, p->flow, tree_find(fields, "flow")->at, p->fmu, &one.flow));
  TRY(FindChannel(r, "outputs", u->output, u->outputs, p->effort, tree_find(fields, "effort")->at, p->fmu,
                  &one.effort));
  if (r->diagnostics->errors > errors) return 0;
  if (is_taken(r, &one))
    return ReportError(r, tree_find(fields, "flow")->at, "another bond has the same `flow` or `effort` of '%s'",
                       p->fmu);
  if (b->period > 0)
    return ReportError(r, tree_find(fields, "fmu")->at,
                       "the control block '%s' takes its steps with the model: leave out its `period`", p->fmu);
  ((BlockUnit *)b->use.unit)->bonded = true;
  TRY(StoreAllocate(&r->store, sizeof *t, &t));
  *t = one, *texts_of(r) = t, *good = true;
  return 0;
}

Error FinishPorts(Reader *r) {
  for (const BondText *t = *texts_of(r); t; t = t->next) {
    ModelBond *b = &((ModelBond *)r->model->bonds.data)[t->bond];
    b->block = t->block, b->flow = t->flow, b->effort = t->effort;
  }
  return 0;
}
