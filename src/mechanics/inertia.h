// SPDX-License-Identifier: Apache-2.0
// The inertia of a node, in its own axes: mass m, first moment s = m X_c, tensor J about the node.
//   material:  p = m v + w x s,  h = s x v + J w,  K = (v.p + w.h)/2
//   ambient:   K = 1/2 sum_ab M_ab xdot_a . xdot_b over (r, d1, d2, d3) with the constant 4 x 4 matrix
//              M = [m s^T; s E],  E = tr(J)/2 I - J  (the Euler tensor, E_ij = integral rho X_i X_j).
// Equations: eq-node-ambient (1.6), eq-node-material (1.7).
#ifndef LIMBER_MECHANICS_INERTIA_H
#define LIMBER_MECHANICS_INERTIA_H

#include "base/vec3.h"

typedef struct {
  double m;
  Vec3 s;
  Mat3 j;
} Inertia;

static inline Vec3 inertia_momentum(const Inertia *q, Vec3 v, Vec3 w) {
  return vec3_add(vec3_scale(q->m, v), vec3_cross(w, q->s));
}

static inline Vec3 inertia_angular(const Inertia *q, Vec3 v, Vec3 w) {
  return vec3_add(vec3_cross(q->s, v), mat3_apply(q->j, w));
}

static inline double inertia_energy(const Inertia *q, Vec3 v, Vec3 w) {
  return 0.5 * (vec3_dot(v, inertia_momentum(q, v, w)) + vec3_dot(w, inertia_angular(q, v, w)));
}

void inertia_add(Inertia *q, const Inertia *p);

// The inertia of a body that a node carries rigidly, whose own axes are the columns of `axes` in the node's axes.
Inertia inertia_turned(const Inertia *q, Mat3 axes);

// A body with mass centre xc and tensor jc about it.
Inertia inertia_of_body(double m, Vec3 xc, Mat3 jc);

void inertia_ambient(const Inertia *q, double mass[4][4]);

#endif
