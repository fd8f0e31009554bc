// SPDX-License-Identifier: Apache-2.0
// The public interface to a run in time.
#include "analyses/dynamic/ledger.h"
#include "analyses/dynamic/observable.h"

#include <string.h>

int LimberRunCreate(LimberModel model, const LimberOptions *options, LimberRun *run) {
  char wrong[1024];
  PetscFunctionBegin;
  *run = NULL;
  if (model->notes_length) PetscFunctionReturn(0);
  PetscCall(PetscNew(run));
  PetscCall(StepperCreate(model, options, &(*run)->stepper, wrong, sizeof wrong));
  if (wrong[0]) {
    PetscCall(ModelNote(model, "%s", wrong));
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

const char *limber_run_remarks(LimberRun run) { return run->stepper->remarks; }

double limber_run_time(LimberRun run) { return run->stepper->s->state.time; }

long limber_run_unknowns(LimberRun run) {
  const System *s = run->stepper->s;
  PetscInt n = 0;
  for (PetscInt i = 0; i < s->layout.model->nodes.count; i++)
    n += 3 * node_blocks(model_node(s->layout.model, i)->kind);
  for (PetscInt j = 0; j < s->layout.model->joints.count; j++)
    n += joint_unknowns(&model_joint(s->layout.model, j)->joint);
  return (long)n;
}

int LimberRunGetLedger(LimberRun run, LimberLedger *ledger) {
  *ledger = run->stepper->ledger;
  return 0;
}

int LimberRunGetLoadWork(LimberRun run, LimberId load, double *work) {
  PetscFunctionBegin;
  PetscCheck(load >= 0 && load < run->stepper->s->layout.model->loads.count, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "no load %d", load);
  *work = run->stepper->load_work[load];
  PetscFunctionReturn(0);
}

// ---- the state ----

static PetscErrorCode Ask(LimberRun run, Query q, Answer *a) {
  PetscFunctionBegin;
  PetscCall(SystemAnswer(run->stepper->s, 1, &q, a));
  PetscFunctionReturn(0);
}

static void copy(double *to, const double *from, int n) {
  if (to) memcpy(to, from, (size_t)n * sizeof *to);
}

static void copy_motion(const Answer *a, double *position, double *axes, double *velocity, double *angular) {
  copy(position, a->motion.x[0], 3);
  copy(axes, a->all + 3, 9);
  copy(velocity, a->motion.velocity, 3);
  copy(angular, a->motion.angular, 3);
}

#define CHECK_ID(id, array, what) \
  PetscCheck(id >= 0 && id < run->stepper->s->layout.model->array.count, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, \
             "no " what " %d", id)

int LimberRunGetNode(LimberRun run, LimberId node, double *position, double *axes, double *velocity, double *angular) {
  Answer a;
  PetscFunctionBegin;
  CHECK_ID(node, nodes, "node");
  PetscCall(Ask(run, (Query){.kind = QUERY_NODE, .id = node}, &a));
  copy_motion(&a, position, axes, velocity, angular);
  PetscFunctionReturn(0);
}

int LimberRunGetStation(LimberRun run, LimberId element, double at, double *position, double *axes, double *velocity,
                        double *angular) {
  Model m = run->stepper->s->layout.model;
  Answer a;
  PetscFunctionBegin;
  CHECK_ID(element, items, "element");
  PetscCheck(model_item(m, element)->kind->station, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "the element has no length");
  PetscCall(Ask(run, query_station(m, QUERY_STATION, element, at), &a));
  copy_motion(&a, position, axes, velocity, angular);
  PetscFunctionReturn(0);
}

// How many rows of forces the element has to which a query belongs.
static int rows_of(Model m, const Query *q) {
  const ModelElement *el = model_element(m, q->id);
  ElementPoint p = {0};
  el->kind->point(el->data, 0, &p);
  return p.rows.nrow;
}

static PetscErrorCode AskSection(LimberRun run, Query q, int *rows, double *strain, double *force) {
  int n = rows_of(run->stepper->s->layout.model, &q);
  Answer a;
  PetscFunctionBegin;
  PetscCall(Ask(run, q, &a));
  if (rows) *rows = n;
  copy(strain, a.section.strain, n);
  copy(force, a.section.force, n);
  PetscFunctionReturn(0);
}

int LimberRunGetForces(LimberRun run, LimberId element, int point, int *rows, double *strain, double *force) {
  Model m = run->stepper->s->layout.model;
  int own = point;
  PetscFunctionBegin;
  PetscCheck(model_item_point(m, element, &own), PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "no such element or integration point");
  PetscCall(AskSection(run, query_point(m, element, point), rows, strain, force));
  PetscFunctionReturn(0);
}

int LimberRunGetStationForces(LimberRun run, LimberId element, double at, int *rows, double *strain, double *force) {
  Model m = run->stepper->s->layout.model;
  int first = 0;
  PetscFunctionBegin;
  PetscCheck(model_item_point(m, element, &first), PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "no such element, or it has no forces");
  PetscCall(AskSection(run, query_station(m, QUERY_SECTION, element, at), rows, strain, force));
  PetscFunctionReturn(0);
}

int LimberRunGetJoint(LimberRun run, LimberId joint, int *rows, double *multiplier, double *coordinate) {
  Answer a;
  PetscFunctionBegin;
  CHECK_ID(joint, joints, "joint");
  int n = model_joint(run->stepper->s->layout.model, joint)->joint.rows.nrow;
  PetscCall(Ask(run, (Query){.kind = QUERY_JOINT, .id = joint}, &a));
  if (rows) *rows = n;
  copy(multiplier, a.joint.multiplier, n);
  copy(coordinate, a.joint.coord, model_joint(run->stepper->s->layout.model, joint)->joint.ncoord);
  PetscFunctionReturn(0);
}

int LimberRunGetReaction(LimberRun run, LimberId joint, double *force, double *moment, double *rate) {
  Answer a;
  PetscFunctionBegin;
  CHECK_ID(joint, joints, "joint");
  PetscCall(Ask(run, (Query){.kind = QUERY_JOINT, .id = joint}, &a));
  copy(force, a.joint.force, 3);
  copy(moment, a.joint.moment, 3);
  copy(rate, a.joint.rate, model_joint(run->stepper->s->layout.model, joint)->joint.ncoord);
  PetscFunctionReturn(0);
}

int LimberRunGetEnergy(LimberRun run, LimberId element, double *kinetic, double *strain, double *potential) {
  Answer a;
  PetscFunctionBegin;
  CHECK_ID(element, items, "element");
  PetscCall(Ask(run, (Query){.kind = QUERY_ENERGY, .id = element}, &a));
  copy(kinetic, &a.energy.kinetic, 1);
  copy(strain, &a.energy.strain, 1);
  copy(potential, &a.energy.potential, 1);
  PetscFunctionReturn(0);
}

int LimberRunGetMomentum(LimberRun run, double momentum[3], double angular[3]) {
  Vec3 p, h;
  PetscFunctionBegin;
  PetscCall(LedgerMomentum(run->stepper->s, &p, &h));
  vec3_to(p, momentum), vec3_to(h, angular);
  PetscFunctionReturn(0);
}
