// SPDX-License-Identifier: Apache-2.0
// Steps in time, for every scheme: starting values, retries with shorter steps, the state's advance, the ledger.
#ifndef LIMBER_STEPPING_STEPPER_H
#define LIMBER_STEPPING_STEPPER_H

#include "stepping/control.h"
#include "system/system.h"

typedef struct {
  System *s;
  StepRule rule;
  LimberOptions options;
  LimberLedger ledger;
  double *load_work; // of each load, since the start
  double energy_start, potential_start;
  double mass;          // of all
  double share;         // of options.step, the step in use; below 1 after a failure, growing back
  PetscInt64 count;     // whole steps done
  Vec previous;         // increments of the last step
  double previous_step; // 0: none
  Control control;      // of a run that chooses its steps ...
  struct Saved *saved;  // ... and the state to go back to
} Stepper;

struct LimberRunData {
  Stepper *stepper;
};

// `wrong` is NULL, or what is wrong with the options (static text).
PetscErrorCode StepperCreate(Model model, const LimberOptions *options, Stepper **out, const char **wrong);
PetscErrorCode StepperDestroy(Stepper **stepper);

// One step: of options.step, in parts if need be, or as long as the control chooses.
PetscErrorCode StepperStep(Stepper *p, LimberOutcome *out);

// Of which steps are made. One try at a step from s->time, which adds to `iterations`; booking what it found and moving
// the state; whether the account of that step is open.
PetscErrorCode StepperTry(Stepper *p, double h, int *iterations, NewtonOutcome *o);
PetscErrorCode StepperAccept(Stepper *p, double h);
bool stepper_account_open(const Stepper *p, double h);
// What Newton could not solve, and what carries the residual; the unknowns as they were before that step.
PetscErrorCode StepperNameFailure(Stepper *p, const NewtonOutcome *o, LimberOutcome *out);
PetscErrorCode StepperRecall(Stepper *p);

// A step whose length is chosen, and the state before it: controlled.c
PetscErrorCode ControlledStep(Stepper *p, LimberOutcome *out);
PetscErrorCode StateSave(Stepper *p);
PetscErrorCode StateRestore(Stepper *p);
PetscErrorCode StateDestroy(Stepper *p);

#endif
