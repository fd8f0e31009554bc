// SPDX-License-Identifier: Apache-2.0
// The lines of unloaded beams: arcs, helices and splines through stations, against geometry; and a curved cantilever
// against Castigliano's theorem.
#include "check.h"
#include "contract.h"
#include "mechanics/curve.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

static const ElementKind *beam_kind(void) {
  int i = 0;
  while (element_kinds[i] && strcmp(element_kinds[i]->name, "beam")) i++;
  return element_kinds[i];
}

static const LimberBeam plain = {
    .from = {LIMBER_NONE}, .to = {LIMBER_NONE}, .section = {SECTION_UNIFORM}, .elements = 4, .order = 3};

static const char *build(Mock *m, const char *nodes, const LimberBeam *p) {
  mock_begin(m, "beam", nodes);
  return mock_build(m, beam_kind(), p);
}

static Vec3 of(const double x[3]) { return vec3_of(x); }

// Largest departure of three axes from a right-handed orthonormal frame.
static double frame_error(const Vec3 x[4]) {
  return mat3_distance(mat3_mul(mat3_transpose(mat3_columns(x[1], x[2], x[3])), mat3_columns(x[1], x[2], x[3])),
                       mat3_identity()) +
         vec3_norm(vec3_sub(vec3_cross(x[1], x[2]), x[3]));
}

// The curvature vector in section axes by central differences of the axes: K_i = d_k . d_j' (i, j, k cyclic).
static Vec3 curvature_at(const Curve *c, double at, double *speed) {
  Vec3 x[4], a[4], b[4], d[4];
  double h = 1e-4;
  curve_at(c, at, x), curve_at(c, at + h, b), curve_at(c, at - h, a);
  for (int j = 0; j < 4; j++) d[j] = vec3_scale(0.5 / (h * c->length), vec3_sub(b[j], a[j]));
  *speed = vec3_norm(d[0]);
  return vec3(vec3_dot(x[3], d[2]), vec3_dot(x[1], d[3]), vec3_dot(x[2], d[1]));
}

// ---- arcs and helices ----

TEST(arc_lies_on_its_circle_with_its_tangents) {
  static Mock m;
  LimberBeam p = plain;
  Vec3 a = vec3_unit(vec3(1, -2, 0.5)), centre = vec3(0.2, 0.1, -0.4), radial = vec3_normal(a);
  double radius = 1.7, angle = 2.1;
  vec3_to(vec3_axpy(vec3_axpy(centre, radius, radial), 0.3, a), p.start);
  vec3_to(centre, p.arc.centre), vec3_to(vec3_scale(3, a), p.arc.axis);
  p.arc.angle = angle;
  CHECK_STR(build(&m, "", &p), NULL);
  double worst = 0;
  for (int e = 0; e < m.ncomponents; e++)
    for (int i = 0; i < m.item[e].nnode; i++) {
      const Vec3 *x = m.x[m.item[e].node[i]];
      Vec3 from = vec3_sub(x[0], vec3_axpy(centre, 0.3, a));
      worst = worse(worst, fabs(vec3_norm(from) - radius));
      worst = worse(worst, fabs(vec3_dot(from, a)));
      worst = worse(worst, vec3_norm(vec3_sub(x[1], vec3_unit(vec3_cross(a, from)))));
      worst = worse(worst, frame_error(x));
    }
  CHECK_LE(worst, 20 * EPS);
  const Vec3 *end = m.x[m.item[3].node[3]];
  Mat3 turn = rotation_exponential(vec3_scale(angle, a));
  Vec3 expected = vec3_add(centre, mat3_apply(turn, vec3_sub(of(p.start), centre)));
  CHECK_LE(vec3_norm(vec3_sub(end[0], expected)), 20 * EPS);
  mock_end(&m);
}

TEST(arc_goes_as_far_as_the_end_and_no_other_way_round) {
  static Mock m;
  for (int way = -1; way <= 1; way += 2) {
    LimberBeam p = plain;
    p.start[0] = 2, p.end[1] = 2, p.arc.axis[2] = way; // a quarter, or three
    p.section = (LimberSectionId){SECTION_UNIFORM};
    CHECK_STR(build(&m, "", &p), NULL);
    double weight = 0;
    int stations;
    for (int e = 0; e < m.ncomponents; e++)
      for (int i = 0; i < m.item[e].nnode; i++) {
        Inertia q;
        m.kind->inertia(m.item[e].data, i, &q);
        weight += q.m / mock_section(SECTION_UNIFORM, &stations)->mass;
      }
    CHECK_REL(weight, PI * (way > 0 ? 1 : 3), way > 0 ? 1e-7 : 2e-5); // of the interpolated line: 9e-9, 6e-6
    mock_end(&m);
  }
}

TEST(helix_rises_by_its_pitch_and_has_the_curvature_and_torsion_of_theory) {
  for (int hand = -1; hand <= 1; hand += 2) {
    Curve c = {.start = vec3(0.5, 0, 0.1)};
    bool upright;
    double r = 0.5, pitch = hand * 0.3, turns = 2.5, slope = pitch / (2 * PI), g = r * r + slope * slope;
    CHECK(curve_screw(&c, vec3_zero(), vec3(0, 0, 2), 2 * PI * turns, turns * pitch, vec3(0, 0, 1), &upright) &&
          upright);
    CHECK_REL(c.length, 2 * PI * turns * sqrt(g), 4 * EPS);
    CHECK_REL(hypot(c.curvature.y, c.curvature.z), r / g, 8 * EPS);
    CHECK_REL(c.curvature.x, slope / g, 8 * EPS);
    for (double at = 0; at <= 1; at += 0.1) {
      Vec3 x[4];
      double phi = 2 * PI * turns * at;
      curve_at(&c, at, x);
      Vec3 exact = vec3(r * cos(phi), r * sin(phi), 0.1 + slope * phi);
      Vec3 tangent = vec3_unit(vec3(-r * sin(phi), r * cos(phi), slope));
      CHECK_LE(vec3_norm(vec3_sub(x[0], exact)), 50 * EPS);
      CHECK_LE(vec3_norm(vec3_sub(x[1], tangent)), 50 * EPS);
      CHECK_LE(frame_error(x), 20 * EPS);
      CHECK_NEAR(x[2].z, sqrt(1 - tangent.z * tangent.z), 50 * EPS); // up stays up
    }
  }
}

// The strain of a straight beam put on an arc is the arc's curvature.
TEST(curvature_strain_of_an_arc_is_one_over_its_radius) {
  static Mock straight, arc;
  LimberBeam p = plain, q = plain;
  double radius = 1.3, angle = 0.9, error[2];
  for (int fine = 0; fine < 2; fine++) {
    p.elements = q.elements = 4 << fine;
    p.start[0] = radius, p.arc.axis[2] = 1, p.arc.angle = angle, p.up[2] = 1;
    memcpy(q.start, p.start, sizeof p.start), memcpy(q.end, p.start, sizeof p.start), memcpy(q.up, p.up, sizeof p.up);
    q.end[1] = radius * angle;
    CHECK_STR(build(&arc, "", &p), NULL);
    CHECK_STR(build(&straight, "", &q), NULL);
    error[fine] = 0;
    for (int e = 0; e < straight.ncomponents; e++) {
      Vec3 v[MAX_LOCAL_VECTORS];
      mock_vectors(&straight, &straight.item[e], arc.x, v);
      for (int g = 0; g < 3; g++) {
        double strain[6], force[6]; // e2 is up, e3 points outwards: it bends about e2
        element_forces(straight.kind, straight.item[e].data, g, v, strain, force);
        for (int r = 0; r < 6; r++) error[fine] = worse(error[fine], fabs(strain[r] - (r == 4 ? 1 / radius : 0)));
      }
    }
    mock_end(&straight), mock_end(&arc);
  }
  CHECK_NOTE("off by %.1e and %.1e", error[0], error[1]);
  CHECK_LE(error[0], 1e-5);
  CHECK_LE(3.9, log2(error[0] / error[1]));
}

// ---- stations ----

static void circle_stations(int n, double angle, double radius, LimberStation *s) {
  for (int i = 0; i < n; i++) {
    double phi = angle * i / (n - 1);
    s[i] = (LimberStation){{radius * sin(phi), radius * (1 - cos(phi)), 0}, 0};
  }
}

TEST(line_through_stations_of_a_circle_approaches_it_with_fourth_order) {
  enum { MOST = 33 };
  double error[3], bend[3], length[3], angle = 2, radius = 1.5;
  for (int k = 0; k < 3; k++) {
    int n = (8 << k) + 1;
    LimberStation s[MOST];
    Curve c = {.twist = 0};
    void *memory = malloc(curve_room(n));
    circle_stations(n, angle, radius, s);
    CHECK(curve_through(&c, n, s, vec3(0, 0, 1), memory));
    error[k] = bend[k] = 0, length[k] = fabs(c.length - angle * radius);
    for (double at = 0.02; at < 1; at += 0.031) {
      Vec3 x[4];
      double speed;
      curve_at(&c, at, x);
      error[k] = worse(error[k], fabs(hypot(x[0].x, x[0].y - radius) - radius));
      Vec3 curvature = curvature_at(&c, at, &speed); // e2 up, e3 = e1 x e2 points outwards: bends about e2
      bend[k] = worse(bend[k], fabs(curvature.y - 1 / radius));
      CHECK_NEAR(speed, 1, 1e-6);
      CHECK_NEAR(curvature.x, 0, 1e-9);
      CHECK_LE(frame_error(x), 20 * EPS);
    }
    free(memory);
  }
  CHECK_NOTE("off by %.1e, %.1e, %.1e; length %.1e, %.1e, %.1e; curvature %.1e, %.1e, %.1e", error[0], error[1],
             error[2], length[0], length[1], length[2], bend[0], bend[1], bend[2]);
  CHECK_LE(3.7, log2(error[1] / error[2]));
  CHECK_LE(3.7, log2(length[1] / length[2]));
  CHECK_LE(1.7, log2(bend[1] / bend[2]));
}

// Against the normal of a helix, axes that do not turn about the tangent turn back by its torsion.
TEST(axes_are_carried_along_stations_without_turning_about_the_tangent) {
  enum { N = 41 };
  LimberStation s[N];
  double r = 0.5, slope = 0.2, phi_end = 4;
  for (int i = 0; i < N; i++) {
    double phi = phi_end * i / (N - 1);
    s[i] = (LimberStation){{r * cos(phi), r * sin(phi), slope * phi}, 0};
  }
  Curve c = {.twist = 0};
  void *memory = malloc(curve_room(N));
  CHECK(curve_through(&c, N, s, vec3(1, 0, 0), memory));
  double g = r * r + slope * slope, worst = 0;
  for (double at = 0; at <= 1; at += 0.1) {
    Vec3 x[4];
    double phi = phi_end * at, turned = -slope / g * sqrt(g) * phi; // minus torsion times length
    Vec3 normal = vec3(cos(phi), sin(phi), 0), tangent = vec3_unit(vec3(-r * sin(phi), r * cos(phi), slope));
    Vec3 binormal = vec3_cross(tangent, normal);
    Vec3 expected = vec3_axpy(vec3_scale(cos(turned), normal), sin(turned), binormal);
    curve_at(&c, at, x);
    worst = worse(worst, vec3_norm(vec3_sub(x[2], expected)));
  }
  free(memory);
  CHECK_NOTE("e2 off by %.1e", worst);
  CHECK_LE(worst, 3e-4); // 1.7e-4: the first tangent of the spline
}

TEST(stations_are_met_in_their_order_and_with_their_twist) {
  const LimberStation s[] = {{{0, 0, 0}, 0.2}, {{1, 0, 0}, 0.5}, {{3, 0, 0}, -0.1}, {{4, 0, 0}, 0.4}};
  Curve c = {.twist = 0.8};
  void *memory = malloc(curve_room(4));
  CHECK(curve_through(&c, 4, s, vec3(0, 1, 0), memory));
  CHECK_REL(c.length, 4, 8 * EPS);
  for (int i = 0; i < 4; i++) { // straight: places along are shares of the length
    Vec3 x[4];
    curve_at(&c, s[i].at[0] / 4, x);
    CHECK_LE(vec3_norm(vec3_sub(x[0], of(s[i].at))), 20 * EPS);
    CHECK_NEAR(atan2(x[2].z, x[2].y), s[i].twist + 0.8 * s[i].at[0] / 4, 50 * EPS);
  }
  free(memory);
}

TEST(two_stations_are_a_straight_beam_and_places_are_shares_of_arc_length) {
  static Mock a, b;
  const LimberStation two[] = {{{0.1, 0.2, 0.3}, 0}, {{1.1, -0.4, 0.9}, 0}};
  LimberBeam p = plain, q = plain;
  p.station = two, p.stations = 2;
  memcpy(q.start, two[0].at, sizeof q.start), memcpy(q.end, two[1].at, sizeof q.end);
  p.twist = q.twist = 0.7, p.section = q.section = (LimberSectionId){SECTION_TAPERED};
  CHECK_STR(build(&a, "", &p), NULL);
  CHECK_STR(build(&b, "", &q), NULL);
  double worst = 0;
  for (int i = 1; i < a.nnode; i++)
    for (int j = 0; j < 4; j++) worst = worse(worst, vec3_norm(vec3_sub(a.x[i][j], b.x[i][j])));
  CHECK_LE(worst, 20 * EPS);
  CHECK_INT(a.nnode, b.nnode);
  mock_end(&a), mock_end(&b);
}

// Nodes beside stations, on them and on them but for round-off: axes and places are those of the straight line, and so is
// the strain that the reference carries.
TEST(stations_on_a_straight_line_give_the_axes_of_the_straight_beam) {
  static Mock through, straight;
  double axes = 0, place = 0, strain = 0;
  for (int n = 2; n <= 13; n++) {
    LimberStation s[13];
    LimberBeam p = plain, q = plain;
    for (int i = 0; i < n; i++) s[i] = (LimberStation){{1.5 + 10 * i, 0, 0}, 0};
    p.station = s, p.stations = n, p.up[2] = q.up[2] = 1;
    memcpy(q.start, s[0].at, sizeof q.start), memcpy(q.end, s[n - 1].at, sizeof q.end);
    for (int k = 0; k < 60; k++) {
      p.order = q.order = 1 + k % 3, p.elements = q.elements = 1 + k / 3;
      double size = 10.0 * (n - 1) / p.elements;
      CHECK_STR(build(&through, "", &p), NULL);
      CHECK_STR(build(&straight, "", &q), NULL);
      for (int i = 1; i < straight.nnode; i++) {
        place = worse(place, vec3_norm(vec3_sub(through.x[i][0], straight.x[i][0])) / size);
        for (int j = 1; j < 4; j++) axes = worse(axes, vec3_norm(vec3_sub(through.x[i][j], straight.x[i][j])));
      }
      for (int e = 0; e < straight.ncomponents; e++) {
        Vec3 v[MAX_LOCAL_VECTORS];
        mock_vectors(&straight, &straight.item[e], through.x, v);
        for (int g = 0; g < p.order; g++) {
          double found[6], force[6];
          element_forces(straight.kind, straight.item[e].data, g, v, found, force);
          for (int r = 0; r < 6; r++) strain = worse(strain, fabs(found[r]) * (r < 3 ? 1 : size));
        }
      }
      mock_end(&through), mock_end(&straight);
    }
  }
  CHECK_NOTE("axes off by %.1e, places by %.1e of an element, strains %.1e", axes, place, strain);
  CHECK_LE(axes, 10 * EPS);
  CHECK_LE(place, 300 * EPS);   // 85: the places are up to 121 m from the origin, elements from 0.5 m on
  CHECK_LE(strain, 1000 * EPS); // 320
}

TEST(lines_that_do_not_meet_the_ends_are_refused) {
  static Mock m;
  const LimberStation s[] = {{{0, 0, 0}, 0}, {{1, 0, 0}, 0}, {{1, 0, 0}, 0}};
  LimberBeam p = plain;
  p.start[0] = 1, p.arc.axis[2] = 1, p.arc.angle = 1;
  CHECK_STR(build(&m, "", &p), NULL), mock_end(&m);
  p.end[1] = 1;
  CHECK_STR(build(&m, "", &p), "the arc ends at [0.540302, 0.841471, 0], 0.563 m away from its `end`"), mock_end(&m);
  p.to = (LimberNodeId){1}, CHECK(build(&m, "F", &p)), mock_end(&m);
  p = plain, p.start[0] = 1, p.arc.axis[2] = 1;
  CHECK_STR(build(&m, "", &p), "an arc needs its angle, or an end of the beam"), mock_end(&m);
  p.helix.axis[2] = 1, CHECK(build(&m, "", &p)), mock_end(&m); // two lines
  p = plain, p.arc.axis[2] = 1, p.arc.angle = 1;
  CHECK(build(&m, "", &p)), mock_end(&m); // starts on the axis
  p = plain, p.helix.turns = 2, CHECK(build(&m, "", &p)), mock_end(&m);
  p.start[0] = 1, p.helix.axis[1] = 1, p.helix.turns = 0, CHECK(build(&m, "", &p)), mock_end(&m);
  p = plain, p.station = s, p.stations = 1;
  CHECK(build(&m, "", &p)), mock_end(&m);
  p.stations = 3, CHECK_STR(build(&m, "", &p), "stations 2 and 3 coincide"), mock_end(&m);
  p.stations = 2, p.from = (LimberNodeId){1}, CHECK(build(&m, "F", &p)), mock_end(&m);
  p.from = LIMBER_NO_NODE, p.up[0] = 1, CHECK(build(&m, "", &p)), mock_end(&m);
}

// ---- a quarter circle, clamped, under a small force at its tip ----

enum { UNKNOWNS = 6 * MOCK_NODES };

// Displacement of the last node under a unit force there, the first being held: the tangents of all elements at the
// reference, summed and solved by elimination.
static double tip_flexibility(const Mock *m, Vec3 force) {
  static double k[UNKNOWNS][UNKNOWNS], f[UNKNOWNS];
  static Local out;
  static LocalMotion it;
  Tableau t = tableau_end();
  int n = 6 * m->nnode;
  MockMotion q;
  memset(k, 0, sizeof k), memset(f, 0, sizeof f);
  motion_rest(m, 1, &q);
  for (int e = 0; e < m->ncomponents; e++) {
    motion_item(m, &q, &m->item[e], t.force_rule, &it);
    local_clear(&out, 1, it.nblock);
    element_evaluate(m->kind, m->item[e].data, &(ElementStep){.t = &t, .h = 1, .recall = &no_recall, .past = NULL}, &it,
                     &out);
    for (int i = 0; i < out.n; i++)
      for (int j = 0; j < out.n; j++)
        k[6 * m->item[e].node[i / 6] + i % 6][6 * m->item[e].node[j / 6] + j % 6] += out.k[i * out.n + j];
  }
  int first = 6 * (m->item[0].node[0] + 1), tip = n - 6; // nodes are made from start to end, after the ground
  vec3_to(force, &f[tip]);
  for (int c = first; c < n; c++)
    for (int r = c + 1; r < n; r++) {
      double factor = k[r][c] / k[c][c];
      for (int j = c; j < n; j++) k[r][j] -= factor * k[c][j];
      f[r] -= factor * f[c];
    }
  for (int r = n - 1; r >= first; r--) {
    for (int j = r + 1; j < n; j++) f[r] -= k[r][j] * f[j];
    f[r] /= k[r][r];
  }
  return vec3_dot(force, vec3_of(&f[tip]));
}

static const LimberSection *one_section;
static const LimberSection *section_of(ElementBuilder *b, LimberSectionId id, int *stations) {
  (void)b, (void)id;
  *stations = 1;
  return one_section;
}

// Castigliano (e.g. Timoshenko, Strength of Materials I, section 79), angle p from the tip:
//   radial at the tip:   M = F R sin p, N = F sin p, V = F cos p:         pi R/4 (R^2/EI + 1/EA + 1/kGA)
//   out of the plane:    M = F R sin p, T = F R (1 - cos p), V = F:       R^3 (pi/4 /EI + (3 pi/4 - 2)/GJ) + pi R/2 /kGA
TEST(quarter_circle_cantilever_bends_as_castigliano_says) {
  static Mock m;
  LimberSection s = {.mass = 1};
  const double c[6] = {4e4, 9e3, 7e3, 30, 50, 80}, radius = 0.8; // stocky: shear and stretch count
  for (int i = 0; i < 6; i++) s.stiffness[i][i] = c[i];
  one_section = &s;
  double in_plane = PI * radius / 4 * (radius * radius / c[5] + 1 / c[0] + 1 / c[1]);
  double out = pow(radius, 3) * (PI / 4 / c[4] + (0.75 * PI - 2) / c[3]) + PI * radius / 2 / c[2], error[2][2];
  for (int line = 0; line < 2; line++) {
    LimberStation st[33];
    LimberBeam p = plain;
    p.up[0] = 1, p.elements = 6; // e2 in the plane, e3 out of it
    p.start[0] = radius, p.arc.axis[2] = 1, p.arc.angle = PI / 2;
    if (line) {
      for (int i = 0; i < 33; i++)
        st[i] = (LimberStation){{radius * cos(PI / 64 * i), radius * sin(PI / 64 * i), 0}, 0};
      p = plain, p.up[0] = 1, p.elements = 6, p.station = st, p.stations = 33;
    }
    mock_begin(&m, "beam", "");
    m.builder.section = section_of;
    CHECK_STR(mock_build(&m, beam_kind(), &p), NULL);
    error[line][0] = tip_flexibility(&m, vec3(0, 1, 0)) / in_plane - 1; // along the radius at the tip
    error[line][1] = tip_flexibility(&m, vec3(0, 0, 1)) / out - 1;
    for (int k = 0; k < 2; k++) CHECK_LE(fabs(error[line][k]), 1e-6);
    mock_end(&m);
  }
  CHECK_NOTE("arc off by %.1e in the plane, %.1e out of it; 33 stations %.1e, %.1e", error[0][0], error[0][1],
             error[1][0], error[1][1]);
}

// The same of a helix: Castigliano's integral over the exact helix by Simpson's rule, with bending stiffnesses that differ,
// so that the section's axes matter.
TEST(helix_cantilever_bends_as_castigliano_says) {
  static Mock m;
  LimberSection s = {.mass = 1};
  const double c[6] = {4e6, 9e5, 7e5, 30, 50, 120}, r = 0.5, slope = 0.08, end = 2 * PI * 1.25;
  for (int i = 0; i < 6; i++) s.stiffness[i][i] = c[i];
  one_section = &s;
  LimberBeam p = plain;
  p.start[0] = r, p.up[2] = 1, p.elements = 16;
  p.helix = (LimberHelix){.axis = {0, 0, 1}, .turns = 1.25, .pitch = 2 * PI * slope};
  mock_begin(&m, "beam", "");
  m.builder.section = section_of;
  CHECK_STR(mock_build(&m, beam_kind(), &p), NULL);
  for (int k = 0; k < 3; k++) {
    enum { STEPS = 400 };
    Vec3 f = vec3(k == 0, k == 1, k == 2), tip = vec3(r * cos(end), r * sin(end), slope * end);
    double sum = 0, speed = hypot(r, slope);
    for (int i = 0; i <= STEPS; i++) {
      double phi = end * i / STEPS, weight = end / STEPS / 3 * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
      Vec3 e1 = vec3_unit(vec3(-r * sin(phi), r * cos(phi), slope)), e3 = vec3_unit(vec3_cross(e1, vec3(0, 0, 1)));
      Vec3 e2 = vec3_cross(e3, e1), at = vec3(r * cos(phi), r * sin(phi), slope * phi);
      Vec3 moment = vec3_cross(vec3_sub(tip, at), f);
      const double load[6] = {vec3_dot(f, e1),      vec3_dot(f, e2),      vec3_dot(f, e3),
                              vec3_dot(moment, e1), vec3_dot(moment, e2), vec3_dot(moment, e3)};
      for (int q = 0; q < 6; q++) sum += weight * speed * load[q] * load[q] / c[q];
    }
    double error = tip_flexibility(&m, f) / sum - 1;
    CHECK_NOTE("direction %d: off by %.1e", k, error);
    CHECK_LE(fabs(error), 1e-5);
  }
  mock_end(&m);
}

CHECK_MAIN
