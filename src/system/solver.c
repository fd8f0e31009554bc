// SPDX-License-Identifier: Apache-2.0
// The linear systems: which solver, and whether its answer is good.
#include "system/system.h"

PetscErrorCode SolverUseLU(KSP ksp, bool mumps) {
  const char *prefix;
  char name[128];
  PetscBool given;
  PC pc;
  PetscFunctionBegin;
  PetscCall(KSPSetErrorIfNotConverged(ksp, PETSC_FALSE));
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCLU));
  if (mumps) PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  else PetscCall(PCFactorSetMatOrderingType(pc, MATORDERINGNATURAL));
  if (mumps) { // room for pivots that are put off, of which multipliers have many
    PetscCall(KSPGetOptionsPrefix(ksp, &prefix));
    PetscCall(PetscSNPrintf(name, sizeof name, "-%smat_mumps_icntl_14", prefix ? prefix : ""));
    PetscCall(PetscOptionsHasName(NULL, NULL, name, &given));
    if (!given) PetscCall(PetscOptionsSetValue(NULL, name, "200"));
  }
  PetscFunctionReturn(0);
}

// On several ranks a small system is solved by each of them: that costs less than to divide it, and gives the same bits every
// time, which MUMPS, whose messages overtake each other, does not.
enum { EACH_FOR_ITSELF = 20000 }; // unknowns

PetscErrorCode SystemCreateSolvers(System *s) {
  PC pc;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(MatGetSize(s->tangent, &n, NULL));
  for (int robust = 0; robust < 2; robust++) {
    KSP *ksp = robust ? &s->robust : &s->ksp, own;
    bool alone = s->size > 1 && n <= EACH_FOR_ITSELF;
    PetscCall(KSPCreate(s->comm, ksp));
    PetscCall(KSPSetOperators(*ksp, s->tangent, s->tangent));
    PetscCall(KSPSetErrorIfNotConverged(*ksp, PETSC_FALSE));
    if (robust) PetscCall(KSPSetOptionsPrefix(*ksp, "robust_"));
    if (alone) {
      PetscCall(KSPSetType(*ksp, KSPPREONLY));
      PetscCall(KSPGetPC(*ksp, &pc));
      PetscCall(PCSetType(pc, PCREDUNDANT));
      PetscCall(PCRedundantGetKSP(pc, &own));
    } else own = *ksp;
    PetscCall(SolverUseLU(own, robust || (s->size > 1 && !alone)));
    PetscCall(KSPSetFromOptions(*ksp));
  }
  PetscFunctionReturn(0);
}

// Whether a solution is as good as round-off lets it be, row by row, |T x - b| <= 1e-11 (|T| |x| + |b|), and of a size
// that a motion can have. The sum of squares that is asked first fails where rows are of very different size
// and the residual lies in the small ones, as in short steps from rest.
static PetscErrorCode SolvedToRoundOff(System *s, PetscBool *good) {
  const double *x, *b, *d;
  VecScatter scatter;
  Vec all;
  PetscInt first, last, ncol;
  const PetscInt *col;
  const PetscScalar *value;
  int bad = 0;
  PetscFunctionBegin;
  PetscCall(VecScatterCreateToAll(s->increment, &scatter, &all));
  PetscCall(VecScatterBegin(scatter, s->increment, all, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(scatter, s->increment, all, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGetArrayRead(all, &x));
  PetscCall(VecGetArrayRead(s->residual, &b));
  PetscCall(VecGetArrayRead(s->work, &d));
  PetscCall(MatGetOwnershipRange(s->tangent, &first, &last));
  for (PetscInt i = first; i < last; i++) {
    double scale = PetscAbsReal(b[i - first]);
    PetscInt block = (i - first) / s->bs;
    PetscCall(MatGetRow(s->tangent, i, &ncol, &col, &value));
    for (PetscInt k = 0; k < ncol; k++) scale += PetscAbsReal(value[k] * x[col[k]]);
    PetscCall(MatRestoreRow(s->tangent, i, &ncol, &col, &value));
    bad |= !(PetscAbsReal(d[i - first]) <= 1e-11 * scale); // also for NaN
    bad |= s->block_node[block] >= 0 && PetscAbsReal(x[i]) > 1e3 * PetscMax(1, s->length);
  }
  PetscCall(VecRestoreArrayRead(s->work, &d));
  PetscCall(VecRestoreArrayRead(s->residual, &b));
  PetscCall(VecRestoreArrayRead(all, &x));
  PetscCall(VecScatterDestroy(&scatter));
  PetscCall(VecDestroy(&all));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_LOR, s->comm));
  *good = (PetscBool)!bad;
  PetscFunctionReturn(0);
}

// The linear system by block LU; where it meets a zero pivot or its answer is poor, by MUMPS.
PetscErrorCode SystemSolve(System *s, PetscBool *good) {
  PetscReal error, norm;
  KSPConvergedReason reason;
  double t0, t1;
  PetscFunctionBegin;
  t0 = system_clock(s);
  *good = PETSC_FALSE;
  PetscCall(VecNorm(s->residual, NORM_2, &norm));
  for (int robust = s->falls > 3; robust < 2 && !*good; robust++) {
    KSP ksp = robust ? s->robust : s->ksp;
    PetscCall(KSPSetOperators(ksp, s->tangent, s->tangent));
    PetscCall(KSPSolve(ksp, s->residual, s->increment));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    if (reason >= 0) {
      PetscCall(MatMult(s->tangent, s->increment, s->work));
      PetscCall(VecAXPY(s->work, -1, s->residual));
      PetscCall(VecNorm(s->work, NORM_2, &error));
      *good = (PetscBool)(error <= 1e-6 * norm); // false for NaN
      if (!*good && (robust || s->size > 1)) PetscCall(SolvedToRoundOff(s, good));
    }
    if (!*good && !robust) s->falls++;
    if (!*good && (robust || s->size > 1)) PetscCall(KSPReset(ksp)); // MUMPS forgets a failed analysis only so
  }
  t1 = system_clock(s);
  s->seconds_solve += t1 - t0;
  PetscFunctionReturn(0);
}
