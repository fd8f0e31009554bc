// SPDX-License-Identifier: Apache-2.0
// Follows modes over a parameter. From a point a to the next, b, a mode continues as the one with the largest
//   S_ij^2 = |y_i(a)^H A x_j(b)| |y_j(b)^H A x_i(a)|,   A = (lambda_i + lambda_j) M + D,
// which is 1 for the same mode and 0 for another of the same state: left and right vectors are orthogonal in A, while
// right vectors alone of damped and rotating systems are not. If it is less than 0.8, the step is halved. If the
// eigenvalue of a mode passes through zero in the rotating frame, the mode continues as the conjugate of another.
#ifndef LIMBER_ANALYSES_CAMPBELL_CAMPBELL_H
#define LIMBER_ANALYSES_CAMPBELL_CAMPBELL_H

#include "analyses/modes/modes.h"
#include "input/input.h"
#include "limber/campbell.h"
#include "model/refusal.h"

typedef struct {
  const Input *in;
  SourceReader read;
  LimberCampbellOptions options;
  void (*progress)(double value, int points); // may be NULL
} CampbellProblem;

struct LimberCampbellData {
  int rows, branches;
  double *value, *rate; // of each row: the parameter; rate of rotation, rad/s
  double (*lambda)[2];  // rows x branches; in a rotating frame the imaginary part of a branch may pass through zero
  double *whirl, *correlation; // rows x branches; S with the row before
  double *rotor;               // rows x branches: Hz, in the frame of a rotor on a support
  bool has_rotor;
  char (*name)[192]; // of each branch, as it is named in the middle of the range
  int crossings;
  LimberCampbellCrossing *crossing;
  char remarks[8192];
};

// The model at a value of the parameter, its equilibrium and modes.
typedef struct {
  double value;
  Input *in;
  struct LimberModesData a;
} CampbellPoint;

// The mode of a point, or its conjugate, that belongs to a branch.
typedef struct {
  int mode; // -1: lost
  bool conjugate;
  double correlation; // S with the mode that it continues
  bool certain;       // S is at least 0.8, alone or together with modes of the same eigenvalue
} BranchPlace;

// Finds the places of branches at b from those at a; vectors of equal eigenvalues of b are made as close to a's as
// possible. `other`: for each branch the one that it mixes with most; -1: none.
PetscErrorCode CampbellFollow(const CampbellPoint *a, const CampbellPoint *b, int branches, const BranchPlace *from,
                              BranchPlace *to, int *other);

// Eigenvalue of a branch at a point.
void campbell_lambda(const CampbellPoint *point, const BranchPlace *at, double lambda[2]);

// `wrong`: "" or why; then *out is NULL.
PetscErrorCode CampbellFind(const CampbellProblem *p, LimberCampbell *out, Refusal *wrong);
PetscErrorCode CampbellDestroy(LimberCampbell *f);

#endif
