// SPDX-License-Identifier: Apache-2.0
// Damping of masses (mechanics/node.h): its matrix on each local node, and its forces in a step.
#include "assembly/mass_damping.h"
#include "mechanics/node.h"

static double rate_of(Model m, const ModelElement *e) { return model_component(m, e->component)->mass_damping; }

// Elements give to their nodes in the order and share in which they give masses.
PetscErrorCode LayoutCreateMassDamping(Layout *l) {
  Inertia *sum;
  bool any = false;
  PetscFunctionBegin;
  for (PetscInt i = 0; i < l->model->components.count; i++) any = any || model_component(l->model, i)->mass_damping > 0;
  if (!any) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(l->nnode, &l->damped_mass));
  PetscCall(PetscCalloc1(l->nnode, &sum));
  for (PetscInt e = 0; e < l->nelement; e++) {
    const ModelElement *el = model_element(l->model, l->element[e]);
    double rate = rate_of(l->model, el);
    for (int a = 0; a < el->nnode && rate > 0; a++) {
      Inertia q;
      el->kind->inertia(el->data, a, &q);
      q = (Inertia){rate * q.m, vec3_scale(rate, q.s), mat3_scale(rate, q.j)};
      inertia_add(&sum[l->element_node[l->element_node_start[e] + a]], &q);
    }
  }
  for (PetscInt i = 0; i < l->nnode; i++) inertia_ambient(&sum[i], l->damped_mass[i]);
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

// Steps without inertia have no velocities; matrices.c has the damping of masses apart.
void equations_add_mass_damping(const Motion *moving, Equations *equations, PetscInt node, NodeKind kind,
                                const NodeMotion *motion) {
  VectorVelocity v = {.slope = 1 / moving->step.h};
  if (!moving->layout.damped_mass) return;
  const double(*d)[4] = (const double(*)[4])moving->layout.damped_mass[node];
  if (moving->layout.rule->end_velocity)
    moving->layout.rule->end_velocity(moving->layout.rule, moving->step.h, node_vectors(kind),
                                      step_node_state(&moving->state, &moving->step, node), &v);
  if (!moving->layout.rule->without_inertia)
    mass_damping_add(kind, moving->layout.rule->tableau.s, d, &v, motion, equations->scratch);
  if (moving->step.spin.rate != 0)
    mass_damping_add_rotation(kind, d, vec3_scale(moving->step.spin.rate, moving->step.spin.axis),
                              moving->step.spin.centre, motion, equations->scratch);
}

double step_mass_damping_work(const Layout *layout, const StepContext *step, PetscInt node) {
  const Tableau *t = &layout->rule->tableau;
  if (!layout->damped_mass) return 0;
  int nvec = node_vectors(model_node(layout->model, layout->node[node])->kind);
  return mass_damping_work(t, step->h, nvec, (const double(*)[4])layout->damped_mass[node], step->motion + node * t->s);
}
