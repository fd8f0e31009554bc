// SPDX-License-Identifier: Apache-2.0
// Damping of masses against the ground (mechanics/mass_damping.h).
#ifndef LIMBER_ASSEMBLY_MASS_DAMPING_H
#define LIMBER_ASSEMBLY_MASS_DAMPING_H

#include "assembly/equations.h"

PetscErrorCode LayoutCreateMassDamping(Layout *l);
// Adds the forces on a local node over the step under way to block 0 of the scratch.
void equations_add_mass_damping(const Motion *moving, Equations *equations, PetscInt node, NodeKind kind,
                                const NodeMotion *motion);
// The energy that the damping of a local node takes in the step under way.
double step_mass_damping_work(const Layout *layout, const StepContext *step, PetscInt node);

#endif
