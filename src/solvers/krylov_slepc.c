// SPDX-License-Identifier: Apache-2.0
// The eigenvalue search of krylov.h with SLEPc.
#include "solvers/krylov.h"

#ifndef LIMBER_WITHOUT_SLEPC
#include <slepceps.h>

static PetscErrorCode ApplyPC(PC pc, Vec from, Vec to) {
  const KrylovSearch *k;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, (void *)&k));
  PetscCall(k->apply(k->self, from, to));
  PetscFunctionReturn(0);
}

static PetscErrorCode Multiply(Mat a, Vec from, Vec to) {
  const KrylovSearch *k;
  PetscFunctionBegin;
  PetscCall(MatShellGetContext(a, (void *)&k));
  PetscCall(k->apply(k->self, from, to));
  PetscFunctionReturn(0);
}

// Lets SLEPc use S in place of mass^-1, in the inner product of the mass.
static PetscErrorCode UseInnerProduct(const KrylovSearch *k, EPS eps) {
  ST st;
  KSP ksp;
  PC pc;
  PetscFunctionBegin;
  PetscCall(EPSSetOperators(eps, k->times, k->mass));
  PetscCall(EPSSetProblemType(eps, EPS_GHEP));
  PetscCall(EPSGetST(eps, &st));
  PetscCall(STSetType(st, STSHIFT));
  PetscCall(KSPCreate(PetscObjectComm((PetscObject)eps), &ksp));
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCSHELL));
  PetscCall(PCShellSetContext(pc, (void *)k));
  PetscCall(PCShellSetApply(pc, ApplyPC));
  PetscCall(STSetKSP(st, ksp));
  PetscCall(KSPDestroy(&ksp));
  PetscFunctionReturn(0);
}

static PetscErrorCode UseProducts(const KrylovSearch *k, EPS eps) {
  Mat a;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(VecGetLocalSize(k->start, &n));
  PetscCall(MatCreateShell(PetscObjectComm((PetscObject)eps), n, n, PETSC_DETERMINE, PETSC_DETERMINE, (void *)k, &a));
  PetscCall(MatShellSetOperation(a, MATOP_MULT, (void (*)(void))Multiply));
  PetscCall(EPSSetOperators(eps, a, NULL));
  PetscCall(EPSSetProblemType(eps, EPS_NHEP));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

// Of a symmetric search, the part of the space that is kept over a restart: with more, convergence is seen earlier, and
// a restart costs little beside a solution with factors.
static const double kept = 0.9;

PetscErrorCode KrylovFind(const KrylovSearch *k, KrylovResult *out) {
  EPS eps;
  PetscInt n;
  Vec start = k->start;
  PetscFunctionBegin;
  *out = (KrylovResult){0};
  PetscCall(EPSCreate(PetscObjectComm((PetscObject)start), &eps));
  PetscCall(EPSSetOptionsPrefix(eps, "limber_modes_"));
  if (k->mass) PetscCall(UseInnerProduct(k, eps));
  else PetscCall(UseProducts(k, eps));
  PetscCall(EPSSetType(eps, EPSKRYLOVSCHUR));
  if (k->mass) PetscCall(EPSKrylovSchurSetRestart(eps, kept));
  PetscCall(EPSSetWhichEigenpairs(eps, EPS_LARGEST_MAGNITUDE));
  PetscCall(EPSSetDimensions(eps, k->count, k->width ? k->width : PETSC_DEFAULT, PETSC_DEFAULT));
  PetscCall(EPSSetTolerances(eps, k->tolerance, k->limit));
  PetscCall(EPSSetInitialSpace(eps, 1, &start));
  PetscCall(EPSSetPurify(eps, (PetscBool)!k->definite));
  if (k->known) PetscCall(EPSSetDeflationSpace(eps, k->known, k->known_vector));
  PetscCall(EPSSetFromOptions(eps));
  // eigenvalues that are too close to be sorted are an error in LAPACK, the same on all ranks
  PetscCall(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
  PetscErrorCode error = EPSSolve(eps);
  PetscCall(PetscPopErrorHandler());
  out->failed = error == PETSC_ERR_LIB, n = 0;
  if (!out->failed) PetscCall(error);
  if (!out->failed) PetscCall(EPSGetConverged(eps, &n));
  if (n > 0) {
    out->count = (int)n;
    PetscCall(PetscMalloc2(n, &out->re, n, &out->im));
    PetscCall(VecDuplicateVecs(start, n, &out->vector));
    for (PetscInt i = 0; i < n; i++) PetscCall(EPSGetEigenvalue(eps, i, &out->re[i], &out->im[i]));
    for (PetscInt i = 0; i < n && k->mass; i++) PetscCall(EPSGetEigenvector(eps, i, out->vector[i], NULL));
    if (!k->mass) PetscCall(EPSGetInvariantSubspace(eps, out->vector));
  }
  PetscCall(EPSDestroy(&eps));
  PetscFunctionReturn(0);
}
#endif
