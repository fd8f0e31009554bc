// SPDX-License-Identifier: Apache-2.0
// LU on several ranks: the fast solver of long chains, trees and nets. The interface consists of the blocks of each rank
// that are linked to higher ranks, and of joints at such blocks, whose pivots are zero before their nodes are
// eliminated. A rank eliminates its other blocks, in the order of the unknowns (block_lu.c) or, in a net, by MUMPS
// (border_lu.c). Blocks of the interface that its rows contain are the border of this elimination,
//   [A D] [x]   [b]
//   [C B] [y] = [c] ,     S y = sum over ranks (c - C A^-1 b),     S = sum over ranks (B - C A^-1 D) .
// Every rank adds the parts of all ranks in their order and solves the same equations of the interface, so results are
// bit-for-bit reproducible.
// Equations: eq-linear-interface (13.1).
#include "solvers/solvers.h"

#include <limits.h>

enum { MOST_BORDER = 300, MOST_WIDE_BORDER = 1200 }; // unknowns of a rank's border; of the whole interface of a net

typedef struct { // what is gathered from all ranks: the number of entries of each, and where they begin
  PetscMPIInt *count, *start;
} Shares;

typedef struct {
  MPI_Comm comm;
  PetscMPIInt rank, size;
  bool *is_joint;         // of own blocks
  PetscObjectId matrix;   // all members below belong to this matrix ...
  PetscObjectState state; // ... and to this state of its pattern
  PetscInt own, first, bs;
  bool suits;
  Shares interfaces, borders, links, squares, parts; // of blocks, of pairs, and of numbers
  PetscInt *interface;                               // global blocks, in order
  PetscInt *border;                                  // interface blocks in the borders of all ranks
  PetscInt *ghost_place, *place, inner;              // in the elimination, -1: none; own blocks that are eliminated
  PetscInt *link;                                    // rows of interfaces and columns that other ranks eliminate
  const double **link_block;                         // own of them
  double *link_value[2], *square[2], *part[2];       // own and all: links, parts of S, parts of its right-hand side
  PetscInt *start, *column;                          // the rows of the elimination
  const double **block;
  double *x;
  const Elimination *way;
  void *lu;
  Mat schur;
  Vec b, y;
  KSP ksp; // of the interface
} DividedLU;

static bool is_net(const DividedLU *d) { return d->way != &block_elimination; }

// ---- parts of a matrix ----

PetscErrorCode MatrixPartsOpen(Mat a, MatrixParts *p) {
  PetscMPIInt size;
  PetscBool done;
  PetscFunctionBegin;
  *p = (MatrixParts){.part = {a}};
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)a), &size));
  if (size > 1) PetscCall(MatMPIBAIJGetSeqBAIJ(a, &p->part[0], &p->part[1], &p->ghost));
  PetscCall(MatGetBlockSize(a, &p->bs));
  for (int k = 0; k < 2 && p->part[k]; k++) {
    PetscCall(MatGetRowIJ(p->part[k], 0, PETSC_FALSE, PETSC_TRUE, &p->nrow, &p->start[k], &p->column[k], &done));
    PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_SUP, "a matrix without rows of blocks");
    PetscCall(MatSeqBAIJGetArray(p->part[k], &p->value[k]));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode MatrixPartsClose(MatrixParts *p) {
  PetscInt n;
  PetscBool done;
  PetscFunctionBegin;
  for (int k = 0; k < 2 && p->part[k]; k++) {
    PetscCall(MatSeqBAIJRestoreArray(p->part[k], &p->value[k]));
    PetscCall(MatRestoreRowIJ(p->part[k], 0, PETSC_FALSE, PETSC_TRUE, &n, &p->start[k], &p->column[k], &done));
  }
  PetscFunctionReturn(0);
}

// ---- gathering ----

static PetscErrorCode SharesCreate(const DividedLU *d, PetscInt own, Shares *s) {
  PetscMPIInt count;
  PetscFunctionBegin;
  PetscCall(PetscMPIIntCast(own, &count));
  PetscCall(PetscMalloc2(d->size, &s->count, d->size + 1, &s->start));
  PetscCallMPI(MPI_Allgather(&count, 1, MPI_INT, s->count, 1, MPI_INT, d->comm));
  s->start[0] = 0;
  for (PetscMPIInt r = 0; r < d->size; r++) s->start[r + 1] = s->start[r] + s->count[r];
  PetscFunctionReturn(0);
}

static PetscErrorCode GatherShares(const DividedLU *d, const Shares *s, MPI_Datatype type, const void *own, void *all) {
  PetscFunctionBegin;
  PetscCallMPI(MPI_Allgatherv(own, s->count[d->rank], type, all, s->count, s->start, type, d->comm));
  PetscFunctionReturn(0);
}

static PetscErrorCode NumbersCreate(const DividedLU *d, PetscInt own, Shares *s, double *number[2]) {
  PetscFunctionBegin;
  PetscCall(SharesCreate(d, own, s));
  PetscCall(PetscMalloc2(own, &number[0], s->start[d->size], &number[1]));
  PetscFunctionReturn(0);
}

static PetscErrorCode Clear(DividedLU *d) {
  Shares *shares[] = {&d->interfaces, &d->borders, &d->links, &d->squares, &d->parts};
  PetscFunctionBegin;
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) PetscCall(PetscFree2(shares[i]->count, shares[i]->start));
  PetscCall(PetscFree(d->interface));
  PetscCall(PetscFree(d->border));
  PetscCall(PetscFree2(d->place, d->ghost_place));
  PetscCall(PetscFree2(d->link, d->link_block));
  PetscCall(PetscFree2(d->link_value[0], d->link_value[1]));
  PetscCall(PetscFree2(d->square[0], d->square[1]));
  PetscCall(PetscFree2(d->part[0], d->part[1]));
  PetscCall(PetscFree4(d->start, d->column, d->block, d->x));
  PetscCall(MatDestroy(&d->schur));
  PetscCall(VecDestroy(&d->b));
  PetscCall(VecDestroy(&d->y));
  PetscCall(KSPDestroy(&d->ksp));
  if (d->lu) PetscCall(d->way->destroy(&d->lu));
  PetscFunctionReturn(0);
}

// ---- the interface ----

static bool has_higher_link(const DividedLU *d, const MatrixParts *p, PetscInt row) {
  PetscInt end = p->start[1][row + 1];
  return end > p->start[1][row] && p->ghost[p->column[1][end - 1]] >= d->first;
}

// Whether a row is that of a joint that is linked to the interface: all of its links to lower ranks are.
static bool is_joint_at_interface(const DividedLU *d, const MatrixParts *p, PetscInt row) {
  bool at = p->start[1][row + 1] > p->start[1][row];
  for (PetscInt e = p->start[0][row]; e < p->start[0][row + 1] && !at; e++) at = has_higher_link(d, p, p->column[0][e]);
  return d->is_joint[row] && at;
}

// Lists the interface, and counts the places of own blocks before the border.
static PetscErrorCode ListInterface(DividedLU *d, const MatrixParts *p) {
  PetscInt count = 0, *own;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(d->own, &own));
  d->inner = 0;
  for (PetscInt i = 0; i < d->own; i++) {
    bool outer = has_higher_link(d, p, i) || is_joint_at_interface(d, p, i);
    d->place[i] = outer ? -1 : d->inner++;
    if (outer) own[count++] = d->first + i;
  }
  PetscCall(SharesCreate(d, count, &d->interfaces));
  PetscCall(PetscMalloc1(d->interfaces.start[d->size], &d->interface));
  PetscCall(GatherShares(d, &d->interfaces, MPIU_INT, own, d->interface));
  PetscCall(PetscFree(own));
  PetscFunctionReturn(0);
}

// The border of this rank: its own part of the interface and that of its neighbours, in order.
static PetscErrorCode ListBorder(DividedLU *d, const MatrixParts *p, PetscInt nghost) {
  PetscInt count = 0, *own, ghost = 0, at;
  PetscMPIInt first = d->interfaces.start[d->rank], last = d->interfaces.start[d->rank + 1];
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(nghost + last - first, &own));
  for (int higher = 0; higher < 2; higher++) {
    for (; ghost < nghost && (higher || p->ghost[ghost] < d->first); ghost++) {
      PetscCall(PetscFindInt(p->ghost[ghost], d->interfaces.start[d->size], d->interface, &at)); // negative: not there
      d->ghost_place[ghost] = at < 0 ? -1 : d->inner + count;
      if (at >= 0) own[count++] = at;
    }
    for (PetscMPIInt k = first; k < last && !higher; k++)
      d->place[d->interface[k] - d->first] = d->inner + count, own[count++] = k;
  }
  PetscCall(SharesCreate(d, count, &d->borders));
  PetscCall(PetscMalloc1(d->borders.start[d->size], &d->border));
  PetscCall(GatherShares(d, &d->borders, MPIU_INT, own, d->border));
  PetscCall(PetscFree(own));
  PetscFunctionReturn(0);
}

// Whether the rows link own blocks to nothing but the interface, and the interface to nothing else but blocks of higher
// ranks: this is so if the pattern is symmetric.
static bool has_own_links_only(const DividedLU *d, const MatrixParts *p) {
  bool good = true;
  for (PetscInt i = 0; i < d->own; i++)
    for (PetscInt e = p->start[1][i]; e < p->start[1][i + 1]; e++)
      good = good && (d->ghost_place[p->column[1][e]] >= 0 ||
                      (d->place[i] >= d->inner && p->ghost[p->column[1][e]] >= d->first));
  return good;
}

// Adds the parts of all ranks to the matrix of the interface.
static PetscErrorCode AddSquares(const DividedLU *d, const double *all) {
  PetscFunctionBegin;
  PetscCall(MatZeroEntries(d->schur));
  for (PetscMPIInt r = 0; r < d->size; r++) {
    const PetscInt *at = d->border + d->borders.start[r];
    PetscCall(MatSetValuesBlocked(d->schur, d->borders.count[r], at, d->borders.count[r], at, all + d->squares.start[r],
                                  ADD_VALUES));
  }
  PetscCall(MatAssemblyBegin(d->schur, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(d->schur, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateInterfaceSolver(DividedLU *d) {
  PetscInt n = d->interfaces.start[d->size] * d->bs, own = d->borders.count[d->rank] * d->bs;
  PetscFunctionBegin;
  PetscCall(NumbersCreate(d, own * own + 1, &d->squares, d->square)); // the last one: whether the elimination succeeded
  PetscCall(NumbersCreate(d, own, &d->parts, d->part));
  PetscCall(PetscArrayzero(d->square[1], d->squares.start[d->size]));
  PetscCall(MatCreateSeqBAIJ(PETSC_COMM_SELF, d->bs, n, n, PetscMin(n, 2 * MOST_BORDER) / d->bs, NULL, &d->schur));
  PetscCall(MatSetOption(d->schur, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  PetscCall(AddSquares(d, d->square[1]));
  PetscCall(MatCreateVecs(d->schur, &d->y, &d->b));
  PetscCall(KSPCreate(PETSC_COMM_SELF, &d->ksp));
  PetscCall(KSPSetOperators(d->ksp, d->schur, d->schur));
  if (is_net(d)) PetscCall(SolverUseLU(d->ksp));
  else {
    PetscCall(SolverUseBandLU(d->ksp));
    PetscCall(SolverSuitsBandLU(d->schur, &d->suits));
  }
  PetscFunctionReturn(0);
}

// Finds the interface of a matrix, and whether it is small enough.
static PetscErrorCode FindInterface(DividedLU *d, Mat a, const MatrixParts *p) {
  PetscInt nghost, last;
  int widest;
  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(a, &d->first, &last));
  PetscCall(MatGetSize(p->part[1], NULL, &nghost));
  d->bs = p->bs, d->own = p->nrow, d->first /= d->bs, nghost /= d->bs;
  PetscCall(PetscMalloc2(d->own, &d->place, nghost, &d->ghost_place));
  PetscCall(ListInterface(d, p));
  PetscCall(ListBorder(d, p, nghost));
  widest = has_own_links_only(d, p) ? d->borders.count[d->rank] : INT_MAX;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &widest, 1, MPI_INT, MPI_MAX, d->comm));
  d->suits = is_net(d) ? widest < INT_MAX && d->interfaces.start[d->size] <= MOST_WIDE_BORDER / d->bs
                       : widest <= MOST_BORDER / d->bs;
  if (d->suits) PetscCall(CreateInterfaceSolver(d));
  PetscFunctionReturn(0);
}

// ---- the rows of a rank's elimination ----

// Lists the blocks of this rank's part of the interface in columns that other ranks eliminate.
static PetscErrorCode ListLinks(DividedLU *d, const MatrixParts *p) {
  PetscInt count = 0, *own, size = d->bs * d->bs;
  PetscMPIInt first = d->interfaces.start[d->rank], last = d->interfaces.start[d->rank + 1];
  Shares pairs;
  PetscFunctionBegin;
  for (int pass = 0; pass < 2; pass++) {
    if (pass) {
      PetscCall(NumbersCreate(d, count * size, &d->links, d->link_value));
      PetscCall(PetscMalloc2(2 * d->links.start[d->size] / size, &d->link, count, &d->link_block));
      PetscCall(PetscMalloc1(2 * count, &own));
    }
    count = 0;
    for (PetscMPIInt k = first; k < last; k++)
      for (PetscInt i = d->interface[k] - d->first, e = p->start[1][i]; e < p->start[1][i + 1]; e++) {
        if (d->ghost_place[p->column[1][e]] >= 0) continue;
        if (pass) own[2 * count] = k, own[2 * count + 1] = p->ghost[p->column[1][e]];
        if (pass) d->link_block[count] = p->value[1] + e * size;
        count++;
      }
  }
  PetscCall(SharesCreate(d, 2 * count, &pairs));
  PetscCall(GatherShares(d, &pairs, MPIU_INT, own, d->link));
  PetscCall(PetscFree2(pairs.count, pairs.start));
  PetscCall(PetscFree(own));
  PetscFunctionReturn(0);
}

// Adds a block to the row that begins at `from`, in the order of columns. Returns the end of the row.
static PetscInt add_block(DividedLU *d, PetscInt from, PetscInt end, PetscInt column, const double *block) {
  PetscInt k = end;
  for (; k > from && d->column[k - 1] > column; k--) d->column[k] = d->column[k - 1], d->block[k] = d->block[k - 1];
  d->column[k] = column, d->block[k] = block;
  return end + 1;
}

// Adds an own row. Columns that other ranks eliminate are theirs.
static PetscInt add_row(DividedLU *d, const MatrixParts *p, PetscInt row, PetscInt end) {
  PetscInt from = end, size = d->bs * d->bs;
  for (int k = 0; k < 2; k++)
    for (PetscInt e = p->start[k][row]; e < p->start[k][row + 1]; e++) {
      PetscInt column = k ? d->ghost_place[p->column[k][e]] : d->place[p->column[k][e]];
      if (column >= 0) end = add_block(d, from, end, column, p->value[k] + e * size);
    }
  return end;
}

// Adds the blocks of other ranks to the row of an interface block: columns that this rank eliminates.
static PetscInt add_links(DividedLU *d, PetscInt interface, PetscInt from, PetscInt end) {
  PetscInt size = d->bs * d->bs;
  for (PetscInt k = 0; k < d->links.start[d->size] / size; k++) {
    PetscInt column = d->link[2 * k + 1] - d->first;
    if (d->link[2 * k] == interface && column >= 0 && column < d->own)
      end = add_block(d, from, end, d->place[column], d->link_value[1] + k * size);
  }
  return end;
}

static PetscErrorCode PlaceBlocks(DividedLU *d, const MatrixParts *p) {
  PetscInt count = d->borders.count[d->rank], n = d->inner + count, room, end = 0, row = 0;
  const PetscInt *border = d->border + d->borders.start[d->rank];
  PetscFunctionBegin;
  PetscCall(ListLinks(d, p));
  room = p->start[0][d->own] + p->start[1][d->own] + d->links.start[d->size] / (d->bs * d->bs);
  PetscCall(d->way->create(&d->lu));
  PetscCall(PetscMalloc4(n + 1, &d->start, room, &d->column, room, &d->block, n * d->bs, &d->x));
  for (PetscInt i = 0; i < d->own; i++)
    if (d->place[i] < d->inner) d->start[row++] = end, end = add_row(d, p, i, end);
  for (PetscInt b = 0; b < count; b++) {
    PetscInt own = d->interface[border[b]] - d->first, from = end;
    d->start[row++] = from;
    if (own >= 0 && own < d->own) end = add_row(d, p, own, end);
    end = add_links(d, border[b], from, end);
  }
  d->start[row] = end;
  PetscFunctionReturn(0);
}

// ---- the solver as PETSc sees it ----

// Makes everything that depends on the pattern, if it is another one.
static PetscErrorCode TakePattern(DividedLU *d, Mat a) {
  PetscObjectId id;
  PetscObjectState state;
  MatrixParts p;
  PetscFunctionBegin;
  PetscCall(PetscObjectGetId((PetscObject)a, &id));
  PetscCall(MatGetNonzeroState(a, &state));
  if (id == d->matrix && state == d->state) PetscFunctionReturn(0);
  PetscCall(Clear(d));
  d->matrix = id, d->state = state;
  PetscCall(MatrixPartsOpen(a, &p));
  PetscCall(FindInterface(d, a, &p));
  if (d->suits) PetscCall(PlaceBlocks(d, &p));
  PetscCall(MatrixPartsClose(&p));
  PetscFunctionReturn(0);
}

// Sends the links, eliminates, and gathers what is left of the borders. Whether all ranks succeeded.
static PetscErrorCode Eliminate(DividedLU *d, bool *all_good) {
  PetscInt size = d->bs * d->bs, count = d->borders.count[d->rank];
  MatrixBlocks a = {
      .n = d->inner + count, .bs = d->bs, .inner = d->inner, .start = d->start, .column = d->column, .block = d->block};
  bool good;
  PetscFunctionBegin;
  for (PetscInt k = 0; k < d->links.count[d->rank] / size; k++)
    PetscCall(PetscArraycpy(d->link_value[0] + k * size, d->link_block[k], size));
  PetscCall(GatherShares(d, &d->links, MPI_DOUBLE, d->link_value[0], d->link_value[1]));
  PetscCall(d->way->factor(d->lu, &a, d->square[0], &good));
  d->square[0][d->squares.count[d->rank] - 1] = good;
  PetscCall(GatherShares(d, &d->squares, MPI_DOUBLE, d->square[0], d->square[1]));
  *all_good = true;
  for (PetscMPIInt r = 0; r < d->size; r++) *all_good = *all_good && d->square[1][d->squares.start[r + 1] - 1] != 0;
  PetscFunctionReturn(0);
}

static PetscErrorCode SetUp(PC pc) {
  DividedLU *d;
  Mat a;
  PC inner;
  bool good = false;
  PCFailedReason failed = PC_FACTOR_NUMERIC_ZEROPIVOT;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &d));
  PetscCall(PCGetOperators(pc, NULL, &a));
  PetscCall(TakePattern(d, a));
  if (d->suits) PetscCall(Eliminate(d, &good));
  if (good) {
    PetscCall(AddSquares(d, d->square[1]));
    PetscCall(KSPSetUp(d->ksp));
    PetscCall(KSPGetPC(d->ksp, &inner));
    PetscCall(PCGetFailedReason(inner, &failed));
  }
  PetscCall(PCSetFailedReason(pc, failed));
  PetscFunctionReturn(0);
}

// Solves the equations of the interface: the parts of all ranks, added in their order.
static PetscErrorCode SolveInterface(DividedLU *d, const double *own, double *border) {
  const PetscInt *at = d->border;
  double *b;
  const double *y;
  PC pc;
  PetscFunctionBegin;
  PetscCall(GatherShares(d, &d->parts, MPI_DOUBLE, own, d->part[1]));
  PetscCall(VecZeroEntries(d->b));
  PetscCall(VecGetArray(d->b, &b));
  for (PetscInt k = 0; k < d->borders.start[d->size]; k++)
    for (PetscInt r = 0; r < d->bs; r++) b[at[k] * d->bs + r] += d->part[1][k * d->bs + r];
  PetscCall(VecRestoreArray(d->b, &b));
  PetscCall(KSPGetPC(d->ksp, &pc));
  PetscCall(PCApply(pc, d->b, d->y));
  PetscCall(VecGetArrayRead(d->y, &y));
  at += d->borders.start[d->rank];
  for (PetscInt k = 0; k < d->borders.count[d->rank]; k++)
    PetscCall(PetscArraycpy(border + k * d->bs, y + at[k] * d->bs, d->bs));
  PetscCall(VecRestoreArrayRead(d->y, &y));
  PetscFunctionReturn(0);
}

static PetscErrorCode Apply(PC pc, Vec from, Vec to) {
  DividedLU *d;
  const PetscScalar *b;
  PetscScalar *x;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &d));
  double *border = d->x + d->inner * d->bs;
  PetscCall(VecGetArrayRead(from, &b));
  PetscCall(VecGetArray(to, &x));
  PetscCall(PetscArrayzero(border, d->borders.count[d->rank] * d->bs)); // other ranks have the rows of their blocks
  for (PetscInt i = 0; i < d->own; i++) PetscCall(PetscArraycpy(d->x + d->place[i] * d->bs, b + i * d->bs, d->bs));
  d->way->reduce(d->lu, d->x);
  PetscCall(SolveInterface(d, border, border));
  d->way->substitute(d->lu, d->x);
  for (PetscInt i = 0; i < d->own; i++) PetscCall(PetscArraycpy(x + i * d->bs, d->x + d->place[i] * d->bs, d->bs));
  PetscCall(VecRestoreArray(to, &x));
  PetscCall(VecRestoreArrayRead(from, &b));
  PetscFunctionReturn(0);
}

static PetscErrorCode DividedLUCreate(const Layout *layout, DividedLU **out) {
  DividedLU *d;
  PetscFunctionBegin;
  PetscCall(PetscNew(out));
  d = *out;
  d->comm = layout->comm, d->rank = layout->rank, d->size = layout->size;
  PetscCall(PetscMalloc1(layout->nblock_own, &d->is_joint));
  for (PetscInt i = 0; i < layout->nblock_own; i++) d->is_joint[i] = layout->block_joint[i] >= 0;
  d->way = layout->is_wide ? net_elimination() : &block_elimination;
  PetscFunctionReturn(0);
}

static PetscErrorCode DividedLUDestroy(DividedLU **d) {
  PetscFunctionBegin;
  PetscCall(Clear(*d));
  PetscCall(PetscFree((*d)->is_joint));
  PetscCall(PetscFree(*d));
  PetscFunctionReturn(0);
}

static PetscErrorCode Destroy(PC pc) {
  DividedLU *d;
  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &d));
  PetscCall(DividedLUDestroy(&d));
  PetscFunctionReturn(0);
}

PetscErrorCode SolverSuitsDividedLU(const Layout *layout, Mat a, bool *suits) {
  DividedLU *d;
  MatrixParts p;
  PetscFunctionBegin;
  PetscCall(DividedLUCreate(layout, &d));
  PetscCall(MatrixPartsOpen(a, &p));
  PetscCall(FindInterface(d, a, &p));
  PetscCall(MatrixPartsClose(&p));
  *suits = d->suits;
  PetscCall(DividedLUDestroy(&d));
  PetscFunctionReturn(0);
}

PetscErrorCode SolverUseDividedLU(const Layout *layout, KSP ksp) {
  DividedLU *d;
  PetscFunctionBegin;
  PetscCall(DividedLUCreate(layout, &d));
  PetscCall(SolverUseFunctions(ksp, "LU on each rank", d, SetUp, Apply, Destroy));
  PetscFunctionReturn(0);
}
