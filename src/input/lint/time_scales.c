// SPDX-License-Identifier: Apache-2.0
// Steps that are too long: amplitudes that change between them, beams that bend faster than they follow, contacts that are
// over within one.
// Equations: eq-law-contact (9.4).
#include "input/lint/lint.h"

#include <string.h>

enum { FINER = 8, FINEST = 1000, MOST_VALUES = 100000 }; // values between two steps, and of all functions: some ms

typedef struct {
  double largest, coarse, fine; // the last two: way up and down as seen at the steps, and `finer` times as often
} Variation;

static Variation course_of(Model m, LimberId amplitude, double h, int64_t steps, int finer) {
  Variation c = {fabs(model_amplitude(m, amplitude, 0)), 0, 0};
  double before = model_amplitude(m, amplitude, 0), start = before;
  for (int64_t k = 0; k < steps; k++) {
    for (int i = 1; i <= finer; i++) {
      double f = model_amplitude(m, amplitude, ((double)k + (double)i / finer) * h);
      c.fine += fabs(f - before), c.largest = fmax(c.largest, fabs(f));
      before = f;
    }
    c.coarse += fabs(before - start), start = before;
  }
  return c;
}

static Error WarnAboutAmplitudes(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  double h = r->in->options.step;
  int64_t varying = 0; // functions that are asked for at each time
  for (int i = 0; i < m->loads.count; i++) {
    LimberId f = model_load(m, i)->load.amplitude;
    if (!model_amplitude_constant(m, f)) varying += model_function(m, f)->size;
  }
  if (!varying) return 0;
  int64_t most = MOST_VALUES / FINER / varying, steps = r->in->steps < most ? r->in->steps : most;
  int finer = steps > 0 ? (int)fmin(FINEST, (double)MOST_VALUES / (double)(steps * varying)) : 0;
  for (int i = 0; i < m->loads.count && steps > 0; i++) {
    const ModelLoad *l = model_load(m, i);
    if (model_amplitude_constant(m, l->load.amplitude)) continue;
    Variation c = course_of(m, l->load.amplitude, h, steps, finer);
    if (c.fine > 2 * c.coarse && c.fine > 1e-6 * c.largest)
      TRY(ReportWarning(r, at->load[i],
                        "steps of %g s are too long for the amplitude of '%s', which changes between them", h,
                        l->name));
  }
  return 0;
}

// The first period of bending of all beams in one line, clamped at one end, of the softest section: 2 pi L^2/(3.516
// sqrt(EI/m)), longer than any that they have without bodies on them. 0: there are no beams; `first`: a component that is one.
static double slowest_period(Model m, int *first) {
  double length = 0, speed = INFINITY; // sqrt(EI/m)
  *first = -1;
  for (int e = 0; e < m->elements.count; e++) {
    const ModelElement *q = model_element(m, e);
    const LimberId *id = model_element_nodes(m, q);
    ElementPoint p;
    Inertia i;
    double l = 0, mass = 0;
    if (!q->kind->axes || !q->kind->station) continue;
    element_point(q->kind, q->data, 0, &p);
    for (int k = 0; k < q->nnode; k++) {
      q->kind->inertia(q->data, k, &i);
      mass += i.m;
      if (k) l += vec3_norm(vec3_sub(model_node(m, id[k])->x[0], model_node(m, id[k - 1])->x[0]));
    }
    if (p.law || p.rows.nrow != 6 || !(mass > 0)) continue;
    length += l, speed = fmin(speed, sqrt(fmin(p.stiffness[28], p.stiffness[35]) * l / mass));
    if (*first < 0) *first = q->component;
  }
  return *first < 0 ? 0 : 2 * 3.141592653589793 * length * length / (3.516 * speed);
}

static Error WarnAboutBending(Reader *r, const ModelLocations *at) {
  int component;
  double h = r->in->options.step, period = slowest_period(r->model, &component);
  if (component >= 0 && h > 5 * period)
    TRY(ReportWarning(
        r, at->component[component],
        "steps of %g s are long against the bending of beams, whose slowest period is about %.2g s: decaying schemes "
        "damp it out, preserving ones carry it on as noise",
        h, period));
  return 0;
}

// All mass, and its moment of inertia about a point, in whichever direction it is largest.
static double all_mass(Model m) {
  double sum = 0;
  for (int e = 0; e < m->elements.count; e++)
    for (int a = 0; a < model_element(m, e)->nnode; a++) {
      const ModelElement *q = model_element(m, e);
      Inertia i;
      q->kind->inertia(q->data, a, &i);
      sum += i.m;
    }
  return sum;
}

static double all_inertia(Model m, Vec3 about) {
  double sum = 0;
  for (int e = 0; e < m->elements.count; e++)
    for (int a = 0; a < model_element(m, e)->nnode; a++) {
      const ModelElement *q = model_element(m, e);
      Inertia i;
      q->kind->inertia(q->data, a, &i);
      Vec3 x = vec3_sub(model_node(m, model_element_nodes(m, q)[a])->x[0], about);
      sum += i.m * vec3_dot(x, x) + 2 * vec3_norm(x) * vec3_norm(i.s) + i.j.m[0][0] + i.j.m[1][1] + i.j.m[2][2];
    }
  return sum;
}

// A mass m leaves a limit or a one-sided spring k after pi sqrt(m/k), and what meets it is hardly more than the mass of all.
static Error WarnAboutContact(Reader *r, const Law *l, double mass, const char *kind, const char *name,
                              SourceLocation at) {
  double k = l->limits ? l->limit_stiffness : 0, h = r->in->options.step;
  if (l->stiffness > 0 && (l->clearance > 0 || l->side)) k = fmax(k, l->stiffness);
  double lasts = 3.141592653589793 * sqrt(mass / k), power = pow(10, floor(log10(lasts / 8)));
  if (h > lasts && mass > 0)
    TRY(ReportWarning(
        r, at,
        "steps of %g s are longer than a contact of %s '%s' lasts, at most %.2g s: its force and the motion after it "
        "would be arbitrary; take steps of %g s",
        h, kind, name, lasts, floor(lasts / 8 / power) * power));
  return 0;
}

static Error WarnAboutContacts(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  double mass = -1; // summed where it is asked for
  for (int j = 0; j < m->joints.count; j++) {
    const ModelJoint *q = model_joint(m, j);
    for (int c = 0; c < q->joint.ncoord; c++) {
      if (!law_meets(&q->joint.law[c]) || q->joint.prescribed[c]) continue;
      bool angle = !strcmp(q->kind->coord_units[c], "rad");
      if (!angle && mass < 0) mass = all_mass(m);
      TRY(WarnAboutContact(r, &q->joint.law[c], angle ? all_inertia(m, q->joint.geometry.at[0]) : mass, q->kind->name,
                           q->name, at->joint[j]));
    }
  }
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *component = model_component(m, i);
    ElementPoint p = {.law = NULL};
    const ModelElement *e = component->count ? model_element(m, component->first) : NULL;
    if (!e || !e->kind->points(e->data)) continue;
    element_point(e->kind, e->data, 0, &p);
    if (!p.law || !law_meets(p.law) || p.weight != 1) continue; // of an elongation, not of a strain
    if (mass < 0) mass = all_mass(m);
    TRY(WarnAboutContact(r, p.law, mass, component->kind->name, component->name, at->component[i]));
  }
  return 0;
}

Error WarnAboutTimes(Reader *r, const ModelLocations *at) {
  if (r->in->options.control.on) return 0;
  TRY(WarnAboutAmplitudes(r, at));
  TRY(WarnAboutBending(r, at));
  TRY(WarnAboutContacts(r, at));
  return 0;
}
