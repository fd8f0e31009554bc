// SPDX-License-Identifier: Apache-2.0
// Creates and destroys a system with its matrix, vectors and solvers.
#include "assembly/ranks.h"
#include "assembly/evaluate.h"
#include "assembly/contacts.h"
#include "assembly/create.h"
#include "assembly/motion.h"
#include "assembly/log_events.h"
#include "assembly/partition.h"
#include "assembly/state_arrays.h"
#include "assembly/step_memory.h"
#include "assembly/wheels.h"
#include "assembly/workspace.h"
#include "solvers/redundancy.h"

static PetscErrorCode CreateVectors(System *s) {
  PetscFunctionBegin;
  PetscCall(VecCreateGhostBlock(s->motion.layout.comm, s->motion.layout.bs,
                                s->motion.layout.nblock_own * s->motion.layout.bs, PETSC_DETERMINE,
                                s->motion.layout.nblock - s->motion.layout.nblock_own,
                                s->motion.layout.block_global + s->motion.layout.nblock_own, &s->equations.unknown));
  PetscCall(MatCreateVecs(s->equations.matrix.tangent, &s->equations.residual, &s->linear.increment));
  PetscCall(VecDuplicate(s->equations.residual, &s->equations.work));
  PetscCall(VecDuplicate(s->equations.residual, &s->linear.correction));
  PetscFunctionReturn(0);
}

// Creates matrix, vectors and solvers, or reuses those of an earlier system.
static PetscErrorCode CreateObjects(System *s) {
  Workspace *w = s->motion.contacts ? NULL : model_workspace(s->motion.layout.model); // patterns of contacts change
  Pattern p;
  bool found = false;
  PetscFunctionBegin;
  PetscCall(PatternCreate(&s->motion.layout, s->motion.contacts, &p));
  PetscCall(CheckOtherRanks(s->motion.layout.comm));
  if (w) PetscCall(WorkspaceTake(w, s, &p, &found));
  if (!found) PetscCall(TangentCreate(&s->motion.layout, &s->equations.matrix, &p));
  if (w) PetscCall(WorkspaceAdd(w, s, &p));
  PetscCall(PatternDestroy(&p));
  PetscCall(SystemCreateSolvers(s));
  if (!found) PetscCall(CreateVectors(s));
  PetscFunctionReturn(0);
}

static PetscErrorCode ReleaseObjects(System *s) {
  PetscFunctionBegin;
  if (s->spare) {
    PetscCall(LinearDestroyUsedSolvers(&s->linear));
    workspace_return(s);
  }
  PetscCall(LinearDestroyObjects(&s->equations, &s->linear));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCreate(Model model, const StepRule *rule, System **out) {
  System *s;
  PetscFunctionBegin;
  PetscCall(PetscNew(&s));
  s->motion.layout.comm = model_communicator(model);
  PetscCallMPI(MPI_Comm_rank(s->motion.layout.comm, &s->motion.layout.rank));
  PetscCallMPI(MPI_Comm_size(s->motion.layout.comm, &s->motion.layout.size));
  s->motion.layout.model = model, s->motion.layout.rule = rule, s->motion.layout.bs = 3 * rule->tableau.s;
  s->motion.layout.coords_follow =
      !rule->without_inertia && !rule->analysis; // statics and analyses of a state use coordinates
  PetscCall(PetscMalloc1(1, &s->equations.scratch));
  PetscCall(LogEventBegin(LOG_PARTITION));
  PetscCall(LayoutPartition(&s->motion.layout));
  PetscCall(LogEventEnd(LOG_PARTITION));
  PetscCall(PetscMalloc1(s->motion.layout.nnode * rule->tableau.s, &s->motion.step.motion));
  PetscCall(LayoutCreateInertia(&s->motion.layout));
  PetscCall(SystemCreateState(s));
  PetscCall(StateCreateWheels(&s->motion.layout, &s->motion.state));
  PetscCall(MotionCreateSwitches(&s->motion));
  PetscCall(LayoutCreateLoads(&s->motion.layout));
  PetscCall(RedundancyFindLoops(&s->motion, &s->redundancy));
  PetscCall(AugmentedCreate(&s->motion.layout, &s->motion.augmented));
  PetscCall(MotionCreateMemory(&s->motion));
  PetscCall(ContactSetCreate(&s->motion));
  PetscCall(CreateObjects(s));
  // The row of a coupling contains only coordinates, so block LU without pivoting finds no pivot there. The row of an
  // inertia contains a point.
  for (int j = 0; j < model->joints.count; j++)
    if (model_joint(model, j)->kind->ties && !model_joint_is_abstract(model_joint(model, j)))
      s->linear.nfallback = INT_MAX / 2;
  PetscCall(EquationsCreateBatches(&s->motion.layout, &s->equations));
  PetscCall(EquationsCreateFrames(&s->motion.layout, &s->equations));
  PetscCall(EquationsCreateJointBatches(&s->motion.layout, &s->equations));
  PetscCall(MatrixCreateThinFrames(&s->motion.layout, &s->equations.matrix));
  PetscCall(CheckOtherRanks(s->motion.layout.comm));
  *out = s;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemDestroy(System **system) {
  System *s = *system;
  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(0);
  PetscCall(ContactSetDestroy(&s->motion));
  PetscCall(RedundancyFreeLoops(&s->redundancy));
  PetscCall(SwitchesDestroy(&s->motion.layout, &s->motion.switches));
  PetscCall(AugmentedDestroy(&s->motion.augmented));
  PetscCall(StepDestroyMemory(&s->motion.step));
  PetscCall(BatchesDestroy(&s->equations.batches));
  PetscCall(BatchesDestroyFrames(&s->equations.batches));
  PetscCall(BatchesDestroyJointBatches(&s->equations.batches));
  PetscCall(ReleaseObjects(s));
  PetscCall(LayoutDestroyLoads(&s->motion.layout));
  PetscCall(PetscFree3(s->motion.step.centre_velocity, s->motion.step.amplitude, s->motion.step.end_amplitude));
  PetscCall(PetscFree2(s->motion.layout.may_corotate, s->motion.step.corotation));
  PetscCall(SystemDestroyArrays(s));
  PetscCall(PetscFree2(s->motion.layout.inertia, s->motion.layout.mass));
  PetscCall(PetscFree(s->motion.layout.damped_mass));
  PetscCall(PetscFree(s->motion.layout.element_node));
  PetscCall(PetscFree(s->motion.layout.has_projection));
  PetscCall(PetscFree3(s->motion.layout.block_global, s->motion.layout.block_node, s->motion.layout.block_joint));
  PetscCall(PetscFree4(s->motion.layout.node, s->motion.layout.node_block, s->motion.layout.local_node,
                       s->motion.layout.free_body));
  PetscCall(MomentumColumnsDestroy(&s->linear.momentum));
  PetscCall(PetscFree2(s->motion.layout.component, s->motion.layout.component_tied));
  PetscCall(PetscFree5(s->motion.step.component, s->motion.step.beyond, s->motion.step.kept, s->motion.step.known,
                       s->motion.step.moved));
  PetscCall(PetscFree2(s->motion.layout.joint_form, s->motion.layout.joint_without));
  PetscCall(PetscFree3(s->motion.layout.joint_block, s->motion.layout.joint_node, s->motion.layout.joint_primary));
  PetscCall(PetscFree4(s->motion.layout.element, s->motion.layout.element_node_start, s->motion.layout.element_primary,
                       s->motion.layout.joint));
  PetscCall(PetscFree(s->equations.matrix.slot));
  PetscCall(PetscFree(s->equations.matrix.thin));
  PetscCall(PetscFree(s->motion.step.motion));
  PetscCall(PetscFree(s->equations.scratch));
  PetscCall(PetscFree(s));
  *system = NULL;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCorrectionEnergy(const System *s, double *energy) {
  const double *r, *d;
  PetscFunctionBegin;
  *energy = 0;
  PetscCall(VecGetArrayRead(s->equations.residual, &r));
  PetscCall(VecGetArrayRead(s->linear.increment, &d));
  for (PetscInt i = 0; i < s->motion.layout.nblock_own * s->motion.layout.bs; i++) *energy += PetscAbsReal(r[i] * d[i]);
  PetscCall(VecRestoreArrayRead(s->equations.residual, &r));
  PetscCall(VecRestoreArrayRead(s->linear.increment, &d));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, energy, 1, MPI_DOUBLE, MPI_SUM, s->motion.layout.comm));
  PetscFunctionReturn(0);
}
