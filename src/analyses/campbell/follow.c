// SPDX-License-Identifier: Apache-2.0
// Finds which modes of one point continue the branches of the point before.
#include "analyses/campbell/campbell.h"

#include <complex.h>

static double complex conjugate_if(bool conjugate, double complex a) { return conjugate ? conj(a) : a; }
static double complex lambda_of(const Mode *m) { return m->re + m->im * I; }

// y^H z of complex vectors, as real and imaginary parts; z may be conjugated
static PetscErrorCode MultiplyVectors(const Vec y[2], const Vec z[2], bool conjugate, double complex *out) {
  double part[2][2] = {{0}};
  PetscFunctionBegin;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      if (y[i] && z[j]) PetscCall(VecDot(y[i], z[j], &part[i][j]));
  double sign = conjugate ? -1 : 1;
  *out = part[0][0] + sign * part[1][1] + (sign * part[0][1] - part[1][0]) * I;
  PetscFunctionReturn(0);
}

// The left vector of a mode, to be scaled: for an undamped mode, its right vector over twice the conjugate of lambda.
static const Vec *left_of(const Mode *m, double *scale) {
  *scale = m->left[0] ? 1 : 0.5 / hypot(m->re, m->im);
  return m->left[0] ? m->left : m->right;
}

typedef struct { // M x and D x of the modes of a point
  int count;
  Vec (*m)[2], (*d)[2];
} Products;

static PetscErrorCode ProductsCreate(const Pencil *p, int count, const Mode *mode, Products *out) {
  PetscFunctionBegin;
  out->count = count;
  PetscCall(PetscCalloc2(count, &out->m, count, &out->d));
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 2; k++) {
      if (!mode[i].right[k]) continue;
      PetscCall(VecDuplicate(mode[i].right[k], &out->m[i][k]));
      PetscCall(MatMult(p->m, mode[i].right[k], out->m[i][k]));
      if (!p->d) continue;
      PetscCall(VecDuplicate(mode[i].right[k], &out->d[i][k]));
      PetscCall(MatMult(p->d, mode[i].right[k], out->d[i][k]));
    }
  PetscFunctionReturn(0);
}

static PetscErrorCode ProductsDestroy(Products *q) {
  PetscFunctionBegin;
  for (int i = 0; i < q->count; i++)
    for (int k = 0; k < 2; k++) {
      PetscCall(VecDestroy(&q->m[i][k]));
      PetscCall(VecDestroy(&q->d[i][k]));
    }
  PetscCall(PetscFree2(q->m, q->d));
  PetscFunctionReturn(0);
}

// |y^H (sum M + D) x|; x may be conjugated
static PetscErrorCode Pairing(const Mode *y, const Products *x, int j, bool conjugate, double complex sum,
                              double *out) {
  double scale;
  const Vec *left = left_of(y, &scale);
  double complex m, d = 0;
  PetscFunctionBegin;
  PetscCall(MultiplyVectors(left, x->m[j], conjugate, &m));
  if (x->d[j][0]) PetscCall(MultiplyVectors(left, x->d[j], conjugate, &d));
  *out = scale * cabs(sum * m + d);
  PetscFunctionReturn(0);
}

// S of mode i of a and mode j of b, or its conjugate.
static PetscErrorCode Correlate(const Mode *a, const Products *of_a, int i, const Mode *b, const Products *of_b, int j,
                                bool conjugate, double *s) {
  double complex sum = lambda_of(&a[i]) + conjugate_if(conjugate, lambda_of(&b[j]));
  double one, two;
  PetscFunctionBegin;
  PetscCall(Pairing(&a[i], of_b, j, conjugate, sum, &one));
  // with y_j conjugated: the conjugate of y_j^H A x_i
  PetscCall(Pairing(&b[j], of_a, i, conjugate, conjugate_if(conjugate, sum), &two));
  *s = PetscSqrtReal(one * two);
  PetscFunctionReturn(0);
}

// Sums S^2 over the modes of either point that share the eigenvalue, because vectors are arbitrary among those.
static bool is_certain(const Modes *a, const Modes *b, int i, int j, const double *s) {
  double of_a = 0, of_b = 0;
  for (int k = 0; k < a->count; k++)
    if (modes_are_equal(&a->mode[i], &a->mode[k])) of_a += s[k * b->count + j] * s[k * b->count + j];
  for (int k = 0; k < b->count; k++)
    if (modes_are_equal(&b->mode[j], &b->mode[k])) of_b += s[i * b->count + k] * s[i * b->count + k];
  return of_a >= 0.64 || of_b >= 0.64;
}

// Values of S that differ by less count as equal. Otherwise round-off would decide where two modes turn into a growing
// and a decaying one, or back. The first mode then continues the first branch, not as its conjugate if that is equal,
// too.
static const double same_likeness = 1e-4;

static const double least_likeness = 0.3; // a smaller value is no match

// Two ways to continue a branch: with a mode, or with the conjugate of one.
static PetscErrorCode AssignBranches(const Modes *a, const Modes *b, const double *plain, const double *turned,
                                     int branches, const BranchPlace *from, BranchPlace *to) {
  int n = b->count, *pair;
  double *likeness;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(branches * 2 * n, &likeness, branches, &pair));
  for (int k = 0; k < branches; k++)
    for (int j = 0; j < n && from[k].mode >= 0; j++) {
      likeness[(k * n + j) * 2] = plain[from[k].mode * n + j];
      likeness[(k * n + j) * 2 + 1] = turned[from[k].mode * n + j];
    }
  modes_pair(branches, n, 2, likeness, least_likeness, same_likeness, pair);
  for (int k = 0; k < branches; k++) {
    int mode = pair[k] / 2, turn = pair[k] % 2;
    to[k] = (BranchPlace){.mode = -1};
    if (pair[k] < 0) continue;
    to[k] = (BranchPlace){mode, turn != from[k].conjugate, likeness[k * n * 2 + pair[k]],
                          is_certain(a, b, from[k].mode, mode, turn ? turned : plain)};
  }
  PetscCall(PetscFree2(likeness, pair));
  PetscFunctionReturn(0);
}

// ---- equal eigenvalues ----

// Makes x orthogonal to some vectors and of unit size, in the mass norm; `part`: the fraction of x that was left.
static PetscErrorCode Orthonormalise(Mat m, int count, const Vec *v, Vec x, double *part) {
  double before[2], after[2], c[2];
  PetscFunctionBegin;
  PetscCall(ModesComplexProduct(m, (const Vec[2]){x}, (const Vec[2]){x}, before));
  for (int i = 0; i < 2 * count; i++) {
    PetscCall(ModesComplexProduct(m, (const Vec[2]){v[i % count]}, (const Vec[2]){x}, c));
    PetscCall(VecAXPY(x, -c[0], v[i % count]));
  }
  PetscCall(ModesComplexProduct(m, (const Vec[2]){x}, (const Vec[2]){x}, after));
  *part = before[0] > 0 ? PetscSqrtReal(PetscMax(0, after[0] / before[0])) : 0;
  if (after[0] > 0) PetscCall(VecScale(x, 1 / PetscSqrtReal(after[0])));
  PetscFunctionReturn(0);
}

// Real modes `first` to `first + n - 1` of b share an eigenvalue: branches that arrive there separately continue as
// their projections onto the space of these modes.
static PetscErrorCode AlignEqual(const Modes *a, Modes *b, int first, int n, int branches, const BranchPlace *from,
                                 BranchPlace *to) {
  Mat m = b->pencil.m;
  Vec *v;
  int found = 0;
  double part;
  PetscFunctionBegin;
  PetscCall(VecDuplicateVecs(b->mode[first].right[0], n, &v));
  for (int k = 0; k < branches && found < n; k++) {
    if (to[k].mode < first || to[k].mode >= first + n || from[k].mode < 0 || !a->mode[from[k].mode].is_real) continue;
    PetscCall(VecZeroEntries(v[found]));
    for (int l = 0; l < n; l++) {
      double c[2];
      PetscCall(ModesComplexProduct(m, b->mode[first + l].right, a->mode[from[k].mode].right, c));
      PetscCall(VecAXPY(v[found], c[0], b->mode[first + l].right[0]));
    }
    PetscCall(Orthonormalise(m, found, v, v[found], &part));
    if (part > 0.3) to[k].mode = first + found++;
  }
  for (int l = 0; l < n && found < n; l++) { // the rest of the space
    PetscCall(VecCopy(b->mode[first + l].right[0], v[found]));
    PetscCall(Orthonormalise(m, found, v, v[found], &part));
    if (part > 1e-3) found++;
  }
  for (int l = 0; l < n && found == n; l++) PetscCall(VecCopy(v[l], b->mode[first + l].right[0]));
  PetscCall(VecDestroyVecs(n, &v));
  PetscFunctionReturn(0);
}

static PetscErrorCode AlignBranches(const Modes *a, Modes *b, int branches, const BranchPlace *from, BranchPlace *to) {
  PetscFunctionBegin;
  for (int first = 0, n; first < b->count; first += n) {
    n = 1;
    while (first + n < b->count && modes_are_equal(&b->mode[first], &b->mode[first + n])) n++;
    bool parted = true; // no two of them shared an eigenvalue before
    for (int k = 0; k < branches; k++)
      for (int l = 0; l < k; l++)
        if (to[k].mode >= first && to[k].mode < first + n && to[l].mode >= first && to[l].mode < first + n)
          parted = parted && !modes_are_equal(&a->mode[from[k].mode], &a->mode[from[l].mode]);
    bool real = b->mode[first].is_real && !b->mode[first].left[0];
    if (n > 1 && parted && real) PetscCall(AlignEqual(a, b, first, n, branches, from, to));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode CampbellFollow(const CampbellPoint *a, const CampbellPoint *b, int branches, const BranchPlace *from,
                              BranchPlace *to, int *other) {
  const Modes *ma = a->a.modes;
  Modes *mb = b->a.modes;
  Products of_a, of_b;
  double *plain, *turned;
  PetscFunctionBegin;
  PetscCall(ProductsCreate(&mb->pencil, ma->count, ma->mode, &of_a));
  PetscCall(ProductsCreate(&mb->pencil, mb->count, mb->mode, &of_b));
  PetscCall(PetscCalloc2(ma->count * mb->count, &plain, ma->count * mb->count, &turned));
  for (int i = 0; i < ma->count; i++)
    for (int j = 0; j < mb->count; j++) {
      PetscCall(Correlate(ma->mode, &of_a, i, mb->mode, &of_b, j, false, &plain[i * mb->count + j]));
      PetscCall(Correlate(ma->mode, &of_a, i, mb->mode, &of_b, j, true, &turned[i * mb->count + j]));
    }
  PetscCall(AssignBranches(ma, mb, plain, turned, branches, from, to));
  for (int k = 0; k < branches; k++) {
    double most = 0.2;
    other[k] = -1;
    for (int l = 0; l < branches; l++) {
      if (l == k || from[k].mode < 0 || to[l].mode < 0 || to[k].mode < 0) continue;
      if (modes_are_equal(&mb->mode[to[k].mode], &mb->mode[to[l].mode]) ||
          modes_are_equal(&ma->mode[from[k].mode], &ma->mode[from[l].mode]))
        continue;
      double s = plain[from[k].mode * mb->count + to[l].mode];
      if (s > most) most = s, other[k] = l;
    }
  }
  PetscCall(AlignBranches(ma, mb, branches, from, to));
  PetscCall(PetscFree2(plain, turned));
  PetscCall(ProductsDestroy(&of_a));
  PetscCall(ProductsDestroy(&of_b));
  PetscFunctionReturn(0);
}

void campbell_lambda(const CampbellPoint *point, const BranchPlace *at, double lambda[2]) {
  const Mode *m = &point->a.modes->mode[at->mode];
  lambda[0] = m->re, lambda[1] = at->conjugate ? -m->im : m->im;
}
