// SPDX-License-Identifier: Apache-2.0
// Which loads act on what a rank has.
#include "assembly/create.h"

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

// Loads along local elements. A load acts on a component, which may have many elements: the loads of each are listed
// first.
static PetscErrorCode CreateElementLoads(Layout *layout) {
  Model m = layout->model;
  PetscInt nload = m->loads.count, ncomponent = m->components.count, count = 0, *on, *start, *list;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(nload, &on, nload, &list));
  PetscCall(PetscCalloc1(ncomponent + 1, &start));
  for (PetscInt l = 0; l < nload; l++) {
    const Load *q = &model_load(m, l)->load;
    on[l] = q->target == LOAD_ELEMENT ? q->id : -1;
  }
  PetscCall(ListLoads(nload, on, ncomponent, start, list));
  PetscCall(PetscMalloc1(layout->nelement + 1, &layout->element_load_start));
  for (PetscInt e = 0; e < layout->nelement; e++) {
    PetscInt c = model_element(m, layout->element[e])->component;
    layout->element_load_start[e] = count, count += start[c + 1] - start[c];
  }
  layout->element_load_start[layout->nelement] = count;
  PetscCall(PetscMalloc1(count, &layout->element_load));
  for (PetscInt e = 0; e < layout->nelement; e++) {
    PetscInt c = model_element(m, layout->element[e])->component;
    PetscCall(
        PetscArraycpy(layout->element_load + layout->element_load_start[e], list + start[c], start[c + 1] - start[c]));
  }
  PetscCall(PetscFree(start));
  PetscCall(PetscFree2(on, list));
  PetscFunctionReturn(0);
}

// The masses of the items on which a field acts.
static PetscErrorCode CreateFieldMass(Layout *layout, PetscInt l) {
  const Load *q = &model_load(layout->model, layout->field[l])->load;
  PetscFunctionBegin;
  bool all = !q->ncomponents && !layout->model->ports.count; // what is lent to a port keeps its weight
  layout->field_mass[l] = NULL;
  for (int i = 0; i < layout->model->components.count && all; i++)
    all = !model_component(layout->model, i)->kind->around;
  if (all) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(layout->nnode, &layout->field_mass[l]));
  for (PetscInt e = 0; e < layout->nelement; e++) {
    const ModelElement *el = model_element(layout->model, layout->element[e]);
    if (el->kind->around || !load_acts_on(q, el->component)) continue;
    for (int a = 0; a < el->nnode; a++) {
      Inertia i;
      double *at = layout->field_mass[l][layout->element_node[layout->element_node_start[e] + a]];
      el->kind->inertia(el->data, a, &i);
      at[0] += i.m, at[1] += i.s.x, at[2] += i.s.y, at[3] += i.s.z;
    }
  }
  PetscFunctionReturn(0);
}

PetscErrorCode LayoutCreateLoads(Layout *layout) {
  PetscInt nload = layout->model->loads.count, njoint = layout->model->joints.count, *at, *local_joint;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(layout->nnode + 1, &layout->node_load_start, nload, &layout->node_load));
  PetscCall(PetscCalloc2(layout->njoint + 1, &layout->joint_load_start, nload, &layout->joint_load));
  PetscCall(PetscMalloc2(nload, &layout->field, nload, &layout->field_mass));
  PetscCall(PetscMalloc2(nload, &at, njoint, &local_joint));
  for (PetscInt j = 0; j < njoint; j++) local_joint[j] = -1;
  for (PetscInt j = 0; j < layout->njoint; j++) local_joint[layout->joint[j]] = j;
  for (PetscInt l = 0; l < nload; l++) {
    const Load *q = &model_load(layout->model, l)->load;
    at[l] = q->target == LOAD_NODE ? layout->local_node[q->id] : -1;
    if (q->target == LOAD_FIELD) layout->field[layout->nfield++] = l;
  }
  PetscCall(ListLoads(nload, at, layout->nnode, layout->node_load_start, layout->node_load));
  for (PetscInt l = 0; l < nload; l++) {
    const Load *q = &model_load(layout->model, l)->load;
    at[l] = q->target == LOAD_JOINT ? local_joint[q->id] : -1;
  }
  PetscCall(ListLoads(nload, at, layout->njoint, layout->joint_load_start, layout->joint_load));
  PetscCall(PetscFree2(at, local_joint));
  for (PetscInt l = 0; l < layout->nfield; l++) PetscCall(CreateFieldMass(layout, l));
  PetscCall(CreateElementLoads(layout));
  PetscFunctionReturn(0);
}

PetscErrorCode LayoutDestroyLoads(Layout *layout) {
  PetscFunctionBegin;
  PetscCall(PetscFree2(layout->node_load_start, layout->node_load));
  for (PetscInt l = 0; l < layout->nfield; l++) PetscCall(PetscFree(layout->field_mass[l]));
  PetscCall(PetscFree2(layout->field, layout->field_mass));
  PetscCall(PetscFree(layout->element_load_start));
  PetscCall(PetscFree(layout->element_load));
  PetscCall(PetscFree2(layout->joint_load_start, layout->joint_load));
  PetscFunctionReturn(0);
}
