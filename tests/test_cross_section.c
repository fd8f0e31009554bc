// SPDX-License-Identifier: Apache-2.0
// Sections from meshes of their plane, against closed forms: stiffness, centres, stresses, orders of convergence.
#include "check.h"
#include "mechanics/cross_section.h"
#include "mechanics/plane_mesh.h"
#include "mechanics/section_frame.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

typedef struct {
  PlaneMesh mesh;
  CrossSection solution;
  LimberSection section;
  SectionFrame frame;
  void *memory[64];
  int pieces;
} Solved;

static void *allocate(void *self, size_t size) {
  Solved *s = self;
  return s->memory[s->pieces++] = malloc(size ? size : 1);
}

static void release(Solved *s) {
  while (s->pieces) free(s->memory[--s->pieces]);
}

static PlaneMaterial isotropic(double E, double nu) {
  Orthotropic o = {{E, E, E}, {0, 0, 0}, {nu, nu, nu}, 1};
  PlaneMaterial m;
  for (int i = 0; i < 3; i++) o.G[i] = E / (2 * (1 + nu));
  CHECK(plane_ply(&o, 0.4, &m)); // the same in all axes
  return m;
}

typedef void (*Make)(PlaneBuilder *b, int n);

static void solve(Make make, int n, int materials, const PlaneMaterial *material, Solved *s) {
  *s = (Solved){.pieces = 0};
  PlaneBuilder b = {.memory = {allocate, s}};
  do make(&b, n);
  while (plane_again(&b));
  CHECK_STR(plane_finish(&b, &s->mesh), NULL);
  s->mesh.materials = materials, s->mesh.material = material;
  CHECK_STR(cross_section_solve(&s->mesh, b.memory, &s->solution, &s->section), NULL);
  CHECK(section_frame(&s->section, &s->frame));
}

// ---- shapes ----

static void rectangle(PlaneBuilder *b, int n) {
  plane_add_rectangles(b, n, 1, &(PlaneRectangle){{-0.2, 0.8}, {-1.2, 0.8}, 0});
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
  PlaneRectangle r[] = {{{-5e-4, 5e-4}, {-0.0505, 0.0505}, 0},
                        {{5e-4, 0.06}, {0.0495, 0.0505}, 0},
                        {{5e-4, 0.06}, {-0.0505, -0.0495}, 0}};
  plane_add_rectangles(b, n, 3, r);
}

static void two_cells(PlaneBuilder *b, int n) { // walls 0.002 thick, middle lines 0.1 and 0.2 wide, 0.1 high
  PlaneRectangle r[] = {{{-0.001, 0.001}, {-0.051, 0.051}, 0}, {{0.099, 0.101}, {-0.051, 0.051}, 0},
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
    release(&s);
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
  release(&s);
}

TEST(round_sections_have_the_torsion_of_circle_and_ellipse) {
  PlaneMaterial m = isotropic(2.6, 0.3);
  Solved s;
  solve(circle, 6, 1, &m, &s);
  CHECK_REL(s.frame.torsion, pi / 32, 3e-5);          // 2.0e-5: the arc is a chain of parabolas
  CHECK_REL(s.frame.bending[0], 2.6 * pi / 64, 2e-5); // 1.4e-5
  release(&s);
  solve(ellipse, 8, 1, &m, &s);
  CHECK_REL(s.frame.torsion, pi * pow(0.4, 3) / (1 + 0.16), 1e-4);
  release(&s);
  solve(tube, 2, 1, &m, &s);
  CHECK_REL(s.frame.torsion, pi / 32 * (1 - pow(0.8, 4)), 3e-5); // 2.0e-5
  release(&s);
  solve(triangle, 12, 1, &m, &s);
  CHECK_REL(s.frame.torsion, pow(2 / sqrt(3), 4) * sqrt(3) / 80, 1e-4); // 5e-5
  release(&s);
}

TEST(a_thin_tube_that_is_slit_twists_as_an_open_one) {
  PlaneMaterial m = isotropic(2.6, 0.3);
  Solved s;
  double t = 2. / THIN, r = 1 - 1. / THIN;
  solve(thin_tube, 1, 1, &m, &s);
  CHECK_REL(s.frame.torsion, 2 * pi * r * r * r * t, 1e-4);
  CHECK_REL(s.frame.shear[0], pi * r * t, 1e-3); // a factor of 1/2
  release(&s);
  solve(open_tube, 4, 1, &m, &s);
  CHECK_REL(s.frame.torsion, 2 * pi * pow(0.02, 3) / 3, 1e-2);
  CHECK_REL(s.frame.shear_centre[0], -2, 1e-2); // at twice the radius, on the other side of the slit
  release(&s);
}

TEST(the_shear_centre_of_a_channel_lies_behind_its_web) {
  PlaneMaterial m = isotropic(2.6, 0.3);
  Solved s;
  double b = 0.06, h = 0.1;
  solve(channel, 2, 1, &m, &s);
  CHECK_REL(s.frame.shear_centre[0], -3 * b * b / (h + 6 * b), 1e-2);
  CHECK_NEAR(s.frame.shear_centre[1], 0, 1e-9);
  release(&s);
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
  release(&s);
}

CHECK_MAIN
