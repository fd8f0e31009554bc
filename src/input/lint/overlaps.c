// SPDX-License-Identifier: Apache-2.0
// Surfaces that are in each other at the start, deeper than bodies that rest on each other: a contact throws them apart, or without
// penetration leaves them there. Of each contact the worst pair is told.
#include "input/lint/lint.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "model/surface.h"

enum { MOST_PAIRS = 1000000 };
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
  bool box = model_surface(o->m, surface)->kind->look == SURFACE_LOOK_BOX;
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
    return ReportWarning(r, at,
                         "at the start the centre of '%s' is inside the box '%s', where it feels no force: move one of "
                         "them",
                         first, second);
  if (o->contact->hard)
    return ReportWarning(r, at,
                         "at the start '%s' is %.3g m inside '%s', and stays there: without penetration bodies come no "
                         "deeper, but are not pushed out; move one of them",
                         first, o->depth, second);
  return ReportWarning(
      r, at,
      "at the start '%s' is %.3g m inside '%s': the contact throws them apart with %.3g J; move one of "
      "them, or name the `surfaces` that should meet",
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
