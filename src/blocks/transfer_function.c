// SPDX-License-Identifier: Apache-2.0
#include "mechanics/block.h"

typedef struct {
  BlockCommon common;
  const void *input;
  const BlockMatrix *numerator, *denominator;
} TransferFunction;

static Reason check(const BlockUse *b) {
  const TransferFunction *p = b->params;
  if (p->numerator->rows != 1 || p->denominator->rows != 1)
    return reason(REASON_VALUE, "numerator", "`numerator` and `denominator` must be lists of numbers");
  if (p->denominator->columns > BLOCK_ORDER + 1)
    return reason(REASON_LIMIT, "denominator", "`denominator` may be of order 20 at most");
  if (p->denominator->value[0] == 0)
    return reason(REASON_VALUE, "denominator", "`denominator` must begin with the highest power, which must not be 0");
  if (p->numerator->columns > p->denominator->columns)
    return reason(REASON_VALUE, "numerator",
                  "the order of `numerator` exceeds that of `denominator`: such a system is not causal; add a filter");
  return no_reason();
}

static int order(const BlockUse *b) { return ((const TransferFunction *)b->params)->denominator->columns - 1; }
static int work(const BlockUse *b) { return linear_work(order(b), 1); }
static bool direct(const BlockUse *b) {
  const TransferFunction *p = b->params;
  return p->numerator->columns == p->denominator->columns && p->numerator->value[0] != 0;
}

static void step(const BlockUse *b, const BlockStep *s, double *state, double *out) {
  const TransferFunction *p = b->params;
  LinearSystem l;
  linear_transfer_function(p->numerator->columns, p->numerator->value, p->denominator->columns, p->denominator->value,
                           &l);
  linear_step(&l, s, b->work, state, out);
}

static const Field fields[] = {
    {"input", FIELD_ANY, 1, offsetof(TransferFunction, input), "", true, 0, "a signal, or a formula of signals", NULL},
    {"numerator", FIELD_ANY, 1, offsetof(TransferFunction, numerator), "", true, 0,
     "coefficients of falling powers of s, in seconds", NULL},
    {"denominator", FIELD_ANY, 1, offsetof(TransferFunction, denominator), "", true, 0,
     "the same; [1, 2, 5] is s^2 + 2 s + 5", NULL},
    BLOCK_PERIOD(TransferFunction),
};

static const double num[] = {1, 3}, den[] = {1, 2, 5};
static const BlockMatrix above = {1, 2, num}, below = {1, 3, den};
static const TransferFunction params = {{0}, NULL, &above, &below};
static const BlockUse example = {.params = &params, .inputs = 1, .given = {1}};

const BlockKind block_transfer_function = {
    .name = "transfer_function",
    .help = "A linear system given by its transfer function.",
    .fields = FIELDS(fields, TransferFunction),
    .input = {"input"},
    .matrix = {"numerator", "denominator"},
    .check = check,
    .states = order,
    .work = work,
    .direct = direct,
    .step = step,
    .example = &example,
};
