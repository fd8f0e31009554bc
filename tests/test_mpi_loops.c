// SPDX-License-Identifier: Apache-2.0
// Four bars with four revolutes in space, driven at the crank: redundant rows, reactions of least norm, drive work.
#include "compare_ranks.h"

enum { STEPS = 40 };

static PetscErrorCode FourBar(const void *what, StateSample *out) {
  const double p[4][3] = {{0, 0, 0}, {0, 0, 0.4}, {1, 0, 0.9}, {1.2, 0, 0}}, axis[3] = {0, 1, 0};
  static const char *const names[] = {"A", "B", "C", "D"};
  LimberModel m;
  LimberRun run;
  LimberOptions o;
  LimberNodeId bar[5] = {LIMBER_GROUND};
  LimberJointId hinge;
  LimberFunctionId motor;
  double force[3], moment[3];
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(&m));
  for (int i = 0; i < 3; i++) {
    double at[3] = {0.5 * (p[i][0] + p[i + 1][0]), 0, 0.5 * (p[i][2] + p[i + 1][2])};
    PetscCall(LimberModelAddFrame(m, names[i], at, NULL, &bar[i + 1]));
    LimberRigidBody body = {.node = bar[i + 1], .mass = 1 + i, .inertia = {0.1, 0.12, 0.05}};
    PetscCall(LimberModelAddRigidBody(m, names[i], &body, NULL));
  }
  bar[4] = LIMBER_GROUND;
  for (int i = 0; i < 4; i++) {
    LimberRevolute r = {.nodes = {bar[i], bar[i + 1]}, .axis = {axis[0], axis[1], axis[2]}, .at = p[i]};
    PetscCall(LimberModelAddRevolute(m, names[i], &r, i ? NULL : &hinge));
  }
  PetscCall(LimberModelAddSine(m, "f", &(LimberSine){.amplitude = 0.4, .frequency = 1}, &motor));
  LimberDrive drive = {.joint = hinge, .coordinate = "angle", .motion = motor, .rate = LIMBER_NO_FUNCTION};
  PetscCall(LimberModelAddDrive(m, "motor", &drive, NULL));
  LimberGravity gravity = {.acceleration = {0, 1, -9.81}, .amplitude = LIMBER_NO_FUNCTION};
  PetscCall(LimberModelAddGravity(m, "g", &gravity, NULL));
  o = limber_options_default();
  o.scheme = limber_scheme_find(what), o.step = 5e-3;
  PetscCall(LimberRunCreate(m, &o, &run));
  PetscCheck(run, PETSC_COMM_SELF, PETSC_ERR_USER, "%s", limber_model_diagnostics(m));
  CHECK(strstr(limber_run_remarks(run), "have 3 redundant constraints") != NULL);
  PetscCall(AnswerOfRun(m, run, LIMBER_NO_ELEMENT, STEPS, out));
  for (int i = 0; i < 4; i++) {
    LimberJointState joint_state;
    PetscCall(LimberRunGetJoint(run, (LimberJointId){i}, &joint_state));
    memcpy(force, joint_state.force, sizeof force);
    memcpy(moment, joint_state.moment, sizeof moment);
    answer_add(out, MOMENT, 3, force);
    answer_add(out, MOMENT, 3, moment);
  }
  PetscCall(LimberRunDestroy(&run));
  PetscCall(LimberModelDestroy(&m));
  PetscFunctionReturn(0);
}

TEST(many_ranks_give_the_driven_four_bar_of_one_with_the_preserving_scheme) {
  compare_ranks("preserving", FourBar, "preserving", 1e-10);
}
TEST(many_ranks_give_the_driven_four_bar_of_one_with_the_decaying_scheme) {
  compare_ranks("decaying_c", FourBar, "decaying_c", 1e-10);
}
TEST(many_ranks_give_the_driven_four_bar_of_one_with_generalized_alpha) {
  compare_ranks("generalized_alpha", FourBar, "generalized_alpha", 1e-10);
}

CHECK_MAIN_PETSC
