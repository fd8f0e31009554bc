// SPDX-License-Identifier: Apache-2.0
// Contacts: surfaces that cannot meet, overlap at the start or slip through each other, and steps that miss an impact.
#include "input/lint/lint.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "model/model.h"

#include <string.h>

// Surfaces that can meet no other surface of their contact: they pass through each other without a warning.

enum { MOST_PAIRS = 1000000 };

// Why a surface meets none of a contact; NULL: it meets one, or is not part of it. `other`: one that it never meets.
static const char *meets_none(Model m, const ModelContact *c, int surface, int *pairs, int *other) {
  const ModelSurface *s = model_surface(m, surface);
  const char *why = NULL;
  if (c->members[surface] == 3 && s->count && model_point(m, s->first)->itself > 0) return NULL;
  for (int b = 0; b < c->count && *pairs < MOST_PAIRS; b++, ++*pairs) {
    const char *apart = model_contact_joins(c, surface, b) ? model_surfaces_apart(m, surface, b) : NULL;
    if (model_contact_joins(c, surface, b) && !apart) return NULL;
    if (apart && !why) why = apart, *other = b;
  }
  return *pairs < MOST_PAIRS ? why : NULL;
}

Error WarnAboutMeetings(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  (void)at;
  const Names *contacts = part_names(r, &part_contacts);
  for (int i = 0, pairs = 0; i < contacts->count && pairs < MOST_PAIRS; i++) {
    if (contacts->name[i].id < 0 || contacts->name[i].id >= m->contacts.count) continue;
    const ModelContact *c = model_contact(m, contacts->name[i].id);
    for (int a = 0, other = 0, told = false; a < c->count && !told && pairs < MOST_PAIRS; a++) {
      const char *why = meets_none(m, c, a, &pairs, &other);
      if (!why) continue;
      TRY(ReportWarning(r, contacts->name[i].at,
                        "'%s' cannot touch any other surface of this contact, not even '%s': %s",
                        surface_name(model_surface(m, a)), surface_name(model_surface(m, other)), why));
      told = true;
    }
  }
  return 0;
}

// Surfaces that overlap at the start, deeper than bodies that rest on each other: a contact throws them
// apart, or without penetration leaves them there. The worst pair of each contact is reported.

static const double deep = 0.1, deep_hard = 1e-3; // of the radius

typedef struct {
  Model m;
  const ModelContact *contact;
  double extent; // of the model
  int pairs;     // that were looked at, of all contacts
  // the worst pair: its depth over what is deep, its depth, its surfaces; it is a centre within a box
  double over, depth;
  int surface, other;
  bool swallowed;
  double energy; // of all pairs of the contact
} Overlap;

static bool is_on(const SurfacePoint *p, int node) {
  bool on = false;
  for (int a = 0; a < p->nnode; a++) on = on || p->node[a] == node;
  return on;
}

static bool share_node(const SurfacePoint *p, const SurfacePoint *q) {
  bool share = false;
  for (int a = 0; a < p->nnode; a++) share = share || is_on(q, p->node[a]);
  return share;
}

// A pair of the contact with its gap, whose law is that of a point of this weight and radius.
static void add_pair(Overlap *o, double gap, double weight, double radius, int surface, int other, bool swallowed) {
  const LimberContact *l = &o->contact->law;
  if (!(gap < 0)) return;
  ContactLaw law = {.hertz = l->hertz > 0, .hard = o->contact->hard};
  law.stiffness = weight * (law.hertz ? 4.0 / 3 * l->hertz * sqrt(radius) : l->stiffness);
  o->energy += contact_energy(&law, gap);
  double size = radius > 0 ? radius : 0.01 * o->extent, over = -gap / ((law.hard ? deep_hard : deep) * size);
  if (over <= o->over) return;
  o->over = over, o->depth = -gap, o->surface = surface, o->other = other, o->swallowed = swallowed;
}

static void add_body(Overlap *o, const SurfacePoint *p, int surface) {
  const SurfaceBody *b = &model_surface(o->m, surface)->body;
  Vec3 y[CONTACT_Y] = {vec3_sub(surface_point_position(o->m, p), surface_position(o->m, b->node, b->place))};
  GapSecant gap;
  if (is_on(p, b->node)) return;
  for (int d = 0; d < 3; d++) y[1 + d] = surface_position(o->m, b->node, b->direction[d]);
  gap_evaluate(b->kind, &b->shape, y, &gap);
  bool box = model_surface(o->m, surface)->kind->visual == SURFACE_VISUAL_BOX;
  add_pair(o, gap.gk - p->radius, p->weight, p->radius, p->surface, surface, box && gap.gk + b->shape.offset <= 0);
}

static void add_point(Overlap *o, const SurfacePoint *p, const SurfacePoint *q) {
  double sum = p->radius + q->radius, radius = sum > 0 ? p->radius * q->radius / sum : 0;
  if (share_node(p, q)) return;
  double gap = vec3_norm(vec3_sub(surface_point_position(o->m, p), surface_point_position(o->m, q))) - sum;
  add_pair(o, gap, p->weight * q->weight, radius, p->surface, q->surface, false);
}

// All pairs of two surfaces, as long as there are not too many.
static void add_surfaces(Overlap *o, int a, int b) {
  const ModelSurface *s = model_surface(o->m, a), *t = model_surface(o->m, b);
  bool bodies = s->body.kind || t->body.kind;
  for (int i = s->first; i < s->first + s->count && t->body.kind && o->pairs++ < MOST_PAIRS; i++)
    add_body(o, model_point(o->m, i), b);
  for (int i = t->first; i < t->first + t->count && s->body.kind && o->pairs++ < MOST_PAIRS; i++)
    add_body(o, model_point(o->m, i), a);
  for (int i = s->first; i < s->first + s->count && !bodies; i++)
    for (int j = t->first; j < t->first + t->count && o->pairs++ < MOST_PAIRS; j++)
      add_point(o, model_point(o->m, i), model_point(o->m, j));
}

static Error WarnOfWorst(Reader *r, const Overlap *o, SourceLocation at) {
  const char *first = surface_name(model_surface(o->m, o->surface)),
             *second = surface_name(model_surface(o->m, o->other));
  if (!(o->over > 1)) return 0;
  if (o->swallowed)
    return ReportWarning(
        r, at, "at the start the centre of '%s' is inside the box '%s', where no force acts on it: move one of them",
        first, second);
  if (o->contact->hard)
    return ReportWarning(r, at,
                         "at the start '%s' is %.3g m inside '%s': bodies that overlap at the start do not penetrate "
                         "further, but are not pushed out; move one of them",
                         first, o->depth, second);
  return ReportWarning(r, at,
                       "at the start '%s' is %.3g m inside '%s': the contact throws them apart with %.3g J; move one "
                       "of them, or name the `surfaces` that should touch",
                       first, o->depth, second, o->energy);
}

Error WarnAboutOverlaps(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  Overlap o = {.m = m, .extent = m->contacts.count ? nodes_extent(m, 0) : 0};
  (void)at;
  const Names *contacts = part_names(r, &part_contacts);
  for (int i = 0; i < contacts->count; i++) {
    if (contacts->name[i].id < 0 || contacts->name[i].id >= m->contacts.count) continue;
    o.contact = model_contact(m, contacts->name[i].id), o.over = o.energy = 0;
    for (int a = 0; a < m->surfaces.count && o.pairs < MOST_PAIRS; a++)
      for (int b = a + 1; b < m->surfaces.count && o.pairs++ < MOST_PAIRS; b++)
        if (model_contact_joins(o.contact, a, b) && !model_surfaces_apart(m, a, b)) add_surfaces(&o, a, b);
    TRY(WarnOfWorst(r, &o, contacts->name[i].at));
  }
  return 0;
}

// Points along a beam or on faces against the size of what meets them: a sphere or rod that is smaller than the
// distance from one point to the next may slip between them.

enum { MOST_SPACED_PAIRS = 100000 };

typedef struct {
  double spacing; // of its points; 0: it has no row of them
  double radius;  // of its points, the least
  double size;    // of the sphere or body that others feel, the least; infinite: nothing can slip past it
  bool bare;      // points without a radius and nothing else
} Extent;

static Vec3 node_position(Model m, int node) { return model_node(m, node)->x[0]; }

// The longest side of a face, or the length between two nodes, over the number of points along it.
static double point_spacing(Model m, const SurfacePoint *p, int points) {
  int corners = p->nnode == 6 ? 3 : p->nnode;
  double longest = 0, along = corners == 2 ? points : corners == 4 ? sqrt(points) : sqrt(2 * points + 0.25) - 0.5;
  for (int a = 0; a < corners; a++)
    longest =
        fmax(longest, vec3_norm(vec3_sub(node_position(m, p->node[(a + 1) % corners]), node_position(m, p->node[a]))));
  return longest / along;
}

static Extent surface_extent(Model m, const ModelSurface *s) {
  Extent e = {.radius = HUGE_VAL, .size = HUGE_VAL};
  for (int i = s->first, end; i < s->first + s->count; i = end) {
    const SurfacePoint *p = model_point(m, i);
    for (end = i + 1; end < s->first + s->count && model_point(m, end)->nnode == p->nnode &&
                      !memcmp(model_point(m, end)->node, p->node, sizeof p->node);
         end++) {}
    e.radius = fmin(e.radius, p->radius);
    if (p->nnode > 1) e.spacing = fmax(e.spacing, point_spacing(m, p, end - i));
  }
  if (s->body.kind) {
    if (s->kind->visual == SURFACE_VISUAL_ROD) e.size = s->body.shape.offset > 0 ? s->body.shape.offset : HUGE_VAL;
    for (int k = 0; k < 3 && s->kind->visual == SURFACE_VISUAL_BOX; k++)
      e.size = fmin(e.size, s->body.shape.size[k] + s->body.shape.offset);
  } else e.size = e.radius, e.bare = !(e.radius > 0);
  return e;
}

static Error WarnOfPair(Reader *r, const ModelSurface *row, const ModelSurface *other, const Extent *a, const Extent *b,
                        SourceLocation at) {
  if (a->bare && b->bare)
    return ReportWarning(r, at,
                         "'%s' and '%s' are points without a radius, which never touch: give one of them a `radius`",
                         surface_name(row), surface_name(other));
  double size = a->radius + b->size;
  if (!(a->spacing > size)) return 0;
  return ReportWarning(
      r, at,
      "the points of '%s' are up to %.3g m apart, more than %.3g m, the radius at which '%s' touches them: it "
      "may slip between; use more `points`, a finer mesh or a `radius`",
      surface_name(row), a->spacing, size, surface_name(other));
}

// One warning for a contact; `pairs` counts those that were looked at.
static Error WarnOfContact(Reader *r, const Name *name, const Extent *extent, int *pairs) {
  Model m = r->model;
  const ModelContact *c = model_contact(m, name->id);
  int before = r->diagnostics->warnings;
  for (int a = 0; a < m->surfaces.count; a++)
    for (int b = 0; b < m->surfaces.count && extent[a].spacing > 0 && *pairs < MOST_SPACED_PAIRS; b++, (*pairs)++) {
      if (model_contact_joins(c, a, b))
        TRY(WarnOfPair(r, model_surface(m, a), model_surface(m, b), &extent[a], &extent[b], name->at));
      if (r->diagnostics->warnings > before) return 0;
    }
  return 0;
}

Error WarnAboutSpacing(Reader *r, const ModelLocations *at) {
  Model m = r->model;
  Extent *extent;
  Error error = 0;
  int pairs = 0;
  (void)at;
  if (!m->contacts.count) return 0;
  TRY(MemoryNew((size_t)(m->surfaces.count + 1) * sizeof *extent, &extent));
  for (int i = 0; i < m->surfaces.count; i++) extent[i] = surface_extent(m, model_surface(m, i));
  const Names *contacts = part_names(r, &part_contacts);
  for (int i = 0; i < contacts->count && !error; i++)
    if (contacts->name[i].id >= 0 && contacts->name[i].id < m->contacts.count)
      error = WarnOfContact(r, &contacts->name[i], extent, &pairs);
  memory_free(&extent);
  return error;
}

// Steps against the time that a contact lasts: half a period of the mass on its spring, pi sqrt(m/k), or that of Hertz
// at a speed of 1 m/s. The mass is the largest at a node that carries a surface of the contact, so that all others last
// less.

enum { LEAST_STEPS = 5 };

// The largest mass at a node that moves with a sphere or box of the contact; infinite where it carries more than bodies
// of its own.
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
    TRY(ReportWarning(r, contacts->name[i].at,
                      "an impact lasts %.2g s or less, fewer than %d steps of %g s: its force is only approximate; use "
                      "a shorter step or a smaller stiffness",
                      lasts, LEAST_STEPS, step));
  }
  memory_free(&mass);
  return 0;
}
