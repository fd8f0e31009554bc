// SPDX-License-Identifier: Apache-2.0
// Numbers of sections and bodies that no mass can have, and numbers that look as if their units were left out.
#include "input/lint/lint.h"
#include "input/lint/series_findings.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <string.h>

// Sections whose numbers seem to be in another order, or belong to no mass: what `limber section` reports, in the same
// words.

Error ReportSeries(Reader *r, SourceLocation at, const char *name, const SectionSeries *s, Store *store) {
  SeriesFinding *found;
  int count;
  char stations[200];
  TRY(FindInSeries(store, s, &found, &count));
  for (int f = 0; f < count; f++) {
    if (found[f].level != FINDING_WARNING) continue;
    finding_stations(&found[f], s->count, stations, sizeof stations);
    if (found[f].whole) stations[0] = 0;
    TRY(ReportWarning(r, at, "section '%s'%s%s%s%s", name, *stations ? ", " : "", stations, *stations ? "," : "",
                      found[f].text));
  }
  return 0;
}

static Error WarnAboutSection(Reader *r, SourceLocation at, const ModelSection *section, Store *store) {
  bool *shape;
  TRY(StoreAllocate(store, (size_t)section->count * sizeof *shape, &shape));
  for (int k = 0; k < section->count; k++) shape[k] = model_section_has_shape(section, k);
  const SectionSeries s = {
      .section = section->station, .count = section->count, .axes = &section_axes_limber, .shape = shape};
  TRY(ReportSeries(r, at, section->name, &s, store));
  return 0;
}

Error WarnAboutSections(Reader *r, const ModelLocations *at) {
  for (int i = 0; i < r->model->sections.count; i++) {
    Store store = {0};
    if (model_section(r->model, i)->of_file) continue;
    Error error = WarnAboutSection(r, at->section[i], model_section(r->model, i), &store);
    TRY(StoreDestroy(&store));
    TRY(error);
  }
  return 0;
}

// Bodies whose inertia no mass can have.

// The tensor about the mass centre belongs to some mass if tr(J)/2 I - J, the integral of rho x x^T, is not negative.
static bool is_body(const Inertia *q) {
  Vec3 c = vec3_scale(1 / q->m, q->s);
  Mat3 j = mat3_add(q->j, mat3_scale(q->m, mat3_sub(mat3_outer(c, c), mat3_scale(vec3_dot(c, c), mat3_identity()))));
  double trace = j.m[0][0] + j.m[1][1] + j.m[2][2], small = 1e-6 * trace;
  Mat3 e = mat3_sub(mat3_scale(0.5 * trace + small, mat3_identity()), j);
  double minor = e.m[0][0] * e.m[1][1] - e.m[0][1] * e.m[1][0];
  return !(trace > 0) || (e.m[0][0] >= 0 && e.m[1][1] >= 0 && e.m[2][2] >= 0 && minor >= 0 && mat3_det(e) >= 0);
}

static Error WarnAboutBody(Reader *r, const ModelComponent *component, const ModelElement *e, SourceLocation at) {
  Inertia q;
  e->kind->inertia(e->data, 0, &q);
  if (q.m > 0 && !is_body(&q))
    TRY(ReportWarning(r, at,
                      "the inertia of '%s' is impossible: each moment of inertia is at most the sum of the two others",
                      component->name));
  return 0;
}

Error WarnAboutBodies(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *component = model_component(m, i);
    const ModelElement *e = component->count ? model_element(m, component->first) : NULL;
    if (e && e->nnode == 1) TRY(WarnAboutBody(r, component, e, at->component[i]));
  }
  return 0;
}

// Numbers that are clear of any machine and as they come from units that were left out: angles in degrees, gravity in
// mm/s^2, masses in g beside lengths in mm, a run that is over after one step.

// Limits are radians: those of more than two turns that are multiples of 5 are degrees.
static Error WarnAboutAngles(Reader *r, const ModelLocations *at) {
  Model m = r->model;
  for (int j = 0; j < m->joints.count; j++) {
    const ModelJoint *q = model_joint(m, j);
    for (int c = 0; c < q->joint.ncoord; c++) {
      const double *limits = q->joint.law[c].limits;
      if (!limits || strcmp(q->kind->coord_units[c], "rad") != 0) continue;
      double most = fmax(fabs(limits[0]), fabs(limits[1]));
      if (!(most >= 15 && most <= 1e6) || fmod(limits[0], 5) != 0 || fmod(limits[1], 5) != 0) continue;
      TRY(ReportWarning(
          r, at->joint[j],
          "the limits [%g, %g] of `%s` of '%s' are radians, %.3g turns: write [%g deg, %g deg] if they are "
          "degrees",
          limits[0], limits[1], q->kind->coord_names[c], q->name, most / 6.283185307179586, limits[0], limits[1]));
    }
  }
  return 0;
}

static Error WarnAboutGravity(Reader *r, const ModelLocations *at) {
  static const struct {
    double value;
    const char *unit;
  } others[] = {{9810, "mm/s^2"}, {981, "cm/s^2"}, {386.1, "in/s^2"}, {32.174, "ft/s^2"}};
  Model m = r->model;
  for (int i = 0; i < m->loads.count; i++) {
    const ModelLoad *l = model_load(m, i);
    double size = vec3_norm(l->load.acceleration);
    for (size_t k = 0; k < sizeof others / sizeof others[0] && l->load.target == LOAD_FIELD; k++)
      if (fabs(size - others[k].value) < 2e-3 * others[k].value)
        TRY(ReportWarning(
            r, at->load[i],
            "the acceleration of '%s' is %g m/s^2, which is the gravity of the earth in %s: write the unit", l->name,
            size, others[k].unit));
  }
  return 0;
}

// ---- masses and lengths ----

// A body of less than a hundred-thousandth of a kilogram in a cube of its radius of gyration is thinner than any gas;
// an arm from a joint, which is rigid and has no mass of its own, may carry a hundredth of that. Masses of less than
// 0.1 g are often chosen, where a body has to have one.
static const double thin = 1e-5, thinnest = 1e-7, chosen = 1e-4; // kg/m^3, kg

static Error WarnAboutThinBody(Reader *r, const ModelComponent *c, const ModelElement *e, SourceLocation at) {
  Inertia q;
  e->kind->inertia(e->data, 0, &q);
  double radius = q.m > 0 ? sqrt(0.5 * (q.j.m[0][0] + q.j.m[1][1] + q.j.m[2][2]) / q.m) : 0;
  if (q.m >= chosen && q.m < thin * radius * radius * radius)
    TRY(ReportWarning(r, at,
                      "'%s' has a mass of %g kg and a radius of gyration of %.3g m: its density would be far below "
                      "that of air; check the units of its mass (kg) and of each number of its inertia (kg m^2)",
                      c->name, q.m, radius));
  return 0;
}

static Error WarnAboutArms(Reader *r, const ModelLocations *at, const double *mass) {
  Model m = r->model;
  for (int j = 0; j < m->joints.count; j++) {
    const ModelJoint *q = model_joint(m, j);
    if (q->kind->mark == MARK_TIE || q->kind->mark == MARK_WELD || !q->joint.ncoord) continue;
    for (int i = 0; i + 1 < q->nnode && i < 2; i++) {
      const ModelNode *node = model_node(m, q->node[i]);
      double arm = vec3_norm(vec3_sub(node->x[0], q->joint.geometry.at[i])), own = mass[q->node[i]];
      if (node->kind != NODE_FRAME || !(own >= chosen && own < thinnest * arm * arm * arm)) continue;
      TRY(ReportWarning(r, at->joint[j],
                        "'%s' has a rigid arm of %g m to '%s', where there are only %g kg: check the units of "
                        "positions (m) and masses (kg)",
                        q->name, arm, node->name ? node->name : "a node", own));
      break;
    }
  }
  return 0;
}

static Error WarnAboutMasses(Reader *r, const ModelLocations *at) {
  Model m = r->model;
  double *mass;
  TRY(MemoryNew((size_t)(m->nodes.count + 1) * sizeof *mass, &mass));
  for (int e = 0; e < m->elements.count; e++) {
    const ModelElement *q = model_element(m, e);
    for (int a = 0; a < q->nnode; a++) {
      Inertia i;
      q->kind->inertia(q->data, a, &i);
      mass[model_element_nodes(m, q)[a]] += i.m;
    }
  }
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *c = model_component(m, i);
    const ModelElement *e = c->count ? model_element(m, c->first) : NULL;
    if (e && e->nnode == 1) TRY(WarnAboutThinBody(r, c, e, at->component[i]));
  }
  Error error = WarnAboutArms(r, at, mass);
  memory_free(&mass);
  return error;
}

Error WarnAboutUnits(Reader *r, const ModelLocations *at) {
  TRY(WarnAboutAngles(r, at));
  TRY(WarnAboutGravity(r, at));
  TRY(WarnAboutMasses(r, at));
  return 0;
}
