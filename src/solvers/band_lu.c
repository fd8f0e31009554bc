// SPDX-License-Identifier: Apache-2.0
// LU with row pivots in the order of the unknowns, by LAPACK, for small systems: the block LU without pivots meets zero
// pivots where a body has no mass or a gear couples joints, and MUMPS takes ten times as long to begin as a small
// system takes to solve.
#include "solvers/solvers.h"

#include <petscblaslapack.h>

// LAPACK's banded LU, which PETSc does not declare.
extern void dgbtrf_(const PetscBLASInt *m, const PetscBLASInt *n, const PetscBLASInt *kl, const PetscBLASInt *ku,
                    double *ab, const PetscBLASInt *ldab, PetscBLASInt *ipiv, PetscBLASInt *info);
extern void dgbtrs_(const char *trans, const PetscBLASInt *n, const PetscBLASInt *kl, const PetscBLASInt *ku,
                    const PetscBLASInt *nrhs, const double *ab, const PetscBLASInt *ldab, const PetscBLASInt *ipiv,
                    double *b, const PetscBLASInt *ldb, PetscBLASInt *info);

enum { MOST_UNKNOWNS = 6000 };
static const double most_operations = 3e7; // of a factorisation; above this, MUMPS is faster

typedef struct {
  PetscBLASInt n, low, high, lead; // unknowns; diagonals below and above the main one; length of a column in `factor`
  size_t room;                     // entries that `factor` has room for
  double *factor;                  // in LAPACK's band storage, with space for pivoting above the band
  double *row, *column;            // powers of two that scale rows and columns to about 1
  PetscBLASInt *pivot;
} BandLU;

static PetscErrorCode Clear(BandLU *b) {
  PetscFunctionBegin;
  PetscCall(PetscFree(b->factor));
  PetscCall(PetscFree3(b->row, b->column, b->pivot));
  *b = (BandLU){0};
  PetscFunctionReturn(0);
}

static double power_of_two(double size) {
  int e;
  return size > 0 && size < HUGE_VAL ? (frexp(size, &e), ldexp(1, -e)) : 1;
}

// Finds the bandwidth of the non-zero entries (most slots of the matrix are zero) and the row scales.
static void measure(const MatrixBlocks *a, BandLU *b) {
  PetscInt low = 0, high = 0, bs = a->bs;
  for (PetscInt i = 0; i < b->n; i++) b->row[i] = b->column[i] = 0;
  for (PetscInt i = 0; i < a->n; i++)
    for (PetscInt k = a->start[i]; k < a->start[i + 1]; k++)
      for (PetscInt c = 0; c < bs; c++)
        for (PetscInt r = 0; r < bs; r++) {
          double value = a->value[(k * bs + c) * bs + r];
          PetscInt row = i * bs + r, below = row - (a->column[k] * bs + c);
          if (value == 0) continue;
          b->row[row] = PetscMax(b->row[row], PetscAbsReal(value));
          low = PetscMax(low, below), high = PetscMax(high, -below);
        }
  for (PetscInt i = 0; i < b->n; i++) b->row[i] = power_of_two(b->row[i]);
  b->low = (PetscBLASInt)low, b->high = (PetscBLASInt)high, b->lead = 2 * b->low + b->high + 1;
}

static void fill(const MatrixBlocks *a, BandLU *b) {
  PetscInt bs = a->bs, lead = b->lead, top = b->low + b->high;
  for (PetscInt i = 0; i < a->n; i++)
    for (PetscInt k = a->start[i]; k < a->start[i + 1]; k++)
      for (PetscInt c = 0; c < bs; c++)
        for (PetscInt r = 0; r < bs; r++) {
          PetscInt row = i * bs + r, column = a->column[k] * bs + c;
          double value = a->value[(k * bs + c) * bs + r] * b->row[row];
          if (value == 0) continue;
          b->column[column] = PetscMax(b->column[column], PetscAbsReal(value));
          b->factor[column * lead + top + row - column] = value;
        }
  for (PetscInt i = 0; i < b->n; i++) {
    b->column[i] = power_of_two(b->column[i]);
    for (PetscInt k = b->low; k < lead; k++) b->factor[i * lead + k] *= b->column[i];
  }
}

static PetscErrorCode SetUp(PC pc) {
  BandLU *b;
  MatrixBlocks a;
  Mat matrix;
  PetscInt n;
  PetscBLASInt info;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &b));
  PetscCall(PCGetOperators(pc, NULL, &matrix));
  PetscCall(MatGetSize(matrix, &n, NULL));
  if (n != b->n) {
    PetscCall(Clear(b));
    PetscCall(PetscBLASIntCast(n, &b->n));
    PetscCall(PetscMalloc3(n, &b->row, n, &b->column, n, &b->pivot));
  }
  PetscCall(MatrixBlocksOpen(matrix, &a));
  measure(&a, b);
  size_t size = (size_t)n * (size_t)b->lead;
  if (size > b->room) {
    PetscCall(PetscFree(b->factor));
    PetscCall(PetscMalloc1(size, &b->factor));
    b->room = size;
  }
  PetscCall(PetscArrayzero(b->factor, size));
  fill(&a, b);
  PetscCall(MatrixBlocksClose(matrix, &a));
  PetscCallBLAS("LAPACKgbtrf", dgbtrf_(&b->n, &b->n, &b->low, &b->high, b->factor, &b->lead, b->pivot, &info));
  PetscCall(PCSetFailedReason(pc, info ? PC_FACTOR_NUMERIC_ZEROPIVOT : PC_NOERROR));
  PetscFunctionReturn(0);
}

static PetscErrorCode Apply(PC pc, Vec from, Vec to) {
  BandLU *b;
  const PetscScalar *f;
  PetscScalar *x;
  PetscBLASInt one = 1, info;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &b));
  PetscCall(VecGetArrayRead(from, &f));
  PetscCall(VecGetArray(to, &x));
  for (PetscInt i = 0; i < b->n; i++) x[i] = b->row[i] * f[i];
  if (b->n > 0) // LAPACK refuses the leading dimension of what is empty
    PetscCallBLAS("LAPACKgbtrs",
                  dgbtrs_("N", &b->n, &b->low, &b->high, &one, b->factor, &b->lead, b->pivot, x, &b->n, &info));
  for (PetscInt i = 0; i < b->n; i++) x[i] *= b->column[i];
  PetscCall(VecRestoreArray(to, &x));
  PetscCall(VecRestoreArrayRead(from, &f));
  PetscFunctionReturn(0);
}

static PetscErrorCode Destroy(PC pc) {
  BandLU *b;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &b));
  PetscCall(Clear(b));
  PetscCall(PetscFree(b));
  PetscFunctionReturn(0);
}

PetscErrorCode SolverSuitsBandLU(Mat a, bool *suits) {
  PetscInt n, first, last, ncol, widest = 0;
  const PetscInt *column;
  MPI_Comm comm;
  PetscFunctionBegin;
  *suits = false;
  PetscCall(MatGetSize(a, &n, NULL));
  if (n > MOST_UNKNOWNS) PetscFunctionReturn(0);
  PetscCall(MatGetOwnershipRange(a, &first, &last));
  for (PetscInt i = first; i < last; i++) {
    PetscCall(MatGetRow(a, i, &ncol, &column, NULL));
    for (PetscInt k = 0; k < ncol; k++) widest = PetscMax(widest, PetscAbsInt(column[k] - i));
    PetscCall(MatRestoreRow(a, i, &ncol, &column, NULL));
  }
  PetscCall(PetscObjectGetComm((PetscObject)a, &comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &widest, 1, MPIU_INT, MPI_MAX, comm));
  double w = (double)PetscMin(3 * widest, n);
  *suits = (double)n * w * w <= most_operations;
  PetscFunctionReturn(0);
}

PetscErrorCode SolverUseBandLU(KSP ksp) {
  BandLU *b;
  PetscFunctionBegin;
  PetscCall(PetscNew(&b));
  PetscCall(SolverUseFunctions(ksp, "LU with pivots in a band", b, SetUp, Apply, Destroy));
  PetscFunctionReturn(0);
}
