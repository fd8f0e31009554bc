// SPDX-License-Identifier: Apache-2.0
// The lowest modes of a structure, and factors of K + s M.
#ifndef LIMBER_ANALYSES_EXPONENTIAL_LOWEST_MODES_H
#define LIMBER_ANALYSES_EXPONENTIAL_LOWEST_MODES_H

#include "analyses/exponential/exponential.h"

typedef struct {
  PetscInt found;
  KSP ksp;      // solves with K + s M
  void *search; // what has found them
} LowestModes;

// `wrong`: "" or why none were searched; then there is nothing to destroy.
PetscErrorCode LowestModesFind(const Structure *t, PetscInt modes, double shift, LowestModes *out, char *wrong,
                               size_t size);
PetscErrorCode LowestModesGet(const LowestModes *m, PetscInt i, double *square, Vec shape);
PetscErrorCode LowestModesDestroy(LowestModes *m);

#endif
