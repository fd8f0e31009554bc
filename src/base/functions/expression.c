// SPDX-License-Identifier: Apache-2.0
// A formula in t. Without a formula of its own the rate is Ridders' extrapolation of central differences to h = 0
// (Adv. Eng. Software 4, 1982): h goes from 1/32 s down by factors of 4, and of all extrapolations that one counts
// which changes least. Its error is about 1e-11 of what the function changes by in its shortest time.
#include "base/functions/function.h"

#include <math.h>

enum { VALUE, RATE, LEVELS = 10 };

static double central_difference(const FunctionHost *host, double t, double h) {
  double after = t + h, before = t - h; // as they come out, so that their distance is exact
  return (host->formula(host, VALUE, after) - host->formula(host, VALUE, before)) / (after - before);
}

static double extrapolated_rate(const FunctionHost *host, double t) {
  double d[LEVELS][LEVELS], best = NAN, least = HUGE_VAL, h = 1.0 / 32;
  for (int i = 0; i < LEVELS; i++, h /= 4) {
    double factor = 16;
    d[i][0] = central_difference(host, t, h);
    for (int j = 1; j <= i; j++, factor *= 16) {
      d[i][j] = d[i][j - 1] + (d[i][j - 1] - d[i - 1][j - 1]) / (factor - 1);
      double change = fmax(fabs(d[i][j] - d[i][j - 1]), fabs(d[i][j] - d[i - 1][j - 1]));
      if (change < least) least = change, best = d[i][j];
    }
  }
  if (isfinite(best)) return best;
  h = 1e-6; // defined to one side only, as sqrt(t) at t = 0
  return (host->formula(host, VALUE, t + h) - host->formula(host, VALUE, t)) / h;
}

static Signal at(const void *params, const FunctionHost *host, double t) {
  const LimberExpression *p = params;
  double value = host->formula(host, VALUE, t);
  if (!host->rate) return (Signal){value, 0};
  return (Signal){value, p->rate.text ? host->formula(host, RATE, t) : extrapolated_rate(host, t)};
}

static const Field fields[] = {
    {"value", FIELD_FORMULA, 1, offsetof(LimberExpression, value), "", true, 0,
     "formula of the time t (s) and of parameters (SI)", NULL},
    {"rate", FIELD_FORMULA, 1, offsetof(LimberExpression, rate), "", false, 0,
     "its derivative with respect to t, as a formula; default: by finite differences", NULL},
};

static const LimberExpression example = {{"2*sin(5*t)*t", NULL, 0}, {NULL, NULL, 0}};

const FunctionKind function_expression = {
    .name = "expression",
    .help = "A formula of the time t.",
    .fields = FIELDS(fields, LimberExpression),
    .at = at,
    .example = &example,
};
