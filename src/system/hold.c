// SPDX-License-Identifier: Apache-2.0
// Elements that are held by multipliers found in an outer loop (mechanics/hold.h).
#include "system/system.h"

enum { LONGEST = 200 };              // solutions of a step
static const double sluggish = 0.99; // strain left over that left by the solution before: more is no progress
static const double at_floor = 1e-9; // strain below which round-off may be all that is left

PetscErrorCode SystemCreateHeld(System *s) {
  PetscInt count = 0;
  bool any = false;
  PetscFunctionBegin;
  for (PetscInt e = 0; e < s->model->elements.count && !any; e++) {
    const ModelElement *el = model_element(s->model, e);
    any = element_is_held(el->kind, el->data);
  }
  if (!any) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(s->nelement, &s->held_at));
  for (PetscInt e = 0; e < s->nelement; e++) {
    const ModelElement *el = model_element(s->model, s->element[e]);
    s->held_at[e] = element_is_held(el->kind, el->data) ? count++ : -1;
  }
  PetscCall(PetscCalloc1(count, &s->held));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemDestroyHeld(System *s) {
  PetscFunctionBegin;
  PetscCall(PetscFree(s->held_at));
  PetscCall(PetscFree(s->held));
  PetscFunctionReturn(0);
}

double system_held_work(const System *s, const double *q, PetscInt e) {
  const ModelElement *el = model_element(s->model, s->element[e]);
  Item it;
  if (!system_held(s, e)) return 0;
  system_element_item(s, q, e, &it);
  return hold_work(el->kind, el->data, &s->rule->tableau, &it, system_held(s, e));
}

// The largest strain that is left, and that over what its element allows; or gives to the multipliers what the springs carry.
static PetscErrorCode Visit(System *s, bool update, double worst[2]) {
  const double *q;
  Vec local;
  PetscFunctionBegin;
  PetscCall(SystemRefresh(s));
  PetscCall(SystemOpenUnknowns(s, &local, &q));
  for (PetscInt e = 0; e < s->nelement; e++) {
    const ModelElement *el = model_element(s->model, s->element[e]);
    Item it;
    if (!system_held(s, e)) continue;
    system_element_item(s, q, e, &it);
    if (update) hold_update(el->kind, el->data, &s->rule->tableau, &it, s->stiffer, system_held(s, e));
    double strain = hold_strain(el->kind, el->data, &it);
    worst[0] = PetscMax(worst[0], strain), worst[1] = PetscMax(worst[1], strain / el->kind->hold(el->data));
  }
  PetscCall(SystemCloseUnknowns(s, &local, &q));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_DOUBLE, MPI_MAX, s->comm));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemSettle(System *s, double scale, double tolerance, int limit, NewtonOutcome *out) {
  int iterations = 0;
  double before = PETSC_MAX_REAL;
  PetscFunctionBegin;
  s->stiffer = s->usual_step > 0 ? PetscSqr(s->usual_step / s->h) : 1; // against masses a spring is what k h^2 is
  for (PetscInt e = 0; s->held_at && e < s->nelement; e++)
    if (system_held(s, e)) PetscCall(PetscArrayzero(&s->held[s->held_at[e]][0][0], MAX_INTERVALS * MAX_ROWS));
  for (int i = 1; i <= LONGEST; i++) {
    double worst[2] = {0, 0};
    PetscCall(SystemNewton(s, scale, tolerance, limit, out));
    out->iterations = iterations += out->iterations;
    if (!s->held_at || !out->converged) break;
    PetscCall(Visit(s, false, worst));
    s->held_strain = worst[0];
    if (s->stiffer * worst[1] <= 1) break;
    if (worst[0] <= at_floor && worst[0] > sluggish * before) break;
    before = worst[0];
    out->converged = i < LONGEST;
    PetscCall(Visit(s, true, worst));
  }
  PetscFunctionReturn(0);
}
