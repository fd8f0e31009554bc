// SPDX-License-Identifier: Apache-2.0
// Shapes of the catalogue and profiles on meshes of their own: against their closed forms, and against exact ones for
// thin walls.
#include "base/limits.h"
#include "check.h"
#include "model/visuals.h"
#include "mechanics/section_matrix.h"
#include "mechanics/cross_section.h"
#include "mechanics/shape.h"
#include "model/model.h"
#include "solved.h"

#include <math.h>

static const LimberMaterial steel = {2.6e5, 0.3, 0, 7.85, LIMBER_LAW_LINEAR};

static const char *solve(const ShapeKind *kind, const void *params, int cells, const LimberMaterial *m, Solved *s) {
  Orthotropic o = {.density = m->density};
  const char *wrong;
  *s = (Solved){.pieces = 0};
  PlaneBuilder b = {.memory = {solved_allocate, s}};
  for (int i = 0; i < 3; i++) o.E[i] = m->E, o.nu[i] = m->nu, o.G[i] = m->E / (2 * (1 + m->nu));
  CHECK(plane_ply(&o, 0, &s->material));
  do wrong = kind->mesh(params, cells, &b);
  while (!wrong && plane_again(&b));
  if (!wrong) wrong = plane_finish(&b, &s->mesh);
  s->mesh.materials = 1, s->mesh.material = &s->material;
  if (!wrong) wrong = cross_section_solve(&s->mesh, LIMIT_SECTION_WORK, b.memory, &s->solution, &s->section);
  if (wrong) return wrong;
  CHECK(section_frame(&s->section, &s->frame));
  plane_outline(&s->mesh, b.memory, &s->outline);
  return NULL;
}

static const ShapeKind *shape(const char *name) {
  for (int i = 0; shape_kinds[i]; i++)
    if (!strcmp(shape_kinds[i]->name, name)) return shape_kinds[i];
  return NULL;
}

static double symmetry_error(const double k[6][6]) {
  double error = 0;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) error = fmax(error, fabs(k[i][j] - k[j][i]) / sqrt(k[i][i] * k[j][j]));
  return error;
}

static const LimberMaterial rigid = {2, 0, 0, 7.85, LIMBER_LAW_LINEAR}; // without lateral contraction

// Mass, tension and bending need no warping: but for corners of profiles and arcs they are those of the closed form. So are
// torsion and shear of solid shapes and tubes; those of thin walls are estimates.
TEST(meshes_of_all_shapes_have_the_stiffness_of_the_shape) {
  for (int i = 0; shape_kinds[i]; i++) {
    const ShapeKind *kind = shape_kinds[i];
    LimberSection closed;
    SectionFrame frame;
    Solved s;
    bool is_profile = kind == shape("profile"), is_round = kind == shape("circle") || kind == shape("tube");
    double exact = is_profile ? 0.03
                   : is_round ? 1e-5
                              : 1e-9,
           thin = is_round || kind == shape("rectangle") ? 2e-5 : 0.06;
    CHECK_STR(section_of_shape(kind, kind->example, &rigid, NULL, NULL, &closed).text, NULL);
    CHECK(section_frame(&closed, &frame));
    CHECK_STR(solve(kind, kind->example, 0, &rigid, &s), NULL);
    CHECK_NOTE("%s: %d cells, torsion %.5f, shear %.5f %.5f of the closed form", kind->name, s.mesh.cells,
               s.frame.torsion / frame.torsion, s.frame.shear[0] / frame.shear[0], s.frame.shear[1] / frame.shear[1]);
    CHECK_REL(s.section.mass, closed.mass, exact);
    CHECK_REL(s.frame.axial, frame.axial, exact);
    CHECK_REL(s.frame.torsion, frame.torsion, thin);
    for (int k = 0; k < 2; k++) {
      CHECK_REL(s.frame.bending[k], frame.bending[k], exact);
      CHECK_REL(s.frame.shear[k], frame.shear[k], thin);
      CHECK_NEAR(s.frame.tension_centre[k], frame.tension_centre[k], fmax(1e-12, exact * 0.05));
    }
    CHECK(symmetry_error((const double(*)[6])s.section.stiffness) < 1e-12);
    double centroid[2];
    CHECK_REL(outline_area(&s.outline, centroid), s.section.mass / rigid.density, is_round ? 2e-3 : 1e-9);
    solved_release(&s);
  }
}

// Renton (Int. J. Solids Struct. 27, 1991): shear factors by the energy of Saint-Venant's flexure, with sides 2a along the
// force and 2b across: 1/k = 6/5 + (nu/(1 + nu))^2 (b/a)^4 sum 144/(pi^6 (2m + 1)^2 n^2 ((2m + 1)^2 (b/(2a))^2 + n^2)).
static double renton_rectangle(double a, double b, double nu) {
  double sum = 0, q = b / a;
  for (int m = 0; m < 200; m++)
    for (int n = 1; n < 200; n++) {
      double o = 2 * m + 1;
      sum += 144 / (pow(acos(-1), 6) * o * o * n * n * (o * o * q * q / 4 + (double)n * n));
    }
  return 1 / (1.2 + pow(nu / (1 + nu), 2) * pow(q, 4) * sum);
}

TEST(shear_factors_with_lateral_contraction_are_those_of_the_energy) {
  const LimberCircle circle = {0.03};
  const LimberRectangle rectangle = {0.02, 0.01};
  double nu = 0.3, G = steel.E / (2 * (1 + nu)), pi = acos(-1);
  Solved s;
  CHECK_STR(solve(shape("circle"), &circle, 0, &steel, &s), NULL);
  CHECK_REL(s.frame.shear[0], G * pi * 0.015 * 0.015 * 6 * (1 + nu) * (1 + nu) / (7 + 14 * nu + 8 * nu * nu), 2e-5);
  solved_release(&s);
  CHECK_STR(solve(shape("rectangle"), &rectangle, 0, &steel, &s), NULL);
  CHECK_REL(s.section.stiffness[1][1], G * 2e-4 * renton_rectangle(0.01, 0.005, nu), 2e-5);
  CHECK_REL(s.section.stiffness[2][2], G * 2e-4 * renton_rectangle(0.005, 0.01, nu), 2e-5);
  solved_release(&s);
}

// ---- thin walls, in the limit ----

typedef const char *(*ThinCase)(double t, Solved *s);

// At no thickness, from thicknesses t, t/2 and t/4.
static double limit_of(ThinCase make, double t, double (*quantity)(const Solved *s, double t)) {
  double q[3];
  for (int i = 0; i < 3; i++, t /= 2) {
    Solved s;
    CHECK_STR(make(t, &s), NULL);
    q[i] = quantity(&s, t);
    solved_release(&s);
  }
  return (q[0] - 6 * q[1] + 8 * q[2]) / 3;
}

static const char *channel(double t, Solved *s) { // middle lines 0.06 x 0.1
  LimberFlanged p = {0.06 + t / 2, 0.1 + t, t, t};
  return solve(shape("channel"), &p, 1, &steel, s);
}

static double behind_web(const Solved *s, double t) { // from the web's middle line to the shear centre
  double centroid =
      (2 * (0.06 + t / 2) * t * (0.06 + t / 2) / 2 + (0.1 - t) * t * t / 2) / (2 * (0.06 + t / 2) * t + (0.1 - t) * t);
  return s->frame.shear_centre[0] + centroid - t / 2;
}

TEST(the_shear_centre_of_a_thin_channel_is_that_of_its_flow) {
  double e = limit_of(channel, 0.002, behind_web), b = 0.06, h = 0.1;
  CHECK_NOTE("%.3e", e / (-3 * b * b / (h + 6 * b)) - 1);
  CHECK_REL(e, -3 * b * b / (h + 6 * b), 1e-4);
}

static const char *solve_profile(const LimberProfileLine *line, int lines, Solved *s) {
  LimberProfile p = {line, lines};
  return solve(shape("profile"), &p, 2, &steel, s);
}

static const char *two_cells(double t, Solved *s) { // 0.1 and 0.2 wide, 0.1 high; the common wall twice as thick
  static const double around[][2] = {{0, 0}, {0.1, 0}, {0.3, 0}, {0.3, 0.1}, {0.1, 0.1}, {0, 0.1}, {0, 0}},
                      common[][2] = {{0.1, 0}, {0.1, 0.1}};
  LimberProfileLine line[] = {{around[0], 7, t}, {common[0], 2, 2 * t}};
  return solve_profile(line, 2, s);
}

static double torsion_of_wall(const Solved *s, double t) { return s->frame.torsion / (steel.E / 2.6) / t; }

// Bredt and Batho: two cells with a common wall.
TEST(a_thin_box_of_two_cells_twists_as_its_walls_say) {
  double a[2] = {0.01, 0.02}, d[2] = {0.3 + 0.05, 0.5 + 0.05}, common = 0.05, det = d[0] * d[1] - common * common;
  double q[2] = {(a[0] * d[1] + a[1] * common) / det, (a[1] * d[0] + a[0] * common) / det};
  double torsion = 4 * (q[0] * a[0] + q[1] * a[1]), found = limit_of(two_cells, 0.002, torsion_of_wall);
  CHECK_NOTE("%.3e", found / torsion - 1);
  CHECK_REL(found, torsion, 1e-4);
}

static const char *star(double t, Solved *s) { // three walls of 0.1 in one joint
  static const double arm[3][2][2] = {
      {{0, 0}, {0.1, 0}}, {{0, 0}, {-0.05, 0.0866025403784439}}, {{0, 0}, {-0.05, -0.0866025403784439}}};
  LimberProfileLine line[3];
  for (int i = 0; i < 3; i++) line[i] = (LimberProfileLine){arm[i][0], 2, t};
  return solve_profile(line, 3, s);
}

static double cubic_torsion(const Solved *s, double t) { return s->frame.torsion / (steel.E / 2.6) / (t * t * t); }

TEST(three_thin_walls_in_one_joint_twist_as_strips) {
  double found = limit_of(star, 0.008, cubic_torsion);
  CHECK_NOTE("%.3e", found / 0.1 - 1);
  CHECK_REL(found, 0.1, 1e-4); // sum of L t^3/3
}

static const char *slit_tube(double t, Solved *s) { // 60 chords of a circle, open at the right
  static double at[61][2];
  double pi = acos(-1);
  for (int i = 0; i <= 60; i++)
    at[i][0] = cos(2 * pi * (i + 1e-3 * (30 - i)) / 60), at[i][1] = sin(2 * pi * (i + 1e-3 * (30 - i)) / 60);
  LimberProfileLine line = {at[0], 61, t};
  return solve_profile(&line, 1, s);
}

// Exact for the chords: the flow of thin walls (mechanics/thin.h), and at the shear centre twice the radius for the arc.
TEST(a_thin_tube_that_is_slit_has_its_shear_centre_at_twice_the_radius) {
  Solved s;
  CHECK_STR(slit_tube(0.002, &s), NULL);
  CHECK_REL(s.frame.shear_centre[0], -2, 2e-3); // 60 chords: 1.1e-3
  double length = 60 * 2 * sin(acos(-1) / 60 * (1 - 1e-3));
  CHECK_REL(s.frame.torsion / (steel.E / 2.6), (length - 0.63 * 0.002) * pow(0.002, 3) / 3, 1e-4);
  solved_release(&s);
}

// ---- what is no profile ----

TEST(walls_that_cannot_be_meshed_are_refused) {
  Solved s;
  static const double sharp[][2] = {{0, 0}, {0.1, 0}, {0, 0.005}},
                      hair[][2] = {{0, 0}, {0.1, 0}, {0.1, 0.004}, {0, 0.02}}, apart[][2] = {{0, 1}, {0.1, 1}},
                      flat[][2] = {{0, 0}, {0.1, 0}};
  LimberProfileLine line = {sharp[0], 3, 0.002}, two[] = {{flat[0], 2, 0.002}, {apart[0], 2, 0.002}};
  CHECK_STR(solve_profile(&line, 1, &s), "two walls of the profile meet at less than 10 degrees"), solved_release(&s);
  line = (LimberProfileLine){hair[0], 4, 0.01};
  CHECK_STR(solve_profile(&line, 1, &s),
            "walls of the profile overlap: they are too thick for their lengths and angles");
  solved_release(&s);
  CHECK_STR(solve_profile(two, 2, &s), "the mesh of the section is not in one piece"), solved_release(&s);
}

// A change of thickness along a straight line.
TEST(a_wall_gets_thicker_over_its_thickness) {
  static const double thin[][2] = {{0, 0}, {0.1, 0}}, thick[][2] = {{0.1, 0}, {0.2, 0}};
  LimberProfileLine line[] = {{thin[0], 2, 0.002}, {thick[0], 2, 0.004}};
  Solved s;
  CHECK_STR(solve_profile(line, 2, &s), NULL);
  CHECK_REL(s.section.mass, steel.density * (0.1 * 0.002 + 0.1 * 0.004 + 0.5 * 0.001 * 0.002 - 0.5 * 0.001 * 0.004),
            1e-9);
  solved_release(&s);
}

// ---- limits ----

TEST(a_mesh_that_is_too_fine_is_refused_before_it_is_solved) {
  LimberRectangle square = {1, 1};
  Solved s;
  CHECK(strstr(solve(shape("rectangle"), &square, 700, &steel, &s), "too fine"));
  solved_release(&s);
  CHECK(strstr(solve(shape("rectangle"), &square, 3000, &steel, &s), "too fine"));
  solved_release(&s);
}

// ---- from a program ----

TEST(a_program_adds_a_section_by_its_mesh) {
  enum { N = 4, ROW = N + 1 };
  double at[ROW * ROW][2];
  int count[N * N], node[N * N][4], nodes = 0;
  LimberPly ply = {{200, 200, 200}, {80, 80, 80}, {0.25, 0.25, 0.25}, 3, 0};
  for (int i = 0; i < ROW * ROW; i++) at[i][0] = i % ROW * 0.5, at[i][1] = i / ROW * 0.25;
  for (int i = 0; i < N * N; i++, nodes += 4) {
    int first = i / N * ROW + i % N;
    count[i] = 4;
    node[i][0] = first, node[i][1] = first + 1, node[i][2] = first + ROW + 1, node[i][3] = first + ROW;
  }
  LimberSectionMesh mesh = {ROW * ROW, at[0], N * N, count, node[0], NULL, NULL, 1, &ply};
  LimberModel m;
  LimberSectionId id;
  CHECK(!LimberModelCreate(&m));
  CHECK(!LimberModelAddSectionMesh(m, "plate", &mesh, &id));
  CHECK_STR(limber_model_diagnostics(m), "");
  const ModelSection *s = model_section(m, id.index);
  CHECK_REL(s->station[0].mass, 6, 1e-12);
  CHECK_REL(s->station[0].centre[0], 1, 1e-12);
  CHECK_REL(s->station[0].stiffness[0][0], 400, 1e-9);
  CHECK(s->solution[0]->points == 4 * N * N);
  node[3][2] = 25;
  CHECK(!LimberModelAddSectionMesh(m, "torn", &mesh, &id));
  CHECK_STR(limber_model_diagnostics(m), "section 'torn': a cell has a node that is not there\n");
  CHECK(LIMBER_IS_NONE(id));
  CHECK(LimberModelAddSectionMesh(m, "none", NULL, &id) != 0);
  LimberModelDestroy(&m);
}

CHECK_MAIN
