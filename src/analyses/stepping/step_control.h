// SPDX-License-Identifier: Apache-2.0
// The length of steps, chosen by what a step loses and by how hard it is for Newton. Bauchau & Theron 1996 propose the
// energy lost in a step as the measure of its error: "if this total energy loss is larger than a preset value, a
// smaller time step would be used".
//
// With P the tolerated loss and D(t) what was lost up to t, P t - D is saved. A step from t to t + h may lose a part
// (CONTROL_PART) of P (t + h) - D, the shortest step all of it, and is rejected if it loses more. So D <= P t at every
// step, a calm stretch saves for an event, and no long step can spend it all. Steps of about equal loss are also the
// fewest for a given sum: with c(t) h^p lost in a step, the least number of steps under a fixed sum of losses has c h^p
// constant.
//
// Lengths stand on a ladder, step 2^(k/4): round-off, such as from another number of ranks, does not move them.
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
  int rung, least, most; // of the ladder: in use, and the ends
  double spent;          // sum of |lost|
  double before;         // how much of its allowance the last step spent; 0: there was none
} Control;

// NULL, or what is wrong with the limits (static text).
const char *control_error(const LimberControl *limits, double step);
void control_begin(Control *c, const LimberControl *limits, double step, double order);

// The length of the step to try from t, and where it ends: at t + h, or exactly at the next time to be met.
double control_length(const Control *c, double t, double *end);

// What a step may lose; infinite where any loss is tolerated.
double control_allows(const Control *c, double t, double h);

// After a step from t was taken: the length of the next. `first`: it was not rejected before.
void control_accept(Control *c, double t, double h, double lost, int iterations, bool first);

// After a step from t was rejected, because of its loss or (`lost` < 0) because it could not be solved. False: it was
// the shortest.
bool control_reject(Control *c, double t, double h, double lost);

#endif
