// SPDX-License-Identifier: Apache-2.0
// From a shape and a material to the 6 x 6 stiffness and the inertia about the reference line.
#include "check.h"
#include "limber/limber.h"
#include "mechanics/shape.h"
#include "plane.h"

#include <stdbool.h>

#define EPS 2.220446049250313e-16

static const LimberMaterial steel = {.E = 210e9, .nu = 0.3, .density = 7850};

// Strain energy per length of strains at the reference line.
static double energy(const LimberSection *s, const double e[6]) {
  double sum = 0;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) sum += 0.5 * e[i] * s->stiffness[i][j] * e[j];
  return sum;
}

static bool positive_definite(const LimberSection *s) {
  double c[6][6];
  for (int i = 0; i < 36; i++) // scaled, so that the size of a pivot means something
    c[i / 6][i % 6] = s->stiffness[i / 6][i % 6] / sqrt(s->stiffness[i / 6][i / 6] * s->stiffness[i % 6][i % 6]);
  for (int k = 0; k < 6; k++) {
    if (!(c[k][k] > 1e-6)) return false;
    for (int i = k + 1; i < 6; i++)
      for (int j = k + 1; j < 6; j++) c[i][j] -= c[i][k] * c[k][j] / c[k][k];
  }
  return true;
}

TEST(every_shape_gives_a_symmetric_positive_section_wherever_its_reference_line_is) {
  const double offset[2] = {0.01, -0.03}, e[6] = {1e-3, -2e-3, 5e-4, 0.02, -0.03, 0.01};
  for (int i = 0; shape_kinds[i]; i++) {
    LimberSection s, t;
    CHECK_STR(limber_section(shape_kinds[i]->name, shape_kinds[i]->example, &steel, NULL, NULL, &s), NULL);
    CHECK_STR(limber_section(shape_kinds[i]->name, shape_kinds[i]->example, &steel, offset, NULL, &t), NULL);
    CHECK(positive_definite(&s) && positive_definite(&t));
    for (int k = 0; k < 36; k++) CHECK(t.stiffness[k / 6][k % 6] == t.stiffness[k % 6][k / 6]);
    // The same motion, told of the other line: r' + K x offset.
    const double y = offset[0], z = offset[1];
    const double f[6] = {e[0] + z * e[4] - y * e[5], e[1] - z * e[3], e[2] + y * e[3], e[3], e[4], e[5]};
    CHECK_REL(energy(&t, f), energy(&s, e), 1e-11);
    CHECK_REL(t.mass, s.mass, 0);
    CHECK_NEAR(t.centre[0], s.centre[0] - y, 1e-16);
    CHECK_NEAR(t.centre[1], s.centre[1] - z, 1e-16);
    double steiner[3] = {0, s.mass * (t.centre[1] * t.centre[1] - s.centre[1] * s.centre[1]),
                         s.mass * (t.centre[0] * t.centre[0] - s.centre[0] * s.centre[0])};
    steiner[0] = steiner[1] + steiner[2];
    for (int k = 0; k < 3; k++) CHECK_NEAR(t.inertia[k][k], s.inertia[k][k] + steiner[k], 1e-13 * t.inertia[0][0]);
    double product = s.mass * (t.centre[0] * t.centre[1] - s.centre[0] * s.centre[1]);
    CHECK_NEAR(t.inertia[1][2], s.inertia[1][2] - product, 1e-13 * t.inertia[0][0]);
  }
}

// Weight of an angle, quadrature over its two rectangles: inertia and the mass centre come from the same points.
TEST(inertia_of_a_section_is_that_of_its_points) {
  const double offset[2] = {0.02, 0.01};
  LimberAngle angle = {0.06, 0.04, 0.005};
  LimberSection s;
  CHECK_STR(limber_section("angle", &angle, &steel, offset, NULL, &s), NULL);
  const PlanePart part[] = {{0, 0, 0.06, 0.005}, {0, 0.005, 0.005, 0.04}};
  Plane p;
  plane_solve(2, part, 0.3, &p);
  double m = 0, first[2] = {0, 0}, j[3] = {0, 0, 0}; // about e2, about e3, product
  for (int k = 0; k < 2; k++)
    for (int a = 0; a < 4; a++) { // two Gauss points each way
      double g = 0.5 / sqrt(3), y = 0.5 * (part[k].y0 + part[k].y1) + (a & 1 ? g : -g) * (part[k].y1 - part[k].y0),
             z = 0.5 * (part[k].z0 + part[k].z1) + (a >> 1 ? g : -g) * (part[k].z1 - part[k].z0);
      double dm = 7850 * 0.25 * (part[k].y1 - part[k].y0) * (part[k].z1 - part[k].z0);
      y -= p.centroid[0] + offset[0], z -= p.centroid[1] + offset[1];
      m += dm, first[0] += dm * y, first[1] += dm * z, j[0] += dm * z * z, j[1] += dm * y * y, j[2] += dm * y * z;
    }
  CHECK_REL(s.mass, m, 10 * EPS);
  for (int k = 0; k < 2; k++) CHECK_NEAR(s.mass * s.centre[k], first[k], 1e-14);
  CHECK_REL(s.inertia[1][1], j[0], 1e-13);
  CHECK_REL(s.inertia[2][2], j[1], 1e-13);
  CHECK_REL(s.inertia[1][2], -j[2], 1e-13);
  CHECK_REL(s.inertia[0][0], j[0] + j[1], 1e-13);
}

TEST(given_shear_factors_replace_those_of_the_shape) {
  LimberRectangle r = {0.02, 0.01};
  const double k[2] = {5.0 / 6, 0.7}, none[2] = {0, 1};
  LimberSection s;
  CHECK_STR(limber_section("rectangle", &r, &steel, NULL, k, &s), NULL);
  double ga = 210e9 / 2.6 * 2e-4;
  CHECK_REL(s.stiffness[1][1], ga * 5 / 6, 4 * EPS);
  CHECK_REL(s.stiffness[2][2], ga * 0.7, 4 * EPS);
  CHECK(limber_section("rectangle", &r, &steel, NULL, none, &s) != NULL);
}

TEST(materials_and_measures_that_cannot_be_are_refused) {
  LimberRectangle r = {0.02, 0.01};
  LimberSection s;
  const LimberMaterial bad[] = {{.E = 0, .nu = 0.3}, {.E = 1, .nu = 0.6},     {.E = 1, .nu = -1},
                                {.E = 1, .G = -1},   {.E = 1, .density = -1}, {.E = NAN}};
  for (int i = 0; i < 6; i++) CHECK(limber_section("rectangle", &r, &bad[i], NULL, NULL, &s) != NULL);
  CHECK(limber_section("rectangel", &r, &steel, NULL, NULL, &s) != NULL);
  const double zero[5] = {0, 0, 0, 0, 0}, thick[5] = {1, 1, 1, 1, 1};
  for (int i = 0; shape_kinds[i]; i++) {
    if (!strcmp(shape_kinds[i]->name, "profile")) continue;
    CHECK(limber_section(shape_kinds[i]->name, zero, &steel, NULL, NULL, &s) != NULL);
    bool solid = !strcmp(shape_kinds[i]->name, "rectangle") || !strcmp(shape_kinds[i]->name, "circle");
    CHECK((limber_section(shape_kinds[i]->name, thick, &steel, NULL, NULL, &s) == NULL) == solid);
  }
}

TEST(wood_has_the_factors_of_its_shear_stress) {
  const LimberMaterial wood = {.E = 10e9, .G = 0.6e9, .density = 500}; // E/(2 G) - 1 = 7.3 is no Poisson's ratio
  LimberRectangle r = {0.02, 0.01};
  LimberSection s;
  CHECK_STR(limber_section("rectangle", &r, &wood, NULL, NULL, &s), NULL);
  CHECK_REL(s.stiffness[1][1], 0.6e9 * 2e-4 * 5 / 6, 4 * EPS);
}

CHECK_MAIN
