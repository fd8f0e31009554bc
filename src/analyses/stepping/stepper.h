// SPDX-License-Identifier: Apache-2.0
// Steps in time, for every scheme: starting values, retries with shorter steps, the state's advance, the ledger.
#ifndef LIMBER_ANALYSES_STEPPING_STEPPER_H
#define LIMBER_ANALYSES_STEPPING_STEPPER_H

#include "analyses/stepping/step_control.h"
#include "analyses/analysis.h"

// How a step that was halved becomes longer again: it is doubled after `patience` parts that succeeded. Whenever the
// longer step fails at once, `patience` grows.
typedef struct {
  int32_t patience, since, grown; // parts that are asked for, and that stood; the last made it longer
} Growth;

// The node that turned farthest in a step.
typedef struct {
  double angle, time, node; // rad; s: the end of that step
} FastestRotation;

// Remarks on the start that code asks for; the others are for people alone.
typedef enum {
  REMARK_SINGULAR_POSITION, // joints are in a position from which they can move in more than one way
  REMARK_UNLOADED,          // no load acts
  REMARK_CODES
} RemarkCode;

struct Stepper {
  System *s;
  StepRule rule;
  const AnalysisKind *kind;
  void *data; // of the kind's own
  LimberOptions options;
  LimberLedger ledger;
  double *load_work;   // of each load, since the start
  double *drive_force; // of each drive and controller: its force at the end of the last step
  double energy_start, potential_start, memory_start;
  double branched;         // of ledger.work: the changes of stored energy where the run went on with another model
  double step_fraction;    // of options.step, the step in use; below 1 after a failure, growing back
  Growth growth;           // of the share
  FastestRotation fastest; // so far
  double rough;            // J: what round-off may leave in the balance of the last step
  PetscInt64 count;        // whole steps done
  Vec previous[2];         // increments of the last step and of the one before
  double previous_step[2]; // 0: none
  char remarks[2048];      // on the start, one a line
  size_t remark_at[REMARK_CODES]; // 1 + where the line begins, 0: there is none
  bool potentials;                // an element has a potential of large strain
  Control control;                // of a run that chooses its steps ...
  struct StateCopy *saved;        // ... and the state to go back to (saved_state.h)
  struct Parts *parts;            // of composed steps (parts.h), or NULL
  struct Between *between;        // of what sets signals after each step (between.h), or NULL
  struct Events *events;          // of the model (events.h), or NULL
  struct EventSensors *sensors;   // of events that watch probes (events.h), or NULL
  bool checks_ghosts;             // after every step (saved_state.h): the option -limber_check_ghosts
  bool ends_at_touch;             // a contact ends steps where surfaces begin to touch (contact.h)
  struct Contacts *contacts;      // of stops, play and springs of one side (contact.h), or NULL
};

struct LimberRunData {
  Stepper *stepper;
};

// The line of the remarks with that code, NULL: there is none.
static inline const char *stepper_remark(const Stepper *p, RemarkCode code) {
  return p->remark_at[code] ? p->remarks + p->remark_at[code] - 1 : NULL;
}

// Energies of the state, of the ledger. `balance`: of the step that led to it, or NULL.
PetscErrorCode StepperUpdateEnergies(Stepper *p, const StepBalance *balance);

// Moves the state to the end of the step that the unknowns, with their ghosts, describe by a tableau. move_state.c
PetscErrorCode StepperMoveState(Stepper *p);

// One step: of options.step, in parts if need be, or as long as the control chooses.
PetscErrorCode StepperStep(Stepper *p, LimberOutcome *out);

// Of which steps are made: the balance of what the analysis found, and the state that it leads to; whether that step
// may stand: sets out->reason where it may not.
PetscErrorCode StepperAccept(Stepper *p, double h);
PetscErrorCode StepperVerdict(Stepper *p, double h, LimberOutcome *out);
// What Newton could not solve, and what carries the residual; the unknowns as they were before that step.
PetscErrorCode StepperNameFailure(Stepper *p, const NewtonOutcome *o, LimberOutcome *out);
PetscErrorCode StepperRecall(Stepper *p);

// A step whose length is chosen: variable_step.c
PetscErrorCode ControlledStep(Stepper *p, LimberOutcome *out);
// What an attempt of a step changes: saved before it, and put back. saved_state.c
PetscErrorCode StateSave(Stepper *p);
PetscErrorCode StateRestore(Stepper *p);
PetscErrorCode StateDestroy(Stepper *p);

#endif
