// SPDX-License-Identifier: Apache-2.0
// The edge of a mesh of a section's plane, for pictures.
#ifndef LIMBER_MODEL_PLANE_OUTLINE_H
#define LIMBER_MODEL_PLANE_OUTLINE_H

#include "mechanics/cross_section.h"
#include "mechanics/outline.h"

// Closed lines around the cells, holes clockwise. Corners on straight lines are left out, and some of the others where
// there are more than an outline takes. It stays empty where there is no memory.
void plane_outline(const PlaneMesh *m, Allocator memory, Outline *out);

#endif
