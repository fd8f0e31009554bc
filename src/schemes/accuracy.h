// SPDX-License-Identifier: Apache-2.0
// What a scheme makes of an oscillation that has a given number of steps a period, found by taking such steps.
#ifndef LIMBER_SCHEMES_ACCURACY_H
#define LIMBER_SCHEMES_ACCURACY_H

#include "schemes/scheme.h"

typedef struct {
  double period; // relative error of the period, positive: too long
  double loss;   // part of the amplitude that the scheme takes in a period
} SchemeAccuracy;

// false: the rule takes no such steps, because its analysis solves linear motions by itself.
bool scheme_accuracy(const StepRule *rule, double steps_a_period, SchemeAccuracy *out);

#endif
