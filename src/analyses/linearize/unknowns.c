// SPDX-License-Identifier: Apache-2.0
#include "analyses/linearize/unknowns.h"

#include <string.h>

// ---- the list ----

static PetscInt count_unknowns(Model m) {
  PetscInt n = 0;
  for (PetscInt i = 0; i < m->nodes.count; i++) n += 3 * node_blocks(model_node(m, i)->kind);
  for (PetscInt j = 0; j < m->joints.count; j++) n += joint_unknowns(&model_joint(m, j)->joint);
  return n;
}

static void list_unknowns(Unknowns *u) {
  PetscInt n = 0;
  Model m = u->model;
  for (PetscInt i = 0; i < m->nodes.count; i++)
    for (int c = 0; c < 3 * node_blocks(model_node(m, i)->kind); c++) u->unknown[n++] = (Unknown){UNKNOWN_NODE, i, c};
  for (PetscInt j = 0; j < m->joints.count; j++) {
    const Joint *joint = &model_joint(m, j)->joint;
    for (int r = 0; r < joint->rows.nrow; r++) u->unknown[n++] = (Unknown){UNKNOWN_ROW, j, r};
    for (int c = 0; c < joint->ncoord; c++)
      u->unknown[n++] = (Unknown){joint->prescribed[c] ? UNKNOWN_PRESCRIBED : UNKNOWN_COORDINATE, j, c};
  }
}

// Sets the rows of the unknowns that this rank owns. `off`: 1 for redundant equations.
static PetscErrorCode FindOwnRows(const Motion *motion, const Unknowns *u, PetscInt *row, PetscInt *off) {
  PetscInt *first_node, *first_joint, n = 0;
  const Layout *l = &motion->layout;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(u->model->nodes.count, &first_node, u->model->joints.count, &first_joint));
  for (PetscInt i = 0; i < u->model->nodes.count; i++)
    first_node[i] = n, n += 3 * node_blocks(model_node(u->model, i)->kind);
  for (PetscInt j = 0; j < u->model->joints.count; j++)
    first_joint[j] = n, n += joint_unknowns(&model_joint(u->model, j)->joint);
  for (PetscInt i = 1; i < l->nnode_own; i++)
    for (int c = 0; c < 3 * node_blocks(model_node(u->model, l->node[i])->kind) && l->node_block[i] >= 0; c++)
      row[first_node[l->node[i]] + c] = 3 * l->block_global[l->node_block[i] + c / 3] + c % 3;
  for (PetscInt j = 0; j < l->njoint; j++) {
    const Joint *joint = &model_joint(u->model, l->joint[j])->joint;
    if (l->joint_block[j] < 0 || l->joint_block[j] >= l->nblock_own) continue;
    for (int i = 0; i < joint_unknowns(joint); i++) {
      row[first_joint[l->joint[j]] + i] = 3 * l->block_global[l->joint_block[j] + i / 3] + i % 3;
      off[first_joint[l->joint[j]] + i] = i < joint->rows.nrow && motion->row_off[j][i];
    }
  }
  PetscCall(PetscFree2(first_node, first_joint));
  PetscFunctionReturn(0);
}

PetscErrorCode UnknownsCreate(const Motion *motion, Unknowns *u) {
  PetscInt *off, blocks = motion->layout.nblock_own;
  PetscFunctionBegin;
  PetscCheck(motion->layout.bs == 3, motion->layout.comm, PETSC_ERR_ARG_WRONGSTATE,
             "a system with one stage is needed");
  *u = (Unknowns){
      .model = motion->layout.model, .count = count_unknowns(motion->layout.model), .length = motion->layout.length};
  if (!(u->length > 0)) u->length = 1;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &blocks, 1, MPIU_INT, MPI_SUM, motion->layout.comm));
  u->rows = 3 * blocks;
  PetscCall(PetscMalloc3(u->count, &u->unknown, u->count, &u->row, u->rows, &u->at));
  PetscCall(PetscCalloc1(u->count, &off));
  for (PetscInt i = 0; i < u->count; i++) u->row[i] = -1;
  for (PetscInt i = 0; i < u->rows; i++) u->at[i] = -1;
  list_unknowns(u);
  PetscCall(FindOwnRows(motion, u, u->row, off));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, u->row, (PetscMPIInt)u->count, MPIU_INT, MPI_MAX, motion->layout.comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, off, (PetscMPIInt)u->count, MPIU_INT, MPI_MAX, motion->layout.comm));
  for (PetscInt i = 0; i < u->count; i++) {
    PetscCheck(u->row[i] >= 0, PETSC_COMM_SELF, PETSC_ERR_PLIB, "unknown %d has no row", (int)i);
    u->at[u->row[i]] = i;
    if (off[i]) u->unknown[i].kind = UNKNOWN_OFF;
  }
  PetscCall(PetscFree(off));
  PetscFunctionReturn(0);
}

PetscErrorCode UnknownsDestroy(Unknowns *u) {
  PetscFunctionBegin;
  PetscCall(PetscFree3(u->unknown, u->row, u->at));
  PetscFunctionReturn(0);
}

// ---- names ----

// Keeps only what is between the quotes of "node 'blade.7'".
static void bare_name(char *text) {
  char *first = strchr(text, '\''), *last = strrchr(text, '\'');
  if (!first || last <= first) return;
  memmove(text, first + 1, (size_t)(last - first - 1));
  text[last - first - 1] = 0;
}

void unknown_name(const Unknowns *u, PetscInt i, char *out, size_t size) {
  const Unknown *q = &u->unknown[i];
  char name[300];
  if (q->kind == UNKNOWN_NODE) model_name_node(u->model, q->owner, name, sizeof name);
  else model_name_joint(u->model, q->owner, name, sizeof name);
  bare_name(name);
  if (q->kind == UNKNOWN_NODE) snprintf(out, size, "%s.%s.%c", name, q->part < 3 ? "u" : "theta", "xyz"[q->part % 3]);
  else if (q->kind == UNKNOWN_ROW || q->kind == UNKNOWN_OFF)
    snprintf(out, size, "%s.%s", name, model_joint(u->model, q->owner)->kind->row_names[q->part]);
  else snprintf(out, size, "%s.%s", name, model_joint(u->model, q->owner)->kind->coord_names[q->part]);
}

const char *unknown_unit(const Unknowns *u, PetscInt i) {
  const Unknown *q = &u->unknown[i];
  if (q->kind == UNKNOWN_NODE) return q->part < 3 ? "m" : "rad";
  const JointKind *kind = model_joint(u->model, q->owner)->kind;
  return q->kind == UNKNOWN_ROW || q->kind == UNKNOWN_OFF ? kind->row_units[q->part] : kind->coord_units[q->part];
}

const char *unknown_rate_unit(const Unknowns *u, PetscInt i) {
  return strcmp(unknown_unit(u, i), "m") ? "rad s-1" : "m s-1";
}

double unknown_size(const Unknowns *u, PetscInt i) { return strcmp(unknown_unit(u, i), "m") ? 1 : u->length; }

// ---- matrices and vectors on every rank ----

PetscErrorCode SparseGather(const Unknowns *u, Mat a, Sparse *out) {
  Mat *all;
  IS rows;
  PetscInt n = 0;
  PetscFunctionBegin;
  PetscCall(ISCreateStride(PETSC_COMM_SELF, u->rows, 0, 1, &rows));
  PetscCall(ISSetBlockSize(rows, 3));
  PetscCall(MatCreateSubMatrices(a, 1, &rows, &rows, MAT_INITIAL_MATRIX, &all));
  PetscCall(MatConvert(all[0], MATSEQAIJ, MAT_INPLACE_MATRIX, &all[0]));
  *out = (Sparse){.count = u->count};
  PetscCall(PetscMalloc1(u->count + 1, &out->start));
  for (PetscInt i = 0; i < u->count; i++) {
    PetscInt count;
    PetscCall(MatGetRow(all[0], u->row[i], &count, NULL, NULL));
    n += count;
    PetscCall(MatRestoreRow(all[0], u->row[i], &count, NULL, NULL));
  }
  PetscCall(PetscMalloc2(n, &out->column, n, &out->value));
  n = 0;
  for (PetscInt i = 0; i < u->count; i++) {
    PetscInt count;
    const PetscInt *column;
    const double *value;
    out->start[i] = n;
    PetscCall(MatGetRow(all[0], u->row[i], &count, &column, &value));
    for (PetscInt k = 0; k < count; k++)
      if (value[k] != 0 && u->at[column[k]] >= 0) out->column[n] = u->at[column[k]], out->value[n++] = value[k];
    PetscCall(MatRestoreRow(all[0], u->row[i], &count, &column, &value));
  }
  out->start[u->count] = n;
  PetscCall(MatDestroySubMatrices(1, &all));
  PetscCall(ISDestroy(&rows));
  PetscFunctionReturn(0);
}

PetscErrorCode SparseDestroy(Sparse *a) {
  PetscFunctionBegin;
  PetscCall(PetscFree(a->start));
  PetscCall(PetscFree2(a->column, a->value));
  PetscFunctionReturn(0);
}

void sparse_multiply(const Sparse *a, double f, const double *x, double *y) {
  for (PetscInt i = 0; i < a->count; i++)
    for (PetscInt k = a->start[i]; k < a->start[i + 1]; k++) y[i] += f * a->value[k] * x[a->column[k]];
}

PetscErrorCode UnknownsGather(const Unknowns *u, Vec v, double *out) {
  VecScatter all;
  Vec here;
  const double *value;
  PetscFunctionBegin;
  PetscCall(VecScatterCreateToAll(v, &all, &here));
  PetscCall(VecScatterBegin(all, v, here, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(all, v, here, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGetArrayRead(here, &value));
  for (PetscInt i = 0; i < u->count; i++) out[i] = value[u->row[i]];
  PetscCall(VecRestoreArrayRead(here, &value));
  PetscCall(VecScatterDestroy(&all));
  PetscCall(VecDestroy(&here));
  PetscFunctionReturn(0);
}
