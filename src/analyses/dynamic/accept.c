// SPDX-License-Identifier: Apache-2.0
// The end of a step of a tableau's scheme: its balance of energy, and the state that it leads to.
#include "analyses/dynamic/dynamic.h"
#include "assembly/batches.h"

PetscErrorCode DynamicAccept(Stepper *p, double *work, StepBalance *balance) {
  PetscFunctionBegin;
  PetscCall(EquationsMoveNodes(&p->s->motion, &p->s->equations)); // by the unknowns as Newton left them
  PetscCall(LedgerStep(p, work, balance));
  PetscCall(StepperMoveState(p));
  PetscCall(LedgerElements(p, balance));
  PetscFunctionReturn(0);
}

PetscErrorCode DynamicEnergies(Stepper *p, const StepBalance *balance, double *kinetic, double *strain,
                               double *potential) {
  PetscFunctionBegin;
  PetscCall(LedgerEnergies(&p->s->motion, balance ? &balance->elements : NULL, kinetic, strain, potential));
  PetscFunctionReturn(0);
}
