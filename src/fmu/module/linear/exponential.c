// SPDX-License-Identifier: Apache-2.0
#include "fmu/module/linear/exponential.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "out of memory";

// ---- products ----

// c += f a b, where a is n x k and b is k x m.
static void add_product(size_t n, size_t k, size_t m, double f, const double *a, const double *b, double *c) {
  for (size_t i = 0; i < n; i++) {
    double *to = c + i * m;
    for (size_t p = 0; p < k; p++) {
      const double w = f * a[i * k + p], *from = b + p * m;
      if (w == 0) continue;
      for (size_t j = 0; j < m; j++) to[j] += w * from[j];
    }
  }
}

static void add_scaled(size_t count, double f, const double *a, double *c) {
  for (size_t i = 0; i < count; i++) c[i] += f * a[i];
}

static void scale(size_t count, double f, double *a) {
  for (size_t i = 0; i < count; i++) a[i] *= f;
}

// ---- balancing ----

// Powers of 2 that make rows and columns of like size (Parlett and Reinsch): x'' = -w^2 x has the norm w, not w^2.
static void balance(size_t n, double *a, double *d) {
  bool changed = true;
  for (int sweep = 0; sweep < 100 && changed; sweep++) {
    changed = false;
    for (size_t i = 0; i < n; i++) {
      double row = 0, column = 0;
      for (size_t j = 0; j < n; j++)
        if (j != i) row += fabs(a[i * n + j]), column += fabs(a[j * n + i]);
      if (!(row > 0) || !(column > 0)) continue;
      double f = exp2(rint(0.5 * log2(row / column))); // the column times f, the row over f
      if (!(column * f + row / f < 0.95 * (column + row))) continue;
      for (size_t j = 0; j < n; j++) a[i * n + j] /= f;
      for (size_t j = 0; j < n; j++) a[j * n + i] *= f;
      d[i] *= f, changed = true;
    }
  }
}

// The smaller of the largest sums of rows and of columns.
static double norm_of(size_t n, const double *a) {
  double rows = 0, columns = 0;
  for (size_t i = 0; i < n; i++) {
    double row = 0, column = 0;
    for (size_t j = 0; j < n; j++) row += fabs(a[i * n + j]), column += fabs(a[j * n + i]);
    rows = fmax(rows, row), columns = fmax(columns, column);
  }
  return fmin(rows, columns);
}

bool exponential_open(Exponential *e, size_t n, size_t m, const double *a, const double *b) {
  e->n = n, e->m = m;
  e->a = calloc(n * n + 1, sizeof *e->a);
  e->b = calloc(n * m + 1, sizeof *e->b);
  e->scale = calloc(n + 1, sizeof *e->scale);
  e->vector = calloc(3 * n + m + 1, sizeof *e->vector);
  if (!e->a || !e->b || !e->scale || !e->vector) return false;
  for (size_t i = 0; i < n; i++) e->scale[i] = 1;
  memcpy(e->a, a, n * n * sizeof *a);
  balance(n, e->a, e->scale);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++) e->b[i * m + j] = b[i * m + j] / e->scale[i];
  e->norm = norm_of(n, e->a);
  return true;
}

static void free_step(ExactStep *s) {
  free(s->f), free(s->g), free(s->l);
  *s = (ExactStep){0};
}

void exponential_close(Exponential *e) {
  for (int i = 0; i < KEPT_LENGTHS; i++) free_step(&e->step[i]);
  free(e->a), free(e->b), free(e->scale), free(e->vector);
}

// ---- the matrices of a step ----

enum { DEGREE = 16 };
static const double largest_start = 0.5; // norm of A h where the series is used: its error is 0.5^17/17! = 2e-20

// F = x + x^2/2 + ... + x^16/16!, in powers of x^4. `work`: 5 n^2.
static void sum_series(size_t n, const double *x, double *f, double *work) {
  size_t nn = n * n;
  double *power[5] = {NULL, work, work + nn, work + 2 * nn, work + 3 * nn}, *next = work + 4 * nn, factor[DEGREE + 1];
  factor[0] = 1;
  for (int k = 1; k <= DEGREE; k++) factor[k] = factor[k - 1] / k;
  memset(work, 0, 5 * nn * sizeof *work);
  memcpy(power[1], x, nn * sizeof *x);
  for (int k = 2; k <= 4; k++) add_product(n, n, n, 1, power[k - 1], x, power[k]);
  memset(f, 0, nn * sizeof *f);
  add_scaled(nn, factor[DEGREE], power[4], f);
  for (int block = DEGREE - 4; block >= 0; block -= 4) { // f: what is above x^(block + 3), over x^block
    for (int k = 1; k <= 3; k++) add_scaled(nn, factor[block + k], power[k], f);
    if (!block) break;
    for (size_t i = 0; i < n; i++) f[i * n + i] += factor[block];
    memset(next, 0, nn * sizeof *next);
    add_product(n, n, n, 1, f, power[4], next);
    memcpy(f, next, nn * sizeof *f);
  }
}

// G and L over a short step t: sums of (A t)^k / (k + 1)! t B and (A t)^k / (k + 2)! t^2 B. `term`, `next`: n x m.
static void sum_inputs(const Exponential *e, double t, double *g, double *l, double *term, double *next) {
  size_t nm = e->n * e->m;
  double factor = t;
  memcpy(term, e->b, nm * sizeof *term);
  memset(g, 0, nm * sizeof *g), memset(l, 0, nm * sizeof *l);
  for (int k = 0; k <= DEGREE; k++) {
    factor /= k + 1;
    add_scaled(nm, factor, term, g), add_scaled(nm, factor * t / (k + 2), term, l);
    memset(next, 0, nm * sizeof *next);
    add_product(e->n, e->n, e->m, t, e->a, term, next);
    memcpy(term, next, nm * sizeof *term);
  }
}

static void double_step(const Exponential *e, double t, ExactStep *s, double *work) {
  size_t nn = e->n * e->n, nm = e->n * e->m;
  memset(work, 0, (nn > nm ? nn : nm) * sizeof *work);
  add_product(e->n, e->n, e->m, 1, s->f, s->l, work);
  scale(nm, 2, s->l), add_scaled(nm, 1, work, s->l), add_scaled(nm, t, s->g, s->l);
  memset(work, 0, nm * sizeof *work);
  add_product(e->n, e->n, e->m, 1, s->f, s->g, work);
  scale(nm, 2, s->g), add_scaled(nm, 1, work, s->g);
  memset(work, 0, nn * sizeof *work);
  add_product(e->n, e->n, e->n, 1, s->f, s->f, work);
  scale(nn, 2, s->f), add_scaled(nn, 1, work, s->f);
}

static bool is_finite(size_t count, const double *a) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(a[i])) return false;
  return true;
}

static const char *make_step(const Exponential *e, double h, ExactStep *s) {
  size_t nn = e->n * e->n, nm = e->n * e->m;
  double *x = calloc(nn + 1, sizeof *x), *work = calloc(5 * nn + 2 * nm + 1, sizeof *work);
  s->f = calloc(nn + 1, sizeof *s->f);
  s->g = calloc(nm + 1, sizeof *s->g);
  s->l = calloc(nm + 1, sizeof *s->l);
  const char *wrong = s->f && s->g && s->l && x && work ? "" : no_memory;
  if (!*wrong) {
    int halves = e->norm * h > largest_start ? (int)ceil(log2(e->norm * h / largest_start)) : 0;
    double t = ldexp(h, -halves);
    add_scaled(nn, t, e->a, x);
    sum_series(e->n, x, s->f, work);
    sum_inputs(e, t, s->g, s->l, work, work + nm);
    for (int i = 0; i < halves; i++, t *= 2) double_step(e, t, s, work);
    if (!is_finite(nn, s->f) || !is_finite(nm, s->g) || !is_finite(nm, s->l))
      wrong = "over this step the model grows beyond all numbers";
  }
  free(x), free(work);
  s->length = h;
  if (*wrong) free_step(s);
  return wrong;
}

// The matrices of that length; the one whose use is longest ago makes room.
static const char *find_step(Exponential *e, double h, const ExactStep **out) {
  ExactStep *place = &e->step[0];
  for (int i = 0; i < KEPT_LENGTHS; i++) {
    ExactStep *s = &e->step[i];
    if (s->length == h) return s->used = ++e->uses, *out = s, "";
    if (s->used < place->used) place = s;
  }
  free_step(place);
  const char *wrong = make_step(e, h, place);
  place->used = ++e->uses;
  *out = place;
  return wrong;
}

// ---- a step ----

// A host computes the lengths of its steps from times, with round-off. So the matrices are those of the length rounded
// to 32 bits, and the rest, which may be negative, follows by the series of x. The bits of a step are the same whatever
// was asked before.
static double round_length(double h) {
  int power;
  double part = frexp(h, &power);
  return ldexp(rint(ldexp(part, 32)), power - 32);
}

static void move_by_rest(const Exponential *e, double rest, double *x, const double *u, const double *slope,
                         double *work) {
  double *term = work, *next = work + e->n, factor = 1;
  memset(term, 0, e->n * sizeof *term);
  add_product(e->n, e->n, 1, 1, e->a, x, term);
  add_product(e->n, e->m, 1, 1, e->b, u, term);
  for (int k = 1; k <= 30; k++) {
    factor *= rest / k;
    add_scaled(e->n, factor, term, x);
    if (fabs(factor) * pow(e->norm, k) < 1e-20) break;
    memset(next, 0, e->n * sizeof *next);
    add_product(e->n, e->n, 1, 1, e->a, term, next);
    if (k == 1) add_product(e->n, e->m, 1, 1, e->b, slope, next);
    memcpy(term, next, e->n * sizeof *term);
  }
}

const char *exponential_step(Exponential *e, double h, double *x, const double *u, const double *slope) {
  double *z = e->vector, *work = z + e->n, *later = z + 3 * e->n, length = round_length(h);
  const ExactStep *s;
  if (e->norm * h > 0x1p32) return "it is too long for the fastest motions of the model";
  const char *wrong = find_step(e, length, &s);
  if (*wrong) return wrong;
  for (size_t i = 0; i < e->n; i++) z[i] = work[i] = x[i] / e->scale[i];
  add_product(e->n, e->n, 1, 1, s->f, z, work);
  add_product(e->n, e->m, 1, 1, s->g, u, work);
  add_product(e->n, e->m, 1, 1, s->l, slope, work);
  memcpy(z, work, e->n * sizeof *z);
  for (size_t i = 0; i < e->m; i++) later[i] = u[i] + slope[i] * length;
  if (h != length) move_by_rest(e, h - length, z, later, slope, work);
  if (!is_finite(e->n, z)) return "the states grow beyond all numbers";
  for (size_t i = 0; i < e->n; i++) x[i] = z[i] * e->scale[i];
  return "";
}
