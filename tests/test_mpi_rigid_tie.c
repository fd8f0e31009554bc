// SPDX-License-Identifier: Apache-2.0
// What is bolted to bodies on several ranks: a plane beam with consistent masses on a body of points, and on a ball beside it a
// shell on a frame that carries a beam; 40 steps.
#include "base/cookie.h"
#include "compare_ranks.h"
#include "solid.h"

static PetscErrorCode Disk(LimberModel m, LimberNodeId root) {
  const LimberSimplexBody disk = {.mass = 5, .inertia = {11, 11, 22, 0, 0, 0}};
  const LimberPlaneBeam p = {.start = {3, 0, 0},
                             .end = {8, 0, 0},
                             .depth = 0.2,
                             .width = 1,
                             .elements = 8,
                             .material = {.E = 1e4, .density = 2},
                             .inertia = LIMBER_MASS_CONSISTENT};
  const double at[3] = {2, 0.75, 0};
  LimberElementId body, beam;
  PetscFunctionBegin;
  PetscCall(LimberModelAddSimplexBody(m, "disk", &disk, &body));
  PetscCall(LimberModelAddPlaneBeam(m, "beam", &p, &beam));
  for (int side = 0; side < 2; side++) {
    LimberRigidTie bolt = {LIMBER_BODY(body), limber_model_element_node(m, beam, side)};
    PetscCall(LimberModelAddRigidTie(m, NULL, &bolt, NULL));
    LimberForce force = {limber_model_element_node(m, beam, 16 + side), {0, 0.5, 0}, LIMBER_NO_FUNCTION};
    PetscCall(LimberModelAddForce(m, NULL, &force, NULL));
  }
  LimberSpherical ball = {.nodes = {LIMBER_BODY(body), root}, .at = at};
  PetscCall(LimberModelAddSpherical(m, NULL, &ball, NULL));
  PetscFunctionReturn(0);
}

static PetscErrorCode Compute(const void *what, StateSample *out) {
  const LimberMaterial material = {.E = 1e5, .nu = 0.3, .density = 10};
  const Box box = {LIMBER_HEXAHEDRON, {4, 3, 1}, {2, 1.5, 0.1}, 0.1, false};
  const LimberOptions options = {
      .cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(what), .rho_inf = 0.5, .step = 0.05, .tolerance = 1e-15};
  LimberSection section = {.mass = 1, .inertia = {{0.02, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}}};
  BoxModel b;
  LimberNodeId root, tip;
  LimberSectionId id;
  LimberRun run;
  PetscFunctionBegin;
  for (int i = 0; i < 6; i++) section.stiffness[i][i] = i < 3 ? 1e4 : 100;
  PetscCall(BoxCreate(&box, &material, "shell", &b));
  PetscCall(LimberModelAddFrame(b.model, "root", (double[]){2, 0.75, 0.05}, NULL, &root));
  PetscCall(LimberModelAddFrame(b.model, "tip", (double[]){6, 0.75, 0.05}, NULL, &tip));
  PetscCall(LimberModelAddSection(b.model, "section", 1, &section, &id));
  PetscCall(LimberModelAddBeam(b.model, "rod",
                               &(LimberBeam){.from = root, .to = tip, .section = id, .elements = 4, .order = 3}, NULL));
  for (int j = 0; j < b.m[1]; j++)
    for (int k = 0; k < b.m[2]; k++)
      PetscCall(LimberModelAddRigidTie(b.model, NULL, &(LimberRigidTie){root, box_node(&b, 4, j, k)}, NULL));
  PetscCall(LimberModelAddForce(b.model, NULL, &(LimberForce){tip, {0, 0.3, 1}, LIMBER_NO_FUNCTION}, NULL));
  PetscCall(Disk(b.model, root));
  CHECK_STR(limber_model_diagnostics(b.model), "");
  PetscCall(LimberRunCreate(b.model, &options, &run));
  PetscCall(AnswerOfRun(b.model, run, LIMBER_NO_ELEMENT, 40, out));
  PetscCall(LimberRunDestroy(&run));
  PetscCall(BoxDestroy(&b));
  PetscFunctionReturn(0);
}

TEST(many_ranks_give_the_bolted_bodies_of_one) {
  static const char *const schemes[] = {"decaying", "preserving", "decaying_c"};
  same_bits = false;
  for (int i = 0; i < 3; i += CHECK_EVERY(2)) compare_ranks(schemes[i], Compute, schemes[i], 1e-10);
}

CHECK_MAIN_PETSC
