// SPDX-License-Identifier: Apache-2.0
// Where the blocks of each item lie in the arrays of the tangent. Items come in the same order with the same blocks every time: the
// places are looked up once, in the first evaluation, and gone through in order ever after.

#include "assembly/evaluate.h"
#include <limits.h>

// What a projection makes of the blocks: the node's and joint's own, the projection velocity y of a node, its
// multipliers mu in a joint.
typedef enum { BLOCK_OWN, BLOCK_PROJECTION, BLOCK_MU } BlockPart;

static BlockPart part_of(const Layout *layout, PetscInt block) {
  PetscInt i = layout->block_node[block], j = layout->block_joint[block];
  if (i >= 0) return block < layout->node_block[i] ? BLOCK_PROJECTION : BLOCK_OWN;
  return block < layout->joint_block[j] + joint_blocks(layout_joint(layout, j)) ? BLOCK_OWN : BLOCK_MU;
}

// Balances know the projection of their own node; M y = Ghat^T mu; rows of Ghat know both and the displacements
// (projection.h).
bool layout_links(const Layout *layout, PetscInt row, PetscInt col) {
  if (!layout->rule->projects_velocities) return true;
  BlockPart from = part_of(layout, col);
  bool same = layout->block_node[row] >= 0 && layout->block_node[row] == layout->block_node[col];
  switch (part_of(layout, row)) {
  case BLOCK_OWN: return from == BLOCK_OWN || (from == BLOCK_PROJECTION && same);
  case BLOCK_PROJECTION: return from == BLOCK_MU || (from == BLOCK_PROJECTION && same);
  case BLOCK_MU: return true;
  }
  return true;
}

// The block matrix of a rank's own columns, and that of the others'; NULL on one rank.
static PetscErrorCode GetMatrixParts(const Layout *layout, const MatrixSlots *matrix, Mat part[2],
                                     const PetscInt **ghost) {
  PetscFunctionBegin;
  part[0] = matrix->tangent, part[1] = NULL, *ghost = NULL;
  if (layout->size > 1) PetscCall(MatMPIBAIJGetSeqBAIJ(matrix->tangent, &part[0], &part[1], ghost));
  PetscFunctionReturn(0);
}

static PetscInt find_sorted(const PetscInt *list, PetscInt low, PetscInt high, PetscInt value) {
  while (high - low > 1) {
    PetscInt middle = low + (high - low) / 2;
    if (list[middle] <= value) low = middle;
    else high = middle;
  }
  return low < high && list[low] == value ? low : -1;
}

// Places of one item, own rows times all columns: those of the ghosts' part count from -1 down.
PetscErrorCode MatrixFindSlots(const Layout *layout, MatrixSlots *matrix, PetscInt count, const PetscInt *blocks) {
  Mat part[2];
  const PetscInt *ghost, *ia[2] = {0}, *ja[2] = {0};
  PetscInt n, columns = 0;
  PetscBool done;
  PetscFunctionBegin;
  PetscCall(GetMatrixParts(layout, matrix, part, &ghost));
  for (int p = 0; p < 2 && part[p]; p++)
    PetscCall(MatGetRowIJ(part[p], 0, PETSC_FALSE, PETSC_TRUE, &n, &ia[p], &ja[p], &done));
  if (part[1]) {
    PetscCall(MatGetSize(part[1], NULL, &columns));
    columns /= layout->bs;
  }
  if (matrix->count + count * count > matrix->room) {
    matrix->room = 2 * matrix->room + count * count + 1024;
    PetscCall(PetscRealloc((size_t)matrix->room * sizeof *matrix->slot, &matrix->slot));
  }
  for (PetscInt b = 0; b < count; b++)
    for (PetscInt c = 0; c < count && blocks[b] < layout->nblock_own; c++) {
      PetscInt row = blocks[b], col = layout->block_global[blocks[c]], at;
      if (!layout_links(layout, row, blocks[c])) {
        matrix->slot[matrix->count++] = NO_SLOT;
        continue;
      }
      if (blocks[c] < layout->nblock_own)
        at = find_sorted(ja[0], ia[0][row], ia[0][row + 1], col - layout->first_block);
      else at = -1 - find_sorted(ja[1], ia[1][row], ia[1][row + 1], find_sorted(ghost, 0, columns, col));
      PetscCheck(blocks[c] < layout->nblock_own ? at >= 0 : at < 0, PETSC_COMM_SELF, PETSC_ERR_PLIB,
                 "no slot for a block");
      PetscCheck(PetscAbsInt(at) < INT_MAX, PETSC_COMM_SELF, PETSC_ERR_SUP,
                 "the tangent of a rank has more than %d blocks: use more ranks", INT_MAX);
      matrix->slot[matrix->count++] = (int)at;
    }
  for (int p = 0; p < 2 && part[p]; p++)
    PetscCall(MatRestoreRowIJ(part[p], 0, PETSC_FALSE, PETSC_TRUE, &n, &ia[p], &ja[p], &done));
  PetscFunctionReturn(0);
}

PetscErrorCode MatrixOpenTangent(const Motion *motion, MatrixSlots *matrix) {
  Mat part[2];
  const PetscInt *ghost;
  PetscFunctionBegin;
  matrix->made++;
  if (matrix->of_rotation != (motion->step.spin.rate != 0))
    matrix->of_rotation = !matrix->of_rotation, matrix->count = 0; // the slots are looked up anew
  PetscCall(MatZeroEntries(matrix->tangent));
  PetscCall(GetMatrixParts(&motion->layout, matrix, part, &ghost));
  for (int p = 0; p < 2; p++) {
    matrix->value[p] = NULL;
    if (part[p]) PetscCall(MatSeqBAIJGetArray(part[p], &matrix->value[p]));
  }
  matrix->next = 0;
  PetscFunctionReturn(0);
}

PetscErrorCode MatrixCloseTangent(const Layout *layout, MatrixSlots *matrix) {
  Mat part[2];
  const PetscInt *ghost;
  PetscFunctionBegin;
  PetscCall(GetMatrixParts(layout, matrix, part, &ghost));
  for (int p = 0; p < 2 && part[p]; p++) PetscCall(MatSeqBAIJRestoreArray(part[p], &matrix->value[p]));
  PetscCall(MatAssemblyBegin(matrix->tangent, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(matrix->tangent, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

// A block of the tangent is stored by columns.
static inline void add_block(int bs, const double *from, int stride, double *to) {
  for (int i = 0; i < bs; i++)
    for (int j = 0; j < bs; j++) to[j * bs + i] += from[i * stride + j];
}

void equations_add_blocks(const Layout *layout, Equations *equations, PetscInt count, const PetscInt *blocks) {
  const int bs = (int)layout->bs, n = equations->scratch->n, *slot = equations->matrix.slot + equations->matrix.next;
  for (PetscInt b = 0; b < count; b++) {
    const double *row = equations->scratch->k + b * bs * n;
    for (PetscInt c = 0; c < count && blocks[b] < layout->nblock_own; c++, slot++) {
      if (*slot == NO_SLOT) continue;
      double *to = *slot < 0 ? equations->matrix.value[1] + (size_t)bs * bs * (size_t)(-1 - *slot)
                             : equations->matrix.value[0] + (size_t)bs * bs * (size_t)*slot;
      if (bs == 3) add_block(3, row + 3 * c, n, to);
      else if (bs == 6) add_block(6, row + 6 * c, n, to);
      else add_block(bs, row + bs * c, n, to);
    }
  }
  equations->matrix.next = slot - equations->matrix.slot;
}
