// SPDX-License-Identifier: Apache-2.0
// Beams of all orders: straight, twisted and curved; of one station and of several; with nodes of their own and
// between nodes whose axes are not those of the section.
#include "check.h"
#include "contract.h"
#include "mechanics/cell.h"

static const ElementKind *beam_kind(void) {
  int i = 0;
  while (element_kinds[i] && strcmp(element_kinds[i]->name, "beam")) i++;
  return element_kinds[i];
}

static LimberBeam beam(int order, int elements, int section) {
  return (LimberBeam){.from = LIMBER_NO_NODE,
                      .to = LIMBER_NO_NODE,
                      .section = {section},
                      .elements = elements,
                      .order = order,
                      .start = {0.3, -0.2, 0.5},
                      .end = {1.1, 0.4, -0.1},
                      .up = {0.2, 1, 0.3}};
}

static const char *build(Mock *m, const char *nodes, const LimberBeam *p) {
  mock_begin(m, "beam", nodes);
  return mock_build(m, beam_kind(), p);
}

// Ids of the beam's nodes from start to end.
static int line_nodes(const Mock *m, int *ids) {
  int n = 0;
  ids[n++] = m->item[0].node[0];
  for (int e = 0; e < m->ncomponents; e++)
    for (int a = 1; a < m->item[e].nnode; a++) ids[n++] = m->item[e].node[a];
  return n;
}

// The same beam between two nodes of other axes, where `own` (built before) has its ends.
static const char *build_between(Mock *m, const Mock *own, LimberBeam p) {
  int ids[MOCK_NODES];
  int last = line_nodes(own, ids) - 1;
  mock_begin(m, "beam", "FF");
  m->x[1][0] = own->x[ids[0]][0], m->x[2][0] = own->x[ids[last]][0];
  p.from = (LimberNodeId){1}, p.to = (LimberNodeId){2};
  return mock_build(m, beam_kind(), &p);
}

enum { STRAIGHT, TWISTED, CURVED, ARC, HELIX, STATIONS, SHAPES };

static LimberBeam shaped(int shape, int order, int elements, int section) {
  LimberBeam p = beam(order, elements, section);
  if (shape == TWISTED) p.twist = 0.9;
  if (shape == CURVED) {
    p.length = 1.3;
    const double curvature[3] = {0.4, -0.7, 1.1};
    memcpy(p.curvature, curvature, sizeof curvature);
  }
  static const LimberStation station[] = {
      {{0.3, -0.2, 0.5}, 0.1}, {{0.6, 0.1, 0.4}, 0.3}, {{0.8, 0.1, 0.7}, -0.2}, {{1.2, 0.3, 0.6}, 0}};
  if (shape >= ARC) memset(p.end, 0, sizeof p.end), p.twist = 0.3;
  if (shape == ARC) p.arc = (LimberArc){.centre = {0.1, 0.2, -0.3}, .axis = {1, 2, -1}, .angle = 1.4};
  if (shape == HELIX)
    p.helix = (LimberHelix){.centre = {0.1, 0.2, 0.3}, .axis = {1, 2, -1}, .turns = 0.6, .pitch = 0.4};
  if (shape == STATIONS) p.station = station, p.stations = 4;
  return p;
}

static void over_beams(double (*error)(const Mock *), double tolerance, int elements) {
  static Mock own, between;
  static const double times[6] = {0.1, 0.02, 0, 0.3, 0.05, 0.2};
  double worst = 0;
  for (int order = 1; order <= MAX_ORDER; order++)
    for (int i = 0; i < 2 * SHAPES; i++) {
      int shape = i / 2;
      LimberBeam p = shaped(shape, order, elements, (order + shape) % SECTIONS);
      if (i % 2) p.strain_damping = times;
      random_restart((unsigned long long)(10 * order + shape));
      CHECK_STR(build(&own, "", &p), NULL);
      CHECK_STR(build_between(&between, &own, p), NULL);
      double e = worse(error(&own), error(&between));
      if (!CHECK_LE(e, tolerance)) CHECK_NOTE("order %d shape %d damped %d", order, shape, i % 2);
      worst = worse(worst, e);
      mock_end(&own), mock_end(&between);
    }
  CHECK_NOTE("%.1e", worst);
}

TEST(beam_tables_keep_their_bounds) { over_beams(element_table_error, 0, 3); }
TEST(places_along_a_beam_lie_between_its_ends) { over_beams(element_station_error, 50 * EPS, 3); }
TEST(beam_forces_work_the_exact_change_of_strain) { over_beams(element_identity_error, 50 * EPS, 3); }
TEST(beam_work_is_change_of_energy_plus_losses_in_every_scheme) { over_beams(element_theorem_error, 50 * EPS, 3); }
TEST(beam_force_is_the_gradient_of_its_energy) { over_beams(element_gradient_error, 1e-11, 2); } // 5e-13
TEST(beam_tangent_is_the_derivative_of_its_force) {
  over_beams(element_tangent_error, 3e-11, 1);
} // 8.7e-12, with dampers; 2.1e-12 without
TEST(beam_is_free_of_stress_as_built) { over_beams(element_reference_error, 50 * EPS, 3); }
TEST(beam_energy_ignores_motion_as_a_whole) { over_beams(element_rigid_error, 100 * EPS, 3); }
TEST(beam_forces_have_no_resultant) { over_beams(element_momentum_error, 50 * EPS, 3); }
TEST(beam_inertia_is_never_negative) { over_beams(element_inertia_error, 10 * EPS, 3); }

// ---- the line as built ----

// x' = d1, d_j' = K x d_j with K constant in the frame's own axes: Runge-Kutta from the frame at the start.
static void follow(Vec3 x[4], Vec3 k, double length) {
  enum { STEPS = 400 };
  double h = length / STEPS;
  for (int step = 0; step < STEPS; step++) {
    Vec3 at[4], rate[4][4];
    const double c[4] = {0, 0.5, 0.5, 1};
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) at[j] = i ? vec3_axpy(x[j], c[i] * h, rate[i - 1][j]) : x[j];
      Vec3 spin = mat3_apply(mat3_columns(at[1], at[2], at[3]), k);
      rate[i][0] = at[1];
      for (int j = 1; j < 4; j++) rate[i][j] = vec3_cross(spin, at[j]);
    }
    for (int j = 0; j < 4; j++) {
      Vec3 sum = vec3_add(vec3_add(rate[0][j], rate[3][j]), vec3_scale(2, vec3_add(rate[1][j], rate[2][j])));
      x[j] = vec3_axpy(x[j], h / 6, sum);
    }
  }
}

TEST(beam_stands_on_its_line_with_its_axes) {
  static Mock m;
  for (int shape = 0; shape <= CURVED; shape++) { // the others: test_curve.c
    LimberBeam p = shaped(shape, 3, 2, SECTION_UNIFORM);
    int ids[MOCK_NODES];
    CHECK_STR(build(&m, "", &p), NULL);
    int n = line_nodes(&m, ids);
    CHECK_INT(n, 7);
    Vec3 x[4], start = vec3_of(p.start), along = vec3_sub(vec3_of(p.end), start);
    double length = shape == CURVED ? p.length : vec3_norm(along);
    memcpy(x, m.x[ids[0]], sizeof x);
    CHECK_LE(vec3_norm(vec3_sub(x[0], start)), 0);
    CHECK_LE(vec3_norm(vec3_sub(x[1], vec3_unit(along))), 4 * EPS);
    CHECK_NEAR(vec3_dot(x[3], vec3_of(p.up)), 0, 4 * EPS); // e2 in the plane of e1 and up ...
    CHECK_LE(0, vec3_dot(x[2], vec3_of(p.up)));            // ... on its side
    Vec3 k = shape == TWISTED ? vec3(p.twist / length, 0, 0) : vec3_of(p.curvature);
    double places[7], worst = 0;
    for (int i = 0; i < 7; i++) places[i] = (i / 3 + 0.5 * (1 + lobatto_node[3][i % 3])) / 2;
    for (int i = 1; i < 7; i++) {
      follow(x, k, (places[i] - places[i - 1]) * length);
      for (int j = 0; j < 4; j++) worst = worse(worst, vec3_norm(vec3_sub(x[j], m.x[ids[i]][j])));
    }
    CHECK_LE(worst, 1e-12); // 2e-14
    mock_end(&m);
  }
}

TEST(nearly_straight_curved_beam_is_the_straight_one) {
  static Mock straight, curved;
  for (double k = 1e-12; k < 2; k *= 10) { // through the series for small curvature
    LimberBeam p = beam(2, 2, SECTION_UNIFORM);
    Vec3 start = vec3_of(p.start), d = vec3_sub(vec3_of(p.end), start);
    int ids[MOCK_NODES];
    CHECK_STR(build(&straight, "", &p), NULL);
    p.length = vec3_norm(d), p.curvature[2] = k;
    CHECK_STR(build(&curved, "", &p), NULL);
    int last = line_nodes(&curved, ids) - 1;
    const Vec3 *x = straight.x[ids[last]], *y = curved.x[ids[last]], *x0 = straight.x[ids[0]];
    double phi = k * p.length, on = sin(phi) / phi, out = 2 * sin(phi / 2) * sin(phi / 2) / phi;
    Vec3 exact = vec3_axpy(vec3_axpy(x0[0], on * p.length, x0[1]), out * p.length, x0[2]); // an arc in the 1-2 plane
    CHECK_LE(vec3_norm(vec3_sub(y[0], exact)), 2e-15);
    CHECK_LE(vec3_norm(vec3_sub(y[0], x[0])), k);
    mock_end(&straight), mock_end(&curved);
  }
}

TEST(named_nodes_are_used_and_the_rest_are_made) {
  static Mock m;
  for (int ends = 0; ends < 4; ends++) {
    LimberBeam p = beam(2, 3, SECTION_UNIFORM);
    int ids[MOCK_NODES];
    p.from.index = ends & 1 ? 1 : LIMBER_NONE, p.to.index = ends & 2 ? 2 : 0;
    CHECK_STR(build(&m, "FF", &p), NULL);
    int n = line_nodes(&m, ids);
    CHECK_INT(n, 7);
    CHECK(ends & 1 ? ids[0] == 1 : ids[0] > 2);
    CHECK(ends & 2 ? ids[6] == 2 : ids[6] > 2);
    CHECK_INT(m.nnode, 3 + 7 - (ends & 1) - (ends >> 1));
    mock_end(&m);
  }
}

TEST(beam_refuses_what_it_cannot_be) {
  static Mock m;
  LimberBeam good = beam(2, 2, SECTION_UNIFORM), p = good;
  p.order = 4, CHECK(build(&m, "FP", &p)), mock_end(&m), p = good;
  p.order = 0, CHECK(build(&m, "FP", &p)), mock_end(&m), p = good;
  p.elements = 0, CHECK(build(&m, "FP", &p)), mock_end(&m), p = good;
  p.section = (LimberSectionId){77}, CHECK(build(&m, "FP", &p)), mock_end(&m), p = good;
  p.to = (LimberNodeId){2}, CHECK(build(&m, "FP", &p)), mock_end(&m), p = good;
  memcpy(p.end, p.start, sizeof p.end), CHECK(build(&m, "FP", &p)), mock_end(&m), p = good;
  for (int i = 0; i < 3; i++) p.up[i] = p.end[i] - p.start[i];
  CHECK(build(&m, "FP", &p)), mock_end(&m), p = good;
  p.curvature[1] = 1, CHECK(build(&m, "FP", &p)), mock_end(&m); // no length
  p.length = 1, CHECK_STR(build(&m, "FP", &p), NULL), mock_end(&m);
  p.from = (LimberNodeId){1}, CHECK_STR(build(&m, "FP", &p), NULL), mock_end(&m);
  p.to = (LimberNodeId){2}, CHECK(build(&m, "FF", &p)), mock_end(&m), p = good; // does not end there
}

TEST(section_axes_at_a_point_are_those_of_the_line_whatever_the_end_nodes) {
  static Mock m;
  for (int order = 1; order <= MAX_ORDER; order++) {
    LimberBeam p = beam(order, 2, SECTION_UNIFORM);
    p.from = (LimberNodeId){1}, p.to = (LimberNodeId){2};
    random_restart(11);
    CHECK_STR(build(&m, "FF", &p), NULL); // frames that are turned anyhow
    Vec3 e1 = vec3_unit(vec3_sub(m.x[2][0], m.x[1][0])), axis[3];
    for (int e = 0; e < m.ncomponents; e++) {
      Vec3 v[MAX_LOCAL_VECTORS];
      mock_vectors(&m, &m.item[e], m.x, v);
      for (int g = 0; g < order; g++) {
        m.kind->line.axes(m.item[e].data, g, v, axis);
        CHECK_LE(vec3_norm(vec3_sub(axis[0], e1)), 20 * EPS);
        CHECK_LE(vec3_norm(vec3_sub(axis[2], vec3_cross(axis[0], axis[1]))), 20 * EPS);
      }
    }
    mock_end(&m);
  }
}

// ---- strains ----

// Strains at all points of a beam whose nodes stand at x.
static double strain_error(const Mock *m, Vec3 (*x)[4], const double expected[6]) {
  double worst = 0, strain[6], force[6];
  for (int e = 0; e < m->ncomponents; e++) {
    Vec3 v[MAX_LOCAL_VECTORS];
    mock_vectors(m, &m->item[e], x, v);
    for (int g = 0; g < m->kind->points(m->item[e].data); g++) {
      element_forces(m->kind, m->item[e].data, g, v, strain, force);
      for (int r = 0; r < 6; r++) worst = worse(worst, fabs(strain[r] - expected[r]));
    }
  }
  return worst;
}

TEST(stretch_and_shear_are_exact_in_every_order) {
  static Mock m;
  for (int order = 1; order <= MAX_ORDER; order++) {
    LimberBeam p = beam(order, 2, SECTION_UNIFORM);
    Vec3 x[MOCK_NODES][4], f = vec3(1.3, 0.2, -0.4); // r' in the section's axes
    build(&m, "", &p);
    memcpy(x, m.x, sizeof x);
    Vec3 start = vec3_of(p.start);
    for (int i = 1; i < m.nnode; i++) {
      double s = vec3_dot(vec3_sub(m.x[i][0], start), m.x[i][1]);
      x[i][0] = vec3_axpy(start, s, mat3_apply(mat3_columns(x[i][1], x[i][2], x[i][3]), f));
    }
    const double expected[6] = {0.5 * (vec3_dot(f, f) - 1), f.y, f.z, 0, 0, 0};
    CHECK_LE(strain_error(&m, x, expected), 50 * EPS);
    mock_end(&m);
  }
}

TEST(strains_of_a_bent_and_twisted_beam_are_its_curvature) {
  static Mock straight, curved;
  int stations;
  const LimberSection *st = mock_section(SECTION_UNIFORM, &stations);
  for (int order = 1; order <= MAX_ORDER; order++) {
    double error[2], energy_error[2];
    for (int fine = 0; fine < 2; fine++) {
      LimberBeam p = shaped(CURVED, order, 6 << fine, SECTION_UNIFORM), q = p;
      Vec3 start = vec3_of(p.start), along = vec3_unit(vec3_sub(vec3_of(p.end), start));
      memset(q.curvature, 0, sizeof q.curvature);
      vec3_to(vec3_axpy(start, p.length, along), q.end);
      CHECK_STR(build(&straight, "", &q), NULL);
      CHECK_STR(build(&curved, "", &p), NULL);
      const double expected[6] = {0, 0, 0, p.curvature[0], p.curvature[1], p.curvature[2]};
      double exact = 0, found = 0;
      for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) exact += 0.5 * p.length * expected[r] * st->stiffness[r][c] * expected[c];
      for (int e = 0; e < straight.ncomponents; e++) {
        Vec3 v[MAX_LOCAL_VECTORS];
        mock_vectors(&straight, &straight.item[e], curved.x, v);
        found += element_energy(straight.kind, straight.item[e].data, v);
      }
      error[fine] = strain_error(&straight, curved.x, expected), energy_error[fine] = fabs(found / exact - 1);
      mock_end(&straight), mock_end(&curved);
    }
    double strain_order = log2(error[0] / error[1]), energy_order = log2(energy_error[0] / energy_error[1]);
    CHECK_LE(order + 0.9, strain_order);
    CHECK_LE(2 * order - 0.1, energy_order);
    CHECK_NOTE("order %d: strain off by %.1e, order %.2f; energy off by %.1e, order %.2f", order, error[1],
               strain_order, energy_error[1], energy_order);
  }
}

TEST(linear_beam_twisted_by_theta_has_the_strain_sine_of_theta_over_length) {
  static Mock m;
  LimberBeam p = beam(1, 1, SECTION_UNIFORM);
  build(&m, "", &p);
  double length = vec3_norm(vec3_sub(m.x[2][0], m.x[1][0]));
  for (int axis = 1; axis <= 3; axis++) {
    Vec3 x[MOCK_NODES][4];
    memcpy(x, m.x, sizeof x);
    Mat3 r = rotation_exponential(vec3_scale(0.8, m.x[1][axis]));
    for (int j = 1; j < 4; j++) x[2][j] = mat3_apply(r, m.x[2][j]);
    double expected[6] = {0}, half = 0.5 * sin(0.8);
    expected[2 + axis] = sin(0.8) / length;
    if (axis == 2) expected[2] = half; // d3 leans forward, d2 back, by the mean of the ends
    if (axis == 3) expected[1] = -half;
    CHECK_LE(strain_error(&m, x, expected), 10 * EPS);
  }
  mock_end(&m);
}

static const LimberSection *strip(ElementBuilder *b, LimberSectionId id, int *stations) {
  static LimberSection s;
  const double stiffness[6] = {1e4, 4e3, 4e3, 1, 1, 1};
  (void)b, (void)id;
  for (int r = 0; r < 6; r++) s.stiffness[r][r] = stiffness[r];
  *stations = 1;
  return &s;
}

// Pivots of L D L^T: the smallest is positive if and only if the matrix is positive definite.
static double smallest_pivot(int n, double k[MAX_LOCAL][MAX_LOCAL]) {
  double least = INFINITY;
  for (int i = 0; i < n; i++) {
    least = fmin(least, k[i][i]);
    for (int r = i + 1; r < n; r++) {
      double f = k[r][i] / k[i][i];
      for (int j = i; j < n; j++) k[r][j] -= f * k[i][j];
    }
  }
  return least;
}

// A cantilever of one element under a dead pull far above 4, 24, 72 EI/L^2, where d1 in the axial row would buckle.
TEST(beam_does_not_buckle_in_tension) {
  static Mock m;
  static Local out;
  static double k[MAX_LOCAL][MAX_LOCAL];
  for (int order = 1; order <= MAX_ORDER; order++) {
    LimberBeam p = beam(order, 1, 0);
    mock_begin(&m, "beam", "");
    m.builder.section = strip;
    CHECK_STR(mock_build(&m, beam_kind(), &p), NULL);
    Vec3 start = vec3_of(p.start), along = vec3_sub(vec3_of(p.end), start);
    MockMotion q;
    LocalMotion it;
    Tableau t = tableau_end();
    motion_rest(&m, 1, &q);
    for (int i = 1; i < m.nnode; i++) q.u[i][0] = vec3_scale(0.05, vec3_sub(m.x[i][0], start));
    motion_item(&m, &q, &m.item[0], FORCE_END, &it);
    local_clear(&out, 1, it.nblock);
    element_evaluate(m.kind, m.item[0].data, &(ElementStep){.t = &t, .h = 1, .recall = &no_recall, .past = NULL}, &it,
                     &out);
    CHECK_LE(5 * 72, vec3_norm(vec3_of(&out.r[0])) * vec3_dot(along, along)); // N L^2/EI
    int n = out.n - 6;                                                        // the first node is held
    double skew = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        k[i][j] = out.k[(i + 6) * out.n + j + 6];
        skew = worse(skew, fabs(k[i][j] - out.k[(j + 6) * out.n + i + 6]));
      }
    CHECK_LE(skew, 1e-9); // symmetric where it is in equilibrium
    double least = smallest_pivot(n, k);
    CHECK_LE(0.1, least);
    CHECK_NOTE("order %d: skew part %.1e, smallest pivot %.2g", order, skew, least);
    mock_end(&m);
  }
}

// ---- inertia ----

TEST(uniform_beam_weighs_mass_per_length_times_length) {
  static Mock m;
  int stations;
  const LimberSection *s = mock_section(SECTION_UNIFORM, &stations);
  for (int order = 1; order <= MAX_ORDER; order++)
    for (int shape = STRAIGHT; shape <= TWISTED; shape++) {
      LimberBeam p = shaped(shape, order, 3, SECTION_UNIFORM);
      build(&m, "", &p);
      Inertia sum = {0, {0, 0, 0}, {{{0}}}}, q;
      double length = vec3_norm(vec3_sub(vec3_of(p.end), vec3_of(p.start)));
      for (int e = 0; e < m.ncomponents; e++)
        for (int a = 0; a <= order; a++) {
          m.kind->inertia(m.item[e].data, a, &q);
          CHECK_REL(q.m, s->mass * length / 6 * lobatto_weight[order][a], 20 * EPS);
          inertia_add(&sum, &q);
        }
      CHECK_REL(sum.m, s->mass * length, 20 * EPS);
      CHECK_NEAR(sum.s.x, 0, EPS);
      CHECK_REL(sum.s.y, s->mass * s->centre[0] * length, 20 * EPS);
      CHECK_REL(sum.s.z, s->mass * s->centre[1] * length, 20 * EPS);
      for (int i = 0; i < 9; i++) CHECK_NEAR(sum.j.m[i / 3][i % 3], s->inertia[i / 3][i % 3] * length, 20 * EPS);
      mock_end(&m);
    }
}

TEST(tapered_beam_weighs_what_lobatto_quadrature_says) {
  static Mock m;
  int stations;
  const LimberSection *s = mock_section(SECTION_THREE, &stations);
  for (int order = 1; order <= MAX_ORDER; order++) {
    LimberBeam p = beam(order, 4, SECTION_THREE);
    build(&m, "", &p);
    double length = vec3_norm(vec3_sub(vec3_of(p.end), vec3_of(p.start))), found = 0, expected = 0;
    for (int e = 0; e < m.ncomponents; e++)
      for (int a = 0; a <= order; a++) {
        Inertia q;
        m.kind->inertia(m.item[e].data, a, &q);
        double at = (e + 0.5 * (1 + lobatto_node[order][a])) / m.ncomponents;
        int i = at > s[1].at;
        double f = (at - s[i].at) / (s[i + 1].at - s[i].at);
        found += q.m;
        expected += lobatto_weight[order][a] * length / 8 * ((1 - f) * s[i].mass + f * s[i + 1].mass);
      }
    CHECK_REL(found, expected, 20 * EPS);
    mock_end(&m);
  }
}

TEST(curved_beam_weighs_its_arc_length) {
  static Mock m;
  int stations;
  const LimberSection *s = mock_section(SECTION_UNIFORM, &stations);
  const double tolerance[4] = {0, 2e-2, 5e-4, 2e-7}; // 1.3e-2, 2.1e-4, 7.7e-8
  for (int order = 1; order <= MAX_ORDER; order++) {
    LimberBeam p = shaped(CURVED, order, 3, SECTION_UNIFORM);
    double total = 0;
    build(&m, "", &p);
    for (int e = 0; e < m.ncomponents; e++)
      for (int a = 0; a <= order; a++) {
        Inertia q;
        m.kind->inertia(m.item[e].data, a, &q);
        total += q.m;
      }
    CHECK_REL(total, s->mass * p.length, tolerance[order]);
    CHECK_NOTE("order %d: %.1e", order, fabs(total / (s->mass * p.length) - 1));
    mock_end(&m);
  }
}

// Mass, first moment and tensor of a node in ground axes.
static Inertia in_ground_axes(const Mock *m, int e, int a) {
  Inertia q;
  const Vec3 *x = m->x[m->item[e].node[a]];
  m->kind->inertia(m->item[e].data, a, &q);
  return inertia_turned(&q, mat3_columns(x[1], x[2], x[3]));
}

TEST(axes_of_the_nodes_change_neither_energy_nor_inertia) {
  static Mock own, between;
  double worst = 0;
  for (int order = 1; order <= MAX_ORDER; order++)
    for (int shape = 0; shape < SHAPES; shape++) {
      LimberBeam p = shaped(shape, order, 2, SECTION_TAPERED);
      int a[MOCK_NODES], b[MOCK_NODES];
      random_restart(5);
      build(&own, "", &p);
      CHECK_STR(build_between(&between, &own, p), NULL);
      int n = line_nodes(&own, a);
      CHECK_INT(line_nodes(&between, b), n);
      for (int e = 0; e < 2; e++)
        for (int i = 0; i <= order; i++) {
          Inertia x = in_ground_axes(&own, e, i), y = in_ground_axes(&between, e, i);
          worst = worse(worst, fabs(x.m - y.m));
          worst = worse(worst, vec3_norm(vec3_sub(x.s, y.s)));
          worst = worse(worst, mat3_distance(x.j, y.j));
        }
      Vec3 x[MOCK_NODES][4], y[MOCK_NODES][4];
      for (int i = 0; i < n; i++) { // the same motion of every node, each in its own axes
        Mat3 r = random_rotation();
        x[a[i]][0] = y[b[i]][0] = random_vector(1);
        for (int j = 1; j < 4; j++) {
          x[a[i]][j] = mat3_apply(r, own.x[a[i]][j]);
          y[b[i]][j] = mat3_apply(r, between.x[b[i]][j]);
        }
      }
      for (int e = 0; e < 2; e++) {
        Vec3 v[MAX_LOCAL_VECTORS];
        mock_vectors(&own, &own.item[e], x, v);
        double first = element_energy(own.kind, own.item[e].data, v);
        mock_vectors(&between, &between.item[e], y, v);
        worst = worse(worst, fabs(element_energy(between.kind, between.item[e].data, v) / first - 1));
      }
      mock_end(&own), mock_end(&between);
    }
  CHECK_LE(worst, 100 * EPS);
  CHECK_NOTE("%.1e", worst);
}

// A light station with its mass far out, a heavy one with its mass on the line.
static const LimberSection *thin_to_thick(ElementBuilder *b, LimberSectionId id, int *stations) {
  static LimberSection s[2];
  (void)b, (void)id;
  s[0] = (LimberSection){.at = 0, .mass = 1, .centre = {1, 0}, .inertia = {{1, 0, 0}, {0, 0, 0}, {0, 0, 1}}};
  s[1] = (LimberSection){.at = 1, .mass = 10};
  *stations = 2;
  return s;
}

TEST(inertia_between_two_possible_stations_is_possible) {
  static Mock m;
  LimberBeam p = beam(3, 2, 0);
  mock_begin(&m, "beam", "");
  m.builder.section = thin_to_thick;
  CHECK_STR(mock_build(&m, beam_kind(), &p), NULL);
  CHECK_LE(element_inertia_error(&m), 10 * EPS);
  mock_end(&m);
}

CHECK_MAIN
