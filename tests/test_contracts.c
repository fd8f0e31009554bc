// SPDX-License-Identifier: Apache-2.0
// What every element, joint and load of the catalogue promises, over every line of elements.def, joints.def and
// loads.def: on its example, and on all that it accepts of points for frames, the ground for a node, and nodes
// that coincide. Configurations are far apart: random frames, turns up to 2.5 rad.
#include "check.h"
#include "contract.h"

// ---- elements ----

// Tables of dot products are polynomials, of which the differences are exact; lengths and laws are not.
static bool is_polynomial(const Mock *m) {
  for (int e = 0; e < m->ncomponents; e++)
    for (int g = 0; g < m->kind->points(m->item[e].data); g++) {
      ElementPoint p;
      element_point(m->kind, m->item[e].data, g, &p);
      if (p.rows.nroot || p.flow || p.response != &response_linear) return false;
    }
  return true;
}

static void over_elements_of(double (*error)(const Mock *), double tolerance, double curved) {
  static Mock m;
  double params[MOCK_PARAMS / sizeof(double)], worst = 0;
  int kinds = 0, variants = 0;
  for (; element_kinds[kinds]; kinds++) {
    const ElementKind *kind = element_kinds[kinds];
    for (int i = 0; mock_variant(&m, &i, kind->name, &kind->fields, kind->example.nodes, kind->example.item, params);
         i++) {
      const char *wrong = mock_build(&m, kind, params);
      if (i == 0) CHECK_STR(wrong, NULL);
      if (!wrong) {
        difference_size = is_polynomial(&m) ? 4e-3 : 4e-4;
        double e = error(&m);
        difference_size = 4e-3;
        if (!CHECK_LE(e, is_polynomial(&m) ? tolerance : curved)) CHECK_NOTE("%s", m.name);
        worst = worse(worst, e), variants++;
      }
      mock_end(&m);
    }
  }
  CHECK_NOTE("%.1e over %d kinds, %d variants", worst, kinds, variants);
}

static void over_elements(double (*error)(const Mock *), double tolerance) {
  over_elements_of(error, tolerance, tolerance);
}

TEST(element_tables_keep_their_bounds_and_stiffness_is_symmetric) { over_elements(element_table_error, 0); }
TEST(places_along_an_element_lie_between_its_ends) { over_elements(element_station_error, 50 * EPS); }
// Measured 5.6e-14.
TEST(mesh_that_an_element_carries_turns_with_it_and_has_the_stress_of_a_uniform_strain) {
  over_elements(element_mesh_error, 1e-12);
}
TEST(element_has_a_visual_that_lies_on_its_nodes) { over_elements(element_visual_error, 50 * EPS); }
TEST(element_forces_work_the_exact_change_of_strain) { over_elements(element_identity_error, 50 * EPS); }
TEST(element_work_is_change_of_energy_plus_losses_in_every_scheme) { over_elements(element_theorem_error, 50 * EPS); }
// Measured 1.6e-12 and 1.1e-12 of polynomials, 2.7e-12 and 5.8e-12 of lengths.
TEST(element_force_is_the_gradient_of_its_energy) { over_elements_of(element_gradient_error, 1e-11, 1e-10); }
TEST(element_tangent_is_the_derivative_of_its_force) { over_elements_of(element_tangent_error, 1e-11, 1e-10); }
TEST(element_is_free_of_stress_at_the_reference) { over_elements(element_reference_error, 50 * EPS); }
TEST(element_energy_ignores_motion_as_a_whole) { over_elements(element_rigid_error, 100 * EPS); }
// By differences: measured 1.3e-11.
TEST(force_and_moment_through_a_section_are_vectors) { over_elements(element_resultant_error, 1e-9); }
TEST(element_forces_have_no_resultant) { over_elements(element_momentum_error, 50 * EPS); }
TEST(element_inertia_is_never_negative) { over_elements(element_inertia_error, 10 * EPS); }

// The volume between the origin and a face: a triangle, or a bilinear quadrilateral, whose volume is the mean of those
// of its two cuts into triangles.
static double volume_under(int corners, const Vec3 *x) {
  double first = vec3_dot(x[0], vec3_cross(x[1], x[2])) / 6;
  if (corners == 3) return first;
  double cut = first + vec3_dot(x[0], vec3_cross(x[2], x[3])) / 6;
  double other = (vec3_dot(x[0], vec3_cross(x[1], x[3])) + vec3_dot(x[1], vec3_cross(x[2], x[3]))) / 6;
  return 0.5 * (cut + other);
}

// By the faces of the cell, each seen from outside with its corners in the positive sense, in the order of VTK.
static double tetrahedron_volume(const Mock *m, const LimberNodeId *node) {
  static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  double sum = 0;
  for (int f = 0; f < 4; f++) {
    Vec3 x[3];
    for (int j = 0; j < 3; j++) x[j] = m->x[node[faces[f][j]].index][0];
    sum += volume_under(3, x);
  }
  return fabs(sum);
}

static double hexahedron_volume(const Mock *m, const LimberNodeId *node) {
  static const int faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  double sum = 0;
  for (int f = 0; f < 6; f++) {
    Vec3 x[4];
    for (int j = 0; j < 4; j++) x[j] = m->x[node[faces[f][j]].index][0];
    sum += volume_under(4, x);
  }
  return fabs(sum);
}

static double triangle_area(const Mock *m, const LimberNodeId *node) {
  Vec3 a = m->x[node[0].index][0], b = m->x[node[1].index][0], c = m->x[node[2].index][0];
  return 0.5 * vec3_norm(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
}

// The mass that the example of a kind must have: from its fields and where its nodes are, or the number that stands
// beside it.
static double expected_mass(const ElementKind *kind, const Mock *m) {
  double length = m->nnode > 2 ? vec3_norm(vec3_sub(m->x[2][0], m->x[1][0])) : 0;
  int stations;
  const LimberSection *st = mock_section(SECTION_TAPERED, &stations);
  if (!strcmp(kind->name, "beam")) return 0.5 * (st[0].mass + st[1].mass) * length;
  if (!strcmp(kind->name, "bar")) return ((const LimberBar *)kind->example.item)->mass * length;
  if (!strcmp(kind->name, "cable")) return ((const LimberCable *)kind->example.item)->mass * length;
  if (!strcmp(kind->name, "still_water")) {
    const LimberStillWater *s = kind->example.item;
    return s->added_mass * s->density * atan(1) * s->diameter * s->diameter * MOCK_LINE;
  }
  if (!strcmp(kind->name, "reeved_cable")) { // from node to node
    double path = 0;
    for (int i = 1; i + 1 < m->nnode; i++) path += vec3_norm(vec3_sub(m->x[i + 1][0], m->x[i][0]));
    return ((const LimberReevedCable *)kind->example.item)->mass * path;
  }
  if (!strcmp(kind->name, "solid")) {
    const LimberSolid *s = kind->example.item;
    return s->material.density * tetrahedron_volume(m, s->cells.nodes);
  }
  if (!strcmp(kind->name, "membrane")) {
    const LimberMembrane *s = kind->example.item;
    return s->material.density * s->thickness * triangle_area(m, s->cells.nodes);
  }
  if (!strcmp(kind->name, "solid_shell")) {
    const LimberSolidShell *s = kind->example.item;
    return s->material.density * hexahedron_volume(m, s->cells.nodes);
  }
  if (!strcmp(kind->name, "plane_beam")) {
    const LimberPlaneBeam *s = kind->example.item;
    return s->material.density * s->depth * s->width * vec3_norm(vec3_sub(vec3_of(s->end), vec3_of(s->start)));
  }
  return kind->example.mass;
}

TEST(mass_is_what_was_asked_for) {
  static Mock m;
  for (int i = 0; element_kinds[i]; i++) {
    const ElementKind *kind = element_kinds[i];
    double total = 0;
    random_restart(3);
    mock_begin(&m, kind->name, kind->example.nodes);
    CHECK_STR(mock_build(&m, kind, kind->example.item), NULL);
    double expected = expected_mass(kind, &m);
    for (int e = 0; e < m.ncomponents; e++)
      for (int a = 0; a < m.item[e].nnode; a++) {
        Inertia q;
        kind->inertia(m.item[e].data, a, &q);
        CHECK_LE(0, q.m);
        total += q.m;
      }
    if (!CHECK_REL(total, expected, 10 * EPS)) CHECK_NOTE("%s", kind->name);
    mock_end(&m);
  }
}

TEST(strain_and_force_reported_at_a_point_are_those_of_the_energy) {
  static Mock m;
  for (int i = 0; element_kinds[i]; i++) {
    const ElementKind *kind = element_kinds[i];
    random_restart(4);
    mock_begin(&m, kind->name, kind->example.nodes);
    mock_build(&m, kind, kind->example.item);
    MockMotion q;
    motion_random(&m, 1, &q);
    for (int e = 0; e < m.ncomponents; e++) {
      double sum = 0, strain[MAX_ROWS], force[MAX_ROWS];
      Vec3 x[MAX_LOCAL_VECTORS];
      mock_vectors(&m, &m.item[e], q.xn, x);
      for (int g = 0; g < kind->points(m.item[e].data); g++) {
        ElementPoint p;
        element_point(kind, m.item[e].data, g, &p);
        element_forces(kind, m.item[e].data, g, x, strain, force);
        for (int r = 0; r < p.rows.nrow && p.stiffness; r++) sum += 0.5 * p.weight * strain[r] * force[r];
        if (p.stiffness) continue;
        const double h = 1e-5;
        double slope = 0;
        sum += p.response->energy(&p, strain);
        for (int side = -1; side <= 1; side += 2) {
          double beside[MAX_ROWS];
          memcpy(beside, strain, sizeof beside);
          beside[0] += side * h;
          slope += side * p.response->energy(&p, beside) / (2 * h * p.weight);
        }
        CHECK_NEAR(force[0], slope, 1e-9 * (1 + fabs(slope))); // away from kinks
      }
      CHECK_NEAR(element_energy(kind, m.item[e].data, x), sum, 20 * EPS * sum);
    }
    mock_end(&m);
  }
}

TEST(section_axes_turn_with_the_body_and_with_nothing_else) {
  static Mock m;
  int kinds = 0;
  for (int i = 0; element_kinds[i]; i++) {
    const ElementKind *kind = element_kinds[i];
    if (!kind->line.axes) continue;
    kinds++;
    random_restart(5);
    mock_begin(&m, kind->name, kind->example.nodes);
    mock_build(&m, kind, kind->example.item);
    Mat3 turn = random_rotation();
    Vec3 shift = random_vector(3);
    for (int e = 0; e < m.ncomponents; e++) {
      Vec3 x[MAX_LOCAL_VECTORS], y[MAX_LOCAL_VECTORS], before[3], after[3];
      mock_vectors(&m, &m.item[e], m.x, x);
      for (int a = 0, k = 0; a < m.item[e].nnode; a++)
        for (int j = 0; j < node_vectors(m.node[m.item[e].node[a]]); j++, k++)
          y[k] = vec3_add(mat3_apply(turn, x[k]), j ? vec3_zero() : shift);
      for (int g = 0; g < kind->points(m.item[e].data); g++) {
        kind->line.axes(m.item[e].data, g, x, before);
        kind->line.axes(m.item[e].data, g, y, after);
        for (int j = 0; j < 3; j++) CHECK_LE(vec3_norm(vec3_sub(after[j], mat3_apply(turn, before[j]))), 10 * EPS);
      }
    }
    mock_end(&m);
  }
  CHECK_LE(1, kinds);
}

// ---- joints ----

static void over_joints(double (*error)(const Mock *), double tolerance) {
  static Mock m;
  double params[MOCK_PARAMS / sizeof(double)], worst = 0;
  int kinds = 0, variants = 0;
  for (; joint_kinds[kinds]; kinds++) {
    const JointKind *kind = joint_kinds[kinds];
    for (int i = 0; mock_variant(&m, &i, kind->name, &kind->fields, kind->example_nodes, kind->example, params); i++) {
      const char *wrong = mock_joint(&m, kind, params);
      if (i == 0) CHECK_STR(wrong, NULL);
      if (wrong || !mock_moves(&m)) continue;
      double e = error(&m);
      if (!CHECK_LE(e, tolerance)) CHECK_NOTE("%s", m.name);
      worst = worse(worst, e), variants++;
    }
  }
  CHECK_NOTE("%.1e over %d kinds, %d variants", worst, kinds, variants);
}

TEST(joint_rows_have_names_and_units) {
  for (int i = 0; joint_kinds[i]; i++) CHECK(joint_kinds[i]->row_names && joint_kinds[i]->row_units);
}

TEST(joint_tables_keep_their_bounds) { over_joints(joint_table_error, 0); }
TEST(joint_is_closed_at_the_reference) { over_joints(joint_reference_error, 10 * EPS); }
TEST(joint_rows_change_by_exactly_what_forces_act_along) { over_joints(joint_identity_error, 50 * EPS); }
TEST(joint_forces_work_multiplier_times_opening) { over_joints(joint_work_error, 50 * EPS); }
TEST(joint_forces_have_no_resultant) { over_joints(joint_momentum_error, 100 * EPS); }
TEST(joint_tangent_is_the_derivative_of_its_residual) { over_joints(joint_tangent_error, 1e-11); } // 6.8e-13

TEST(mean_rotation_of_an_interface_keeps_the_contract_of_joints) {
  static const double mean[3][INTERFACE_POINTS] = {
      {0.3, -0.5, 0.4, -0.2}, {-0.1, 0.7, 0.2, -0.8}, {0.6, 0.1, -0.9, 0.2}};
  static Mock m;
  InterfaceTie example = {.frame = 1, .points = 4, .mean = mean};
  for (int a = 0; a < INTERFACE_POINTS; a++) example.point[a] = a < 4 ? 2 + a : LIMBER_NONE;
  random_restart(8);
  mock_begin(&m, "interface_rotation", "FPPPP");
  CHECK_STR(mock_joint(&m, &joint_interface_rotation, &example), NULL);
  CHECK(joint_table_error(&m) == 0 && m.joint.rows.nrow == 3 && m.joint.ncoord == 0);
  CHECK_LE(joint_reference_error(&m), 10 * EPS);
  CHECK_LE(joint_identity_error(&m), 50 * EPS);
  CHECK_LE(joint_work_error(&m), 50 * EPS);
  CHECK_LE(joint_momentum_error(&m), 100 * EPS);
  CHECK_LE(joint_tangent_error(&m), 1e-11); // as over_joints
}

TEST(inertia_of_a_coordinate_keeps_the_contract_of_joints) {
  static Mock m;
  const CoordinateInertia example = {0, 3, NULL, 2.3};
  random_restart(7);
  mock_begin(&m, "inertia", "FFP");
  CHECK_STR(mock_joint(&m, &joint_coordinate_inertia, &example), NULL);
  CHECK(joint_table_error(&m) == 0 && m.joint.rows.nrow == 4 && m.joint.ncoord == 1);
  CHECK_LE(joint_reference_error(&m), 10 * EPS);
  CHECK_LE(joint_identity_error(&m), 50 * EPS);
  CHECK_LE(joint_work_error(&m), 50 * EPS);
  CHECK_LE(joint_tangent_error(&m), 1e-11); // as over_joints
  // Only a joint's own motion is coupled: the point follows sqrt(I) times the angle.
  Coords z = {{0.4}};
  double gz[MAX_ROWS];
  Vec3 v[MAX_LOCAL_VECTORS];
  mock_vectors(&m, &m.item[0], m.x, v);
  rows_rate(&m.joint.rows, v, &z, 0, gz);
  CHECK_LE(fabs(gz[0] - sqrt(2.3)), 10 * EPS);
}

// ---- wheels ----

typedef struct { // a step of a wheel's frame
  int stages;
  ForceRule rule;
  Vec3 xn[4], u[MAX_STAGES], c[MAX_STAGES];
  NodeMotion m[MAX_STAGES];
} WheelStep;

static void move_wheel(WheelStep *s) {
  for (int k = 0; k < s->stages; k++) node_motion(NODE_FRAME, s->rule, s->xn, s->u[k], s->c[k], &s->m[k]);
}

static void random_wheel_step(int stages, ForceRule rule, WheelStep *s) {
  *s = (WheelStep){.stages = stages, .rule = rule};
  random_frame(s->xn);
  for (int k = 0; k < stages; k++) s->u[k] = random_vector(1), s->c[k] = random_turn(2.5);
  move_wheel(s);
}

static const WheelMomentum spin_up = {3.7, 5.2}, steady = {3.7, 3.7};

// Work of the moments: that of the motor's reaction alone; and the change of angular momentum, exactly.
static double wheel_work_error(const Wheel *w, WheelMomentum p, int stages, ForceRule rule) {
  static Local out;
  const double h = 0.013;
  double worst = 0;
  WheelStep s;
  random_wheel_step(stages, rule, &s);
  local_begin(&out, stages, 2, true);
  wheel_add(w, stages, h, p, s.xn, s.m, &out);
  for (int k = 0; k < stages; k++) {
    Vec3 moment = vec3_of(out.r + local_at(&out, 1, k)), turn = conjugate_turn(rule, s.c[k]);
    double pk = k ? p.start : p.end;
    Vec3 n0 = wheel_axis(w, s.xn), n1 = wheel_axis(w, s.m[k].x), mean = vec3_mean(n0, n1);
    Vec3 change = vec3_sub(vec3_scale(pk, n1), vec3_scale(p.start, n0));
    double angle = vec3_dot(turn, mean), work = vec3_dot(moment, turn), scale = p.end * (1 + vec3_norm(turn)) / h;
    worst = worse(worst, vec3_norm(vec3_sub(vec3_scale(h, moment), change)) / p.end);
    worst = worse(worst, fabs(work - (pk - p.start) * angle / h) / scale);
    if (k == 0 && !w->driven) { // the motor works on the wheel and on the frame
      double motor = wheel_work(w, h, p, angle, (double[2]){0, 0});
      double torque = (p.end - p.start) / h, mean_speed = 0.5 * (p.start + p.end) / w->inertia;
      worst = worse(worst, fabs(motor - torque * (h * mean_speed - angle)) / (scale * h / w->inertia));
    }
  }
  return worst;
}

// Of the residual `add` by the turn of the frame.
static double wheel_tangent_error(const Wheel *w, int what, int stages, ForceRule rule) {
  static Local out, moved;
  const VectorVelocity v = {.slope = 70, .start = {{0.1, 0.2, 0.3}, {1, -2, 3}, {0.5, 0.4, 0.2}, {-1, 0.3, 2}}};
  double worst = 0, value[4][3];
  WheelStep s, at;
  random_wheel_step(stages, rule, &s);
  for (int k = 0; k < stages; k++)
    for (int i = 0; i < 3; i++) {
      for (int d = -1; d < 4; d++) {
        Local *to = d < 0 ? &out : &moved;
        double c[3];
        at = s;
        vec3_to(at.c[k], c);
        if (d >= 0) c[i] += difference_step(d);
        at.c[k] = vec3_of(c);
        move_wheel(&at);
        local_begin(to, stages, 2, true);
        if (what == 0) wheel_add(w, stages, 0.1, spin_up, at.xn, at.m, to);
        if (what == 1) wheel_add_at_end(w, spin_up, 0.8, &v, at.m, to);
        if (what == 2) wheel_add_rotation(w, 2.3, 0.8, vec3(0.4, -1, 2), at.m, to);
        for (int r = 0; r < 3 && d >= 0; r++) value[d][r] = to->r[local_at(to, 1, k) + r];
      }
      for (int r = 0; r < 3; r++) {
        double f[4] = {value[0][r], value[1][r], value[2][r], value[3][r]};
        worst =
            worse(worst, fabs(extrapolated(f) - out.k[(local_at(&out, 1, k) + r) * out.n + local_at(&out, 1, k) + i]));
      }
    }
  return worst / 100; // of moments of that size
}

TEST(wheels_work_what_their_motors_give_and_keep_angular_momentum) {
  int kinds = 0;
  for (int i = 0; element_kinds[i]; i++) {
    const ElementKind *kind = element_kinds[i];
    static Mock m;
    random_restart(11);
    mock_begin(&m, kind->name, kind->example.nodes);
    CHECK_STR(mock_build(&m, kind, kind->example.item), NULL);
    kinds += m.wheel != NULL;
    for (int driven = 0; driven < 2 && m.wheel; driven++) {
      Wheel w = *m.wheel;
      w.driven = driven;
      for (int stages = 1; stages <= MAX_STAGES; stages++)
        for (int rule = FORCE_CHORD; rule <= FORCE_MEAN; rule++) {
          CHECK_LE(wheel_work_error(&w, spin_up, stages, (ForceRule)rule), 50 * EPS);
          CHECK_LE(wheel_work_error(&w, steady, stages, (ForceRule)rule), 50 * EPS);
          CHECK_LE(wheel_tangent_error(&w, 0, stages, (ForceRule)rule), 1e-9); // 2e-11: differences
        }
      for (int what = 1; what < 3; what++) CHECK_LE(wheel_tangent_error(&w, what, 1, FORCE_END), 1e-9);
    }
    mock_end(&m);
  }
  CHECK_LE(1, kinds);
}

// Motions that a joint takes away; a kind not listed must still have independent rows.
static int expected_rank(const char *name) {
  const struct {
    const char *name;
    int rank;
  } table[] = {{"clamp", 6},        {"weld", 6},           {"spherical", 3},      {"revolute", 5},
               {"cylindrical", 4},  {"prismatic", 5},      {"planar", 3},         {"universal", 4},
               {"screw", 5},        {"point_on_line", 2},  {"point_in_plane", 1}, {"distance", 1},
               {"actuator", 0},     {"rigid_points", 6},   {"gear", 0},           {"belt", 0},
               {"differential", 0}, {"rack_and_pinion", 0}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (!strcmp(table[i].name, name)) return table[i].rank;
  return -1;
}

TEST(joint_takes_away_the_motions_it_should_and_no_more) {
  static Mock m;
  double params[MOCK_PARAMS / sizeof(double)];
  for (int j = 0; joint_kinds[j]; j++) {
    const JointKind *kind = joint_kinds[j];
    for (int i = 0; mock_variant(&m, &i, kind->name, &kind->fields, kind->example_nodes, kind->example, params); i++) {
      if (mock_joint(&m, kind, params) || !mock_moves(&m)) continue;
      int found = joint_rank(&m), expected = expected_rank(kind->name);
      if (!CHECK(found >= 0 && (expected < 0 || found == expected))) CHECK_NOTE("%s: %d", m.name, found);
      CHECK(m.joint.ncoord == kind->ncoord);
    }
  }
}

// Largest g with the nodes at x and the angle z.
static double opening(const Mock *m, Vec3 (*x)[4], double angle) {
  Coords z = {{angle}};
  double worst = 0, g[MAX_ROWS];
  Vec3 v[MAX_LOCAL_VECTORS];
  mock_vectors(m, &m->item[0], x, v);
  rows_value(&m->joint.rows, v, &z, g);
  for (int r = 0; r < m->joint.rows.nrow; r++) worst = worse(worst, fabs(g[r]));
  return worst;
}

// Turns a node by r about a place, then moves it.
static void turn_about(Vec3 x[4], Mat3 r, Vec3 about, Vec3 shift) {
  x[0] = vec3_add(vec3_add(about, shift), mat3_apply(r, vec3_sub(x[0], about)));
  for (int j = 1; j < 4; j++) x[j] = mat3_apply(r, x[j]);
}

static const JointKind *joint_named(const char *name) {
  int i = 0;
  while (joint_kinds[i] && strcmp(joint_kinds[i]->name, name)) i++;
  return joint_kinds[i];
}

// The example of a joint at the reference, in x.
static void begin_joint(Mock *m, const char *name, Vec3 (*x)[4]) {
  const JointKind *kind = joint_named(name);
  random_restart(5);
  mock_begin(m, name, kind->example_nodes);
  CHECK_STR(mock_joint(m, kind, kind->example), NULL);
  memcpy(x, m->x, sizeof m->x);
}

TEST(joint_between_two_nodes_follows_any_motion_as_a_whole) {
  static Mock m;
  Vec3 x[MOCK_NODES][4];
  for (int i = 0; joint_kinds[i]; i++) {
    begin_joint(&m, joint_kinds[i]->name, x);
    if (m.item[0].nnode < 3) continue; // holds to the ground
    for (int trial = 0; trial < 10; trial++) {
      Mat3 r = random_rotation();
      Vec3 about = random_vector(1), shift = random_vector(1);
      for (int n = 1; n < m.nnode; n++) turn_about(x[n], r, about, shift);
      CHECK_LE(opening(&m, x, 0), 200 * EPS);
    }
  }
}

TEST(spherical_joint_lets_both_sides_turn_about_the_shared_point) {
  static Mock m;
  Vec3 x[MOCK_NODES][4];
  for (int trial = 0; trial < 10; trial++) {
    begin_joint(&m, "spherical", x);
    random_restart((unsigned long long)trial);
    Vec3 about = x[2][0], shift = random_vector(1);
    turn_about(x[1], random_rotation(), about, shift);
    turn_about(x[2], random_rotation(), about, shift);
    CHECK_LE(opening(&m, x, 0), 20 * EPS);
    x[2][0].x += 1e-3;
    CHECK_LE(0.9e-3, opening(&m, x, 0));
  }
}

TEST(revolute_angle_is_the_turn_of_the_second_node_about_the_axis) {
  static Mock m;
  Vec3 x[MOCK_NODES][4];
  Vec3 axis = vec3_unit(vec3_of(((const LimberRevolute *)joint_named("revolute")->example)->axis));
  for (double phi = -20; phi < 20; phi += 0.7) {
    begin_joint(&m, "revolute", x);
    Vec3 about = x[2][0];
    turn_about(x[2], rotation_exponential(vec3_scale(phi, axis)), about, vec3_zero());
    CHECK_LE(opening(&m, x, phi), 100 * EPS);
    CHECK_NEAR(opening(&m, x, phi + 0.1), sin(0.1), 100 * EPS);
    Mat3 r = random_rotation(); // and nothing changes when both are carried along
    for (int n = 1; n < 3; n++) turn_about(x[n], r, vec3(1, 2, 3), vec3(3, 2, 1));
    CHECK_LE(opening(&m, x, phi), 200 * EPS);
    turn_about(x[2], rotation_exponential(vec3_scale(1e-3, vec3_normal(mat3_apply(r, axis)))), x[2][0], vec3_zero());
    CHECK_LE(0.5e-3, opening(&m, x, phi));
  }
}

TEST(revolute_torque_turns_the_second_node_forward_and_the_first_back) {
  static Mock m;
  static Local out;
  static LocalMotion it;
  Vec3 x[MOCK_NODES][4], axis = vec3_unit(vec3_of(((const LimberRevolute *)joint_named("revolute")->example)->axis));
  begin_joint(&m, "revolute", x);
  MockMotion q;
  motion_rest(&m, 1, &q);
  q.torque[0].z[0] = q.lambda[0][5] = 1.5; // the last multiplier carries the torque where phi = 0
  motion_item(&m, &q, &m.item[0], FORCE_END, &it);
  local_clear(&out, 1, it.nblock + joint_blocks(&m.joint));
  Tableau t = tableau_end();
  joint_evaluate(&m.joint, &t, 0.01, &no_recall, NULL, NULL, &it, &q.zn, q.zk, q.lambda, q.torque, &out);
  CHECK_NEAR(out.r[3 * it.nblock + 6], 0, 10 * EPS);
  CHECK_NEAR(vec3_dot(axis, vec3_of(&out.r[3 * 1])), 1.5, 10 * EPS);
  CHECK_NEAR(vec3_dot(axis, vec3_of(&out.r[3 * 3])), -1.5, 10 * EPS);
}

TEST(distance_link_lets_its_ends_move_on_spheres) {
  static Mock m;
  Vec3 x[MOCK_NODES][4];
  for (int trial = 0; trial < 10; trial++) {
    begin_joint(&m, "distance", x);
    random_restart((unsigned long long)trial);
    turn_about(x[1], random_rotation(), x[2][0], vec3_zero());
    turn_about(x[2], random_rotation(), x[2][0], vec3_zero());
    CHECK_LE(opening(&m, x, 0), 20 * EPS);
    double length = vec3_norm(vec3_sub(x[1][0], x[2][0]));
    x[1][0] = vec3_axpy(x[1][0], 1e-4, vec3_sub(x[1][0], x[2][0]));
    CHECK_NEAR(opening(&m, x, 0) / length, 1e-4 + 0.5e-8, 20 * EPS); // the multiplier is the force in the link
  }
}

TEST(joint_refuses_what_it_cannot_tie) {
  static Mock m;
  Vec3 x[MOCK_NODES][4];
  const char *const frames[] = {"clamp", "weld", "revolute"};
  for (int i = 0; i < 3; i++) {
    const JointKind *kind = joint_named(frames[i]);
    mock_begin(&m, kind->name, "PP");
    CHECK(mock_joint(&m, kind, kind->example));
  }
  begin_joint(&m, "distance", x);
  m.x[1][0] = m.x[2][0];
  CHECK(mock_joint(&m, joint_named("distance"), joint_named("distance")->example));
  LimberDistance wrong = {.nodes = {{1}, {2}}, .length = 40};
  CHECK(mock_joint(&m, joint_named("distance"), &wrong));
  LimberRevolute no_axis = {.nodes = {{1}, {2}}};
  mock_begin(&m, "revolute", "FF");
  CHECK(mock_joint(&m, joint_named("revolute"), &no_axis));
}

// ---- loads ----

static Load load_of(const LoadKind *kind) {
  Load l = {.target = kind->target};
  CHECK_STR(kind->prepare(kind->example, &l).text, NULL);
  return l;
}

typedef struct { // a load on a node or along an element, and its step
  const Load *l;
  Tableau t;
  Amplitude a;
  NodeKind kind;
  Vec3 x[4], u[2], c[2];
  Case item;
} LoadCase;

static void node_motions(const LoadCase *q, NodeMotion *m) {
  for (int k = 0; k < 2; k++) node_motion(q->kind, q->t.force_rule, q->x, q->u[k], q->c[k], &m[k]);
}

static void evaluate_node_load(void *self, Local *out) {
  const LoadCase *q = self;
  NodeMotion m[2];
  node_motions(q, m);
  local_clear(out, 2, node_blocks(q->kind));
  load_add_node(q->l, &q->t, q->a, q->kind, q->x, m, out);
}

// It works what its residual says, and its tangent is the derivative. A dead force has the potential -F.r; a follower is
// the mean of what it is at both ends where the scheme takes means.
static void check_node_load(const Load *l, NodeKind kind, ForceRule force_rule) {
  static Local out;
  LoadCase q = {.l = l, .t = tableau_any(2, force_rule), .a = {1.7, -0.6}, .kind = kind};
  double *unknown[12];
  NodeMotion m[2];
  NodeLoad load;
  if (l->follower && kind != NODE_FRAME) return;
  random_frame(q.x);
  for (int k = 0; k < 2; k++) q.u[k] = random_vector(1), q.c[k] = random_turn(2.5);
  evaluate_node_load(&q, &out);
  node_motions(&q, m);
  load_on_node(l, &q.t, q.a, q.x, m, &load);
  for (int k = 0; k < 2; k++) {
    double work = -vec3_dot(q.u[k], vec3_of(&out.r[local_at(&out, 0, k)]));
    if (kind == NODE_FRAME) work -= vec3_dot(conjugate_turn(force_rule, q.c[k]), vec3_of(&out.r[local_at(&out, 1, k)]));
    CHECK_NEAR(load_work(load.force[k], load.moment[k], kind, force_rule, q.u[k], q.c[k]), work, 200 * EPS);
    if (!l->follower) CHECK_LE(vec3_norm(vec3_axpy(load.force[k], -amplitude_of(&q.t, q.a, k), l->force)), 20 * EPS);
    if (!l->follower) CHECK_LE(vec3_norm(vec3_axpy(load.moment[k], -amplitude_of(&q.t, q.a, k), l->moment)), 20 * EPS);
  }
  for (int i = 0; i < out.n; i++) {
    Vec3 *v = i / 6 ? q.c : q.u;
    double *at[3] = {&v[i / 3 % 2].x, &v[i / 3 % 2].y, &v[i / 3 % 2].z};
    unknown[i] = at[i % 3];
  }
  CHECK_LE(tangent_error(out.n, unknown, evaluate_node_load, &q), 1e-8);
}

static void evaluate_element_load(void *self, Local *out) {
  const LoadCase *q = self;
  NodeLoad node[MAX_LOCAL_NODES];
  LocalMotion it;
  motion_item(q->item.m, q->item.q, q->item.e, q->t.force_rule, &it);
  local_clear(out, it.s, it.nblock);
  load_on_element(q->l, q->item.m->kind, q->item.e->data, &q->t, q->a, &it, node, out);
}

// Along an element: the same, and what falls on its nodes is the load per length times the length.
static void check_element_load(const Load *l, const ElementKind *kind, ForceRule force_rule) {
  static Local out;
  static Mock m;
  double *unknown[MAX_LOCAL], increment[3 * MAX_LOCAL_BLOCKS] = {0}, length = 0;
  MockMotion q;
  LocalMotion it;
  NodeLoad node[MAX_LOCAL_NODES];
  mock_begin(&m, kind->name, kind->example.nodes);
  CHECK_STR(mock_build(&m, kind, kind->example.item), NULL);
  motion_random(&m, 2, &q);
  LoadCase c = {.l = l,
                .t = tableau_any(2, force_rule),
                .a = {1.7, -0.6},
                .item = {.m = &m, .e = &m.item[0], .t = &c.t, .q = &q}};
  evaluate_element_load(&c, &out);
  motion_item(&m, &q, &m.item[0], force_rule, &it);
  load_on_element(l, kind, m.item[0].data, &c.t, c.a, &it, node, NULL);
  for (int g = 0; g < kind->points(m.item[0].data); g++) {
    double weight, at;
    element_point_position(kind, m.item[0].data, g, &weight, &at);
    length += weight;
  }
  for (int k = 0; k < 2; k++) {
    double work = 0, booked = 0;
    Vec3 force = vec3_zero(), moment = vec3_zero();
    motion_increments(&it, &m.item[0], &q, k, increment);
    for (int b = 0; b < 3 * it.nblock; b++) work -= out.r[local_at(&out, b / 3, k) + b % 3] * increment[b];
    for (int a = 0; a < it.nnode; a++) {
      int n = m.item[0].node[a];
      booked += load_work(node[a].force[k], node[a].moment[k], it.kind[a], force_rule, q.u[n][k], q.c[n][k]);
      force = vec3_add(force, node[a].force[k]), moment = vec3_add(moment, node[a].moment[k]);
    }
    if (force_rule != FORCE_END) CHECK_NEAR(booked, work, 1000 * EPS);
    double f = amplitude_of(&c.t, c.a, k) * length;
    if (!l->follower) CHECK_LE(vec3_norm(vec3_axpy(force, -f, l->force)), 100 * EPS);
    if (!l->follower) CHECK_LE(vec3_norm(vec3_axpy(moment, -f, l->moment)), 100 * EPS);
  }
  motion_unknowns(&it, &m.item[0], &q, unknown);
  CHECK_LE(tangent_error(out.n, unknown, evaluate_element_load, &c), 1e-8);
  mock_end(&m);
}

static void check_element_loads(const Load *l, ForceRule force_rule) {
  for (int i = 0; element_kinds[i]; i++) {
    const ElementKind *kind = element_kinds[i];
    Load dead = *l;
    dead.follower = false;
    if (kind->line.axes) check_element_load(l, kind, force_rule);
    if (kind->line.axes || (kind->line.station && vec3_norm(l->moment) == 0))
      check_element_load(&dead, kind, force_rule);
  }
}

// V = -g.(m r + s_j d_j), on a node of any inertia.
static void check_field(const Load *l, NodeKind kind, ForceRule force_rule) {
  static Local out;
  Inertia q = random_inertia();
  double mass[4][4], change = 0;
  Vec3 x[4], f[4] = {{0, 0, 0}}, u = random_vector(1), c = random_turn(2.5);
  NodeMotion m;
  random_frame(x);
  inertia_ambient(&q, mass);
  const double first[4] = {q.m, q.s.x, q.s.y, q.s.z};
  for (int i = 0; i < 4; i++) CHECK_NEAR(mass[i][0], first[i], 0);
  load_on_mass(l->acceleration, node_vectors(kind), first, f);
  node_motion(kind, force_rule, x, u, c, &m);
  local_clear(&out, 1, node_blocks(kind));
  node_add_force(&out, kind, 0, &m, 0, f);
  for (int i = 0; i < node_vectors(kind); i++) change -= first[i] * vec3_dot(l->acceleration, vec3_sub(m.x[i], x[i]));
  double work = vec3_dot(u, vec3_of(&out.r[0]));
  if (kind == NODE_FRAME) work += vec3_dot(conjugate_turn(force_rule, c), vec3_of(&out.r[3]));
  if (force_rule != FORCE_END) CHECK_NEAR(work, -change, 500 * EPS);
  CHECK_LE(vec3_norm(vec3_axpy(vec3_of(&out.r[0]), -q.m, l->acceleration)), 20 * EPS);
  if (force_rule != FORCE_END || kind == NODE_POINT) return; // the weight acts at the mass centre
  Vec3 arm = mat3_apply(mat3_columns(m.x[1], m.x[2], m.x[3]), q.s);
  CHECK_LE(vec3_norm(vec3_sub(vec3_of(&out.r[3]), vec3_cross(arm, l->acceleration))), 100 * EPS);
}

// Over an interval the torque works torque times the change of the angle, and only through the angle.
static void check_joint_load(const Load *l, ForceRule force_rule) {
  static Mock m;
  static Local out;
  static LocalMotion it;
  Vec3 x[MOCK_NODES][4];
  for (int i = 0; joint_kinds[i]; i++) {
    if (joint_coord(joint_kinds[i], "angle") != 0) continue;
    begin_joint(&m, joint_kinds[i]->name, x);
    MockMotion q;
    motion_random(&m, 2, &q);
    memset(q.lambda, 0, sizeof q.lambda);
    memset(q.torque, 0, sizeof q.torque);
    for (int k = 0; k < 2; k++) q.torque[k].z[0] = 1.7 * l->torque;
    motion_item(&m, &q, &m.item[0], force_rule, &it);
    local_clear(&out, 2, it.nblock + joint_blocks(&m.joint));
    Tableau t = tableau_any(2, force_rule);
    joint_evaluate(&m.joint, &t, 0.01, &no_recall, NULL, NULL, &it, &q.zn, q.zk, q.lambda, q.torque, &out);
    for (int k = 0; k < 2; k++) {
      int nrow = m.joint.rows.nrow, z = local_at(&out, it.nblock + nrow / 3, k) + nrow % 3;
      double zn = q.zn.z[0], zk = q.zk[k].z[0], before = -1.7 * l->torque * zn,
             after = -1.7 * l->torque * zk; // -torque z
      CHECK_NEAR(-out.r[z] * (zk - zn), before - after, 20 * EPS);
      for (int b = 0; b < it.nblock; b++) CHECK(vec3_norm(vec3_of(&out.r[local_at(&out, b, k)])) == 0);
    }
  }
}

TEST(load_works_what_its_residual_says_and_its_tangent_is_the_derivative) {
  for (int i = 0; load_kinds[i]; i++) {
    Load l = load_of(load_kinds[i]);
    random_restart(7);
    for (int force_rule = FORCE_CHORD; force_rule <= FORCE_END; force_rule++)
      for (int kind = NODE_POINT; kind <= NODE_FRAME; kind++) switch (l.target) {
        case LOAD_NODE: check_node_load(&l, (NodeKind)kind, (ForceRule)force_rule); break;
        case LOAD_ELEMENT: check_element_loads(&l, (ForceRule)force_rule); break;
        case LOAD_FIELD: check_field(&l, (NodeKind)kind, (ForceRule)force_rule); break;
        case LOAD_JOINT: check_joint_load(&l, (ForceRule)force_rule); break;
        case LOAD_WHEEL: break; // with the wheels
        }
  }
}

TEST(moment_works_for_small_turns_what_it_works_for_the_angle) {
  Load l = {.moment = {1, -2, 3}};
  for (double t = 1e-9; t < 1e-2; t *= 10) {
    Vec3 c = vec3_scale(t, vec3(0.48, 0.6, 0.64));
    double exact = vec3_dot(l.moment, rotation_vector(rotation_matrix(c)));
    for (int force_rule = FORCE_CHORD; force_rule <= FORCE_MEAN; force_rule++)
      CHECK_REL(load_work(l.force, l.moment, NODE_FRAME, (ForceRule)force_rule, vec3_zero(), c), exact,
                0.1 * t * t + 20 * EPS);
    CHECK_REL(load_work(l.force, l.moment, NODE_FRAME, FORCE_END, vec3_zero(), c), exact, 20 * EPS);
  }
}

CHECK_MAIN
