// SPDX-License-Identifier: Apache-2.0
#include "input/lint/lint.h"

// ---- sections ----

// The radii of gyration of stiffness and of mass about e2 and e3 are those of the same section.
static bool axes_are_swapped(const LimberSection *s) {
  double c2 = s->centre[1], c3 = s->centre[0];
  double j2 = s->inertia[1][1] - s->mass * c2 * c2, j3 = s->inertia[2][2] - s->mass * c3 * c3;
  double k2 = s->stiffness[4][4], k3 = s->stiffness[5][5];
  if (!(j2 > 0) || !(j3 > 0)) return false;
  return (k2 > 2 * k3 && j3 > 2 * j2) || (k3 > 2 * k2 && j2 > 2 * j3);
}

static Error WarnAboutSection(Reader *r, const ModelSection *section, SourceLocation at) {
  const LimberSection *s = section->station;
  const double(*c)[6] = s->stiffness, (*j)[3] = s->inertia, shear = fmax(c[1][1], c[2][2]);
  const char *name = section->name;
  if (!(s->mass > 0)) return 0; // a spring rather than a beam
  if (shear > 1.5 * c[0][0])
    TRY(ReportWarning(
        r, at,
        "section '%s' is stiffer in shear (%g N) than in tension (%g N): the order is axial, shear 2, shear 3, "
        "torsion, bending 2, bending 3",
        name, shear, c[0][0]));
  if (c[3][3] > 1.5 * (c[4][4] + c[5][5]))
    TRY(ReportWarning(
        r, at,
        "section '%s' is stiffer in torsion (%g N m2) than in bending about both axes together (%g N m2): the order "
        "is axial, shear 2, shear 3, torsion, bending 2, bending 3",
        name, c[3][3], c[4][4] + c[5][5]));
  if (j[1][1] + j[2][2] > 0 && j[0][0] > 1.001 * (j[1][1] + j[2][2]))
    TRY(ReportWarning(r, at,
                      "section '%s': no mass has the inertia %g about e1, which is more than %g + %g about e2 and e3",
                      name, j[0][0], j[1][1], j[2][2]));
  if (axes_are_swapped(s))
    TRY(ReportWarning(
        r, at,
        "section '%s' is stiff against bending about e%d, but its inertia is large about e%d: are two numbers "
        "swapped?",
        name, c[4][4] > c[5][5] ? 2 : 3, c[4][4] > c[5][5] ? 3 : 2));
  return 0;
}

// ---- bodies ----

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
    TRY(ReportWarning(
        r, at, "no body has the inertia of '%s': about each axis it is at most the sum of those about the two others",
        component->name));
  return 0;
}

// ---- lines ----

static double angle_between(Vec3 a, Vec3 b) { return atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b)); }

// How far the line of an element turns: between the section's first axis at its start, middle and end.
static double turned_angle(Model m, const ModelElement *e) {
  Vec3 x[MAX_LOCAL_VECTORS], y[MAX_Y], axis[3];
  int n = 0;
  for (int i = 0; i < e->nnode; i++) {
    const ModelNode *node = model_node(m, model_element_nodes(m, e)[i]);
    for (int k = 0; k < node_vectors(node->kind); k++) x[n++] = node->x[k];
  }
  for (int i = 0; i < 3; i++) {
    Rows rows;
    rows_begin(&rows);
    e->kind->station(e->data, 0.5 * i, &rows);
    if (rows.ny < 2) return 0;
    rows_interpolate(&rows, x, y);
    axis[i] = y[1];
  }
  return angle_between(axis[0], axis[1]) + angle_between(axis[1], axis[2]);
}

static Error WarnAboutCurve(Reader *r, const ModelComponent *component, SourceLocation at) {
  const double degree = 3.141592653589793 / 180;
  double most = 0, all = 0;
  int order = model_element(r->model, component->first)->nnode - 1;
  for (int e = component->first; e < component->first + component->count; e++) {
    double t = turned_angle(r->model, model_element(r->model, e));
    most = fmax(most, t), all += t;
  }
  if (most > 30.1 * degree * order)
    TRY(ReportWarning(
        r, at,
        "the line of '%s' turns by %.0f degrees from node to node, too far for its %d element%s of order %d; take "
        "at least %.0f",
        component->name, most / order / degree, component->count, component->count == 1 ? "" : "s", order,
        ceil(all / (30 * degree * order))));
  return 0;
}

// ---- joints ----

// The diagonal of the box that holds all nodes.
static double size_of(Model m) {
  Vec3 low = {0, 0, 0}, high = low;
  for (int i = 1; i < m->nodes.count; i++) {
    Vec3 x = model_node(m, i)->x[0];
    if (i == 1) low = high = x;
    low = vec3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
    high = vec3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
  }
  return vec3_norm(vec3_sub(high, low));
}

static Error WarnAboutJoint(Reader *r, const ModelJoint *j, double size, SourceLocation at) {
  double nearest = INFINITY;
  for (int k = 0; k + 1 < j->nnode; k++)
    for (int i = 0; i < 2 && j->node[k] != LIMBER_GROUND; i++)
      nearest = fmin(nearest, vec3_norm(vec3_sub(model_node(r->model, j->node[k])->x[0], j->joint.geometry.at[i])));
  if (size > 0 && nearest > 3 * size && nearest < INFINITY)
    TRY(ReportWarning(r, at, "the point of '%s' is %g m away from its nodes, in a model of %.3g m", j->name, nearest,
                      size));
  return 0;
}

// ---- all ----

static Error FindModelLocations(const Names *names, int count, SourceLocation **out) {
  TRY(MemoryNew((size_t)(count + 1) * sizeof **out, out));
  for (int i = 0; i < names->count; i++)
    if (names->name[i].id >= 0 && names->name[i].id < count) (*out)[names->name[i].id] = names->name[i].at;
  return 0;
}

Error ReportWarnings(Reader *r) {
  const LimberModel m = r->model;
  ModelLocations at = {0};
  double size = size_of(m);
  TRY(FindModelLocations(&r->elements, m->components.count, &at.component));
  TRY(FindModelLocations(&r->joints, m->joints.count, &at.joint));
  TRY(FindModelLocations(&r->loads, m->loads.count, &at.load));
  TRY(FindModelLocations(&r->sections, m->sections.count, &at.section));
  for (int i = 0; i < m->sections.count; i++) TRY(WarnAboutSection(r, model_section(m, i), at.section[i]));
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *component = model_component(m, i);
    if (!component->count) continue;
    const ModelElement *e = model_element(m, component->first);
    if (e->nnode == 1) TRY(WarnAboutBody(r, component, e, at.component[i]));
    if (component->kind->station && component->kind->axes) TRY(WarnAboutCurve(r, component, at.component[i]));
  }
  for (int j = 0; j < m->joints.count; j++) TRY(WarnAboutJoint(r, model_joint(m, j), size, at.joint[j]));
  TRY(WarnAboutUnconstrainedParts(r, &at));
  TRY(WarnAboutTimes(r, &at));
  TRY(WarnAboutRotation(r, &at));
  SourceLocation *locations[] = {at.component, at.joint, at.load, at.section};
  for (size_t i = 0; i < sizeof locations / sizeof locations[0]; i++) memory_free(&locations[i]);
  return 0;
}
