// SPDX-License-Identifier: Apache-2.0
// Loads against what they must do: the work that is booked is the change of energy, momentum grows by their impulse, and
// problems with an answer of their own.
#include "check_petsc.h"
#include "model/model.h"

#include <limber/limber.h>

static const LimberSection blade = {
    .stiffness = {{4e4}, {0, 1.5e4}, {0, 0, 1.5e4}, {0, 0, 0, 30}, {0, 0, 0, 0, 40}, {0, 0, 0, 0, 0, 60}},
    .mass = 0.8,
    .inertia = {{2e-3}, {0, 1e-3}, {0, 0, 1e-3}}};

// A beam that is free to fly, of length 2 along x.
static LimberModel free_beam(LimberElementId *beam) {
  LimberModel m;
  LimberSectionId section;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddSection(m, "s", 1, &blade, &section));
  LimberBeam b = {.from = LIMBER_NO_NODE,
                  .to = LIMBER_NO_NODE,
                  .section = section,
                  .elements = 3,
                  .order = 3,
                  .end = {2, 0, 0},
                  .up = {0, 1, 0}};
  CHECK_OK(LimberModelAddBeam(m, "beam", &b, beam));
  return m;
}

static LimberOptions options_of(const char *scheme, double step) {
  LimberOptions o;
  o = limber_options_default();
  o.scheme = limber_scheme_find(scheme), o.step = step;
  return o;
}

// Steps a run and leaves its ledger; the account of every step must close.
static LimberRun run_to(LimberModel m, LimberOptions o, int steps, LimberLedger *l) {
  LimberRun run = NULL;
  LimberOutcome out;
  CHECK_OK(LimberRunCreate(m, &o, &run));
  CHECK_STR(limber_model_diagnostics(m), "");
  for (int i = 0; i < steps; i++) {
    CHECK_OK(LimberRunStep(run, &out));
    CHECK_INT(out.reason, LIMBER_CONVERGED);
  }
  CHECK_OK(LimberRunGetLedger(run, l));
  return run;
}

static void end_run(LimberRun *run, LimberModel *m) {
  CHECK_OK(LimberRunDestroy(run));
  CHECK_OK(LimberModelDestroy(m));
}

static Vec3 node_place(LimberRun run, LimberNodeId node) {
  double x[3];
  CHECK_OK(LimberRunGetNode(run, node, x, NULL, NULL, NULL));
  return vec3_of(x);
}

static const double load[3] = {1, -2, 3};
static const char *const proved[] = {"preserving", "decaying_a", "decaying_c", "decaying"};

// ---- energy ----

// A beam that spins and flies, driven by all that follows it at once.
TEST(work_of_followers_is_the_change_of_energy) {
  for (int i = 0; i < 4; i++)
    for (int coarse = 0; coarse < 2; coarse++) {
      LimberElementId beam;
      LimberFunctionId swell;
      LimberNodeId tip;
      LimberModel m = free_beam(&beam);
      LimberLedger l;
      double each, sum = 0;
      tip = limber_model_element_node(m, beam, 9);
      CHECK_OK(LimberModelSetRigidVelocity(m, (double[]){1, 0, 2}, (double[]){1, 3, 10}));
      LimberRamp ramp = {0.2, 1, 0, 0.1};
      CHECK_OK(LimberModelAddSmoothStep(m, "swell", &ramp, &swell));
      CHECK_OK(LimberModelAddFollowerForce(m, "tip", &(LimberFollower){tip, {1, 4, 2}, swell}, NULL));
      CHECK_OK(LimberModelAddFollowerMoment(m, "twist", &(LimberFollower){tip, {0.5, 1, -2}, swell}, NULL));
      CHECK_OK(
          LimberModelAddLineForce(m, "lift", &(LimberLineLoad){beam, {0, 2, 3}, LIMBER_AXES_SECTION, swell}, NULL));
      CHECK_OK(
          LimberModelAddLineMoment(m, "pitch", &(LimberLineLoad){beam, {1, 0.2, 0}, LIMBER_AXES_SECTION, swell}, NULL));
      CHECK_OK(LimberModelAddLineForce(m, "wind", &(LimberLineLoad){beam, {3, 0, 1}, LIMBER_AXES_GROUND, swell}, NULL));
      LimberRun run = run_to(m, options_of(proved[i], coarse ? 0.02 : 0.002), 40, &l);
      for (int k = 0; k < 5; k++) {
        CHECK_OK(LimberRunGetLoadWork(run, (LimberLoadId){k}, &each));
        CHECK(fabs(each) > 1e-5 * l.exchanged);
        sum += each;
      }
      CHECK_NOTE("%s, step %g: energy balance error by %.1e, work %.3g of %.3g J", proved[i], coarse ? 0.02 : 0.002,
                 l.worst_residual / l.exchanged, l.work, l.exchanged);
      CHECK_LE(l.worst_residual, 1e-11 * l.exchanged); // Newton's tolerance; measured 6e-14 and less
      CHECK_REL(l.work, sum, 1e-12);
      CHECK(l.dissipated >= -1e-12 * l.exchanged);
      end_run(&run, &m);
    }
}

// ---- momentum ----

TEST(dead_loads_along_a_beam_give_momentum_load_times_length_times_time) {
  for (int i = 0; i < 4; i++) {
    LimberElementId beam;
    LimberModel m = free_beam(&beam);
    LimberLedger l;
    double p0[3], h0[3], p[3], h[3];
    CHECK_OK(LimberModelSetRigidVelocity(m, (double[]){0, 0, 0}, (double[]){1, 3, 10}));
    CHECK_OK(LimberModelAddLineForce(
        m, "q", &(LimberLineLoad){beam, {1, -2, 3}, LIMBER_AXES_GROUND, LIMBER_NO_FUNCTION}, NULL));
    LimberRun run = run_to(m, options_of(proved[i], 0.005), 0, &l);
    LimberOutcome out;
    CHECK_OK(LimberRunGetMomentum(run, p0, h0));
    for (int k = 0; k < 40; k++) CHECK_OK(LimberRunStep(run, &out));
    CHECK_OK(LimberRunGetMomentum(run, p, h));
    for (int k = 0; k < 3; k++) CHECK_NEAR(p[k] - p0[k], 2 * 0.2 * load[k], 1e-11); // q L t; Newton's tolerance
    end_run(&run, &m);
  }
  LimberElementId beam;
  LimberModel m = free_beam(&beam);
  LimberLedger l;
  double p[3], h0[3], h[3];
  CHECK_OK(LimberModelSetRigidVelocity(m, (double[]){0, 0, 0}, (double[]){1, 3, 10}));
  CHECK_OK(LimberModelAddLineMoment(m, "m", &(LimberLineLoad){beam, {1, -2, 3}, LIMBER_AXES_GROUND, LIMBER_NO_FUNCTION},
                                    NULL));
  LimberRun run = run_to(m, options_of("preserving", 0.005), 0, &l);
  LimberOutcome out;
  CHECK_OK(LimberRunGetMomentum(run, p, h0));
  for (int k = 0; k < 40; k++) CHECK_OK(LimberRunStep(run, &out));
  CHECK_OK(LimberRunGetMomentum(run, p, h));
  for (int k = 0; k < 3; k++) CHECK_NEAR(h[k] - h0[k], 2 * 0.2 * load[k], 1e-11);
  end_run(&run, &m);
}

// Shape functions integrate to the weights of the nodes' masses, so that the weight per length is the weight.
TEST(the_weight_per_length_is_the_weight) {
  Vec3 end[2];
  double work[2];
  for (int i = 0; i < 2; i++) {
    LimberElementId beam;
    LimberModel m = free_beam(&beam);
    LimberLedger l;
    CHECK_OK(LimberModelAddClamp(m, "root", &(LimberClamp){limber_model_element_node(m, beam, 0)}, NULL));
    if (i)
      CHECK_OK(LimberModelAddLineForce(
          m, "g", &(LimberLineLoad){beam, {0, 0.3 * -9.81 * 0.8, -9.81 * 0.8}, LIMBER_AXES_GROUND, LIMBER_NO_FUNCTION},
          NULL));
    else
      CHECK_OK(LimberModelAddGravity(
          m, "g", &(LimberGravity){.acceleration = {0, 0.3 * -9.81, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
    LimberRun run = run_to(m, options_of("decaying_c", 0.005), 60, &l);
    end[i] = node_place(run, limber_model_element_node(m, beam, 9));
    CHECK_OK(LimberRunGetLoadWork(run, (LimberLoadId){0}, &work[i]));
    CHECK(fabs(end[i].z) > 0.1);
    end_run(&run, &m);
  }
  CHECK_LE(vec3_norm(vec3_sub(end[0], end[1])), 1e-10);
  CHECK_REL(work[0], work[1], 1e-10);
}

// ---- followers ----

// A body under a moment about an axis of its own and a force in its axes: spin = M t/J, and the force turns with it,
// v = F/m integral (cos, sin)(M s^2/(2 J)) ds, here by Simpson's rule.
TEST(a_follower_turns_with_its_body_to_second_order) {
  for (int i = 0; i < 4; i++) {
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
      LimberModel m;
      LimberNodeId node;
      LimberLedger l;
      CHECK_OK(LimberModelCreate(&m));
      CHECK_OK(LimberModelAddFrame(m, "b", (double[]){0, 0, 0}, NULL, &node));
      CHECK_OK(LimberModelAddRigidBody(m, "b", &(LimberRigidBody){.node = node, .mass = 2, .inertia = {0.3, 0.4, 0.5}},
                                       NULL));
      CHECK_OK(LimberModelAddFollowerForce(m, "F", &(LimberFollower){node, {6, 0, 0}, LIMBER_NO_FUNCTION}, NULL));
      CHECK_OK(LimberModelAddFollowerMoment(m, "M", &(LimberFollower){node, {0, 0, 2}, LIMBER_NO_FUNCTION}, NULL));
      LimberRun run = run_to(m, options_of(proved[i], fine ? 0.01 : 0.02), fine ? 100 : 50, &l);
      double v[3], w[3], exact[2] = {0, 0};
      CHECK_OK(LimberRunGetNode(run, node, NULL, NULL, v, w));
      for (int k = 0; k <= 2000; k++) {
        double s = k / 2000.0, f = (k == 0 || k == 2000 ? 1 : k % 2 ? 4 : 2) / 6000.0;
        exact[0] += 3 * f * cos(2 * s * s), exact[1] += 3 * f * sin(2 * s * s);
      }
      error[fine] = hypot(v[0] - exact[0], v[1] - exact[1]);
      CHECK_NEAR(w[2], 4, 4e-3); // the slope of the angle; 2.1e-3 with the momentum that is exact, 3.1e-3 decaying
      CHECK_REL(l.work, l.kinetic, 1e-11 + (i ? 1e-3 : 0));
      end_run(&run, &m);
    }
    CHECK_NOTE("%s: error of the velocity %.2e, %.2e", proved[i], error[0], error[1]);
    CHECK_LE(error[1], 0.3 * error[0]);
    CHECK_LE(error[1], 1e-3);
  }
}

// The cantilever of Geradin & Cardona (Flexible Multibody Dynamics, 2001) under a follower at its tip, loaded slowly and
// damped to rest: -5.38997, 3.12283 m by an independent computation.
TEST(a_cantilever_bends_to_its_equilibrium_under_a_follower) {
  const LimberSection s = {
      .stiffness =
          {{4.8e8}, {0, 3.231e8}, {0, 0, 3.231e8}, {0, 0, 0, 1e6}, {0, 0, 0, 0, 9.346e6}, {0, 0, 0, 0, 0, 9.346e6}},
      .mass = 10,
      .inertia = {{0.1}, {0, 0.05}, {0, 0, 0.05}}};
  LimberModel m;
  LimberSectionId section;
  LimberElementId beam;
  LimberFunctionId slow;
  LimberLedger l;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddSection(m, "s", 1, &s, &section));
  LimberBeam b = {.from = LIMBER_NO_NODE,
                  .to = LIMBER_NO_NODE,
                  .section = section,
                  .elements = 6,
                  .order = 3,
                  .end = {5, 0, 0},
                  .up = {0, 1, 0},
                  .damping = 5e-3};
  CHECK_OK(LimberModelAddBeam(m, "beam", &b, &beam));
  LimberNodeId tip = limber_model_element_node(m, beam, 18);
  CHECK_OK(LimberModelAddClamp(m, "root", &(LimberClamp){limber_model_element_node(m, beam, 0)}, NULL));
  CHECK_OK(LimberModelAddSmoothStep(m, "slow", &(LimberRamp){0, 1, 0, 0.1}, &slow));
  CHECK_OK(LimberModelAddFollowerForce(m, "F", &(LimberFollower){tip, {0, 0, 3e6}, slow}, NULL));
  LimberRun run = run_to(m, options_of("decaying_a", 2e-3), 120, &l);
  Vec3 u = vec3_sub(node_place(run, tip), vec3(5, 0, 0));
  CHECK_NOTE("(%.5f, %.5f), kinetic energy %.1e of %.1e J", u.x, u.z, l.kinetic, l.strain);
  CHECK_NEAR(u.x, -5.38997, 5e-3);
  CHECK_NEAR(u.z, 3.12283, 5e-3);
  CHECK_LE(l.kinetic, 1e-6 * l.strain);
  CHECK_LE(l.worst_residual, 1e-10 * l.exchanged);
  end_run(&run, &m);
}

// ---- fields ----

TEST(gravity_of_some_elements_moves_these_only) {
  LimberModel m;
  LimberNodeId a, b;
  LimberElementId body;
  LimberLedger l;
  double kinetic, strain, potential, other;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFrame(m, "a", (double[]){0, 0, 0}, NULL, &a));
  CHECK_OK(LimberModelAddFrame(m, "b", (double[]){1, 0, 0}, NULL, &b));
  CHECK_OK(LimberModelAddRigidBody(m, "light", &(LimberRigidBody){.node = a, .mass = 3, .inertia = {1, 1, 1}}, NULL));
  CHECK_OK(LimberModelAddRigidBody(m, "heavy", &(LimberRigidBody){.node = b, .mass = 2, .inertia = {1, 1, 1}}, &body));
  CHECK_OK(LimberModelAddMass(m, "more", &(LimberMass){b, 2}, NULL));
  LimberGravity g = {.acceleration = {0, 0, -10}, .amplitude = LIMBER_NO_FUNCTION, .elements = &body, .count = 1};
  CHECK_OK(LimberModelAddGravity(m, "g", &g, NULL));
  LimberRun run = run_to(m, options_of("preserving", 0.01), 100, &l);
  CHECK_NEAR(node_place(run, a).z, 0, 1e-13);
  CHECK_NEAR(node_place(run, b).z, -2.5, 1e-11); // half the mass of the node is pulled
  CHECK_NEAR(l.potential, -50, 1e-10);
  CHECK_LE(l.worst_residual, 1e-11 * l.exchanged);
  CHECK_OK(LimberRunGetEnergy(run, body, &kinetic, &strain, &potential));
  CHECK_OK(LimberRunGetEnergy(run, (LimberElementId){body.index + 1}, &kinetic, &strain, &other));
  CHECK_NEAR(potential, -50, 1e-10);
  CHECK_NEAR(other, 0, 0);
  end_run(&run, &m);
}

// x'' + w^2 x = -a sin(W t): x = -a (sin W t - W/w sin w t)/(w^2 - W^2)
TEST(a_shaken_ground_drives_what_stands_on_it) {
  LimberModel m;
  LimberNodeId wall, mass;
  LimberFunctionId shake;
  LimberLedger l;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddPoint(m, "mass", (double[]){1, 0, 0}, &mass));
  CHECK_OK(LimberModelAddFixed(m, "wall", (double[]){0, 0, 0}, NULL, &wall));
  CHECK_OK(LimberModelAddMass(m, "mass", &(LimberMass){mass, 2}, NULL));
  CHECK_OK(LimberModelAddBar(m, "spring", &(LimberBar){.nodes = {wall, mass}, .stiffness = 200}, NULL));
  CHECK_OK(LimberModelAddSine(m, "f", &(LimberSine){.amplitude = 1, .frequency = 0.5}, &shake));
  CHECK_OK(LimberModelAddBaseAcceleration(m, "quake", &(LimberBaseAcceleration){{1e-3, 0, 0}, shake}, NULL));
  LimberRun run = run_to(m, options_of("preserving", 1e-3), 1000, &l);
  double W = 3.14159265358979323846, w = 10, x = node_place(run, mass).x - 1;
  double exact = -1e-3 * (sin(W) - W / w * sin(w)) / (w * w - W * W);
  CHECK_NOTE("%.8g, exact %.8g", x, exact);
  CHECK_NEAR(x, exact, 1e-9);                      // of 1.1e-5 m; measured 2.4e-10 of the step, 4e-10 of the bar's x^2
  CHECK_LE(l.worst_residual, 1e-10 * l.exchanged); // a force of 2 mN at 1 m, by round-off
  end_run(&run, &m);
}

// ---- tension ----

// A mass between two bars swings across them with w^2 = 2 T/(m L) and along them with 2 EA/(m L), but for T/EA.
TEST(tension_of_bars_holds_a_mass_sideways) {
  LimberModel m;
  LimberNodeId end[2], mass;
  LimberLedger l;
  double T = 50, EA = 2e5, w = sqrt(2 * T / 0.5), force[6], strain[6];
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddPoint(m, "mass", (double[]){0, 0, 0}, &mass));
  CHECK_OK(LimberModelAddMass(m, "mass", &(LimberMass){mass, 0.5}, NULL));
  for (int i = 0; i < 2; i++) {
    CHECK_OK(LimberModelAddFixed(m, "end", (double[]){2 * i - 1, 0, 0}, NULL, &end[i]));
    LimberBar bar = {.nodes = {end[i], mass}, .stiffness = EA, .tension = T};
    CHECK_OK(LimberModelAddBar(m, "bar", &bar, NULL));
  }
  CHECK_OK(LimberModelSetVelocity(m, mass, (double[]){0, 0, 1e-4}, NULL));
  double quarter = 1.5707963267948966 / w;
  LimberRun run = run_to(m, options_of("preserving", quarter / 200), 0, &l);
  CHECK_REL(l.strain, T * T / EA, 1e-12); // of both bars
  LimberSectionForces section_state;
  CHECK_OK(LimberRunGetForces(run, (LimberElementId){1}, 0, &section_state));
  memcpy(strain, section_state.strain, sizeof strain);
  memcpy(force, section_state.force, sizeof force);
  CHECK_REL(force[0], T, 1e-12);
  LimberOutcome out;
  for (int i = 0; i < 200; i++) CHECK_OK(LimberRunStep(run, &out));
  CHECK_REL(node_place(run, mass).z, 1e-4 / w, 1e-6); // measured 3e-8
  CHECK_OK(LimberRunGetLedger(run, &l));
  CHECK_LE(l.worst_residual, 1e-12 * l.exchanged);
  end_run(&run, &m);
}

// A string between walls stays at rest, and its lowest wave has the period 2 L sqrt(mass/T), but for its bending.
TEST(tension_of_a_beam_makes_it_a_string) {
  const LimberSection s = {
      .stiffness =
          {{1e5, 0, 0, 0, 20, 0}, {0, 4e4}, {0, 0, 4e4}, {0, 0, 0, 1e-2}, {20, 0, 0, 0, 1e-2}, {0, 0, 0, 0, 0, 1e-2}},
      .mass = 0.02,
      .inertia = {{2e-8}, {0, 1e-8}, {0, 0, 1e-8}}};
  LimberModel m;
  LimberSectionId section;
  LimberElementId beam;
  LimberLedger l;
  double T = 80, force[6], strain[6], period = 2 * sqrt(0.02 / T);
  for (int moves = 0; moves < 2; moves++) {
    CHECK_OK(LimberModelCreate(&m));
    CHECK_OK(LimberModelAddSection(m, "s", 1, &s, &section));
    LimberBeam b = {.from = LIMBER_NO_NODE,
                    .to = LIMBER_NO_NODE,
                    .section = section,
                    .elements = 10,
                    .order = 3,
                    .end = {1, 0, 0},
                    .up = {0, 1, 0},
                    .tension = T};
    CHECK_OK(LimberModelAddBeam(m, "string", &b, &beam));
    for (int i = 0; i < 2; i++)
      CHECK_OK(LimberModelAddClamp(m, "end", &(LimberClamp){limber_model_element_node(m, beam, 30 * i)}, NULL));
    for (int i = 1; moves && i < 30; i++) {
      LimberNodeId node = limber_model_element_node(m, beam, i);
      double x = model_node(m, node.index)->x[0].x, w = 3.14159265358979323846;
      CHECK_OK(LimberModelSetVelocity(m, node, (double[]){0, 1e-3 * sin(w * x), 0},
                                      (double[]){0, 0, 1e-3 * w * cos(w * x)}));
    }
    LimberRun run = run_to(m, options_of("preserving", period / 400), 100, &l);
    LimberSectionForces section_state;
    CHECK_OK(LimberRunGetForces(run, beam, 12, &section_state));
    memcpy(strain, section_state.strain, sizeof strain);
    memcpy(force, section_state.force, sizeof force);
    CHECK_REL(force[0], T, 1e-6);
    CHECK_LE(fabs(force[4]), 1e-8); // bending is coupled with stretch, and free of moment all the same
    if (!moves) CHECK_LE(l.kinetic, 1e-20);
    double y = node_place(run, limber_model_element_node(m, beam, 15)).y, exact = 1e-3 * period / 6.283185307179586;
    CHECK_NOTE("%.6g, string %.6g", y, exact);
    if (moves) CHECK_REL(y, exact, 0.02); // EI stiffens by pi^2 EI/(T L^2) = 0.0012, its clamped ends by 2 sqrt(EI/T)/L
    CHECK_LE(l.worst_residual, 1e-11 * l.exchanged);
    end_run(&run, &m);
  }
}

CHECK_MAIN_PETSC
