// SPDX-License-Identifier: Apache-2.0
#include "mechanics/load.h"

#include "base/rotation.h"

void load_on_node(const Load *l, double amplitude, NodeKind kind, int k, Local *out) {
  local_add_vec(out, local_at(out, 0, k), vec3_scale(-amplitude, l->force));
  if (kind == NODE_FRAME) local_add_vec(out, local_at(out, 1, k), vec3_scale(-amplitude, l->moment));
}

void load_on_mass(Vec3 acceleration, int nvec, const double mass[4][4], Vec3 *f) {
  for (int i = 0; i < nvec; i++) f[i] = vec3_scale(mass[i][0], acceleration);
}

void load_on_coord(const Load *l, const Tableau *t, double h, double now, double next, double zn, const double *zk,
                   CoordLoad *out) {
  *out = (CoordLoad){.force = {0}};
  for (int k = 0; k < t->s; k++) {
    double amplitude = t->b[k] * now + t->a[k][0] * (next - now);
    if (l->drive == DRIVE_FORCE) out->force[k] = l->torque * amplitude;
    if (l->drive != DRIVE_CONTROL) continue;
    double z = t->b[k] * zn, rate = ((k == 0 ? next - now : 0) - (zk[k] - zn)) / h;
    for (int i = 0; i < t->s; i++) {
      z += t->a[k][i] * (zk[i] - zn);
      out->tangent[k][i] = -l->gain * t->a[k][i];
    }
    out->force[k] = l->gain * (amplitude - z) + l->rate_gain * rate;
    out->tangent[k][k] -= l->rate_gain / h;
  }
}

// A moment M works M.c where balances are conjugate to c, and M.p, p = 2 n tan(phi/2) = c/(1 - |c|^2/16), where they
// are conjugate to p; the balances at the end of the step have no exact conjugate and M.phi stands in the ledger.
double load_work(const Load *l, double amplitude, NodeKind kind, ForcePlace place, Vec3 u, Vec3 c) {
  double work = vec3_dot(l->force, u), turn = 1;
  if (kind == NODE_FRAME) {
    double t = vec3_norm(c) / 4;
    switch (place) {
    case FORCE_CHORD: break;
    case FORCE_MEAN: turn = 1 / (1 - t * t); break;
    case FORCE_END: turn = t < 1e-5 ? 1 - t * t / 3 : atan(t) / t; break;
    }
    work += turn * vec3_dot(l->moment, c);
  }
  return amplitude * work;
}
