// SPDX-License-Identifier: Apache-2.0
#include "mechanics/section_matrix.h"

#include <math.h>
#include <string.h>

bool symmetric_inverse(const double k[6][6], double out[6][6]) {
  double scale[6], l[6][6] = {{0}}, w[6][6] = {{0}}; // w = l^-1
  for (int i = 0; i < 6; i++) {
    if (!(k[i][i] > 0)) return false;
    scale[i] = 1 / sqrt(k[i][i]);
  }
  for (int j = 0; j < 6; j++)
    for (int i = j; i < 6; i++) {
      double sum = scale[i] * k[i][j] * scale[j];
      for (int m = 0; m < j; m++) sum -= l[i][m] * l[j][m];
      if (i == j && !(sum > 0)) return false;
      l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
    }
  for (int j = 0; j < 6; j++)
    for (int i = j; i < 6; i++) {
      double sum = i == j;
      for (int m = j; m < i; m++) sum -= l[i][m] * w[m][j];
      w[i][j] = sum / l[i][i];
    }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      double sum = 0;
      for (int m = i > j ? i : j; m < 6; m++) sum += w[m][i] * w[m][j];
      out[i][j] = scale[i] * sum * scale[j];
    }
  return true;
}

void symmetric_transform(const double k[6][6], const double t[6][6], double out[6][6]) {
  double half[6][6];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      half[i][j] = 0;
      for (int l = 0; l < 6; l++) half[i][j] += k[i][l] * t[l][j];
    }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      out[i][j] = 0;
      for (int l = 0; l < 6; l++) out[i][j] += t[l][i] * half[l][j];
    }
}

enum { AXIAL, SHEAR2, SHEAR3, TORSION, BENDING2, BENDING3 };

// Eigenvalues of a symmetric matrix, the larger first, and the angle of its axis.
static void find_principal_axes(double a, double b, double c, double value[2], double *angle) { // [a b; b c]
  double mean = 0.5 * (a + c), radius = hypot(0.5 * (a - c), b);
  value[0] = mean + radius, value[1] = mean - radius;
  *angle = radius > 1e-12 * fabs(mean) ? 0.5 * atan2(2 * b, a - c) : 0;
}

static void of_masses(const LimberSection *s, SectionFrame *out) {
  double y = s->centre[0], z = s->centre[1], m = s->mass, value[2];
  double a = s->inertia[1][1] - m * z * z, c = s->inertia[2][2] - m * y * y, b = s->inertia[1][2] + m * y * z;
  memcpy(out->mass_centre, s->centre, sizeof out->mass_centre);
  find_principal_axes(-a, -b, -c, value, &out->inertia_angle);
  out->inertia[0] = -value[0], out->inertia[1] = -value[1];
}

static void append_words(char *text, size_t size, const char *words) {
  size_t used = strlen(text), more = strlen(words) + 1;
  if (used + more <= size) memcpy(text + used, words, more);
}

const char *section_lacks(const LimberSection *s, char *text, size_t size) {
  static const char *const names[6] = {
      "axial stiffness",     "shear stiffness along e2",   "shear stiffness along e3",
      "torsional stiffness", "bending stiffness about e2", "bending stiffness about e3"};
  text[0] = 0;
  for (int i = 0; i < 6; i++) {
    if (s->stiffness[i][i] > 0) continue;
    if (text[0]) append_words(text, size, ", ");
    append_words(text, size, names[i]);
  }
  return text;
}

bool section_frame(const LimberSection *s, SectionFrame *out) {
  double f[6][6], value[2], angle;
  memset(out, 0, sizeof *out);
  of_masses(s, out);
  if (!symmetric_inverse(s->stiffness, f)) return false;
  // A force N at (y, z) has the moments z N about e2 and -y N about e3.
  double a = f[BENDING2][BENDING2], b = f[BENDING2][BENDING3], c = f[BENDING3][BENDING3], det = a * c - b * b;
  double m2 = (-c * f[BENDING2][AXIAL] + b * f[BENDING3][AXIAL]) / det;
  double m3 = (b * f[BENDING2][AXIAL] - a * f[BENDING3][AXIAL]) / det;
  out->tension_centre[0] = -m3, out->tension_centre[1] = m2;
  out->axial = 1 / (f[AXIAL][AXIAL] + m2 * f[AXIAL][BENDING2] + m3 * f[AXIAL][BENDING3]);
  find_principal_axes(a, b, c, value, &out->bending_angle);
  out->bending[0] = 1 / value[0], out->bending[1] = 1 / value[1];
  // Forces V2, V3 at (y, z) have the torque y V3 - z V2.
  out->torsion = 1 / f[TORSION][TORSION];
  double y = -f[TORSION][SHEAR3] * out->torsion, z = f[TORSION][SHEAR2] * out->torsion;
  out->shear_centre[0] = y, out->shear_centre[1] = z;
  double s22 = f[SHEAR2][SHEAR2] - z * f[SHEAR2][TORSION], s33 = f[SHEAR3][SHEAR3] + y * f[SHEAR3][TORSION];
  find_principal_axes(s22, f[SHEAR2][SHEAR3] + y * f[SHEAR2][TORSION], s33, value, &angle);
  out->shear[0] = 1 / value[0], out->shear[1] = 1 / value[1];
  return true;
}
