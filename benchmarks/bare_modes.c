// SPDX-License-Identifier: Apache-2.0
// bare_modes K.bin M.bin SHIFT COUNT: the modes of two matrices by SLEPc alone, K x = omega^2 M x nearest to SHIFT, with one
// factorisation. Prints CPU seconds of the solution and the eigenvalues. Options of PETSc and SLEPc follow.
#include <slepceps.h>
#include <stdlib.h>
#include <time.h>

static PetscErrorCode ReadMatrix(const char *path, Mat *out) {
  PetscViewer v;
  PetscFunctionBegin;
  PetscCall(MatCreate(PETSC_COMM_WORLD, out));
  PetscCall(MatSetType(*out, MATAIJ));
  PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, path, FILE_MODE_READ, &v));
  PetscCall(MatLoad(*out, v));
  PetscCall(PetscViewerDestroy(&v));
  PetscFunctionReturn(0);
}

static PetscErrorCode Solve(char **word) {
  Mat k, m;
  EPS eps;
  ST st;
  KSP ksp;
  PC pc;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(ReadMatrix(word[1], &k));
  PetscCall(ReadMatrix(word[2], &m));
  clock_t start = clock();
  PetscCall(EPSCreate(PETSC_COMM_WORLD, &eps));
  PetscCall(EPSSetOperators(eps, k, m));
  PetscCall(EPSSetProblemType(eps, EPS_GHEP));
  PetscCall(EPSSetDimensions(eps, atoi(word[4]), PETSC_DEFAULT, PETSC_DEFAULT));
  PetscCall(EPSSetTarget(eps, atof(word[3])));
  PetscCall(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
  PetscCall(EPSGetST(eps, &st));
  PetscCall(STSetType(st, STSINVERT));
  PetscCall(STGetKSP(st, &ksp));
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCLU));
  PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  PetscCall(EPSSetFromOptions(eps));
  PetscCall(EPSSolve(eps));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "cpu %.3f s\n", (double)(clock() - start) / CLOCKS_PER_SEC));
  PetscCall(EPSGetConverged(eps, &n));
  for (PetscInt i = 0; i < n; i++) {
    PetscScalar value;
    PetscCall(EPSGetEigenvalue(eps, i, &value, NULL));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%.9g\n", (double)PetscSqrtReal(value) / (2 * PETSC_PI)));
  }
  PetscCall(EPSDestroy(&eps));
  PetscCall(MatDestroy(&k));
  PetscCall(MatDestroy(&m));
  PetscFunctionReturn(0);
}

int main(int count, char **word) {
  if (count < 5) return 2;
  PetscCall(SlepcInitialize(&count, &word, NULL, NULL));
  PetscCall(Solve(word));
  return SlepcFinalize();
}
