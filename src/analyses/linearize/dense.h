// SPDX-License-Identifier: Apache-2.0
// Operations on dense matrices, stored by columns, with LAPACK.
#ifndef LIMBER_ANALYSES_LINEARIZE_DENSE_H
#define LIMBER_ANALYSES_LINEARIZE_DENSE_H

#include <petscsys.h>
#include <stdbool.h>

// QR with column pivoting: A P = Q R. `pivot` from 0; A becomes R above its diagonal and Q below; `rank`: number of
// diagonal entries of R above `tolerance` times the first.
PetscErrorCode DensePivotedQR(PetscInt m, PetscInt n, double *a, PetscInt *pivot, double *tau, double tolerance,
                              PetscInt *rank);
// The first k columns of Q, m x k, from A and tau.
PetscErrorCode DenseFormQ(PetscInt m, PetscInt k, const double *a, const double *tau, double *q);
// B <- A^-1 B, A upper triangular of n rows, `lda` apart; `transposed`: A^-T.
PetscErrorCode DenseTriangular(PetscInt n, PetscInt nrhs, const double *a, PetscInt lda, bool transposed, double *b,
                               PetscInt ldb);
// C <- f A B + g C, or A^T B. C is m x n, with k to sum over.
PetscErrorCode DenseMultiply(bool transposed, PetscInt m, PetscInt n, PetscInt k, double f, const double *a,
                             PetscInt lda, const double *b, PetscInt ldb, double g, double *c, PetscInt ldc);
// B <- A^-1 B; `good` is false, and B no solution, if A is singular to round-off.
PetscErrorCode DenseSolve(PetscInt n, PetscInt nrhs, const double *a, double *b, PetscInt ldb, bool *good);
// Eigenvalues of A, sorted by modulus, then by imaginary part. The round-off of each is that of the largest; with a
// shift > 0 near the lowest, these are found from (A - shift)^-1, where they are the largest. `error`: bounds of the
// errors of the real parts, eq-static-error (16.7).
PetscErrorCode DenseEigenvalues(PetscInt n, const double *a, double shift, double *re, double *im, double *error);

#endif
