// SPDX-License-Identifier: Apache-2.0
#include "solvers/redundancy.h"

PetscErrorCode SystemCreate(Model model, const StepRule *rule, System **out) {
  System *s;
  PetscFunctionBegin;
  PetscCall(PetscNew(&s));
  s->comm = PETSC_COMM_WORLD;
  PetscCallMPI(MPI_Comm_rank(s->comm, &s->rank));
  PetscCallMPI(MPI_Comm_size(s->comm, &s->size));
  s->model = model, s->rule = rule, s->bs = 3 * rule->tableau.s;
  PetscCall(PetscMalloc1(1, &s->scratch));
  PetscCall(SystemPartition(s));
  PetscCall(PetscMalloc1(s->nnode * rule->tableau.s, &s->motion));
  PetscCall(SystemCreateInertia(s));
  PetscCall(SystemCreateState(s));
  PetscCall(SystemCreateLoads(s));
  PetscCall(SystemFindLoops(s));
  PetscCall(SystemCreateHeld(s));
  PetscCall(SystemCreateMemory(s));
  PetscCall(SystemCreateMatrix(s));
  PetscCall(SystemCreateBatches(s));
  PetscCall(SystemCreateFrames(s));
  PetscCall(SystemCreateSolvers(s));
  PetscCall(VecCreateGhostBlock(s->comm, s->bs, s->nblock_own * s->bs, PETSC_DETERMINE, s->nblock - s->nblock_own,
                                s->block_global + s->nblock_own, &s->unknown));
  PetscCall(MatCreateVecs(s->tangent, &s->residual, &s->increment));
  PetscCall(VecDuplicate(s->residual, &s->work));
  PetscCall(VecDuplicate(s->residual, &s->correction));
  *out = s;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemDestroy(System **system) {
  System *s = *system;
  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(0);
  PetscCall(SystemFreeLoops(s));
  PetscCall(SystemDestroyHeld(s));
  PetscCall(SystemDestroyMemory(s));
  PetscCall(SystemDestroyBatches(s));
  PetscCall(SystemDestroyFrames(s));
  PetscCall(KSPDestroy(&s->ksp));
  PetscCall(KSPDestroy(&s->robust));
  PetscCall(MatDestroy(&s->tangent));
  PetscCall(VecDestroy(&s->unknown));
  PetscCall(VecDestroy(&s->residual));
  PetscCall(VecDestroy(&s->increment));
  PetscCall(VecDestroy(&s->work));
  PetscCall(VecDestroy(&s->correction));
  PetscCall(VecDestroy(&s->sizes));
  PetscCall(SystemDestroyLoads(s));
  PetscCall(PetscFree3(s->carry, s->amplitude, s->reference));
  PetscCall(PetscFree2(s->may_turn, s->turning));
  PetscCall(PetscFree5(s->coord, s->multiplier, s->target, s->target_rate, s->off));
  if (s->a) PetscCall(PetscFree2(s->a, s->w));
  PetscCall(PetscFree2(s->x, s->v));
  PetscCall(PetscFree2(s->inertia, s->mass));
  PetscCall(PetscFree(s->element_node));
  PetscCall(PetscFree(s->slips));
  PetscCall(PetscFree3(s->block_global, s->block_node, s->block_joint));
  PetscCall(PetscFree4(s->node, s->node_block, s->local_node, s->component));
  PetscCall(PetscFree3(s->joint_block, s->joint_node, s->joint_primary));
  PetscCall(PetscFree4(s->element, s->element_node_start, s->element_primary, s->joint));
  PetscCall(PetscFree(s->place));
  PetscCall(PetscFree(s->motion));
  PetscCall(PetscFree(s->scratch));
  PetscCall(PetscFree(s));
  *system = NULL;
  PetscFunctionReturn(0);
}
