// SPDX-License-Identifier: Apache-2.0
// A weight on a slack cable of 20 bars that goes taut, beside a body on springs with arms: 120 steps of 1 ms.
#include "base/cookie.h"
#include "compare_ranks.h"

static PetscErrorCode Compute(const void *what, StateSample *out) {
  static const double limits[2] = {0.1, 1.2}, arm[3] = {0.7, 0.1, 0.2}, hold[3] = {0.7, 0, 1};
  LimberModel m;
  LimberNodeId hook, weight, body;
  LimberElementId cable;
  LimberRun run;
  LimberOptions options = {
      .cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(what), .rho_inf = 0.5, .step = 1e-3, .tolerance = 1e-15};
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(&m));
  PetscCall(LimberModelAddFixed(m, "hook", (double[]){0, 0, 0}, NULL, &hook));
  PetscCall(LimberModelAddPoint(m, "weight", (double[]){0.7, 0, 0.1}, &weight));
  PetscCall(LimberModelAddFrame(m, "body", (double[]){0.7, 0, 0.3}, NULL, &body));
  PetscCall(LimberModelAddMass(m, "weight", &(LimberMass){weight, 2}, NULL));
  PetscCall(LimberModelAddRigidBody(m, "body",
                                    &(LimberRigidBody){.node = body, .mass = 1, .inertia = {0.01, 0.02, 0.03}}, NULL));
  LimberCable c = {hook, weight, 20, 4e4, 0.1, 0.75, 1e-4, 0, {0, 0, -1}};
  PetscCall(LimberModelAddCable(m, "cable", &c, &cable));
  LimberSpring under = {.nodes = {weight, body}, .at = {NULL, arm}, .law = {.stiffness = 300, .damping = 2}};
  PetscCall(LimberModelAddSpring(m, "under", &under, NULL));
  LimberSpring over = {.nodes = {LIMBER_GROUND, body},
                       .at = {hold, NULL},
                       .law = {.stiffness = 500, .limit_stiffness = 1e4, .limits = limits, .side = LIMBER_SIDE_ABOVE}};
  PetscCall(LimberModelAddSpring(m, "over", &over, NULL));
  PetscCall(LimberModelAddGravity(
      m, "g", &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  CHECK_STR(limber_model_diagnostics(m), "");
  PetscCall(LimberRunCreate(m, &options, &run));
  PetscCall(AnswerOfRun(m, run, cable, 120, out));
  PetscCall(LimberRunDestroy(&run));
  PetscCall(LimberModelDestroy(&m));
  PetscFunctionReturn(0);
}

TEST(many_ranks_give_the_cable_and_springs_of_one) {
  static const char *const schemes[] = {"decaying", "preserving", "decaying_c", "generalized_alpha"};
  for (int i = 0; i < 4; i++) compare_ranks(schemes[i], Compute, schemes[i], 1e-10);
}

CHECK_MAIN_PETSC
