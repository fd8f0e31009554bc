// SPDX-License-Identifier: Apache-2.0
#include "analyses/stepping/stepper.h"
#include "base/rotation.h"

// What friction remembers at the end of the step.
static void move_bristles(System *s, const double *q, PetscInt j) {
  const Joint *joint = system_joint(s, j);
  double lambda[MAX_STAGES][MAX_ROWS];
  Coords zk[MAX_STAGES];
  FrictionStep step;
  bool any = false;
  for (int c = 0; c < joint->ncoord; c++) any = any || friction_acts(&joint->law[c].friction);
  if (!any) return;
  system_joint_unknowns(s, q, j, lambda, zk);
  for (int c = 0; c < joint->ncoord; c++) {
    if (!friction_acts(&joint->law[c].friction)) continue;
    joint_friction(joint, c, &s->rule->tableau, s->step.h, &s->state.bristles[j], lambda[0], s->state.coord[j].z[c],
                   zk[0].z[c], &step);
    s->state.bristles[j].of[c] = step.next;
  }
}

// The state at the end of the step, for own nodes and ghosts alike: the same function of the same unknowns.
PetscErrorCode StepperMoveState(Stepper *p) {
  System *s = p->s;
  const double *q;
  Vec local;
  PetscFunctionBegin;
  PetscCall(SystemOpenUnknowns(s, &local, &q));
  for (PetscInt j = 0; j < s->layout.njoint; j++) {
    Coords followed = system_followed_coords(s, j);
    system_store_multipliers(s, q, j);
    move_bristles(s, q, j);
    s->state.coord_before[j] = s->state.coord[j], s->state.coord[j] = followed;
  }
  PetscCall(PetscArraycpy(s->state.x_before, s->state.x, 4 * s->layout.nnode));
  s->state.stepped = true, s->state.last_h = s->step.h;
  s->redundancy.least_norm = false;
  for (PetscInt i = 1; i < s->layout.nnode; i++) {
    NodeKind kind = model_node(s->layout.model, s->layout.node[i])->kind;
    NodeState n = system_node_state(s, i);
    NodeMotion *m = s->step.motion + i * s->rule->tableau.s;
    if (kind == NODE_FIXED) continue;
    if (kind == NODE_FRAME) { // keep the directors orthonormal against the growth of round-off
      Mat3 r = rotation_orthonormalised(mat3_columns(m[0].x[1], m[0].x[2], m[0].x[3]));
      for (int j = 0; j < 3; j++) m[0].x[j + 1] = mat3_column(r, j);
    }
    if (system_material(s, i)) {
      MaterialVelocity w;
      system_frame_velocity(s, q, i, &w);
      for (int j = 0; j < 4; j++) n.x[j] = m[0].x[j];
      Mat3 axes = node_axes(n.x);
      n.v[0] = vec3_add(w.vk[0][0], mat3_apply_transpose(axes, system_centre_velocity(s, i)));
      n.v[1] = w.vk[0][1];
    } else if (system_corotation(s, i)) {
      PointVelocity w;
      system_point_velocity(s, q, i, &w);
      n.x[0] = m[0].x[0], n.v[0] = corotation_end_velocity(system_corotation(s, i), &w);
    } else if (s->layout.has_projection[s->layout.node[i]]) {
      PointVelocity w;
      system_point_velocity(s, q, i, &w);
      n.x[0] = m[0].x[0], n.v[0] = w.vk[0];
    } else p->rule.advance(&p->rule, s->step.h, node_vectors(kind), m, n);
  }
  system_move_wheels(s);
  p->ledger.constraint = s->augmented.strain;
  for (PetscInt j = 0; j < s->layout.njoint; j++) {
    double lambda[MAX_STAGES][MAX_ROWS];
    Coords zk[MAX_STAGES];
    system_joint_unknowns(s, q, j, lambda, zk);
    s->state.coord[j] = zk[0];
    p->ledger.constraint = PetscMax(p->ledger.constraint, system_joint_gap(s, j));
  }
  PetscCall(SystemCloseUnknowns(s, &local, &q));
  PetscCall(ReduceArray(s->layout.comm, &p->ledger.constraint, 1, MPI_DOUBLE, MPI_MAX));
  PetscFunctionReturn(0);
}
