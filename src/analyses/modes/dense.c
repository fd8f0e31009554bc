// SPDX-License-Identifier: Apache-2.0
// All modes of a small model. With M = L L^T, a factor of each node, t = L^T x:
//   (K - shift M) x = (omega^2 - shift) L t   gives   T t = 1/(omega^2 - shift) t,   T = L^T (K - shift M)^-1 L,
// T is symmetric if K is, and infinite eigenvalues are zeros of T. With D or an unsymmetric K, the modes of the
// symmetric part of K and M are a basis of all motions that joints allow, in which the problem is small and regular. They
// are none where unknowns without mass have dampers, such as states of the air: then the columns of P^-1 (L, E) are
// (factors.h), and those of P^-T (L, E) a basis of left vectors. Singular vectors of L^T P^-1 L separate stiff motions
// from soft ones, so that round-off of the stiff ones does not hide the soft ones.
#include "analyses/modes/factors.h"

#include <petscblaslapack.h>

// Infinite eigenvalues appear in T as round-off of the largest; no finite one is far above the stiffest.
static double least_finite(const Pencil *p, double most) { return PetscMax(1e-4 / p->stiffest, 1e-11 * most); }

// ---- without D ----

static PetscErrorCode SolveSymmetric(const Pencil *p, const Factors *f, double *t, ModeList *out, bool *good) {
  PetscBLASInt n = (PetscBLASInt)f->count, info, size = 35 * n + 32;
  double *theta, *work, most = 0;
  Mode *mode;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(n, &theta, size, &work));
  for (PetscBLASInt i = 0; i < n; i++)
    for (PetscBLASInt j = 0; j < i; j++) t[i + n * j] = t[j + n * i] = 0.5 * (t[i + n * j] + t[j + n * i]);
  LAPACKsyev_("V", "U", &n, t, &n, theta, work, &size, &info);
  *good = info == 0;
  for (PetscBLASInt i = 0; i < n; i++) most = PetscMax(most, PetscAbsReal(theta[i]));
  for (PetscBLASInt i = 0; i < n && *good; i++) {
    if (!(PetscAbsReal(theta[i]) > least_finite(p, most))) continue;
    double square = p->shift + 1 / theta[i];
    PetscCall(
        ModeListAdd(out, p, square > 0 ? 0 : PetscSqrtReal(-square), square > 0 ? PetscSqrtReal(square) : 0, &mode));
    PetscCall(FactorsCombine(f, false, t + n * i, 1 / theta[i], mode->right[0]));
  }
  PetscCall(PetscFree2(theta, work));
  PetscFunctionReturn(0);
}

// ---- with D: bases ----

// Motions x and left vectors y that span all. The first `massive` ones have y^T M x = m, the others no mass.
typedef struct {
  PetscInt count, massive;
  double *m; // massive x massive, by columns
  Vec *x, *y;
} Bases;

static PetscErrorCode BasesDestroy(Bases *b) {
  PetscFunctionBegin;
  if (b->y && b->y != b->x) PetscCall(VecDestroyVecs(b->count, &b->y));
  if (b->x) PetscCall(VecDestroyVecs(b->count, &b->x));
  PetscCall(PetscFree(b->m));
  PetscFunctionReturn(0);
}

// Undamped modes, orthonormal in the mass, on both sides.
static PetscErrorCode TakeModes(const ModeList *list, Bases *out) {
  PetscFunctionBegin;
  out->count = out->massive = list->count;
  if (!list->count) PetscFunctionReturn(0);
  PetscCall(VecDuplicateVecs(list->mode[0].right[0], list->count, &out->x));
  PetscCall(PetscCalloc1(list->count * list->count, &out->m));
  for (PetscInt i = 0; i < list->count; i++) {
    PetscCall(VecCopy(list->mode[i].right[0], out->x[i]));
    out->m[i + list->count * i] = 1;
  }
  out->y = out->x;
  PetscFunctionReturn(0);
}

// A = U diag(s) V^T of the n x n part of A, whose columns are `lda` apart; `rank`: the number of s above `least`.
// Columns of U and V are n apart.
static PetscErrorCode Decompose(PetscBLASInt n, const double *a, PetscInt lda, double least, double *u, double *s,
                                double *v, PetscInt *rank) {
  PetscBLASInt size = 10 * n + 64, info;
  double *copy, *vt, *work;
  PetscFunctionBegin;
  *rank = 0;
  if (!n) PetscFunctionReturn(0);
  PetscCall(PetscMalloc3(n * n, &copy, n * n, &vt, size, &work));
  for (PetscBLASInt j = 0; j < n; j++) PetscCall(PetscArraycpy(copy + n * j, a + lda * j, n));
  LAPACKgesvd_("A", "A", &n, &n, copy, &n, s, u, &n, vt, &n, work, &size, &info);
  for (PetscBLASInt j = 0; j < n; j++)
    for (PetscBLASInt i = 0; i < n; i++) v[i + n * j] = vt[j + n * i];
  while (info == 0 && *rank < n && s[*rank] > least) (*rank)++;
  PetscCall(PetscFree3(copy, vt, work));
  PetscFunctionReturn(0);
}

// What the massive motions have of T = W^T x: removed from the rest, A = T_mm^+ T_md, C = T_dd - T_dm A. `t`: T, or its
// transpose; T_mm = U diag(s) V^T.
static void remove_massive(const Factors *f, bool transpose, const double *t, PetscInt rank, const double *u,
                           const double *s, const double *v, double *a, double *c) {
  PetscInt all = f->count, n = f->massive, d = all - n;
  const double *left = transpose ? v : u, *right = transpose ? u : v;
#define T(i, j) (transpose ? t[(j) + all * (i)] : t[(i) + all * (j)])
  PetscArrayzero(a, n * d);
  for (PetscInt j = 0; j < d; j++)
    for (PetscInt k = 0; k < rank; k++) {
      double part = 0;
      for (PetscInt i = 0; i < n; i++) part += left[i + n * k] * T(i, n + j);
      for (PetscInt i = 0; i < n; i++) a[i + n * j] += right[i + n * k] * part / s[k];
    }
  for (PetscInt j = 0; j < d; j++)
    for (PetscInt i = 0; i < d; i++) {
      c[i + d * j] = T(n + i, n + j);
      for (PetscInt k = 0; k < n; k++) c[i + d * j] -= T(n + i, k) * a[k + n * j];
    }
#undef T
}

// Vectors of one side: `v`/s of the massive columns; of the others, from which the massive part `a` is removed, `w`/z.
static PetscErrorCode CombineSide(const Factors *f, bool transpose, PetscInt rank, const double *v, const double *s,
                                  PetscInt damped, const double *a, const double *w, const double *z, Vec *out) {
  PetscInt n = f->massive, d = f->count - n;
  double *c;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(f->count, &c));
  for (PetscInt k = 0; k < rank + damped; k++) {
    PetscCall(PetscArrayzero(c, f->count));
    for (PetscInt i = 0; i < n && k < rank; i++) c[i] = v[i + n * k];
    for (PetscInt j = 0; j < d && k >= rank; j++) {
      double part = c[n + j] = w[j + d * (k - rank)];
      for (PetscInt i = 0; i < n; i++) c[i] -= a[i + n * j] * part;
    }
    PetscCall(FactorsCombine(f, transpose, c, 1 / (k < rank ? s[k] : z[k - rank]), out[k]));
  }
  PetscCall(PetscFree(c));
  PetscFunctionReturn(0);
}

// Bases from P^-1 (L, E) and P^-T (L, E). With T_mm = L^T P^-1 L = U S V^T the motions P^-1 L V S^-1 have the
// components L^T x = U, and P^-T L U S^-1 have V: m = V^T U.
static PetscErrorCode FindBases(Pencil *p, Bases *out, bool *good) {
  Factors f;
  double *t, *u, *s, *v, *a, *b, *c, *uu, *ss, *vv, most = 0;
  PetscInt massive, damped;
  PetscFunctionBegin;
  PetscCall(PencilFactor(p, 1e-3 * PetscSqrtReal(p->stiffest), false, good));
  if (!*good) PetscFunctionReturn(0);
  PetscCall(FactorsGather(p, true, &f));
  PetscInt n = f.massive, d = f.count - n;
  PetscCall(PetscMalloc7(f.count * f.count, &t, n * n, &u, n, &s, n * n, &v, n * d, &a, n * d, &b, d * d, &c));
  PetscCall(PetscMalloc3(d * d, &uu, d, &ss, d * d, &vv));
  PetscCall(FactorsSolve(p, &f, false, t));
  PetscCall(FactorsSolve(p, &f, true, NULL));
  for (PetscInt i = 0; i < f.count; i++) most = PetscMax(most, PetscAbsReal(t[i + f.count * i]));
  PetscCall(Decompose((PetscBLASInt)n, t, f.count, least_finite(p, 0), u, s, v, &massive));
  remove_massive(&f, true, t, massive, u, s, v, b, c);
  remove_massive(&f, false, t, massive, u, s, v, a, c);
  PetscCall(Decompose((PetscBLASInt)d, c, d, 1e-11 * most, uu, ss, vv, &damped));
  *out = (Bases){.count = massive + damped, .massive = massive};
  *good = massive > 0;
  if (*good) {
    PetscCall(VecDuplicateVecs(f.x[0], out->count, &out->x));
    PetscCall(VecDuplicateVecs(f.x[0], out->count, &out->y));
    PetscCall(CombineSide(&f, false, massive, v, s, damped, a, vv, ss, out->x));
    PetscCall(CombineSide(&f, true, massive, u, s, damped, b, uu, ss, out->y));
    PetscCall(PetscCalloc1(massive * massive, &out->m));
    for (PetscInt j = 0; j < massive; j++)
      for (PetscInt i = 0; i < massive; i++)
        for (PetscInt k = 0; k < n; k++) out->m[i + massive * j] += v[k + n * i] * u[k + n * j];
  }
  PetscCall(PetscFree7(t, u, s, v, a, b, c));
  PetscCall(PetscFree3(uu, ss, vv));
  PetscCall(FactorsDestroy(&f));
  PetscFunctionReturn(0);
}

// ---- with D: the reduced problem ----

// Y^T A X
static PetscErrorCode Reduce(const Bases *b, Mat a, double *out) {
  Vec work;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(b->x[0], &work));
  for (PetscInt i = 0; i < b->count; i++) {
    PetscCall(MatMult(a, b->x[i], work));
    PetscCall(VecMDot(work, b->count, b->y, out + b->count * i));
  }
  PetscCall(VecDestroy(&work));
  PetscFunctionReturn(0);
}

// sum_i c_i v_i
static PetscErrorCode Expand(PetscInt count, const Vec *v, const double *c, double sign, Vec out) {
  PetscFunctionBegin;
  PetscCall(VecZeroEntries(out));
  for (PetscInt i = 0; i < count; i++) PetscCall(VecAXPY(out, sign * c[i], v[i]));
  PetscFunctionReturn(0);
}

typedef struct {
  PetscBLASInt n, massive, *pivot;
  double shift, *k, *d, *p; // K and D; factors of P(shift)
} Reduced;

// The matrix of (x0, v0) -> (x, v),  v = shift x + x0 of what has mass,  P(shift) x = -(M v0 + (D + shift M) x0),  whose
// eigenvalues are 1/(lambda - shift): the low ones are accurate, however high the highest are. v is in units of shift.
static PetscErrorCode CreateInverse(const Bases *b, Reduced *r, double *out, bool *good) {
  PetscBLASInt n = r->n, m = r->massive, all = n + m, info;
  double shift = r->shift, *rhs;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(n * all, &rhs));
  for (PetscBLASInt j = 0; j < n; j++)
    for (PetscBLASInt i = 0; i < n; i++) {
      double mass = i < m && j < m ? b->m[i + m * j] : 0;
      r->p[i + n * j] = r->k[i + n * j] + shift * r->d[i + n * j] + shift * shift * mass;
      rhs[i + n * j] = -(r->d[i + n * j] + shift * mass);
      if (j < m) rhs[i + n * (n + j)] = -shift * mass;
    }
  LAPACKgetrf_(&n, &n, r->p, &n, r->pivot, &info);
  *good = info == 0;
  if (*good) LAPACKgetrs_("N", &n, &all, r->p, &n, r->pivot, rhs, &n, &info);
  for (PetscBLASInt j = 0; j < all; j++) {
    for (PetscBLASInt i = 0; i < n; i++) out[i + all * j] = rhs[i + n * j];
    for (PetscBLASInt i = 0; i < m; i++) out[n + i + all * j] = rhs[i + n * j] + (i == j ? 1 / shift : 0);
  }
  PetscCall(PetscFree(rhs));
  PetscFunctionReturn(0);
}

// A left vector q of that matrix becomes one of P: -P^-T (q_x + q_v).
static void take_left(const Reduced *r, const double *q, double *out) {
  PetscBLASInt one = 1, info;
  for (PetscBLASInt i = 0; i < r->n; i++) out[i] = -(q[i] + (i < r->massive ? q[r->n + i] : 0));
  LAPACKgetrs_("T", &r->n, &one, r->p, &r->n, r->pivot, out, &r->n, &info);
}

// Adds the mode of theta = 1/(lambda - shift). im of lambda has the other sign than that of theta: the mode is the
// conjugate of the vectors (re, im).
static PetscErrorCode AddReduced(const Pencil *p, const Bases *b, const Reduced *r, double re, double im,
                                 const double *right, const double *left, ModeList *out) {
  PetscInt all = r->n + r->massive;
  double size2 = re * re + im * im, *y;
  Mode *mode;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(r->n, &y));
  PetscCall(ModeListAdd(out, p, r->shift + re / size2, im / size2, &mode));
  mode->is_real = im == 0;
  for (int part = 0; part < (mode->is_real ? 1 : 2); part++) {
    if (part) PetscCall(VecDuplicate(b->x[0], &mode->right[1]));
    PetscCall(Expand(b->count, b->x, right + all * part, part ? -1 : 1, mode->right[part]));
    if (pencil_mirrors(p)) continue;
    PetscCall(VecDuplicate(b->x[0], &mode->left[part]));
    take_left(r, left + all * part, y);
    PetscCall(Expand(b->count, b->y, y, part ? -1 : 1, mode->left[part]));
  }
  PetscCall(PetscFree(y));
  PetscFunctionReturn(0);
}

// Modes of the reduced problem, expanded in the bases. `values` instead: theta alone, n + massive pairs.
static PetscErrorCode SolveReduced(const Pencil *p, const Bases *b, double shift, ModeList *out, double (*values)[2],
                                   bool *good) {
  const char *vectors = values ? "N" : "V";
  Reduced r = {.n = (PetscBLASInt)b->count, .massive = (PetscBLASInt)b->massive, .shift = shift};
  PetscBLASInt n = r.n, all = n + r.massive, info = 0, size = 16 * all + 64;
  double *s, *re, *im, *right, *left, *work;
  // eigenvalues without mass and damper are infinite and appear as round-off
  double least = b->count > b->massive ? 1e-2 / PetscSqrtReal(p->stiffest) : 0;
  PetscFunctionBegin;
  PetscCall(PetscMalloc4(n * n, &r.k, n * n, &r.d, n * n, &r.p, n, &r.pivot));
  PetscCall(PetscMalloc6(all * all, &s, size, &work, all, &re, all, &im, all * all, &right, all * all, &left));
  PetscCall(Reduce(b, p->k, r.k));
  if (p->d) PetscCall(Reduce(b, p->d, r.d));
  else PetscCall(PetscArrayzero(r.d, n * n));
  PetscCall(CreateInverse(b, &r, s, good));
  if (*good) LAPACKgeev_(vectors, vectors, &all, s, &all, re, im, left, &all, right, &all, work, &size, &info);
  *good = *good && info == 0;
  for (PetscBLASInt i = 0; i < all && values; i++) values[i][0] = re[i], values[i][1] = im[i];
  for (PetscBLASInt i = 0; i < all && *good && !values; i++)
    if (im[i] >= 0 && hypot(re[i], im[i]) > least)
      PetscCall(AddReduced(p, b, &r, re[i], im[i], right + all * i, left + all * i, out));
  PetscCall(PetscFree4(r.k, r.d, r.p, r.pivot));
  PetscCall(PetscFree6(s, work, re, im, right, left));
  PetscFunctionReturn(0);
}

// Below this fraction of the stiffest, lambda^2 counts as that of a rigid motion.
static const double rigid_part = 1e-13;

// The lowest frequency other than of rigid motions.
static double lowest(const Pencil *p, const ModeList *list) {
  double least = PETSC_INFINITY;
  for (int i = 0; i < list->count; i++) {
    double square = list->mode[i].im * list->mode[i].im + list->mode[i].re * list->mode[i].re;
    if (square > rigid_part * p->stiffest) least = PetscMin(least, square);
  }
  return PetscSqrtReal(least < PETSC_INFINITY ? least : p->stiffest);
}

static PetscErrorCode SolveAt(Pencil *p, double shift, ModeList *out, bool *good) {
  Factors f = {0};
  double *t;
  PetscFunctionBegin;
  PetscCall(PencilFactor(p, shift, true, good));
  if (!*good) PetscFunctionReturn(0);
  PetscCall(FactorsGather(p, false, &f));
  PetscCall(PetscMalloc1(f.count * f.count, &t));
  PetscCall(FactorsSolve(p, &f, false, t));
  PetscCall(SolveSymmetric(p, &f, t, out, good));
  PetscCall(FactorsDestroy(&f));
  PetscCall(PetscFree(t));
  PetscFunctionReturn(0);
}

// The shift is far below the stiffest, but large enough for rigid motions. If the lowest mode is much lower, a second
// shift near it is used.
static PetscErrorCode SolveTwice(Pencil *p, ModeList *out, bool *good) {
  double first;
  PetscFunctionBegin;
  PetscCall(SolveAt(p, -1e-6 * p->stiffest, out, good));
  if (!*good) PetscFunctionReturn(0);
  first = lowest(p, out);
  if (1e-6 * p->stiffest < 100 * first * first) PetscFunctionReturn(0);
  PetscCall(ModeListDestroy(out));
  PetscCall(SolveAt(p, -PENCIL_BESIDE * first * first, out, good));
  PetscFunctionReturn(0);
}

// Undamped modes of the symmetric part of K; the lowest is near |lambda|.
static PetscErrorCode FindUndamped(Pencil *p, ModeList *out, bool *good) {
  Pencil even = {.s = p->s, .m = p->m, .symmetric = true, .stiffest = p->stiffest};
  Mat transposed;
  PetscFunctionBegin;
  PetscCall(MatTranspose(p->k, MAT_INITIAL_MATRIX, &transposed));
  PetscCall(MatDuplicate(p->k, MAT_COPY_VALUES, &even.k));
  PetscCall(MatAXPY(even.k, 1, transposed, UNKNOWN_NONZERO_PATTERN));
  PetscCall(MatScale(even.k, 0.5));
  PetscCall(SolveAt(&even, -1e-6 * p->stiffest, out, good));
  PetscCall(MatDestroy(&transposed));
  even.m = NULL;
  PetscCall(PencilDestroy(&even));
  PetscFunctionReturn(0);
}

// The second shift is near the lowest |lambda| that the first one finds.
static PetscErrorCode SolveBases(Pencil *p, const Bases *b, ModeList *out, bool *good) {
  double(*theta)[2], least = PETSC_INFINITY;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(b->count + b->massive, &theta));
  PetscCall(SolveReduced(p, b, p->shift, NULL, theta, good));
  for (PetscInt i = 0; i < b->count + b->massive && *good; i++) {
    double size2 = PetscSqr(theta[i][0]) + PetscSqr(theta[i][1]);
    if (!(size2 > 0)) continue;
    double square = PetscSqr(p->shift + theta[i][0] / size2) + PetscSqr(theta[i][1] / size2);
    if (square > rigid_part * p->stiffest) least = PetscMin(least, square);
  }
  PetscCall(PetscFree(theta));
  if (!*good) PetscFunctionReturn(0);
  double shift = PENCIL_BESIDE * PetscSqrtReal(least < PETSC_INFINITY ? least : p->stiffest);
  PetscCall(PencilFactor(p, shift, false, good)); // for the residuals
  if (*good) PetscCall(SolveReduced(p, b, shift, out, NULL, good));
  PetscFunctionReturn(0);
}

PetscErrorCode ModesDense(Pencil *p, bool quadratic, ModeList *out, bool *good) {
  ModeList undamped = {0};
  Bases b = {0};
  PetscInt damped = 0;
  PetscFunctionBegin;
  if (!quadratic) {
    PetscCall(SolveTwice(p, out, good));
    PetscFunctionReturn(0);
  }
  PetscCall(PencilDampedMassless(p, NULL, &damped));
  if (damped) {
    PetscCall(FindBases(p, &b, good));
    if (*good) PetscCall(SolveBases(p, &b, out, good));
  } else {
    PetscCall(FindUndamped(p, &undamped, good));
    PetscCall(TakeModes(&undamped, &b));
    *good = *good && undamped.count > 0;
    double shift = PENCIL_BESIDE * lowest(p, &undamped);
    if (*good) PetscCall(PencilFactor(p, shift, false, good));
    if (*good) PetscCall(SolveReduced(p, &b, shift, out, NULL, good));
  }
  PetscCall(BasesDestroy(&b));
  PetscCall(ModeListDestroy(&undamped));
  PetscFunctionReturn(0);
}
