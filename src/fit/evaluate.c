// SPDX-License-Identifier: Apache-2.0
// A model as a function of some of its numbers: values and derivatives of quantities.
#include "fit/tuned.h"

#include "assembly/ranks.h"

#include <math.h>
#include <string.h>

static const double difference_part = 1e-4; // of a parameter: half the distance of two analyses
static const double least_size = 1e-6;      // of its scale: smaller values are as 0

PetscErrorCode TunedCreate(const Input *in, SourceReader read, int parameters, const TunedParameter *tuned,
                           int quantities, const GradientQuantity *quantity, TunedModel *m) {
  PetscFunctionBegin;
  *m = (TunedModel){.in = in, .read = read, .tuned = tuned};
  PetscCall(GradientDataCreate(quantities, parameters, &m->g));
  PetscCall(PetscArraycpy(m->g.quantity, quantity, quantities));
  PetscCall(PetscMalloc1(parameters, &m->scale));
  for (int i = 0; i < parameters; i++) {
    const TunedParameter *t = &tuned[i];
    GradientParameter *p = &m->g.parameter[i];
    snprintf(p->path, sizeof p->path, "%s", t->path), snprintf(p->unit, sizeof p->unit, "%s", t->unit);
    p->value = t->start;
    m->scale[i] = t->start != 0 ? fabs(t->start) : isfinite(t->to - t->from) ? t->to - t->from : 1;
    p->size = least_size * m->scale[i];
  }
  PetscFunctionReturn(0);
}

PetscErrorCode TunedCheckUnit(Units **units, const char *of, const char *unit, const char *own, Refusal *wrong) {
  UnitsResult result = UNITS_GOOD;
  PetscFunctionBegin;
  if (*own) PetscCall(UnitsCompare(units, own, strcmp(unit, "1") ? unit : "", &result));
  if (result != UNITS_GOOD) refuse(wrong, "%s is in %s, but the file gives it in %s", of, unit, own);
  PetscFunctionReturn(0);
}

PetscErrorCode TunedDestroy(TunedModel *m) {
  PetscFunctionBegin;
  PetscCall(GradientDataDestroy(&m->g));
  PetscCall(PetscFree(m->scale));
  PetscFunctionReturn(0);
}

void check_tuned_starts(int parameters, const TunedParameter *tuned, Refusal *wrong) {
  for (int i = 0; i < parameters && !is_refused(wrong); i++)
    if (tuned[i].start < tuned[i].from || tuned[i].start > tuned[i].to)
      refuse(wrong, "the start value of '%s' is outside of its bounds", tuned[i].path);
}

void tuned_bounds(const TunedModel *m, int i, double *low, double *high) {
  const TunedParameter *t = &m->tuned[i];
  *low = isfinite(t->from) ? (t->from - t->start) / m->scale[i] : -INFINITY;
  *high = isfinite(t->to) ? (t->to - t->start) / m->scale[i] : INFINITY;
}

// Bounds are met exactly.
static double parameter_at(const TunedModel *m, int i, double x) {
  const TunedParameter *t = &m->tuned[i];
  return fmin(fmax(t->start + m->scale[i] * x, t->from), t->to);
}

// `values`: of ordinary runs, which support every model.
static PetscErrorCode EvaluateHere(TunedModel *m, bool derivatives, bool values, Refusal *wrong) {
  GradientProblem p = {.in = m->in, .read = m->read, .method = LIMBER_GRADIENT_FORWARD, .g = &m->g};
  int parameters = m->g.parameters;
  Input *own = NULL;
  PetscFunctionBegin;
  PetscCall(GradientRead(&p, parameters, NULL, &own, wrong));
  p.in = own;
  m->g.remarks[0] = 0;
  if (m->halved) own->options.step /= 2, own->steps *= 2;
  if (!derivatives) m->g.parameters = 0, m->runs++;
  else m->gradients++;
  if (!is_refused(wrong) && values) PetscCall(GradientValues(&p, wrong));
  else if (!is_refused(wrong)) PetscCall(GradientEvaluate(&p, wrong));
  m->g.parameters = parameters;
  PetscCall(InputDestroy(&own));
  MPI_Comm comm = model_communicator(m->in->model);
  PetscCallMPI(MPI_Bcast(m->g.value, m->g.quantities, MPI_DOUBLE, 0, comm));
  if (derivatives)
    PetscCallMPI(MPI_Bcast(m->g.d, (PetscMPIInt)(m->g.quantities * parameters * (int)(sizeof *m->g.d / sizeof(double))),
                           MPI_DOUBLE, 0, comm));
  PetscFunctionReturn(0);
}

// Central differences, of four values to each side of a parameter two at a time; how far they disagree is the error.
static PetscErrorCode FindDifferences(TunedModel *m, Refusal *wrong) {
  struct LimberGradientData *g = &m->g;
  double *keep, *side[2];
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(g->quantities, &keep, g->quantities, &side[0], g->quantities, &side[1]));
  PetscCall(PetscArraycpy(keep, g->value, g->quantities));
  for (int k = 0; k < g->parameters && !is_refused(wrong); k++) {
    double at = g->parameter[k].value,
           delta = difference_part * (at != 0 ? fmax(fabs(at), g->parameter[k].size) : m->scale[k]);
    for (int length = 1; length <= 2 && !is_refused(wrong); length++) {
      for (int s = 0; s < 2 && !is_refused(wrong); s++) {
        g->parameter[k].value = at + (s ? 1 : -1) * length * delta;
        PetscCall(EvaluateHere(m, false, true, wrong));
        PetscCall(PetscArraycpy(side[s], g->value, g->quantities));
      }
      for (int i = 0; i < g->quantities; i++) {
        LimberDerivative *d = &g->d[i * g->parameters + k];
        double slope = (side[1][i] - side[0][i]) / (2 * length * delta);
        if (length == 1) d->value = slope;
        else d->error = fabs(slope - d->value);
      }
    }
    g->parameter[k].value = at;
  }
  PetscCall(PetscArraycpy(g->value, keep, g->quantities));
  PetscCall(PetscFree3(keep, side[0], side[1]));
  PetscFunctionReturn(0);
}

PetscErrorCode TunedEvaluate(TunedModel *m, const double *x, bool derivatives, Refusal *wrong) {
  PetscFunctionBegin;
  for (int i = 0; i < m->g.parameters; i++) m->g.parameter[i].value = parameter_at(m, i, x[i]);
  PetscCall(EvaluateHere(m, derivatives && !m->differences, m->differences, wrong));
  if (derivatives && m->differences && !is_refused(wrong)) PetscCall(FindDifferences(m, wrong));
  PetscFunctionReturn(0);
}

PetscErrorCode TunedEvaluateHalved(TunedModel *m, const double *x, Refusal *wrong) {
  PetscFunctionBegin;
  m->halved = true;
  PetscCall(TunedEvaluate(m, x, false, wrong));
  m->halved = false;
  PetscFunctionReturn(0);
}

PetscErrorCode TunedBegin(TunedModel *m, Refusal *why, Refusal *wrong) {
  double *x;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(m->g.parameters, &x));
  PetscCall(TunedEvaluate(m, x, true, why));
  m->differences = is_refused(why);
  if (m->differences) PetscCall(TunedEvaluate(m, x, false, wrong));
  PetscCall(PetscFree(x));
  PetscFunctionReturn(0);
}
