// SPDX-License-Identifier: Apache-2.0
// Shapes of sections against closed forms, against quadrature, and against Saint-Venant's torsion and flexure solved in
// the plane without thin walls (plane.h).
#include "check.h"
#include "mechanics/thin.h"
#include "plane.h"

#define EPS 2.220446049250313e-16
#define PI  3.14159265358979323846

#define SHAPE(name, ...) extern const ShapeKind shape_##name;
#include "sections/sections.def"
#undef SHAPE

static SectionShape made(const ShapeKind *kind, const void *params, double nu) {
  SectionShape s = {0};
  CHECK_STR(kind->make(params, nu, &s).text, NULL);
  return s;
}

static double factor(const SectionShape *s, int axis) { return 1 / (s->shear[axis][axis] * s->area); }

// ---- solid and hollow circles ----

// Cowper's integral on a ring, b <= r <= a: chi = (c0 r + c1/r) cos(phi) + (c2 r^3 + c3/r^3) cos(3 phi), of which the
// coefficients follow from the radial derivative on both edges, here by Fourier sums; then quadrature.
static double ring_factor(double a, double b, double nu) {
  enum { N = 64 };
  double edge[2] = {a, b}, f[2][2] = {{0}}; // edge, harmonic 1 or 3
  for (int e = 0; e < 2; e++)
    for (int i = 0; i < N; i++) {
      double p = 2 * PI * i / N, x = edge[e] * cos(p), y = edge[e] * sin(p);
      double dn = -cos(p) * (nu / 2 * x * x + (1 - nu / 2) * y * y) - sin(p) * (2 + nu) * x * y;
      f[e][0] += 2.0 / N * dn * cos(p), f[e][1] += 2.0 / N * dn * cos(3 * p);
    }
  double c[4] = {f[0][0], 0, f[0][1] / (3 * a * a), 0};
  if (b > 0) {
    c[1] = (f[0][0] - f[1][0]) / (1 / (b * b) - 1 / (a * a)), c[0] = f[0][0] + c[1] / (a * a);
    double a2 = 3 * a * a, b2 = 3 * b * b, a4 = 3 / pow(a, 4), b4 = 3 / pow(b, 4);
    c[3] = (f[1][1] / b2 - f[0][1] / a2) / (a4 / a2 - b4 / b2), c[2] = (f[0][1] + a4 * c[3]) / a2;
  }
  double sum = 0, area = PI * (a * a - b * b), second = PI / 4 * (pow(a, 4) - pow(b, 4));
  const double g[5] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831, 0.9061798459386640},
               w[5] = {0.2369268850561891, 0.4786286704993665, 128.0 / 225, 0.4786286704993665, 0.2369268850561891};
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 5; k++) {
      double p = 2 * PI * i / N, r = 0.5 * (a + b) + 0.5 * (a - b) * g[k], x = r * cos(p), y = r * sin(p);
      double chi = c[0] * r * cos(p) + c[2] * r * r * r * cos(3 * p);
      if (b > 0) chi += c[1] / r * cos(p) + c[3] / (r * r * r) * cos(3 * p);
      sum += 2 * PI / N * 0.5 * (a - b) * w[k] * r * x * (chi + x * y * y);
    }
  return 2 * (1 + nu) * second / (-area / second * sum);
}

TEST(circle_and_tube_have_cowpers_shear_factors_and_exact_torsion) {
  for (double nu = -0.4; nu <= 0.5; nu += 0.15) {
    LimberCircle circle = {0.06};
    SectionShape s = made(&shape_circle, &circle, nu);
    CHECK_REL(factor(&s, 0), ring_factor(0.03, 0, nu), 1e-13);
    CHECK_REL(factor(&s, 1), factor(&s, 0), 0);
    CHECK_REL(s.torsion, s.yy + s.zz, 4 * EPS);
    CHECK_REL(s.area, PI * 0.0009, 4 * EPS);
    CHECK_REL(s.yy, PI / 4 * 8.1e-7, 8 * EPS);
    for (double wall = 0.001; wall < 0.03; wall += 0.004) {
      LimberTube tube = {0.06, wall};
      double a = 0.03, b = a - wall;
      s = made(&shape_tube, &tube, nu);
      CHECK_REL(factor(&s, 0), ring_factor(a, b, nu), 1e-10); // 5-point rule across the wall: 2e-13
      CHECK_REL(s.torsion, PI / 2 * (pow(a, 4) - pow(b, 4)), 100 * EPS);
      CHECK_REL(s.zz, PI / 4 * (pow(a, 4) - pow(b, 4)), 100 * EPS);
      CHECK_REL(s.area, PI * (a * a - b * b), 100 * EPS);
    }
  }
}

// ---- shapes of rectangles, in the plane ----

typedef struct {
  const ShapeKind *kind;
  const void *params;
  int count;
  PlanePart part[4];
} Figure;

enum { FIGURES = 6 };

// With walls of `t` on a figure 1 wide and 2 high.
static void figures(double t, Figure *f) {
  static LimberRectangle rectangle;
  static LimberBox box;
  static LimberFlanged flanged;
  static LimberAngle angle;
  double w = 1, h = 2, k = 1.6 * t;
  rectangle = (LimberRectangle){w, h}, box = (LimberBox){w, h, 0, t, k};
  flanged = (LimberFlanged){w, h, t, k}, angle = (LimberAngle){w, h, t};
  f[0] = (Figure){&shape_rectangle, &rectangle, 1, {{0, 0, w, h}}};
  f[1] = (Figure){&shape_box, &box, 4, {{0, 0, w, k}, {0, h - k, w, h}, {0, k, t, h - k}, {w - t, k, w, h - k}}};
  f[2] = (Figure){&shape_i_beam, &flanged, 3, {{0, 0, w, k}, {0, h - k, w, h}, {(w - t) / 2, k, (w + t) / 2, h - k}}};
  f[3] = (Figure){&shape_channel, &flanged, 3, {{0, 0, w, k}, {0, h - k, w, h}, {0, k, t, h - k}}};
  f[4] = (Figure){&shape_tee, &flanged, 2, {{0, h - k, w, h}, {(w - t) / 2, 0, (w + t) / 2, h - k}}};
  f[5] = (Figure){&shape_angle, &angle, 2, {{0, 0, w, t}, {0, t, t, h}}};
}

TEST(area_and_moments_are_those_of_the_figure) {
  Figure f[FIGURES];
  figures(0.1, f);
  for (int i = 0; i < FIGURES; i++) {
    Plane p;
    SectionShape s = made(f[i].kind, f[i].params, 0.3);
    plane_solve(f[i].count, f[i].part, 0.3, &p);
    CHECK_REL(s.area, p.area, 10 * EPS);
    CHECK_REL(s.yy, p.yy, 50 * EPS);
    CHECK_REL(s.zz, p.zz, 50 * EPS);
    CHECK_NEAR(s.yz, p.yz, 50 * EPS);
    CHECK_LE(hypot(s.centroid[0], s.centroid[1]), 4 * EPS); // the reference line runs through it
  }
}

// A round line is a polygon of 24 corners, which lacks 1.14 % of the circle's area.
TEST(outline_has_the_area_and_centroid_of_the_shape) {
  for (int i = 0; shape_kinds[i]; i++) {
    Outline o = {0};
    double centroid[2], size = 0;
    SectionShape s = made(shape_kinds[i], shape_kinds[i]->example, 0.3);
    shape_kinds[i]->outline(shape_kinds[i]->example, &o);
    double area = outline_area(&o, centroid);
    bool round = o.end[0] == OUTLINE_ROUND;
    for (int k = 0; k < o.end[o.lines - 1]; k++) size = fmax(size, hypot(o.corner[k][0], o.corner[k][1]));
    CHECK_REL(area, round ? s.area * sin(2 * M_PI / OUTLINE_ROUND) / (2 * M_PI / OUTLINE_ROUND) : s.area, 50 * EPS);
    for (int d = 0; d < 2; d++) CHECK_LE(fabs(centroid[d] - s.centroid[d]) / size, 50 * EPS);
    outline_move(&o, 0.5 * size, -size);
    outline_area(&o, centroid);
    CHECK_LE(hypot(centroid[0] + 0.5 * size - s.centroid[0], centroid[1] - size - s.centroid[1]) / size, 50 * EPS);
  }
}

static const bool cowper[FIGURES][2] = {{1, 1}, {1, 1}, {1, 1}, {1, 0}, {0, 1}, {0, 0}}; // along y, along z

// Largest relative errors of torsion and shear, and the distance of the shear centres over the height.
static void plane_errors(const Figure *f, double nu, double *torsion, double *shear, double *centre) {
  *torsion = *shear = *centre = 0;
  for (int i = 0; i < FIGURES; i++) {
    Plane p;
    SectionShape s = made(f[i].kind, f[i].params, nu);
    plane_solve(f[i].count, f[i].part, nu, &p);
    *torsion = fmax(*torsion, fabs(s.torsion / p.torsion - 1));
    for (int k = 0; k < 2; k++) {
      double expected = cowper[i][k] ? p.cowper[k] : 1 / (p.shear[k][k] * p.area);
      *shear = fmax(*shear, fabs(factor(&s, k) / expected - 1));
      *centre = fmax(*centre, fabs(s.centre[k] - (p.centre[k] - p.centroid[k])) / 2);
    }
    *shear = fmax(*shear, fabs(s.shear[0][1] - p.shear[0][1]) / sqrt(p.shear[0][0] * p.shear[1][1]));
  }
}

TEST(torsion_shear_and_shear_centre_of_thin_walls_approach_those_in_the_plane) {
  double torsion[2], shear[2], centre[2];
  for (int nu = 0; nu < 2; nu++)
    for (int thin = 0; thin < 2; thin++) {
      Figure f[FIGURES];
      figures(thin ? 0.025 : 0.05, f);
      plane_errors(f, 0.3 * nu, &torsion[thin], &shear[thin], &centre[thin]);
      CHECK_NOTE("nu %.1f, walls height/%d: torsion off by %.1f %%, shear %.1f %%, shear centre %.2f %% of the height",
                 0.3 * nu, thin ? 80 : 40, 100 * torsion[thin], 100 * shear[thin], 100 * centre[thin]);
    }
  CHECK_LE(torsion[0], 0.03); // 2.3 %, 1.1 %
  CHECK_LE(torsion[1], 0.55 * torsion[0]);
  CHECK_LE(shear[0], 0.05); // 4.1 %, 2.1 %
  CHECK_LE(shear[1], 0.6 * shear[0]);
  CHECK_LE(centre[0], 0.002); // 0.08 %, 0.02 %
}

TEST(poissons_ratio_changes_the_factors_as_it_does_in_the_plane) {
  Figure f[FIGURES];
  double worst = 0;
  figures(0.05, f);
  for (int i = 0; i < FIGURES; i++)
    for (int k = 0; k < 2; k++) {
      Plane p[2];
      SectionShape s[2];
      if (!cowper[i][k]) continue;
      for (int nu = 0; nu < 2; nu++) {
        s[nu] = made(f[i].kind, f[i].params, 0.3 * nu);
        plane_solve(f[i].count, f[i].part, 0.3 * nu, &p[nu]);
      }
      double found = factor(&s[1], k) / factor(&s[0], k), expected = p[1].cowper[k] / p[0].cowper[k];
      worst = fmax(worst, fabs(found / expected - 1));
    }
  CHECK_NOTE("ratio off by %.2f %%", 100 * worst);
  CHECK_LE(worst, 0.006); // 0.34 %, the factors change by up to 16 %
}

TEST(rectangle_has_cowpers_factor_in_the_plane) {
  for (double nu = 0; nu < 0.5; nu += 0.2) {
    Plane p;
    PlanePart part = {0, 0, 1, 3};
    plane_solve(1, &part, nu, &p);
    double k = 10 * (1 + nu) / (12 + 11 * nu);
    CHECK_REL(p.cowper[0], k, 3e-3); // 2.1e-3, of the finite elements
    CHECK_REL(p.cowper[1], k, 3e-3);
  }
}

// ---- thin walls ----

// Factors printed by Cowper (1966) for walls that are very thin; b, h between middles.
static double cowper_i(double m, double n, double nu) {
  double m2 = m * m, m3 = m2 * m, n2 = n * n;
  return 10 * (1 + nu) * (1 + 3 * m) * (1 + 3 * m) /
         (12 + 72 * m + 150 * m2 + 90 * m3 + nu * (11 + 66 * m + 135 * m2 + 90 * m3) + 30 * n2 * (m + m2) +
          5 * nu * n2 * (8 * m + 9 * m2));
}
static double cowper_tee(double m, double n, double nu) {
  double m2 = m * m, m3 = m2 * m, n2 = n * n;
  return 10 * (1 + nu) * (1 + 4 * m) * (1 + 4 * m) /
         (12 + 96 * m + 276 * m2 + 192 * m3 + nu * (11 + 88 * m + 248 * m2 + 216 * m3) + 30 * n2 * (m + m2) +
          10 * nu * n2 * (4 * m + 5 * m2 + m3));
}

TEST(very_thin_i_beam_tee_and_box_have_the_factors_that_cowper_printed) {
  for (double b = 0.3; b < 3; b *= 2)
    for (double ratio = 0.3; ratio < 4; ratio *= 2) // flange over web
      for (double nu = 0; nu <= 0.5; nu += 0.25) {
        double web = 1e-8, flange = ratio * web, h = 1;
        LimberFlanged i_beam = {b, h + flange, web, flange}, tee = {b, h + flange / 2, web, flange};
        LimberBox box = {b + web, h + flange, 0, web, flange};
        SectionShape s = made(&shape_i_beam, &i_beam, nu);
        CHECK_REL(factor(&s, 1), cowper_i(2 * b * flange / (h * web), b / h, nu), 1e-7);
        s = made(&shape_tee, &tee, nu);
        CHECK_REL(factor(&s, 1), cowper_tee(b * flange / (h * web), b / h, nu), 1e-7);
        if (nu > 0) continue;
        Thin half = {0}; // of the box, cut where its flow vanishes
        SectionShape cut;
        thin_add(&half, flange, 0, h / 2, b / 2, h / 2);
        thin_add(&half, web, b / 2, h / 2, b / 2, -h / 2);
        thin_add(&half, flange, b / 2, -h / 2, 0, -h / 2);
        CHECK_STR(thin_shape(&half, &cut), NULL);
        s = made(&shape_box, &box, nu);
        CHECK_REL(factor(&s, 1), factor(&cut, 1), 1e-7);
      }
}

// e = 3 b^2/(h + 6 b) from the web of a channel with equal walls, away from the flanges (e.g. Timoshenko & Gere, Theory of
// Elastic Stability, section 5.2); an angle's shear flow runs through its corner.
TEST(shear_centre_of_channel_and_angle_is_that_of_theory) {
  for (double b = 0.2; b < 2; b *= 1.7) {
    double t = 1e-7, h = 1;
    LimberFlanged channel = {b + t / 2, h + t, t, t};
    SectionShape s = made(&shape_channel, &channel, 0.3);
    double web = -b * b / (h + 2 * b);
    CHECK_REL(s.centre[0], web - 3 * b * b / (h + 6 * b), 1e-6);
    CHECK_NEAR(s.centre[1], 0, 1e-14);
    LimberAngle angle = {b, h, t};
    s = made(&shape_angle, &angle, 0.3);
    CHECK_REL(s.centre[0], -b * b / (2 * (b + h)), 1e-6);
    CHECK_REL(s.centre[1], -h * h / (2 * (b + h)), 1e-6);
  }
}

TEST(straight_wall_is_a_rectangle_along_and_across) {
  const double ends[] = {-0.3, 0.4, 0.3, 1.2}; // 1 long
  LimberProfileLine line = {ends, 2, 0.05};
  LimberProfile profile = {&line, 1};
  SectionShape s = made(&shape_profile, &profile, 0.3);
  double e[2] = {0.6, 0.8}, along = 0, over = 0, cross = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      double n[2] = {-e[1], e[0]};
      along += e[i] * s.shear[i][j] * e[j], over += n[i] * s.shear[i][j] * n[j], cross += e[i] * s.shear[i][j] * n[j];
    }
  CHECK_REL(along, 1.2 / 0.05, 2000 * EPS); // its second moments differ by (length/wall)^2 = 400
  CHECK_REL(over, 1.2 / 0.05, 2000 * EPS);
  CHECK_NEAR(cross, 0, 2000 * EPS * along);
  CHECK_REL(s.torsion, 0.05 * 0.05 * 0.05 / 3, 8 * EPS);
  CHECK_REL(s.yy + s.zz, 0.05 * (1 + 0.0025) / 12, 20 * EPS);
  CHECK_LE(hypot(s.centroid[0], s.centroid[1] - 0.8), 4 * EPS);
  CHECK_LE(hypot(s.centre[0], s.centre[1] - 0.8), 1e-13);
}

static double shape_distance(const SectionShape *a, const SectionShape *b) {
  const double *x = &a->area, *y = &b->area;
  double worst = 0;
  for (size_t i = 0; i < sizeof *a / sizeof(double); i++)
    worst = fmax(worst, fabs(x[i] - y[i]) / fmax(fabs(y[i]), fabs(i > 8 ? b->shear[0][0] : b->yy)));
  return worst;
}

TEST(profile_does_not_depend_on_how_its_lines_are_written) {
  const double tree[] = {0, 0, 0.02, 0.1, 0.1, 0.15}, branch[] = {0.02, 0.1, -0.08, 0.12}; // one way ...
  const double stem[] = {0.02, 0.1, 0.01, 0.05, 0, 0}, arms[] = {-0.08, 0.12, 0.02, 0.1, 0.06, 0.125, 0.1, 0.15};
  LimberProfileLine a[] = {{tree, 3, 0.002}, {branch, 2, 0.002}}, b[] = {{stem, 3, 0.002}, {arms, 4, 0.002}};
  LimberProfile one = {a, 2}, other = {b, 2};
  SectionShape s = made(&shape_profile, &one, 0.3), t = made(&shape_profile, &other, 0.3);
  CHECK_LE(shape_distance(&s, &t), 1e-12);
}

TEST(profile_turns_and_moves_with_its_points) {
  const double points[] = {-0.04, 0.1, 0, 0.1, 0, 0, 0.06, 0}, c = cos(0.7), sn = sin(0.7);
  double moved[8];
  for (int i = 0; i < 4; i++) {
    double y = points[2 * i], z = points[2 * i + 1];
    moved[2 * i] = c * y - sn * z + 0.3, moved[2 * i + 1] = sn * y + c * z - 0.2;
  }
  LimberProfileLine line = {points, 4, 0.002}, line2 = {moved, 4, 0.002};
  LimberProfile one = {&line, 1}, other = {&line2, 1};
  SectionShape s = made(&shape_profile, &one, 0.3), t = made(&shape_profile, &other, 0.3), e = s;
  e.centroid[0] = c * s.centroid[0] - sn * s.centroid[1] + 0.3,
  e.centroid[1] = sn * s.centroid[0] + c * s.centroid[1] - 0.2;
  e.centre[0] = c * s.centre[0] - sn * s.centre[1] + 0.3, e.centre[1] = sn * s.centre[0] + c * s.centre[1] - 0.2;
  e.yy = c * c * s.yy - 2 * c * sn * s.yz + sn * sn * s.zz, e.zz = sn * sn * s.yy + 2 * c * sn * s.yz + c * c * s.zz;
  e.yz = c * sn * (s.yy - s.zz) + (c * c - sn * sn) * s.yz;
  e.shear[0][0] = c * c * s.shear[0][0] - 2 * c * sn * s.shear[0][1] + sn * sn * s.shear[1][1];
  e.shear[1][1] = sn * sn * s.shear[0][0] + 2 * c * sn * s.shear[0][1] + c * c * s.shear[1][1];
  e.shear[0][1] = e.shear[1][0] = c * sn * (s.shear[0][0] - s.shear[1][1]) + (c * c - sn * sn) * s.shear[0][1];
  CHECK_LE(shape_distance(&t, &e), 1e-11);
}

TEST(profile_with_a_cell_or_loose_lines_is_refused) {
  const double ring[] = {0, 0, 1, 0, 1, 1, 0, 0}, line[] = {0, 0, 1, 0}, far[] = {5, 5, 6, 5}, twice[] = {0, 0, 0, 0};
  LimberProfileLine a[] = {{ring, 4, 0.1}}, b[] = {{line, 2, 0.1}, {far, 2, 0.1}}, c[] = {{twice, 2, 0.1}},
                    d[] = {{line, 2, 0}}, e[] = {{line, 1, 0.1}};
  LimberProfile all[] = {{a, 1}, {b, 2}, {c, 1}, {d, 1}, {e, 1}, {a, 0}};
  for (int i = 0; i < 6; i++) {
    SectionShape s = {0};
    CHECK(shape_profile.make(&all[i], 0.3, &s).text != NULL);
  }
}

CHECK_MAIN
