// SPDX-License-Identifier: Apache-2.0
// The interface of an analysis that advances the state of a model step by step. Each analysis has a folder, which
// defines an AnalysisKind, and a line in analyses.def. What all of them share (shorter steps after a failure, the
// energy balance, contacts, checkpoints, results) is in the stepper (stepping/stepper.h), which only calls these
// functions.
#ifndef LIMBER_ANALYSES_ANALYSIS_H
#define LIMBER_ANALYSES_ANALYSIS_H

#include "model/refusal.h"
#include "solvers/solvers.h"

typedef struct Stepper Stepper;

// Energies of a step: work of joints, dissipation in dampers and friction, numerical dissipation, work of drives, and
// work of the multipliers of augmented elements (mechanics/augmented.h), and work on ports. At its end: stored scheme
// energy (memory) and strain energy of elements. `rough`: the imbalance that round-off of strains may cause. `held`: the
// part of the work of loads that those of `aerodynamics` do. `wind`: work of other air as if the structure were at rest,
// `air_damped`: by which it is smaller because the structure moves.
typedef struct {
  double joints, damped, lost, drives, augmented, ports, memory, elements, rough, held, wind, air_damped;
} StepBalance;
enum { STEP_BALANCE_SIZE = sizeof(StepBalance) / sizeof(double) };

typedef struct {
  const char *name, *help;
  // Sets the rule of its steps. NULL: that of the scheme.
  void (*rule)(StepRule *out);
  // Creates its own data, in the stepper's `data`, once the system is in its reference state. `wrong`: "", or what in
  // the model it does not support. NULL: it has no data.
  PetscErrorCode (*prepare)(Stepper *p, Refusal *wrong);
  PetscErrorCode (*destroy)(Stepper *p);
  // Finds what it needs besides positions and velocities: multipliers, accelerations. `wrong` as above.
  PetscErrorCode (*start)(Stepper *p, Refusal *wrong);
  // Finds the unknowns of a step of length h from the state, which it does not change. Adds to `iterations`.
  PetscErrorCode (*advance)(Stepper *p, double h, int *iterations, NewtonOutcome *o);
  // Finds the energy balance of the step and moves the state to its end. `work`: of all loads without potential.
  PetscErrorCode (*accept)(Stepper *p, double *work, StepBalance *balance);
  // Kinetic, strain and potential energy of the state. `balance`: of the step that led to it, or NULL.
  PetscErrorCode (*energies)(Stepper *p, const StepBalance *balance, double *kinetic, double *strain,
                             double *potential);
  // Takes a whole step, whose length and parts it chooses itself. NULL: the stepper does, with advance and accept.
  PetscErrorCode (*step)(Stepper *p, LimberOutcome *out);
  bool (*finished)(const Stepper *p); // NULL: it has no end of its own
  // Remarks on what it found, one per line. NULL: it makes none.
  PetscErrorCode (*remark)(Stepper *p, char *text, size_t size);
  // Called after the system was given a state from elsewhere. NULL: nothing to do.
  PetscErrorCode (*resume)(Stepper *p);
  bool undoes;         // an accepted step can be undone and repeated with a shorter one
  bool follows_drives; // parts that a drive moves at the start begin with its speed (stepping/start.c)
  bool stands;         // it has no velocities, whatever the drives do
  bool has_residual;   // it solves the system's equations, whose residual shows what is out of balance
} AnalysisKind;

#define ANALYSIS(name) extern const AnalysisKind analysis_##name;
#include "analyses/analyses.def"
#undef ANALYSIS
extern const AnalysisKind *const analysis_kinds[]; // ends with NULL

// NULL: there is none of that name.
const AnalysisKind *analysis_find(const char *name);

#endif
