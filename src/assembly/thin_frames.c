// SPDX-License-Identifier: Apache-2.0
// Frames without inertia about an axis, as those of rods without thickness, and frames without any mass, as the base of a robot. Only joints
// hold them there, whose multipliers come later in the order of elimination: block LU, which does not pivot between blocks, would meet
// a pivot of zero or of round-off. A trace of inertia in the tangent leaves the solution as it is, which is found from the residual. The
// first step goes without, so that a frame that nothing holds is found out.
#include "assembly/evaluate.h"

static const double TRACE = 1e-6; // of the largest inertia of the frame, or of the lightest one where it has none

static bool is_thin(const Inertia *q) {
  if (!(q->m > 0)) return false;
  Mat3 shift = mat3_scale(1 / q->m, mat3_mul(mat3_cross(q->s), mat3_cross(q->s))),
       j = mat3_add(q->j, shift); // about the mass centre
  double sum = j.m[0][0] + j.m[1][1] + j.m[2][2];
  return sum > 0 && mat3_det(j) <= 1e-12 * sum * sum * sum;
}

// Stiffness of an element is inertia enough.
static bool is_elastic(const Layout *layout, PetscInt e) {
  const ModelElement *el = model_element(layout->model, layout->element[e]);
  return el->kind->points(el->data) > 0;
}

static bool has_mass(const Inertia *q) { return q->m > 0 || q->j.m[0][0] + q->j.m[1][1] + q->j.m[2][2] > 0; }

// Own frames with the least mass and the least inertia; 0: none.
static void find_lightest(const Layout *layout, PetscInt lightest[2]) {
  double least[2] = {HUGE_VAL, HUGE_VAL};
  lightest[0] = lightest[1] = 0;
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    const Inertia *q = &layout->inertia[i];
    double size[2] = {q->m, q->j.m[0][0] + q->j.m[1][1] + q->j.m[2][2]};
    if (layout->node_block[i] < 0 || model_node(layout->model, layout->node[i])->kind != NODE_FRAME) continue;
    for (int k = 0; k < 2; k++)
      if (size[k] > 0 && size[k] < least[k]) least[k] = size[k], lightest[k] = i;
  }
}

// The slot of a block's own entries, and of those that its trace is measured by.
static PetscErrorCode AddThinBlock(const Layout *layout, MatrixSlots *matrix, PetscInt block, PetscInt measure) {
  PetscFunctionBegin;
  PetscInt at[2] = {block, measure};
  for (int k = 0; k < 2; k++) {
    PetscCall(MatrixFindSlots(layout, matrix, 1, &at[k]));
    matrix->thin[matrix->nthin][k] = matrix->slot[--matrix->count];
  }
  matrix->nthin++;
  PetscFunctionReturn(0);
}

PetscErrorCode MatrixCreateThinFrames(const Layout *layout, MatrixSlots *matrix) {
  PetscInt lightest[2];
  bool *elastic;
  PetscFunctionBegin;
  matrix->nthin = 0;
  if (layout->rule->without_inertia || layout->rule->analysis) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(2 * layout->nnode_own, &matrix->thin));
  PetscCall(PetscCalloc1(layout->nnode, &elastic));
  for (PetscInt e = 0; e < layout->nelement; e++)
    for (PetscInt a = layout->element_node_start[e]; a < layout->element_node_start[e + 1] && is_elastic(layout, e);
         a++)
      elastic[layout->element_node[a]] = true;
  find_lightest(layout, lightest);
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    PetscInt block = layout->node_block[i];
    const Inertia *q = &layout->inertia[i];
    if (block < 0 || model_node(layout->model, layout->node[i])->kind != NODE_FRAME || elastic[i]) continue;
    if (is_thin(q)) PetscCall(AddThinBlock(layout, matrix, block + 1, block + 1));
    for (int k = 0; k < 2 && !has_mass(q); k++)
      if (lightest[k]) PetscCall(AddThinBlock(layout, matrix, block + k, layout->node_block[lightest[k]] + k));
  }
  PetscCall(PetscFree(elastic));
  PetscFunctionReturn(0);
}

void matrix_stiffen_thin_frames(const Motion *motion, MatrixSlots *matrix) {
  const int bs = (int)motion->layout.bs;
  for (PetscInt i = 0; i < matrix->nthin && motion->state.stepped; i++) {
    double *block[2];
    for (int k = 0; k < 2; k++) block[k] = matrix->value[0] + (size_t)bs * (size_t)bs * (size_t)matrix->thin[i][k];
    for (int k = 0; k < bs; k += 3) {
      double most = 0;
      for (int a = k; a < k + 3; a++) most = PetscMax(most, PetscAbsReal(block[1][a * bs + a]));
      for (int a = k; a < k + 3; a++) block[0][a * bs + a] += TRACE * most;
    }
  }
}
