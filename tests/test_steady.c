// SPDX-License-Identifier: Apache-2.0
// A start in steady rotation: the shape that the rotation gives a beam, and velocities that the scheme keeps.
#include "base/cookie.h"
#include "check_petsc.h"

#include "limber/limber.h"

#include <stdbool.h>
#include <string.h>

static const char *const schemes[] = {"decaying", "preserving", "decaying_a", "decaying_c", "generalized_alpha"};

// A beam of 2.4 m hinged about z at (0.5, 0, 0), with a bend upwards so that rotation also lifts it out of its shape.
static LimberModel rotor(double omega, LimberElementId *beam) {
  LimberSection s = {
      .stiffness =
          {{4.35e6}, {0, 1.40e6}, {0, 0, 2.81e5}, {0, 0, 0, 2.81e3}, {0, 0, 0, 0, 2.33e3}, {0, 0, 0, 0, 0, 2.99e4}},
      .mass = 1.61,
      .inertia = {{1.19e-2}, {0, 8.6e-4}, {0, 0, 1.1e-2}}};
  LimberModel m;
  LimberSectionId section;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddSection(m, "s", 1, &s, &section));
  LimberBeam b = {.from = LIMBER_NO_NODE,
                  .to = LIMBER_NO_NODE,
                  .section = section,
                  .elements = 4,
                  .order = 3,
                  .start = {0.5, 0, 0},
                  .end = {2.8, 0, 0.4},
                  .up = {0, 1, 0}};
  CHECK_OK(LimberModelAddBeam(m, "blade", &b, beam));
  LimberRevolute hinge = {
      .nodes = {LIMBER_GROUND, limber_model_element_node(m, *beam, 0)}, .axis = {0, 0, 1}, .at = (double[]){0, 0, 0}};
  CHECK_OK(LimberModelAddRevolute(m, "hub", &hinge, NULL));
  CHECK_OK(LimberModelAddGravity(
      m, "g", &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  CHECK_OK(LimberModelSetRigidVelocity(m, (double[]){0, 0, 0}, (double[]){0, 0, omega}));
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

typedef struct {
  double lost, swing, rate; // relative loss; how far the tip leaves its height and radius; mean rate of the hub
} RotationTracker;

static RotationTracker turn(const char *scheme, double omega, double h, int steps, bool equilibrium) {
  LimberElementId beam;
  LimberModel m = rotor(omega, &beam);
  LimberRun run;
  LimberOutcome o;
  LimberLedger a, b;
  LimberOptions options = {.cookie = OPTIONS_COOKIE,
                           .scheme = limber_scheme_find(scheme),
                           .rho_inf = 0.5,
                           .beta = 1.0 / 6,
                           .step = h,
                           .equilibrium = equilibrium};
  double x[3], radius = 0, height = 0, angle = 0;
  RotationTracker t = {0};
  CHECK_OK(LimberRunCreate(m, &options, &run));
  CHECK_STR(limber_model_diagnostics(m), "");
  LimberNodeId tip = limber_model_element_node(m, beam, 12);
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
  LimberJointState joint_state;
  CHECK_OK(LimberRunGetJoint(run, (LimberJointId){0}, &joint_state));
  angle = joint_state.coordinate[0];
  t.lost = (a.kinetic + a.strain + a.potential - b.kinetic - b.strain - b.potential) / (a.kinetic + a.strain);
  t.rate = angle / (h * steps);
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
  return t;
}

TEST(a_start_in_equilibrium_turns_on_without_swinging) {
  for (int s = 0; s < 5; s++) {
    RotationTracker at = turn(schemes[s], 20, 2e-3, 300, true), not = turn(schemes[s], 20, 2e-3, 300, false);
    CHECK_NOTE("%s: lost %.1e, tip swings by %.1e m, rate %.9f; from the unloaded shape %.1e, %.1e m", schemes[s],
               at.lost, at.swing, at.rate, not .lost, not .swing);
    CHECK_LE(at.swing, 1e-3 * not .swing);
  }
}

// ---- what turns along, and what forbids a steady rotation ----

static LimberNodeId tip_of(LimberModel m, LimberElementId beam) { return limber_model_element_node(m, beam, 12); }

static void add_drive(LimberModel m, double rate) {
  LimberFunctionId f;
  CHECK_OK(LimberModelAddConstant(m, "f", &(LimberConstant){rate}, &f));
  CHECK_OK(LimberModelAddDrive(m, "motor", &(LimberDrive){{0}, "angle", LIMBER_NO_FUNCTION, f}, NULL));
}

// A blade that is driven, with a force that turns along and one along the axis at its tip.
TEST(loads_that_turn_along_are_part_of_the_steady_shape) {
  for (int s = 0; s < 4; s++) {
    double swing[2] = {0, 0};
    for (int equilibrium = 0; equilibrium < 2; equilibrium++) {
      LimberElementId beam;
      LimberModel m = rotor(20, &beam);
      LimberRun run;
      LimberOutcome o = {.reason = LIMBER_CONVERGED};
      LimberOptions options = {.cookie = OPTIONS_COOKIE,
                               .scheme = limber_scheme_find(schemes[s]),
                               .rho_inf = 0.5,
                               .beta = 1.0 / 6,
                               .step = 2e-3};
      double x[3], radius, height;
      options.equilibrium = equilibrium;
      add_drive(m, 20);
      CHECK_OK(LimberModelAddFollowerForce(m, "push",
                                           &(LimberFollower){tip_of(m, beam), {0, 20, 10}, LIMBER_NO_FUNCTION}, NULL));
      CHECK_OK(LimberModelAddForce(m, "lift", &(LimberForce){tip_of(m, beam), {0, 0, 30}, LIMBER_NO_FUNCTION}, NULL));
      CHECK_OK(LimberRunCreate(m, &options, &run));
      if (!CHECK_STR(limber_model_diagnostics(m), "")) return;
      CHECK_OK(LimberRunGetNode(run, tip_of(m, beam), x, NULL, NULL, NULL));
      radius = hypot(x[0], x[1]), height = x[2];
      for (int i = 0; i < 300 && o.reason == LIMBER_CONVERGED; i++) {
        CHECK_OK(LimberRunStep(run, &o));
        CHECK_OK(LimberRunGetNode(run, tip_of(m, beam), x, NULL, NULL, NULL));
        swing[equilibrium] = fmax(swing[equilibrium], fmax(fabs(hypot(x[0], x[1]) - radius), fabs(x[2] - height)));
      }
      CHECK_INT(o.reason, LIMBER_CONVERGED);
      CHECK_OK(LimberRunDestroy(&run));
      CHECK_OK(LimberModelDestroy(&m));
    }
    CHECK_NOTE("%s: tip swings by %.1e m, from the unloaded shape by %.1e m", schemes[s], swing[1], swing[0]);
    CHECK_LE(swing[1], 1e-3 * swing[0]);
  }
}

enum { GRAVITY, FORCE, TORQUE, FOLLOWER, SPRING, DAMPER, DRIVE, AXIS, CENTRE, OWN, LATER, CASES };
static const char *const words[CASES] = {
    [GRAVITY] = "gravity 'across' has a component normal to the axis",
    [FORCE] = "force 'side' has a component normal to the axis",
    [TORQUE] = "torque 'twist' changes the speed of the rotation, because revolute 'hub' turns freely",
    [FOLLOWER] = "or follower_force 'push' changes the speed and no drive prescribes it",
    [SPRING] = "spring 'tie' connects a rotating part to the ground",
    [DAMPER] = "damper, friction or a limit of revolute 'brake' changes the speed",
    [DRIVE] =
        "20 rad/s about [0, 0, 1] through [0, 0, 0], contradicts drive 'motor', which moves revolute 'hub' at the "
        "rate 10",
    [AXIS] = "20 rad/s about [0, 1, 0] through [0, 0, 0], contradicts revolute 'hub'",
    [CENTRE] = "20 rad/s about [0, 0, 1] through [1, 0, 0], contradicts revolute 'hub'",
    [OWN] = "has an initial velocity that differs",
    [LATER] = NULL, // a force that begins after the start forbids nothing
};

static void forbid(LimberModel m, LimberElementId beam, int what) {
  LimberNodeId tip = tip_of(m, beam);
  LimberFunctionId f;
  const double ground[3] = {3, 0, 0};
  switch (what) {
  case GRAVITY:
    CHECK_OK(LimberModelAddGravity(m, "across", &(LimberGravity){{0, 1, -9}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
    break;
  case FORCE: CHECK_OK(LimberModelAddForce(m, "side", &(LimberForce){tip, {0, 1, 0}, LIMBER_NO_FUNCTION}, NULL)); break;
  case TORQUE:
    CHECK_OK(LimberModelAddTorque(m, "twist",
                                  &(LimberTorque){.joint = {0}, .value = 1, .amplitude = LIMBER_NO_FUNCTION}, NULL));
    break;
  case FOLLOWER:
    CHECK_OK(LimberModelAddFollowerForce(m, "push", &(LimberFollower){tip, {0, 10, 0}, LIMBER_NO_FUNCTION}, NULL));
    break;
  case SPRING: {
    LimberSpring tie = {.nodes = {LIMBER_GROUND, tip}, .at = {ground, NULL}, .law = {.stiffness = 1}};
    CHECK_OK(LimberModelAddSpring(m, "tie", &tie, NULL));
    break;
  }
  case DAMPER: {
    LimberRevolute brake = {.nodes = {LIMBER_GROUND, limber_model_element_node(m, beam, 0)},
                            .axis = {0, 0, 1},
                            .at = (double[]){0, 0, 0},
                            .law = {{.damping = 1}}};
    CHECK_OK(LimberModelAddRevolute(m, "brake", &brake, NULL));
    break;
  }
  case DRIVE: add_drive(m, 10); break;
  case AXIS: CHECK_OK(LimberModelSetRigidVelocity(m, (double[]){0, 0, 0}, (double[]){0, 20, 0})); break;
  case CENTRE: CHECK_OK(LimberModelSetRigidVelocity(m, (double[]){0, -20, 0}, (double[]){0, 0, 20})); break;
  case OWN: CHECK_OK(LimberModelSetVelocity(m, tip, (double[]){1, 2, 3}, (double[]){0, 0, 20})); break;
  case LATER:
    CHECK_OK(LimberModelAddRamp(m, "later", &(LimberRamp){0, 1, 1, 2}, &f));
    CHECK_OK(LimberModelAddForce(m, "side", &(LimberForce){tip, {0, 1, 0}, f}, NULL));
    break;
  }
}

TEST(what_forbids_a_steady_rotation_is_named) {
  for (int i = 0; i < CASES; i++) {
    LimberElementId beam;
    LimberModel m = rotor(20, &beam);
    LimberRun run = NULL;
    LimberOptions options = {
        .cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_DECAYING_C, .step = 2e-3, .equilibrium = 1};
    forbid(m, beam, i);
    CHECK_STR(limber_model_diagnostics(m), "");
    CHECK_OK(LimberRunCreate(m, &options, &run));
    CHECK_INT(run != NULL, words[i] == NULL);
    if (words[i] && !CHECK(strstr(limber_model_diagnostics(m), words[i])))
      CHECK_NOTE("%s\n  wanted: %s", limber_model_diagnostics(m), words[i]);
    CHECK_OK(LimberRunDestroy(&run));
    CHECK_OK(LimberModelDestroy(&m));
  }
}

CHECK_MAIN_PETSC
