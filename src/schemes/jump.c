// SPDX-License-Identifier: Apache-2.0
// Energy decaying by a jump: the step and the jump at its start (Bottasso & Trainelli 2004). J is the energy of the jump.
//   A  (time-discontinuous Galerkin; Bauchau & Theron 1996)  a = 1/2 1/2; -1/6 1/6        loses J
//   B  (Armero & Romero 2001)                                a = 1/2 1/2; -beta beta      loses J
//   C  (Bauchau, Bottasso & Trainelli 2003)                  a = 1/2 1/2; -1/6 alpha/6    loses alpha J,
//      alpha = (1 - rho_inf)/(1 + rho_inf)
#include "schemes/scheme.h"

static void two_stages(double minus, double plus, double weight, const LimberOptions *o, double rho, StepRule *out) {
  out->tableau = (Tableau){
      .s = 2, .force_rule = FORCE_CHORD, .a = {{0.5, 0.5}, {-minus, plus}}, .b = {1, 0}, .weight = {1, weight}};
  out->material = true;
  out->projects_velocities = !o->literal_jump, out->rho = rho;
  out->order = 3;
  scheme_of_tableau(out);
}

static Reason make_a(const LimberOptions *o, StepRule *out) {
  two_stages(1.0 / 6, 1.0 / 6, 3, o, 0, out);
  return no_reason();
}

static Reason make_b(const LimberOptions *o, StepRule *out) {
  if (!(o->beta > 0)) return reason(REASON_CONFLICT, "beta", "decaying_b needs beta > 0 (1/6 makes it decaying_a)");
  two_stages(o->beta, o->beta, 1 / (2 * o->beta), o, 0, out);
  return no_reason();
}

static Reason make_c(const LimberOptions *o, StepRule *out) {
  if (!(o->rho_inf >= 0 && o->rho_inf <= 1)) return reason(REASON_VALUE, "rho_inf", "rho_inf lies between 0 and 1");
  double alpha = (1 - o->rho_inf) / (1 + o->rho_inf);
  two_stages(1.0 / 6, alpha / 6, 3, o, o->rho_inf, out);
  return no_reason();
}

const SchemeKind scheme_decaying_a = {"decaying_a", "damps unresolved waves, completely at infinite frequency", make_a};
const SchemeKind scheme_decaying_b = {"decaying_b", "like decaying_a; beta moves the frequency where losses begin",
                                      make_b};
const SchemeKind scheme_decaying_c = {
    "decaying_c", "damps unresolved waves down to rho_inf per step; solves two systems per step", make_c};
