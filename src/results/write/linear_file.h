// SPDX-License-Identifier: Apache-2.0
// Writes a linear model to a file: the rows are the eigenvalues of A; the matrices are in the group /linear_model.
#ifndef LIMBER_RESULTS_WRITE_LINEAR_FILE_H
#define LIMBER_RESULTS_WRITE_LINEAR_FILE_H

#include "analyses/linearize/linear_model.h"
#include "input/input.h"

// The state about which the model is linearised.
typedef struct {
  double time;
  Spin spin;
  PetscInt nodes;
  double *position, *axes; // of all nodes except the ground: 3 and 9 numbers each
} LinearOperatingPoint;

// Collective; all ranks have the same data.
PetscErrorCode LinearFileWrite(const char *path, const Input *in, MPI_Comm comm, const LinearModel *m,
                               const LinearOperatingPoint *at, const char *remarks);
// On one rank.
PetscErrorCode LinearFileWriteMatlab(const char *path, const LinearModel *m);

#endif
