// SPDX-License-Identifier: Apache-2.0
// The velocity that a rotor induces at a section of its blades: blade-element momentum theory, steady at each moment.
// In the plane of the section, m is the direction of the rotor's axis, downwind, and t is normal to it. Without
// induction the air has the velocity V_x m + V_t t against the section, V_x > 0, with it
//   V_x (1 - a) m + V_t (1 + a') t = W (sin(phi) m + cos(phi) t).
// With C_n and C_t of the force along m and -t, kappa = B c/(8 pi r F) and k = kappa C_n/sin^2(phi), phi solves
//   V_t sin^2(phi)/(1 - a) - V_x (sin(phi) cos(phi) - kappa C_t) = 0,
//   a = k/(1 + k) for k <= 2/3 (momentum); above that by Buhl's empirical relation.
// Prandtl's factor F is that of the tip times that of the hub.
// Equations: eq-air-inflow (26.6), eq-air-momentum (26.7), eq-air-buhl (26.8), eq-air-loss (26.9).
#ifndef LIMBER_MECHANICS_INDUCTION_H
#define LIMBER_MECHANICS_INDUCTION_H

#include "base/dual.h"

typedef struct {
  int blades;      // 0: no induction
  double tip, hub; // B/2 (R - r)/r and B/2 (r - R_h)/R_h of Prandtl's factors
} RotorStation;

// Coefficients of lift and drag at an angle of attack, with their derivatives.
typedef void (*SectionForce)(const void *of, double angle, double value[2], double slope[2]);

// Vectors of the plane of the section have a part along the chord, to the leading edge, and one across it.
typedef struct {
  Dual chord, across;
} PlaneVec;

// A section at the distance `radius` from the axis.
typedef struct {
  const RotorStation *station;
  double width; // chord
  Dual radius;
  PlaneVec axis, air; // direction of the axis, of either sense and any length; velocity of the air against the section
  SectionForce force;
  const void *of; // of `force`
} InductionCase;

typedef struct {
  double axial, tangential; // a, a'
  PlaneVec velocity;        // induced
} Induction;

// Without a solution, or without flow through the rotor, there is no induction.
Induction induction_solve(const InductionCase *q);

#endif
