// SPDX-License-Identifier: Apache-2.0
#include "assembly/contacts.h"
#include "assembly/evaluate.h"
#include "assembly/workspace.h"

typedef struct { // columns of a row while they are collected, sorted up to `sorted`
  PetscInt *column, count, sorted, room;
} PatternRow;

static PetscErrorCode SortRow(PatternRow *r) {
  PetscFunctionBegin;
  if (r->sorted == r->count) PetscFunctionReturn(0);
  PetscCall(PetscSortRemoveDupsInt(&r->count, r->column));
  r->sorted = r->count;
  PetscFunctionReturn(0);
}

// Each column comes once for every element and joint that has it: a full row is sorted first, and grows if that does
// not help.
static PetscErrorCode AddColumn(PatternRow *r, PetscInt column) {
  PetscFunctionBegin;
  if (r->count == r->room) {
    PetscCall(SortRow(r));
    if (2 * r->count >= r->room) {
      r->room = r->room ? 2 * r->room : 16;
      PetscCall(PetscRealloc((size_t)r->room * sizeof *r->column, &r->column));
    }
  }
  r->column[r->count++] = column;
  PetscFunctionReturn(0);
}

// The local blocks of a node, element or joint: nodes come first, then elements, then joints.
static PetscInt blocks_of(const Layout *l, PetscInt i, PetscInt *blocks) {
  PetscInt count = 0, nn = 0, nodes[MAX_LOCAL_NODES], extra = -1, ne = 0;
  if (i < l->nnode_own) nodes[nn++] = i;
  else if (i < l->nnode_own + l->nelement)
    for (PetscInt e = i - l->nnode_own, a = l->element_node_start[e]; a < l->element_node_start[e + 1]; a++)
      nodes[nn++] = l->element_node[a];
  else {
    PetscInt j = i - l->nnode_own - l->nelement;
    nn = model_joint(l->model, l->joint[j])->nnode;
    for (PetscInt a = 0; a < nn; a++) nodes[a] = l->joint_node[j][a];
    extra = l->joint_block[j], ne = layout_joint_blocks(l, l->joint[j]);
  }
  for (PetscInt a = 0; a < nn; a++)
    for (int b = i < l->nnode_own || ne > 0 ? -layout_projection_blocks(l, l->node[nodes[a]]) : 0;
         b < node_blocks(model_node(l->model, l->node[nodes[a]])->kind); b++)
      blocks[count++] = l->node_block[nodes[a]] + b;
  for (PetscInt b = 0; b < ne; b++) blocks[count++] = extra + b;
  return count;
}

static PetscErrorCode JoinRows(PatternRow *row, PetscInt rows, Pattern *p) {
  PetscInt64 total = 0;
  PetscFunctionBegin;
  for (PetscInt i = 0; i < rows; i++) {
    PetscCall(SortRow(&row[i]));
    total += row[i].count;
  }
  PetscCheck(total <= PETSC_MAX_INT, PETSC_COMM_SELF, PETSC_ERR_SUP,
             "the tangent of a rank has %" PetscInt64_FMT " blocks: use more ranks", total);
  p->rows = rows;
  PetscCall(PetscMalloc2(rows + 1, &p->start, (PetscInt)total, &p->column));
  p->start[0] = 0;
  for (PetscInt i = 0; i < rows; i++) {
    PetscCall(PetscArraycpy(p->column + p->start[i], row[i].column, row[i].count));
    p->start[i + 1] = p->start[i] + row[i].count;
    PetscCall(PetscFree(row[i].column));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode PatternCreate(const Layout *l, const ContactSet *contacts, Pattern *p) {
  PetscInt blocks[MAX_LOCAL_BLOCKS];
  PatternRow *row;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(l->nblock_own, &row));
  for (PetscInt i = 0; i < l->nnode_own + l->nelement + l->njoint; i++) {
    PetscInt count = blocks_of(l, i, blocks);
    for (PetscInt b = 0; b < count; b++)
      for (PetscInt c = 0; c < count && blocks[b] < l->nblock_own; c++)
        if (layout_links(l, blocks[b], blocks[c])) PetscCall(AddColumn(&row[blocks[b]], l->block_global[blocks[c]]));
  }
  for (PetscInt i = 0; contacts && i < contacts->count; i++) {
    int first[CONTACT_NODES];
    PetscInt count = contacts_blocks(l, &contacts->item[i], blocks, first);
    for (PetscInt b = 0; b < count; b++)
      for (PetscInt c = 0; c < count && blocks[b] < l->nblock_own; c++)
        PetscCall(AddColumn(&row[blocks[b]], l->block_global[blocks[c]]));
  }
  PetscCall(JoinRows(row, l->nblock_own, p));
  PetscCall(PetscFree(row));
  PetscFunctionReturn(0);
}

PetscErrorCode PatternDestroy(Pattern *p) {
  PetscFunctionBegin;
  PetscCall(PetscFree2(p->start, p->column));
  *p = (Pattern){0};
  PetscFunctionReturn(0);
}
