// SPDX-License-Identifier: Apache-2.0
#include "mechanics/section_stress.h"

#include "mechanics/plane_cell.h"

#include <math.h>
#include <string.h>

static void *copy(Allocator memory, const void *from, size_t size) {
  void *to = memory.allocate(memory.self, size ? size : 1);
  if (to && size) memcpy(to, from, size);
  return to;
}

static void evaluate(const PlaneMesh *m, const CrossSection *c, int cell, int node, StressPoint *out) {
  double q[6][6], strain[6][6], at[2];
  plane_node(m->cell[cell].nodes, node, at);
  plane_stiffness(m, cell, q);
  cross_section_strain(m, c, cell, at[0], at[1], strain);
  for (int f = 0; f < 6; f++)
    for (int k = 0; k < 6; k++) {
      out->unit[f][k] = 0;
      for (int l = 0; l < 6; l++) out->unit[f][k] += q[k][l] * strain[f][l];
    }
  out->y = m->at[m->cell[cell].node[node]][0], out->z = m->at[m->cell[cell].node[node]][1], out->cell = cell;
}

const char *section_solution(const PlaneMesh *m, const CrossSection *c, Allocator memory, SectionSolution *out) {
  int points = 0;
  for (int i = 0; i < m->cells; i++) points += m->cell[i].nodes;
  StressPoint *point = memory.allocate(memory.self, (size_t)points * sizeof *point);
  memset(out, 0, sizeof *out);
  out->mesh = *m, out->points = points, out->point = point;
  out->mesh.at = copy(memory, m->at, (size_t)m->nodes * sizeof *m->at);
  out->mesh.cell = copy(memory, m->cell, (size_t)m->cells * sizeof *m->cell);
  out->mesh.material = copy(memory, m->material, (size_t)m->materials * sizeof *m->material);
  if (!point || !out->mesh.at || !out->mesh.cell || !out->mesh.material)
    return "there is no memory for the stresses of the section";
  for (int i = 0; i < m->cells; i++)
    for (int a = 0; a < m->cell[i].nodes; a++) evaluate(m, c, i, a, point++);
  return NULL;
}

void section_stress(const SectionSolution *s, int point, const double force[6], SectionStress *out) {
  const StressPoint *p = &s->point[point];
  const PlaneCell *cell = &s->mesh.cell[p->cell];
  const PlaneMaterial *m = &s->mesh.material[cell->material];
  double c = cos(cell->plane), d = sin(cell->plane), e = cos(m->fibre), f = sin(m->fibre);
  double axes[3][3] = {{e, f * c, f * d}, {-f, e * c, e * d}, {0, -d, c}};
  *out = (SectionStress){.y = p->y, .z = p->z, .cell = p->cell, .material = cell->material};
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < 6; i++) out->stress[k] += force[i] * p->unit[i][k];
  stress_turn(out->stress, (const double(*)[3])axes, out->ply);
  out->von_mises = von_mises(out->stress);
  bool known = strength_known(&m->strength);
  out->tsai_wu = known ? tsai_wu(&m->strength, out->ply) : NAN;
  out->reserve = known ? tsai_wu_reserve(&m->strength, out->ply) : NAN;
}
