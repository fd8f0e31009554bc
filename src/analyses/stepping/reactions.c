// SPDX-License-Identifier: Apache-2.0
#include "analyses/stepping/reactions.h"

#include "analyses/stepping/observable.h"
#include "solvers/redundancy.h"

#include <string.h>

void reactions_begin(Stepper *p) {
  size_t joints = (size_t)p->s->layout.njoint;
  memset(p->s->state.reaction, 0, joints * sizeof *p->s->state.reaction);
  memset(p->mean_multiplier, 0, joints * sizeof *p->mean_multiplier);
}

PetscErrorCode ReactionsAdd(Stepper *p, double length) {
  System *s = p->s;
  const double *q;
  Vec local;
  PetscFunctionBegin;
  if (s->layout.njoint == 0) PetscFunctionReturn(0);
  PetscCall(SystemLeastNormMultipliers(s));
  PetscCall(SystemOpenUnknowns(s, &local, &q));
  for (PetscInt j = 0; j < s->layout.njoint; j++) {
    Vec3 one[2];
    for (int r = 0; r < MAX_ROWS; r++) p->mean_multiplier[j][r] += length * s->state.multiplier[j][r];
    if (!s->layout.joint_primary[j]) continue;
    system_joint_reaction(s, q, j, one);
    for (int k = 0; k < 2; k++) s->state.reaction[j][k] = vec3_axpy(s->state.reaction[j][k], length, one[k]);
  }
  PetscCall(SystemCloseUnknowns(s, &local, &q));
  PetscFunctionReturn(0);
}

void reactions_end(Stepper *p) {
  memcpy(p->s->state.multiplier, p->mean_multiplier, (size_t)p->s->layout.njoint * sizeof *p->mean_multiplier);
}
