// SPDX-License-Identifier: Apache-2.0
// Pairs of round things that are near each other, in a time proportional to their number. Each stands in the cell of its centre, on a level
// of cells about as large as itself; from each, the cells around it are searched on its own level and those of larger ones, at most 27 a
// level (C. Ericson, Real-Time Collision Detection, 2005, section 7.2). So one that is much larger than the others costs nothing.
#ifndef LIMBER_ASSEMBLY_CONTACT_GRID_H
#define LIMBER_ASSEMBLY_CONTACT_GRID_H

#include "base/vec3.h"

#include <petscsys.h>

// Called once for each pair whose spheres meet, and perhaps for others that are near, in no order that means anything.
typedef PetscErrorCode (*ContactGridPair)(void *context, PetscInt i, PetscInt j);

// Spheres of radius[i] about place[i]; radii are finite and not negative.
PetscErrorCode ContactGridPairs(PetscInt count, const Vec3 *place, const double *radius, ContactGridPair visit,
                                void *context);

#endif
