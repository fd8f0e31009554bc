// SPDX-License-Identifier: Apache-2.0
// The state of a run as a list of arrays (state.def), and copies of it in memory. A copy contains the numbers of this
// rank, including ghosts, and fits a run of the same model with the same options and number of ranks.
#ifndef LIMBER_ANALYSES_STEPPING_SAVED_STATE_H
#define LIMBER_ANALYSES_STEPPING_SAVED_STATE_H

#include "analyses/stepping/stepper.h"
#include "assembly/state_arrays.h"
#include "model/refusal.h"

// A copy in memory. Saving again reuses its memory.
typedef struct StateCopy {
  unsigned char *data; // for memory_free
  size_t size, room;
} StateCopy;
// Appends bytes; NULL: zeros.
Error StateCopyAdd(StateCopy *copy, const void *data, size_t size);

// How to save data whose length changes.
typedef struct {
  // Appends its bytes; `own`: only those for which this rank is primary.
  PetscErrorCode (*pack)(const Stepper *p, bool own, StateCopy *out);
  // `good`: the bytes fit the run. Collective.
  PetscErrorCode (*unpack)(Stepper *p, const unsigned char *bytes, size_t size, bool *good);
  bool divided;  // each rank has a part of it; otherwise all ranks have the same
  bool attached; // it belongs to a part attached to the run later, and is restored then
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

static inline size_t state_array_bytes(const StateArray *a) { return a->item * a->count; }
// It is padded where arrays are joined in a vector of numbers.
static inline size_t state_array_numbers(const StateArray *a) {
  return (state_array_bytes(a) + sizeof(double) - 1) / sizeof(double);
}

// The arrays of the state that have all bits of `kept`. Their addresses are valid until the next step.
PetscErrorCode StateList(Stepper *p, int kept, StateArray out[MOST_STATE_ARRAYS], int *count);

// The numbers of an owner by rows, whose order is that of the model and the same on every rank.
typedef struct {
  PetscInt total, items; // rows of the model; owners per row
  PetscInt count;        // rows on this rank: their number ...
  PetscInt *local, *row; // ... and their indices in the array and in the model
} OwnerRows;

// Those for which this rank is primary, or `all` that are here. Not of the run. owner_rows.c
PetscErrorCode OwnerRowsCreate(const Stepper *p, StateOwner owner, bool all, OwnerRows *out);
PetscErrorCode OwnerRowsDestroy(OwnerRows *rows);

PetscErrorCode StateCopySave(Stepper *p, StateCopy *copy);
// `wrong`: "", or why the copy does not fit; the run is then unchanged. Collective.
PetscErrorCode StateCopyRestore(Stepper *p, const void *data, size_t size, Refusal *wrong);
// Restores only what happens between steps. Collective.
PetscErrorCode StateCopyRestoreBetween(Stepper *p, const StateCopy *copy);
// The first array in which two copies differ; NULL: they are bit-for-bit identical.
const char *state_copies_differ(Stepper *p, const StateCopy *a, const StateCopy *b);

// Makes the contact list for the positions and the skin stored in the state.
PetscErrorCode StateListContacts(Stepper *p);

extern const StatePacking packed_events, packed_loops, packed_pairs, packed_signals, packed_network, packed_sensors;

// A check for development: the state of ghosts must equal that of their owners bit for bit. It is never sent but
// computed from the same unknowns, so a difference is a programming error.

// Raises an error on all ranks if the state of a ghost differs from that of its owner. Collective.
PetscErrorCode GhostsCheck(Stepper *p);

#endif
