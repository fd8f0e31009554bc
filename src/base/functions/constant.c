// SPDX-License-Identifier: Apache-2.0
#include "base/functions/function.h"
#include "limber/catalogue.h"

static Signal at(const void *params, const FunctionHost *host, double t) {
  (void)host, (void)t;
  return (Signal){((const LimberConstant *)params)->value, 0};
}

static const Field fields[] = {
    {"value", FIELD_REAL, 1, offsetof(LimberConstant, value), UNIT_ANY, true, 1, "value at all times", NULL},
};

static const LimberConstant example = {2.5};

const FunctionKind function_constant = {
    .name = "constant",
    .help = "The same value at all times.",
    .fields = FIELDS(fields, LimberConstant),
    .at = at,
    .example = &example,
};
