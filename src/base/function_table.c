// SPDX-License-Identifier: Apache-2.0
// Straight lines between the entries, constant before the first and after the last.
#include "base/function.h"
#include "limber/catalogue.h"

static const char *check(const void *params) {
  const LimberTable *p = params;
  if (p->count < 1) return "a table needs at least one entry";
  for (int i = 1; i < p->count; i++)
    if (!(p->time[i - 1] < p->time[i])) return "the times of a table must grow";
  return NULL;
}

static double value(const void *params, double t) {
  const LimberTable *p = params;
  int lo = 0, hi = p->count - 1;
  if (t <= p->time[lo]) return p->value[lo];
  if (t >= p->time[hi]) return p->value[hi];
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (p->time[mid] <= t) lo = mid;
    else hi = mid;
  }
  double s = (t - p->time[lo]) / (p->time[hi] - p->time[lo]);
  return (1 - s) * p->value[lo] + s * p->value[hi];
}

static const Field fields[] = {
    {"time", FIELD_LIST, 0, offsetof(LimberTable, time), "s", true, 0, "times, growing", NULL},
    {"value", FIELD_LIST, 0, offsetof(LimberTable, value), "", true, 0, "the value at each time", NULL},
};

const FunctionKind function_table = {
    .name = "table",
    .help = "Straight lines between given points.",
    .fields = FIELDS(fields, LimberTable),
    .check = check,
    .value = value,
};
