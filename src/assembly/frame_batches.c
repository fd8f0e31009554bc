// SPDX-License-Identifier: Apache-2.0
// Frames side by side: all that move for their motions; those of a rank's own without projection for inertia and loads on masses too.
#include "assembly/system.h"

static bool node_moves(const System *s, PetscInt node) {
  return s->layout.node_block[node] >= 0 && model_node(s->layout.model, s->layout.node[node])->kind == NODE_FRAME;
}

static PetscErrorCode AddFrames(System *s, int count, const PetscInt *nodes, bool inertia) {
  FrameBatch *b = &s->batches.frame[s->batches.nframe++];
  PetscFunctionBegin;
  b->inertia = inertia;
  for (int l = 0; l < BATCH_WIDTH; l++) {
    PetscInt node = nodes[l < count ? l : 0];
    b->node[l] = (int)node, b->from[l] = (int)s->layout.node_block[node];
    b->block[l] = inertia && l < count ? b->from[l] : -1;
    for (int i = 0; i < 4; i++) b->slot[BATCH_WIDTH * i + l] = NO_SLOT;
    if (b->block[l] >= 0) PetscCall(SystemFindBatchSlots(s, 1, &node, l, b->slot));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCreateFrames(System *s) {
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(s->layout.nnode, &s->batches.framed, s->layout.nnode / BATCH_WIDTH + 2, &s->batches.frame));
  for (PetscInt i = 1; i < s->layout.nnode_own; i++)
    s->batches.framed[i] = node_moves(s, i) && !s->layout.has_projection[s->layout.node[i]];
  for (int pass = 0; pass < 2; pass++) {
    PetscInt nodes[BATCH_WIDTH];
    int count = 0;
    for (PetscInt i = 0; i < s->layout.nnode; i++) {
      if (!node_moves(s, i) || s->batches.framed[i] != (pass == 0)) continue;
      nodes[count++] = i;
      if (count == BATCH_WIDTH) PetscCall(AddFrames(s, count, nodes, pass == 0));
      if (count == BATCH_WIDTH) count = 0;
    }
    if (count > 0) PetscCall(AddFrames(s, count, nodes, pass == 0));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SystemDestroyFrames(System *s) {
  PetscFunctionBegin;
  PetscCall(PetscFree2(s->batches.framed, s->batches.frame));
  PetscFunctionReturn(0);
}

// Nodes that are no moving frames.
static void move_others(System *s, const double *q) {
  const Tableau *t = &s->rule->tableau;
  Vec3 u[MAX_STAGES], c[MAX_STAGES];
  for (PetscInt i = 0; i < s->layout.nnode; i++) {
    if (node_moves(s, i)) continue;
    system_increments(s, q, i, u, c);
    for (int k = 0; k < t->s; k++)
      node_motion(model_node(s->layout.model, s->layout.node[i])->kind, t->force_rule, s->state.x + 4 * i, u[k], c[k],
                  &s->step.motion[i * t->s + k]);
  }
}

static void take_fields(const System *s, const FrameBatch *b, FrameBatchStep *f) {
  for (PetscInt l = 0; l < s->layout.nfield; l++) {
    BatchField *to = &f->field[f->nfield++];
    Vec3 g = model_load(s->layout.model, s->layout.field[l])->load.acceleration;
    for (int k = 0; k < s->rule->tableau.s; k++)
      to->acceleration[k] = vec3_scale(-s->step.amplitude[s->layout.field[l]][k], g);
    for (int i = 0; i < BATCH_WIDTH; i++) // of the ambient mass the first row
      to->first[i] = s->layout.field_mass[l] ? s->layout.field_mass[l][b->node[i]] : s->layout.mass[b->node[i]][0];
  }
}

void system_evaluate_frames(System *s, const double *q, double *residual, PetscBool tangent) {
  static const Vec3 still;
  AmbientRates rates[BATCH_WIDTH];
  move_others(s, q);
  for (PetscInt i = 0; i < s->batches.nframe; i++) {
    const FrameBatch *b = &s->batches.frame[i];
    FrameBatchStep f = {.step = {.node = b->node,
                                 .block = b->block,
                                 .slot = b->slot,
                                 .xn = s->state.x,
                                 .t = &s->rule->tableau,
                                 .h = s->step.h,
                                 .residual = residual,
                                 .value = {tangent ? s->matrix.value[0] : NULL, tangent ? s->matrix.value[1] : NULL},
                                 .tangent = (bool)tangent},
                        .from = b->from,
                        .unknown = q,
                        .motion = s->step.motion,
                        .inertia = residual && b->inertia && system_framed(s, b->node[0]),
                        .material = s->rule->material,
                        .body = s->layout.inertia,
                        .mass = (const double(*)[4][4])s->layout.mass,
                        .v = s->state.v,
                        .rates = rates};
    if (f.inertia) take_fields(s, b, &f);
    for (int l = 0; l < BATCH_WIDTH && f.inertia; l++) {
      PetscInt c = s->layout.free_body[b->node[l]];
      f.centre_velocity[l] = c < 0 ? &still : &s->step.centre_velocity[c];
      if (!f.material) s->rule->rates(s->rule, s->step.h, 4, system_node_state(s, b->node[l]), &rates[l]);
    }
    frames_evaluate(&f);
  }
}

PetscErrorCode SystemMoveAgain(System *s) {
  Vec3 *x = s->state.x;
  PetscFunctionBegin;
  if (!s->state.stepped) PetscFunctionReturn(0);
  s->state.x = s->state.x_before;
  PetscCall(SystemMoveNodes(s));
  s->state.x = x;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemMoveNodes(System *s) {
  const double *q;
  Vec local;
  PetscFunctionBegin;
  PetscCall(SystemRefresh(s));
  PetscCall(SystemOpenUnknowns(s, &local, &q));
  system_evaluate_frames(s, q, NULL, PETSC_FALSE);
  PetscCall(SystemCloseUnknowns(s, &local, &q));
  PetscFunctionReturn(0);
}
