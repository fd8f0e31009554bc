// SPDX-License-Identifier: Apache-2.0
// The state of a run as a list of arrays (state.def), and copies of it in memory. A copy has the numbers of this rank as they are, ghosts
// included, and fits a run of the same model with the same options on the same number of ranks.
#ifndef LIMBER_ANALYSES_STEPPING_SAVED_STATE_H
#define LIMBER_ANALYSES_STEPPING_SAVED_STATE_H

#include "analyses/stepping/stepper.h"
#include "assembly/state_arrays.h"
#include "model/refusal.h"

// A copy in memory. Saving again uses its memory.
typedef struct StateCopy {
  unsigned char *data; // for memory_free
  size_t size, room;
} StateCopy;
// Appends bytes.
Error StateCopyAdd(StateCopy *copy, const void *data, size_t size);

// What has another length from time to time.
typedef struct {
  // Appends its bytes; `own`: those alone that this rank counts.
  PetscErrorCode (*pack)(const Stepper *p, bool own, StateCopy *out);
  // `good`: the bytes fit the run. Collective.
  PetscErrorCode (*unpack)(Stepper *p, const unsigned char *bytes, size_t size, bool *good);
  bool divided;  // each rank has a part of it; else all ranks have the same
  bool attached; // it belongs to what is attached to a run that was restored from a checkpoint, and restored then
} StatePacking;

typedef struct {
  const char *name;
  int kept;
  StateOwner owner;
  size_t item, count; // bytes of one owner; owners on this rank
  void *data;
  const StatePacking *packing; // NULL: it is an array
} StateArray;

enum { MOST_STATE_ARRAYS = 80 };

// The arrays of the state that are kept so (`kept`: all of its bits). Their places hold until the next step.
PetscErrorCode StateList(Stepper *p, int kept, StateArray out[MOST_STATE_ARRAYS], int *count);

PetscErrorCode StateCopySave(Stepper *p, StateCopy *copy);
// `wrong` is "", or why the copy does not fit; then the run is as it was. Collective.
PetscErrorCode StateCopyRestore(Stepper *p, const void *data, size_t size, Refusal *wrong);
// The first array in which two copies differ, NULL: they are the same to the bit.
const char *state_copies_differ(Stepper *p, const StateCopy *a, const StateCopy *b);

// The list of contacts at the places and with the skin that the state has.
PetscErrorCode StateListContacts(Stepper *p);

extern const StatePacking packed_events, packed_loops, packed_pairs, packed_signals, packed_network, packed_sensors;

// A check for development: what ranks know of nodes and joints of other ranks is what these have, bit for bit. It is
// never sent but computed from the same unknowns, so that a difference is a mistake in the program.

// An error on all ranks if the state of a ghost differs from that of its owner. Collective.
PetscErrorCode GhostsCheck(Stepper *p);

#endif
