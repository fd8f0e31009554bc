// SPDX-License-Identifier: Apache-2.0
// Finds the node or joint to which a block of unknowns belongs, and the block that nothing constrains, for messages.
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "solvers/solvers.h"

// The block with the largest entry. Forces are large numbers, so joints count only if the entries of nodes are tiny.
static PetscErrorCode LargestBlock(const Layout *layout, Vec x, PetscInt *block) {
  const double *q;
  double most = 0;
  PetscFunctionBegin;
  *block = -1;
  PetscCall(VecGetArrayRead(x, &q));
  for (PetscInt b = 0; b < layout->nblock_own; b++)
    for (PetscInt i = b * layout->bs; i < (b + 1) * layout->bs; i++) {
      double value = number_or_infinity(PetscAbsReal(q[i]) * (layout->block_joint[b] >= 0 ? 1e-12 : 1));
      if (value > most) most = value, *block = layout->block_global[b];
    }
  PetscCall(VecRestoreArrayRead(x, &q));
  PetscCall(ReduceLargest(layout->comm, &most, block, NULL));
  PetscFunctionReturn(0);
}

// The first block whose residual is not finite; -1: all are finite.
static PetscErrorCode FindNotFinite(const Layout *layout, const Equations *equations, PetscInt *block) {
  const double *r;
  double found = 0;
  PetscFunctionBegin;
  *block = -1;
  PetscCall(VecGetArrayRead(equations->residual, &r));
  for (PetscInt i = 0; i < layout->nblock_own * layout->bs && !found; i++)
    if (PetscIsInfOrNanReal(r[i])) found = 1, *block = layout->block_global[i / layout->bs];
  PetscCall(VecRestoreArrayRead(equations->residual, &r));
  PetscCall(ReduceLargest(layout->comm, &found, block, NULL));
  PetscFunctionReturn(0);
}

// Inverse iteration, with a small multiple of the identity as the only resistance against unconstrained motion.
PetscErrorCode EquationsFindUnconstrained(const Layout *layout, Equations *equations, PetscInt *block) {
  Mat shifted;
  KSP ksp;
  Vec x;
  double largest, norm;
  KSPConvergedReason reason = KSP_CONVERGED_ITS;
  PetscFunctionBegin;
  PetscCall(FindNotFinite(layout, equations, block));
  if (*block >= 0) PetscFunctionReturn(0);
  PetscCall(MatDuplicate(equations->matrix.tangent, MAT_COPY_VALUES, &shifted));
  PetscCall(MatNorm(shifted, NORM_INFINITY, &largest));
  PetscCall(MatShift(shifted, 1e-14 * largest));
  PetscCall(VecDuplicate(equations->residual, &x));
  PetscCall(VecSet(x, 1));
  PetscCall(KSPCreate(layout->comm, &ksp));
  PetscCall(KSPSetOptionsPrefix(ksp, "limber_singular_"));
  PetscCall(KSPSetOperators(ksp, shifted, shifted));
  PetscCall(SolverUseLU(ksp));
  for (int i = 0; i < 3 && reason >= 0; i++) {
    PetscCall(KSPSolve(ksp, x, equations->work));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCall(VecNormalize(equations->work, &norm));
    PetscCall(VecCopy(equations->work, x));
  }
  if (reason >= 0) PetscCall(LargestBlock(layout, x, block));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(MatDestroy(&shifted));
  PetscCall(VecDestroy(&x));
  PetscFunctionReturn(0);
}

// The joint with the largest forces on a node, for the present unknowns; -1: the node has no joint.
static PetscInt pulling_joint(const Layout *layout, const State *state, const double *q, PetscInt node) {
  PetscInt found = -1;
  double most = 0;
  for (PetscInt j = 0; j < layout->njoint; j++) {
    const ModelJoint *m = model_joint(layout->model, layout->joint[j]);
    double lambda[MAX_STAGES][MAX_ROWS], pull = 0;
    Coords z[MAX_STAGES];
    bool at = false;
    for (int a = 0; a < m->nnode; a++) at = at || layout->joint_node[j][a] == node;
    if (!at) continue;
    state_joint_unknowns(layout, state, q, j, lambda, z);
    for (int r = 0; r < layout_joint(layout, j)->rows.nrow; r++) pull += PetscAbsReal(lambda[0][r]);
    if (pull > most) most = pull, found = j;
  }
  return found;
}

PetscErrorCode EquationsNameResidual(const Motion *motion, Equations *equations, PetscInt block, LimberCause *out) {
  PetscInt b = block - motion->layout.first_block, joint = -1;
  PetscMPIInt owner = -1, rank = -1;
  const double *q;
  Vec local;
  PetscFunctionBegin;
  PetscCall(EquationsRefresh(&motion->layout, equations));
  PetscCall(EquationsOpenUnknowns(&motion->layout, equations, &local, &q));
  if (b >= 0 && b < motion->layout.nblock_own && motion->layout.block_node[b] >= 0)
    joint = pulling_joint(&motion->layout, &motion->state, q, motion->layout.block_node[b]);
  PetscCall(EquationsCloseUnknowns(&motion->layout, equations, &local, &q));
  if (joint >= 0)
    *out = model_joint_cause(motion->layout.model, motion->layout.joint[joint]), rank = motion->layout.rank;
  PetscCallMPI(MPI_Allreduce(&rank, &owner, 1, MPI_INT, MPI_MAX, motion->layout.comm));
  if (owner >= 0) PetscCallMPI(MPI_Bcast(out, (PetscMPIInt)sizeof *out, MPI_BYTE, owner, motion->layout.comm));
  else PetscCall(LayoutNameBlock(&motion->layout, block, out));
  PetscFunctionReturn(0);
}

PetscErrorCode LayoutNameBlock(const Layout *layout, PetscInt block, LimberCause *out) {
  int mine = block >= layout->first_block && block < layout->first_block + layout->nblock_own, owner = -1,
      rank = mine ? layout->rank : -1;
  PetscFunctionBegin;
  *out = (LimberCause){.index = LIMBER_NONE};
  if (mine) {
    PetscInt b = block - layout->first_block;
    if (layout->block_joint[b] >= 0) *out = model_joint_cause(layout->model, layout->joint[layout->block_joint[b]]);
    else if (layout->block_node[b] >= 0) *out = model_node_cause(layout->model, layout->node[layout->block_node[b]]);
  }
  PetscCallMPI(MPI_Allreduce(&rank, &owner, 1, MPI_INT, MPI_MAX, layout->comm));
  if (owner >= 0) PetscCallMPI(MPI_Bcast(out, (PetscMPIInt)sizeof *out, MPI_BYTE, owner, layout->comm));
  PetscFunctionReturn(0);
}

PetscErrorCode EquationsNameUnconstrained(const Layout *layout, Equations *equations, LimberCause *out) {
  PetscInt block;
  PetscFunctionBegin;
  *out = (LimberCause){.index = LIMBER_NONE};
  PetscCall(EquationsFindUnconstrained(layout, equations, &block));
  if (block >= 0) PetscCall(LayoutNameBlock(layout, block, out));
  PetscFunctionReturn(0);
}
