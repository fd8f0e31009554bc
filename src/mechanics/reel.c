// SPDX-License-Identifier: Apache-2.0
#include "mechanics/reel.h"

#include <math.h>

static double strain_of(int n, const double *e) {
  double sum = e[0];
  for (int r = 1; r < n; r++) sum += e[r];
  return sum;
}

double reel_energy(const Law *l, int n, const double *e) { return law_energy(l, strain_of(n, e)) / reel_left(n, e); }

void reel_force(const Law *l, int n, const double *e, double *force) {
  double z = strain_of(n, e), c = reel_left(n, e);
  for (int r = 0; r < n; r++) force[r] = law_force(l, z) / c;
  force[n - 1] += law_energy(l, z) / (c * c);
}

// The stiffness of the next step is W''/c at its start: what is remembered is shortened where that grew.
static void remember_strain(const Recall *m, double k, double now, double d, LawState *out) {
  double memory = 0.5 * m->delta * fmin(k, now) * d * d;
  out->next = now > k ? d * sqrt(k / now) : d;
  out->lost += out->memory - memory;
  out->memory = memory;
}

void reel_evaluate(const Law *l, const Tableau *t, double h, const Recall *m, double past, int n, const double *en,
                   double ek[][MAX_ROWS], ReelState *out) {
  double zn = strain_of(n, en), z[MAX_STAGES], cn = 1 / reel_left(n, en), c = 1 / reel_left(n, ek[0]);
  Law own = *l;
  own.stiffness *= cn, own.damping *= cn;
  for (int k = 0; k < t->s; k++) z[k] = strain_of(n, ek[k]);
  law_evaluate(&own, t, h, m, past, zn, z, &out->law);
  if (m->delta > 0 && t->force_rule != FORCE_END)
    remember_strain(m, fmax(law_stiffness(l, zn), 0) * cn, fmax(law_stiffness(l, z[0]), 0) * c, z[0] - zn, &out->law);
  double all, all_z, all_u, last, last_z, last_u, rate, energy = law_energy(l, z[0]), force = law_force(l, z[0]);
  if (t->force_rule == FORCE_END) {
    all = (c - cn) * force, all_z = (c - cn) * law_stiffness(l, z[0]), all_u = c * c * force;
    last = energy * c * c, last_z = force * c * c, last_u = 2 * energy * c * c * c;
  } else {
    double secant = law_secant(l, zn, z[0], &rate), mean = 0.5 * (law_energy(l, zn) + energy);
    all = 0.5 * (c - cn) * secant, all_z = 0.5 * (c - cn) * rate, all_u = 0.5 * c * c * secant;
    last = mean * cn * c, last_z = 0.5 * force * cn * c, last_u = mean * cn * c * c;
  }
  for (int r = 0; r < n; r++) {
    out->more[r] = all + (r == n - 1 ? last : 0);
    for (int i = 0; i < n; i++)
      out->tangent[r][i] = all_z + (i == n - 1 ? all_u : 0) + (r == n - 1 ? last_z + (i == n - 1 ? last_u : 0) : 0);
  }
}
