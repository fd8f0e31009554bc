// SPDX-License-Identifier: Apache-2.0
// Cells of a mesh of the plane of a section: shape functions and quadrature. Triangles of 3 and 6 nodes, quadrilaterals of
// 4, 8 and 9.
#ifndef LIMBER_MECHANICS_PLANE_CELL_H
#define LIMBER_MECHANICS_PLANE_CELL_H

#include "mechanics/cross_section.h"

typedef struct {
  double y, z;
  double n[PLANE_MOST_NODES], dy[PLANE_MOST_NODES], dz[PLANE_MOST_NODES]; // shape functions and their derivatives
  double weight;                                                          // area of a point of the quadrature
} PlanePoint;

int plane_points(int nodes); // of the quadrature of a cell
void plane_point(const PlaneMesh *m, int cell, int point, PlanePoint *out);
// At (a, b): -1 .. 1 of a quadrilateral, area coordinates of the second and third corner of a triangle. `weight` is the
// determinant of the map.
void plane_at(const PlaneMesh *m, int cell, double a, double b, PlanePoint *out);

// The place (a, b) of a node of a cell that has `nodes`.
void plane_node(int nodes, int node, double out[2]);

#endif
