// SPDX-License-Identifier: Apache-2.0
// The inertia of nodes, and the state at the start.
#ifndef LIMBER_ASSEMBLY_CREATE_H
#define LIMBER_ASSEMBLY_CREATE_H

#include "assembly/system.h"

PetscErrorCode LayoutCreateInertia(Layout *layout);
PetscErrorCode SystemCreateState(System *s);

// Gives the points of coordinates with inertia the rates that the bodies have.
void state_start_coordinates(const Layout *layout, State *state);

#endif
