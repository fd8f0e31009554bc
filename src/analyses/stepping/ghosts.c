// SPDX-License-Identifier: Apache-2.0
#include "analyses/stepping/ghosts.h"

#include "analyses/stepping/saved_state.h"
#include "assembly/reduce.h"
#include "results/container/container.h"

// The number in the model of a node or joint of this rank, and whether this rank owns it.
static PetscInt number_of(const Layout *l, StateOwner owner, size_t i) {
  return owner == OWNER_NODE ? l->node[i] : l->joint[i];
}
static bool is_owned(const Layout *l, StateOwner owner, size_t i) {
  return owner == OWNER_NODE ? (PetscInt)i < l->nnode_own : l->joint_primary[i];
}

static PetscInt64 checksum_of(const StateArray *a, size_t i) {
  return (PetscInt64)container_checksum(0, (const unsigned char *)a->data + i * a->item, a->item);
}

static PetscErrorCode CheckArray(const Layout *l, const StateArray *a) {
  PetscInt all = a->owner == OWNER_NODE ? l->model->nodes.count : l->model->joints.count, first = PETSC_MAX_INT;
  PetscInt64 *sum; // of each node or joint, from its owner
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(all, &sum));
  for (size_t i = 0; i < a->count; i++)
    if (is_owned(l, a->owner, i)) sum[number_of(l, a->owner, i)] = checksum_of(a, i);
  sum[0] = a->owner == OWNER_NODE ? 0 : sum[0]; // every rank owns the ground
  PetscCall(ReduceArray(l->comm, sum, all, MPIU_INT64, MPI_BOR));
  for (size_t i = a->owner == OWNER_NODE; i < a->count; i++) {
    PetscInt number = number_of(l, a->owner, i);
    if (checksum_of(a, i) != sum[number]) first = PetscMin(first, number);
  }
  PetscCall(PetscFree(sum));
  PetscCall(ReduceArray(l->comm, &first, 1, MPIU_INT, MPI_MIN));
  PetscCheck(first == PETSC_MAX_INT, l->comm, PETSC_ERR_PLIB, "`%s` of %s %" PetscInt_FMT " differs between ranks",
             a->name, a->owner == OWNER_NODE ? "node" : "joint", first);
  PetscFunctionReturn(0);
}

PetscErrorCode GhostsCheck(Stepper *p) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  PetscFunctionBegin;
  if (p->s->motion.layout.size == 1) PetscFunctionReturn(0);
  PetscCall(StateList(p, TRIED, list, &count));
  for (int i = 0; i < count; i++)
    if (list[i].owner == OWNER_NODE || list[i].owner == OWNER_JOINT)
      PetscCall(CheckArray(&p->s->motion.layout, &list[i]));
  PetscFunctionReturn(0);
}

PetscErrorCode GhostsCheckIfAsked(Stepper *p) {
  PetscBool asked = PETSC_FALSE;
  PetscFunctionBegin;
  if (p->s->motion.layout.size == 1) PetscFunctionReturn(0);
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-limber_check_ghosts", &asked, NULL));
  if (asked) PetscCall(GhostsCheck(p));
  PetscFunctionReturn(0);
}
