// SPDX-License-Identifier: Apache-2.0
#include "mechanics/mass_damping.h"

// Forces of velocities of the vectors.
static void forces_of(int nvec, const double d[4][4], const Vec3 *v, Vec3 *f) {
  for (int i = 0; i < nvec; i++) {
    f[i] = vec3_zero();
    for (int j = 0; j < nvec; j++) f[i] = vec3_axpy(f[i], d[i][j], v[j]);
  }
}

void mass_damping_add(NodeKind kind, int stages, const double d[4][4], const VectorVelocity *v, const NodeMotion *m,
                      Local *out) {
  int nvec = node_vectors(kind);
  double kappa[4][4];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) kappa[i][j] = v->slope * d[i][j];
  for (int k = 0; k < stages; k++) {
    Vec3 rate[4], f[4];
    for (int i = 0; i < nvec; i++) rate[i] = vec3_axpy(v->start[i], v->slope, m[k].chord[i]);
    forces_of(nvec, d, rate, f);
    node_add_force(out, kind, 0, &m[k], k, f);
    node_add_scalar_tangent(out, kind, 0, &m[k], k, kind, 0, &m[k], k, &kappa[0][0], 4);
  }
}

double mass_damping_work(const Tableau *t, double h, int nvec, const double d[4][4], const NodeMotion *m) {
  double w = 0;
  for (int k = 0; k < t->s; k++) w += t->weight[k] * 2 * ambient_energy(nvec, d, m[k].chord) / h;
  return w;
}

void mass_damping_add_rotation(NodeKind kind, const double d[4][4], Vec3 omega, Vec3 centre, const NodeMotion *m,
                               Local *out) {
  int nvec = node_vectors(kind), rc = 3 * out->s;
  Vec3 rate[4], f[4];
  for (int i = 0; i < nvec; i++) rate[i] = vec3_cross(omega, i == 0 ? vec3_sub(m->x[0], centre) : m->x[i]);
  forces_of(nvec, d, rate, f);
  node_add_force(out, kind, 0, m, 0, f);
  if (!out->tangent || kind == NODE_FIXED) return;
  Mat3 turn = mat3_cross(omega);
  local_add_mat(out, 0, 0, d[0][0], turn);
  for (int j = 1; j < nvec; j++) { // d x_j = -x_j~ spin dc, of moments rho_i x f_i
    Mat3 by = mat3_mul(turn, mat3_mul(mat3_cross(m->x[j]), m->spin));
    local_add_mat(out, 0, rc, -d[0][j], by);
    local_add_mat(out, rc, 0, d[j][0], mat3_mul(mat3_cross(m->rho[j]), turn));
    for (int i = 1; i < nvec; i++) local_add_mat(out, rc, rc, -d[i][j], mat3_mul(mat3_cross(m->rho[i]), by));
  }
}
