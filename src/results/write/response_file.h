// SPDX-License-Identifier: Apache-2.0
// Transfer functions in a results file: a row for each frequency, a table for each pair of an input and an output,
// /history/INPUT/OUTPUT, with the columns amplitude, phase, real and imaginary.
#ifndef LIMBER_RESULTS_WRITE_RESPONSE_FILE_H
#define LIMBER_RESULTS_WRITE_RESPONSE_FILE_H

#include "analyses/response/response.h"
#include "input/input.h"

// Collective; all ranks hold the same.
PetscErrorCode ResponseFileWrite(const char *path, const Input *in, MPI_Comm comm, const Response *r,
                                 const char *remarks);

#endif
