// SPDX-License-Identifier: Apache-2.0
#include "mechanics/node.h"

#include "base/rotation.h"

void inertia_add(Inertia *q, const Inertia *p) {
  q->m += p->m;
  q->s = vec3_add(q->s, p->s);
  q->j = mat3_add(q->j, p->j);
}

Inertia inertia_turned(const Inertia *q, Mat3 axes) {
  return (Inertia){q->m, mat3_apply(axes, q->s), mat3_mul(axes, mat3_mul(q->j, mat3_transpose(axes)))};
}

// Steiner: J = Jc + m (|xc|^2 I - xc xc^T)
Inertia inertia_of_body(double m, Vec3 xc, Mat3 jc) {
  Mat3 j = mat3_axpy(jc, m * vec3_dot(xc, xc), mat3_identity());
  return (Inertia){m, vec3_scale(m, xc), mat3_axpy(j, -m, mat3_outer(xc, xc))};
}

void inertia_ambient(const Inertia *q, double mass[4][4]) {
  double s[3], half = 0.5 * (q->j.m[0][0] + q->j.m[1][1] + q->j.m[2][2]);
  vec3_to(q->s, s);
  mass[0][0] = q->m;
  for (int i = 0; i < 3; i++) {
    mass[0][i + 1] = mass[i + 1][0] = s[i];
    for (int j = 0; j < 3; j++) mass[i + 1][j + 1] = (i == j) * half - q->j.m[i][j];
  }
}

// Equations: eq-node-moment (1.4), eq-node-ambient (1.6), eq-node-material-kinematics (1.8),
// eq-node-material-balance (1.9), eq-joint-projection (5.2).

void node_move(NodeKind kind, const Vec3 *xn, Vec3 u, Vec3 c, NodeMotion *m) {
  if (kind == NODE_FIXED) u = c = vec3_zero();
  m->x[0] = vec3_add(xn[0], u), m->chord[0] = u, m->c = c;
  if (kind == NODE_POINT) return;
  Mat3 r;
  rotation_both(c, &r, &m->spin);
  for (int j = 1; j < 4; j++) m->x[j] = mat3_apply(r, xn[j]), m->chord[j] = vec3_cross(c, mat3_apply(m->spin, xn[j]));
}

void node_motion(NodeKind kind, ForceRule force_rule, const Vec3 *xn, Vec3 u, Vec3 c, NodeMotion *m) {
  node_move(kind, xn, u, c, m);
  m->part = 1;
  if (kind == NODE_POINT) return;
  m->part = force_rule == FORCE_CHORD ? 0 : force_rule == FORCE_MEAN ? 0.5 : 1, m->rho[0] = vec3_zero();
  for (int j = 1; j < 4; j++) switch (force_rule) {
    case FORCE_CHORD: m->rho[j] = mat3_apply(m->spin, xn[j]); break; // spin is tau G, so tau d_half = spin d_n
    case FORCE_MEAN: m->rho[j] = vec3_mean(xn[j], m->x[j]); break;
    case FORCE_END: m->rho[j] = m->x[j]; break;
    }
}

void node_add_scalar_tangent(Local *out, NodeKind ka, int block_a, const NodeMotion *ma, int k, NodeKind kb,
                             int block_b, const NodeMotion *mb, int l, const double *kappa, int stride) {
  if (!out->tangent || ka == NODE_FIXED || kb == NODE_FIXED) return;
  int ru = local_at(out, block_a, k), cu = local_at(out, block_b, l), rc = ru + 3 * out->s, cc = cu + 3 * out->s;
  local_add_diag(out, ru, cu, kappa[0]);
  int na = node_vectors(ka), nb = node_vectors(kb);
  Vec3 turned[4]; // sum_j kappa_ij x_j, whose derivative is -turned~ spin
  if (kb == NODE_FRAME) {
    for (int i = 0; i < na; i++) {
      turned[i] = vec3_zero();
      for (int j = 1; j < nb; j++) turned[i] = vec3_axpy(turned[i], kappa[i * stride + j], mb->x[j]);
    }
    local_add_mat(out, ru, cc, -1, mat3_mul(mat3_cross(turned[0]), mb->spin));
  }
  if (ka != NODE_FRAME) return;
  Vec3 lever = vec3_zero();
  for (int i = 1; i < 4; i++) lever = vec3_axpy(lever, kappa[i * stride], ma->rho[i]);
  local_add_mat(out, rc, cu, 1, mat3_cross(lever));
  if (kb != NODE_FRAME) return;
  Mat3 both = mat3_zero();
  for (int i = 1; i < 4; i++) both = mat3_add_crosses(both, ma->rho[i], turned[i]);
  local_add_mat(out, rc, cc, -1, mat3_mul(both, mb->spin));
}

void node_add_force(Local *out, NodeKind kind, int block, const NodeMotion *m, int k, const Vec3 *f) {
  if (kind == NODE_FIXED) return;
  int ru = local_at(out, block, k), rc = ru + 3 * out->s;
  local_add_vec(out, ru, f[0]);
  if (kind != NODE_FRAME) return;
  for (int j = 1; j < 4; j++) local_add_vec(out, rc, vec3_cross(m->rho[j], f[j]));
  if (!out->tangent) return;
  Mat3 both = mat3_zero();
  for (int j = 1; j < 4; j++) {
    if (m->part != 0) both = mat3_add_crosses(both, f[j], m->x[j]);
    else {
      Mat3 turned = rotation_turned_derivative(m->c, vec3_sub(m->x[j], m->chord[j]), m->rho[j]);
      local_add_mat(out, rc, rc, -1, mat3_mul(mat3_cross(f[j]), turned));
    }
  }
  if (m->part != 0) local_add_mat(out, rc, rc, m->part, mat3_mul(both, m->spin));
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
    for (int j = 0; j < nvec; j++)
      if (mass[i][j] != 0) e += 0.5 * mass[i][j] * vec3_dot(v[i], v[j]);
  return e;
}

// ---- material ----
//   vhat_l = ((Rn + Rl)/2)^T (u_l/h - b_l centre_velocity),  what_l = Rn^T c_l/h
//   force   (Rk p_k - Rn p_n)/h
//   moment  (Rk h_k - Rn h_n)/h + (u_k/h - b_k centre_velocity) x tau Rh (p_n + p_k)/2

static Vec3 relative_velocity(const Tableau *t, double h, Vec3 centre_velocity, const Vec3 *u, int l) {
  return vec3_axpy(vec3_scale(1 / h, u[l]), -t->b[l], centre_velocity);
}

void material_velocity(const Tableau *t, double h, Vec3 centre_velocity, const Vec3 *xn, const Vec3 vn[2],
                       const ProjectionVelocity *projection, const Vec3 *u, const Vec3 *c, MaterialVelocity *out) {
  Mat3 rn = node_axes(xn), rn_t = mat3_transpose(rn);
  Vec3 dv[MAX_STAGES], dw[MAX_STAGES]; // vhat - b v_n + y
  out->vn[0] = projection ? vec3_add(vn[0], projection->v[0]) : vn[0];
  out->vn[1] = projection ? vec3_add(vn[1], projection->w[0]) : vn[1];
  out->dw_dc = mat3_scale(1 / h, rn_t);
  for (int l = 0; l < t->s; l++) {
    Vec3 gone = relative_velocity(t, h, centre_velocity, u, l);
    Mat3 r;
    rotation_both(c[l], &r, &out->spin[l]);
    out->rk[l] = mat3_mul(r, rn);
    Mat3 rl_t = mat3_transpose(out->rk[l]);
    Vec3 mean = vec3_mean(mat3_apply(rn_t, gone), mat3_apply(rl_t, gone));
    dv[l] = vec3_axpy(mean, -t->b[l], out->vn[0]);
    dw[l] = vec3_axpy(mat3_apply(out->dw_dc, c[l]), -t->b[l], out->vn[1]);
    if (projection && l > 0) dv[l] = vec3_add(dv[l], projection->v[l]), dw[l] = vec3_add(dw[l], projection->w[l]);
    out->dv_du[l] = mat3_scale(0.5 / h, mat3_add(rn_t, rl_t));
    out->dv_dc[l] = mat3_scale(0.5, mat3_mul(rl_t, mat3_mul(mat3_cross(gone), out->spin[l])));
  }
  for (int k = 0; k < t->s; k++) {
    out->vk[k][0] = out->vn[0], out->vk[k][1] = out->vn[1];
    for (int l = 0; l < t->s; l++) {
      out->vk[k][0] = vec3_axpy(out->vk[k][0], t->inverse[k][l], dv[l]);
      out->vk[k][1] = vec3_axpy(out->vk[k][1], t->inverse[k][l], dw[l]);
    }
  }
}

void material_inertia(const Tableau *t, double h, const Inertia *q, Vec3 centre_velocity, const Vec3 *xn,
                      const Vec3 vn[2], const ProjectionVelocity *projection, const Vec3 *u, const Vec3 *c,
                      Local *out) {
  Mat3 rn = node_axes(xn), first = mat3_cross(q->s), mass = mat3_scale(q->m, mat3_identity());
  MaterialVelocity m;
  material_velocity(t, h, centre_velocity, xn, vn, projection, u, c, &m);
  Vec3 pn = inertia_momentum(q, m.vn[0], m.vn[1]), hn = inertia_angular(q, m.vn[0], m.vn[1]);
  for (int k = 0; k < t->s; k++) {
    int ru = local_at(out, 0, k), rc = local_at(out, 1, k);
    Mat3 rk = m.rk[k], spin = m.spin[k];
    Vec3 pk = inertia_momentum(q, m.vk[k][0], m.vk[k][1]), hk = inertia_angular(q, m.vk[k][0], m.vk[k][1]);
    Vec3 gone = relative_velocity(t, h, centre_velocity, u, k), mean = mat3_apply(rn, vec3_mean(pn, pk));
    Vec3 rotated_momentum = mat3_apply(spin, mean); // tau Rh (p_n + p_k)/2
    Vec3 p_now = mat3_apply(rk, pk), h_now = mat3_apply(rk, hk);
    local_add_vec(out, ru, vec3_scale(1 / h, vec3_sub(p_now, mat3_apply(rn, pn))));
    local_add_vec(out, rc, vec3_scale(1 / h, vec3_sub(h_now, mat3_apply(rn, hn))));
    local_add_vec(out, rc, vec3_cross(gone, rotated_momentum));
    if (projection) {
      local_add_vec(out, local_at(out, 2, k), inertia_momentum(q, projection->v[k], projection->w[k]));
      local_add_vec(out, local_at(out, 3, k), inertia_angular(q, projection->v[k], projection->w[k]));
    }
    if (!out->tangent) continue;
    // what turns with stage k itself
    local_add_mat(out, ru, rc, -1 / h, mat3_mul(mat3_cross(p_now), spin));
    local_add_mat(out, rc, rc, -1 / h, mat3_mul(mat3_cross(h_now), spin));
    local_add_mat(out, rc, ru, -1 / h, mat3_cross(rotated_momentum));
    local_add_mat(out, rc, rc, 1, mat3_mul(mat3_cross(gone), rotation_turned_derivative(c[k], mean, rotated_momentum)));
    // what comes through the velocities: d p = m dv - s~ dw, d h = s~ dv + J dw
    Mat3 half = mat3_scale(0.5, mat3_mul(mat3_cross(gone), mat3_mul(spin, rn))); // gone x tau Rh dp/2
    for (int l = 0; l < t->s; l++) {
      double f = t->inverse[k][l];
      int cu = local_at(out, 0, l), cc = local_at(out, 1, l);
      Mat3 dp_du = mat3_scale(q->m, m.dv_du[l]), dh_du = mat3_mul(first, m.dv_du[l]);
      Mat3 dp_dc = mat3_sub(mat3_scale(q->m, m.dv_dc[l]), mat3_mul(first, m.dw_dc));
      Mat3 dh_dc = mat3_add(mat3_mul(first, m.dv_dc[l]), mat3_mul(q->j, m.dw_dc));
      local_add_mat(out, ru, cu, f / h, mat3_mul(rk, dp_du));
      local_add_mat(out, ru, cc, f / h, mat3_mul(rk, dp_dc));
      local_add_mat(out, rc, cu, f / h, mat3_mul(rk, dh_du));
      local_add_mat(out, rc, cc, f / h, mat3_mul(rk, dh_dc));
      local_add_mat(out, rc, cu, f, mat3_mul(half, dp_du));
      local_add_mat(out, rc, cc, f, mat3_mul(half, dp_dc));
      if (!projection) continue;
      // y^0 moves v_n and v_k, y^l moves v_k
      double at_n = l == 0, at_k = l == 0 ? 1 - tableau_from_start(t, k) : f;
      int cv = local_at(out, 2, l), cw = local_at(out, 3, l);
      Mat3 turn = mat3_scale(1 / h, mat3_sub(mat3_scale(at_k, rk), mat3_scale(at_n, rn)));
      Mat3 lever = mat3_scale(at_k + at_n, half);
      local_add_mat(out, ru, cv, 1, mat3_mul(turn, mass));
      local_add_mat(out, ru, cw, -1, mat3_mul(turn, first));
      local_add_mat(out, rc, cv, 1, mat3_add(mat3_mul(turn, first), mat3_mul(lever, mass)));
      local_add_mat(out, rc, cw, 1, mat3_sub(mat3_mul(turn, q->j), mat3_mul(lever, first)));
    }
    if (!projection) continue;
    int rv = local_at(out, 2, k), rw = local_at(out, 3, k);
    local_add_mat(out, rv, rv, 1, mass);
    local_add_mat(out, rv, rw, -1, first);
    local_add_mat(out, rw, rv, 1, first);
    local_add_mat(out, rw, rw, 1, q->j);
  }
}

// ---- a point with a projection ----

void point_velocity(const Tableau *t, double h, Vec3 vn, const ProjectionVelocity *projection, const Vec3 *u,
                    PointVelocity *out) {
  out->vn = projection ? vec3_add(vn, projection->v[0]) : vn;
  for (int k = 0; k < t->s; k++) {
    out->vk[k] = out->vn;
    for (int l = 0; l < t->s; l++) {
      Vec3 d = vec3_axpy(vec3_scale(1 / h, u[l]), -t->b[l], out->vn);
      if (projection && l > 0) d = vec3_add(d, projection->v[l]);
      out->vk[k] = vec3_axpy(out->vk[k], t->inverse[k][l], d);
    }
  }
}

void point_inertia(const Tableau *t, double h, double mass, Vec3 vn, const ProjectionVelocity *projection,
                   const Vec3 *u, Local *out) {
  PointVelocity m;
  point_velocity(t, h, vn, projection, u, &m);
  for (int k = 0; k < t->s; k++) {
    int row = local_at(out, 0, k), ry = local_at(out, 1, k);
    local_add_vec(out, row, vec3_scale(mass / h, vec3_sub(m.vk[k], m.vn)));
    local_add_vec(out, ry, vec3_scale(mass, projection->v[k]));
    local_add_diag(out, ry, ry, mass);
    for (int l = 0; l < t->s; l++) {
      local_add_diag(out, row, local_at(out, 0, l), mass * t->inverse[k][l] / (h * h));
      local_add_diag(out, row, local_at(out, 1, l), mass / h * (l == 0 ? -tableau_from_start(t, k) : t->inverse[k][l]));
    }
  }
}

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
