// SPDX-License-Identifier: Apache-2.0
// Meshes of the plane of a section: their cells, and meshes of patches.
#ifndef LIMBER_MECHANICS_PLANE_MESH_H
#define LIMBER_MECHANICS_PLANE_MESH_H

#include "mechanics/cross_section.h"

// Cells of a mesh of the plane of a section: shape functions and quadrature. Triangles of 3 and 6 nodes, quadrilaterals
// of 4, 8 and 9.

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

// Meshes of the plane of a section from patches: maps of the unit square, each cut into quadrilaterals of nine nodes.
// Patches that share an edge cut it in the same way; nodes that coincide become one. A mesh is made twice: the first
// time it is counted, the second time it is filled.
//   PlaneBuilder b = {.memory = memory};
//   do make(&b); while (plane_again(&b));
//   wrong = plane_finish(&b, &mesh);

typedef struct {
  Allocator memory;
  int nodes, cells; // so far
  double (*at)[2];  // NULL: only counted
  PlaneCell *cell;
  double plane;                  // of the cells that are added
  bool filled, failed, too_fine; // failed: no memory, or more than PLANE_MOST nodes
} PlaneBuilder;
enum { PLANE_MOST = 4000000 };

typedef void (*PlaneMap)(const void *self, double u, double v, double out[2]); // of 0 .. 1, 0 .. 1

bool plane_again(PlaneBuilder *b);                         // allocates after the first round
const char *plane_finish(PlaneBuilder *b, PlaneMesh *out); // `out` has no materials yet

// Of nu x nv cells.
void plane_add_patch(PlaneBuilder *b, int nu, int nv, int material, PlaneMap map, const void *self);
// A triangle between three points, cut n times along each edge, of cells with six nodes.
void plane_add_triangle(PlaneBuilder *b, int n, int material, const double corner[3][2]);
// A quadrilateral with straight edges, corners anticlockwise; u along the first edge.
void plane_add_quadrilateral(PlaneBuilder *b, int nu, int nv, int material, const double corner[4][2]);
// The ellipse with half-axes a and b between `inner` (0: full) and 1 of them, n cells across the wall or the radius.
void plane_add_ellipse(PlaneBuilder *b, int n, int material, double along_y, double along_z, double inner);

typedef struct {
  double y[2], z[2]; // from .. to
  int material;
} MeshRectangle;

// Rectangles along the axes, which may touch but not overlap, n cells across the thinnest.
enum { PLANE_MOST_RECTANGLES = 32 };
void plane_add_rectangles(PlaneBuilder *b, int n, int count, const MeshRectangle *r);

#endif
