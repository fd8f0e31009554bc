// SPDX-License-Identifier: Apache-2.0
// Energy decaying with one system of equations a step. One stage, as preserving; velocities and strains recall the
// increments of the last step (mechanics/tableau.h), with D v = v_1 - v_n, D e = e_1 - e_n:
//   u/h = v_n + (1/2 + delta) D v - delta T D v',   s = C (e_n + (1/2 + delta) D e - delta D e'),
//   delta = (rho - rho^2)/(2 (1 + rho)^2),   rho = rho_inf from 1/3 to 1 (delta = 1/16 .. 0),
// T the rotation of the node in the last step. Linear and without T this is Dahlquist's G-stable method of two steps:
// second order, A-stable, spectral radius rho at infinity. Loads, dampers and joints are those of the preserving scheme.
// Equations: eq-decaying-step (4.1), eq-decaying-oneleg (4.5), eq-decaying-delta (4.6), eq-decaying-period (4.7).
#include "base/rotation.h"
#include "schemes/scheme.h"

// D v = (u/h - v_n + delta keep T D v')/(1/2 + delta), over h the acceleration.
static void rates(const StepRule *r, double h, int nvec, NodeState n, AmbientRates *out) {
  double delta = r->tableau.delta, f = 1 / ((0.5 + delta) * h);
  out->rate[0][0] = f / h;
  for (int i = 0; i < nvec; i++) {
    Vec3 start = vec3_axpy(n.v[i], -delta * n.keep, n.dv[i]);
    if (n.beyond) start = vec3_sub(start, n.beyond[i]);
    out->acc0[0][i] = vec3_scale(-f, start);
  }
}

// A frame's changes turn with it; the system turns those of points.
static void advance(const StepRule *r, double h, int nvec, const NodeMotion *m, NodeState n) {
  AmbientRates q;
  Mat3 turn = nvec > 1 ? rotation_matrix(m[0].c) : mat3_identity();
  rates(r, h, nvec, n, &q);
  for (int i = 0; i < nvec; i++) {
    Vec3 dv = vec3_scale(h, vec3_axpy(q.acc0[0][i], q.rate[0][0], m[0].chord[i]));
    Vec3 kept = n.kept ? n.kept[i] : dv;
    n.v[i] = vec3_add(n.v[i], dv), n.x[i] = m[0].x[i];
    n.dv[i] = nvec > 1 ? mat3_apply(turn, kept) : kept;
  }
}

static Reason make(const LimberOptions *o, StepRule *out) {
  double rho = o->rho_inf;
  if (!(rho >= 1.0 / 3 - 1e-12 && rho <= 1))
    return reason(
        REASON_VALUE, "rho_inf",
        "rho_inf of `decaying` lies between 1/3 and 1; 1/3 damps most. For values from 0 on use `decaying_c`");
  out->tableau = (Tableau){.s = 1, .force_rule = FORCE_MEAN, .a = {{0.5}}, .b = {1}, .weight = {1}};
  scheme_of_tableau(out);
  out->tableau.delta = (rho - rho * rho) / (2 * (1 + rho) * (1 + rho));
  out->tangent_rates = true;
  out->remembers = true;
  out->exact_momentum = o->momentum == LIMBER_MOMENTUM_EXACT && out->tableau.delta > 0;
  if (out->tableau.delta > 0) out->order = 4, out->rates = rates, out->advance = advance; // else it is preserving
  return no_reason();
}

const SchemeKind scheme_decaying = {
    "decaying", "the usual choice: unresolved waves decay down to rho_inf per step, at the cost of `preserving`", make};
