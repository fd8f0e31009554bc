// SPDX-License-Identifier: Apache-2.0
// Generalized-alpha (Chung & Hulbert 1993) for constraints of index 3 (Arnold & Bruls 2007), on the vectors themselves:
//   x_1 = x_n + h v_n + h^2 ((1/2 - beta) a_n + beta a_1),   v_1 = v_n + h ((1 - gamma) a_n + gamma a_1)
//   (1 - alpha_m) a_1 + alpha_m a_n = (1 - alpha_f) w_1 + alpha_f w_n,   M w_1 + forces at t_1 = 0
// with a the scheme's acceleration and w the true one. No proof of energy covers it; the ledger shows what it does.
// Equations: eq-scheme-alpha (3.10), eq-scheme-alpha-parameters (3.11).
#include "schemes/scheme.h"

// w_1 = acc0 + rate (x_1 - x_n)
static void rates(const StepRule *r, double h, int nvec, NodeState n, AmbientRates *out) {
  double f = (1 - r->alpha_m) / (1 - r->alpha_f), g = 1 / (1 - r->alpha_f);
  out->rate[0][0] = f / (r->beta * h * h);
  for (int i = 0; i < nvec; i++) {
    Vec3 acc = vec3_scale(-f / (r->beta * h), n.v[i]);
    acc = vec3_axpy(acc, g * r->alpha_m - f * (0.5 - r->beta) / r->beta, n.a[i]);
    out->acc0[0][i] = vec3_axpy(acc, -g * r->alpha_f, n.w[i]);
  }
}

static void advance(const StepRule *r, double h, int nvec, const NodeMotion *m, NodeState n) {
  AmbientRates q;
  rates(r, h, nvec, n, &q);
  for (int i = 0; i < nvec; i++) {
    Vec3 w = vec3_axpy(q.acc0[0][i], q.rate[0][0], m[0].chord[i]);
    Vec3 a = vec3_add(vec3_scale(1 - r->alpha_f, w), vec3_scale(r->alpha_f, n.w[i]));
    a = vec3_scale(1 / (1 - r->alpha_m), vec3_axpy(a, -r->alpha_m, n.a[i]));
    n.v[i] = vec3_axpy(vec3_axpy(n.v[i], h * (1 - r->gamma), n.a[i]), h * r->gamma, a);
    n.x[i] = m[0].x[i], n.a[i] = a, n.w[i] = w;
  }
}

// v_1 = v_n + h ((1 - gamma) a_n + gamma a_1), with a_1 from x_1
static void end_velocity(const StepRule *r, double h, int nvec, NodeState n, VectorVelocity *out) {
  double f = r->gamma / r->beta;
  out->slope = f / h;
  for (int i = 0; i < nvec; i++) out->start[i] = vec3_axpy(vec3_scale(1 - f, n.v[i]), h * (1 - 0.5 * f), n.a[i]);
}

static Reason make(const LimberOptions *o, StepRule *out) {
  if (!(o->rho_inf >= 0 && o->rho_inf <= 1)) return reason(REASON_VALUE, "rho_inf", "rho_inf lies between 0 and 1");
  double rho = o->rho_inf;
  out->tableau = (Tableau){.s = 1, .force_rule = FORCE_END, .a = {{1}}, .b = {1}, .weight = {1}, .inverse = {{1}}};
  out->accelerations = out->remembers = true; // the last step, for rates at the end of this one
  out->order = 3;
  out->alpha_m = (2 * rho - 1) / (rho + 1), out->alpha_f = rho / (rho + 1);
  out->gamma = 0.5 + out->alpha_f - out->alpha_m;
  out->beta = 0.25 * (out->gamma + 0.5) * (out->gamma + 0.5);
  out->rates = rates, out->advance = advance, out->end_velocity = end_velocity;
  return no_reason();
}

const SchemeKind scheme_generalized_alpha = {
    "generalized_alpha", "the usual scheme of the field, with damping set by rho_inf; no energy proof", make};
