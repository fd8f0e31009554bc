// SPDX-License-Identifier: Apache-2.0
// What drives a linear model: the amplitude of each load, and each signal. A source has up to two forces, that of its value and
// that of its rate (a controller with a derivative gain), and says what coordinates are (a drive of motion) or their rates (a
// drive of rate).
#ifndef LIMBER_ANALYSES_LINEARIZE_INPUTS_H
#define LIMBER_ANALYSES_LINEARIZE_INPUTS_H

#include "analyses/linearize/unknowns.h"
#include "model/refusal.h"

typedef struct {
  char name[200];
  const char *unit, *rate_unit, *acceleration_unit, *integral_unit;
  double value;     // at the operating point
  double *force[2]; // in the rows of all unknowns: of a unit of the value, and of its rate
  double *drive[2]; // the same of prescribed coordinates: their values, or their rates
  bool has_rate, has_drive[2];
} LinearSource;

typedef struct {
  int count;
  LinearSource *source;
} LinearSources;

// All loads of the model, then its signals; or those that are named. `wrong`: "", or which name is none.
PetscErrorCode SourcesCreate(const Motion *motion, const Equations *equations, const Unknowns *u, int names,
                             const char *const *name, LinearSources *out, Refusal *wrong);
PetscErrorCode SourcesDestroy(LinearSources *q);

#endif
