// SPDX-License-Identifier: Apache-2.0
// A convex quadratic program with penalties on violated rows, by a primal-dual interior-point method (Mehrotra). Its
// start fulfils all equations, and steps of one length for all unknowns keep them up to round-off, which each change
// takes away again, so that only the products
//   t y, s (penalty - y), (d - low) below, (high - d) above
// are left to vanish; t = a d + s + c. Their sum is the distance from the minimum.
#include "fit/optimize.h"

#include <math.h>
#include <petscblaslapack.h>

static const double small_gap = 1e-15;
enum { MOST_ROUNDS = 100 };

typedef struct {
  QuadraticProblem *q;
  double *t, *z, *u, *v;                 // z: penalty - y; u, v: distances of d from its bounds
  double *r[4], *change[4];              // right-hand sides and changes of the four products: of y, z, below, above
  double *off, *apart;                   // what is left of the equations of d and t
  double *dt, *ds, *dd, *matrix, *right; // changes; the system of dd
} QuadraticWork;

static double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// d in the middle between its bounds; s, t and multipliers where all equations hold.
static void begin(QuadraticWork *w) {
  QuadraticProblem *q = w->q;
  double size = 0;
  for (int j = 0; j < q->n; j++) {
    q->d[j] = 0.5 * (q->low[j] + q->high[j]);
    w->u[j] = w->v[j] = 0.5 * (q->high[j] - q->low[j]);
  }
  for (int i = 0; i < q->m; i++) {
    double c = dot(q->n, q->a + (size_t)i * q->n, q->d) + q->c[i];
    q->s[i] = 1 + fmax(0, -c), w->t[i] = c + q->s[i];
    q->y[i] = w->z[i] = 0.5 * q->penalty;
  }
  for (int j = 0; j < q->n; j++) {
    double slope = q->g[j] + dot(q->n, q->b + (size_t)j * q->n, q->d);
    for (int i = 0; i < q->m; i++) slope -= q->a[(size_t)i * q->n + j] * q->y[i];
    q->above[j] = -slope, size = fmax(size, fabs(slope));
  }
  for (int j = 0; j < q->n; j++) {
    double slope = -q->above[j];
    q->below[j] = size + fmax(0, slope) + 1e-300, q->above[j] = size + fmax(0, -slope) + 1e-300;
  }
}

// The equations of d and t, which round-off leaves; t and s can be far larger than what is left of them.
static void find_round_off(QuadraticWork *w) {
  const QuadraticProblem *q = w->q;
  for (int j = 0; j < q->n; j++) {
    w->off[j] = q->g[j] + dot(q->n, q->b + (size_t)j * q->n, q->d) - q->below[j] + q->above[j];
    for (int i = 0; i < q->m; i++) w->off[j] -= q->a[(size_t)i * q->n + j] * q->y[i];
  }
  for (int i = 0; i < q->m; i++) w->apart[i] = dot(q->n, q->a + (size_t)i * q->n, q->d) + q->c[i] + q->s[i] - w->t[i];
}

static double gap_of(const QuadraticWork *w) {
  const QuadraticProblem *q = w->q;
  double sum = 0;
  for (int i = 0; i < q->m; i++) sum += w->t[i] * q->y[i] + q->s[i] * w->z[i];
  for (int j = 0; j < q->n; j++) sum += w->u[j] * q->below[j] + w->v[j] * q->above[j];
  return sum;
}

// The factor of B + A^T diag(y/k) A + diag(below/(d - low) + above/(high - d)), k = t + s y/z.
static PetscErrorCode Factor(QuadraticWork *w, bool *good) {
  const QuadraticProblem *q = w->q;
  PetscBLASInt n = q->n, info;
  PetscFunctionBegin;
  PetscCall(PetscArraycpy(w->matrix, q->b, (size_t)q->n * q->n));
  for (int i = 0; i < q->m; i++) {
    const double *a = q->a + (size_t)i * q->n;
    double weight = q->y[i] / (w->t[i] + q->s[i] * q->y[i] / w->z[i]);
    for (int j = 0; j < q->n; j++)
      for (int k = 0; k <= j; k++) w->matrix[j * q->n + k] += weight * a[j] * a[k];
  }
  for (int j = 0; j < q->n; j++) w->matrix[j * q->n + j] += q->below[j] / w->u[j] + q->above[j] / w->v[j];
  LAPACKpotrf_("U", &n, w->matrix, &n, &info);
  *good = info == 0;
  PetscFunctionReturn(0);
}

// The change that brings each product to `r` more than it is, to first order.
static PetscErrorCode FindChange(QuadraticWork *w) {
  const QuadraticProblem *q = w->q;
  PetscBLASInt n = q->n, one = 1, info;
  PetscFunctionBegin;
  for (int j = 0; j < q->n; j++) w->right[j] = w->r[2][j] / w->u[j] - w->r[3][j] / w->v[j] - w->off[j];
  for (int i = 0; i < q->m; i++) {
    double k = w->t[i] + q->s[i] * q->y[i] / w->z[i], first = w->r[0][i] - q->y[i] * w->apart[i];
    double part = (first - q->y[i] / w->z[i] * w->r[1][i]) / k;
    for (int j = 0; j < q->n; j++) w->right[j] += q->a[(size_t)i * q->n + j] * part;
  }
  PetscCall(PetscArraycpy(w->dd, w->right, q->n));
  LAPACKpotrs_("U", &n, &one, w->matrix, &n, w->dd, &n, &info);
  for (int i = 0; i < q->m; i++) {
    double k = w->t[i] + q->s[i] * q->y[i] / w->z[i], along = dot(q->n, q->a + (size_t)i * q->n, w->dd);
    w->change[0][i] = (w->r[0][i] - q->y[i] * w->apart[i] - q->y[i] / w->z[i] * w->r[1][i] - q->y[i] * along) / k;
    w->change[1][i] = -w->change[0][i];
    w->ds[i] = (w->r[1][i] + q->s[i] * w->change[0][i]) / w->z[i];
    w->dt[i] = along + w->ds[i] + w->apart[i];
  }
  for (int j = 0; j < q->n; j++) {
    w->change[2][j] = (w->r[2][j] - q->below[j] * w->dd[j]) / w->u[j];
    w->change[3][j] = (w->r[3][j] + q->above[j] * w->dd[j]) / w->v[j];
  }
  PetscFunctionReturn(0);
}

// The longest part of the change with which nothing turns negative.
static double longest(const QuadraticWork *w) {
  const QuadraticProblem *q = w->q;
  double most = INFINITY;
#define KEEP(value, change) \
  if ((change) < 0) most = fmin(most, -(value) / (change))
  for (int i = 0; i < q->m; i++) {
    KEEP(w->t[i], w->dt[i]);
    KEEP(q->s[i], w->ds[i]);
    KEEP(q->y[i], w->change[0][i]);
    KEEP(w->z[i], w->change[1][i]);
  }
  for (int j = 0; j < q->n; j++) {
    KEEP(w->u[j], w->dd[j]);
    KEEP(w->v[j], -w->dd[j]);
    KEEP(q->below[j], w->change[2][j]);
    KEEP(q->above[j], w->change[3][j]);
  }
#undef KEEP
  return most;
}

static void move(QuadraticWork *w, double part) {
  QuadraticProblem *q = w->q;
  for (int i = 0; i < q->m; i++) {
    w->t[i] += part * w->dt[i], q->s[i] += part * w->ds[i];
    q->y[i] += part * w->change[0][i], w->z[i] += part * w->change[1][i];
  }
  for (int j = 0; j < q->n; j++) {
    w->u[j] += part * w->dd[j], w->v[j] -= part * w->dd[j];
    q->d[j] = w->u[j] < w->v[j] ? q->low[j] + w->u[j] : q->high[j] - w->v[j];
    q->below[j] += part * w->change[2][j], q->above[j] += part * w->change[3][j];
  }
}

// Each product to `mu`; `second`: less the products of the last changes.
static void aim(QuadraticWork *w, double mu, bool second) {
  const QuadraticProblem *q = w->q;
  for (int i = 0; i < q->m; i++) {
    w->r[0][i] = mu - w->t[i] * q->y[i] - (second ? w->dt[i] * w->change[0][i] : 0);
    w->r[1][i] = mu - q->s[i] * w->z[i] - (second ? w->ds[i] * w->change[1][i] : 0);
  }
  for (int j = 0; j < q->n; j++) {
    w->r[2][j] = mu - w->u[j] * q->below[j] - (second ? w->dd[j] * w->change[2][j] : 0);
    w->r[3][j] = mu - w->v[j] * q->above[j] + (second ? w->dd[j] * w->change[3][j] : 0);
  }
}

static PetscErrorCode Iterate(QuadraticWork *w) {
  QuadraticProblem *q = w->q;
  int products = 2 * (q->m + q->n);
  bool good = true;
  PetscFunctionBegin;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    double gap = gap_of(w);
    if (!(gap > small_gap)) break;
    find_round_off(w);
    PetscCall(Factor(w, &good));
    q->indefinite = !good && !round;
    if (!good) break;
    aim(w, 0, false);
    PetscCall(FindChange(w));
    double left = 1 - fmin(1, longest(w));
    aim(w, gap / products * left * left * left, true);
    PetscCall(FindChange(w));
    double part = fmin(1, 0.995 * longest(w));
    if (!(part > 1e-8)) break; // round-off
    move(w, part);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode QuadraticSolve(QuadraticProblem *q) {
  QuadraticWork w = {.q = q};
  int n = q->n, m = q->m;
  PetscFunctionBegin;
  PetscCall(PetscCalloc5(m, &w.t, m, &w.z, m, &w.dt, m, &w.ds, m, &w.apart));
  PetscCall(PetscCalloc6(n, &w.u, n, &w.v, n, &w.dd, (size_t)n * n, &w.matrix, n, &w.right, n, &w.off));
  for (int k = 0; k < 4; k++) PetscCall(PetscCalloc2(k < 2 ? m : n, &w.r[k], k < 2 ? m : n, &w.change[k]));
  begin(&w);
  PetscCall(Iterate(&w));
  for (int k = 0; k < 4; k++) PetscCall(PetscFree2(w.r[k], w.change[k]));
  PetscCall(PetscFree5(w.t, w.z, w.dt, w.ds, w.apart));
  PetscCall(PetscFree6(w.u, w.v, w.dd, w.matrix, w.right, w.off));
  PetscFunctionReturn(0);
}
