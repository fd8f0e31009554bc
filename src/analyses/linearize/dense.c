// SPDX-License-Identifier: Apache-2.0
#include "analyses/linearize/dense.h"

#include "analyses/sort_levels.h"

#include <math.h>
#include <petscblaslapack.h>

// LAPACK's QR with column pivoting and condition estimate, which PETSc does not declare.
extern void dgeqp3_(const PetscBLASInt *m, const PetscBLASInt *n, double *a, const PetscBLASInt *lda,
                    PetscBLASInt *pivot, double *tau, double *work, const PetscBLASInt *nwork, PetscBLASInt *info);
extern void dgecon_(const char *norm, const PetscBLASInt *n, const double *a, const PetscBLASInt *lda,
                    const double *anorm, double *rcond, double *work, PetscBLASInt *iwork, PetscBLASInt *info);

#define CheckInfo(name) PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "%s of LAPACK gives %d", name, (int)info)

PetscErrorCode DensePivotedQR(PetscInt m, PetscInt n, double *a, PetscInt *pivot, double *tau, double tolerance,
                              PetscInt *rank) {
  PetscBLASInt rows = (PetscBLASInt)m, columns = (PetscBLASInt)n, nwork = -1, info, *p;
  double best, *work;
  PetscFunctionBegin;
  *rank = 0;
  for (PetscInt i = 0; i < n; i++) pivot[i] = i;
  if (m == 0 || n == 0) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(n, &p));
  dgeqp3_(&rows, &columns, a, &rows, p, tau, &best, &nwork, &info);
  nwork = (PetscBLASInt)best;
  PetscCall(PetscMalloc1(nwork, &work));
  dgeqp3_(&rows, &columns, a, &rows, p, tau, work, &nwork, &info);
  CheckInfo("dgeqp3");
  for (PetscInt i = 0; i < n; i++) pivot[i] = p[i] - 1;
  for (PetscInt i = 0; i < PetscMin(m, n); i++)
    if (fabs(a[i + i * m]) > tolerance * fabs(a[0])) *rank = i + 1;
  PetscCall(PetscFree(work));
  PetscCall(PetscFree(p));
  PetscFunctionReturn(0);
}

PetscErrorCode DenseFormQ(PetscInt m, PetscInt k, const double *a, const double *tau, double *q) {
  PetscBLASInt rows = (PetscBLASInt)m, columns = (PetscBLASInt)k, nwork = (PetscBLASInt)(64 * PetscMax(k, 1)), info;
  double *work;
  PetscFunctionBegin;
  if (k == 0) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(nwork, &work));
  PetscCall(PetscArraycpy(q, a, m * k));
  PetscCallBLAS("LAPACKorgqr", LAPACKorgqr_(&rows, &columns, &columns, q, &rows, tau, work, &nwork, &info));
  CheckInfo("dorgqr");
  PetscCall(PetscFree(work));
  PetscFunctionReturn(0);
}

PetscErrorCode DenseTriangular(PetscInt n, PetscInt nrhs, const double *a, PetscInt lda, bool transposed, double *b,
                               PetscInt ldb) {
  PetscBLASInt rows = (PetscBLASInt)n, columns = (PetscBLASInt)nrhs, la = (PetscBLASInt)lda, lb = (PetscBLASInt)ldb;
  double one = 1;
  PetscFunctionBegin;
  if (n == 0 || nrhs == 0) PetscFunctionReturn(0);
  PetscCallBLAS("BLAStrsm", BLAStrsm_("L", "U", transposed ? "T" : "N", "N", &rows, &columns, &one, a, &la, b, &lb));
  PetscFunctionReturn(0);
}

PetscErrorCode DenseMultiply(bool transposed, PetscInt m, PetscInt n, PetscInt k, double f, const double *a,
                             PetscInt lda, const double *b, PetscInt ldb, double g, double *c, PetscInt ldc) {
  PetscBLASInt rows = (PetscBLASInt)m, columns = (PetscBLASInt)n, inner = (PetscBLASInt)k, la = (PetscBLASInt)lda,
               lb = (PetscBLASInt)ldb, lc = (PetscBLASInt)ldc;
  PetscFunctionBegin;
  if (m == 0 || n == 0) PetscFunctionReturn(0);
  if (k == 0) {
    for (PetscInt j = 0; j < n; j++)
      for (PetscInt i = 0; i < m; i++) c[i + j * ldc] *= g;
    PetscFunctionReturn(0);
  }
  PetscCallBLAS("BLASgemm",
                BLASgemm_(transposed ? "T" : "N", "N", &rows, &columns, &inner, &f, a, &la, b, &lb, &g, c, &lc));
  PetscFunctionReturn(0);
}

PetscErrorCode DenseSolve(PetscInt n, PetscInt nrhs, const double *a, double *b, PetscInt ldb, bool *good) {
  PetscBLASInt size = (PetscBLASInt)n, columns = (PetscBLASInt)nrhs, lb = (PetscBLASInt)ldb, info, *pivot, *iwork;
  double *copy, *work, norm = 0, rcond = 0;
  PetscFunctionBegin;
  *good = true;
  if (n == 0) PetscFunctionReturn(0);
  PetscCall(PetscMalloc4(n * n, &copy, n, &pivot, n, &iwork, 4 * n, &work));
  PetscCall(PetscArraycpy(copy, a, n * n));
  for (PetscInt j = 0; j < n; j++) {
    double sum = 0;
    for (PetscInt i = 0; i < n; i++) sum += fabs(a[i + j * n]);
    norm = fmax(norm, sum);
  }
  PetscCallBLAS("LAPACKgetrf", LAPACKgetrf_(&size, &size, copy, &size, pivot, &info));
  *good = info == 0;
  if (*good) dgecon_("1", &size, copy, &size, &norm, &rcond, work, iwork, &info);
  *good = *good && rcond > 1e-16;
  if (*good && nrhs)
    PetscCallBLAS("LAPACKgetrs", LAPACKgetrs_("N", &size, &columns, copy, &size, pivot, b, &lb, &info));
  PetscCall(PetscFree4(copy, pivot, iwork, work));
  PetscFunctionReturn(0);
}

typedef struct {
  double re, im, error;
} Eigenvalue;

static double magnitude(const Eigenvalue *e) { return hypot(e->re, e->im); }

static int by_magnitude(const void *a, const void *b) {
  return (magnitude(a) > magnitude(b)) - (magnitude(a) < magnitude(b));
}

static bool same_magnitude(const void *a, const void *b) {
  return fabs(magnitude(a) - magnitude(b)) <= 1e-9 * (magnitude(a) + magnitude(b));
}

static int by_imaginary(const void *a, const void *b) {
  double p = ((const Eigenvalue *)a)->im, q = ((const Eigenvalue *)b)->im;
  return (p > q) - (p < q);
}

static bool same_imaginary(const void *a, const void *b) {
  return fabs(((const Eigenvalue *)a)->im - ((const Eigenvalue *)b)->im) <= 1e-9 * (magnitude(a) + magnitude(b));
}

static int by_real(const void *a, const void *b) {
  double p = ((const Eigenvalue *)a)->re, q = ((const Eigenvalue *)b)->re;
  return (p > q) - (p < q);
}

static const SortLevel smallest_first[] = {
    {by_magnitude, same_magnitude}, {by_imaginary, same_imaginary}, {by_real, NULL}};

// The error of the real part of an eigenvalue with vectors x and y, real and imaginary parts: with y^H x = 1 that of
// y^H (dA x + r), r = A x - lambda x, where entries of A are known to 100 units of round-off.
static double eigenvalue_error(PetscInt n, const double *a, double re, double im, const double *const x[2],
                               const double *const y[2], double *work) {
  double p[2] = {0, 0}, error[2] = {0, 0}, *ax[4] = {work, work + n, work + 2 * n, work + 3 * n}; // A x, |A| |x|
  for (PetscInt i = 0; i < n; i++) {
    p[0] += y[0][i] * x[0][i] + (x[1] ? y[1][i] * x[1][i] : 0);
    if (x[1]) p[1] += y[0][i] * x[1][i] - y[1][i] * x[0][i];
    for (int k = 0; k < 4; k++) ax[k][i] = 0;
  }
  for (PetscInt j = 0; j < n; j++)
    for (int k = 0; k < 2 && x[k]; k++)
      for (PetscInt i = 0; i < n; i++) ax[k][i] += a[i + n * j] * x[k][j], ax[2 + k][i] += fabs(a[i + n * j] * x[k][j]);
  double size = p[0] * p[0] + p[1] * p[1];
  for (PetscInt i = 0; i < n && size > 0; i++) { // of y / conj(p), whose product with x is 1
    double yr = fabs(y[0][i] * p[0] - (x[1] ? y[1][i] * p[1] : 0)) / size,
           yi = fabs(y[0][i] * p[1] + (x[1] ? y[1][i] * p[0] : 0)) / size;
    double rr = ax[0][i] - re * x[0][i] + (x[1] ? im * x[1][i] : 0),
           ri = x[1] ? ax[1][i] - re * x[1][i] - im * x[0][i] : 0;
    error[0] += yr * fabs(rr) + yi * fabs(ri);
    error[1] += yr * ax[2][i] + yi * ax[3][i];
  }
  return size > 0 ? error[0] + 100 * PETSC_MACHINE_EPSILON * error[1] : PETSC_INFINITY;
}

// Eigenvalues of A from `matrix`, which is overwritten: A itself, or with a shift (A - shift)^-1, whose eigenvalues are
// 1/(lambda - shift).
static PetscErrorCode FindEigenvalues(PetscInt n, const double *a, double *matrix, double shift, Eigenvalue *out,
                                      bool *good) {
  PetscBLASInt size = (PetscBLASInt)n, nwork = (PetscBLASInt)(40 * PetscMax(n, 1)), info = 0;
  double *re, *im, *work, *left, *right;
  PetscFunctionBegin;
  PetscCall(PetscMalloc5(n, &re, n, &im, nwork, &work, n * n, &left, n * n, &right));
  PetscCallBLAS("LAPACKgeev",
                LAPACKgeev_("V", "V", &size, matrix, &size, re, im, left, &size, right, &size, work, &nwork, &info));
  CheckInfo("dgeev");
  *good = true;
  for (PetscInt i = 0; i < n; i++) {
    double square = re[i] * re[i] + im[i] * im[i];
    out[i] = (Eigenvalue){re[i], im[i], 0};
    *good = *good && (shift == 0 || square > 0);
    if (shift != 0) out[i].re = shift + re[i] / square, out[i].im = (0 - im[i]) / square; // no -0
    if (im[i] < 0) out[i].error = out[i - 1].error; // the conjugate of the one before
    else {
      const double *x[2] = {right + n * i, im[i] > 0 ? right + n * (i + 1) : NULL},
                   *y[2] = {left + n * i, im[i] > 0 ? left + n * (i + 1) : NULL};
      out[i].error = eigenvalue_error(n, a, out[i].re, out[i].im, x, y, work);
    }
  }
  PetscCall(PetscFree5(re, im, work, left, right));
  PetscFunctionReturn(0);
}

// Eigenvalues of A from those of (A - shift)^-1.
static PetscErrorCode FindByInverse(PetscInt n, const double *a, double shift, Eigenvalue *out, bool *good) {
  double *moved, *inverse;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(n * n, &moved, n * n, &inverse));
  PetscCall(PetscArraycpy(moved, a, n * n));
  PetscCall(PetscArrayzero(inverse, n * n));
  for (PetscInt i = 0; i < n; i++) moved[i + i * n] -= shift;
  for (PetscInt i = 0; i < n; i++) { // scales rows to unit size: those of small masses are large
    double largest = 0;
    for (PetscInt j = 0; j < n; j++) largest = fmax(largest, fabs(moved[i + j * n]));
    inverse[i + i * n] = 1 / largest;
    for (PetscInt j = 0; j < n; j++) moved[i + j * n] /= largest;
  }
  PetscCall(DenseSolve(n, n, moved, inverse, n, good));
  if (*good) PetscCall(FindEigenvalues(n, a, inverse, shift, out, good));
  PetscCall(PetscFree2(moved, inverse));
  PetscFunctionReturn(0);
}

static double modulus(Eigenvalue e) { return hypot(e.re, e.im); }

// Where to switch between two lists that are sorted by modulus: at the widest gap that both have in their middle.
static PetscInt widest_gap(PetscInt n, const Eigenvalue *a, const Eigenvalue *b) {
  PetscInt best = 0;
  double most = 1 + 1e-6;
  for (PetscInt i = n / 4; i + 1 < n - n / 4; i++) {
    double gap = fmin(modulus(a[i + 1]), modulus(b[i + 1])) / fmax(modulus(a[i]), modulus(b[i]));
    if (gap > most) most = gap, best = i + 1;
  }
  return best;
}

PetscErrorCode DenseEigenvalues(PetscInt n, const double *a, double shift, double *re, double *im, double *error) {
  double *copy;
  Eigenvalue *all, *low;
  bool good = false;
  PetscFunctionBegin;
  if (n == 0) PetscFunctionReturn(0);
  PetscCall(PetscMalloc3(n * n, &copy, n, &all, n, &low));
  PetscCall(PetscArraycpy(copy, a, n * n));
  PetscCall(FindEigenvalues(n, a, copy, 0, all, &good));
  sort_by_levels(all, (size_t)n, sizeof *all, 3, smallest_first);
  good = false;
  if (shift > 0) PetscCall(FindByInverse(n, a, shift, low, &good));
  if (good) {
    sort_by_levels(low, (size_t)n, sizeof *low, 3, smallest_first);
    PetscInt lower = widest_gap(n, all, low);
    if (lower == 0 && modulus(all[n - 1]) < 1e3 * shift) lower = n; // none is high
    PetscCall(PetscArraycpy(all, low, lower));
  }
  for (PetscInt i = 0; i < n; i++) re[i] = all[i].re, im[i] = all[i].im, error[i] = all[i].error;
  PetscCall(PetscFree3(copy, all, low));
  PetscFunctionReturn(0);
}
