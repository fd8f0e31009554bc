// SPDX-License-Identifier: Apache-2.0
// An axisymmetric rotor that spins about an axis n of a frame. Its state is one number: the angular momentum p about n
// that the frame's own inertia does not have. Over a stage of length h it puts on the frame the moment
//   -(p_k n_k - p_n n_n)/h = -(mean p (n_k - n_n) + mean n (p_k - p_n))/h.
// The chord n_k - n_n is across the vector that moments work on (node.h), however far the frame turns, so that the
// first part, the gyroscopic moment, does no work; the second is the reaction of the motor. No fast rotation has to be
// resolved, and angular momentum is exact.
//   free: p = I (Omega + w . n), the absolute spin. A torque changes it by h times its mean; energy p^2/(2 I).
//   driven: the speed Omega against the frame is a function of time. The frame has I as if the wheel were locked to it, and p = I Omega.
//     Beside the energy of the locked wheel there is p w . n + p^2/(2 I).
// A jump takes no time: p stays.
// Equations: eq-wheel-moment (1.10), eq-wheel-work (1.12), eq-wheel-driven (1.13).
#ifndef LIMBER_MECHANICS_WHEEL_H
#define LIMBER_MECHANICS_WHEEL_H

#include "mechanics/node.h"

typedef struct {
  Vec3 axis;      // n, in the axes of the frame
  double inertia; // I
  double speed;   // Omega at the start
  bool driven;
} Wheel;

typedef struct {
  double start, end; // p over a step
} WheelMomentum;

// n at the vectors of a frame; the same of any vectors beside them, such as their rates.
Vec3 wheel_axis(const Wheel *w, const Vec3 *x);

// Adds residual and tangent over all stages. The item begins with the frame's blocks.
void wheel_add(const Wheel *w, int stages, double h, WheelMomentum p, const Vec3 *xn, const NodeMotion *m, Local *out);
// The same in a balance at the end of the step: p n' + torque n, with the velocities of the vectors there.
void wheel_add_at_end(const Wheel *w, WheelMomentum p, double torque, const VectorVelocity *v, const NodeMotion *m,
                      Local *out);
// In a steady rotation of the whole by omega: p omega x n + torque n.
void wheel_add_rotation(const Wheel *w, double p, double torque, Vec3 omega, const NodeMotion *m, Local *out);

// Energy beside that of the frame's own inertia, where the frame turns about n at the rate `turn`.
double wheel_energy(const Wheel *w, double p, double turn);
// What the motor works in a step. `angle`: what a moment of 1 about the mean of n works; `turn`: the rate of the frame
// about n at both ends.
double wheel_work(const Wheel *w, double h, WheelMomentum p, double angle, const double turn[2]);

#endif
