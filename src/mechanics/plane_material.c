// SPDX-License-Identifier: Apache-2.0
#include "mechanics/plane_material.h"

#include "mechanics/section_matrix.h"

#include <math.h>

// Strains in the material's axes from strains in section axes: a is the rotation, its rows the material's axes.
static void strain_rotation(const double a[3][3], double t[6][6]) {
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      int p = pair[i][0], q = pair[i][1], k = pair[j][0], l = pair[j][1];
      double both = a[p][k] * a[q][l] + (k != l ? a[p][l] * a[q][k] : 0);
      t[i][j] = both * (i < 3 ? 1 : 2) * (j < 3 ? 1 : 0.5);
    }
}

void stiffness_turn(const double k[6][6], const double axes[3][3], double out[6][6]) {
  double t[6][6];
  strain_rotation(axes, t);
  symmetric_transform(k, (const double(*)[6])t, out);
}

bool plane_ply(const Orthotropic *o, double fibre, PlaneMaterial *out) {
  double f[6][6] = {{0}}, k[6][6], c = cos(fibre), s = sin(fibre);
  double axes[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; i++)
    if (!(o->E[i] > 0 && o->G[i] > 0)) return false;
  for (int i = 0; i < 3; i++) f[i][i] = 1 / o->E[i], f[5 - i][5 - i] = 1 / o->G[i];
  f[0][1] = f[1][0] = -o->nu[0] / o->E[0], f[0][2] = f[2][0] = -o->nu[1] / o->E[0];
  f[1][2] = f[2][1] = -o->nu[2] / o->E[1];
  if (!symmetric_inverse((const double(*)[6])f, k)) return false;
  stiffness_turn((const double(*)[6])k, (const double(*)[3])axes, out->stiffness);
  out->density = o->density, out->strength = o->strength, out->fibre = fibre;
  return true;
}

// ---- stresses ----

void stress_turn(const double s[6], const double axes[3][3], double out[6]) {
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
  double tensor[3][3] = {{s[0], s[5], s[4]}, {s[5], s[1], s[3]}, {s[4], s[3], s[2]}};
  for (int i = 0; i < 6; i++) {
    out[i] = 0;
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 3; l++) out[i] += axes[pair[i][0]][k] * tensor[k][l] * axes[pair[i][1]][l];
  }
}

double von_mises(const double s[6]) {
  double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

bool strength_known(const Strength *s) {
  for (int i = 0; i < 3; i++)
    if (!(s->tension[i] > 0 && s->compression[i] > 0 && s->shear[i] > 0)) return false;
  return true;
}

// The linear and the quadratic part of the polynomial.
static void tsai_wu_parts(const Strength *s, const double stress[6], double out[2]) {
  double f[3];
  out[0] = out[1] = 0;
  for (int i = 0; i < 3; i++) {
    f[i] = 1 / (s->tension[i] * s->compression[i]);
    out[0] += stress[i] * (1 / s->tension[i] - 1 / s->compression[i]);
    out[1] += stress[i] * stress[i] * f[i] + pow(stress[5 - i] / s->shear[i], 2);
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++) out[1] -= sqrt(f[i] * f[j]) * stress[i] * stress[j];
}

double tsai_wu(const Strength *s, const double stress[6]) {
  double part[2];
  tsai_wu_parts(s, stress, part);
  return part[0] + part[1];
}

// The positive root of quadratic r^2 + linear r = 1, written so that it holds for a quadratic part of nothing.
double tsai_wu_reserve(const Strength *s, const double stress[6]) {
  double part[2];
  tsai_wu_parts(s, stress, part);
  double below = part[0] + sqrt(part[0] * part[0] + 4 * part[1]);
  return below > 0 ? 2 / below : HUGE_VAL;
}
