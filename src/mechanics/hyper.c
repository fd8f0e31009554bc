// SPDX-License-Identifier: Apache-2.0
// With t = C - 1 as t_11, t_22, t_33, t_23, t_13, t_12, x = d - 1, adj C = 1 + N, y = q x and m(x) = x - ln(1 + x)
//   W = a m(x) - c m(y) - mu/2 (x - tr t),   S = -mu N + F (1 + N),   F = 2 a m'(x) - 2 c q m'(y),
// and over a stage the same with the mean of N and divided differences in place of m'. Of a sheet t_33 = t_23 = t_13 = 0.
// Equations: eq-solid-gradient (10.6), eq-solid-stiffness (10.7), eq-solid-ciarlet (10.8),
// eq-solid-plane-stress (10.9).
#include "mechanics/hyper.h"

#include <math.h>
#include <stddef.h>

static const int all_rows[] = {0, 1, 2, 3, 4, 5}, flat_rows[] = {0, 1, 5};
static const int *rows_of(const Hyper *p) { return p->rows == HYPER_ROWS ? all_rows : flat_rows; }

Hyper hyper_solid(int rows, double lambda, double mu, bool plane_stress) {
  double a = 0.5 * mu + 0.25 * lambda;
  return (Hyper){rows, mu, a, plane_stress ? a : 0, plane_stress ? lambda / (2 * mu + lambda) : 0};
}

// C - 1, its adjugate without 1, and its determinant without 1.
typedef struct {
  double t[6], n[6], x;
} CauchyGreen;

static CauchyGreen cauchy_green_invariants(const double t[6]) {
  CauchyGreen p;
  for (int i = 0; i < 6; i++) p.t[i] = t[i];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    p.n[i] = t[j] + t[k] + t[j] * t[k] - t[3 + i] * t[3 + i];
    p.n[3 + i] = t[3 + j] * t[3 + k] - t[3 + i] - t[i] * t[3 + i];
  }
  double second = t[0] * t[1] + t[1] * t[2] + t[2] * t[0] - t[3] * t[3] - t[4] * t[4] - t[5] * t[5];
  double third = t[0] * (t[1] * t[2] - t[3] * t[3]) - t[1] * t[4] * t[4] - t[2] * t[5] * t[5] + 2 * t[3] * t[4] * t[5];
  p.x = t[0] + t[1] + t[2] + (second + third);
  return p;
}

static CauchyGreen cauchy_green_at(const Hyper *p, const double *e) {
  double t[6] = {0};
  for (int r = 0; r < p->rows; r++) t[rows_of(p)[r]] = (rows_of(p)[r] < 3 ? 2 : 1) * e[r];
  return cauchy_green_invariants(t);
}

// d N_r / d e_s: linear in C.
static void adjugate_rate(const double c[6], double out[6][6]) {
  for (int i = 0; i < 36; i++) out[i / 6][i % 6] = 0;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i][j] = out[j][i] = 2 * c[k];
    out[i][3 + i] = out[3 + i][i] = -2 * c[3 + i];
    out[3 + i][3 + i] = -c[i];
    out[3 + j][3 + k] = out[3 + k][3 + j] = c[3 + i];
  }
}

// ---- m(x) = x - ln(1 + x) ----

// (atanh(u)/u - 1)/u^2 and its derivative by u over u: sum u^2i/(2i + 3), sum 2i u^(2i-2)/(2i + 3)
static void atanh_series(double u, double *f, double *rate) {
  double power = 1, before = 0;
  *f = *rate = 0;
  for (int i = 0; i < 12; i++, before = power, power *= u * u)
    *f += power / (2 * i + 3), *rate += 2 * i * before / (2 * i + 3);
}

// atanh(u)/u - 1 and its derivative
static double atanh_excess(double u, double *rate) {
  double f, slope;
  if (fabs(u) < 0.15) {
    atanh_series(u, &f, &slope);
    *rate = u * (2 * f + u * u * slope);
    return u * u * f;
  }
  f = atanh(u) / u;
  *rate = (1 / (1 - u * u) - f) / u;
  return f - 1;
}

// Divided difference 1 - ln((1 + x1)/(1 + x0))/(x1 - x0) and its derivative by x1. With u = (x1 - x0)/(2 + x0 + x1) the
// logarithm is 2 atanh(u).
static double log_secant(double x0, double x1, double *rate) {
  double s = 2 + x0 + x1, u = (x1 - x0) / s, slope, f = atanh_excess(u, &slope);
  *rate = 2 * (1 + f - slope * (1 - u)) / (s * s);
  return (x0 + x1 - 2 * f) / s;
}

static double log_energy(double x) {
  double unused;
  return x * log_secant(0, x, &unused);
}

// ---- at one place ----

double hyper_energy(const Hyper *p, const double *e) {
  CauchyGreen at = cauchy_green_at(p, e);
  double trace = at.t[0] + at.t[1] + at.t[2];
  return p->a * log_energy(at.x) - p->c * log_energy(p->q * at.x) - 0.5 * p->mu * (at.x - trace);
}

// F and dF/dx between two places
static double factor_of(const Hyper *p, double x0, double x1, double *rate) {
  double slope[2], f = 2 * p->a * log_secant(x0, x1, &slope[0]);
  f -= 2 * p->c * p->q * log_secant(p->q * x0, p->q * x1, &slope[1]);
  *rate = 2 * p->a * slope[0] - 2 * p->c * p->q * p->q * slope[1];
  return f;
}

static void stress_of(const Hyper *p, double f, const double n[6], double *out) {
  for (int r = 0; r < p->rows; r++) {
    int i = rows_of(p)[r];
    out[r] = -p->mu * n[i] + f * ((i < 3) + n[i]);
  }
}

// out = first N'(c) + second u x v,  u and v adjugates without 1
static void matrix_of(const Hyper *p, double first, const double c[6], double second, const double u[6],
                      const double v[6], double *out) {
  double rate[6][6];
  adjugate_rate(c, rate);
  for (int r = 0; r < p->rows; r++)
    for (int s = 0; s < p->rows; s++) {
      int i = rows_of(p)[r], j = rows_of(p)[s];
      out[r * p->rows + s] = first * rate[i][j] + second * ((i < 3) + u[i]) * ((j < 3) + v[j]);
    }
}

void hyper_stress(const Hyper *p, const double *e, double *stress, double *rate) {
  CauchyGreen at = cauchy_green_at(p, e);
  double slope, f = factor_of(p, at.x, at.x, &slope), c[6];
  for (int i = 0; i < 6; i++) c[i] = (i < 3) + at.t[i];
  stress_of(p, f, at.n, stress);
  if (rate) matrix_of(p, f - p->mu, c, 4 * slope, at.n, at.n, rate); // dx/de = 2 (1 + N); the slope of a secant is half
}

// ---- over a stage ----

static void secant_stress(const Hyper *p, const double *e0, const double *e1, double *stress, double *rate) {
  CauchyGreen start = cauchy_green_at(p, e0), end = cauchy_green_at(p, e1);
  double t[6], c[6], slope, f = factor_of(p, start.x, end.x, &slope);
  for (int i = 0; i < 6; i++) t[i] = 0.5 * (start.t[i] + end.t[i]);
  CauchyGreen mean = cauchy_green_invariants(t);
  for (int i = 0; i < 6; i++) {
    mean.n[i] = (start.n[i] + 4 * mean.n[i] + end.n[i]) / 6;
    c[i] = 0.5 * (i < 3) + (start.t[i] + 2 * end.t[i]) / 6;
  }
  stress_of(p, f, mean.n, stress);
  matrix_of(p, f - p->mu, c, 2 * slope, mean.n, end.n, rate);
}

// K: with I = (adj C x adj C/d - N'/2)/d.
static void convex_stiffness(const Hyper *p, const double *e, double *out) {
  CauchyGreen at = cauchy_green_at(p, e);
  double slope, f = factor_of(p, at.x, at.x, &slope), c[6], d = 1 + at.x;
  double turn = fmax(2 * (p->mu - f) * d, 0), press = fmax(4 * slope * d * d + 2 * (f - p->mu) * d, 0);
  for (int i = 0; i < 6; i++) c[i] = (i < 3) + at.t[i];
  matrix_of(p, -0.5 * turn / d, c, (press + turn) / (d * d), at.n, at.n, out);
}

static double bilinear_form(int n, const double *m, const double *u, const double *v) {
  double sum = 0;
  for (int r = 0; r < n; r++)
    for (int s = 0; s < n; s++) sum += u[r] * m[r * n + s] * v[s];
  return sum;
}

// Adds factor m v to `stress` of n rows.
static void add_product(int n, double factor, const double *m, const double *v, double *stress) {
  for (int r = 0; r < n && factor != 0; r++)
    for (int s = 0; s < n; s++) stress[r] += factor * m[r * n + s] * v[s];
}

// The increments of this step less those of the last: what they add to stress, tangent and loss.
static void add_recall(int n, const Recall *m, const double *past, const double *d, HyperState *out) {
  double change[HYPER_ROWS] = {0}, before[HYPER_ROWS] = {0};
  for (int r = 0; r < n; r++) before[r] = past ? past[r] : 0, change[r] = d[r] - m->keep * before[r];
  add_product(n, m->delta, out->k, change, out->stress[0]);
  out->factor[0][0] += m->delta;
  out->lost +=
      0.5 * m->delta *
      (bilinear_form(n, out->k, change, change) + (1 - m->keep * m->keep) * bilinear_form(n, out->k, before, before));
}

double hyper_remember(const Hyper *p, const Recall *m, const double *en, const double *e1, double *next, double *lost) {
  int n = p->rows;
  double k[HYPER_ROWS * HYPER_ROWS], was, now;
  for (int r = 0; r < n; r++) next[r] = e1[r] - en[r];
  if (!(m->delta > 0)) return 0;
  convex_stiffness(p, en, k), was = bilinear_form(n, k, next, next);
  convex_stiffness(p, e1, k), now = bilinear_form(n, k, next, next);
  for (int r = 0; r < n && now > was; r++) next[r] *= sqrt(was / now);
  *lost += 0.5 * m->delta * (was - fmin(was, now));
  return 0.5 * m->delta * fmin(was, now);
}

void hyper_evaluate(const Hyper *p, const double *stiffness, double damping, const Tableau *t, double h,
                    const Recall *m, const double *past, const double *en, double ek[][HYPER_ROWS], HyperState *out) {
  int n = p->rows;
  double change[MAX_STAGES][HYPER_ROWS];
  bool end = t->force_rule == FORCE_END;
  *out = (HyperState){.damped = 0};
  convex_stiffness(p, en, out->k);
  if (end) hyper_stress(p, ek[0], out->stress[0], out->own[0]);
  else secant_stress(p, en, ek[0], out->stress[0], out->own[0]);
  for (int k = 0; k < t->s; k++)
    for (int r = 0; r < n; r++) change[k][r] = ek[k][r] - en[r];
  for (int k = 0; k < t->s; k++) {
    for (int l = 0; l < t->s && !end; l++) {
      out->factor[k][l] = t->a[k][l] - (k == 0 && l == 0 ? 0.5 : 0);
      add_product(n, out->factor[k][l], out->k, change[l], out->stress[k]);
    }
    add_product(n, m->rate * damping / h, stiffness, change[k], out->stress[k]);
    if (past) add_product(n, m->before * damping / h, stiffness, past, out->stress[k]);
    for (int i = 0; i < n * n; i++) out->own[k][i] += m->rate * damping / h * stiffness[i];
    out->damped += t->weight[k] * damping / h * bilinear_form(n, stiffness, change[k], change[k]);
    out->lost += 0.5 * t->loss[k] * bilinear_form(n, out->k, change[k], change[k]);
  }
  if (m->delta > 0) add_recall(n, m, past, change[0], out);
}
