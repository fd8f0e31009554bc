// SPDX-License-Identifier: Apache-2.0
// The state of a system moved by small unknowns and velocities, and what that changes: derivatives by central differences of
// the fourth order.
#ifndef LIMBER_ANALYSES_LINEARIZE_MOVED_STATE_H
#define LIMBER_ANALYSES_LINEARIZE_MOVED_STATE_H

#include "analyses/linearize/unknowns.h"
#include "assembly/system.h"

// The state as it was.
typedef struct {
  System *s;
  const Unknowns *u;
  Spin
      spin; // steady rotation of the state; velocities are those of it, and of small motions in the frame that rotates with it
  Vec3 *x, *v, *x_before;
  Coords *coord;
  double (*multiplier)[MAX_ROWS], last_h;
  bool stepped;
} MovedState;

PetscErrorCode MovedStateCreate(System *s, const Unknowns *u, const Spin *spin, MovedState *out);
// Puts the state back, too.
PetscErrorCode MovedStateDestroy(MovedState *m);

// A small motion: changes of all unknowns, multipliers among them, and of their rates (NULL: none), in the order of the
// unknowns.
typedef struct {
  const double *change, *rate;
} SmallMotion;

// The state moved by e times a small motion; 0: as it was.
PetscErrorCode MoveState(MovedState *m, const SmallMotion *q, double e);

// What is asked of a state: the outputs of a linear model, the same on every rank.
typedef struct {
  int count;
  PetscErrorCode (*sample)(void *self, double *row);
  void *self;
} StateQuestion;

// Derivatives along a small motion. `error`: for each how far two lengths of the difference disagree; may be NULL.
PetscErrorCode DifferentiateState(MovedState *m, const SmallMotion *q, const StateQuestion *ask, double *derivative,
                                  double *error);

#endif
