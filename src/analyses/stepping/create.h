// SPDX-License-Identifier: Apache-2.0
// Creates a stepper with all that its steps need: contacts, events, parts of composed steps.
#ifndef LIMBER_ANALYSES_STEPPING_CREATE_H
#define LIMBER_ANALYSES_STEPPING_CREATE_H

#include "analyses/stepping/stepper.h"
#include "model/refusal.h"

// `wrong`: "", or the error in the options, or why the run cannot start.
PetscErrorCode StepperCreate(Model model, const LimberOptions *options, Stepper **out, Refusal *wrong);
PetscErrorCode StepperDestroy(Stepper **stepper);
// The same without an initial state.
PetscErrorCode StepperPrepare(Model model, const LimberOptions *options, Stepper **out, Refusal *wrong);

#endif
