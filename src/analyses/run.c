// SPDX-License-Identifier: Apache-2.0
// The public interface to a run in time.
#include "base/rotation.h"
#include "stepping/ledger.h"
#include "stepping/stepper.h"

#include <slepcsys.h>
#include <string.h>

int LimberInitialize(int *argc, char ***argv) { return SlepcInitialize(argc, argv, NULL, NULL); }
int LimberFinalize(void) { return SlepcFinalize(); }

int LimberRunCreate(LimberModel model, const LimberOptions *options, LimberRun *run) {
  const char *wrong = NULL;
  PetscFunctionBegin;
  *run = NULL;
  if (model->notes_length) PetscFunctionReturn(0);
  PetscCall(PetscNew(run));
  PetscCall(StepperCreate(model, options, &(*run)->stepper, &wrong));
  if (wrong) {
    PetscCall(ModelNote(model, "run: %s", wrong));
    PetscCall(PetscFree(*run));
  }
  PetscFunctionReturn(0);
}

int LimberRunDestroy(LimberRun *run) {
  PetscFunctionBegin;
  if (!*run) PetscFunctionReturn(0);
  PetscCall(StepperDestroy(&(*run)->stepper));
  PetscCall(PetscFree(*run));
  PetscFunctionReturn(0);
}

int LimberRunStep(LimberRun run, LimberOutcome *outcome) {
  PetscFunctionBegin;
  PetscCall(StepperStep(run->stepper, outcome));
  PetscFunctionReturn(0);
}

double limber_run_time(LimberRun run) { return run->stepper->s->time; }

long limber_run_unknowns(LimberRun run) {
  const System *s = run->stepper->s;
  PetscInt n = 0;
  for (PetscInt i = 0; i < s->model->nodes.count; i++) n += 3 * node_blocks(model_node(s->model, i)->kind);
  for (PetscInt j = 0; j < s->model->joints.count; j++) n += joint_unknowns(&model_joint(s->model, j)->joint);
  return (long)n;
}

int LimberRunGetLedger(LimberRun run, LimberLedger *ledger) {
  *ledger = run->stepper->ledger;
  return 0;
}

int LimberRunGetLoadWork(LimberRun run, LimberId load, double *work) {
  PetscFunctionBegin;
  PetscCheck(load >= 0 && load < run->stepper->s->model->loads.count, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "no load %d", load);
  *work = run->stepper->load_work[load];
  PetscFunctionReturn(0);
}

// The numbers of the one rank that has them, on all ranks.
static PetscErrorCode FromOwner(System *s, bool mine, double *values, int n) {
  PetscFunctionBegin;
  if (!mine) memset(values, 0, (size_t)n * sizeof *values);
  if (s->size > 1) PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_SUM, s->comm));
  PetscFunctionReturn(0);
}

int LimberRunGetNode(LimberRun run, LimberId node, double *position, double *axes, double *velocity, double *angular) {
  System *s = run->stepper->s;
  double all[18] = {0};
  PetscFunctionBegin;
  PetscCheck(node >= 0 && node < s->model->nodes.count, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "no node %d", node);
  PetscInt i = s->local_node[node];
  bool mine = node == 0 ? s->rank == 0 : i >= 0 && i < s->nnode_own;
  if (mine) {
    Vec3 x[4], v, w;
    system_node_values(s, i, x, &v, &w);
    for (int j = 0; j < 4; j++) vec3_to(x[j], all + 3 * j);
    vec3_to(v, all + 12);
    vec3_to(w, all + 15);
  }
  PetscCall(FromOwner(s, mine, all, 18));
  if (position) memcpy(position, all, 3 * sizeof(double));
  if (axes) memcpy(axes, all + 3, 9 * sizeof(double));
  if (velocity) memcpy(velocity, all + 12, 3 * sizeof(double));
  if (angular) memcpy(angular, all + 15, 3 * sizeof(double));
  PetscFunctionReturn(0);
}

int LimberRunGetForces(LimberRun run, LimberId element, int point, int *rows, double *strain, double *force) {
  System *s = run->stepper->s;
  const ModelElement *el = model_item_point(s->model, element, &point);
  double all[2 * MAX_ROWS] = {0};
  Vec3 x[MAX_ITEM_VECTORS];
  bool mine = false;
  int n = 0;
  PetscFunctionBegin;
  PetscCheck(el, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "no such element or integration point");
  ElementPoint p;
  p.rows.ny = p.rows.nrow = p.rows.start[0] = 0;
  el->kind->point(el->data, point, &p);
  const LimberId *id = model_element_nodes(s->model, el);
  for (int a = 0; a < el->nnode; a++) {
    PetscInt i = s->local_node[id[a]];
    if (i < 0) break;
    if (a == 0) mine = i < s->nnode_own;
    for (int j = 0; j < node_vectors(model_node(s->model, id[a])->kind); j++) x[n++] = s->x[4 * i + j];
  }
  if (mine) element_forces(el->kind, el->data, point, x, all, all + MAX_ROWS);
  PetscCall(FromOwner(s, mine, all, 2 * MAX_ROWS));
  if (rows) *rows = p.rows.nrow;
  if (strain) memcpy(strain, all, (size_t)p.rows.nrow * sizeof(double));
  if (force) memcpy(force, all + MAX_ROWS, (size_t)p.rows.nrow * sizeof(double));
  PetscFunctionReturn(0);
}

int LimberRunGetJoint(LimberRun run, LimberId joint, int *rows, double *multiplier, double *angle) {
  System *s = run->stepper->s;
  double all[MAX_ROWS + 1] = {0};
  bool mine = false;
  PetscFunctionBegin;
  PetscCheck(joint >= 0 && joint < s->model->joints.count, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "no joint %d",
             joint);
  int n = model_joint(s->model, joint)->joint.rows.nrow;
  for (PetscInt j = 0; j < s->njoint && !mine; j++) {
    if (s->joint[j] != joint || !s->joint_primary[j]) continue;
    mine = true;
    memcpy(all, s->multiplier[j], sizeof s->multiplier[j]);
    all[MAX_ROWS] = s->angle[j];
  }
  PetscCall(FromOwner(s, mine, all, MAX_ROWS + 1));
  if (rows) *rows = n;
  if (multiplier) memcpy(multiplier, all, (size_t)n * sizeof(double));
  if (angle) *angle = all[MAX_ROWS];
  PetscFunctionReturn(0);
}

int LimberRunGetMomentum(LimberRun run, double momentum[3], double angular[3]) {
  Vec3 p, h;
  PetscFunctionBegin;
  PetscCall(LedgerMomentum(run->stepper->s, &p, &h));
  vec3_to(p, momentum), vec3_to(h, angular);
  PetscFunctionReturn(0);
}
