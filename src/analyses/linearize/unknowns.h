// SPDX-License-Identifier: Apache-2.0
// The unknowns of a system (assembly/matrices.h) in the order of the model, independent of the number of ranks: u and
// theta of every node, then multipliers and coordinates of every joint. Matrices of the system in this order are the
// same on every rank.
#ifndef LIMBER_ANALYSES_LINEARIZE_UNKNOWNS_H
#define LIMBER_ANALYSES_LINEARIZE_UNKNOWNS_H

#include "assembly/matrices.h"

typedef enum {
  UNKNOWN_NODE,       // u or theta of a node
  UNKNOWN_ROW,        // multiplier of a joint, with the joint's equation
  UNKNOWN_OFF,        // the same for a redundant equation
  UNKNOWN_COORDINATE, // of a joint, free
  UNKNOWN_PRESCRIBED, // of a joint: given by a drive or by the joint
} UnknownKind;

typedef struct {
  UnknownKind kind;
  PetscInt owner; // node or joint of the model
  int part;       // number among its unknowns of that kind
} Unknown;

typedef struct {
  Model model;
  PetscInt count, rows; // rows: of the system, including those that pad blocks
  Unknown *unknown;
  PetscInt *row; // of each unknown, in the system
  PetscInt *at;  // of each row: its unknown; -1: none
  double length; // size of the model
} Unknowns;

// Collective, as all here.
PetscErrorCode UnknownsCreate(const Motion *motion, Unknowns *out);
PetscErrorCode UnknownsDestroy(Unknowns *u);

// "tip.u.x", "blade.7.theta.z", "hinge.angle"; its unit, and that of its rate.
void unknown_name(const Unknowns *u, PetscInt i, char *out, size_t size);
const char *unknown_unit(const Unknowns *u, PetscInt i);
const char *unknown_rate_unit(const Unknowns *u, PetscInt i);
// Length of the model for unknowns that are lengths, 1 for angles.
double unknown_size(const Unknowns *u, PetscInt i);

// A matrix of the system by rows, in the order of the unknowns.
typedef struct {
  PetscInt count, *start, *column;
  double *value;
} Sparse;
PetscErrorCode SparseGather(const Unknowns *u, Mat a, Sparse *out);
PetscErrorCode SparseDestroy(Sparse *a);
// y += f A x, for vectors of all unknowns
void sparse_multiply(const Sparse *a, double f, const double *x, double *y);

// Gathers a vector of the system's rows on every rank, in the order of the unknowns.
PetscErrorCode UnknownsGather(const Unknowns *u, Vec v, double *out);

#endif
