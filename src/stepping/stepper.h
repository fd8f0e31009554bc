// SPDX-License-Identifier: Apache-2.0
// Steps in time, for every scheme: starting values, retries with shorter steps, the state's advance, the ledger.
#ifndef LIMBER_STEPPING_STEPPER_H
#define LIMBER_STEPPING_STEPPER_H

#include "system/system.h"

typedef struct {
  System *s;
  StepRule rule;
  LimberOptions options;
  LimberLedger ledger;
  double *load_work;   // of each load, since the start
  double *drive_force; // of each load that prescribes: its force at the end of the last step
  double energy_start, potential_start;
  double share;         // of options.step, the step in use; below 1 after a failure, growing back
  PetscInt64 count;     // whole steps done
  Vec previous;         // increments of the last step
  double previous_step; // 0: none
  char remarks[2048];   // on the start, one a line
} Stepper;

struct LimberRunData {
  Stepper *stepper;
};

// `wrong` is "", or what is wrong with the options or why the run cannot start.
PetscErrorCode StepperCreate(Model model, const LimberOptions *options, Stepper **out, char *wrong, size_t size);
PetscErrorCode StepperDestroy(Stepper **stepper);

// Moves the state to the end of the step that the unknowns, with their ghosts, describe.
PetscErrorCode StepperAdvance(Stepper *p);

// One step of options.step, in parts if need be.
PetscErrorCode StepperStep(Stepper *p, LimberOutcome *out);

#endif
