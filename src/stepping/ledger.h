// SPDX-License-Identifier: Apache-2.0
// The account of energy of one step.
#ifndef LIMBER_STEPPING_LEDGER_H
#define LIMBER_STEPPING_LEDGER_H

#include "stepping/stepper.h"

// Kinetic, strain and potential energy of the state.
PetscErrorCode LedgerEnergies(System *s, double *kinetic, double *strain, double *potential);

// Of a step: work of the joints, what dampers and friction take, what the scheme loses, work of drives, and work of the
// multipliers of elements that are held (mechanics/hold.h).
typedef struct {
  double joints, damped, lost, drives, held;
} Account;
enum { ACCOUNT_SIZE = sizeof(Account) / sizeof(double) };

// From the converged unknowns of a step, before the state advances: work of each load (added to load_work) and of all
// loads without potential, and the rest of the account.
PetscErrorCode LedgerStep(Stepper *p, double *work, Account *account);

// What loses most in the step of the present unknowns, which the state has not taken: "beam 'strip'". Of schemes with a
// proof only.
PetscErrorCode LedgerNameLoss(Stepper *p, char *text, size_t size);

// Whether the work of a load is the change of a potential energy.
bool ledger_has_potential(const System *s, const Load *l);

// Momentum and angular momentum about the ground's origin.
PetscErrorCode LedgerMomentum(System *s, Vec3 *momentum, Vec3 *angular);

#endif
