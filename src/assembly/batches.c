// SPDX-License-Identifier: Apache-2.0
// Elements side by side: which share a batch, and where their nodes and blocks lie.
#include "assembly/system.h"

typedef struct { // a batch that is being filled
  const ElementLanes *lanes;
  int shape, count;
  PetscInt element[LANES];
} Open;

enum { MOST_OPEN = 64 }; // kinds and shapes at once; elements of more go one by one

// Kind and shape of an element that may stand beside others: of frames.
static bool may_share(const System *s, PetscInt e, const ElementLanes **lanes, int *shape) {
  const ModelElement *el = model_element(s->layout.model, s->layout.element[e]);
  *lanes = el->kind->lanes;
  if (!*lanes || !(*shape = (*lanes)->shape(el->data))) return false;
  for (PetscInt a = s->layout.element_node_start[e]; a < s->layout.element_node_start[e + 1]; a++)
    if (model_node(s->layout.model, s->layout.node[s->layout.element_node[a]])->kind == NODE_POINT) return false;
  return true;
}

PetscErrorCode SystemFindLanePlaces(System *s, PetscInt count, const PetscInt *nodes, int lane, int *place) {
  int n = 2 * (int)count, from[MAX_ITEM_BLOCKS], nblock = 0;
  PetscInt blocks[MAX_ITEM_BLOCKS] = {0};
  PetscFunctionBegin;
  for (int i = 0; i < n * n; i++) place[LANES * i + lane] = NO_PLACE;
  for (int i = 0; i < n; i++)
    if (s->layout.node_block[nodes[i / 2]] >= 0)
      from[nblock] = i, blocks[nblock++] = s->layout.node_block[nodes[i / 2]] + i % 2;
  PetscCall(SystemFindPlaces(s, nblock, blocks));
  const int *found = s->matrix.slot + s->matrix.count;
  for (int b = nblock - 1; b >= 0; b--)
    for (int c = nblock - 1; c >= 0 && blocks[b] < s->layout.nblock_own; c--)
      place[LANES * (from[b] * n + from[c]) + lane] = *--found;
  s->matrix.count = found - s->matrix.slot;
  PetscFunctionReturn(0);
}

static PetscErrorCode CloseBatch(System *s, Open *o) {
  const void *data[LANES];
  PetscInt first = s->layout.element_node_start[o->element[0]],
           nnode = s->layout.element_node_start[o->element[0] + 1] - first;
  PetscInt pairs = 4 * nnode * nnode;
  Batch *b = &s->batches.batch[s->batches.nbatch++];
  PetscFunctionBegin;
  b->lanes = o->lanes;
  for (int l = 0; l < LANES; l++) b->element[l] = o->element[l < o->count ? l : 0];
  PetscCall(PetscMalloc4(o->lanes->size(o->shape), (char **)&b->kept, LANES * nnode, &b->node, LANES * nnode, &b->block,
                         LANES * pairs, &b->place));
  for (PetscInt i = 0; i < LANES * pairs; i++) b->place[i] = NO_PLACE;
  for (int l = 0; l < LANES; l++) {
    PetscInt e = b->element[l];
    data[l] = model_element(s->layout.model, s->layout.element[e])->data;
    for (PetscInt a = 0; a < nnode; a++) {
      PetscInt node = s->layout.element_node[s->layout.element_node_start[e] + a], block = s->layout.node_block[node];
      b->node[LANES * a + l] = (int)node;
      b->block[LANES * a + l] = l < o->count && block < s->layout.nblock_own ? (int)block : -1;
    }
    if (l < o->count)
      PetscCall(SystemFindLanePlaces(s, nnode, s->layout.element_node + s->layout.element_node_start[e], l, b->place));
  }
  o->lanes->keep(data, b->kept);
  o->count = 0;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCreateBatches(System *s) {
  Open open[MOST_OPEN];
  int count = 0;
  PetscFunctionBegin;
  PetscCall(
      PetscCalloc2(s->layout.nelement, &s->batches.batched, s->layout.nelement / LANES + MOST_OPEN, &s->batches.batch));
  for (PetscInt e = 0; e < s->layout.nelement; e++) {
    const ElementLanes *lanes;
    int shape, i = 0;
    if (!may_share(s, e, &lanes, &shape)) continue;
    while (i < count && (open[i].lanes != lanes || open[i].shape != shape)) i++;
    if (i == MOST_OPEN) continue;
    if (i == count) open[count++] = (Open){.lanes = lanes, .shape = shape};
    open[i].element[open[i].count++] = e, s->batches.batched[e] = true;
    if (open[i].count == LANES) PetscCall(CloseBatch(s, &open[i]));
  }
  for (int i = 0; i < count; i++)
    if (open[i].count > 0) PetscCall(CloseBatch(s, &open[i]));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemDestroyBatches(System *s) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < s->batches.nbatch; i++) {
    Batch *b = &s->batches.batch[i];
    PetscCall(PetscFree4(b->kept, b->node, b->block, b->place));
  }
  PetscCall(PetscFree2(s->batches.batched, s->batches.batch));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemEvaluateBatches(System *s, double *residual, PetscBool tangent) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < s->batches.nbatch; i++) {
    const Batch *b = &s->batches.batch[i];
    LaneStep step = {.node = b->node,
                     .block = b->block,
                     .place = b->place,
                     .xn = s->state.x,
                     .motion = s->step.motion,
                     .t = &s->rule->tableau,
                     .h = s->step.h,
                     .residual = residual,
                     .tangent = (bool)tangent,
                     .recall = &s->step.recall};
    bool any = false; // undamped elements may stand beside damped ones
    for (int l = 0; l < LANES; l++) any = (step.past[l] = system_past(s, b->element[l], false)) || any;
    for (int l = 0; l < LANES && any; l++)
      if (!step.past[l]) step.past[l] = s->state.no_past;
    if (tangent) step.value[0] = s->matrix.value[0], step.value[1] = s->matrix.value[1];
    b->lanes->evaluate(b->kept, &step);
  }
  PetscFunctionReturn(0);
}
