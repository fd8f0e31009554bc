// SPDX-License-Identifier: Apache-2.0
// Prescribed motion: what a drive asks for is met, what it gives stands in the ledger, and decaying schemes do not burn it.
#include "base/cookie.h"
#include "check_petsc.h"

#include "model/model.h"

#include <stdbool.h>

static const char *const schemes[] = {"decaying", "preserving", "decaying_a", "decaying_c", "generalized_alpha"};

// An arm of 1 m and 2 kg about y at the origin, a second one hinged to its end, under gravity.
typedef struct {
  LimberModel m;
  LimberNodeId arm, second;
  LimberJointId hinge, elbow;
  LimberLoadId drive;
} Arms;

static Arms arms(const char *kind, const void *function, bool rate) {
  Arms a;
  LimberFunctionId f;
  const double inertia = 2.0 / 12;
  CHECK_OK(LimberModelCreate(&a.m));
  CHECK_OK(ModelAddFunction(a.m, kind, "f", function, &f.index));
  CHECK_OK(LimberModelAddFrame(a.m, "arm", (double[]){0.5, 0, 0}, NULL, &a.arm));
  CHECK_OK(LimberModelAddFrame(a.m, "second", (double[]){1, 0, -0.5}, NULL, &a.second));
  CHECK_OK(LimberModelAddRigidBody(a.m, "arm", &(LimberRigidBody){a.arm, 2, {0}, {1e-3, inertia, inertia}}, NULL));
  CHECK_OK(
      LimberModelAddRigidBody(a.m, "second", &(LimberRigidBody){a.second, 2, {0}, {inertia, inertia, 1e-3}}, NULL));
  CHECK_OK(LimberModelAddRevolute(
      a.m, "hinge", &(LimberRevolute){.nodes = {LIMBER_GROUND, a.arm}, .axis = {0, 1, 0}, .at = (double[]){0, 0, 0}},
      &a.hinge));
  CHECK_OK(LimberModelAddRevolute(
      a.m, "elbow", &(LimberRevolute){.nodes = {a.arm, a.second}, .axis = {0, 1, 0}, .at = (double[]){1, 0, 0}},
      &a.elbow));
  CHECK_OK(LimberModelAddGravity(
      a.m, "g", &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  CHECK_OK(LimberModelAddDrive(
      a.m, "motor", &(LimberDrive){a.hinge, "angle", rate ? LIMBER_NO_FUNCTION : f, rate ? f : LIMBER_NO_FUNCTION},
      &a.drive));
  CHECK_STR(limber_model_diagnostics(a.m), "");
  return a;
}

typedef struct {
  LimberLedger ledger;
  double angle, rate, tip[3], work, miss;
} Driven;

static Driven drive(Arms a, const char *scheme, double h, int steps, double (*expected)(double)) {
  LimberRun run;
  LimberOutcome o;
  LimberOptions options = {
      .cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(scheme), .rho_inf = 0.5, .beta = 1.0 / 6, .step = h};
  Driven d = {.miss = 0};
  CHECK_OK(LimberRunCreate(a.m, &options, &run));
  for (int i = 0; i < steps; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) break;
    LimberJointState joint_state;
    CHECK_OK(LimberRunGetJoint(run, a.hinge, &joint_state));
    d.angle = joint_state.coordinate[0];
    d.miss = fmax(d.miss, fabs(d.angle - expected(o.time)));
  }
  LimberJointState joint_state;
  CHECK_OK(LimberRunGetJoint(run, a.hinge, &joint_state));
  d.rate = joint_state.rate[0];
  CHECK_OK(LimberRunGetLedger(run, &d.ledger));
  CHECK_OK(LimberRunGetLoadWork(run, a.drive, &d.work));
  CHECK_OK(LimberRunGetNode(run, a.second, d.tip, NULL, NULL, NULL));
  CHECK_OK(LimberRunDestroy(&run));
  return d;
}

static double swings(double t) { return 0.8 * sin(4 * t); }
static double turns(double t) { return 3 * t; }

TEST(a_driven_angle_is_met_and_its_work_closes_the_ledger) {
  const double pi = 3.14159265358979323846;
  double end[5][3];
  for (int s = 0; s < 5; s++) {
    Arms a = arms("sine", &(LimberSine){.amplitude = 0.8, .frequency = 4 / (2 * pi)}, false);
    Driven d = drive(a, schemes[s], 1e-3, 2000, swings);
    CHECK_NOTE("%s: miss %.1e, rate %.6f, work %.6f J, lost %.1e J, account %.1e of %.3g J", schemes[s], d.miss, d.rate,
               d.work, d.ledger.dissipated, d.ledger.worst_residual, d.ledger.exchanged);
    CHECK_LE(d.miss, 1e-12);
    CHECK_LE(d.ledger.worst_residual, 1e-10 * d.ledger.exchanged);
    CHECK_NEAR(d.ledger.drives, d.work, 1e-9);
    CHECK_LE(fabs(d.ledger.dissipated), 1e-4 * d.ledger.exchanged);
    CHECK_NEAR(d.rate, 3.2 * cos(8), 1e-3);
    memcpy(end[s], d.tip, sizeof d.tip);
    CHECK_OK(LimberModelDestroy(&a.m));
  }
  for (int s = 1; s < 5; s++)
    for (int i = 0; i < 3; i++) CHECK_NEAR(end[s][i], end[0][i], 1e-3);
}

TEST(a_driven_rate_turns_steadily) {
  for (int s = 0; s < 5; s++) {
    Arms a = arms("constant", &(LimberConstant){3}, true);
    Driven d = drive(a, schemes[s], 1e-3, 1000, turns);
    CHECK_NOTE("%s: miss %.1e, rate %.6f, work %.6f J, lost %.1e J, account %.1e of %.3g J, at %.6f %.6f", schemes[s],
               d.miss, d.rate, d.work, d.ledger.dissipated, d.ledger.worst_residual, d.ledger.exchanged, d.tip[0],
               d.tip[2]);
    CHECK_LE(d.miss, 1e-11);
    CHECK_LE(d.ledger.worst_residual, 1e-10 * d.ledger.exchanged);
    CHECK_OK(LimberModelDestroy(&a.m));
  }
}

// A frame that a guide leads along x and about z, a pendulum hung to it; and the work of the two drives by what they move.
TEST(a_guide_leads_a_frame_and_holds_what_nothing_drives) {
  const double pi = 3.14159265358979323846;
  for (int s = 0; s < 5; s++) {
    LimberModel m;
    LimberNodeId base, bob;
    LimberJointId guide;
    LimberFunctionId f[2];
    LimberRun run;
    LimberOutcome o;
    LimberLedger l;
    LimberOptions options = {.cookie = OPTIONS_COOKIE,
                             .scheme = limber_scheme_find(schemes[s]),
                             .rho_inf = 0.5,
                             .beta = 1.0 / 6,
                             .step = 1e-3};
    double x[3], axes[9], z[4], rate[4], angle = 0;
    CHECK_OK(LimberModelCreate(&m));
    CHECK_OK(LimberModelAddSine(m, "shake", &(LimberSine){.amplitude = 0.2, .frequency = 5 / (2 * pi)}, &f[0]));
    CHECK_OK(LimberModelAddSmoothStep(m, "turn", &(LimberRamp){0, 2, 0, 1}, &f[1]));
    CHECK_OK(LimberModelAddFrame(m, "base", (double[]){0.1, 0.2, 0.3}, NULL, &base));
    CHECK_OK(LimberModelAddRigidBody(m, "base", &(LimberRigidBody){base, 1, {0.1, 0, 0}, {1, 1, 1}}, NULL));
    CHECK_OK(LimberModelAddFrame(m, "bob", (double[]){0.1, 0.2, -0.5}, NULL, &bob));
    CHECK_OK(LimberModelAddRigidBody(m, "bob", &(LimberRigidBody){bob, 1, {0}, {0.1, 0.1, 0.1}}, NULL));
    CHECK_OK(LimberModelAddPrescribedMotion(m, "guide", &(LimberPrescribedMotion){base, {0, 0, 0}}, &guide));
    CHECK_OK(LimberModelAddSpherical(m, "ball",
                                     &(LimberSpherical){.nodes = {base, bob}, .at = (double[]){0.1, 0.2, 0.3}}, NULL));
    CHECK_OK(LimberModelAddGravity(
        m, "g", &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
    CHECK_OK(LimberModelAddDrive(m, "x", &(LimberDrive){guide, "x", f[0], LIMBER_NO_FUNCTION}, NULL));
    CHECK_OK(LimberModelAddDrive(m, "turn", &(LimberDrive){guide, "angle", f[1], LIMBER_NO_FUNCTION}, NULL));
    CHECK_STR(limber_model_diagnostics(m), "");
    CHECK_OK(LimberRunCreate(m, &options, &run));
    CHECK_STR(limber_model_diagnostics(m), "");
    for (int i = 0; i < 700; i++) {
      CHECK_OK(LimberRunStep(run, &o));
      if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) break;
    }
    CHECK_OK(LimberRunGetNode(run, base, x, axes, NULL, NULL));
    LimberJointState joint_state;
    CHECK_OK(LimberRunGetJoint(run, guide, &joint_state));
    memcpy(z, joint_state.coordinate, sizeof z);
    memcpy(rate, joint_state.rate, sizeof rate);
    CHECK_OK(LimberRunGetLedger(run, &l));
    angle = atan2(axes[1], axes[0]);
    CHECK_NOTE("%s: %.1e %.1e %.1e, turned %.1e, account %.1e of %.3g J, lost %.1e", schemes[s],
               x[0] - 0.1 - 0.2 * sin(3.5), x[1] - 0.2, x[2] - 0.3, angle - z[3], l.worst_residual, l.exchanged,
               l.dissipated);
    CHECK_NEAR(x[0], 0.1 + 0.2 * sin(3.5), 1e-12), CHECK_NEAR(x[1], 0.2, 1e-12), CHECK_NEAR(x[2], 0.3, 1e-12);
    CHECK_NEAR(z[0], 0.2 * sin(3.5), 1e-12), CHECK_NEAR(angle, z[3], 1e-12);
    CHECK_NEAR(rate[0], cos(3.5), 2e-3), CHECK_NEAR(rate[1], 0, 1e-4);
    CHECK_LE(l.worst_residual, 1e-10 * l.exchanged);
    CHECK_LE(fabs(l.dissipated), 1e-3 * l.exchanged);
    CHECK_OK(LimberRunDestroy(&run));
    CHECK_OK(LimberModelDestroy(&m));
  }
}

TEST(drives_that_contradict_joints_or_each_other_are_told) {
  LimberModel m;
  LimberRun run;
  LimberNodeId a;
  LimberJointId j[2];
  LimberFunctionId f, g;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddRamp(m, "fast", &(LimberRamp){0, 1, 0, 1}, &f));
  CHECK_OK(LimberModelAddRamp(m, "slow", &(LimberRamp){0, 1, 0, 2}, &g));
  CHECK_OK(LimberModelAddFrame(m, "a", (double[]){1, 0, 0}, NULL, &a));
  CHECK_OK(LimberModelAddRigidBody(m, "a", &(LimberRigidBody){a, 1, {0}, {1, 1, 1}}, NULL));
  for (int i = 0; i < 2; i++) {
    LimberRevolute r = {.nodes = {LIMBER_GROUND, a}, .axis = {0, 1, 0}, .at = (double[]){0, 0.1 * i, 0}};
    CHECK_OK(LimberModelAddRevolute(m, i ? "right" : "left", &r, &j[i]));
    CHECK_OK(LimberModelAddDrive(m, i ? "r" : "l", &(LimberDrive){j[i], "angle", i ? f : g, LIMBER_NO_FUNCTION}, NULL));
  }
  CHECK_STR(limber_model_diagnostics(m), "");
  CHECK_OK(LimberRunCreate(
      m, &(LimberOptions){.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .step = 0.01}, &run));
  CHECK(run == NULL);
  CHECK_STR(limber_model_diagnostics(m),
            "drives contradict each other: revolute 'left', revolute 'right' cannot all move as prescribed\n");
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(a_rate_given_to_a_joint_is_where_it_starts) {
  LimberModel m;
  LimberRun run;
  LimberNodeId a, b;
  LimberJointId j;
  double rate, v[3], w[3];
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFrame(m, "a", (double[]){0.5, 0, 0}, NULL, &a));
  CHECK_OK(LimberModelAddFrame(m, "b", (double[]){1, 0, 0}, NULL, &b));
  CHECK_OK(LimberModelAddRigidBody(m, "a", &(LimberRigidBody){a, 1, {0}, {1, 1, 1}}, NULL));
  CHECK_OK(LimberModelAddRigidBody(m, "b", &(LimberRigidBody){b, 1, {0}, {1, 1, 1}}, NULL));
  LimberRevolute r = {.nodes = {LIMBER_GROUND, a},
                      .axis = {0, 1, 0},
                      .at = (double[]){0, 0, 0},
                      .law = {{.initial_rate = (double[]){3}}}};
  CHECK_OK(LimberModelAddRevolute(m, "hinge", &r, &j));
  CHECK_OK(LimberModelAddWeld(m, "weld", &(LimberWeld){{a, b}}, NULL));
  CHECK_OK(LimberRunCreate(
      m, &(LimberOptions){.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_DECAYING_C, .rho_inf = 0.5, .step = 0.01},
      &run));
  LimberJointState joint_state;
  CHECK_OK(LimberRunGetJoint(run, j, &joint_state));
  rate = joint_state.rate[0];
  CHECK_OK(LimberRunGetNode(run, b, NULL, NULL, v, w));
  CHECK_NEAR(rate, 3, 1e-12), CHECK_NEAR(w[1], 3, 1e-12), CHECK_NEAR(v[2], -3, 1e-12);
  CHECK_NOTE("%s", limber_run_remarks(run));
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

CHECK_MAIN_PETSC
