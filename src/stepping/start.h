// SPDX-License-Identifier: Apache-2.0
// The state with which a run starts: redundant rows chosen, parts brought together, velocities that the joints allow,
// accelerations and multipliers at t = 0.
#ifndef LIMBER_STEPPING_START_H
#define LIMBER_STEPPING_START_H

#include "stepping/stepper.h"

// `wrong`: "" or why the run cannot start. What was changed stands in p->remarks.
PetscErrorCode StepperStart(Stepper *p, char *wrong, size_t size);

#endif
