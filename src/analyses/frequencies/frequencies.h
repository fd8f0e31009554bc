// SPDX-License-Identifier: Apache-2.0
// The range of a model's frequencies: the lowest modes with their damping ratios, and the highest.
#ifndef LIMBER_ANALYSES_FREQUENCIES_FREQUENCIES_H
#define LIMBER_ANALYSES_FREQUENCIES_FREQUENCIES_H

#include "analyses/modes/modes.h"
#include "limber/analysis.h"
#include "model/refusal.h"

typedef struct {
  bool at_rest;          // in equilibrium under the loads, at rest or rotating; false: as the model is written
  bool rotates;          // frequencies are those in the frame that rotates with it
  Refusal why;           // not at_rest: why there is no equilibrium
  int count;             // number of lowest frequencies
  double *hz, *ratio;    // of each of them, with its ratio of critical damping
  bool *grows;           // its amplitude grows
  bool damped;           // one of the ratios is not zero
  int rigid;             // number of rigid motions, which are not included
  double highest;        // Hz
  bool highest_is_bound; // `highest` is only an upper bound
} Frequencies;

// `iterations`: most Newton iterations for the equilibrium. `wrong`: "", or why there are no frequencies; then *out is
// empty.
PetscErrorCode FrequenciesFind(Model model, const LimberStatics *options, int iterations, int count, Frequencies *out,
                               Refusal *wrong);
PetscErrorCode FrequenciesDestroy(Frequencies *f);

// The highest frequency of undamped small motions about a state, within 0.1 %. `found`: false if a joint holds
// something without mass in some directions only. highest.c
PetscErrorCode HighestFind(System *s, const Spin *spin, double *hz, bool *found);

#endif
