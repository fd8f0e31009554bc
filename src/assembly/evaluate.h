// SPDX-License-Identifier: Apache-2.0
// Residual and tangent of a step.
#ifndef LIMBER_ASSEMBLY_EVALUATE_H
#define LIMBER_ASSEMBLY_EVALUATE_H

#include "assembly/equations.h"

// Fills amplitudes for a step from `time` of length h.
PetscErrorCode MotionBeginStep(Motion *motion, double h);

// Residual, and the tangent when wanted, at the unknowns of the equations (ghosts are refreshed here).
PetscErrorCode EquationsEvaluate(Motion *motion, Equations *equations, PetscBool tangent);

// Adds the item in the scratch to the rows that this rank owns.
PetscErrorCode EquationsAddLocal(const Layout *layout, Equations *equations, PetscInt count, const PetscInt *blocks,
                                 double *residual, PetscBool tangent);

#endif
