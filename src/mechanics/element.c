// SPDX-License-Identifier: Apache-2.0
// Energies, accounts and forces of elements; element_tangent.c has their residual and tangent.
#include "mechanics/element.h"

#include <string.h>

#define TEXT(number)    TEXT_OF(number)
#define TEXT_OF(number) #number
const char element_too_many[] = "a model has at most " TEXT(LIMBER_MOST_ELEMENTS) " elements";

static const char *const measures[] = {"green", "stretch", NULL};
static const char *measure_word(int i) { return measures[i]; }
const FieldMore element_measures = {NULL, measure_word};

const char *element_measure(const char *word, bool *stretch) {
  *stretch = word && !strcmp(word, measures[1]);
  return !word || *stretch || !strcmp(word, measures[0]) ? NULL : "`measure` is green or stretch";
}

int element_no_points(const void *data) {
  (void)data;
  return 0;
}

int element_one_point(const void *data) {
  (void)data;
  return 1;
}

void element_point(const ElementKind *kind, const void *data, int g, ElementPoint *p) {
  rows_begin(&p->rows);
  p->damping = 0, p->law = NULL, p->hyper = NULL;
  kind->point(data, g, p);
}

void element_place(const ElementKind *kind, const void *data, int g, double *weight, double *at) {
  ElementPoint p;
  element_point(kind, data, g, &p);
  *weight = p.weight, *at = p.at;
}

static double quadratic(const ElementPoint *p, const double *e) {
  double w = 0;
  int n = p->rows.nrow;
  for (int r = 0; r < n; r++)
    for (int q = 0; q < n; q++) w += e[r] * p->stiffness[r * n + q] * e[q];
  return 0.5 * p->weight * w;
}

double element_energy(const ElementKind *kind, const void *data, const Vec3 *x) {
  double w = 0, e[MAX_ROWS];
  ElementPoint p;
  for (int g = 0; g < kind->points(data); g++) {
    element_point(kind, data, g, &p);
    rows_value(&p.rows, x, no_coords, e);
    w += p.law ? p.weight * law_energy(p.law, e[0]) : p.hyper ? p.weight * hyper_energy(p.hyper, e) : quadratic(&p, e);
  }
  return w;
}

// The volume that the columns y of a deformation gradient span; of a sheet, its area along the normal that it had.
static double spanned(const Rows *rows, const Vec3 *y, const Vec3 *before) {
  Vec3 area = vec3_cross(y[0], y[1]);
  return vec3_dot(area, rows->ny > 2 ? y[2] : before ? vec3_cross(before[0], before[1]) : area);
}

bool element_inside_out(const ElementKind *kind, const void *data, const Vec3 *xn, const Vec3 *x) {
  ElementPoint p;
  for (int g = 0; g < kind->points(data); g++) {
    Vec3 y[MAX_Y], before[MAX_Y];
    element_point(kind, data, g, &p);
    if (!p.hyper) return false;
    rows_interpolate(&p.rows, x, y);
    if (xn) rows_interpolate(&p.rows, xn, before);
    if (!(spanned(&p.rows, y, xn ? before : NULL) > 0)) return true;
  }
  return false;
}

bool element_is_damped(const ElementKind *kind, const void *data) {
  ElementPoint p;
  element_point(kind, data, 0, &p);
  return p.law ? law_takes(p.law) : p.damping != 0;
}

static void law_account(const ElementPoint *p, const Tableau *t, double h, const Vec3 *xn, Vec3 xk[][MAX_ITEM_VECTORS],
                        double *damped, double *lost) {
  double en, ek[MAX_INTERVALS];
  LawState s;
  rows_value(&p->rows, xn, no_coords, &en);
  for (int k = 0; k < t->s; k++) rows_value(&p->rows, xk[k], no_coords, &ek[k]);
  law_evaluate(p->law, t, h, en, ek, &s);
  *damped += p->weight * s.damped, *lost += p->weight * s.lost;
}

static void hyper_account(const ElementPoint *p, const Tableau *t, double h, const Vec3 *xn,
                          Vec3 xk[][MAX_ITEM_VECTORS], double *damped, double *lost) {
  double en[MAX_ROWS], ek[MAX_INTERVALS][HYPER_ROWS];
  HyperState s;
  rows_value(&p->rows, xn, no_coords, en);
  for (int k = 0; k < t->s; k++) rows_value(&p->rows, xk[k], no_coords, ek[k]);
  hyper_evaluate(p->hyper, p->stiffness, p->damping, t, h, en, ek, &s);
  *damped += p->weight * s.damped, *lost += p->weight * s.lost;
}

void element_account(const ElementKind *kind, const void *data, const Tableau *t, double h, const Vec3 *xn,
                     Vec3 xk[][MAX_ITEM_VECTORS], double *damped, double *lost) {
  double en[MAX_ROWS], e[MAX_ROWS];
  ElementPoint p;
  for (int g = 0; g < kind->points(data); g++) {
    element_point(kind, data, g, &p);
    if (p.law) law_account(&p, t, h, xn, xk, damped, lost);
    if (p.hyper) hyper_account(&p, t, h, xn, xk, damped, lost);
    if (p.law || p.hyper) continue;
    rows_value(&p.rows, xn, no_coords, en);
    for (int k = 0; k < t->s; k++) {
      if (p.damping == 0 && t->loss[k] == 0) continue;
      rows_value(&p.rows, xk[k], no_coords, e);
      for (int r = 0; r < p.rows.nrow; r++) e[r] -= en[r];
      double jump = quadratic(&p, e);
      *lost += t->loss[k] * jump, *damped += t->weight[k] * 2 * p.damping * jump / h;
    }
  }
}

void element_forces(const ElementKind *kind, const void *data, int g, const Vec3 *x, double *strain, double *force) {
  ElementPoint p;
  element_point(kind, data, g, &p);
  int n = p.rows.nrow;
  rows_value(&p.rows, x, no_coords, strain);
  if (p.law) force[0] = law_force(p.law, strain[0]);
  if (p.hyper) hyper_stress(p.hyper, strain, force, NULL);
  if (p.law || p.hyper) return;
  for (int r = 0; r < n; r++) {
    force[r] = 0;
    for (int q = 0; q < n; q++) force[r] += p.stiffness[r * n + q] * strain[q];
  }
}

void element_cell_forces(const ElementKind *kind, const void *data, int cell, const Vec3 *x, double *strain,
                         double *force) {
  int count = kind->points(data), n = 0;
  double all = 0, sum[2][MAX_ROWS] = {{0}}, one[2][MAX_ROWS];
  if (cell < count && !kind->cell) element_forces(kind, data, cell, x, strain, force);
  if (!kind->cell) return;
  for (int g = 0; g < count; g++) {
    ElementPoint p;
    element_point(kind, data, g, &p);
    element_forces(kind, data, g, x, one[0], one[1]);
    n = p.rows.nrow, all += p.weight;
    for (int r = 0; r < n; r++) sum[0][r] += p.weight * one[0][r], sum[1][r] += p.weight * one[1][r];
  }
  for (int r = 0; r < n; r++) strain[r] = sum[0][r] / all, force[r] = sum[1][r] / all;
}
