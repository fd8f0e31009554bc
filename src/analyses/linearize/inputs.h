// SPDX-License-Identifier: Apache-2.0
// The inputs of a linear model: the amplitude of each load, and each signal. A source has up to two forces, due to its
// value and to its rate (a controller with a derivative gain), and may prescribe coordinates (a drive of motion) or
// their rates (a drive of rate).
#ifndef LIMBER_ANALYSES_LINEARIZE_INPUTS_H
#define LIMBER_ANALYSES_LINEARIZE_INPUTS_H

#include "analyses/linearize/unknowns.h"
#include "model/refusal.h"

typedef struct {
  char name[200];
  const char *unit, *rate_unit, *acceleration_unit, *integral_unit;
  double value;     // at the operating point
  double *force[2]; // on all unknowns, due to a unit of the value and of its rate
  double *drive[2]; // the same for prescribed coordinates: their values, and their rates
  bool has_rate, has_drive[2];
} LinearSource;

typedef struct {
  int count;
  LinearSource *source;
} LinearSources;

// All loads of the model, then its signals; or those that are named. `wrong`: "", or which name is unknown.
PetscErrorCode SourcesCreate(const Motion *motion, const Equations *equations, const Unknowns *u, int names,
                             const char *const *name, LinearSources *out, Refusal *wrong);
PetscErrorCode SourcesDestroy(LinearSources *q);

#endif
