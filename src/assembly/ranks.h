// SPDX-License-Identifier: Apache-2.0
// An error of one rank becomes an error of all: a rank that fails leaves its call, and the others would wait for it in
// the next collective operation for ever.
//
// Ranks agree on a communicator of their own, beside the one that they compute on. A rank that fails announces its
// error there. The others learn of it at the next place where they ask: in CheckOtherRanks, before they communicate, or
// at the end of the public function. Where they wait for the failed rank elsewhere, inside PETSc, MUMPS or HDF5, they
// cannot be reached: the failed rank waits for some seconds (-limber_failure_wait 10) and then ends all of them.
#ifndef LIMBER_ASSEMBLY_RANKS_H
#define LIMBER_ASSEMBLY_RANKS_H

#include "model/model.h"
#include "model/refusal.h"

#include <math.h>
#include <petscsys.h>
#include <stdbool.h>

// Without agreement each rank returns its own error: for a program that ends all ranks itself when one has failed.
void agreement_turn_off(void);

// The beginning and the end of a public function that all ranks call. AgreementEnd returns the error of this rank, or
// that of another where this one has none.
PetscErrorCode AgreementBegin(MPI_Comm comm, const char *function);
PetscErrorCode AgreementEnd(MPI_Comm comm, PetscErrorCode error);
#define COLLECTIVE(comm, call) (AgreementBegin(comm, __func__), AgreementEnd(comm, call))
// The same of a function that communicates only after CheckOtherRanks and cannot fail on one rank alone after that.
PetscErrorCode AgreementEndEarly(MPI_Comm comm, PetscErrorCode error);
#define COLLECTIVE_AFTER_CHECK(comm, call) (AgreementBegin(comm, __func__), AgreementEndEarly(comm, call))

// The public function that was called, for messages; outside of those above, `self`.
const char *agreement_function(const char *self);

// The error of another rank, where one has failed in the same public function; else 0. Collective.
PetscErrorCode CheckOtherRanks(MPI_Comm comm);

// The ranks on which a model lives.

// The communicator of a model; of NULL, and of a model that was given none: all ranks.
MPI_Comm model_communicator(Model m);
// Gives a model a duplicate of a communicator, which is freed with the model. Collective.
PetscErrorCode ModelSetCommunicator(LimberModel m, MPI_Comm comm);
// The same without a copy: the caller keeps the communicator as long as the model.
void model_share_communicator(LimberModel m, MPI_Comm *comm);

// What the first rank that refuses says, on all ranks. Collective.
PetscErrorCode RefusalSend(MPI_Comm comm, Refusal *wrong);

// Sums and largest values over all ranks.

// In the place of what is no number: comparisons with NaN are false, so that a search for the largest value passes over
// it, and a reduction gives it or not by the order in which ranks are compared.
static inline double number_or_infinity(double x) { return PetscIsNanReal(x) ? (double)INFINITY : x; }

// An array of each rank, reduced in place on all: in parts, where it has more entries than MPI counts.
PetscErrorCode ReduceArray(MPI_Comm comm, void *values, PetscInt64 count, MPI_Datatype type, MPI_Op op);

// The largest value of all ranks, infinity for NaN. `at`: what has it, and of several with the same value the least,
// whatever ranks they are on; may be NULL. Returns in `rank` the first rank that has it; may be NULL.
PetscErrorCode ReduceLargest(MPI_Comm comm, double *value, PetscInt *at, PetscMPIInt *rank);

#endif
