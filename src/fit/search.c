// SPDX-License-Identifier: Apache-2.0
// Sequential quadratic programming. The merit of x is f + penalty sum max(0, -c_i). A step is the minimum of a model of it
// (quadratic.c), with the slopes of f and c at x and a matrix B of second derivatives of the Lagrangian, by the formula of
// Broyden, Fletcher, Goldfarb and Shanno, within a trust region |d_j| <= radius. The radius grows after steps that do what
// the model foretells, and shrinks after others. The penalty grows where a larger one makes more of the violation vanish.
// Every rank does the same with the same numbers; evaluations are collective.
#include "fit/search.h"

#include "base/mix.h"

#include <math.h>
#include <petscblaslapack.h>

static const double close_fall = 1e-10; // of the merit that a step foretells: ends the search ...
static const double flat_slope = 1e-4;  // ... where slopes over the size of f are smaller, or shrink with that step
static const double least_radius = 1e-8, first_radius = 0.2, least_step = 1e-14;
static const double largest_penalty = 1e6;
static const double farthest = 1e6;                           // from the start, over scales of parameters
static const double probe_length[4] = {0.1, 0.01, 0.1, 0.01}; // over scales of parameters
static const double better = 1e-7;     // of the size of f: a point that is better than the optimum
static const double most_growth = 100; // of B, where the step has negative curvature
enum { PROBES = 4, MOST_TESTS = 30 };  // MOST_TESTS: of slopes at the end

// What an evaluation found.
typedef struct {
  double *parameter, *value;
  LimberDerivative *d;
} Kept;

static double violation_of(int m, const double *c) {
  double sum = 0;
  for (int i = 0; i < m; i++) sum += fmax(0, -c[i]);
  return sum;
}

double worst_violation(int m, const double *c) {
  double most = 0;
  for (int i = 0; i < m; i++) most = fmax(most, -c[i]);
  return most;
}

static double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

double search_merit(const Search *w, double f, const double *c) { return f + w->penalty * violation_of(w->m, c); }

double search_size(const Search *w) { return fmax(fabs(w->f), fabs(w->f - w->first)); }

// ---- slopes ----

// The slope of the Lagrangian with the multipliers of the last step.
static void find_slope(const Search *w, double *out) {
  for (int j = 0; j < w->n; j++) {
    out[j] = w->g[j];
    for (int i = 0; i < w->m; i++) out[j] -= w->a[(size_t)i * w->n + j] * w->q.y[i];
  }
}

static double error_of_slope(const Search *w, int j) {
  double error = optimum_slope_error(w->p, -1, j);
  for (int i = 0; i < w->m; i++) error += w->q.y[i] * optimum_slope_error(w->p, i, j);
  return error;
}

bool slopes_are_good(const Search *w) {
  double most = 0, error = 0;
  for (int j = 0; j < w->n; j++) {
    most = fmax(most, fabs(w->g[j])), error = fmax(error, error_of_slope(w, j));
    for (int i = 0; i < w->m; i++) most = fmax(most, w->q.y[i] * fabs(w->a[(size_t)i * w->n + j]));
  }
  return error <= close_slope * fmax(search_size(w), most);
}

// The largest slope of the Lagrangian along which a parameter can move, less its error.
static double slope_left(const Search *w) {
  double most = 0;
  for (int j = 0; j < w->n; j++) {
    double low, high, slope = w->g[j];
    tuned_bounds(w->p->m, j, &low, &high);
    for (int i = 0; i < w->m; i++) slope -= w->a[(size_t)i * w->n + j] * w->q.y[i];
    if ((w->x[j] <= low && slope > 0) || (w->x[j] >= high && slope < 0)) continue;
    most = fmax(most, fabs(slope) - error_of_slope(w, j));
  }
  return most;
}

// ---- B ----

static void forget_curvature(Search *w) {
  for (int j = 0; j < w->n; j++)
    for (int k = 0; k < w->n; k++) w->b[j * w->n + k] = j == k;
  w->curved = false;
}

// From the step x - last_x and the change of slopes along it; damped (Powell), so that B remains positive. Where
// curvature is negative, or this would add far more than it takes away, B becomes smaller along the step, and no more.
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
  bool concave = sy <= 0;
  double sbs = dot(n, s, bs), part = sy >= 0.2 * sbs ? 1 : 0.8 * sbs / (sbs - sy);
  for (int j = 0; j < n; j++) y[j] = part * y[j] + (1 - part) * bs[j];
  sy = dot(n, s, y);
  if (concave || (part < 1 && dot(n, y, y) / sy > most_growth * dot(n, bs, bs) / sbs))
    for (int j = 0; j < n; j++) y[j] = 0.2 * bs[j], sy = 0.2 * sbs;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) w->b[j * n + k] += y[j] * y[k] / sy - bs[j] * bs[k] / sbs;
}

// ---- a step ----

static PetscErrorCode Solve(Search *w, const double *c, double penalty, double *violation) {
  PetscFunctionBegin;
  w->q.c = c, w->q.penalty = penalty;
  PetscCall(QuadraticSolve(&w->q));
  if (w->q.indefinite) { // by round-off
    forget_curvature(w);
    PetscCall(QuadraticSolve(&w->q));
  }
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
    if (isfinite(low) && x - low <= 1e-10 * fmax(1, fabs(low))) x = low;
    if (isfinite(high) && high - x <= 1e-10 * fmax(1, fabs(high))) x = high;
    w->trial[j] = x;
  }
}

// A model that cannot be evaluated there is as bad as one that is far away.
static PetscErrorCode EvaluateTrial(Search *w, double *fall) {
  Refusal why = {.text = ""};
  double f, merit = search_merit(w, w->f, w->c);
  PetscFunctionBegin;
  PetscCall(TunedEvaluate(w->p->m, w->trial, false, &why));
  optimum_values(w->p, &f, w->trial_c, NULL, NULL);
  double found = search_merit(w, f, w->trial_c);
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

PetscErrorCode SearchLinearise(Search *w, bool known) {
  PetscFunctionBegin;
  if (!known) PetscCall(TunedEvaluate(w->p->m, w->x, true, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  optimum_values(w->p, &w->f, w->c, w->g, w->a);
  if (w->p->progress) w->p->progress(w->p->o->steps, w->f * w->p->scale, worst_violation(w->m, w->c));
  PetscFunctionReturn(0);
}

static PetscErrorCode Accept(Search *w) {
  PetscFunctionBegin;
  find_slope(w, w->last_slope);
  PetscCall(PetscArraycpy(w->last_x, w->x, w->n));
  PetscCall(PetscArraycpy(w->x, w->trial, w->n));
  w->p->o->steps++;
  PetscCall(SearchLinearise(w, false));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  find_slope(w, w->slope);
  update_curvature(w);
  for (int j = 0; j < w->n && !is_refused(w->wrong); j++)
    if (fabs(w->x[j]) > farthest)
      refuse(w->wrong, "%s improves on and on: %s is %.3g %s now; give bounds, or a constraint", w->p->o->objective.of,
             w->p->m->g.parameter[j].path, w->p->m->g.parameter[j].value, w->p->m->g.parameter[j].unit);
  PetscFunctionReturn(0);
}

static void refuse_values(const Search *w) {
  for (int j = 0; j < w->n; j++) {
    const GradientParameter *q = &w->p->m->g.parameter[j];
    refuse_also(w->wrong, "%s %s = %.6g%s%s", j ? "," : "", q->path, q->value, *q->unit ? " " : "", q->unit);
  }
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
  refuse_values(w);
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

// ---- the end ----

static PetscErrorCode Keep(const struct LimberGradientData *g, Kept *k) {
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(g->parameters, &k->parameter, g->quantities, &k->value, g->quantities * g->parameters, &k->d));
  for (int j = 0; j < g->parameters; j++) k->parameter[j] = g->parameter[j].value;
  PetscCall(PetscArraycpy(k->value, g->value, g->quantities));
  PetscCall(PetscArraycpy(k->d, g->d, g->quantities * g->parameters));
  PetscFunctionReturn(0);
}

static PetscErrorCode PutBack(struct LimberGradientData *g, Kept *k) {
  PetscFunctionBegin;
  for (int j = 0; j < g->parameters; j++) g->parameter[j].value = k->parameter[j];
  PetscCall(PetscArraycpy(g->value, k->value, g->quantities));
  PetscCall(PetscArraycpy(g->d, k->d, g->quantities * g->parameters));
  PetscCall(PetscFree3(k->parameter, k->value, k->d));
  PetscFunctionReturn(0);
}

// Little to gain by a step of the model, but steep slopes: they must shrink at its end, or else B is wrong, learns from
// them, and the search continues. x remains, unless its end is better.
static PetscErrorCode TestSlopes(Search *w, bool *near) {
  struct LimberGradientData *g = &w->p->m->g;
  double before = slope_left(w), merit = search_merit(w, w->f, w->c), *at = w->kept;
  Kept kept;
  PetscFunctionBegin;
  PetscCall(Keep(g, &kept));
  find_slope(w, w->last_slope);
  place_trial(w);
  PetscCall(PetscArraycpy(w->last_x, w->x, w->n));
  PetscCall(PetscArraycpy(at, w->x, w->n));
  PetscCall(PetscArraycpy(w->x, w->trial, w->n));
  PetscCall(SearchLinearise(w, false));
  if (is_refused(w->wrong)) w->wrong->text[0] = 0, *near = false;
  else {
    *near = slopes_are_good(w) && slope_left(w) <= 0.5 * before;
    find_slope(w, w->slope);
    if (!*near) update_curvature(w);
    if (!*near && search_merit(w, w->f, w->c) < merit) {
      w->p->o->steps++;
      PetscCall(PetscFree3(kept.parameter, kept.value, kept.d));
      PetscFunctionReturn(0);
    }
  }
  PetscCall(PetscArraycpy(w->x, at, w->n));
  PetscCall(PutBack(g, &kept));
  PetscCall(SearchLinearise(w, true));
  PetscFunctionReturn(0);
}

// Steps until slopes vanish (`near`), or none improves the merit.
static PetscErrorCode Descend(Search *w, bool *near) {
  bool moved = true, vanish = false;
  int tests = 0;
  PetscFunctionBegin;
  for (*near = false; !is_refused(w->wrong) && moved && w->p->o->steps < MOST_STEPS;) {
    PetscCall(FindStep(w));
    double foretold = foretold_fall(w);
    *near = foretold <= close_fall * (search_size(w) + w->penalty * violation_of(w->m, w->c));
    vanish = *near && (slope_left(w) <= flat_slope * search_size(w) || worst_violation(w->m, w->c) > close_row);
    if (*near && !slopes_are_good(w)) vanish = false, tests = MOST_TESTS;
    if (*near && !vanish && tests++ < MOST_TESTS) PetscCall(TestSlopes(w, &vanish));
    else if (*near && !vanish) break;
    if (vanish) break;
    if (*near) continue;
    PetscCall(Step(w, foretold, &moved));
    if (moved) PetscCall(Accept(w));
  }
  *near = vanish;
  keep_next_step(w, vanish);
  if (is_refused(w->wrong) || moved) PetscFunctionReturn(0);
  PetscCall(SearchLinearise(w, false)); // the last evaluation was that of a trial
  w->radius = 1e3 * least_radius;
  PetscCall(FindStep(w));
  *near = slopes_are_good(w) && slope_left(w) <= close_slope * search_size(w);
  PetscFunctionReturn(0);
}

// Takes away what leads along slopes of rows that hold x, and beyond bounds.
static PetscErrorCode Project(const Search *w, double *d) {
  int n = w->n, held = 0;
  double *basis;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1((size_t)n * (w->m + 1), &basis));
  for (int j = 0; j < n; j++) {
    double low, high;
    tuned_bounds(w->p->m, j, &low, &high);
    if (w->x[j] <= low) d[j] = w->slope[j] > 0 ? 0 : fabs(d[j]);
    if (w->x[j] >= high) d[j] = w->slope[j] < 0 ? 0 : -fabs(d[j]);
  }
  for (int i = 0; i < w->m && held < n; i++) {
    double *e = basis + (size_t)held * n, size = 0;
    if (w->c[i] > close_row) continue;
    for (int j = 0; j < n; j++) e[j] = d[j] != 0 ? w->a[(size_t)i * n + j] : 0;
    double all = sqrt(dot(n, e, e));
    for (int k = 0; k < held; k++) {
      double part = dot(n, e, basis + (size_t)k * n);
      for (int j = 0; j < n; j++) e[j] -= part * basis[(size_t)k * n + j];
    }
    size = sqrt(dot(n, e, e));
    if (!(size > 1e-6 * all)) continue;
    for (int j = 0; j < n; j++) e[j] /= size;
    double along = dot(n, d, e);
    for (int j = 0; j < n; j++) d[j] -= along * e[j];
    held++;
  }
  PetscCall(PetscFree(basis));
  PetscFunctionReturn(0);
}

// A random direction, longer where B is smaller: there a saddle or a better place is likely.
static PetscErrorCode PlaceProbe(Search *w, int index, bool *any) {
  int n = w->n;
  PetscBLASInt size = n, one = 1, info;
  double *d = w->q.d, *u, before = 0, after = 0;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1((size_t)n * n, &u));
  PetscCall(PetscArraycpy(u, w->b, (size_t)n * n));
  for (int j = 0; j < n; j++) d[j] = 2 * random_unit(random_mix((uint64_t)(index * n + j + 1))) - 1;
  LAPACKpotrf_("U", &size, u, &size, &info);
  if (!info) LAPACKtrtrs_("U", "N", "N", &size, &one, u, &size, d, &size, &info);
  for (int j = 0; j < n; j++) before = fmax(before, fabs(d[j]));
  PetscCall(Project(w, d));
  for (int j = 0; j < n; j++) after = fmax(after, fabs(d[j]));
  *any = after > 1e-6 * before;
  for (int j = 0; j < n && *any; j++) {
    double low, high;
    tuned_bounds(w->p->m, j, &low, &high);
    d[j] *= probe_length[index] / after;
    w->trial[j] = fmin(fmax(w->x[j] + d[j], low), high);
  }
  PetscCall(PetscFree(u));
  PetscFunctionReturn(0);
}

// An optimum is better than points around it. At a saddle or a largest value slopes vanish, too: the search continues from
// a point that is better.
static PetscErrorCode LookAround(Search *w, bool *again) {
  struct LimberGradientData *g = &w->p->m->g;
  Kept kept;
  PetscFunctionBegin;
  *again = false;
  PetscCall(Keep(g, &kept));
  for (int i = 0; i < PROBES && !*again; i++) {
    double fall = 0;
    bool any = false;
    PetscCall(PlaceProbe(w, i, &any));
    if (any) PetscCall(EvaluateTrial(w, &fall));
    *again = fall > better * search_size(w);
  }
  PetscCall(PutBack(g, &kept));
  if (!*again) PetscFunctionReturn(0);
  PetscCall(Accept(w));
  forget_curvature(w);
  w->radius = first_radius;
  PetscFunctionReturn(0);
}

static PetscErrorCode Run(Search *w) {
  OptimumProblem *p = w->p;
  bool near = true, again = true, kink = false;
  PetscFunctionBegin;
  PetscCall(SearchLinearise(w, !p->m->differences));
  w->first = w->f;
  while (again && !is_refused(w->wrong)) {
    PetscCall(Descend(w, &near));
    kink = !near && p->o->steps < MOST_STEPS;
    find_slope(w, w->slope);
    if (kink && !is_refused(w->wrong)) PetscCall(KinkSearch(w, &near));
    again = false;
    if (is_refused(w->wrong)) break;
    if (worst_violation(w->m, w->c) > close_row && (near || kink)) refuse_infeasible(w);
    else if (near) PetscCall(LookAround(w, &again));
  }
  if (is_refused(w->wrong) || near) {
    if (kink && near)
      optimum_remark(
          p->o,
          "the optimum is at a kink of %s or a constraint, and slopes on its sides promise no more: a largest "
          "or smallest value that moves to another row of the run has a kink there",
          p->o->objective.of);
    PetscFunctionReturn(0);
  }
  if (!kink)
    refuse(w->wrong, "no optimum was found: the search took %d steps; give start values that are closer, or bounds",
           MOST_STEPS);
  else
    refuse(
        w->wrong,
        "no optimum was found: the search ended where no step improves %s, although its slopes promise more: there is "
        "a kink, or derivatives are not accurate enough",
        p->o->objective.of);
  const char *unit = limit_unit(&p->o->objective);
  refuse_also(w->wrong, "; the best is %.8g%s%s, with", w->f * p->scale, *unit ? " " : "", unit);
  refuse_values(w);
  PetscFunctionReturn(0);
}

static void keep_multipliers(const Search *w, double *row, double *bound) {
  for (int i = 0; i < w->m; i++) row[i] = w->q.y[i];
  for (int j = 0; j < w->n; j++) {
    double low, high;
    tuned_bounds(w->p->m, j, &low, &high);
    bound[j] = w->x[j] <= low ? fmax(0, w->slope[j]) : w->x[j] >= high ? fmin(0, w->slope[j]) : 0;
  }
}

PetscErrorCode OptimumSearch(OptimumProblem *p, double *x, double *row_multiplier, double *bound_multiplier,
                             Refusal *wrong) {
  int n = p->o->parameters, m = p->rows;
  Search w = {.p = p, .n = n, .m = m, .x = x, .radius = first_radius, .penalty = 1, .wrong = wrong};
  PetscFunctionBegin;
  PetscCall(PetscCalloc7(n, &w.trial, n, &w.low, n, &w.high, n, &w.last_x, n, &w.last_slope, n, &w.slope, n, &w.kept));
  PetscCall(PetscCalloc6(m, &w.c, n, &w.g, (size_t)m * n, &w.a, (size_t)n * n, &w.b, m, &w.trial_c, m, &w.moved_c));
  w.q = (QuadraticProblem){.n = n, .m = m, .b = w.b, .g = w.g, .a = w.a, .low = w.low, .high = w.high};
  PetscCall(PetscCalloc5(n, &w.q.d, m, &w.q.s, m, &w.q.y, n, &w.q.below, n, &w.q.above));
  forget_curvature(&w);
  PetscCall(Run(&w));
  if (!is_refused(wrong)) keep_multipliers(&w, row_multiplier, bound_multiplier);
  PetscCall(PetscFree5(w.q.d, w.q.s, w.q.y, w.q.below, w.q.above));
  PetscCall(PetscFree6(w.c, w.g, w.a, w.b, w.trial_c, w.moved_c));
  PetscCall(PetscFree7(w.trial, w.low, w.high, w.last_x, w.last_slope, w.slope, w.kept));
  PetscFunctionReturn(0);
}
