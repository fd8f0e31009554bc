// SPDX-License-Identifier: Apache-2.0
// The start of a run: short steps from rest, what floats, velocities of elastic parts behind a drive. On one rank and on two.
#include "check_petsc.h"

#include <limber/limber.h>
#include <stdbool.h>
#include <string.h>

static const char *const schemes[] = {"preserving", "decaying_a", "decaying_b", "decaying_c", "generalized_alpha"};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

static LimberOptions options_of(const char *scheme, double step) {
  return (LimberOptions){.scheme = scheme, .rho_inf = 0.5, .beta = 1.0 / 6, .step = step};
}

// A round rod of steel, 10 mm thick.
static LimberId rod_section(LimberModel m) {
  const double pi = 3.14159265358979323846, d = 0.01, area = pi * d * d / 4, i = pi * d * d * d * d / 64, e = 210e9,
               g = e / 2.6, rho = 7850, c[6] = {e * area, 0.9 * g * area, 0.9 * g * area, 2 * g * i, e * i, e * i};
  LimberSection s = {.mass = rho * area, .inertia = {{2 * rho * i, 0, 0}, {0, rho * i, 0}, {0, 0, rho * i}}};
  LimberId id;
  for (int k = 0; k < 6; k++) s.stiffness[k][k] = c[k];
  CHECK_OK(LimberModelAddSection(m, "rod", 1, &s, &id));
  return id;
}

// ---- a crank, an elastic rod, a piston ----

static const double radius = 0.04, length = 0.15;

typedef struct {
  LimberModel m;
  LimberId crank, big, small, piston, rod, hinge;
} Slider;

static LimberId body(LimberModel m, const char *name, const double *at, double mass, double inertia) {
  LimberId node;
  CHECK_OK(LimberModelAddFrame(m, name, at, NULL, &node));
  CHECK_OK(LimberModelAddElement(m, "rigid_body", name,
                                 &(LimberRigidBody){node, mass, {0}, {inertia, inertia, inertia}}, NULL));
  return node;
}

static LimberId hinge(LimberModel m, const char *name, LimberId a, LimberId b) {
  LimberId joint;
  LimberRevolute r = {.nodes = {a, b}, .axis = {0, 0, 1}};
  CHECK_OK(LimberModelAddJoint(m, "revolute", name, &r, &joint));
  return joint;
}

// The crank at the angle phi; its hinge turns at the rate that a function of the kind gives.
static Slider slider(double phi, const char *kind, const void *function) {
  double x = radius * cos(phi), y = radius * sin(phi), end = x + sqrt(length * length - y * y);
  LimberPrismatic bore = {.axis = {1, 0, 0}};
  LimberId f;
  Slider s;
  CHECK_OK(LimberModelCreate(&s.m));
  s.crank = body(s.m, "crank", (double[]){0, 0, 0}, 1, 1e-3);
  CHECK_OK(LimberModelAddFrame(s.m, "big", (double[]){x, y, 0}, NULL, &s.big));
  CHECK_OK(LimberModelAddFrame(s.m, "small", (double[]){end, 0, 0}, NULL, &s.small));
  s.piston = body(s.m, "piston", (double[]){end, 0, 0}, 0.5, 1e-4);
  LimberBeam rod = {
      .from = s.big, .to = s.small, .section = rod_section(s.m), .elements = 6, .order = 2, .up = {0, 0, 1}};
  rod.damping = 2e-6;
  CHECK_OK(LimberModelAddElement(s.m, "beam", "rod", &rod, &s.rod));
  s.hinge = hinge(s.m, "main", LIMBER_GROUND, s.crank);
  hinge(s.m, "bigend", s.crank, s.big);
  hinge(s.m, "pin", s.piston, s.small);
  bore.nodes[0] = LIMBER_GROUND, bore.nodes[1] = s.piston;
  CHECK_OK(LimberModelAddJoint(s.m, "prismatic", "bore", &bore, NULL));
  CHECK_OK(LimberModelAddFunction(s.m, kind, "f", function, &f));
  CHECK_OK(LimberModelAddLoad(s.m, "drive", "motor", &(LimberDrive){s.hinge, "angle", LIMBER_NONE, f}, NULL));
  CHECK_STR(limber_model_notes(s.m), "");
  return s;
}

// ---- short steps from rest ----

TEST(a_ramp_from_rest_starts_at_any_step) {
  static const double steps[] = {1e-8, 1e-6, 1e-5, 5e-5, 1e-3, 1e-2};
  for (int i = 0; i < SCHEMES; i++)
    for (int k = 0; k < 6; k++) {
      Slider s = slider(0, "ramp", &(LimberRamp){0, 314, 0, 0.04});
      LimberOptions options = options_of(schemes[i], steps[k]);
      LimberRun run = NULL;
      LimberOutcome o = {.reason = LIMBER_CONVERGED};
      double angle = 0, t = 3 * steps[k], asked = 0.5 * 314 / 0.04 * t * t;
      CHECK_OK(LimberRunCreate(s.m, &options, &run));
      CHECK_STR(limber_model_notes(s.m), "");
      if (!CHECK(run)) return;
      for (int n = 0; n < 3 && o.reason == LIMBER_CONVERGED; n++) CHECK_OK(LimberRunStep(run, &o));
      CHECK_INT(o.reason, LIMBER_CONVERGED);
      CHECK_OK(LimberRunGetJoint(run, s.hinge, NULL, NULL, &angle));
      CHECK_NEAR(angle, asked, 1e-12 * asked + 1e-15);
      CHECK_OK(LimberRunDestroy(&run));
      CHECK_OK(LimberModelDestroy(&s.m));
    }
}

// Two frames with mass and without moments of inertia on ball joints.
TEST(what_floats_is_refused_by_name_at_any_step) {
  static const double steps[] = {1e-8, 1e-6, 1e-4, 1e-2};
  for (int i = 0; i < SCHEMES; i++)
    for (int k = 0; k < 4; k++) {
      LimberModel m;
      LimberId bob;
      LimberRun run = NULL;
      LimberOptions options = options_of(schemes[i], steps[k]);
      CHECK_OK(LimberModelCreate(&m));
      CHECK_OK(LimberModelAddFrame(m, "bob", (double[]){1, 0, 0}, NULL, &bob));
      CHECK_OK(LimberModelAddElement(m, "mass", NULL, &(LimberMass){bob, 2}, NULL));
      CHECK_OK(LimberModelAddJoint(m, "spherical", "ball", &(LimberSpherical){.nodes = {LIMBER_GROUND, bob}}, NULL));
      CHECK_OK(LimberModelAddLoad(m, "gravity", "g",
                                  &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NONE}, NULL));
      CHECK_OK(LimberRunCreate(m, &options, &run));
      CHECK(!run);
      if (!CHECK(strstr(limber_model_notes(m), "node 'bob' moves without mass")))
        CHECK_NOTE("%s", limber_model_notes(m));
      CHECK_OK(LimberRunDestroy(&run));
      CHECK_OK(LimberModelDestroy(&m));
    }
}

CHECK_MAIN_PETSC
