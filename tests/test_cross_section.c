// SPDX-License-Identifier: Apache-2.0
// Sections from meshes of their plane, against closed forms: stiffness, centres, stresses, orders of convergence.
#include "base/limits.h"
#include "check.h"
#include "mechanics/cross_section.h"
#include "mechanics/plane_layup.h"
#include "mechanics/plane_mesh.h"
#include "mechanics/section_matrix.h"
#include "solved.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static PlaneMaterial isotropic(double E, double nu) {
  Orthotropic o = {{E, E, E}, {0, 0, 0}, {nu, nu, nu}, 1, {{0}, {0}, {0}}};
  PlaneMaterial m;
  for (int i = 0; i < 3; i++) o.G[i] = E / (2 * (1 + nu));
  CHECK(plane_ply(&o, 0.4, &m)); // the same in all axes
  return m;
}

typedef void (*Make)(PlaneBuilder *b, int n);

static void solve(Make make, int n, int materials, const PlaneMaterial *material, Solved *s) {
  *s = (Solved){.pieces = 0};
  PlaneBuilder b = {.memory = {solved_allocate, s}};
  do make(&b, n);
  while (plane_again(&b));
  CHECK_STR(plane_finish(&b, &s->mesh), NULL);
  s->mesh.materials = materials, s->mesh.material = material;
  CHECK_STR(cross_section_solve(&s->mesh, LIMIT_SECTION_WORK, b.memory, &s->solution, &s->section), NULL);
  CHECK(section_frame(&s->section, &s->frame));
}

// ---- shapes ----

static void rectangle(PlaneBuilder *b, int n) {
  plane_add_rectangles(b, n, 1, &(MeshRectangle){{-0.2, 0.8}, {-1.2, 0.8}, 0});
}

static void circle(PlaneBuilder *b, int n) { plane_add_ellipse(b, n, 0, 0.5, 0.5, 0); }
static void ellipse(PlaneBuilder *b, int n) { plane_add_ellipse(b, n, 0, 1, 0.4, 0); }
static void tube(PlaneBuilder *b, int n) { plane_add_ellipse(b, n, 0, 0.5, 0.5, 0.8); }

enum { THIN = 1000 }; // radius over half the thickness

static void thin_tube(PlaneBuilder *b, int n) { plane_add_ellipse(b, n, 0, 1, 1, 1 - 2. / THIN); }

static void slit(const void *self, double u, double v, double out[2]) {
  double angle = 2 * pi * u, r = 1 + (v - 0.5) * 0.02;
  (void)self;
  out[0] = r * cos(angle + 1e-6 * (1 - 2 * u)), out[1] = r * sin(angle + 1e-6 * (1 - 2 * u));
}

static void open_tube(PlaneBuilder *b, int n) { plane_add_patch(b, 40 * n, n, 0, slit, NULL); }

static void channel(PlaneBuilder *b, int n) { // web 0.001 thick along z, flanges towards +y; middle lines 0.1 x 0.06
  MeshRectangle r[] = {{{-5e-4, 5e-4}, {-0.0505, 0.0505}, 0},
                       {{5e-4, 0.06}, {0.0495, 0.0505}, 0},
                       {{5e-4, 0.06}, {-0.0505, -0.0495}, 0}};
  plane_add_rectangles(b, n, 3, r);
}

static void two_cells(PlaneBuilder *b, int n) { // walls 0.002 thick, middle lines 0.1 and 0.2 wide, 0.1 high
  MeshRectangle r[] = {{{-0.001, 0.001}, {-0.051, 0.051}, 0}, {{0.099, 0.101}, {-0.051, 0.051}, 0},
                       {{0.299, 0.301}, {-0.051, 0.051}, 0},  {{0.001, 0.099}, {0.049, 0.051}, 0},
                       {{0.001, 0.099}, {-0.051, -0.049}, 0}, {{0.101, 0.299}, {0.049, 0.051}, 0},
                       {{0.101, 0.299}, {-0.051, -0.049}, 0}};
  plane_add_rectangles(b, n, 7, r);
}

static void triangle(PlaneBuilder *b, int n) { // equilateral, height 1
  double c[3][2] = {{-1. / 3, -1 / sqrt(3)}, {2. / 3, 0}, {-1. / 3, 1 / sqrt(3)}};
  plane_add_triangle(b, n, 0, (const double(*)[2])c);
}

// ---- tests ----

// Saint-Venant's constant of a rectangle of sides 2a >= 2b.
static double rectangle_torsion(double a, double b) {
  double sum = 0;
  for (int n = 1; n < 60; n += 2) sum += tanh(n * pi * a / (2 * b)) / pow(n, 5);
  return 16 * a * b * b * b * (1. / 3 - 64 * b / (pow(pi, 5) * a) * sum);
}

TEST(a_rectangle_has_its_stiffness_about_any_point) {
  PlaneMaterial m = isotropic(2, 0);
  Solved s;
  double torsion = rectangle_torsion(1, 0.5), error[2];
  for (int k = 0; k < 2; k++) {
    solve(rectangle, 8 << k, 1, &m, &s);
    error[k] = s.frame.torsion / torsion - 1; // G = 1
    solved_release(&s);
  }
  CHECK_NEAR(error[1], 0, 2e-5); // 1.4e-5
  CHECK(log2(error[0] / error[1]) > 3);
  solve(rectangle, 16, 1, &m, &s);
  CHECK_REL(s.frame.axial, 4, 1e-12);
  CHECK_REL(s.frame.bending[0], 2 * 2. / 12, 1e-11);
  CHECK_REL(s.frame.bending[1], 2 * 8. / 12, 1e-11);
  for (int k = 0; k < 2; k++) {
    CHECK_REL(s.frame.shear[k], 5. / 6 * 2, 1e-5); // without lateral contraction
    CHECK_NEAR(s.frame.tension_centre[k], k ? -0.2 : 0.3, 1e-11);
    CHECK_NEAR(s.frame.shear_centre[k], k ? -0.2 : 0.3, 1e-10);
    CHECK_NEAR(s.section.centre[k], k ? -0.2 : 0.3, 1e-14);
  }
  CHECK_REL(s.section.mass, 2, 1e-13);
  CHECK_REL(s.frame.inertia[0], 2. / 12, 1e-13);
  CHECK_REL(s.frame.inertia[1], 8. / 12, 1e-13);
  solved_release(&s);
}

TEST(round_sections_have_the_torsion_of_circle_and_ellipse) {
  PlaneMaterial m = isotropic(2.6, 0.3);
  Solved s;
  solve(circle, 6, 1, &m, &s);
  CHECK_REL(s.frame.torsion, pi / 32, 3e-5);          // 2.0e-5: the arc is a chain of parabolas
  CHECK_REL(s.frame.bending[0], 2.6 * pi / 64, 2e-5); // 1.4e-5
  solved_release(&s);
  solve(ellipse, 8, 1, &m, &s);
  CHECK_REL(s.frame.torsion, pi * pow(0.4, 3) / (1 + 0.16), 1e-4);
  solved_release(&s);
  solve(tube, 2, 1, &m, &s);
  CHECK_REL(s.frame.torsion, pi / 32 * (1 - pow(0.8, 4)), 3e-5); // 2.0e-5
  solved_release(&s);
  solve(triangle, 12, 1, &m, &s);
  CHECK_REL(s.frame.torsion, pow(2 / sqrt(3), 4) * sqrt(3) / 80, 1e-4); // 5e-5
  solved_release(&s);
}

TEST(a_thin_tube_that_is_slit_twists_as_an_open_one) {
  PlaneMaterial m = isotropic(2.6, 0.3);
  Solved s;
  double t = 2. / THIN, r = 1 - 1. / THIN;
  solve(thin_tube, 1, 1, &m, &s);
  CHECK_REL(s.frame.torsion, 2 * pi * r * r * r * t, 1e-4);
  CHECK_REL(s.frame.shear[0], pi * r * t, 1e-3); // a factor of 1/2
  solved_release(&s);
  solve(open_tube, 4, 1, &m, &s);
  CHECK_REL(s.frame.torsion, 2 * pi * pow(0.02, 3) / 3, 1e-2);
  CHECK_REL(s.frame.shear_centre[0], -2, 1e-2); // at twice the radius, on the other side of the slit
  solved_release(&s);
}

TEST(the_shear_centre_of_a_channel_lies_behind_its_web) {
  PlaneMaterial m = isotropic(2.6, 0.3);
  Solved s;
  double b = 0.06, h = 0.1;
  solve(channel, 2, 1, &m, &s);
  CHECK_REL(s.frame.shear_centre[0], -3 * b * b / (h + 6 * b), 1e-2);
  CHECK_NEAR(s.frame.shear_centre[1], 0, 1e-9);
  solved_release(&s);
}

// Bredt and Batho: two cells with a common wall.
TEST(a_box_of_two_cells_twists_as_its_walls_say) {
  PlaneMaterial m = isotropic(2.6, 0.3);
  Solved s;
  double t = 0.002, a[2] = {0.01, 0.02}, d[2] = {0.4 / t, 0.6 / t}, common = 0.1 / t;
  double det = d[0] * d[1] - common * common;
  double q[2] = {(a[0] * d[1] + a[1] * common) / det, (a[1] * d[0] + a[0] * common) / det};
  double torsion = 4 * (q[0] * a[0] + q[1] * a[1]);
  solve(two_cells, 2, 1, &m, &s);
  CHECK_REL(s.frame.torsion, torsion, 1e-2);
  solved_release(&s);
}

// ---- published tables ----

// A square of 0.1 m as 10 x 10 cells of four nodes, as the tables have it; the right half may be of another material.
static void solve_square(int materials, const PlaneMaterial *material, Solved *s) {
  static double at[121][2];
  static PlaneCell cell[100];
  *s = (Solved){.pieces = 0};
  for (int i = 0; i < 121; i++) at[i][0] = 0.01 * (i % 11) - 0.05, at[i][1] = 0.01 * (i / 11) - 0.05;
  for (int i = 0; i < 100; i++) {
    int first = i / 10 * 11 + i % 10;
    cell[i] = (PlaneCell){4, {first, first + 1, first + 12, first + 11}, materials > 1 && i % 10 >= 5, 0};
  }
  s->mesh = (PlaneMesh){121, 100, materials, (const double(*)[2])at, cell, material};
  CHECK_STR(
      cross_section_solve(&s->mesh, LIMIT_SECTION_WORK, (Allocator){solved_allocate, s}, &s->solution, &s->section),
      NULL);
  solved_release(s);
}

// BECAS User's Guide (Blasques 2012), sections S1 and S2, to the digits printed.
TEST(squares_of_one_and_two_materials_are_as_in_the_guide_of_becas) {
  PlaneMaterial m[2] = {isotropic(100, 0.2), isotropic(10, 0.2)};
  Solved s;
  double(*k)[6] = s.section.stiffness;
  solve_square(1, m, &s);
  CHECK_NEAR(k[0][0], 1, 1e-12);
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(k[1 + i][1 + i], 3.4899e-1, 0.00005e-1);
    CHECK_NEAR(k[4 + i][4 + i], 8.3384e-4, 0.00005e-4);
  }
  CHECK_NEAR(k[3][3], 5.9084e-4, 0.00005e-4);
  solve_square(2, m, &s);
  CHECK_NEAR(k[1][1], 1.28e-1, 0.005e-1);
  CHECK_NEAR(k[2][2], 1.92e-1, 0.005e-1);
  CHECK_NEAR(k[0][0], 5.50e-1, 0.005e-1);
  CHECK_NEAR(k[4][4], 4.59e-4, 0.005e-4);
  CHECK_NEAR(k[5][5], 4.59e-4, 0.005e-4);
  CHECK_NEAR(k[3][3], 2.77e-4, 0.005e-4);
  CHECK_NEAR(k[2][3], -3.93e-3, 0.005e-3);
  CHECK_NEAR(fabs(k[0][5]), 1.13e-2, 0.0051e-2); // 0.01125
}

// The same guide, section S3: an orthotropic material with its fibres at 0, 22.5 and 90 degrees.
TEST(a_square_of_fibres_couples_as_in_the_guide_of_becas) {
  const Orthotropic o = {{480, 120, 120}, {60, 50, 60}, {0.19, 0.26, 0.19}, 1, {{0}, {0}, {0}}};
  static const double angle[] = {0, 22.5, 90};
  static const double table[3][6] = {{4.800, 5.039e-1, 4.201e-1, 7.737e-4, 4.001e-3, 4.001e-3},
                                     {3.435, 7.598e-1, 4.129e-1, 9.499e-4, 2.489e-3, 2.274e-3},
                                     {1.200, 5.0202e-1, 5.0406e-1, 8.5081e-4, 1.0004e-3, 1.0002e-3}};
  for (int i = 0; i < 3; i++) {
    PlaneMaterial m;
    Solved s;
    CHECK(plane_ply(&o, angle[i] * pi / 180, &m));
    solve_square(1, &m, &s);
    for (int k = 0; k < 6; k++) CHECK_REL(s.section.stiffness[k][k], table[i][k], 2e-4); // half of the last digit
    if (i != 1) continue;
    CHECK_REL(fabs(s.section.stiffness[0][1]), 7.387e-1, 2e-4);
    CHECK_REL(fabs(s.section.stiffness[3][4]), 4.613e-4, 2e-4);
  }
}

// ---- layups ----

static const PlanePly skin[] = {{0, 0.002}}, halves[] = {{0, 0.001}, {0, 0.001}};

// The box of two cells as a layup: its outer line, and a web.
static const char *box_of_layup(PlaneBuilder *b, bool cut) {
  static const double line[4][2] = {{-0.001, -0.051}, {0.301, -0.051}, {0.301, 0.051}, {-0.001, 0.051}};
  PlaneStack stack[2] = {{skin, 1}, {halves, 2}};
  PlaneRegion region[2] = {{0.37, 0}, {1, 1}};
  PlaneWeb web = {{0.1, -0.02}, {0.1, 0.03}, 0};
  PlaneLayup l = {line, 4, stack, 2, cut ? region : &region[1], cut ? 2 : 1, &web, 1, 0.004, NULL};
  if (!cut) region[1].stack = 0;
  return plane_add_layup(b, &l);
}

static void layup_plain(PlaneBuilder *b, int n) { CHECK_STR(box_of_layup(b, false), NULL), (void)n; }
static void layup_cut(PlaneBuilder *b, int n) { CHECK_STR(box_of_layup(b, true), NULL), (void)n; }

TEST(a_layup_of_one_material_is_the_box_that_it_describes) {
  PlaneMaterial m = isotropic(2.6, 0.3);
  Solved s, plain, cut;
  solve(two_cells, 2, 1, &m, &s);
  solve(layup_plain, 1, 1, &m, &plain);
  solve(layup_cut, 1, 1, &m, &cut);
  for (int k = 0; k < 6; k++) {
    CHECK_REL(plain.section.stiffness[k][k], s.section.stiffness[k][k], 1e-3);
    CHECK_REL(cut.section.stiffness[k][k], s.section.stiffness[k][k], 1e-3);
  }
  CHECK_REL(plain.section.mass, s.section.mass, 1e-12);
  CHECK_REL(cut.section.mass, s.section.mass, 1e-12);
  solved_release(&s), solved_release(&plain), solved_release(&cut);
}

// ---- stresses ----

static const SectionStress *largest(const SectionSolution *s, const double force[6], SectionStress *most) {
  SectionStress one;
  most->von_mises = -1;
  for (int i = 0; i < s->points; i++) {
    section_stress(s, i, force, &one);
    if (one.von_mises > most->von_mises) *most = one;
  }
  return most;
}

// Jourawski's parabola holds where nothing contracts laterally.
TEST(stresses_of_a_rectangle_are_those_of_bending_shear_and_torsion) {
  PlaneMaterial m = isotropic(2, 0);
  Solved s;
  SectionSolution r;
  SectionStress most = {0};
  solve(rectangle, 16, 1, &m, &s); // 1 x 2 with its middle at (0.3, -0.2)
  CHECK_STR(section_solution(&s.mesh, &s.solution, (Allocator){solved_allocate, &s}, &r), NULL);
  largest(&r, (const double[6]){0, 0, 0, 0, 3, 0}, &most); // M/W, W = b h^2/6
  CHECK_REL(most.von_mises, 3 / (1 * 4. / 6), 1e-9);
  CHECK_REL(fabs(most.stress[0]), 3 / (1 * 4. / 6), 1e-9);
  CHECK_NEAR(fabs(most.z + 0.2), 1, 1e-12);
  largest(&r, (const double[6]){5, 0, 0, 0, 0.2 * -5, -0.3 * 5}, &most); // N at the centroid
  CHECK_REL(most.von_mises, 2.5, 1e-9);
  largest(&r, (const double[6]){0, 0, 4, 4 * 0.3, 0, 0}, &most); // V at the centroid
  CHECK_REL(most.stress[4], 1.5 * 4 / 2, 3e-3);                  // 2.6e-3: of second order at nodes
  CHECK_NEAR(most.z, -0.2, 0.07);                                // in the middle
  largest(&r, (const double[6]){0, 0, 0, 1, 0, 0}, &most);       // Timoshenko & Goodier: tau = T/(0.246 a b^2), a/b = 2
  CHECK_REL(most.von_mises, sqrt(3) / (0.246 * 2), 3e-3);
  solved_release(&s);
}

// A square of fibres under 30 degrees in a plane that is turned by 0.7: tension along the beam seen along the fibres.
TEST(stresses_of_a_ply_are_along_its_fibres) {
  Orthotropic o = {{480, 120, 120}, {60, 50, 60}, {0.19, 0.26, 0.19}, 1, {{3, 0.5, 0.5}, {2, 1, 1}, {0.6, 0.6, 0.6}}};
  PlaneMaterial m;
  Solved s;
  SectionSolution r;
  SectionStress one;
  const double force[6] = {0.01, 0, 0, 0, 0, 0}, c = cos(pi / 6), d = sin(pi / 6); // stress 1 on 0.1 x 0.1
  CHECK(plane_ply(&o, pi / 6, &m));
  solve(rectangle, 2, 1, &m, &s);
  for (int i = 0; i < s.mesh.cells; i++) ((PlaneCell *)s.mesh.cell)[i].plane = 0.7;
  CHECK_STR(cross_section_solve(&s.mesh, LIMIT_SECTION_WORK, (Allocator){solved_allocate, &s}, &s.solution, &s.section),
            NULL);
  CHECK_STR(section_solution(&s.mesh, &s.solution, (Allocator){solved_allocate, &s}, &r), NULL);
  for (int i = 0; i < r.points; i++) {
    double at[6] = {force[0] * 200, 0, 0, 0, force[0] * 200 * -0.2, force[0] * 200 * -0.3};
    section_stress(&r, i, at, &one);
    CHECK_NEAR(one.stress[0], 1, 1e-8);
    CHECK_NEAR(one.ply[0], c * c, 1e-8);
    CHECK_NEAR(one.ply[1], d * d, 1e-8);
    CHECK_NEAR(one.ply[5], -c * d, 1e-8);
    CHECK_NEAR(one.ply[2], 0, 1e-8);
    CHECK_NEAR(tsai_wu(&o.strength, (const double[6]){one.reserve * one.ply[0], one.reserve * one.ply[1], 0, 0, 0,
                                                      one.reserve * one.ply[5]}),
               1, 1e-7);
  }
  solved_release(&s);
}

TEST(a_material_fails_at_its_strengths) {
  const Strength s = {{1500, 40, 50}, {900, 200, 210}, {70, 65, 60}};
  for (int i = 0; i < 3; i++) {
    double tension[6] = {0}, compression[6] = {0}, shear[6] = {0};
    tension[i] = s.tension[i], compression[i] = -s.compression[i], shear[5 - i] = -s.shear[i];
    CHECK_REL(tsai_wu(&s, tension), 1, 1e-14);
    CHECK_REL(tsai_wu(&s, compression), 1, 1e-14);
    CHECK_REL(tsai_wu(&s, shear), 1, 1e-14);
    compression[i] *= 0.25;
    CHECK_REL(tsai_wu_reserve(&s, compression), 4, 1e-14);
  }
  CHECK(tsai_wu_reserve(&s, (const double[6]){0}) == HUGE_VAL);
  CHECK(!strength_known(&(Strength){{1, 1, 1}, {1, 1, 1}, {1, 1, 0}}));
}

CHECK_MAIN
