// SPDX-License-Identifier: Apache-2.0
// Exponential: the structure is linear about its reference and its modes are propagated in closed form; joints and the
// remainder of the elastic forces act on it as forces (stepping/exponential.h). The tableau is that of forces alone.
#include "schemes/scheme.h"

#include <string.h>

static void rates(const StepRule *r, double h, int nvec, NodeState n, AmbientRates *out) {
  (void)r, (void)h, (void)nvec, (void)n;
  memset(out, 0, sizeof *out); // no inertia
}

static void advance(const StepRule *r, double h, int nvec, const NodeMotion *m, NodeState n) {
  (void)r, (void)h;
  for (int i = 0; i < nvec; i++) n.x[i] = m[0].x[i];
}

static const char *make(const LimberOptions *o, StepRule *out) {
  if (o->linear < 0 || o->linear > 1) return "linear is 0 or 1";
  out->tableau = (Tableau){.s = 1, .place = FORCE_END, .a = {{1}}, .b = {1}, .weight = {1}, .inverse = {{1}}};
  out->exponential = true;
  out->order = 5;
  out->rates = rates, out->advance = advance;
  return NULL;
}

const SchemeKind scheme_exponential = {
    "exponential", "small structures, linear about their reference: every mode in closed form; no energy proof", make};
