// SPDX-License-Identifier: Apache-2.0
// The contract of an analysis: how the state of a model goes on, step by step. A folder of its own fills one of these, and
// analyses.def has a line for it. What all of them share (shorter steps after a failure, the ledger, contacts, checkpoints,
// results) is the stepper's (stepping/stepper.h), which calls these functions and knows none of them by name.
#ifndef LIMBER_ANALYSES_ANALYSIS_H
#define LIMBER_ANALYSES_ANALYSIS_H

#include "model/refusal.h"
#include "solvers/solvers.h"

typedef struct Stepper Stepper;

// Of a step: work of the joints, what dampers and friction take, what the scheme loses, work of drives, and work of the
// multipliers of augmented elements (mechanics/augmented.h); at its end the energy of what is remembered of it and of
// strain in elements; and what round-off of strains may leave.
typedef struct {
  double joints, damped, lost, drives, augmented, memory, elements, rough;
} StepBalance;
enum { STEP_BALANCE_SIZE = sizeof(StepBalance) / sizeof(double) };

typedef struct {
  const char *name, *help;
  // The rule of its steps, where that is not the scheme's. NULL: it is.
  void (*rule)(StepRule *out);
  // Data of its own, in the stepper's `data`, once the system is there in its reference. `error` is "" or what in the
  // model it cannot take. NULL: it has none.
  PetscErrorCode (*prepare)(Stepper *p, Refusal *wrong);
  PetscErrorCode (*destroy)(Stepper *p);
  // What it needs beside positions and velocities, which are known: multipliers, accelerations. `error` as above.
  PetscErrorCode (*start)(Stepper *p, Refusal *wrong);
  // Finds the unknowns of a step of length h from the state, which stays. Adds to `iterations`.
  PetscErrorCode (*advance)(Stepper *p, double h, int *iterations, NewtonOutcome *o);
  // The balance of energy of the step that was found, and the state at its end. `work`: of all loads without potential.
  PetscErrorCode (*accept)(Stepper *p, double *work, StepBalance *balance);
  // Kinetic, strain and potential energy of the state. `balance`: of the step that led to it, or NULL.
  PetscErrorCode (*energies)(Stepper *p, const StepBalance *balance, double *kinetic, double *strain,
                             double *potential);
  // A whole step, whose length and parts it chooses itself. NULL: the stepper does, by advance and accept.
  PetscErrorCode (*step)(Stepper *p, LimberOutcome *out);
  bool (*finished)(const Stepper *p); // NULL: it has no end of its own
  // What it found on the way, a line each. NULL: nothing is told.
  PetscErrorCode (*remark)(Stepper *p, char *text, size_t size);
  // After a state was put into the system that it did not make itself. NULL: nothing to do.
  PetscErrorCode (*resume)(Stepper *p);
  bool undoes;         // a step that was accepted can be taken back, and tried again shorter
  bool follows_drives; // parts that a drive sets off at speed start with it (stepping/start.c)
  bool stands;         // it has no velocities, whatever the drives do
  bool
      has_residual; // the unknowns found are those of the system's equations, whose residual names what is out of balance
} AnalysisKind;

#define ANALYSIS(name) extern const AnalysisKind analysis_##name;
#include "analyses/analyses.def"
#undef ANALYSIS
extern const AnalysisKind *const analysis_kinds[]; // ends with NULL

// NULL: there is none of that name.
const AnalysisKind *analysis_find(const char *name);

#endif
