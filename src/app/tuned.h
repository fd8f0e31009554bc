// SPDX-License-Identifier: Apache-2.0
// What commands print that find numbers of a model.
#ifndef LIMBER_APP_TUNED_H
#define LIMBER_APP_TUNED_H

#include "gradient/gradient.h"

// An estimate of an error, rounded up to a power of ten.
void print_estimate(int width, double error);
// The command that runs the model with these values.
void print_run_with(const char *model, int parameters, const GradientParameter *parameter);
void print_json_number(double value); // null where it is not finite

#endif
