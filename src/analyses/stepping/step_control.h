// SPDX-License-Identifier: Apache-2.0
// Chooses the length of steps from their energy loss and the effort of Newton. Bauchau & Theron 1996 propose the energy
// lost in a step as the measure of its error: "if this total energy loss is larger than a preset value, a smaller time
// step would be used".
//
// With the tolerated loss rate P and the loss D(t) up to t, P t - D is saved. A step from t to t + h may lose a
// fraction (CONTROL_PART) of P (t + h) - D, the shortest step all of it; otherwise it is rejected. So D <= P t at every
// step, calm phases save for events, and no long step can spend everything. Steps of about equal loss also minimise
// their number: if a step loses c(t) h^p, the fewest steps for a given total loss have constant c h^p.
//
// Lengths are on a ladder, step 2^(k/4), so that round-off, such as from another number of ranks, does not change them.
// Equations: eq-steps-allowance (14.1).
#ifndef LIMBER_ANALYSES_STEPPING_STEP_CONTROL_H
#define LIMBER_ANALYSES_STEPPING_STEP_CONTROL_H

#include "limber/limber.h"

#include <stdbool.h>

#define CONTROL_PART 0.01

typedef struct {
  LimberControl limits;
  double step;           // rung 0
  double order;          // a step loses h^order; 0: nothing
  int rung, least, most; // of the ladder: current, lowest, highest
  double spent;          // sum of |lost|
  double before;         // fraction of its allowance that the last step spent; 0: no last step
} Control;

// NULL, or the error in the limits (static text).
const char *control_error(const LimberControl *limits, double step);
void control_begin(Control *c, const LimberControl *limits, double step, double order);

// The length of the next step to try from t, and its end: t + h, or exactly the next time to be met.
double control_length(const Control *c, double t, double *end);

// The tolerated loss of a step; infinite if any loss is tolerated.
double control_allows(const Control *c, double t, double h);

// After an accepted step from t: sets the next length. `first`: it was accepted at the first attempt.
void control_accept(Control *c, double t, double h, double lost, int iterations, bool first);

// After a rejected step from t, because of its loss or (`lost` < 0) because it did not converge. False: it was the
// shortest.
bool control_reject(Control *c, double t, double h, double lost);

#endif
