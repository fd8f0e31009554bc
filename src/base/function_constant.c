// SPDX-License-Identifier: Apache-2.0
#include "base/function.h"
#include "limber/catalogue.h"

static double value(const void *params, double t) {
  (void)t;
  return ((const LimberConstant *)params)->value;
}

static const Field fields[] = {
    {"value", FIELD_REAL, 1, offsetof(LimberConstant, value), "", true, 1, "the value at all times", NULL},
};

const FunctionKind function_constant = {
    .name = "constant",
    .help = "The same value at all times.",
    .fields = FIELDS(fields, LimberConstant),
    .value = value,
};
