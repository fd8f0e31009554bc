// SPDX-License-Identifier: Apache-2.0
// Factors L D L^T of a symmetric tangent on one process, by MUMPS. They need half the memory of LU, and the signs of D
// tell how many directions have a negative stiffness: a path of equilibria takes its solutions and its counts from the
// same factors.
#include "solvers/solvers.h"

// Compares entries with the largest ones of their rows and columns.
PetscErrorCode IsSymmetricMatrix(Mat k, MatStructure pattern, bool *symmetric) {
  Vec scale;
  Mat d;
  double size;
  PetscFunctionBegin;
  PetscCall(MatCreateVecs(k, NULL, &scale));
  PetscCall(MatGetRowMaxAbs(k, scale, NULL));
  PetscCall(VecSqrtAbs(scale));
  PetscCall(VecReciprocal(scale));
  PetscCall(MatTranspose(k, MAT_INITIAL_MATRIX, &d));
  PetscCall(MatAXPY(d, -1, k, pattern));
  PetscCall(MatDiagonalScale(d, scale, scale));
  PetscCall(MatNorm(d, NORM_INFINITY, &size));
  *symmetric = size <= 1e-8;
  PetscCall(MatDestroy(&d));
  PetscCall(VecDestroy(&scale));
  PetscFunctionReturn(0);
}

#ifdef PETSC_HAVE_MUMPS
// Factors without any message of PETSc where they do not exist. `room`: percent of memory for pivots that are put off.
static PetscErrorCode FactorWithin(Mat k, bool symmetric, int room, Mat *out, MatFactorError *error) {
  MatFactorInfo info;
  PetscFunctionBegin;
  PetscCall(MatFactorInfoInitialize(&info));
  PetscCall(MatGetFactor(k, MATSOLVERMUMPS, symmetric ? MAT_FACTOR_CHOLESKY : MAT_FACTOR_LU, out));
  PetscCall(MatMumpsSetIcntl(*out, 13, 1)); // the root on one process, so that its pivots are counted
  PetscCall(MatMumpsSetIcntl(*out, 14, room));
  if (!symmetric) PetscCall(MatMumpsSetIcntl(*out, 33, 1));
  if (symmetric) PetscCall(MatCholeskyFactorSymbolic(*out, k, NULL, &info));
  else PetscCall(MatLUFactorSymbolic(*out, k, NULL, NULL, &info));
  if (symmetric) PetscCall(MatCholeskyFactorNumeric(*out, k, &info));
  else PetscCall(MatLUFactorNumeric(*out, k, &info));
  PetscCall(MatFactorGetError(*out, error));
  PetscFunctionReturn(0);
}

PetscErrorCode FactorByMUMPS(Mat k, bool symmetric, Mat *out, bool *good) {
  MatFactorError error = MAT_FACTOR_OUTMEMORY;
  PetscFunctionBegin;
  *out = NULL;
  for (int room = 200; room <= 20000 && error == MAT_FACTOR_OUTMEMORY; room *= 10) { // multipliers have many
    PetscCall(MatDestroy(out));
    PetscCall(FactorWithin(k, symmetric, room, out, &error));
  }
  *good = error == MAT_FACTOR_NOERROR;
  PetscFunctionReturn(0);
}

// ---- the preconditioner ----

typedef struct {
  Mat factor;
  PetscInt negative; // entries of D
} SymmetricFactors;

// The tangent is by blocks, whose pattern is symmetric; MUMPS takes the upper ones.
static PetscErrorCode SetUp(PC pc) {
  SymmetricFactors *f;
  Mat tangent, upper;
  bool symmetric, good = false;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &f));
  PetscCall(MatDestroy(&f->factor));
  PetscCall(PCGetOperators(pc, NULL, &tangent));
  PetscCall(IsSymmetricMatrix(tangent, SAME_NONZERO_PATTERN, &symmetric));
  if (symmetric) {
    PetscCall(MatSetOption(tangent, MAT_SYMMETRIC, PETSC_TRUE));
    PetscCall(MatConvert(tangent, MATSEQSBAIJ, MAT_INITIAL_MATRIX, &upper));
    PetscCall(MatSetOption(tangent, MAT_SYMMETRIC, PETSC_FALSE)); // the next one need not be
    PetscCall(FactorByMUMPS(upper, true, &f->factor, &good));
    PetscCall(MatDestroy(&upper));
  }
  if (good) PetscCall(MatGetInertia(f->factor, &f->negative, NULL, NULL));
  PetscCall(PCSetFailedReason(pc, good ? PC_NOERROR : PC_FACTOR_NUMERIC_ZEROPIVOT));
  PetscFunctionReturn(0);
}

static PetscErrorCode Apply(PC pc, Vec b, Vec x) {
  SymmetricFactors *f;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &f));
  PetscCall(MatSolve(f->factor, b, x));
  PetscFunctionReturn(0);
}

static PetscErrorCode Destroy(PC pc) {
  SymmetricFactors *f;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &f));
  PetscCall(MatDestroy(&f->factor));
  PetscCall(PetscFree(f));
  PetscFunctionReturn(0);
}

static const char *const shell_name = "L D L^T";

static PetscErrorCode UseSymmetricFactors(KSP ksp) {
  SymmetricFactors *f;
  PetscFunctionBegin;
  PetscCall(PetscNew(&f));
  PetscCall(SolverUseFunctions(ksp, shell_name, f, SetUp, Apply, Destroy));
  PetscFunctionReturn(0);
}

PetscErrorCode LinearHasSymmetricFactors(const LinearSolver *linear, bool *has) {
  PetscFunctionBegin;
  PetscCall(SolverUsesFunctions(linear->ksp, shell_name, has));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemUseSymmetricFactors(System *s) {
  const Layout *layout = &s->motion.layout;
  bool has = false;
  PetscFunctionBegin;
  PetscCall(LinearHasSymmetricFactors(&s->linear, &has));
  if (has || layout->size > 1 || !layout->is_wide || layout->frames) PetscFunctionReturn(0);
  PetscCall(KSPDestroy(&s->linear.ksp));
  PetscCall(SystemCreateSolver(s, false, &s->linear.ksp));
  PetscCall(UseSymmetricFactors(s->linear.ksp));
  PetscCall(KSPSetFromOptions(s->linear.ksp));
  s->linear.factors[0] = (FactorRecord){0};
  PetscFunctionReturn(0);
}

// ---- counts ----

// Whether K is positive definite like K_0, of which the factors are. It is if all eigenvalues of K_0^-1 K are in (0,
// 2), and they are if powers of 1 - K_0^-1 K shrink every vector. A random one stands for all: if it shrinks to 1e-16
// in the norm of K_0 although some other does not, its part along that other is 1e-16 of it.
static PetscErrorCode StaysDefinite(const SymmetricFactors *f, Mat k, bool *stays) {
  const double shrinks = 1e-2, vanishes = 1e-32; // energies
  double first = 0, before = 0, energy;
  Vec b, x, product;
  PetscFunctionBegin;
  *stays = false;
  PetscCall(MatCreateVecs(k, &x, &b));
  PetscCall(VecDuplicate(b, &product));
  PetscCall(VecSetRandom(b, NULL));
  for (int i = 0; !*stays; i++, before = energy) {
    PetscCall(MatSolve(f->factor, b, x));
    PetscCall(VecDot(b, x, &energy));
    if (i == 0) first = energy;
    else if (!(energy <= shrinks * before)) break; // also for NaN
    *stays = energy <= vanishes * first;
    PetscCall(MatMult(k, x, product));
    PetscCall(VecAXPY(b, -1, product));
  }
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&product));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCountNegativePivots(System *s, PetscInt *negative, bool *good) {
  FactorRecord *record = &s->linear.factors[0];
  SymmetricFactors *f;
  PCFailedReason failed;
  Mat tangent = s->equations.matrix.tangent;
  PC pc;
  PetscFunctionBegin;
  *good = false;
  PetscCall(KSPGetPC(s->linear.ksp, &pc));
  PetscCall(PCShellGetContext(pc, &f));
  if (factors_are_of_step(&s->motion, record) && f->negative == 0) PetscCall(StaysDefinite(f, tangent, good));
  *negative = 0;
  if (*good) PetscFunctionReturn(0);
  PetscCall(KSPSetOperators(s->linear.ksp, tangent, tangent));
  PetscCall(KSPSetUp(s->linear.ksp));
  PetscCall(PCGetFailedReason(pc, &failed));
  *good = failed == PC_NOERROR, *negative = f->negative;
  *record = (FactorRecord){s->motion.state.time,     s->motion.step.h, s->motion.layout.rule,
                           s->equations.matrix.made, record->checked,  *good};
  PetscFunctionReturn(0);
}
#else
PetscErrorCode LinearHasSymmetricFactors(const LinearSolver *linear, bool *has) {
  PetscFunctionBegin;
  (void)linear;
  *has = false;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemUseSymmetricFactors(System *s) {
  PetscFunctionBegin;
  (void)s;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCountNegativePivots(System *s, PetscInt *negative, bool *good) {
  PetscFunctionBegin;
  (void)s;
  *negative = 0, *good = false;
  PetscFunctionReturn(0);
}
#endif
