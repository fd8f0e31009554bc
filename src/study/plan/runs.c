// SPDX-License-Identifier: Apache-2.0
// How many runs a plan has, what each of them weighs, and its values.
#include "input/yaml/report.h"
#include "study/plan/plan.h"
#include "study/plan/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the number of runs ----

static bool is_drawn(const Plan *p) {
  return p->design == PLAN_RANDOM || p->design == PLAN_LATIN || p->design == PLAN_SOBOL;
}

static Error ReportTooMany(PlanReader *x) {
  const Tree *at = tree_find(x->map, "vary");
  TRY(ReportError(&x->reader, at ? at->at : x->map->at, "this makes more than %.0f runs, the largest number in a study",
                  LIMIT_RUNS));
  return 0;
}

// The last axis changes fastest.
static Error CountProduct(PlanReader *x) {
  Plan *p = x->plan;
  uint64_t all = 1;
  for (int i = p->axes - 1; i >= 0; i--) {
    if (!p->axis[i].count) continue;
    p->axis[i].stride = all;
    if ((double)all * p->axis[i].count > LIMIT_RUNS) return ReportTooMany(x);
    all *= (uint64_t)p->axis[i].count;
  }
  if ((double)all * p->repeat > LIMIT_RUNS) TRY(ReportTooMany(x));
  p->runs = all * (uint64_t)p->repeat;
  return 0;
}

static Error CountZip(PlanReader *x) {
  Plan *p = x->plan;
  int first = -1;
  for (int i = 0; i < p->variables; i++) {
    const PlanVariable *v = &p->variable[i];
    if (!v->count) continue;
    if (first < 0) first = i;
    if (v->count != p->variable[first].count) {
      TRY(ReportError(&x->reader, v->at, "'%s' has %d values, but '%s' has %d: a zip needs as many of each", v->path,
                      v->count, p->variable[first].path, p->variable[first].count));
      return 0;
    }
  }
  for (int i = 0; i < p->axes; i++) p->axis[i].stride = 1;
  uint64_t all = first < 0 ? 1 : (uint64_t)p->variable[first].count;
  if ((double)all * p->repeat > LIMIT_RUNS) TRY(ReportTooMany(x));
  p->runs = all * (uint64_t)p->repeat;
  return 0;
}

static Error PrepareDrawn(PlanReader *x) {
  Plan *p = x->plan;
  Permutation *order;
  SobolDirections *sobol;
  if (p->design == PLAN_SOBOL && p->axes > SOBOL_DIMENSIONS) {
    TRY(ReportError(&x->reader, tree_find(x->map, "design")->at,
                    "Sobol' points have at most %d variables, and this study has %d: use latin", SOBOL_DIMENSIONS,
                    p->axes));
  } else if (p->design == PLAN_SOBOL) {
    TRY(StoreAllocate(&p->store, (size_t)p->axes * sizeof *sobol, &sobol));
    for (int i = 0; i < p->axes; i++) sobol_directions(i, &sobol[i]);
    p->sobol = sobol;
  } else if (p->design == PLAN_LATIN) {
    TRY(StoreAllocate(&p->store, (size_t)p->axes * sizeof *order, &order));
    for (int i = 0; i < p->axes; i++) permutation_make(p->runs, p->seed, p->axis[i].hash, &order[i]);
    p->permutation = order;
  }
  return 0;
}

Error CountRuns(PlanReader *x) {
  Plan *p = x->plan;
  bool given = form_given(&x->form, "runs"), repeated = form_given(&x->form, "repeat");
  TRY(ReadWhole(x, "runs", x->text.runs, 1, LIMIT_RUNS, &p->runs));
  p->repeat = form_good(&x->form, "repeat") ? x->text.repeat : 1;
  if (p->repeat < 1) {
    TRY(ReportError(&x->reader, tree_find(x->map, "repeat")->at, "'repeat' must be at least 1"));
    p->repeat = 1;
  }
  if (!p->variables && !x->reader.diagnostics->errors)
    TRY(ReportError(&x->reader, x->map->at, "a study needs something that varies: 'vary' or 'table'"));
  if (x->reader.diagnostics->errors) return 0;
  if (is_drawn(p)) {
    const char *design = study_design((int)p->design);
    if (!given)
      TRY(ReportError(&x->reader, tree_find(x->map, "design")->at, "the design %s needs 'runs', the number of runs",
                      design));
    if (repeated)
      TRY(ReportError(&x->reader, tree_find(x->map, "repeat")->at, "the design %s has no 'repeat', but 'runs'",
                      design));
    TRY(PrepareDrawn(x));
    return 0;
  }
  if (given)
    TRY(ReportError(&x->reader, tree_find(x->map, "runs")->at,
                    "the number of runs follows from the values; 'runs' is for the designs random, latin and sobol, "
                    "'repeat' runs each combination several times"));
  else if (p->design == PLAN_PRODUCT) TRY(CountProduct(x));
  else TRY(CountZip(x));
  return 0;
}

// ---- weights ----

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The edge between values `k` and `k + 1` of `n`: in the middle. The first and the last value have as much on either
// side.
static double edge_after(const double *value, int n, int k) {
  if (n == 1) return k < 0 ? -INFINITY : INFINITY;
  if (k < 0) return value[0] - 0.5 * (value[1] - value[0]);
  if (k == n - 1) return value[n - 1] + 0.5 * (value[n - 1] - value[n - 2]);
  return 0.5 * (value[k] + value[k + 1]);
}

// The probability of the interval about each value, of all intervals together 1, and how many runs have the value.
static Error WeighValues(PlanReader *x, const Tree *at) {
  Plan *p = x->plan;
  const PlanVariable *v = &p->variable[p->weight_variable];
  double *sorted, sum = 0;
  int n = 0;
  TRY(StoreAllocate(&p->store, (size_t)v->count * sizeof *sorted, &sorted));
  TRY(StoreAllocate(&p->store, (size_t)v->count * sizeof *p->weight_of, &p->weight_of));
  TRY(StoreAllocate(&p->store, (size_t)v->count * sizeof *p->runs_of, &p->runs_of));
  memcpy(sorted, v->value, (size_t)v->count * sizeof *sorted);
  qsort(sorted, (size_t)v->count, sizeof *sorted, compare_numbers);
  for (int i = 0; i < v->count; i++)
    if (!i || sorted[i] != sorted[i - 1]) sorted[n++] = sorted[i];
  for (int k = 0; k < n; k++)
    sum += distribution_probability(&p->weight, edge_after(sorted, n, k)) -
           distribution_probability(&p->weight, edge_after(sorted, n, k - 1));
  if (!(sum > 0)) {
    TRY(ReportError(&x->reader, at->at, "no value of '%s' has any probability", v->path));
    return 0;
  }
  uint64_t *same;
  TRY(StoreAllocate(&p->store, (size_t)n * sizeof *same, &same));
  int *index;
  TRY(StoreAllocate(&p->store, (size_t)v->count * sizeof *index, &index));
  for (int i = 0; i < v->count; i++) {
    const double *found = bsearch(&v->value[i], sorted, (size_t)n, sizeof *sorted, compare_numbers);
    index[i] = (int)(found - sorted), same[index[i]]++;
  }
  for (int i = 0; i < v->count; i++) {
    int k = index[i];
    p->weight_of[i] = (distribution_probability(&p->weight, edge_after(sorted, n, k)) -
                       distribution_probability(&p->weight, edge_after(sorted, n, k - 1))) /
                      sum;
    p->runs_of[i] = same[k] * (p->runs / (uint64_t)v->count);
  }
  return 0;
}

Error ReadWeights(PlanReader *x) {
  Plan *p = x->plan;
  const Tree *map = tree_find(x->map, "weights"), *of = map ? tree_find(map, "field") : NULL;
  const WeightsText *t = &x->text.weights;
  const char *unit = NULL;
  bool found, good;
  Nearest n;
  p->weight_variable = -1;
  if (!map || !form_good(&x->form, "weights")) return 0;
  if (!of) {
    TRY(ReportError(&x->reader, map->at, "'weights' needs 'field': the field under 'vary' whose probability counts"));
    return 0;
  }
  nearest_begin(&n, t->of);
  int i = 0;
  for (; i < p->variables && strcmp(p->variable[i].path, t->of); i++) nearest_try(&n, p->variable[i].path);
  if (i == p->variables) {
    TRY(ReportError(&x->reader, of->at, "'%s' does not vary%s", t->of, nearest_hint(&n, "the varied fields are")));
    return 0;
  }
  const PlanVariable *v = &p->variable[i];
  unit = v->unit;
  TRY(ReadDistribution(x, &t->distribution, &unit, &p->weight, &found, &good));
  if (good && !found)
    TRY(ReportError(&x->reader, map->at, "'weights' needs a distribution, such as weibull: [10 m/s, 2]"));
  if (v->word || !v->count || is_drawn(p))
    TRY(ReportError(&x->reader, of->at, "the values of '%s' are %s: weights need listed numbers in a product or zip",
                    v->path, v->word ? "words" : "drawn, so that every run weighs the same"));
  if (x->reader.diagnostics->errors) return 0;
  p->weight_variable = i;
  TRY(WeighValues(x, of));
  return 0;
}

// ---- one run ----

// Between 0 and 1, of one axis in one run.
static double unit_of(const Plan *p, int axis, uint64_t run) {
  const PlanAxis *a = &p->axis[axis];
  double u = random_unit(random_bits(p->seed, run, a->hash));
  switch (p->design) {
  case PLAN_PRODUCT:
  case PLAN_ZIP:
  case PLAN_RANDOM: return u;
  case PLAN_LATIN: {
    double at = ((double)permutation_entry(&p->permutation[axis], run) + u) / (double)p->runs;
    return at < 1 ? at : u;
  }
  case PLAN_SOBOL: return random_unit(sobol_scramble(sobol_bits(&p->sobol[axis], run), random_mix(p->seed) ^ a->hash));
  }
  return u;
}

// Which of its listed values an axis has.
static uint64_t index_of(const Plan *p, int axis, uint64_t run) {
  const PlanAxis *a = &p->axis[axis];
  uint64_t count = (uint64_t)a->count;
  if (p->design == PLAN_PRODUCT || p->design == PLAN_ZIP) return run / (uint64_t)p->repeat / a->stride % count;
  uint64_t i = (uint64_t)(unit_of(p, axis, run) * (double)count);
  return i < count ? i : count - 1;
}

void plan_values(const Plan *p, uint64_t run, double *value) {
  for (int i = 0; i < p->variables; i++) {
    const PlanVariable *v = &p->variable[i];
    if (v->count) value[i] = v->value[index_of(p, v->axis, run)];
    else value[i] = distribution_value(&v->distribution, unit_of(p, v->axis, run));
  }
}

// The shortest text that reads as the same number.
static void print_number(double value, char *text, size_t size) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, size, "%.*g", digits, value);
    if (strtod(text, NULL) == value) return;
  }
}

void plan_change(const Plan *p, int variable, double value, char *text, size_t size) {
  const PlanVariable *v = &p->variable[variable];
  char number[40];
  print_number(value, number, sizeof number);
  if (v->word) snprintf(text, size, "%s=%s", v->path, v->word[(int)value]);
  else snprintf(text, size, "%s=%s%s%s", v->path, number, *v->unit ? " " : "", v->unit);
}

double plan_weight(const Plan *p, uint64_t run) {
  if (p->weight_variable < 0) return 1 / (double)p->runs;
  uint64_t i = index_of(p, p->variable[p->weight_variable].axis, run);
  return p->weight_of[i] / (double)p->runs_of[i];
}
