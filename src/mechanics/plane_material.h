// SPDX-License-Identifier: Apache-2.0
// Orthotropic materials of sections. Strains and stresses: 11, 22, 33, 23, 13, 12, shear strains twice the tensor's. 1
// is along the beam, of a ply along its fibres; 2 lies in the plane of the ply, 3 across it.
#ifndef LIMBER_MECHANICS_PLANE_MATERIAL_H
#define LIMBER_MECHANICS_PLANE_MATERIAL_H

#include <stdbool.h>

typedef struct {         // all positive; 0: not known
  double tension[3];     // along 1, 2, 3: Xt, Yt, Zt
  double compression[3]; // Xc, Yc, Zc
  double shear[3];       // 12, 13, 23
} Strength;

// In its own axes.
typedef struct {
  double E[3], G[3], nu[3]; // 1, 2, 3; 12, 13, 23; 12, 13, 23
  double density;
  Strength strength;
} Orthotropic;

// As a ply in the plane of 1 and 2.
typedef struct {
  double stiffness[6][6]; // fibres turned by `fibre`
  double density;
  double fibre; // rad, from the beam's axis towards 2
  Strength strength;
} PlaneMaterial;

// False where the constants are of no material.
bool plane_ply(const Orthotropic *o, double fibre, PlaneMaterial *out);
// The stiffness in other axes, from which the rows of `axes` are the material's.
void stiffness_turn(const double k[6][6], const double axes[3][3], double out[6][6]);
// Stresses along other axes, the rows of `axes`.
void stress_turn(const double s[6], const double axes[3][3], double out[6]);

double von_mises(const double stress[6]);

bool strength_known(const Strength *s);
// Tsai and Wu's polynomial in space, eq-section-tsai-wu (17.6), of stresses in the axes of a ply:
//   sum_i F_i s_i + sum_i F_ii s_i^2 + 2 (F_12 s1 s2 + F_13 s1 s3 + F_23 s2 s3),
//   F_i = 1/t_i - 1/c_i, F_ii = 1/(t_i c_i), F_44 = 1/S23^2 and so on, F_ij = -1/2 sqrt(F_ii F_jj).
// It fails at 1. The reserve is the factor by which all stresses may grow until then.
double tsai_wu(const Strength *s, const double stress[6]);
double tsai_wu_reserve(const Strength *s, const double stress[6]);

#endif
