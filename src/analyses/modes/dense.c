// SPDX-License-Identifier: Apache-2.0
// All modes of a small model. With M = L L^T, a factor of each node, t = L^T x:
//   (K - shift M) x = (omega^2 - shift) L t   gives   T t = 1/(omega^2 - shift) t,   T = L^T (K - shift M)^-1 L,
// T is symmetric if K is, and infinite eigenvalues are zeros of T. With D or an unsymmetric K, the modes of the
// symmetric part of K and M are a basis of all motions that joints allow, in which the problem is small and regular.
#include "analyses/modes/modes.h"
#include "assembly/ranks.h"

#include <petscblaslapack.h>

typedef struct { // columns of L, and P^-1 L
  PetscInt count;
  PetscInt *row; // first of the node's unknowns
  double (*entry)[6];
  Vec *x; // of all columns; NULL: not solved for
} Factors;

// Columns of the node's factor; unknowns without mass have none.
static int node_factor(double a[6][6], int size, double column[6][6]) {
  double whole[6];
  int n = 0;
  for (int i = 0; i < size; i++) whole[i] = a[i][i];
  for (int j = 0; j < size; j++) {
    if (!(a[j][j] > 1e-13 * whole[j])) continue;
    double root = PetscSqrtReal(a[j][j]);
    for (int i = 0; i < 6; i++) column[n][i] = i < j || i >= size ? 0 : a[i][j] / root;
    for (int i = j; i < size; i++)
      for (int k = j; k < size; k++) a[i][k] -= column[n][i] * column[n][k];
    n++;
  }
  return n;
}

// Gathers the factors of all ranks, in their order.
static PetscErrorCode GatherFactors(const Pencil *p, Factors *f) {
  const Layout *layout = &p->s->motion.layout;
  PetscInt most, own = 0;
  PetscMPIInt mine, *count, *at;
  struct {
    PetscInt row;
    double entry[6];
  } * local, *all;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(6 * layout->nnode_own + 1, &local));
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    int size = 3 * node_blocks(model_node(layout->model, layout->node[i])->kind), n;
    PetscInt at_row[6], first = 3 * (layout->first_block + layout->node_block[i]);
    double flat[36], a[6][6] = {{0}}, column[6][6];
    if (layout->node_block[i] < 0) continue;
    for (int k = 0; k < size; k++) at_row[k] = first + k;
    PetscCall(MatGetValues(p->m, size, at_row, size, at_row, flat));
    for (int r = 0; r < size; r++)
      for (int c = 0; c < size; c++) a[r][c] = flat[r * size + c];
    n = node_factor(a, size, column);
    for (int k = 0; k < n; k++, own++) {
      local[own].row = first;
      PetscCall(PetscArraycpy(local[own].entry, column[k], 6));
    }
  }
  PetscCall(PetscMalloc2(layout->size, &count, layout->size, &at));
  mine = (PetscMPIInt)(own * (PetscInt)sizeof *local);
  PetscCallMPI(MPI_Allgather(&mine, 1, MPI_INT, count, 1, MPI_INT, layout->comm));
  most = 0;
  for (int r = 0; r < layout->size; r++) at[r] = (PetscMPIInt)most, most += count[r];
  f->count = most / (PetscInt)sizeof *local;
  PetscCall(PetscMalloc1(f->count + 1, &all));
  PetscCallMPI(MPI_Allgatherv(local, mine, MPI_BYTE, all, count, at, MPI_BYTE, layout->comm));
  PetscCall(PetscMalloc2(f->count, &f->row, f->count, &f->entry));
  for (PetscInt i = 0; i < f->count; i++) {
    f->row[i] = all[i].row;
    PetscCall(PetscArraycpy(f->entry[i], all[i].entry, 6));
  }
  PetscCall(PetscFree2(count, at));
  PetscCall(PetscFree(local));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroyFactors(Factors *f) {
  PetscFunctionBegin;
  if (f->x) PetscCall(VecDestroyVecs(f->count, &f->x));
  PetscCall(PetscFree2(f->row, f->entry));
  PetscFunctionReturn(0);
}

// L^T x of the rows on this rank; the caller adds those of others.
static PetscErrorCode MultiplyFactors(const Factors *f, Vec x, double *out) {
  PetscInt first, last;
  const double *q;
  PetscFunctionBegin;
  PetscCall(VecGetOwnershipRange(x, &first, &last));
  PetscCall(VecGetArrayRead(x, &q));
  for (PetscInt i = 0; i < f->count; i++) {
    out[i] = 0;
    for (int k = 0; k < 6 && f->row[i] >= first && f->row[i] < last; k++)
      if (f->entry[i][k] != 0) out[i] += f->entry[i][k] * q[f->row[i] - first + k];
  }
  PetscCall(VecRestoreArrayRead(x, &q));
  PetscFunctionReturn(0);
}

// T, by columns, on every rank, and P^-1 L.
static PetscErrorCode CreateT(Pencil *p, Factors *f, double **t) {
  PetscInt first, last, n = f->count;
  double *q;
  Vec b, x;
  PetscFunctionBegin;
  PetscCall(MatCreateVecs(p->k, &x, &b));
  PetscCall(VecDuplicateVecs(x, n, &f->x));
  PetscCall(VecGetOwnershipRange(b, &first, &last));
  PetscCall(PetscMalloc1(n * n, t));
  for (PetscInt i = 0; i < n; i++) {
    PetscCall(VecZeroEntries(b));
    PetscCall(VecGetArray(b, &q));
    for (int k = 0; k < 6 && f->row[i] >= first && f->row[i] < last; k++)
      if (f->entry[i][k] != 0) q[f->row[i] - first + k] = f->entry[i][k];
    PetscCall(VecRestoreArray(b, &q));
    PetscCall(PencilSolve(p, false, b, f->x[i]));
    PetscCall(MultiplyFactors(f, f->x[i], *t + n * i));
  }
  PetscCall(ReduceArray(p->s->motion.layout.comm, *t, n * n, MPI_DOUBLE, MPI_SUM));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscFunctionReturn(0);
}

// x = P^-1 L t, scaled
static PetscErrorCode Combine(const Factors *f, const double *t, double scale, Vec out) {
  PetscScalar *c;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(f->count, &c));
  for (PetscInt i = 0; i < f->count; i++) c[i] = scale * t[i];
  PetscCall(VecZeroEntries(out));
  PetscCall(VecMAXPY(out, f->count, c, f->x));
  PetscCall(PetscFree(c));
  PetscFunctionReturn(0);
}

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
    PetscCall(Combine(f, t + n * i, 1 / theta[i], mode->right[0]));
  }
  PetscCall(PetscFree2(theta, work));
  PetscFunctionReturn(0);
}

// ---- with D ----

// B^T A B of real modes
static PetscErrorCode Reduce(const ModeList *basis, Mat a, Vec work, double *out) {
  PetscInt n = basis->count;
  Vec *v;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(n, &v));
  for (PetscInt i = 0; i < n; i++) v[i] = basis->mode[i].right[0];
  for (PetscInt i = 0; i < n; i++) {
    PetscCall(MatMult(a, v[i], work));
    PetscCall(VecMDot(work, n, v, out + n * i));
  }
  PetscCall(PetscFree(v));
  PetscFunctionReturn(0);
}

// sum_i c_i basis_i
static PetscErrorCode Expand(const ModeList *basis, const double *c, double sign, Vec out) {
  PetscFunctionBegin;
  PetscCall(VecZeroEntries(out));
  for (int i = 0; i < basis->count; i++) PetscCall(VecAXPY(out, sign * c[i], basis->mode[i].right[0]));
  PetscFunctionReturn(0);
}

// The matrix of (x0, v0) -> (x, shift x + x0),  P(shift) x = -(v0 + (D + shift) x0),  whose eigenvalues are
// 1/(lambda - shift): the low ones are accurate, however high the highest are.
static PetscErrorCode CreateInverse(PetscBLASInt n, const double *k, const double *d, double shift, double scale,
                                    double *out, bool *good) {
  PetscBLASInt two = 2 * n, info, *pivot;
  double *p, *rhs;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(n * n, &p, 2 * n * n, &rhs, n, &pivot));
  for (PetscBLASInt j = 0; j < n; j++)
    for (PetscBLASInt i = 0; i < n; i++) {
      double one = i == j;
      p[i + n * j] = k[i + n * j] + shift * d[i + n * j] + shift * shift * one;
      rhs[i + n * j] = -(d[i + n * j] + shift * one);
      rhs[i + n * (n + j)] = -scale * one; // v in units of scale
    }
  LAPACKgetrf_(&n, &n, p, &n, pivot, &info);
  *good = info == 0;
  if (*good) LAPACKgetrs_("N", &n, &two, p, &n, pivot, rhs, &n, &info);
  for (PetscBLASInt j = 0; j < two; j++)
    for (PetscBLASInt i = 0; i < n; i++) {
      out[i + two * j] = rhs[i + n * j];
      out[n + i + two * j] = (shift * rhs[i + n * j] + (i == j)) / scale;
    }
  PetscCall(PetscFree3(p, rhs, pivot));
  PetscFunctionReturn(0);
}

// Modes of the reduced problem, expanded in the basis. The lower half of a left vector of S is that of P.
static PetscErrorCode SolveQuadratic(const Pencil *p, const ModeList *basis, double shift, ModeList *out, bool *good) {
  PetscBLASInt n = (PetscBLASInt)basis->count, two = 2 * n, info = 0, size = 16 * n + 64;
  double *k, *d, *s, *re, *im, *right, *other, *work;
  Vec y;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(basis->mode[0].right[0], &y));
  PetscCall(PetscMalloc4(n * n, &k, n * n, &d, two * two, &s, size, &work));
  PetscCall(PetscMalloc4(two, &re, two, &im, two * two, &right, two * two, &other));
  PetscCall(Reduce(basis, p->k, y, k));
  if (p->d) PetscCall(Reduce(basis, p->d, y, d));
  else PetscCall(PetscArrayzero(d, n * n));
  PetscCall(CreateInverse(n, k, d, shift, shift, s, good));
  if (*good) LAPACKgeev_("V", "V", &two, s, &two, re, im, other, &two, right, &two, work, &size, &info);
  *good = *good && info == 0;
  for (PetscBLASInt i = 0; i < two && *good; i++) {
    double size2 = re[i] * re[i] + im[i] * im[i];
    Mode *mode;
    if (im[i] < 0 || !(size2 > 0)) continue;
    // im of lambda = shift + 1/theta has the other sign: the mode is the conjugate
    PetscCall(ModeListAdd(out, p, shift + re[i] / size2, im[i] / size2, &mode));
    mode->is_real = im[i] == 0;
    for (int part = 0; part < (mode->is_real ? 1 : 2); part++) {
      if (part) PetscCall(VecDuplicate(y, &mode->right[1]));
      PetscCall(Expand(basis, right + two * (i + part), part ? -1 : 1, mode->right[part]));
      if (pencil_mirrors(p)) continue;
      PetscCall(VecDuplicate(y, &mode->left[part]));
      PetscCall(Expand(basis, other + two * (i + part) + n, part ? -1 : 1, mode->left[part]));
    }
  }
  PetscCall(VecDestroy(&y));
  PetscCall(PetscFree4(k, d, s, work));
  PetscCall(PetscFree4(re, im, right, other));
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
  PetscCall(GatherFactors(p, &f));
  PetscCall(CreateT(p, &f, &t));
  PetscCall(SolveSymmetric(p, &f, t, out, good));
  PetscCall(DestroyFactors(&f));
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

PetscErrorCode ModesDense(Pencil *p, bool quadratic, ModeList *out, bool *good) {
  Pencil even = {.s = p->s, .m = p->m, .symmetric = true, .stiffest = p->stiffest};
  ModeList basis = {0};
  Mat transposed;
  double shift;
  PetscFunctionBegin;
  if (!quadratic) {
    PetscCall(SolveTwice(p, out, good));
    PetscFunctionReturn(0);
  }
  PetscCall(MatTranspose(p->k, MAT_INITIAL_MATRIX, &transposed));
  PetscCall(MatDuplicate(p->k, MAT_COPY_VALUES, &even.k));
  PetscCall(MatAXPY(even.k, 1, transposed, UNKNOWN_NONZERO_PATTERN));
  PetscCall(MatScale(even.k, 0.5));
  PetscCall(SolveAt(&even, -1e-6 * p->stiffest, &basis, good));
  *good = *good && basis.count > 0;
  shift = PENCIL_BESIDE * lowest(p, &basis);
  if (*good) PetscCall(PencilFactor(p, shift, false, good));
  if (*good) PetscCall(SolveQuadratic(p, &basis, shift, out, good));
  PetscCall(MatDestroy(&transposed));
  even.m = NULL;
  PetscCall(PencilDestroy(&even));
  PetscCall(ModeListDestroy(&basis));
  PetscFunctionReturn(0);
}
