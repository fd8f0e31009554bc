// SPDX-License-Identifier: Apache-2.0
// A model as a function of some of its numbers, for fits and optimisation. evaluate.c
#ifndef LIMBER_FIT_TUNED_H
#define LIMBER_FIT_TUNED_H

#include "gradient/gradient.h"
#include "input/yaml/units.h"

typedef struct {
  const Input *in;
  SourceReader read;
  struct LimberGradientData g; // all quantities, with values and derivatives at the last evaluation
  const TunedParameter *tuned;
  double *scale;    // of each parameter
  bool differences; // derivatives are differences of whole analyses
  bool halved;      // runs have half the step of the file
  int runs, gradients;
} TunedModel;

PetscErrorCode TunedCreate(const Input *in, SourceReader read, int parameters, const TunedParameter *tuned,
                           int quantities, const GradientQuantity *quantity, TunedModel *out);
PetscErrorCode TunedDestroy(TunedModel *m);
// Values at `x`, in scales from the start value, and derivatives with respect to the parameters.
PetscErrorCode TunedEvaluate(TunedModel *m, const double *x, bool derivatives, Refusal *wrong);
// Values of runs with half the step at `x`; derivatives remain those of the last evaluation.
PetscErrorCode TunedEvaluateHalved(TunedModel *m, const double *x, Refusal *wrong);
// The first evaluation: decides whether derivatives must be differences; `why`: the reason, or "".
PetscErrorCode TunedBegin(TunedModel *m, Refusal *why, Refusal *wrong);
// Start values that --set changed may be outside of their bounds.
void check_tuned_starts(int parameters, const TunedParameter *tuned, Refusal *wrong);
// Start, bounds of x.
void tuned_bounds(const TunedModel *m, int parameter, double *low, double *high);
// Whether the unit `own` in which a number of the file is written (or "": SI) suits the quantity `of`. *units: NULL at
// first; the caller destroys it.
PetscErrorCode TunedCheckUnit(Units **units, const char *of, const char *unit, const char *own, Refusal *wrong);

#endif
