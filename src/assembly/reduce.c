// SPDX-License-Identifier: Apache-2.0
#include "assembly/reduce.h"

PetscErrorCode ReduceArray(MPI_Comm comm, void *values, PetscInt64 count, MPI_Datatype type, MPI_Op op) {
  const PetscInt64 part = 1 << 30;
  PetscMPIInt size;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (size == 1) PetscFunctionReturn(0);
  PetscCallMPI(MPI_Type_size(type, &size));
  for (PetscInt64 from = 0; from < count; from += part)
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, (char *)values + (size_t)from * (size_t)size,
                               (PetscMPIInt)PetscMin(part, count - from), type, op, comm));
  PetscFunctionReturn(0);
}

PetscErrorCode ReduceLargest(MPI_Comm comm, double *value, PetscInt *at, PetscMPIInt *rank) {
  struct {
    double value;
    int rank;
  } mine = {number_or_infinity(*value), 0}, best;
  PetscMPIInt size;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (size == 1) {
    *value = mine.value;
    if (rank) *rank = 0;
    PetscFunctionReturn(0);
  }
  PetscCallMPI(MPI_Comm_rank(comm, &mine.rank));
  PetscCallMPI(MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm));
  if (at) {
    if (mine.value != best.value) *at = PETSC_MAX_INT;
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, at, 1, MPIU_INT, MPI_MIN, comm));
  }
  *value = best.value;
  if (rank) *rank = best.rank;
  PetscFunctionReturn(0);
}
