// SPDX-License-Identifier: Apache-2.0
// Finds left vectors. If K and D are symmetric, P(lambda)^T = P(lambda): y is the conjugate of x. Without dampers
// P(lambda)^H = P(-conj lambda): y is the right vector of that eigenvalue, which is lambda itself if nothing grows.
#include "analyses/modes/modes.h"

#include <petscblaslapack.h>

bool pencil_mirrors(const Pencil *p) { return p->symmetric && (p->even || p->gyroscopic); }

// The mode of -conj(lambda); -1: it was not found.
static int find_mirrored(int count, const Mode *mode, int i) {
  int best = -1;
  double least = 1e-4 * hypot(mode[i].re, mode[i].im);
  for (int j = 0; j < count; j++) {
    double distance = hypot(mode[j].re + mode[i].re, mode[j].im - mode[i].im);
    if (mode[j].is_real == mode[i].is_real && (distance < least || (j == i && distance <= least)))
      best = j, least = distance;
  }
  return best;
}

static PetscErrorCode TakeMirrored(const Pencil *p, int count, Mode *mode) {
  PetscFunctionBegin;
  for (int i = 0; i < count; i++) {
    int from = p->even ? i : find_mirrored(count, mode, i);
    for (int part = 0; part < 2 && from >= 0; part++) {
      if (!mode[from].right[part]) continue;
      PetscCall(VecDuplicate(mode[from].right[part], &mode[i].left[part]));
      PetscCall(VecCopy(mode[from].right[part], mode[i].left[part]));
      if (part == 1 && p->even) PetscCall(VecScale(mode[i].left[part], -1));
    }
  }
  PetscFunctionReturn(0);
}

// y^H (2 lambda M + D) x
static PetscErrorCode Pairing(const Pencil *p, const Vec y[2], const Mode *x, double out[2]) {
  double m[2], d[2] = {0, 0};
  PetscFunctionBegin;
  PetscCall(ModesComplexProduct(p->m, y, x->right, m));
  if (p->d) PetscCall(ModesComplexProduct(p->d, y, x->right, d));
  out[0] = 2 * (x->re * m[0] - x->im * m[1]) + d[0];
  out[1] = 2 * (x->re * m[1] + x->im * m[0]) + d[1];
  PetscFunctionReturn(0);
}

// Solves the complex g c = I, of size n, by columns; as a real system of twice the size.
static PetscErrorCode InvertComplex(int n, const double (*g)[2], double (*c)[2], bool *good) {
  PetscBLASInt two = 2 * n, columns = n, info, *pivot;
  double *a, *b;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(two * two, &a, two * n, &b, two, &pivot));
  PetscCall(PetscArrayzero(b, two * n));
  for (int j = 0; j < n; j++) {
    b[j + two * j] = 1;
    for (int i = 0; i < n; i++) {
      a[i + two * j] = a[n + i + two * (n + j)] = g[i + n * j][0];
      a[n + i + two * j] = g[i + n * j][1], a[i + two * (n + j)] = -g[i + n * j][1];
    }
  }
  LAPACKgesv_(&two, &columns, a, &two, pivot, b, &two, &info);
  *good = info == 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) c[i + n * j][0] = b[i + two * j], c[i + n * j][1] = b[n + i + two * j];
  PetscCall(PetscFree3(a, b, pivot));
  PetscFunctionReturn(0);
}

// With G = Y^H (2 lambda M + D) X, Y becomes Y G^-H.
static PetscErrorCode Orthonormalise(const Pencil *p, int n, Mode *mode) {
  double(*g)[2], (*c)[2];
  Vec(*y)[2];
  bool good = false;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(n * n, &g, n * n, &c, n, &y));
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) PetscCall(Pairing(p, mode[i].left, &mode[j], g[i + n * j]));
  PetscCall(InvertComplex(n, (const double(*)[2])g, c, &good));
  for (int i = 0; i < n && good; i++)
    for (int part = 0; part < 2; part++) {
      y[i][part] = NULL;
      if (!mode[0].left[part]) continue;
      PetscCall(VecDuplicate(mode[0].left[0], &y[i][part]));
      PetscCall(VecZeroEntries(y[i][part]));
      for (int j = 0; j < n; j++) { // y_i = sum_j conj(c_ij) y_j
        const double *f = c[i + n * j];
        PetscCall(VecAXPY(y[i][part], f[0], mode[j].left[part]));
        if (mode[j].left[1]) PetscCall(VecAXPY(y[i][part], part == 0 ? f[1] : -f[1], mode[j].left[1 - part]));
      }
    }
  for (int i = 0; i < n && good; i++)
    for (int part = 0; part < 2; part++) {
      PetscCall(VecDestroy(&mode[i].left[part]));
      mode[i].left[part] = y[i][part];
    }
  PetscCall(PetscFree3(g, c, y));
  PetscFunctionReturn(0);
}

PetscErrorCode ModesTakeLeft(int count, Mode *mode, ModeList *left) {
  PetscFunctionBegin;
  for (int i = 0; i < count; i++) {
    int best = -1;
    for (int j = 0; j < left->count; j++) {
      Mode *y = &left->mode[j];
      if (!y->right[0] || y->is_real != mode[i].is_real) continue;
      if (best < 0 || hypot(y->re - mode[i].re, y->im - mode[i].im) <
                          hypot(left->mode[best].re - mode[i].re, left->mode[best].im - mode[i].im))
        best = j;
    }
    if (best < 0) continue;
    for (int part = 0; part < 2; part++) {
      mode[i].left[part] = left->mode[best].right[part];
      left->mode[best].right[part] = NULL;
    }
    if (mode[i].left[1]) PetscCall(VecScale(mode[i].left[1], -1)); // y^T P = 0: y^H is that of the conjugate
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ModesPair(const Pencil *p, int count, Mode *mode) {
  PetscFunctionBegin;
  if (pencil_mirrors(p)) PetscCall(TakeMirrored(p, count, mode));
  for (int i = 0, n; i < count; i += n) {
    int have = 0;
    n = modes_multiplicity(count - i, mode + i);
    while (have < n && mode[i + have].left[0]) have++;
    if (have > 0) PetscCall(Orthonormalise(p, have, mode + i));
  }
  PetscFunctionReturn(0);
}
