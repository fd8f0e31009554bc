// SPDX-License-Identifier: Apache-2.0
// Plans of studies: what varies, how many runs there are, their values and weights, and what is wrong with a plan.
#include "check.h"
#include "study/plan/plan.h"

#include <math.h>
#include <string.h>

// A plan of a text; files are not read.
typedef struct {
  Plan *plan;
  Diagnostics d;
} Case;

static Case read_plan(const char *text) {
  Case c = {0};
  if (PlanRead("plan.yaml", text, strlen(text), NULL, &c.d, &c.plan)) c.plan = NULL;
  return c;
}

static void free_case(Case *c) {
  PlanDestroy(&c->plan);
  DiagnosticsDestroy(&c->d);
}

TEST(a_product_has_every_value_with_every_other_the_last_fastest) {
  Case c = read_plan("limber: 1\nstudy:\n  of: a.yaml\n  vary:\n    let.wind: {from: 4 m/s, to: 9 m/s, step: 2 m/s}\n"
                     "    run.scheme: [preserving, decaying]\n");
  double v[2];
  char text[100];
  CHECK_INT(c.d.errors, 0);
  CHECK_INT((int)c.plan->runs, 6);
  plan_values(c.plan, 3, v);
  CHECK_NEAR(v[0], 6, 0);
  CHECK_NEAR(v[1], 1, 0);
  plan_change(c.plan, 0, v[0], text, sizeof text);
  CHECK_STR(text, "let.wind=6 m/s");
  plan_change(c.plan, 1, v[1], text, sizeof text);
  CHECK_STR(text, "run.scheme=decaying");
  free_case(&c);
}

CHECK_MAIN
