// SPDX-License-Identifier: Apache-2.0
#include "mechanics/surface.h"

#define SURFACE(name, Name) extern const SurfaceKind surface_##name;
#include "surfaces/surfaces.def"
#undef SURFACE

#define SURFACE(name, Name) &surface_##name,
const SurfaceKind *const surface_kinds[] = {
#include "surfaces/surfaces.def"
    NULL};
#undef SURFACE
