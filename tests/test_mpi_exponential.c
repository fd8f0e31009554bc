// SPDX-License-Identifier: Apache-2.0
// The exponential scheme through the real stepper: closed forms, order, constraints at round-off, the account of energy, and
// what it refuses.
#include "base/cookie.h"
#include "check_petsc.h"

#include "limber/limber.h"

#define EPS 2.220446049250313e-16
static const double pi = 3.141592653589793;

typedef struct {
  double x[3], v[3];
  LimberLedger l;
} Final;

// The state of a node after `time`.
static Final run(LimberModel model, LimberNodeId node, LimberOptions options, double time) {
  Final f = {0};
  LimberRun r;
  LimberOutcome out = {.reason = LIMBER_CONVERGED};
  int steps = (int)(time / options.step + 0.5);
  if (options.scheme == LIMBER_SCHEME_DECAYING) options.scheme = LIMBER_SCHEME_EXPONENTIAL;
  options.cookie = OPTIONS_COOKIE;
  CHECK_OK(LimberRunCreate(model, &options, &r));
  CHECK_STR(limber_model_diagnostics(model), "");
  for (int i = 0; i < steps && out.reason == LIMBER_CONVERGED; i++) CHECK_OK(LimberRunStep(r, &out));
  CHECK_INT(out.reason, LIMBER_CONVERGED);
  CHECK_OK(LimberRunGetNode(r, node, f.x, NULL, f.v, NULL));
  CHECK_OK(LimberRunGetLedger(r, &f.l));
  CHECK_OK(LimberRunDestroy(&r));
  return f;
}

// A mass of 2 kg at (1, 0, 0) on a bar from the wall, omega = 30 rad/s along it.
static void mass_on_bar(LimberModel *m, LimberNodeId *mass, double damping) {
  LimberNodeId wall;
  CHECK_OK(LimberModelCreate(m));
  CHECK_OK(LimberModelAddFixed(*m, "wall", (double[]){0, 0, 0}, NULL, &wall));
  CHECK_OK(LimberModelAddPoint(*m, "mass", (double[]){1, 0, 0}, mass));
  CHECK_OK(LimberModelAddMass(*m, "m", &(LimberMass){*mass, 2}, NULL));
  CHECK_OK(
      LimberModelAddBar(*m, "bar", &(LimberBar){.nodes = {wall, *mass}, .stiffness = 1800, .damping = damping}, NULL));
}

TEST(linear_oscillator_under_harmonic_load_is_exact_at_any_step) {
  const double omega = 30, load = 11, time = 1.5;
  for (int i = 0; i < 4; i++) {
    double step = (double[]){1e-3, 0.01, 0.05, 0.1}[i];
    LimberModel m;
    LimberNodeId mass;
    LimberFunctionId f;
    mass_on_bar(&m, &mass, 0);
    CHECK_OK(LimberModelAddSine(m, "f", &(LimberSine){.amplitude = 50, .frequency = load / (2 * pi)}, &f));
    CHECK_OK(LimberModelAddForce(m, "p", &(LimberForce){.node = mass, .direction = {1, 0, 0}, .amplitude = f}, NULL));
    Final e = run(m, mass, (LimberOptions){.step = step, .linear = 1}, time);
    double a = 50 / (2 * (omega * omega - load * load));
    double x = a * (sin(load * time) - load / omega * sin(omega * time));
    CHECK_NOTE("omega h = %g: off by %.1e of %.1e m; account: lost %.1e of %.1e J", omega * step, e.x[0] - 1 - x, a,
               e.l.dissipated, e.l.exchanged);
    CHECK_NEAR(e.x[0], 1 + x,
               1e-12); // measured 3e-14 at the longest step
    CHECK_NEAR(e.l.dissipated, 0, 1e-10 * e.l.exchanged);
    CHECK_OK(LimberModelDestroy(&m));
  }
}

TEST(damped_oscillator_is_exact_and_what_the_damper_takes_is_booked) {
  const double omega = 30, zeta = 0.2, time = 0.2;
  LimberModel m;
  LimberNodeId mass;
  mass_on_bar(&m, &mass, 2 * zeta / omega);
  CHECK_OK(LimberModelSetVelocity(m, mass, (double[]){0.3, 0, 0}, NULL));
  Final e = run(m, mass, (LimberOptions){.step = 0.01, .linear = 1}, time);
  double damped = omega * sqrt(1 - zeta * zeta);
  CHECK_NEAR(e.x[0], 1 + 0.3 / damped * exp(-zeta * omega * time) * sin(damped * time), 1e-14);
  CHECK_NEAR(e.l.dissipated, 0, 1e-12 * e.l.exchanged);
  CHECK_NEAR(e.l.damping + e.l.kinetic + e.l.strain, 0.5 * 2 * 0.09, 1e-13);
  CHECK_OK(LimberModelDestroy(&m));
}

// A mass on a rigid link of 1 m from the ground, gravity 10 m/s^2, let go from 60 degrees: all force is that of the joint.
static Final pendulum(double step, double time, LimberOptions o) {
  LimberModel m;
  LimberNodeId pivot, mass;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFixed(m, "pivot", (double[]){0, 0, 0}, NULL, &pivot));
  CHECK_OK(LimberModelAddPoint(m, "mass", (double[]){sin(pi / 3), 0, -cos(pi / 3)}, &mass));
  CHECK_OK(LimberModelAddMass(m, "m", &(LimberMass){mass, 3}, NULL));
  CHECK_OK(LimberModelAddDistance(m, "link", &(LimberDistance){.nodes = {pivot, mass}}, NULL));
  CHECK_OK(LimberModelAddGravity(m, "g", &(LimberGravity){.acceleration = {0, 0, -10}, .amplitude = LIMBER_NO_FUNCTION},
                                 NULL));
  o.step = step;
  Final e = run(m, mass, o, time);
  CHECK_OK(LimberModelDestroy(&m));
  return e;
}

TEST(pendulum_is_of_order_four_with_its_link_at_round_off) {
  double error[3];
  Final fine = pendulum(0.0025, 1.6, (LimberOptions){0});
  for (int i = 0; i < 3; i++) {
    Final e = pendulum(0.04 / (1 << i), 1.6, (LimberOptions){0});
    error[i] = fabs(e.x[0] - fine.x[0]);
    CHECK_LE(e.l.constraint, 100 * EPS);
  }
  double order = log2(error[1] / error[2]);
  CHECK_NOTE("errors %.1e %.1e %.1e, order %.2f", error[0], error[1], error[2], order);
  CHECK_NEAR(order, 4, 0.1);
  CHECK_LE(error[2], 1e-6);
}

TEST(bar_that_swings_far_moves_as_in_the_preserving_scheme) {
  double place[2][3];
  for (int i = 0; i < 2; i++) {
    LimberModel m;
    LimberNodeId mass;
    mass_on_bar(&m, &mass, 0);
    CHECK_OK(LimberModelSetVelocity(m, mass, (double[]){0, 1.5, 0.2}, NULL));
    Final e = run(m, mass,
                  (LimberOptions){.cookie = OPTIONS_COOKIE,
                                  .scheme = i ? LIMBER_SCHEME_PRESERVING : LIMBER_SCHEME_EXPONENTIAL,
                                  .step = i ? 1e-4 : 4e-3},
                  0.4);
    for (int k = 0; k < 3; k++) place[i][k] = e.x[k];
    if (!i) CHECK_LE(fabs(e.l.dissipated), 1e-6 * e.l.exchanged);
    CHECK_OK(LimberModelDestroy(&m));
  }
  CHECK_NOTE("at (%.6f, %.6f), the preserving scheme at (%.6f, %.6f)", place[0][0], place[0][1], place[1][0],
             place[1][1]);
  for (int k = 0; k < 3; k++) CHECK_NEAR(place[0][k], place[1][k], 2e-6);
}

TEST(driven_mass_follows_and_the_drive_gives_the_energy) {
  LimberModel m;
  LimberNodeId mass;
  LimberJointId guide;
  LimberFunctionId f;
  mass_on_bar(&m, &mass, 0);
  CHECK_OK(LimberModelAddPrescribedMotion(m, "lead", &(LimberPrescribedMotion){.node = mass}, &guide));
  CHECK_OK(LimberModelAddSine(m, "f", &(LimberSine){.amplitude = 0.01, .frequency = 2}, &f));
  CHECK_OK(LimberModelAddDrive(
      m, "d", &(LimberDrive){.joint = guide, .coordinate = "x", .motion = f, .rate = LIMBER_NO_FUNCTION}, NULL));
  double time = 0.3, omega = 4 * pi, v = 0.01 * omega * cos(omega * time);
  Final e = run(m, mass, (LimberOptions){.step = 0.01, .linear = 1}, time);
  CHECK_NEAR(e.x[0], 1 + 0.01 * sin(omega * time), 4 * EPS);
  CHECK_NEAR(e.v[0], v, 1e-13);
  double given = e.l.kinetic + e.l.strain - 0.5 * 2 * pow(0.01 * omega, 2);
  CHECK_NOTE("the drive gave %.6e J, %.1e of it by the books of the scheme", given, e.l.dissipated / given);
  CHECK_NEAR(e.l.drives, given, 1e-5 * fabs(given));
  CHECK_OK(LimberModelDestroy(&m));
}

// Three masses tied by bars to a triangle that flies freely: K has six rigid motions.
TEST(free_flight_keeps_both_momenta_and_the_path_of_the_centre) {
  LimberModel m;
  LimberNodeId p[3];
  double at[3][3] = {{0, 0, 0}, {1, 0, 0}, {0.3, 0.8, 0}}, momentum[3], angular[3], start[3];
  LimberRun r;
  LimberOutcome out;
  CHECK_OK(LimberModelCreate(&m));
  for (int i = 0; i < 3; i++) {
    CHECK_OK(LimberModelAddPoint(m, NULL, at[i], &p[i]));
    CHECK_OK(LimberModelAddMass(m, NULL, &(LimberMass){p[i], 1 + i}, NULL));
    CHECK_OK(LimberModelSetVelocity(m, p[i], (double[]){2, -1 + 0.2 * i, 0.5}, NULL));
  }
  for (int i = 0; i < 3; i++)
    CHECK_OK(LimberModelAddBar(m, NULL, &(LimberBar){.nodes = {p[i], p[(i + 1) % 3]}, .stiffness = 4000}, NULL));
  CHECK_OK(LimberRunCreate(
      m, &(LimberOptions){.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_EXPONENTIAL, .step = 2e-3}, &r));
  CHECK_STR(limber_model_diagnostics(m), "");
  CHECK_OK(LimberRunGetMomentum(r, momentum, start));
  for (int i = 0; i < 250; i++) CHECK_OK(LimberRunStep(r, &out));
  CHECK_INT(out.reason, LIMBER_CONVERGED);
  double centre[3] = {0}, x[3], was[3] = {0};
  for (int i = 0; i < 3; i++) {
    CHECK_OK(LimberRunGetNode(r, p[i], x, NULL, NULL, NULL));
    for (int k = 0; k < 3; k++) centre[k] += (1 + i) * x[k] / 6, was[k] += (1 + i) * at[i][k] / 6;
  }
  for (int k = 0; k < 3; k++) CHECK_NEAR(centre[k], was[k] + 0.5 * momentum[k] / 6, 1e-12);
  CHECK_OK(LimberRunGetMomentum(r, momentum, angular));
  CHECK_NOTE("angular momentum %.9f, at the start %.9f", angular[2], start[2]);
  CHECK_NEAR(angular[2], start[2], 1e-8 * fabs(start[2]));
  CHECK_OK(LimberRunDestroy(&r));
  CHECK_OK(LimberModelDestroy(&m));
}

// The paper's form on the pendulum.
TEST(expansion_at_the_start_drifts_and_stabilising_pulls_back) {
  LimberOptions o = {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_EXPONENTIAL_PAPER}, first = o, stable = o;
  first.paper.terms = 1, stable.paper.kappa1 = 50, stable.paper.kappa2 = 600;
  Final half = pendulum(0.005, 0.8, o), whole = pendulum(0.005, 1.6, o), one = pendulum(0.005, 1.6, first);
  Final held = pendulum(0.005, 1.6, stable), exact = pendulum(0.005, 1.6, (LimberOptions){0});
  CHECK_NOTE("gap %.1e at 0.8 s, %.1e at 1.6 s; first order %.1e; stabilised %.1e; here met to %.1e", half.l.constraint,
             whole.l.constraint, one.l.constraint, held.l.constraint, exact.l.constraint);
  CHECK_LE(1e-9, whole.l.constraint);
  CHECK_LE(10 * whole.l.constraint, one.l.constraint);
  CHECK_LE(10 * held.l.constraint, whole.l.constraint);
  CHECK_NEAR(whole.x[0], exact.x[0], 1e-3);
}

TEST(expansion_at_the_start_is_exact_where_nothing_is_held) {
  LimberModel m;
  LimberNodeId mass;
  mass_on_bar(&m, &mass, 0);
  CHECK_OK(LimberModelSetVelocity(m, mass, (double[]){0.3, 0, 0}, NULL));
  Final e = run(
      m, mass,
      (LimberOptions){.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_EXPONENTIAL_PAPER, .step = 0.05, .linear = 1},
      1);
  CHECK_NEAR(e.x[0], 1 + 0.01 * sin(30), 1e-14);
  CHECK_OK(LimberModelDestroy(&m));
}

// Newmark's formulae, with which the paper compares, on the pendulum.
TEST(multipliers_of_the_predicted_motion_drift_more_and_a_start_without_them_is_lost) {
  LimberOptions paper = {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_EXPONENTIAL_PAPER},
                o = {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_NEWMARK_PAPER}, free = o, stable = o;
  free.paper.free_start = true, stable.paper.kappa1 = 50, stable.paper.kappa2 = 600;
  Final drifts = pendulum(0.005, 1.6, o), fine = pendulum(0.0025, 1.6, o), off = pendulum(0.005, 1.6, free);
  Final held = pendulum(0.005, 1.6, stable), less = pendulum(0.005, 1.6, paper);
  CHECK_NOTE("gap %.1e, half the step %.1e, free start %.1e, stabilised %.1e; exponential_paper %.1e",
             drifts.l.constraint, fine.l.constraint, off.l.constraint, held.l.constraint, less.l.constraint);
  CHECK_LE(10 * less.l.constraint, drifts.l.constraint);
  CHECK_NEAR(drifts.l.constraint / fine.l.constraint, 2, 0.2); // E and velocities are predicted to the first order
  CHECK_LE(1.5 * drifts.l.constraint, off.l.constraint);
  CHECK_LE(5 * held.l.constraint, drifts.l.constraint);
}

TEST(newmark_is_of_order_two_on_an_oscillator) {
  double error[2];
  for (int i = 0; i < 2; i++) {
    LimberModel m;
    LimberNodeId mass;
    mass_on_bar(&m, &mass, 0);
    CHECK_OK(LimberModelSetVelocity(m, mass, (double[]){0.3, 0, 0}, NULL));
    Final e =
        run(m, mass,
            (LimberOptions){
                .cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_NEWMARK_PAPER, .step = 0.002 / (1 + i), .linear = 1},
            1);
    error[i] = fabs(e.x[0] - 1 - 0.01 * sin(30));
    CHECK_OK(LimberModelDestroy(&m));
  }
  CHECK_NOTE("errors %.2e %.2e m", error[0], error[1]);
  CHECK_NEAR(log2(error[0] / error[1]), 2, 0.05);
}

static void refuses(LimberModel m, LimberOptions o, const char *why) {
  LimberRun r;
  o.cookie = OPTIONS_COOKIE, o.scheme = LIMBER_SCHEME_EXPONENTIAL, o.step = 1e-3;
  CHECK_OK(LimberRunCreate(m, &o, &r));
  CHECK(r == NULL);
  CHECK(strstr(limber_model_diagnostics(m), why) != NULL);
  if (!strstr(limber_model_diagnostics(m), why)) CHECK_NOTE("%s", limber_model_diagnostics(m));
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(what_does_not_fit_is_named) {
  LimberModel m;
  LimberNodeId mass, frame;
  mass_on_bar(&m, &mass, 0);
  CHECK_OK(LimberModelAddFrame(m, "hub", (double[]){2, 0, 0}, NULL, &frame));
  CHECK_OK(LimberModelAddRigidBody(m, "b", &(LimberRigidBody){.node = frame, .mass = 1}, NULL));
  refuses(m, (LimberOptions){.linear = 1}, "node 'hub' has too little");
  mass_on_bar(&m, &mass, 0);
  CHECK_OK(LimberModelAddFrame(m, "hub", (double[]){2, 0, 0}, NULL, &frame));
  CHECK_OK(LimberModelAddRigidBody(m, "b", &(LimberRigidBody){.node = frame, .mass = 1, .inertia = {1, 1, 1}}, NULL));
  refuses(m, (LimberOptions){0}, "node 'hub' is a frame");
  mass_on_bar(&m, &mass, 0);
  CHECK_OK(LimberModelAddPoint(m, "bare", (double[]){2, 0, 0}, NULL));
  refuses(m, (LimberOptions){0}, "node 'bare' has none");
  mass_on_bar(&m, &mass, 0);
  CHECK_OK(LimberModelAddPointOnLine(
      m, "rail", &(LimberPointOnLine){.nodes = {LIMBER_GROUND, mass}, .axis = {1, 0, 0}, .law = {{.stiffness = 5}}},
      NULL));
  refuses(m, (LimberOptions){0}, "point_on_line 'rail'");
}

CHECK_MAIN_PETSC
