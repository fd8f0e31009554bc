// SPDX-License-Identifier: Apache-2.0
// Finds the largest eigenvalues of an operator given by its products, with SLEPc or, without it, with krylov.c.
#ifndef LIMBER_SOLVERS_KRYLOV_H
#define LIMBER_SOLVERS_KRYLOV_H

#include <petscmat.h>
#include <stdbool.h>

typedef struct {
  // to = S from; with a mass to = S (times from)
  PetscErrorCode (*apply)(void *self, Vec from, Vec to);
  void *self;
  Mat times, mass; // S `times` is symmetric in the inner product of `mass`; NULL: S is not symmetric
  Vec start;
  int known; // orthonormal vectors excluded from the search space
  Vec *known_vector;
  bool definite;    // the mass: no part of an eigenvector is without mass and would have to be removed
  int count, width; // eigenvalues wanted; vectors of the space, 0: default
  double tolerance; // of residuals, relative to the eigenvalue
  int limit;        // restarts
} KrylovSearch;

// Converged eigenvalues, largest first; may be more or fewer than requested.
typedef struct {
  int count;
  bool failed; // the search broke down; nothing was found
  double *re, *im;
  Vec *vector; // symmetric: eigenvectors, of norm 1 in the mass; otherwise an orthonormal basis of their space
} KrylovResult;

PetscErrorCode KrylovFind(const KrylovSearch *search, KrylovResult *out);
PetscErrorCode KrylovDestroy(KrylovResult *out);

#endif
