// SPDX-License-Identifier: Apache-2.0
// Contacts that last too few steps: stops, springs with play and springs of one side, of joints and of elements.
//
// A mass m that meets a spring k leaves it after T = pi sqrt(m/k). With T/h steps in it the rebound and the largest force are
// off by (a ball on a stop, at all places of the steps; the worst of the schemes preserving, decaying_c and generalized_alpha)
//   T/h       1       2       3       4       5       6       8       10
//   rebound   148 %   23 %    16 %    10 %    5.1 %   3.8 %   2.0 %   1.2 %
//   force     88 %    36 %    18 %    14 %    7.5 %   7.0 %   4.3 %   2.7 %
// so CONTACT_STEPS is 8. What mass acts along the contact follows from the motion: the impulse of the contact's force from the
// middle of the last step before it to the middle of a later one is m times the change of rate between the two.
#ifndef LIMBER_ANALYSES_STEPPING_CONTACT_H
#define LIMBER_ANALYSES_STEPPING_CONTACT_H

#include "analyses/stepping/stepper.h"

enum { CONTACT_STEPS = 8 };

// p->contacts: NULL where the model has none.
PetscErrorCode ContactsCreate(Stepper *p);
PetscErrorCode ContactsDestroy(Stepper *p);

// After a step of length h, which the state has taken; 0: at the start.
void contacts_step(Stepper *p, double h);

// What was too short, one line an item, the shortest first; "": nothing. Collective.
PetscErrorCode ContactsRemark(Stepper *p, char *text, size_t size);

// All that is known of contacts, in the order of the model, to an image of contacts_size numbers and back; a rank exchanges
// its own.
size_t contacts_size(const Stepper *p);
void contacts_exchange(Stepper *p, bool save, double *image);

#endif
