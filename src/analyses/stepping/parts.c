// SPDX-License-Identifier: Apache-2.0
// Collects the parts of a composed step (parts.h).
#include "analyses/stepping/parts.h"
#include "assembly/state_values.h"

#include "analyses/stepping/observable.h"
#include "solvers/redundancy.h"

static void mark_multipliers(const Layout *layout, bool *is) {
  for (PetscInt j = 0; j < layout->njoint; j++)
    for (int r = 0; layout->joint_primary[j] && r < layout_joint(layout, j)->rows.nrow; r++)
      is[(layout->joint_block[j] + r / 3) * layout->bs + r % 3] = true;
}

PetscErrorCode PartsCreate(Stepper *p) {
  System *s = p->s;
  Parts *q;
  PetscFunctionBegin;
  if (!p->rule.composition) PetscFunctionReturn(0);
  PetscCall(PetscNew(&q));
  p->parts = q;
  PetscCall(
      PetscCalloc2(s->motion.layout.njoint, &q->coord_force, s->motion.layout.model->loads.count, &q->load_force));
  PetscCall(PetscCalloc2(s->motion.layout.njoint, &q->multiplier, s->motion.layout.nblock_own * s->motion.layout.bs,
                         &q->is_multiplier));
  mark_multipliers(&s->motion.layout, q->is_multiplier);
  for (int i = 0; i < composition_count(p->rule.composition); i++)
    PetscCall(VecDuplicate(s->equations.residual, &q->unknown[i]));
  for (int i = 0; i < 2; i++) PetscCall(VecDuplicate(s->equations.residual, &q->last[i]));
  PetscFunctionReturn(0);
}

PetscErrorCode PartsDestroy(Stepper *p) {
  Parts *q = p->parts;
  PetscFunctionBegin;
  if (!q) PetscFunctionReturn(0);
  PetscCall(PetscFree2(q->coord_force, q->load_force));
  PetscCall(PetscFree2(q->multiplier, q->is_multiplier));
  for (int i = 0; i < 2 * MOST_PAIRS; i++) PetscCall(VecDestroy(&q->unknown[i]));
  for (int i = 0; i < 2; i++) PetscCall(VecDestroy(&q->last[i]));
  PetscCall(PetscFree(p->parts));
  PetscFunctionReturn(0);
}

PetscErrorCode PartsBegin(Stepper *p, double h) {
  Parts *q = p->parts;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(p->s->motion.state.reaction, p->s->motion.layout.njoint));
  PetscCall(PetscArrayzero(q->multiplier, p->s->motion.layout.njoint));
  PetscCall(PetscArrayzero(q->coord_force, p->s->motion.layout.njoint));
  PetscCall(PetscArrayzero(q->load_force, p->s->motion.layout.model->loads.count));
  PetscCall(PetscArraycpy(p->s->motion.state.x_start, p->s->motion.state.x, 4 * p->s->motion.layout.nnode));
  q->start = p->s->motion.state.time, q->whole = h, q->count = 0;
  for (int i = 0; i < 2; i++) {
    q->before[i] = p->previous_step[i];
    if (q->before[i] != 0) PetscCall(VecCopy(p->previous[i], q->last[i]));
  }
  PetscFunctionReturn(0);
}

static void add_numbers(double *sum, double fraction, const double *one, size_t size) {
  for (size_t i = 0; i < size / sizeof *sum; i++) sum[i] += fraction * one[i];
}

static PetscErrorCode AddReactions(Stepper *p, double fraction) {
  System *s = p->s;
  const double *unknown;
  Vec local;
  PetscFunctionBegin;
  if (s->motion.layout.model->joints.count == 0) PetscFunctionReturn(0);
  PetscCall(RedundancyLeastNormMultipliers(&s->motion, &s->redundancy));
  PetscCall(EquationsOpenUnknowns(&s->motion.layout, &s->equations, &local, &unknown));
  for (PetscInt j = 0; j < s->motion.layout.njoint; j++) {
    JointReaction one, *sum = &s->motion.state.reaction[j];
    for (int r = 0; r < MAX_ROWS; r++) p->parts->multiplier[j][r] += fraction * s->motion.state.multiplier[j][r];
    if (!s->motion.layout.joint_primary[j]) continue;
    motion_joint_reaction(&s->motion, unknown, j, &one);
    add_numbers((double *)sum, fraction, (const double *)&one, sizeof one);
    add_numbers((double *)&p->parts->coord_force[j], fraction, (const double *)&s->motion.state.coord_force[j],
                sizeof s->motion.state.coord_force[j]);
  }
  PetscCall(EquationsCloseUnknowns(&s->motion.layout, &s->equations, &local, &unknown));
  add_numbers(p->parts->load_force, fraction, s->motion.state.load_force,
              (size_t)s->motion.layout.model->loads.count * sizeof *s->motion.state.load_force);
  PetscFunctionReturn(0);
}

PetscErrorCode PartsAdd(Stepper *p, double fraction) {
  Parts *q = p->parts;
  double length = fraction * q->whole;
  PetscFunctionBegin;
  PetscCall(VecCopy(p->s->equations.unknown, q->unknown[q->count]));
  q->middle[q->count] = p->s->motion.state.time - 0.5 * length, q->length[q->count++] = length;
  PetscCall(AddReactions(p, fraction));
  PetscFunctionReturn(0);
}

void parts_end(Stepper *p) {
  for (PetscInt j = 0; j < p->s->motion.layout.njoint; j++) {
    for (int r = 0; r < MAX_ROWS; r++) p->s->motion.state.multiplier[j][r] = p->parts->multiplier[j][r];
    p->s->motion.state.coord_force[j] = p->parts->coord_force[j];
  }
  for (PetscInt l = 0; l < p->s->motion.layout.model->loads.count; l++)
    p->s->motion.state.load_force[l] = p->parts->load_force[l];
}
