// SPDX-License-Identifier: Apache-2.0
// Solves K x = omega^2 M x for symmetric K with the Krylov-Schur method for (K - shift M)^-1 M in the inner product of
// M, to which multipliers and massless unknowns do not contribute. One start vector finds one vector of each
// eigenvalue; others of a multiple one appear only through round-off. So what was found is removed from the space, and
// the search is repeated until it finds nothing nearer.
#include "analyses/modes/modes.h"

#include "solvers/krylov.h"

static PetscErrorCode SolveShifted(void *self, Vec b, Vec x) { return PencilSolve(self, false, b, x); }

static const double last_digits = 1e-11, roughly = 1e-2;
enum { ROUGH_WIDTH = 10 }; // vectors of the space of a rough search for one mode

// A start vector without what is known; `some`: false if only round-off is left of it.
static PetscErrorCode StartVector(Pencil *p, int round, const ModeList *known, Vec *out, bool *some) {
  double before[2], after[2];
  PetscScalar part;
  Vec b, x[2] = {NULL, NULL};
  PetscFunctionBegin;
  PetscCall(MatCreateVecs(p->k, &x[0], &b));
  PetscCall(PencilStart(p, round, x[0]));
  PetscCall(MatMult(p->m, x[0], b));
  PetscCall(PencilSolve(p, false, b, x[0]));
  PetscCall(ModesComplexProduct(p->m, x, x, before));
  for (int again = 0; again < 2; again++) {
    PetscCall(MatMult(p->m, x[0], b));
    for (int i = 0; i < known->count; i++) { // of norm 1
      PetscCall(VecDot(known->mode[i].right[0], b, &part));
      PetscCall(VecAXPY(x[0], -part, known->mode[i].right[0]));
    }
  }
  PetscCall(ModesComplexProduct(p->m, x, x, after));
  *some = after[0] > 1e-20 * before[0];
  PetscCall(VecDestroy(&b));
  *out = x[0];
  PetscFunctionReturn(0);
}

// Searches for `count` modes besides those of `out`, from another start in each round; `nearest`: distance of the
// nearest new one. They are kept only if the tolerance is small; a larger one serves to see whether there are any.
static PetscErrorCode Search(Pencil *p, int round, int count, double tolerance, ModeList *out, int *found,
                             double *nearest) {
  KrylovSearch search = {SolveShifted, p, p->m, p->m, .count = count, .tolerance = tolerance, .limit = 100};
  KrylovResult result;
  PetscInt massive, all;
  bool some = false;
  PetscFunctionBegin;
  PetscCall(PencilMassive(p, &massive));
  PetscCall(MatGetSize(p->m, &all, NULL));
  bool rough = tolerance > last_digits;
  search.width = rough ? ROUGH_WIDTH : 0;
  search.definite = massive == all || rough; // or the vectors are not used
  *found = 0, *nearest = PETSC_INFINITY;
  PetscCall(StartVector(p, round, out, &search.start, &some));
  if (some) {
    search.known = out->count;
    PetscCall(PetscMalloc1(out->count, &search.known_vector));
    for (int i = 0; i < out->count; i++) search.known_vector[i] = out->mode[i].right[0];
    PetscCall(KrylovFind(&search, &result));
    *found = result.count;
    out->lost = !result.count && !out->count;
    for (int i = 0; i < result.count; i++) {
      double away = 1 / result.re[i], value = p->shift + away;
      Mode *mode;
      *nearest = PetscMin(*nearest, PetscAbsReal(away));
      if (rough) continue;
      PetscCall(
          ModeListAdd(out, p, value > 0 ? 0 : PetscSqrtReal(-value), value > 0 ? PetscSqrtReal(value) : 0, &mode));
      PetscCall(VecCopy(result.vector[i], mode->right[0]));
    }
    PetscCall(PetscFree(search.known_vector));
    PetscCall(KrylovDestroy(&result));
  }
  PetscCall(VecDestroy(&search.start));
  PetscFunctionReturn(0);
}

static double distance(const Pencil *p, const Mode *m) {
  return PetscAbsReal(m->im * m->im - m->re * m->re - p->shift);
}

// The distance within which there are `count` modes.
static PetscErrorCode Reach(const Pencil *p, const ModeList *list, int count, double *reach) {
  double *all;
  PetscFunctionBegin;
  *reach = PETSC_INFINITY;
  if (list->count < count) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(list->count, &all));
  for (int i = 0; i < list->count; i++) all[i] = distance(p, &list->mode[i]);
  PetscCall(PetscSortReal(list->count, all));
  *reach = all[count - 1];
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

PetscErrorCode ModesSymmetric(Pencil *p, int count, bool again, ModeList *out) {
  double nearest, reach;
  int found = 1;
  PetscFunctionBegin;
  if (!again) PetscCall(Search(p, 0, count, last_digits, out, &found, &nearest));
  for (int round = 1; round < 20 && found > 0 && again; round++) {
    PetscCall(Reach(p, out, count, &reach));
    PetscCall(Search(p, round, 1, roughly, out, &found, &nearest));
    if (nearest > 1.01 * reach) break;
    PetscCall(Search(p, round, PetscMin(count, 2), last_digits, out, &found, &nearest));
    if (nearest > reach) break;
  }
  PetscFunctionReturn(0);
}
