// SPDX-License-Identifier: Apache-2.0
// Warns about bodies that turn so far in a step that the reported motion is inaccurate (docs/theory/steps.md). The
// largest rotation per step is followed during a run and reported at its end.
// Equations: eq-steps-rotation (14.4).
#ifndef LIMBER_ANALYSES_STEPPING_FAST_ROTATION_H
#define LIMBER_ANALYSES_STEPPING_FAST_ROTATION_H

#include "analyses/stepping/stepper.h"

// Updates p->fastest after the state has moved.
void rotation_step(Stepper *p);
// Finds the largest rotation on all ranks.
PetscErrorCode RotationReduce(Stepper *p);
// Writes a line if a node turned too far in a step; "": none did. Collective.
PetscErrorCode RotationRemark(Stepper *p, char *text, size_t size);

#endif
