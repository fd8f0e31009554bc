// SPDX-License-Identifier: Apache-2.0
// A block of cells that hangs on fixed nodes and swings: 40 steps of 2 ms.
#include "base/cookie.h"
#include "compare_ranks.h"
#include "solid.h"

typedef struct {
  const char *scheme;
  CellShape shape;
  LimberMaterialLaw law;
  bool free; // and spun
} What;

static PetscErrorCode Compute(const void *context, StateSample *out) {
  const What *what = context;
  const LimberMaterial material = {.E = 1e5, .nu = 0.3, .density = 1000, .law = what->law};
  const Box box = {what->shape, {4, 2, 2}, {0.4, 0.1, 0.1}, 0.1, !what->free};
  const LimberOptions options = {.cookie = OPTIONS_COOKIE,
                                 .scheme = limber_scheme_find(what->scheme),
                                 .rho_inf = 0.5,
                                 .step = 2e-3,
                                 .tolerance = 1e-15};
  BoxModel b;
  LimberRun run;
  PetscFunctionBegin;
  PetscCall(BoxCreate(&box, &material, NULL, &b));
  PetscCall(LimberModelAddGravity(
      b.model, "g", &(LimberGravity){.acceleration = {0, 1, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  if (what->free) PetscCall(LimberModelSetRigidVelocity(b.model, (double[]){1, 0, 2}, (double[]){3, 8, 12}));
  PetscCall(LimberRunCreate(b.model, &options, &run));
  PetscCall(AnswerOfRun(b.model, run, b.element, 40, out));
  PetscCall(LimberRunDestroy(&run));
  PetscCall(BoxDestroy(&b));
  PetscFunctionReturn(0);
}

TEST(many_ranks_give_the_block_of_one) {
  static const What what[] = {{"preserving", LIMBER_HEXAHEDRON, LIMBER_LAW_LINEAR, false},
                              {"decaying", LIMBER_HEXAHEDRON, LIMBER_LAW_LINEAR, false},
                              {"decaying", LIMBER_TETRAHEDRON_10, LIMBER_LAW_NEO_HOOKEAN, false},
                              {"decaying_c", LIMBER_HEXAHEDRON, LIMBER_LAW_LINEAR, false},
                              {"generalized_alpha", LIMBER_TETRAHEDRON, LIMBER_LAW_LINEAR, false},
                              {"preserving", LIMBER_QUADRILATERAL, LIMBER_LAW_LINEAR, false},
                              {"preserving", LIMBER_HEXAHEDRON, LIMBER_LAW_NEO_HOOKEAN, false},
                              {"decaying_a", LIMBER_TETRAHEDRON, LIMBER_LAW_NEO_HOOKEAN, false},
                              {"generalized_alpha", LIMBER_QUADRILATERAL, LIMBER_LAW_NEO_HOOKEAN, false},
                              {"decaying_c", LIMBER_HEXAHEDRON, LIMBER_LAW_LINEAR, true}};
  same_bits = false;
  for (int i = 0; i < 10; i += CHECK_EVERY(2)) compare_ranks(what[i].scheme, Compute, &what[i], 1e-10);
}

CHECK_MAIN_PETSC
