// SPDX-License-Identifier: Apache-2.0
// Equilibria along a path: the loads grow by a factor, or the factor follows a length along the path or a displacement.
#ifndef LIMBER_ANALYSES_STATICS_STATICS_H
#define LIMBER_ANALYSES_STATICS_STATICS_H

#include "analyses/stepping/ledger.h"
#include "solvers/static_newton.h"

typedef enum { CRITICAL_LIMIT, CRITICAL_BIFURCATION } CriticalKind;

typedef struct {
  CriticalKind kind;
  double factor;
  int negative[2]; // directions of negative stiffness before and after it
  char where[256]; // what moves most in the critical direction, and how
} Critical;

typedef struct {
  LimberStatics options; // with its defaults
  StaticLoads loads;
  double (*share)[2];
  Coords *start;
  double factor;     // of the state
  double length;     // of the next step, in terms of what leads
  double controlled; // displacement under control
  int count;
  bool finished;
  Vec weight;           // of the norm of increments; zero for multipliers
  double factor_weight; // of the factor in that norm
  Vec direction;        // dq/df at the state, then the step's own direction
  Vec border;           // a of the step
  Vec secant;           // increments of the last step ...
  double last_factor;   // ... and that of the factor
  int negative;         // directions of negative stiffness at the state, as StaticsCountNegative tells them
  Critical *critical;
  int ncritical, room;
  bool came_to_rest; // under all loads at once
  char free[256];    // what then moved freely
  bool surrounded;   // what acts from the ground, such as water, stands in full at any factor
} Statics;

static inline Statics *statics_of(const Stepper *p) { return p->data; }

// How many directions have a negative stiffness, by the signs of pivots of the tangent as it is. Of an unsymmetric tangent only the sign
// of its determinant is known: an even or odd number. critical.c
enum { NEGATIVE_UNKNOWN = -1, NEGATIVE_EVEN = -2, NEGATIVE_ODD = -3 };
PetscErrorCode StaticsCountNegative(System *s, int *count);
// Whether two such counts differ for sure.
static inline bool negative_differs(int a, int b) {
  if (a == NEGATIVE_UNKNOWN || b == NEGATIVE_UNKNOWN) return false;
  if (a >= 0 && b >= 0) return a != b;
  return (a >= 0 ? a % 2 : a == NEGATIVE_ODD) != (b >= 0 ? b % 2 : b == NEGATIVE_ODD);
}
static inline double negative_number(int a) { return a == NEGATIVE_EVEN ? 0 : a == NEGATIVE_ODD ? 1 : a; }
// Records a critical point, at the unknowns and the tangent as they are. critical.c
PetscErrorCode StaticsAddCritical(Stepper *p, double factor, int before, int after);
PetscErrorCode StaticsRemark(Stepper *p, char *text, size_t size);

// All loads at once, where there is no path. `found`: false where that does not help. rest.c
PetscErrorCode StaticsRest(Stepper *p, LimberOutcome *out, bool *found);

// One step along the path. path.c
PetscErrorCode StaticsStep(Stepper *p, LimberOutcome *out);
// The displacement under control, from the reference. path.c
PetscErrorCode StaticsControlled(const Stepper *p, double *value);

#endif
