// SPDX-License-Identifier: Apache-2.0
// Rows of several points are gathered before they are multiplied: the tangent is one product
//   sum_r along_r (C end)_r
// of tall matrices, and its geometric part one sum over rows for each pair of vectors.
// Equations: eq-rows-work (2.2), eq-scheme-stage (3.1).
#include "mechanics/dense_element.h"
#include "mechanics/dense_rows.h"
#include "mechanics/sparse_cholesky.h"

#include <string.h>

enum { GROUPS = 8, WIDE = (3 * MAX_LOCAL_NODES + STRIP - 1) / STRIP * STRIP, PAIRS = MAX_Y * (MAX_Y + 1) / 2 };

typedef double Gathered[GROUPS * MAX_ROWS][WIDE];

// What is gathered of points: C end between the stages and the rows along which forces act, one row after the other; the
// coefficients of the rows and stresses. Then of the whole element: forces on its nodes and sums over all rows for each
// pair of vectors.
typedef struct {
  int groups, depth, columns;
  Gathered end[MAX_STAGES], along[MAX_STAGES];
  double stiffness[MAX_STAGES][MAX_STAGES][GROUPS][MAX_ROWS * MAX_ROWS]; // of the stress of stage k by rows of stage l
  const double *pair[GROUPS];
  BatchReal stress[MAX_STAGES][GROUPS], force[MAX_STAGES][MAX_LOCAL_NODES][3];
  double of_pair[MAX_STAGES][PAIRS];
} DenseElement;

// Slopes by the vectors y to those by the nodes.
TARGET_CLONES static void on_nodes(const Rows *p, int nnode, Slope *b, Slope *g) {
  memset(g, 0, (size_t)nnode * sizeof *g);
  for (int i = 0; i < p->ny; i++)
    for (int e = p->start[i]; e < p->start[i + 1]; e++)
      for (int x = 0; x < 3; x++) g[p->vec[e]][x] += p->coef[e] * b[i][x];
}

static void gather(const Slope *g, int nnode, int nrow, double to[][WIDE]) {
  for (int a = 0; a < nnode; a++)
    for (int x = 0; x < 3; x++)
      for (int r = 0; r < nrow; r++) to[r][3 * a + x] = g[a][x][r];
}

TARGET_CLONES static void add_force(int nnode, Slope *g, const BatchReal *stress, Slope *force) {
  for (int a = 0; a < nnode; a++)
    for (int x = 0; x < 3; x++) force[a][x] += *stress * g[a][x];
}

// Sums over the rows that are gathered, of each pair of vectors.
TARGET_CLONES static void add_pairs(int pairs, int groups, const double *const *pair, const BatchReal *stress,
                                    double *out) {
  for (int i = 0; i < pairs; i++) {
    BatchReal sum = {0}, c;
    for (int g = 0; g < groups; g++) {
      memcpy(&c, pair[g] + (size_t)i * ROW_LANES, sizeof c);
      sum += c * stress[g];
    }
    for (int r = 0; r < ROW_LANES; r++) out[i] += sum[r];
  }
}

// C end of the rows that are gathered, for the stresses of stage k by stage l.
static void multiply_stiffness(const DenseElement *q, int k, int l, double out[][WIDE]) {
  for (int g = 0; g < q->groups; g++)
    for (int r = 0; r < MAX_ROWS; r++) {
      double *to = out[MAX_ROWS * g + r];
      for (int c = 0; c < q->columns; c++) to[c] = 0;
      for (int i = 0; i < MAX_ROWS; i++) {
        double f = q->stiffness[k][l][g][MAX_ROWS * r + i];
        const double *end = q->end[l][MAX_ROWS * g + i];
        for (int c = 0; f != 0 && c < q->columns; c++) to[c] += f * end[c];
      }
    }
}

// Adds the products of what is gathered.
static void add_products(DenseElement *q, const LocalMotion *it, int pairs, Local *out) {
  Gathered ce;
  double product[WIDE][STRIP];
  int s = it->s, n = 3 * it->nnode;
  memset(ce, 0, sizeof ce);
  for (int k = 0; k < s; k++) {
    add_pairs(pairs, q->groups, q->pair, q->stress[k], q->of_pair[k]);
    for (int l = 0; l < s; l++) {
      multiply_stiffness(q, k, l, ce);
      for (int from = 0; from < n; from += STRIP) {
        memset(product, 0, (size_t)n * sizeof *product);
        strip_product(&(StripProduct){.a = q->along[k][0],
                                      .a_row = 1,
                                      .a_deep = WIDE,
                                      .b = &ce[0][from],
                                      .b_deep = WIDE,
                                      .rows = n,
                                      .columns = STRIP,
                                      .depth = MAX_ROWS * q->groups,
                                      .sign = 1,
                                      .c = product[0],
                                      .c_row = STRIP});
        for (int c = from; c < n && c < from + STRIP; c++) {
          double *to = out->k + 3 * (s * (c / 3) + l) + c % 3;
          for (int r = 0; r < n; r++) to[(3 * (s * (r / 3) + k) + r % 3) * out->n] += product[r][c - from];
        }
      }
    }
  }
  q->groups = 0;
}

// A point: its stresses, and what its tangent is made of.
static void add_point(const ElementPoint *p, const ElementStep *step, const double *past, const LocalMotion *it,
                      bool tangent, const Vec3 *yn, Vec3 yk[][MAX_Y], DenseElement *q) {
  Slope start[MAX_Y], end[MAX_Y], g[MAX_LOCAL_NODES];
  Slope middle[MAX_STAGES][MAX_Y];
  double en[MAX_ROWS], ek[MAX_STAGES][MAX_ROWS];
  bool ends = it->force_rule == FORCE_END;
  int n = q->groups++;
  PointStress at;
  two_slopes_of(&p->rows, (const Vec3 *[]){yn, yk[0]}, (Slope *[]){start, end});
  strains_of(&p->rows, yn, start, en);
  for (int k = 0; k < it->s; k++) {
    if (k > 0) slopes_of(&p->rows, yk[k], end);
    strains_of(&p->rows, yk[k], end, ek[k]);
    if (tangent) {
      on_nodes(&p->rows, it->nnode, end, g);
      gather(g, it->nnode, MAX_ROWS, &q->end[k][MAX_ROWS * n]);
    }
    for (int i = 0; i < p->rows.ny; i++)
      for (int x = 0; x < 3; x++) middle[k][i][x] = ends ? end[i][x] : 0.5 * (start[i][x] + end[i][x]);
  }
  p->response->stress(p, step, past, en, ek, &at);
  q->pair[n] = p->rows.pair;
  for (int k = 0; k < it->s; k++) {
    on_nodes(&p->rows, it->nnode, middle[k], g);
    if (tangent) gather(g, it->nnode, MAX_ROWS, &q->along[k][MAX_ROWS * n]);
    BatchReal stress = {0};
    for (int r = 0; r < MAX_ROWS; r++) stress[r] = at.stress[k][r];
    q->stress[k][n] = stress;
    add_force(it->nnode, g, &stress, q->force[k]);
    for (int l = 0; l < it->s; l++)
      for (int i = 0; i < MAX_ROWS * MAX_ROWS; i++)
        q->stiffness[k][l][n][i] = p->weight * (at.factor[k][l] * at.c[i] + (k == l && at.has_own ? at.own[k][i] : 0));
  }
}

// The sums of pairs of vectors y, as multiples of the identity between nodes.
static void add_geometric(const Rows *p, const LocalMotion *it, int k, const double *of_pair, Local *out) {
  double part = it->force_rule == FORCE_END ? 1 : 0.5, kappa[MAX_LOCAL_NODES][MAX_LOCAL_NODES];
  for (int a = 0; a < it->nnode; a++) memset(kappa[a], 0, (size_t)it->nnode * sizeof **kappa);
  for (int i = 0; i < p->ny; i++)
    for (int j = i; j < p->ny; j++) {
      double sum = part * *of_pair++;
      for (int e = p->start[i]; e < p->start[i + 1]; e++)
        for (int d = p->start[j]; d < p->start[j + 1]; d++) {
          double v = sum * p->coef[e] * p->coef[d];
          kappa[p->vec[e]][p->vec[d]] += v, kappa[p->vec[d]][p->vec[e]] += v;
        }
    }
  for (int a = 0; a < it->nnode; a++)
    for (int b = 0; b < it->nnode; b++) local_add_diag(out, local_at(out, a, k), local_at(out, b, k), kappa[a][b]);
}

void dense_evaluate(const ElementKind *kind, const void *data, const ElementStep *step, const LocalMotion *it,
                    Local *out) {
  const double *past = step->past;
  int npoint = element_points(kind, data), pairs = 0;
  Vec3 yn[MAX_Y], yk[MAX_STAGES][MAX_Y];
  ElementPoint p;
  DenseElement q;
  q.groups = 0, q.columns = 3 * it->nnode;
  for (int k = 0; k < it->s; k++) memset(q.force[k], 0, (size_t)it->nnode * sizeof *q.force[k]);
  for (int g = 0; g < npoint; g++) {
    element_point(kind, data, g, &p);
    if (g == 0) {
      pairs = p.rows.ny * (p.rows.ny + 1) / 2;
      for (int k = 0; k < it->s; k++) memset(q.of_pair[k], 0, (size_t)pairs * sizeof **q.of_pair);
      rows_interpolate(&p.rows, it->xn, yn);
      for (int k = 0; k < it->s; k++) rows_interpolate(&p.rows, it->xk[k], yk[k]);
    }
    add_point(&p, step, past, it, out->tangent, yn, yk, &q);
    if (past) past += p.rows.nrow;
    if (!out->tangent) q.groups = 0;
    else if (q.groups == GROUPS || g + 1 == npoint) add_products(&q, it, pairs, out);
  }
  for (int k = 0; k < it->s; k++) {
    if (out->tangent) add_geometric(&p.rows, it, k, q.of_pair[k], out);
    for (int a = 0; a < it->nnode; a++) {
      double f[3] = {0};
      for (int x = 0; x < 3; x++)
        for (int r = 0; r < MAX_ROWS; r++) f[x] += q.force[k][a][x][r];
      local_add_vec(out, local_at(out, a, k), vec3_of(f));
    }
  }
}
