// SPDX-License-Identifier: Apache-2.0
// Which pairs of a list need no look at: a pair whose gap at t_n is larger than all that its nodes move in the step is apart. Of a list of
// thousands few touch, and the numbers that tell this of the others fit in the cache, which the pairs do not.
//
// A gap is a distance of a point from a rigid body: it changes by no more than the point moves relative to the body. From a body without
// hollows it shrinks by no more than the point moves against the normal at t_n. After a step this is taken off the gap, which from then on
// is a lower bound; only where that does not suffice, gap and normal are found again.
// Equations: eq-contact-apart (22.16).
#ifndef LIMBER_ASSEMBLY_CONTACT_SIEVE_H
#define LIMBER_ASSEMBLY_CONTACT_SIEVE_H

#include "assembly/contacts.h"
#include "base/vec3.h"

#include <petscsys.h>

struct ContactSieve {
  double gap;              // at t_n, or less; -HUGE_VAL: not known
  double arm;              // of its points about its nodes at t_n, or more
  int node[CONTACT_NODES]; // local, that move; else the ground
  int slots;               // in the tangent
  bool always;             // it is looked at in every step: without penetration, or of a face
  bool exact;              // the gap is that of t_n
  bool begun;              // the pair has what it needs of t_n
  bool remembers;          // perhaps: a speed of approach or a deflection
};

struct ContactNormal {          // of a pair whose gap is exact
  Vec3 normal;                  // zero: the body is hollow
  double weight[CONTACT_NODES]; // of the nodes in the motion of the point relative to the body
};

// All of a new list: nothing is known of their gaps.
PetscErrorCode ContactSieveCreate(Motion *motion);
// The state is another one, or a step begins.
void contact_sieve_forget(ContactSet *contacts);
void contact_sieve_begin(ContactSet *contacts);
// The motion of the step under way by the unknowns, before pairs are asked for.
void contact_sieve_move(Motion *motion);
bool contact_is_apart(const Motion *motion, PetscInt item);
// A step ends: gaps from now on are those of its end.
void contact_sieve_end(ContactSet *set);
// Whether a pair is surely apart in the state.
bool contact_has_no_energy(const Layout *layout, const ContactSet *contacts, PetscInt item);

// Pairs of round things that are near each other, in a time proportional to their number. Each stands in the cell of
// its centre, on a level of cells about as large as itself; from each, the cells around it are searched on its own
// level and those of larger ones, at most 27 a level (C. Ericson, Real-Time Collision Detection, 2005, section 7.2). So
// one that is much larger than the others costs nothing.

// Called once for each pair whose spheres meet, and perhaps for others that are near, in no order that means anything.
typedef PetscErrorCode (*ContactGridPair)(void *context, PetscInt i, PetscInt j);

// Spheres of radius[i] about place[i]; radii are finite and not negative.
PetscErrorCode ContactGridPairs(PetscInt count, const Vec3 *place, const double *radius, ContactGridPair visit,
                                void *context);

#endif
