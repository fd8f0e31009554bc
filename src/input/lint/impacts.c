// SPDX-License-Identifier: Apache-2.0
// Steps against the time that a contact lasts: half a period of the mass on its spring, pi sqrt(m/k), or that of Hertz at a speed of
// 1 m/s. The mass is the largest at a node that carries a surface of the contact, so that all others last less.
#include "input/lint/lint.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

enum { LEAST_STEPS = 5 };

// The largest mass at a node that moves with a sphere or box of the contact; infinite where it carries more than bodies of its own.
static double largest_mass(Model m, const double *mass, const ModelContact *c, double *radius) {
  double most = 0;
  for (int i = 0; i < m->points.count; i++) {
    const SurfacePoint *p = model_point(m, i);
    if (p->surface >= c->count || !c->members[p->surface] || model_node(m, p->node[0])->kind == NODE_FIXED) continue;
    if (p->nnode > 1) return HUGE_VAL;
    if (mass[p->node[0]] > most) most = mass[p->node[0]], *radius = p->radius;
  }
  return most;
}

static double contact_duration(const LimberContact *l, double mass, double radius) {
  if (!(l->hertz > 0)) return 3.141592653589793 * sqrt(mass / l->stiffness);
  double k = 4.0 / 3 * l->hertz * sqrt(radius), depth = pow(1.25 * mass / k, 0.4);
  return 2.9432750 * depth;
}

Error WarnAboutImpacts(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  double *mass, step = r->in->options.step;
  (void)at;
  if (!m->contacts.count || !(step > 0)) return 0;
  TRY(MemoryNew((size_t)m->nodes.count * sizeof *mass, &mass));
  for (int e = 0; e < m->elements.count; e++) {
    const ModelElement *q = model_element(m, e);
    for (int a = 0; a < q->nnode; a++) {
      Inertia i;
      q->kind->inertia(q->data, a, &i);
      mass[model_element_nodes(m, q)[a]] += q->nnode > 1 ? HUGE_VAL : i.m; // of a flexible body the whole may take part
    }
  }
  for (int j = 0; j < m->joints.count; j++)
    for (int k = 0; k < model_joint(m, j)->nnode; k++) mass[model_joint(m, j)->node[k]] = HUGE_VAL;
  const Names *contacts = part_names(r, &part_contacts);
  for (int i = 0; i < contacts->count; i++) {
    if (contacts->name[i].id < 0 || contacts->name[i].id >= m->contacts.count) continue;
    const ModelContact *c = model_contact(m, contacts->name[i].id);
    double radius = 0, most = largest_mass(m, mass, c, &radius), lasts = contact_duration(&c->law, most, radius);
    if (!(most > 0) || !(lasts < LEAST_STEPS * step)) continue;
    TRY(ReportWarning(
        r, contacts->name[i].at,
        "an impact lasts %.2g s or less, fewer than %d steps of %g s: its force is only roughly found; use "
        "a shorter step or a smaller stiffness",
        lasts, LEAST_STEPS, step));
  }
  memory_free(&mass);
  return 0;
}
