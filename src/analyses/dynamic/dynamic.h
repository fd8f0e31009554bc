// SPDX-License-Identifier: Apache-2.0
// Parts of the analysis `dynamic`, as its contract has them (analyses/analysis.h).
#ifndef LIMBER_ANALYSES_DYNAMIC_DYNAMIC_H
#define LIMBER_ANALYSES_DYNAMIC_DYNAMIC_H

#include "analyses/stepping/ledger.h"

PetscErrorCode DynamicAdvance(Stepper *p, double h, int *iterations, NewtonOutcome *o); // advance.c
PetscErrorCode DynamicAccept(Stepper *p, double *work, StepBalance *balance);           // accept.c
PetscErrorCode DynamicEnergies(Stepper *p, const StepBalance *balance, double *kinetic, double *strain,
                               double *potential);

#endif
