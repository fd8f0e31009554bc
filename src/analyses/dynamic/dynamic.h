// SPDX-License-Identifier: Apache-2.0
// Functions of the analysis `dynamic` (analyses/analysis.h).
#ifndef LIMBER_ANALYSES_DYNAMIC_DYNAMIC_H
#define LIMBER_ANALYSES_DYNAMIC_DYNAMIC_H

#include "analyses/stepping/ledger.h"
#include "analyses/stepping/parts.h"

PetscErrorCode DynamicAdvance(Stepper *p, double h, int *iterations, NewtonOutcome *o); // advance.c
PetscErrorCode DynamicAccept(Stepper *p, double *work, StepBalance *balance);           // advance.c
PetscErrorCode DynamicEnergies(Stepper *p, const StepBalance *balance, double *kinetic, double *strain,
                               double *potential);

// Starting values for the parts of a composed step. The parts pass the same time several times, so earlier parts near
// that time predict better than the last one.

// Predicts the unknowns of a step of length h from the earlier parts of this composed step and the last two of the
// previous one. `any`: false if there are none.
PetscErrorCode PredictPart(Stepper *p, double h, bool *any);

#endif
