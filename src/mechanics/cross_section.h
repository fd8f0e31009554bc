// SPDX-License-Identifier: Apache-2.0
// Stiffness of a section of any shape and anisotropic materials, with warping, from a mesh of its plane: the central
// solutions of the prismatic solid (Giavotto, Borri, Mantegazza et al., Computers & Structures 16, 1983). A section
// carries the strains psi = (E1, Gamma2, Gamma3, K1, K2, K3) of the beam and a warping g(x, y, z) of three components;
// the strain is S Z psi + B g + S N g', with ' along the beam. For forces theta, of which the moments grow by the shear
// forces, g'' = 0:
//   E g' + R psi' = 0,                    R^T g' + A psi' = theta'
//   E g + R psi = (C^T - C) g' + L psi',  R^T g + A psi = theta - L^T g'
// (eq-section-change (17.3), eq-section-central (17.4)). The compliance is the energy of these six solutions,
// eq-section-compliance (17.5), the stresses are theirs. y and z are along e2 and e3.
#ifndef LIMBER_MECHANICS_CROSS_SECTION_H
#define LIMBER_MECHANICS_CROSS_SECTION_H

#include "limber/catalogue.h"
#include "mechanics/plane_material.h"

#include <stdbool.h>
#include <stddef.h>

enum { PLANE_MOST_NODES = 9 };

typedef struct {
  int nodes; // 3, 6: triangle; 4, 8, 9: quadrilateral; corners first, then middles of edges, then the centre
  int node[PLANE_MOST_NODES];
  int material;
  double plane; // rad: the material's axes 2, 3 are turned by this about e1
} PlaneCell;

typedef struct {
  int nodes, cells, materials;
  const double (*at)[2]; // y, z of each node
  const PlaneCell *cell;
  const PlaneMaterial *material;
} PlaneMesh;

typedef struct {
  double work; // multiplications that it took
  double compliance[6][6];
  double strain[6][6];                // psi, by force
  const int *place;                   // of a node's three rows in ...
  double (*warping)[6], (*change)[6]; // ... g and g', by force
} CrossSection;

typedef struct { // memory that stays with the caller; NULL: there is none
  void *(*allocate)(void *self, size_t size);
  void *self;
} Allocator;

// NULL, or what is wrong: a mesh that takes more than LIMIT_SECTION_ENTRIES or `work` multiplications is refused. `out` and the section's stiffness, mass, centre and inertia about the origin are filled.
const char *cross_section_solve(const PlaneMesh *m, double work, Allocator memory, CrossSection *out,
                                LimberSection *section);
// Strain in a cell at (a, b), as of plane_at(), under each of six unit forces.
void cross_section_strain(const PlaneMesh *m, const CrossSection *c, int cell, double a, double b, double strain[6][6]);

// The stiffness in section axes, of a cell's material turned by its `plane`.
void plane_stiffness(const PlaneMesh *m, int cell, double out[6][6]);

#endif
