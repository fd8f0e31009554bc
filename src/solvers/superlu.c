// SPDX-License-Identifier: Apache-2.0
// LU with pivoting for builds of PETSc without MUMPS: SuperLU (Demmel, Eisenstat, Gilbert, Li & Liu, 1999), on one
// process. SuperLU needs matrices stored by entries, so the block matrix of a system is copied.
#include "solvers/solvers.h"

#ifndef PETSC_HAVE_MUMPS

// Rows and columns are scaled first, because those of joints and stiffnesses differ by many orders. The pattern is
// symmetric, so minimum-degree ordering gives the least fill as long as pivots stay on the diagonal: they do if they
// are at least 0.1 of their column. With 0.5, a net of 40 x 40 cubic beams takes 16 times as long. PETSc reads these
// options without a prefix.
PetscErrorCode FactorBySuperLU(Mat k, Mat *factor, bool *good) {
  MatFactorInfo info;
  MatFactorError error;
  PetscFunctionBegin;
  PetscCall(SolverPresetOption(NULL, "mat_superlu_equil", "1"));
  PetscCall(SolverPresetOption(NULL, "mat_superlu_colperm", "MMD_AT_PLUS_A"));
  PetscCall(SolverPresetOption(NULL, "mat_superlu_symmetricmode", "1"));
  PetscCall(SolverPresetOption(NULL, "mat_superlu_diagpivotthresh", "0.1"));
  PetscCall(MatFactorInfoInitialize(&info));
  PetscCall(MatGetFactor(k, MATSOLVERSUPERLU, MAT_FACTOR_LU, factor));
  PetscCall(MatLUFactorSymbolic(*factor, k, NULL, NULL, &info));
  PetscCall(MatLUFactorNumeric(*factor, k, &info));
  PetscCall(MatFactorGetError(*factor, &error));
  *good = error == MAT_FACTOR_NOERROR;
  PetscFunctionReturn(0);
}

typedef struct {
  Mat matrix, factor;
  Vec left, correction;
} SuperLU;

static PetscErrorCode Clear(SuperLU *s) {
  PetscFunctionBegin;
  PetscCall(MatDestroy(&s->factor));
  PetscCall(MatDestroy(&s->matrix));
  PetscCall(VecDestroy(&s->left));
  PetscCall(VecDestroy(&s->correction));
  PetscFunctionReturn(0);
}

static PetscErrorCode SetUp(PC pc) {
  SuperLU *s;
  Mat matrix;
  bool good;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &s));
  PetscCall(Clear(s));
  PetscCall(PCGetOperators(pc, NULL, &matrix));
  PetscCall(MatConvert(matrix, MATSEQAIJ, MAT_INITIAL_MATRIX, &s->matrix));
  PetscCall(MatCreateVecs(s->matrix, &s->correction, &s->left));
  PetscCall(FactorBySuperLU(s->matrix, &s->factor, &good));
  PetscCall(PCSetFailedReason(pc, good ? PC_NOERROR : PC_FACTOR_NUMERIC_ZEROPIVOT));
  PetscFunctionReturn(0);
}

// One step of iterative refinement makes every row accurate to round-off (Skeel, 1980), however rows differ in size.
static PetscErrorCode Solve(PC pc, bool transpose, Vec b, Vec x) {
  SuperLU *s;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &s));
  for (int again = 0; again < 2; again++) {
    Vec from = again ? s->left : b, to = again ? s->correction : x;
    if (again && transpose) PetscCall(MatMultTranspose(s->matrix, x, s->left));
    else if (again) PetscCall(MatMult(s->matrix, x, s->left));
    if (again) PetscCall(VecAYPX(s->left, -1, b));
    if (transpose) PetscCall(MatSolveTranspose(s->factor, from, to));
    else PetscCall(MatSolve(s->factor, from, to));
  }
  PetscCall(VecAXPY(x, 1, s->correction));
  PetscFunctionReturn(0);
}

static PetscErrorCode Apply(PC pc, Vec b, Vec x) { return Solve(pc, false, b, x); }

static PetscErrorCode ApplyTranspose(PC pc, Vec b, Vec x) { return Solve(pc, true, b, x); }

static PetscErrorCode Destroy(PC pc) {
  SuperLU *s;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &s));
  PetscCall(Clear(s));
  PetscCall(PetscFree(s));
  PetscFunctionReturn(0);
}

PetscErrorCode SolverUseSuperLU(PC pc) {
  SuperLU *s;
  PetscFunctionBegin;
  PetscCall(PetscNew(&s));
  PetscCall(PCSetType(pc, PCSHELL));
  PetscCall(PCShellSetContext(pc, s));
  PetscCall(PCShellSetSetUp(pc, SetUp));
  PetscCall(PCShellSetApply(pc, Apply));
  PetscCall(PCShellSetApplyTranspose(pc, ApplyTranspose));
  PetscCall(PCShellSetDestroy(pc, Destroy));
  PetscCall(PCShellSetName(pc, "SuperLU"));
  PetscFunctionReturn(0);
}

#endif
