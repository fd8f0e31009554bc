// SPDX-License-Identifier: Apache-2.0
// Moves the state to the end of a step.
#include "analyses/stepping/stepper.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "assembly/wheels.h"
#include "base/rotation.h"

// Updates the bristles of friction to the end of the step.
static void move_bristles(Motion *motion, const double *q, PetscInt j) {
  const Joint *joint = layout_joint(&motion->layout, j);
  double lambda[MAX_STAGES][MAX_ROWS];
  Coords zk[MAX_STAGES];
  FrictionStep step;
  bool any = false;
  for (int c = 0; c < joint->ncoord; c++) any = any || friction_acts(&joint->law[c].friction);
  if (!any) return;
  state_joint_unknowns(&motion->layout, &motion->state, q, j, lambda, zk);
  for (int c = 0; c < joint->ncoord; c++) {
    if (!friction_acts(&joint->law[c].friction)) continue;
    joint_friction(joint, c, &motion->layout.rule->tableau, motion->step.h, &motion->state.bristles[j], lambda[0],
                   motion->state.coord[j].z[c], zk[0].z[c], &step);
    motion->state.bristles[j].of[c] = step.next;
  }
}

// Raises `gap` to the largest violation of a joint.
static PetscErrorCode LargestGap(const System *s, double *gap) {
  double(*value)[MAX_ROWS];
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(s->motion.layout.njoint, &value));
  batches_joint_values(&s->equations.batches, s->motion.state.x, 4 * sizeof(Vec3), value);
  for (PetscInt j = 0; j < s->motion.layout.njoint; j++) {
    if (!s->equations.batches.joint_batched[j]) *gap = PetscMax(*gap, motion_joint_gap(&s->motion, j));
    else
      for (int r = 0; r < layout_joint(&s->motion.layout, j)->rows.nrow; r++)
        *gap = PetscMax(*gap, number_or_infinity(fabs(value[j][r])));
  }
  PetscCall(PetscFree(value));
  PetscFunctionReturn(0);
}

// Moves own nodes and ghosts alike: the same function of the same unknowns.
PetscErrorCode StepperMoveState(Stepper *p) {
  System *s = p->s;
  const double *q;
  Vec local;
  PetscFunctionBegin;
  PetscCall(EquationsOpenUnknowns(&s->motion.layout, &s->equations, &local, &q));
  for (PetscInt j = 0; j < s->motion.layout.njoint; j++) {
    Coords followed = motion_followed_coords(&s->motion, j);
    motion_store_multipliers(&s->motion, q, j);
    move_bristles(&s->motion, q, j);
    s->motion.state.coord_before[j] = s->motion.state.coord[j], s->motion.state.coord[j] = followed;
  }
  PetscCall(PetscArraycpy(s->motion.state.x_before, s->motion.state.x, 4 * s->motion.layout.nnode));
  s->motion.state.stepped = true, s->motion.state.last_h = s->motion.step.h;
  s->redundancy.least_norm = false;
  for (PetscInt i = 1; i < s->motion.layout.nnode; i++) {
    NodeKind kind = model_node(s->motion.layout.model, s->motion.layout.node[i])->kind;
    NodeState n = step_node_state(&s->motion.state, &s->motion.step, i);
    NodeMotion *m = s->motion.step.motion + i * s->motion.layout.rule->tableau.s;
    if (kind == NODE_FIXED) continue;
    if (kind == NODE_FRAME) { // keeps the directors orthonormal despite round-off
      Mat3 r = rotation_orthonormalised(mat3_columns(m[0].x[1], m[0].x[2], m[0].x[3]));
      for (int j = 0; j < 3; j++) m[0].x[j + 1] = mat3_column(r, j);
    }
    if (layout_is_material(&s->motion.layout, i)) {
      MaterialVelocity w;
      motion_frame_velocity(&s->motion, q, i, &w);
      for (int j = 0; j < 4; j++) n.x[j] = m[0].x[j];
      Mat3 axes = node_axes(n.x);
      n.v[0] =
          vec3_add(w.vk[0][0], mat3_apply_transpose(axes, step_centre_velocity(&s->motion.layout, &s->motion.step, i)));
      n.v[1] = w.vk[0][1];
    } else if (step_corotation(&s->motion.layout, &s->motion.step, i)) {
      PointVelocity w;
      motion_point_velocity(&s->motion, q, i, &w);
      n.x[0] = m[0].x[0], n.v[0] = corotation_end_velocity(step_corotation(&s->motion.layout, &s->motion.step, i), &w);
    } else if (s->motion.layout.has_projection[s->motion.layout.node[i]]) {
      PointVelocity w;
      motion_point_velocity(&s->motion, q, i, &w);
      n.x[0] = m[0].x[0], n.v[0] = w.vk[0];
    } else p->rule.advance(&p->rule, s->motion.step.h, node_vectors(kind), m, n);
  }
  motion_move_wheels(&s->motion);
  p->ledger.constraint = s->motion.augmented.strain;
  for (PetscInt j = 0; j < s->motion.layout.njoint; j++) {
    double lambda[MAX_STAGES][MAX_ROWS];
    Coords zk[MAX_STAGES];
    state_joint_unknowns(&s->motion.layout, &s->motion.state, q, j, lambda, zk);
    s->motion.state.coord[j] = zk[0];
  }
  PetscCall(LargestGap(s, &p->ledger.constraint));
  PetscCall(EquationsCloseUnknowns(&s->motion.layout, &s->equations, &local, &q));
  PetscCall(ReduceArray(s->motion.layout.comm, &p->ledger.constraint, 1, MPI_DOUBLE, MPI_MAX));
  PetscFunctionReturn(0);
}
