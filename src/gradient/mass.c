// SPDX-License-Identifier: Apache-2.0
// The mass of all elements. Its derivatives are differences between models that were read with neighbouring values of a
// parameter: nothing is solved.
#include "gradient/gradient.h"

#include "analyses/read_changed.h"
#include "model/model.h"

#include <math.h>

static const double part = 5e-4; // of a parameter: a step of differences

// Nodes without a place are coordinates of a body that has its mass at other nodes.
static double mass_of(Model m) {
  double sum = 0;
  for (int e = 0; e < m->elements.count; e++) {
    const ModelElement *q = model_element(m, e);
    for (int a = 0; a < q->nnode; a++) {
      Inertia i;
      if (model_node(m, model_element_nodes(m, q)[a])->abstract) continue;
      q->kind->inertia(q->data, a, &i);
      sum += i.m;
    }
  }
  return sum;
}

static PetscErrorCode Differentiate(const GradientProblem *p, int parameter, LimberDerivative *out, Refusal *wrong) {
  const GradientParameter *q = &p->g->parameter[parameter];
  const Difference *w = &difference_of_six;
  double delta = parameter_delta(q, part), mass = mass_of(p->in->model), slope = 0, rough = 0;
  PetscFunctionBegin;
  for (int k = 0; k < w->points && !is_refused(wrong); k++) {
    char change[512];
    Input *in;
    parameter_change(q, q->value + w->at[k] * delta, change, sizeof change);
    PetscCall(InputFileReadChanged(p->file, p->in, change, &in, wrong));
    if (!is_refused(wrong))
      slope += w->weight[k] / delta * mass_of(in->model), rough += w->rough[k] / delta * mass_of(in->model);
    PetscCall(InputDestroy(&in));
  }
  out->value = slope;
  out->error = 5 * fabs(slope - rough) + PETSC_MACHINE_EPSILON * fabs(mass) / delta;
  PetscFunctionReturn(0);
}

PetscErrorCode MassGradient(const GradientProblem *p, Refusal *wrong) {
  struct LimberGradientData *g = p->g;
  PetscFunctionBegin;
  for (int i = 0; i < g->quantities && !is_refused(wrong); i++) {
    if (g->quantity[i].of != OF_MASS) continue;
    g->value[i] = mass_of(p->in->model);
    snprintf(g->quantity[i].unit, sizeof g->quantity[i].unit, "kg");
    for (int k = 0; k < g->parameters && !is_refused(wrong); k++)
      PetscCall(Differentiate(p, k, &g->d[i * g->parameters + k], wrong));
  }
  PetscFunctionReturn(0);
}
