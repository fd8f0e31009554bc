// SPDX-License-Identifier: Apache-2.0
// Dampers in elements, mounts, and functions of time that drive them.
#include "base/cookie.h"
#include "check_petsc.h"

#include "base/functions/function.h"
#include "limber/limber.h"

// A mass on a bar, x'' + tau w^2 x' + w^2 x = 0 with w = 2 pi: after n periods it is down to exp(-tau w^2 t/2).
static double damped_mass(const char *scheme, double step, LimberLedger *l) {
  const double w = 6.283185307179586, tau = 0.01;
  LimberModel m;
  LimberNodeId wall, mass;
  LimberRun run;
  LimberOutcome o;
  LimberOptions options = {
      .cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(scheme), .rho_inf = 0.5, .step = step};
  double x[3];
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFixed(m, "wall", (double[]){0, 0, 0}, NULL, &wall));
  CHECK_OK(LimberModelAddPoint(m, "mass", (double[]){1, 0, 0}, &mass));
  CHECK_OK(LimberModelAddBar(
      m, "bar",
      &(LimberBar){.nodes = {wall, mass}, .stiffness = w * w, .damping = tau, .measure = LIMBER_STRAIN_STRETCH}, NULL));
  CHECK_OK(LimberModelAddMass(m, "mass", &(LimberMass){mass, 1}, NULL));
  CHECK_OK(LimberModelSetVelocity(m, mass, (double[]){1e-3, 0, 0}, NULL));
  CHECK_OK(LimberRunCreate(m, &options, &run));
  for (int i = 0; i < (int)(2.25 / step + 0.5); i++) CHECK_OK(LimberRunStep(run, &o));
  CHECK_INT(o.reason, LIMBER_CONVERGED);
  CHECK_OK(LimberRunGetNode(run, mass, x, NULL, NULL, NULL));
  CHECK_OK(LimberRunGetLedger(run, l));
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
  double zeta = 0.5 * tau * w, wd = w * sqrt(1 - zeta * zeta);
  return (x[0] - 1) / (1e-3 / wd * exp(-zeta * w * 2.25) * sin(wd * 2.25)) - 1;
}

TEST(a_damped_bar_follows_the_damped_oscillator) {
  static const char *const schemes[] = {"preserving", "decaying_c", "generalized_alpha", "decaying"};
  static const double allowed[] = {5e-5, 1e-6, 6e-6, 5e-5}; // measured 2.5e-5, 2.5e-7, 3.5e-6, 2.7e-5
  static const double order[] = {2, 3, 1.8,
                                 2}; // of generalized-alpha 1.77, since its first step knows no rate before it
  for (int i = 0; i < 4; i++) {
    LimberLedger l;
    double error = damped_mass(schemes[i], 2.5e-3, &l), finer = damped_mass(schemes[i], 1.25e-3, &l);
    CHECK_NOTE("%s: %.1e, half the step %.1e; damping %.3g J of %.3g J, energy balance error by %.1e J", schemes[i],
               error, finer, l.damping, l.exchanged, l.worst_residual);
    CHECK_LE(fabs(error), allowed[i]);
    CHECK_LE(fabs(finer), 1.15 * pow(0.5, order[i]) * fabs(error));
    CHECK_NEAR(l.damping / 0.5e-6, 1 - exp(-2 * 0.5 * 0.01 * pow(6.283185307179586, 2) * 2.25),
               0.03);                                // nearly: it pulses
    CHECK_LE(l.worst_residual, 1e-11 * l.exchanged); // the round-off of a place in so small a motion
  }
}

// A body on a mount to the ground, pushed in each of the six directions, swings with sqrt(k/m).
TEST(a_body_on_a_bushing_swings_in_every_direction_as_it_should) {
  static const double stiffness[6] = {400, 900, 1600, 30, 40, 50}, inertia[3] = {0.3, 0.4, 0.5}, mass = 2;
  for (int d = 0; d < 6; d++) {
    LimberModel m;
    LimberNodeId b;
    LimberRun run;
    LimberOutcome o;
    double w = sqrt(d < 3 ? stiffness[d] / mass : stiffness[d] / inertia[d - 3]), quarter = 1.5707963267948966 / w;
    LimberOptions options = {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .step = quarter / 200};
    double v[3] = {0}, turn[3] = {0}, x[3], axes[9], still[3], spin[3];
    LimberBushing bushing = {.nodes = {LIMBER_GROUND, LIMBER_NO_NODE}};
    for (int i = 0; i < 6; i++) bushing.stiffness[i][i] = stiffness[i];
    (d < 3 ? v : turn)[d % 3] = 1e-5;
    CHECK_OK(LimberModelCreate(&m));
    CHECK_OK(LimberModelAddFrame(m, "b", (double[]){0.3, -0.4, 0.2}, NULL, &b));
    bushing.nodes[1] = b;
    CHECK_OK(LimberModelAddBushing(m, "mount", &bushing, NULL));
    CHECK_OK(LimberModelAddRigidBody(
        m, "b", &(LimberRigidBody){.node = b, .mass = mass, .inertia = {inertia[0], inertia[1], inertia[2]}}, NULL));
    CHECK_OK(LimberModelSetVelocity(m, b, v, turn));
    CHECK_STR(limber_model_diagnostics(m), "");
    CHECK_OK(LimberRunCreate(m, &options, &run));
    for (int i = 0; i < 200; i++) CHECK_OK(LimberRunStep(run, &o));
    CHECK_OK(LimberRunGetNode(run, b, x, axes, still, spin));
    double rate = (d < 3 ? still : spin)[d % 3]; // at rest after a quarter of a period
    CHECK_NOTE("%d: rate left %.1e of the start", d, rate / 1e-5);
    CHECK_LE(fabs(rate), 2e-5 * 1e-5 + 1e-15); // measured 8.1e-6: the scheme's period error
    CHECK_OK(LimberRunDestroy(&run));
    CHECK_OK(LimberModelDestroy(&m));
  }
}

TEST(functions_of_time_have_their_values) {
  const LimberRamp ramp = {1, 3, 2, 4};
  CHECK_NEAR(function_ramp.at(&ramp, NULL, 0).value, 1, 0), CHECK_NEAR(function_ramp.at(&ramp, NULL, 9).value, 3, 0);
  CHECK_NEAR(function_ramp.at(&ramp, NULL, 2.5).value, 1.5, 1e-15);
  CHECK_NEAR(function_smooth_step.at(&ramp, NULL, 3).value, 2, 1e-15);
  CHECK_NEAR(function_smooth_step.at(&ramp, NULL, 2).value, 1, 0),
      CHECK_NEAR(function_smooth_step.at(&ramp, NULL, 4).value, 3, 0);
  CHECK_LE(function_smooth_step.at(&ramp, NULL, 2.01).value - 1, 2 * 10 * 1.3e-7); // third power of 0.005
  CHECK_LE(3 - function_smooth_step.at(&ramp, NULL, 3.99).value, 2 * 10 * 1.3e-7);
  const LimberChirp chirp = {2, 1, 3, 0, 2}; // phase 2 pi (t + t^2/2)
  CHECK_NEAR(function_chirp.at(&chirp, NULL, 0.5).value, 2 * sin(6.283185307179586 * 0.625), 1e-14);
  CHECK_NEAR(function_chirp.at(&chirp, NULL, 2.5).value, 0, 0),
      CHECK_NEAR(function_chirp.at(&chirp, NULL, -1).value, 0, 0);
  CHECK(function_ramp.check(&(LimberRamp){0, 1, 2, 2}).text &&
        function_chirp.check(&(LimberChirp){1, 1, 2, 3, 1}).text);
}

// Beams are evaluated side by side, whatever damping they have: each moves as it does alone.
static void cantilever(LimberModel m, const char *name, double y, double damping, LimberNodeId *tip) {
  LimberSection s = {.stiffness = {{1e5}, {0, 4e4}, {0, 0, 4e4}, {0, 0, 0, 10}, {0, 0, 0, 0, 20}, {0, 0, 0, 0, 0, 20}},
                     .mass = 0.5,
                     .inertia = {{2e-4}, {0, 1e-4}, {0, 0, 1e-4}}};
  LimberSectionId section;
  LimberElementId beam;
  CHECK_OK(LimberModelAddSection(m, name, 1, &s, &section));
  LimberBeam b = {.from = LIMBER_NO_NODE,
                  .to = LIMBER_NO_NODE,
                  .section = section,
                  .elements = 2,
                  .order = 2,
                  .damping = damping,
                  .start = {0, y, 0},
                  .end = {1, y, 0},
                  .up = {0, 0, 1}};
  CHECK_OK(LimberModelAddBeam(m, name, &b, &beam));
  CHECK_OK(LimberModelAddClamp(m, name, &(LimberClamp){limber_model_element_node(m, beam, 0)}, NULL));
  *tip = limber_model_element_node(m, beam, 4);
  CHECK_OK(LimberModelSetVelocity(m, *tip, (double[]){0, 0, 1}, NULL));
}

TEST(damped_and_undamped_beams_side_by_side_move_as_each_alone) {
  static const char *const schemes[] = {"generalized_alpha", "decaying", "preserving"};
  for (int k = 0; k < 3; k++) {
    double x[4][3], off = 0; // 0, 1: alone; 2, 3: together
    for (int which = 0; which < 3; which++) {
      LimberModel m;
      LimberRun run;
      LimberOutcome o;
      LimberNodeId tip[2];
      CHECK_OK(LimberModelCreate(&m));
      for (int i = 0; i < 2; i++)
        if (which == 2 || which == i) cantilever(m, i ? "damped" : "plain", 0.5 * i, i ? 0.02 : 0, &tip[i]);
      CHECK_OK(LimberRunCreate(m,
                               &(LimberOptions){.cookie = OPTIONS_COOKIE,
                                                .scheme = limber_scheme_find(schemes[k]),
                                                .rho_inf = 0.5,
                                                .step = 1e-3,
                                                .tolerance = 1e-14},
                               &run));
      for (int i = 0; i < 50; i++) CHECK_OK(LimberRunStep(run, &o));
      for (int i = 0; i < 2; i++)
        if (which == 2 || which == i)
          CHECK_OK(LimberRunGetNode(run, tip[i], x[which == 2 ? 2 + i : i], NULL, NULL, NULL));
      CHECK_OK(LimberRunDestroy(&run));
      CHECK_OK(LimberModelDestroy(&m));
    }
    for (int d = 0; d < 3; d++) off = fmax(off, fmax(fabs(x[2][d] - x[0][d]), fabs(x[3][d] - x[1][d])));
    CHECK_NOTE("%s: %.1e m, damped and undamped apart by %.1e m", schemes[k], off, fabs(x[3][2] - x[2][2]));
    CHECK_LE(off, 1e-11);
    CHECK_LT(1e-3, fabs(x[3][2] - x[2][2]));
  }
}

CHECK_MAIN_PETSC
