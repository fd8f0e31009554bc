// SPDX-License-Identifier: Apache-2.0
// Newton's method for an equilibrium. Every iteration has a new tangent. The border is eliminated, so an iteration
// takes one factorisation and two solutions: K d1 = r, K d2 = dr/df,
//   q - d1 - d2 df,  df = (l - a.(q - d1) - b (f - f_0))/(b - a.d2).
// Equations: eq-static-border (16.2).
#include "solvers/static_newton.h"

#include "assembly/evaluate.h"
#include "assembly/matrices.h"
#include "solvers/newton.h"

PetscErrorCode EquationsBeginStatic(Motion *motion, Equations *equations) {
  double *q;
  PetscFunctionBegin;
  PetscCall(MotionBeginStep(motion, 1));
  motion->step.h = PETSC_INFINITY; // no rates: dampers carry no force
  PetscCall(VecZeroEntries(equations->unknown));
  PetscCall(VecGetArray(equations->unknown, &q));
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    const Joint *joint = switches_model_joint(&motion->layout, &motion->switches, motion->layout.joint[j]);
    if (motion->layout.joint_block[j] < 0 || motion->layout.joint_block[j] >= motion->layout.nblock_own) continue;
    for (int r = 0; r < joint->rows.nrow; r++)
      q[3 * motion->layout.joint_block[j] + r] = motion->row_off[j][r] ? 0 : motion->state.multiplier[j][r];
  }
  PetscCall(VecRestoreArray(equations->unknown, &q));
  PetscFunctionReturn(0);
}

static double load_share(const StaticLoads *l, PetscInt load, double factor) {
  return l->share ? l->share[load][0] + l->share[load][1] * factor : factor;
}

PetscErrorCode MotionSetFactor(Motion *motion, const StaticLoads *l, double factor) {
  Model m = motion->layout.model;
  PetscFunctionBegin;
  for (PetscInt i = 0; i < m->loads.count; i++) {
    double now = model_amplitude(m, model_load(m, i)->load.amplitude, l->time) * load_share(l, i, factor);
    motion->step.end_amplitude[i] = (Amplitude){.now = now, .next = now}, motion->step.amplitude[i][0] = now;
  }
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    motion->step.target[j] = l->start ? l->start[j] : motion->state.coord[j];
    for (PetscInt i = motion->layout.joint_load_start[j]; i < motion->layout.joint_load_start[j + 1]; i++) {
      const Load *q = &model_load(m, motion->layout.joint_load[i])->load;
      if (!load_prescribes(q) || q->drive != DRIVE_MOTION) continue;
      double way = model_amplitude(m, q->amplitude, l->time) - model_amplitude(m, q->amplitude, 0);
      motion->step.target[j].z[q->coord] += way * load_share(l, motion->layout.joint_load[i], factor);
    }
  }
  motion->step.spin = l->spin;
  motion->step.spin.rate *= PetscSqrtReal(PetscMax(0, load_share(l, m->loads.count, factor)));
  PetscFunctionReturn(0);
}

// dr/df, which is constant because r is linear in the factor. Keeps the residual at the factor.
static PetscErrorCode FactorResidual(Motion *motion, Equations *equations, const StaticLoads *l, double factor,
                                     Vec at_factor, Vec out) {
  PetscFunctionBegin;
  PetscCall(MotionSetFactor(motion, l, factor + 1));
  PetscCall(EquationsEvaluate(motion, equations, PETSC_FALSE));
  PetscCall(VecWAXPY(out, -1, at_factor, equations->residual));
  PetscCall(MotionSetFactor(motion, l, factor));
  PetscCall(VecCopy(at_factor, equations->residual));
  PetscFunctionReturn(0);
}

typedef struct {
  const StaticProblem *problem;
  double factor, correction; // of the loads, and its correction
  double before;             // size of the last correction
  Vec residual, first, slope, increments;
} StaticSearch;

// Adds the hold by mass, on increments of nodes only: multipliers have no mass.
static PetscErrorCode AddHold(Equations *equations, const StaticSearch *v) {
  const StaticProblem *p = v->problem;
  PetscFunctionBegin;
  if (!p->mass || !(p->hold > 0)) PetscFunctionReturn(0);
  PetscCall(VecCopy(equations->unknown, v->increments));
  PetscCall(MatMult(p->mass, v->increments, equations->work));
  PetscCall(VecAXPY(equations->residual, p->hold, equations->work));
  PetscCall(MatAXPY(equations->matrix.tangent, p->hold, p->mass, SUBSET_NONZERO_PATTERN));
  PetscFunctionReturn(0);
}

// Finds the corrections of the factor and of the unknowns (in s->linear.increment).
static PetscErrorCode SolveBordered(System *s, StaticSearch *v, PetscBool *good) {
  const StaticBorder *c = v->problem->border;
  double aq, a1, a2;
  PetscFunctionBegin;
  v->correction = 0;
  PetscCall(VecCopy(s->equations.residual, v->residual));
  PetscCall(SystemSolve(s, good));
  if (!*good || !c) PetscFunctionReturn(0);
  PetscCall(VecCopy(s->linear.increment, v->first));
  PetscCall(FactorResidual(&s->motion, &s->equations, v->problem->loads, v->factor, v->residual, v->slope));
  PetscCall(VecCopy(v->slope, s->equations.residual));
  PetscCall(SystemSolve(s, good));
  PetscCall(VecCopy(v->residual, s->equations.residual));
  if (!*good) PetscFunctionReturn(0);
  PetscCall(VecCopy(s->equations.unknown, v->increments)); // without ghosts
  PetscCall(VecDot(c->a, v->increments, &aq));
  PetscCall(VecDot(c->a, v->first, &a1));
  PetscCall(VecDot(c->a, s->linear.increment, &a2));
  v->correction = (c->length - (aq - a1) - c->b * (v->factor - c->from)) / (c->b - a2);
  PetscCall(VecAYPX(s->linear.increment, v->correction, v->first));
  PetscFunctionReturn(0);
}

static PetscErrorCode CorrectStatic(System *s, Newton *n, PetscBool *good) {
  StaticSearch *v = n->data;
  PetscFunctionBegin;
  n->at = v->factor;
  PetscCall(MotionSetFactor(&s->motion, v->problem->loads, v->factor));
  PetscCall(EquationsEvaluate(&s->motion, &s->equations, PETSC_TRUE));
  if (s->motion.step.spin.rate != 0)
    PetscCall(AddSpinStiffness(&s->motion.layout, &s->motion.state, &s->motion.step.spin, s->equations.matrix.tangent));
  PetscCall(AddHold(&s->equations, v));
  PetscCall(SolveBordered(s, v, good));
  PetscFunctionReturn(0);
}

// Sizes of corrections, relative to the model size or 1 rad.
static const double small = 1e-9;          // the error left is below round-off, because Newton converges quadratically
static const double inexact = 1e-3;        // of `small`, for iterative linear solvers
static const double near_round_off = 1e-7; // where it may stop, if ...
static const double stalled = 0.5;         // ... it is more than this part of the last one
static const double farthest_turn = 2;     // rad
static const double farthest_way = 20;     // of the model size, if no rotation exceeds farthest_turn

static PetscErrorCode TakeStaticCorrection(System *s, Newton *n) {
  StaticSearch *v = n->data;
  const NewtonMeasure *m = &n->measure;
  PetscFunctionBegin;
  n->worst = m->block, n->verdict = NEWTON_FAILED;
  if (PetscIsInfOrNanReal(m->energy) || m->size > (m->angle <= farthest_turn ? farthest_way : farthest_turn))
    PetscFunctionReturn(0);
  PetscCall(VecAXPY(s->equations.unknown, -1, s->linear.increment));
  v->factor += v->correction;
  bool stalls = m->size <= near_round_off && m->size > stalled * v->before;
  bool converged = m->size <= small * (s->linear.inexact ? inexact : 1) || stalls;
  n->verdict = converged ? NEWTON_CONVERGED : NEWTON_NEW_TANGENT;
  v->before = m->size;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemStaticNewton(System *s, const StaticProblem *problem, double *factor, NewtonOutcome *out) {
  StaticSearch v = {.problem = problem, .factor = *factor, .before = PETSC_MAX_REAL};
  Vec *const all[] = {&v.residual, &v.first, &v.slope, &v.increments};
  Newton n = {.correct = CorrectStatic, .take = TakeStaticCorrection, .data = &v, .limit = problem->limit};
  PetscFunctionBegin;
  for (int i = 0; i < 4; i++) PetscCall(VecDuplicate(s->equations.residual, all[i]));
  PetscCall(NewtonIterate(s, &n, out));
  for (int i = 0; i < 4; i++) PetscCall(VecDestroy(all[i]));
  if (out->converged) *factor = v.factor;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemPathTangent(System *s, const StaticLoads *l, double factor, Vec dq, PetscBool *good) {
  Vec at_factor;
  PetscFunctionBegin;
  PetscCall(EquationsBeginStatic(&s->motion, &s->equations));
  PetscCall(MotionSetFactor(&s->motion, l, factor));
  PetscCall(EquationsEvaluate(&s->motion, &s->equations, PETSC_TRUE));
  PetscCall(VecDuplicate(s->equations.residual, &at_factor));
  PetscCall(VecCopy(s->equations.residual, at_factor));
  PetscCall(FactorResidual(&s->motion, &s->equations, l, factor, at_factor, s->linear.correction));
  PetscCall(VecCopy(s->linear.correction, s->equations.residual));
  PetscCall(SystemSolve(s, good));
  PetscCall(VecCopy(s->linear.increment, dq));
  PetscCall(VecScale(dq, -1));
  PetscCall(VecCopy(at_factor, s->equations.residual));
  PetscCall(VecDestroy(&at_factor));
  PetscFunctionReturn(0);
}

PetscErrorCode EquationsLargestIncrement(const Layout *layout, const Equations *equations, double *out) {
  const double *q;
  double most = 0;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(equations->unknown, &q));
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    Vec3 u[MAX_STAGES], c[MAX_STAGES];
    layout_increments(layout, q, i, u, c);
    most = PetscMax(most, PetscMax(vec3_norm(u[0]) / layout->length, vec3_norm(c[0])));
  }
  PetscCall(VecRestoreArrayRead(equations->unknown, &q));
  PetscCallMPI(MPI_Allreduce(&most, out, 1, MPI_DOUBLE, MPI_MAX, layout->comm));
  PetscFunctionReturn(0);
}
