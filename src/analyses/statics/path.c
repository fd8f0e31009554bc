// SPDX-License-Identifier: Apache-2.0
// Takes a step along a path of equilibria: predicts along the tangent, solves with Newton's method, and searches for a
// critical point that the step passed.
// Equations: eq-static-border (16.2), eq-static-arc (16.3).
#include "analyses/statics/statics.h"
#include "assembly/evaluate.h"
#include "assembly/matrices.h"
#include "solvers/redundancy.h"

#include <string.h>

typedef struct { // a step of that length from the state, which does not move
  double length, factor;
  int negative;
  double bend; // angle between the tangent of the path and the step; 0 without an arc
  NewtonOutcome newton;
} Reached;

static const double longest = 1; // most rotation (rad) and displacement (of the model's size) in a step
static const double most_bent = 0.4, well_bent = 0.15; // rad: a step that bends more is cut; the target
// A step to a limit point goes twice as far as the tangent predicts. One that goes farther has jumped to another part
// of the path.
static const double most_stretched = 2.5;

// ---- the tangent of the path ----

static PetscErrorCode Weighted(const Statics *x, Vec a, Vec b, double *out) {
  Vec w;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(a, &w));
  PetscCall(VecPointwiseMult(w, x->weight, a));
  PetscCall(VecDot(w, b, out));
  PetscCall(VecDestroy(&w));
  PetscFunctionReturn(0);
}

// The weight of the factor is a tenth of that of displacements at the start.
static const double factor_part = 0.1;

// From the tangent dq/df: dq/dl in x->direction, and df/dl. Their sign follows from the last step.
static PetscErrorCode ArcDirection(Statics *x, double *df) {
  double norm, on;
  PetscFunctionBegin;
  PetscCall(Weighted(x, x->direction, x->direction, &norm));
  if (x->count == 0) x->factor_weight = norm > 0 ? factor_part * norm : 1 / (x->options.to * x->options.to);
  *df = 1 / PetscSqrtReal(norm + x->factor_weight);
  if (x->count > 0) {
    PetscCall(Weighted(x, x->direction, x->secant, &on));
    if (on + x->factor_weight * x->last_factor < 0) *df = -*df;
  } else if (x->options.to < 0) *df = -*df;
  PetscCall(VecScale(x->direction, *df));
  PetscFunctionReturn(0);
}

// At a critical point the stiffness gives no direction, so that of the last step is used, without its multipliers.
static PetscErrorCode LastDirection(Stepper *p, double *df) {
  Statics *x = statics_of(p);
  const Layout *layout = &p->s->motion.layout;
  double *d, size;
  PetscFunctionBegin;
  PetscCall(VecCopy(x->secant, x->direction));
  PetscCall(VecGetArray(x->direction, &d));
  for (PetscInt j = 0; j < layout->njoint; j++)
    for (int r = 0; r < model_joint(layout->model, layout->joint[j])->joint.rows.nrow; r++)
      if (layout->joint_block[j] >= 0 && layout->joint_block[j] < layout->nblock_own)
        d[3 * layout->joint_block[j] + r] = 0;
  PetscCall(VecRestoreArray(x->direction, &d));
  if (x->options.control == LIMBER_CONTROL_ARC) {
    PetscCall(Weighted(x, x->direction, x->direction, &size));
    size = PetscSqrtReal(size + x->factor_weight * x->last_factor * x->last_factor);
  } else if (x->options.control != LIMBER_CONTROL_LOAD) PetscCall(VecDot(x->border, x->direction, &size));
  else size = x->last_factor;
  PetscCall(VecScale(x->direction, 1 / size));
  *df = x->last_factor / size;
  PetscFunctionReturn(0);
}

// The direction of a step of unit length, and its border.
static PetscErrorCode Prepare(Stepper *p, double *df, double *b, bool *good) {
  Statics *x = statics_of(p);
  PetscBool solved;
  double rate;
  PetscFunctionBegin;
  if (!x->options.no_critical) PetscCall(SystemUseSymmetricFactors(p->s)); // counts need factors in any case
  PetscCall(SystemPathTangent(p->s, &x->loads, x->factor, x->direction, &solved));
  // a path continues straight through a bifurcation, where the solution has any part of the singular direction
  if (x->at_critical && x->critical[x->ncritical - 1].kind == CRITICAL_BIFURCATION) solved = PETSC_FALSE;
  *good = solved || x->count > 0, *df = 1, *b = 0;
  if (!*good) PetscFunctionReturn(0);
  if (!solved) PetscCall(LastDirection(p, df));
  else {
    PetscCall(Weighted(x, x->direction, x->direction, &rate));
    statics_record_slope(x, rate);
  }
  if (x->count == 0 && !x->options.no_critical) {
    PetscCall(StaticsFindFree(p));
    if (x->options.control != LIMBER_CONTROL_LOAD || x->options.constant > 0)
      PetscCall(StaticsCountNegative(p, &x->negative));
  }
  if (x->options.control == LIMBER_CONTROL_ARC) {
    if (solved) PetscCall(ArcDirection(x, df));
    if (x->count == 0) { // converts increments of the factor to lengths
      double scale = 1 / fabs(*df);
      x->length *= scale, x->options.smallest *= scale, x->options.largest *= scale;
    }
    PetscCall(VecPointwiseMult(x->border, x->weight, x->direction));
    *b = x->factor_weight * *df;
  } else if (x->options.control != LIMBER_CONTROL_LOAD && solved) {
    PetscCall(VecDot(x->border, x->direction, &rate));
    *good = rate != 0, *df = 1 / rate;
    if (*good) PetscCall(VecScale(x->direction, *df));
  }
  PetscFunctionReturn(0);
}

// ---- one solution ----

// The angle between the step and the tangent along which it was predicted. `jumped`: it left this part of the path.
static PetscErrorCode FindBend(Stepper *p, double moved, Reached *r, bool *jumped) {
  Statics *x = statics_of(p);
  double norm, predicted, df = r->factor - x->factor;
  Vec q;
  PetscFunctionBegin;
  r->bend = 0, *jumped = false;
  PetscCall(VecDuplicate(x->weight, &q));
  PetscCall(VecCopy(p->s->equations.unknown, q));
  PetscCall(Weighted(x, q, q, &norm));
  PetscCall(VecDestroy(&q));
  if (x->options.control == LIMBER_CONTROL_ARC) {
    norm = PetscSqrtReal(norm + x->factor_weight * df * df);
    r->bend = acos(PetscMin(1, fabs(r->length) / norm));
  } else {
    PetscCall(Weighted(x, x->direction, x->direction, &predicted));
    *jumped = moved > 1e-3 && PetscSqrtReal(norm) > most_stretched * fabs(r->length) * PetscSqrtReal(predicted);
  }
  PetscFunctionReturn(0);
}

// Finds an equilibrium at a length from the state.
static PetscErrorCode Reach(Stepper *p, double df, double b, double length, Reached *r) {
  Statics *x = statics_of(p);
  System *s = p->s;
  double moved;
  bool jumped;
  StaticBorder border = {.a = x->border, .b = b, .length = length, .from = x->factor};
  StaticProblem problem = {.loads = &x->loads,
                           .border = x->options.control == LIMBER_CONTROL_LOAD ? NULL : &border,
                           .limit = p->options.iterations};
  PetscFunctionBegin;
  r->length = length, r->factor = x->factor + length * df;
  PetscCall(EquationsBeginStatic(&s->motion, &s->equations));
  PetscCall(VecAXPY(s->equations.unknown, length, x->direction));
  PetscCall(SystemStaticNewton(s, &problem, &r->factor, &r->newton));
  if (!r->newton.converged) PetscFunctionReturn(0);
  PetscCall(EquationsLargestIncrement(&s->motion.layout, &s->equations, &moved));
  PetscCall(FindBend(p, moved, r, &jumped));
  if (moved > longest || r->bend > most_bent || jumped) r->newton.converged = false, r->newton.worst = -1;
  PetscFunctionReturn(0);
}

static PetscErrorCode CountNegative(Stepper *p, Reached *r) {
  const Statics *x = statics_of(p);
  PetscFunctionBegin;
  r->negative = NEGATIVE_UNKNOWN;
  if (x->options.no_critical || !r->newton.converged) PetscFunctionReturn(0);
  PetscCall(MotionSetFactor(&p->s->motion, &x->loads, r->factor));
  PetscCall(EquationsEvaluate(&p->s->motion, &p->s->equations, PETSC_TRUE));
  if (p->s->motion.step.spin.rate != 0)
    PetscCall(AddSpinStiffness(&p->s->motion.layout, &p->s->motion.state, &p->s->motion.step.spin,
                               p->s->equations.matrix.tangent));
  PetscCall(StaticsCountNegative(p, &r->negative));
  PetscFunctionReturn(0);
}

// ---- critical points ----

enum { BISECTIONS = 40, HOPELESS = 12 };
static const double together = 1e-6, beyond = 1e-2; // of a step

// The component of the increments along the critical direction.
static PetscErrorCode AlongCritical(Stepper *p, double *out) {
  const Statics *x = statics_of(p);
  double norm;
  Vec q;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(x->weight, &q));
  PetscCall(VecCopy(p->s->equations.unknown, q));
  PetscCall(Weighted(x, x->critical_direction, q, out));
  PetscCall(Weighted(x, x->critical_direction, x->critical_direction, &norm));
  *out /= PetscSqrtReal(norm);
  PetscCall(VecDestroy(&q));
  PetscFunctionReturn(0);
}

static const double off_path = 1e-7; // of the model's size, or rad

// Ends a step just after a bifurcation. If round-off in the nearly singular direction leads off the path there, the
// step ends farther on, at the state from which the error bound is found. The same is done if several directions lose
// their stiffness together.
static PetscErrorCode LeaveBifurcation(Stepper *p, double df, double b, double whole, Reached *r, int *iterations) {
  const Reached critical = *r;
  Reached far;
  double along_far = 0, along;
  PetscFunctionBegin;
  bool good = false;
  for (double part = beyond; part <= 1 && !good; part *= 10) {
    PetscCall(Reach(p, df, b, critical.length + part * (whole - critical.length), &far));
    PetscCall(CountNegative(p, &far));
    *iterations += far.newton.iterations;
    good = far.newton.converged && !negative_differs(far.negative, critical.negative);
  }
  if (far.newton.converged) PetscCall(StaticsBoundCritical(p, far.factor - critical.factor));
  if (far.newton.converged) PetscCall(AlongCritical(p, &along_far));
  PetscCall(Reach(p, df, b, critical.length + together * whole, r));
  PetscCall(CountNegative(p, r));
  PetscCall(AlongCritical(p, &along));
  *iterations += r->newton.iterations;
  bool near = r->newton.converged && !negative_differs(r->negative, critical.negative);
  bool single = abs(critical.negative - statics_of(p)->negative) == 1; // only one of several directions is examined
  if (near && (!good || (single && fabs(along - along_far * r->length / far.length) <= off_path)))
    PetscFunctionReturn(0);
  PetscCall(Reach(p, df, b, good ? far.length : critical.length, r));
  r->negative = critical.negative;
  if (good) {
    PetscCall(CountNegative(p, r));
    statics_of(p)->at_critical = false;
  }
  PetscFunctionReturn(0);
}

// Finds a state between two: in the middle or, if Newton fails there next to a critical point, nearer to one of them.
static PetscErrorCode ReachBetween(Stepper *p, double df, double b, const Reached *low, const Reached *high,
                                   Reached *out, int *iterations) {
  static const double parts[] = {0.5, 0.25, 0.75, 0.1, 0.9};
  PetscFunctionBegin;
  for (int i = 0; i < 5; i++) {
    PetscCall(Reach(p, df, b, low->length + parts[i] * (high->length - low->length), out));
    PetscCall(CountNegative(p, out));
    *iterations += out->newton.iterations;
    if (out->newton.converged && out->negative != NEGATIVE_UNKNOWN) break;
  }
  PetscFunctionReturn(0);
}

// Locates the change of the count of negative directions in a step by bisection. Returns the state just after the
// change, with its unknowns.
static PetscErrorCode Locate(Stepper *p, double df, double b, Reached *r, int *iterations) {
  Statics *x = statics_of(p);
  Reached low = {.factor = x->factor, .negative = x->negative}, high = *r, middle, behind, ahead;
  double whole = r->length;
  PetscFunctionBegin;
  for (int i = 0; i < BISECTIONS && fabs(high.length - low.length) > 1e-11 * fabs(whole); i++) {
    PetscCall(ReachBetween(p, df, b, &low, &high, &middle, iterations));
    if (!middle.newton.converged || middle.negative == NEGATIVE_UNKNOWN) break; // too close to the critical point
    bool after = negative_differs(middle.negative, x->negative);
    if (i == HOPELESS && low.length == 0 && after) { // the signs are round-off, right from the start
      PetscCall(Reach(p, df, b, whole, r));
      PetscFunctionReturn(0);
    }
    *(after ? &high : &low) = middle;
  }
  // directions that lose their stiffness together differ by round-off, so they are counted just after it
  PetscCall(Reach(p, df, b, high.length + together * whole, &behind));
  PetscCall(CountNegative(p, &behind));
  PetscCall(Reach(p, df, b, high.length + beyond * whole, &ahead)); // by there the factor has turned back, if it does
  bool turns = !ahead.newton.converged || (ahead.factor - high.factor) * (high.factor - x->factor) <= 0;
  PetscCall(Reach(p, df, b, high.length, &high));
  *iterations += high.newton.iterations + behind.newton.iterations + ahead.newton.iterations;
  if (!high.newton.converged) { // the end of the whole step is still valid
    PetscCall(Reach(p, df, b, whole, r));
    PetscFunctionReturn(0);
  }
  PetscCall(CountNegative(p, &high));
  if (negative_differs(behind.negative, x->negative)) high.negative = behind.negative;
  x->at_critical = negative_differs(high.negative, x->negative);
  if (x->at_critical)
    PetscCall(StaticsAddCritical(p, &(Critical){.kind = turns ? CRITICAL_LIMIT : CRITICAL_BIFURCATION,
                                                .factor = high.factor,
                                                .width = fabs(high.factor - low.factor),
                                                .negative = {x->negative, high.negative}}));
  *r = high;
  if (x->at_critical && x->critical[x->ncritical - 1].kind == CRITICAL_BIFURCATION)
    PetscCall(LeaveBifurcation(p, df, b, whole, r, iterations));
  PetscFunctionReturn(0);
}

// Counts at the state and after the step again without motions that have become free since, whose signs are round-off.
// Not done from a critical point, where a direction has no stiffness only momentarily.
static PetscErrorCode CountAgain(Stepper *p, double df, double b, Reached *r, int *iterations) {
  Statics *x = statics_of(p);
  int before = x->free_motions.count;
  Vec direction;
  PetscBool solved;
  PetscFunctionBegin;
  if (x->at_critical) PetscFunctionReturn(0);
  PetscCall(VecDuplicate(x->direction, &direction));
  PetscCall(SystemPathTangent(p->s, &x->loads, x->factor, direction, &solved));
  PetscCall(VecDestroy(&direction));
  PetscCall(StaticsFindFree(p));
  if (x->free_motions.count != before) PetscCall(StaticsCountNegative(p, &x->negative));
  PetscCall(Reach(p, df, b, r->length, r));
  *iterations += r->newton.iterations;
  PetscCall(CountNegative(p, r));
  PetscFunctionReturn(0);
}

// ---- the step ----

// The first requested value of what is controlled (along an arc: of the factor) after `from` and up to `reach`; the end
// is one.
static bool find_stop(const Statics *x, double from, double reach, double *stop) {
  const LimberStatics *o = &x->options;
  double way = o->control == LIMBER_CONTROL_LOAD || o->control == LIMBER_CONTROL_ARC ? o->to : o->target;
  bool found = false;
  for (int i = 0; i <= o->stops; i++) {
    double at = i < o->stops ? o->stop[i] * way : way, on = copysign(1, reach - from) * (at - from);
    if (on < 1e-10 * fabs(way) || on > fabs(reach - from)) continue;
    if (!found || on < fabs(*stop - from)) *stop = at;
    found = true;
  }
  return found;
}

enum { SECANTS = 30 };

// Finds the state of a step at which the factor has a given value: first by varying the length, then with the factor
// itself.
static PetscErrorCode ReachFactor(Stepper *p, double df, double b, double factor, const Reached *r, Reached *out) {
  Statics *x = statics_of(p);
  double low = 0, high = r->length, below = x->factor - factor, above = r->factor - factor,
         close = 1e-6 * fabs(above - below);
  StaticProblem problem = {.loads = &x->loads, .limit = p->options.iterations};
  int iterations = 0, side = 0;
  PetscFunctionBegin;
  for (int i = 0; i < SECANTS; i++) {
    PetscCall(Reach(p, df, b, low + (high - low) * below / (below - above), out));
    iterations += out->newton.iterations;
    if (!out->newton.converged || fabs(out->factor - factor) < close) break;
    bool first = (out->factor - factor) * below > 0; // the value at an end that stays twice is halved: Illinois method
    if (first) low = out->length, below = out->factor - factor, above *= side == 1 ? 0.5 : 1;
    else high = out->length, above = out->factor - factor, below *= side == 2 ? 0.5 : 1;
    side = first ? 1 : 2;
  }
  if (out->newton.converged) {
    out->factor = factor;
    PetscCall(SystemStaticNewton(p->s, &problem, &out->factor, &out->newton));
    iterations += out->newton.iterations;
  }
  out->newton.iterations = iterations;
  PetscFunctionReturn(0);
}

// If a path under arc-length control passes a requested factor, the step ends there. Critical points beyond it will be
// found again.
static PetscErrorCode StopAtFactor(Stepper *p, double df, double b, int criticals, Reached *r, int *iterations) {
  Statics *x = statics_of(p);
  double stop = 0;
  Reached last;
  PetscFunctionBegin;
  if (x->options.control != LIMBER_CONTROL_ARC || !find_stop(x, x->factor, r->factor, &stop)) PetscFunctionReturn(0);
  x->finished = stop == x->options.to;
  PetscCall(ReachFactor(p, df, b, stop, r, &last));
  *iterations += last.newton.iterations;
  if (last.newton.converged) {
    PetscCall(CountNegative(p, &last));
    if (!negative_differs(last.negative, x->negative)) x->ncritical = criticals;
    last.newton.iterations = r->newton.iterations; // determines the next length
    *r = last;
  } else PetscCall(Reach(p, df, b, r->length, r)); // the end of the whole step is still valid
  PetscFunctionReturn(0);
}

// Moves the state to what was reached.
static PetscErrorCode TakeReached(Stepper *p, const Reached *r, LimberOutcome *out) {
  Statics *x = statics_of(p);
  System *s = p->s;
  bool changed;
  PetscFunctionBegin;
  PetscCall(VecCopy(s->equations.unknown, x->secant));
  PetscCall(FreeMotionsFollow(&x->free_motions, x->weight));
  x->last_factor = r->factor - x->factor;
  x->factor = r->factor, x->negative = r->negative, x->count++, p->count++;
  p->ledger.load_factor = x->factor, p->ledger.negative = negative_number(x->negative);
  PetscCall(MotionSetFactor(&s->motion, &x->loads, x->factor));
  PetscCall(StepperAccept(p, 0));
  PetscCall(StepperVerdict(p, 1, out));
  PetscCall(RedundancyUpdate(&s->motion, &s->redundancy, false, &changed));
  s->motion.state.time = x->options.control == LIMBER_CONTROL_LOAD && x->options.to > 0 ? x->factor : x->count;
  PetscCall(StaticsControlled(p, &x->controlled));
  out->substeps++, out->step = r->length, out->time = s->motion.state.time;
  PetscFunctionReturn(0);
}

static double way_left(const Statics *x) {
  return x->options.control == LIMBER_CONTROL_LOAD ? x->options.to - x->factor : x->options.target - x->controlled;
}

// The length to try: up to the next requested state at most, and all the way to it if little would be left.
static double choose_length(const Statics *x) {
  if (x->options.control == LIMBER_CONTROL_ARC) return x->length;
  double here = x->options.control == LIMBER_CONTROL_LOAD ? x->factor : x->controlled;
  double length = copysign(fabs(x->length), way_left(x)), stop = here;
  return find_stop(x, here, here + 1.01 * length, &stop) ? stop - here : length;
}

// A step that was short only to end at a requested state does not shorten the next one.
static void choose_next(Statics *x, const Reached *r, double tried) {
  double grow = r->newton.iterations <= 3 ? 2 : r->newton.iterations <= 5 ? 1.4 : r->newton.iterations <= 7 ? 1 : 0.6;
  if (r->bend > 0) grow = PetscMin(grow, well_bent / r->bend);
  double next = fabs(tried) * PetscMax(0.25, grow);
  if (fabs(tried) < 0.98 * fabs(x->length)) next = PetscMax(next, fabs(x->length));
  x->length = PetscMin(next, x->options.largest);
}

PetscErrorCode StaticsStep(Stepper *p, LimberOutcome *out) {
  Statics *x = statics_of(p);
  Reached r = {.newton = {.worst = -1}};
  double df = 1, b = 0, tried = 0;
  int criticals = x->ncritical;
  bool good;
  PetscFunctionBegin;
  *out = (LimberOutcome){.reason = LIMBER_CONVERGED, .time = p->s->motion.state.time};
  if (x->surrounded && x->options.control == LIMBER_CONTROL_LOAD && !x->options.constant && x->count == 0) good = false;
  else PetscCall(Prepare(p, &df, &b, &good));
  if (!good) {
    bool found;
    PetscCall(StaticsRest(p, out, &found));
    r.newton.singular = true;
    if (!found) PetscCall(StepperNameFailure(p, &r.newton, out));
    PetscFunctionReturn(0);
  }
  while (!r.newton.converged) {
    tried = choose_length(x);
    PetscCall(Reach(p, df, b, tried, &r));
    out->iterations += r.newton.iterations;
    if (r.newton.converged) break;
    out->rejected++;
    x->length = 0.5 * fabs(tried);
    if (x->length < x->options.smallest) {
      PetscCall(StepperNameFailure(p, &r.newton, out));
      PetscFunctionReturn(0);
    }
  }
  PetscCall(CountNegative(p, &r));
  x->uncounted += !x->options.no_critical && r.negative == NEGATIVE_UNKNOWN;
  if (negative_differs(r.negative, x->negative)) PetscCall(CountAgain(p, df, b, &r, &out->iterations));
  x->at_critical = false;
  if (negative_differs(r.negative, x->negative)) PetscCall(Locate(p, df, b, &r, &out->iterations));
  PetscCall(StopAtFactor(p, df, b, criticals, &r, &out->iterations));
  PetscCall(TakeReached(p, &r, out));
  choose_next(x, &r, tried);
  if (x->options.control != LIMBER_CONTROL_ARC) x->finished = fabs(way_left(x)) <= 1e-12 * fabs(tried) + 1e-14;
  x->finished = x->finished || x->count >= x->options.steps;
  PetscFunctionReturn(0);
}

PetscErrorCode StaticsControlled(const Stepper *p, double *value) {
  const Statics *x = statics_of(p);
  const Motion *motion = &p->s->motion;
  double own = 0;
  PetscFunctionBegin;
  if (x->options.control == LIMBER_CONTROL_NODE) {
    PetscInt i = motion->layout.local_node[x->options.node.index];
    if (i > 0 && i < motion->layout.nnode_own)
      own = vec3_dot(vec3_of(x->options.direction),
                     vec3_sub(motion->state.x[4 * i], model_node(motion->layout.model, x->options.node.index)->x[0]));
  }
  for (PetscInt j = 0; j < motion->layout.njoint && x->options.control == LIMBER_CONTROL_JOINT; j++)
    if (motion->layout.joint[j] == x->options.joint.index && motion->layout.joint_primary[j])
      own = motion->state.coord[j].z[x->options.coordinate];
  PetscCallMPI(MPI_Allreduce(&own, value, 1, MPI_DOUBLE, MPI_SUM, motion->layout.comm));
  PetscFunctionReturn(0);
}
