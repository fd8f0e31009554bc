// SPDX-License-Identifier: Apache-2.0
// Forces that motions of a small model cause, and the answers to them: with P = P(shift) of the pencil,
//   M = L L^T,   x = P^-1 W,   y = P^-T W,   W = (L, E),
// where a column of E, of a suitable size, belongs to an unknown that has a damper but no mass, such as a state of the
// air. Every mode is a combination of the columns of x.
#ifndef LIMBER_ANALYSES_MODES_FACTORS_H
#define LIMBER_ANALYSES_MODES_FACTORS_H

#include "analyses/modes/modes.h"

typedef struct {
  PetscInt count, massive; // columns; those of L, which come first
  PetscInt *row;           // first of the node's unknowns
  double (*entry)[6];
  Vec *x, *y; // of all columns; NULL: not solved for
} Factors;

// The columns of all ranks, in their order. `damped`: with those of E.
PetscErrorCode FactorsGather(const Pencil *p, bool damped, Factors *f);
// Finds x, or y if `transpose`. `t`: W^T x by columns, on every rank; NULL: not wanted.
PetscErrorCode FactorsSolve(Pencil *p, Factors *f, bool transpose, double *t);
// sum_i c_i x_i, scaled; of y if `transpose`.
PetscErrorCode FactorsCombine(const Factors *f, bool transpose, const double *c, double scale, Vec out);
PetscErrorCode FactorsDestroy(Factors *f);

#endif
