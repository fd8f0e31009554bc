// SPDX-License-Identifier: Apache-2.0
// By Krylov & Schur with (K + s M)^-1 M.
#include "analyses/exponential/lowest_modes.h"

static PetscErrorCode SolveShifted(void *self, Vec b, Vec x) { return KSPSolve(self, b, x); }

PetscErrorCode LowestModesFind(const Structure *t, PetscInt modes, double shift, LowestModes *out) {
  KrylovSearch search = {SolveShifted, NULL, t->m, t->m, .count = (int)modes, .tolerance = 1e-12, .limit = 500};
  Mat shifted;
  PetscFunctionBegin;
  *out = (LowestModes){.shift = shift};
  PetscCall(MatDuplicate(t->k, MAT_COPY_VALUES, &shifted));
  PetscCall(MatAXPY(shifted, shift, t->m, DIFFERENT_NONZERO_PATTERN));
  PetscCall(KSPCreate(t->comm, &out->ksp));
  PetscCall(KSPSetOptionsPrefix(out->ksp, "limber_modes_"));
  PetscCall(KSPSetOperators(out->ksp, shifted, shifted));
  PetscCall(MatDestroy(&shifted));
  PetscCall(SolverUseLU(out->ksp, true));
  PetscCall(KSPSetFromOptions(out->ksp));
  search.self = out->ksp;
  PetscCall(MatCreateVecs(t->k, &search.start, NULL));
  PetscCall(VecSetRandom(search.start, NULL));
  PetscCall(KrylovFind(&search, &out->result));
  out->found = PetscMin((PetscInt)out->result.count, modes);
  PetscCall(VecDestroy(&search.start));
  PetscFunctionReturn(0);
}

double lowest_mode_square(const LowestModes *m, PetscInt i) { return 1 / m->result.re[i] - m->shift; }

PetscErrorCode LowestModesDestroy(LowestModes *m) {
  PetscFunctionBegin;
  PetscCall(KSPDestroy(&m->ksp));
  PetscCall(KrylovDestroy(&m->result));
  PetscFunctionReturn(0);
}
