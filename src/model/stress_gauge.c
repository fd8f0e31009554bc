// SPDX-License-Identifier: Apache-2.0
// Stresses at a point of a solved section: those at the nodes of the cell in which it lies, interpolated.
#include "mechanics/plane_cell.h"
#include "model/stress.h"

#include <math.h>
#include <string.h>

// The place of a point in a cell, by Newton's iteration; false: it lies outside.
static bool find_in_cell(const PlaneMesh *m, int cell, const double at[2], double tolerance, PlanePoint *out) {
  int nodes = m->cell[cell].nodes;
  bool triangle = nodes == 3 || nodes == 6;
  double a = triangle ? 1. / 3 : 0, b = a;
  for (int k = 0; k < 20; k++) {
    double jy[2] = {0}, jz[2] = {0}, step = 1e-6;
    PlanePoint p, pa, pb;
    plane_at(m, cell, a, b, &p), plane_at(m, cell, a + step, b, &pa), plane_at(m, cell, a, b + step, &pb);
    jy[0] = (pa.y - p.y) / step, jz[0] = (pa.z - p.z) / step, jy[1] = (pb.y - p.y) / step, jz[1] = (pb.z - p.z) / step;
    double det = jy[0] * jz[1] - jy[1] * jz[0], dy = at[0] - p.y, dz = at[1] - p.z;
    a += (dy * jz[1] - dz * jy[1]) / det, b += (jy[0] * dz - jz[0] * dy) / det;
    if (!(fabs(a) < 10 && fabs(b) < 10)) return false;
  }
  plane_at(m, cell, a, b, out);
  const double edge = 1e-6;
  bool inside = triangle ? a >= -edge && b >= -edge && a + b <= 1 + edge : fabs(a) <= 1 + edge && fabs(b) <= 1 + edge;
  return inside && hypot(out->y - at[0], out->z - at[1]) <= tolerance;
}

static bool is_near_cell(const PlaneMesh *m, int cell, const double at[2], double tolerance) {
  for (int k = 0; k < 2; k++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < m->cell[cell].nodes; i++)
      low = fmin(low, m->at[m->cell[cell].node[i]][k]), high = fmax(high, m->at[m->cell[cell].node[i]][k]);
    double margin = tolerance + 0.1 * (high - low); // edges may be curved
    if (at[k] < low - margin || at[k] > high + margin) return false;
  }
  return true;
}

// Stresses of unit forces at the place.
static void carry_forces(const StressStation *s, StressGauge *out) {
  double own[6][6];
  memcpy(own, out->unit, sizeof own);
  for (int f = 0; f < 6; f++) {
    double unit[6] = {0}, force[6];
    unit[f] = 1;
    stress_station_force(s, unit, force);
    for (int k = 0; k < 6; k++) {
      out->unit[f][k] = 0;
      for (int g = 0; g < 6; g++) out->unit[f][k] += force[g] * own[g][k];
    }
  }
}

bool stress_gauge(const StressStation *s, const double at[2], StressGauge *out) {
  const PlaneMesh *m = &s->solution->mesh;
  double size = 0;
  PlanePoint p;
  memset(out, 0, sizeof *out);
  for (int i = 0; i < m->nodes; i++) size = fmax(size, hypot(m->at[i][0], m->at[i][1]));
  for (int cell = 0, first = 0; cell < m->cells; first += m->cell[cell++].nodes) {
    if (!is_near_cell(m, cell, at, 1e-9 * size) || !find_in_cell(m, cell, at, 1e-6 * size, &p)) continue;
    for (int i = 0; i < m->cell[cell].nodes; i++)
      for (int k = 0; k < 36; k++) out->unit[k / 6][k % 6] += p.n[i] * s->solution->point[first + i].unit[k / 6][k % 6];
    const PlaneMaterial *material = &m->material[m->cell[cell].material];
    double c = cos(m->cell[cell].plane), d = sin(m->cell[cell].plane), e = cos(material->fibre),
           f = sin(material->fibre);
    const double axes[3][3] = {{e, f * c, f * d}, {-f, e * c, e * d}, {0, -d, c}};
    memcpy(out->axes, axes, sizeof axes);
    carry_forces(s, out);
    return true;
  }
  return false;
}

void stress_gauge_read(const StressGauge *g, const double force[6], bool ply, double out[6]) {
  double stress[6] = {0};
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++) stress[k] += force[i] * g->unit[i][k];
  if (ply) stress_turn(stress, g->axes, out);
  else memcpy(out, stress, sizeof stress);
}
