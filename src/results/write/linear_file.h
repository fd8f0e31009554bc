// SPDX-License-Identifier: Apache-2.0
// A linear model in a file: rows of results are the eigenvalues of A; the matrices stand in the group /linear_model.
#ifndef LIMBER_RESULTS_WRITE_LINEAR_FILE_H
#define LIMBER_RESULTS_WRITE_LINEAR_FILE_H

#include "analyses/linearize/linear_model.h"
#include "input/input.h"

// The state about which a model is linear.
typedef struct {
  double time;
  Spin spin;
  PetscInt nodes;
  double *position, *axes; // of all nodes but the ground: 3 and 9 numbers
} LinearOperatingPoint;

// Collective; all ranks hold the same.
PetscErrorCode LinearFileWrite(const char *path, const Input *in, MPI_Comm comm, const LinearModel *m,
                               const LinearOperatingPoint *at, const char *remarks);
// On one rank.
PetscErrorCode LinearFileWriteMatlab(const char *path, const LinearModel *m);

#endif
