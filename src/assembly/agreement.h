// SPDX-License-Identifier: Apache-2.0
// An error of one rank becomes an error of all: a rank that fails leaves its call, and the others would wait for it in
// the next collective operation for ever.
//
// Ranks agree on a communicator of their own, beside the one that they compute on. A rank that fails announces its
// error there. The others learn of it at the next place where they ask: in CheckOtherRanks, before they communicate, or
// at the end of the public function. Where they wait for the failed rank elsewhere, inside PETSc, MUMPS or HDF5, they
// cannot be reached: the failed rank waits for some seconds (-limber_failure_wait 10) and then ends all of them.
#ifndef LIMBER_ASSEMBLY_AGREEMENT_H
#define LIMBER_ASSEMBLY_AGREEMENT_H

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

#endif
