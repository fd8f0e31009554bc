// SPDX-License-Identifier: Apache-2.0
// The conformal rotation vector c = 4 n tan(phi/4) of a turn phi about n (Bauchau & Theron 1996, appendix A).
//   c0 = 2 - |c|^2/8,  tau = 2/(4 - c0),  half turn G = (c0 I + c~ + c c^T/4)/(4 - c0),  R = G G.
// Singular only at a full turn. The map is conformal: a variation dc spins R by the vector tau G dc.
// Equations: eq-node-half-rotation (1.2).
#ifndef LIMBER_BASE_ROTATION_H
#define LIMBER_BASE_ROTATION_H

#include "base/vec3.h"

static inline double rotation_c0(Vec3 c) { return 2 - vec3_dot(c, c) / 8; }
static inline double rotation_tau(Vec3 c) { return 2 / (4 - rotation_c0(c)); }

Mat3 rotation_half(Vec3 c);    // G(c)
Mat3 rotation_matrix(Vec3 c);  // R(c)
Mat3 rotation_tangent(Vec3 c); // tau G: the spin of R is (tau G) dc

void rotation_both(Vec3 c, Mat3 *r, Mat3 *spin); // R and tau G

// The derivative of tau(c) G(c) v with respect to c, v fixed; `turned` is tau G v.
Mat3 rotation_turned_derivative(Vec3 c, Vec3 v, Vec3 turned);

Vec3 rotation_conformal(Mat3 r);               // the c of a rotation matrix, |turn| <= pi
Vec3 rotation_vector(Mat3 r);                  // phi n, 0 <= phi <= pi
Mat3 rotation_exponential(Vec3 phi);           // the rotation by |phi| about phi
void rotation_quaternion(Mat3 r, double q[4]); // (e0, e), e0 >= 0
Mat3 rotation_of_quaternion(const double q[4]);
Mat3 rotation_orthonormalised(Mat3 r); // the nearest rotation, by Newton's iteration for the polar factor
// A symmetric matrix becomes diagonal; the columns of v are its axes.
void principal_axes(double a[3][3], double v[3][3]);

#endif
