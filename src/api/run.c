// SPDX-License-Identifier: Apache-2.0
// The public interface to a run in time.
#include "analyses/stepping/stepper.h"
#include "analyses/stepping/events.h"
#include "analyses/stepping/ledger.h"
#include "analyses/stepping/observable.h"
#include "analyses/stepping/saved_state.h"
#include "api/arguments.h"
#include "assembly/ranks.h"
#include "model/refusal.h"

#include <math.h>
#include <string.h>

MPI_Comm run_communicator(LimberRun run) {
  return run ? run->stepper->s->motion.layout.comm : model_communicator(NULL);
}

PetscErrorCode CheckModel(LimberModel model, bool *good) {
  MPI_Comm comm = model_communicator(model);
  int own = model->diagnostics_length > 0, any = own;
  PetscFunctionBegin;
  PetscCall(CheckOtherRanks(comm));
  PetscCall(ReduceArray(comm, &any, 1, MPI_INT, MPI_MAX));
  if (any && !own) PetscCall(ModelReportError(model, NULL, "another process has mistakes in its model"));
  *good = !any;
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateRun(LimberModel model, const LimberOptions *options, LimberRun *run) {
  Refusal wrong;
  bool good;
  PetscFunctionBegin;
  CHECK_GIVEN(options);
  CHECK_OPTIONS(options, limber_options_default);
  PetscCall(CheckModel(model, &good));
  if (!good) PetscFunctionReturn(0);
  PetscCall(PetscNew(run));
  PetscCall(StepperCreate(model, options, &(*run)->stepper, &wrong));
  if (is_refused(&wrong)) {
    PetscCall(ModelReportError(model, NULL, "%s", wrong.text));
    PetscCall(PetscFree(*run));
  }
  PetscFunctionReturn(0);
}

int LimberRunCreate(LimberModel model, const LimberOptions *options, LimberRun *run) {
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  *run = NULL;
  CREATE_OF_MODEL(model, CreateRun(model, options, run), run);
}

int LimberRunDestroy(LimberRun *run) {
  PetscFunctionBegin;
  if (!run || !*run) PetscFunctionReturn(0);
  PetscCall(StepperDestroy(&(*run)->stepper));
  PetscCall(PetscFree(*run));
  PetscFunctionReturn(0);
}

static PetscErrorCode TakeStep(LimberRun run, LimberOutcome *outcome) {
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  CHECK_GIVEN(outcome);
  PetscCall(StepperStep(run->stepper, outcome));
  if (run->stepper->checks_ghosts) PetscCall(GhostsCheck(run->stepper));
  PetscFunctionReturn(0);
}

int LimberRunStep(LimberRun run, LimberOutcome *outcome) {
  return COLLECTIVE(run_communicator(run), TakeStep(run, outcome));
}

static PetscErrorCode TakeStepTo(LimberRun run, double time, LimberOutcome *outcome) {
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  CHECK_GIVEN(outcome);
  PetscCheck(!run->stepper->kind->step, PETSC_COMM_SELF, PETSC_ERR_SUP, "a static analysis has no time to meet");
  PetscCheck(isfinite(time) && time > limber_run_time(run), PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "a step from %.17g s cannot end at %.17g s", limber_run_time(run), time);
  PetscCall(StepperStepTo(run->stepper, time, outcome));
  if (run->stepper->checks_ghosts) PetscCall(GhostsCheck(run->stepper));
  PetscFunctionReturn(0);
}

int LimberRunStepTo(LimberRun run, double time, LimberOutcome *outcome) {
  return COLLECTIVE(run_communicator(run), TakeStepTo(run, time, outcome));
}

int LimberRunSetMonitor(LimberRun run, LimberMonitor monitor, void *data) {
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  run->stepper->s->monitor = (NewtonMonitor){.call = monitor, .data = data};
  PetscFunctionReturn(0);
}

// ---- saved states ----

static PetscErrorCode SaveRun(LimberRun run, void **state, size_t *size) {
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  CHECK_GIVEN(state);
  CHECK_GIVEN(size);
  PetscCheck(!run->stepper->kind->step, PETSC_COMM_SELF, PETSC_ERR_SUP, "a static analysis cannot be saved");
  StateCopy copy = {.data = *state, .room = *state ? *size : 0};
  PetscErrorCode error = StateCopySave(run->stepper, &copy);
  *state = copy.data, *size = copy.size;
  PetscCall(error);
  PetscFunctionReturn(0);
}

int LimberRunSave(LimberRun run, void **state, size_t *size) {
  return COLLECTIVE(run_communicator(run), SaveRun(run, state, size));
}

static PetscErrorCode RestoreRun(LimberRun run, const void *state, size_t size) {
  Refusal wrong;
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  CHECK_GIVEN(state);
  PetscCheck(!run->stepper->kind->step, PETSC_COMM_SELF, PETSC_ERR_SUP, "a static analysis cannot be restored");
  PetscCall(StateCopyRestore(run->stepper, state, size, &wrong));
  PetscCheck(!is_refused(&wrong), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "the saved state does not fit the run: %s",
             wrong.text);
  PetscFunctionReturn(0);
}

int LimberRunRestore(LimberRun run, const void *state, size_t size) {
  return COLLECTIVE(run_communicator(run), RestoreRun(run, state, size));
}

void limber_state_free(void **state) {
  if (state) memory_free(state);
}

const char *limber_run_remarks(LimberRun run) { return run ? run->stepper->remarks : ""; }

int LimberRunGetFound(LimberRun run, size_t size, char *text) {
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  CHECK_GIVEN(text);
  const AnalysisKind *kind = run->stepper->kind;
  if (size > 0) text[0] = 0;
  if (size > 0 && kind->remark) PetscCall(kind->remark(run->stepper, text, size));
  PetscFunctionReturn(0);
}

bool limber_run_finished(LimberRun run) {
  if (!run) return false;
  const AnalysisKind *kind = run->stepper->kind;
  return kind->finished && kind->finished(run->stepper);
}

double limber_run_time(LimberRun run) { return run ? run->stepper->s->motion.state.time : NAN; }

long limber_run_unknowns(LimberRun run) {
  if (!run) return 0;
  const Layout *layout = &run->stepper->s->motion.layout;
  PetscInt n = 0;
  for (PetscInt i = 0; i < layout->model->nodes.count; i++) n += 3 * node_blocks(model_node(layout->model, i)->kind);
  for (PetscInt j = 0; j < layout->model->joints.count; j++) n += layout_joint_unknown_count(layout, j);
  return (long)n;
}

int LimberRunGetLedger(LimberRun run, LimberLedger *ledger) {
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  CHECK_GIVEN(ledger);
  *ledger = run->stepper->ledger;
  PetscFunctionReturn(0);
}

#define CHECK_ID(id, array, what) \
  CHECK_GIVEN(run); \
  PetscCheck((id).index >= 0 && (id).index < run->stepper->s->motion.layout.model->array.count, PETSC_COMM_SELF, \
             PETSC_ERR_ARG_OUTOFRANGE, "no " what " %d", (id).index)

int LimberRunGetLoadWork(LimberRun run, LimberLoadId load, double *work) {
  PetscFunctionBegin;
  CHECK_ID(load, loads, "load");
  CHECK_GIVEN(work);
  *work = run->stepper->load_work[load.index];
  PetscFunctionReturn(0);
}

// ---- the state ----

static PetscErrorCode SampleOne(LimberRun run, Observable q, StateSample *a) {
  PetscFunctionBegin;
  PetscCall(CheckOtherRanks(run_communicator(run)));
  PetscCall(SystemSample(run->stepper->s, 1, &q, a));
  PetscFunctionReturn(0);
}

static void copy_values(double *to, const double *from, int n) {
  if (to) memcpy(to, from, (size_t)n * sizeof *to);
}

static void copy_motion(const StateSample *a, double *position, double *axes, double *velocity, double *angular) {
  copy_values(position, a->motion.x[0], 3);
  copy_values(axes, a->all + 3, 9);
  copy_values(velocity, a->motion.velocity, 3);
  copy_values(angular, a->motion.angular, 3);
}

#define CHECK_STATION(at) \
  PetscCheck(at >= -1e-9 && at <= 1 + 1e-9, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, \
             "a place along an element is from 0 to 1 of its length, not %g", at)

static PetscErrorCode GetNode(LimberRun run, LimberNodeId node, double *position, double *axes, double *velocity,
                              double *angular) {
  StateSample a;
  PetscFunctionBegin;
  CHECK_ID(node, nodes, "node");
  PetscCall(SampleOne(run, (Observable){.kind = OBSERVABLE_NODE, .id = node.index}, &a));
  copy_motion(&a, position, axes, velocity, angular);
  PetscFunctionReturn(0);
}

int LimberRunGetNode(LimberRun run, LimberNodeId node, double *position, double *axes, double *velocity,
                     double *angular) {
  return COLLECTIVE_AFTER_CHECK(run_communicator(run), GetNode(run, node, position, axes, velocity, angular));
}

static PetscErrorCode GetStation(LimberRun run, LimberElementId element, double at, double *position, double *axes,
                                 double *velocity, double *angular) {
  StateSample a;
  PetscFunctionBegin;
  CHECK_ID(element, components, "element");
  CHECK_STATION(at);
  Model m = run->stepper->s->motion.layout.model;
  PetscCheck(model_component(m, element.index)->kind->line.station, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG,
             "the element has no length");
  PetscCall(SampleOne(run, observable_station(m, OBSERVABLE_STATION, element.index, at), &a));
  copy_motion(&a, position, axes, velocity, angular);
  PetscFunctionReturn(0);
}

int LimberRunGetStation(LimberRun run, LimberElementId element, double at, double *position, double *axes,
                        double *velocity, double *angular) {
  return COLLECTIVE_AFTER_CHECK(run_communicator(run), GetStation(run, element, at, position, axes, velocity, angular));
}

// How many rows of forces the element has to which a query belongs.
static int rows_of(Model m, const Observable *q) {
  const ModelElement *el = model_element(m, q->id);
  ElementPoint p = {0};
  el->kind->point(el->data, 0, &p);
  return p.rows.nrow;
}

_Static_assert((int)LIMBER_MOST_STRAINS == (int)MAX_ROWS && (int)LIMBER_MOST_JOINT_ROWS == (int)MAX_ROWS &&
                   (int)LIMBER_MOST_COORDINATES == (int)MAX_COORDS,
               "results have room for all rows and coordinates");

static PetscErrorCode SampleSection(LimberRun run, Observable q, LimberSectionForces *forces) {
  StateSample a;
  PetscFunctionBegin;
  PetscCall(SampleOne(run, q, &a));
  *forces = (LimberSectionForces){.rows = rows_of(run->stepper->s->motion.layout.model, &q)};
  copy_values(forces->strain, a.section.strain, forces->rows);
  copy_values(forces->force, a.section.force, forces->rows);
  PetscFunctionReturn(0);
}

static PetscErrorCode GetForces(LimberRun run, LimberElementId element, int point, LimberSectionForces *forces) {
  int own = point;
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  CHECK_GIVEN(forces);
  Model m = run->stepper->s->motion.layout.model;
  PetscCheck(model_component_point(m, element.index, &own), PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "no such element or integration point");
  PetscCall(SampleSection(run, observable_point(m, element.index, point), forces));
  PetscFunctionReturn(0);
}

int LimberRunGetForces(LimberRun run, LimberElementId element, int point, LimberSectionForces *forces) {
  return COLLECTIVE_AFTER_CHECK(run_communicator(run), GetForces(run, element, point, forces));
}

static PetscErrorCode GetStationForces(LimberRun run, LimberElementId element, double at, LimberSectionForces *forces) {
  int first = 0;
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  CHECK_GIVEN(forces);
  CHECK_STATION(at);
  Model m = run->stepper->s->motion.layout.model;
  PetscCheck(model_component_point(m, element.index, &first), PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "no such element, or it has no forces");
  PetscCall(SampleSection(run, observable_station(m, OBSERVABLE_SECTION, element.index, at), forces));
  PetscFunctionReturn(0);
}

int LimberRunGetStationForces(LimberRun run, LimberElementId element, double at, LimberSectionForces *forces) {
  return COLLECTIVE_AFTER_CHECK(run_communicator(run), GetStationForces(run, element, at, forces));
}

static PetscErrorCode GetJoint(LimberRun run, LimberJointId joint, LimberJointState *state) {
  StateSample a;
  PetscFunctionBegin;
  CHECK_ID(joint, joints, "joint");
  CHECK_GIVEN(state);
  const Joint *j = &model_joint(run->stepper->s->motion.layout.model, joint.index)->joint;
  PetscCall(SampleOne(run, (Observable){.kind = OBSERVABLE_JOINT, .id = joint.index}, &a));
  *state = (LimberJointState){.rows = j->rows.nrow, .coordinates = j->ncoord};
  copy_values(state->multiplier, a.joint.multiplier, j->rows.nrow);
  copy_values(state->force, a.joint.force, 3);
  copy_values(state->moment, a.joint.moment, 3);
  copy_values(state->reaction, a.joint.reaction, 6);
  const double *const along[] = {a.joint.coord,  a.joint.rate,   a.joint.drive,
                                 a.joint.spring, a.joint.damper, a.joint.friction};
  double *const out[] = {state->coordinate, state->rate, state->drive, state->spring, state->damper, state->friction};
  for (int i = 0; i < 6; i++) copy_values(out[i], along[i], j->ncoord);
  PetscFunctionReturn(0);
}

int LimberRunGetJoint(LimberRun run, LimberJointId joint, LimberJointState *state) {
  return COLLECTIVE_AFTER_CHECK(run_communicator(run), GetJoint(run, joint, state));
}

static PetscErrorCode GetLoad(LimberRun run, LimberLoadId load, double force[3], double moment[3]) {
  StateSample a;
  PetscFunctionBegin;
  CHECK_ID(load, loads, "load");
  PetscCall(SampleOne(run, (Observable){.kind = OBSERVABLE_LOAD, .id = load.index}, &a));
  copy_values(force, a.load.force, 3);
  copy_values(moment, a.load.moment, 3);
  PetscFunctionReturn(0);
}

int LimberRunGetLoad(LimberRun run, LimberLoadId load, double force[3], double moment[3]) {
  return COLLECTIVE_AFTER_CHECK(run_communicator(run), GetLoad(run, load, force, moment));
}

static PetscErrorCode GetEnergy(LimberRun run, LimberElementId element, double *kinetic, double *strain,
                                double *potential) {
  StateSample a;
  PetscFunctionBegin;
  CHECK_ID(element, components, "element");
  PetscCall(SampleOne(run, (Observable){.kind = OBSERVABLE_ENERGY, .id = element.index}, &a));
  copy_values(kinetic, &a.energy.kinetic, 1);
  copy_values(strain, &a.energy.strain, 1);
  copy_values(potential, &a.energy.potential, 1);
  PetscFunctionReturn(0);
}

int LimberRunGetEnergy(LimberRun run, LimberElementId element, double *kinetic, double *strain, double *potential) {
  return COLLECTIVE_AFTER_CHECK(run_communicator(run), GetEnergy(run, element, kinetic, strain, potential));
}

static PetscErrorCode GetMomentum(LimberRun run, double momentum[3], double angular[3]) {
  Vec3 p, h;
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  CHECK_GIVEN(momentum);
  CHECK_GIVEN(angular);
  PetscCall(CheckOtherRanks(run_communicator(run)));
  PetscCall(LedgerMomentum(&run->stepper->s->motion, &p, &h));
  vec3_to(p, momentum), vec3_to(h, angular);
  PetscFunctionReturn(0);
}

int LimberRunGetMomentum(LimberRun run, double momentum[3], double angular[3]) {
  return COLLECTIVE_AFTER_CHECK(run_communicator(run), GetMomentum(run, momentum, angular));
}

// ---- what happened ----

int limber_run_events(LimberRun run) { return run && run->stepper->events ? run->stepper->events->records : 0; }

int LimberRunGetEvent(LimberRun run, int i, LimberEventRecord *event) {
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  CHECK_GIVEN(event);
  PetscCheck(i >= 0 && i < limber_run_events(run), PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "no event %d", i);
  const EventRecord *r = &run->stepper->events->record[i];
  *event =
      (LimberEventRecord){model_event(run->stepper->s->motion.layout.model, (int)r->event)->name, r->time, r->loss};
  PetscFunctionReturn(0);
}
