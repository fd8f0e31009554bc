// SPDX-License-Identifier: Apache-2.0
// Which loads act on what a rank has.
#include "assembly/system.h"

// Loads on each local thing, `at[load]` or -1, as a compressed list.
static PetscErrorCode ListLoads(PetscInt nload, const PetscInt *at, PetscInt count, PetscInt *start, PetscInt *list) {
  PetscFunctionBegin;
  for (PetscInt l = 0; l < nload; l++)
    if (at[l] >= 0) start[at[l] + 1]++;
  for (PetscInt i = 0; i < count; i++) start[i + 1] += start[i];
  for (PetscInt l = nload; l-- > 0;) // backwards, so that `start` may be counted down to where it belongs
    if (at[l] >= 0) list[--start[at[l] + 1]] = l;
  for (PetscInt i = 0; i < count; i++) start[i] = start[i + 1];
  start[count] = 0;
  for (PetscInt l = 0; l < nload; l++) start[count] += at[l] >= 0;
  PetscFunctionReturn(0);
}

// Loads along local elements. A load acts on an item, which may be many.
static PetscErrorCode CreateElementLoads(System *s) {
  PetscInt nload = s->model->loads.count, count = 0;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(s->nelement + 1, &s->element_load_start));
  for (int pass = 0; pass < 2; pass++) {
    for (PetscInt e = 0; e < s->nelement; e++) {
      if (pass) s->element_load_start[e] = count;
      for (PetscInt l = 0; l < nload; l++) {
        const Load *q = &model_load(s->model, l)->load;
        if (q->target != LOAD_ELEMENT || q->id != model_element(s->model, s->element[e])->item) continue;
        if (pass) s->element_load[count] = l;
        count++;
      }
    }
    if (pass) s->element_load_start[s->nelement] = count;
    else PetscCall(PetscMalloc1(count, &s->element_load));
    if (!pass) count = 0;
  }
  PetscFunctionReturn(0);
}

// The masses of the items on which a field acts.
static PetscErrorCode CreateFieldMass(System *s, PetscInt l) {
  const Load *q = &model_load(s->model, s->field[l])->load;
  PetscFunctionBegin;
  s->field_mass[l] = NULL;
  if (!q->nitem) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(s->nnode, &s->field_mass[l]));
  for (PetscInt e = 0; e < s->nelement; e++) {
    const ModelElement *el = model_element(s->model, s->element[e]);
    if (!load_acts_on(q, el->item)) continue;
    for (int a = 0; a < el->nnode; a++) {
      Inertia i;
      double *at = s->field_mass[l][s->element_node[s->element_node_start[e] + a]];
      el->kind->inertia(el->data, a, &i);
      at[0] += i.m, at[1] += i.s.x, at[2] += i.s.y, at[3] += i.s.z;
    }
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCreateLoads(System *s) {
  PetscInt nload = s->model->loads.count, *at;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(s->nnode + 1, &s->node_load_start, nload, &s->node_load));
  PetscCall(PetscCalloc2(s->njoint + 1, &s->joint_load_start, nload, &s->joint_load));
  PetscCall(PetscMalloc2(nload, &s->field, nload, &s->field_mass));
  PetscCall(PetscMalloc1(nload, &at));
  for (PetscInt l = 0; l < nload; l++) {
    const Load *q = &model_load(s->model, l)->load;
    at[l] = q->target == LOAD_NODE ? s->local_node[q->id] : -1;
    if (q->target == LOAD_FIELD) s->field[s->nfield++] = l;
  }
  PetscCall(ListLoads(nload, at, s->nnode, s->node_load_start, s->node_load));
  for (PetscInt l = 0; l < nload; l++) {
    const Load *q = &model_load(s->model, l)->load;
    at[l] = -1;
    for (PetscInt j = 0; q->target == LOAD_JOINT && j < s->njoint; j++)
      if (s->joint[j] == q->id) at[l] = j;
  }
  PetscCall(ListLoads(nload, at, s->njoint, s->joint_load_start, s->joint_load));
  PetscCall(PetscFree(at));
  for (PetscInt l = 0; l < s->nfield; l++) PetscCall(CreateFieldMass(s, l));
  PetscCall(CreateElementLoads(s));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemDestroyLoads(System *s) {
  PetscFunctionBegin;
  PetscCall(PetscFree2(s->node_load_start, s->node_load));
  for (PetscInt l = 0; l < s->nfield; l++) PetscCall(PetscFree(s->field_mass[l]));
  PetscCall(PetscFree2(s->field, s->field_mass));
  PetscCall(PetscFree(s->element_load_start));
  PetscCall(PetscFree(s->element_load));
  PetscCall(PetscFree2(s->joint_load_start, s->joint_load));
  PetscFunctionReturn(0);
}
