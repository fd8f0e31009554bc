// SPDX-License-Identifier: Apache-2.0
#include "mechanics/node.h"

#include "base/rotation.h"

void node_move(NodeKind kind, const Vec3 *xn, Vec3 u, Vec3 c, NodeMotion *m) {
  if (kind == NODE_FIXED) u = c = vec3_zero();
  m->x[0] = vec3_add(xn[0], u), m->chord[0] = u;
  if (kind == NODE_POINT) return;
  Mat3 r = rotation_matrix(c), spin = rotation_tangent(c);
  for (int j = 1; j < 4; j++) m->x[j] = mat3_apply(r, xn[j]), m->chord[j] = vec3_cross(c, mat3_apply(spin, xn[j]));
}

void node_motion(NodeKind kind, ForcePlace place, const Vec3 *xn, Vec3 u, Vec3 c, NodeMotion *m) {
  node_move(kind, xn, u, c, m);
  if (kind != NODE_FRAME) return;
  Mat3 spin = rotation_tangent(c);
  for (int j = 1; j < 4; j++) {
    m->dx[j] = mat3_scale(-1, mat3_mul(mat3_cross(m->x[j]), spin)); // d d_k = (tau G dc) x d_k
    switch (place) {
    case FORCE_CHORD: // spin is tau G, so tau d_half = spin d_n
      m->rho[j] = mat3_apply(spin, xn[j]);
      m->drho[j] = rotation_half_derivative(c, xn[j]);
      break;
    case FORCE_MEAN:
      m->rho[j] = vec3_mean(xn[j], m->x[j]);
      m->drho[j] = mat3_scale(0.5, m->dx[j]);
      break;
    case FORCE_END:
      m->rho[j] = m->x[j];
      m->drho[j] = m->dx[j];
      break;
    }
  }
}

void node_add_scalar_tangent(Local *out, NodeKind ka, int block_a, const NodeMotion *ma, int k, NodeKind kb,
                             int block_b, const NodeMotion *mb, int l, const double *kappa, int stride) {
  if (ka == NODE_FIXED || kb == NODE_FIXED) return;
  int ru = local_at(out, block_a, k), cu = local_at(out, block_b, l), rc = ru + 3 * out->s, cc = cu + 3 * out->s;
  local_add_diag(out, ru, cu, kappa[0]);
  int na = node_vectors(ka), nb = node_vectors(kb);
  Mat3 column[4]; // sum_j kappa_ij d x_j / d c
  if (kb == NODE_FRAME) {
    for (int i = 0; i < na; i++) {
      column[i] = mat3_zero();
      for (int j = 1; j < nb; j++)
        if (kappa[i * stride + j] != 0) column[i] = mat3_axpy(column[i], kappa[i * stride + j], mb->dx[j]);
    }
    local_add_mat(out, ru, cc, 1, column[0]);
  }
  if (ka != NODE_FRAME) return;
  Vec3 arm = vec3_zero();
  for (int i = 1; i < 4; i++) {
    arm = vec3_axpy(arm, kappa[i * stride], ma->rho[i]);
    if (kb == NODE_FRAME) local_add_mat(out, rc, cc, 1, mat3_mul(mat3_cross(ma->rho[i]), column[i]));
  }
  local_add_mat(out, rc, cu, 1, mat3_cross(arm));
}

void node_add_force(Local *out, NodeKind kind, int block, const NodeMotion *m, int k, const Vec3 *f) {
  if (kind == NODE_FIXED) return;
  int ru = local_at(out, block, k), rc = ru + 3 * out->s;
  local_add_vec(out, ru, f[0]);
  if (kind != NODE_FRAME) return;
  for (int j = 1; j < 4; j++) {
    local_add_vec(out, rc, vec3_cross(m->rho[j], f[j]));
    local_add_mat(out, rc, rc, -1, mat3_mul(mat3_cross(f[j]), m->drho[j]));
  }
}

// ---- ambient ----

void ambient_rates(const Tableau *t, double h, int nvec, const Vec3 *vn, AmbientRates *out) {
  for (int k = 0; k < t->s; k++) {
    double f = 0;
    for (int l = 0; l < t->s; l++) {
      out->rate[k][l] = t->inverse[k][l] / (h * h);
      f -= t->inverse[k][l] * t->b[l] / h;
    }
    for (int i = 0; i < nvec; i++) out->acc0[k][i] = vec3_scale(f, vn[i]);
  }
}

void ambient_inertia(NodeKind kind, int s, const double mass[4][4], const AmbientRates *q, const NodeMotion *m,
                     Local *out) {
  int nvec = node_vectors(kind);
  for (int k = 0; k < s; k++) {
    Vec3 f[4] = {{0, 0, 0}};
    for (int j = 0; j < nvec; j++) {
      Vec3 acc = q->acc0[k][j];
      for (int l = 0; l < s; l++) acc = vec3_axpy(acc, q->rate[k][l], m[l].chord[j]);
      for (int i = 0; i < nvec; i++) f[i] = vec3_axpy(f[i], mass[i][j], acc);
    }
    node_add_force(out, kind, 0, &m[k], k, f);
    for (int l = 0; l < s; l++) {
      double kappa[4][4];
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) kappa[i][j] = mass[i][j] * q->rate[k][l];
      node_add_scalar_tangent(out, kind, 0, &m[k], k, kind, 0, &m[l], l, &kappa[0][0], 4);
    }
  }
}

void ambient_velocity(const Tableau *t, double h, int nvec, const Vec3 *vn, const NodeMotion *m, Vec3 vk[][4]) {
  for (int k = 0; k < t->s; k++)
    for (int i = 0; i < nvec; i++) {
      vk[k][i] = vn[i];
      for (int l = 0; l < t->s; l++) {
        Vec3 change = vec3_axpy(vec3_scale(1 / h, m[l].chord[i]), -t->b[l], vn[i]);
        vk[k][i] = vec3_axpy(vk[k][i], t->inverse[k][l], change);
      }
    }
}

double ambient_energy(int nvec, const double mass[4][4], const Vec3 *v) {
  double e = 0;
  for (int i = 0; i < nvec; i++)
    for (int j = 0; j < nvec; j++) e += 0.5 * mass[i][j] * vec3_dot(v[i], v[j]);
  return e;
}

// ---- material ----
//   vhat_l = ((Rn + Rl)/2)^T (u_l/h - b_l carry),  what_l = Rn^T c_l/h
//   force   (Rk p_k - Rn p_n)/h
//   moment  (Rk h_k - Rn h_n)/h + (u_k/h - b_k carry) x tau Rh (p_n + p_k)/2

static Vec3 relative(const Tableau *t, double h, Vec3 carry, const Vec3 *u, int l) {
  return vec3_axpy(vec3_scale(1 / h, u[l]), -t->b[l], carry);
}

void material_velocity(const Tableau *t, double h, Vec3 carry, const Vec3 *xn, const Vec3 vn[2], const Vec3 *u,
                       const Vec3 *c, Vec3 vk[][4]) {
  Mat3 rn = mat3_columns(xn[1], xn[2], xn[3]);
  Vec3 dv[MAX_INTERVALS], dw[MAX_INTERVALS]; // vhat - b v_n
  for (int l = 0; l < t->s; l++) {
    Vec3 slip = relative(t, h, carry, u, l);
    Vec3 turned = mat3_apply_transpose(rotation_matrix(c[l]), slip); // Rl^T slip = Rn^T R(c)^T slip
    dv[l] = vec3_axpy(mat3_apply_transpose(rn, vec3_mean(slip, turned)), -t->b[l], vn[0]);
    dw[l] = vec3_axpy(vec3_scale(1 / h, mat3_apply_transpose(rn, c[l])), -t->b[l], vn[1]);
  }
  for (int k = 0; k < t->s; k++) {
    vk[k][0] = vn[0], vk[k][1] = vn[1];
    for (int l = 0; l < t->s; l++) {
      vk[k][0] = vec3_axpy(vk[k][0], t->inverse[k][l], dv[l]);
      vk[k][1] = vec3_axpy(vk[k][1], t->inverse[k][l], dw[l]);
    }
  }
}

void material_inertia(const Tableau *t, double h, const Inertia *q, Vec3 carry, const Vec3 *xn, const Vec3 vn[2],
                      const Vec3 *u, const Vec3 *c, Local *out) {
  Mat3 rn = mat3_columns(xn[1], xn[2], xn[3]), rn_t = mat3_transpose(rn);
  Vec3 vk[MAX_INTERVALS][4];
  material_velocity(t, h, carry, xn, vn, u, c, vk);
  Vec3 pn = inertia_momentum(q, vn[0], vn[1]), hn = inertia_angular(q, vn[0], vn[1]);
  Mat3 dv_du[MAX_INTERVALS], dv_dc[MAX_INTERVALS], rk[MAX_INTERVALS], spin[MAX_INTERVALS];
  Mat3 dw_dc = mat3_scale(1 / h, rn_t), first = mat3_cross(q->s);
  for (int l = 0; l < t->s; l++) {
    rk[l] = mat3_mul(rotation_matrix(c[l]), rn);
    spin[l] = rotation_tangent(c[l]);
    Vec3 slip = relative(t, h, carry, u, l);
    Mat3 rl_t = mat3_transpose(rk[l]);
    dv_du[l] = mat3_scale(0.5 / h, mat3_add(rn_t, rl_t));
    dv_dc[l] = mat3_scale(0.5, mat3_mul(rl_t, mat3_mul(mat3_cross(slip), spin[l])));
  }
  for (int k = 0; k < t->s; k++) {
    int ru = local_at(out, 0, k), rc = local_at(out, 1, k);
    Vec3 pk = inertia_momentum(q, vk[k][0], vk[k][1]), hk = inertia_angular(q, vk[k][0], vk[k][1]);
    Vec3 slip = relative(t, h, carry, u, k), mean = mat3_apply(rn, vec3_mean(pn, pk));
    Vec3 carried = mat3_apply(spin[k], mean); // tau Rh (p_n + p_k)/2
    Vec3 p_now = mat3_apply(rk[k], pk), h_now = mat3_apply(rk[k], hk);
    local_add_vec(out, ru, vec3_scale(1 / h, vec3_sub(p_now, mat3_apply(rn, pn))));
    local_add_vec(out, rc, vec3_scale(1 / h, vec3_sub(h_now, mat3_apply(rn, hn))));
    local_add_vec(out, rc, vec3_cross(slip, carried));
    // what turns with interval k itself
    local_add_mat(out, ru, rc, -1 / h, mat3_mul(mat3_cross(p_now), spin[k]));
    local_add_mat(out, rc, rc, -1 / h, mat3_mul(mat3_cross(h_now), spin[k]));
    local_add_mat(out, rc, ru, -1 / h, mat3_cross(carried));
    local_add_mat(out, rc, rc, 1, mat3_mul(mat3_cross(slip), rotation_half_derivative(c[k], mean)));
    // what comes through the velocities: d p_k = sum_l a^-1_kl (m dv_l - s~ dw_l), d h_k = ... (s~ dv_l + J dw_l)
    Mat3 half = mat3_scale(0.5, mat3_mul(mat3_cross(slip), mat3_mul(spin[k], rn))); // slip x tau Rh dp/2
    for (int l = 0; l < t->s; l++) {
      double f = t->inverse[k][l];
      int cu = local_at(out, 0, l), cc = local_at(out, 1, l);
      Mat3 dp_du = mat3_scale(q->m, dv_du[l]), dh_du = mat3_mul(first, dv_du[l]);
      Mat3 dp_dc = mat3_sub(mat3_scale(q->m, dv_dc[l]), mat3_mul(first, dw_dc));
      Mat3 dh_dc = mat3_add(mat3_mul(first, dv_dc[l]), mat3_mul(q->j, dw_dc));
      local_add_mat(out, ru, cu, f / h, mat3_mul(rk[k], dp_du));
      local_add_mat(out, ru, cc, f / h, mat3_mul(rk[k], dp_dc));
      local_add_mat(out, rc, cu, f / h, mat3_mul(rk[k], dh_du));
      local_add_mat(out, rc, cc, f / h, mat3_mul(rk[k], dh_dc));
      local_add_mat(out, rc, cu, f, mat3_mul(half, dp_du));
      local_add_mat(out, rc, cc, f, mat3_mul(half, dp_dc));
    }
  }
}
