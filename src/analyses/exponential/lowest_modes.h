// SPDX-License-Identifier: Apache-2.0
// The lowest modes of a structure, and factors of K + s M.
#ifndef LIMBER_ANALYSES_EXPONENTIAL_LOWEST_MODES_H
#define LIMBER_ANALYSES_EXPONENTIAL_LOWEST_MODES_H

#include "analyses/exponential/exponential.h"
#include "solvers/krylov.h"

typedef struct {
  PetscInt found;
  double shift;        // s
  KSP ksp;             // solves with K + s M
  KrylovResult result; // of (K + s M)^-1 M
} LowestModes;

PetscErrorCode LowestModesFind(const Structure *t, PetscInt modes, double shift, LowestModes *out);
double lowest_mode_square(const LowestModes *m, PetscInt i); // omega^2
PetscErrorCode LowestModesDestroy(LowestModes *m);

#endif
