// SPDX-License-Identifier: Apache-2.0
// Equations: eq-scheme-condition (3.2).
#include "mechanics/tableau.h"

#include <math.h>

// Gauss-Jordan with row exchange; s is 1, 2 or 3.
static void invert_matrix(int s, const double a[MAX_STAGES][MAX_STAGES], double inv[MAX_STAGES][MAX_STAGES]) {
  double w[MAX_STAGES][2 * MAX_STAGES] = {{0}};
  for (int i = 0; i < s; i++) {
    for (int j = 0; j < s; j++) w[i][j] = a[i][j];
    w[i][s + i] = 1;
  }
  for (int i = 0; i < s; i++) {
    int p = i;
    for (int r = i + 1; r < s; r++)
      if (fabs(w[r][i]) > fabs(w[p][i])) p = r;
    for (int j = 0; j < 2 * s; j++) {
      double t = w[i][j];
      w[i][j] = w[p][j], w[p][j] = t;
    }
    double d = 1 / w[i][i];
    for (int j = 0; j < 2 * s; j++) w[i][j] *= d;
    for (int r = 0; r < s; r++) {
      double f = r == i ? 0 : w[r][i];
      for (int j = 0; j < 2 * s; j++) w[r][j] -= f * w[i][j];
    }
  }
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++) inv[i][j] = w[i][s + j];
}

double tableau_complete(Tableau *t) {
  double worst = fabs(t->weight[0] - 1);
  invert_matrix(t->s, t->a, t->inverse);
  for (int k = 0; k < t->s; k++) {
    worst = fmax(worst, fabs(t->b[k] - (k == 0)));
    for (int l = 0; l < t->s; l++) {
      double m = t->weight[k] * t->a[k][l] + t->weight[l] * t->a[l][k] - (k == 0 && l == 0);
      if (k == l) t->loss[k] = m, worst = fmax(worst, -m);
      else worst = fmax(worst, fabs(m));
      if (!isfinite(t->inverse[k][l])) worst = INFINITY;
    }
  }
  return worst;
}
