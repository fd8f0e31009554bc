// SPDX-License-Identifier: Apache-2.0
// The ledger: the energy balance of one step.
#ifndef LIMBER_ANALYSES_STEPPING_LEDGER_H
#define LIMBER_ANALYSES_STEPPING_LEDGER_H

#include "analyses/stepping/stepper.h"

// Kinetic, strain and potential energy of the state. `elements`: strain energy of all elements if known, or NULL.
PetscErrorCode LedgerEnergies(Motion *motion, const double *elements, double *kinetic, double *strain,
                              double *potential);

// From the converged unknowns, before the state moves: work of each load (added to load_work), work of all loads
// without potential, and the rest of the balance except the losses of elements.
PetscErrorCode LedgerStep(Stepper *p, double *work, StepBalance *step_balance);
// The losses of elements, after the state has moved; also stores the increments that the scheme needs.
PetscErrorCode LedgerElements(Stepper *p, StepBalance *step_balance);

// The cause of the largest loss for the present unknowns, before the state moves: "beam 'strip'". Only for schemes with
// a proven balance.
PetscErrorCode LedgerNameLoss(Stepper *p, LimberCause *out);

// Stored scheme energy: energy of the velocity changes that the scheme stores.
PetscErrorCode LedgerMemory(const Layout *layout, const State *state, double *memory);

// Whether the work of a load is the change of a potential energy.
bool ledger_has_potential(const Layout *layout, const Load *l);

// Momentum and angular momentum about the ground's origin.
PetscErrorCode LedgerMomentum(const Motion *motion, Vec3 *momentum, Vec3 *angular);

#endif
