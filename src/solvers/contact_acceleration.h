// SPDX-License-Identifier: Apache-2.0
// Faster convergence of the multipliers of contacts without penetration.
#ifndef LIMBER_SOLVERS_CONTACT_ACCELERATION_H
#define LIMBER_SOLVERS_CONTACT_ACCELERATION_H

#include "assembly/contacts.h"

enum { ACCELERATION_DEPTH = 12 }; // solutions that it remembers

typedef struct {
  PetscInt size;                   // numbers of all pairs of this rank
  int count;                       // directions
  bool begun;                      // there was a solution before
  double *memory;                  // of all arrays below
  double *before, *after;          // multipliers before and after the last solution
  double *last_after, *last_error; // of the solution before
  double *direction, *image;       // orthonormal changes of errors; changes of multipliers that belong to them
} Acceleration;

PetscErrorCode AccelerationCreate(const ContactSet *contacts, Acceleration *a);
PetscErrorCode AccelerationDestroy(Acceleration *a);
void acceleration_forget(Acceleration *a);
// The multipliers as they are, for `before`, before a solution gives them what it found.
void acceleration_take(const ContactSet *contacts, double *out);
// After that, in their place better ones.
PetscErrorCode AccelerateMultipliers(Motion *motion, Acceleration *a);
// What that solution found after all, where the better ones lead nowhere.
void acceleration_undo(ContactSet *contacts, Acceleration *a);

#endif
