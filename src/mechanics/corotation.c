// SPDX-License-Identifier: Apache-2.0
// Equations: eq-rotation-kinematics (8.4), eq-rotation-balance (8.5).
#include "mechanics/corotation.h"

#include "base/rotation.h"

CoRotation corotation_of(double h, Vec3 centre_velocity, Vec3 omega) {
  double rate = vec3_norm(omega), sine = fmin(1, h * rate), cosine = sqrt(1 - sine * sine);
  Vec3 n = rate > 0 ? vec3_scale(1 / rate, omega) : vec3_zero();
  Mat3 across = mat3_cross(n), r = mat3_identity();
  r = mat3_add(r, mat3_scale(sine, across));
  r = mat3_add(r, mat3_scale(1 - cosine, mat3_mul(across, across)));
  return (CoRotation){true, centre_velocity, r, mat3_scale(0.5, mat3_add(mat3_identity(), r)), vec3_scale(sine / h, n)};
}

Vec3 corotation_rate(Vec3 angular, Mat3 inertia) {
  double trace = inertia.m[0][0] + inertia.m[1][1] + inertia.m[2][2], det = mat3_det(inertia);
  if (!(trace > 0)) return vec3_zero();
  if (det < 1e-9 * trace * trace * trace) return vec3_scale(2 / trace, angular);
  Vec3 c[3];
  for (int i = 0; i < 3; i++) c[i] = mat3_column(inertia, i);
  return vec3(vec3_dot(angular, vec3_cross(c[1], c[2])) / det, vec3_dot(angular, vec3_cross(c[2], c[0])) / det,
              vec3_dot(angular, vec3_cross(c[0], c[1])) / det);
}

static Vec3 relative_displacement(const CoRotation *q, const Tableau *t, double h, int k, Vec3 u) {
  return vec3_axpy(u, -t->b[k] * h, q->centre_velocity);
}

void corotation_velocity(const CoRotation *q, const Tableau *t, double h, Vec3 vn, const Vec3 *u, PointVelocity *out) {
  Vec3 wn = vec3_sub(vn, q->centre_velocity);
  out->vn = vn;
  for (int k = 0; k < t->s; k++) {
    out->vk[k] = vn;
    for (int l = 0; l < t->s; l++) {
      Vec3 rate = vec3_scale(1 / h, relative_displacement(q, t, h, l, u[l]));
      if (l == 0) rate = mat3_apply_transpose(q->half, rate);
      out->vk[k] = vec3_axpy(out->vk[k], t->inverse[k][l], vec3_axpy(rate, -t->b[l], wn));
    }
  }
}

Vec3 corotation_end_velocity(const CoRotation *q, const PointVelocity *v) {
  return vec3_add(q->centre_velocity, mat3_apply(q->r, vec3_sub(v->vk[0], q->centre_velocity)));
}

void corotation_inertia(const CoRotation *q, const Tableau *t, double h, double mass, Vec3 vn, const Vec3 *u,
                        Local *out) {
  PointVelocity v;
  corotation_velocity(q, t, h, vn, u, &v);
  for (int k = 0; k < t->s; k++) {
    int row = local_at(out, 0, k);
    Vec3 f = vec3_scale(mass / h, vec3_sub(v.vk[k], vn));
    local_add_vec(out, row, k == 0 ? mat3_apply(q->half, f) : f);
    for (int l = 0; l < t->s; l++) {
      Mat3 m = k == 0 ? q->half : mat3_identity();
      if (l == 0) m = mat3_mul(m, mat3_transpose(q->half));
      local_add_mat(out, row, local_at(out, 0, l), mass * t->inverse[k][l] / (h * h), m);
    }
  }
  int row = local_at(out, 0, 0);
  local_add_vec(out, row, vec3_scale(mass / h, vec3_cross(q->turn, relative_displacement(q, t, h, 0, u[0]))));
  local_add_mat(out, row, row, mass / h, mat3_cross(q->turn));
}
