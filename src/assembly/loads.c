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

// Loads along local elements. A load acts on a component, which may have many elements: the loads of each are listed first.
static PetscErrorCode CreateElementLoads(System *s) {
  Model m = s->layout.model;
  PetscInt nload = m->loads.count, ncomponent = m->components.count, count = 0, *on, *start, *list;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(nload, &on, nload, &list));
  PetscCall(PetscCalloc1(ncomponent + 1, &start));
  for (PetscInt l = 0; l < nload; l++) {
    const Load *q = &model_load(m, l)->load;
    on[l] = q->target == LOAD_ELEMENT ? q->id : -1;
  }
  PetscCall(ListLoads(nload, on, ncomponent, start, list));
  PetscCall(PetscMalloc1(s->layout.nelement + 1, &s->layout.element_load_start));
  for (PetscInt e = 0; e < s->layout.nelement; e++) {
    PetscInt c = model_element(m, s->layout.element[e])->component;
    s->layout.element_load_start[e] = count, count += start[c + 1] - start[c];
  }
  s->layout.element_load_start[s->layout.nelement] = count;
  PetscCall(PetscMalloc1(count, &s->layout.element_load));
  for (PetscInt e = 0; e < s->layout.nelement; e++) {
    PetscInt c = model_element(m, s->layout.element[e])->component;
    PetscCall(PetscArraycpy(s->layout.element_load + s->layout.element_load_start[e], list + start[c],
                            start[c + 1] - start[c]));
  }
  PetscCall(PetscFree(start));
  PetscCall(PetscFree2(on, list));
  PetscFunctionReturn(0);
}

// The masses of the items on which a field acts.
static PetscErrorCode CreateFieldMass(System *s, PetscInt l) {
  const Load *q = &model_load(s->layout.model, s->layout.field[l])->load;
  PetscFunctionBegin;
  bool all = !q->ncomponents;
  s->layout.field_mass[l] = NULL;
  for (int i = 0; i < s->layout.model->components.count && all; i++)
    all = !model_component(s->layout.model, i)->kind->around;
  if (all) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(s->layout.nnode, &s->layout.field_mass[l]));
  for (PetscInt e = 0; e < s->layout.nelement; e++) {
    const ModelElement *el = model_element(s->layout.model, s->layout.element[e]);
    if (el->kind->around || !load_acts_on(q, el->component)) continue;
    for (int a = 0; a < el->nnode; a++) {
      Inertia i;
      double *at = s->layout.field_mass[l][s->layout.element_node[s->layout.element_node_start[e] + a]];
      el->kind->inertia(el->data, a, &i);
      at[0] += i.m, at[1] += i.s.x, at[2] += i.s.y, at[3] += i.s.z;
    }
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCreateLoads(System *s) {
  PetscInt nload = s->layout.model->loads.count, njoint = s->layout.model->joints.count, *at, *local_joint;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(s->layout.nnode + 1, &s->layout.node_load_start, nload, &s->layout.node_load));
  PetscCall(PetscCalloc2(s->layout.njoint + 1, &s->layout.joint_load_start, nload, &s->layout.joint_load));
  PetscCall(PetscMalloc2(nload, &s->layout.field, nload, &s->layout.field_mass));
  PetscCall(PetscMalloc2(nload, &at, njoint, &local_joint));
  for (PetscInt j = 0; j < njoint; j++) local_joint[j] = -1;
  for (PetscInt j = 0; j < s->layout.njoint; j++) local_joint[s->layout.joint[j]] = j;
  for (PetscInt l = 0; l < nload; l++) {
    const Load *q = &model_load(s->layout.model, l)->load;
    at[l] = q->target == LOAD_NODE ? s->layout.local_node[q->id] : -1;
    if (q->target == LOAD_FIELD) s->layout.field[s->layout.nfield++] = l;
  }
  PetscCall(ListLoads(nload, at, s->layout.nnode, s->layout.node_load_start, s->layout.node_load));
  for (PetscInt l = 0; l < nload; l++) {
    const Load *q = &model_load(s->layout.model, l)->load;
    at[l] = q->target == LOAD_JOINT ? local_joint[q->id] : -1;
  }
  PetscCall(ListLoads(nload, at, s->layout.njoint, s->layout.joint_load_start, s->layout.joint_load));
  PetscCall(PetscFree2(at, local_joint));
  for (PetscInt l = 0; l < s->layout.nfield; l++) PetscCall(CreateFieldMass(s, l));
  PetscCall(CreateElementLoads(s));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemDestroyLoads(System *s) {
  PetscFunctionBegin;
  PetscCall(PetscFree2(s->layout.node_load_start, s->layout.node_load));
  for (PetscInt l = 0; l < s->layout.nfield; l++) PetscCall(PetscFree(s->layout.field_mass[l]));
  PetscCall(PetscFree2(s->layout.field, s->layout.field_mass));
  PetscCall(PetscFree(s->layout.element_load_start));
  PetscCall(PetscFree(s->layout.element_load));
  PetscCall(PetscFree2(s->layout.joint_load_start, s->layout.joint_load));
  PetscFunctionReturn(0);
}
