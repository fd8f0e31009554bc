// SPDX-License-Identifier: Apache-2.0
// Cells of meshes: shape functions N_a(xi) on a unit cell and quadrature. With the nodes' places X_a at the reference,
//   g_k = sum_a dN_a/dxi_k X_a,   dN_a/dX = sum_k dN_a/dxi_k g^k,   g^k . g_l = [k = l].
// On a cell of two dimensions g^1 and g^2 lie in the plane of g_1 and g_2.
#ifndef LIMBER_MECHANICS_CELL_H
#define LIMBER_MECHANICS_CELL_H

#include "base/vec3.h"
#include "limber/catalogue.h"

#include <stdbool.h>

typedef LimberCellShape CellShape;

enum { CELL_NODES = 10, CELL_POINTS = 8, CELL_SHAPES = 5 };

const char *cell_name(CellShape s);
int cell_nodes(CellShape s);
int cell_dimension(CellShape s);
int cell_points(CellShape s); // integration points

// N_a at the point g, and dN_a/dX there; returns the volume or area for which the point stands, negative where a cell of three
// dimensions is inverted. `normal`, of a cell of two dimensions: its unit normal.
double cell_derive(CellShape s, const Vec3 *at, int g, double *n, Vec3 *dn, Vec3 *normal);

// The node that takes the place of `a` in the mirrored cell.
int cell_mirrored(CellShape s, int a);

// Mass of each node, in parts of the whole: rows of the consistent mass matrix added up; of a tetrahedron with nodes on its
// edges, where these would vanish at the corners, its diagonal scaled to the whole mass (Hinton, Rock & Zienkiewicz 1976).
void cell_masses(CellShape s, const Vec3 *at, double *part);

#endif
