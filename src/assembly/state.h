// SPDX-License-Identifier: Apache-2.0
// What changes from step to step, and the step under way.
#ifndef LIMBER_ASSEMBLY_STATE_H
#define LIMBER_ASSEMBLY_STATE_H

#include "mechanics/corotation.h"
#include "mechanics/joint.h"
#include "mechanics/load.h"
#include "mechanics/tableau.h"

#include <petscsys.h>

// A wheel (mechanics/wheel.h). Of the last step, on the rank that has its node: torque and mean power of its motor, and
// its work so far.
typedef struct {
  double p, torque, power, work;
} WheelState;
// A wave at a port. Sums over the parts of the step under way, or of the last one: of length, displacement, length times
// force, and length times the wave that goes out and its square.
typedef struct {
  double in, out; // the wave that comes in; that which went out over the last step
  double length, moved, impulse, sum, squares;
} WaveState;
// A bond: an FMU gets the velocity `flow` and gives `effort`, the force on the coordinate, over the part of a step under
// way or the last. `force` is what acts, less than the effort where that would create energy.
typedef struct {
  double flow, effort, force;
  double moved;              // in the last part of a step
  double rate[2], middle[2]; // mean velocities of the last two parts, and the times of their middles
  double exchange;           // J: work of the force less flow times effort, since the start
} BondState;
// What a joint puts on its second body over the last step.
typedef struct {
  Coords spring, damper, friction; // of the laws of its coordinates, along these; limits count as springs
} CoordForces;
typedef struct {
  Vec3 force, moment, own_force, own_moment; // at the joint: in ground axes, and in those of the joint
  Coords drive;                              // of loads and drives, along its coordinates
} JointReaction;

// All that changes from step to step: what a checkpoint holds.
typedef struct {
  double time;
  Vec3 *x, *v, *a, *w; // 4 a node
  Vec3 *dv;            // the change of v over the last step, turned along; NULL: the scheme does not remember it
  Coords *coord;       // of local joints
  Bristles *bristles;  // of their friction
  double (*multiplier)[MAX_ROWS];
  WheelState *wheel;        // of each wheel of the model
  WaveState *wave;          // of each wave of the model's ports, the same on every rank
  BondState *bond;          // of each bond of the model, the same on every rank
  CoordForces *coord_force; // of local joints
  double
      *load_force; // of each load on a coordinate of a local joint that prescribes nothing: its mean over the last step
  // Where steps are composed: means over the whole step of the reactions of local joints, and where it started.
  JointReaction *reaction;
  Vec3 *x_start;

  // The last step (step_memory.c): where it started, its length, what it recalled.
  bool stepped;
  Vec3 *x_before;
  Coords *coord_before;
  double last_h;
  // Increments that are remembered, [0] for the next step, [1] those that the last one recalled: of the rows of each
  // local element from its start on, of coordinates. past_step, recalled_step: lengths of the steps that they are of,
  // 0: none.
  double *row_increment[2], past_step, recalled_step;
  PetscInt *row_increment_start; // NULL: the scheme remembers none
  double *zero_increment;        // zeros, for an element without memory beside others that have one
  Coords *coord_increment[2];
} State;

typedef struct {          // the part of a model that rotates while the rest stands
  bool *turns;            // each node of the model
  int blades;             // how many equal ones; 0: not known
  int *next, *next_joint; // of each node and joint, its copy turned by 2 pi/blades: itself on the axis, -1: not of it
} Rotor;

typedef struct { // a steady rotation, whose centrifugal forces a static solution balances
  Vec3 axis, centre;
  double rate;        // 0: none
  const Rotor *rotor; // what rotates; NULL: all
} Spin;

// Vectors around a point over a step: sums of r x (r_1 - r_0) and of r r (step_memory.c).
typedef struct {
  Vec3 l;
  double xx, yy, zz, yz, zx, xy;
} RotationSums;

// A connected component over a step with exact momentum (exact_momentum.c).
typedef struct {
  double mass;
  Vec3 v, recalled;       // of its mass centre: velocity at the start, and the increment that it recalls
  Vec3 change;            // of the velocity of the mass centre up to the middle of the step
  bool turns;             // it has a b; else displacements over h are the velocities at the middle
  unsigned char switches; // how often that changed in the step
  Vec3 turn;              // b
  Vec3 lost;              // what increments lose of their rotation at the end of the step
  Mat3 inverse;           // of its equation
  Mat3 tilt;              // (1 - b~)/g
} ComponentStep;

// The step under way.
typedef struct {
  double h, usual; // the length of the step, and that of the run's steps; 0: unknown
  double exchange; // after which time ports exchange their waves; 0: they put no force on the model
  Recall recall;
  Recall stiffened;                // of elements in place of it, where its delta is not 0
  double (*amplitude)[MAX_STAGES]; // of each load
  Amplitude *end_amplitude;        // the same at the start and end of the step
  Coords *target, *target_rate;    // of each local joint: prescribed coordinates at the end, their rates at the start
  Vec3 *centre_velocity;           // velocity of the mass centre of each free component
  CoRotation *corotation;          // of each free component
  ComponentStep *component;        // of each connected component, then of single nodes; NULL: not needed
  Vec3 *beyond, *kept;             // of local nodes' vectors, as NodeState has them; NULL: none
  Vec3 *known, *moved;             // masses times z and w of these vectors (exact_momentum.c)
  NodeMotion *motion;              // of local nodes over the stages, by the unknowns last seen
  RotationSums *rotation_sums;     // of each local node; NULL: no point turns along
  Spin spin;
  bool angles_follow; // of joints at the start: prescribed angles turn as the nodes do
  bool end_forces;    // told are forces at the end of the step, whatever the scheme
} StepContext;

#endif
