// SPDX-License-Identifier: Apache-2.0
// From `from` at `start` to `to` at `end` by 10 s^3 - 15 s^4 + 6 s^5, constant outside: neither rate nor curvature jumps.
#include "base/function.h"
#include "limber/catalogue.h"

static const char *check(const void *params) {
  const LimberRamp *p = params;
  return p->start < p->end ? NULL : "a smooth step needs start < end";
}

static double value(const void *params, double t) {
  const LimberRamp *p = params;
  double s = (t - p->start) / (p->end - p->start);
  if (s <= 0) return p->from;
  return s >= 1 ? p->to : p->from + (p->to - p->from) * s * s * s * (10 + s * (6 * s - 15));
}

static const Field fields[] = {
    {"from", FIELD_REAL, 1, offsetof(LimberRamp, from), "", false, 0, "value before it starts", NULL},
    {"to", FIELD_REAL, 1, offsetof(LimberRamp, to), "", false, 1, "value from its end on", NULL},
    {"start", FIELD_REAL, 1, offsetof(LimberRamp, start), "s", false, 0, "when it starts", NULL},
    {"end", FIELD_REAL, 1, offsetof(LimberRamp, end), "s", true, 0, "when it ends", NULL},
};

const FunctionKind function_smooth_step = {
    .name = "smooth_step",
    .help = "A change from one value to another without corners: rate and curvature vanish at both ends.",
    .fields = FIELDS(fields, LimberRamp),
    .check = check,
    .value = value,
};
