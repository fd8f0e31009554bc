// SPDX-License-Identifier: Apache-2.0
// The output follows the input and changes by no more than a rate.
#include "mechanics/block.h"

#include <math.h>

typedef struct {
  BlockCommon common;
  const void *input;
  double rising, falling;
} RateLimit;

static Reason check(const BlockUse *b) {
  const RateLimit *p = b->params;
  if (!(p->rising > 0)) return reason(REASON_VALUE, "rising", "`rising` must be positive");
  return p->falling < 0 ? reason(REASON_VALUE, "falling", "`falling` must be positive") : no_reason();
}

static int states(const BlockUse *b) {
  (void)b;
  return 1;
}

static void step(const BlockUse *b, const BlockStep *s, double *state, double *out) {
  const RateLimit *p = b->params;
  double falling = p->falling > 0 ? p->falling : p->rising;
  if (s->dt > 0) state[0] = fmin(fmax(s->in[0], state[0] - falling * s->dt), state[0] + p->rising * s->dt);
  else state[0] = s->in[0];
  out[0] = state[0];
}

static const Field fields[] = {
    {"input", FIELD_ANY, 1, offsetof(RateLimit, input), "", true, 0, "a signal, or a formula of signals", NULL},
    {"rising", FIELD_REAL, 1, offsetof(RateLimit, rising), UNIT_ANY, true, 0, "largest rate, per second", NULL},
    {"falling", FIELD_REAL, 1, offsetof(RateLimit, falling), UNIT_ANY, false, 0,
     "the same downwards; default: `rising`", NULL},
    BLOCK_PERIOD(RateLimit),
};

static const RateLimit params = {{0}, NULL, 2, 3};
static const BlockUse example = {.params = &params, .inputs = 1, .given = {1}};

const BlockKind block_rate_limit = {
    .name = "rate_limit",
    .help = "Limits the rate of the input.",
    .fields = FIELDS(fields, RateLimit),
    .input = {"input"},
    .check = check,
    .states = states,
    .step = step,
    .example = &example,
};
