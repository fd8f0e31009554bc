// SPDX-License-Identifier: Apache-2.0
// A cross-section made of rectangles, solved in the plane by bilinear finite elements: Saint-Venant's torsion and
// flexure without any assumption of thin walls. It shares no code with the shapes that it checks.
#ifndef LIMBER_TESTS_PLANE_H
#define LIMBER_TESTS_PLANE_H

typedef struct {
  double y0, z0, y1, z1;
} PlanePart;

typedef struct {
  double area, centroid[2], yy, yz, zz;
  double torsion;
  double shear[2][2]; // flexibility times G at nu = 0, from the energy
  double centre[2];   // shear centre at nu = 0: where the force lies that does not twist
  double cowper[2];   // shear factors along y and z at the given nu
} Plane;

void plane_solve(int count, const PlanePart *part, double nu, Plane *out); // of rectangles that do not overlap

#endif
