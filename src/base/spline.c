// SPDX-License-Identifier: Apache-2.0
// With h_i = u_i+1 - u_i, slopes d_i of the chords and second derivatives M_i:
//   h_i-1 M_i-1 + 2 (h_i-1 + h_i) M_i + h_i M_i+1 = 6 (d_i - d_i-1),  0 < i < n - 1,
// and at the ends M_0 = M_1 + h_0/h_1 (M_1 - M_2), likewise M_n-1, which go into the first and last row.
#include "base/spline.h"

static double chord_slope(const Spline *s, int i, int k) {
  return (s->y[(i + 1) * s->m + k] - s->y[i * s->m + k]) / (s->u[i + 1] - s->u[i]);
}

void spline_make(const Spline *s, double *work) {
  int n = s->n, m = s->m, last = n - 2;
  double *second = s->second;
  for (int i = 0; i < n * m; i++) second[i] = 0;
  if (n < 3) return;
  if (n == 3) {
    for (int k = 0; k < m; k++)
      second[k] = second[m + k] = second[2 * m + k] =
          2 * (chord_slope(s, 1, k) - chord_slope(s, 0, k)) / (s->u[2] - s->u[0]);
    return;
  }
  double first = (s->u[1] - s->u[0]) / (s->u[2] - s->u[1]),
         end = (s->u[n - 1] - s->u[n - 2]) / (s->u[n - 2] - s->u[n - 3]);
  for (int i = 1; i <= last; i++) { // work: what the row above leaves of the upper diagonal
    double a = s->u[i] - s->u[i - 1], b = s->u[i + 1] - s->u[i], lower = a, diagonal = 2 * (a + b), upper = b;
    if (i == 1) diagonal += a * (1 + first), upper -= a * first;
    if (i == last) diagonal += b * (1 + end), lower -= b * end;
    if (i > 1) diagonal -= lower * work[i - 1];
    work[i] = upper / diagonal;
    for (int k = 0; k < m; k++) {
      double right =
          6 * (chord_slope(s, i, k) - chord_slope(s, i - 1, k)) - (i > 1 ? lower * second[(i - 1) * m + k] : 0);
      second[i * m + k] = right / diagonal;
    }
  }
  for (int i = last - 1; i > 0; i--)
    for (int k = 0; k < m; k++) second[i * m + k] -= work[i] * second[(i + 1) * m + k];
  for (int k = 0; k < m; k++) {
    second[k] = second[m + k] + first * (second[m + k] - second[2 * m + k]);
    second[(n - 1) * m + k] = second[last * m + k] + end * (second[last * m + k] - second[(last - 1) * m + k]);
  }
}

int spline_interval(const Spline *s, const double *u, double x) {
  int lo = 0, hi = s->n - 1;
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (u[mid] <= x) lo = mid;
    else hi = mid;
  }
  return lo;
}

void spline_at(const Spline *s, int i, double x, double *value, double *slope) {
  double h = s->u[i + 1] - s->u[i], b = (x - s->u[i]) / h, a = 1 - b;
  for (int k = 0; k < s->m; k++) {
    double y0 = s->y[i * s->m + k], y1 = s->y[(i + 1) * s->m + k];
    double m0 = s->second[i * s->m + k], m1 = s->second[(i + 1) * s->m + k];
    value[k] = a * y0 + b * y1 + h * h / 6 * ((a * a * a - a) * m0 + (b * b * b - b) * m1);
    slope[k] = (y1 - y0) / h + h / 6 * ((1 - 3 * a * a) * m0 + (3 * b * b - 1) * m1);
  }
}
