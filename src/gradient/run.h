// SPDX-License-Identifier: Apache-2.0
// A run that is differentiated forward (run.c), with the parts that run_events.c uses.
#ifndef LIMBER_GRADIENT_RUN_H
#define LIMBER_GRADIENT_RUN_H

#include "gradient/gradient.h"

enum { POINTS = 2, LENGTHS = 2, AT_ONCE = 8, DIRECTIONS = LENGTHS * AT_ONCE, ROUNDS = 12 };
// The length of a part of a step that ends in an event changes by at most this part of it.
static const double farthest_cut = 0.003;

typedef struct { // with one length of differences
  int parameter;
  double delta;
  Shadow shadow[POINTS];
  double *rate;        // dS/dp
  double *switched;    // of what events switched
  double length_rate;  // of the length of the part of a step under way
  Vec dq;              // dq/dp
  double *row[POINTS]; // columns of the shadows
  double *column;      // their differences
  HistoryDerivative *history;
} Direction;

typedef struct {
  const GradientProblem *p;
  LimberRun run;
  GradientColumns columns;
  size_t size;           // of the state, in numbers
  double *state, *value; // at the start of the step; columns at its end
  HistoryValue *history;
  int count;                       // of directions
  Direction direction[DIRECTIONS]; // two of each parameter
  Vec q, sum;
  StepPart part; // of the step under way
  int thrown;    // events that happened in the shadows, too
  Refusal *wrong;
} RunWork;

static inline double distance_of(const Direction *d, int k) { return difference_of_two.at[k] * d->delta; }

// Solves for dq/dp with a derivative of the length of the part of a step under way, and moves the shadows to its end. `fresh`:
// the tangent was not used yet.
PetscErrorCode RunMoveShadows(RunWork *w, Direction *d, double length_rate, bool *fresh);
// The same with the derivative of the length, whose search begins with `start` and which `start` becomes. `longest`: raised to
// the largest change of the length, relative to it; beyond farthest_cut the shadows are not moved. run_events.c
PetscErrorCode RunPropagatePart(RunWork *w, Direction *d, double *start, double *longest, bool *fresh);

#endif
