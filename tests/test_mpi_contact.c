// SPDX-License-Identifier: Apache-2.0
// Balls that bounce off stops: what steps too long for the contact do to force and rebound, and that they are told of,
// by name and with the right length, while contacts that last long are not.
#include "check_petsc.h"
#include "analyses/stepping/contact.h"

#include <limber/limber.h>

static const double mass = 0.1, speed = 4, slow = 12; // steps in the contact of the second ball

typedef struct {
  double rebound, force; // relative errors
  char told[2048];
} Bounce;

static LimberNodeId add_ball(LimberModel m, const char *name, double z, double way, double stiffness) {
  LimberNodeId node;
  double at[3] = {z, 0, 0}, velocity[3] = {0, 0, -speed}, limits[2] = {-way, 1e3};
  char rail[40];
  snprintf(rail, sizeof rail, "%s_rail", name);
  CHECK_OK(LimberModelAddPoint(m, name, at, &node));
  CHECK_OK(LimberModelSetVelocity(m, node, velocity, NULL));
  CHECK_OK(LimberModelAddMass(m, name, &(LimberMass){node, mass}, NULL));
  LimberPointOnLine joint = {.nodes = {LIMBER_GROUND, node}, .axis = {0, 0, 1}};
  joint.law[0] = (LimberLaw){.limits = limits, .limit_stiffness = stiffness};
  CHECK_OK(LimberModelAddPointOnLine(m, rail, &joint, NULL));
  return node;
}

// A ball meets its stop for pi sqrt(m/k) = lasts after three steps and a part of one; a second one for 12 steps.
static int bounce(const char *scheme, double lasts, double steps, double part, Bounce *out) {
  double h = lasts / steps, k = mass * pow(acos(-1) / lasts, 2), way = speed * h * (3 + part), deepest = 0, x[3], v[3];
  LimberModel m;
  LimberRun run;
  LimberOutcome o = {.reason = LIMBER_CONVERGED};
  LimberOptions options;
  CHECK_OK(LimberModelCreate(&m));
  LimberNodeId ball = add_ball(m, "ball", 0, way, k);
  add_ball(m, "slow", 1, way, mass * pow(acos(-1) / (slow * h), 2));
  options = limber_options_default();
  options.scheme = limber_scheme_find(scheme), options.rho_inf = 0.5, options.step = h;
  CHECK_OK(LimberRunCreate(m, &options, &run));
  if (!CHECK_STR(limber_model_diagnostics(m), "") || !CHECK(run)) return 0;
  for (int i = 0; i < 12 + slow && o.reason == LIMBER_CONVERGED; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    CHECK_OK(LimberRunGetNode(run, ball, x, NULL, v, NULL));
    deepest = fmax(deepest, -x[2] - way);
  }
  CHECK_INT(o.reason, LIMBER_CONVERGED);
  out->rebound = fabs(v[2] / speed - 1), out->force = fabs(k * deepest / (speed * sqrt(mass * k)) - 1);
  CHECK_OK(ContactsRemark(run->stepper, out->told, sizeof out->told));
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
  return 1;
}

static const char *const schemes[] = {"preserving", "decaying_c", "generalized_alpha"};
enum { PARTS = 8 };

static double told_length(const Bounce *b) {
  double lasts = 0;
  sscanf(b->told, "a contact of point_on_line 'ball_rail' lasts %lf s", &lasts);
  return lasts;
}

TEST(eight_steps_in_a_contact_bring_force_and_rebound_within_5_percent) {
  for (int i = 0; i < 3; i++) {
    double rebound = 0, force = 0, few = 0;
    for (int k = 0; k < PARTS; k++) {
      Bounce b;
      if (!bounce(schemes[i], 3e-3, CONTACT_STEPS, (double)k / PARTS, &b)) return;
      rebound = fmax(rebound, b.rebound), force = fmax(force, b.force);
      if (!bounce(schemes[i], 3e-3, 3, (double)k / PARTS, &b)) return;
      few = fmax(few, fmax(b.rebound, b.force));
    }
    CHECK_NOTE("%s: rebound off by %.1e, force by %.1e; with 3 steps one by %.1e", schemes[i], rebound, force, few);
    CHECK_LE(fmax(rebound, force), 0.05);
    CHECK_LE(0.05, few);
  }
}

TEST(contacts_of_less_than_eight_steps_are_told_with_their_length) {
  // forces of the decaying scheme in a step that holds a whole contact are not those of one mass: 2.93, 2.17, 2.14, 1.07
  static const double steps[] = {0.15, 0.3, 1, 3, 7.8}, decaying[] = {3.5, 3, 3, 1.15, 1.02};
  for (int i = 0; i < 3; i++)
    for (int n = 0; n < 5; n++) {
      double worst = 1;
      for (int k = 0; k < PARTS; k++) {
        Bounce b;
        if (!bounce(schemes[i], 3e-3, steps[n], (double)k / PARTS, &b)) return;
        double lasts = told_length(&b);
        if (!CHECK(lasts > 0 && strstr(b.told, "use steps of ") && !strstr(b.told, "slow_rail")))
          CHECK_NOTE("%s", b.told);
        worst = fmax(worst, fmax(lasts / 3e-3, 3e-3 / lasts));
      }
      CHECK_NOTE("%s, %g steps in the contact: its length is told within a factor of %.2f", schemes[i], steps[n],
                 worst);
      CHECK_LE(worst, i == 1 ? decaying[n] : 1.1); // 1.00, and 1.07 of generalized_alpha
    }
}

TEST(contacts_of_more_than_eight_steps_are_not_told) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < PARTS; k++) {
      Bounce b;
      if (!bounce(schemes[i], 3e-3, 8.4, (double)k / PARTS, &b)) return;
      CHECK_STR(b.told, "");
    }
}

CHECK_MAIN_PETSC
