// SPDX-License-Identifier: Apache-2.0
// amplitude sin(2 pi (f_0 s + (f_1 - f_0) s^2/(2 d))), s = t - start, while the frequency goes from f_0 to f_1 in d = end - start;
// 0 before and after.
#include "base/function.h"
#include "limber/catalogue.h"

#include <math.h>

static const char *check(const void *params) {
  const LimberChirp *p = params;
  return p->start < p->end ? NULL : "a chirp needs start < end";
}

static double value(const void *params, double t) {
  const LimberChirp *p = params;
  double s = t - p->start, d = p->end - p->start;
  if (s < 0 || s > d) return 0;
  return p->amplitude * sin(6.283185307179586 * s * (p->from + 0.5 * (p->to - p->from) * s / d));
}

static const Field fields[] = {
    {"amplitude", FIELD_REAL, 1, offsetof(LimberChirp, amplitude), "", false, 1, "half the distance of the extremes",
     NULL},
    {"from", FIELD_REAL, 1, offsetof(LimberChirp, from), "Hz", true, 0, "frequency at the start", NULL},
    {"to", FIELD_REAL, 1, offsetof(LimberChirp, to), "Hz", true, 0, "frequency at the end", NULL},
    {"start", FIELD_REAL, 1, offsetof(LimberChirp, start), "s", false, 0, "when it starts", NULL},
    {"end", FIELD_REAL, 1, offsetof(LimberChirp, end), "s", true, 0, "when it ends", NULL},
};

const FunctionKind function_chirp = {
    .name = "chirp",
    .help = "A sine whose frequency grows evenly from one value to another.",
    .fields = FIELDS(fields, LimberChirp),
    .check = check,
    .value = value,
};
