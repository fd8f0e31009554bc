// SPDX-License-Identifier: Apache-2.0
#include "model/network.h"

#include <stdio.h>
#include <string.h>

static Error GrowList(LimberModel m, int needed, int *room, size_t each, void *at) {
  void *bigger, **list = at;
  if (needed <= *room) return 0;
  int wanted = 2 * needed + 8;
  TRY(ModelAllocate(m, (size_t)wanted * each, &bigger));
  if (*room) memcpy(bigger, *list, (size_t)*room * each);
  *list = bigger, *room = wanted;
  return 0;
}

static Error AddSignal(LimberModel m, Network *n, const char *name, int block) {
  const LimberSignal start = {0};
  int id;
  int room = n->signal_room, same = room;
  TRY(GrowList(m, n->signals + 1, &same, sizeof *n->signal, &n->signal));
  same = room;
  TRY(GrowList(m, n->signals + 1, &same, sizeof *n->signal_name, &n->signal_name));
  TRY(GrowList(m, n->signals + 1, &n->signal_room, sizeof *n->signal_block, &n->signal_block));
  TRY(ModelAddFunction(m, "signal", name, &start, &id));
  TRY(ModelCopyString(m, name, &n->signal_name[n->signals]));
  n->signal[n->signals] = id, n->signal_block[n->signals++] = block;
  return 0;
}

// Copies the parameters with their texts and lists, which belong to the caller; matrices do not.
static Error CopyParams(LimberModel m, const BlockKind *kind, const void *params, const void **out) {
  char *copy;
  TRY(ModelAllocate(m, kind->fields.size, &copy));
  memcpy(copy, params, kind->fields.size);
  for (int i = 0; i < kind->fields.count; i++) {
    const Field *f = &kind->fields.field[i];
    void *at = copy + f->offset;
    if (f->type == FIELD_TEXT) TRY(ModelCopyString(m, *(const char **)at, at));
    bool number = f->type == FIELD_OPTIONAL_REALS && *(double **)at;
    if (f->type != FIELD_LIST && !number) continue;
    double *list;
    size_t bytes = (size_t)(number ? f->count : *(const int *)copy) * sizeof *list;
    TRY(ModelAllocate(m, bytes, &list));
    if (bytes) memcpy(list, *(double **)at, bytes);
    *(double **)at = list;
  }
  *out = copy;
  return 0;
}

Error NetworkAdd(LimberModel m, Network *n, const BlockKind *kind, const char *name, const BlockUse *use,
                 const char *const *formula, int *index) {
  NetworkBlock b = {.kind = kind, .use = *use, .first = n->signals, .outputs = block_outputs(kind, use)};
  char text[300];
  const Field *period = field_find(&kind->fields, "period");
  TRY(GrowList(m, n->blocks + 1, &n->room, sizeof *n->block, &n->block));
  TRY(CopyParams(m, kind, use->params, &b.use.params));
  TRY(ModelCopyString(m, name, &b.name));
  TRY(ModelAllocate(m, (size_t)use->inputs * sizeof *b.formula, &b.formula));
  for (int i = 0; i < use->inputs; i++) TRY(ModelCopyString(m, formula[i], &b.formula[i]));
  b.period = *(const double *)((const char *)b.use.params + period->offset);
  for (int i = 0; i < b.outputs; i++) {
    snprintf(text, sizeof text, b.outputs > 1 ? "%.200s.%d" : "%.200s", name, i + 1);
    TRY(AddSignal(m, n, text, n->blocks));
  }
  *index = n->blocks;
  n->block[n->blocks++] = b, n->states += block_states(kind, use);
  return 0;
}

// ---- order ----

enum { NEW, UNDER_WAY, DONE };

typedef struct {
  Network *n;
  const int *const *needs;
  char *state;
  int *chain, *next; // blocks being visited, each needs the one after it; the need of each that comes next
  int depth, placed;
} Walk;

// Position of the first block in the loop (the chain from `from`) that can be held, or -1.
static int find_holdable(const Walk *w, int from) {
  for (int i = from; i < w->depth; i++) {
    const NetworkBlock *b = &w->n->block[w->chain[i]];
    if (!block_direct(b->kind, &b->use)) return i;
  }
  return -1;
}

// Places blocks depth-first from one block. A block that becomes held has no needs any more, so the walk leaves it.
static bool place_blocks(Walk *w, int root, int *from) {
  w->depth = 0;
  w->chain[w->depth] = root, w->next[w->depth++] = 0, w->state[root] = UNDER_WAY;
  while (w->depth) {
    int b = w->chain[w->depth - 1], *at = &w->next[w->depth - 1];
    if (w->n->block[b].held || *at >= w->needs[b][0]) {
      w->state[b] = DONE, w->n->order[w->placed++] = b, w->depth--;
      continue;
    }
    int need = w->needs[b][++*at];
    if (w->state[need] == DONE) continue;
    if (w->state[need] == NEW) {
      w->chain[w->depth] = need, w->next[w->depth++] = 0, w->state[need] = UNDER_WAY;
      continue;
    }
    int first = 0;
    while (w->chain[first] != need) first++;
    int held = find_holdable(w, first);
    if (held < 0) return *from = first, false;
    // the held block no longer needs those after it on the chain: they are placed later
    w->n->block[w->chain[held]].held = true;
    while (w->depth > held + 1) w->state[w->chain[--w->depth]] = NEW;
  }
  return true;
}

Error NetworkOrder(LimberModel m, Network *n, const int *const *needs, const int **loop) {
  Walk w = {.n = n, .needs = needs};
  *loop = NULL;
  size_t count = (size_t)n->blocks + 1;
  TRY(ModelAllocate(m, count * sizeof *n->order, &n->order));
  TRY(ModelAllocate(m, count, &w.state));
  TRY(ModelAllocate(m, count * sizeof *w.chain, &w.chain));
  TRY(ModelAllocate(m, count * sizeof *w.next, &w.next));
  for (int i = 0; i < n->blocks; i++) {
    int from = 0;
    if (w.state[i] != NEW || place_blocks(&w, i, &from)) continue;
    w.chain[w.depth] = -1;
    *loop = w.chain + from;
    return 0;
  }
  return 0;
}

const double *model_signal_value(Model m, const char *name) {
  for (int i = 0; i < m->functions.count; i++) {
    const ModelFunction *f = model_function(m, i);
    if (f->kind == &function_signal && f->name && !strcmp(f->name, name))
      return &((const LimberSignal *)f->params)->value;
  }
  return NULL;
}
