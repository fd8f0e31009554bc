// SPDX-License-Identifier: Apache-2.0
// What commands print that find numbers of a model.
#ifndef LIMBER_APP_TUNED_H
#define LIMBER_APP_TUNED_H

#include "gradient/gradient.h"

// The command that runs the model with these values.
void print_run_with(const char *model, int parameters, const GradientParameter *parameter);
void print_json_number(double value); // null where it is not finite

#endif
