// SPDX-License-Identifier: Apache-2.0
#include "mechanics/dense.h"

#include <float.h>
#include <math.h>

// a becomes q^T a q, tridiagonal with the diagonal d, and e above it, by Householder's reflections, the last row first; v
// becomes q^T.
static void make_tridiagonal(int n, double *a, double *d, double *e, double *v) {
  for (int i = n - 1; i > 1; i--) { // reflects the first i unknowns: x -= u (u.x)/size
    double *u = &a[i * n], length = 0, size = 0, w = 0;
    for (int k = 0; k < i; k++) length += u[k] * u[k];
    length = sqrt(length), e[i] = u[i - 1] < 0 ? length : -length;
    u[i - 1] -= e[i];
    for (int k = 0; k < i; k++) size += u[k] * u[k];
    size *= 0.5;
    d[i] = size;
    if (!(size > 0)) continue;
    for (int k = 0; k < i; k++) { // d: a u/size
      d[k] = 0;
      for (int j = 0; j < i; j++) d[k] += a[k * n + j] * u[j];
      d[k] /= size, w += d[k] * u[k];
    }
    w *= 0.5 / size;
    for (int k = 0; k < i; k++) d[k] -= w * u[k];
    for (int k = 0; k < i; k++)
      for (int j = 0; j < i; j++) a[k * n + j] -= d[k] * u[j] + u[k] * d[j];
  }
  if (n > 1) e[1] = a[n];
  for (int i = 0; i < n * n; i++) v[i] = i / n == i % n;
  for (int i = 2; i < n; i++) { // q^T: the reflections of the last rows come first
    const double *u = &a[i * n];
    for (int k = 0; k < i && d[i] > 0; k++) {
      double dot = 0;
      for (int j = 0; j < i; j++) dot += v[k * n + j] * u[j];
      for (int j = 0; j < i; j++) v[k * n + j] -= dot / d[i] * u[j];
    }
  }
  for (int i = 0; i < n; i++) d[i] = a[i * n + i], e[i] = i + 1 < n ? e[i + 1] : 0;
}

// A step of the implicit QL method from the rows `first` to `last` of a tridiagonal matrix; v is rotated with it.
static void shifted_step(int n, int first, int last, double *d, double *e, double *v) {
  double g = (d[first + 1] - d[first]) / (2 * e[first]), s = 1, c = 1, p = 0;
  g = d[last] - d[first] + e[first] / (g + copysign(hypot(g, 1), g));
  for (int i = last - 1; i >= first; i--) {
    double f = s * e[i], b = c * e[i], r = hypot(f, g);
    e[i + 1] = r;
    if (r == 0) {
      d[i + 1] -= p, e[last] = 0;
      return;
    }
    s = f / r, c = g / r, g = d[i + 1] - p;
    r = (d[i] - g) * s + 2 * c * b, p = s * r;
    d[i + 1] = g + p, g = c * r - b;
    double *restrict x = &v[i * n], *restrict y = &v[(i + 1) * n];
    for (int k = 0; k < n; k++) {
      double t = y[k];
      y[k] = s * x[k] + c * t, x[k] = c * x[k] - s * t;
    }
  }
  d[first] -= p, e[first] = g, e[last] = 0;
}

void dense_eigen(int n, double *a, double *value, double *v) {
  double size = 0, *e = a; // a place of its first row is free when it is set
  make_tridiagonal(n, a, value, e, v);
  for (int i = 0; i < n; i++) size = fmax(size, fabs(value[i]) + fabs(e[i]));
  for (int i = 0; i < n; i++)
    for (int step = 0; step < 60; step++) {
      int last = i;
      while (last + 1 < n &&
             fabs(e[last]) > DBL_EPSILON * (fabs(value[last]) + fabs(value[last + 1])) + 0.01 * DBL_EPSILON * size)
        last++;
      if (last == i) break;
      shifted_step(n, i, last, value, e, v);
    }
  for (int i = 0; i < n; i++) { // in order
    int least = i;
    for (int k = i + 1; k < n; k++)
      if (value[k] < value[least]) least = k;
    double swap = value[i];
    value[i] = value[least], value[least] = swap;
    for (int k = 0; k < n && least != i; k++)
      swap = v[i * n + k], v[i * n + k] = v[least * n + k], v[least * n + k] = swap;
  }
  for (int i = 0; i < n; i++)
    for (int k = i + 1; k < n; k++) {
      double swap = v[i * n + k];
      v[i * n + k] = v[k * n + i], v[k * n + i] = swap;
    }
}

bool dense_eigen_pair(int n, double *a, double *b, double *value, double *vector) {
  for (int i = 0; i < n; i++) // b = L L^T
    for (int j = 0; j <= i; j++) {
      double sum = b[i * n + j];
      for (int k = 0; k < j; k++) sum -= b[i * n + k] * b[j * n + k];
      if (i == j && !(sum > 0)) return false;
      b[i * n + j] = i == j ? sqrt(sum) : sum / b[j * n + j];
    }
  for (int side = 0; side < 2; side++) // L^-1 a L^-T: each side once, transposed in between
    for (int c = 0; c < n; c++)
      for (int i = 0; i < n; i++) {
        double *x = side ? &a[c * n + i] : &a[i * n + c], sum = *x;
        for (int k = 0; k < i; k++) sum -= b[i * n + k] * (side ? a[c * n + k] : a[k * n + c]);
        *x = sum / b[i * n + i];
      }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) a[i * n + j] = a[j * n + i] = 0.5 * (a[i * n + j] + a[j * n + i]);
  dense_eigen(n, a, value, vector);
  for (int c = 0; c < n; c++) // L^-T
    for (int i = n - 1; i >= 0; i--) {
      double sum = vector[i * n + c];
      for (int k = i + 1; k < n; k++) sum -= b[k * n + i] * vector[k * n + c];
      vector[i * n + c] = sum / b[i * n + i];
    }
  return true;
}
