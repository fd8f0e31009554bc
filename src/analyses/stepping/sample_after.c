// SPDX-License-Identifier: Apache-2.0
// Samples the motion a short time after the state of a run, from one step of the preserving scheme on a separate
// system.
#include "analyses/stepping/observable.h"
#include "assembly/evaluate.h"
#include "assembly/motion.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"

#include "solvers/redundancy.h"

#include <string.h>

enum { NODE_NUMBERS = 24 };

// Copies the state to another system of the same model, which may be divided differently between ranks and uses ambient
// velocities.
static PetscErrorCode CopyState(const System *from, System *to) {
  PetscInt nn = from->motion.layout.model->nodes.count, nj = from->motion.layout.model->joints.count;
  double *x, *z;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(NODE_NUMBERS * nn, &x, MAX_COORDS * nj, &z));
  for (PetscInt i = 1; i < from->motion.layout.nnode_own; i++) {
    double *at = x + NODE_NUMBERS * from->motion.layout.node[i];
    Vec3 rate[4] = {{0}};
    motion_vector_rates(&from->motion, i, rate);
    for (int j = 0; j < 4; j++) vec3_to(from->motion.state.x[4 * i + j], at + 3 * j), vec3_to(rate[j], at + 12 + 3 * j);
  }
  for (PetscInt j = 0; j < from->motion.layout.njoint; j++)
    if (from->motion.layout.joint_primary[j])
      memcpy(z + MAX_COORDS * from->motion.layout.joint[j], from->motion.state.coord[j].z,
             sizeof from->motion.state.coord[j].z);
  PetscCall(ReduceArray(from->motion.layout.comm, x, (PetscInt64)NODE_NUMBERS * nn, MPI_DOUBLE, MPI_SUM));
  PetscCall(ReduceArray(from->motion.layout.comm, z, (PetscInt64)MAX_COORDS * nj, MPI_DOUBLE, MPI_SUM));
  for (PetscInt i = 1; i < to->motion.layout.nnode; i++) {
    const double *at = x + NODE_NUMBERS * to->motion.layout.node[i];
    for (int j = 0; j < 4; j++)
      to->motion.state.x[4 * i + j] = vec3_of(at + 3 * j), to->motion.state.v[4 * i + j] = vec3_of(at + 12 + 3 * j);
  }
  for (PetscInt j = 0; j < to->motion.layout.njoint; j++)
    memcpy(to->motion.state.coord[j].z, z + MAX_COORDS * to->motion.layout.joint[j],
           sizeof to->motion.state.coord[j].z);
  to->motion.state.time = from->motion.state.time;
  if (from->motion.switches.any) {
    PetscCall(PetscArraycpy(to->motion.switches.joint, from->motion.switches.joint, nj));
    PetscCall(
        PetscArraycpy(to->motion.switches.load, from->motion.switches.load, from->motion.layout.model->loads.count));
    motion_form_joints(&to->motion);
  }
  PetscCall(SystemCopyRedundantRows(from, to));
  PetscCall(PetscFree2(x, z));
  PetscFunctionReturn(0);
}

PetscErrorCode StepperSampleAfter(Stepper *p, double h, int count, const Observable *observable, StateSample *sample,
                                  bool *good) {
  System *s;
  StepRule rule = {0};
  Stepper moved = {0};
  NewtonOutcome o;
  PetscFunctionBegin;
  scheme_preserving.make(&p->options, &rule);
  PetscCall(SystemCreate(p->s->motion.layout.model, &rule, &s));
  PetscCall(CopyState(p->s, s));
  PetscCall(MotionFindCentreVelocities(&s->motion));
  PetscCall(SystemUpdateContacts(s, h));
  PetscCall(MotionBeginStep(&s->motion, h));
  PetscCall(VecZeroEntries(s->equations.unknown));
  PetscCall(SystemSolveContacts(s, p->ledger.exchanged, 1e-14, p->options.iterations, &o));
  *good = o.converged || (o.singular && o.iterations > 1); // singular: only round-off is left
  PetscCall(EquationsRefresh(&s->motion.layout, &s->equations));
  moved.s = s, moved.rule = rule;
  PetscCall(EquationsMoveNodes(&s->motion, &s->equations));
  PetscCall(StepperMoveState(&moved));
  PetscCall(SystemSample(s, count, observable, sample));
  PetscCall(SystemDestroy(&s));
  PetscFunctionReturn(0);
}
