// SPDX-License-Identifier: Apache-2.0
// What a step carries along of each free component: the velocity of its mass centre, and the turn of flexible bodies of points.
// Equations: eq-rotation-velocity (8.3).
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "base/rotation.h"

PetscErrorCode MotionFindCentreVelocities(Motion *motion) {
  double *sum;
  PetscFunctionBegin;
  if (motion->layout.nfree_body == 0) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(4 * motion->layout.nfree_body, &sum));
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    if (motion->layout.free_body[i] < 0) continue;
    NodeState n = step_node_state(&motion->state, &motion->step, i);
    double *at = sum + 4 * motion->layout.free_body[i];
    Vec3 p = layout_is_material(&motion->layout, i)
                 ? mat3_apply(node_axes(n.x), inertia_momentum(&motion->layout.inertia[i], n.v[0], n.v[1]))
                 : vec3_scale(motion->layout.mass[i][0][0], n.v[0]);
    at[0] += p.x, at[1] += p.y, at[2] += p.z, at[3] += motion->layout.inertia[i].m;
  }
  PetscCall(ReduceArray(motion->layout.comm, sum, (PetscInt64)4 * motion->layout.nfree_body, MPI_DOUBLE, MPI_SUM));
  for (PetscInt c = 0; c < motion->layout.nfree_body; c++)
    motion->step.centre_velocity[c] =
        sum[4 * c + 3] > 0 ? vec3_scale(1 / sum[4 * c + 3], vec3_of(sum + 4 * c)) : vec3_zero();
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

// Sums over the own nodes of components that may turn: mass times place, of 4; then about that centre angular momentum
// and inertia, of 9.
static void sum_angular_momenta(const Motion *motion, const double *centre, double *sum) {
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    PetscInt c = motion->layout.free_body[i];
    double m = motion->layout.inertia[i].m;
    if (c < 0 || !motion->layout.may_corotate[c]) continue;
    if (!centre) {
      double *at = sum + 4 * c;
      Vec3 x = motion->state.x[4 * i];
      at[0] += m * x.x, at[1] += m * x.y, at[2] += m * x.z, at[3] += m;
      continue;
    }
    double *at = sum + 9 * c;
    Vec3 r = vec3_axpy(motion->state.x[4 * i], -1 / centre[4 * c + 3], vec3_of(centre + 4 * c));
    Vec3 l = vec3_cross(r, vec3_scale(m, vec3_sub(motion->state.v[4 * i], motion->step.centre_velocity[c])));
    at[0] += l.x, at[1] += l.y, at[2] += l.z;
    at[3] += m * r.x * r.x, at[4] += m * r.y * r.y, at[5] += m * r.z * r.z;
    at[6] += m * r.y * r.z, at[7] += m * r.x * r.z, at[8] += m * r.x * r.y;
  }
}

PetscErrorCode MotionFindCorotation(Motion *motion) {
  double *centre, *sum;
  bool any = false, steady = true;
  PetscFunctionBegin;
  for (PetscInt c = 0; c < motion->layout.nfree_body; c++)
    any = any || motion->layout.may_corotate[c], motion->step.corotation[c].on = false;
  for (PetscInt l = 0; l < motion->layout.model->loads.count; l++)
    steady = steady && motion->step.end_amplitude[l].now == motion->step.end_amplitude[l].next &&
             !model_load(motion->layout.model, l)->load.wave;
  if (!any || !steady) PetscFunctionReturn(0);
  PetscCall(PetscCalloc2(4 * motion->layout.nfree_body, &centre, 9 * motion->layout.nfree_body, &sum));
  sum_angular_momenta(motion, NULL, centre);
  PetscCall(ReduceArray(motion->layout.comm, centre, (PetscInt64)4 * motion->layout.nfree_body, MPI_DOUBLE, MPI_SUM));
  sum_angular_momenta(motion, centre, sum);
  PetscCall(ReduceArray(motion->layout.comm, sum, (PetscInt64)9 * motion->layout.nfree_body, MPI_DOUBLE, MPI_SUM));
  for (PetscInt c = 0; c < motion->layout.nfree_body; c++) {
    const double *at = sum + 9 * c;
    Mat3 j = {{{at[4] + at[5], -at[8], -at[7]}, {-at[8], at[3] + at[5], -at[6]}, {-at[7], -at[6], at[3] + at[4]}}};
    if (motion->layout.may_corotate[c])
      motion->step.corotation[c] =
          corotation_of(motion->step.h, motion->step.centre_velocity[c], corotation_rate(vec3_of(at), j));
  }
  PetscCall(PetscFree2(centre, sum));
  PetscFunctionReturn(0);
}
