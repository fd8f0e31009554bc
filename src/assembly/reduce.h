// SPDX-License-Identifier: Apache-2.0
// Sums and largest values over all ranks.
#ifndef LIMBER_ASSEMBLY_REDUCE_H
#define LIMBER_ASSEMBLY_REDUCE_H

#include <math.h>
#include <petscsys.h>

// In the place of what is no number: comparisons with NaN are false, so that a search for the largest value passes over it, and a
// reduction gives it or not by the order in which ranks are compared.
static inline double number_or_infinity(double x) { return PetscIsNanReal(x) ? (double)INFINITY : x; }

// An array of each rank, reduced in place on all: in parts, where it has more entries than MPI counts.
PetscErrorCode ReduceArray(MPI_Comm comm, void *values, PetscInt64 count, MPI_Datatype type, MPI_Op op);

// The largest value of all ranks, infinity for NaN. `at`: what has it, and of several with the same value the least, whatever
// ranks they are on; may be NULL. Returns in `rank` the first rank that has it; may be NULL.
PetscErrorCode ReduceLargest(MPI_Comm comm, double *value, PetscInt *at, PetscMPIInt *rank);

#endif
