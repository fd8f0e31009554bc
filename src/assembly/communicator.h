// SPDX-License-Identifier: Apache-2.0
// The ranks on which a model lives.
#ifndef LIMBER_ASSEMBLY_COMMUNICATOR_H
#define LIMBER_ASSEMBLY_COMMUNICATOR_H

#include "model/model.h"

#include <petscsys.h>

// The communicator of a model; of NULL, and of a model that was given none: all ranks.
MPI_Comm model_communicator(Model m);
// Gives a model a duplicate of a communicator, which is freed with the model. Collective.
PetscErrorCode ModelSetCommunicator(LimberModel m, MPI_Comm comm);
// The same without a copy: the caller keeps the communicator as long as the model.
void model_share_communicator(LimberModel m, MPI_Comm *comm);

#endif
