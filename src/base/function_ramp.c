// SPDX-License-Identifier: Apache-2.0
// From `from` at `start` straight to `to` at `end`, constant outside; smooth: by 10 s^3 - 15 s^4 + 6 s^5, which has no
// rate and no curvature at either end.
#include "base/function.h"
#include "limber/catalogue.h"

static const char *check(const void *params) {
  const LimberRamp *p = params;
  return p->start < p->end ? NULL : "a ramp needs start < end";
}

static double part(const LimberRamp *p, double t) {
  double s = (t - p->start) / (p->end - p->start);
  return s < 0 ? 0 : s > 1 ? 1 : s;
}

static double straight(const void *params, double t) {
  const LimberRamp *p = params;
  return p->from + (p->to - p->from) * part(p, t);
}

static double smooth(const void *params, double t) {
  const LimberRamp *p = params;
  double s = part(p, t);
  return p->from + (p->to - p->from) * s * s * s * (10 + s * (6 * s - 15));
}

static const Field fields[] = {
    {"from", FIELD_REAL, 1, offsetof(LimberRamp, from), "", false, 0, "value before it starts", NULL},
    {"to", FIELD_REAL, 1, offsetof(LimberRamp, to), "", false, 1, "value from its end on", NULL},
    {"start", FIELD_REAL, 1, offsetof(LimberRamp, start), "s", false, 0, "when it starts", NULL},
    {"end", FIELD_REAL, 1, offsetof(LimberRamp, end), "s", true, 0, "when it ends", NULL},
};

const FunctionKind function_ramp = {
    .name = "ramp",
    .help = "A straight change from one value to another.",
    .fields = FIELDS(fields, LimberRamp),
    .check = check,
    .value = straight,
};

const FunctionKind function_smooth_step = {
    .name = "smooth_step",
    .help = "A change from one value to another without corners: rate and curvature vanish at both ends.",
    .fields = FIELDS(fields, LimberRamp),
    .check = check,
    .value = smooth,
};
