// SPDX-License-Identifier: Apache-2.0
// Minimal coordinates: with the equations G q = g_p d of the joints, q the unknowns of nodes and the free coordinates of
// joints, d those that are prescribed,
//   q = Z p + Y d,   G Z = 0,   G Y = g_p,
// where p are as many of the unknowns q themselves as are independent, coordinates of joints among them where they can
// be. Found by QR with column pivoting of G, dense.
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
  // S G W = Q R of the dependent ones: S sizes of rows, W of unknowns
  double *q, *r, *row_size, *size;
} Minimal;

// `k`: the stiffness matrix, which has G in the rows of multipliers.
PetscErrorCode MinimalCreate(const Unknowns *u, const Sparse *k, Minimal *out);
PetscErrorCode MinimalDestroy(Minimal *m);

// The multipliers that balance forces f of the dependent unknowns, G^T lambda = f, of least norm; into the rows of
// multipliers.
PetscErrorCode MinimalMultipliers(const Minimal *m, const double *f, double *out);

#endif
