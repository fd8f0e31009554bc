// SPDX-License-Identifier: Apache-2.0
// The exponential scheme with a number of modes and the shapes of loads and joints in place of all modes: a boom of bars with its
// tip in a slot, and the same boom floating.
#include "check_petsc.h"

#include "limber/limber.h"

enum { BAYS = 10 };

static void bar(LimberModel m, LimberId a, LimberId b) {
  LimberBar q = {.nodes = {a, b}, .stiffness = 84e6, .mass = 3.12, .damping = 1e-5};
  CHECK_OK(LimberModelAddBar(m, NULL, &q, NULL));
}

// Bays of 0.5 m with a diagonal in each face, along x; a corner of the last frame is returned.
static LimberId boom(LimberModel m, int floating) {
  LimberId node[BAYS + 1][4];
  for (int i = 0; i <= BAYS; i++)
    for (int k = 0; k < 4; k++) {
      double at[3] = {0.5 * i, k == 1 || k == 2 ? 0.5 : 0, k >= 2 ? 0.5 : 0};
      if (i > 0 || floating) CHECK_OK(LimberModelAddPoint(m, NULL, at, &node[i][k]));
      else CHECK_OK(LimberModelAddFixed(m, NULL, at, NULL, &node[i][k]));
    }
  for (int i = 0; i <= BAYS; i++)
    for (int k = 0; k < 4; k++) {
      if (i > 0 || floating) bar(m, node[i][k], node[i][(k + 1) % 4]);
      if (k == 0 && (i > 0 || floating)) bar(m, node[i][0], node[i][2]);
      if (i == 0) continue;
      bar(m, node[i - 1][k], node[i][k]);
      bar(m, node[i - 1][k], node[i][(k + 1) % 4]);
    }
  return node[BAYS][2];
}

typedef struct {
  double x[3], kinetic, constraint, momentum[3], angular[3];
  char remarks[512], notes[512];
} Final;

static Final run(int modes, int floating, int linear) {
  Final f = {.constraint = 0};
  LimberModel m;
  LimberId tip, pin, pulse;
  LimberRun r;
  LimberOutcome out = {.reason = LIMBER_CONVERGED};
  LimberLedger l;
  LimberOptions o = {.scheme = "exponential", .step = 1e-3, .linear = linear, .modes = modes};
  CHECK_OK(LimberModelCreate(&m));
  tip = boom(m, floating);
  CHECK_OK(LimberModelAddSine(m, "f", &(LimberSine){.amplitude = 2e3, .frequency = 8}, &pulse));
  LimberForce p = {.node = tip, .direction = {0, 0.3, 1}, .amplitude = pulse};
  CHECK_OK(LimberModelAddForce(m, "p", &p, NULL));
  if (!floating) {
    CHECK_OK(LimberModelAddFixed(m, "pin", (double[]){5.5, 0.5, 0.5}, NULL, &pin));
    CHECK_OK(LimberModelAddDistance(m, "slot", &(LimberDistance){.nodes = {pin, tip}}, NULL));
  }
  CHECK_OK(LimberRunCreate(m, &o, &r));
  snprintf(f.notes, sizeof f.notes, "%s", limber_model_diagnostics(m));
  if (r) {
    for (int i = 0; i < 100 && out.reason == LIMBER_CONVERGED; i++) CHECK_OK(LimberRunStep(r, &out));
    CHECK_INT(out.reason, LIMBER_CONVERGED);
    CHECK_OK(LimberRunGetNode(r, tip, f.x, NULL, NULL, NULL));
    CHECK_OK(LimberRunGetMomentum(r, f.momentum, f.angular));
    CHECK_OK(LimberRunGetLedger(r, &l));
    f.kinetic = l.kinetic, f.constraint = l.constraint;
    snprintf(f.remarks, sizeof f.remarks, "%s", limber_run_remarks(r));
    CHECK_OK(LimberRunDestroy(&r));
  }
  CHECK_OK(LimberModelDestroy(&m));
  return f;
}

static double apart(Final a, Final b) {
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += pow(a.x[k] - b.x[k], 2);
  return sqrt(sum);
}

TEST(more_modes_come_closer_to_all_of_them_and_joints_hold_with_any) {
  Final all = run(0, 0, 1), few = run(4, 0, 1), some = run(12, 0, 1), many = run(60, 0, 1);
  double moved = hypot(all.x[1] - 0.5, all.x[2] - 0.5);
  CHECK_NOTE("tip moved by %.2e m; 4, 12, 60 of 120 modes are off by %.1e, %.1e, %.1e m", moved, apart(few, all),
             apart(some, all), apart(many, all));
  CHECK_LE(1e-3, moved);
  CHECK_LE(apart(few, all), 2e-2 * moved);
  CHECK_LE(apart(some, all), 0.2 * apart(few, all));
  CHECK_LE(apart(many, all), 0.2 * apart(some, all));
  CHECK_LE(few.constraint, 1e-14);
  CHECK_STR(all.remarks, "");
  CHECK(strstr(some.remarks, "12 modes up to") != NULL);
  if (!strstr(some.remarks, "12 modes up to")) CHECK_NOTE("%s", some.remarks);
}

TEST(forces_of_bars_beside_their_linear_part_act_on_the_modes_too) {
  Final all = run(0, 0, 0), many = run(60, 0, 0), linear = run(0, 0, 1);
  CHECK_NOTE("60 modes off by %.1e m, the linear structure by %.1e m", apart(many, all), apart(linear, all));
  CHECK_LE(apart(many, all), 0.2 * apart(linear, all));
}

TEST(floating_structure_has_its_rigid_motions_among_the_modes) {
  Final all = run(0, 1, 1), some = run(20, 1, 1);
  CHECK_NOTE("off by %.1e m, momentum by %.1e of %.1e", apart(some, all), some.momentum[2] - all.momentum[2],
             all.momentum[2]);
  CHECK_NEAR(some.momentum[2], all.momentum[2], 1e-9 * fabs(all.momentum[2]));
  CHECK_LE(apart(some, all), 1e-4);
}

TEST(more_modes_than_unknowns_are_refused_with_what_to_do) {
  Final f = run(118, 0, 1);
  CHECK(strstr(f.notes, "118 `modes` and 4 shapes of loads and joints are more than the 120 unknowns") != NULL);
  if (!f.notes[0]) CHECK_NOTE("no note");
  else CHECK_NOTE("%s", f.notes);
}

CHECK_MAIN_PETSC
