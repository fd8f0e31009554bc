// SPDX-License-Identifier: Apache-2.0
// The arrays of the state (state.def), each with its owner: allocated, and counted.
#ifndef LIMBER_ASSEMBLY_STATE_ARRAYS_H
#define LIMBER_ASSEMBLY_STATE_ARRAYS_H

#include "assembly/system.h"

typedef enum {
  OWNER_NODE,    // nodes of this rank, ghosts included; the first is the ground
  OWNER_JOINT,   // joints of this rank
  OWNER_ELEMENT, // rows that elements of this rank remember, one after the other
  OWNER_UNKNOWN, // own blocks of unknowns
  OWNER_LOAD,    // all loads; their numbers are known where the joint is counted on which they act
  OWNER_WHEEL,   // all wheels; their numbers are known where the node is owned
  OWNER_STOP,    // stops and springs of one side that this rank follows (analyses/stepping/contact.h)
  OWNER_RUN,     // the run: the same numbers on every rank
  OWNERS
} StateOwner;

// What of the state is kept where (state.def).
enum { MEMORY = 0, SAVED = 1, TRIED = SAVED | 2, LOOSE = SAVED | 4 };

PetscErrorCode SystemCreateArrays(System *s);
PetscErrorCode SystemDestroyArrays(System *s);
// How many of an owner of the system there are on this rank.
size_t state_owner_count(const Layout *layout, const State *state, StateOwner owner);

#endif
