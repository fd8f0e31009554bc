// SPDX-License-Identifier: Apache-2.0
// From `from` at `start` to `to` at `end` by 10 s^3 - 15 s^4 + 6 s^5, constant outside: neither rate nor curvature
// jumps.
#include "base/functions/function.h"
#include "limber/catalogue.h"

static Reason check(const void *params) {
  const LimberRamp *p = params;
  return p->start < p->end ? no_reason() : reason(REASON_CONFLICT, "end", "a smooth step needs start < end");
}

static Signal at(const void *params, const FunctionHost *host, double t) {
  const LimberRamp *p = params;
  double s = (t - p->start) / (p->end - p->start);
  double rise = p->to - p->from, rest = s * (1 - s);
  (void)host;
  if (s <= 0) return (Signal){p->from, 0};
  if (s >= 1) return (Signal){p->to, 0};
  return (Signal){p->from + rise * s * s * s * (10 + s * (6 * s - 15)), 30 * rise * rest * rest / (p->end - p->start)};
}

static const Field fields[] = {
    {"from", FIELD_REAL, 1, offsetof(LimberRamp, from), UNIT_ANY, false, 0, "value before the start", NULL},
    {"to", FIELD_REAL, 1, offsetof(LimberRamp, to), UNIT_ANY, false, 1, "value after the end", NULL},
    {"start", FIELD_REAL, 1, offsetof(LimberRamp, start), "s", false, 0, "start time", NULL},
    {"end", FIELD_REAL, 1, offsetof(LimberRamp, end), "s", true, 0, "end time", NULL},
};

static const LimberRamp example = {1, 3, 0.5, 2};

const FunctionKind function_smooth_step = {
    .name = "smooth_step",
    .help = "A smooth change from one value to another: first and second derivatives are zero at both ends.",
    .fields = FIELDS(fields, LimberRamp),
    .check = check,
    .at = at,
    .example = &example,
};
