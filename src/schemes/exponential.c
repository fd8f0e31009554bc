// SPDX-License-Identifier: Apache-2.0
// Exponential: the structure is linear about its reference and its modes are propagated in closed form; joints and the
// remainder of the elastic forces act on it as forces (analyses/exponential/exponential.h). The tableau is that of forces alone.
#include "schemes/scheme.h"

static Reason make(const LimberOptions *o, StepRule *out) {
  if (o->modes < 0) return reason(REASON_VALUE, "modes", "`modes` must not be negative");
  scheme_without_inertia(out);
  out->analysis = "exponential";
  out->order = 5;
  return no_reason();
}

static Reason make_paper(const LimberOptions *o, StepRule *out) {
  if (o->control.on)
    return reason(REASON_CONFLICT, "control", "the schemes of the paper need equal steps: leave out `control`");
  if (o->modes)
    return reason(REASON_VALUE, "modes", "`modes` is for `exponential` only: the schemes of the paper use all modes");
  if (o->paper.terms < 0 || o->paper.terms > 2) return reason(REASON_VALUE, "terms", "`terms` is 1 or 2");
  if (!(o->paper.kappa1 >= 0 && o->paper.kappa2 >= 0))
    return reason(REASON_VALUE, o->paper.kappa1 < 0 ? "kappa1" : "kappa2",
                  "`kappa1` and `kappa2` must not be negative");
  if (o->paper.power1 < 0 || o->paper.power2 < 0)
    return reason(REASON_VALUE, o->paper.power1 < 1 ? "power1" : "power2", "`power1` and `power2` must be at least 1");
  out->drifts = out->accelerations = true;
  out->variant = EXPONENTIAL_PAPER;
  return make(o, out);
}

static Reason make_newmark(const LimberOptions *o, StepRule *out) {
  Reason error = make_paper(o, out);
  out->variant = EXPONENTIAL_NEWMARK;
  out->order = 2;
  return error;
}

const SchemeKind scheme_newmark_paper = {
    "newmark_paper", "Newmark's formulae with multipliers of the predicted motion, which the paper uses for comparison",
    make_newmark};
const SchemeKind scheme_exponential_paper = {
    "exponential_paper", "as exponential, with forces of joints expanded at the start of a step: joints drift",
    make_paper};
const SchemeKind scheme_exponential = {
    "exponential", "structures that are linear about their reference: every mode in closed form; no energy proof",
    make};
