// SPDX-License-Identifier: Apache-2.0
// Joints side by side: which share a batch, and where their nodes, multipliers and blocks lie.
#include "assembly/evaluate.h"
#include "mechanics/batch.h"

struct JointBatch {
  PackedJoint packed;
  int filled;                  // lanes
  PetscInt joint[BATCH_WIDTH]; // local; a lane that is not filled has the first
  int node[JOINT_BATCH_NODES * BATCH_WIDTH], block[JOINT_BATCH_NODES * BATCH_WIDTH];
  int from[BATCH_WIDTH], own[BATCH_WIDTH], slot[JOINT_BATCH_BLOCKS * JOINT_BATCH_BLOCKS * BATCH_WIDTH];
};

typedef struct { // a batch that is being filled
  int count;
  PetscInt joint[BATCH_WIDTH];
} OpenBatch;

enum { MOST_OPEN = 16 }; // kinds at once; joints of more go one by one

static bool can_share_batch(const Layout *layout, PetscInt j) {
  const ModelJoint *m = model_joint(layout->model, layout->joint[j]);
  NodeKind kind[MAX_LOCAL_NODES];
  if (layout->rule->tableau.s > 1 || layout->rule->projects_velocities) return false;
  for (int a = 0; a < m->nnode; a++) kind[a] = model_node(layout->model, layout->node[layout->joint_node[j][a]])->kind;
  if (m->joint.switched) return false; // what is packed stays as it is
  return joint_fits_batch(layout_joint(layout, j), m->nnode, kind);
}

// Slots of the own rows of a joint in a lane: pairs of blocks of its nodes but the ground, then those of its
// multipliers.
static PetscErrorCode FindJointSlots(const Layout *layout, MatrixSlots *matrix, PetscInt j, int nnode, int nblock,
                                     int lane, int *slot) {
  const int n = 2 * (nnode - 1) + nblock;
  int from[JOINT_BATCH_BLOCKS], count = 0;
  PetscInt blocks[JOINT_BATCH_BLOCKS];
  PetscFunctionBegin;
  for (int i = 0; i < n; i++) {
    PetscInt first = i < n - nblock ? layout->node_block[layout->joint_node[j][i / 2]] : layout->joint_block[j];
    if (first >= 0) from[count] = i, blocks[count++] = first + (i < n - nblock ? i % 2 : i - (n - nblock));
  }
  PetscCall(MatrixFindSlots(layout, matrix, count, blocks));
  const int *found = matrix->slot + matrix->count;
  for (int b = count - 1; b >= 0; b--)
    for (int c = count - 1; c >= 0 && blocks[b] < layout->nblock_own; c--)
      slot[BATCH_WIDTH * (from[b] * n + from[c]) + lane] = *--found;
  matrix->count = found - matrix->slot;
  PetscFunctionReturn(0);
}

static PetscErrorCode CloseBatch(const Layout *layout, Equations *equations, OpenBatch *o) {
  const Joint *joint[BATCH_WIDTH];
  JointBatch *b = &equations->batches.joint[equations->batches.njoint++];
  int nnode = model_joint(layout->model, layout->joint[o->joint[0]])->nnode;
  PetscFunctionBegin;
  for (int i = 0; i < JOINT_BATCH_BLOCKS * JOINT_BATCH_BLOCKS * BATCH_WIDTH; i++) b->slot[i] = NO_SLOT;
  for (int l = 0; l < BATCH_WIDTH; l++) {
    PetscInt j = b->joint[l] = o->joint[l < o->count ? l : 0];
    joint[l] = layout_joint(layout, j);
    for (int a = 0; a < nnode; a++) {
      PetscInt node = layout->joint_node[j][a], block = layout->node_block[node];
      b->node[BATCH_WIDTH * a + l] = (int)node;
      b->block[BATCH_WIDTH * a + l] = l < o->count && block < layout->nblock_own ? (int)block : -1;
    }
    b->from[l] = (int)layout->joint_block[j];
    b->own[l] = l < o->count && layout->joint_block[j] < layout->nblock_own ? b->from[l] : -1;
    if (l < o->count)
      PetscCall(FindJointSlots(layout, &equations->matrix, j, nnode, joint_blocks(joint[l]), l, b->slot));
  }
  joint_batch_pack(joint, nnode, &b->packed);
  b->filled = o->count;
  o->count = 0;
  PetscFunctionReturn(0);
}

PetscErrorCode EquationsCreateJointBatches(const Layout *layout, Equations *equations) {
  OpenBatch open[MOST_OPEN];
  int count = 0;
  PetscFunctionBegin;
  PetscInt most = layout->njoint / BATCH_WIDTH + PetscMin(MOST_OPEN, layout->njoint);
  PetscCall(PetscCalloc2(layout->njoint, &equations->batches.joint_batched, most, &equations->batches.joint));
  for (PetscInt j = 0; j < layout->njoint; j++) {
    int i = 0;
    if (!can_share_batch(layout, j)) continue;
    for (; i < count; i++) {
      PetscInt other = open[i].joint[0];
      if (joints_share_batch(layout_joint(layout, j), layout_joint(layout, other),
                             model_joint(layout->model, layout->joint[j])->nnode,
                             model_joint(layout->model, layout->joint[other])->nnode))
        break;
    }
    if (i == MOST_OPEN) continue;
    if (i == count) open[count++].count = 0;
    open[i].joint[open[i].count++] = j, equations->batches.joint_batched[j] = true;
    if (open[i].count == BATCH_WIDTH) PetscCall(CloseBatch(layout, equations, &open[i]));
  }
  for (int i = 0; i < count; i++) {
    if (open[i].count == 1) equations->batches.joint_batched[open[i].joint[0]] = false; // alone it is faster without
    if (open[i].count > 1) PetscCall(CloseBatch(layout, equations, &open[i]));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode BatchesDestroyJointBatches(Batches *batches) {
  PetscFunctionBegin;
  PetscCall(PetscFree2(batches->joint_batched, batches->joint));
  PetscFunctionReturn(0);
}

void equations_evaluate_joint_batches(const Motion *motion, Equations *equations, const double *q, double *residual,
                                      PetscBool tangent) {
  for (PetscInt i = 0; i < equations->batches.njoint; i++) {
    const JointBatch *b = &equations->batches.joint[i];
    JointBatchStep step = {
        .step = {.node = b->node,
                 .block = b->block,
                 .slot = b->slot,
                 .xn = motion->state.x,
                 .motion = motion->step.motion,
                 .t = &motion->layout.rule->tableau,
                 .h = motion->step.h,
                 .residual = residual,
                 .value = {tangent ? equations->matrix.value[0] : NULL, tangent ? equations->matrix.value[1] : NULL},
                 .tangent = (bool)tangent},
        .filled = b->filled,
        .from = b->from,
        .own = b->own,
        .unknown = q};
    for (int l = 0; l < BATCH_WIDTH; l++) step.row_off[l] = motion->row_off[b->joint[l]];
    joint_batch_evaluate(&b->packed, &step);
  }
}

void batches_joint_values(const Batches *batches, const Vec3 *x, size_t stride, double (*out)[MAX_ROWS]) {
  for (PetscInt i = 0; i < batches->njoint; i++) {
    const JointBatch *b = &batches->joint[i];
    double *to[BATCH_WIDTH];
    for (int l = 0; l < BATCH_WIDTH; l++) to[l] = l < b->filled ? out[b->joint[l]] : NULL;
    joint_batch_values(&b->packed, &(JointVectors){x, stride, b->node, b->filled}, to);
  }
}
