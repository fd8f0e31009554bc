// SPDX-License-Identifier: Apache-2.0
// An optimisation: the objective and the rows of its constraints, their scales, and what holds the optimum.
#include "fit/optimize.h"

#include "fit/fit.h"

#include <math.h>
#include <string.h>

static const double on_limit = 1e-5;         // distance of a row from its limit, over its scale
static const double least_multiplier = 1e-6; // over scales
static const double same_direction = 1e-6;   // of singular values of the slopes of rows that hold

void optimum_remark(LimberOptimum o, const char *format, ...) {
  size_t used = strlen(o->remarks);
  va_list args;
  if (used + 2 > sizeof o->remarks) return;
  va_start(args, format);
  vsnprintf(o->remarks + used, sizeof o->remarks - used - 1, format, args);
  va_end(args);
  strcat(o->remarks, "\n");
}

// ---- scales ----

// The largest change of a quantity with a parameter that changes by its scale.
static double largest_slope(const TunedModel *m, int quantity) {
  double most = 0;
  for (int k = 0; k < m->g.parameters; k++)
    most = fmax(most, fabs(m->g.d[quantity * m->g.parameters + k].value) * m->scale[k]);
  return most;
}

static double size_of_quantity(const TunedModel *m, int quantity) {
  double size = fmax(fabs(m->g.value[quantity]), largest_slope(m, quantity));
  return size > 0 ? size : 1;
}

static void add_rows(OptimumProblem *p) {
  for (int i = 0; i < p->o->constraints; i++) {
    const OptimumConstraint *k = &p->o->constraint[i];
    for (int side = -1; side <= 1; side += 2) {
      double limit = side < 0 ? k->from : k->to;
      if (!isfinite(limit)) continue;
      double scale = limit != 0 ? fabs(limit) : size_of_quantity(p->m, i + 1);
      p->row[p->rows++] = (OptimumRow){.constraint = i, .side = side, .limit = limit, .scale = scale};
    }
  }
}

void optimum_values(const OptimumProblem *p, double *f, double *c, double *df, double *dc) {
  const TunedModel *m = p->m;
  int n = m->g.parameters;
  *f = m->g.value[0] / p->scale;
  for (int k = 0; k < n && df; k++) df[k] = m->g.d[k].value * m->scale[k] / p->scale;
  for (int i = 0; i < p->rows; i++) {
    const OptimumRow *r = &p->row[i];
    int quantity = r->constraint + 1;
    double sign = -r->side / r->scale;
    c[i] = sign * (m->g.value[quantity] - r->limit);
    for (int k = 0; k < n && dc; k++) dc[(size_t)i * n + k] = sign * m->g.d[quantity * n + k].value * m->scale[k];
  }
}

double optimum_slope_error(const OptimumProblem *p, int row, int j) {
  const TunedModel *m = p->m;
  int quantity = row < 0 ? 0 : p->row[row].constraint + 1;
  double scale = row < 0 ? fabs(p->scale) : p->row[row].scale;
  return m->g.d[quantity * m->g.parameters + j].error * m->scale[j] / scale;
}

// ---- what holds the optimum ----

static void put_multipliers(OptimumProblem *p, const double *x, const double *row, const double *bound) {
  LimberOptimum o = p->o;
  for (int i = 0; i < p->rows; i++) {
    const OptimumRow *r = &p->row[i];
    OptimumConstraint *k = &o->constraint[r->constraint];
    if (!(row[i] > least_multiplier) || fabs(k->value - r->limit) > on_limit * r->scale) continue;
    k->held = r->side, k->multiplier = -r->side * p->scale * row[i] / r->scale;
  }
  for (int j = 0; j < o->parameters; j++) {
    double low, high;
    tuned_bounds(p->m, j, &low, &high);
    o->held[j] = x[j] <= low ? -1 : x[j] >= high ? 1 : 0;
    o->multiplier[j] = o->held[j] ? p->scale * bound[j] / p->m->scale[j] : 0;
  }
}

// More rows than directions hold the optimum: their multipliers can be divided among them in several ways.
static PetscErrorCode CheckMultipliers(OptimumProblem *p) {
  LimberOptimum o = p->o;
  int n = o->parameters, free = 0, held = 0;
  double *a;
  Decomposition d;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1((size_t)n * (o->constraints + 1), &a));
  for (int j = 0; j < n; j++) {
    if (o->held[j]) continue;
    held = 0;
    for (int i = 0; i < o->constraints; i++)
      if (o->constraint[i].held)
        a[(size_t)held++ * n + free] =
            p->m->g.d[(i + 1) * n + j].value * p->m->scale[j] / size_of_quantity(p->m, i + 1);
    free++;
  }
  if (free && held) {
    PetscCall(Decompose(n, held, a, &d));
    if (held > free || !(d.value[held - 1] > same_direction * d.value[0]))
      optimum_remark(o, "more limits hold the optimum than are needed: their multipliers are not unique");
    PetscCall(DecompositionDestroy(&d));
  }
  PetscCall(PetscFree(a));
  PetscFunctionReturn(0);
}

// ---- all ----

static PetscErrorCode CheckUnits(const LimberOptimum o, const OptimizePart *part, Refusal *wrong) {
  Units *units = NULL;
  PetscFunctionBegin;
  for (int i = 0; i < o->constraints && !is_refused(wrong); i++) {
    PetscCall(TunedCheckUnit(&units, o->constraint[i].of, o->constraint[i].unit, part->constraint[i].from_unit, wrong));
    if (!is_refused(wrong))
      PetscCall(TunedCheckUnit(&units, o->constraint[i].of, o->constraint[i].unit, part->constraint[i].to_unit, wrong));
  }
  PetscCall(UnitsDestroy(&units));
  PetscFunctionReturn(0);
}

static PetscErrorCode Search(OptimumProblem *p, Refusal *wrong) {
  LimberOptimum o = p->o;
  int n = o->parameters;
  double *x, *row, *bound;
  PetscFunctionBegin;
  PetscCall(PetscCalloc4(n, &x, 2 * o->constraints + 1, &row, n, &bound, 2 * o->constraints + 1, &p->row));
  if (!(largest_slope(p->m, 0) > 0))
    refuse(wrong, "%s does not change with any parameter at the start values", o->objective.of);
  p->scale = (o->maximize ? -1 : 1) * size_of_quantity(p->m, 0);
  add_rows(p);
  o->objective.start = p->m->g.value[0];
  for (int i = 0; i < o->constraints; i++) o->constraint[i].start = p->m->g.value[i + 1];
  if (!is_refused(wrong)) PetscCall(OptimumSearch(p, x, row, bound, wrong));
  if (!is_refused(wrong)) {
    PetscCall(PetscArraycpy(o->parameter, p->m->g.parameter, n));
    o->objective.value = p->m->g.value[0];
    for (int i = 0; i < o->constraints; i++) o->constraint[i].value = p->m->g.value[i + 1];
    put_multipliers(p, x, row, bound);
    PetscCall(CheckMultipliers(p));
  }
  PetscCall(PetscFree4(x, row, bound, p->row));
  PetscFunctionReturn(0);
}

static PetscErrorCode Optimize(const Input *in, SourceReader read, OptimumProgress progress, LimberOptimum o,
                               Refusal *wrong) {
  const OptimizePart *part = &in->optimize;
  int count = 1 + o->constraints;
  OptimumProblem p = {.o = o, .progress = progress};
  GradientQuantity *quantity;
  Refusal why = {.text = ""};
  TunedModel m;
  double *x;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(count, &quantity, o->parameters, &x));
  for (int i = 0; i < count && !is_refused(wrong); i++)
    parse_quantity(i ? part->constraint[i - 1].of : part->objective, &quantity[i], wrong);
  check_tuned_starts(o->parameters, part->parameter, wrong);
  if (!is_refused(wrong)) {
    PetscCall(TunedCreate(in, read, o->parameters, part->parameter, count, quantity, &m));
    p.m = &m;
    PetscCall(TunedBegin(&m, &why, wrong));
    if (m.differences && !is_refused(wrong)) PetscCall(TunedEvaluate(&m, x, true, wrong));
    for (int i = 0; i < count; i++)
      PetscCall(PetscArraycpy((i ? &o->constraint[i - 1] : &o->objective)->unit, m.g.quantity[i].unit,
                              sizeof o->objective.unit));
    if (!is_refused(wrong)) PetscCall(CheckUnits(o, part, wrong));
    if (m.differences)
      optimum_remark(o, "derivatives are differences of whole analyses: %.*s", (int)strcspn(why.text, "\n"), why.text);
    if (!is_refused(wrong)) PetscCall(Search(&p, wrong));
    if (m.g.remarks[0]) optimum_remark(o, "%.*s", (int)strcspn(m.g.remarks, "\n"), m.g.remarks);
    o->runs = m.runs, o->gradients = m.gradients, o->differences = m.differences;
    PetscCall(TunedDestroy(&m));
  }
  PetscCall(PetscFree2(quantity, x));
  PetscFunctionReturn(0);
}

static void copy_problem(const OptimizePart *part, LimberOptimum o) {
  o->maximize = part->maximize;
  snprintf(o->objective.of, sizeof o->objective.of, "%s", part->objective);
  o->objective.as = "", o->objective.factor = 1;
  for (int j = 0; j < o->parameters; j++) o->start[j] = part->parameter[j].start;
  for (int i = 0; i < o->constraints; i++) {
    const OptimizeConstraint *k = &part->constraint[i];
    bool to = isfinite(k->to) && *k->to_unit;
    o->constraint[i] = (OptimumConstraint){.from = k->from, .to = k->to, .as = to ? k->to_unit : k->from_unit};
    o->constraint[i].factor = to ? k->to_factor : k->from_factor;
    snprintf(o->constraint[i].of, sizeof o->constraint[i].of, "%s", k->of);
  }
}

PetscErrorCode OptimumFind(const Input *in, SourceReader read, OptimumProgress progress, LimberOptimum *out,
                           Refusal *wrong) {
  LimberOptimum o;
  PetscFunctionBegin;
  *out = NULL, wrong->text[0] = 0;
  if (!in->optimize.parameters) {
    refuse(wrong, "the file has no part `optimize`, which names an objective and parameters");
    PetscFunctionReturn(0);
  }
  PetscCall(PetscNew(&o));
  o->parameters = in->optimize.parameters, o->constraints = in->optimize.constraints;
  PetscCall(PetscCalloc6(o->parameters, &o->parameter, o->parameters, &o->start, o->parameters, &o->multiplier,
                         o->parameters, &o->held, o->parameters, &o->next, o->constraints, &o->constraint));
  copy_problem(&in->optimize, o);
  PetscCall(Optimize(in, read, progress, o, wrong));
  if (is_refused(wrong)) PetscCall(OptimumDestroy(&o));
  *out = o;
  PetscFunctionReturn(0);
}

PetscErrorCode OptimumDestroy(LimberOptimum *optimum) {
  LimberOptimum o = *optimum;
  PetscFunctionBegin;
  if (!o) PetscFunctionReturn(0);
  PetscCall(PetscFree6(o->parameter, o->start, o->multiplier, o->held, o->next, o->constraint));
  PetscCall(PetscFree(*optimum));
  PetscFunctionReturn(0);
}
