// SPDX-License-Identifier: Apache-2.0
#include "mechanics/block.h"

#include <math.h>

typedef struct {
  BlockCommon common;
  const void *input;
  const double *smallest, *largest; // NULL: none
  double dead_zone;
} Limit;

static Reason check(const BlockUse *b) {
  const Limit *p = b->params;
  if (p->smallest && p->largest && !(*p->smallest < *p->largest))
    return reason(REASON_VALUE, "smallest", "`smallest` must be below `largest`");
  return p->dead_zone < 0 ? reason(REASON_VALUE, "dead_zone", "`dead_zone` must not be negative") : no_reason();
}

static void step(const BlockUse *b, const BlockStep *s, double *state, double *out) {
  const Limit *p = b->params;
  double u = s->in[0];
  (void)state;
  u = u > p->dead_zone ? u - p->dead_zone : u < -p->dead_zone ? u + p->dead_zone : 0;
  out[0] = fmin(fmax(u, block_number(p->smallest, -HUGE_VAL)), block_number(p->largest, HUGE_VAL));
}

static const Field fields[] = {
    {"input", FIELD_ANY, 1, offsetof(Limit, input), "", true, 0, "a signal, or a formula of signals", NULL},
    {"smallest", FIELD_OPTIONAL_REALS, 1, offsetof(Limit, smallest), UNIT_ANY, false, 0,
     "limit of the output; default: none", NULL},
    {"largest", FIELD_OPTIONAL_REALS, 1, offsetof(Limit, largest), UNIT_ANY, false, 0,
     "limit of the output; default: none", NULL},
    {"dead_zone", FIELD_REAL, 1, offsetof(Limit, dead_zone), UNIT_ANY, false, 0,
     "half the width of a dead zone about 0", NULL},
    BLOCK_PERIOD(Limit),
};

static const double low = -0.5, high = 1;
static const Limit params = {{0}, NULL, &low, &high, 0.1};
static const BlockUse example = {.params = &params, .inputs = 1, .given = {1}};

const BlockKind block_limit = {
    .name = "limit",
    .help = "Limits the input, with an optional dead zone.",
    .fields = FIELDS(fields, Limit),
    .input = {"input"},
    .check = check,
    .step = step,
    .example = &example,
};
