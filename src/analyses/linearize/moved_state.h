// SPDX-License-Identifier: Apache-2.0
// Moves the state of a system by small unknowns and velocities, and differentiates what depends on it with central
// differences of fourth order.
#ifndef LIMBER_ANALYSES_LINEARIZE_MOVED_STATE_H
#define LIMBER_ANALYSES_LINEARIZE_MOVED_STATE_H

#include "analyses/linearize/unknowns.h"
#include "assembly/system.h"

// The original state.
typedef struct {
  System *s;
  const Unknowns *u;
  Spin spin; // steady rotation of the state; small motions are relative to the frame that rotates with it
  Vec3 *x, *v, *x_before;
  Coords *coord;
  double (*multiplier)[MAX_ROWS], last_h;
  bool stepped;
} MovedState;

PetscErrorCode MovedStateCreate(System *s, const Unknowns *u, const Spin *spin, MovedState *out);
// Also restores the state.
PetscErrorCode MovedStateDestroy(MovedState *m);

// A small motion: changes of all unknowns, including multipliers, and of their rates (NULL: none).
typedef struct {
  const double *change, *rate;
} SmallMotion;

// Moves the original state by e times a small motion.
PetscErrorCode MoveState(MovedState *m, const SmallMotion *q, double e);

// What to sample in a state: the outputs of a linear model, the same on every rank.
typedef struct {
  int count;
  PetscErrorCode (*sample)(void *self, double *row);
  void *self;
} StateQuestion;

// Derivatives along a small motion. `error`: how far differences of two lengths disagree; may be NULL.
PetscErrorCode DifferentiateState(MovedState *m, const SmallMotion *q, const StateQuestion *ask, double *derivative,
                                  double *error);

#endif
