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
  bool rubs;               // one of them has regularised friction
  bool bounded;            // which is limited by the multipliers ...
  bool secant;             // ... with a tangent that leads there from everywhere, but slowly
} HardContacts;

PetscErrorCode HardContactsCreate(const Layout *layout, ContactSet *contacts);
PetscErrorCode HardContactsDestroy(ContactSet *contacts);

// The penalty of a pair for a step of the present length.
void contact_hard_begin(const Motion *motion, ContactItem *c);
// Multipliers as the last step left them, and penalties of a softness; `bounded`: friction is limited by the
// multipliers.
void contacts_reset_multipliers(Motion *motion, double softness, bool bounded);
void contacts_scale_penalties(ContactSet *contacts, double factor);
void contacts_use_secant(ContactSet *contacts, bool secant);
// The largest gap that should be zero, over its depth, by the unknowns as the nodes were moved; or gives the
// multipliers what N is.
PetscErrorCode ContactsMultipliers(Motion *motion, bool update, double *worst);

// Rates of a pair by the velocities of its nodes in their own axes: of the gap, and where there is friction of the slip
// along two directions.
void contact_hard_rows(const State *state, const ContactItem *c, double rows[3][CONTACT_NODES][6]);

#endif
