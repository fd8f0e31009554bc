// SPDX-License-Identifier: Apache-2.0
// LU by blocks in the order of the unknowns, with pivots inside of blocks alone: the fast solver of chains, trees and
// mechanisms. Most blocks of a joint are always zero. Only those that were not zero in some tangent so far take part;
// their places are found when another one joins them. A block row is one array of bs rows with the columns of all of
// its blocks, so that one block times the rest of another row is subtracted from a run of neighbouring columns, four at
// a time. Rows from `inner` on are the border: what the others leave of them is computed, but they are not eliminated.
#include "mechanics/batch.h"
#include "solvers/solvers.h"

typedef struct { // neighbouring columns of a row from which those of an earlier row are subtracted
  int to, from, count;
} Run;

typedef struct {
  PetscInt n, bs, inner;        // block rows; those that are eliminated
  PetscInt *a_start, *a_column; // the pattern of the matrix
  bool *a_used;                 // of its blocks: it was not zero in some tangent so far
  int *a_place, searches;       // of its blocks: the place in their row; how often these were found
  size_t *start, *panel;        // of each row: where its columns and its values begin
  PetscInt *column, *lower;     // blocks; of each row: how many are left of the diagonal
  size_t *run_start;            // of each block: its runs
  Run *run;
  double *value;
  size_t column_room, run_room, value_room;
} BlockLU;

enum { FOUR = 4, MOST_ROWS = 3 * MAX_STAGES };
enum { MOST_SEARCHES = 8 };            // then all blocks take part: contacts come and go
#define UNROLL _Pragma("GCC unroll 6") // loops over the rows of a block
typedef double Four __attribute__((vector_size(8 * FOUR), aligned(8), may_alias));
typedef long long FourBits __attribute__((vector_size(8 * FOUR), aligned(8), may_alias));

static PetscErrorCode Clear(BlockLU *f) {
  PetscFunctionBegin;
  PetscCall(PetscFree4(f->a_start, f->a_column, f->a_used, f->a_place));
  PetscCall(PetscFree3(f->start, f->panel, f->lower));
  PetscCall(PetscFree(f->column));
  PetscCall(PetscFree(f->run_start));
  PetscCall(PetscFree(f->run));
  PetscCall(PetscFree(f->value));
  *f = (BlockLU){0};
  PetscFunctionReturn(0);
}

static PetscErrorCode Reserve(size_t count, size_t size, size_t *room, void *array) {
  PetscFunctionBegin;
  if (count <= *room) PetscFunctionReturn(0);
  *room = count + count / 2 + 64;
  PetscCall(PetscRealloc(*room * size, array));
  PetscFunctionReturn(0);
}

// ---- the pattern ----

static PetscErrorCode IsSamePattern(const BlockLU *f, const MatrixBlocks *a, PetscBool *same) {
  PetscFunctionBegin;
  *same = (PetscBool)(f->n == a->n && f->bs == a->bs && f->inner == a->inner);
  if (*same) PetscCall(PetscArraycmp(f->a_start, a->start, a->n + 1, same));
  if (*same) PetscCall(PetscArraycmp(f->a_column, a->column, a->start[a->n], same));
  PetscFunctionReturn(0);
}

static PetscErrorCode TakePattern(BlockLU *f, const MatrixBlocks *a) {
  PetscInt count = a->start[a->n];
  PetscFunctionBegin;
  PetscCall(Clear(f));
  f->n = a->n, f->bs = a->bs, f->inner = a->inner;
  PetscCall(PetscMalloc4(a->n + 1, &f->a_start, count, &f->a_column, count, &f->a_used, count, &f->a_place));
  PetscCall(PetscArraycpy(f->a_start, a->start, a->n + 1));
  PetscCall(PetscArraycpy(f->a_column, a->column, count));
  PetscCall(PetscArrayzero(f->a_used, count));
  PetscCall(PetscMalloc3(a->n + 1, &f->start, a->n + 1, &f->panel, a->n, &f->lower));
  PetscFunctionReturn(0);
}

static inline const double *matrix_block(const MatrixBlocks *a, PetscInt e, size_t size) {
  return a->block ? a->block[e] : a->value + (size_t)e * size;
}

// Whether blocks of the matrix take part that did not so far.
static bool use_more_blocks(BlockLU *f, const MatrixBlocks *a) {
  static const double zero[MOST_ROWS * MOST_ROWS];
  size_t size = (size_t)(f->bs * f->bs);
  bool more = false;
  for (PetscInt e = 0; e < a->start[a->n]; e++)
    if (!f->a_used[e] && memcmp(matrix_block(a, e, size), zero, size * sizeof *zero) != 0) f->a_used[e] = more = true;
  for (PetscInt e = 0; more && e < a->start[a->n] && f->searches == MOST_SEARCHES; e++) f->a_used[e] = true;
  return more;
}

// Adds the columns of row k beyond its diagonal to a list that is sorted. Returns how many were not there.
static PetscInt merge_row(const BlockLU *f, PetscInt k, PetscInt *next) {
  PetscInt at = k, count = 0;
  for (size_t e = f->start[k] + (size_t)f->lower[k] + 1; e < f->start[k + 1]; e++) {
    PetscInt column = f->column[e];
    while (next[at] < column) at = next[at];
    if (next[at] != column) next[column] = next[at], next[at] = column, count++;
    at = column;
  }
  return count;
}

// The columns of row i: those of the matrix, the diagonal, and those that elimination fills.
static PetscErrorCode FindRow(BlockLU *f, const MatrixBlocks *a, PetscInt i, PetscInt *next) {
  PetscInt at = a->n, count = 0, lower = 0, last = PetscMin(i, f->inner);
  PetscFunctionBegin;
  next[at] = a->n; // the list begins and ends there
  for (PetscInt e = a->start[i]; e < a->start[i + 1]; e++) {
    if (!f->a_used[e]) continue;
    PetscCheck(at == a->n || a->column[e] > at, PETSC_COMM_SELF, PETSC_ERR_PLIB, "columns are not in order");
    next[a->column[e]] = a->n, next[at] = a->column[e], at = a->column[e], count++;
  }
  for (at = a->n; next[at] < i;) at = next[at];
  if (next[at] != i) next[i] = next[at], next[at] = i, count++;
  for (PetscInt k = next[a->n]; k < last; k = next[k]) count += merge_row(f, k, next), lower++;
  f->start[i + 1] = f->start[i] + (size_t)count, f->lower[i] = lower;
  f->panel[i + 1] = f->panel[i] + (size_t)count * (size_t)(f->bs * f->bs);
  PetscCall(Reserve(f->start[i + 1], sizeof *f->column, &f->column_room, &f->column));
  for (PetscInt k = next[a->n], *to = f->column + f->start[i]; k < a->n; k = next[k]) *to++ = k;
  PetscFunctionReturn(0);
}

// Where the columns of row k beyond its diagonal are in another row, whose columns have the places `at`.
static PetscErrorCode FindRuns(BlockLU *f, PetscInt k, const int *at, size_t *count) {
  Run *last = NULL;
  int bs = (int)f->bs, from = bs * (int)(f->lower[k] + 1);
  PetscFunctionBegin;
  for (size_t e = f->start[k] + (size_t)f->lower[k] + 1; e < f->start[k + 1]; e++, from += bs) {
    int to = bs * at[f->column[e]];
    if (last && last->to + last->count == to) {
      last->count += bs;
      continue;
    }
    PetscCall(Reserve(*count + 1, sizeof *f->run, &f->run_room, &f->run));
    last = &f->run[(*count)++];
    *last = (Run){to, from, bs};
  }
  PetscFunctionReturn(0);
}

// The places of the blocks of the matrix, and the runs of all rows.
static PetscErrorCode FindPlaces(BlockLU *f) {
  int *at;
  size_t count = 0;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(f->n, &at));
  PetscCall(PetscRealloc((f->start[f->n] + 1) * sizeof *f->run_start, &f->run_start));
  for (PetscInt i = 0; i < f->n; i++) {
    for (size_t e = f->start[i]; e < f->start[i + 1]; e++) at[f->column[e]] = (int)(e - f->start[i]);
    for (PetscInt e = f->a_start[i]; e < f->a_start[i + 1]; e++)
      if (f->a_used[e]) f->a_place[e] = at[f->a_column[e]];
    for (size_t e = f->start[i]; e < f->start[i + 1]; e++) {
      f->run_start[e] = count;
      if (f->column[e] < PetscMin(i, f->inner)) PetscCall(FindRuns(f, f->column[e], at, &count));
    }
  }
  f->run_start[f->start[f->n]] = count;
  PetscCall(PetscFree(at));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindPattern(BlockLU *f, const MatrixBlocks *a) {
  PetscInt *next;
  PetscFunctionBegin;
  f->searches++;
  PetscCall(PetscMalloc1(a->n + 1, &next));
  f->start[0] = f->panel[0] = 0;
  for (PetscInt i = 0; i < a->n; i++) PetscCall(FindRow(f, a, i, next));
  PetscCall(PetscFree(next));
  PetscCall(FindPlaces(f));
  // a last vector may reach beyond the end
  PetscCall(Reserve(f->panel[a->n] + FOUR, sizeof *f->value, &f->value_room, &f->value));
  PetscCall(PetscArrayzero(f->value + f->panel[a->n], FOUR));
  PetscFunctionReturn(0);
}

// ---- the numbers ----

// Columns of `to` less a block times columns of u: those beyond `count` stay as they are.
INLINE void subtract_product(int bs, const double *block, const double *u, int u_stride, int count, double *to,
                             int stride) {
  static const FourBits part[FOUR] = {{0}, {-1}, {-1, -1}, {-1, -1, -1}};
  for (int c = 0; c < count; c += FOUR) {
    bool whole = c + FOUR <= count;
    UNROLL
    for (int r = 0; r < bs; r++) {
      Four sum = block[bs * r] * *(const Four *)(u + c), *out = (Four *)(to + r * stride + c);
      UNROLL
      for (int k = 1; k < bs; k++) sum += block[bs * r + k] * *(const Four *)(u + k * u_stride + c);
      *out -= whole ? sum : (Four)((FourBits)sum & part[count - c]);
    }
  }
}

// A block of a row times the inverse of a diagonal one, in its place and beside it.
INLINE void scale_block(int bs, double *block, int stride, const double *inverse, int inverse_stride, double *out) {
  UNROLL
  for (int r = 0; r < bs; r++) UNROLL
  for (int c = 0; c < bs; c += FOUR) { // the next row replaces what is beyond this one
    Four sum = block[r * stride] * *(const Four *)(inverse + c);
    UNROLL
    for (int k = 1; k < bs; k++) sum += block[r * stride + k] * *(const Four *)(inverse + k * inverse_stride + c);
    *(Four *)(out + bs * r + c) = sum;
  }
  UNROLL
  for (int r = 0; r < bs; r++) UNROLL
  for (int c = 0; c < bs; c++) block[r * stride + c] = out[bs * r + c];
}

INLINE void swap(double *a, double *b) {
  double t = *a;
  *a = *b, *b = t;
}

// The factors of a block with row pivots, the multipliers negative. A pivot that is zero, as of a thin rod about its
// axis, becomes round-off: whether the solution is good all the same is checked. False: the last pivot is zero.
INLINE bool factor_block(int bs, double (*a)[MOST_ROWS], int *pivot) {
  double size = 1e-12;
  UNROLL
  for (int k = 0; k < bs; k++) size += fabs(a[k][k]);
  UNROLL
  for (int k = 0; k < bs; k++) {
    int p = k;
    UNROLL
    for (int i = k + 1; i < bs; i++)
      if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
    pivot[k] = p;
    if (a[p][k] == 0 && k == bs - 1) return false;
    if (a[p][k] == 0) a[p][k] = 100 * PETSC_MACHINE_EPSILON / bs * size;
    if (p != k) UNROLL
    for (int j = k; j < bs; j++) swap(&a[p][j], &a[k][j]);
    double scale = -1 / a[k][k];
    UNROLL
    for (int i = k + 1; i < bs; i++) a[i][k] *= scale;
    UNROLL
    for (int i = k + 1; i < bs; i++) UNROLL
    for (int j = k + 1; j < bs; j++) a[i][j] += a[k][j] * a[i][k];
  }
  return true;
}

// The inverse from the factors: that of U, then times that of L.
INLINE void invert_factors(int bs, double (*a)[MOST_ROWS], const int *pivot) {
  UNROLL
  for (int k = 0; k < bs; k++) {
    a[k][k] = 1 / a[k][k];
    UNROLL
    for (int i = 0; i < k; i++) a[i][k] *= -a[k][k];
    UNROLL
    for (int j = k + 1; j < bs; j++) {
      double t = a[k][j];
      a[k][j] = 0;
      UNROLL
      for (int i = 0; i <= k; i++) a[i][j] += t * a[i][k];
    }
  }
  UNROLL
  for (int k = bs - 2; k >= 0; k--) {
    double work[MOST_ROWS];
    UNROLL
    for (int i = k + 1; i < bs; i++) work[i] = a[i][k], a[i][k] = 0;
    UNROLL
    for (int j = k + 1; j < bs; j++) UNROLL
    for (int i = 0; i < bs; i++) a[i][k] += work[j] * a[i][j];
    if (pivot[k] != k) UNROLL
    for (int i = 0; i < bs; i++) swap(&a[i][k], &a[i][pivot[k]]);
  }
}

INLINE bool invert_block(int bs, double *block, int stride) {
  double a[MOST_ROWS][MOST_ROWS];
  int pivot[MOST_ROWS];
  UNROLL
  for (int r = 0; r < bs; r++) UNROLL
  for (int c = 0; c < bs; c++) a[r][c] = block[r * stride + c];
  if (!factor_block(bs, a, pivot)) return false;
  invert_factors(bs, a, pivot);
  UNROLL
  for (int r = 0; r < bs; r++) UNROLL
  for (int c = 0; c < bs; c++) block[r * stride + c] = a[r][c];
  return true;
}

INLINE void load_row(int bs, const BlockLU *f, const MatrixBlocks *a, PetscInt i, double *row, int stride) {
  memset(row, 0, sizeof *row * (size_t)(bs * stride));
  for (PetscInt e = a->start[i]; e < a->start[i + 1]; e++) {
    const double *from = matrix_block(a, e, (size_t)(bs * bs));
    if (!f->a_used[e]) continue;
    double *to = row + f->a_place[e] * bs;
    UNROLL
    for (int r = 0; r < bs; r++) UNROLL
    for (int c = 0; c < bs; c++) to[r * stride + c] = from[c * bs + r];
  }
}

INLINE bool is_zero_block(int bs, const double *block, int stride) {
  UNROLL
  for (int r = 0; r < bs; r++) UNROLL
  for (int c = 0; c < bs; c++)
    if (block[r * stride + c] != 0) return false;
  return true;
}

static inline int row_stride(const BlockLU *f, PetscInt i) {
  return (int)((f->start[i + 1] - f->start[i]) * (size_t)f->bs);
}

INLINE bool factor_rows(int bs, const BlockLU *f, const MatrixBlocks *a) {
  for (PetscInt i = 0; i < f->n; i++) {
    double *row = f->value + f->panel[i], block[MOST_ROWS * MOST_ROWS + FOUR];
    int stride = row_stride(f, i);
    load_row(bs, f, a, i, row, stride);
    for (int p = 0; p < f->lower[i]; p++) {
      size_t e = f->start[i] + (size_t)p;
      PetscInt k = f->column[e];
      const double *earlier = f->value + f->panel[k];
      int earlier_stride = row_stride(f, k);
      if (is_zero_block(bs, row + p * bs, stride)) continue;
      scale_block(bs, row + p * bs, stride, earlier + f->lower[k] * bs, earlier_stride, block);
      for (const Run *run = f->run + f->run_start[e]; run < f->run + f->run_start[e + 1]; run++)
        subtract_product(bs, block, earlier + run->from, earlier_stride, run->count, row + run->to, stride);
    }
    if (i < f->inner && !invert_block(bs, row + f->lower[i] * bs, stride)) return false;
  }
  return true;
}

TARGET_CLONES static bool factor(const BlockLU *f, const MatrixBlocks *a) {
  return f->bs == 3 ? factor_rows(3, f, a) : factor_rows(6, f, a);
}

// What blocks `first` to `last` of a row leave of its part of a right-hand side.
INLINE void subtract_blocks(int bs, const double *row, int stride, const PetscInt *column, int first, int last,
                            const double *x, double *s) {
  for (int p = first; p < last; p++) {
    const double *y = x + column[p] * bs;
    UNROLL
    for (int r = 0; r < bs; r++) {
      const double *l = row + r * stride + p * bs;
      double sum = l[0] * y[0];
      UNROLL
      for (int k = 1; k < bs; k++) sum += l[k] * y[k];
      s[r] -= sum;
    }
  }
}

INLINE void reduce_rows(int bs, const BlockLU *f, const double *b, double *x) {
  double s[MOST_ROWS];
  for (PetscInt i = 0; i < f->n; i++) {
    UNROLL
    for (int r = 0; r < bs; r++) s[r] = b[i * bs + r];
    subtract_blocks(bs, f->value + f->panel[i], row_stride(f, i), f->column + f->start[i], 0, (int)f->lower[i], x, s);
    UNROLL
    for (int r = 0; r < bs; r++) x[i * bs + r] = s[r];
  }
}

INLINE void substitute_rows(int bs, const BlockLU *f, double *x) {
  double s[MOST_ROWS];
  for (PetscInt i = f->inner - 1; i >= 0; i--) {
    const double *row = f->value + f->panel[i], *inverse = row + f->lower[i] * bs;
    int stride = row_stride(f, i);
    UNROLL
    for (int r = 0; r < bs; r++) s[r] = x[i * bs + r];
    subtract_blocks(bs, row, stride, f->column + f->start[i], (int)f->lower[i] + 1, stride / bs, x, s);
    UNROLL
    for (int r = 0; r < bs; r++) {
      double sum = inverse[r * stride] * s[0];
      UNROLL
      for (int k = 1; k < bs; k++) sum += inverse[r * stride + k] * s[k];
      x[i * bs + r] = sum;
    }
  }
}

TARGET_CLONES static void reduce(const BlockLU *f, const double *b, double *x) {
  if (f->bs == 3) reduce_rows(3, f, b, x);
  else reduce_rows(6, f, b, x);
}

TARGET_CLONES static void substitute(const BlockLU *f, double *x) {
  if (f->bs == 3) substitute_rows(3, f, x);
  else substitute_rows(6, f, x);
}

// The same for up to four right-hand sides side by side, in place.
INLINE void subtract_blocks_of_four(int bs, const double *row, int stride, const PetscInt *column, int first, int last,
                                    const Four *x, Four *s) {
  for (int p = first; p < last; p++) {
    const Four *y = x + column[p] * bs;
    UNROLL
    for (int r = 0; r < bs; r++) UNROLL
    for (int k = 0; k < bs; k++) s[r] -= row[r * stride + p * bs + k] * y[k];
  }
}

INLINE void solve_rows_of_four(int bs, const BlockLU *f, Four *x) {
  for (PetscInt i = 0; i < f->n; i++)
    subtract_blocks_of_four(bs, f->value + f->panel[i], row_stride(f, i), f->column + f->start[i], 0, (int)f->lower[i],
                            x, x + i * bs);
  for (PetscInt i = f->inner - 1; i >= 0; i--) {
    const double *row = f->value + f->panel[i], *inverse = row + f->lower[i] * bs;
    int stride = row_stride(f, i);
    Four s[MOST_ROWS];
    subtract_blocks_of_four(bs, row, stride, f->column + f->start[i], (int)f->lower[i] + 1, stride / bs, x, x + i * bs);
    UNROLL
    for (int r = 0; r < bs; r++) s[r] = x[i * bs + r];
    UNROLL
    for (int r = 0; r < bs; r++) {
      Four sum = inverse[r * stride] * s[0];
      UNROLL
      for (int k = 1; k < bs; k++) sum += inverse[r * stride + k] * s[k];
      x[i * bs + r] = sum;
    }
  }
}

TARGET_CLONES static void solve_four(const BlockLU *f, Four *x) {
  if (f->bs == 3) solve_rows_of_four(3, f, x);
  else solve_rows_of_four(6, f, x);
}

// ---- the solver as others see it ----

static PetscErrorCode Factor(BlockLU *f, const MatrixBlocks *a, bool *good) {
  PetscBool same;
  PetscFunctionBegin;
  PetscCheck(a->bs == 3 || a->bs == 6, PETSC_COMM_SELF, PETSC_ERR_SUP, "blocks of %d rows", (int)a->bs);
  PetscCall(IsSamePattern(f, a, &same));
  if (!same) PetscCall(TakePattern(f, a));
  if (use_more_blocks(f, a) || !same) PetscCall(FindPattern(f, a));
  *good = factor(f, a);
  PetscFunctionReturn(0);
}

static void copy_border(const BlockLU *f, double *out) {
  PetscInt bs = f->bs, width = (f->n - f->inner) * bs;
  memset(out, 0, sizeof *out * (size_t)(width * width));
  for (PetscInt i = f->inner; i < f->n; i++)
    for (size_t e = f->start[i] + (size_t)f->lower[i]; e < f->start[i + 1]; e++) {
      const double *from = f->value + f->panel[i] + (PetscInt)(e - f->start[i]) * bs;
      double *to = out + (i - f->inner) * bs * width + (f->column[e] - f->inner) * bs;
      for (PetscInt r = 0; r < bs; r++) memcpy(to + r * width, from + r * row_stride(f, i), sizeof *to * (size_t)bs);
    }
}

static PetscErrorCode EliminationCreate(void **f) {
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(sizeof(BlockLU), f));
  PetscFunctionReturn(0);
}

static PetscErrorCode EliminationDestroy(void **f) {
  PetscFunctionBegin;
  PetscCall(Clear(*f));
  PetscCall(PetscFree(*f));
  PetscFunctionReturn(0);
}

static const char solver_name[] = "LU by blocks";

static PetscErrorCode Eliminate(void *f, const MatrixBlocks *a, double *border, bool *good) {
  PetscFunctionBegin;
  PetscCall(Factor(f, a, good));
  copy_border(f, border);
  PetscFunctionReturn(0);
}

static void reduce_in_place(void *f, double *x) { reduce(f, x, x); }
static void substitute_in_place(void *f, double *x) { substitute(f, x); }

const Elimination block_elimination = {EliminationCreate, EliminationDestroy, Eliminate, reduce_in_place,
                                       substitute_in_place};

static PetscErrorCode SetUp(PC pc) {
  BlockLU *f;
  MatrixBlocks a;
  Mat matrix;
  bool good;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &f));
  PetscCall(PCGetOperators(pc, NULL, &matrix));
  PetscCall(MatrixBlocksOpen(matrix, &a));
  PetscCall(Factor(f, &a, &good));
  PetscCall(PCSetFailedReason(pc, good ? PC_NOERROR : PC_FACTOR_NUMERIC_ZEROPIVOT));
  PetscCall(MatrixBlocksClose(matrix, &a));
  PetscFunctionReturn(0);
}

static PetscErrorCode Apply(PC pc, Vec from, Vec to) {
  BlockLU *f;
  const PetscScalar *b;
  PetscScalar *x;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &f));
  PetscCall(VecGetArrayRead(from, &b));
  PetscCall(VecGetArray(to, &x));
  reduce(f, b, x);
  substitute(f, x);
  PetscCall(VecRestoreArray(to, &x));
  PetscCall(VecRestoreArrayRead(from, &b));
  PetscFunctionReturn(0);
}

PetscErrorCode SolverApplyBlockLU(KSP ksp, int count, const Vec *from, Vec *to, bool *done) {
  BlockLU *f;
  double *x;
  PC pc;
  PetscFunctionBegin;
  PetscCall(SolverUsesFunctions(ksp, solver_name, done));
  *done = *done && count <= FOUR;
  if (!*done) PetscFunctionReturn(0);
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCShellGetContext(pc, &f));
  PetscCall(PetscCalloc1(FOUR * f->n * f->bs, &x));
  for (int k = 0; k < count; k++) {
    const double *b;
    PetscCall(VecGetArrayRead(from[k], &b));
    for (PetscInt i = 0; i < f->n * f->bs; i++) x[FOUR * i + k] = b[i];
    PetscCall(VecRestoreArrayRead(from[k], &b));
  }
  solve_four(f, (Four *)x);
  for (int k = 0; k < count; k++) {
    double *out;
    PetscCall(VecGetArrayWrite(to[k], &out));
    for (PetscInt i = 0; i < f->n * f->bs; i++) out[i] = x[FOUR * i + k];
    PetscCall(VecRestoreArrayWrite(to[k], &out));
  }
  PetscCall(PetscFree(x));
  PetscFunctionReturn(0);
}

static PetscErrorCode Destroy(PC pc) {
  void *f;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &f));
  PetscCall(EliminationDestroy(&f));
  PetscFunctionReturn(0);
}

PetscErrorCode SolverUseBlockLU(KSP ksp) {
  void *f;
  PetscFunctionBegin;
  PetscCall(EliminationCreate(&f));
  PetscCall(SolverUseFunctions(ksp, solver_name, f, SetUp, Apply, Destroy));
  PetscFunctionReturn(0);
}

// ---- blocks of a matrix ----

PetscErrorCode MatrixBlocksOpen(Mat a, MatrixBlocks *out) {
  PetscBool done;
  PetscFunctionBegin;
  PetscCall(MatGetBlockSize(a, &out->bs));
  PetscCall(MatGetRowIJ(a, 0, PETSC_FALSE, PETSC_TRUE, &out->n, &out->start, &out->column, &done));
  PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_SUP, "a matrix without rows of blocks");
  PetscCall(MatSeqBAIJGetArray(a, &out->value));
  out->inner = out->n, out->block = NULL;
  PetscFunctionReturn(0);
}

PetscErrorCode MatrixBlocksClose(Mat a, MatrixBlocks *b) {
  PetscBool done;
  PetscFunctionBegin;
  PetscCall(MatSeqBAIJRestoreArray(a, &b->value));
  PetscCall(MatRestoreRowIJ(a, 0, PETSC_FALSE, PETSC_TRUE, &b->n, &b->start, &b->column, &done));
  PetscFunctionReturn(0);
}
