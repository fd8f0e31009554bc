// SPDX-License-Identifier: Apache-2.0
// The swing of examples/swing, long before the links straighten: 300 steps of 0.5 ms, a beam with joints to fixed nodes on
// other ranks.
#include "compare_ranks.h"

#include "../examples/swing/swing.h"

static PetscErrorCode Compute(const void *what, StateSample *out) {
  Swing w;
  PetscFunctionBegin;
  PetscCall(SwingCreate(what, &w));
  PetscCheck(w.run, PETSC_COMM_SELF, PETSC_ERR_USER, "%s", limber_model_diagnostics(w.model));
  PetscCall(AnswerOfRun(w.model, w.run, w.beam, 300, out));
  PetscCall(SwingDestroy(&w));
  PetscFunctionReturn(0);
}

TEST(many_ranks_give_the_swing_of_one_with_the_preserving_scheme) {
  compare_ranks("preserving", Compute, (SwingCase[]){swing_case("preserving", 0, 2000, 4)}, 1e-10);
}
TEST(many_ranks_give_the_swing_of_one_with_the_decaying_schemes) {
  compare_ranks("decaying_a", Compute, (SwingCase[]){swing_case("decaying_a", 0, 2000, 4)}, 1e-10);
  compare_ranks("decaying_c", Compute, (SwingCase[]){swing_case("decaying_c", 0.5, 2000, 4)}, 1e-10);
}
TEST(many_ranks_give_the_swing_of_one_with_generalized_alpha) {
  compare_ranks("generalized_alpha", Compute, (SwingCase[]){swing_case("generalized_alpha", 0.5, 2000, 4)}, 1e-10);
}

CHECK_MAIN_PETSC
