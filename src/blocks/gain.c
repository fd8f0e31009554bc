// SPDX-License-Identifier: Apache-2.0
#include "mechanics/block.h"

typedef struct {
  BlockCommon common;
  const void *input;
  double gain, offset;
} Gain;

static void step(const BlockUse *b, const BlockStep *s, double *state, double *out) {
  const Gain *p = b->params;
  (void)state;
  out[0] = p->gain * s->in[0] + p->offset;
}

static const Field fields[] = {
    {"input", FIELD_ANY, 1, offsetof(Gain, input), "", true, 0, "a signal, or a formula of signals", NULL},
    {"gain", FIELD_REAL, 1, offsetof(Gain, gain), UNIT_ANY, true, 1, "output over input", NULL},
    {"offset", FIELD_REAL, 1, offsetof(Gain, offset), UNIT_ANY, false, 0, "output where the input is 0", NULL},
    BLOCK_PERIOD(Gain),
};

static const Gain params = {{0}, NULL, 2.5, -1};
static const BlockUse example = {.params = &params, .inputs = 1, .given = {1}};

const BlockKind block_gain = {
    .name = "gain",
    .help = "A multiple of the input.",
    .fields = FIELDS(fields, Gain),
    .input = {"input"},
    .step = step,
    .example = &example,
};
