// SPDX-License-Identifier: Apache-2.0
// A chain of eight bodies of points on hinges and balls, one of them elastic, one by penalty and two augmented, with a weight on a point that the last carries: 60
// steps of 2 ms.
#include "base/cookie.h"
#include "compare_ranks.h"

enum { BODIES = 8 };

static PetscErrorCode Compute(const void *what, StateSample *out) {
  LimberModel m;
  LimberNodeId body[BODIES + 1] = {LIMBER_GROUND}, weight;
  LimberRun run;
  LimberOptions options = {
      .cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(what), .rho_inf = 0.5, .step = 2e-3, .tolerance = 1e-15};
  double at[3] = {0, 0, 0}, end[3] = {0.3 * BODIES, 0, 0};
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(&m));
  for (int i = 1; i <= BODIES; i++) {
    LimberSimplexBody b = {.centre = {0.3 * i - 0.15, 0, 0}, .mass = 1, .box = {0.3, 0.1, 0.05}};
    if (i == 5) b.E = 1e6, b.nu = 0.3;
    if (i == 2) b.enforcement = LIMBER_ENFORCE_PENALTY, b.penalty = 1e7;
    if (i == 4 || i == 7) b.enforcement = LIMBER_ENFORCE_AUGMENTED, b.penalty = 1e9;
    LimberElementId link;
    PetscCall(LimberModelAddSimplexBody(m, NULL, &b, &link));
    body[i] = LIMBER_BODY(link), at[0] = 0.3 * (i - 1);
    LimberRevolute r = {.nodes = {body[i - 1], body[i]}, .axis = {0, 1, 0.2 * i}, .at = at};
    LimberSpherical s = {.nodes = {body[i - 1], body[i]}, .at = at};
    if (i % 3) PetscCall(LimberModelAddRevolute(m, NULL, &r, NULL));
    else PetscCall(LimberModelAddSpherical(m, NULL, &s, NULL));
  }
  PetscCall(LimberModelAddPoint(m, "weight", end, &weight));
  PetscCall(LimberModelAddMass(m, NULL, &(LimberMass){weight, 0.5}, NULL));
  PetscCall(LimberModelAddSpherical(m, NULL, &(LimberSpherical){{body[BODIES], weight}, NULL, NULL}, NULL));
  PetscCall(LimberModelAddGravity(
      m, "g", &(LimberGravity){.acceleration = {0, 1, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  CHECK_STR(limber_model_diagnostics(m), "");
  PetscCall(LimberRunCreate(m, &options, &run));
  PetscCall(AnswerOfRun(m, run, LIMBER_NO_ELEMENT, 60, out));
  PetscCall(LimberRunDestroy(&run));
  PetscCall(LimberModelDestroy(&m));
  PetscFunctionReturn(0);
}

TEST(many_ranks_give_the_bodies_of_points_of_one) {
  static const char *const schemes[] = {"decaying", "preserving", "decaying_c", "generalized_alpha"};
  for (int i = 0; i < 4; i += CHECK_EVERY(3)) compare_ranks(schemes[i], Compute, schemes[i], 1e-10);
}

CHECK_MAIN_PETSC
