// SPDX-License-Identifier: Apache-2.0
// What changes from step to step, and the step under way.
#ifndef LIMBER_ASSEMBLY_STATE_H
#define LIMBER_ASSEMBLY_STATE_H

#include "mechanics/corotation.h"
#include "mechanics/joint.h"
#include "mechanics/load.h"
#include "mechanics/recall.h"

#include <petscsys.h>

// All that changes from step to step: what a checkpoint holds.
typedef struct {
  double time;
  Vec3 *x, *v, *a, *w; // 4 a node
  Vec3 *dv;            // the change of v over the last step, turned along; NULL: the scheme does not remember it
  Coords *coord;       // of local joints
  double (*multiplier)[MAX_ROWS];
  Vec3 (*reaction)[2]; // mean force and moment of local joints over a composed step, where steps are composed

  // The last step (step_memory.c): where it started, its length, what it recalled.
  bool stepped;
  Vec3 *x_before;
  Coords *coord_before;
  double last_h;
  // Increments that are remembered, [0] for the next step, [1] those that the last one recalled: of the rows of each local element
  // from its start on, of coordinates. past_step, recalled_step: lengths of the steps that they are of, 0: none.
  double *row_increment[2], past_step, recalled_step;
  PetscInt *row_increment_start; // NULL: the scheme remembers none
  double *zero_increment;        // zeros, for an element without memory beside others that have one
  Coords *coord_increment[2];
} State;

typedef struct { // a steady rotation, whose centrifugal forces a static solution balances
  Vec3 axis, centre;
  double rate; // 0: none
} Spin;

// Vectors around a point over a step: sums of r x (r_1 - r_0) and of r r (step_memory.c).
typedef struct {
  Vec3 l;
  double xx, yy, zz, yz, zx, xy;
} RotationSums;

// The step under way.
typedef struct {
  double h;
  Recall recall;
  double (*amplitude)[MAX_STAGES]; // of each load
  Amplitude *end_amplitude;        // the same at the start and end of the step
  Coords *target, *target_rate;    // of each local joint: prescribed coordinates at the end, their rates at the start
  Vec3 *centre_velocity;           // velocity of the mass centre of each free component
  CoRotation *corotation;          // of each free component
  NodeMotion *motion;              // of local nodes over the stages, by the unknowns last seen
  RotationSums *rotation_sums;     // of each local node; NULL: no point turns along
  Spin spin;
  bool end_forces; // told are forces at the end of the step, whatever the scheme
} StepContext;

#endif
