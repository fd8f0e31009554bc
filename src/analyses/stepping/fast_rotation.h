// SPDX-License-Identifier: Apache-2.0
// Bodies that turn so far in a step that what is reported of them is no longer that of the motion (docs/theory/steps.md): the largest
// rotation per step of a run is watched and said at its end.
// Equations: eq-steps-rotation (14.4).
#ifndef LIMBER_ANALYSES_STEPPING_FAST_ROTATION_H
#define LIMBER_ANALYSES_STEPPING_FAST_ROTATION_H

#include "analyses/stepping/stepper.h"

// After a step that the state has taken.
void rotation_step(Stepper *p);
// The same of all ranks in p->fastest.
PetscErrorCode RotationReduce(Stepper *p);
// One line if a node turned too far in a step; "": none did. Collective.
PetscErrorCode RotationRemark(Stepper *p, char *text, size_t size);

#endif
