// SPDX-License-Identifier: Apache-2.0
// Modes followed over a parameter. From a point a to the next, b, a mode goes on as the one with the largest
//   S_ij^2 = |y_i(a)^H A x_j(b)| |y_j(b)^H A x_i(a)|,   A = (lambda_i + lambda_j) M + D,
// which is 1 for the same mode and 0 for another of the same state: left and right vectors are orthogonal in A, where
// plain vectors of damped and rotating systems are not. Where it is less than 0.8 the step is halved. If
// the eigenvalue of a mode passes through zero in the rotating frame, the mode continues as the conjugate of another.
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
  void (*progress)(double value, int points); // NULL: nobody is told
} CampbellProblem;

struct LimberCampbellData {
  int rows, branches;
  double *value, *rate; // of each row: of the parameter, rad/s
  double (*lambda)[2];  // rows x branches; the imaginary part goes through zero with a mode of the rotating frame
  double *whirl, *correlation; // rows x branches; S with the row before
  char (*name)[192];           // of each branch, in the middle of the range
  int crossings;
  LimberCampbellCrossing *crossing;
  char remarks[8192];
};

// The model at a value, its equilibrium and modes. `wrong`: "" or why there are none.
typedef struct {
  double value;
  Input *in;
  struct LimberModesData a;
} CampbellPoint;

// Where a branch stands: a mode of a point, or its conjugate.
typedef struct {
  int mode; // -1: lost
  bool conjugate;
  double correlation; // S with where it came from
  bool certain;       // that is at least 0.8, alone or with modes of the same eigenvalue
} BranchPlace;

// The places of branches at b from those at a; vectors of equal eigenvalues of b become those nearest to a's. `other`:
// of each branch the one that it was mixed with most, -1: none.
PetscErrorCode CampbellFollow(const CampbellPoint *a, const CampbellPoint *b, int branches, const BranchPlace *from,
                              BranchPlace *to, int *other);

// Eigenvalue of a branch at a point.
void campbell_lambda(const CampbellPoint *point, const BranchPlace *at, double lambda[2]);

// `wrong`: "" or why; then *out is NULL.
PetscErrorCode CampbellFind(const CampbellProblem *p, LimberCampbell *out, Refusal *wrong);
PetscErrorCode CampbellDestroy(LimberCampbell *f);

#endif
