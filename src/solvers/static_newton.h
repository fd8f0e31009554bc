// SPDX-License-Identifier: Apache-2.0
// Equilibrium of a system without inertia: r(q, f) = 0 with the increments and multipliers q and the load factor f. An
// additional equation, the border a.q + b (f - f_0) = l, may replace a given factor: f is then found too.
#ifndef LIMBER_SOLVERS_STATIC_NEWTON_H
#define LIMBER_SOLVERS_STATIC_NEWTON_H

#include "solvers/solvers.h"

// The loads at a time, each multiplied by share[0] + share[1] f. After the shares of all loads comes that of the square
// of the rotation rate. NULL: the factor multiplies everything. Drives lead from the coordinates `start` (of local
// joints) to their prescribed values at that time.
typedef struct {
  double time;
  const double (*share)[2];
  Spin spin;
  const Coords *start;
} StaticLoads;

// The border. NULL: the factor is given.
typedef struct {
  Vec a;
  double b, length, from; // f_0
} StaticBorder;

// Begins a static step from the state: zero increments, multipliers from the state.
PetscErrorCode EquationsBeginStatic(Motion *motion, Equations *equations);
// Loads, drives and rotation at a factor.
PetscErrorCode MotionSetFactor(Motion *motion, const StaticLoads *l, double factor);

// Newton from the present unknowns and factor. `mass` (NULL: none) times `hold` is added to the stiffness: it holds
// unconstrained parts as inertia would in a step from rest of length 1/sqrt(hold).
typedef struct {
  const StaticLoads *loads;
  const StaticBorder *border;
  Mat mass;
  double hold;
  int limit; // of iterations
} StaticProblem;
PetscErrorCode SystemStaticNewton(System *s, const StaticProblem *problem, double *factor, NewtonOutcome *out);

// The largest displacement in the unknowns relative to the model size, or the largest rotation if that is more.
PetscErrorCode EquationsLargestIncrement(const Layout *layout, const Equations *equations, double *out);

// dq/df along the path at the state, computed with the stiffness there, which is left in the tangent. `good` is false
// if the stiffness is singular.
PetscErrorCode SystemPathTangent(System *s, const StaticLoads *l, double factor, Vec dq, PetscBool *good);

#endif
