// SPDX-License-Identifier: Apache-2.0
// mean + amplitude sin(2 pi frequency t + phase)
#include "base/functions/function.h"
#include "limber/catalogue.h"

#include <math.h>

static Signal at(const void *params, const FunctionHost *host, double t) {
  const LimberSine *p = params;
  double omega = 6.283185307179586 * p->frequency, phase = omega * t + p->phase;
  (void)host;
  return (Signal){p->mean + p->amplitude * sin(phase), p->amplitude * omega * cos(phase)};
}

static const Field fields[] = {
    {"amplitude", FIELD_REAL, 1, offsetof(LimberSine, amplitude), UNIT_ANY, false, 1,
     "half the difference of the extremes", NULL},
    {"frequency", FIELD_REAL, 1, offsetof(LimberSine, frequency), "Hz", true, 0, "cycles per second", NULL},
    {"phase", FIELD_REAL, 1, offsetof(LimberSine, phase), "rad", false, 0, "angle at t = 0", NULL},
    {"mean", FIELD_REAL, 1, offsetof(LimberSine, mean), UNIT_ANY, false, 0, "mean value", NULL},
};

static const LimberSine example = {2, 1.5, 0.3, 1};

const FunctionKind function_sine = {
    .name = "sine",
    .help = "A sine about a mean.",
    .fields = FIELDS(fields, LimberSine),
    .at = at,
    .example = &example,
};
