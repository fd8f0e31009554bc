// SPDX-License-Identifier: Apache-2.0
// Wheels: rotors that spin about an axis of a frame (mechanics/wheel.h).
#ifndef LIMBER_ASSEMBLY_WHEELS_H
#define LIMBER_ASSEMBLY_WHEELS_H

#include "assembly/equations.h"

// Wheels at the start, before and after velocities are projected; their moments in the step under way; their energy,
// angular momentum and work; and the end of the step.
PetscErrorCode StateCreateWheels(const Layout *layout, State *state);
PetscErrorCode MotionStartWheels(Motion *motion);
PetscErrorCode EquationsEvaluateWheels(const Motion *motion, Equations *equations, double *residual, PetscBool tangent);
double motion_wheel_energy(const Motion *motion, PetscInt wheel);
Vec3 state_wheel_momentum(const Layout *layout, const State *state, PetscInt wheel);
void motion_wheel_balance(Motion *motion, const double *q, PetscInt wheel, double *work);
void motion_move_wheels(Motion *motion);
void state_stop_wheels(const Layout *layout, State *state); // for steps without loads

// The frame of a wheel where this rank owns it, -1 elsewhere; its rate about the axis; the momentum in the step under way,
// and in a steady rotation or at rest.
PetscInt layout_wheel_node(const Layout *layout, PetscInt wheel);
double motion_wheel_turn(const Motion *motion, PetscInt wheel);
WheelMomentum motion_wheel_momentum(const Motion *motion, PetscInt wheel);
double motion_wheel_steady(const Motion *motion, PetscInt wheel, const Spin *spin);

#endif
