// SPDX-License-Identifier: Apache-2.0
//   residual_k = sum_points weight along_k^T C (b_k e_n + sum_l A_kl (e_l - e_n)),   A = a + damping/h I
//   tangent_kl = along_k^T (weight A_kl C) end_l + [k = l] (geometric part + turning of the arms)
// and of a point with a law or a potential the same with the forces and tangents of law.h or hyper.h.
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

// What a point's rows carry over a step: its stresses, and their derivative by the rows of interval l, factor_kl times
// the matrix c; of a potential `own` beside it, on interval k itself.
typedef struct {
  double stress[MAX_INTERVALS][MAX_ROWS], factor[MAX_INTERVALS][MAX_INTERVALS];
  const double *c;
  HyperState hyper;
} PointStress;

static void hyper_point_stress(const ElementPoint *p, const Tableau *t, double h, const RowsState *q,
                               PointStress *out) {
  double ek[MAX_INTERVALS][HYPER_ROWS];
  for (int k = 0; k < t->s; k++) memcpy(ek[k], q->ek[k], sizeof ek[k]);
  hyper_evaluate(p->hyper, p->stiffness, p->damping, t, h, q->en, ek, &out->hyper);
  out->c = out->hyper.k;
  memcpy(out->factor, out->hyper.factor, sizeof out->factor);
  for (int k = 0; k < t->s; k++)
    for (int r = 0; r < p->rows.nrow; r++) out->stress[k][r] = p->weight * out->hyper.stress[k][r];
}

// The derivative of a potential's stress that is of interval k alone.
static void add_own(const ElementPoint *p, const Item *it, int k, const RowsState *q, const PointStress *at,
                    double ce[MAX_ROWS][MAX_LOCAL]) {
  int n = p->rows.nrow;
  for (int r = 0; r < n; r++)
    for (int i = 0; i < n; i++) {
      double f = p->weight * at->hyper.own[k][r * n + i];
      for (int b = 0; b < it->nblock && f != 0; b++)
        for (int j = 0; j < 3; j++) ce[r][3 * (it->s * b + k) + j] += f * q->end[i][3 * (it->s * b + k) + j];
    }
}

static void point_stress(const ElementPoint *p, const Tableau *t, double h, const RowsState *q, PointStress *out) {
  static const double one = 1;
  int n = p->rows.nrow;
  if (p->hyper) {
    hyper_point_stress(p, t, h, q, out);
    return;
  }
  out->c = p->law ? &one : p->stiffness;
  if (p->law) {
    LawState s;
    double z[MAX_INTERVALS];
    for (int k = 0; k < t->s; k++) z[k] = q->ek[k][0];
    law_evaluate(p->law, t, h, q->en[0], z, &s);
    for (int k = 0; k < t->s; k++) {
      out->stress[k][0] = p->weight * s.force[k];
      for (int l = 0; l < t->s; l++) out->factor[k][l] = s.tangent[k][l];
    }
    return;
  }
  for (int k = 0; k < t->s; k++) {
    double e[MAX_ROWS];
    for (int l = 0; l < t->s; l++) out->factor[k][l] = t->a[k][l] + (k == l) * p->damping / h;
    for (int r = 0; r < n; r++) {
      e[r] = t->b[k] * q->en[r];
      for (int l = 0; l < t->s; l++) e[r] += out->factor[k][l] * (q->ek[l][r] - q->en[r]);
    }
    for (int r = 0; r < n; r++) {
      out->stress[k][r] = 0;
      for (int i = 0; i < n; i++) out->stress[k][r] += p->weight * p->stiffness[r * n + i] * e[i];
    }
  }
}

// A root row's `along` shrinks as its mean length grows: over it stands the stress of the geometric part, and the rest of
// the derivative goes along the row's own end, to ce_r.
static void turn_roots(const ElementPoint *p, const Item *it, int k, const RowsState *q, double *stress,
                       double ce[MAX_ROWS][MAX_LOCAL]) {
  double part = it->place == FORCE_END ? 1 : 0.5;
  for (int r = 0; r < p->rows.nroot; r++) {
    stress[r] *= q->mean[k][r] > 0 ? 1 / q->mean[k][r] : 0;
    for (int b = 0; b < it->nblock; b++)
      for (int i = 0; i < 3; i++) {
        int c = 3 * (it->s * b + k) + i;
        ce[r][c] -= part * stress[r] * q->end[r][c];
      }
  }
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
    PointStress at;
    element_point(kind, data, g, &p);
    rows_evaluate(&p.rows, it, no_coords, no_coords, &q);
    point_stress(&p, t, h, &q, &at);
    int n = p.rows.nrow;
    for (int k = 0; k < s; k++) {
      double *stress = at.stress[k], ce[MAX_ROWS][MAX_LOCAL]; // weight C sum_l factor_kl end_l
      for (int r = 0; r < n; r++)
        for (int a = 0; a < it->nvec; a++) force[k][a] = vec3_axpy(force[k][a], stress[r], q.along_vec[k][r][a]);
      for (int r = 0; r < n; r++) {
        for (int c = 0; c < ncol; c++) ce[r][c] = 0;
        for (int i = 0; i < n; i++) {
          double f = p.weight * at.c[r * n + i];
          if (f == 0) continue;
          for (int c = 0; c < ncol; c++) ce[r][c] += f * q.end[i][c];
        }
        for (int b = 0; b < it->nblock; b++)
          for (int l = 0; l < s; l++)
            for (int i = 0; i < 3; i++) ce[r][3 * (s * b + l) + i] *= at.factor[k][l];
      }
      if (p.hyper) add_own(&p, it, k, &q, &at, ce);
      turn_roots(&p, it, k, &q, stress, ce);
      rows_add_geometric(&p.rows, it->place, stress, no_coords, no_coords, kappa[k]);
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
