// SPDX-License-Identifier: Apache-2.0
// Multi-blade coordinates (Coleman & Feingold, 1958) of a rotor of N equal blades that turns at Omega against its
// support. At the azimuth psi, displacements are x = T(psi) z, T = exp(psi S), with constant z: those at psi = 0. Patterns
// of the blades then stand still in the ground's frame,
//   (S z)_k = sum_j e_kj R_kj z_j,   e_kj = (2/N) sum_n n sin(2 pi n (j - k)/N),   1 <= n < N/2,
// R_kj the rotation from blade j to blade k. Coordinates of joints and states of the air have no R; on the axis
// S z = -axis x z. In the frame
// of the rotor M, D, K are constant, and so are they with
//   M,   D + 2 Omega M S,   K + Omega D S + Omega^2 M S^2.
// Equations: eq-multiblade-matrices (25.2).
#include "analyses/modes/modes.h"
#include "assembly/ranks.h"
#include "base/rotation.h"

// Rows of the nodes and of the first coordinates of joints in the matrices, on all ranks.
static PetscErrorCode FindRows(const Layout *layout, PetscInt *node, PetscInt *joint) {
  Model m = layout->model;
  PetscFunctionBegin;
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    if (layout->node_block[i] >= 0) node[layout->node[i]] = 3 * layout->block_global[layout->node_block[i]];
  for (PetscInt j = 0; j < layout->njoint; j++) {
    PetscInt block = layout->joint_block[j];
    if (block >= 0 && block < layout->nblock_own)
      joint[layout->joint[j]] = 3 * layout->block_global[block] + model_joint(m, layout->joint[j])->joint.rows.nrow;
  }
  PetscCall(ReduceArray(layout->comm, node, m->nodes.count, MPIU_INT, MPI_SUM));
  PetscCall(ReduceArray(layout->comm, joint, m->joints.count, MPIU_INT, MPI_SUM));
  PetscFunctionReturn(0);
}

// e of blade k and the m-th after it.
static double coupling(int blades, int m) {
  double sum = 0;
  for (int n = 1; 2 * n < blades; n++) sum += 2.0 * n / blades * sin(2 * PETSC_PI * n * m / blades);
  return sum;
}

static PetscErrorCode AddBlock(Mat s, PetscInt row, PetscInt column, double factor, Mat3 block) {
  const PetscInt at[3] = {row, row + 1, row + 2}, of[3] = {column, column + 1, column + 2};
  double value[9];
  PetscFunctionBegin;
  for (int k = 0; k < 9; k++) value[k] = factor * block.m[k / 3][k % 3];
  PetscCall(MatSetValues(s, 3, at, 3, of, value, ADD_VALUES));
  PetscFunctionReturn(0);
}

static PetscErrorCode AddNode(Mat s, const Spin *spin, const PetscInt *row, int node, int blocks, bool states) {
  const Rotor *r = spin->rotor;
  int other = node;
  PetscFunctionBegin;
  if (r->next[node] == node) {
    for (int b = 0; b < blocks && !states; b++)
      PetscCall(AddBlock(s, row[node] + 3 * b, row[node] + 3 * b, -1, mat3_cross(spin->axis)));
    PetscFunctionReturn(0);
  }
  for (int m = 1; m < r->blades; m++) {
    other = r->next[other];
    Mat3 turn = states ? mat3_identity() : rotation_exponential(vec3_scale(-2 * PETSC_PI * m / r->blades, spin->axis));
    for (int b = 0; b < blocks; b++)
      PetscCall(AddBlock(s, row[node] + 3 * b, row[other] + 3 * b, coupling(r->blades, m), turn));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateS(const Pencil *p, Mat *s) {
  const Layout *layout = &p->s->motion.layout;
  const Rotor *r = p->spin.rotor;
  Model model = layout->model;
  PetscInt *node, *joint, n;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(model->nodes.count, &node, model->joints.count, &joint));
  PetscCall(FindRows(layout, node, joint));
  PetscCall(MatGetLocalSize(p->m, &n, NULL));
  PetscInt room = 3 * r->blades;
  PetscCall(MatCreateAIJ(layout->comm, n, n, PETSC_DETERMINE, PETSC_DETERMINE, room, NULL, room, NULL, s));
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    int id = (int)layout->node[i];
    if (layout->node_block[i] >= 0 && r->turns[id])
      PetscCall(
          AddNode(*s, &p->spin, node, id, node_blocks(model_node(model, id)->kind), model_node(model, id)->states));
  }
  for (PetscInt j = 0; j < layout->njoint; j++) {
    int id = (int)layout->joint[j], other = id;
    if (layout->joint_block[j] < 0 || layout->joint_block[j] >= layout->nblock_own || r->next_joint[id] < 0) continue;
    for (int m = 1; m < r->blades && r->next_joint[id] != id; m++) {
      other = r->next_joint[other];
      for (int c = 0; c < model_joint(model, id)->joint.ncoord; c++)
        PetscCall(MatSetValue(*s, joint[id] + c, joint[other] + c, coupling(r->blades, m), ADD_VALUES));
    }
  }
  PetscCall(MatAssemblyBegin(*s, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*s, MAT_FINAL_ASSEMBLY));
  PetscCall(PetscFree2(node, joint));
  PetscFunctionReturn(0);
}

// The part of a matrix that is symmetric (sign 1) or skew (-1).
static PetscErrorCode TakePart(Mat a, double sign) {
  Mat other;
  PetscFunctionBegin;
  PetscCall(MatTranspose(a, MAT_INITIAL_MATRIX, &other));
  PetscCall(MatAXPY(a, sign, other, UNKNOWN_NONZERO_PATTERN));
  PetscCall(MatScale(a, 0.5));
  PetscCall(MatDestroy(&other));
  PetscFunctionReturn(0);
}

// If K is symmetric, what inertia adds conserves energy: parts that do not are those of loads across the axis, which
// make blades unequal, and are left out.
PetscErrorCode PencilMakeMultiblade(Pencil *p) {
  double omega = p->spin.rate;
  Mat s, g, gs, ms, mss;
  PetscFunctionBegin;
  PetscCall(CreateS(p, &s));
  PetscCall(MatDuplicate(p->d, MAT_COPY_VALUES, &g));
  PetscCall(TakePart(g, -1));
  PetscCall(MatMatMult(p->m, s, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &ms));
  PetscCall(MatMatMult(ms, s, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &mss));
  PetscCall(MatMatMult(g, s, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &gs));
  PetscCall(MatAXPY(mss, 1 / omega, gs, UNKNOWN_NONZERO_PATTERN));
  PetscCall(MatDestroy(&gs));
  PetscCall(MatAXPY(g, -1, p->d, UNKNOWN_NONZERO_PATTERN)); // of dampers, with the other sign
  PetscCall(MatMatMult(g, s, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &gs));
  if (p->symmetric) {
    PetscCall(TakePart(mss, 1));
    PetscCall(TakePart(ms, -1));
  }
  PetscCall(MatAXPY(p->k, omega * omega, mss, UNKNOWN_NONZERO_PATTERN));
  PetscCall(MatAXPY(p->k, -omega, gs, UNKNOWN_NONZERO_PATTERN));
  PetscCall(MatAXPY(p->d, 2 * omega, ms, UNKNOWN_NONZERO_PATTERN));
  PetscCall(MatDestroy(&s));
  PetscCall(MatDestroy(&g));
  PetscCall(MatDestroy(&gs));
  PetscCall(MatDestroy(&ms));
  PetscCall(MatDestroy(&mss));
  PetscFunctionReturn(0);
}
