// SPDX-License-Identifier: Apache-2.0
// The best values of parameters of a model file: the minimum of f(p) where c_i(p) >= 0, within bounds, by sequential
// quadratic programming with the derivatives of src/gradient (docs/optimize.md).
#ifndef LIMBER_FIT_OPTIMIZE_H
#define LIMBER_FIT_OPTIMIZE_H

#include "fit/tuned.h"
#include "limber/optimize.h"

#include <string.h>

typedef struct { // an entry of `constraints`
  char of[240], unit[24];
  double start, value; // SI: at the start, at the optimum
  double from, to;     // SI; without limits -INFINITY and INFINITY
  const char *as;      // the unit in which limits are written, and ...
  double factor;       // ... what 1 of it is in SI
  int held;            // -1: `from` holds the optimum, 1: `to`, 0: neither
  double multiplier;   // by how much the objective changes with that limit, SI
} OptimumConstraint;

struct LimberOptimumData {
  int parameters, constraints;
  GradientParameter *parameter; // with the optimum
  double *start, *multiplier;   // multiplier: as of a constraint, of the bound
  double *next, next_objective; // by how much a further step would change them; NAN: the search ended otherwise
  int *held;
  OptimumConstraint *constraint;
  OptimumConstraint objective;
  bool maximize;
  int runs, gradients, steps; // evaluations of the model without and with derivatives; steps of the search
  bool differences;           // derivatives are differences
  char remarks[4096];
};

// The unit in which limits are written.
static inline const char *limit_unit(const OptimumConstraint *k) {
  return *k->as ? k->as : strcmp(k->unit, "1") ? k->unit : "";
}

typedef void (*OptimumProgress)(int step, double objective, double violation);

// `wrong`: "", or why there is none; then *out is NULL. `progress` may be NULL. optimize.c
PetscErrorCode OptimumFind(const Input *in, SourceReader read, OptimumProgress progress, LimberOptimum *out,
                           Refusal *wrong);
PetscErrorCode OptimumDestroy(LimberOptimum *optimum);
void optimum_remark(LimberOptimum o, const char *format, ...) PRINTF_LIKE(2, 3);

// ---- inside ----

// Rows c_i(x) >= 0 of limits, each divided by its scale.
typedef struct {
  int constraint; // index
  int side;       // -1: value >= from, 1: value <= to
  double limit, scale;
} OptimumRow;

typedef struct {
  LimberOptimum o;
  TunedModel *m;
  int rows;
  OptimumRow *row;
  double scale; // of the objective, negative where it is maximized
  OptimumProgress progress;
} OptimumProblem;

// At the last evaluation: the objective over its scale, and the rows; derivatives with respect to x may be NULL.
void optimum_values(const OptimumProblem *p, double *f, double *c, double *df, double *dc);
// The error of the derivative of the objective, or with `row` >= 0 of a row, with respect to x_j.
double optimum_slope_error(const OptimumProblem *p, int row, int j);

// The minimum from `x` on, with the multipliers of rows and bounds (those of `from` positive, of `to` negative).
// search.c
PetscErrorCode OptimumSearch(OptimumProblem *p, double *x, double *row_multiplier, double *bound_multiplier,
                             Refusal *wrong);

// The step d of a search: least g d + d B d/2 + penalty sum s, where a d + s + c >= 0, s >= 0 and low <= d <= high.
// low < high. quadratic.c
typedef struct {
  int n, m;
  const double *b, *g, *a, *c; // b: n x n, symmetric and positive definite; a: m x n; by rows
  double penalty;
  const double *low, *high;
  double *d, *s;             // results
  double *y, *below, *above; // multipliers of rows and of both bounds
  bool indefinite;           // b is not positive definite: there is no result
} QuadraticProblem;
PetscErrorCode QuadraticSolve(QuadraticProblem *q);

#endif
