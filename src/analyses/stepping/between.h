// SPDX-License-Identifier: Apache-2.0
// What happens between two steps of a run and belongs to its state, such as a control network that sets signals, or
// the air that sets loads. The stepper knows only these functions.
#ifndef LIMBER_ANALYSES_STEPPING_BETWEEN_H
#define LIMBER_ANALYSES_STEPPING_BETWEEN_H

#include "analyses/stepping/stepper.h"
#include "results/container/container.h"

typedef struct Between Between;

// For gradients that go back through a step. It is taken apart: what is read of the run, and what follows from these
// readings, from its numbers and from the time.
typedef struct {
  size_t (*count)(const Between *b);               // of readings
  PetscErrorCode (*read)(Between *b, double *out); // at the state of the run, as if the step were an attempt
  PetscErrorCode (*react)(Between *b, const double *readings, LimberOutcome *out); // `step` with given readings
  // Of a reading: its name, and whether it belongs to several states, such as an acceleration, or to many places.
  const char *(*name)(Between *b, size_t reading, bool *of_several);
  // What probes remember of earlier states, such as turns; not where they began.
  void (*follow)(Between *b, const Between *like);
  // Of a number: whether it is differentiated; which function it sets (-1: none).
  bool (*is_smooth)(const Between *b, size_t number);
  int (*function)(const Between *b, size_t number);
  bool (*reads_formulas)(const Between *b); // readings may forget what they read, such as the smaller of two
  bool (*reads_itself)(const Between *b);   // readings depend on its numbers
  bool (*of_several)(const Between *b, size_t reading); // it belongs to several states, such as an acceleration
} BetweenBack;

struct Between {
  Between *next; // which comes after it; NULL: none
  // After an accepted step: sets out->reason and out->cause if the run cannot continue. Collective, like all functions
  // here.
  PetscErrorCode (*step)(Between *b, Stepper *p, LimberOutcome *out);
  // Saves its state to a container; restores it from the bytes of a finished one. `good`: it fits.
  PetscErrorCode (*save)(const Between *b, CheckpointContainer *container);
  PetscErrorCode (*restore)(Between *b, const void *bytes, size_t size, bool *good);
  PetscErrorCode (*destroy)(Between **b);
  bool repeats; // it takes steps again: the state before each is saved
  // Its state as numbers, for gradients: their count, reading and setting them. The next step is a function of these
  // numbers. NULL: it has no derivative.
  size_t (*count)(const Between *b);
  void (*get)(const Between *b, double *out);
  PetscErrorCode (*put)(Between *b, const double *in);
  const BetweenBack *back;
};

// Adds one after those that the stepper has.
static inline void between_add(Stepper *p, Between *b) {
  Between **at = &p->between;
  while (*at) at = &(*at)->next;
  *at = b;
}

// Takes the last whole step again from the state before it. Only `step` of one that `repeats` calls it. fixed_step.c
PetscErrorCode StepperRepeatStep(Stepper *p, LimberOutcome *out);

#endif
