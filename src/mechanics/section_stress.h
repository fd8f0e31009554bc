// SPDX-License-Identifier: Apache-2.0
// A solved section as a model keeps it: its mesh, and stresses under unit forces at the nodes of each cell, where they
// are evaluated with this cell's material. So the outermost fibres are among them. At a sharp inner corner stresses grow
// without bound as the mesh gets finer.
#ifndef LIMBER_MECHANICS_SECTION_STRESS_H
#define LIMBER_MECHANICS_SECTION_STRESS_H

#include "mechanics/cross_section.h"

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
