// SPDX-License-Identifier: Apache-2.0
// The start of a run: short steps from rest, what floats, velocities of elastic parts behind a drive. On one rank and on two.
#include "base/cookie.h"
#include "check_petsc.h"
#include "solid.h"

#include "model/model.h"
#include <stdbool.h>
#include <string.h>

static const char *const schemes[] = {"preserving", "decaying_a", "decaying_b", "decaying_c", "generalized_alpha"};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

static LimberOptions options_of(const char *scheme, double step) {
  return (LimberOptions){
      .cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(scheme), .rho_inf = 0.5, .beta = 1.0 / 6, .step = step};
}

// A round rod of steel, 10 mm thick.
static LimberSectionId rod_section(LimberModel m) {
  const double pi = 3.14159265358979323846, d = 0.01, area = pi * d * d / 4, i = pi * d * d * d * d / 64, e = 210e9,
               g = e / 2.6, rho = 7850, c[6] = {e * area, 0.9 * g * area, 0.9 * g * area, 2 * g * i, e * i, e * i};
  LimberSection s = {.mass = rho * area, .inertia = {{2 * rho * i, 0, 0}, {0, rho * i, 0}, {0, 0, rho * i}}};
  LimberSectionId id;
  for (int k = 0; k < 6; k++) s.stiffness[k][k] = c[k];
  CHECK_OK(LimberModelAddSection(m, "rod", 1, &s, &id));
  return id;
}

// ---- a crank, an elastic rod, a piston ----

static const double radius = 0.04, length = 0.15;

typedef struct {
  LimberModel m;
  LimberNodeId crank, big, small, piston;
  LimberElementId rod;
  LimberJointId hinge;
} Slider;

static LimberNodeId body(LimberModel m, const char *name, const double *at, double mass, double inertia) {
  LimberNodeId node;
  CHECK_OK(LimberModelAddFrame(m, name, at, NULL, &node));
  CHECK_OK(LimberModelAddRigidBody(m, name, &(LimberRigidBody){node, mass, {0}, {inertia, inertia, inertia}}, NULL));
  return node;
}

static LimberJointId hinge(LimberModel m, const char *name, LimberNodeId a, LimberNodeId b) {
  LimberJointId joint;
  LimberRevolute r = {.nodes = {a, b}, .axis = {0, 0, 1}};
  CHECK_OK(LimberModelAddRevolute(m, name, &r, &joint));
  return joint;
}

// The crank at the angle phi; its hinge turns at the rate that a function of the kind gives.
static Slider slider(double phi, const char *kind, const void *function) {
  double x = radius * cos(phi), y = radius * sin(phi), end = x + sqrt(length * length - y * y);
  LimberPrismatic bore = {.axis = {1, 0, 0}};
  LimberFunctionId f;
  Slider s;
  CHECK_OK(LimberModelCreate(&s.m));
  s.crank = body(s.m, "crank", (double[]){0, 0, 0}, 1, 1e-3);
  CHECK_OK(LimberModelAddFrame(s.m, "big", (double[]){x, y, 0}, NULL, &s.big));
  CHECK_OK(LimberModelAddFrame(s.m, "small", (double[]){end, 0, 0}, NULL, &s.small));
  s.piston = body(s.m, "piston", (double[]){end, 0, 0}, 0.5, 1e-4);
  LimberBeam rod = {
      .from = s.big, .to = s.small, .section = rod_section(s.m), .elements = 6, .order = 2, .up = {0, 0, 1}};
  rod.damping = 2e-6;
  CHECK_OK(LimberModelAddBeam(s.m, "rod", &rod, &s.rod));
  s.hinge = hinge(s.m, "main", LIMBER_GROUND, s.crank);
  hinge(s.m, "bigend", s.crank, s.big);
  hinge(s.m, "pin", s.piston, s.small);
  bore.nodes[0] = LIMBER_GROUND, bore.nodes[1] = s.piston;
  CHECK_OK(LimberModelAddPrismatic(s.m, "bore", &bore, NULL));
  CHECK_OK(ModelAddFunction(s.m, kind, "f", function, &f.index));
  CHECK_OK(LimberModelAddDrive(s.m, "motor", &(LimberDrive){s.hinge, "angle", LIMBER_NO_FUNCTION, f}, NULL));
  CHECK_STR(limber_model_diagnostics(s.m), "");
  return s;
}

// ---- short steps from rest ----

TEST(a_ramp_from_rest_starts_at_any_step) {
  static const double steps[] = {1e-8, 1e-6, 1e-5, 5e-5, 1e-3, 1e-2};
  for (int i = 0; i < SCHEMES; i += CHECK_EVERY(SCHEMES - 1))
    for (int k = 0; k < 6; k++) {
      Slider s = slider(0, "ramp", &(LimberRamp){0, 314, 0, 0.04});
      LimberOptions options = options_of(schemes[i], steps[k]);
      LimberRun run = NULL;
      LimberOutcome o = {.reason = LIMBER_CONVERGED};
      double angle = 0, t = 3 * steps[k], asked = 0.5 * 314 / 0.04 * t * t;
      CHECK_OK(LimberRunCreate(s.m, &options, &run));
      CHECK_STR(limber_model_diagnostics(s.m), "");
      if (!CHECK(run)) return;
      for (int n = 0; n < 3 && o.reason == LIMBER_CONVERGED; n++) CHECK_OK(LimberRunStep(run, &o));
      CHECK_INT(o.reason, LIMBER_CONVERGED);
      LimberJointState joint_state;
      CHECK_OK(LimberRunGetJoint(run, s.hinge, &joint_state));
      angle = joint_state.coordinate[0];
      CHECK_NEAR(angle, asked, 1e-12 * asked + 1e-15);
      CHECK_OK(LimberRunDestroy(&run));
      CHECK_OK(LimberModelDestroy(&s.m));
    }
}

// Two frames with mass and without moments of inertia on ball joints.
TEST(what_floats_is_refused_by_name_at_any_step) {
  static const double steps[] = {1e-8, 1e-6, 1e-4, 1e-2};
  for (int i = 0; i < SCHEMES; i += CHECK_EVERY(SCHEMES - 1))
    for (int k = 0; k < 4; k++) {
      LimberModel m;
      LimberNodeId bob;
      LimberRun run = NULL;
      LimberOptions options = options_of(schemes[i], steps[k]);
      CHECK_OK(LimberModelCreate(&m));
      CHECK_OK(LimberModelAddFrame(m, "bob", (double[]){1, 0, 0}, NULL, &bob));
      CHECK_OK(LimberModelAddMass(m, NULL, &(LimberMass){bob, 2}, NULL));
      CHECK_OK(LimberModelAddSpherical(m, "ball", &(LimberSpherical){.nodes = {LIMBER_GROUND, bob}}, NULL));
      CHECK_OK(LimberModelAddGravity(
          m, "g", &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
      CHECK_OK(LimberRunCreate(m, &options, &run));
      CHECK(!run);
      if (!CHECK(strstr(limber_model_diagnostics(m), "node 'bob' has no mass")))
        CHECK_NOTE("%s", limber_model_diagnostics(m));
      CHECK_OK(LimberRunDestroy(&run));
      CHECK_OK(LimberModelDestroy(&m));
    }
}

// ---- what is elastic behind a drive ----

static const double speed = 314.15926535897931; // 3000 rpm

// The largest difference of a node of the rod from a rigid rod's velocity, and of its angular velocity times the length. h: of the steps
// of a scheme whose rates are tangents, 0 of others.
static double off_the_rigid_rod(LimberRun run, Slider s, double phi, double h) {
  double sine = radius * sin(phi) / length, cosine = sqrt(1 - sine * sine), worst = 0;
  double rate = h > 0 ? 2 * tan(0.5 * h * speed) / h : speed;
  double turn = -rate * radius * cos(phi) / (length * cosine); // of the rod, about z
  double reported = h > 0 ? 2 * atan(0.5 * h * turn) / h : turn;
  for (int i = 0; i <= 12; i++) {
    double at = length * i / 12, v[3], w[3];
    CHECK_OK(LimberRunGetNode(run, limber_model_element_node(s.m, s.rod, i), NULL, NULL, v, w));
    double vx = -rate * radius * sin(phi) + turn * at * sine, vy = rate * radius * cos(phi) + turn * at * cosine;
    worst = fmax(worst, fmax(fabs(v[0] - vx), fmax(fabs(v[1] - vy), fabs(v[2]))));
    worst = fmax(worst, length * fmax(fabs(w[2] - reported), fmax(fabs(w[0]), fabs(w[1]))));
  }
  return worst;
}

TEST(an_elastic_rod_behind_a_drive_at_speed_starts_as_a_rigid_one) {
  for (int i = 0; i < SCHEMES; i += CHECK_EVERY(SCHEMES - 1))
    for (int k = 0; k < 4; k++) {
      double phi = 0.7 * k, v[3];
      Slider s = slider(phi, "constant", &(LimberConstant){speed});
      LimberOptions options = options_of(schemes[i], 2e-5);
      LimberRun run;
      CHECK_OK(LimberRunCreate(s.m, &options, &run));
      CHECK_STR(limber_model_diagnostics(s.m), "");
      double h = strcmp(schemes[i], "preserving") && strcmp(schemes[i], "decaying") ? 0 : 2e-5;
      double off = off_the_rigid_rod(run, s, phi, h) / (speed * radius);
      CHECK_OK(LimberRunGetNode(run, s.piston, NULL, NULL, v, NULL));
      double sine = radius * sin(phi) / length, beta = radius * cos(phi) / (length * sqrt(1 - sine * sine));
      double piston =
          -speed * (radius * sin(phi) + length * sine * beta) * (h > 0 ? tan(0.5 * h * speed) / (0.5 * h * speed) : 1);
      if (!i)
        CHECK_NOTE("phi %.1f: rod off by %.1e, piston by %.1e of the pin's velocity", phi, off,
                   fabs(v[0] - piston) / (speed * radius));
      CHECK_LE(off, 1e-10);
      CHECK_LE(fabs(v[0] - piston), 1e-10 * speed * radius);
      CHECK_OK(LimberRunDestroy(&run));
      CHECK_OK(LimberModelDestroy(&s.m));
    }
}

// Bending moment of a rigid rod between its hinges, under its inertia at the angle phi of the crank: a load that is straight
// from qa to qb, at the place x of the length l.
static double rigid_moment(double phi, double x, double mass) {
  double l = length, sine = radius * sin(phi) / l, cosine = sqrt(1 - sine * sine);
  double rate = speed * radius * cos(phi) / (l * cosine);
  double second = (-speed * speed * radius * sin(phi) / l + rate * rate * sine) / cosine;
  double pin[2] = {-speed * speed * radius * cos(phi), -speed * speed * radius * sin(phi)};
  double piston = pin[0] - l * (second * sine + rate * rate * cosine);
  double qa = -mass * (pin[0] * sine + pin[1] * cosine), qb = -mass * piston * sine;
  return qa * x * (l - x) / 2 + (qb - qa) * x * (l * l - x * x) / (6 * l);
}

TEST(a_rod_at_speed_starts_without_ringing) {
  const double at = length * (0.5 + (0.5 - 0.5 / sqrt(3)) / 6); // of the integration point in the middle
  const double mass = 7850 * 3.14159265358979323846 * 0.01 * 0.01 / 4;
  for (int i = 0; i < SCHEMES; i += CHECK_EVERY(SCHEMES - 1)) {
    Slider s = slider(0, "constant", &(LimberConstant){speed});
    LimberOptions options = options_of(schemes[i], 2e-5);
    LimberRun run;
    LimberOutcome o = {.reason = LIMBER_CONVERGED};
    double most = 0, rigid = 0, off = 0;
    CHECK_OK(LimberRunCreate(s.m, &options, &run));
    for (int n = 0; n < 1000 && o.reason == LIMBER_CONVERGED; n++) {
      double strain[6], force[6];
      CHECK_OK(LimberRunStep(run, &o));
      LimberSectionForces section_state;
      CHECK_OK(LimberRunGetForces(run, s.rod, 6, &section_state));
      memcpy(strain, section_state.strain, sizeof strain);
      memcpy(force, section_state.force, sizeof force);
      double m = fabs(force[4]) + fabs(force[5]), expected = fabs(rigid_moment(speed * o.time, at, mass));
      most = fmax(most, m), rigid = fmax(rigid, expected), off = fmax(off, fabs(m - expected));
    }
    CHECK_INT(o.reason, LIMBER_CONVERGED);
    CHECK_NOTE("%s: %.3f N m, a rigid rod %.3f N m; farthest apart by %.3f N m", schemes[i], most, rigid, off);
    CHECK_LE(off, 0.2 * rigid);
    CHECK_OK(LimberRunDestroy(&run));
    CHECK_OK(LimberModelDestroy(&s.m));
  }
}

// A hub on a hinge about z at the origin that is driven at 20 rad/s, with a blade of beams from it to 1 m.
typedef struct {
  LimberModel m;
  LimberNodeId hub;
  LimberElementId blade;
  LimberJointId hinge;
} Rotor;

static Rotor rotor(double drive) {
  Rotor r;
  LimberFunctionId f;
  CHECK_OK(LimberModelCreate(&r.m));
  r.hub = body(r.m, "hub", (double[]){0, 0, 0}, 1, 1e-3);
  LimberBeam b = {.from = r.hub, .to = LIMBER_NO_NODE, .section = rod_section(r.m), .elements = 8, .order = 2};
  b.end[0] = 1, b.up[2] = 1;
  CHECK_OK(LimberModelAddBeam(r.m, "blade", &b, &r.blade));
  r.hinge = hinge(r.m, "shaft", LIMBER_GROUND, r.hub);
  CHECK_OK(LimberModelAddConstant(r.m, "f", &(LimberConstant){drive}, &f));
  CHECK_OK(LimberModelAddDrive(r.m, "motor", &(LimberDrive){r.hinge, "angle", LIMBER_NO_FUNCTION, f}, NULL));
  return r;
}

// By how much the nodes of the blade are off the rotation at that rate, at its tip one of 1; all but one of them. `factor`: on velocities.
static double off_the_rotation(LimberRun run, Rotor r, double rate, double factor, LimberNodeId but) {
  double worst = 0;
  for (int i = 0; i <= 16; i++) {
    LimberNodeId node = limber_model_element_node(r.m, r.blade, i);
    double v[3], w[3];
    CHECK_OK(LimberRunGetNode(run, node, NULL, NULL, v, w));
    if (node.index == but.index) continue;
    worst = fmax(worst, fabs(v[0]) + fabs(v[1] - factor * rate * i / 16) + fabs(v[2]));
    worst = fmax(worst, fabs(w[0]) + fabs(w[1]) + fabs(w[2] - rate));
  }
  return worst / rate;
}

TEST(velocities_that_fit_a_drive_are_left_as_they_are) {
  Rotor r = rotor(20);
  LimberOptions options = options_of("preserving", 1e-3);
  LimberRun run;
  CHECK_OK(LimberModelSetRigidVelocity(r.m, (double[]){0, 0, 0}, (double[]){0, 0, 20}));
  CHECK_OK(LimberRunCreate(r.m, &options, &run));
  CHECK_STR(limber_run_remarks(run), "");
  // a step of the scheme turns by 0.02 rad, and its velocities are tangents: 3.3e-5 larger
  CHECK_LE(off_the_rotation(run, r, 20, tan(0.01) / 0.01, LIMBER_NO_NODE),
           1e-8); // measured 9.5e-10: bodies are 1e4 times as stiff, not rigid, where their path is looked for
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&r.m));
  r = rotor(0);
  CHECK_OK(LimberRunCreate(r.m, &options, &run));
  CHECK_STR(limber_run_remarks(run), "");
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&r.m));
}

TEST(a_drive_corrects_a_motion_that_does_not_fit_as_a_whole) {
  Rotor r = rotor(20);
  LimberOptions options = options_of("decaying_c", 1e-3);
  LimberRun run;
  CHECK_OK(LimberModelSetRigidVelocity(r.m, (double[]){0, 0, 0}, (double[]){0, 0, 10}));
  CHECK_OK(LimberRunCreate(r.m, &options, &run));
  double off = off_the_rotation(run, r, 20, 1, LIMBER_NO_NODE);
  CHECK_NOTE("off by %.1e", off);
  CHECK_LE(off, 1e-10);
  CHECK(strstr(limber_run_remarks(run), "initial velocities violated"));
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&r.m));
}

// A node in the blade is struck: it keeps what it was given, and the rest of the blade turns.
TEST(a_node_with_a_velocity_of_its_own_keeps_it) {
  for (int driven = 0; driven < 2; driven++) {
    Rotor r = rotor(driven ? 20 : 0);
    LimberNodeId node = limber_model_element_node(r.m, r.blade, 9);
    LimberOptions options = options_of("decaying_c", 1e-3);
    LimberRun run;
    double v[3], w[3], tip[3];
    CHECK_OK(LimberModelSetVelocity(r.m, node, (double[]){0, 0, 3}, (double[]){0, 0, 0}));
    CHECK_OK(LimberRunCreate(r.m, &options, &run));
    CHECK_OK(LimberRunGetNode(run, node, NULL, NULL, v, w));
    CHECK_OK(LimberRunGetNode(run, limber_model_element_node(r.m, r.blade, 16), NULL, NULL, tip, NULL));
    CHECK_NEAR(v[0], 0, 1e-15);
    CHECK_NEAR(v[1], 0, 1e-15);
    CHECK_NEAR(v[2], 3, 1e-15);
    if (driven) CHECK_LE(off_the_rotation(run, r, 20, 1, node), 1e-10);
    else CHECK_NEAR(tip[0] * tip[0] + tip[1] * tip[1] + tip[2] * tip[2], 0, 0);
    CHECK_OK(LimberRunDestroy(&run));
    CHECK_OK(LimberModelDestroy(&r.m));
  }
}

// A trolley that is driven upwards at 2 m/s, from which a load hangs on a cable, and beside it one on a spring.
TEST(a_load_on_a_cable_follows_and_one_on_a_spring_does_not) {
  LimberModel m;
  LimberNodeId trolley, load, other;
  LimberElementId cable;
  LimberJointId slide;
  LimberFunctionId f;
  LimberRun run;
  LimberOptions options = options_of("decaying_c", 1e-3);
  double v[3], off = 0;
  CHECK_OK(LimberModelCreate(&m));
  trolley = body(m, "trolley", (double[]){0, 0, 0}, 1, 1e-3);
  CHECK_OK(LimberModelAddPoint(m, "load", (double[]){0, 0, -5}, &load));
  CHECK_OK(LimberModelAddPoint(m, "other", (double[]){0, 0, -2}, &other));
  CHECK_OK(LimberModelAddMass(m, NULL, &(LimberMass){load, 50}, NULL));
  CHECK_OK(LimberModelAddMass(m, NULL, &(LimberMass){other, 5}, NULL));
  CHECK_OK(LimberModelAddCable(m, "rope", &(LimberCable){trolley, load, 10, .stiffness = 1e6, .mass = 0.2}, &cable));
  CHECK_OK(
      LimberModelAddSpring(m, "spring", &(LimberSpring){.nodes = {trolley, other}, .law = {.stiffness = 1e4}}, NULL));
  CHECK_OK(LimberModelAddPrismatic(m, "lift", &(LimberPrismatic){.nodes = {LIMBER_GROUND, trolley}, .axis = {0, 0, 1}},
                                   &slide));
  CHECK_OK(LimberModelAddConstant(m, "f", &(LimberConstant){2}, &f));
  CHECK_OK(LimberModelAddDrive(m, "winch", &(LimberDrive){slide, "slide", LIMBER_NO_FUNCTION, f}, NULL));
  CHECK_STR(limber_model_diagnostics(m), "");
  CHECK_OK(LimberRunCreate(m, &options, &run));
  for (int i = 0; i <= 10; i++) {
    CHECK_OK(LimberRunGetNode(run, limber_model_element_node(m, cable, i), NULL, NULL, v, NULL));
    off = fmax(off, fabs(v[0]) + fabs(v[1]) + fabs(v[2] - 2));
  }
  CHECK_NOTE("cable off by %.1e of 2 m/s", off / 2);
  CHECK_LE(off, 1e-10);
  CHECK_OK(LimberRunGetNode(run, other, NULL, NULL, v, NULL));
  CHECK_NEAR(fabs(v[0]) + fabs(v[1]) + fabs(v[2]), 0, 1e-15);
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

// A solid bolted to a hub that is driven at 20 rad/s about an axis of its own.
TEST(a_solid_on_a_driven_hub_turns_with_it) {
  const LimberMaterial material = {.E = 70e9, .nu = 0.3, .density = 2700};
  const Box box = {LIMBER_HEXAHEDRON, {8, 2, 2}, {0.8, 0.1, 0.1}, 0.1, false};
  const LimberOptions options = options_of("decaying_c", 1e-3);
  LimberNodeId hub;
  LimberJointId shaft;
  LimberFunctionId f;
  LimberRun run;
  BoxModel b;
  double off = 0;
  CHECK_OK(BoxCreate(&box, &material, "block", &b));
  hub = body(b.model, "hub", (double[]){0, 0.05, 0.05}, 1, 1e-2);
  for (int j = 0; j < b.m[1]; j++)
    for (int k = 0; k < b.m[2]; k++)
      CHECK_OK(LimberModelAddRigidTie(b.model, NULL, &(LimberRigidTie){hub, box_node(&b, 0, j, k)}, NULL));
  shaft = hinge(b.model, "shaft", LIMBER_GROUND, hub);
  CHECK_OK(LimberModelAddConstant(b.model, "f", &(LimberConstant){20}, &f));
  CHECK_OK(LimberModelAddDrive(b.model, "motor", &(LimberDrive){shaft, "angle", LIMBER_NO_FUNCTION, f}, NULL));
  CHECK_STR(limber_model_diagnostics(b.model), "");
  CHECK_OK(LimberRunCreate(b.model, &options, &run));
  for (int i = 1; i < limber_model_nodes(b.model); i++) {
    double x[3], v[3];
    CHECK_OK(LimberRunGetNode(run, (LimberNodeId){i}, x, NULL, v, NULL));
    off = fmax(off, fabs(v[0] + 20 * (x[1] - 0.05)) + fabs(v[1] - 20 * x[0]) + fabs(v[2]));
  }
  CHECK_NOTE("off by %.1e of 16 m/s", off / 16);
  CHECK_LE(off, 16 * 1e-10);
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(BoxDestroy(&b));
}

CHECK_MAIN_PETSC
