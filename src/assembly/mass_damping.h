// SPDX-License-Identifier: Apache-2.0
// Damping of masses against the ground (mechanics/mass_damping.h).
#ifndef LIMBER_ASSEMBLY_MASS_DAMPING_H
#define LIMBER_ASSEMBLY_MASS_DAMPING_H

#include "assembly/equations.h"

// Damping of masses. Its forces on a local node over the step under way go to the scratch, in its block 0; what it
// takes in the step.
PetscErrorCode LayoutCreateMassDamping(Layout *l);
void equations_add_mass_damping(const Motion *moving, Equations *equations, PetscInt node, NodeKind kind,
                                const NodeMotion *motion);
double step_mass_damping_work(const Layout *layout, const StepContext *step, PetscInt node);

#endif
