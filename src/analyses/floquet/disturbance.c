// SPDX-License-Identifier: Apache-2.0
#include "analyses/floquet/floquet.h"

PetscErrorCode DisturbanceCreate(const Layout *layout, Disturbance *d) {
  PetscFunctionBegin;
  PetscCall(PetscCalloc3(4 * layout->nnode, &d->x, 4 * layout->nnode, &d->v, layout->njoint, &d->z));
  PetscFunctionReturn(0);
}

PetscErrorCode DisturbanceDestroy(Disturbance *d) {
  PetscFunctionBegin;
  PetscCall(PetscFree3(d->x, d->v, d->z));
  PetscFunctionReturn(0);
}

void disturbance_add(const Layout *layout, Disturbance *to, double factor, const Disturbance *d) {
  for (PetscInt i = 0; i < 4 * layout->nnode; i++)
    to->x[i] = vec3_axpy(to->x[i], factor, d->x[i]), to->v[i] = vec3_axpy(to->v[i], factor, d->v[i]);
  for (PetscInt j = 0; j < layout->njoint; j++)
    for (int c = 0; c < MAX_COORDS; c++) to->z[j].z[c] += factor * d->z[j].z[c];
}

void disturbance_zero(const Layout *layout, Disturbance *d) {
  for (PetscInt i = 0; i < 4 * layout->nnode; i++) d->x[i] = d->v[i] = vec3_zero();
  for (PetscInt j = 0; j < layout->njoint; j++) d->z[j] = (Coords){{0}};
}

void disturbance_copy(const Layout *layout, const Disturbance *from, Disturbance *to) {
  for (PetscInt i = 0; i < 4 * layout->nnode; i++) to->x[i] = from->x[i], to->v[i] = from->v[i];
  for (PetscInt j = 0; j < layout->njoint; j++) to->z[j] = from->z[j];
}

void disturbance_of_state(const Layout *layout, const State *state, Disturbance *out) {
  for (PetscInt i = 0; i < 4 * layout->nnode; i++) out->x[i] = state->x[i], out->v[i] = state->v[i];
  for (PetscInt j = 0; j < layout->njoint; j++) out->z[j] = state->coord[j];
}

void disturb(const Layout *layout, State *state, const Disturbance *base, double e, const Disturbance *d) {
  for (PetscInt i = 0; i < 4 * layout->nnode; i++) {
    state->x[i] = vec3_axpy(base->x[i], e, d->x[i]);
    state->v[i] = vec3_axpy(base->v[i], e, d->v[i]);
  }
  for (PetscInt j = 0; j < layout->njoint; j++)
    for (int c = 0; c < MAX_COORDS; c++) state->coord[j].z[c] = base->z[j].z[c] + e * d->z[j].z[c];
}
