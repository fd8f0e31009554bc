// SPDX-License-Identifier: Apache-2.0
// Points along a beam or on faces against the size of what meets them: a sphere or rod that is smaller than the distance from one point to
// the next may slip between them.
#include "input/lint/lint.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "model/surface.h"

#include <string.h>

enum { MOST_PAIRS = 100000 };

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
    if (s->kind->look == SURFACE_LOOK_ROD) e.size = s->body.shape.offset > 0 ? s->body.shape.offset : HUGE_VAL;
    for (int k = 0; k < 3 && s->kind->look == SURFACE_LOOK_BOX; k++)
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
      "the points of '%s' are up to %.3g m apart, more than %.3g m, the radius at which '%s' meets them: it "
      "may slip between; use more `points`, a finer mesh or a `radius`",
      surface_name(row), a->spacing, size, surface_name(other));
}

// One warning for a contact; `pairs` counts those that were looked at.
static Error WarnOfContact(Reader *r, const Name *name, const Extent *extent, int *pairs) {
  Model m = r->model;
  const ModelContact *c = model_contact(m, name->id);
  int before = r->diagnostics->warnings;
  for (int a = 0; a < m->surfaces.count; a++)
    for (int b = 0; b < m->surfaces.count && extent[a].spacing > 0 && *pairs < MOST_PAIRS; b++, (*pairs)++) {
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
