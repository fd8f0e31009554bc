// SPDX-License-Identifier: Apache-2.0
// Parts of the analysis `dynamic`, as its contract has them (analyses/analysis.h).
#ifndef LIMBER_ANALYSES_DYNAMIC_DYNAMIC_H
#define LIMBER_ANALYSES_DYNAMIC_DYNAMIC_H

#include "analyses/stepping/ledger.h"
#include "analyses/stepping/parts.h"

PetscErrorCode DynamicAdvance(Stepper *p, double h, int *iterations, NewtonOutcome *o); // advance.c
PetscErrorCode DynamicAccept(Stepper *p, double *work, StepBalance *balance);           // advance.c
PetscErrorCode DynamicEnergies(Stepper *p, const StepBalance *balance, double *kinetic, double *strain,
                               double *potential);

// Starting values of the steps that a composed one is made of. These go over the same time several times: what those
// before had there tells more than the last of them.

// Unknowns of a step of length h from the state, from those of the parts of this composed step and the last two of the
// one before. false: there are none.
PetscErrorCode PredictPart(Stepper *p, double h, bool *any);

#endif
