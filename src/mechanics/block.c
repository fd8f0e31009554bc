// SPDX-License-Identifier: Apache-2.0
// With u(t) = u0 + (u1 - u0) t / dt the state at dt is F x + G0 u0 + G1 (u1 - u0), where F, G0, G1 are the first
// rows of
//   exp [A dt, B dt, 0; 0, 0, I; 0, 0, 0],
// by Taylor's series of the matrix over 2^k, squared k times [C. F. Van Loan, IEEE Trans. Automat. Contr. 23 (1978)
// 395].
#include "mechanics/block.h"

#include <math.h>
#include <string.h>

enum { MOST = BLOCK_ORDER + 2 * BLOCK_INPUTS, TERMS = 18, MOST_SQUARINGS = 60 };

int linear_work(int n, int m) { return 1 + n * (n + 2 * m); }

static void multiply_matrices(int n, const double *a, const double *b, double *out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      out[i * n + j] = sum;
    }
}

// exp m, in the place of m.
static void exponentiate_matrix(int n, double *m) {
  double sum[MOST * MOST], term[MOST * MOST], next[MOST * MOST], norm = 0;
  int squarings = 0;
  for (int i = 0; i < n; i++) {
    double row = 0;
    for (int j = 0; j < n; j++) row += fabs(m[i * n + j]);
    norm = fmax(norm, row);
  }
  while (norm > 0.5 && squarings < MOST_SQUARINGS) norm *= 0.5, squarings++;
  for (int i = 0; i < n * n; i++) m[i] = ldexp(m[i], -squarings), sum[i] = term[i] = i % (n + 1) == 0;
  for (int k = 1; k <= TERMS; k++) {
    multiply_matrices(n, term, m, next);
    for (int i = 0; i < n * n; i++) term[i] = next[i] / k, sum[i] += term[i];
  }
  for (int k = 0; k < squarings; k++) {
    multiply_matrices(n, sum, sum, next);
    memcpy(sum, next, (size_t)(n * n) * sizeof *sum);
  }
  memcpy(m, sum, (size_t)(n * n) * sizeof *sum);
}

// F, G0 and G1 beside each other, n rows.
static void discretise_system(const LinearSystem *s, double dt, double *out) {
  double m[MOST * MOST] = {0};
  int n = s->n, size = n + 2 * s->m, width = size;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) m[i * size + j] = s->a[i * n + j] * dt;
    for (int j = 0; j < s->m; j++) m[i * size + n + j] = s->b[i * s->m + j] * dt;
  }
  for (int j = 0; j < s->m; j++) m[(n + j) * size + n + s->m + j] = 1;
  exponentiate_matrix(size, m);
  memcpy(out, m, (size_t)(n * width) * sizeof *out);
}

void linear_step(const LinearSystem *s, const BlockStep *t, double *work, double *state, double *out) {
  double x[BLOCK_ORDER];
  int n = s->n, width = n + 2 * s->m;
  if (t->dt > 0 && n) {
    if (work[0] != t->dt) discretise_system(s, t->dt, work + 1), work[0] = t->dt;
    for (int i = 0; i < n; i++) {
      const double *row = work + 1 + i * width;
      x[i] = 0;
      for (int j = 0; j < n; j++) x[i] += row[j] * state[j];
      for (int j = 0; j < s->m; j++) x[i] += row[n + j] * t->last[j];
      for (int j = 0; j < s->m && !t->held; j++) x[i] += row[n + s->m + j] * (t->in[j] - t->last[j]);
    }
    memcpy(state, x, (size_t)n * sizeof *x);
  }
  for (int i = 0; i < s->p; i++) {
    out[i] = 0;
    for (int j = 0; j < n; j++) out[i] += s->c[i * n + j] * state[j];
    for (int j = 0; j < s->m && !t->held; j++) out[i] += s->d[i * s->m + j] * t->in[j];
  }
}

// y = (b0 s^n + ... + bn) / (s^n + a1 s^(n-1) + ... + an) u: x1' = x2, ..., xn' = u - an x1 - ... - a1 xn, D = b0.
void linear_transfer_function(int numerator, const double *num, int denominator, const double *den, LinearSystem *s) {
  int n = denominator - 1;
  double b[BLOCK_ORDER + 1] = {0};
  s->n = n, s->m = s->p = 1;
  for (int i = 0; i < numerator; i++) b[n - (numerator - 1) + i] = num[i] / den[0]; // falling powers
  memset(s->a, 0, sizeof s->a), memset(s->b, 0, sizeof s->b);
  s->d[0] = b[0];
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) s->a[i * n + i + 1] = 1;
    s->a[(n - 1) * n + i] = -den[n - i] / den[0];
    s->c[i] = b[n - i] - b[0] * den[n - i] / den[0];
  }
  if (n) s->b[n - 1] = 1;
}
