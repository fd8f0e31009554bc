// SPDX-License-Identifier: Apache-2.0
// Reads a file on one rank and sends it to all (shared_file.h).
#include "results/shared_file.h"

#include "assembly/ranks.h"

static MPI_Comm ranks = MPI_COMM_NULL;

void shared_file_set_ranks(MPI_Comm comm) { ranks = comm; }

Error ReadOnAllRanks(const char *path, const SourceRule *rule, SourceText *out) {
  MPI_Comm comm = ranks == MPI_COMM_NULL ? model_communicator(NULL) : ranks;
  PetscMPIInt rank;
  long long head[2] = {-1, 0}; // length, or -1 if it could not be read; errno or another reason
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  *out = (SourceText){0};
  if (!rank) {
    PetscCall(SourceRead(path, rule, out));
    head[0] = out->text ? (long long)out->length : -1, head[1] = out->error;
  }
  PetscCall(CheckOtherRanks(comm));
  PetscCallMPI(MPI_Bcast(head, 2, MPI_LONG_LONG, 0, comm));
  out->error = (int)head[1];
  if (head[0] < 0) PetscFunctionReturn(0);
  if (rank) PetscCall(MemoryNew((size_t)head[0] + 1, &out->text));
  PetscCall(CheckOtherRanks(comm));
  out->length = (size_t)head[0];
  for (long long done = 0; done < head[0]; done += 1 << 30)
    PetscCallMPI(MPI_Bcast(out->text + done, (int)PetscMin(head[0] - done, 1LL << 30), MPI_CHAR, 0, comm));
  PetscFunctionReturn(0);
}
