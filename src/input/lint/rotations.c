// SPDX-License-Identifier: Apache-2.0
// Flexible bodies of points that turn at the start under a decaying scheme. Those that fly free turn without cost; at joints or fixed
// nodes a stiff one loses c (omega h)^2 of the energy of its rotation a step (docs/theory), c = loss_1 (a_10/a_11)^2 of the tableau.
// And whatever turns so far in a step, by a drive or at the start, that what is reported of it is not that of the motion.
// Equations: eq-rotation-cost (8.1), eq-rotation-cost-time (8.2), eq-steps-rotation (14.4).
#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "mechanics/corotation.h"
#include "model/rotation_error.h"
#include "schemes/scheme.h"

#include <math.h>
#include <string.h>

static const double pi = 3.141592653589793, smallest_reported = 0.01; // of the energy, in a turn

static double cost_of(const LimberOptions *o) {
  const SchemeKind *kind = scheme_kind(o->scheme);
  StepRule rule = {0};
  if (!kind || kind->make(o, &rule).text || rule.tableau.s != 2 || !(rule.tableau.a[1][1] > 0)) return 0;
  double ratio = rule.tableau.a[1][0] / rule.tableau.a[1][1];
  return rule.tableau.loss[1] * ratio * ratio;
}

// At which rate a component of elastic elements between points turns, all of it; 0 where it is none.
static double rate_of(Model m, const ModelComponent *component) {
  double mass = 0;
  Vec3 first = vec3_zero(), momentum = first, angular = first;
  Mat3 inertia = mat3_zero();
  for (int pass = 0; pass < 2; pass++)
    for (int e = component->first; e < component->first + component->count; e++) {
      const ModelElement *q = model_element(m, e);
      if (q->kind->points(q->data) == 0) return 0;
      for (int a = 0; a < q->nnode; a++) {
        int id = model_element_nodes(m, q)[a];
        Inertia i;
        Vec3 x = model_node(m, id)->x[0], v, w;
        if (model_node(m, id)->kind == NODE_FRAME) return 0;
        q->kind->inertia(q->data, a, &i);
        model_velocity(m, id, &v, &w);
        if (pass == 0) mass += i.m, first = vec3_axpy(first, i.m, x), momentum = vec3_axpy(momentum, i.m, v);
        if (pass == 0 || !(mass > 0)) continue;
        Vec3 r = vec3_axpy(x, -1 / mass, first);
        angular = vec3_axpy(angular, i.m, vec3_cross(r, vec3_axpy(v, -1 / mass, momentum)));
        inertia = mat3_add(inertia, mat3_scale(i.m * vec3_dot(r, r), mat3_identity()));
        inertia = mat3_sub(inertia, mat3_scale(i.m, mat3_outer(r, r)));
      }
    }
  return vec3_norm(corotation_rate(angular, inertia));
}

static bool is_constrained(Model m, const ModelComponent *component, const bool *constrained) {
  for (int e = component->first; e < component->first + component->count; e++)
    for (int a = 0; a < model_element(m, e)->nnode; a++)
      if (constrained[model_element_nodes(m, model_element(m, e))[a]]) return true;
  return false;
}

static Error WarnAboutLoss(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  const LimberOptions *o = &r->in->options;
  double cost = cost_of(o);
  bool *constrained;
  if (!(cost > 0) || o->control.on) return 0;
  TRY(MemoryNew((size_t)m->nodes.count * sizeof *constrained, &constrained));
  for (int i = 0; i < m->nodes.count; i++) constrained[i] = o->literal_jump || model_node(m, i)->kind == NODE_FIXED;
  for (int j = 0; j < m->joints.count; j++)
    for (int a = 0; a < model_joint(m, j)->nnode; a++) constrained[model_joint(m, j)->node[a]] = true;
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *component = model_component(m, i);
    double rate = is_constrained(m, component, constrained) ? rate_of(m, component) : 0,
           loss_fraction = 2 * pi * cost * rate * o->step;
    if (!(loss_fraction > smallest_reported)) continue;
    TRY(ReportWarning(
        r, at->component[i],
        "%s '%s' turns at %.3g rad/s and is %s: with steps of %g s %s takes up to %.0f %% of the energy of its "
        "rotation in a turn; use steps of %.1g s or scheme preserving",
        component->kind->name, component->name, rate, o->literal_jump ? "made of points" : "constrained at its points",
        o->step, limber_scheme_name(o->scheme), 100 * loss_fraction / (1 + loss_fraction),
        smallest_reported * o->step / loss_fraction));
  }
  memory_free(&constrained);
  return 0;
}

// ---- rotation per step ----

// `what` turns at the rate (rad/s) somewhere in the run.
static Error ReportRotation(Reader *r, SourceLocation at, const StepRule *rule, const char *what, double rate) {
  double h = r->in->options.step, phi = fabs(rate) * h;
  RotationError e;
  char error[256];
  scheme_rotation_error(rule, phi, &e);
  say_rotation_error(&e, h, error, sizeof error);
  if (phi > MOST_ROTATION * (1 + 1e-9) && error[0])
    TRY(ReportWarning(r, at, "%s turns by %.3g rad per step of %g s: %s", what, phi, h, error));
  return 0;
}

// The largest rate of a drive at a thousand times of the run.
static double largest_rate(const Reader *r, const Load *l) {
  enum { TIMES = 1000 };
  double most = 0;
  for (int i = 0; i <= TIMES; i++) most = fmax(most, fabs(model_drive_rate(r->model, l, r->in->end * i / TIMES)));
  return most;
}

static bool is_angle(const ModelJoint *j, int coord) { return !strcmp(j->kind->coord_units[coord], "rad"); }

static Error WarnAboutDrives(Reader *r, const ModelLocations *at, const StepRule *rule) {
  const LimberModel m = r->model;
  char what[256];
  for (int i = 0; i < m->loads.count; i++) {
    const ModelLoad *l = model_load(m, i);
    if (!load_prescribes(&l->load) || !is_angle(model_joint(m, l->load.id), l->load.coord)) continue;
    snprintf(what, sizeof what, "what %s '%s' drives", l->kind->name, l->name);
    TRY(ReportRotation(r, at->load[i], rule, what, largest_rate(r, &l->load)));
  }
  for (int j = 0; j < m->joints.count; j++) {
    const ModelJoint *q = model_joint(m, j);
    snprintf(what, sizeof what, "what %s '%s' carries", q->kind->name, q->name);
    for (int c = 0; c < q->joint.ncoord; c++)
      if (q->joint.law[c].initial_rate && is_angle(q, c))
        TRY(ReportRotation(r, at->joint[j], rule, what, *q->joint.law[c].initial_rate));
  }
  return 0;
}

// The frame of each component that turns fastest at the start; of a motion of all nodes the first alone is named.
static Error WarnAboutNodes(Reader *r, const ModelLocations *at, const StepRule *rule) {
  const LimberModel m = r->model;
  double named = -1;
  char what[256];
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *component = model_component(m, i);
    double most = 0;
    for (int e = component->first; e < component->first + component->count; e++)
      for (int a = 0; a < model_element(m, e)->nnode; a++) {
        Vec3 v, w;
        model_velocity(m, model_element_nodes(m, model_element(m, e))[a], &v, &w);
        most = fmax(most, vec3_norm(w));
      }
    if (most == named || most == 0) continue;
    named = most;
    snprintf(what, sizeof what, "%s '%s'", component->kind->name, component->name);
    TRY(ReportRotation(r, at->component[i], rule, what, most));
  }
  return 0;
}

Error WarnAboutRotation(Reader *r, const ModelLocations *at) {
  const LimberOptions *o = &r->in->options;
  const SchemeKind *kind = scheme_kind(o->scheme);
  StepRule rule = {0};
  TRY(WarnAboutLoss(r, at));
  if (!kind || scheme_make(kind, o, &rule).text || rule.analysis || o->control.on) return 0;
  TRY(WarnAboutDrives(r, at, &rule));
  TRY(WarnAboutNodes(r, at, &rule));
  return 0;
}
