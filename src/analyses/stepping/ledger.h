// SPDX-License-Identifier: Apache-2.0
// The account of energy of one step.
#ifndef LIMBER_ANALYSES_STEPPING_LEDGER_H
#define LIMBER_ANALYSES_STEPPING_LEDGER_H

#include "analyses/stepping/stepper.h"

// Kinetic, strain and potential energy of the state. `elements`: strain energy of all elements, if it is known, or
// NULL.
PetscErrorCode LedgerEnergies(Motion *motion, const double *elements, double *kinetic, double *strain,
                              double *potential);

// From the converged unknowns of a step, before the state advances: work of each load (added to load_work) and of all
// loads without potential, and the rest of the account but for what elements take.
PetscErrorCode LedgerStep(Stepper *p, double *work, StepBalance *step_balance);
// That, once the state has moved; the state takes the step into its memory.
PetscErrorCode LedgerElements(Stepper *p, StepBalance *step_balance);

// What loses most in the step of the present unknowns, which the state has not taken: "beam 'strip'". Of schemes with a
// proof only.
PetscErrorCode LedgerNameLoss(Stepper *p, LimberCause *out);

// Energy of the changes of velocity that the state remembers.
PetscErrorCode LedgerMemory(const Layout *layout, const State *state, double *memory);

// Whether the work of a load is the change of a potential energy.
bool ledger_has_potential(const Layout *layout, const Load *l);

// Momentum and angular momentum about the ground's origin.
PetscErrorCode LedgerMomentum(const Motion *motion, Vec3 *momentum, Vec3 *angular);

#endif
