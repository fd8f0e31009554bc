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

// Nodes of a graph in the order of their distance from `root`; returns how many can be reached. Neighbours of node i
// are list[start[i]] to list[start[i + 1]], without order, some twice.
int graph_walk(const int *start, const int *list, int root, int nodes, int *order, int *seen);

// NULL, or what is wrong: a mesh that takes more than LIMIT_SECTION_ENTRIES or `work` multiplications is refused. `out`
// and the section's stiffness, mass, centre and inertia about the origin are filled.
const char *cross_section_solve(const PlaneMesh *m, double work, Allocator memory, CrossSection *out,
                                LimberSection *section);

// The stiffness in section axes, of a cell's material turned by its `plane`.
void plane_stiffness(const PlaneMesh *m, int cell, double out[6][6]);

// A solved section as a model keeps it: its mesh, and stresses under unit forces at the nodes of each cell, where they
// are evaluated with this cell's material. So the outermost fibres are among them. At a sharp inner corner stresses
// grow without bound as the mesh gets finer.

typedef struct {
  double y, z;       // from the reference line, along e2 and e3
  int cell;          // of the mesh, which has the material
  double unit[6][6]; // stress k of the unit force f: unit[f][k]
} StressPoint;

typedef struct {
  PlaneMesh mesh;
  const char *const *name; // of each material of the mesh
  int points;
  const StressPoint *point;
} SectionSolution;

typedef struct {
  double y, z;
  double stress[6];   // 11, 22, 33, 23, 13, 12 in section axes
  double ply[6];      // the same in the axes of the ply: along its fibres, across them, across its plane
  double von_mises;   // Pa
  double tsai_wu;     // index, 1 at failure; NAN where the material's strengths are not known
  double reserve;     // factor by which all forces may grow until Tsai-Wu's index is 1; NAN as well
  int cell, material; // of the mesh
} SectionStress;

// NULL, or what is wrong: copies the mesh and evaluates all points of a section that has been solved.
const char *section_solution(const PlaneMesh *m, const CrossSection *c, Allocator memory, SectionSolution *out);
// At one of its points under six forces about the reference line: N, V2, V3, M1, M2, M3.
void section_stress(const SectionSolution *s, int point, const double force[6], SectionStress *out);

#endif
