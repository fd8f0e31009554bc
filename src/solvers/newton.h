// SPDX-License-Identifier: Apache-2.0
// One loop for all of Newton's methods. A policy finds a correction, applies all or part of it, and decides whether to
// continue. Policies: time steps (step_newton.c), equilibria (static_newton.c), damped corrections far from a solution
// (damped_newton.c).
#ifndef LIMBER_SOLVERS_NEWTON_H
#define LIMBER_SOLVERS_NEWTON_H

#include "solvers/solvers.h"

// Measures of the last correction and its residual.
typedef struct {
  double energy, length, angle; // sum |r dx|; largest corrections of u and c
  double coord;                 // of coordinates, relative to the model size or 1 rad, or to their own value if larger
  double size;                  // the largest correction: displacement over model size, rotation or coordinate
  PetscInt block;               // with the largest part of the sum
  PetscInt moved;               // with the largest correction; found only for a monitor
} NewtonMeasure;

typedef enum {
  NEWTON_NEW_TANGENT,  // another correction, with a new tangent
  NEWTON_SAME_TANGENT, // another correction, with the same tangent
  NEWTON_CONVERGED,
  NEWTON_FAILED,
} NewtonVerdict;

typedef struct Newton Newton;
struct Newton {
  // The policy: finds the correction in s->linear.increment, with a new tangent if `fresh`; `good` is false if the
  // tangent cannot be factored.
  PetscErrorCode (*correct)(System *s, Newton *n, PetscBool *good);
  // The policy: takes the correction, or a part of it, and sets `verdict`, `worst` and `accepted`.
  PetscErrorCode (*take)(System *s, Newton *n);
  void *data;            // of the policy
  bool keeps_tangent;    // the first correction has the tangent as it is
  int limit;             // of tangents
  double at;             // s: end of the step; or the load factor
  double accepted;       // J: energy at which the policy may stop; 0: it uses no energy criterion
  NewtonMeasure measure; // of the present correction
  int corrections;       // so far
  bool fresh;            // the tangent of the present correction is new
  NewtonVerdict verdict;
  PetscInt worst; // global block with the largest part of the sum; -1: none
};

// Corrects until the policy stops or its limit is reached. Reports each correction to the monitor of the system.
PetscErrorCode NewtonIterate(System *s, Newton *n, NewtonOutcome *out);

// The coordinate at index i of an own block of a joint (-1: none), and its reference size: the model size or 1 rad.
int newton_block_coord(const Layout *layout, PetscInt block, int i);
double newton_coord_size(const Layout *layout, PetscInt joint, int coord);

#endif
