// SPDX-License-Identifier: Apache-2.0
// The derivative of a step, which solves R(q; state) = 0 for its unknowns q and moves the state to F(state, q). Along a
// disturbance d
//   R_q dq = -R_state d,   d <- F_state d + F_q dq,
// with the tangent R_q of the step, factorised once for all disturbances. The other derivatives are differences of
// fourth order along a direction, exact for cubic polynomials such as residuals of quadratic strains.
#include "analyses/floquet/floquet.h"
#include "assembly/state_values.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "solvers/solvers.h"

typedef struct {
  double at, weight;
} DifferencePoint;
static const DifferencePoint points[4] = {{1, 2.0 / 3}, {-1, -2.0 / 3}, {2, -1.0 / 12}, {-2, 1.0 / 12}};
enum { POINTS = 4, ROUNDS = 6 };
static const double difference = 1e-4; // of positions over the size of the model, of angles

typedef struct {
  Stepper *p;
  double h;
  Disturbance base, end, sum; // the state at the start; at the end of a disturbed step; derivative at the end
  Vec q, dq, dr;              // unknowns of the step, their derivative, that of the residual
} Work;

// The largest motion due to the disturbance in a step, relative to the size of the model.
static PetscErrorCode DisturbanceSize(const Work *w, const Disturbance *d, double *size) {
  const Layout *layout = &w->p->s->motion.layout;
  double most = 0;
  PetscFunctionBegin;
  for (PetscInt i = 4; i < 4 * layout->nnode; i++) {
    double length = i % 4 ? 1 : layout->length;
    most = PetscMax(most, number_or_infinity(vec3_norm(d->x[i]) / length));
    most = PetscMax(most, number_or_infinity(w->h * vec3_norm(d->v[i]) / length));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, layout->comm));
  *size = most > 0 ? most : 1;
  PetscFunctionReturn(0);
}

// Sets the state to base + e d and the unknowns to q + e dq, as during a step.
static PetscErrorCode SetDisturbed(Work *w, double e, const Disturbance *d) {
  System *s = w->p->s;
  PetscFunctionBegin;
  disturb(&s->motion.layout, &s->motion.state, &w->base, e, d);
  PetscCall(MotionFindCentreVelocities(&s->motion));
  PetscCall(MotionBeginStep(&s->motion, w->h));
  PetscCall(MotionFindCorotation(&s->motion));
  PetscCall(VecWAXPY(s->equations.unknown, e, w->dq, w->q));
  PetscFunctionReturn(0);
}

// -dR due to the disturbance and dq: the right-hand side of the next correction of dq.
static PetscErrorCode ResidualDerivative(Work *w, double e, const Disturbance *d) {
  System *s = w->p->s;
  PetscFunctionBegin;
  PetscCall(VecZeroEntries(w->dr));
  for (int i = 0; i < POINTS; i++) {
    PetscCall(SetDisturbed(w, points[i].at * e, d));
    PetscCall(EquationsEvaluate(&s->motion, &s->equations, PETSC_FALSE));
    PetscCall(VecAXPY(w->dr, -points[i].weight / e, s->equations.residual));
  }
  PetscCall(VecCopy(w->dr, s->equations.residual));
  PetscFunctionReturn(0);
}

// Finds dq. Terms that the tangent omits need further corrections.
static PetscErrorCode UnknownDerivative(Work *w, double e, const Disturbance *d) {
  System *s = w->p->s;
  double first = 0, energy;
  PetscBool good;
  PetscFunctionBegin;
  PetscCall(VecZeroEntries(w->dq));
  for (int round = 0; round < ROUNDS; round++) {
    PetscCall(ResidualDerivative(w, e, d));
    PetscCall(SystemSolve(s, &good));
    PetscCheck(good, s->motion.layout.comm, PETSC_ERR_NOT_CONVERGED,
               "the tangent of a step that was solved is singular");
    PetscCall(VecAXPY(w->dq, 1, s->linear.increment));
    PetscCall(SystemCorrectionEnergy(s, &energy));
    if (round == 0) first = energy;
    else if (energy <= 1e-15 * first) break;
  }
  PetscFunctionReturn(0);
}

// The derivative of the state at the end.
static PetscErrorCode EndDerivative(Work *w, double e, Disturbance *d) {
  System *s = w->p->s;
  PetscFunctionBegin;
  disturbance_zero(&s->motion.layout, &w->sum);
  for (int i = 0; i < POINTS; i++) {
    PetscCall(SetDisturbed(w, points[i].at * e, d));
    PetscCall(EquationsMoveNodes(&s->motion, &s->equations));
    PetscCall(StepperMoveState(w->p));
    disturbance_of_state(&s->motion.layout, &s->motion.state, &w->end);
    disturbance_add(&s->motion.layout, &w->sum, points[i].weight / e, &w->end);
    PetscCall(StateRestore(w->p));
  }
  disturbance_copy(&s->motion.layout, &w->sum, d);
  PetscFunctionReturn(0);
}

PetscErrorCode StepDerivative(Stepper *p, double h, PetscInt count, Disturbance *d) {
  System *s = p->s;
  Work w = {.p = p, .h = h};
  PetscFunctionBegin;
  PetscCall(DisturbanceCreate(&s->motion.layout, &w.base));
  PetscCall(DisturbanceCreate(&s->motion.layout, &w.end));
  PetscCall(DisturbanceCreate(&s->motion.layout, &w.sum));
  PetscCall(VecDuplicate(s->equations.unknown, &w.q));
  PetscCall(VecDuplicate(s->equations.unknown, &w.dq));
  PetscCall(VecDuplicate(s->equations.residual, &w.dr));
  PetscCall(VecCopy(s->equations.unknown, w.q));
  PetscCall(StateSave(p));
  disturbance_of_state(&s->motion.layout, &s->motion.state, &w.base);
  PetscCall(VecZeroEntries(w.dq));
  PetscCall(SetDisturbed(&w, 0, &w.sum));
  PetscCall(EquationsEvaluate(&s->motion, &s->equations, PETSC_TRUE));
  for (PetscInt i = 0; i < count; i++) {
    double size = 1;
    PetscCall(DisturbanceSize(&w, &d[i], &size));
    PetscCall(UnknownDerivative(&w, difference / size, &d[i]));
    PetscCall(EndDerivative(&w, difference / size, &d[i]));
  }
  PetscCall(VecZeroEntries(w.dq));
  disturbance_zero(&s->motion.layout, &w.sum);
  PetscCall(SetDisturbed(&w, 0, &w.sum));
  PetscCall(VecDestroy(&w.q));
  PetscCall(VecDestroy(&w.dq));
  PetscCall(VecDestroy(&w.dr));
  PetscCall(DisturbanceDestroy(&w.base));
  PetscCall(DisturbanceDestroy(&w.end));
  PetscCall(DisturbanceDestroy(&w.sum));
  PetscFunctionReturn(0);
}
