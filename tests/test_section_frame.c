// SPDX-License-Identifier: Apache-2.0
// Centres and principal axes of sections that are put together from known ones: at any place and angle they are found again.
#include "check.h"
#include "limber/section.h"

#include <math.h>
#include <string.h>

typedef double Matrix6[6][6];

// k += t^T d t for a spring of stiffness d on a strain that is the row t of all strains.
static void add_spring(Matrix6 k, const double t[6], double d) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) k[i][j] += t[i] * d * t[j];
}

// Stiffness with tension centre and shear centre at places, principal axes of bending and of shear at angles.
static void make_stiffness(const double tension[2], const double shear[2], double bending, double shearing, Matrix6 k) {
  double c = cos(bending), s = sin(bending), a = cos(shearing), b = sin(shearing);
  memset(k, 0, sizeof(Matrix6));
  // The axial strain at (y, z) is E1 + z K2 - y K3; shear strains there are G2 - z K1 and G3 + y K1.
  const double axial[6] = {1, 0, 0, 0, tension[1], -tension[0]};
  const double twist[6] = {0, 0, 0, 1, 0, 0};
  const double soft[6] = {0, 0, 0, 0, c, s}, hard[6] = {0, 0, 0, 0, -s, c};
  const double along[6] = {0, a, b, -a * shear[1] + b * shear[0], 0, 0};
  const double across[6] = {0, -b, a, b * shear[1] + a * shear[0], 0, 0};
  add_spring(k, axial, 4e9), add_spring(k, twist, 3e7), add_spring(k, soft, 1e8), add_spring(k, hard, 5e8);
  add_spring(k, along, 2e8), add_spring(k, across, 6e8);
}

static double same_axis(double a, double b) { return fabs(remainder(a - b, acos(-1))); }

TEST(centres_are_found_where_they_were_put) {
  const double tension[2] = {0.1, -0.3}, shear[2] = {-0.2, 0.05};
  for (int n = 0; n < 12; n++) {
    LimberSection s = {.mass = 20, .centre = {0.15, -0.1}};
    LimberSectionFrame f;
    double angle = -1.5 + 0.25 * n;
    make_stiffness(tension, shear, angle, 0.7 * angle, s.stiffness);
    CHECK(limber_section_frame(&s, &f) == 1);
    for (int k = 0; k < 2; k++) {
      CHECK_NEAR(f.tension_centre[k], tension[k], 1e-12);
      CHECK_NEAR(f.shear_centre[k], shear[k], 1e-12);
      CHECK_NEAR(f.mass_centre[k], s.centre[k], 0);
    }
    CHECK_REL(f.axial, 4e9, 1e-12), CHECK_REL(f.torsion, 3e7, 1e-12);
    CHECK_REL(f.bending[0], 1e8, 1e-12), CHECK_REL(f.bending[1], 5e8, 1e-12);
    CHECK_REL(f.shear[0], 2e8, 1e-12), CHECK_REL(f.shear[1], 6e8, 1e-12);
    CHECK_LE(same_axis(f.bending_angle, angle), 1e-12);
  }
}

TEST(inertia_is_about_the_mass_centre) {
  LimberSection s = {.mass = 20, .centre = {0.15, -0.1}};
  LimberSectionFrame f;
  double y = s.centre[0], z = s.centre[1], c = cos(0.4), n = sin(0.4);
  // 2 about an axis at 0.4 from e2, 7 about the other, and the mass at its centre
  s.inertia[1][1] = 2 * c * c + 7 * n * n + s.mass * z * z, s.inertia[2][2] = 2 * n * n + 7 * c * c + s.mass * y * y;
  s.inertia[1][2] = s.inertia[2][1] = (2 - 7) * c * n - s.mass * y * z;
  s.inertia[0][0] = s.inertia[1][1] + s.inertia[2][2];
  CHECK(limber_section_frame(&s, &f) == 0); // it has no stiffness
  CHECK_REL(f.inertia[0], 2, 1e-13), CHECK_REL(f.inertia[1], 7, 1e-13);
  CHECK_LE(same_axis(f.inertia_angle, 0.4), 1e-13);
}

TEST(a_stiffness_that_is_not_definite_has_no_frame) {
  LimberSection s = {.mass = 1};
  LimberSectionFrame f;
  const double none[2] = {0, 0};
  make_stiffness(none, none, 0, 0, s.stiffness);
  CHECK(limber_section_frame(&s, &f) == 1);
  s.stiffness[0][4] = s.stiffness[4][0] = 1.01 * sqrt(s.stiffness[0][0] * s.stiffness[4][4]);
  CHECK(limber_section_frame(&s, &f) == 0);
  CHECK_NEAR(f.axial, 0, 0);
}

CHECK_MAIN
