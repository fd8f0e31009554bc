// SPDX-License-Identifier: Apache-2.0
// Takes the steps of a period together with the derivatives of all disturbances. The scheme is decaying_c with
// rho_inf = 1, which has no numerical damping: without dampers, multipliers stay on the unit circle, even those of
// waves that are faster than the steps. If only the largest multipliers are wanted, rho_inf = 0 makes those of such
// waves small, so that they are not among them. In the preserving scheme, velocities that joints forbid change sign in every
// step, and the multipliers of fast waves leave the circle.
#include "analyses/floquet/floquet.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "model/refusal.h"

#include "analyses/stepping/stepper.h"
#include "solvers/redundancy.h"

static const char *options_error(const LimberFloquetOptions *o) {
  if (!(o->period > 0)) return "the period must be positive";
  if (o->steps < 2) return "there must be at least 2 steps in a period";
  if (!(o->after >= 0)) return "the time after which the period begins must not be negative";
  if (!(o->tolerance >= 0)) return "the tolerance must not be negative";
  if (o->count < 0) return "the number of multipliers must not be negative";
  return NULL;
}

PetscErrorCode FloquetStep(Stepper *p, double h, StepFound found, void *self, Refusal *wrong) {
  LimberOutcome out = {.reason = LIMBER_CONVERGED};
  NewtonOutcome o;
  bool changed;
  int iterations = 0;
  PetscFunctionBegin;
  p->s->motion.state.time = (double)p->count * h;
  PetscCall(RedundancyUpdate(&p->s->motion, &p->s->redundancy, false, &changed));
  PetscCall(p->kind->advance(p, h, &iterations, &o));
  if (o.converged) {
    if (found) PetscCall(found(p, h, self));
    PetscCall(StepperAccept(p, h));
    PetscCall(StepperVerdict(p, h, &out));
    p->count++, p->s->motion.state.time = (double)p->count * h;
  } else PetscCall(StepperNameFailure(p, &o, &out));
  if (out.reason != LIMBER_CONVERGED)
    refuse(wrong, "floquet: a step cannot be solved at t = %g s (%s). Take more steps", p->s->motion.state.time,
           out.cause.name[0] ? out.cause.name : "cause not located");
  PetscFunctionReturn(0);
}

typedef struct {
  PetscInt count;
  Disturbance *d;
} Disturbances;

static PetscErrorCode PropagateDisturbances(Stepper *p, double h, void *self) {
  Disturbances *all = self;
  PetscFunctionBegin;
  PetscCall(StepDerivative(p, h, all->count, all->d));
  PetscFunctionReturn(0);
}

// ---- closure ----

static PetscErrorCode FindClosure(const Layout *layout, const State *state, const Disturbance *start, double h,
                                  double *closure) {
  double most = 0;
  PetscFunctionBegin;
  for (PetscInt i = 4; i < 4 * layout->nnode; i++) {
    double length = i % 4 || layout->length == 0 ? 1 : layout->length;
    if (layout->node_block[i / 4] < 0) continue;
    if (i % 4 && model_node(layout->model, layout->node[i / 4])->kind != NODE_FRAME) continue;
    most = PetscMax(most, number_or_infinity(vec3_norm(vec3_sub(state->x[i], start->x[i])) / length));
    most = PetscMax(most, number_or_infinity(h * vec3_norm(vec3_sub(state->v[i], start->v[i])) / length));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, layout->comm));
  *closure = most;
  PetscFunctionReturn(0);
}

// ---- the period ----

static PetscErrorCode ComputeMatrix(Stepper *p, const Coordinates *c, LimberFloquet f, Refusal *wrong) {
  Disturbances all = {.count = f->unknowns};
  double *unit;
  PetscFunctionBegin;
  PetscCall(FloquetAllocate(f, f->unknowns));
  PetscCall(PetscCalloc2(f->count, &all.d, f->count, &unit));
  for (int i = 0; i < f->count; i++) {
    PetscCall(DisturbanceCreate(&p->s->motion.layout, &all.d[i]));
    unit[i] = 1;
    PetscCall(CoordinatesSpread(&p->s->motion, c, unit, &all.d[i]));
    unit[i] = 0;
  }
  for (int k = 0; k < f->options.steps && !is_refused(wrong); k++)
    PetscCall(FloquetStep(p, p->options.step, PropagateDisturbances, &all, wrong));
  for (int i = 0; i < f->count; i++) {
    if (!is_refused(wrong))
      PetscCall(CoordinatesRead(&p->s->motion.layout, &p->s->motion.state, c, &all.d[i], f->matrix + i * f->count));
    PetscCall(DisturbanceDestroy(&all.d[i]));
  }
  PetscCall(PetscFree2(all.d, unit));
  PetscFunctionReturn(0);
}

PetscErrorCode FloquetAllocate(LimberFloquet f, int count) {
  PetscInt n = count < f->unknowns ? f->unknowns : 0;
  PetscFunctionBegin;
  f->count = count;
  PetscCall(PetscCalloc5(count, &f->multiplier, count, &f->name, count * count, &f->matrix, n * count, &f->space, count,
                         &f->residual));
  if (n == 0) f->space = NULL;
  PetscFunctionReturn(0);
}

// Finds the matrix, or its part of the largest multipliers, and how far the motion is from closing.
static PetscErrorCode TakePeriod(Stepper *p, const Coordinates *c, LimberFloquet f, Refusal *wrong) {
  const Layout *layout = &p->s->motion.layout;
  int count = f->options.count;
  Disturbance start;
  PetscFunctionBegin;
  PetscCall(DisturbanceCreate(layout, &start));
  disturbance_of_state(layout, &p->s->motion.state, &start);
  if (count > 0 && 3 * count + 15 < f->unknowns) PetscCall(FloquetLargest(p, c, f, wrong));
  else PetscCall(ComputeMatrix(p, c, f, wrong));
  PetscCall(FindClosure(layout, &p->s->motion.state, &start, p->options.step, &f->closure));
  PetscCall(DisturbanceDestroy(&start));
  PetscFunctionReturn(0);
}

static PetscErrorCode ComputeFrom(Stepper *p, const LimberFloquetOptions *o, LimberFloquet *out, Refusal *wrong) {
  PetscInt64 before = (PetscInt64)floor(o->after / p->options.step + 0.5);
  Coordinates c;
  LimberFloquet f;
  PetscFunctionBegin;
  if (p->s->motion.augmented.at)
    refuse(wrong,
           "floquet: elements whose strains are held at zero by multipliers are not supported. Give them a stiffness");
  for (PetscInt64 k = 0; k < before && !is_refused(wrong); k++)
    PetscCall(FloquetStep(p, p->options.step, NULL, NULL, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(MotionBeginStep(&p->s->motion, p->options.step)); // rates of drives
  PetscCall(CoordinatesCreate(&p->s->motion, &c));
  PetscCall(PetscNew(&f));
  f->options = *o, f->unknowns = 2 * (int)c.count;
  if (f->unknowns == 0) refuse(wrong, "floquet: joints and drives fix every node: there is nothing to disturb");
  else PetscCall(CheckMass(&p->s->motion.layout, &p->s->motion.state, &c, wrong));
  if (!is_refused(wrong)) PetscCall(TakePeriod(p, &c, f, wrong));
  if (!is_refused(wrong)) PetscCall(FloquetMultipliers(&p->s->motion.layout, &c, f));
  PetscCall(CoordinatesDestroy(&c));
  if (is_refused(wrong)) PetscCall(FloquetDestroy(&f));
  *out = f;
  PetscFunctionReturn(0);
}

static PetscErrorCode ComputeOnce(Model model, const LimberFloquetOptions *o, LimberFloquet *out, Refusal *wrong) {
  LimberOptions run;
  Stepper *p;
  PetscFunctionBegin;
  run = limber_options_default();
  run.scheme = LIMBER_SCHEME_DECAYING_C, run.rho_inf = o->count > 0 ? 0 : 1, run.step = o->period / o->steps,
  run.tolerance = 1e-14;
  PetscCall(StepperCreate(model, &run, &p, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(ComputeFrom(p, o, out, wrong));
  PetscCall(StepperDestroy(&p));
  PetscFunctionReturn(0);
}

// Adds to the error of each multiplier the difference in magnitude from the nearest one with half as many steps: three
// times the remaining error, if errors fall with the square of the step. If the motion does not close, the matrix
// depends on where it begins: the closure is added as a relative error.
static PetscErrorCode AddErrors(Model model, LimberFloquet f) {
  LimberFloquetOptions o = f->options;
  LimberFloquet coarse = NULL;
  Refusal wrong = {.text = ""};
  PetscFunctionBegin;
  o.steps = (o.steps + 1) / 2;
  PetscCall(ComputeOnce(model, &o, &coarse, &wrong));
  for (int i = 0; i < f->count; i++) {
    LimberMultiplier *m = &f->multiplier[i];
    double nearest = PETSC_INFINITY, change = PETSC_INFINITY;
    for (int j = 0; !is_refused(&wrong) && j < coarse->count; j++) {
      const LimberMultiplier *c = &coarse->multiplier[j];
      double away = hypot(m->real - c->real, m->imag - c->imag);
      if (away < nearest) nearest = away, change = fabs(m->magnitude - c->magnitude);
    }
    m->error += change + f->closure * m->magnitude;
  }
  PetscCall(FloquetDestroy(&coarse));
  PetscFunctionReturn(0);
}

PetscErrorCode FloquetCompute(Model model, const LimberFloquetOptions *o, LimberFloquet *out, Refusal *wrong) {
  const char *why = options_error(o);
  if (!why && model->events.count > 0) why = "a model with events has no multipliers: leave out `events`";
  PetscFunctionBegin;
  *out = NULL;
  refuse(wrong, "%s%s", why ? "floquet: " : "", why ? why : "");
  if (why) PetscFunctionReturn(0);
  PetscCall(ComputeOnce(model, o, out, wrong));
  if (!is_refused(wrong)) PetscCall(AddErrors(model, *out));
  PetscFunctionReturn(0);
}

PetscErrorCode FloquetDestroy(LimberFloquet *f) {
  PetscFunctionBegin;
  if (!*f) PetscFunctionReturn(0);
  PetscCall(PetscFree5((*f)->multiplier, (*f)->name, (*f)->matrix, (*f)->space, (*f)->residual));
  PetscCall(PetscFree(*f));
  PetscFunctionReturn(0);
}
