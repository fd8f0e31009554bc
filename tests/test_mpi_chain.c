// SPDX-License-Identifier: Apache-2.0
// A clamped cantilever of 40 cubic elements under gravity and a pulse at its tip.
#include "compare_ranks.h"

enum { ELEMENTS = 40, STEPS = 20 };

static PetscErrorCode Chain(const void *what, StateSample *out) {
  LimberSection section = {
      .stiffness =
          {{4.35e7}, {0, 1.40e7}, {0, 0, 2.81e6}, {0, 0, 0, 2.81e4}, {0, 0, 0, 0, 2.33e4}, {0, 0, 0, 0, 0, 2.99e5}},
      .mass = 1.61,
      .inertia = {{1.19e-2}, {0, 8.6e-4}, {0, 0, 1.1e-2}}};
  LimberModel m;
  LimberRun run;
  LimberOptions o;
  LimberSectionId s;
  LimberElementId beam;
  LimberFunctionId pulse;
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(&m));
  PetscCall(LimberModelAddSection(m, "section", 1, &section, &s));
  LimberBeam line = {
      .from = LIMBER_NO_NODE, .to = LIMBER_NO_NODE, .section = s, .elements = ELEMENTS, .order = 3, .end = {2.4, 0, 0}};
  PetscCall(LimberModelAddBeam(m, "beam", &line, &beam));
  LimberClamp clamp = {.node = limber_model_element_node(m, beam, 0)};
  PetscCall(LimberModelAddClamp(m, "root", &clamp, NULL));
  LimberGravity gravity = {.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION};
  PetscCall(LimberModelAddGravity(m, "gravity", &gravity, NULL));
  LimberTriangle triangle = {.peak = 1000, .at = 0.01, .end = 0.02};
  PetscCall(LimberModelAddTriangle(m, "pulse", &triangle, &pulse));
  LimberForce force = {
      .node = limber_model_element_node(m, beam, 3 * ELEMENTS), .direction = {0, 1, 1}, .amplitude = pulse};
  PetscCall(LimberModelAddForce(m, "push", &force, NULL));
  o = limber_options_default();
  o.scheme = limber_scheme_find(what), o.step = 1e-3;
  PetscCall(LimberRunCreate(m, &o, &run));
  PetscCheck(run, PETSC_COMM_SELF, PETSC_ERR_USER, "%s", limber_model_diagnostics(m));
  PetscCall(AnswerOfRun(m, run, beam, STEPS, out));
  PetscCall(LimberRunDestroy(&run));
  PetscCall(LimberModelDestroy(&m));
  PetscFunctionReturn(0);
}

TEST(many_ranks_give_the_cantilever_of_one_with_the_preserving_scheme) {
  compare_ranks("preserving", Chain, "preserving", 1e-11);
}
TEST(many_ranks_give_the_cantilever_of_one_with_the_decaying_scheme) {
  compare_ranks("decaying_a", Chain, "decaying_a", 1e-11);
}
TEST(many_ranks_give_the_cantilever_of_one_with_generalized_alpha) {
  compare_ranks("generalized_alpha", Chain, "generalized_alpha", 1e-11);
}

CHECK_MAIN_PETSC
