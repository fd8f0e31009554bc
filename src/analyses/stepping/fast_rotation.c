// SPDX-License-Identifier: Apache-2.0
// Follows the largest rotation per step and reports it at the end of a run (fast_rotation.h).
#include "analyses/stepping/fast_rotation.h"
#include "assembly/ranks.h"

#include "base/rotation.h"
#include "model/steps.h"

// Measures rotations from x_before to x, because angular velocities may oscillate if steps do not resolve them.
// Most nodes turn less than the fastest one: their directors change by less, 8 sin^2(angle/2) in squares.
void rotation_step(Stepper *p) {
  const Motion *motion = &p->s->motion;
  double half = sin(0.5 * p->fastest.angle), least = (1 - 1e-6) * 8 * half * half;
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    if (model_node(motion->layout.model, motion->layout.node[i])->kind != NODE_FRAME) continue;
    const Vec3 *from = motion->state.x_before + 4 * i, *to = motion->state.x + 4 * i;
    double change = 0;
    for (int j = 1; j < 4; j++) change += vec3_dot(vec3_sub(to[j], from[j]), vec3_sub(to[j], from[j]));
    if (change < least) continue;
    double angle = vec3_norm(rotation_vector(mat3_mul(node_axes(to), mat3_transpose(node_axes(from)))));
    if (angle > (1 + 1e-9) * p->fastest.angle) // ignores round-off
      p->fastest = (FastestRotation){angle, motion->state.time, (double)motion->layout.node[i]};
  }
}

PetscErrorCode RotationReduce(Stepper *p) {
  PetscInt node = (PetscInt)p->fastest.node;
  PetscMPIInt rank;
  PetscFunctionBegin;
  PetscCall(ReduceLargest(p->s->motion.layout.comm, &p->fastest.angle, &node, &rank));
  PetscCallMPI(MPI_Bcast(&p->fastest.time, 1, MPI_DOUBLE, rank, p->s->motion.layout.comm));
  p->fastest.node = (double)node;
  PetscFunctionReturn(0);
}

PetscErrorCode RotationRemark(Stepper *p, char *text, size_t size) {
  RotationError e;
  char name[256], error[256];
  PetscFunctionBegin;
  text[0] = 0;
  PetscCall(RotationReduce(p));
  if (!(p->fastest.angle > MOST_ROTATION * (1 + 1e-9))) PetscFunctionReturn(0);
  model_name_node(p->s->motion.layout.model, (PetscInt)p->fastest.node, name, sizeof name);
  scheme_rotation_error(&p->rule, p->fastest.angle, &e);
  say_rotation_error(&e, p->options.step, error, sizeof error);
  if (error[0])
    snprintf(text, size, "%s turns by %.3g rad per step at t = %.4g s: %s\n", name, p->fastest.angle, p->fastest.time,
             error);
  PetscFunctionReturn(0);
}
