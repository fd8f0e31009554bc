// SPDX-License-Identifier: Apache-2.0
// Profiles of thin straight walls that enclose no cell. A shear force V causes the shear flow q along the walls with
//   dq/ds = -t c.r,  c = I^-1 V,  r from the centroid,
// zero at free ends and balanced where walls meet, and across each wall the flow  Q = t^3/12 c.n  per length of wall,
// in a parabola. So the forces add up to V, and
//   V.F V = integral q^2/t + 6/5 Q^2/t ds  is the shear flexibility times G,
//   the moment of both flows is that of V at the shear centre,  J = sum L t^3/3.
// Poisson's ratio does not enter (Jourawski's shear stress). For a force along an axis of symmetry, Cowper's factor
// (J. Appl. Mech. 33, 1966, 335-340) is had by adding `thin_poisson`.
#ifndef LIMBER_MECHANICS_THIN_H
#define LIMBER_MECHANICS_THIN_H

#include "mechanics/plane_mesh.h"
#include "mechanics/shape.h"

enum { THIN_WALLS = 128 };

typedef struct {
  double from[2], to[2]; // y, z of the wall's middle
  double t;
} ThinWall;

typedef struct {
  int n;
  ThinWall wall[THIN_WALLS];
} Thin;

void thin_add(Thin *p, double t, double y0, double z0, double y1, double z1);

// Constants of the profile; NULL, or what is wrong with it.
const char *thin_shape(const Thin *p, SectionShape *out);

// What nu adds to out->shear[axis][axis], the force being along an axis of symmetry (0: y, 1: z):
//   nu/(4 (1 + nu) I A) (I' - I + A integral (tau_x (x^2 - y^2) + tau_y 2 x y) dA)
// with x along the unit force, y across, I and I' the integrals of x^2 and y^2. It is Cowper's integral with his
// function chi replaced, by parts, by the shear stress.
double thin_poisson(const Thin *p, int axis, double nu);

// The mesh of walls that meet in joints: two are mitred, between three or more lies a polygon of triangles. Walls may
// enclose cells.

// NULL, or what is wrong. `cells` lie across each wall.
const char *plane_add_walls(PlaneBuilder *b, int cells, const Thin *walls);

#endif
