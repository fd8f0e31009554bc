// SPDX-License-Identifier: Apache-2.0
// The inertia of nodes, and the state at the start.
#ifndef LIMBER_ASSEMBLY_CREATE_H
#define LIMBER_ASSEMBLY_CREATE_H

#include "assembly/equations.h"
#include "assembly/motion.h"
#include "assembly/system.h"

PetscErrorCode LayoutCreateInertia(Layout *layout);
PetscErrorCode SystemCreateState(System *s);

// Gives the points of coordinates with inertia the rates that the bodies have.
void state_start_coordinates(const Layout *layout, State *state);

// Damping of masses against the ground (mechanics/node.h).
// Adds the forces on a local node over the step under way to block 0 of the scratch.
void equations_add_mass_damping(const Motion *moving, Equations *equations, PetscInt node, NodeKind kind,
                                const NodeMotion *motion);
// The energy that the damping of a local node takes in the step under way.
double step_mass_damping_work(const Layout *layout, const StepContext *step, PetscInt node);

// Loads on each local node, element and joint, and fields.
PetscErrorCode LayoutCreateLoads(Layout *layout);
PetscErrorCode LayoutDestroyLoads(Layout *layout);

#endif
