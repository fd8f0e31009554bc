// SPDX-License-Identifier: Apache-2.0
// 0 until start, straight up to peak at `at`, straight down to 0 at `end`.
#include "base/functions/function.h"
#include "limber/catalogue.h"

static Reason check(const void *params) {
  const LimberTriangle *p = params;
  return p->start < p->at && p->at < p->end
             ? no_reason()
             : reason(REASON_CONFLICT, p->start < p->at ? "end" : "at", "a triangle needs start < at < end");
}

static Signal at(const void *params, const FunctionHost *host, double t) {
  const LimberTriangle *p = params;
  (void)host;
  if (t < p->start || t >= p->end) return (Signal){0, 0};
  double length = t < p->at ? p->at - p->start : p->end - p->at, rate = p->peak / length;
  return t < p->at ? (Signal){rate * (t - p->start), rate} : (Signal){rate * (p->end - t), -rate};
}

static const Field fields[] = {
    {"peak", FIELD_REAL, 1, offsetof(LimberTriangle, peak), UNIT_ANY, true, 0, "the largest value", NULL},
    {"start", FIELD_REAL, 1, offsetof(LimberTriangle, start), "s", false, 0, "start of the pulse", NULL},
    {"at", FIELD_REAL, 1, offsetof(LimberTriangle, at), "s", true, 0, "time of the peak", NULL},
    {"end", FIELD_REAL, 1, offsetof(LimberTriangle, end), "s", true, 0, "end of the pulse", NULL},
};

static const LimberTriangle example = {8, 0.5, 1, 2};

const FunctionKind function_triangle = {
    .name = "triangle",
    .help = "A triangular pulse: zero, linear rise to a peak, linear fall to zero.",
    .fields = FIELDS(fields, LimberTriangle),
    .check = check,
    .at = at,
    .example = &example,
};
