// SPDX-License-Identifier: Apache-2.0
#include "base/functions/function.h"

static Reason check(const void *params) {
  return ((const LimberCombination *)params)->count > 0 ? no_reason()
                                                        : reason(REASON_CONFLICT, "of", "a sum needs functions");
}

static Signal at(const void *params, const FunctionHost *host, double t) {
  const LimberCombination *p = params;
  Signal sum = {0, 0};
  for (int i = 0; i < p->count; i++) {
    Signal s = host->other(host, p->of[i].index, t);
    sum.value += s.value, sum.rate += s.rate;
  }
  return sum;
}

static const Field fields[] = {
    {"of", FIELD_FUNCTIONS, 1, offsetof(LimberCombination, of), UNIT_ANY, true, 0, "functions to add", NULL},
};

static const LimberFunctionId example_of[] = {{0}, {1}, {0}};
static const LimberCombination example = {example_of, 3};

const FunctionKind function_sum = {
    .name = "sum",
    .help = "The sum of other functions.",
    .fields = FIELDS(fields, LimberCombination),
    .check = check,
    .at = at,
    .example = &example,
};
