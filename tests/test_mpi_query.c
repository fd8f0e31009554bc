// SPDX-License-Identifier: Apache-2.0
// What may be asked of the state: places along beams, reactions of joints, energies of items.
#include "check_petsc.h"

#include "analyses/stepping/observable.h"

static const char *const schemes[] = {"decaying", "preserving", "decaying_c", "generalized_alpha"};

static LimberSectionId add_section(LimberModel m, double soft) {
  LimberSection s = {.mass = 0.3, .centre = {0.002, -0.001}};
  const double stiffness[6] = {1e6, 4e5, 4e5, 20, 30, 50}, inertia[3] = {3e-4, 1e-4, 2e-4};
  LimberSectionId id;
  for (int i = 0; i < 6; i++) s.stiffness[i][i] = soft * stiffness[i];
  for (int i = 0; i < 3; i++) s.inertia[i][i] = inertia[i];
  CHECK_OK(LimberModelAddSection(m, "s", 1, &s, &id));
  return id;
}

static LimberRun run_of(LimberModel m, const char *scheme, double step) {
  LimberOptions o;
  LimberRun run = NULL;
  o = limber_options_default();
  o.scheme = limber_scheme_find(scheme), o.step = step;
  CHECK_OK(LimberRunCreate(m, &o, &run));
  CHECK_STR(limber_model_diagnostics(m), "");
  return run;
}

static void steps(LimberRun run, int count) {
  LimberOutcome o;
  for (int i = 0; i < count; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) return;
  }
}

// A beam, turned and twisted against its end nodes, that flies and bends.
typedef struct {
  LimberModel model;
  LimberRun run;
  LimberElementId beam, body, rod;
  LimberNodeId node[2];
} Flyer;

static Flyer fly(const char *scheme, int order, int count) {
  Flyer f = {0};
  const double axes[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
  LimberNodeId point;
  CHECK_OK(LimberModelCreate(&f.model));
  LimberSectionId section = add_section(f.model, 0.01);
  CHECK_OK(LimberModelAddFrame(f.model, "a", (double[]){0, 0, 0}, axes, &f.node[0]));
  CHECK_OK(LimberModelAddFrame(f.model, "b", (double[]){1, 0.5, 0}, NULL, &f.node[1]));
  CHECK_OK(LimberModelAddPoint(f.model, "p", (double[]){1, 1, 0}, &point));
  LimberBeam beam = {f.node[0], f.node[1], section, .elements = 3, .order = order, .twist = 0.5};
  CHECK_OK(LimberModelAddBeam(f.model, "beam", &beam, &f.beam));
  CHECK_OK(LimberModelAddRigidBody(f.model, "body",
                                   &(LimberRigidBody){f.node[1], 0.4, {0, 0.01, 0}, {1e-3, 2e-3, 2e-3}}, &f.body));
  CHECK_OK(LimberModelAddBar(f.model, "rod", &(LimberBar){.nodes = {f.node[1], point}, .stiffness = 1e3, .mass = 0.2},
                             &f.rod));
  CHECK_OK(LimberModelAddGravity(f.model, "g",
                                 &(LimberGravity){.acceleration = {1, 2, -9}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  CHECK_OK(LimberModelSetRigidVelocity(f.model, (double[]){1, 0, 2}, (double[]){1, 2, 5}));
  f.run = run_of(f.model, scheme, 1e-3);
  steps(f.run, count);
  return f;
}

static void land(Flyer *f) {
  CHECK_OK(LimberRunDestroy(&f->run));
  CHECK_OK(LimberModelDestroy(&f->model));
}

static double difference(const double *a, const double *b, int n) {
  double off = 0;
  for (int i = 0; i < n; i++) off = fmax(off, fabs(a[i] - b[i]));
  return off;
}

// ---- stations ----

TEST(a_station_at_a_node_moves_as_the_node) {
  static const double place[] = {0, 1.0 / 3, 2.0 / 3, 1};
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++)
    for (int order = 1; order <= 3; order++) {
      Flyer f = fly(schemes[k], order, 20);
      for (int i = 0; i < 4; i++) {
        StateSample node, station;
        double *n = node.all, *s = station.all;
        LimberNodeId id = limber_model_element_node(f.model, f.beam, i * order);
        CHECK_OK(LimberRunGetNode(f.run, id, n, n + 3, n + 12, n + 15));
        CHECK_OK(LimberRunGetStation(f.run, f.beam, place[i], s, s + 3, s + 12, s + 15));
        CHECK_LE(difference(n, s, 3), 4e-15);
        CHECK_LE(difference(n + 12, s + 12, 6), 1e-13);                     // of speeds up to 8
        if (i == 1 || i == 2) CHECK_LE(difference(n + 3, s + 3, 9), 4e-15); // at the ends the nodes have other axes
      }
      land(&f);
    }
}

TEST(a_station_at_an_integration_point_has_its_forces) {
  for (int order = 1; order <= 3; order++) {
    Flyer f = fly("decaying_c", order, 20);
    int points = limber_model_element_points(f.model, f.beam);
    CHECK_INT(points, 3 * order);
    for (int g = 0; g < points; g++) {
      double e1[6], e2[6], f1[6], f2[6];
      int own = g, rows;
      ElementPoint p = {0};
      const ModelElement *el = model_component_point(f.model, f.beam.index, &own);
      el->kind->point(el->data, own, &p);
      LimberSectionForces section_state;
      CHECK_OK(LimberRunGetForces(f.run, f.beam, g, &section_state));
      memcpy(e1, section_state.strain, sizeof e1);
      memcpy(f1, section_state.force, sizeof f1);
      LimberSectionForces station_state;
      CHECK_OK(LimberRunGetStationForces(f.run, f.beam, (g / order + p.at) / 3, &station_state));
      rows = station_state.rows;
      memcpy(e2, station_state.strain, sizeof e2);
      memcpy(f2, station_state.force, sizeof f2);
      CHECK_INT(rows, 6);
      CHECK_LE(difference(e1, e2, 6), 1e-14); // of strains up to 1e-2
      for (int r = 0; r < 6; r++) CHECK_NEAR(f1[r], f2[r], 1e-13 * (r < 3 ? 1e4 : 1));
    }
    land(&f);
  }
}

// At the start a beam that is straight, twisted or not, moves as a rigid body to the last bit but few.
TEST(a_station_of_a_rigidly_moving_beam_has_the_exact_motion) {
  for (int order = 1; order <= 3; order++) {
    Flyer f = fly("decaying_c", order, 0);
    for (int k = 0; k <= 30; k++) {
      double at = k / 30.0, s[18], x[3] = {at, 0.5 * at, 0}, v[3], w[3] = {1, 2, 5};
      vec3_to(vec3_add(vec3(1, 0, 2), vec3_cross(vec3_of(w), vec3_of(x))), v);
      CHECK_OK(LimberRunGetStation(f.run, f.beam, at, s, s + 3, s + 12, s + 15));
      CHECK_LE(difference(s, x, 3), 1e-15);
      CHECK_LE(difference(s + 12, v, 3), 1e-14);
      CHECK_LE(difference(s + 15, w, 3), 1e-14);
      double along[3] = {2 / sqrt(5), 1 / sqrt(5), 0}; // the first axis of the section
      CHECK_LE(difference(s + 3, along, 3), 1e-15);
    }
    land(&f);
  }
}

// Between nodes: rates against differences over a step of the motion itself.
TEST(velocities_of_a_station_are_the_rates_of_its_motion) {
  const double h = 1e-4, at = 0.37;
  Flyer f = {0};
  LimberOptions o;
  double x[3][18];
  f = fly("preserving", 2, 0);
  CHECK_OK(LimberRunDestroy(&f.run));
  o = limber_options_default();
  o.scheme = LIMBER_SCHEME_PRESERVING, o.step = h, o.tolerance = 1e-14;
  CHECK_OK(LimberRunCreate(f.model, &o, &f.run));
  steps(f.run, 200);
  for (int k = 0; k < 3; k++) {
    CHECK_OK(LimberRunGetStation(f.run, f.beam, at, x[k], x[k] + 3, x[k] + 12, x[k] + 15));
    if (k < 2) steps(f.run, 1);
  }
  Vec3 w = vec3_zero();
  double worst = 0;
  for (int i = 0; i < 3; i++) worst = fmax(worst, fabs((x[2][i] - x[0][i]) / (2 * h) - x[1][12 + i]));
  for (int j = 0; j < 3; j++) {
    double rate[3];
    for (int i = 0; i < 3; i++) rate[i] = (x[2][3 + 3 * j + i] - x[0][3 + 3 * j + i]) / (2 * h);
    w = vec3_axpy(w, 0.5, vec3_cross(vec3_of(x[1] + 3 + 3 * j), vec3_of(rate)));
  }
  double spin[3];
  vec3_to(w, spin);
  CHECK_NOTE("velocity off by %.1e, angular velocity by %.1e", worst, difference(spin, x[1] + 15, 3));
  CHECK_LE(worst, 4e-6);                          // 1.3e-6
  CHECK_LE(difference(spin, x[1] + 15, 3), 6e-4); // 2.2e-4, as h^2
  land(&f);
}

TEST(axes_of_a_station_are_orthonormal) {
  Flyer f = fly("decaying_c", 1, 50);
  for (int k = 0; k <= 20; k++) {
    double e[9];
    CHECK_OK(LimberRunGetStation(f.run, f.beam, k / 20.0, NULL, e, NULL, NULL));
    for (int i = 0; i < 3; i++)
      for (int j = 0; j <= i; j++) CHECK_NEAR(vec3_dot(vec3_of(e + 3 * i), vec3_of(e + 3 * j)), i == j, 4e-15);
  }
  land(&f);
}

// ---- energies ----

TEST(energies_of_items_add_up_to_the_ledger) {
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
    Flyer f = fly(schemes[k], 3, 30);
    LimberLedger l;
    double sum[3] = {0}, part[3];
    for (int i = 0; i < 3; i++) {
      CHECK_OK(LimberRunGetEnergy(f.run, (LimberElementId){i}, &part[0], &part[1], &part[2]));
      for (int j = 0; j < 3; j++) sum[j] += part[j];
      if (i == f.body.index) CHECK_NEAR(part[1], 0, 0);
    }
    CHECK_OK(LimberRunGetLedger(f.run, &l));
    CHECK_REL(sum[0], l.kinetic, 1e-14);
    CHECK_REL(sum[1], l.strain, 1e-14);
    CHECK_NEAR(sum[2], l.potential, 1e-14 * l.kinetic);
    land(&f);
  }
}

// ---- reactions ----

// A bob on a hinge: force on the bob m (a - g), moment about the bob J alpha, on the hinge's second node.
typedef struct {
  LimberModel model;
  LimberRun run;
  LimberNodeId bob;
  LimberJointId joint;
} Pendulum;

static const double mass = 2, arm = 0.5, inertia = 0.03, gravity = 9.81;

static Pendulum hang(const char *scheme, const char *joint, bool bob_first, double x, double z, double step) {
  Pendulum p = {0};
  CHECK_OK(LimberModelCreate(&p.model));
  CHECK_OK(LimberModelAddFrame(p.model, "bob", (double[]){x, 0, z}, NULL, &p.bob));
  CHECK_OK(
      LimberModelAddRigidBody(p.model, "bob", &(LimberRigidBody){p.bob, mass, {0}, {inertia, inertia, inertia}}, NULL));
  LimberRevolute hinge = {.nodes = {LIMBER_GROUND, p.bob}, .axis = {0, -1, 0}};
  if (bob_first) hinge.nodes[0] = p.bob, hinge.nodes[1] = LIMBER_GROUND; // they meet where the second stands
  LimberClamp clamp = {p.bob};
  CHECK_OK(*joint == 'c' ? LimberModelAddClamp(p.model, "joint", &clamp, &p.joint)
                         : LimberModelAddRevolute(p.model, "joint", &hinge, &p.joint));
  CHECK_OK(LimberModelAddGravity(
      p.model, "g", &(LimberGravity){.acceleration = {0, 0, -gravity}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  p.run = run_of(p.model, scheme, step);
  return p;
}

static void take_down(Pendulum *p) {
  CHECK_OK(LimberRunDestroy(&p->run));
  CHECK_OK(LimberModelDestroy(&p->model));
}

TEST(a_clamp_carries_the_weight) {
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
    Pendulum p = hang(schemes[k], "clamp", false, 0.2, 0.1, 1e-2);
    double force[3], moment[3];
    LimberJointState joint_state;
    CHECK_OK(LimberRunGetJoint(p.run, p.joint, &joint_state));
    memcpy(force, joint_state.force, sizeof force);
    memcpy(moment, joint_state.moment, sizeof moment);
    CHECK_LE(difference(force, (double[]){0, 0, mass * gravity}, 3), 1e-9); // before the first step
    steps(p.run, 5);
    CHECK_OK(LimberRunGetJoint(p.run, p.joint, &joint_state));
    memcpy(force, joint_state.force, sizeof force);
    memcpy(moment, joint_state.moment, sizeof moment);
    CHECK_LE(difference(force, (double[]){0, 0, mass * gravity}, 3), 1e-11); // 1e-14 m/h^2 of the place
    CHECK_LE(difference(moment, (double[]){0, 0, 0}, 3), 1e-11);
    take_down(&p);
  }
}

// theta from the vertical, release at theta = pi/2. With k = J + m L^2:  k theta'' = -m g L sin theta,
// theta'^2 = 2 m g L cos theta / k. Tension, force across and moment on the ground about the hinge are elementary.
static double pendulum_error(const char *scheme, double h, double *rate_error) {
  const double k = inertia + mass * arm * arm;
  Pendulum p = hang(scheme, "revolute", true, arm, 0, h);
  double worst = 0, before = asin(1), force[3], moment[3], angle, rate,
         mean = !strcmp(scheme, "generalized_alpha") ? 0 : 0.5;
  *rate_error = 0;
  for (int i = 0; i < (int)(0.3 / h + 0.5); i++) {
    double x[3];
    steps(p.run, 1);
    CHECK_OK(LimberRunGetNode(p.run, p.bob, x, NULL, NULL, NULL));
    LimberJointState joint_state;
    CHECK_OK(LimberRunGetJoint(p.run, p.joint, &joint_state));
    memcpy(force, joint_state.force, sizeof force);
    memcpy(moment, joint_state.moment, sizeof moment);
    rate = joint_state.rate[0];
    angle = joint_state.coordinate[0];
    double after = atan2(x[0], -x[2]), theta = after - mean * (after - before), fall = mass * gravity * arm / k;
    double tension = mass * (gravity * cos(theta) + arm * 2 * fall * cos(theta));
    double across = mass * (gravity * sin(theta) - arm * fall * sin(theta)); // on the ground, against the motion
    double expected[3] = {tension * sin(theta) - across * cos(theta), 0, -tension * cos(theta) - across * sin(theta)};
    worst = fmax(worst,
                 fmax(difference(force, expected, 3), difference(moment, (double[]){0, 0, 0}, 3)) / (mass * gravity));
    // the angle is that of the ground against the bob about -y; theta falls
    // early on the rate follows from a small way, in which the first step of a scheme with a memory counts
    if (i * h > 0.05 || strcmp(scheme, "decaying"))
      *rate_error = fmax(*rate_error, fabs(fabs(rate) - sqrt(2 * fall * fmax(0, cos(after)))));
    CHECK_NEAR(fabs(angle), asin(1) - after, 1e-10);
    before = after;
  }
  take_down(&p);
  return worst;
}

TEST(the_reaction_of_a_pendulum_is_the_analytic_one) {
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
    double r1, r2, e1 = pendulum_error(schemes[k], 4e-3, &r1), e2 = pendulum_error(schemes[k], 2e-3, &r2);
    CHECK_NOTE("%s: force off by %.1e and %.1e of the weight, rate by %.1e and %.1e rad/s", schemes[k], e1, e2, r1, r2);
    CHECK_LE(e2, 1e-4);
    CHECK_LE(3.5, e1 / e2); // of second order
    CHECK_LE(r2, 4e-4);
  }
}

// ---- ranks ----

TEST(many_questions_have_the_answers_of_single_ones) {
  Flyer f = fly("decaying_c", 3, 10);
  Model m = f.model;
  Observable q[] = {{.kind = OBSERVABLE_NODE, .id = f.node[0].index},
                    {.kind = OBSERVABLE_ENERGY, .id = f.beam.index},
                    observable_station(m, OBSERVABLE_STATION, f.beam.index, 0.9),
                    observable_station(m, OBSERVABLE_SECTION, f.beam.index, 0.9),
                    observable_point(m, f.beam.index, 8),
                    observable_station(m, OBSERVABLE_STATION, f.rod.index, 0.25)};
  enum { COUNT = sizeof q / sizeof q[0] };
  StateSample all[COUNT], one;
  CHECK_OK(SystemSample(f.run->stepper->s, COUNT, q, all));
  for (int i = 0; i < COUNT; i++) {
    double size = 0;
    CHECK_OK(SystemSample(f.run->stepper->s, 1, &q[i], &one));
    CHECK_LE(difference(one.all, all[i].all, 18), 0);
    for (int k = 0; k < 18; k++) size = fmax(size, fabs(one.all[k]));
    CHECK_LE(1e-6, size);
  }
  land(&f);
}

CHECK_MAIN_PETSC
