// SPDX-License-Identifier: Apache-2.0
// Sequential quadratic programming. The merit of x is f + penalty sum max(0, -c_i). A step is the minimum of a model of it
// (quadratic.c), with the slopes of f and c at x and a matrix B of second derivatives of the Lagrangian, by the formula of
// Broyden, Fletcher, Goldfarb and Shanno, within a trust region |d_j| <= radius. The radius grows after steps that do what
// the model foretells, and shrinks after others. The penalty grows where a larger one makes more of the violation vanish.
// Every rank does the same with the same numbers; evaluations are collective.
#include "fit/optimize.h"

#include <math.h>

static const double close_fall = 1e-10; // of the merit that a step foretells: ends the search
static const double close_row = 1e-4;   // violation of a row that is not mended: there is no optimum
static const double close_slope = 1e-3; // of the merit, where round-off or a kink ends the search: the same
static const double least_radius = 1e-8, first_radius = 0.2, least_step = 1e-14;
static const double largest_penalty = 1e6;
static const double farthest = 1e6; // from the start, over scales of parameters
enum { MOST_STEPS = 200 };          // as a message says

typedef struct {
  OptimumProblem *p;
  int n, m;
  double *x, *trial, *low, *high; // low, high: of the step
  double f, *c, *g, *a;           // at x
  double *b;                      // n x n
  double *trial_c, *moved_c, *last_x, *last_slope, *slope;
  double radius, penalty;
  bool curved; // B has been updated
  QuadraticProblem q;
  Refusal *wrong;
} Search;

static double violation_of(int m, const double *c) {
  double sum = 0;
  for (int i = 0; i < m; i++) sum += fmax(0, -c[i]);
  return sum;
}

static double worst_of(int m, const double *c) {
  double most = 0;
  for (int i = 0; i < m; i++) most = fmax(most, -c[i]);
  return most;
}

static double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// ---- B ----

// The slope of the Lagrangian with the multipliers of the last step.
static void find_slope(const Search *w, double *out) {
  for (int j = 0; j < w->n; j++) {
    out[j] = w->g[j];
    for (int i = 0; i < w->m; i++) out[j] -= w->a[(size_t)i * w->n + j] * w->q.y[i];
  }
}

// From the step x - last_x and the change of slopes along it; damped (Powell), so that B remains positive.
static void update_curvature(Search *w) {
  int n = w->n;
  double *s = w->last_x, *y = w->last_slope, *bs = w->trial; // their memory
  for (int j = 0; j < n; j++) s[j] = w->x[j] - s[j], y[j] = w->slope[j] - y[j];
  double sy = dot(n, s, y), ss = dot(n, s, s);
  if (!(ss > 0)) return;
  if (!w->curved)
    for (int j = 0; j < n; j++) w->b[j * n + j] = fmin(fmax(sy / ss, 1e-3), 1e3);
  w->curved = true;
  for (int j = 0; j < n; j++) bs[j] = dot(n, w->b + (size_t)j * n, s);
  double sbs = dot(n, s, bs), part = sy >= 0.2 * sbs ? 1 : 0.8 * sbs / (sbs - sy);
  for (int j = 0; j < n; j++) y[j] = part * y[j] + (1 - part) * bs[j];
  sy = dot(n, s, y);
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) w->b[j * n + k] += y[j] * y[k] / sy - bs[j] * bs[k] / sbs;
}

// ---- a step ----

static PetscErrorCode Solve(Search *w, const double *c, double penalty, double *violation) {
  PetscFunctionBegin;
  w->q.c = c, w->q.penalty = penalty;
  PetscCall(QuadraticSolve(&w->q));
  *violation = 0;
  for (int i = 0; i < w->m; i++) *violation += w->q.s[i];
  PetscFunctionReturn(0);
}

// By how much the model of the merit falls.
static double foretold_fall(const Search *w) {
  const QuadraticProblem *q = &w->q;
  double fall = w->penalty * violation_of(w->m, w->c) - dot(w->n, w->g, q->d);
  for (int j = 0; j < w->n; j++) fall -= 0.5 * q->d[j] * dot(w->n, w->b + (size_t)j * w->n, q->d);
  for (int i = 0; i < w->m; i++) {
    double c = w->c[i] + dot(w->n, w->a + (size_t)i * w->n, q->d);
    fall -= w->penalty * fmax(0, -c);
  }
  return fall;
}

// A penalty that takes away nine tenths of the violation that a step in the trust region can.
static PetscErrorCode FindStep(Search *w) {
  double now = violation_of(w->m, w->c), left = 0, least = 0;
  PetscFunctionBegin;
  for (int j = 0; j < w->n; j++) {
    double low, high;
    tuned_bounds(w->p->m, j, &low, &high);
    w->low[j] = fmax(low - w->x[j], -w->radius), w->high[j] = fmin(high - w->x[j], w->radius);
  }
  PetscCall(Solve(w, w->c, w->penalty, &left));
  if (left <= 1e-10) PetscFunctionReturn(0);
  PetscCall(Solve(w, w->c, largest_penalty, &least));
  double enough = least <= 1e-10 ? 1e-10 : now - 0.9 * (now - least);
  for (bool first = true; first || (left > enough && w->penalty < largest_penalty); first = false) {
    if (!first) w->penalty = fmin(5 * w->penalty, largest_penalty);
    PetscCall(Solve(w, w->c, w->penalty, &left));
  }
  PetscFunctionReturn(0);
}

static void place_trial(Search *w) {
  for (int j = 0; j < w->n; j++) {
    double low, high, x = w->x[j] + w->q.d[j];
    tuned_bounds(w->p->m, j, &low, &high);
    if (x - low <= 1e-10) x = low;
    if (high - x <= 1e-10) x = high;
    w->trial[j] = x;
  }
}

// A model that cannot be evaluated there is as bad as one that is far away.
static PetscErrorCode EvaluateTrial(Search *w, double *fall) {
  Refusal why = {.text = ""};
  double f, merit = w->f + w->penalty * violation_of(w->m, w->c);
  PetscFunctionBegin;
  PetscCall(TunedEvaluate(w->p->m, w->trial, false, &why));
  optimum_values(w->p, &f, w->trial_c, NULL, NULL);
  double found = f + w->penalty * violation_of(w->m, w->trial_c);
  *fall = is_refused(&why) || !isfinite(found) ? -INFINITY : merit - found;
  PetscFunctionReturn(0);
}

// A step that is too long because rows curve: the same with the rows as they are at the trial.
static PetscErrorCode CorrectStep(Search *w) {
  double left;
  PetscFunctionBegin;
  for (int i = 0; i < w->m; i++) w->moved_c[i] = w->trial_c[i] - dot(w->n, w->a + (size_t)i * w->n, w->q.d);
  PetscCall(Solve(w, w->moved_c, w->penalty, &left));
  place_trial(w);
  PetscFunctionReturn(0);
}

// Tries steps in smaller and smaller regions until one lowers the merit.
static PetscErrorCode Step(Search *w, double foretold, bool *moved) {
  PetscFunctionBegin;
  for (*moved = false; !*moved && w->radius > least_radius;) {
    double fall, size = 0;
    for (int j = 0; j < w->n; j++) size = fmax(size, fabs(w->q.d[j]));
    place_trial(w);
    PetscCall(EvaluateTrial(w, &fall));
    if (fall <= 1e-4 * foretold && isfinite(fall) && violation_of(w->m, w->trial_c) > 0) {
      PetscCall(CorrectStep(w));
      PetscCall(EvaluateTrial(w, &fall));
    }
    double ratio = foretold > 0 ? fall / foretold : -1;
    *moved = ratio > 1e-4;
    if (ratio > 0.75 && size > 0.9 * w->radius) w->radius *= 2;
    else if (ratio < 0.25) w->radius = fmin(w->radius, size) / (isfinite(fall) ? 3 : 2);
    if (*moved) break;
    PetscCall(FindStep(w));
    foretold = foretold_fall(w);
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode Linearise(Search *w, bool known) {
  PetscFunctionBegin;
  if (!known) PetscCall(TunedEvaluate(w->p->m, w->x, true, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  optimum_values(w->p, &w->f, w->c, w->g, w->a);
  if (w->p->progress) w->p->progress(w->p->o->steps, w->f * w->p->scale, worst_of(w->m, w->c));
  PetscFunctionReturn(0);
}

static PetscErrorCode Accept(Search *w) {
  PetscFunctionBegin;
  find_slope(w, w->last_slope);
  PetscCall(PetscArraycpy(w->last_x, w->x, w->n));
  PetscCall(PetscArraycpy(w->x, w->trial, w->n));
  w->p->o->steps++;
  PetscCall(Linearise(w, false));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  find_slope(w, w->slope);
  update_curvature(w);
  for (int j = 0; j < w->n && !is_refused(w->wrong); j++)
    if (fabs(w->x[j]) > farthest)
      refuse(w->wrong, "%s improves on and on: %s is %.3g %s now; give bounds, or a constraint", w->p->o->objective.of,
             w->p->m->g.parameter[j].path, w->p->m->g.parameter[j].value, w->p->m->g.parameter[j].unit);
  PetscFunctionReturn(0);
}

// The row that is violated most.
static void refuse_infeasible(const Search *w) {
  const OptimumProblem *p = w->p;
  int worst = 0;
  for (int i = 0; i < w->m; i++)
    if (w->c[i] < w->c[worst]) worst = i;
  const OptimumRow *r = &p->row[worst];
  const OptimumConstraint *k = &p->o->constraint[r->constraint];
  const char *unit = limit_unit(k), *space = *unit ? " " : "";
  refuse(w->wrong,
         "no values of the parameters were found that satisfy all constraints: %s should be at %s %.6g%s%s and is "
         "%.6g%s%s at best, with",
         k->of, r->side < 0 ? "least" : "most", r->limit / k->factor, space, unit,
         p->m->g.value[r->constraint + 1] / k->factor, space, unit);
  for (int j = 0; j < w->n; j++) {
    const GradientParameter *q = &p->m->g.parameter[j];
    refuse_also(w->wrong, "%s %s = %.6g%s%s", j ? "," : "", q->path, q->value, *q->unit ? " " : "", q->unit);
  }
}

// The step that was found last and not taken. Where the search ended at a kink, it says nothing.
static void keep_next_step(const Search *w, bool near) {
  LimberOptimum o = w->p->o;
  o->next_objective = near ? fabs(dot(w->n, w->g, w->q.d) * w->p->scale) : NAN;
  for (int j = 0; j < w->n; j++) {
    double d = fabs(w->q.d[j]) > least_step ? fabs(w->q.d[j]) : 0; // at a bound
    o->next[j] = near ? d * w->p->m->scale[j] : NAN;
  }
}

static PetscErrorCode Run(Search *w) {
  OptimumProblem *p = w->p;
  double foretold;
  bool moved = true, near = false;
  PetscFunctionBegin;
  PetscCall(Linearise(w, !p->m->differences));
  for (; !is_refused(w->wrong) && moved && p->o->steps < MOST_STEPS;) {
    PetscCall(FindStep(w));
    foretold = foretold_fall(w);
    near = foretold <= close_fall * (1 + w->penalty * violation_of(w->m, w->c));
    if (near) break;
    PetscCall(Step(w, foretold, &moved));
    if (moved) PetscCall(Accept(w));
  }
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  if (!moved) { // the last evaluation was that of a trial
    PetscCall(Linearise(w, false));
    w->radius = 1e3 * least_radius;
    PetscCall(FindStep(w));
    near = foretold_fall(w) <= close_slope * w->radius;
  }
  keep_next_step(w, near && moved);
  if (worst_of(w->m, w->c) > close_row && (near || !moved)) refuse_infeasible(w);
  else if (moved && !near)
    refuse(w->wrong, "no optimum was found: the search took %d steps; give start values that are closer, or bounds",
           MOST_STEPS);
  else if (!near)
    optimum_remark(p->o,
                   "the search ended where no step improves %s, although its slope promises more: a largest or "
                   "smallest value that moves to another row of the run has a kink there",
                   p->o->objective.of);
  PetscFunctionReturn(0);
}

static void keep_multipliers(const Search *w, double *row, double *bound) {
  for (int i = 0; i < w->m; i++) row[i] = w->q.y[i];
  for (int j = 0; j < w->n; j++) {
    double low, high;
    tuned_bounds(w->p->m, j, &low, &high);
    bound[j] = w->x[j] <= low ? w->q.below[j] : w->x[j] >= high ? -w->q.above[j] : 0;
  }
}

PetscErrorCode OptimumSearch(OptimumProblem *p, double *x, double *row_multiplier, double *bound_multiplier,
                             Refusal *wrong) {
  int n = p->o->parameters, m = p->rows;
  Search w = {.p = p, .n = n, .m = m, .x = x, .radius = first_radius, .penalty = 1, .wrong = wrong};
  PetscFunctionBegin;
  PetscCall(PetscCalloc6(n, &w.trial, n, &w.low, n, &w.high, n, &w.last_x, n, &w.last_slope, n, &w.slope));
  PetscCall(PetscCalloc6(m, &w.c, n, &w.g, (size_t)m * n, &w.a, (size_t)n * n, &w.b, m, &w.trial_c, m, &w.moved_c));
  w.q = (QuadraticProblem){.n = n, .m = m, .b = w.b, .g = w.g, .a = w.a, .low = w.low, .high = w.high};
  PetscCall(PetscCalloc5(n, &w.q.d, m, &w.q.s, m, &w.q.y, n, &w.q.below, n, &w.q.above));
  for (int j = 0; j < n; j++) w.b[j * n + j] = 1;
  PetscCall(Run(&w));
  if (!is_refused(wrong)) keep_multipliers(&w, row_multiplier, bound_multiplier);
  PetscCall(PetscFree5(w.q.d, w.q.s, w.q.y, w.q.below, w.q.above));
  PetscCall(PetscFree6(w.c, w.g, w.a, w.b, w.trial_c, w.moved_c));
  PetscCall(PetscFree6(w.trial, w.low, w.high, w.last_x, w.last_slope, w.slope));
  PetscFunctionReturn(0);
}
