// SPDX-License-Identifier: Apache-2.0
// Joint forces at t = 0 that balance the accelerations there. The multipliers of a step of length h of the preserving
// scheme are those at its middle, lambda(h) = lambda_0 + h/2 lambda' + O(h^2), so two short steps give lambda_0 = 2
// lambda(h) - lambda(2h). Both steps go forward, because loads may begin at t = 0. The scheme of the run is not used
// because of its numerical damping.
// Equations: eq-start-multipliers (6.3).
#include "analyses/stepping/start.h"
#include "assembly/evaluate.h"
#include "assembly/state_values.h"
#include "assembly/wheels.h"
#include "model/refusal.h"

#include "solvers/redundancy.h"

PetscErrorCode StartShortStep(System *s, double h, int limit, NewtonOutcome *o) {
  PetscFunctionBegin;
  PetscCall(MotionFindCentreVelocities(&s->motion));
  PetscCall(MotionBeginStep(&s->motion, h));
  PetscCall(VecZeroEntries(s->equations.unknown));
  PetscCall(SystemSolveAugmented(s, 0, 1e-14, limit, o));
  if (o->singular && o->iterations > 1) // the residual is round-off: there is nothing left to solve
    o->singular = false, o->converged = true;
  PetscCall(EquationsRefresh(&s->motion.layout, &s->equations));
  PetscFunctionReturn(0);
}

// Finds the multipliers of a step from the start.
static PetscErrorCode StepMultipliers(System *s, double h, int limit, NewtonOutcome *o) {
  const double *q;
  Vec local;
  PetscFunctionBegin;
  PetscCall(StartShortStep(s, h, limit, o));
  PetscCall(EquationsOpenUnknowns(&s->motion.layout, &s->equations, &local, &q));
  for (PetscInt j = 0; j < s->motion.layout.njoint && o->converged; j++) motion_store_multipliers(&s->motion, q, j);
  PetscCall(EquationsCloseUnknowns(&s->motion.layout, &s->equations, &local, &q));
  PetscFunctionReturn(0);
}

static PetscErrorCode SaySingular(const Layout *layout, Equations *equations, Refusal *wrong) {
  LimberCause cause;
  PetscFunctionBegin;
  PetscCall(EquationsNameUnconstrained(layout, equations, &cause));
  refuse(wrong,
         "the equations cannot be solved: %s has no mass, no stiffness and no joint in some "
         "direction. A frame that turns freely needs moments of inertia",
         cause.name[0] ? cause.name : "something");
  PetscFunctionReturn(0);
}

// Finds the multipliers with short steps of a scheme, from the start of the run.
static PetscErrorCode FindMultipliers(Stepper *p, const StepRule *rule, NewtonOutcome *o, Refusal *wrong) {
  System *aux;
  double h = 0.01 * p->options.step, (*doubled)[MAX_ROWS];
  PetscFunctionBegin;
  PetscCall(StartCreateBeside(p->s, rule, &aux));
  PetscCall(StartCopyVelocities(p->s, aux));
  PetscCall(MotionStartWheels(&aux->motion));
  PetscCall(PetscCalloc1(aux->motion.layout.njoint, &doubled));
  PetscCall(StepMultipliers(aux, 2 * h, p->options.iterations, o));
  if (o->converged)
    for (PetscInt j = 0; j < aux->motion.layout.njoint; j++)
      PetscCall(PetscArraycpy(doubled[j], aux->motion.state.multiplier[j], MAX_ROWS));
  if (o->converged) PetscCall(StepMultipliers(aux, h, p->options.iterations, o));
  if (o->singular) PetscCall(SaySingular(&aux->motion.layout, &aux->equations, wrong));
  for (PetscInt j = 0; j < aux->motion.layout.njoint && o->converged; j++)
    for (int r = 0; r < MAX_ROWS; r++)
      aux->motion.state.multiplier[j][r] = 2 * aux->motion.state.multiplier[j][r] - doubled[j][r];
  if (o->converged) PetscCall(StartCopyMultipliers(aux, p->s));
  PetscCall(PetscFree(doubled));
  PetscCall(SystemDestroy(&aux));
  PetscFunctionReturn(0);
}

// If the preserving scheme fails, as for a slack winch without mass, the scheme of the run is tried.
PetscErrorCode StartConsistentMultipliers(Stepper *p, Refusal *wrong) {
  StepRule rule = {0};
  NewtonOutcome o;
  PetscFunctionBegin;
  scheme_preserving.make(&p->options, &rule);
  PetscCall(FindMultipliers(p, &rule, &o, wrong));
  if (!o.singular) PetscFunctionReturn(0);
  wrong->text[0] = 0;
  PetscCall(FindMultipliers(p, &p->rule, &o, wrong));
  PetscFunctionReturn(0);
}
