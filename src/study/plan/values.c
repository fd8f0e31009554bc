// SPDX-License-Identifier: Apache-2.0
// Values and weights of one run.
#include "study/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>

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
