// SPDX-License-Identifier: Apache-2.0
// Frames side by side: all that move for their motions; those of a rank's own without projection for inertia and loads on masses too.
#include "assembly/evaluate.h"
#include "assembly/state_values.h"

static bool node_moves(const Layout *layout, PetscInt node) {
  return layout->node_block[node] >= 0 && model_node(layout->model, layout->node[node])->kind == NODE_FRAME;
}

static PetscErrorCode AddFrames(const Layout *layout, Equations *equations, int count, const PetscInt *nodes,
                                bool inertia) {
  FrameBatch *b = &equations->batches.frame[equations->batches.nframe++];
  PetscFunctionBegin;
  b->inertia = inertia, b->filled = count;
  for (int l = 0; l < BATCH_WIDTH; l++) {
    PetscInt node = nodes[l < count ? l : 0];
    b->node[l] = (int)node, b->from[l] = (int)layout->node_block[node];
    b->block[l] = inertia && l < count ? b->from[l] : -1;
    for (int i = 0; i < 4; i++) b->slot[BATCH_WIDTH * i + l] = NO_SLOT;
    if (b->block[l] >= 0) PetscCall(MatrixFindBatchSlots(layout, &equations->matrix, 1, &node, l, b->slot));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode EquationsCreateFrames(const Layout *layout, Equations *equations) {
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(layout->nnode, &equations->batches.framed, layout->nnode / BATCH_WIDTH + 2,
                         &equations->batches.frame));
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    equations->batches.framed[i] = node_moves(layout, i) && !layout->has_projection[layout->node[i]];
  for (int pass = 0; pass < 2; pass++) {
    PetscInt nodes[BATCH_WIDTH];
    int count = 0;
    for (PetscInt i = 0; i < layout->nnode; i++) {
      if (!node_moves(layout, i) || equations->batches.framed[i] != (pass == 0)) continue;
      nodes[count++] = i;
      if (count == BATCH_WIDTH) PetscCall(AddFrames(layout, equations, count, nodes, pass == 0));
      if (count == BATCH_WIDTH) count = 0;
    }
    if (count > 0) PetscCall(AddFrames(layout, equations, count, nodes, pass == 0));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode BatchesDestroyFrames(Batches *batches) {
  PetscFunctionBegin;
  PetscCall(PetscFree2(batches->framed, batches->frame));
  PetscFunctionReturn(0);
}

// Nodes that are no moving frames.
static void move_others(Motion *motion, const double *q) {
  const Tableau *t = &motion->layout.rule->tableau;
  Vec3 u[MAX_STAGES], c[MAX_STAGES];
  for (PetscInt i = 0; i < motion->layout.nnode; i++) {
    if (node_moves(&motion->layout, i)) continue;
    layout_increments(&motion->layout, q, i, u, c);
    for (int k = 0; k < t->s; k++)
      node_motion(model_node(motion->layout.model, motion->layout.node[i])->kind, t->force_rule,
                  motion->state.x + 4 * i, u[k], c[k], &motion->step.motion[i * t->s + k]);
  }
}

static void take_fields(const Layout *layout, const StepContext *step, const FrameBatch *b, FrameBatchStep *f) {
  for (PetscInt l = 0; l < layout->nfield; l++) {
    BatchField *to = &f->field[f->nfield++];
    Vec3 g = model_load(layout->model, layout->field[l])->load.acceleration;
    for (int k = 0; k < layout->rule->tableau.s; k++)
      to->acceleration[k] = vec3_scale(-step->amplitude[layout->field[l]][k], g);
    for (int i = 0; i < batch_lanes(b->filled); i++) // of the ambient mass the first row
      to->first[i] = layout->field_mass[l] ? layout->field_mass[l][b->node[i]] : layout->mass[b->node[i]][0];
  }
}

void equations_evaluate_frames(Motion *motion, Equations *equations, const double *q, double *residual,
                               PetscBool tangent) {
  static const Vec3 still;
  AmbientRates rates[BATCH_WIDTH];
  move_others(motion, q);
  for (PetscInt i = 0; i < equations->batches.nframe; i++) {
    const FrameBatch *b = &equations->batches.frame[i];
    FrameBatchStep f = {
        .step = {.node = b->node,
                 .block = b->block,
                 .slot = b->slot,
                 .xn = motion->state.x,
                 .t = &motion->layout.rule->tableau,
                 .h = motion->step.h,
                 .residual = residual,
                 .value = {tangent ? equations->matrix.value[0] : NULL, tangent ? equations->matrix.value[1] : NULL},
                 .tangent = (bool)tangent},
        .filled = b->filled,
        .from = b->from,
        .unknown = q,
        .motion = motion->step.motion,
        .inertia = residual && b->inertia && batches_have_frame(motion, &equations->batches, b->node[0]),
        .material = motion->layout.rule->material,
        .body = motion->layout.inertia,
        .mass = (const double(*)[4][4])motion->layout.mass,
        .v = motion->state.v,
        .rates = rates};
    if (f.inertia) take_fields(&motion->layout, &motion->step, b, &f);
    for (int l = 0; l < batch_lanes(b->filled) && f.inertia; l++) {
      PetscInt c = motion->layout.free_body[b->node[l]];
      f.centre_velocity[l] = c < 0 ? &still : &motion->step.centre_velocity[c];
      if (!f.material)
        motion->layout.rule->rates(motion->layout.rule, motion->step.h, 4,
                                   step_node_state(&motion->state, &motion->step, b->node[l]), &rates[l]);
    }
    frames_evaluate(&f);
  }
}

PetscErrorCode EquationsMoveAgain(Motion *motion, Equations *equations) {
  Vec3 *x = motion->state.x;
  PetscFunctionBegin;
  if (!motion->state.stepped) PetscFunctionReturn(0);
  motion->state.x = motion->state.x_before;
  PetscCall(EquationsMoveNodes(motion, equations));
  motion->state.x = x;
  PetscFunctionReturn(0);
}

PetscErrorCode EquationsMoveNodes(Motion *motion, Equations *equations) {
  const double *q;
  Vec local;
  PetscFunctionBegin;
  PetscCall(EquationsRefresh(&motion->layout, equations));
  PetscCall(EquationsOpenUnknowns(&motion->layout, equations, &local, &q));
  equations_evaluate_frames(motion, equations, q, NULL, PETSC_FALSE);
  PetscCall(EquationsCloseUnknowns(&motion->layout, equations, &local, &q));
  PetscFunctionReturn(0);
}
