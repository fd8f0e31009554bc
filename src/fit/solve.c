// SPDX-License-Identifier: Apache-2.0
// The minimum of |r(x)|^2 within bounds by the method of Levenberg and Marquardt. With the Jacobian J of the parameters that
// no bound holds and the norms D of its columns a step is
//   (J^T J + mu D^2) d = -J^T r,
// solved by the singular values of J D^-1, and cut off at the bounds. mu falls after steps that do what the linear model
// foretells, and grows after others. Every rank does the same with the same numbers; evaluations are collective.
#include "fit/fit.h"

#include <math.h>

static const double close_step = 1e-9; // relative change of all parameters that ends the search
static const double close_part = 1e-4; // of the standard errors: the same
static const double largest_mu = 1e12;
enum { MOST_STEPS = 200 }; // as a message says

typedef struct {
  LimberFit f;
  TunedModel *m;
  double *x, *trial;
  double *residual, *jacobian; // at x
  double sum;                  // |residual|^2
  int free, *which;            // parameters that no bound holds
  double *norm, *slope, *step; // of these: D, J^T r over D, d
  Decomposition d;             // of J D^-1
  Refusal *wrong;
} SolveWork;

static double sum_of_squares(int n, const double *r) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += r[i] * r[i];
  return sum;
}

// ---- the linear model at x ----

static PetscErrorCode Linearise(SolveWork *w) {
  int n = w->f->points, p = w->f->parameters;
  double *scaled;
  PetscFunctionBegin;
  PetscCall(TunedEvaluate(w->m, w->x, true, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  fit_residuals(w->f, w->m, w->residual, w->jacobian);
  w->sum = sum_of_squares(n, w->residual), w->free = 0;
  PetscCall(PetscMalloc1((size_t)n * p, &scaled));
  for (int k = 0; k < p; k++) {
    const double *column = w->jacobian + (size_t)k * n;
    double low, high, slope = 0, norm = sqrt(sum_of_squares(n, column));
    tuned_bounds(w->m, k, &low, &high);
    for (int i = 0; i < n; i++) slope += column[i] * w->residual[i];
    if ((w->x[k] <= low && slope >= 0) || (w->x[k] >= high && slope <= 0) || !(norm > 0)) continue;
    for (int i = 0; i < n; i++) scaled[(size_t)w->free * n + i] = column[i] / norm;
    w->norm[w->free] = norm, w->slope[w->free] = slope / norm, w->which[w->free++] = k;
  }
  PetscCall(DecompositionDestroy(&w->d));
  PetscCall(Decompose(n, w->free, scaled, &w->d));
  PetscCall(PetscFree(scaled));
  PetscFunctionReturn(0);
}

// The step of the free parameters with mu; returns by how much the linear model foretells that the sum falls without mu
// and bounds.
static double find_step(SolveWork *w, double mu) {
  double fall = 0;
  int n = w->free, rank = decomposition_rank(&w->d, 0);
  for (int j = 0; j < n; j++) w->step[j] = 0;
  for (int k = 0; k < rank; k++) {
    double s = w->d.value[k], along = 0;
    for (int j = 0; j < n; j++) along += w->d.v[k * n + j] * w->slope[j];
    fall += along * along / (s * s);
    for (int j = 0; j < n; j++) w->step[j] -= w->d.v[k * n + j] * along / (s * s + mu) / w->norm[j];
  }
  return fall;
}

// Whether the minimum is near: in relative changes of parameters, or compared with their standard errors.
static bool is_near(SolveWork *w, double times) {
  double largest = 0, fall = find_step(w, 0);
  double variance = w->sum / PetscMax(1, w->f->points - w->f->parameters);
  for (int j = 0; j < w->free; j++) {
    int k = w->which[j];
    double value = w->m->tuned[k].start / w->m->scale[k] + w->x[k];
    largest = fmax(largest, fabs(w->step[j]) / fmax(fabs(value), 1e-3));
  }
  return largest <= times * close_step || fall <= times * times * close_part * close_part * variance;
}

// ---- a step ----

static void place_trial(SolveWork *w) {
  double low, high;
  for (int k = 0; k < w->f->parameters; k++) w->trial[k] = w->x[k];
  for (int j = 0; j < w->free; j++) {
    int k = w->which[j];
    tuned_bounds(w->m, k, &low, &high);
    w->trial[k] = fmin(fmax(w->x[k] + w->step[j], low), high);
  }
}

// By how much the linear model foretells that the sum falls.
static double foretold_fall(const SolveWork *w) {
  int n = w->f->points;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double r = w->residual[i];
    for (int j = 0; j < w->free; j++) {
      int k = w->which[j];
      r += w->jacobian[(size_t)k * n + i] * (w->trial[k] - w->x[k]);
    }
    sum += r * r;
  }
  return w->sum - sum;
}

// A model that cannot be evaluated there is as bad as one that is far away.
static PetscErrorCode EvaluateTrial(SolveWork *w, double *fall) {
  Refusal why = {.text = ""};
  double *residual;
  PetscFunctionBegin;
  PetscCall(TunedEvaluate(w->m, w->trial, false, &why));
  PetscCall(PetscMalloc1(w->f->points, &residual));
  fit_residuals(w->f, w->m, residual, NULL);
  double sum = sum_of_squares(w->f->points, residual);
  *fall = is_refused(&why) || !isfinite(sum) ? -INFINITY : w->sum - sum;
  PetscCall(PetscFree(residual));
  PetscFunctionReturn(0);
}

// Tries steps with growing mu until one lowers the sum. `moved`: there is one.
static PetscErrorCode Step(SolveWork *w, double *mu, bool *moved) {
  double fall;
  PetscFunctionBegin;
  for (*moved = false; !*moved && *mu < largest_mu;) {
    find_step(w, *mu);
    place_trial(w);
    double foretold = foretold_fall(w);
    PetscCall(EvaluateTrial(w, &fall));
    double ratio = foretold > 0 ? fall / foretold : -1;
    *moved = fall > 0 && ratio > 1e-4;
    if (ratio > 0.75) *mu = *mu < 1e-9 ? 0 : *mu / 10;
    else if (ratio < 0.25) *mu = fmax(10 * *mu, 1e-6);
  }
  if (*moved) PetscCall(PetscArraycpy(w->x, w->trial, w->f->parameters));
  PetscFunctionReturn(0);
}

static PetscErrorCode Search(SolveWork *w) {
  double mu = 1e-3;
  bool near = false, moved = true;
  PetscFunctionBegin;
  PetscCall(Linearise(w));
  for (int step = 0; step < MOST_STEPS && !is_refused(w->wrong) && moved; step++) {
    near = is_near(w, 1);
    if (near) break;
    PetscCall(Step(w, &mu, &moved));
    if (moved) PetscCall(Linearise(w));
  }
  // Where round-off ends the search, the minimum may be a little farther.
  if (!is_refused(w->wrong) && !near && !is_near(w, 100))
    refuse(w->wrong, "no minimum was found: the search %s; give start values that are closer, or bounds",
           moved ? "took 200 steps" : "ended where no step lowers the sum of squares");
  PetscFunctionReturn(0);
}

PetscErrorCode FitSolve(LimberFit f, TunedModel *m, double *x, Refusal *wrong) {
  SolveWork w = {.f = f, .m = m, .x = x, .wrong = wrong};
  int n = f->points, p = f->parameters;
  PetscFunctionBegin;
  PetscCall(PetscCalloc3(p, &w.trial, n, &w.residual, (size_t)n * p, &w.jacobian));
  PetscCall(PetscCalloc4(p, &w.which, p, &w.norm, p, &w.slope, p, &w.step));
  PetscCall(Search(&w));
  PetscCall(DecompositionDestroy(&w.d));
  PetscCall(PetscFree3(w.trial, w.residual, w.jacobian));
  PetscCall(PetscFree4(w.which, w.norm, w.slope, w.step));
  PetscFunctionReturn(0);
}
