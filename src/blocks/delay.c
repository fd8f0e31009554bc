// SPDX-License-Identifier: Apache-2.0
// The input of whole samples ago. The state is a ring of these inputs, and where the oldest stands.
#include "mechanics/block.h"

typedef struct {
  BlockCommon common;
  const void *input;
  int samples;
  double start;
} Delay;

static Reason check(const BlockUse *b) {
  const Delay *p = b->params;
  if (p->samples < 1) return reason(REASON_VALUE, "samples", "`samples` must be at least 1");
  return p->samples > BLOCK_DELAY ? reason(REASON_LIMIT, "samples", "`samples` must be at most 100000") : no_reason();
}

static int states(const BlockUse *b) { return ((const Delay *)b->params)->samples + 1; }
static bool direct(const BlockUse *b) {
  (void)b;
  return false;
}

static void start(const BlockUse *b, double *state) {
  const Delay *p = b->params;
  for (int i = 0; i < p->samples; i++) state[i] = p->start;
  state[p->samples] = 0;
}

// At dt > 0 the input of the last evaluation comes in, and the oldest goes out: with n samples n evaluations later.
static void step(const BlockUse *b, const BlockStep *s, double *state, double *out) {
  const Delay *p = b->params;
  int at = (int)state[p->samples];
  if (at < 0 || at >= p->samples) at = 0;
  if (s->dt > 0) {
    state[at] = s->last[0];
    at = (at + 1) % p->samples;
    state[p->samples] = at;
  }
  out[0] = state[at]; // the oldest
}

static const Field fields[] = {
    {"input", FIELD_ANY, 1, offsetof(Delay, input), "", true, 0, "a signal, or a formula of signals", NULL},
    {"samples", FIELD_INT, 1, offsetof(Delay, samples), "", false, 1,
     "length of the delay, in samples of its period or in steps", NULL},
    {"start", FIELD_REAL, 1, offsetof(Delay, start), UNIT_ANY, false, 0, "output before the first sample arrives",
     NULL},
    BLOCK_PERIOD(Delay),
};

static const Delay params = {{0}, NULL, 3, 0.5};
static const BlockUse example = {.params = &params, .inputs = 1, .given = {1}};

const BlockKind block_delay = {
    .name = "delay",
    .help = "Delays the input by whole samples.",
    .fields = FIELDS(fields, Delay),
    .input = {"input"},
    .check = check,
    .states = states,
    .direct = direct,
    .counts = true,
    .start = start,
    .step = step,
    .example = &example,
};
