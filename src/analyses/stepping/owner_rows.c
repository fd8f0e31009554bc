// SPDX-License-Identifier: Apache-2.0
// The rows of each owner of the state in the order of the model (saved_state.h).
#include "analyses/stepping/saved_state.h"

#include "analyses/stepping/contact.h"
#include "assembly/step_memory.h"
#include "assembly/wheels.h"

static void add_row(OwnerRows *r, PetscInt local, PetscInt row) {
  r->local[r->count] = local, r->row[r->count++] = row;
}

static PetscErrorCode MakeRoom(OwnerRows *r, PetscInt room) {
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(room, &r->local, room, &r->row));
  PetscFunctionReturn(0);
}

static PetscErrorCode ListNodes(const Layout *layout, bool all, OwnerRows *r) {
  PetscInt count = all ? layout->nnode : layout->nnode_own;
  PetscFunctionBegin;
  PetscCall(MakeRoom(r, count));
  r->total = layout->model->nodes.count;
  for (PetscInt i = 1; i < count; i++) add_row(r, i, layout->node[i]);
  PetscFunctionReturn(0);
}

static PetscErrorCode ListJoints(const Layout *layout, bool all, OwnerRows *r) {
  PetscFunctionBegin;
  PetscCall(MakeRoom(r, layout->njoint));
  r->total = layout->model->joints.count;
  for (PetscInt j = 0; j < layout->njoint; j++)
    if (all || layout->joint_primary[j]) add_row(r, j, layout->joint[j]);
  PetscFunctionReturn(0);
}

static PetscInt common_divisor(PetscInt a, PetscInt b) {
  while (b) {
    PetscInt rest = a % b;
    a = b, b = rest;
  }
  return a;
}

// A row of an element array has a fixed number of element rows: the greatest common divisor over all elements.
static PetscErrorCode ListElementRows(const Layout *layout, const State *state, bool all, OwnerRows *r) {
  PetscInt *first, count = layout->model->elements.count, room = 0, divisor = 0;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count + 1, &first));
  first[0] = 0;
  for (PetscInt e = 0; e < count; e++) {
    PetscInt own = layout_remembers(layout, e);
    first[e + 1] = first[e] + own, divisor = common_divisor(divisor, own);
  }
  r->items = PetscMax(1, divisor), r->total = first[count] / r->items;
  for (PetscInt e = 0; e < layout->nelement; e++) room += first[layout->element[e] + 1] - first[layout->element[e]];
  PetscCall(MakeRoom(r, room / r->items));
  for (PetscInt e = 0; e < layout->nelement; e++) {
    PetscInt id = layout->element[e], start = state->row_increment_start[e];
    for (PetscInt k = 0; k < first[id + 1] - first[id] && (all || layout->element_primary[e]); k += r->items)
      add_row(r, (start + k) / r->items, (first[id] + k) / r->items);
  }
  PetscCall(PetscFree(first));
  PetscFunctionReturn(0);
}

// Blocks for a joint in the order of the model, including its coordinates even if these are not unknowns (mechanics/joint.h).
static PetscInt joint_room(const Layout *layout, PetscInt j) {
  const Joint *m = &model_joint(layout->model, (int)j)->joint;
  return joint_blocks(m) + (layout->rule->projects_velocities ? projection_blocks(m) : 0);
}

static PetscErrorCode ListUnknowns(const Layout *layout, OwnerRows *r) {
  Model m = layout->model;
  PetscInt *node, *joint;
  PetscFunctionBegin;
  PetscCall(MakeRoom(r, layout->nblock_own));
  PetscCall(PetscMalloc2(m->nodes.count, &node, m->joints.count, &joint));
  for (PetscInt i = 0; i < m->nodes.count; i++) node[i] = r->total, r->total += layout_node_blocks(layout, i);
  for (PetscInt j = 0; j < m->joints.count; j++) joint[j] = r->total, r->total += joint_room(layout, j);
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    PetscInt id = layout->node[i], from = layout->node_block[i] - layout_projection_blocks(layout, id);
    for (int b = 0; b < layout_node_blocks(layout, id) && layout->node_block[i] >= 0; b++)
      add_row(r, from + b, node[id] + b);
  }
  for (PetscInt j = 0; j < layout->njoint; j++) {
    PetscInt id = layout->joint[j], own = joint_blocks(layout_joint(layout, j)), all = layout_joint_blocks(layout, id);
    for (PetscInt b = 0; b < all && layout->joint_primary[j]; b++) // blocks of the projection are last
      add_row(r, layout->joint_block[j] + b, joint[id] + (b < own ? b : joint_room(layout, id) - all + b));
  }
  PetscCall(PetscFree2(node, joint));
  PetscFunctionReturn(0);
}

static PetscErrorCode ListLoads(const Layout *layout, OwnerRows *r) {
  PetscFunctionBegin;
  r->total = layout->model->loads.count;
  PetscCall(MakeRoom(r, layout->joint_load_start[layout->njoint]));
  for (PetscInt j = 0; j < layout->njoint; j++)
    for (PetscInt i = layout->joint_load_start[j]; i < layout->joint_load_start[j + 1]; i++)
      if (layout->joint_primary[j]) add_row(r, layout->joint_load[i], layout->joint_load[i]);
  PetscFunctionReturn(0);
}

static PetscErrorCode ListWheels(const Layout *layout, bool all, OwnerRows *r) {
  PetscFunctionBegin;
  r->total = layout->model->wheels.count;
  PetscCall(MakeRoom(r, r->total));
  for (PetscInt i = 0; i < r->total; i++)
    if (all || layout_wheel_node(layout, i) >= 0) add_row(r, i, i);
  PetscFunctionReturn(0);
}

static PetscErrorCode ListStops(const Contacts *c, OwnerRows *r) {
  PetscFunctionBegin;
  r->total = c->all;
  PetscCall(MakeRoom(r, c->count));
  for (PetscInt i = 0; i < c->count; i++) add_row(r, i, c->watched[i].all);
  PetscFunctionReturn(0);
}

PetscErrorCode OwnerRowsCreate(const Stepper *p, StateOwner owner, bool all, OwnerRows *r) {
  const Motion *motion = &p->s->motion;
  PetscFunctionBegin;
  *r = (OwnerRows){.items = 1};
  switch (owner) {
  case OWNER_NODE: PetscCall(ListNodes(&motion->layout, all, r)); break;
  case OWNER_JOINT: PetscCall(ListJoints(&motion->layout, all, r)); break;
  case OWNER_ELEMENT: PetscCall(ListElementRows(&motion->layout, &motion->state, all, r)); break;
  case OWNER_UNKNOWN: PetscCall(ListUnknowns(&motion->layout, r)); break;
  case OWNER_LOAD: PetscCall(ListLoads(&motion->layout, r)); break;
  case OWNER_WHEEL: PetscCall(ListWheels(&motion->layout, all, r)); break;
  case OWNER_STOP: PetscCall(ListStops(p->contacts, r)); break;
  case OWNER_RUN:
  case OWNERS: SETERRQ(PETSC_COMM_SELF, PETSC_ERR_PLIB, "the run has no rows");
  }
  PetscFunctionReturn(0);
}

PetscErrorCode OwnerRowsDestroy(OwnerRows *r) {
  PetscFunctionBegin;
  PetscCall(PetscFree2(r->local, r->row));
  PetscFunctionReturn(0);
}
