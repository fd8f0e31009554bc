// SPDX-License-Identifier: Apache-2.0
// Straight lines between the entries, constant before the first and after the last.
#include "mechanics/block.h"

typedef struct {
  int count; // comes first: of both lists
  BlockCommon common;
  const void *input;
  const double *argument, *value;
} Lookup;

static Reason check(const BlockUse *b) {
  const Lookup *p = b->params;
  if (p->count < 1) return reason(REASON_CONFLICT, "argument", "a table needs at least one entry");
  for (int i = 1; i < p->count; i++)
    if (!(p->argument[i - 1] < p->argument[i])) return reason(REASON_VALUE, "argument", "`argument` must increase");
  return no_reason();
}

static void step(const BlockUse *b, const BlockStep *s, double *state, double *out) {
  const Lookup *p = b->params;
  int lo = 0, hi = p->count - 1;
  double u = s->in[0];
  (void)state;
  if (!(u > p->argument[lo])) *out = p->value[lo];
  else if (u >= p->argument[hi]) *out = p->value[hi];
  else {
    while (hi - lo > 1) {
      int mid = (lo + hi) / 2;
      if (p->argument[mid] <= u) lo = mid;
      else hi = mid;
    }
    double r = (u - p->argument[lo]) / (p->argument[hi] - p->argument[lo]);
    *out = (1 - r) * p->value[lo] + r * p->value[hi];
  }
}

static const Field fields[] = {
    {"input", FIELD_ANY, 1, offsetof(Lookup, input), "", true, 0, "a signal, or a formula of signals", NULL},
    {"argument", FIELD_LIST, 0, offsetof(Lookup, argument), UNIT_ANY, true, 0, "increasing inputs", NULL},
    {"value", FIELD_LIST, 0, offsetof(Lookup, value), UNIT_ANY, true, 0, "output at each input", NULL},
    BLOCK_PERIOD(Lookup),
};

static const double argument[] = {-1, 0, 2}, value[] = {3, 1, 5};
static const Lookup params = {3, {0}, NULL, argument, value};
static const BlockUse example = {.params = &params, .inputs = 1, .given = {1}};

const BlockKind block_lookup = {
    .name = "lookup",
    .help = "A table with linear interpolation between its entries.",
    .fields = FIELDS(fields, Lookup),
    .input = {"input"},
    .check = check,
    .step = step,
    .example = &example,
};
