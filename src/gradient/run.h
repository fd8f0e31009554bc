// SPDX-License-Identifier: Apache-2.0
// A run that is differentiated forward (run.c), with the parts that run_events.c uses.
#ifndef LIMBER_GRADIENT_RUN_H
#define LIMBER_GRADIENT_RUN_H

#include "gradient/gradient.h"

enum { POINTS = 2, LENGTHS = 2, AT_ONCE = 8, DIRECTIONS = LENGTHS * AT_ONCE, ROUNDS = 12 };
// The length of a part of a step that ends in an event changes by at most this part of it.
static const double farthest_cut = 0.003;
static const double forward_part = 5e-5; // of a parameter: the shorter difference; the other is twice as long

typedef struct Direction { // with one length of differences
  int parameter;           // -1: a number of the state at the start of the step; its shadows are the model as it is
  const struct Direction *shorter; // the other one, if this is the longer
  double delta;
  Shadow shadow[POINTS];
  double *rate;        // dS/dp
  double *switched;    // of what events switched
  double length_rate;  // of the length of the part of a step under way
  Vec dq;              // dq/dp
  double first;        // energy of the first correction to it
  double *row[POINTS]; // columns of the shadows
  // Of both lengths together, in the first direction of a parameter: the largest changes of columns, and their histories.
  double *change;
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

static const GradientParameter one_number = {.path = "the state", .value = 1};
static inline const GradientParameter *run_parameter(const RunWork *w, const Direction *d) {
  return d->parameter < 0 ? &one_number : &w->p->g->parameter[d->parameter];
}
static inline double distance_of(const Direction *d, int k) { return difference_of_two.at[k] * d->delta; }

// Directions of a run that exists, with its columns; a length of 1 or 2. Steps are differentiated by what visits them.
PetscErrorCode RunPrepareWork(RunWork *w);
PetscErrorCode RunStartDirection(RunWork *w, Direction *d, int parameter, int length);
StepVisitor run_visitor(RunWork *w);
void run_follow(const RunWork *w, const Direction *d);
PetscErrorCode RunEndDirections(RunWork *w);
PetscErrorCode RunEndWork(RunWork *w);
// Finds which surfaces are near each other at the state, for a step of length h.
PetscErrorCode RunPlaceContacts(System *s, double h);
// Refuses events whose values are means over a step, which are extrapolated to its end from that of the step before.
void check_means(const GradientProblem *p, const Stepper *stepper, Refusal *wrong);
// Refuses a neighbour in which other events happen at the start.
void check_start(const Stepper *p, const Stepper *other, const char *path, Refusal *wrong);

// Solves for dq/dp with a derivative of the length of the part of a step under way, and moves the shadows to its end. `fresh`:
// the tangent was not used yet.
PetscErrorCode RunMoveShadows(RunWork *w, Direction *d, double length_rate, bool *fresh);
// The same with the derivative of the length, whose search begins with `start` and which `start` becomes. `longest`: raised to
// the largest change of the length, relative to it; beyond farthest_cut the shadows are not moved. run_events.c
PetscErrorCode RunPropagatePart(RunWork *w, Direction *d, double *start, double *longest, bool *fresh);

// The derivative of a row from f[0..4]; f[2] is the run's own value. `change`: the largest of f[3] - f[1] of the column so far.
// run_columns.c
HistoryRate rate_of_row(const double f[5], double delta, double *change);
// Samples the columns of the shadows at their states. run_columns.c
PetscErrorCode RunSampleShadows(Direction *d);
// Adds the present values of columns and their derivatives to the histories. `start`: before the first step.
PetscErrorCode RunAddRow(RunWork *w, bool start);
// The derivatives of all quantities, from their histories.
void run_put_derivatives(RunWork *w);

#endif
