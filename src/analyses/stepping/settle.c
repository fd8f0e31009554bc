// SPDX-License-Identifier: Apache-2.0
// Finds an equilibrium under given loads: by load steps, or by descent if these fail (start.h).
// Equations: eq-static-descent (16.5).
#include "analyses/stepping/start.h"

#include "analyses/stepping/stepper.h"
#include "assembly/evaluate.h"
#include "assembly/matrices.h"
#include "solvers/redundancy.h"

#include <limits.h>
#include <string.h>

// Moves the state to the end of a static step.
static PetscErrorCode SystemTakeStatic(System *s) {
  Stepper mock = {.s = s, .rule = *s->motion.layout.rule};
  bool changed;
  PetscFunctionBegin;
  PetscCall(EquationsMoveNodes(&s->motion, &s->equations));
  PetscCall(StepperMoveState(&mock));
  PetscCall(RedundancyUpdate(&s->motion, &s->redundancy, false, &changed));
  PetscFunctionReturn(0);
}

enum { ITERATIONS = 25, DESCENTS = 400 };

// ---- load steps ----

// Whether all forces are round-off: a model without loads needs no factorisation. Rows of joints have no stiffness;
// their residual is a length or an angle.
static PetscErrorCode IsInBalance(Motion *motion, Equations *equations, const StaticLoads *loads, bool *balanced) {
  const double *r, *d;
  PetscInt n;
  Vec diagonal;
  int out = 0;
  PetscFunctionBegin;
  PetscCall(EquationsBeginStatic(motion, equations));
  PetscCall(MotionSetFactor(motion, loads, 1));
  PetscCall(EquationsEvaluate(motion, equations, PETSC_TRUE));
  PetscCall(VecDuplicate(equations->residual, &diagonal));
  PetscCall(MatGetDiagonal(equations->matrix.tangent, diagonal));
  PetscCall(VecGetLocalSize(diagonal, &n));
  PetscCall(VecGetArrayRead(equations->residual, &r));
  PetscCall(VecGetArrayRead(diagonal, &d));
  for (PetscInt i = 0; i < n && !out; i++)
    out = !(PetscAbsReal(r[i]) <= 1e-15 * motion->layout.length * (d[i] != 0 ? PetscAbsReal(d[i]) : 1));
  PetscCall(VecRestoreArrayRead(diagonal, &d));
  PetscCall(VecRestoreArrayRead(equations->residual, &r));
  PetscCall(VecDestroy(&diagonal));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &out, 1, MPI_INT, MPI_MAX, motion->layout.comm));
  *balanced = !out;
  PetscFunctionReturn(0);
}

static PetscErrorCode LoadSteps(System *s, const StaticLoads *loads, Settled *out, NewtonOutcome *o) {
  double done = 0, step = 1;
  bool balanced = false;
  StaticProblem problem = {.loads = loads, .limit = ITERATIONS};
  PetscFunctionBegin;
  if (s->motion.step.spin.rate == 0 && loads->spin.rate == 0)
    PetscCall(IsInBalance(&s->motion, &s->equations, loads, &balanced));
  if (balanced) {
    PetscCall(SystemTakeStatic(s));
    out->found = true;
    PetscFunctionReturn(0);
  }
  while (done < 1 && step > 0.01 && out->iterations < out->most) {
    double factor = PetscMin(1, done + step), moved;
    PetscCall(EquationsBeginStatic(&s->motion, &s->equations));
    PetscCall(SystemStaticNewton(s, &problem, &factor, o));
    out->iterations += o->iterations;
    if (o->converged) PetscCall(EquationsLargestIncrement(&s->motion.layout, &s->equations, &moved));
    if (o->singular && done == 0 && step == 1) break; // smaller loads do not help if a part is unconstrained
    if (!o->converged || moved > 1) {                 // such a large step may have jumped to another path
      step *= 0.5;
      continue;
    }
    PetscCall(SystemTakeStatic(s));
    done = factor;
    if (o->iterations < 8) step = PetscMin(1, 2 * step);
  }
  out->found = done >= 1;
  PetscFunctionReturn(0);
}

// ---- descent ----

// Newton without hold from the end of the descent; found if it moves by no more than `near`.
static PetscErrorCode Finish(System *s, const StaticLoads *loads, double near, Settled *out, NewtonOutcome *o) {
  double factor = 1, moved;
  StaticProblem problem = {.loads = loads, .limit = ITERATIONS};
  PetscFunctionBegin;
  PetscCall(EquationsBeginStatic(&s->motion, &s->equations));
  PetscCall(SystemStaticNewton(s, &problem, &factor, o));
  out->iterations += o->iterations;
  if (!o->converged) PetscFunctionReturn(0);
  PetscCall(EquationsLargestIncrement(&s->motion.layout, &s->equations, &moved));
  out->found = moved <= near;
  if (out->found) PetscCall(SystemTakeStatic(s));
  PetscFunctionReturn(0);
}

static const double came_to_rest = 1e-11; // of the model size, in a step with almost no hold

static PetscErrorCode Descend(System *s, const StaticLoads *loads, Mat mass, Settled *out, NewtonOutcome *o) {
  double period = 0.1, moved, before = 0; // hold = 1/period^2
  StaticProblem problem = {.loads = loads, .mass = mass, .limit = ITERATIONS};
  PetscFunctionBegin;
  for (int i = 0; i < DESCENTS && !out->found && period > 1e-9 && out->iterations < out->most; i++) {
    double factor = 1;
    problem.hold = 1 / (period * period);
    PetscCall(EquationsBeginStatic(&s->motion, &s->equations));
    PetscCall(SystemStaticNewton(s, &problem, &factor, o));
    out->iterations += o->iterations;
    if (o->converged) PetscCall(EquationsLargestIncrement(&s->motion.layout, &s->equations, &moved));
    if (!o->converged || moved > 1) {
      period *= 0.25;
      continue;
    }
    PetscCall(SystemTakeStatic(s));
    if (moved <= came_to_rest && before <= came_to_rest && period > 1e3) out->found = true;
    else if (moved < 0.05 && period > 1) {
      bool singular;
      PetscCall(Finish(s, loads, 0.05, out, o));
      singular = o->singular;
      if (singular && moved <= came_to_rest) { // only unconstrained motion is left
        PetscCall(EquationsNameUnconstrained(&s->motion.layout, &s->equations, &out->free));
        out->found = true;
      }
    }
    period = PetscMin(1e6, period * (o->iterations < 8 ? 4 : 2));
    before = moved;
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SystemSettle(System *s, const StaticLoads *loads, Settled *out) {
  PetscFunctionBegin;
  PetscCall(SystemSettleWithin(s, loads, INT_MAX, out));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemSettleWithin(System *s, const StaticLoads *loads, int most, Settled *out) {
  NewtonOutcome o = {.worst = -1};
  Mat mass;
  PetscFunctionBegin;
  *out = (Settled){.most = most};
  PetscCall(LoadSteps(s, loads, out, &o));
  if (out->found) PetscFunctionReturn(0);
  out->settled = true;
  PetscCall(CreateMass(&s->motion.layout, &s->motion.state, &mass));
  PetscCall(Descend(s, loads, mass, out, &o));
  PetscCall(MatDestroy(&mass));
  if (!out->found && o.worst >= 0) PetscCall(EquationsNameResidual(&s->motion, &s->equations, o.worst, &out->cause));
  PetscFunctionReturn(0);
}
