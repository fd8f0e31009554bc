// SPDX-License-Identifier: Apache-2.0
// LU with pivots where PETSc has no MUMPS: SuperLU (Demmel, Eisenstat, Gilbert, Li & Liu, 1999), on one process. It takes matrices by
// entries, those of a system are by blocks: each is copied.
#include "solvers/solvers.h"

#ifndef PETSC_HAVE_MUMPS

static PetscErrorCode PresetOption(const char *name, const char *value) {
  PetscBool given;
  PetscFunctionBegin;
  PetscCall(PetscOptionsHasName(NULL, NULL, name, &given));
  if (!given) PetscCall(PetscOptionsSetValue(NULL, name, value));
  PetscFunctionReturn(0);
}

// Rows and columns are scaled first: those of joints and of stiffnesses differ by many orders. The pattern is that of a symmetric
// matrix, for which the order by minimum degree leaves least fill.
PetscErrorCode FactorBySuperLU(Mat k, Mat *factor, bool *good) {
  MatFactorInfo info;
  MatFactorError error;
  PetscFunctionBegin;
  PetscCall(PresetOption("-limber_superlu_mat_superlu_equil", "1"));
  PetscCall(PresetOption("-limber_superlu_mat_superlu_colperm", "MMD_AT_PLUS_A"));
  PetscCall(MatSetOptionsPrefix(k, "limber_superlu_"));
  PetscCall(MatFactorInfoInitialize(&info));
  PetscCall(MatGetFactor(k, MATSOLVERSUPERLU, MAT_FACTOR_LU, factor));
  PetscCall(MatLUFactorSymbolic(*factor, k, NULL, NULL, &info));
  PetscCall(MatLUFactorNumeric(*factor, k, &info));
  PetscCall(MatFactorGetError(*factor, &error));
  *good = error == MAT_FACTOR_NOERROR;
  PetscFunctionReturn(0);
}

static PetscErrorCode SetUp(PC pc) {
  Mat *factor, matrix, copy;
  bool good;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &factor));
  PetscCall(MatDestroy(factor));
  PetscCall(PCGetOperators(pc, NULL, &matrix));
  PetscCall(MatConvert(matrix, MATSEQAIJ, MAT_INITIAL_MATRIX, &copy));
  PetscCall(FactorBySuperLU(copy, factor, &good));
  PetscCall(MatDestroy(&copy));
  PetscCall(PCSetFailedReason(pc, good ? PC_NOERROR : PC_FACTOR_NUMERIC_ZEROPIVOT));
  PetscFunctionReturn(0);
}

static PetscErrorCode Apply(PC pc, Vec b, Vec x) {
  Mat *factor;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &factor));
  PetscCall(MatSolve(*factor, b, x));
  PetscFunctionReturn(0);
}

static PetscErrorCode ApplyTranspose(PC pc, Vec b, Vec x) {
  Mat *factor;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &factor));
  PetscCall(MatSolveTranspose(*factor, b, x));
  PetscFunctionReturn(0);
}

static PetscErrorCode Destroy(PC pc) {
  Mat *factor;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &factor));
  PetscCall(MatDestroy(factor));
  PetscCall(PetscFree(factor));
  PetscFunctionReturn(0);
}

PetscErrorCode SolverUseSuperLU(PC pc) {
  Mat *factor;
  PetscFunctionBegin;
  PetscCall(PetscNew(&factor));
  PetscCall(PCSetType(pc, PCSHELL));
  PetscCall(PCShellSetContext(pc, factor));
  PetscCall(PCShellSetSetUp(pc, SetUp));
  PetscCall(PCShellSetApply(pc, Apply));
  PetscCall(PCShellSetApplyTranspose(pc, ApplyTranspose));
  PetscCall(PCShellSetDestroy(pc, Destroy));
  PetscCall(PCShellSetName(pc, "SuperLU"));
  PetscFunctionReturn(0);
}

#endif
