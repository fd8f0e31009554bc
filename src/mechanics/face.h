// SPDX-License-Identifier: Apache-2.0
// Faces of cells with 3, 4 or 6 nodes: shape functions N_a at points of quadrature, and the area dA = w |t_1 x t_2| for which each stands,
// t_k = sum_a dN_a/dxi_k X_a. Nodes are the corners, then those on the edges behind them. Equation: eq-contact-faces (22.15).
#ifndef LIMBER_MECHANICS_FACE_H
#define LIMBER_MECHANICS_FACE_H

#include "base/vec3.h"

enum { FACE_NODES = 6, FACE_ORDER = 3 };

// Points of an order from 1 to FACE_ORDER: its square on a quadrilateral, 1, 3 or 6 on a triangle.
int face_points(int nnode, int order);
// N_a at the point g; returns the area for which it stands.
double face_point(int nnode, int order, int g, const Vec3 *at, double *n);
// Outward, by the corners; its length is twice the area of a plane face.
Vec3 face_normal(int nnode, const Vec3 *at);

#endif
