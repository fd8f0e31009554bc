// SPDX-License-Identifier: Apache-2.0
// Equations: eq-node-spin (1.3).
#include "base/rotation.h"

#include <string.h>

Mat3 rotation_half(Vec3 c) {
  double c0 = rotation_c0(c), f = 1 / (4 - c0);
  Mat3 g = mat3_axpy(mat3_cross(c), 0.25, mat3_outer(c, c));
  return mat3_scale(f, mat3_axpy(g, c0, mat3_identity()));
}

// a I + b c~ + d c c^T
static Mat3 combine_cross(Vec3 c, double a, double b, double d) {
  double xx = d * c.x * c.x, yy = d * c.y * c.y, zz = d * c.z * c.z, xy = d * c.x * c.y, yz = d * c.y * c.z,
         zx = d * c.z * c.x, x = b * c.x, y = b * c.y, z = b * c.z;
  return (Mat3){{{a + xx, xy - z, zx + y}, {xy + z, a + yy, yz - x}, {zx - y, yz + x, a + zz}}};
}

// R = (c0^2 I + 2 c0 c~ + c~ c~ + c c^T)/(4 - c0)^2 with c~ c~ = c c^T - |c|^2 I
Mat3 rotation_matrix(Vec3 c) {
  double cc = vec3_dot(c, c), c0 = 2 - cc / 8, f = 1 / ((4 - c0) * (4 - c0));
  return combine_cross(c, f * (c0 * c0 - cc), 2 * f * c0, 2 * f);
}

Mat3 rotation_tangent(Vec3 c) {
  double c0 = rotation_c0(c), f = 2 / ((4 - c0) * (4 - c0));
  return combine_cross(c, f * c0, f, 0.25 * f);
}

void rotation_both(Vec3 c, Mat3 *r, Mat3 *spin) {
  double cc = vec3_dot(c, c), c0 = 2 - cc / 8, f = 1 / ((4 - c0) * (4 - c0));
  *r = combine_cross(c, f * (c0 * c0 - cc), 2 * f * c0, 2 * f);
  *spin = combine_cross(c, 2 * f * c0, 2 * f, 0.5 * f);
}

// tau G v = tau^2/2 (c0 v + c x v + c (c.v)/4), d tau = -tau^2/8 c.dc, d c0 = -c.dc/4
Mat3 rotation_turned_derivative(Vec3 c, Vec3 v, Vec3 turned) {
  double tau = rotation_tau(c), half = 0.5 * tau * tau, part = 0.25 * half, same = part * vec3_dot(c, v);
  Vec3 a = vec3_axpy(vec3_scale(-0.25 * tau, turned), -part, v), b = vec3_scale(part, c), w = vec3_scale(half, v);
  return (Mat3){{{same + a.x * c.x + b.x * v.x, a.x * c.y + b.x * v.y + w.z, a.x * c.z + b.x * v.z - w.y},
                 {a.y * c.x + b.y * v.x - w.z, same + a.y * c.y + b.y * v.y, a.y * c.z + b.y * v.z + w.x},
                 {a.z * c.x + b.z * v.x + w.y, a.z * c.y + b.z * v.y - w.x, same + a.z * c.z + b.z * v.z}}};
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
    Mat3 rtr = mat3_mul(mat3_transpose(r), r), last = r;
    r = mat3_mul(r, mat3_axpy(mat3_scale(1.5, mat3_identity()), -0.5, rtr));
    if (memcmp(&r, &last, sizeof r) == 0) break; // another time would change nothing either
  }
  return r;
}

// Jacobi's rotations.
void principal_axes(double a[3][3], double v[3][3]) {
  for (int i = 0; i < 9; i++) v[i / 3][i % 3] = i % 4 == 0;
  for (int sweep = 0; sweep < 30; sweep++)
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (a[p][q] == 0) continue;
        double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; k++) {
          double kp = a[k][p], kq = a[k][q], vp = v[k][p], vq = v[k][q];
          a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
          v[k][p] = c * vp - s * vq, v[k][q] = s * vp + c * vq;
        }
        for (int k = 0; k < 3; k++) {
          double pk = a[p][k], qk = a[q][k];
          a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
        }
        a[p][q] = a[q][p] = 0;
      }
}
