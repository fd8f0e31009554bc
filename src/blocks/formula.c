// SPDX-License-Identifier: Apache-2.0
// A number made of signals: what the formula of the input says.
#include "mechanics/block.h"

typedef struct {
  BlockCommon common;
  const void *input;
} Formula;

static void step(const BlockUse *b, const BlockStep *s, double *state, double *out) {
  (void)b, (void)state;
  out[0] = s->in[0];
}

static const Field fields[] = {
    {"input", FIELD_ANY, 1, offsetof(Formula, input), "", true, 0, "a formula of signals: ref - hinge.coordinate",
     NULL},
    BLOCK_PERIOD(Formula),
};

static const Formula params = {{0}, NULL};
static const BlockUse example = {.params = &params, .inputs = 1, .given = {1}};

const BlockKind block_formula = {
    .name = "formula",
    .help = "A number computed from signals, columns of probes, functions, parameters and the time.",
    .fields = FIELDS(fields, Formula),
    .input = {"input"},
    .step = step,
    .example = &example,
};
