// SPDX-License-Identifier: Apache-2.0
// Frames without mass, or without inertia about an axis.
#ifndef LIMBER_ASSEMBLY_THIN_FRAMES_H
#define LIMBER_ASSEMBLY_THIN_FRAMES_H

#include "assembly/equations.h"

// Frames without mass or without inertia about an axis: found; and given a trace of it in the tangent that is open.
PetscErrorCode MatrixCreateThinFrames(const Layout *layout, MatrixSlots *matrix);
void matrix_stiffen_thin_frames(const Motion *motion, MatrixSlots *matrix);

#endif
