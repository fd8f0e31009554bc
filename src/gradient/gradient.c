// SPDX-License-Identifier: Apache-2.0
// All derivatives that are asked for, and their check by differences of whole analyses.
#include "gradient/gradient.h"

#include "analyses/read_changed.h"
#include "base/cookie.h"
#include "base/limits.h"

#include <math.h>
#include <string.h>

LimberGradientOptions limber_gradient_options_default(void) {
  return (LimberGradientOptions){.cookie = OPTIONS_COOKIE};
}

bool gradient_ends(const GradientProblem *p, Refusal *wrong) {
  if (!is_refused(wrong) && p->watch && p->watch->stopped(p->watch->self)) refuse(wrong, "interrupted");
  return is_refused(wrong);
}

static bool has_analysis(const struct LimberGradientData *g, GradientAnalysis analysis) {
  bool any = false;
  for (int i = 0; i < g->quantities; i++) any = any || gradient_analysis(g->quantity[i].of) == analysis;
  return any;
}

PetscErrorCode GradientRead(const GradientProblem *p, int count, const int *which, Input **out, Refusal *wrong) {
  char(*text)[512];
  const char **change;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count, &text, count, &change));
  for (int i = 0; i < count; i++) {
    const GradientParameter *q = &p->g->parameter[which ? which[i] : i];
    parameter_change(q, q->value, text[i], sizeof text[i]);
    change[i] = text[i];
  }
  PetscCall(InputReadChanges(p->in, p->read, count, change, out, wrong));
  PetscCall(PetscFree2(text, change));
  PetscFunctionReturn(0);
}

PetscErrorCode GradientEvaluate(const GradientProblem *problem, Refusal *wrong) {
  GradientProblem own = *problem;
  const GradientProblem *p = &own;
  PetscFunctionBegin;
  PetscCall(InputFileOf(p->in, p->read, &own.file));
  if (has_analysis(p->g, IN_MODEL)) PetscCall(MassGradient(p, wrong));
  if (!is_refused(wrong) && has_analysis(p->g, IN_EQUILIBRIUM)) PetscCall(EquilibriumGradient(p, wrong));
  if (!is_refused(wrong) && has_analysis(p->g, IN_MODES)) PetscCall(ModesGradient(p, wrong));
  if (!is_refused(wrong) && has_analysis(p->g, IN_RUN)) PetscCall(RunGradient(p, wrong));
  PetscCall(InputFileDestroy(&own.file));
  PetscFunctionReturn(0);
}

PetscErrorCode GradientDataDestroy(struct LimberGradientData *g) {
  PetscFunctionBegin;
  PetscCall(PetscFree4(g->quantity, g->parameter, g->value, g->d));
  PetscFunctionReturn(0);
}

PetscErrorCode GradientDataCreate(int quantities, int parameters, struct LimberGradientData *g) {
  PetscFunctionBegin;
  *g = (struct LimberGradientData){.quantities = quantities, .parameters = parameters};
  PetscCall(PetscCalloc4(quantities, &g->quantity, parameters, &g->parameter, quantities, &g->value,
                         quantities * parameters, &g->d));
  for (int i = 0; i < quantities * parameters; i++) g->d[i].check = g->d[i].check_error = g->d[i].elasticity = NAN;
  PetscFunctionReturn(0);
}

// ---- the check ----

static const double check_part = 2e-3; // of a parameter: the larger of two steps of differences

// The values of all quantities with another value of a parameter: whole analyses.
static PetscErrorCode FindValues(const GradientProblem *p, int parameter, double value, double *out, Refusal *wrong) {
  const struct LimberGradientData *g = p->g;
  struct LimberGradientData all;
  GradientProblem q = {.read = p->read, .method = LIMBER_GRADIENT_FORWARD, .g = &all};
  Input *in;
  char change[512];
  PetscFunctionBegin;
  parameter_change(&g->parameter[parameter], value, change, sizeof change);
  PetscCall(InputReadChanged(p->in, p->read, change, &in, wrong));
  PetscCall(GradientDataCreate(g->quantities, 0, &all));
  PetscCall(PetscArraycpy(all.quantity, g->quantity, g->quantities));
  q.in = in;
  if (!is_refused(wrong)) PetscCall(GradientValues(&q, wrong));
  PetscCall(PetscArraycpy(out, all.value, g->quantities));
  PetscCall(GradientDataDestroy(&all));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

static PetscErrorCode Check(const GradientProblem *p, int parameter, Refusal *wrong) {
  struct LimberGradientData *g = p->g;
  const GradientParameter *q = &g->parameter[parameter];
  double *value[4], delta = parameter_delta(q, check_part);
  PetscFunctionBegin;
  PetscCall(PetscMalloc4(g->quantities, &value[0], g->quantities, &value[1], g->quantities, &value[2], g->quantities,
                         &value[3]));
  for (int k = 0; k < 4 && !is_refused(wrong); k++)
    PetscCall(FindValues(p, parameter, q->value + (k % 2 ? -1 : 1) * (k < 2 ? delta : delta / 2), value[k], wrong));
  for (int i = 0; i < g->quantities && !is_refused(wrong); i++) {
    double coarse = (value[0][i] - value[1][i]) / (2 * delta), fine = (value[2][i] - value[3][i]) / delta;
    LimberDerivative *d = &g->d[i * g->parameters + parameter];
    d->check = (4 * fine - coarse) / 3, d->check_error = fabs(fine - coarse);
  }
  PetscCall(PetscFree4(value[0], value[1], value[2], value[3]));
  PetscFunctionReturn(0);
}

// ---- all ----

static void find_elasticities(struct LimberGradientData *g) {
  for (int i = 0; i < g->quantities; i++)
    for (int k = 0; k < g->parameters; k++)
      if (g->value[i] != 0 && g->parameter[k].value != 0)
        g->d[i * g->parameters + k].elasticity =
            g->d[i * g->parameters + k].value * g->parameter[k].value / g->value[i];
}

// The model with the values that parameters were given.
static PetscErrorCode ReadWithValues(GradientProblem *p, const char *const *text, Input **own, Refusal *wrong) {
  struct LimberGradientData *g = p->g;
  int given = 0, *which;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(g->parameters, &which));
  for (int i = 0; i < g->parameters; i++)
    if (strchr(text[i], '=')) which[given++] = i;
  if (given) {
    PetscCall(GradientRead(p, given, which, own, wrong));
    p->in = *own;
  }
  PetscCall(PetscFree(which));
  PetscFunctionReturn(0);
}

static void parse(const Input *in, const LimberGradientOptions *o, struct LimberGradientData *g, Refusal *wrong) {
  for (int i = 0; i < o->quantities; i++)
    if (!parse_quantity(o->quantity[i], &g->quantity[i], wrong)) return;
  for (int i = 0; i < o->parameters; i++) {
    if (!parse_parameter(in, o->parameter[i], &g->parameter[i], wrong)) return;
    for (int k = 0; k < i; k++)
      if (!strcmp(g->parameter[k].path, g->parameter[i].path)) {
        refuse(wrong, "the parameter '%s' is given twice", g->parameter[i].path);
        return;
      }
  }
  if (!o->quantities || !o->parameters) refuse(wrong, "there must be a quantity and a parameter");
}

PetscErrorCode GradientFind(const Input *in, SourceReader read, const LimberGradientOptions *options,
                            const GradientWatch *watch, LimberGradient *out, Refusal *wrong) {
  GradientProblem p = {.in = in,
                       .read = read,
                       .method = (LimberGradientMethod)options->method,
                       .states = options->states,
                       .watch = watch};
  LimberGradient g;
  Input *own = NULL;
  PetscFunctionBegin;
  *out = NULL, wrong->text[0] = 0;
  if (options->quantities < 0 || options->parameters < 0 ||
      (int64_t)options->quantities * options->parameters > LIMIT_POINTS)
    refuse(wrong, "too many derivatives: %s", LIMIT_POINTS_TEXT);
  else if (options->states < 0 || options->states == 1 || options->states > 1000000)
    refuse(wrong, "the adjoint method keeps 2 to 1 000 000 states of a run, not %d", options->states);
  else if (options->states && p.method == LIMBER_GRADIENT_FORWARD)
    refuse(wrong, "states of a run are kept by the adjoint method alone: choose it, or do not give their number");
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(PetscNew(&g));
  PetscCall(GradientDataCreate(options->quantities, options->parameters, g));
  p.g = g;
  parse(in, options, g, wrong);
  if (!is_refused(wrong)) PetscCall(ReadWithValues(&p, options->parameter, &own, wrong));
  if (!is_refused(wrong)) PetscCall(GradientEvaluate(&p, wrong));
  for (int i = 0; i < g->parameters && options->check && !is_refused(wrong); i++) PetscCall(Check(&p, i, wrong));
  if (!is_refused(wrong)) find_elasticities(g);
  if (own) PetscCall(InputDestroy(&own));
  if (is_refused(wrong)) PetscCall(GradientDestroy(&g));
  *out = g;
  PetscFunctionReturn(0);
}

PetscErrorCode GradientDestroy(LimberGradient *gradient) {
  PetscFunctionBegin;
  if (!*gradient) PetscFunctionReturn(0);
  PetscCall(GradientDataDestroy(*gradient));
  PetscCall(PetscFree(*gradient));
  PetscFunctionReturn(0);
}
