// SPDX-License-Identifier: Apache-2.0
// Equal eigenvalues: which vectors stand for them, and left vectors to right ones.
#include "analyses/modes/modes.h"

#include <petscblaslapack.h>

static bool are_equal(const Mode *a, const Mode *b) {
  return hypot(a->re - b->re, a->im - b->im) <= 1e-7 * hypot(a->re, a->im);
}

// How many modes from the first on have its eigenvalue.
static int multiplicity(int count, const Mode *mode) {
  int n = 1;
  while (n < count && are_equal(&mode[0], &mode[n]) && mode[0].is_real == mode[n].is_real) n++;
  return n;
}

// Weights of displacements that are different for each axis and part of the model.
static PetscErrorCode PartWeights(const Pencil *p, Vec out) {
  static const double axis[3] = {1, 0.7, 0.45};
  const System *s = p->s;
  double *w;
  PetscFunctionBegin;
  PetscCall(PencilWeights(p, out));
  PetscCall(VecGetArray(out, &w));
  for (PetscInt i = 1; i < s->layout.nnode_own; i++) {
    double part = 1 + fmod(0.618 * (model_node(s->layout.model, s->layout.node[i])->component + 2), 1);
    for (int k = 0; k < 3 * node_blocks(model_node(s->layout.model, s->layout.node[i])->kind); k++) {
      PetscInt at = 3 * s->layout.node_block[i] + k;
      if (s->layout.node_block[i] >= 0) w[at] = k < 3 ? w[at] * w[at] * axis[k] * part : 0;
    }
  }
  PetscCall(VecRestoreArray(out, &w));
  PetscFunctionReturn(0);
}

// Turns n real vectors, orthonormal by mass, to the principal directions of the weighted displacements.
static PetscErrorCode SeparateReal(const Pencil *p, int n, Mode *mode) {
  PetscBLASInt size = n, work_size = 35 * n + 32, info;
  double *g, *value, *work;
  Vec w, wx, *x;
  PetscFunctionBegin;
  PetscCall(PetscMalloc4(n * n, &g, n, &value, work_size, &work, n, &x));
  PetscCall(VecDuplicate(mode[0].right[0], &w));
  PetscCall(VecDuplicate(w, &wx));
  PetscCall(PartWeights(p, w));
  for (int i = 0; i < n; i++) {
    PetscCall(VecPointwiseMult(wx, w, mode[i].right[0]));
    for (int j = 0; j < n; j++) PetscCall(VecDot(mode[j].right[0], wx, &g[j + n * i]));
  }
  LAPACKsyev_("V", "U", &size, g, &size, value, work, &work_size, &info);
  for (int i = 0; i < n && info == 0; i++) {
    PetscCall(VecDuplicate(w, &x[i]));
    PetscCall(VecZeroEntries(x[i]));
    for (int j = 0; j < n; j++) PetscCall(VecAXPY(x[i], g[j + n * (n - 1 - i)], mode[j].right[0]));
  }
  for (int i = 0; i < n && info == 0; i++) {
    PetscCall(VecDestroy(&mode[i].right[0]));
    mode[i].right[0] = x[i];
  }
  PetscCall(VecDestroy(&w));
  PetscCall(VecDestroy(&wx));
  PetscCall(PetscFree4(g, value, work, x));
  PetscFunctionReturn(0);
}

PetscErrorCode ModesSeparate(const Pencil *p, int count, Mode *mode) {
  PetscFunctionBegin;
  for (int i = 0, n; i < count; i += n) {
    n = multiplicity(count - i, mode + i);
    if (n > 1 && mode[i].is_real && !mode[i].left[0]) PetscCall(SeparateReal(p, n, mode + i));
  }
  PetscFunctionReturn(0);
}

// ---- left vectors ----

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
  for (int i = 0, n; i < count; i += n) {
    int have = 0;
    n = multiplicity(count - i, mode + i);
    while (have < n && mode[i + have].left[0]) have++;
    if (have > 0) PetscCall(Orthonormalise(p, have, mode + i));
  }
  PetscFunctionReturn(0);
}
