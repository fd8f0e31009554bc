// SPDX-License-Identifier: Apache-2.0
// Solves (K - w^2 M + i w D) q = f with real matrices: the real and imaginary parts of each unknown are neighbours, so
// the matrix consists of 2 x 2 blocks (a, -b; b, a). If D is zero, both parts are solved with a alone.
#ifndef LIMBER_ANALYSES_RESPONSE_FREQUENCY_SOLVER_H
#define LIMBER_ANALYSES_RESPONSE_FREQUENCY_SOLVER_H

#include "analyses/linearize/unknowns.h"

#include <petscksp.h>

typedef struct {
  const Unknowns *u;
  MPI_Comm comm;
  int parts;   // 2, or 1 if D is zero
  Mat k, m, d; // d NULL: zero
  Mat matrix;
  PetscInt first, end; // own rows of K
  Vec right, solution;
  KSP ksp;
  VecScatter all;
  Vec everywhere;
} FrequencySolver;

PetscErrorCode FrequencySolverCreate(Motion *motion, Equations *equations, const Spin *spin, const Unknowns *u,
                                     FrequencySolver *out);
PetscErrorCode FrequencySolverDestroy(FrequencySolver *f);

// Sets the matrix for a frequency w, rad/s.
PetscErrorCode FrequencySolverSet(FrequencySolver *f, double w);
// Solves for a right-hand side of all unknowns; it and the solution are the same on every rank. `good`: false if there
// is no solution.
PetscErrorCode FrequencySolverSolve(FrequencySolver *f, const double *const right[2], double *const out[2], bool *good);

#endif
