// SPDX-License-Identifier: Apache-2.0
#include "assembly/communicator.h"

MPI_Comm model_communicator(Model m) {
  return m && m->communicator ? *(const MPI_Comm *)m->communicator : PETSC_COMM_WORLD;
}

// A model may outlive MPI.
static void release_communicator(void *communicator) {
  int ended = 0;
  MPI_Finalized(&ended);
  if (!ended) MPI_Comm_free(communicator);
}

PetscErrorCode ModelSetCommunicator(LimberModel m, MPI_Comm comm) {
  MPI_Comm own;
  PetscFunctionBegin;
  PetscCheck(!m->communicator, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the model has a communicator already");
  PetscCallMPI(MPI_Comm_dup(comm, &own));
  PetscCall(ModelAllocate(m, sizeof own, &m->communicator));
  *(MPI_Comm *)m->communicator = own;
  m->release = release_communicator;
  PetscFunctionReturn(0);
}

void model_share_communicator(LimberModel m, MPI_Comm *comm) { m->communicator = comm; }
