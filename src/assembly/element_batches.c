// SPDX-License-Identifier: Apache-2.0
// Elements side by side: which share a batch, and where their nodes and blocks lie.
#include "assembly/system.h"

typedef struct { // a batch that is being filled
  const ElementBatch *lanes;
  int shape, count;
  PetscInt element[BATCH_WIDTH];
} OpenBatch;

enum { MOST_OPEN = 64 }; // kinds and shapes at once; elements of more go one by one

// Kind and shape of an element that may stand beside others: of frames.
static bool can_share_batch(const System *s, PetscInt e, const ElementBatch **lanes, int *shape) {
  const ModelElement *el = model_element(s->layout.model, s->layout.element[e]);
  *lanes = el->kind->batch;
  if (!*lanes || !(*shape = (*lanes)->shape(el->data))) return false;
  for (PetscInt a = s->layout.element_node_start[e]; a < s->layout.element_node_start[e + 1]; a++)
    if (model_node(s->layout.model, s->layout.node[s->layout.element_node[a]])->kind == NODE_POINT) return false;
  return true;
}

PetscErrorCode SystemFindBatchSlots(System *s, PetscInt count, const PetscInt *nodes, int lane, int *slot) {
  int n = 2 * (int)count, from[MAX_LOCAL_BLOCKS], nblock = 0;
  PetscInt blocks[MAX_LOCAL_BLOCKS] = {0};
  PetscFunctionBegin;
  for (int i = 0; i < n * n; i++) slot[BATCH_WIDTH * i + lane] = NO_SLOT;
  for (int i = 0; i < n; i++)
    if (s->layout.node_block[nodes[i / 2]] >= 0)
      from[nblock] = i, blocks[nblock++] = s->layout.node_block[nodes[i / 2]] + i % 2;
  PetscCall(SystemFindSlots(s, nblock, blocks));
  const int *found = s->matrix.slot + s->matrix.count;
  for (int b = nblock - 1; b >= 0; b--)
    for (int c = nblock - 1; c >= 0 && blocks[b] < s->layout.nblock_own; c--)
      slot[BATCH_WIDTH * (from[b] * n + from[c]) + lane] = *--found;
  s->matrix.count = found - s->matrix.slot;
  PetscFunctionReturn(0);
}

static PetscErrorCode CloseBatch(System *s, OpenBatch *o) {
  const void *data[BATCH_WIDTH];
  PetscInt first = s->layout.element_node_start[o->element[0]],
           nnode = s->layout.element_node_start[o->element[0] + 1] - first;
  PetscInt pairs = 4 * nnode * nnode;
  Batch *b = &s->batches.batch[s->batches.nbatch++];
  PetscFunctionBegin;
  b->lanes = o->lanes;
  for (int l = 0; l < BATCH_WIDTH; l++) b->element[l] = o->element[l < o->count ? l : 0];
  PetscCall(PetscMalloc4(o->lanes->size(o->shape), (char **)&b->packed, BATCH_WIDTH * nnode, &b->node,
                         BATCH_WIDTH * nnode, &b->block, BATCH_WIDTH * pairs, &b->slot));
  for (PetscInt i = 0; i < BATCH_WIDTH * pairs; i++) b->slot[i] = NO_SLOT;
  for (int l = 0; l < BATCH_WIDTH; l++) {
    PetscInt e = b->element[l];
    data[l] = model_element(s->layout.model, s->layout.element[e])->data;
    for (PetscInt a = 0; a < nnode; a++) {
      PetscInt node = s->layout.element_node[s->layout.element_node_start[e] + a], block = s->layout.node_block[node];
      b->node[BATCH_WIDTH * a + l] = (int)node;
      b->block[BATCH_WIDTH * a + l] = l < o->count && block < s->layout.nblock_own ? (int)block : -1;
    }
    if (l < o->count)
      PetscCall(SystemFindBatchSlots(s, nnode, s->layout.element_node + s->layout.element_node_start[e], l, b->slot));
  }
  o->lanes->pack(data, b->packed);
  o->count = 0;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCreateBatches(System *s) {
  OpenBatch open[MOST_OPEN];
  int count = 0;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(s->layout.nelement, &s->batches.batched, s->layout.nelement / BATCH_WIDTH + MOST_OPEN,
                         &s->batches.batch));
  for (PetscInt e = 0; e < s->layout.nelement; e++) {
    const ElementBatch *lanes;
    int shape, i = 0;
    if (!can_share_batch(s, e, &lanes, &shape)) continue;
    while (i < count && (open[i].lanes != lanes || open[i].shape != shape)) i++;
    if (i == MOST_OPEN) continue;
    if (i == count) open[count++] = (OpenBatch){.lanes = lanes, .shape = shape};
    open[i].element[open[i].count++] = e, s->batches.batched[e] = true;
    if (open[i].count == BATCH_WIDTH) PetscCall(CloseBatch(s, &open[i]));
  }
  for (int i = 0; i < count; i++)
    if (open[i].count > 0) PetscCall(CloseBatch(s, &open[i]));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemDestroyBatches(System *s) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < s->batches.nbatch; i++) {
    Batch *b = &s->batches.batch[i];
    PetscCall(PetscFree4(b->packed, b->node, b->block, b->slot));
  }
  PetscCall(PetscFree2(s->batches.batched, s->batches.batch));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemEvaluateBatches(System *s, double *residual, PetscBool tangent) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < s->batches.nbatch; i++) {
    const Batch *b = &s->batches.batch[i];
    BatchStep step = {.node = b->node,
                      .block = b->block,
                      .slot = b->slot,
                      .xn = s->state.x,
                      .motion = s->step.motion,
                      .t = &s->rule->tableau,
                      .h = s->step.h,
                      .residual = residual,
                      .tangent = (bool)tangent,
                      .recall = system_element_recall(s)};
    bool any = false; // undamped elements may stand beside damped ones
    for (int l = 0; l < BATCH_WIDTH; l++) any = (step.past[l] = system_past(s, b->element[l], false)) || any;
    for (int l = 0; l < BATCH_WIDTH && any; l++)
      if (!step.past[l]) step.past[l] = s->state.zero_increment;
    if (tangent) step.value[0] = s->matrix.value[0], step.value[1] = s->matrix.value[1];
    b->lanes->evaluate(b->packed, &step);
  }
  PetscFunctionReturn(0);
}
