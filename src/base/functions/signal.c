// SPDX-License-Identifier: Apache-2.0
// A value that a program sets between two steps (LimberModelSetSignal) and that is held over the next: sampled and
// held, as what a digital controller puts out.
#include "base/functions/function.h"

static Signal at(const void *params, const FunctionHost *host, double t) {
  (void)host, (void)t;
  return (Signal){((const LimberSignal *)params)->value, 0};
}

static const Field fields[] = {
    {"value", FIELD_REAL, 1, offsetof(LimberSignal, value), UNIT_ANY, false, 0,
     "initial value, until a program sets another", NULL},
};

static const LimberSignal example = {1.5};

const FunctionKind function_signal = {
    .name = "signal",
    .help = "A value that a program sets between steps.",
    .fields = FIELDS(fields, LimberSignal),
    .at = at,
    .example = &example,
};
