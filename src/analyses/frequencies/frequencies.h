// SPDX-License-Identifier: Apache-2.0
// The range of a model's frequencies: the lowest modes with their damping ratios, and the highest.
#ifndef LIMBER_ANALYSES_FREQUENCIES_FREQUENCIES_H
#define LIMBER_ANALYSES_FREQUENCIES_FREQUENCIES_H

#include "analyses/modes/modes.h"
#include "limber/analysis.h"
#include "model/refusal.h"

typedef struct {
  bool at_rest;          // in equilibrium under the loads, standing or rotating; otherwise as the model is written
  bool rotates;          // frequencies are those in the frame that rotates with it
  Refusal why;           // not at_rest: why there is no equilibrium
  int count;             // of the lowest, each with ...
  double *hz, *ratio;    // ... its ratio of critical damping
  bool *grows;           // it moves away from the equilibrium
  bool damped;           // one of the ratios is not zero
  int rigid;             // motions without stiffness, which are not among them
  double highest;        // Hz
  bool highest_is_bound; // no frequency is higher than that
} Frequencies;

// `iterations`: of Newton, within which an equilibrium is sought. `wrong`: "" or why there are none; then *out holds
// nothing.
PetscErrorCode FrequenciesFind(Model model, const LimberStatics *options, int iterations, int count, Frequencies *out,
                               Refusal *wrong);
PetscErrorCode FrequenciesDestroy(Frequencies *f);

// The highest of undamped small motions about a state, within 0.1 %. `found`: false where something without mass is
// held by a joint in some directions only. highest.c
PetscErrorCode HighestFind(System *s, const Spin *spin, double *hz, bool *found);

#endif
