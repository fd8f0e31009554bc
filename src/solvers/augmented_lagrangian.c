// SPDX-License-Identifier: Apache-2.0
// Solves a step for elements whose constraints are enforced by multipliers outside the unknowns: Newton is repeated and
// the multipliers are updated until the strains vanish (mechanics/augmented.h).
// Equations: eq-points-augmented (7.6), eq-points-augmented-rate (7.7).
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "solvers/solvers.h"

enum { LONGEST = 60 };              // most solutions per step
static const double slow = 0.1;     // strain over that of the last solution, above which the springs are stiffened ...
static const double quick = 1e3;    // ... until they remove all but one part in this many
static const double sluggish = 0.5; // above this ratio there is no progress
static const double round_off = 1e-15;      // of a strain
static const double at_floor = 1e-10;       // strain below which round-off may be all that is left
static const double largest_penalty = 1e12; // relative to the given stiffness

PetscErrorCode AugmentedCreate(const Layout *layout, AugmentedLagrangian *augmented) {
  PetscInt count = 0;
  bool any = false;
  PetscFunctionBegin;
  for (PetscInt e = 0; e < layout->model->elements.count && !any; e++) {
    const ModelElement *el = model_element(layout->model, e);
    any = element_is_augmented(el->kind, el->data);
  }
  if (!any) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(layout->nelement + 1,
                         &augmented->at)); // non-NULL on every rank if the model has some
  for (PetscInt e = 0; e < layout->nelement; e++) {
    const ModelElement *el = model_element(layout->model, layout->element[e]);
    augmented->at[e] = element_is_augmented(el->kind, el->data) ? count++ : -1;
  }
  PetscCall(PetscCalloc1(count, &augmented->multiplier));
  PetscFunctionReturn(0);
}

PetscErrorCode AugmentedDestroy(AugmentedLagrangian *augmented) {
  PetscFunctionBegin;
  PetscCall(PetscFree(augmented->at));
  PetscCall(PetscFree(augmented->multiplier));
  PetscFunctionReturn(0);
}

double motion_augmented_work(const Motion *motion, const double *q, PetscInt e) {
  const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
  LocalMotion it;
  if (!augmented_multipliers(&motion->augmented, e)) return 0;
  state_gather_element(&motion->layout, &motion->state, q, e, &it);
  return augmented_work(el->kind, el->data, &motion->layout.rule->tableau, &it,
                        augmented_multipliers(&motion->augmented, e));
}

// Finds the largest remaining strain, in absolute terms and relative to what its element tolerates. `update` first adds
// the spring forces to the multipliers.
static PetscErrorCode MeasureStrains(const Motion *motion, Equations *equations, bool update, double worst[2]) {
  const double *q;
  Vec local;
  PetscFunctionBegin;
  PetscCall(EquationsRefresh(&motion->layout, equations));
  PetscCall(EquationsOpenUnknowns(&motion->layout, equations, &local, &q));
  for (PetscInt e = 0; e < motion->layout.nelement; e++) {
    const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
    LocalMotion it;
    if (!augmented_multipliers(&motion->augmented, e)) continue;
    state_gather_element(&motion->layout, &motion->state, q, e, &it);
    if (update)
      augmented_update(el->kind, el->data, &motion->layout.rule->tableau, &it, motion->augmented.penalty_factor,
                       augmented_multipliers(&motion->augmented, e));
    double strain = number_or_infinity(augmented_strain(el->kind, el->data, &it));
    worst[0] = PetscMax(worst[0], strain),
    worst[1] = PetscMax(worst[1], strain / el->kind->augmented_tolerance(el->data));
  }
  PetscCall(EquationsCloseUnknowns(&motion->layout, equations, &local, &q));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_DOUBLE, MPI_MAX, motion->layout.comm));
  PetscFunctionReturn(0);
}

// Each solution leaves the fraction 1/(1 + f k h^2/m) of the strain, whatever the multipliers are, so f can be chosen
// freely. A strain that grew does not tell f k h^2/m: a penalty that is far too large has a round-off that disturbs the momentum
// where that is to be exact.
static double raise_penalty(double f, double remaining, bool exact) {
  if (exact && remaining >= 1) return PetscMin(largest_penalty, f * quick);
  double ratio = 1 / PetscMin(remaining, 0.999999) - 1; // f k h^2/m
  return PetscMin(largest_penalty, f * PetscMax(1, quick / ratio));
}

// After the first solution: repeats it until no strain is left.
static PetscErrorCode IterateMultipliers(System *s, double scale, double tolerance, int limit, NewtonOutcome *out) {
  double before = 0, usual = s->motion.augmented.penalty_factor;
  bool raised = false;
  int iterations = out->iterations;
  PetscFunctionBegin;
  for (int i = 1; out->converged; i++) {
    double worst[2] = {0, 0};
    PetscCall(MeasureStrains(&s->motion, &s->equations, false, worst));
    s->motion.augmented.strain = worst[0];
    if (usual * worst[1] <= 1 || worst[0] <= round_off) break;
    double remaining = before > 0 ? worst[0] / before : 0;
    if (worst[0] <= at_floor && remaining > sluggish && raised) break;
    PetscCall(MeasureStrains(&s->motion, &s->equations, true, worst));
    raised = remaining > slow;
    if (raised)
      s->motion.augmented.penalty_factor =
          raise_penalty(s->motion.augmented.penalty_factor, remaining, s->motion.layout.rule->balances_forces);
    before = s->motion.augmented.strain;
    PetscCall(SystemNewton(s, scale, tolerance, limit, out));
    out->iterations = iterations += out->iterations;
    out->converged = out->converged && i < LONGEST;
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SystemSolveAugmented(System *s, double scale, double tolerance, int limit, NewtonOutcome *out) {
  double none[2] = {0, 0};
  PetscFunctionBegin;
  s->motion.augmented.penalty_factor = s->motion.step.usual > 0 ? PetscSqr(s->motion.step.usual / s->motion.step.h)
                                                                : 1; // a spring acts on masses through k h^2
  for (PetscInt e = 0; s->motion.augmented.at && e < s->motion.layout.nelement; e++)
    if (augmented_multipliers(&s->motion.augmented, e))
      PetscCall(
          PetscArrayzero(&s->motion.augmented.multiplier[s->motion.augmented.at[e]][0][0], MAX_STAGES * MAX_ROWS));
  PetscCall(SystemNewton(s, scale, tolerance, limit, out));
  if (!s->motion.augmented.at) PetscFunctionReturn(0);
  PetscCall(IterateMultipliers(s, scale, tolerance, limit, out));
  s->motion.augmented.penalty_factor -=
      1; // force beyond the given stiffness counts as work of the multipliers in the energy balance
  PetscCall(MeasureStrains(&s->motion, &s->equations, true, none));
  s->motion.augmented.penalty_factor = 1;
  PetscFunctionReturn(0);
}
