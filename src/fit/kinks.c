// SPDX-License-Identifier: Apache-2.0
// Optima at kinks of the objective or of rows, where the slope at one point says little. Values and slopes at several
// points x_i nearby, cuts, give
//   f(x + d) ~ max_i (f_i + g_i (x + d - x_i)),   c(x + d) ~ min_i (c_i + a_i (x + d - x_i)),
// where a tangent that is above f(x), or below c(x), is moved there. A step is the minimum of this model within a region
// |d_j| <= radius, by quadratic.c with the model's value t as a further unknown. Each step adds a cut at its end; if the end
// is no better, the region shrinks. When it is small, all cuts nearby are taken to meet at x, and there is an optimum where
// no direction leads down on all of them. Where slopes have large errors, because the differences that make them straddle a
// kink, they are those of a random point nearby (bundle methods: Kiwiel, Methods of Descent for Nondifferentiable
// Optimization, 1985; gradient sampling: Burke, Lewis and Overton, 2005).
#include "fit/search.h"

#include "base/mix.h"

#include <math.h>

enum { MOST_CUTS = 60, MOST_ROUNDS = 300, TRIES = 9 };
static const double first_region = 0.1, largest_region = 0.5, least_region = 1e-7;
static const double meeting_region = 0.01; // in which tangents that meet end the search
static const double end_region = 1e-3;     // below, slopes alone count
static const double end_slope = 1e-2;      // of the size of f: what slopes of all cuts nearby may promise in the end
static const double close_fall = 1e-9;     // of the size of f, that the model foretells: ends the search
static const double first_apart = 1e-3;    // of a parameter: distance of a point with better slopes
static const double held_by = 1e-6, close_tangent = 1e-6; // multipliers of tangents; distance at x, over the size of f
static const double nearby = 0.005;       // distance of cuts that count in the end, over scales of parameters
static const double reach = 3;            // the same before, over the size of the region
static const double little_curved = 1e-9; // second derivatives of the model, so that its minimum is unique

typedef struct {
  int count;
  double *x, *f, *g, *c, *a; // of each cut
} Cuts;

typedef struct {
  Search *w;
  Cuts k;
  double radius;
  QuadraticProblem q; // n + 1 unknowns, the last is t; rows of f first, then those of all c
  double *b, *g, *a, *c, *low, *high;
  double *trial, trial_f, *trial_c;
  int random;
} KinkWork;

static double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// ---- cuts ----

static void copy_cut(Cuts *k, int to, int from, int n, int m) {
  k->f[to] = k->f[from];
  for (int j = 0; j < n; j++) k->x[to * n + j] = k->x[from * n + j], k->g[to * n + j] = k->g[from * n + j];
  for (int i = 0; i < m; i++) k->c[to * m + i] = k->c[from * m + i];
  for (size_t i = 0, size = (size_t)m * n; i < size; i++) k->a[to * size + i] = k->a[from * size + i];
}

static void drop_oldest(KinkWork *s) {
  for (int i = 1; i < s->k.count; i++) copy_cut(&s->k, i - 1, i, s->w->n, s->w->m);
  s->k.count--;
}

// Of a parameter, over its scale: errors of slopes grow with it.
static double size_at(const TunedModel *m, const double *x, int j) {
  return fmax(1, fabs(m->tuned[j].start / m->scale[j] + x[j]));
}

static double distance_of_cut(const KinkWork *s, int i) {
  const Search *w = s->w;
  double apart = 0;
  for (int j = 0; j < w->n; j++) apart = fmax(apart, fabs(w->x[j] - s->k.x[i * w->n + j]) / size_at(w->p->m, w->x, j));
  return apart;
}

// Tangents say little of places that are far from where they touch.
static void drop_distant(KinkWork *s) {
  const Search *w = s->w;
  int left = 0;
  for (int i = 0; i < s->k.count; i++) {
    if (distance_of_cut(s, i) > fmax(reach * s->radius, nearby)) continue;
    if (left < i) copy_cut(&s->k, left, i, w->n, w->m);
    left++;
  }
  s->k.count = left;
}

// A point near `at`, within the bounds.
static void place_near(KinkWork *s, const double *at, double apart, double *out) {
  for (int j = 0; j < s->w->n; j++) {
    const TunedModel *m = s->w->p->m;
    double low, high, size = size_at(m, at, j);
    tuned_bounds(m, j, &low, &high);
    double u = 2 * random_unit(random_mix((uint64_t)++s->random)) - 1;
    u = 0.5 * (u + (u < 0 ? -1 : 1)); // at least half of it
    out[j] = fmin(fmax(at[j] + apart * size * u, low), high);
  }
}

// Evaluates at s->trial: `good`: it has values there; `cut`: also slopes, of this point or of one nearby.
static PetscErrorCode Evaluate(KinkWork *s, bool *good, bool *cut) {
  Search *w = s->w;
  Cuts *k = &s->k;
  int n = w->n, m = w->m;
  PetscFunctionBegin;
  *good = *cut = false;
  if (k->count == MOST_CUTS) drop_oldest(s);
  double *x = k->x + (size_t)k->count * n, *f = k->f + k->count, *c = k->c + (size_t)k->count * m;
  for (int try = 0; try < TRIES && !*cut; try++) {
    Refusal why = {.text = ""};
    place_near(s, s->trial, try ? first_apart * (1 + (try - 1) / 2) : 0, x);
    PetscCall(TunedEvaluate(w->p->m, x, true, &why));
    optimum_values(w->p, f, c, k->g + (size_t)k->count * n, k->a + (size_t)k->count * n * m);
    bool has = !is_refused(&why) && isfinite(*f);
    if (!try) {
      *good = has, s->trial_f = *f;
      PetscCall(PetscArraycpy(s->trial_c, c, m));
      if (!has) break;
    }
    *cut = has && slopes_are_good(w);
  }
  if (*cut) k->count++;
  PetscFunctionReturn(0);
}

// ---- the model of all cuts ----

static void fill_model(KinkWork *s) {
  const Search *w = s->w;
  const Cuts *k = &s->k;
  int n = w->n, m = w->m, size = n + 1;
  double most = 1e-12;
  for (int i = 0; i < k->count; i++) {
    double along = 0, steep = 0, *row = s->a + (size_t)i * size;
    for (int j = 0; j < n; j++) {
      double g = k->g[i * n + j];
      along += g * (w->x[j] - k->x[i * n + j]), steep += fabs(g), row[j] = -g;
    }
    bool meets = s->radius < end_region;
    row[n] = 1, s->c[i] = meets ? 0 : -fmin(0, k->f[i] + along - w->f);
    most = fmax(most, steep * s->radius + s->c[i]);
    for (int r = 0; r < m; r++) {
      const double *a = k->a + ((size_t)i * m + r) * n;
      double *out = s->a + (size_t)(k->count + i * m + r) * size, here = k->c[i * m + r];
      for (int j = 0; j < n; j++) out[j] = a[j], here += a[j] * (w->x[j] - k->x[i * n + j]);
      out[n] = 0, s->c[k->count + i * m + r] = meets ? w->c[r] : fmax(here, w->c[r]);
    }
  }
  for (int j = 0; j < n; j++) {
    double low, high;
    tuned_bounds(w->p->m, j, &low, &high);
    s->low[j] = fmax(low - w->x[j], -s->radius), s->high[j] = fmin(high - w->x[j], s->radius);
  }
  s->low[n] = -2 * most, s->high[n] = 2 * most;
  s->q.m = k->count * (1 + m), s->q.penalty = fmax(w->penalty, 10);
}

// The step, and by how much the model says that the merit falls.
static PetscErrorCode FindKinkStep(KinkWork *s, double *foretold) {
  Search *w = s->w;
  int n = w->n, m = w->m, count = s->k.count;
  double f = -INFINITY, violation = 0, now = search_merit(w, 0, w->c);
  PetscFunctionBegin;
  fill_model(s);
  PetscCall(QuadraticSolve(&s->q));
  for (int i = 0; i < count; i++) f = fmax(f, -s->c[i] - dot(n, s->a + (size_t)i * (n + 1), s->q.d));
  for (int r = 0; r < m; r++) {
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
      int row = count + i * m + r;
      least = fmin(least, s->c[row] + dot(n, s->a + (size_t)row * (n + 1), s->q.d));
    }
    violation += fmax(0, -least);
  }
  *foretold = now - f - w->penalty * violation;
  PetscFunctionReturn(0);
}

// Whether the tangents that hold the step touch near x and meet there: of a convex function x is then the minimum. The step before
// went to where distant tangents meet, which says nothing of a function that is not convex.
static bool tangents_meet(const KinkWork *s) {
  const Search *w = s->w;
  int n = w->n;
  for (int i = 0; i < s->k.count; i++) {
    double here = s->k.f[i];
    for (int j = 0; j < n; j++) here += s->k.g[i * n + j] * (w->x[j] - s->k.x[i * n + j]);
    if (s->q.y[i] <= held_by) continue;
    if (fabs(here - w->f) > close_tangent * search_size(w) || distance_of_cut(s, i) > nearby) return false;
  }
  return true;
}

static void place_trial(KinkWork *s) {
  const Search *w = s->w;
  for (int j = 0; j < w->n; j++) {
    double low, high;
    tuned_bounds(w->p->m, j, &low, &high);
    s->trial[j] = fmin(fmax(w->x[j] + s->q.d[j], low), high);
  }
}

// Multipliers of rows, and slopes of the Lagrangian.
static void keep_multipliers(KinkWork *s) {
  Search *w = s->w;
  int n = w->n, m = w->m, count = s->k.count;
  for (int r = 0; r < m; r++) w->q.y[r] = 0;
  for (int j = 0; j < n; j++) w->slope[j] = 0;
  for (int row = 0; row < s->q.m; row++) {
    if (row >= count) w->q.y[(row - count) % m] += s->q.y[row];
    for (int j = 0; j < n; j++) w->slope[j] -= s->a[(size_t)row * (n + 1) + j] * s->q.y[row];
  }
}

// ---- the search ----

static PetscErrorCode Iterate(KinkWork *s, bool *found) {
  Search *w = s->w;
  int useless = 0;
  bool good, cut;
  PetscFunctionBegin;
  *found = false;
  PetscCall(PetscArraycpy(s->trial, w->x, w->n));
  PetscCall(Evaluate(s, &good, &cut));
  for (int round = 0; round < MOST_ROUNDS && !*found && s->radius >= least_region; round++) {
    double foretold = 0, size = search_size(w), merit = search_merit(w, w->f, w->c);
    drop_distant(s);
    if (!s->k.count) {
      PetscCall(PetscArraycpy(s->trial, w->x, w->n));
      PetscCall(Evaluate(s, &good, &cut));
      if (!cut) break;
    }
    PetscCall(FindKinkStep(s, &foretold));
    *found = s->radius < end_region && foretold <= end_slope * s->radius * size;
    if (*found) break;
    if (foretold <= close_fall * size) {
      *found = s->radius <= meeting_region && tangents_meet(s);
      s->radius = fmin(s->radius / 10, s->radius > meeting_region ? meeting_region : 0.99 * end_region);
      continue;
    }
    place_trial(s);
    PetscCall(Evaluate(s, &good, &cut));
    double fall = good ? merit - search_merit(w, s->trial_f, s->trial_c) : -INFINITY;
    if (fall > 0.1 * foretold) {
      PetscCall(PetscArraycpy(w->x, s->trial, w->n));
      PetscCall(PetscArraycpy(w->c, s->trial_c, w->m));
      w->f = s->trial_f, w->p->o->steps++, useless = 0;
      if (fall > 0.5 * foretold) s->radius = fmin(2 * s->radius, largest_region);
    } else if (!cut || ++useless > w->n) s->radius /= 2, useless = 0;
  }
  if (*found) keep_multipliers(s);
  PetscFunctionReturn(0);
}

PetscErrorCode KinkSearch(Search *w, bool *found) {
  int n = w->n, m = w->m, rows = MOST_CUTS * (1 + m);
  KinkWork s = {.w = w, .radius = first_region};
  Cuts *k = &s.k;
  PetscFunctionBegin;
  PetscCall(PetscCalloc5(MOST_CUTS * n, &k->x, MOST_CUTS, &k->f, MOST_CUTS * n, &k->g, MOST_CUTS * m, &k->c,
                         (size_t)MOST_CUTS * m * n, &k->a));
  PetscCall(PetscCalloc6((size_t)(n + 1) * (n + 1), &s.b, n + 1, &s.g, (size_t)rows * (n + 1), &s.a, rows, &s.c, n + 1,
                         &s.low, n + 1, &s.high));
  PetscCall(PetscCalloc7(n + 1, &s.q.d, rows, &s.q.s, rows, &s.q.y, n + 1, &s.q.below, n + 1, &s.q.above, n, &s.trial,
                         m, &s.trial_c));
  s.q.n = n + 1, s.q.b = s.b, s.q.g = s.g, s.q.a = s.a, s.q.c = s.c, s.q.low = s.low, s.q.high = s.high, s.g[n] = 1;
  for (int j = 0; j <= n; j++) s.b[j * (n + 2)] = little_curved;
  PetscCall(Iterate(&s, found));
  PetscCall(PetscFree7(s.q.d, s.q.s, s.q.y, s.q.below, s.q.above, s.trial, s.trial_c));
  PetscCall(PetscFree6(s.b, s.g, s.a, s.c, s.low, s.high));
  PetscCall(PetscFree5(k->x, k->f, k->g, k->c, k->a));
  PetscCall(SearchLinearise(w, false)); // the last evaluation was that of a trial
  PetscFunctionReturn(0);
}
