// SPDX-License-Identifier: Apache-2.0
// The air at a section of a wing or blade: lift, drag and moment by a polar at the velocity of the air against the
// section, with states of the wake and the mass of the air around it.
// The chord has the direction e_c, to the leading edge, and the normal e_n, both turned by the twist from the axes
// d_2, d_3 of the section. With the velocity u of the air against the section at three quarters of the chord,
//   u_c = -u.e_c,  u_n = u.e_n,  W^2 = u_c^2 + w^2,  alpha = atan2(w, u_c),
//   F = rho/2 c W (C_L (w e_c + u_c e_n) + C_D (w e_n - u_c e_c))     at a quarter of the chord,
//   M = rho/2 c^2 W^2 C_M - m c/4 u_c e_n.e_c',  m = rho pi c^2/4     about d_1,
// the second part by the curved flow around a thin section that pitches.
// Without states w = u_n. With them (R. T. Jones' approximation of Wagner's function)
//   w = (1 - A_1 - A_2) u_n + z_1 + z_2,   z_i' = b_i 2 W/c (A_i u_n - z_i).
// For a section of a rotor u contains the velocity that the rotor induces (induction.h) at the angle of u_n.
// Air around the section, of mass m per length, with the normal velocity z_3 at half the chord:
//   F_a = m z_3' e_n    there.
// Equations: eq-air-force (26.5), eq-air-wake (26.10), eq-air-mass (26.11).
#ifndef LIMBER_MECHANICS_AIRFOIL_H
#define LIMBER_MECHANICS_AIRFOIL_H

#include "mechanics/flow.h"
#include "mechanics/induction.h"
#include "mechanics/wind.h"

// Coefficients over the angle of attack: rows alpha, C_L, C_D, C_M, between which they are cubic with a continuous
// slope; constant outside.
typedef struct {
  const double *row;
  int count;
} Polar;

typedef struct {
  double lift, drag, moment, by_angle[3];
} PolarValue;
void polar_at(const Polar *p, double angle, PolarValue *out);

typedef enum { UNSTEADY_NONE, UNSTEADY_WAKE, UNSTEADY_ALL } Unsteady; // as LimberUnsteady

typedef struct {
  const Wind *wind;
  Polar polar[2];                        // of the stations around the section ...
  double part;                           // ... and how much of the second
  double density, chord, twist, at[2];   // place of the quarter point along d_2 and d_3
  double slope, zero_lift, drag, moment; // without a polar: C_L = slope sin(alpha - zero_lift)
  Unsteady unsteady;
  RotorStation rotor;
  Vec3 axis; // of the rotor at the reference
} Airfoil;

extern const FlowTable airfoil_flow; // of an Airfoil
// The velocity of the undisturbed air at a place.
Vec3 airfoil_wind(const Airfoil *a, double time, double amplitude, Vec3 place);
// The slope of the lift over the angle of attack, at an angle of zero.
double airfoil_slope(const Airfoil *a);

// Speed, angle of attack, lift, drag and moment per length, and the factors of induction in a step, for output.
typedef struct {
  double speed, angle, lift, drag, moment, axial, tangential;
} AirfoilForces;
AirfoilForces airfoil_forces(const Airfoil *a, const FlowStep *step);

#endif
