// SPDX-License-Identifier: Apache-2.0
// Krylov-Schur method (Stewart, 2002), for builds without SLEPc. With an orthonormal basis V and the next vector v,
//   S V = V H + v b^T,
// the Schur form H = Q T Q^T, largest eigenvalues first, gives S (V Q) = (V Q) T + v (Q^T b)^T. Leading vectors with a
// small entry of Q^T b have converged. The space restarts from the larger half, for which the relation still holds. For
// a symmetric operator T is diagonal: this is Lanczos with thick restart (Wu & Simon, 2000).
#include "solvers/krylov.h"

#include <petscblaslapack.h>

PetscErrorCode KrylovDestroy(KrylovResult *out) {
  PetscFunctionBegin;
  if (out->vector) PetscCall(VecDestroyVecs(out->count, &out->vector));
  PetscCall(PetscFree2(out->re, out->im));
  out->count = 0;
  PetscFunctionReturn(0);
}

#ifdef LIMBER_WITHOUT_SLEPC

extern void dgees_(const char *vectors, const char *sort, void *select, const PetscBLASInt *n, double *a,
                   const PetscBLASInt *lda, PetscBLASInt *sdim, double *re, double *im, double *q,
                   const PetscBLASInt *ldq, double *work, const PetscBLASInt *size, void *flags, PetscBLASInt *info);
extern void dtrexc_(const char *vectors, const PetscBLASInt *n, double *t, const PetscBLASInt *ldt, double *q,
                    const PetscBLASInt *ldq, PetscBLASInt *from, PetscBLASInt *to, double *work, PetscBLASInt *info);

typedef struct {
  const KrylovSearch *k;
  PetscBLASInt width, size; // largest and present number of vectors
  Vec *v, *other;           // width + 1 each; the second for V Q
  Vec image, product;       // work vectors
  double *h, *q, *b;        // stored by columns of length `width`
  double *re, *im, *work, *part;
  bool closed; // S maps the space into itself
} Space;

static PetscErrorCode CreateSpace(const KrylovSearch *k, Space *s) {
  PetscInt rows;
  PetscFunctionBegin;
  PetscCall(VecGetSize(k->start, &rows));
  PetscInt wanted = k->width ? k->width : PetscMax(2 * k->count, k->count + 15);
  *s = (Space){.k = k};
  PetscCall(PetscBLASIntCast(PetscMax(1, PetscMin(wanted, rows - k->known)), &s->width));
  PetscInt n = s->width;
  PetscCall(VecDuplicateVecs(k->start, n + 1, &s->v));
  PetscCall(VecDuplicateVecs(k->start, n + 1, &s->other));
  PetscCall(VecDuplicate(k->start, &s->image));
  PetscCall(VecDuplicate(k->start, &s->product));
  PetscCall(PetscCalloc3(n * n, &s->h, n * n, &s->q, n, &s->b));
  PetscCall(PetscMalloc4(n, &s->re, n, &s->im, 40 * n + 64, &s->work, n + k->known + 1, &s->part));
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroySpace(Space *s) {
  PetscFunctionBegin;
  PetscCall(VecDestroyVecs(s->width + 1, &s->v));
  PetscCall(VecDestroyVecs(s->width + 1, &s->other));
  PetscCall(VecDestroy(&s->image));
  PetscCall(VecDestroy(&s->product));
  PetscCall(PetscFree3(s->h, s->q, s->b));
  PetscCall(PetscFree4(s->re, s->im, s->work, s->part));
  PetscFunctionReturn(0);
}

// ---- vectors ----

// Returns mass times x, or x without a mass: its dot products are the inner product.
static PetscErrorCode Weigh(Space *s, Vec x, Vec *out) {
  PetscFunctionBegin;
  *out = x;
  if (s->k->mass) {
    PetscCall(MatMult(s->k->mass, x, s->product));
    *out = s->product;
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode Norm(Space *s, Vec x, double *norm) {
  Vec weighed;
  PetscScalar square;
  PetscFunctionBegin;
  PetscCall(Weigh(s, x, &weighed));
  PetscCall(VecDot(x, weighed, &square));
  *norm = PetscSqrtReal(PetscMax(0, square));
  PetscFunctionReturn(0);
}

static PetscErrorCode Apply(Space *s, Vec from, Vec to) {
  const KrylovSearch *k = s->k;
  PetscFunctionBegin;
  if (k->mass) PetscCall(MatMult(k->times, from, s->product));
  PetscCall(k->apply(k->self, k->mass ? s->product : from, to));
  PetscFunctionReturn(0);
}

// x -= sum_i part_i v_i; adds each part to `sum`.
static PetscErrorCode TakeOut(Space *s, PetscInt n, const Vec *v, Vec x, double *sum) {
  Vec weighed;
  PetscFunctionBegin;
  if (!n) PetscFunctionReturn(0);
  PetscCall(Weigh(s, x, &weighed));
  PetscCall(VecMDot(weighed, n, v, s->part));
  for (PetscInt i = 0; i < n; i++) {
    if (sum) sum[i] += s->part[i];
    s->part[i] = -s->part[i];
  }
  PetscCall(VecMAXPY(x, n, s->part, (Vec *)v));
  PetscFunctionReturn(0);
}

// Makes x orthogonal to the known vectors and to the first n vectors, and scales it to norm 1. `norm`: its norm before
// scaling. Twice is enough (Kahan & Parlett).
static PetscErrorCode Orthonormalise(Space *s, PetscInt n, Vec x, double *sum, double *norm) {
  double before;
  PetscFunctionBegin;
  PetscCall(Norm(s, x, &before));
  for (int again = 0; again < 2; again++) {
    PetscCall(TakeOut(s, s->k->known, s->k->known_vector, x, NULL));
    PetscCall(TakeOut(s, n, s->v, x, sum));
  }
  PetscCall(Norm(s, x, norm));
  s->closed = !(*norm > 10 * PETSC_MACHINE_EPSILON * before);
  if (!s->closed) PetscCall(VecScale(x, 1 / *norm));
  PetscFunctionReturn(0);
}

// Extends the space from `size` to `width` vectors, or until it is closed.
static PetscErrorCode Extend(Space *s) {
  double norm = 0;
  PetscBLASInt n = s->width;
  PetscFunctionBegin;
  while (s->size < n && !s->closed) {
    PetscBLASInt j = s->size++;
    PetscCall(Apply(s, s->v[j], s->image));
    PetscCall(Orthonormalise(s, j + 1, s->image, s->h + n * j, &norm));
    PetscCall(VecCopy(s->image, s->v[j + 1]));
    if (s->size < n) s->h[j + 1 + n * j] = norm;
  }
  for (PetscBLASInt i = 0; i < s->size; i++) s->b[i] = 0;
  s->b[s->size - 1] = s->closed ? 0 : norm;
  PetscFunctionReturn(0);
}

// ---- the Schur form ----

static double magnitude(const Space *s, PetscBLASInt i) { return hypot(s->re[i], s->im[i]); }

// Eigenvalues of the blocks of T.
static void read_values(Space *s) {
  PetscBLASInt n = s->width;
  for (PetscBLASInt i = 0; i < s->size; i++) {
    s->re[i] = s->h[i + n * i], s->im[i] = 0;
    if (i + 1 < s->size && s->h[i + 1 + n * i] != 0) { // 2 x 2 block: equal diagonal, off-diagonal of opposite sign
      s->im[i] = PetscSqrtReal(PetscAbsReal(s->h[i + 1 + n * i])) * PetscSqrtReal(PetscAbsReal(s->h[i + n * (i + 1)]));
      s->re[i + 1] = s->re[i], s->im[i + 1] = -s->im[i];
      i++;
    }
  }
}

static PetscErrorCode SchurOf(Space *s) {
  PetscBLASInt n = s->size, ld = s->width, info, most = 40 * s->width + 64, none = 0;
  PetscFunctionBegin;
  if (s->k->mass) {
    for (PetscBLASInt j = 0; j < n; j++)
      for (PetscBLASInt i = 0; i < n; i++) s->q[i + ld * j] = 0.5 * (s->h[i + ld * j] + s->h[j + ld * i]);
    LAPACKsyev_("V", "U", &n, s->q, &ld, s->re, s->work, &most, &info);
    PetscCall(PetscArrayzero(s->h, ld * ld));
    for (PetscBLASInt i = 0; i < n; i++) s->h[i + ld * i] = s->re[i];
  } else dgees_("V", "N", NULL, &n, s->h, &ld, &none, s->re, s->im, s->q, &ld, s->work, &most, NULL, &info);
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK finds no eigenvalues of a space (%d)", (int)info);
  read_values(s);
  PetscFunctionReturn(0);
}

static void exchange(double *a, double *b) {
  double c = *a;
  *a = *b, *b = c;
}

// Moves the block at `from` to `to`.
static PetscErrorCode Move(Space *s, PetscBLASInt from, PetscBLASInt to) {
  PetscBLASInt n = s->size, ld = s->width, one = from + 1, other = to + 1, info = 0;
  PetscFunctionBegin;
  if (from == to) PetscFunctionReturn(0);
  if (s->k->mass) {
    exchange(&s->h[from + ld * from], &s->h[to + ld * to]);
    for (PetscBLASInt i = 0; i < n; i++) exchange(&s->q[i + ld * from], &s->q[i + ld * to]);
  } else dtrexc_("V", &n, s->h, &ld, s->q, &ld, &one, &other, s->work, &info);
  read_values(s);
  PetscFunctionReturn(0);
}

// Sorts the largest eigenvalues first. Blocks that LAPACK cannot exchange are too close to matter.
static PetscErrorCode Sort(Space *s) {
  PetscFunctionBegin;
  for (PetscBLASInt at = 0; at < s->size; at += s->im[at] != 0 ? 2 : 1) {
    PetscBLASInt most = at;
    for (PetscBLASInt i = at; i < s->size; i += s->im[i] != 0 ? 2 : 1)
      if (magnitude(s, i) > (1 + 1e-14) * magnitude(s, most)) most = i;
    PetscCall(Move(s, most, at));
  }
  PetscFunctionReturn(0);
}

// Replaces b by Q^T b; returns how many leading eigenvalues have converged.
static int count_converged(Space *s) {
  PetscBLASInt n = s->size, ld = s->width;
  int count = 0;
  double last = s->b[n - 1];
  for (PetscBLASInt i = 0; i < n; i++) s->b[i] = last * s->q[n - 1 + ld * i];
  while (count < n) {
    int block = s->im[count] != 0 ? 2 : 1;
    double left = hypot(s->b[count], block == 2 ? s->b[count + 1] : 0);
    if (!(left <= s->k->tolerance * magnitude(s, count))) break;
    count += block;
  }
  return count;
}

// ---- restarts ----

// Replaces V by the first `keep` vectors of V Q.
static PetscErrorCode Rotate(Space *s, PetscBLASInt keep) {
  Vec *before = s->v;
  PetscFunctionBegin;
  for (PetscBLASInt i = 0; i < keep; i++) {
    PetscCall(VecZeroEntries(s->other[i]));
    PetscCall(VecMAXPY(s->other[i], s->size, s->q + s->width * i, s->v));
  }
  PetscCall(VecCopy(s->v[s->size], s->other[keep]));
  s->v = s->other, s->other = before;
  PetscFunctionReturn(0);
}

static PetscErrorCode Restart(Space *s, PetscBLASInt converged) {
  PetscBLASInt n = s->width, keep = converged + PetscMax(1, (s->size - converged) / 2);
  PetscFunctionBegin;
  keep = PetscMin(keep, s->size - 1);
  if (s->h[keep + n * (keep - 1)] != 0) keep += keep + 1 < n ? 1 : -1; // do not split a complex pair
  PetscCall(Rotate(s, keep));
  for (PetscBLASInt j = 0; j < n; j++)
    for (PetscBLASInt i = 0; i < n; i++)
      if (i >= keep || j >= keep) s->h[i + n * j] = i == keep && j < keep ? s->b[j] : 0;
  s->size = keep;
  PetscFunctionReturn(0);
}

// With a singular mass, vectors may have any component without mass; applying the operator removes it.
static PetscErrorCode TakeVectors(Space *s, int count, KrylovResult *out) {
  double norm;
  PetscFunctionBegin;
  PetscCall(Rotate(s, count));
  PetscCall(PetscMalloc2(count, &out->re, count, &out->im));
  PetscCall(VecDuplicateVecs(s->k->start, count, &out->vector));
  out->count = count;
  for (int i = 0; i < count; i++) {
    out->re[i] = s->re[i], out->im[i] = s->im[i];
    if (!s->k->mass || s->k->definite) PetscCall(VecCopy(s->v[i], out->vector[i]));
    else {
      PetscCall(Apply(s, s->v[i], out->vector[i]));
      PetscCall(Norm(s, out->vector[i], &norm));
      PetscCall(VecScale(out->vector[i], norm > 0 ? 1 / norm : 1));
    }
  }
  PetscFunctionReturn(0);
}

PetscErrorCode KrylovFind(const KrylovSearch *k, KrylovResult *out) {
  Space s;
  double norm;
  int converged = 0;
  PetscFunctionBegin;
  *out = (KrylovResult){0};
  PetscCall(CreateSpace(k, &s));
  PetscCall(VecCopy(k->start, s.v[0]));
  PetscCall(Orthonormalise(&s, 0, s.v[0], NULL, &norm));
  for (int restart = 0; restart < k->limit && s.size < s.width && !s.closed; restart++) {
    PetscCall(Extend(&s));
    PetscCall(SchurOf(&s));
    PetscCall(Sort(&s));
    converged = count_converged(&s);
    if (converged >= k->count || s.size < 3) break;
    if (restart + 1 < k->limit && !s.closed) PetscCall(Restart(&s, (PetscBLASInt)converged));
  }
  if (converged > 0) PetscCall(TakeVectors(&s, converged, out));
  PetscCall(DestroySpace(&s));
  PetscFunctionReturn(0);
}

#endif
