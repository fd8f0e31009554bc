// SPDX-License-Identifier: Apache-2.0
// Residuals, standard errors and what the data cannot tell, from the singular values of the Jacobian.
#include "fit/fit.h"

#include <math.h>
#include <petscblaslapack.h>

static const double least_ratio = 1e-9; // of singular values: smaller ones are round-off
static const double least_part = 1e-3;  // of a parameter in a combination that counts

double fit_residuals(const struct LimberFitData *f, const TunedModel *m, double *residual, double *jacobian) {
  int n = f->points, p = f->parameters;
  double error = 0;
  for (int e = 0; e < f->entries; e++)
    for (int i = f->entry[e].first; i < f->entry[e].first + f->entry[e].count; i++) {
      double noise = f->entry[e].noise;
      if (residual) residual[i] = (m->g.value[i] - f->measured[i]) / noise;
      for (int k = 0; k < p && jacobian; k++) {
        const LimberDerivative *d = &m->g.d[i * p + k];
        jacobian[k * n + i] = d->value * m->scale[k] / noise;
        error += pow(d->error * m->scale[k] / noise, 2);
      }
    }
  return sqrt(error);
}

// ---- singular values ----

PetscErrorCode Decompose(int rows, int cols, const double *a, Decomposition *d) {
  int least = PetscMin(rows, cols);
  PetscBLASInt m = rows, n = cols, one = 1, query = -1, size, info = 0;
  double *copy, *vt, *work, best = 0;
  PetscFunctionBegin;
  *d = (Decomposition){.rows = rows, .cols = cols};
  PetscCall(PetscCalloc2(cols, &d->value, (size_t)cols * cols, &d->v));
  if (!least) PetscFunctionReturn(0);
  PetscCall(PetscMalloc2((size_t)rows * cols, &copy, (size_t)cols * cols, &vt));
  PetscCall(PetscArraycpy(copy, a, (size_t)rows * cols));
  LAPACKgesvd_("N", "A", &m, &n, copy, &m, d->value, NULL, &one, vt, &n, &best, &query, &info);
  size = (PetscBLASInt)best;
  PetscCall(PetscMalloc1(size, &work));
  if (!info) LAPACKgesvd_("N", "A", &m, &n, copy, &m, d->value, NULL, &one, vt, &n, work, &size, &info);
  PetscCheck(!info, PETSC_COMM_SELF, PETSC_ERR_LIB, "singular values: info %d", (int)info);
  for (int k = 0; k < cols; k++)
    for (int j = 0; j < cols; j++) d->v[k * cols + j] = vt[k + (size_t)j * cols];
  PetscCall(PetscFree(work));
  PetscCall(PetscFree2(copy, vt));
  PetscFunctionReturn(0);
}

PetscErrorCode DecompositionDestroy(Decomposition *d) {
  PetscFunctionBegin;
  PetscCall(PetscFree2(d->value, d->v));
  PetscFunctionReturn(0);
}

int decomposition_rank(const Decomposition *d, double error) {
  int rank = 0;
  while (rank < d->cols && d->value[rank] > fmax(error, least_ratio * d->value[0])) rank++;
  return rank;
}

// ---- errors ----

// Covariance V S^-2 V^T of the free parameters, and the directions that are left.
static PetscErrorCode FindCovariance(LimberFit f, const TunedModel *m, int free, const int *which, double error,
                                     const Decomposition *d) {
  int p = f->parameters, rank = decomposition_rank(d, error);
  double *c;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1((size_t)free * free, &c));
  for (int k = 0; k < rank; k++)
    for (int a = 0; a < free; a++)
      for (int b = 0; b < free; b++)
        c[a * free + b] += d->v[k * free + a] * d->v[k * free + b] / (d->value[k] * d->value[k]);
  f->unknown = free - rank;
  PetscCall(PetscCalloc1((size_t)f->unknown * p, &f->direction));
  for (int k = rank; k < free; k++)
    for (int a = 0; a < free; a++) {
      double part = d->v[k * free + a];
      double value = fabs(f->parameter[which[a]].value), scale = m->scale[which[a]];
      f->direction[(k - rank) * p + which[a]] = part * (value > 0 ? scale / value : 1); // of relative changes
      if (fabs(part) > least_part) c[a * free + a] = NAN;
    }
  for (int a = 0; a < free; a++) f->error[which[a]] = sqrt(c[a * free + a]) * m->scale[which[a]];
  for (int a = 0; a < free; a++)
    for (int b = 0; b < free; b++)
      f->correlation[which[a] * p + which[b]] =
          a == b ? (isnan(c[a * free + a]) ? NAN : 1) : c[a * free + b] / sqrt(c[a * free + a] * c[b * free + b]);
  PetscCall(PetscFree(c));
  f->freedom = f->points - rank;
  PetscFunctionReturn(0);
}

// Whether the noise is known or can be estimated.
static bool has_noise(const struct LimberFitData *f) {
  for (int i = 0; i < f->entries; i++)
    if (f->entry[i].estimated && f->freedom <= 0) return false;
  return true;
}

// Marks parameters at bounds, and moves the columns of the others to the front; the number of these.
static PetscErrorCode PackColumns(LimberFit f, const TunedModel *m, double *jacobian, int *which, int *free) {
  double low, high;
  PetscFunctionBegin;
  *free = 0;
  for (int k = 0; k < f->parameters; k++) {
    double x = (f->parameter[k].value - m->tuned[k].start) / m->scale[k];
    tuned_bounds(m, k, &low, &high);
    f->bound[k] = x <= low || x >= high;
    if (f->bound[k]) continue;
    PetscCall(PetscArraymove(jacobian + (size_t)*free * f->points, jacobian + (size_t)k * f->points, f->points));
    which[(*free)++] = k;
  }
  PetscFunctionReturn(0);
}

PetscErrorCode FitFindErrors(LimberFit f, const TunedModel *m) {
  int n = f->points, p = f->parameters, free, *which;
  double *residual, *jacobian;
  Decomposition d;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(n, &residual, (size_t)n * p, &jacobian, p, &which));
  double error = fit_residuals(f, m, residual, jacobian);
  PetscCall(PackColumns(f, m, jacobian, which, &free));
  for (int k = 0; k < p; k++) f->error[k] = NAN;
  for (int k = 0; k < p * p; k++) f->correlation[k] = NAN;
  f->chi_square = 0;
  for (int i = 0; i < n; i++) f->chi_square += residual[i] * residual[i];
  PetscCall(Decompose(n, free, jacobian, &d));
  PetscCall(FindCovariance(f, m, free, which, error, &d));
  PetscCall(DecompositionDestroy(&d));
  for (int k = 0; k < p && !has_noise(f); k++) f->error[k] = NAN;
  if (!has_noise(f))
    fit_remark(f, "as many parameters as measured numbers: without `noise` there are no standard errors");
  PetscCall(PetscFree3(residual, jacobian, which));
  PetscFunctionReturn(0);
}

// -(J^T J)^-1 J^T (y - f), of the free parameters and of the directions that the data tell.
PetscErrorCode FitFindShift(LimberFit f, const TunedModel *m, const double *halved) {
  int n = f->points, p = f->parameters, free, *which;
  double *jacobian, *along;
  Decomposition d;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3((size_t)n * p, &jacobian, p, &which, p, &along));
  double error = fit_residuals(f, m, NULL, jacobian);
  PetscCall(PackColumns(f, m, jacobian, which, &free));
  for (int a = 0; a < free; a++) along[a] = f->shift[which[a]] = 0;
  for (int e = 0; e < f->entries; e++)
    for (int i = f->entry[e].first; i < f->entry[e].first + f->entry[e].count; i++)
      for (int a = 0; a < free; a++)
        along[a] += jacobian[(size_t)a * n + i] * (halved[i] - f->fitted[i]) / f->entry[e].noise;
  PetscCall(Decompose(n, free, jacobian, &d));
  for (int k = 0; k < decomposition_rank(&d, error); k++) {
    double part = 0;
    for (int a = 0; a < free; a++) part += d.v[k * free + a] * along[a] / (d.value[k] * d.value[k]);
    for (int a = 0; a < free; a++) f->shift[which[a]] -= d.v[k * free + a] * part * m->scale[which[a]];
  }
  PetscCall(DecompositionDestroy(&d));
  PetscCall(PetscFree3(jacobian, which, along));
  PetscFunctionReturn(0);
}
