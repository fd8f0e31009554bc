// SPDX-License-Identifier: Apache-2.0
// The swing of examples/swing with chosen steps: however many ranks, the steps are the same.
#include "check_petsc.h"

#include "../examples/swing/swing.h"

enum { MOST = 4000 };

typedef struct {
  int steps, rejected;
  double step[MOST], lost;
} Steps;

static void take_steps(const char *scheme, Steps *out) {
  SwingCase c = swing_case(scheme, 0.5, 2000, 4);
  Swing w;
  LimberOutcome o = {0};
  LimberLedger l;
  c.control = (LimberControl){.on = 1, .loss = 3.7e-3, .largest = 2e-3, .end = 0.7};
  *out = (Steps){0};
  CHECK_OK(SwingCreate(&c, &w));
  while (o.time < 0.7 && o.reason == LIMBER_CONVERGED && out->steps < MOST) {
    CHECK_OK(LimberRunStep(w.run, &o));
    out->step[out->steps++] = o.step, out->rejected += o.rejected;
  }
  CHECK(o.time == 0.7);
  CHECK_OK(LimberRunGetLedger(w.run, &l));
  out->lost = l.dissipated;
  CHECK_OK(SwingDestroy(&w));
}

static void compare(const char *scheme) {
  static Steps all, alone;
  MPI_Comm world = PETSC_COMM_WORLD;
  int differ = 0;
  take_steps(scheme, &all);
  PETSC_COMM_WORLD = PETSC_COMM_SELF; // systems are made on this communicator
  take_steps(scheme, &alone);
  PETSC_COMM_WORLD = world;
  CHECK_INT(all.steps, alone.steps);
  CHECK_INT(all.rejected, alone.rejected);
  for (int i = 0; i < all.steps; i++) differ += all.step[i] != alone.step[i];
  CHECK_NOTE("%s: %d steps, %d rejected, losses differ by %.1e", scheme, all.steps, all.rejected,
             fabs(all.lost / alone.lost - 1));
  CHECK_INT(differ, 0);
  CHECK_NEAR(all.lost, alone.lost, 1e-6 * alone.lost); // 1e-9 measured
}

TEST(many_ranks_choose_the_steps_of_one_with_a_decaying_scheme) { compare("decaying_a"); }
TEST(many_ranks_choose_the_steps_of_one_with_generalized_alpha) { compare("generalized_alpha"); }

CHECK_MAIN_PETSC
