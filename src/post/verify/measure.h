// SPDX-License-Identifier: Apache-2.0
// One number from the columns of results: what expected.yaml asks for.
#ifndef LIMBER_POST_VERIFY_MEASURE_H
#define LIMBER_POST_VERIFY_MEASURE_H

#include "input/yaml/expected.h"
#include "model/refusal.h"
#include "results/read/results.h"

typedef struct {
  double value;
  char units[32];
  Refusal wrong; // "" or why there is no value
} Measured;

// `results` are those of the quantity's run; of a difference also those of the other; of an order those of each step.
void measure_quantity(const Quantity *q, int count, Results *const *results, Measured *out);

#endif
