// SPDX-License-Identifier: Apache-2.0
// mean + amplitude sin(2 pi frequency t + phase)
#include "base/function.h"
#include "limber/catalogue.h"

#include <math.h>

static double value(const void *params, double t) {
  const LimberSine *p = params;
  return p->mean + p->amplitude * sin(6.283185307179586 * p->frequency * t + p->phase);
}

static const Field fields[] = {
    {"amplitude", FIELD_REAL, 1, offsetof(LimberSine, amplitude), "", false, 1, "half the distance of the extremes",
     NULL},
    {"frequency", FIELD_REAL, 1, offsetof(LimberSine, frequency), "Hz", true, 0, "cycles a second", NULL},
    {"phase", FIELD_REAL, 1, offsetof(LimberSine, phase), "rad", false, 0, "angle at t = 0", NULL},
    {"mean", FIELD_REAL, 1, offsetof(LimberSine, mean), "", false, 0, "added to the sine", NULL},
};

const FunctionKind function_sine = {
    .name = "sine",
    .help = "A sine about a mean.",
    .fields = FIELDS(fields, LimberSine),
    .value = value,
};
