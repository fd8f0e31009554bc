// SPDX-License-Identifier: Apache-2.0
// Parameters of a model file from measured data: the minimum of chi^2 = sum ((y_i(p) - m_i)/sigma_i)^2 within bounds, by
// the method of Levenberg and Marquardt with the Jacobian of src/gradient. The noise sigma is given or estimated.
// Standard errors, correlations and what the data cannot tell follow from the singular values of the scaled Jacobian
// S_ij = dy_i/dp_j |p_j|/sigma_i.
#ifndef LIMBER_FIT_FIT_H
#define LIMBER_FIT_FIT_H

#include "fit/tuned.h"
#include "limber/fit.h"

typedef struct {          // an entry of `data`
  char of[240], unit[24]; // unit: of the quantity
  const char *file;       // NULL: one number
  int first, count;       // of its points
  bool estimated;         // the noise
  double noise;           // SI
  double rms;             // of its residuals
} FitEntry;

struct LimberFitData {
  int parameters, entries, points, freedom, unknown;
  GradientParameter *parameter; // with the estimates
  double *start, *error, *correlation;
  double *shift; // by how much half the step of the run would change each estimate; NAN: not known
  bool *bound;   // the estimate is at a bound
  double *direction;
  FitEntry *entry;
  double *time, *measured, *fitted;
  double chi_square;
  int runs, gradients; // evaluations of the model without and with derivatives
  bool differences;    // derivatives are differences
  char remarks[4096];
};

// `wrong`: "", or why there is none; then *out is NULL. fit.c
PetscErrorCode FitFind(const Input *in, SourceReader read, LimberFit *out, Refusal *wrong);
PetscErrorCode FitDestroy(LimberFit *fit);
void fit_remark(LimberFit f, const char *format, ...) PRINTF_LIKE(2, 3);

// ---- inside ----

// Reads the measured histories and numbers. data.c
PetscErrorCode FitReadData(const Input *in, SourceReader read, LimberFit f, GradientQuantity **quantity,
                           Refusal *wrong);

// Whether units of the data suit their quantities.
PetscErrorCode FitCheckUnits(const Input *in, const struct LimberFitData *f, Refusal *wrong);

// Statistics of the scaled Jacobian, n rows by columns of p. statistics.c
typedef struct {
  int rows, cols;
  double *value; // singular values, the largest first: cols, those beyond the rows 0
  double *v;     // right vectors: v[k*cols + j] is component j of the k-th
} Decomposition;
PetscErrorCode Decompose(int rows, int cols, const double *a, Decomposition *out);
PetscErrorCode DecompositionDestroy(Decomposition *d);
// How many singular values are above the error of the matrix, as a norm.
int decomposition_rank(const Decomposition *d, double error);
PetscErrorCode FitFindErrors(LimberFit f, const TunedModel *m);
// Of values that runs with half the step have: a step of Gauss and Newton towards their minimum.
PetscErrorCode FitFindShift(LimberFit f, const TunedModel *m, const double *halved);

// Residuals over their noise at the last evaluation and, by columns, their derivatives with respect to x; either may be
// NULL. The return value is the norm of the error of the derivatives. statistics.c
double fit_residuals(const struct LimberFitData *f, const TunedModel *m, double *residual, double *jacobian);

// The minimum within bounds from `x` on. solve.c
PetscErrorCode FitSolve(LimberFit f, TunedModel *m, double *x, Refusal *wrong);

#endif
