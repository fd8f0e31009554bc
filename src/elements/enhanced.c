// SPDX-License-Identifier: Apache-2.0
#include "elements/enhanced.h"

enum { NODES = 8, STRAINS = 6 };

static const double sign[NODES][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                      {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
static const int pair[STRAINS][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

// Strains that are added, in the axes of the cell: the component k l grows along the axis `along`. Normal strains grow
// along their own axis, shear strains along both of theirs.
static const struct {
  int k, l, along;
} mode[ENHANCED_MODES] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {1, 2, 1}, {1, 2, 2},
                          {0, 2, 0}, {0, 2, 2}, {0, 1, 0}, {0, 1, 1}};

static double component(Vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

// What node `a` has in a_m, 8 times.
static double share(int a, int m) {
  const double *s = sign[a];
  return m < 3 ? s[m] : m < 6 ? s[(m + 1) % 3] * s[(m + 2) % 3] : s[0] * s[1] * s[2];
}

static void cell_vectors(const Vec3 *at, Vec3 *a) {
  for (int m = 0; m < ENHANCED_VECTORS; m++) {
    a[m] = vec3_zero();
    for (int node = 0; node < NODES; node++) a[m] = vec3_axpy(a[m], 0.125 * share(node, m), at[node]);
  }
}

// Derivatives of xi, eta, zeta, eta zeta, zeta xi, xi eta, xi eta zeta.
static void unit_slopes(const double *xi, double d[ENHANCED_VECTORS][3]) {
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    for (int m = 0; m < 3; m++) d[m][k] = m == k, d[3 + m][k] = m == i ? xi[j] : m == j ? xi[i] : 0;
    d[6][k] = xi[i] * xi[j];
  }
}

// Vectors dual to those along xi, eta, zeta; returns the volume over that of the unit cell.
static double dual_axes(const Vec3 *a, const double *xi, double d[ENHANCED_VECTORS][3], Vec3 dual[3]) {
  Vec3 g[3];
  unit_slopes(xi, d);
  for (int k = 0; k < 3; k++) {
    g[k] = vec3_zero();
    for (int m = 0; m < ENHANCED_VECTORS; m++) g[k] = vec3_axpy(g[k], d[m][k], a[m]);
  }
  double volume = vec3_dot(g[0], vec3_cross(g[1], g[2]));
  for (int k = 0; k < 3; k++) dual[k] = vec3_scale(1 / volume, vec3_cross(g[(k + 1) % 3], g[(k + 2) % 3]));
  return volume;
}

typedef struct {
  double volume;
  double strain[STRAINS][ENHANCED_PRODUCTS]; // Green's, by the products a_m . a_n
  double more[STRAINS][ENHANCED_MODES];      // M
} PointStrains;

static void find_point_strains(const Vec3 *a, int point, PointStrains *out) {
  const double gauss = 0.57735026918962576451, middle[3] = {0, 0, 0};
  double xi[3], d[ENHANCED_VECTORS][3];
  Vec3 dual[3], centre[3], slope[ENHANCED_VECTORS];
  for (int k = 0; k < 3; k++) xi[k] = gauss * sign[point][k];
  double at_centre = dual_axes(a, middle, d, centre);
  out->volume = dual_axes(a, xi, d, dual);
  for (int m = 0; m < ENHANCED_VECTORS; m++) {
    slope[m] = vec3_zero();
    for (int k = 0; k < 3; k++) slope[m] = vec3_axpy(slope[m], d[m][k], dual[k]);
  }
  for (int k = 0; k < 3; k++) centre[k] = vec3_unit(centre[k]);
  for (int r = 0; r < STRAINS; r++) {
    int i = pair[r][0], j = pair[r][1], product = 0;
    double half = i == j ? 0.5 : 1;
    for (int m = 0; m < ENHANCED_VECTORS; m++)
      for (int n = m; n < ENHANCED_VECTORS; n++) {
        double c = component(slope[m], i) * component(slope[n], j);
        if (n > m) c += component(slope[n], i) * component(slope[m], j);
        out->strain[r][product++] = half * c;
      }
    for (int q = 0; q < ENHANCED_MODES; q++) {
      Vec3 k = centre[mode[q].k], l = centre[mode[q].l];
      out->more[r][q] = half * at_centre / out->volume * xi[mode[q].along] *
                        (component(k, i) * component(l, j) + component(k, j) * component(l, i));
    }
  }
}

// Adds w M : C : M and w M : C : E of a point.
static void add_point(const PointStrains *p, const double *stiffness, double h[][ENHANCED_MODES],
                      double right[][ENHANCED_PRODUCTS]) {
  for (int q = 0; q < ENHANCED_MODES; q++) {
    double stress[STRAINS] = {0};
    for (int r = 0; r < STRAINS; r++)
      for (int s = 0; s < STRAINS; s++) stress[r] += p->volume * stiffness[STRAINS * r + s] * p->more[s][q];
    for (int r = 0; r < STRAINS; r++) {
      for (int t = 0; t < ENHANCED_MODES; t++) h[q][t] += stress[r] * p->more[r][t];
      for (int t = 0; t < ENHANCED_PRODUCTS; t++) right[q][t] += stress[r] * p->strain[r][t];
    }
  }
}

// Cholesky's factors in place, and the solution in place of the right sides.
static bool solve(double h[][ENHANCED_MODES], double x[][ENHANCED_PRODUCTS]) {
  for (int i = 0; i < ENHANCED_MODES; i++) {
    double given = h[i][i];
    for (int k = 0; k < i; k++) h[i][i] -= h[i][k] * h[i][k];
    if (!(h[i][i] > 1e-12 * given)) return false;
    h[i][i] = sqrt(h[i][i]);
    for (int j = i + 1; j < ENHANCED_MODES; j++) {
      for (int k = 0; k < i; k++) h[j][i] -= h[i][k] * h[j][k];
      h[j][i] /= h[i][i];
    }
    for (int t = 0; t < ENHANCED_PRODUCTS; t++) {
      for (int k = 0; k < i; k++) x[i][t] -= h[i][k] * x[k][t];
      x[i][t] /= h[i][i];
    }
  }
  for (int i = ENHANCED_MODES - 1; i >= 0; i--)
    for (int t = 0; t < ENHANCED_PRODUCTS; t++) {
      for (int k = i + 1; k < ENHANCED_MODES; k++) x[i][t] -= h[k][i] * x[k][t];
      x[i][t] /= h[i][i];
    }
  return true;
}

bool enhanced_make(const Vec3 *at, const double *stiffness, Enhanced *out) {
  double h[ENHANCED_MODES][ENHANCED_MODES] = {{0}};
  Vec3 a[ENHANCED_VECTORS];
  PointStrains p;
  *out = (Enhanced){{{0}}};
  cell_vectors(at, a);
  for (int g = 0; g < NODES; g++) {
    find_point_strains(a, g, &p);
    add_point(&p, stiffness, h, out->alpha);
  }
  return solve(h, out->alpha);
}

// The terms of a row, those of round-off left out, and its value at the reference.
static void add_terms(int row, const double *by_product, const Vec3 *a, ElementPoint *p) {
  double largest = 0;
  for (int t = 0; t < ENHANCED_PRODUCTS; t++) largest = fmax(largest, fabs(by_product[t]));
  p->rows.ref[row] = 0;
  for (int m = 0, t = 0; m < ENHANCED_VECTORS; m++)
    for (int n = m; n < ENHANCED_VECTORS; n++, t++) {
      if (fabs(by_product[t]) <= 1e-15 * largest) continue;
      p->terms[p->rows.nterm++] = (RowTerm){row, m, n, by_product[t], FACTOR_ONE, 0};
      p->rows.ref[row] += by_product[t] * vec3_dot(a[m], a[n]);
    }
}

void enhanced_rows(const Continuum *c, int g, ElementPoint *p) {
  Vec3 at[NODES], a[ENHANCED_VECTORS];
  PointStrains strains;
  for (int node = 0; node < NODES; node++) at[node] = c->node[node].at;
  cell_vectors(at, a);
  find_point_strains(a, g, &strains);
  for (int m = 0; m < ENHANCED_VECTORS; m++) {
    rows_y(&p->rows);
    for (int node = 0; node < NODES; node++) rows_y_add(&p->rows, c->node[node].first, 0.125 * share(node, m));
  }
  p->rows.nrow = STRAINS, p->rows.nterm = 0, p->rows.term = p->terms;
  for (int r = 0; r < STRAINS; r++) {
    double *row = strains.strain[r];
    for (int q = 0; q < ENHANCED_MODES; q++)
      for (int t = 0; t < ENHANCED_PRODUCTS && strains.more[r][q] != 0; t++)
        row[t] -= strains.more[r][q] * c->enhanced->alpha[q][t];
    add_terms(r, row, a, p);
  }
  p->weight = strains.volume;
}
