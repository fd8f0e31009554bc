// SPDX-License-Identifier: Apache-2.0
// A start in steady rotation: the shape that the rotation gives a beam, and velocities that the scheme keeps.
#include "check_petsc.h"

#include "limber/limber.h"

#include <stdbool.h>

static const char *const schemes[] = {"decaying", "preserving", "decaying_a", "decaying_c", "generalized_alpha"};

// A beam of 2.4 m hinged about z at (0.5, 0, 0), with a bend upwards so that rotation also lifts it out of its shape.
static LimberModel rotor(double omega, LimberId *beam) {
  LimberSection s = {
      .stiffness =
          {{4.35e6}, {0, 1.40e6}, {0, 0, 2.81e5}, {0, 0, 0, 2.81e3}, {0, 0, 0, 0, 2.33e3}, {0, 0, 0, 0, 0, 2.99e4}},
      .mass = 1.61,
      .inertia = {{1.19e-2}, {0, 8.6e-4}, {0, 0, 1.1e-2}}};
  LimberModel m;
  LimberId section;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddSection(m, "s", 1, &s, &section));
  LimberBeam b = {.from = LIMBER_NONE,
                  .to = LIMBER_NONE,
                  .section = section,
                  .elements = 4,
                  .order = 3,
                  .start = {0.5, 0, 0},
                  .end = {2.8, 0, 0.4},
                  .up = {0, 1, 0}};
  CHECK_OK(LimberModelAddElement(m, "beam", "blade", &b, beam));
  LimberRevolute hinge = {
      .nodes = {LIMBER_GROUND, limber_model_element_node(m, *beam, 0)}, .axis = {0, 0, 1}, .at = (double[]){0, 0, 0}};
  CHECK_OK(LimberModelAddJoint(m, "revolute", "hub", &hinge, NULL));
  CHECK_OK(LimberModelAddLoad(m, "gravity", "g",
                              &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NONE}, NULL));
  CHECK_OK(LimberModelSetRigidVelocity(m, (double[]){0, 0, 0}, (double[]){0, 0, omega}));
  CHECK_STR(limber_model_notes(m), "");
  return m;
}

typedef struct {
  double lost, swing, rate; // relative loss; how far the tip leaves its height and radius; mean rate of the hub
} Turn;

static Turn turn(const char *scheme, double omega, double h, int steps, bool equilibrium) {
  LimberId beam;
  LimberModel m = rotor(omega, &beam);
  LimberRun run;
  LimberOutcome o;
  LimberLedger a, b;
  LimberOptions options = {.scheme = scheme, .rho_inf = 0.5, .beta = 1.0 / 6, .step = h, .equilibrium = equilibrium};
  double x[3], radius = 0, height = 0, angle = 0;
  Turn t = {0};
  CHECK_OK(LimberRunCreate(m, &options, &run));
  CHECK_STR(limber_model_notes(m), "");
  LimberId tip = limber_model_element_node(m, beam, 12);
  CHECK_OK(LimberRunGetLedger(run, &a));
  CHECK_OK(LimberRunGetNode(run, tip, x, NULL, NULL, NULL));
  radius = hypot(x[0], x[1]), height = x[2];
  for (int i = 0; i < steps; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    CHECK_INT(o.reason, LIMBER_CONVERGED);
    CHECK_OK(LimberRunGetNode(run, tip, x, NULL, NULL, NULL));
    t.swing = fmax(t.swing, fmax(fabs(hypot(x[0], x[1]) - radius), fabs(x[2] - height)));
  }
  CHECK_OK(LimberRunGetLedger(run, &b));
  CHECK_OK(LimberRunGetJoint(run, 0, NULL, NULL, &angle));
  t.lost = (a.kinetic + a.strain + a.potential - b.kinetic - b.strain - b.potential) / (a.kinetic + a.strain);
  t.rate = angle / (h * steps);
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
  return t;
}

TEST(a_start_in_equilibrium_turns_on_without_swinging) {
  for (int s = 0; s < 5; s++) {
    Turn at = turn(schemes[s], 20, 2e-3, 300, true), not = turn(schemes[s], 20, 2e-3, 300, false);
    CHECK_NOTE("%s: lost %.1e, tip swings by %.1e m, rate %.9f; from the unloaded shape %.1e, %.1e m", schemes[s],
               at.lost, at.swing, at.rate, not .lost, not .swing);
    CHECK_LE(at.swing, 1e-3 * not .swing);
  }
}

CHECK_MAIN_PETSC
