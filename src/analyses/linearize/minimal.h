// SPDX-License-Identifier: Apache-2.0
// Minimal coordinates p of a model with the joints' equations G q = g_p d, where q are the unknowns of nodes and the
// free coordinates of joints, and d the prescribed coordinates:
//   q = Z p + Y d,   G Z = 0,   G Y = g_p.
// The p are independent unknowns out of q, coordinates of joints where possible. They are found by a dense QR
// decomposition of G with column pivoting.
#ifndef LIMBER_ANALYSES_LINEARIZE_MINIMAL_H
#define LIMBER_ANALYSES_LINEARIZE_MINIMAL_H

#include "analyses/linearize/unknowns.h"

typedef struct {
  PetscInt count;        // of all unknowns
  PetscInt n, *free;     // the independent unknowns, in the order of the model
  PetscInt np, *driven;  // those that are prescribed
  double *z, *y;         // count x n and count x np, by columns; zero in rows of multipliers
  PetscInt nrow, *row;   // the joints' equations
  PetscInt rank, *bound; // the dependent unknowns
  // S G W = Q R of the dependent ones: S scales rows, W unknowns
  double *q, *r, *row_size, *size;
} Minimal;

// `k`: the stiffness matrix, which has G in the rows of multipliers.
PetscErrorCode MinimalCreate(const Unknowns *u, const Sparse *k, Minimal *out);
PetscErrorCode MinimalDestroy(Minimal *m);

// The multipliers of least norm that balance forces f on the dependent unknowns, G^T lambda = f, in the rows of
// multipliers.
PetscErrorCode MinimalMultipliers(const Minimal *m, const double *f, double *out);

#endif
