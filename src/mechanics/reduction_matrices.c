// SPDX-License-Identifier: Apache-2.0
// Bodies whose stiffness and mass another program has found: matrices between the nodes. The strain rows need a stress
// for each elastic mode, which matrices do not have: it is that which carries the loads of the mode, f_A = K phi_A/
// lambda_A, in elements on the same nodes or, without such, in bars between the nodes that the stiffness couples,
//   e_A = sum_ij t_A,ij (|x_j - x_i|^2 - ref)/2,   sum_j t_A,ij (x_j - x_i) = -f_A,i at each node i,
// with the bar forces t_A,ij that store the least energy. The derivative of e_A is f_A whatever the elements or bars
// are, so the stiffness is that of the matrices; the stiffness of stresses is that of the stress found.
// Equations: eq-reduced-loads (10.18).
#include "base/limits.h"
#include "mechanics/reduction_work.h"

#include <math.h>
#include <string.h>

// ---- products ----

double matrices_masses(const ReductionMesh *m, double *mass) {
  const ReductionMatrices *q = m->matrices;
  double all = 0, diagonal = 0;
  for (int k = 0; k < q->start[m->nodes]; k++) all += q->mass[k] * (q->first[k] == q->other[k] ? 1 : 2);
  for (int i = 0; i < m->nodes; i++) diagonal += q->mass[q->start[i]];
  for (int i = 0; i < m->nodes; i++) mass[i] = q->mass[q->start[i]] * all / diagonal;
  return all;
}

void matrices_mass_times(const ReductionMesh *m, const double *f, int columns, int c, double *out) {
  const ReductionMatrices *q = m->matrices;
  size_t n = (size_t)columns;
  memset(out, 0, (size_t)m->nodes * sizeof *out);
  for (int k = 0; k < q->start[m->nodes]; k++) {
    int i = q->first[k], j = q->other[k];
    out[i] += q->mass[k] * f[(size_t)j * n + (size_t)c];
    if (i != j) out[j] += q->mass[k] * f[(size_t)i * n + (size_t)c];
  }
}

// Of a symmetric sum over pairs only the half with i <= j is made, the diagonal by half, and its transpose added.
static double part_of(const ReductionMatrices *q, int pair) { return q->first[pair] == q->other[pair] ? 0.5 : 1; }

void matrices_energies(const ReductionMesh *m, const double *f, int columns, double *h) {
  const ReductionMatrices *q = m->matrices;
  double row[3 * REDUCED_POINTS * 4];
  for (int i = 0; i < m->nodes; i++) {
    const double *fi = &f[(size_t)i * (size_t)columns];
    memset(row, 0, (size_t)columns * sizeof *row);
    for (int k = q->start[i]; k < q->start[i + 1]; k++) {
      const double *block = &q->stiffness[9 * (size_t)k];
      reduction_subtract(row, &f[(size_t)q->other[k] * (size_t)columns],
                         -part_of(q, k) * (block[0] + block[4] + block[8]), columns);
    }
    for (int c = 0; c < columns; c++) reduction_subtract(&h[c * columns], row, -fi[c], columns);
  }
  for (int a = 0; a < columns; a++)
    for (int b = 0; b <= a; b++) h[a * columns + b] = h[b * columns + a] = h[a * columns + b] + h[b * columns + a];
}

bool matrices_stiffness(ReductionWork *w, const double *q, int points, double *k) {
  const ReductionMatrices *of = w->m->matrices;
  int n = 3 * points;
  double *sum = reduction_numbers(w, 9, points);
  if (!sum) return false;
  memset(k, 0, (size_t)(n * n) * sizeof *k);
  for (int i = 0; i < w->m->nodes; i++) {
    const double *qi = &q[(size_t)i * REDUCED_POINTS];
    memset(sum, 0, 9 * (size_t)points * sizeof *sum);
    for (int p = of->start[i]; p < of->start[i + 1]; p++)
      for (int r = 0; r < 9; r++)
        reduction_subtract(&sum[r * points], &q[(size_t)of->other[p] * REDUCED_POINTS],
                           -part_of(of, p) * of->stiffness[9 * (size_t)p + (size_t)r], points);
    for (int a = 0; a < points; a++)
      for (int r = 0; r < 9; r++)
        for (int b = 0; b < points; b++) k[(3 * a + r / 3) * n + 3 * b + r % 3] += qi[a] * sum[r * points + b];
  }
  for (int a = 0; a < n; a++)
    for (int b = 0; b <= a; b++) k[a * n + b] = k[b * n + a] = k[a * n + b] + k[b * n + a];
  return true;
}

// ---- stresses of the modes ----

// Bars along all pairs. Their stiffness follows that of the matrices, and is never too small to hold the nodes.
static bool make_bars(ReductionWork *w, ReductionMatrices *out) {
  const ReductionMatrices *q = w->m->matrices;
  int pairs = q->start[w->m->nodes];
  double *k = reduction_numbers(w, (size_t)pairs, 9), *size = reduction_numbers(w, (size_t)pairs, 1);
  if (w->failed) return false;
  for (int p = 0; p < pairs; p++) {
    for (int r = 0; r < 9; r++) size[p] += pow(q->stiffness[9 * (size_t)p + (size_t)r], 2);
    size[p] = sqrt(size[p]);
  }
  for (int p = 0; p < pairs; p++) {
    int i = q->first[p], j = q->other[p];
    Vec3 x = vec3_sub(w->m->at[j], w->m->at[i]);
    double length = vec3_dot(x, x), c[3];
    if (i == j || !(length > 0) || !(size[p] > 0)) continue;
    vec3_to(x, c);
    double of = (size[p] + 1e-2 * sqrt(size[q->start[i]] * size[q->start[j]])) / length;
    for (int r = 0; r < 9; r++) {
      double part = of * c[r / 3] * c[r % 3];
      k[9 * (size_t)p + (size_t)r] = -part, k[9 * (size_t)q->start[i] + (size_t)r] += part;
      k[9 * (size_t)q->start[j] + (size_t)r] += part;
    }
  }
  *out = *q, out->stiffness = k;
  return true;
}

enum { LOADS = 3 * STRIP, MOST_PASSES = 12 }; // columns at a time; corrections of a solution

// Columns `from` to `from + some` of the loads: f = K q mode/stiffness, nodes x 3 x some.
static void make_loads(const ReductionWork *free, const double *q, int points, const double *mode,
                       const double *stiffness, int from, int some, double *u, double *f) {
  for (int i = 0; i < free->m->nodes; i++)
    for (int c = 0; c < some; c++)
      for (int d = 0; d < 3; d++) {
        const double *of = &mode[(size_t)(from + c) * (size_t)(3 * points)];
        double sum = 0;
        for (int a = 0; a < points; a++) sum += q[(size_t)i * REDUCED_POINTS + (size_t)a] * of[3 * a + d];
        u[(size_t)(3 * i + d) * (size_t)some + (size_t)c] = sum / stiffness[from + c];
      }
  reduction_stiffness_times(free, u, some, f);
}

// Rigid motions of the nodes, n x 6, orthonormal.
static void rigid_motions(const ReductionMesh *m, double *out) {
  int n = 3 * m->nodes;
  for (int i = 0; i < m->nodes; i++)
    for (int c = 0; c < 6; c++) {
      Vec3 e = vec3(c % 3 == 0, c % 3 == 1, c % 3 == 2);
      double v[3];
      vec3_to(c < 3 ? e : vec3_cross(e, vec3_sub(m->at[i], m->at[0])), v);
      for (int d = 0; d < 3; d++) out[6 * (3 * i + d) + c] = v[d];
    }
  for (int c = 0; c < 6; c++)
    for (int pass = 0; pass < 2; pass++)
      for (int b = 0; b <= c; b++) {
        double dot = 0;
        for (int i = 0; i < n; i++) dot += out[6 * i + b] * out[6 * i + c];
        for (int i = 0; i < n; i++)
          out[6 * i + c] = b < c ? out[6 * i + c] - dot * out[6 * i + b] : out[6 * i + c] / sqrt(dot);
      }
}

// Takes the resultants from loads: round-off, or that of the digits of a file.
static void balance_loads(int n, const double *rigid, int some, double *f) {
  double part[6 * LOADS];
  reduction_products(n, rigid, 6, f, some, part);
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 6; c++)
      reduction_subtract(&f[(size_t)i * (size_t)some], &part[c * some], rigid[6 * i + c], some);
}

// Displacements x of the elements or bars under loads f, which are in equilibrium. The factor is of K + shift M: what is
// left is corrected until it is round-off.
static const char *solve_loads(ReductionWork *aux, size_t n, int some, const double *f, double *x, double *r,
                               double *y) {
  double most = 0, before = INFINITY;
  memset(x, 0, n * sizeof *x), memcpy(r, f, n * sizeof *r);
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(f[i]));
  for (int pass = 0; pass < MOST_PASSES; pass++) {
    double left = 0;
    sparse_solve(&aux->factor, r, some);
    for (size_t i = 0; i < n; i++) x[i] += r[i];
    reduction_stiffness_times(aux, x, some, y);
    for (size_t i = 0; i < n; i++) r[i] = f[i] - y[i], left = fmax(left, fabs(r[i]));
    if (left <= 1e-12 * most || (left > 0.5 * before && left <= 1e-6 * most)) return NULL;
    before = left;
  }
  return "no stresses were found that carry the loads of its modes: its nodes are not held to each other in space";
}

// S_A of all modes from the forces of the bars between nodes with displacements `field`.
static bool bar_forms(ReductionWork *w, const ReductionMatrices *bars, const double *q, int points, int rows,
                      const double *field, double *form) {
  const ReductionMesh *m = w->m;
  size_t n = (size_t)points;
  double *force = reduction_numbers(w, (size_t)m->nodes, rows), *sum = reduction_numbers(w, (size_t)rows, points);
  double *own = reduction_numbers(w, 1, rows), *s = reduction_numbers(w, (size_t)rows, points * points);
  if (w->failed) return false; // force: of each node, the sum over the pairs before
  for (int i = 0; i < m->nodes; i++) {
    const double *qi = &q[(size_t)i * REDUCED_POINTS];
    double *all = &force[(size_t)i * (size_t)rows];
    memset(sum, 0, (size_t)rows * n * sizeof *sum);
    for (int p = bars->start[i] + 1; p < bars->start[i + 1]; p++) {
      int j = bars->other[p];
      double x[3], length = 0;
      vec3_to(vec3_sub(m->at[j], m->at[i]), x);
      for (int d = 0; d < 3; d++) length += x[d] * x[d];
      const double *block = &bars->stiffness[9 * (size_t)p];
      double along = length > 0 ? -(block[0] + block[4] + block[8]) / length : 0;
      memset(own, 0, (size_t)rows * sizeof *own);
      for (int d = 0; d < 3; d++) {
        reduction_subtract(own, &field[(size_t)(3 * j + d) * (size_t)rows], -along * x[d], rows);
        reduction_subtract(own, &field[(size_t)(3 * i + d) * (size_t)rows], along * x[d], rows);
      }
      for (int c = 0; c < rows; c++) {
        all[c] += own[c], force[(size_t)j * (size_t)rows + (size_t)c] += own[c];
        reduction_subtract(&sum[(size_t)c * n], &q[(size_t)j * REDUCED_POINTS], own[c], points);
      }
    }
    for (int c = 0; c < rows; c++) {
      double *row = &sum[(size_t)c * n];
      reduction_subtract(row, qi, -0.5 * all[c], points);
      for (int a = 0; a < points; a++) reduction_subtract(&s[((size_t)c * n + (size_t)a) * n], row, -qi[a], points);
    }
  }
  for (int c = 0; c < rows; c++) // e = 1/2 sum t |y_ij|^2
    for (size_t a = 1; a < n; a++)
      for (size_t b = a; b < n; b++) {
        const double *of = &s[(size_t)c * n * n];
        *form++ = (a == b ? 0.5 : 1) * (of[a * n + b] + of[b * n + a]);
      }
  return true;
}

const char *matrices_forms(ReductionWork *w, const double *q, int points, const double *mode, const double *stiffness,
                           double *work, double *form) {
  const ReductionMesh *m = w->m;
  int rows = 3 * points - 6;
  ReductionMatrices bars;
  ReductionMesh of = *m, loaded = *m;
  ReductionWork aux = {.m = &of, .memory = w->memory}, free = {.m = &loaded, .memory = w->memory};
  of.interfaces = loaded.interfaces = 0, of.matrices = m->elements ? NULL : &bars;
  if (!m->elements && !make_bars(w, &bars)) return reduction_no_memory;
  double own = 0;
  const char *wrong = reduction_prepare(&aux, LIMIT_REDUCED_WORK - *work, &own);
  *work += own;
  if (wrong) return wrong;
  size_t n = 3 * (size_t)m->nodes;
  double *field = reduction_numbers(w, n, rows), *u = reduction_numbers(w, n, LOADS),
         *f = reduction_numbers(w, n, LOADS);
  double *r = reduction_numbers(w, n, LOADS), *y = reduction_numbers(w, n, LOADS), *rigid = reduction_numbers(w, n, 6);
  if (w->failed) return reduction_no_memory;
  rigid_motions(m, rigid);
  free.interface = aux.interface, free.place = aux.place, free.n = aux.n;
  for (int from = 0; from < rows && !wrong; from += LOADS) {
    int some = rows - from < LOADS ? rows - from : LOADS;
    make_loads(&free, q, points, mode, stiffness, from, some, u, f);
    balance_loads((int)n, rigid, some, f);
    wrong = solve_loads(&aux, n * (size_t)some, some, f, u, r, y);
    for (size_t i = 0; i < n; i++)
      memcpy(&field[i * (size_t)rows + (size_t)from], &u[i * (size_t)some], (size_t)some * sizeof *u);
  }
  if (wrong) return wrong;
  bool made = m->elements ? reduction_forms(&aux, q, points, mode, stiffness, field, form)
                          : bar_forms(w, &bars, q, points, rows, field, form);
  return made ? NULL : reduction_no_memory;
}
