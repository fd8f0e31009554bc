// SPDX-License-Identifier: Apache-2.0
#include "assembly/communicator.h"
#include "assembly/contacts.h"
#include "assembly/state_arrays.h"
#include "assembly/workspace.h"
#include "solvers/redundancy.h"

static PetscErrorCode CreateVectors(System *s) {
  PetscFunctionBegin;
  PetscCall(VecCreateGhostBlock(s->layout.comm, s->layout.bs, s->layout.nblock_own * s->layout.bs, PETSC_DETERMINE,
                                s->layout.nblock - s->layout.nblock_own, s->layout.block_global + s->layout.nblock_own,
                                &s->linear.unknown));
  PetscCall(MatCreateVecs(s->matrix.tangent, &s->linear.residual, &s->linear.increment));
  PetscCall(VecDuplicate(s->linear.residual, &s->linear.work));
  PetscCall(VecDuplicate(s->linear.residual, &s->linear.correction));
  PetscFunctionReturn(0);
}

// Matrix, vectors and solvers, new or from a system before.
static PetscErrorCode CreateObjects(System *s) {
  Workspace *w = s->contacts ? NULL : model_workspace(s->layout.model); // patterns of contacts change
  Pattern p;
  bool found = false;
  PetscFunctionBegin;
  PetscCall(PatternCreate(s, &p));
  if (w) PetscCall(WorkspaceTake(w, s, &p, &found));
  if (!found) PetscCall(SystemCreateMatrix(s, &p));
  if (w) PetscCall(WorkspaceAdd(w, s, &p));
  PetscCall(PatternDestroy(&p));
  PetscCall(SystemCreateSolvers(s));
  if (!found) PetscCall(CreateVectors(s));
  PetscFunctionReturn(0);
}

static PetscErrorCode ReleaseObjects(System *s) {
  PetscFunctionBegin;
  if (s->spare) {
    PetscCall(SystemDestroyUsedSolvers(s));
    workspace_return(s);
  }
  PetscCall(SystemDestroyObjects(s));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCreate(Model model, const StepRule *rule, System **out) {
  System *s;
  PetscFunctionBegin;
  PetscCall(PetscNew(&s));
  s->layout.comm = model_communicator(model);
  PetscCallMPI(MPI_Comm_rank(s->layout.comm, &s->layout.rank));
  PetscCallMPI(MPI_Comm_size(s->layout.comm, &s->layout.size));
  s->layout.model = model, s->rule = rule, s->layout.bs = 3 * rule->tableau.s;
  s->layout.coords_follow =
      !rule->without_inertia && !rule->analysis; // statics and matrices of a state name coordinates
  PetscCall(PetscMalloc1(1, &s->scratch));
  PetscCall(LogEventBegin(LOG_PARTITION));
  PetscCall(SystemPartition(s));
  PetscCall(LogEventEnd(LOG_PARTITION));
  PetscCall(PetscMalloc1(s->layout.nnode * rule->tableau.s, &s->step.motion));
  PetscCall(SystemCreateInertia(s));
  PetscCall(SystemCreateState(s));
  PetscCall(SystemCreateWheels(s));
  PetscCall(SystemCreateSwitches(s));
  PetscCall(SystemCreateLoads(s));
  PetscCall(SystemFindLoops(s));
  PetscCall(SystemCreateAugmented(s));
  PetscCall(SystemCreateMemory(s));
  PetscCall(ContactSetCreate(s));
  PetscCall(CreateObjects(s));
  // The row of a coupling has coordinates alone: block LU without pivots finds no pivot there. That of an inertia has a point.
  for (int j = 0; j < model->joints.count; j++)
    if (model_joint(model, j)->kind->ties && !model_joint_is_abstract(model_joint(model, j)))
      s->linear.nfallback = INT_MAX / 2;
  PetscCall(SystemCreateBatches(s));
  PetscCall(SystemCreateFrames(s));
  PetscCall(SystemCreateJointBatches(s));
  PetscCall(SystemCreateThinFrames(s));
  *out = s;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemDestroy(System **system) {
  System *s = *system;
  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(0);
  PetscCall(ContactSetDestroy(s));
  PetscCall(SystemFreeLoops(s));
  PetscCall(SystemDestroySwitches(s));
  PetscCall(SystemDestroyAugmented(s));
  PetscCall(SystemDestroyMemory(s));
  PetscCall(SystemDestroyBatches(s));
  PetscCall(SystemDestroyFrames(s));
  PetscCall(SystemDestroyJointBatches(s));
  PetscCall(ReleaseObjects(s));
  PetscCall(SystemDestroyLoads(s));
  PetscCall(PetscFree3(s->step.centre_velocity, s->step.amplitude, s->step.end_amplitude));
  PetscCall(PetscFree2(s->layout.may_corotate, s->step.corotation));
  PetscCall(SystemDestroyArrays(s));
  PetscCall(PetscFree2(s->layout.inertia, s->layout.mass));
  PetscCall(PetscFree(s->layout.damped_mass));
  PetscCall(PetscFree(s->layout.element_node));
  PetscCall(PetscFree(s->layout.has_projection));
  PetscCall(PetscFree3(s->layout.block_global, s->layout.block_node, s->layout.block_joint));
  PetscCall(PetscFree4(s->layout.node, s->layout.node_block, s->layout.local_node, s->layout.free_body));
  PetscCall(PetscFree2(s->layout.joint_form, s->layout.joint_without));
  PetscCall(PetscFree3(s->layout.joint_block, s->layout.joint_node, s->layout.joint_primary));
  PetscCall(PetscFree4(s->layout.element, s->layout.element_node_start, s->layout.element_primary, s->layout.joint));
  PetscCall(PetscFree(s->matrix.slot));
  PetscCall(PetscFree(s->matrix.thin));
  PetscCall(PetscFree(s->step.motion));
  PetscCall(PetscFree(s->scratch));
  PetscCall(PetscFree(s));
  *system = NULL;
  PetscFunctionReturn(0);
}
