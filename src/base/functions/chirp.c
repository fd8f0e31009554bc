// SPDX-License-Identifier: Apache-2.0
// amplitude sin(2 pi (f_0 s + (f_1 - f_0) s^2/(2 d))), s = t - start, while the frequency goes from f_0 to f_1 in d =
// end - start; 0 before and after.
#include "base/functions/function.h"
#include "limber/catalogue.h"

#include <math.h>

static Reason check(const void *params) {
  const LimberChirp *p = params;
  return p->start < p->end ? no_reason() : reason(REASON_CONFLICT, "end", "a chirp needs start < end");
}

static Signal at(const void *params, const FunctionHost *host, double t) {
  const LimberChirp *p = params;
  double s = t - p->start, d = p->end - p->start;
  (void)host;
  if (s < 0 || s > d) return (Signal){0, 0};
  double turn = 6.283185307179586, phase = turn * s * (p->from + 0.5 * (p->to - p->from) * s / d);
  double rate = s < d ? turn * (p->from + (p->to - p->from) * s / d) : 0;
  return (Signal){p->amplitude * sin(phase), p->amplitude * rate * cos(phase)};
}

static const Field fields[] = {
    {"amplitude", FIELD_REAL, 1, offsetof(LimberChirp, amplitude), UNIT_ANY, false, 1,
     "half the difference of the extremes", NULL},
    {"from", FIELD_REAL, 1, offsetof(LimberChirp, from), "Hz", true, 0, "frequency at the start", NULL},
    {"to", FIELD_REAL, 1, offsetof(LimberChirp, to), "Hz", true, 0, "frequency at the end", NULL},
    {"start", FIELD_REAL, 1, offsetof(LimberChirp, start), "s", false, 0, "start time", NULL},
    {"end", FIELD_REAL, 1, offsetof(LimberChirp, end), "s", true, 0, "end time", NULL},
};

static const LimberChirp example = {2, 1, 3, 0.2, 2};

const FunctionKind function_chirp = {
    .name = "chirp",
    .help = "A sine whose frequency changes linearly from one value to another.",
    .fields = FIELDS(fields, LimberChirp),
    .check = check,
    .at = at,
    .example = &example,
};
