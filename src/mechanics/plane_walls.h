// SPDX-License-Identifier: Apache-2.0
// The mesh of walls that meet in joints: two are mitred, between three or more lies a polygon of triangles. Walls may
// enclose cells.
#ifndef LIMBER_MECHANICS_PLANE_WALLS_H
#define LIMBER_MECHANICS_PLANE_WALLS_H

#include "mechanics/plane_mesh.h"
#include "mechanics/thin.h"

// NULL, or what is wrong. `cells` lie across each wall.
const char *plane_add_walls(PlaneBuilder *b, int cells, const Thin *walls);

#endif
