// SPDX-License-Identifier: Apache-2.0
#include "mechanics/shape.h"

#define SHAPE(name, ...) extern const ShapeKind shape_##name;
#include "sections/sections.def"
#undef SHAPE

#define SHAPE(name, ...) &shape_##name,
const ShapeKind *const shape_kinds[] = {
#include "sections/sections.def"
    NULL};
#undef SHAPE
