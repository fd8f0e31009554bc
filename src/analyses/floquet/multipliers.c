// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of the monodromy matrix, their errors, and the node that moves most in each.
#include "analyses/floquet/floquet.h"
#include "analyses/sort_levels.h"

#include <petscblaslapack.h>
#include <stdlib.h>

typedef struct {
  double real, imag;
  int at; // column of the eigenvectors, the first of a pair
} Eigenvalue;

// The largest magnitude first; magnitudes that agree to round-off are ordered by angle. In a pair, the positive
// imaginary part comes first.
static double magnitude(const Eigenvalue *e) { return hypot(e->real, e->imag); }
static double angle(const Eigenvalue *e) { return atan2(e->imag, e->real); }

static int by_magnitude(const void *a, const void *b) {
  return (magnitude(a) < magnitude(b)) - (magnitude(a) > magnitude(b));
}

static bool same_magnitude(const void *a, const void *b) {
  return fabs(magnitude(a) - magnitude(b)) <= 1e-9 * (magnitude(a) + magnitude(b));
}

static int by_turn(const void *a, const void *b) {
  double p = fabs(angle(a)), q = fabs(angle(b));
  return (p > q) - (p < q);
}

static bool same_turn(const void *a, const void *b) { return fabs(fabs(angle(a)) - fabs(angle(b))) <= 1e-9; }

static int by_sign(const void *a, const void *b) {
  double p = angle(a), q = angle(b);
  return p > q ? -1 : p < q ? 1 : ((const Eigenvalue *)a)->at - ((const Eigenvalue *)b)->at;
}

static const SortLevel largest_first[] = {{by_magnitude, same_magnitude}, {by_turn, same_turn}, {by_sign, NULL}};

// Displacements of all nodes in a vector of the matrix.
static PetscErrorCode Displace(const Coordinates *c, const LimberFloquet f, const double *vector, double *q) {
  double *y;
  PetscFunctionBegin;
  if (!f->space) {
    coordinates_displacement(c, vector, q);
    PetscFunctionReturn(0);
  }
  PetscCall(PetscCalloc1(f->unknowns, &y));
  for (int i = 0; i < f->count; i++)
    for (int k = 0; k < f->unknowns; k++) y[k] += vector[i] * f->space[i * f->unknowns + k];
  coordinates_displacement(c, y, q);
  PetscCall(PetscFree(y));
  PetscFunctionReturn(0);
}

// The node that moves most in an eigenvector; rotations are scaled with the size of the model.
static PetscErrorCode NameLargest(const Layout *layout, const Coordinates *c, const LimberFloquet f, const double *real,
                                  const double *imag, char *name, size_t size) {
  double *q[2], most = -1;
  PetscInt at = 0;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(6 * c->nodes, &q[0], 6 * c->nodes, &q[1]));
  PetscCall(Displace(c, f, real, q[0]));
  PetscCall(Displace(c, f, imag ? imag : real, q[1]));
  for (PetscInt i = 0; i < c->nodes; i++) {
    double sum = 0;
    for (int k = 0; k < 12; k++) {
      double v = q[k / 6][6 * i + k % 6] * (k % 6 < 3 ? 1 : c->length);
      sum += v * v;
    }
    if (sum > most * (1 + 1e-6)) most = sum, at = i;
  }
  model_name_node(layout->model, at, name, size);
  PetscCall(PetscFree2(q[0], q[1]));
  PetscFunctionReturn(0);
}

// ---- errors ----

static const double of_derivative = 1e-9; // relative error of the matrix: that of the derivative of a step

// Finds scales d of the unknowns for which rows and columns of D^-1 M D have equal norms (Osborne); returns its norm.
static double balance(int n, const double *m, double *d) {
  double norm = 0;
  for (int i = 0; i < n; i++) d[i] = 1;
  for (int sweep = 0; sweep < 10; sweep++)
    for (int i = 0; i < n; i++) {
      double row = 0, column = 0;
      for (int j = 0; j < n; j++) {
        if (j == i) continue;
        row += PetscSqr(m[i + n * j] * d[j]);
        column += PetscSqr(m[j + n * i] / d[j]);
      }
      if (row > 0 && column > 0) d[i] = PetscSqrtReal(PetscSqrtReal(row / column));
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) norm += PetscSqr(m[i + n * j] * d[j] / d[i]);
  return PetscSqrtReal(norm);
}

// |y| |x|/|y^H x| of left and right vectors in balanced unknowns: the factor from an error of the matrix to that of the
// eigenvalue.
static double condition(int n, const double *d, const double *y, const double *x, bool complex_pair) {
  double left = 0, right = 0, re = 0, im = 0;
  for (int i = 0; i < n; i++) {
    double yi = complex_pair ? y[n + i] : 0, xi = complex_pair ? x[n + i] : 0;
    left += (y[i] * y[i] + yi * yi) * d[i] * d[i];
    right += (x[i] * x[i] + xi * xi) / (d[i] * d[i]);
    re += y[i] * x[i] + yi * xi, im += y[i] * xi - yi * x[i];
  }
  double product = hypot(re, im);
  return product > 0 ? PetscSqrtReal(left * right) / product : PETSC_INFINITY;
}

static void fill_multiplier(const Eigenvalue *e, double period, LimberMultiplier *m) {
  m->real = e->real, m->imag = e->imag, m->magnitude = hypot(e->real, e->imag);
  m->growth = log(m->magnitude) / period;
  m->frequency = fabs(atan2(e->imag, e->real)) / (2 * PETSC_PI * period);
}

PetscErrorCode FloquetMultipliers(const Layout *layout, const Coordinates *c, LimberFloquet f) {
  PetscBLASInt n = f->count, size = -1, info;
  double *copy, *real, *imag, *vector, *left, *scale, *work, query;
  Eigenvalue *e;
  PetscFunctionBegin;
  PetscCall(PetscMalloc7(n * n, &copy, n, &real, n, &imag, n * n, &vector, n, &e, n * n, &left, n, &scale));
  double norm = balance(n, f->matrix, scale), left_out = 0;
  for (int i = 0; i < n; i++) left_out = hypot(left_out, f->residual[i] * scale[i]);
  PetscCall(PetscArraycpy(copy, f->matrix, n * n));
  PetscCallBLAS("LAPACKgeev",
                LAPACKgeev_("V", "V", &n, copy, &n, real, imag, left, &n, vector, &n, &query, &size, &info));
  size = (PetscBLASInt)query;
  PetscCall(PetscMalloc1(size, &work));
  PetscCallBLAS("LAPACKgeev",
                LAPACKgeev_("V", "V", &n, copy, &n, real, imag, left, &n, vector, &n, work, &size, &info));
  PetscCheck(!info, PETSC_COMM_SELF, PETSC_ERR_LIB, "eigenvalues of the monodromy matrix: LAPACK says %d", (int)info);
  for (int i = 0; i < n; i++) e[i] = (Eigenvalue){real[i], imag[i], imag[i] < 0 ? i - 1 : i};
  sort_by_levels(e, (size_t)n, sizeof *e, 3, largest_first);
  for (int i = 0; i < n; i++) {
    const double *v = vector + e[i].at * n;
    fill_multiplier(&e[i], f->options.period, &f->multiplier[i]);
    PetscCall(NameLargest(layout, c, f, v, e[i].imag != 0 ? v + n : NULL, f->name[i], sizeof f->name[i]));
    f->multiplier[i].largest = f->name[i];
    f->multiplier[i].error =
        (of_derivative * norm + left_out) * condition(n, scale, left + e[i].at * n, v, e[i].imag != 0);
  }
  PetscCall(PetscFree(work));
  PetscCall(PetscFree7(copy, real, imag, vector, e, left, scale));
  PetscFunctionReturn(0);
}
