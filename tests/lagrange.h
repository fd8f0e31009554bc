// SPDX-License-Identifier: Apache-2.0
// The motion of a mechanism by Lagrange's equations, as a reference that shares nothing with the schemes. Two rigid bodies are
// six point masses each, on the axes of the body; where they stand is a function of coordinates q, of which one is
// driven, z(t). With p(q) the places of the masses and J = dp/dq
//   sum m J^T (J q'' + c) = sum m J^T g + tau e_driven,   c = d^2 p(q + s q')/ds^2 at s = 0,
// is solved for the free q'' and for tau, the force of the drive; Runge and Kutta's method takes q, q' and the work
// of tau from sample to sample. J and c are differences of sixth order.
#ifndef LIMBER_TESTS_LAGRANGE_H
#define LIMBER_TESTS_LAGRANGE_H

#include "base/vec3.h"

enum { LAGRANGE_COORDS = 6, LAGRANGE_BODIES = 2 };

typedef struct {
  double mass, arm[3]; // half the distance of the masses on each axis; all zero: a point
} LagrangeBody;

typedef struct {
  Mat3 axes;
  Vec3 x; // mass centre
} Pose;

typedef struct Mechanism {
  int ncoord, driven;
  double start[LAGRANGE_COORDS],
      rate[LAGRANGE_COORDS];          // of the free coordinates at t = 0, before z sets off at a rate of
                                      // its own: the momenta of free coordinates stay
  LagrangeBody body[LAGRANGE_BODIES]; // without mass: none
  Vec3 gravity;
  double amplitude, omega, phase; // z = amplitude (sin(omega t + phase) - sin(phase))
  void (*places)(const struct Mechanism *m, const double *q, Pose *pose);
  const void *self; // for `places`
} Mechanism;

typedef struct {
  double z, tau, work;
  Pose pose[LAGRANGE_BODIES];
  Vec3 force[LAGRANGE_BODIES], moment[LAGRANGE_BODIES]; // on each body but for gravity; about its mass centre
} LagrangeSample;

// out[i] at t = i dt, i = 0 .. count
void lagrange_run(const Mechanism *m, double dt, int count, LagrangeSample *out);

// Of the mass centres at the start, while z stands still.
void lagrange_velocities(const Mechanism *m, Vec3 velocity[LAGRANGE_BODIES]);

// 11 22 33 about the mass centre
void lagrange_inertia(const LagrangeBody *b, double inertia[3]);

#endif
