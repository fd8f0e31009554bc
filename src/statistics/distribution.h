// SPDX-License-Identifier: Apache-2.0
// Distributions of a number: the value at a probability, and the probability below a value.
#ifndef LIMBER_STATISTICS_DISTRIBUTION_H
#define LIMBER_STATISTICS_DISTRIBUTION_H

#include <stdbool.h>

typedef enum {
#define DISTRIBUTION(constant, name, parameters, units, help) DISTRIBUTION_##constant,
#include "statistics/distribution.def"
#undef DISTRIBUTION
  DISTRIBUTION_TABLE, // of probabilities at or below some numbers, with straight lines between
} DistributionKind;

enum { DISTRIBUTION_PARAMETERS = 3 };

typedef struct {
  DistributionKind kind;
  double a, b, c;
  bool within; // only between these two, in proportion
  double low, high;
  int points; // of a table
  const double *x, *probability;
} Distribution;

typedef struct {
  const char *name, *help;
  int parameters, units;
} DistributionInfo;
extern const DistributionInfo distribution_info[]; // by kind, but for the table

// NULL, or what is wrong with the parameters.
const char *distribution_error(const Distribution *d);

double distribution_value(const Distribution *d, double probability); // 0 < probability < 1
double distribution_probability(const Distribution *d, double value);

double normal_probability(double x);     // below x, mean 0, deviation 1
double normal_value(double probability); // its inverse, to the round-off of a double

#endif
