// SPDX-License-Identifier: Apache-2.0
#include "analyses/stepping/parts.h"

#include "analyses/stepping/observable.h"
#include "solvers/redundancy.h"

static void mark_multipliers(const System *s, bool *is) {
  for (PetscInt j = 0; j < s->layout.njoint; j++)
    for (int r = 0; s->layout.joint_primary[j] && r < model_joint(s->layout.model, s->layout.joint[j])->joint.rows.nrow;
         r++)
      is[s->layout.joint_block[j] * s->layout.bs + r / 3 * s->layout.bs + r % 3] = true;
}

PetscErrorCode PartsCreate(Stepper *p) {
  System *s = p->s;
  Parts *q;
  PetscFunctionBegin;
  if (!p->rule.composition) PetscFunctionReturn(0);
  PetscCall(PetscNew(&q));
  p->parts = q;
  PetscCall(PetscCalloc1(s->layout.njoint, &s->state.reaction));
  PetscCall(PetscCalloc2(s->layout.njoint, &q->multiplier, s->layout.nblock_own * s->layout.bs, &q->is_multiplier));
  mark_multipliers(s, q->is_multiplier);
  for (int i = 0; i < composition_count(p->rule.composition); i++)
    PetscCall(VecDuplicate(s->linear.residual, &q->unknown[i]));
  for (int i = 0; i < 2; i++) PetscCall(VecDuplicate(s->linear.residual, &q->last[i]));
  PetscFunctionReturn(0);
}

PetscErrorCode PartsDestroy(Stepper *p) {
  Parts *q = p->parts;
  PetscFunctionBegin;
  if (!q) PetscFunctionReturn(0);
  PetscCall(PetscFree(p->s->state.reaction));
  PetscCall(PetscFree2(q->multiplier, q->is_multiplier));
  for (int i = 0; i < 2 * MOST_PAIRS; i++) PetscCall(VecDestroy(&q->unknown[i]));
  for (int i = 0; i < 2; i++) PetscCall(VecDestroy(&q->last[i]));
  PetscCall(PetscFree(p->parts));
  PetscFunctionReturn(0);
}

PetscErrorCode PartsBegin(Stepper *p, double h) {
  Parts *q = p->parts;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(p->s->state.reaction, p->s->layout.njoint));
  PetscCall(PetscArrayzero(q->multiplier, p->s->layout.njoint));
  q->start = p->s->state.time, q->whole = h, q->count = 0;
  for (int i = 0; i < 2; i++) {
    q->before[i] = p->previous_step[i];
    if (q->before[i] != 0) PetscCall(VecCopy(p->previous[i], q->last[i]));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode AddReactions(Stepper *p, double fraction) {
  System *s = p->s;
  const double *unknown;
  Vec local;
  PetscFunctionBegin;
  if (s->layout.model->joints.count == 0) PetscFunctionReturn(0);
  PetscCall(SystemLeastNormMultipliers(s));
  PetscCall(SystemOpenUnknowns(s, &local, &unknown));
  for (PetscInt j = 0; j < s->layout.njoint; j++) {
    Vec3 one[2], *sum = s->state.reaction[j];
    for (int r = 0; r < MAX_ROWS; r++) p->parts->multiplier[j][r] += fraction * s->state.multiplier[j][r];
    if (!s->layout.joint_primary[j]) continue;
    system_joint_reaction(s, unknown, j, one);
    for (int k = 0; k < 2; k++) sum[k] = vec3_axpy(sum[k], fraction, one[k]);
  }
  PetscCall(SystemCloseUnknowns(s, &local, &unknown));
  PetscFunctionReturn(0);
}

PetscErrorCode PartsAdd(Stepper *p, double fraction) {
  Parts *q = p->parts;
  double length = fraction * q->whole;
  PetscFunctionBegin;
  PetscCall(VecCopy(p->s->linear.unknown, q->unknown[q->count]));
  q->middle[q->count] = p->s->state.time - 0.5 * length, q->length[q->count++] = length;
  PetscCall(AddReactions(p, fraction));
  PetscFunctionReturn(0);
}

void parts_end(Stepper *p) {
  for (PetscInt j = 0; j < p->s->layout.njoint; j++)
    for (int r = 0; r < MAX_ROWS; r++) p->s->state.multiplier[j][r] = p->parts->multiplier[j][r];
}
