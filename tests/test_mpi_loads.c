// SPDX-License-Identifier: Apache-2.0
// A beam in tension on a hinge under all loads that follow it, lie along it or pull at some of its neighbours.
#include "compare_ranks.h"

enum { ELEMENTS = 20, STEPS = 20 };

static PetscErrorCode AddLoads(LimberModel m, LimberElementId beam, LimberElementId body) {
  LimberNodeId tip = limber_model_element_node(m, beam, 3 * ELEMENTS);
  LimberFunctionId swell, sum, wave;
  PetscFunctionBegin;
  LimberExpression e = {.value = {.text = "A*t*sin(20*t)", .parameter = &(LimberParameter){"A", 30}, .parameters = 1}};
  PetscCall(LimberModelAddExpression(m, "wave", &e, &wave));
  PetscCall(LimberModelAddRamp(m, "swell", &(LimberRamp){0, 1, 0, 0.01}, &swell));
  LimberCombination both = {(LimberFunctionId[]){wave, swell}, 2};
  PetscCall(LimberModelAddSum(m, "sum", &both, &sum));
  PetscCall(LimberModelAddFollowerForce(m, "tip", &(LimberFollower){tip, {10, 400, 200}, sum}, NULL));
  PetscCall(LimberModelAddFollowerMoment(m, "twist", &(LimberFollower){tip, {50, 100, -90}, swell}, NULL));
  PetscCall(LimberModelAddLineForce(m, "lift", &(LimberLineLoad){beam, {0, 200, 300}, LIMBER_AXES_SECTION, sum}, NULL));
  PetscCall(LimberModelAddLineMoment(m, "pitch", &(LimberLineLoad){beam, {9, 2, 0}, LIMBER_AXES_SECTION, wave}, NULL));
  PetscCall(LimberModelAddLineForce(m, "wind", &(LimberLineLoad){beam, {30, 0, 10}, LIMBER_AXES_GROUND, wave}, NULL));
  LimberGravity g = {.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION, .elements = &body, .count = 1};
  PetscCall(LimberModelAddGravity(m, "weight", &g, NULL));
  PetscCall(LimberModelAddBaseAcceleration(m, "quake", &(LimberBaseAcceleration){{2, 3, 0}, swell}, NULL));
  PetscFunctionReturn(0);
}

static PetscErrorCode Loaded(const void *what, StateSample *out) {
  LimberSection section = {
      .stiffness =
          {{4.35e7}, {0, 1.40e7}, {0, 0, 2.81e6}, {0, 0, 0, 2.81e4}, {0, 0, 0, 0, 2.33e4}, {0, 0, 0, 0, 0, 2.99e5}},
      .mass = 1.61,
      .inertia = {{1.19e-2}, {0, 8.6e-4}, {0, 0, 1.1e-2}}};
  LimberModel m;
  LimberRun run;
  LimberOptions o;
  LimberSectionId s;
  LimberElementId beam, body;
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(&m));
  PetscCall(LimberModelAddSection(m, "section", 1, &section, &s));
  LimberBeam line = {.from = LIMBER_NO_NODE,
                     .to = LIMBER_NO_NODE,
                     .section = s,
                     .elements = ELEMENTS,
                     .order = 3,
                     .end = {2.4, 0, 0},
                     .tension = 2000};
  PetscCall(LimberModelAddBeam(m, "beam", &line, &beam));
  LimberRigidBody weight = {
      .node = limber_model_element_node(m, beam, ELEMENTS), .mass = 2, .inertia = {0.01, 0.01, 0.01}};
  PetscCall(LimberModelAddRigidBody(m, "weight", &weight, &body));
  LimberRevolute hinge = {.nodes = {LIMBER_GROUND, limber_model_element_node(m, beam, 0)}, .axis = {0, 1, 0}};
  PetscCall(LimberModelAddRevolute(m, "root", &hinge, NULL));
  PetscCall(AddLoads(m, beam, body));
  o = limber_options_default();
  o.scheme = limber_scheme_find(what), o.step = 5e-4;
  PetscCall(LimberRunCreate(m, &o, &run));
  PetscCheck(run, PETSC_COMM_SELF, PETSC_ERR_USER, "%s", limber_model_diagnostics(m));
  PetscCall(AnswerOfRun(m, run, beam, STEPS, out));
  for (int i = 0; i < 7; i++) {
    double work;
    PetscCall(LimberRunGetLoadWork(run, (LimberLoadId){i}, &work));
    answer_add(out, ENERGY, 1, &work);
  }
  PetscCall(LimberRunDestroy(&run));
  PetscCall(LimberModelDestroy(&m));
  PetscFunctionReturn(0);
}

TEST(many_ranks_give_the_loaded_beam_of_one_with_the_preserving_scheme) {
  compare_ranks("preserving", Loaded, "preserving", 1e-11);
}
TEST(many_ranks_give_the_loaded_beam_of_one_with_the_decaying_scheme) {
  compare_ranks("decaying_c", Loaded, "decaying_c", 1e-11);
}
TEST(many_ranks_give_the_loaded_beam_of_one_with_generalized_alpha) {
  compare_ranks("generalized_alpha", Loaded, "generalized_alpha", 1e-11);
}

CHECK_MAIN_PETSC
