// SPDX-License-Identifier: Apache-2.0
// One loop for all of Newton's methods. A policy finds a correction, takes it or a part of it, and judges whether to continue: steps in time
// (step_newton.c), equilibria (static_newton.c), damped corrections far from a solution (damped_newton.c).
#ifndef LIMBER_SOLVERS_NEWTON_H
#define LIMBER_SOLVERS_NEWTON_H

#include "solvers/solvers.h"

// Of the correction and the residual of the last solution.
typedef struct {
  double energy, length, angle; // sum |r dx|, largest corrections of u and c
  double coord;   // of coordinates, against the model's size or a turn of 1, or their own value where that is larger
  double size;    // the largest correction: part of the model's size, or rotation, or coordinate
  PetscInt block; // that carries most of the sum
  PetscInt moved; // that has the largest correction; only found for a monitor
} NewtonMeasure;

typedef enum {
  NEWTON_NEW_TANGENT,  // another correction, with a tangent of its own
  NEWTON_SAME_TANGENT, // another correction, with the tangent as it is
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
  int limit;             // of tangents
  double at;             // s: end of the step; or the load factor
  double accepted;       // J: energy at which the policy may stop; 0: it does not judge by the energy
  NewtonMeasure measure; // of the present correction
  int corrections;       // so far
  bool fresh;            // the tangent of the present correction is new
  NewtonVerdict verdict;
  PetscInt worst; // global block that carries most of the sum, -1
};

// Corrects until the policy stops or its limit is reached. Reports each correction to the monitor of the system.
PetscErrorCode NewtonIterate(System *s, Newton *n, NewtonOutcome *out);

// The coordinate at place i of an own block of a joint, -1: none; and by what it is measured, the model's size or a
// turn of 1.
int newton_block_coord(const Layout *layout, PetscInt block, int i);
double newton_coord_size(const Layout *layout, PetscInt joint, int coord);

#endif
