// SPDX-License-Identifier: Apache-2.0
#include "statistics/distribution.h"

#include <math.h>
#include <stddef.h>

const DistributionInfo distribution_info[] = {
#define DISTRIBUTION(constant, name, parameters, units, help) {#name, help, parameters, units},
#include "statistics/distribution.def"
#undef DISTRIBUTION
};

// ---- the normal distribution ----

double normal_probability(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }

static double rational_function(const double n[8], const double d[8], double r) {
  double p = n[7], q = d[7];
  for (int i = 6; i >= 0; i--) p = p * r + n[i], q = q * r + d[i];
  return p / q;
}

// Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37 (1988), PPND16:
// rational functions in three ranges, about 1e-16 of the value.
double normal_value(double p) {
  static const double a[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                              1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                              3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static const double b[8] = {1.0,
                              4.2313330701600911252e+1,
                              6.8718700749205790830e+2,
                              5.3941960214247511077e+3,
                              2.1213794301586595867e+4,
                              3.9307895800092710610e+4,
                              2.8729085735721942674e+4,
                              5.2264952788528545610e+3};
  static const double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                              3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                              2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static const double d[8] = {1.0,
                              2.05319162663775882187e0,
                              1.67638483018380384940e0,
                              6.89767334985100004550e-1,
                              1.48103976427480074590e-1,
                              1.51986665636164571966e-2,
                              5.47593808499534494600e-4,
                              1.05075007164441684324e-9};
  static const double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                              2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                              2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double f[8] = {1.0,
                              5.99832206555887937690e-1,
                              1.36929880922735805310e-1,
                              1.48753612908506148525e-2,
                              7.86869131145613259100e-4,
                              1.84631831751005468180e-5,
                              1.42151175831644588870e-7,
                              2.04426310338993978564e-15};
  double q = p - 0.5;
  if (fabs(q) <= 0.425) return q * rational_function(a, b, 0.180625 - q * q);
  double r = sqrt(-log(q < 0 ? p : 1 - p));
  double x = r <= 5 ? rational_function(c, d, r - 1.6) : rational_function(e, f, r - 5);
  return q < 0 ? -x : x;
}

// ---- all of them ----

// A number whose mean is m and deviation s has a logarithm of this deviation and mean.
static double log_deviation(double m, double s) { return sqrt(log1p(s / m * (s / m))); }
static double log_mean(double m, double s) { return log(m) - 0.5 * log1p(s / m * (s / m)); }

static double table_value(const Distribution *d, double p) {
  int low = 0, high = d->points - 1;
  if (p <= d->probability[low]) return d->x[low];
  if (p >= d->probability[high]) return d->x[high];
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (d->probability[middle] <= p) low = middle;
    else high = middle;
  }
  double part = (p - d->probability[low]) / (d->probability[high] - d->probability[low]);
  return d->x[low] + part * (d->x[high] - d->x[low]);
}

static double table_probability(const Distribution *d, double x) {
  int low = 0, high = d->points - 1;
  if (x < d->x[low]) return 0;
  if (x >= d->x[high]) return 1;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (d->x[middle] <= x) low = middle;
    else high = middle;
  }
  double part = (x - d->x[low]) / (d->x[high] - d->x[low]);
  return d->probability[low] + part * (d->probability[high] - d->probability[low]);
}

static double triangular_value(const Distribution *d, double p) {
  double width = d->c - d->a, at_mode = (d->b - d->a) / width;
  return p < at_mode ? d->a + sqrt(p * width * (d->b - d->a)) : d->c - sqrt((1 - p) * width * (d->c - d->b));
}

static double triangular_probability(const Distribution *d, double x) {
  double width = d->c - d->a;
  if (x <= d->a) return 0;
  if (x >= d->c) return 1;
  if (x < d->b) return (x - d->a) * (x - d->a) / (width * (d->b - d->a));
  return 1 - (d->c - x) * (d->c - x) / (width * (d->c - d->b));
}

static double value_of(const Distribution *d, double p) {
  switch (d->kind) {
  case DISTRIBUTION_UNIFORM: return d->a + p * (d->b - d->a);
  case DISTRIBUTION_NORMAL: return d->a + d->b * normal_value(p);
  case DISTRIBUTION_LOGNORMAL: return exp(log_mean(d->a, d->b) + log_deviation(d->a, d->b) * normal_value(p));
  case DISTRIBUTION_WEIBULL: return d->a * pow(-log1p(-p), 1 / d->b);
  case DISTRIBUTION_GUMBEL: return d->a - d->b * log(-log(p));
  case DISTRIBUTION_EXPONENTIAL: return -d->a * log1p(-p);
  case DISTRIBUTION_TRIANGULAR: return triangular_value(d, p);
  case DISTRIBUTION_TABLE: return table_value(d, p);
  }
  return 0;
}

static double probability_of(const Distribution *d, double x) {
  switch (d->kind) {
  case DISTRIBUTION_UNIFORM: return fmin(1, fmax(0, (x - d->a) / (d->b - d->a)));
  case DISTRIBUTION_NORMAL: return normal_probability((x - d->a) / d->b);
  case DISTRIBUTION_LOGNORMAL:
    return x > 0 ? normal_probability((log(x) - log_mean(d->a, d->b)) / log_deviation(d->a, d->b)) : 0;
  case DISTRIBUTION_WEIBULL: return x > 0 ? -expm1(-pow(x / d->a, d->b)) : 0;
  case DISTRIBUTION_GUMBEL: return exp(-exp(-(x - d->a) / d->b));
  case DISTRIBUTION_EXPONENTIAL: return x > 0 ? -expm1(-x / d->a) : 0;
  case DISTRIBUTION_TRIANGULAR: return triangular_probability(d, x);
  case DISTRIBUTION_TABLE: return table_probability(d, x);
  }
  return 0;
}

double distribution_value(const Distribution *d, double p) {
  if (!d->within) return value_of(d, p);
  double below = probability_of(d, d->low), above = probability_of(d, d->high);
  return fmin(d->high, fmax(d->low, value_of(d, below + p * (above - below))));
}

double distribution_probability(const Distribution *d, double x) {
  if (!d->within) return probability_of(d, x);
  double below = probability_of(d, d->low), above = probability_of(d, d->high);
  return x <= d->low ? 0 : x >= d->high ? 1 : (probability_of(d, x) - below) / (above - below);
}

static const char *table_error(const Distribution *d) {
  if (d->points < 2) return "needs two points or more";
  for (int i = 1; i < d->points; i++)
    if (!(d->x[i] > d->x[i - 1]) || !(d->probability[i] >= d->probability[i - 1]))
      return "must rise from point to point";
  if (d->probability[0] < 0 || d->probability[d->points - 1] != 1) return "must end at the probability 1";
  return d->probability[0] != 0 ? "must begin at the probability 0" : NULL;
}

static const char *parameters_error(const Distribution *d) {
  switch (d->kind) {
  case DISTRIBUTION_UNIFORM: return d->a < d->b ? NULL : "needs a low that is below its high";
  case DISTRIBUTION_NORMAL: return d->b > 0 ? NULL : "needs a positive deviation";
  case DISTRIBUTION_LOGNORMAL:
    return !(d->a > 0) ? "needs a positive mean" : d->b > 0 ? NULL : "needs a positive deviation";
  case DISTRIBUTION_WEIBULL: return !(d->a > 0) ? "needs a positive scale" : d->b > 0 ? NULL : "needs a positive shape";
  case DISTRIBUTION_GUMBEL: return d->b > 0 ? NULL : "needs a positive scale";
  case DISTRIBUTION_EXPONENTIAL: return d->a > 0 ? NULL : "needs a positive mean";
  case DISTRIBUTION_TRIANGULAR:
    return d->a <= d->b && d->b <= d->c && d->a < d->c ? NULL : "needs a mode between its low and its high";
  case DISTRIBUTION_TABLE: return table_error(d);
  }
  return 0;
}

const char *distribution_error(const Distribution *d) {
  const char *error = parameters_error(d);
  if (error || !d->within) return error;
  if (!(d->low < d->high)) return "'within' needs a low that is below its high";
  return probability_of(d, d->high) - probability_of(d, d->low) > 1e-12 ? NULL : "has nothing within these bounds";
}
