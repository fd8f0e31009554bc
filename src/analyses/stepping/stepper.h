// SPDX-License-Identifier: Apache-2.0
// Steps in time for every scheme: starting values, retries with shorter steps, moving the state, the ledger.
#ifndef LIMBER_ANALYSES_STEPPING_STEPPER_H
#define LIMBER_ANALYSES_STEPPING_STEPPER_H

#include "analyses/stepping/step_control.h"
#include "analyses/analysis.h"

// How a halved step grows again: it is doubled after `patience` accepted parts. Whenever the longer step fails at once,
// `patience` grows.
typedef struct {
  int32_t patience, since, grown; // parts required; parts accepted; the last one doubled the step
} Growth;

// The largest rotation of a node in a step.
typedef struct {
  double angle, time, node; // rad; s: the end of that step
} FastestRotation;

// Remarks on the start that code looks up; the others are only shown to the user.
typedef enum {
  REMARK_SINGULAR_POSITION, // joints can move in more than one way from this position
  REMARK_UNLOADED,          // no load acts
  REMARK_ROTOR_STANDS,      // of a model that rotates in part, nothing rotates
  REMARK_CODES
} RemarkCode;

// Where whole steps are counted from: a step that StepperStepTo cut short begins a new count.
typedef struct {
  double time;      // s
  PetscInt64 count; // steps taken before
} StepOrigin;

enum { PREVIOUS = 4 }; // steps from which the next one is predicted (dynamic/advance.c)

struct Stepper {
  System *s;
  StepRule rule;
  const AnalysisKind *kind;
  void *data; // private data of the analysis kind
  LimberOptions options;
  LimberLedger ledger;
  double *load_work;   // of each load, since the start
  double *drive_force; // of each drive and controller: its force at the end of the last step
  double energy_start, potential_start, memory_start;
  double branched;         // part of ledger.work: changes of stored energy where the run continued with a changed model
  double step_fraction;    // current step over options.step; below 1 after a failure, then grows again
  Growth growth;           // of step_fraction
  FastestRotation fastest; // so far
  double rough;            // J: round-off that may remain in the balance of the last step
  PetscInt64 count;        // whole steps done
  StepOrigin origin;       // of their times
  Vec previous[PREVIOUS];  // increments of the last steps, the last one first ...
  double previous_step[PREVIOUS]; // ... and their lengths; 0: none
  char remarks[2048];             // on the start, one per line
  size_t remark_at[REMARK_CODES]; // 1 + start of the line; 0: none
  bool potentials;                // an element has a large-strain potential
  Control control;                // of a run with variable steps ...
  struct StateCopy *saved;        // ... and the state before the step (saved_state.h)
  struct Parts *parts;            // of composed steps (parts.h), or NULL
  struct Between *between;        // set signals and loads after each step (between.h), or NULL
  struct StateCopy *before;       // ... and the state before the whole step, if one of them repeats it
  struct {                        // ... with what attempts do not change
    PetscInt64 count;
    double step_fraction;
    Growth growth;
  } begun;
  struct Events *events;        // of the model (events.h), or NULL
  struct EventSensors *sensors; // of events that watch probes (events.h), or NULL
  bool checks_ghosts;           // option -limber_check_ghosts: checks ghosts after every step (saved_state.h)
  bool without_start_forces;    // joint forces at the start are not found
  bool ends_at_touch;           // a contact ends steps where surfaces begin to touch (contact.h)
  struct Ports *ports;          // of the model, at the start (ports.h), or NULL
  struct Bonds *bonds;          // of the model, to FMUs (bonds.h), or NULL
  struct Contacts *contacts;    // of stops, play and one-sided springs (contact.h), or NULL
};

struct LimberRunData {
  Stepper *stepper;
};

// The remark with that code; NULL: none.
static inline const char *stepper_remark(const Stepper *p, RemarkCode code) {
  return p->remark_at[code] ? p->remarks + p->remark_at[code] - 1 : NULL;
}

// Updates the energies of the ledger. `balance`: of the step that led to the state, or NULL.
PetscErrorCode StepperUpdateEnergies(Stepper *p, const StepBalance *balance);

// Moves the state to the end of the step given by the unknowns and their ghosts, for schemes with a tableau.
// move_state.c
PetscErrorCode StepperMoveState(Stepper *p);

// `wrong`: "", or the error in the options, or why the run cannot start. create.c
PetscErrorCode StepperCreate(Model model, const LimberOptions *options, Stepper **out, Refusal *wrong);
PetscErrorCode StepperDestroy(Stepper **stepper);
// Its two parts: everything but an initial state, and that state; if there is none, *stepper becomes NULL.
PetscErrorCode StepperPrepare(Model model, const LimberOptions *options, Stepper **out, Refusal *wrong);
PetscErrorCode StepperBegin(Stepper **stepper, Refusal *wrong);

// Takes one step: of options.step, in parts if necessary, or as long as the step control chooses.
PetscErrorCode StepperStep(Stepper *p, LimberOutcome *out);
// The same, but the step ends at `time` at the latest, and then exactly there. `time` is after the present time.
PetscErrorCode StepperStepTo(Stepper *p, double time, LimberOutcome *out);

// StepperAccept updates the ledger and moves the state by a converged step. StepperVerdict sets out->reason if that
// step must be rejected.
PetscErrorCode StepperAccept(Stepper *p, double h);
PetscErrorCode StepperVerdict(Stepper *p, double h, LimberOutcome *out);
// StepperNameFailure reports why Newton failed and the cause. StepperRecall restores the unknowns of the last accepted
// step.
PetscErrorCode StepperNameFailure(Stepper *p, const NewtonOutcome *o, LimberOutcome *out);
PetscErrorCode StepperRecall(Stepper *p);

// Takes a step whose length the step control chooses. variable_step.c
PetscErrorCode ControlledStep(Stepper *p, LimberOutcome *out);
// Saves and restores what an attempted step changes. saved_state.c
PetscErrorCode StateSave(Stepper *p);
PetscErrorCode StateRestore(Stepper *p);
// The same of the whole step (Between.repeats).
PetscErrorCode StateSaveStep(Stepper *p);
PetscErrorCode StateRestoreStep(Stepper *p);
PetscErrorCode StateDestroy(Stepper *p);

#endif
