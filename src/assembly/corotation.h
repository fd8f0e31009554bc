// SPDX-License-Identifier: Apache-2.0
// Velocities of free bodies: of their mass centres, and how those of points turn along.
#ifndef LIMBER_ASSEMBLY_COROTATION_H
#define LIMBER_ASSEMBLY_COROTATION_H

#include "assembly/motion.h"

// Mass-centre velocity of every free component.
PetscErrorCode MotionFindCentreVelocities(Motion *motion);

// How the velocities of free bodies of points turn along over the step that began; none where a load changes.
PetscErrorCode MotionFindCorotation(Motion *motion);

#endif
