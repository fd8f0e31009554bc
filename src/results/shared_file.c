// SPDX-License-Identifier: Apache-2.0
#include "results/shared_file.h"

#include <petscsys.h>

Error ReadOnAllRanks(const char *path, SourceText *out) {
  PetscMPIInt rank;
  long long head[2] = {-1, 0}; // length, -1: none; errno
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (!rank) {
    PetscCall(SourceRead(path, out));
    head[0] = out->text ? (long long)out->length : -1, head[1] = out->error;
  } else *out = (SourceText){0};
  PetscCallMPI(MPI_Bcast(head, 2, MPI_LONG_LONG, 0, PETSC_COMM_WORLD));
  out->error = (int)head[1];
  if (head[0] < 0) PetscFunctionReturn(0);
  if (rank) PetscCall(MemoryNew((size_t)head[0] + 1, &out->text));
  out->length = (size_t)head[0];
  for (long long done = 0; done < head[0]; done += 1 << 30)
    PetscCallMPI(MPI_Bcast(out->text + done, (int)PetscMin(head[0] - done, 1LL << 30), MPI_CHAR, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn(0);
}
