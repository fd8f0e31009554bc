// SPDX-License-Identifier: Apache-2.0
// Matrices, minimal coordinates and sources of a linear model.
#ifndef LIMBER_ANALYSES_LINEARIZE_MATRICES_H
#define LIMBER_ANALYSES_LINEARIZE_MATRICES_H

#include "analyses/linearize/linear_model.h"
#include "analyses/linearize/minimal.h"
#include "model/refusal.h"

// Coordinates in three groups: with mass, with only damping, with neither; q = T (a, b, c) + Y d.
typedef struct {
  PetscInt n, na, nb, nc;
  double *t;         // count x n, by columns
  double *k, *c, *m; // n x n, by columns
  PetscInt *name;    // the unknown that names each; -1 - i: the i-th mode
} Groups;

// One column of inputs: a derivative of a source.
typedef struct {
  int source, order; // -1: its integral, 0: itself, 1: its rate, 2: its acceleration
} InputColumn;

typedef struct {
  System *s;
  Spin spin;
  Unknowns u;
  Sparse k, c, m; // c: with gyroscopic forces
  Minimal minimal;
  LinearSources sources;
  int columns;
  InputColumn *column;
  Groups groups;
} LinearMatrices;

PetscErrorCode LinearMatricesCreate(System *s, const Spin *spin, int names, const char *const *name, LinearMatrices *p,
                                    Refusal *wrong);
PetscErrorCode LinearMatricesDestroy(LinearMatrices *p);
// Finds minimal coordinates and their groups. `wrong`: "", or that there are too many.
PetscErrorCode LinearMatricesReduce(LinearMatrices *p, Refusal *wrong);
// Uses the lowest modes and the rigid motions instead, all of them coordinates with mass; prescribed coordinates then
// move the model as in statics. modal.c
PetscErrorCode LinearMatricesUseModes(LinearMatrices *p, int modes, Refusal *wrong);
// Computes the matrices of the groups from t.
PetscErrorCode LinearMatricesProject(LinearMatrices *p);

// Adds the forces of an input on all unknowns, and the coordinates that it prescribes with their first and second
// rates. The caller fills them with zeros.
void linear_input_effect(const LinearMatrices *p, int column, double *force, double *driven[3]);

// Compares K with finite differences of forces; finds the eigenvalues of A and compares them with modes. checks.c
PetscErrorCode LinearModelCompareForces(const LinearMatrices *p, LinearModel *m);
PetscErrorCode LinearModelFindEigenvalues(const LinearMatrices *p, LinearModel *m);

#endif
