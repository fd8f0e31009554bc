// SPDX-License-Identifier: Apache-2.0
// Distributions of a number: the value at a probability, and the probability below a value.
#ifndef LIMBER_STATISTICS_DISTRIBUTION_H
#define LIMBER_STATISTICS_DISTRIBUTION_H

typedef enum {
  DISTRIBUTION_UNIFORM,   // low, high
  DISTRIBUTION_NORMAL,    // mean, deviation
  DISTRIBUTION_LOGNORMAL, // mean, deviation of the number itself
  DISTRIBUTION_WEIBULL,   // scale, shape
  DISTRIBUTION_TABLE,     // probability in steps or straight lines between points
} DistributionKind;

typedef struct {
  DistributionKind kind;
  double a, b;
  int points; // of a table
  const double *x, *probability;
} Distribution;

double distribution_value(const Distribution *d, double probability); // 0 < probability < 1
double distribution_probability(const Distribution *d, double value);

#endif
