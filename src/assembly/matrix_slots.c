// SPDX-License-Identifier: Apache-2.0
// Where the blocks of each item lie in the arrays of the tangent. Items come in the same order with the same blocks every time: the
// places are looked up once, in the first evaluation, and gone through in order ever after.
#include "assembly/system.h"

#include <limits.h>

// What a projection makes of the blocks: the node's and joint's own, the projection velocity y of a node, its multipliers mu in a joint.
typedef enum { BLOCK_OWN, BLOCK_PROJECTION, BLOCK_MU } BlockPart;

static BlockPart part_of(const System *s, PetscInt block) {
  PetscInt i = s->layout.block_node[block], j = s->layout.block_joint[block];
  if (i >= 0) return block < s->layout.node_block[i] ? BLOCK_PROJECTION : BLOCK_OWN;
  return block < s->layout.joint_block[j] + joint_blocks(system_joint(s, j)) ? BLOCK_OWN : BLOCK_MU;
}

// Balances know the projection of their own node; M y = Ghat^T mu; rows of Ghat know both and the displacements (projection.h).
bool system_linked(const System *s, PetscInt row, PetscInt col) {
  if (!s->rule->projects_velocities) return true;
  BlockPart from = part_of(s, col);
  bool same = s->layout.block_node[row] >= 0 && s->layout.block_node[row] == s->layout.block_node[col];
  switch (part_of(s, row)) {
  case BLOCK_OWN: return from == BLOCK_OWN || (from == BLOCK_PROJECTION && same);
  case BLOCK_PROJECTION: return from == BLOCK_MU || (from == BLOCK_PROJECTION && same);
  case BLOCK_MU: return true;
  }
  return true;
}

// The block matrix of a rank's own columns, and that of the others'; NULL on one rank.
static PetscErrorCode GetMatrixParts(const System *s, Mat part[2], const PetscInt **ghost) {
  PetscFunctionBegin;
  part[0] = s->matrix.tangent, part[1] = NULL, *ghost = NULL;
  if (s->layout.size > 1) PetscCall(MatMPIBAIJGetSeqBAIJ(s->matrix.tangent, &part[0], &part[1], ghost));
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
PetscErrorCode SystemFindSlots(System *s, PetscInt count, const PetscInt *blocks) {
  Mat part[2];
  const PetscInt *ghost, *ia[2] = {0}, *ja[2] = {0};
  PetscInt n, columns = 0;
  PetscBool done;
  PetscFunctionBegin;
  PetscCall(GetMatrixParts(s, part, &ghost));
  for (int p = 0; p < 2 && part[p]; p++)
    PetscCall(MatGetRowIJ(part[p], 0, PETSC_FALSE, PETSC_TRUE, &n, &ia[p], &ja[p], &done));
  if (part[1]) {
    PetscCall(MatGetSize(part[1], NULL, &columns));
    columns /= s->layout.bs;
  }
  if (s->matrix.count + count * count > s->matrix.room) {
    s->matrix.room = 2 * s->matrix.room + count * count + 1024;
    PetscCall(PetscRealloc((size_t)s->matrix.room * sizeof *s->matrix.slot, &s->matrix.slot));
  }
  for (PetscInt b = 0; b < count; b++)
    for (PetscInt c = 0; c < count && blocks[b] < s->layout.nblock_own; c++) {
      PetscInt row = blocks[b], col = s->layout.block_global[blocks[c]], at;
      if (!system_linked(s, row, blocks[c])) {
        s->matrix.slot[s->matrix.count++] = NO_SLOT;
        continue;
      }
      if (blocks[c] < s->layout.nblock_own)
        at = find_sorted(ja[0], ia[0][row], ia[0][row + 1], col - s->layout.first_block);
      else at = -1 - find_sorted(ja[1], ia[1][row], ia[1][row + 1], find_sorted(ghost, 0, columns, col));
      PetscCheck(blocks[c] < s->layout.nblock_own ? at >= 0 : at < 0, PETSC_COMM_SELF, PETSC_ERR_PLIB,
                 "no slot for a block");
      PetscCheck(PetscAbsInt(at) < INT_MAX, PETSC_COMM_SELF, PETSC_ERR_SUP,
                 "the tangent of a rank has more than %d blocks: use more ranks", INT_MAX);
      s->matrix.slot[s->matrix.count++] = (int)at;
    }
  for (int p = 0; p < 2 && part[p]; p++)
    PetscCall(MatRestoreRowIJ(part[p], 0, PETSC_FALSE, PETSC_TRUE, &n, &ia[p], &ja[p], &done));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemOpenTangent(System *s) {
  Mat part[2];
  const PetscInt *ghost;
  PetscFunctionBegin;
  s->matrix.made++;
  if (s->matrix.of_rotation != (s->step.spin.rate != 0))
    s->matrix.of_rotation = !s->matrix.of_rotation, s->matrix.count = 0; // the slots are looked up anew
  PetscCall(MatZeroEntries(s->matrix.tangent));
  PetscCall(GetMatrixParts(s, part, &ghost));
  for (int p = 0; p < 2; p++) {
    s->matrix.value[p] = NULL;
    if (part[p]) PetscCall(MatSeqBAIJGetArray(part[p], &s->matrix.value[p]));
  }
  s->matrix.next = 0;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCloseTangent(System *s) {
  Mat part[2];
  const PetscInt *ghost;
  PetscFunctionBegin;
  PetscCall(GetMatrixParts(s, part, &ghost));
  for (int p = 0; p < 2 && part[p]; p++) PetscCall(MatSeqBAIJRestoreArray(part[p], &s->matrix.value[p]));
  PetscCall(MatAssemblyBegin(s->matrix.tangent, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(s->matrix.tangent, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

// A block of the tangent is stored by columns.
static inline void add_block(int bs, const double *from, int stride, double *to) {
  for (int i = 0; i < bs; i++)
    for (int j = 0; j < bs; j++) to[j * bs + i] += from[i * stride + j];
}

void system_add_blocks(System *s, PetscInt count, const PetscInt *blocks) {
  const int bs = (int)s->layout.bs, n = s->scratch->n, *slot = s->matrix.slot + s->matrix.next;
  for (PetscInt b = 0; b < count; b++) {
    const double *row = s->scratch->k + b * bs * n;
    for (PetscInt c = 0; c < count && blocks[b] < s->layout.nblock_own; c++, slot++) {
      if (*slot == NO_SLOT) continue;
      double *to = *slot < 0 ? s->matrix.value[1] + (size_t)bs * bs * (size_t)(-1 - *slot)
                             : s->matrix.value[0] + (size_t)bs * bs * (size_t)*slot;
      if (bs == 3) add_block(3, row + 3 * c, n, to);
      else if (bs == 6) add_block(6, row + 6 * c, n, to);
      else add_block(bs, row + bs * c, n, to);
    }
  }
  s->matrix.next = slot - s->matrix.slot;
}
