// SPDX-License-Identifier: Apache-2.0
// x' = A x + B u, y = C x + D u.
#include "mechanics/block.h"

#include <string.h>

typedef struct {
  BlockCommon common;
  const void *inputs;
  const BlockMatrix *a, *b, *c, *d, *start;
} StateSpace;

static Reason check(const BlockUse *use) {
  const StateSpace *p = use->params;
  int n = p->a->rows;
  if (p->a->columns != n) return reason(REASON_VALUE, "a", "`a` must have as many rows as columns");
  if (n > BLOCK_ORDER) return reason(REASON_LIMIT, "a", "`a` may have at most 20 rows");
  bool list = p->b->rows == 1 && use->inputs == 1; // of one column
  if (!list && p->b->rows != n) return reason(REASON_VALUE, "b", "`b` must have as many rows as `a`");
  if (list ? p->b->columns != n : p->b->columns != use->inputs)
    return reason(REASON_VALUE, "b", "`b` needs one column for each of the `inputs`");
  if (p->c->columns != n) return reason(REASON_VALUE, "c", "`c` must have as many columns as `a`");
  if (p->c->rows > BLOCK_OUTPUTS) return reason(REASON_LIMIT, "c", "`c` may have at most 20 rows");
  if (p->d && (p->d->rows != p->c->rows || p->d->columns != use->inputs))
    return reason(REASON_VALUE, "d", "`d` needs one row for each row of `c` and one column for each of the `inputs`");
  if (p->start && p->start->rows * p->start->columns != n)
    return reason(REASON_VALUE, "start", "`start` needs one number for each row of `a`");
  return no_reason();
}

static int order(const BlockUse *use) { return ((const StateSpace *)use->params)->a->rows; }
static int outputs(const BlockUse *use) { return ((const StateSpace *)use->params)->c->rows; }
static int work(const BlockUse *use) { return linear_work(order(use), use->inputs); }
static bool direct(const BlockUse *use) {
  const StateSpace *p = use->params;
  bool any = false;
  for (int i = 0; p->d && i < p->d->rows * p->d->columns; i++) any = any || p->d->value[i] != 0;
  return any;
}

static void start(const BlockUse *use, double *state) {
  const StateSpace *p = use->params;
  for (int i = 0; i < order(use); i++) state[i] = p->start ? p->start->value[i] : 0;
}

static void copy_matrix(double *to, const BlockMatrix *from) {
  memcpy(to, from->value, (size_t)(from->rows * from->columns) * sizeof *to);
}

static void step(const BlockUse *use, const BlockStep *s, double *state, double *out) {
  const StateSpace *p = use->params;
  LinearSystem l;
  l.n = order(use), l.m = use->inputs, l.p = outputs(use);
  copy_matrix(l.a, p->a), copy_matrix(l.b, p->b), copy_matrix(l.c, p->c);
  if (p->d) copy_matrix(l.d, p->d);
  else memset(l.d, 0, sizeof l.d);
  linear_step(&l, s, use->work, state, out);
}

static const Field fields[] = {
    {"inputs", FIELD_ANY, 1, offsetof(StateSpace, inputs), "", true, 0, "u: a signal or a list of them", NULL},
    {"a", FIELD_ANY, 1, offsetof(StateSpace, a), "", true, 0, "A: rows of numbers, in seconds", NULL},
    {"b", FIELD_ANY, 1, offsetof(StateSpace, b), "", true, 0, "B; a list if there is one input", NULL},
    {"c", FIELD_ANY, 1, offsetof(StateSpace, c), "", true, 0, "C; several rows give the outputs NAME.1, NAME.2, ...",
     NULL},
    {"d", FIELD_ANY, 1, offsetof(StateSpace, d), "", false, 0, "D; default: 0", NULL},
    {"start", FIELD_ANY, 1, offsetof(StateSpace, start), "", false, 0, "x at the start; default: 0", NULL},
    BLOCK_PERIOD(StateSpace),
};

static const double a[] = {0, 1, -5, -2}, bb[] = {0, 1, 1, 0}, c[] = {3, 1, 1, 0}, d[] = {0, 0.5, 0, 0},
                    x0[] = {0.1, -0.2};
static const BlockMatrix ma = {2, 2, a}, mb = {2, 2, bb}, mc = {2, 2, c}, md = {2, 2, d}, mx = {1, 2, x0};
static const StateSpace params = {{0}, NULL, &ma, &mb, &mc, &md, &mx};
static const BlockUse example = {.params = &params, .inputs = 2, .given = {2}};

const BlockKind block_state_space = {
    .name = "state_space",
    .help = "A linear system given by its matrices.",
    .fields = FIELDS(fields, StateSpace),
    .input = {"inputs"},
    .matrix = {"a", "b", "c", "d", "start"},
    .check = check,
    .outputs = outputs,
    .states = order,
    .work = work,
    .direct = direct,
    .start = start,
    .step = step,
    .example = &example,
};
