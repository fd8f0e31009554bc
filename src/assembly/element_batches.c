// SPDX-License-Identifier: Apache-2.0
// Elements side by side: which share a batch, and where their nodes and blocks lie.
#include "assembly/evaluate.h"
#include "assembly/step_memory.h"

typedef struct { // a batch that is being filled
  const ElementBatch *lanes;
  int shape, count;
  PetscInt element[BATCH_WIDTH];
} OpenBatch;

enum { MOST_OPEN = 64 }; // kinds and shapes at once; elements of more go one by one

// Kind and shape of an element that may stand beside others: of frames.
static bool can_share_batch(const Layout *layout, PetscInt e, const ElementBatch **lanes, int *shape) {
  const ModelElement *el = model_element(layout->model, layout->element[e]);
  *lanes = el->kind->batch;
  if (!*lanes || !(*shape = (*lanes)->shape(el->data))) return false;
  for (PetscInt a = layout->element_node_start[e]; a < layout->element_node_start[e + 1]; a++)
    if (model_node(layout->model, layout->node[layout->element_node[a]])->kind == NODE_POINT) return false;
  return true;
}

PetscErrorCode MatrixFindBatchSlots(const Layout *layout, MatrixSlots *matrix, PetscInt count, const PetscInt *nodes,
                                    int lane, int *slot) {
  int n = 2 * (int)count, from[MAX_LOCAL_BLOCKS], nblock = 0;
  PetscInt blocks[MAX_LOCAL_BLOCKS] = {0};
  PetscFunctionBegin;
  for (int i = 0; i < n * n; i++) slot[BATCH_WIDTH * i + lane] = NO_SLOT;
  for (int i = 0; i < n; i++)
    if (layout->node_block[nodes[i / 2]] >= 0)
      from[nblock] = i, blocks[nblock++] = layout->node_block[nodes[i / 2]] + i % 2;
  PetscCall(MatrixFindSlots(layout, matrix, nblock, blocks));
  const int *found = matrix->slot + matrix->count;
  for (int b = nblock - 1; b >= 0; b--)
    for (int c = nblock - 1; c >= 0 && blocks[b] < layout->nblock_own; c--)
      slot[BATCH_WIDTH * (from[b] * n + from[c]) + lane] = *--found;
  matrix->count = found - matrix->slot;
  PetscFunctionReturn(0);
}

static PetscErrorCode CloseBatch(const Layout *layout, Equations *equations, OpenBatch *o) {
  const void *data[BATCH_WIDTH];
  PetscInt first = layout->element_node_start[o->element[0]],
           nnode = layout->element_node_start[o->element[0] + 1] - first;
  PetscInt pairs = 4 * nnode * nnode;
  Batch *b = &equations->batches.batch[equations->batches.nbatch++];
  PetscFunctionBegin;
  b->lanes = o->lanes;
  for (int l = 0; l < BATCH_WIDTH; l++) b->element[l] = o->element[l < o->count ? l : 0];
  PetscCall(PetscMalloc4(o->lanes->size(o->shape), (char **)&b->packed, BATCH_WIDTH * nnode, &b->node,
                         BATCH_WIDTH * nnode, &b->block, BATCH_WIDTH * pairs, &b->slot));
  for (PetscInt i = 0; i < BATCH_WIDTH * pairs; i++) b->slot[i] = NO_SLOT;
  for (int l = 0; l < BATCH_WIDTH; l++) {
    PetscInt e = b->element[l];
    data[l] = model_element(layout->model, layout->element[e])->data;
    for (PetscInt a = 0; a < nnode; a++) {
      PetscInt node = layout->element_node[layout->element_node_start[e] + a], block = layout->node_block[node];
      b->node[BATCH_WIDTH * a + l] = (int)node;
      b->block[BATCH_WIDTH * a + l] = l < o->count && block < layout->nblock_own ? (int)block : -1;
    }
    if (l < o->count)
      PetscCall(MatrixFindBatchSlots(layout, &equations->matrix, nnode,
                                     layout->element_node + layout->element_node_start[e], l, b->slot));
  }
  o->lanes->pack(data, b->packed);
  o->count = 0;
  PetscFunctionReturn(0);
}

PetscErrorCode EquationsCreateBatches(const Layout *layout, Equations *equations) {
  OpenBatch open[MOST_OPEN];
  int count = 0;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(layout->nelement, &equations->batches.batched, layout->nelement / BATCH_WIDTH + MOST_OPEN,
                         &equations->batches.batch));
  for (PetscInt e = 0; e < layout->nelement; e++) {
    const ElementBatch *lanes;
    int shape, i = 0;
    if (!can_share_batch(layout, e, &lanes, &shape)) continue;
    while (i < count && (open[i].lanes != lanes || open[i].shape != shape)) i++;
    if (i == MOST_OPEN) continue;
    if (i == count) open[count++] = (OpenBatch){.lanes = lanes, .shape = shape};
    open[i].element[open[i].count++] = e, equations->batches.batched[e] = true;
    if (open[i].count == BATCH_WIDTH) PetscCall(CloseBatch(layout, equations, &open[i]));
  }
  for (int i = 0; i < count; i++)
    if (open[i].count > 0) PetscCall(CloseBatch(layout, equations, &open[i]));
  PetscFunctionReturn(0);
}

PetscErrorCode BatchesDestroy(Batches *batches) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < batches->nbatch; i++) {
    Batch *b = &batches->batch[i];
    PetscCall(PetscFree4(b->packed, b->node, b->block, b->slot));
  }
  PetscCall(PetscFree2(batches->batched, batches->batch));
  PetscFunctionReturn(0);
}

PetscErrorCode EquationsEvaluateBatches(const Motion *motion, Equations *equations, double *residual,
                                        PetscBool tangent) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < equations->batches.nbatch; i++) {
    const Batch *b = &equations->batches.batch[i];
    BatchStep step = {.node = b->node,
                      .block = b->block,
                      .slot = b->slot,
                      .xn = motion->state.x,
                      .motion = motion->step.motion,
                      .t = &motion->layout.rule->tableau,
                      .h = motion->step.h,
                      .residual = residual,
                      .tangent = (bool)tangent,
                      .recall = step_element_recall(&motion->step)};
    bool any = false; // undamped elements may stand beside damped ones
    for (int l = 0; l < BATCH_WIDTH; l++)
      any = (step.past[l] = state_past(&motion->state, b->element[l], false)) || any;
    for (int l = 0; l < BATCH_WIDTH && any; l++)
      if (!step.past[l]) step.past[l] = motion->state.zero_increment;
    if (tangent) step.value[0] = equations->matrix.value[0], step.value[1] = equations->matrix.value[1];
    b->lanes->evaluate(b->packed, &step);
  }
  PetscFunctionReturn(0);
}
