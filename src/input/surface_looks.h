// SPDX-License-Identifier: Apache-2.0
#ifndef LIMBER_INPUT_SURFACE_LOOKS_H
#define LIMBER_INPUT_SURFACE_LOOKS_H

#include "model/model.h"

// Surfaces that may touch look like what they are, unless their node has a look: the list of looks gets spheres, rods, boxes and square
// pieces of planes of the size of the model, in muted colours.
Error AddSurfaceLooks(LimberModel m, int most_looks, int most_triangles);

#endif
