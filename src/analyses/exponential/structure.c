// SPDX-License-Identifier: Apache-2.0
// Converts vectors of the structure between unknowns, which every rank has, and rows, which ranks own.
#include "analyses/exponential/exponential.h"
#include "assembly/ranks.h"

PetscErrorCode StructureSet(const Structure *t, const double *from, Vec to) {
  double *y;
  PetscFunctionBegin;
  PetscCall(VecGetArray(to, &y));
  for (PetscInt i = 0; i < t->own; i++) y[i] = from[t->all[t->first + i]];
  PetscCall(VecRestoreArray(to, &y));
  PetscFunctionReturn(0);
}

PetscErrorCode StructureGet(const Structure *t, Vec from, double *to) {
  const double *y;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(to, t->rows));
  PetscCall(VecGetArrayRead(from, &y));
  for (PetscInt i = 0; i < t->own; i++) to[t->all[t->first + i]] = y[i];
  PetscCall(VecRestoreArrayRead(from, &y));
  PetscCall(ReduceArray(t->comm, to, t->rows, MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}
