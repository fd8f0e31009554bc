// SPDX-License-Identifier: Apache-2.0
#include "input/blades/blade.h"

#include "limber/blade.h"

#include "mechanics/curve.h"

#include <math.h>
#include <string.h>

#define BLADE_FORMAT(name, NAME, help) [LIMBER_BLADE_##NAME - 1] = &blade_##name,
const BladeFormat *const blade_formats[] = {
#include "input/blades/formats.def"
    NULL};
#undef BLADE_FORMAT

const BladeFormat *blade_format(const char *name, const char *text, size_t length) {
  for (int i = 0; blade_formats[i]; i++)
    if (name ? !strcmp(blade_formats[i]->name, name) : blade_formats[i]->recognises(text, length))
      return blade_formats[i];
  return NULL;
}

Error BladeAllocatePoints(Blade *b, int count) {
  b->points = count;
  TRY(StoreAllocate(b->store, (size_t)count * sizeof *b->point, &b->point));
  return 0;
}

Error BladeAllocateSections(Blade *b, int count) {
  b->sections = count;
  TRY(StoreAllocate(b->store, (size_t)count * sizeof *b->section, &b->section));
  TRY(StoreAllocate(b->store, (size_t)count * sizeof *b->asymmetry, &b->asymmetry));
  TRY(StoreAllocate(b->store, (size_t)count * sizeof *b->mass_defect, &b->mass_defect));
  TRY(StoreAllocate(b->store, (size_t)count * sizeof *b->line, &b->line));
  return 0;
}

Error BladeStraightAxis(Blade *b, double length) {
  TRY(BladeAllocatePoints(b, 2));
  b->point[1].at[2] = length;
  b->sections_only = true;
  return 0;
}

// Masses along x, y and z are the same, and moments of the mass stand in the matrix twice.
static double mass_defect(const double m[6][6], double x, double y) {
  double mass = m[0][0], most = 0;
  const double moments[3][3] = {{0, 0, -mass * y}, {0, 0, mass * x}, {mass * y, -mass * x, 0}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double size = sqrt(mass * fmax(m[3 + j][3 + j], m[5][5]));
      if (mass > 0) most = fmax(most, fabs(m[i][j] - (i == j ? mass : 0)) / mass);
      if (size > 0) most = fmax(most, fabs(m[i][3 + j] - moments[i][j]) / size);
      if (size > 0) most = fmax(most, fabs(m[3 + j][i] - moments[i][j]) / size);
    }
  return most;
}

void blade_section(Blade *b, int i, double at, const double stiffness[6][6], const double mass[6][6]) {
  static const int order[6] = {2, 0, 1, 5, 3, 4}; // axial, shear along e2, e3, torsion, bending about e2, e3
  LimberSection *s = &b->section[i];
  *s = (LimberSection){.at = at};
  for (int j = 0; j < 6; j++)
    for (int k = 0; k < 6; k++) {
      double one = stiffness[order[j]][order[k]], other = stiffness[order[k]][order[j]];
      double size = sqrt(fabs(stiffness[order[j]][order[j]] * stiffness[order[k]][order[k]]));
      s->stiffness[j][k] = 0.5 * (one + other);
      if (size > 0) b->asymmetry[i] = fmax(b->asymmetry[i], fabs(one - other) / size);
    }
  s->mass = mass[0][0];
  if (s->mass > 0) s->centre[0] = mass[1][5] / s->mass, s->centre[1] = -mass[0][5] / s->mass;
  b->mass_defect[i] = mass_defect(mass, s->centre[0], s->centre[1]);
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++)
      s->inertia[j][k] = 0.5 * (mass[order[3 + j]][order[3 + k]] + mass[order[3 + k]][order[3 + j]]);
}

Error BladeStations(const Blade *b, LimberStation *station, bool *good) {
  Curve c = {0};
  void *memory;
  for (int i = 0; i < b->points; i++) {
    memcpy(station[i].at, b->point[i].at, sizeof station[i].at);
    station[i].twist = 0;
  }
  TRY(StoreAllocate(b->store, curve_room(b->points), &memory));
  *good = curve_through(&c, b->points, station, vec3(1, 0, 0), memory);
  double before = 0;
  for (int i = 0; i < b->points && *good; i++) {
    // e2 is perpendicular to the tangent; along the axis of the root it is seen at the angle of the twist.
    const Mat3 *axes = &c.stations->axes[i];
    Vec3 t = mat3_column(*axes, 0);
    double x = cos(b->point[i].twist), y = -sin(b->point[i].twist);
    *good = t.z > 0;
    if (!*good) break;
    Vec3 e2 = vec3(x, y, -(x * t.x + y * t.y) / t.z);
    double angle = atan2(vec3_dot(e2, mat3_column(*axes, 2)), vec3_dot(e2, mat3_column(*axes, 1)));
    station[i].twist = angle + 2 * acos(-1) * round((before - angle) / (2 * acos(-1)));
    before = station[i].twist;
  }
  return 0;
}
