// SPDX-License-Identifier: Apache-2.0
// What joints carry over a composed step (schemes/composition.h): the means of their multipliers, forces and moments over its
// parts, each weighted by its length, with its sign. So h times the mean force is the impulse of the joint.
// Equations: eq-order-reaction (3.9).
#ifndef LIMBER_ANALYSES_STEPPING_REACTIONS_H
#define LIMBER_ANALYSES_STEPPING_REACTIONS_H

#include "analyses/stepping/stepper.h"

void reactions_begin(Stepper *p);
PetscErrorCode ReactionsAdd(Stepper *p, double length); // of a part, which the state has taken
void reactions_end(Stepper *p);

#endif
