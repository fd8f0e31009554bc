// SPDX-License-Identifier: Apache-2.0
// Vectors and matrices of R^3, passed by value. a~ is the matrix of the cross product: a~ b = a x b.
#ifndef LIMBER_BASE_VEC3_H
#define LIMBER_BASE_VEC3_H

#include <math.h>

typedef struct {
  double x, y, z;
} Vec3;

typedef struct {
  double m[3][3];
} Mat3;

static inline Vec3 vec3(double x, double y, double z) { return (Vec3){x, y, z}; }
static inline Vec3 vec3_zero(void) { return (Vec3){0, 0, 0}; }
static inline Vec3 vec3_of(const double a[3]) { return (Vec3){a[0], a[1], a[2]}; }
static inline void vec3_to(Vec3 a, double out[3]) { out[0] = a.x, out[1] = a.y, out[2] = a.z; }
static inline Vec3 vec3_add(Vec3 a, Vec3 b) { return (Vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline Vec3 vec3_sub(Vec3 a, Vec3 b) { return (Vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline Vec3 vec3_scale(double s, Vec3 a) { return (Vec3){s * a.x, s * a.y, s * a.z}; }
static inline double vec3_dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double vec3_norm(Vec3 a) { return sqrt(vec3_dot(a, a)); }

// a + s b
static inline Vec3 vec3_axpy(Vec3 a, double s, Vec3 b) { return (Vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }

static inline Vec3 vec3_mean(Vec3 a, Vec3 b) { return (Vec3){0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)}; }

static inline Vec3 vec3_cross(Vec3 a, Vec3 b) {
  return (Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline Vec3 vec3_unit(Vec3 a) { return vec3_scale(1 / vec3_norm(a), a); }

// Some unit vector normal to a: a crossed with the ground axis it is least aligned with.
static inline Vec3 vec3_normal(Vec3 a) {
  double ax = fabs(a.x), ay = fabs(a.y), az = fabs(a.z);
  Vec3 least = ax <= ay && ax <= az ? vec3(1, 0, 0) : ay <= az ? vec3(0, 1, 0) : vec3(0, 0, 1);
  return vec3_unit(vec3_cross(a, least));
}

static inline Mat3 mat3_zero(void) { return (Mat3){{{0}}}; }
static inline Mat3 mat3_diag(double a, double b, double c) { return (Mat3){{{a, 0, 0}, {0, b, 0}, {0, 0, c}}}; }
static inline Mat3 mat3_identity(void) { return mat3_diag(1, 1, 1); }
static inline Mat3 mat3_cross(Vec3 a) { return (Mat3){{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}}; }

static inline Mat3 mat3_columns(Vec3 a, Vec3 b, Vec3 c) {
  return (Mat3){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

static inline Vec3 mat3_column(Mat3 a, int j) { return (Vec3){a.m[0][j], a.m[1][j], a.m[2][j]}; }

static inline Mat3 mat3_outer(Vec3 a, Vec3 b) {
  return (Mat3){
      {{a.x * b.x, a.x * b.y, a.x * b.z}, {a.y * b.x, a.y * b.y, a.y * b.z}, {a.z * b.x, a.z * b.y, a.z * b.z}}};
}

// a + s b
static inline Mat3 mat3_axpy(Mat3 a, double s, Mat3 b) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) a.m[i][j] += s * b.m[i][j];
  return a;
}

static inline Mat3 mat3_add(Mat3 a, Mat3 b) { return mat3_axpy(a, 1, b); }
static inline Mat3 mat3_sub(Mat3 a, Mat3 b) { return mat3_axpy(a, -1, b); }
static inline Mat3 mat3_scale(double s, Mat3 a) { return mat3_axpy(mat3_zero(), s, a); }

static inline Mat3 mat3_mul(Mat3 a, Mat3 b) {
  Mat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
  return c;
}

// a + p~ q~ = a + q p^T - (p . q) I
static inline Mat3 mat3_add_crosses(Mat3 a, Vec3 p, Vec3 q) {
  double d = vec3_dot(p, q);
  return (Mat3){{{a.m[0][0] + q.x * p.x - d, a.m[0][1] + q.x * p.y, a.m[0][2] + q.x * p.z},
                 {a.m[1][0] + q.y * p.x, a.m[1][1] + q.y * p.y - d, a.m[1][2] + q.y * p.z},
                 {a.m[2][0] + q.z * p.x, a.m[2][1] + q.z * p.y, a.m[2][2] + q.z * p.z - d}}};
}

static inline Mat3 mat3_transpose(Mat3 a) {
  Mat3 t;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) t.m[i][j] = a.m[j][i];
  return t;
}

static inline Vec3 mat3_apply(Mat3 a, Vec3 v) {
  return (Vec3){a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
}

// a^T v
static inline Vec3 mat3_apply_transpose(Mat3 a, Vec3 v) {
  return (Vec3){a.m[0][0] * v.x + a.m[1][0] * v.y + a.m[2][0] * v.z,
                a.m[0][1] * v.x + a.m[1][1] * v.y + a.m[2][1] * v.z,
                a.m[0][2] * v.x + a.m[1][2] * v.y + a.m[2][2] * v.z};
}

static inline double mat3_det(Mat3 a) {
  return vec3_dot(mat3_column(a, 0), vec3_cross(mat3_column(a, 1), mat3_column(a, 2)));
}

#endif
