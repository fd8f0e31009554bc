// SPDX-License-Identifier: Apache-2.0
// Steps that are too long for what happens in them.
#include "input/excitation.h"
#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "mechanics/corotation.h"
#include "model/steps.h"
#include "schemes/scheme.h"

#include <math.h>
#include <string.h>

// Steps that are too long: amplitudes that change between them, beams that bend faster than they follow, contacts that
// are over within one.
// Equations: eq-law-contact (9.7).

enum { FINER = 8, FINEST = 1000, MOST_VALUES = 100000 }; // values between two steps, and of all functions: some ms

typedef struct {
  double largest, coarse, fine; // the last two: way up and down as seen at the steps, and `finer` times as often
} Variation;

static Variation course_of(Model m, int amplitude, double h, int64_t steps, int finer) {
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
  Excitation fastest;
  TRY(FindExcitation(r->in, &fastest));
  bool slow = h <= excitation_longest_step(&fastest) * (1 + 1e-9);
  if (!slow && fastest.load < 0)
    TRY(ReportWarning(r, r->in->run_location,
                      "steps of %g s are too long for the control block '%s', whose formula changes between them", h,
                      fastest.name));
  for (int i = 0; i < m->loads.count; i++) {
    int f = model_load(m, i)->load.amplitude;
    if (!model_amplitude_constant(m, f)) varying += model_function(m, f)->size;
  }
  if (!varying) return 0;
  int64_t most = MOST_VALUES / FINER / varying, steps = r->in->steps < most ? r->in->steps : most;
  int finer = steps > 0 ? (int)fmin(FINEST, (double)MOST_VALUES / (double)(steps * varying)) : 0;
  for (int i = 0; i < m->loads.count && steps > 0; i++) {
    const ModelLoad *l = model_load(m, i);
    if (model_amplitude_constant(m, l->load.amplitude)) continue;
    Variation c = course_of(m, l->load.amplitude, h, steps, finer);
    if ((c.fine > 2 * c.coarse && c.fine > 1e-6 * c.largest) || (!slow && fastest.load == i))
      TRY(ReportWarning(r, at->load[i],
                        "steps of %g s are too long for the amplitude of '%s', which changes between them", h,
                        l->name));
  }
  return 0;
}

// The first period of bending of all beams in one line, clamped at one end, of the softest section: 2 pi L^2/(3.516
// sqrt(EI/m)), longer than any that they have without bodies on them. 0: there are no beams; `first`: a component that
// is one.
static double slowest_period(Model m, int *first) {
  double length = 0, speed = INFINITY; // sqrt(EI/m)
  *first = -1;
  for (int e = 0; e < m->elements.count; e++) {
    const ModelElement *q = model_element(m, e);
    const int *id = model_element_nodes(m, q);
    ElementPoint p;
    Inertia i;
    double l = 0, mass = 0;
    if (!q->kind->line.axes || !q->kind->line.station) continue;
    element_point(q->kind, q->data, 0, &p);
    for (int k = 0; k < q->nnode; k++) {
      q->kind->inertia(q->data, k, &i);
      mass += i.m;
      if (k) l += vec3_norm(vec3_sub(model_node(m, id[k])->x[0], model_node(m, id[k - 1])->x[0]));
    }
    if (!p.stiffness || p.rows.nrow != 6 || !(mass > 0)) continue;
    length += l, speed = fmin(speed, sqrt(fmin(p.stiffness[28], p.stiffness[35]) * l / mass));
    if (*first < 0) *first = q->component;
  }
  return *first < 0 ? 0 : 2 * 3.141592653589793 * length * length / (3.516 * speed);
}

static Error WarnAboutBending(Reader *r, const ModelLocations *at) {
  int component;
  double h = r->in->options.step, period = slowest_period(r->model, &component);
  if (component >= 0 && h > 5 * period)
    TRY(ReportWarning(r, at->component[component],
                      "steps of %g s are long compared with the bending of beams, whose slowest period is about %.2g "
                      "s: decaying schemes damp it out, preserving ones keep it as noise",
                      h, period));
  return 0;
}

// The mass of all nodes with what inertia about any point is made of, summed once: a joint then asks for it in no time.
typedef struct {
  bool known;
  double mass, spread; // sum m, sum m |x - centre|^2
  double own, offset;  // sums of the moments of inertia of nodes, and of |s|^2/m, s: first moment of a node
  Vec3 centre;
} AllMass;

static void sum_masses(Model m, AllMass *all) {
  Vec3 first = vec3_zero();
  if (all->known) return;
  *all = (AllMass){.known = true};
  for (int pass = 0; pass < 2; pass++) {
    for (int e = 0; e < m->elements.count; e++) {
      const ModelElement *q = model_element(m, e);
      for (int a = 0; a < q->nnode; a++) {
        Vec3 x = model_node(m, model_element_nodes(m, q)[a])->x[0], from = vec3_sub(x, all->centre);
        Inertia i;
        q->kind->inertia(q->data, a, &i);
        if (pass) all->spread += i.m * vec3_dot(from, from);
        else all->mass += i.m, first = vec3_axpy(first, i.m, x), all->own += i.j.m[0][0] + i.j.m[1][1] + i.j.m[2][2];
        if (pass && i.m > 0) all->offset += vec3_dot(i.s, i.s) / i.m;
      }
    }
    if (all->mass > 0) all->centre = vec3_scale(1 / all->mass, first);
  }
}

// The moment of inertia of all about a point is at most this, in whichever direction it is largest: with y = |x -
// about|,
//   sum m y^2 + 2 y |s| + own  <=  Y^2 + 2 Y sqrt(offset) + own,   Y^2 = sum m y^2.
static double most_inertia(const AllMass *all, Vec3 about) {
  Vec3 from = vec3_sub(about, all->centre);
  double y2 = all->spread + all->mass * vec3_dot(from, from);
  return y2 + 2 * sqrt(y2 * all->offset) + all->own;
}

// A mass m leaves a limit or a one-sided spring k after pi sqrt(m/k), and what meets it is hardly more than the mass of
// all.
static Error WarnAboutContact(Reader *r, const Law *l, double mass, const char *kind, const char *name,
                              SourceLocation at) {
  double k = l->limits ? l->limit_stiffness : 0, h = r->in->options.step;
  if (l->stiffness > 0 && (l->clearance > 0 || l->side)) k = fmax(k, l->stiffness);
  double lasts = 3.141592653589793 * sqrt(mass / k), power = pow(10, floor(log10(lasts / 8)));
  if (h > lasts && mass > 0)
    TRY(ReportWarning(r, at,
                      "steps of %g s are longer than a contact of %s '%s' lasts, at most %.2g s: its force and the "
                      "motion after it would be arbitrary; use steps of %g s",
                      h, kind, name, lasts, floor(lasts / 8 / power) * power));
  return 0;
}

static Error WarnAboutContacts(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  AllMass all = {.known = false}; // summed where it is asked for
  for (int j = 0; j < m->joints.count; j++) {
    const ModelJoint *q = model_joint(m, j);
    for (int c = 0; c < q->joint.ncoord; c++) {
      if (!law_meets(&q->joint.law[c]) || q->joint.prescribed[c]) continue;
      bool angle = !strcmp(q->kind->coord_units[c], "rad");
      sum_masses(m, &all);
      TRY(WarnAboutContact(r, &q->joint.law[c], angle ? most_inertia(&all, q->joint.geometry.at[0]) : all.mass,
                           q->kind->name, q->name, at->joint[j]));
    }
  }
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *component = model_component(m, i);
    ElementPoint p;
    const ModelElement *e = component->count ? model_element(m, component->first) : NULL;
    if (!e || !e->kind->points(e->data)) continue;
    element_point(e->kind, e->data, 0, &p);
    const Law *law = element_contact(&p);
    if (!law || p.weight != 1) continue; // of an elongation, not of a strain
    sum_masses(m, &all);
    TRY(WarnAboutContact(r, law, all.mass, component->kind->name, component->name, at->component[i]));
  }
  return 0;
}

// Also of a run that shortens its steps.
Error WarnAboutFirstStep(Reader *r, const ModelLocations *at) {
  const Input *in = r->in;
  (void)at;
  if (!(in->wanted_step > 0)) return 0;
  return ReportWarning(
      r, in->run_location,
      "the first step is %.4g s, a millionth of the run: what is fastest in the model asks for steps of "
      "%.4g s, which are too many; give `step`, or a shorter `end`",
      in->options.step, in->wanted_step);
}

Error WarnAboutTimes(Reader *r, const ModelLocations *at) {
  if (r->in->options.control.on) return 0;
  TRY(WarnAboutAmplitudes(r, at));
  TRY(WarnAboutBending(r, at));
  TRY(WarnAboutContacts(r, at));
  return 0;
}

// Flexible bodies of points that turn at the start under a decaying scheme. Those that fly free turn without cost; at
// joints or fixed nodes a stiff one loses c (omega h)^2 of the energy of its rotation a step (docs/theory), c = loss_1
// (a_10/a_11)^2 of the tableau. And whatever turns so far in a step, by a drive or at the start, that what is reported
// of it is not that of the motion.
// Equations: eq-rotation-cost (8.1), eq-rotation-cost-time (8.2), eq-steps-rotation (14.4).

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
      bool frame = q->nnode == 1 && model_node(m, model_element_nodes(m, q)[0])->kind == NODE_FRAME;
      if (frame && component->count > 1) continue; // an interface of a reduced body
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
    TRY(ReportWarning(r, at->component[i],
                      "%s '%s' turns at %.3g rad/s and is %s: with steps of %g s %s dissipates up to %.0f %% of its "
                      "rotational energy per turn; use steps of %.1g s or scheme preserving",
                      component->kind->name, component->name, rate,
                      o->literal_jump ? "made of points" : "constrained at its points", o->step,
                      limber_scheme_name(o->scheme), 100 * loss_fraction / (1 + loss_fraction),
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
