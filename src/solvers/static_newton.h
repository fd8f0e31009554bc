// SPDX-License-Identifier: Apache-2.0
// Equilibrium of a system without inertia: r(q, f) = 0, q the increments from the state and the multipliers, f the factor of
// the loads. One more equation, a border a.q + b (f - f_0) = l, may leave the factor free: then f is found too.
#ifndef LIMBER_SOLVERS_STATIC_NEWTON_H
#define LIMBER_SOLVERS_STATIC_NEWTON_H

#include "solvers/solvers.h"

// What acts. Loads are those at a time, each times share[0] + share[1] f; behind the shares of all loads stands that of
// the square of the rate of rotation. NULL: the factor multiplies all. Drives lead from the coordinates `start` (of
// local joints) to what they prescribe at that time.
typedef struct {
  double time;
  const double (*share)[2];
  Spin spin;
  const Coords *start;
} StaticLoads;

// The border. NULL in its place: the factor is given.
typedef struct {
  Vec a;
  double b, length, from; // f_0
} StaticBorder;

// Begins a step of statics from the state: no increments, multipliers as the state has them.
PetscErrorCode EquationsBeginStatic(Motion *motion, Equations *equations);
// Loads, drives and rotation at a factor.
PetscErrorCode MotionSetFactor(Motion *motion, const StaticLoads *l, double factor);

// Newton from the unknowns and the factor as they are. `mass` (NULL: none) times `hold` is added to the stiffness: it
// holds what nothing else does, as inertia would in a step from rest of length 1/sqrt(hold).
typedef struct {
  const StaticLoads *loads;
  const StaticBorder *border;
  Mat mass;
  double hold;
  int limit; // of iterations
} StaticProblem;
PetscErrorCode SystemStaticNewton(System *s, const StaticProblem *problem, double *factor, NewtonOutcome *out);

// The largest displacement in the unknowns, as a part of the model's size, or rotation, whichever is more.
PetscErrorCode EquationsLargestIncrement(const Layout *layout, const Equations *equations, double *out);

// At the state: dq/df along the path, by the stiffness there, which then stands in the tangent. `good` is false where
// it is singular.
PetscErrorCode SystemPathTangent(System *s, const StaticLoads *l, double factor, Vec dq, PetscBool *good);

#endif
