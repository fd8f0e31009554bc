// SPDX-License-Identifier: Apache-2.0
#include "mechanics/augmented.h"

void augmented_evaluate(const ElementKind *kind, const void *data, const LocalMotion *it, double f,
                        AugmentedMultipliers multipliers, Local *out) {
  for (int i = 0; i < out->n && f != 1; i++) out->r[i] *= f;
  for (int i = 0; i < out->n * out->n && f != 1 && out->tangent; i++) out->k[i] *= f;
  for (int g = 0; g < kind->points(data); g++) {
    ElementPoint p;
    RowsState q;
    element_point(kind, data, g, &p);
    rows_evaluate(&p.rows, it, no_coords, no_coords, out->tangent, &q);
    for (int k = 0; k < it->s; k++) {
      double stress[MAX_ROWS] = {0};
      for (int r = 0; r < p.rows.nrow; r++) stress[r] = p.weight * multipliers[k][r];
      rows_add_stress(&p.rows, it, k, no_coords, no_coords, stress, &q, out);
    }
  }
}

// Strains of an element's point at the start and at the end of each stage.
static void point_strains(const ElementPoint *p, const LocalMotion *it, double *en, double ek[][MAX_ROWS]) {
  rows_value(&p->rows, it->xn, no_coords, en);
  for (int k = 0; k < it->s; k++) rows_value(&p->rows, it->xk[k], no_coords, ek[k]);
}

double augmented_strain(const ElementKind *kind, const void *data, const LocalMotion *it) {
  double en[MAX_ROWS], ek[MAX_STAGES][MAX_ROWS], worst = 0;
  ElementPoint p;
  element_point(kind, data, 0, &p); // all points have the same strain
  point_strains(&p, it, en, ek);
  for (int k = 0; k < it->s; k++)
    for (int r = 0; r < p.rows.nrow; r++) worst = fmax(worst, fabs(ek[k][r]));
  return worst;
}

void augmented_update(const ElementKind *kind, const void *data, const Tableau *t, const LocalMotion *it, double f,
                      AugmentedMultipliers multipliers) {
  double en[MAX_ROWS], ek[MAX_STAGES][MAX_ROWS];
  ElementPoint p;
  element_point(kind, data, 0, &p);
  point_strains(&p, it, en, ek);
  int n = p.rows.nrow;
  for (int k = 0; k < it->s; k++)
    for (int i = 0; i < n; i++) {
      double e = t->b[k] * en[i];
      for (int l = 0; l < it->s; l++) e += t->a[k][l] * (ek[l][i] - en[i]);
      for (int r = 0; r < n; r++) multipliers[k][r] += f * p.stiffness[r * n + i] * e;
    }
}

double augmented_work(const ElementKind *kind, const void *data, const Tableau *t, const LocalMotion *it,
                      AugmentedMultipliers multipliers) {
  double en[MAX_ROWS], ek[MAX_STAGES][MAX_ROWS], work = 0;
  for (int g = 0; g < kind->points(data); g++) {
    ElementPoint p;
    element_point(kind, data, g, &p);
    point_strains(&p, it, en, ek);
    for (int k = 0; k < it->s; k++)
      for (int r = 0; r < p.rows.nrow; r++) work += t->weight[k] * p.weight * multipliers[k][r] * (ek[k][r] - en[r]);
  }
  return work;
}
