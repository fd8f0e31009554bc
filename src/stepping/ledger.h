// SPDX-License-Identifier: Apache-2.0
// The account of energy of one step.
#ifndef LIMBER_STEPPING_LEDGER_H
#define LIMBER_STEPPING_LEDGER_H

#include "stepping/stepper.h"

// Kinetic, strain and potential energy of the state.
PetscErrorCode LedgerEnergies(System *s, double *kinetic, double *strain, double *potential);

// From the converged unknowns of a step, before the state advances: work of each load (added to load_work), of all
// loads without potential, of joints, and what the scheme loses.
PetscErrorCode LedgerStep(Stepper *p, double *work, double *joints, double *lost);

// Mass-centre velocity of every free component.
PetscErrorCode LedgerCarry(System *s);

// Momentum and angular momentum about the ground's origin.
PetscErrorCode LedgerMomentum(System *s, Vec3 *momentum, Vec3 *angular);

#endif
