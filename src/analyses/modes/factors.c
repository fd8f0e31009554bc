// SPDX-License-Identifier: Apache-2.0
#include "analyses/modes/factors.h"
#include "assembly/ranks.h"

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

typedef struct {
  PetscInt row;
  int damped; // a column of E
  double entry[6];
} Column;

// The columns of L of own nodes.
static PetscErrorCode AddMassive(const Pencil *p, Column *column, PetscInt *count) {
  const Layout *layout = &p->s->motion.layout;
  PetscFunctionBegin;
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    int size = 3 * node_blocks(model_node(layout->model, layout->node[i])->kind), n;
    PetscInt at_row[6], first = 3 * (layout->first_block + layout->node_block[i]);
    double flat[36], a[6][6] = {{0}}, factor[6][6];
    if (layout->node_block[i] < 0) continue;
    for (int k = 0; k < size; k++) at_row[k] = first + k;
    PetscCall(MatGetValues(p->m, size, at_row, size, at_row, flat));
    for (int r = 0; r < size; r++)
      for (int c = 0; c < size; c++) a[r][c] = flat[r * size + c];
    n = node_factor(a, size, factor);
    for (int k = 0; k < n; k++) {
      Column *to = column + (*count)++;
      to->row = first, to->damped = 0;
      PetscCall(PetscArraycpy(to->entry, factor[k], 6));
    }
  }
  PetscFunctionReturn(0);
}

// The columns of E of own nodes, of a size with which W^T x is of the order of 1/shift^2, as that of an unknown with
// mass far below the shift.
static PetscErrorCode AddDamped(const Pencil *p, Column *column, PetscInt *count) {
  const Layout *layout = &p->s->motion.layout;
  const double *size;
  Vec damper;
  PetscFunctionBegin;
  PetscCall(PencilDampedMassless(p, &damper, NULL));
  PetscCall(VecGetArrayRead(damper, &size));
  for (PetscInt i = 0; i < 3 * layout->nblock_own; i++) {
    if (!(size[i] > 0)) continue;
    column[*count] = (Column){.row = 3 * (layout->first_block + i / 3), .damped = 1};
    column[(*count)++].entry[i % 3] = PetscSqrtReal(size[i] / p->shift);
  }
  PetscCall(VecRestoreArrayRead(damper, &size));
  PetscCall(VecDestroy(&damper));
  PetscFunctionReturn(0);
}

PetscErrorCode FactorsGather(const Pencil *p, bool damped, Factors *f) {
  const Layout *layout = &p->s->motion.layout;
  PetscInt most = 0, own = 0, n = 0;
  PetscMPIInt mine, *count, *at;
  Column *local, *all;
  PetscFunctionBegin;
  *f = (Factors){0};
  PetscCall(PetscCalloc1(6 * layout->nnode_own + 3 * layout->nblock_own + 1, &local));
  PetscCall(AddMassive(p, local, &own));
  if (damped) PetscCall(AddDamped(p, local, &own));
  PetscCall(PetscMalloc2(layout->size, &count, layout->size, &at));
  mine = (PetscMPIInt)(own * (PetscInt)sizeof *local);
  PetscCallMPI(MPI_Allgather(&mine, 1, MPI_INT, count, 1, MPI_INT, layout->comm));
  for (PetscInt r = 0; r < layout->size; r++) at[r] = (PetscMPIInt)most, most += count[r];
  f->count = most / (PetscInt)sizeof *local;
  PetscCall(PetscMalloc1(f->count + 1, &all));
  PetscCallMPI(MPI_Allgatherv(local, mine, MPI_BYTE, all, count, at, MPI_BYTE, layout->comm));
  PetscCall(PetscMalloc2(f->count, &f->row, f->count, &f->entry));
  for (int kind = 0; kind < 2; kind++) {
    for (PetscInt i = 0; i < f->count; i++) {
      if (all[i].damped != kind) continue;
      f->row[n] = all[i].row;
      PetscCall(PetscArraycpy(f->entry[n++], all[i].entry, 6));
    }
    if (kind == 0) f->massive = n;
  }
  PetscCall(PetscFree2(count, at));
  PetscCall(PetscFree(local));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

PetscErrorCode FactorsDestroy(Factors *f) {
  PetscFunctionBegin;
  if (f->x) PetscCall(VecDestroyVecs(f->count, &f->x));
  if (f->y) PetscCall(VecDestroyVecs(f->count, &f->y));
  PetscCall(PetscFree2(f->row, f->entry));
  PetscFunctionReturn(0);
}

// W^T x of the rows on this rank; the caller adds those of others.
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

PetscErrorCode FactorsSolve(Pencil *p, Factors *f, bool transpose, double *t) {
  PetscInt first, last, n = f->count;
  double *q;
  Vec b, x, **out = transpose ? &f->y : &f->x;
  PetscFunctionBegin;
  PetscCall(MatCreateVecs(p->k, &x, &b));
  PetscCall(VecDuplicateVecs(x, n, out));
  PetscCall(VecGetOwnershipRange(b, &first, &last));
  for (PetscInt i = 0; i < n; i++) {
    PetscCall(VecZeroEntries(b));
    PetscCall(VecGetArray(b, &q));
    for (int k = 0; k < 6 && f->row[i] >= first && f->row[i] < last; k++)
      if (f->entry[i][k] != 0) q[f->row[i] - first + k] = f->entry[i][k];
    PetscCall(VecRestoreArray(b, &q));
    PetscCall(PencilSolve(p, transpose, b, (*out)[i]));
    if (t) PetscCall(MultiplyFactors(f, (*out)[i], t + n * i));
  }
  if (t) PetscCall(ReduceArray(p->s->motion.layout.comm, t, n * n, MPI_DOUBLE, MPI_SUM));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscFunctionReturn(0);
}

PetscErrorCode FactorsCombine(const Factors *f, bool transpose, const double *c, double scale, Vec out) {
  PetscScalar *scaled;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(f->count, &scaled));
  for (PetscInt i = 0; i < f->count; i++) scaled[i] = scale * c[i];
  PetscCall(VecZeroEntries(out));
  PetscCall(VecMAXPY(out, f->count, scaled, transpose ? f->y : f->x));
  PetscCall(PetscFree(scaled));
  PetscFunctionReturn(0);
}
