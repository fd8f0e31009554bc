// SPDX-License-Identifier: Apache-2.0
// Cells of meshes and their faces: shape functions and quadrature.
#ifndef LIMBER_MECHANICS_CELL_H
#define LIMBER_MECHANICS_CELL_H

#include "base/vec3.h"
#include "limber/catalogue.h"

#include <stdbool.h>

// Gauss points and Gauss-Lobatto nodes on [-1, 1], degree p = 1, 2, 3, and the Lagrange functions of the nodes.

enum { MAX_ORDER = 3 };

extern const double gauss_point[MAX_ORDER + 1][MAX_ORDER], gauss_weight[MAX_ORDER + 1][MAX_ORDER];
extern const double lobatto_node[MAX_ORDER + 1][MAX_ORDER + 1], lobatto_weight[MAX_ORDER + 1][MAX_ORDER + 1];

// Values and derivatives at x of the p + 1 Lagrange functions on the Lobatto nodes.
void lobatto_shape(int p, double x, double *n, double *dn);

// Cells of meshes: shape functions N_a(xi) on a unit cell and quadrature. With the nodes' places X_a at the reference,
//   g_k = sum_a dN_a/dxi_k X_a,   dN_a/dX = sum_k dN_a/dxi_k g^k,   g^k . g_l = [k = l].
// On a cell of two dimensions g^1 and g^2 lie in the plane of g_1 and g_2.

typedef LimberCellShape CellShape;

enum { CELL_NODES = 20, CELL_POINTS = 27, CELL_SHAPES = 6 };

const char *cell_name(CellShape s);
int cell_nodes(CellShape s);
int cell_dimension(CellShape s);
int cell_points(CellShape s); // integration points

// N_a at the point g, and dN_a/dX there; returns the volume or area for which the point stands, negative where a cell
// of three dimensions is inverted. `normal`, of a cell of two dimensions: its unit normal.
double cell_derive(CellShape s, const Vec3 *at, int g, double *n, Vec3 *dn, Vec3 *normal);

// The node that takes the place of `a` in the mirrored cell.
int cell_mirrored(CellShape s, int a);

// Mass of each node, in parts of the whole: rows of the consistent mass matrix added up; of cells with nodes on their
// edges, where these would not be positive at the corners, its diagonal scaled to the whole mass (Hinton, Rock &
// Zienkiewicz 1976).
void cell_masses(CellShape s, const Vec3 *at, double *part);

// Faces of cells with 3, 4, 6 or 8 nodes: shape functions N_a at points of quadrature, and the area dA = w |t_1 x t_2| for
// which each stands, t_k = sum_a dN_a/dxi_k X_a. Nodes are the corners, then those on the edges behind them. Equation:
// eq-contact-faces (22.15).

enum { FACE_NODES = 8, FACE_ORDER = 3 };

// Points of an order from 1 to FACE_ORDER: its square on a quadrilateral, 1, 3 or 6 on a triangle.
int face_points(int nnode, int order);
// N_a at the point g; returns the area for which it stands.
double face_point(int nnode, int order, int g, const Vec3 *at, double *n);
// Outward, by the corners; its length is twice the area of a plane face.
Vec3 face_normal(int nnode, const Vec3 *at);

#endif
