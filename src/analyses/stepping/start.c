// SPDX-License-Identifier: Apache-2.0
// Finds the initial state of a run: assembly of joints and initial velocities (start.h).
// Equations: eq-start-projection (6.1).
#include "analyses/stepping/start.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "assembly/wheels.h"
#include "model/refusal.h"

#include "base/rotation.h"
#include "model/start_pose.h"
#include "solvers/redundancy.h"

#include <stdarg.h>
#include <string.h>

void start_remark(Stepper *p, const char *format, ...) {
  size_t used = strlen(p->remarks);
  va_list args;
  va_start(args, format);
  vsnprintf(p->remarks + used, sizeof p->remarks - used, format, args);
  va_end(args);
  used = strlen(p->remarks);
  if (used + 1 < sizeof p->remarks) p->remarks[used] = '\n', p->remarks[used + 1] = 0;
}

// ---- assembly ----

// Copies positions, coordinates and bristles to another system, which may be divided differently between ranks.
PetscErrorCode StartCopyPositions(const System *from, System *to, double *moved, PetscInt *where) {
  PetscInt nn = from->motion.layout.model->nodes.count, nj = from->motion.layout.model->joints.count;
  const PetscInt of_joint = 3 * MAX_COORDS; // coordinates and bristles
  double *x, *z;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(12 * nn, &x, of_joint * nj, &z));
  for (PetscInt i = 1; i < from->motion.layout.nnode_own; i++)
    for (int j = 0; j < 4; j++) vec3_to(from->motion.state.x[4 * i + j], x + 12 * from->motion.layout.node[i] + 3 * j);
  for (PetscInt j = 0; j < from->motion.layout.njoint; j++)
    if (from->motion.layout.joint_primary[j]) {
      double *at = z + of_joint * from->motion.layout.joint[j];
      memcpy(at, from->motion.state.coord[j].z, sizeof from->motion.state.coord[j].z);
      memcpy(at + MAX_COORDS, &from->motion.state.bristles[j], sizeof from->motion.state.bristles[j]);
    }
  PetscCall(ReduceArray(from->motion.layout.comm, x, (PetscInt64)12 * nn, MPI_DOUBLE, MPI_SUM));
  PetscCall(ReduceArray(from->motion.layout.comm, z, (PetscInt64)of_joint * nj, MPI_DOUBLE, MPI_SUM));
  *moved = 0, *where = -1;
  for (PetscInt i = 1; i < nn; i++) {
    double d = vec3_norm(vec3_sub(vec3_of(x + 12 * i), model_node(from->motion.layout.model, i)->x[0]));
    if (model_node(from->motion.layout.model, i)->kind != NODE_FIXED && d > *moved) *moved = d, *where = i;
  }
  for (PetscInt i = 1; i < to->motion.layout.nnode; i++) {
    Vec3 v[2];
    if (to->motion.layout.node_block[i] < 0) continue;
    motion_get_velocity(&to->motion, i, v);
    if (model_node(to->motion.layout.model, to->motion.layout.node[i])->kind ==
        NODE_FRAME) { // velocities are unchanged in ground axes
      Mat3 before = mat3_columns(to->motion.state.x[4 * i + 1], to->motion.state.x[4 * i + 2],
                                 to->motion.state.x[4 * i + 3]),
           now;
      now =
          mat3_columns(vec3_of(x + 12 * to->motion.layout.node[i] + 3), vec3_of(x + 12 * to->motion.layout.node[i] + 6),
                       vec3_of(x + 12 * to->motion.layout.node[i] + 9));
      for (int k = 0; k < 2; k++) v[k] = mat3_apply_transpose(now, mat3_apply(before, v[k]));
    }
    for (int j = 0; j < 4; j++) to->motion.state.x[4 * i + j] = vec3_of(x + 12 * to->motion.layout.node[i] + 3 * j);
    motion_set_velocity(&to->motion, i, v);
  }
  for (PetscInt j = 0; j < to->motion.layout.njoint; j++) {
    const double *at = z + of_joint * to->motion.layout.joint[j];
    memcpy(to->motion.state.coord[j].z, at, sizeof to->motion.state.coord[j].z);
    memcpy(&to->motion.state.bristles[j], at + MAX_COORDS, sizeof to->motion.state.bristles[j]);
  }
  PetscCall(PetscFree2(x, z));
  PetscFunctionReturn(0);
}

PetscErrorCode StartCreateBeside(const System *s, const StepRule *rule, System **out) {
  double moved;
  PetscInt where;
  PetscFunctionBegin;
  PetscCall(SystemCreate(s->motion.layout.model, rule, out));
  PetscCall(SystemCopyRedundantRows(s, *out));
  PetscCall(StartCopyPositions(s, *out, &moved, &where));
  PetscFunctionReturn(0);
}

// Refuses a `start` of a coordinate that the model cannot reach. The reader has already reported it for a model file.
static PetscErrorCode CheckStart(Stepper *p, Refusal *wrong) {
  StartPose pose;
  Store store = {0};
  char name[256] = "";
  PetscFunctionBegin;
  PetscCall(ModelStartPose(p->s->motion.layout.model, &store, &pose));
  if (is_refused(&pose.wrong)) {
    model_name_joint(p->s->motion.layout.model, pose.joint, name, sizeof name);
    refuse(wrong, "%s: %s", name, pose.wrong.text);
  }
  PetscCall(StoreDestroy(&store));
  PetscFunctionReturn(0);
}

PetscErrorCode StartCopyMultipliers(const System *from, System *to) {
  PetscInt nj = from->motion.layout.model->joints.count;
  double *all;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(MAX_ROWS * nj, &all));
  for (PetscInt j = 0; j < from->motion.layout.njoint; j++)
    if (from->motion.layout.joint_primary[j])
      PetscCall(
          PetscArraycpy(all + MAX_ROWS * from->motion.layout.joint[j], from->motion.state.multiplier[j], MAX_ROWS));
  PetscCall(ReduceArray(from->motion.layout.comm, all, (PetscInt64)MAX_ROWS * nj, MPI_DOUBLE, MPI_SUM));
  for (PetscInt j = 0; j < to->motion.layout.njoint; j++)
    PetscCall(PetscArraycpy(to->motion.state.multiplier[j], all + MAX_ROWS * to->motion.layout.joint[j], MAX_ROWS));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

// Closes open joints with one long step of the preserving scheme without velocities and loads. In it, springs and beams
// outweigh the masses, so parts move as if put together by hand.
static PetscErrorCode AssembleParts(Stepper *p, Refusal *wrong) {
  System *s = p->s, *aux;
  Stepper mock = {0};
  StepRule rule = {0};
  NewtonOutcome o;
  double gap = 0, left, moved = 0;
  PetscInt joint, where = -1;
  PetscFunctionBegin;
  PetscCall(MotionWorstGap(&s->motion, &gap, &joint));
  if (gap <= 1e-10 * PetscMax(1, s->motion.layout.length)) PetscFunctionReturn(0);
  char name[256] = "", at[256] = "";
  model_name_joint(s->motion.layout.model, joint, name, sizeof name);
  scheme_preserving.make(&p->options, &rule);
  PetscCall(SystemCreate(s->motion.layout.model, &rule, &aux));
  PetscCall(MotionBeginStep(&aux->motion, 1e3 * p->options.step));
  for (PetscInt l = 0; l < s->motion.layout.model->loads.count; l++)
    aux->motion.step.amplitude[l][0] = 0, aux->motion.step.end_amplitude[l] = (Amplitude){.now = 0};
  for (PetscInt j = 0; j < aux->motion.layout.njoint; j++) aux->motion.step.target[j] = aux->motion.state.coord[j];
  PetscCall(PetscArrayzero(aux->motion.state.v, 4 * aux->motion.layout.nnode));
  state_stop_wheels(&aux->motion.layout, &aux->motion.state);
  PetscCall(SystemCopyRedundantRows(s, aux));
  PetscCall(VecZeroEntries(aux->equations.unknown));
  PetscCall(SystemSolveAugmented(aux, 0, 1e-14, 100, &o));
  left = gap;
  if (o.converged) {
    mock.s = aux, mock.rule = rule;
    PetscCall(EquationsMoveNodes(&aux->motion, &aux->equations));
    PetscCall(StepperMoveState(&mock));
    PetscCall(PetscArrayzero(aux->motion.state.bristles, aux->motion.layout.njoint)); // friction starts without force
    PetscCall(MotionWorstGap(&aux->motion, &left, &joint));
  }
  if (left <= 1e-8 * PetscMax(1, s->motion.layout.length)) {
    PetscCall(StartCopyPositions(aux, s, &moved, &where));
    if (where >= 0) model_name_node(s->motion.layout.model, where, at, sizeof at);
    start_remark(p, "the joints were not closed (%s by %.3g): the model was assembled; %s moved most, by %.3g m", name,
                 gap, at, moved);
  } else
    refuse(wrong,
           "the model cannot be assembled: %s has a constraint violation of %.3g. Two joints may "
           "contradict each other; correct a position, an axis or a length",
           name, left);
  PetscCall(SystemDestroy(&aux));
  PetscFunctionReturn(0);
}

// ---- velocities ----

// Copies velocities to another system in the same position, which may be divided differently between ranks.
PetscErrorCode StartCopyVelocities(const System *from, System *to) {
  PetscInt n = from->motion.layout.model->nodes.count;
  double(*v)[6];
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(n, &v));
  for (PetscInt i = 1; i < from->motion.layout.nnode_own; i++) {
    Vec3 own[2];
    motion_get_velocity(&from->motion, i, own);
    for (int k = 0; k < 2; k++) vec3_to(own[k], v[from->motion.layout.node[i]] + 3 * k);
  }
  PetscCall(ReduceArray(from->motion.layout.comm, v[0], (PetscInt64)6 * n, MPI_DOUBLE, MPI_SUM));
  for (PetscInt i = 1; i < to->motion.layout.nnode; i++) {
    const double *own = v[to->motion.layout.node[i]];
    if (to->motion.layout.node_block[i] >= 0)
      motion_set_velocity(&to->motion, i, (Vec3[2]){vec3_of(own), vec3_of(own + 3)});
  }
  PetscCall(PetscFree(v));
  PetscFunctionReturn(0);
}

// Lets flexible parts follow the drives, using a system of one stage in the same position.
PetscErrorCode StartFollowDrives(Stepper *p, ProjectedStart *out) {
  System *s = p->s, *aux;
  StepRule rule = {0};
  double *change, most = 0;
  bool needed;
  PetscFunctionBegin;
  *out = (ProjectedStart){.node = -1, .joint = -1};
  PetscCall(MotionMustFollow(&s->motion, &needed));
  if (!needed) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(6 * s->motion.layout.model->nodes.count, &change));
  scheme_preserving.make(&p->options, &rule);
  PetscCall(StartCreateBeside(s, &rule, &aux));
  PetscCall(StartCopyVelocities(s, aux));
  PetscCall(MotionBeginStep(&aux->motion, s->motion.step.h));
  aux->motion.step.angles_follow = s->motion.step.angles_follow;
  PetscCall(SystemFollow(aux, change));
  PetscCall(SystemDestroy(&aux));
  for (PetscInt i = 1; i < s->motion.layout.model->nodes.count; i++) {
    if (model_node(s->motion.layout.model, i)->abstract) continue;
    double dv = vec3_norm(vec3_of(change + 6 * i)), dw = vec3_norm(vec3_of(change + 6 * i + 3));
    if (dv + s->motion.layout.length * dw > (1 + 1e-9) * most) out->node = i, most = dv + s->motion.layout.length * dw;
    out->velocity = PetscMax(out->velocity, dv), out->angular = PetscMax(out->angular, dw);
  }
  for (PetscInt i = 1; i < s->motion.layout.nnode; i++) {
    const double *d = change + 6 * s->motion.layout.node[i];
    Vec3 v[2];
    if (s->motion.layout.node_block[i] < 0 || vec3_norm(vec3_of(d)) + vec3_norm(vec3_of(d + 3)) == 0) continue;
    motion_get_velocity(&s->motion, i, v);
    for (int k = 0; k < 2; k++) v[k] = vec3_add(v[k], vec3_of(d + 3 * k));
    motion_set_velocity(&s->motion, i, v);
  }
  PetscCall(PetscFree(change));
  PetscFunctionReturn(0);
}

static PetscErrorCode ProjectVelocities(Stepper *p) {
  ProjectedStart followed = {.node = -1}, change;
  char at[256];
  PetscFunctionBegin;
  if (p->kind->follows_drives) PetscCall(StartFollowDrives(p, &followed));
  PetscCall(EquationsProjectVelocities(&p->s->motion, &p->s->equations, &change));
  if (change.joint >= 0) {
    model_name_joint(p->s->motion.layout.model, change.joint, at, sizeof at);
    start_remark(p,
                 "initial velocities, joints and drives contradict each other: the start misses them by up to %.3g m/s "
                 "or rad/s, most at %s",
                 change.missed, at);
  }
  if (followed.velocity + followed.angular * p->s->motion.layout.length >
      change.velocity + change.angular * p->s->motion.layout.length)
    change = followed;
  if (change.node >= 0 && change.velocity + change.angular * p->s->motion.layout.length > 0) {
    model_name_node(p->s->motion.layout.model, change.node, at, sizeof at);
    start_remark(p,
                 "initial velocities violated the joints and drives: they were changed by up to %.3g m/s and %.3g "
                 "rad/s, most at %s",
                 change.velocity, change.angular, at);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode StepperStart(Stepper *p, Refusal *wrong) {
  System *s = p->s;
  RedundancyReport report;
  PetscFunctionBegin;
  wrong->text[0] = 0;
  PetscCall(MotionBeginStep(&s->motion, p->options.step)); // rates of the drives
  PetscCall(RedundancyFindRows(&s->motion, &s->redundancy, &report));
  if (report.conflict) {
    refuse(wrong, "%s", report.text);
    PetscFunctionReturn(0);
  }
  if (report.singular) p->remark_at[REMARK_SINGULAR_POSITION] = strlen(p->remarks) + report.singular;
  if (report.text[0]) start_remark(p, "%s", report.text);
  PetscCall(CheckStart(p, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(AssembleParts(p, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  if (p->options.equilibrium) PetscCall(StartEquilibrium(p, wrong));
  if (!is_refused(wrong) && !p->kind->stands &&
      !(p->options.equilibrium && vec3_norm(s->motion.layout.model->rigid[1]) > 0))
    PetscCall(ProjectVelocities(p));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(p->kind->start(p, wrong)); // converts the velocities of the model to those of the scheme
  if (is_refused(wrong)) PetscFunctionReturn(0);
  if (!(p->options.equilibrium && vec3_norm(s->motion.layout.model->rigid[1]) > 0)) PetscCall(StartRotation(p));
  motion_settle_flow(&s->motion);
  PetscCall(MotionStartMomentum(&s->motion));
  PetscCall(MotionStartWheels(&s->motion));
  PetscCall(VecZeroEntries(s->equations.unknown));
  PetscFunctionReturn(0);
}
