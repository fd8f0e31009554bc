// SPDX-License-Identifier: Apache-2.0
// Equations: eq-steps-rotation (14.4).
#include "schemes/scheme.h"

#include <math.h>
#include <string.h>

static void rates(const StepRule *r, double h, int nvec, NodeState n, AmbientRates *out) {
  ambient_rates(&r->tableau, h, nvec, n.v, out);
}

static void advance(const StepRule *r, double h, int nvec, const NodeMotion *m, NodeState n) {
  Vec3 vk[MAX_STAGES][4];
  ambient_velocity(&r->tableau, h, nvec, n.v, m, vk);
  for (int i = 0; i < nvec; i++) n.v[i] = vk[0][i], n.x[i] = m[0].x[i];
}

static void no_rates(const StepRule *r, double h, int nvec, NodeState n, AmbientRates *out) {
  (void)r, (void)h, (void)nvec, (void)n;
  memset(out, 0, sizeof *out);
}

static void move_vectors(const StepRule *r, double h, int nvec, const NodeMotion *m, NodeState n) {
  (void)r, (void)h;
  for (int i = 0; i < nvec; i++) n.x[i] = m[0].x[i];
}

void scheme_without_inertia(StepRule *rule) {
  rule->tableau = (Tableau){.s = 1, .force_rule = FORCE_END, .a = {{1}}, .b = {1}, .weight = {1}, .inverse = {{1}}};
  rule->without_inertia = true, rule->exact_momentum = rule->balances_forces = false;
  rule->rates = no_rates, rule->advance = move_vectors;
}

void scheme_of_tableau(StepRule *rule) {
  rule->rates = rates, rule->advance = advance;
  rule->proved = tableau_complete(&rule->tableau) <= 1e-14;
}

Reason scheme_make(const SchemeKind *kind, const LimberOptions *o, StepRule *out) {
  Reason error = kind->make(o, out);
  out->balances_forces = o->momentum == LIMBER_MOMENTUM_EXACT;
  if (o->momentum != LIMBER_MOMENTUM_UNCHECKED && !out->tangent_rates && !error.text)
    return reason(REASON_VALUE, "momentum", "`momentum` is an option of `decaying` and `preserving`; leave it out");
  if (error.text || o->order == 0 || o->order == 2) return error;
  if (!out->symmetric)
    return reason(REASON_VALUE, "order", "order 4 and 6 need `scheme: preserving`; otherwise leave out `order`");
  out->composition = composition_of_order(o->order), out->tangent_rates = false;
  return out->composition ? no_reason() : reason(REASON_VALUE, "order", "order must be 2, 4 or 6");
}

// Steady rotation: velocities are 2 tan(phi/2)/phi times those of the motion, or sin(phi)/phi of schemes with a jump.
// Angular velocities that tangents give are reported as they are.
void scheme_rotation_error(const StepRule *rule, double phi, RotationError *out) {
  double half = fmin(0.5 * phi, 1.5), f = rule->material ? sin(phi) / phi : tan(half) / half;
  *out = (RotationError){0, 0};
  if (!rule->composition && phi > 0) *out = (RotationError){f - 1, f * f - 1};
}
