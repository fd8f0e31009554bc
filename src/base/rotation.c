// SPDX-License-Identifier: Apache-2.0
#include "base/rotation.h"

Mat3 rotation_half(Vec3 c) {
  double c0 = rotation_c0(c), f = 1 / (4 - c0);
  Mat3 g = mat3_axpy(mat3_cross(c), 0.25, mat3_outer(c, c));
  return mat3_scale(f, mat3_axpy(g, c0, mat3_identity()));
}

// R = (c0^2 I + 2 c0 c~ + c~ c~ + c c^T)/(4 - c0)^2 with c~ c~ = c c^T - |c|^2 I
Mat3 rotation_matrix(Vec3 c) {
  double c0 = rotation_c0(c), f = 1 / ((4 - c0) * (4 - c0));
  Mat3 r = mat3_scale(f * (c0 * c0 - vec3_dot(c, c)), mat3_identity());
  r = mat3_axpy(r, 2 * f * c0, mat3_cross(c));
  return mat3_axpy(r, 2 * f, mat3_outer(c, c));
}

Mat3 rotation_tangent(Vec3 c) { return mat3_scale(rotation_tau(c), rotation_half(c)); }

// tau G v = tau^2/2 (c0 v + c x v + c (c.v)/4), d tau = -tau^2/8 c.dc, d c0 = -c.dc/4
Mat3 rotation_half_derivative(Vec3 c, Vec3 v) {
  double tau = rotation_tau(c), half = 0.5 * tau * tau;
  Vec3 tau_gv = vec3_scale(tau, mat3_apply(rotation_half(c), v));
  Mat3 d = mat3_outer(vec3_scale(-0.25 * tau, tau_gv), c);
  d = mat3_axpy(d, -0.25 * half, mat3_outer(v, c));
  d = mat3_axpy(d, -half, mat3_cross(v));
  d = mat3_axpy(d, 0.25 * half * vec3_dot(c, v), mat3_identity());
  return mat3_axpy(d, 0.25 * half, mat3_outer(c, v));
}

// Shepperd's choice of the largest of the four components, so that nothing cancels.
void rotation_quaternion(Mat3 r, double q[4]) {
  double t = r.m[0][0] + r.m[1][1] + r.m[2][2];
  double d[4] = {t, 2 * r.m[0][0] - t, 2 * r.m[1][1] - t, 2 * r.m[2][2] - t};
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (d[i] > d[k]) k = i;
  double s = 2 * sqrt(1 + d[k]), a = r.m[2][1] - r.m[1][2], b = r.m[0][2] - r.m[2][0], c = r.m[1][0] - r.m[0][1];
  double xy = r.m[0][1] + r.m[1][0], yz = r.m[1][2] + r.m[2][1], zx = r.m[2][0] + r.m[0][2];
  double e[4][4] = {{0, a, b, c}, {a, 0, xy, zx}, {b, xy, 0, yz}, {c, zx, yz, 0}};
  for (int i = 0; i < 4; i++) q[i] = i == k ? 0.25 * s : e[k][i] / s;
  if (q[0] < 0)
    for (int i = 0; i < 4; i++) q[i] = -q[i];
}

Mat3 rotation_of_quaternion(const double q[4]) {
  Vec3 e = vec3(q[1], q[2], q[3]);
  Mat3 r = mat3_scale(q[0] * q[0] - vec3_dot(e, e), mat3_identity());
  r = mat3_axpy(r, 2 * q[0], mat3_cross(e));
  return mat3_axpy(r, 2, mat3_outer(e, e));
}

Vec3 rotation_conformal(Mat3 r) {
  double q[4];
  rotation_quaternion(r, q);
  return vec3_scale(4 / (1 + q[0]), vec3(q[1], q[2], q[3]));
}

Vec3 rotation_vector(Mat3 r) {
  double q[4];
  rotation_quaternion(r, q);
  Vec3 e = vec3(q[1], q[2], q[3]);
  double s = vec3_norm(e);
  return s < 1e-150 ? vec3_zero() : vec3_scale(2 * atan2(s, q[0]) / s, e);
}

Mat3 rotation_exponential(Vec3 phi) {
  double a = vec3_norm(phi), q[4] = {cos(a / 2), 0, 0, 0};
  Vec3 e = vec3_scale(a < 1e-8 ? 0.5 - a * a / 48 : sin(a / 2) / a, phi);
  q[1] = e.x, q[2] = e.y, q[3] = e.z;
  return rotation_of_quaternion(q);
}

Mat3 rotation_orthonormalised(Mat3 r) {
  for (int k = 0; k < 3; k++) {
    Mat3 rtr = mat3_mul(mat3_transpose(r), r);
    r = mat3_mul(r, mat3_axpy(mat3_scale(1.5, mat3_identity()), -0.5, rtr));
  }
  return r;
}
