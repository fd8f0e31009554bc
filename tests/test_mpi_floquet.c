// SPDX-License-Identifier: Apache-2.0
// Floquet multipliers on several ranks: those of one.
#include "check_petsc.h"

#include "limber/limber.h"

#include <math.h>

// Two bodies on a bushing each, the first on a hub that a motor turns; dampers in the bushings.
static LimberModel chain(void) {
  LimberModel m;
  LimberNodeId node[3];
  LimberJointId joint;
  LimberFunctionId rate;
  CHECK_OK(LimberModelCreate(&m));
  for (int i = 0; i < 3; i++)
    CHECK_OK(LimberModelAddFrame(m, (const char *[]){"hub", "first", "second"}[i], (double[]){0.3 * i, 0, 0}, NULL,
                                 &node[i]));
  CHECK_OK(LimberModelAddPrescribedMotion(m, "motor", &(LimberPrescribedMotion){.node = node[0], .axis = {0, 0, 1}},
                                          &joint));
  CHECK_OK(LimberModelAddConstant(m, "rate", &(LimberConstant){.value = 4}, &rate));
  CHECK_OK(LimberModelAddDrive(
      m, "motor", &(LimberDrive){.joint = joint, .coordinate = "angle", .motion = LIMBER_NO_FUNCTION, .rate = rate},
      NULL));
  for (int i = 1; i < 3; i++) {
    LimberBushing b = limber_bushing_default();
    b.nodes[0] = node[i - 1], b.nodes[1] = node[i], b.damping = 0.002;
    for (int k = 0; k < 6; k++) b.stiffness[k][k] = k < 3 ? 500 + 100 * k : 50 + 10 * k;
    CHECK_OK(LimberModelAddBushing(m, NULL, &b, NULL));
    CHECK_OK(LimberModelAddRigidBody(m, NULL,
                                     &(LimberRigidBody){.node = node[i], .mass = 2, .inertia = {0.2, 0.3, 0.4}}, NULL));
  }
  CHECK_OK(LimberModelSetRigidVelocity(m, (double[]){0, 0, 0}, (double[]){0, 0, 4}));
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

TEST(multipliers_do_not_depend_on_the_ranks) {
  LimberFloquetOptions o = limber_floquet_options_default();
  LimberModel m = chain();
  LimberFloquet f = NULL;
  o.period = 0.2, o.steps = 4;
  CHECK_OK(LimberFloquetCreate(m, &o, &f));
  CHECK(f && limber_floquet_count(f) == 24);
  static const double expected[3][2] = {
      {-0.152077723040, 0.976464277705}, {-0.361963161928, 0.912096771047}, {-0.680415836636, 0.697737434456}};
  for (int i = 0; i < 3 && f; i++) {
    LimberMultiplier a = limber_floquet_multiplier(f, 2 * i);
    CHECK_NOTE("%.12f %.12f %s", a.real, a.imag, a.largest);
    CHECK_LE(hypot(a.real - expected[i][0], a.imag - expected[i][1]), 1e-8); // of one rank
  }
  CHECK_OK(LimberFloquetDestroy(&f));
  CHECK_OK(LimberModelDestroy(&m));
}

CHECK_MAIN_PETSC
