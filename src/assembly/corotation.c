// SPDX-License-Identifier: Apache-2.0
// What a step carries along of each free component: the velocity of its mass centre, and the turn of flexible bodies of points.
// Equations: eq-rotation-velocity (8.3).
#include "assembly/system.h"

PetscErrorCode SystemFindCentreVelocities(System *s) {
  double *sum;
  PetscFunctionBegin;
  if (s->layout.nfree_body == 0) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(4 * s->layout.nfree_body, &sum));
  for (PetscInt i = 1; i < s->layout.nnode_own; i++) {
    if (s->layout.free_body[i] < 0) continue;
    NodeState n = system_node_state(s, i);
    double *at = sum + 4 * s->layout.free_body[i];
    Vec3 p = system_material(s, i) ? mat3_apply(node_axes(n.x), inertia_momentum(&s->layout.inertia[i], n.v[0], n.v[1]))
                                   : vec3_scale(s->layout.mass[i][0][0], n.v[0]);
    at[0] += p.x, at[1] += p.y, at[2] += p.z, at[3] += s->layout.inertia[i].m;
  }
  PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, sum, (PetscMPIInt)(4 * s->layout.nfree_body), MPI_DOUBLE, MPI_SUM, s->layout.comm));
  for (PetscInt c = 0; c < s->layout.nfree_body; c++)
    s->step.centre_velocity[c] =
        sum[4 * c + 3] > 0 ? vec3_scale(1 / sum[4 * c + 3], vec3_of(sum + 4 * c)) : vec3_zero();
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

// Sums over the own nodes of components that may turn: mass times place, of 4; then about that centre angular momentum and inertia, of 9.
static void sum_angular_momenta(const System *s, const double *centre, double *sum) {
  for (PetscInt i = 1; i < s->layout.nnode_own; i++) {
    PetscInt c = s->layout.free_body[i];
    double m = s->layout.inertia[i].m;
    if (c < 0 || !s->layout.may_corotate[c]) continue;
    if (!centre) {
      double *at = sum + 4 * c;
      Vec3 x = s->state.x[4 * i];
      at[0] += m * x.x, at[1] += m * x.y, at[2] += m * x.z, at[3] += m;
      continue;
    }
    double *at = sum + 9 * c;
    Vec3 r = vec3_axpy(s->state.x[4 * i], -1 / centre[4 * c + 3], vec3_of(centre + 4 * c));
    Vec3 l = vec3_cross(r, vec3_scale(m, vec3_sub(s->state.v[4 * i], s->step.centre_velocity[c])));
    at[0] += l.x, at[1] += l.y, at[2] += l.z;
    at[3] += m * r.x * r.x, at[4] += m * r.y * r.y, at[5] += m * r.z * r.z;
    at[6] += m * r.y * r.z, at[7] += m * r.x * r.z, at[8] += m * r.x * r.y;
  }
}

PetscErrorCode SystemFindCorotation(System *s) {
  double *centre, *sum;
  bool any = false, steady = true;
  PetscFunctionBegin;
  for (PetscInt c = 0; c < s->layout.nfree_body; c++)
    any = any || s->layout.may_corotate[c], s->step.corotation[c].on = false;
  for (PetscInt l = 0; l < s->layout.model->loads.count; l++)
    steady = steady && s->step.end_amplitude[l].now == s->step.end_amplitude[l].next;
  if (!any || !steady) PetscFunctionReturn(0);
  PetscCall(PetscCalloc2(4 * s->layout.nfree_body, &centre, 9 * s->layout.nfree_body, &sum));
  sum_angular_momenta(s, NULL, centre);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, centre, (PetscMPIInt)(4 * s->layout.nfree_body), MPI_DOUBLE, MPI_SUM,
                             s->layout.comm));
  sum_angular_momenta(s, centre, sum);
  PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, sum, (PetscMPIInt)(9 * s->layout.nfree_body), MPI_DOUBLE, MPI_SUM, s->layout.comm));
  for (PetscInt c = 0; c < s->layout.nfree_body; c++) {
    const double *at = sum + 9 * c;
    Mat3 j = {{{at[4] + at[5], -at[8], -at[7]}, {-at[8], at[3] + at[5], -at[6]}, {-at[7], -at[6], at[3] + at[4]}}};
    if (s->layout.may_corotate[c])
      s->step.corotation[c] = corotation_of(s->step.h, s->step.centre_velocity[c], corotation_rate(vec3_of(at), j));
  }
  PetscCall(PetscFree2(centre, sum));
  PetscFunctionReturn(0);
}
