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
  double mass;          // of all
  double share;         // of options.step, the step in use; below 1 after a failure, growing back
  PetscInt64 count;     // whole steps done
  Vec previous;         // increments of the last step
  double previous_step; // 0: none
} Stepper;

struct LimberRunData {
  Stepper *stepper;
};

// `wrong` is NULL, or what is wrong with the options (static text).
PetscErrorCode StepperCreate(Model model, const LimberOptions *options, Stepper **out, const char **wrong);
PetscErrorCode StepperDestroy(Stepper **stepper);

// One step of options.step, in parts if need be.
PetscErrorCode StepperStep(Stepper *p, LimberOutcome *out);

#endif
