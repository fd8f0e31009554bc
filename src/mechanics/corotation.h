// SPDX-License-Identifier: Apache-2.0
// Points of a free flexible body under a decaying scheme. A jump sees what the velocity changes by, and of points that
// turn with a body that is the centripetal acceleration, which a stiff body pays for (docs/theory). So velocities are
// carried along: with V the velocity of the body's mass centre and R a rotation, both known at t_n and constant over
// the step,
//   v_0 = V + R w_0 at the end of the step,   v_k = V + w_k at those of jumps,   v_n = V + w_n.
// With N = (1 + R)/2, n the axis, phi the angle, u' = u - b h V, D w_k = w_k - w_n
//   kinematics   N^T u'_0/h = w_n + sum_l a_0l D w_l,      u'_k/h = sum_l a_kl D w_l
//   balance      N m D w_0/h + sin(phi)/h n x m u'_0/h + f_0 = 0,      m D w_k/h + f_k = 0.
// The second term works nothing, so that u'_0 . (inertial force) = (N^T u'_0/h) . m D w_0, and the theorem of tableau.h
// holds with D w for D v, whatever R is. Both together are m (v_0 - v_n)/h plus sin(phi/2) G n x m D w_1/h, G half of
// the turn: momentum is balanced as far as the jump has none, which is so where no load changes. With sin(phi) = h
// omega a steady rotation has D w = 0.
// Equations: eq-rotation-velocity (8.3), eq-rotation-momentum (8.6).
#ifndef LIMBER_MECHANICS_COROTATION_H
#define LIMBER_MECHANICS_COROTATION_H

#include "mechanics/node.h"

typedef struct {
  bool on;
  Vec3 centre_velocity; // V
  Mat3 r, half;         // R, N
  Vec3 turn;            // sin(phi)/h n
} CoRotation;

// Of a body that turns at the rate omega.
CoRotation corotation_of(double h, Vec3 centre_velocity, Vec3 omega);

// The rate at which masses turn on the whole, of their angular momentum and inertia about the mass centre; those on a
// line have none about it.
Vec3 corotation_rate(Vec3 angular, Mat3 inertia);

// vn and vn + D w_k; the velocity at the end of the step.
void corotation_velocity(const CoRotation *q, const Tableau *t, double h, Vec3 vn, const Vec3 *u, PointVelocity *out);
Vec3 corotation_end_velocity(const CoRotation *q, const PointVelocity *v);

void corotation_inertia(const CoRotation *q, const Tableau *t, double h, double mass, Vec3 vn, const Vec3 *u,
                        Local *out);

#endif
