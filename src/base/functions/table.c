// SPDX-License-Identifier: Apache-2.0
// Straight lines between the entries, constant before the first and after the last.
#include "base/functions/function.h"
#include "limber/catalogue.h"

static Reason check(const void *params) {
  const LimberTable *p = params;
  if (p->count < 1) return reason(REASON_CONFLICT, "time", "a table needs at least one entry");
  for (int i = 1; i < p->count; i++)
    if (!(p->time[i - 1] < p->time[i])) return reason(REASON_VALUE, "time", "the times of a table must increase");
  return no_reason();
}

static Signal at(const void *params, const FunctionHost *host, double t) {
  const LimberTable *p = params;
  int lo = 0, hi = p->count - 1;
  (void)host;
  if (t < p->time[lo]) return (Signal){p->value[lo], 0};
  if (t >= p->time[hi]) return (Signal){p->value[hi], 0};
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (p->time[mid] <= t) lo = mid;
    else hi = mid;
  }
  double length = p->time[hi] - p->time[lo], s = (t - p->time[lo]) / length;
  return (Signal){(1 - s) * p->value[lo] + s * p->value[hi], (p->value[hi] - p->value[lo]) / length};
}

static const Field fields[] = {
    {"time", FIELD_LIST, 0, offsetof(LimberTable, time), "s", true, 0, "increasing times", NULL},
    {"value", FIELD_LIST, 0, offsetof(LimberTable, value), UNIT_ANY, true, 0, "value at each time", NULL},
};

static const double example_time[] = {0.1, 0.5, 2}, example_value[] = {1, -1, 5};
static const LimberTable example = {3, example_time, example_value};

const FunctionKind function_table = {
    .name = "table",
    .help = "Linear interpolation between given points.",
    .fields = FIELDS(fields, LimberTable),
    .check = check,
    .at = at,
    .example = &example,
};
