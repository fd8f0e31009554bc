// SPDX-License-Identifier: Apache-2.0
// With w = 2 pi frequency and z the damping ratio:
//   low_pass   w / (s + w), or w^2 / (s^2 + 2 z w s + w^2) of order 2
//   high_pass  s / (s + w), or s^2 / (s^2 + 2 z w s + w^2)
//   notch      (s^2 + w^2) / (s^2 + 2 z w s + w^2)
#include "mechanics/block.h"

#include <math.h>
#include <string.h>

typedef struct {
  BlockCommon common;
  const void *input;
  const char *type;
  double frequency, damping;
  int order;
} Filter;

static const char *word(int i) {
  static const char *const words[] = {"low_pass", "high_pass", "notch", NULL};
  return words[i];
}
static const FieldMore types = {NULL, word};

static bool has_type(const Filter *p, const char *type) { return !strcmp(p->type ? p->type : "low_pass", type); }
static int order(const BlockUse *b) {
  const Filter *p = b->params;
  return has_type(p, "notch") ? 2 : p->order;
}

static Reason check(const BlockUse *b) {
  const Filter *p = b->params;
  if (!(p->frequency > 0)) return reason(REASON_VALUE, "frequency", "`frequency` must be positive");
  if (!(p->damping > 0)) return reason(REASON_VALUE, "damping", "`damping` must be positive");
  if (p->order != 1 && p->order != 2) return reason(REASON_VALUE, "order", "`order` must be 1 or 2");
  return no_reason();
}

static int work(const BlockUse *b) { return linear_work(order(b), 1); }
static bool direct(const BlockUse *b) { return !has_type(b->params, "low_pass"); }

static void step(const BlockUse *b, const BlockStep *s, double *state, double *out) {
  const Filter *p = b->params;
  double w = 2 * M_PI * p->frequency, num[3] = {0}, den[3] = {1, order(b) == 1 ? w : 2 * p->damping * w, w * w};
  int n = order(b);
  if (has_type(p, "low_pass")) num[n] = den[n];
  else num[0] = 1;
  if (has_type(p, "notch")) num[2] = w * w;
  LinearSystem l;
  linear_transfer_function(n + 1, num, n + 1, den, &l);
  linear_step(&l, s, b->work, state, out);
}

static const Field fields[] = {
    {"input", FIELD_ANY, 1, offsetof(Filter, input), "", true, 0, "a signal, or a formula of signals", NULL},
    {"type", FIELD_TEXT, 1, offsetof(Filter, type), "", false, 0, "default: low_pass", &types},
    {"frequency", FIELD_REAL, 1, offsetof(Filter, frequency), "Hz", true, 0, "corner or notch frequency", NULL},
    {"order", FIELD_INT, 1, offsetof(Filter, order), "", false, 1, "1 or 2; 2 for a notch", NULL},
    {"damping", FIELD_REAL, 1, offsetof(Filter, damping), "", false, 0.70710678118654752, "damping ratio, for order 2",
     NULL},
    BLOCK_PERIOD(Filter),
};

static const Filter params = {{0}, NULL, "notch", 1.5, 0.3, 2};
static const BlockUse example = {.params = &params, .inputs = 1, .given = {1}};

const BlockKind block_filter = {
    .name = "filter",
    .help = "A low-pass, high-pass or notch filter of first or second order.",
    .fields = FIELDS(fields, Filter),
    .input = {"input"},
    .check = check,
    .states = order,
    .work = work,
    .direct = direct,
    .step = step,
    .example = &example,
};
