// SPDX-License-Identifier: Apache-2.0
// Contacts without penetration: at the end of a step N >= 0, g_k >= 0, N g_k = 0. N = max(0, multiplier - penalty g_k) in Newton, and the
// multiplier becomes N until gaps are zero by the depth of the law. N takes N g_n >= 0 from the motion, whatever the step is.
// Equations: eq-contact-hard (22.8).
#ifndef LIMBER_ASSEMBLY_CONTACT_HARD_H
#define LIMBER_ASSEMBLY_CONTACT_HARD_H

#include "assembly/contacts.h"

// The penalty over 1/(W h^2), with the inverse W of the mass along the gap: a solution leaves about the inverse of it
// of a gap. More would let the round-off of positions into the forces.
#define HARD_STIFF 1e3

typedef struct HardContacts {
  Inertia *inertia;        // of local nodes, complete where they carry surfaces
  double (*inverse)[6][6]; // of their mass, in their own axes
  double softness;         // of penalties: 1 is the usual one
  bool keeps_tangent;      // the next solution begins with the tangent of the last
} HardContacts;

PetscErrorCode HardContactsCreate(const Layout *layout, ContactSet *contacts);
PetscErrorCode HardContactsDestroy(ContactSet *contacts);

// The penalty of a pair for a step of the present length.
void contact_hard_begin(const Motion *motion, ContactItem *c);
// Multipliers as the last step left them, and penalties of a softness.
void contacts_reset_multipliers(ContactSet *contacts, double softness);
void contacts_set_softness(ContactSet *contacts, double softness);
// The largest gap or slip that should be zero, over the depth, by the unknowns as the nodes were moved; or gives the
// multipliers what N and the traction are.
PetscErrorCode ContactsMultipliers(Motion *motion, bool update, double *worst);

// Two directions across the normal of a pair, and rates by the velocities of its nodes in their own axes: of the gap,
// and where there is friction of the slip along both.
void contact_hard_directions(const ContactItem *c, Vec3 t[2]);
void contact_hard_rows(const State *state, const ContactItem *c, double rows[3][CONTACT_NODES][6]);

#endif
