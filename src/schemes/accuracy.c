// SPDX-License-Identifier: Apache-2.0
// A mass of 1 on a spring of 1, so that omega = 1, as a point of the scheme: with u_k = x_k - x_n
//   acc0_k + sum_l rate_kl u_l + b_k x_n + sum_l a_kl u_l + delta (u_k - keep u') = 0.
#include "schemes/scheme.h"

#include <math.h>

static const double two_pi = 6.283185307179586;

typedef struct {
  Vec3 x[4], v[4], a[4], w[4], dv[4];
  double past; // u of the last step
} Oscillator;

// Gauss's elimination; the matrices of schemes need no pivots.
static void solve(int n, double a[MAX_STAGES][MAX_STAGES], double *b) {
  for (int i = 0; i < n; i++)
    for (int r = i + 1; r < n; r++) {
      double f = a[r][i] / a[i][i];
      for (int c = i; c < n; c++) a[r][c] -= f * a[i][c];
      b[r] -= f * b[i];
    }
  for (int i = n - 1; i >= 0; i--) {
    for (int c = i + 1; c < n; c++) b[i] -= a[i][c] * b[c];
    b[i] /= a[i][i];
  }
}

static void step(const StepRule *rule, double h, bool first, Oscillator *o) {
  const Tableau *t = &rule->tableau;
  NodeState n = {.x = o->x, .v = o->v, .a = o->a, .w = o->w, .dv = o->dv, .keep = first ? 0 : 1};
  AmbientRates q;
  NodeMotion m[MAX_STAGES] = {{.part = 0}};
  double k[MAX_STAGES][MAX_STAGES], u[MAX_STAGES];
  rule->rates(rule, h, 1, n, &q);
  for (int i = 0; i < t->s; i++) {
    u[i] = -q.acc0[i][0].x - t->b[i] * o->x[0].x + t->delta * n.keep * o->past;
    for (int j = 0; j < t->s; j++) k[i][j] = q.rate[i][j] + t->a[i][j] + (i == j) * t->delta;
  }
  solve(t->s, k, u);
  for (int i = 0; i < t->s; i++) m[i].chord[0] = vec3(u[i], 0, 0), m[i].x[0] = vec3(o->x[0].x + u[i], 0, 0);
  rule->advance(rule, h, 1, m, n);
  o->past = u[0];
}

static void composed_step(const StepRule *rule, double h, bool first, Oscillator *o) {
  const Composition *c = rule->composition;
  if (!c) step(rule, h, first, o);
  for (int k = 0; c && k < composition_count(c); k++) step(rule, composition_length(c, k) * h, true, o);
}

bool scheme_accuracy(const StepRule *rule, double steps_a_period, SchemeAccuracy *out) {
  enum { BEGIN = 5, PERIODS = 45 }; // the first ones are those of the start
  const double h = two_pi / steps_a_period;
  const int begin = (int)(BEGIN * steps_a_period), steps = (int)(PERIODS * steps_a_period);
  Oscillator o = {.x = {{1, 0, 0}}, .a = {{-1, 0, 0}}, .w = {{-1, 0, 0}}};
  double phase = 0, energy = 0, angle = 0;
  if (rule->analysis || !rule->rates || rule->without_inertia) return false;
  for (int i = 0; i < begin + steps; i++) {
    if (i == begin) energy = o.x[0].x * o.x[0].x + o.v[0].x * o.v[0].x, phase = 0;
    composed_step(rule, h, i == 0, &o);
    double now = atan2(-o.v[0].x, o.x[0].x);
    phase += remainder(now - angle, two_pi), angle = now;
  }
  double left = o.x[0].x * o.x[0].x + o.v[0].x * o.v[0].x, periods = steps / steps_a_period;
  *out = (SchemeAccuracy){two_pi * periods / phase - 1, 1 - pow(left / energy, 0.5 / periods)};
  return true;
}

double scheme_order(const LimberOptions *o) {
  StepRule rule = {0};
  SchemeAccuracy a, b;
  const SchemeKind *kind = scheme_kind(o->scheme);
  if (!kind || scheme_make(kind, o, &rule).text || !scheme_accuracy(&rule, 40, &a) || !scheme_accuracy(&rule, 80, &b))
    return 2;
  double coarse = fabs(a.period) + fabs(a.loss), fine = fabs(b.period) + fabs(b.loss);
  double order = fine > 0 ? floor(log2(coarse / fine) + 0.5) : 2;
  return order >= 1 && order <= 6 ? order : 2;
}
