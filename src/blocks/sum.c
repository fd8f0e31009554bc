// SPDX-License-Identifier: Apache-2.0
#include "mechanics/block.h"

typedef struct {
  BlockCommon common;
  const void *inputs;
} Sum;

static void step(const BlockUse *b, const BlockStep *s, double *state, double *out) {
  (void)state;
  out[0] = 0;
  for (int i = 0; i < b->inputs; i++) out[0] += s->in[i];
}

static const Field fields[] = {
    {"inputs", FIELD_ANY, 1, offsetof(Sum, inputs), "", true, 0, "a list of signals or formulae: [motor, -brake]",
     NULL},
    BLOCK_PERIOD(Sum),
};

static const Sum params = {{0}, NULL};
static const BlockUse example = {.params = &params, .inputs = 3, .given = {3}};

const BlockKind block_sum = {
    .name = "sum",
    .help = "The sum of several signals.",
    .fields = FIELDS(fields, Sum),
    .input = {"inputs"},
    .step = step,
    .example = &example,
};
