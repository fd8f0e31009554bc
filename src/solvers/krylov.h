// SPDX-License-Identifier: Apache-2.0
// The largest eigenvalues of an operator that is known by its products: by SLEPc, or in a build without it by krylov.c.
#ifndef LIMBER_SOLVERS_KRYLOV_H
#define LIMBER_SOLVERS_KRYLOV_H

#include <petscmat.h>
#include <stdbool.h>

typedef struct {
  // to = S from; with a mass to = S (times from)
  PetscErrorCode (*apply)(void *self, Vec from, Vec to);
  void *self;
  Mat times, mass; // S times is symmetric in the inner product of the mass; NULL: S is not symmetric
  Vec start;
  int known; // vectors that are left out of the space, orthonormal
  Vec *known_vector;
  int count, width; // eigenvalues wanted, and vectors of the space; 0: twice as many
  double tolerance; // of residuals, relative to the eigenvalue
  int limit;        // restarts
} KrylovSearch;

// What has converged, the largest first; may be more or less than was asked for.
typedef struct {
  int count;
  double *re, *im;
  Vec *vector; // symmetric: eigenvectors, of norm 1 in the mass; otherwise an orthonormal basis of their space
} KrylovResult;

PetscErrorCode KrylovFind(const KrylovSearch *search, KrylovResult *out);
PetscErrorCode KrylovDestroy(KrylovResult *out);

#endif
