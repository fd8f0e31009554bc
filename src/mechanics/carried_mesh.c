// SPDX-License-Identifier: Apache-2.0
// Places and stresses of the mesh that an element carries (carried_mesh.h).
#include "mechanics/carried_mesh.h"

#include "mechanics/dense.h"

#include <math.h>
#include <string.h>

int carried_cells(const CarriedMesh *m) { return m->cells; }

Vec3 carried_place(const CarriedMesh *m, const Vec3 *y, int point) {
  const double *weight = &m->weight[(size_t)point * (size_t)m->nodes];
  Vec3 x = vec3_zero();
  for (int a = 0; a < m->nodes; a++) x = vec3_axpy(x, weight[a], y[a]);
  return x;
}

void carried_displacements(const CarriedMesh *m, const ElementKind *kind, const void *data, const Vec3 *y, Vec3 *u) {
  ElementPoint p;
  double strain[MAX_ROWS];
  const double *mode = m->mode;
  for (int a = 0; a < m->nodes; a++) u[a] = vec3_zero();
  for (int g = 0; g < kind->points(data); g++) {
    element_point(kind, data, g, &p);
    rows_value(&p.rows, y, no_coords, strain);
    for (int r = 0; r < p.rows.nrow; r++)
      for (int a = 0; a < m->nodes; a++, mode += 3) u[a] = vec3_axpy(u[a], strain[r], vec3_of(mode));
  }
}

// ---- cells ----

enum { MOST_POINTS = CELL_POINTS };

typedef struct {
  int count;
  double volume[MOST_POINTS], strain[MOST_POINTS][MAX_ROWS], stress[MOST_POINTS][MAX_ROWS];
} CellStresses;

static void evaluate_cell(const CarriedMesh *m, const Vec3 *u, int cell, CellStresses *out) {
  const CarriedCell *c = &m->cell[cell];
  Vec3 x[CARRIED_NODES], moved[CARRIED_NODES], grad[MAX_ROWS][MAX_LOCAL_VECTORS];
  for (int a = 0; a < c->nnode; a++) x[a] = m->at[c->node[a]], moved[a] = carried_place(m, u, c->node[a]);
  out->count = c->kind->points(c->data);
  for (int g = 0; g < out->count; g++) {
    ElementPoint p;
    element_point(c->kind, c->data, g, &p);
    rows_gradient(&p.rows, x, no_coords, grad, c->nnode);
    out->volume[g] = p.weight;
    for (int r = 0; r < p.rows.nrow; r++) {
      out->strain[g][r] = 0;
      for (int a = 0; a < c->nnode; a++) out->strain[g][r] += vec3_dot(grad[r][a], moved[a]);
    }
    p.response->force(&p, out->strain[g], out->stress[g]);
  }
}

void carried_cell(const CarriedMesh *m, const Vec3 *u, int cell, double *strain, double *stress) {
  CellStresses s;
  double volume = 0;
  evaluate_cell(m, u, cell, &s);
  for (int g = 0; g < s.count; g++) volume += s.volume[g];
  for (int r = 0; r < CARRIED_STRESSES; r++) {
    strain[r] = stress[r] = 0;
    for (int g = 0; g < s.count; g++)
      strain[r] += s.volume[g] / volume * s.strain[g][r], stress[r] += s.volume[g] / volume * s.stress[g][r];
  }
}

// ---- stresses at the points ----

// A linear function of the place through the values at the integration points of a cell, by least squares.
typedef struct {
  Vec3 centre;
  double mean[CARRIED_STRESSES];
  Vec3 slope[CARRIED_STRESSES];
} LinearFit;

static void fit_stress(const CarriedMesh *m, const CarriedCell *c, const CellStresses *s, LinearFit *out) {
  CellShape shape = c->kind->drawing.cell(c->data);
  Vec3 x[CELL_NODES], dn[CELL_NODES], normal, at[MOST_POINTS];
  double n[CELL_NODES], second[9] = {0}, value[3], axes[9];
  memset(out, 0, sizeof *out);
  for (int a = 0; a < c->nnode; a++) x[a] = m->at[c->node[a]];
  for (int g = 0; g < s->count; g++) {
    cell_derive(shape, x, g, n, dn, &normal);
    at[g] = vec3_zero();
    for (int a = 0; a < c->nnode; a++) at[g] = vec3_axpy(at[g], n[a], x[a]);
    out->centre = vec3_axpy(out->centre, 1.0 / s->count, at[g]);
    for (int r = 0; r < CARRIED_STRESSES; r++) out->mean[r] += s->stress[g][r] / s->count;
  }
  for (int g = 0; g < s->count; g++) {
    double d[3];
    vec3_to(vec3_sub(at[g], out->centre), d);
    for (int i = 0; i < 9; i++) second[i] += d[i / 3] * d[i % 3];
  }
  dense_eigen(3, second, value, axes);
  if (!(value[0] > 1e-9 * value[2])) return; // one point
  for (int k = 0; k < 3; k++) {
    Vec3 axis = vec3(axes[k], axes[3 + k], axes[6 + k]);
    for (int g = 0; g < s->count; g++) {
      double part = vec3_dot(axis, vec3_sub(at[g], out->centre)) / value[k];
      for (int r = 0; r < CARRIED_STRESSES; r++) out->slope[r] = vec3_axpy(out->slope[r], part * s->stress[g][r], axis);
    }
  }
}

static void add_stress_at(const LinearFit *f, Vec3 at, double part, double *stress) {
  for (int r = 0; r < CARRIED_STRESSES; r++)
    stress[r] += part * (f->mean[r] + vec3_dot(f->slope[r], vec3_sub(at, f->centre)));
}

void carried_stress(const CarriedMesh *m, const Vec3 *u, int point, double stress[CARRIED_STRESSES]) {
  CellStresses s;
  LinearFit f;
  int from = m->start[point], to = m->start[point + 1];
  memset(stress, 0, CARRIED_STRESSES * sizeof *stress);
  for (int i = from; i < to; i++) {
    evaluate_cell(m, u, m->ring[i], &s);
    fit_stress(m, &m->cell[m->ring[i]], &s, &f);
    add_stress_at(&f, m->at[point], 1.0 / (to - from), stress);
  }
}

void carried_stresses(const CarriedMesh *m, const Vec3 *u, double (*stress)[CARRIED_STRESSES]) {
  CellStresses s;
  LinearFit f;
  memset(stress, 0, (size_t)m->points * sizeof *stress);
  for (int cell = 0; cell < m->cells; cell++) {
    const CarriedCell *c = &m->cell[cell];
    evaluate_cell(m, u, cell, &s);
    fit_stress(m, c, &s, &f);
    for (int a = 0; a < c->nnode; a++)
      add_stress_at(&f, m->at[c->node[a]], 1.0 / (m->start[c->node[a] + 1] - m->start[c->node[a]]), stress[c->node[a]]);
  }
}

int carried_point(const CarriedMesh *m, int number) {
  int low = 0, high = m->points;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (m->number[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low < m->points && m->number[low] == number ? low : -1;
}
