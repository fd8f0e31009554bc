// SPDX-License-Identifier: Apache-2.0
// Equilibria along a path: the load factor grows, or it follows from an arc length of the path or a displacement.
#ifndef LIMBER_ANALYSES_STATICS_STATICS_H
#define LIMBER_ANALYSES_STATICS_STATICS_H

#include "analyses/stepping/ledger.h"
#include "model/refusal.h"
#include "solvers/static_newton.h"

typedef enum { CRITICAL_LIMIT, CRITICAL_BIFURCATION } CriticalKind;

typedef struct {
  CriticalKind kind;
  double factor, width; // error bound of the factor
  int negative[2];      // directions of negative stiffness before and after it
  char mode[200];       // "column bending y"
  char where[256];      // what moves most in the critical direction, and how
  char mesh[256];       // "" or the element that is too coarse there
} Critical;

// Motions without stiffness, which are excluded from counts. free_motions.c
typedef struct {
  int count;
  Vec *motion, *border; // n, of n . W n = 1; c W n
  double scale;         // c
  double round_off;     // of the stiffness along them
} FreeMotions;

typedef struct {          // slope of a path at one of its states
  double factor, inverse; // |dq/df|^-2
} PathSlope;

typedef struct {          // of an unstable equilibrium
  double rate, frequency; // 1/s, Hz; rate 0: none is known
  char where[256];        // what moves most, and how
} GrowingMotion;

typedef struct {
  LimberStatics options; // with its defaults
  StaticLoads loads;
  Rotor rotor; // turns NULL: none
  double (*share)[2];
  Coords *start;
  double factor;     // of the state
  double length;     // of the next step, in units of what is controlled
  double controlled; // displacement under control
  int count;
  bool finished;
  Vec weight;           // weights of the norm of increments; zero for multipliers
  double factor_weight; // weight of the factor in that norm
  Vec direction;        // dq/df at the state, then the step's own direction
  Vec border;           // a of the step
  Vec secant;           // increments of the last step ...
  double last_factor;   // ... and that of the factor
  int negative;         // directions of negative stiffness at the state, as counted by StaticsCountNegative
  FreeMotions free_motions;
  bool at_critical; // the last step ended at a critical point: a direction that is not free has no stiffness
  Critical *critical;
  Vec critical_direction; // of the last critical point
  int ncritical, room;
  int uncounted;        // states whose stiffness could not be factored
  PathSlope slope[2];   // at the last two states
  bool came_to_rest;    // under all loads at once
  char free[256];       // what moved freely then
  GrowingMotion growth; // a motion that grows from there
  bool surrounded;      // surroundings, such as water, act in full at any factor
} Statics;

static inline Statics *statics_of(const Stepper *p) { return p->data; }

// Counts the directions of negative stiffness from the signs of the pivots of the present tangent. For an unsymmetric
// tangent only the sign of its determinant is known: an even or odd number. critical.c
enum { NEGATIVE_UNKNOWN = -1, NEGATIVE_EVEN = -2, NEGATIVE_ODD = -3 };
PetscErrorCode StaticsCountNegative(Stepper *p, int *count);
// Whether two such counts certainly differ.
static inline bool negative_differs(int a, int b) {
  if (a == NEGATIVE_UNKNOWN || b == NEGATIVE_UNKNOWN) return false;
  if (a >= 0 && b >= 0) return a != b;
  return (a >= 0 ? a % 2 : a == NEGATIVE_ODD) != (b >= 0 ? b % 2 : b == NEGATIVE_ODD);
}
static inline double negative_number(int a) { return a == NEGATIVE_EVEN ? 0 : a == NEGATIVE_ODD ? 1 : a; }
// The weights of the norm of increments, as a matrix. free_motions.c
PetscErrorCode StaticsWeights(const Stepper *p, Mat *out);
// Finds the motions without stiffness at the state from the tangent there. free_motions.c
PetscErrorCode StaticsFindFree(Stepper *p);
// The matrix with the border of these motions; if there are none, the matrix itself.
PetscErrorCode FreeMotionsBorder(const FreeMotions *f, Mat k, Mat *bordered);
// With factors of that matrix: a solution orthogonal to these motions, and how many of them have a negative stiffness
// beyond round-off.
PetscErrorCode FreeMotionsSolve(Mat bordered, Mat factor, bool transpose, Vec b, Vec x);
PetscErrorCode FreeMotionsCountNegative(FreeMotions *f, Mat bordered, Mat factor, int *count);
// Updates the motions when the state moves to that of the last count.
PetscErrorCode FreeMotionsFollow(FreeMotions *f, Vec weight);
PetscErrorCode FreeMotionsDestroy(FreeMotions *f);
// Records a critical point at the present unknowns and tangent. If the factor turns back there, it is a limit point
// only if the loads also do work in the critical direction. critical.c
PetscErrorCode StaticsAddCritical(Stepper *p, const Critical *found);
// Adds the effect of round-off in the stiffness to the error of the last critical factor, from the present tangent,
// `away` from it.
PetscErrorCode StaticsBoundCritical(Stepper *p, double away);
PetscErrorCode StaticsRemark(Stepper *p, char *text, size_t size);

// Finds the motion that grows most among the lowest modes about an equilibrium to which there is no path. critical.c
PetscErrorCode StaticsJudgeRest(Stepper *p);
// Applies all loads at once if there is no path. `found`: false if there is no equilibrium that way, either. statics.c
PetscErrorCode StaticsRest(Stepper *p, LimberOutcome *out, bool *found);

// Records |dq/df|^2 at the state, from which a limit point next to it is recognised. stop.c
void statics_record_slope(Statics *x, double square);
// Why the path ends, and what to do. `coarse`: "", or the element that turns too much from end to end. stop.c
PetscErrorCode StaticsExplainStop(const Stepper *p, char *text, size_t size);
PetscErrorCode StaticsSayCoarse(const Layout *layout, const State *state, char *coarse, size_t size);

// The part of a model that a drive of constant rate turns against the rest, if no other joint or element connects them.
// rotor.c
PetscErrorCode RotorFind(Model model, double time, Rotor *out);
// Finds its equal blades at the state. `wrong`: "", or what is not equal. rotor.c
PetscErrorCode RotorFindBlades(System *s, const Spin *spin, Rotor *rotor, Refusal *wrong);
PetscErrorCode RotorDestroy(Rotor *rotor);
// The first drive that moves at a time, with a rate that is constant or not from then on; -1: none. driven_rotation.c
int statics_find_drive(Model model, double time, bool constant);

// One step along the path. path.c
PetscErrorCode StaticsStep(Stepper *p, LimberOutcome *out);
// The displacement under control, from the reference. path.c
PetscErrorCode StaticsControlled(const Stepper *p, double *value);

#endif
