// SPDX-License-Identifier: Apache-2.0
// Energy preserving: one stage, vhat = (v_n + v_1)/2, stress from the mean strain; no loss.
// Frames carry the rates of their directors and the moment's arms are the mean directors, which keeps both momenta.
#include "schemes/scheme.h"

static Reason make(const LimberOptions *o, StepRule *out) {
  (void)o;
  out->tableau = (Tableau){.s = 1, .force_rule = FORCE_MEAN, .a = {{0.5}}, .b = {1}, .weight = {1}};
  scheme_of_tableau(out);
  out->tangent_rates = true;
  out->remembers = true; // for the rates at which dampers are told at the end of a step
  out->symmetric = true;
  return no_reason();
}

const SchemeKind scheme_preserving = {"preserving", "preserves the energy and both momenta; no numerical damping",
                                      make};
