// SPDX-License-Identifier: Apache-2.0
// Derivatives that a study finds in each run (docs/studies.md, Gradients): what `limber gradient` gives for the model
// with the values of the run.
#ifndef LIMBER_STUDY_GRADIENTS_H
#define LIMBER_STUDY_GRADIENTS_H

#include "gradient/gradient.h"
#include "input/input.h"
#include "model/refusal.h"
#include "study/plan/plan.h"

#include <petscsys.h>

// Names and units of quantities and parameters, for the columns of the table.
typedef struct {
  int quantities, parameters;
  const char **quantity, **quantity_unit, **parameter, **parameter_unit;
} StudyGradients;

// Notes mistakes in the plan, by comparison with the model of a run.
Error StudyGradientsCheck(const Plan *p, const Input *in, Diagnostics *d);
// Names and units; the plan has no mistakes.
Error StudyGradientsName(const Plan *p, const Input *in, Store *store, StudyGradients *out);
// "N/m", "m/(m-1 kg s-2)"
const char *study_gradient_unit(const char *quantity, const char *parameter, char *text, size_t size);

// Finds the derivatives of a model that was read with the changes of a run, of which the last are those of the plan, one
// for each variable. `value` gets the value of each quantity, followed by its derivatives; `error` those of the
// derivatives. `watch` may stop it. `wrong`: why there are
// none. Collective.
PetscErrorCode StudyGradientsFind(const Plan *p, const Input *in, SourceReader read, const char *const *change,
                                  const GradientWatch *watch, double *value, double *error, Refusal *wrong);

#endif
