// SPDX-License-Identifier: Apache-2.0
//   residual_k = sum_points weight along_k^T C (b_k e_n + sum_l A_kl (e_l - e_n)),   A = a + damping/h I
//   tangent_kl = along_k^T (weight A_kl C) end_l + [k = l] (geometric part + turning of the arms)
#include "mechanics/element.h"

#define TEXT(number)    TEXT_OF(number)
#define TEXT_OF(number) #number
const char element_too_many[] = "a model has at most " TEXT(LIMBER_MOST_ELEMENTS) " elements";

int element_no_points(const void *data) {
  (void)data;
  return 0;
}

static void point_of(const ElementKind *kind, const void *data, int g, ElementPoint *p) {
  p->rows.ny = p->rows.nrow = p->rows.start[0] = 0;
  p->damping = 0;
  kind->point(data, g, p);
}

void element_place(const ElementKind *kind, const void *data, int g, double *weight, double *at) {
  ElementPoint p;
  point_of(kind, data, g, &p);
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
    point_of(kind, data, g, &p);
    rows_value(&p.rows, x, no_coords, e);
    w += quadratic(&p, e);
  }
  return w;
}

// 1/2 |e(x) - e(xn)|_C^2, or that times 2 damping
static double jump(const ElementKind *kind, const void *data, bool damped, const Vec3 *xn, const Vec3 *x) {
  double w = 0, en[MAX_ROWS], e[MAX_ROWS];
  ElementPoint p;
  for (int g = 0; g < kind->points(data); g++) {
    point_of(kind, data, g, &p);
    if (damped && p.damping == 0) continue;
    rows_value(&p.rows, xn, no_coords, en);
    rows_value(&p.rows, x, no_coords, e);
    for (int r = 0; r < p.rows.nrow; r++) e[r] -= en[r];
    w += (damped ? 2 * p.damping : 1) * quadratic(&p, e);
  }
  return w;
}

double element_jump(const ElementKind *kind, const void *data, const Vec3 *xn, const Vec3 *x) {
  return jump(kind, data, false, xn, x);
}

bool element_is_damped(const ElementKind *kind, const void *data) {
  ElementPoint p;
  point_of(kind, data, 0, &p);
  return p.damping != 0;
}

double element_damped(const ElementKind *kind, const void *data, double h, const Vec3 *xn, const Vec3 *x) {
  return jump(kind, data, true, xn, x) / h;
}

void element_forces(const ElementKind *kind, const void *data, int g, const Vec3 *x, double *strain, double *force) {
  ElementPoint p;
  point_of(kind, data, g, &p);
  int n = p.rows.nrow;
  rows_value(&p.rows, x, no_coords, strain);
  for (int r = 0; r < n; r++) {
    force[r] = 0;
    for (int q = 0; q < n; q++) force[r] += p.stiffness[r * n + q] * strain[q];
  }
}

// row += sum_r f_r ce_r. The same sums in the same order whatever the machine's vectors.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
static void
add_rows(int n, const double *f, double ce[MAX_ROWS][MAX_LOCAL], int ncol, double *row) {
  if (n == MAX_ROWS) {
    for (int c = 0; c < ncol; c++)
      row[c] +=
          f[0] * ce[0][c] + f[1] * ce[1][c] + f[2] * ce[2][c] + f[3] * ce[3][c] + f[4] * ce[4][c] + f[5] * ce[5][c];
    return;
  }
  for (int r = 0; r < n; r++)
    for (int c = 0; c < ncol; c++) row[c] += f[r] * ce[r][c];
}

void element_evaluate(const ElementKind *kind, const void *data, const Tableau *t, double h, const Item *it,
                      Local *out) {
  int s = it->s, npoint = kind->points(data), ncol = 3 * s * it->nblock;
  if (npoint == 0) return;
  Vec3 force[MAX_INTERVALS][MAX_ITEM_VECTORS];
  double kappa[MAX_INTERVALS][MAX_ITEM_VECTORS][MAX_ITEM_VECTORS];
  for (int k = 0; k < s; k++)
    for (int a = 0; a < it->nvec; a++) {
      force[k][a] = vec3_zero();
      for (int b = 0; b < it->nvec; b++) kappa[k][a][b] = 0;
    }
  for (int g = 0; g < npoint; g++) {
    ElementPoint p;
    RowsState q;
    point_of(kind, data, g, &p);
    rows_evaluate(&p.rows, it, no_coords, no_coords, &q);
    int n = p.rows.nrow;
    double damper = p.damping / h;
    for (int k = 0; k < s; k++) {
      double e[MAX_ROWS], stress[MAX_ROWS];
      for (int r = 0; r < n; r++) {
        e[r] = t->b[k] * q.en[r];
        for (int l = 0; l < s; l++) e[r] += (t->a[k][l] + (k == l) * damper) * (q.ek[l][r] - q.en[r]);
      }
      for (int r = 0; r < n; r++) {
        stress[r] = 0;
        for (int i = 0; i < n; i++) stress[r] += p.weight * p.stiffness[r * n + i] * e[i];
      }
      for (int r = 0; r < n; r++)
        for (int a = 0; a < it->nvec; a++) force[k][a] = vec3_axpy(force[k][a], stress[r], q.along_vec[k][r][a]);
      rows_add_geometric(&p.rows, it->place, stress, no_coords, no_coords, kappa[k]);
      double ce[MAX_ROWS][MAX_LOCAL]; // weight C sum_l a_kl end_l
      for (int r = 0; r < n; r++) {
        for (int c = 0; c < ncol; c++) ce[r][c] = 0;
        for (int i = 0; i < n; i++) {
          double f = p.weight * p.stiffness[r * n + i];
          if (f == 0) continue;
          for (int c = 0; c < ncol; c++) ce[r][c] += f * q.end[i][c];
        }
        for (int b = 0; b < it->nblock; b++)
          for (int l = 0; l < s; l++)
            for (int i = 0; i < 3; i++) ce[r][3 * (s * b + l) + i] *= t->a[k][l] + (k == l) * damper;
      }
      for (int b = 0; b < it->nblock; b++)
        for (int i = 0; i < 3; i++) {
          double f[MAX_ROWS];
          for (int r = 0; r < n; r++) f[r] = q.along[k][r][3 * b + i];
          add_rows(n, f, ce, ncol, &out->k[(3 * (s * b + k) + i) * out->n]);
        }
    }
  }
  for (int k = 0; k < s; k++)
    for (int a = 0; a < it->nnode; a++) {
      node_add_force(out, it->kind[a], it->block[a], &it->motion[k][a], k, &force[k][it->first[a]]);
      for (int b = 0; b < it->nnode; b++)
        node_add_scalar_tangent(out, it->kind[a], it->block[a], &it->motion[k][a], k, it->kind[b], it->block[b],
                                &it->motion[k][b], k, &kappa[k][it->first[a]][it->first[b]], MAX_ITEM_VECTORS);
    }
}
