// SPDX-License-Identifier: Apache-2.0
#include "input/input.h"

#include "input/shapes/shape.h"
#include "model/visuals.h"
#include "model/model.h"

enum { COLOURS = 5, GROUND_COLOUR = 0xd3d6da, LEAST_TRIANGLES = 2000 };
static const int colours[COLOURS] = {0xc3b8a5, 0x9fb3c8, 0xb3c3a0, 0xcbaea2, 0xb3aac6};

typedef struct {
  LimberModel m;
  const ModelShape *sphere, *box, *cylinder; // of radius, sides and length 1
  const ModelShape *plate;                   // a box without its lower side
  Vec3 low, high;                            // of nodes and of surfaces without planes
  bool any, *skip;                           // nodes that have visuals
  int most, surface;                         // visuals; the surface under way
} SurfaceVisuals;

static void include(SurfaceVisuals *l, Vec3 x, double radius) {
  for (int k = 0; k < 2; k++) {
    Vec3 r = vec3(k ? radius : -radius, k ? radius : -radius, k ? radius : -radius), p = vec3_add(x, r);
    l->low = l->any ? vec3(fmin(l->low.x, p.x), fmin(l->low.y, p.y), fmin(l->low.z, p.z)) : p;
    l->high = l->any ? vec3(fmax(l->high.x, p.x), fmax(l->high.y, p.y), fmax(l->high.z, p.z)) : p;
    l->any = true;
  }
}

static void find_size(SurfaceVisuals *l) {
  Model m = l->m;
  for (int i = 1; i < m->nodes.count; i++) include(l, model_node(m, i)->x[0], 0);
  for (int i = 0; i < m->surfaces.count; i++) {
    const ModelSurface *s = model_surface(m, i);
    const SurfacePoint *p = s->count ? model_point(m, s->first) : NULL;
    if (s->kind->visual == SURFACE_VISUAL_SPHERE && p)
      include(l, surface_position(m, p->node[0], p->coef[0]), p->radius);
    else if (s->body.kind && s->kind->visual != SURFACE_VISUAL_PLANE && s->body.reach < HUGE_VAL)
      include(l, surface_position(m, s->body.node, s->body.place), s->body.reach);
  }
}

static Error MakeShape(SurfaceVisuals *l, Error (*make)(Triangles *), const ModelShape **out) {
  Triangles t = {.store = &l->m->store, .most = LEAST_TRIANGLES};
  ModelShape *s;
  if (*out) return 0;
  TRY(make(&t));
  TRY(ModelAllocate(l->m, sizeof *s, &s));
  s->triangles = t.triangles, s->vertex = (const float(*)[3])t.vertex;
  for (int i = 0; i < 3 * t.triangles; i++)
    for (int k = 0; k < 3; k++) {
      s->low[k] = !i || t.vertex[i][k] < s->low[k] ? t.vertex[i][k] : s->low[k];
      s->high[k] = !i || t.vertex[i][k] > s->high[k] ? t.vertex[i][k] : s->high[k];
    }
  *out = s;
  return 0;
}

static Error UnitSphere(Triangles *t) { return MakeSphere(1, t); }
static Error UnitBox(Triangles *t) { return MakeBox((const double[3]){1, 1, 1}, t); }
static Error UnitPlate(Triangles *t) {
  TRY(UnitBox(t));
  for (int i = 24; i < 30 && t->triangles == 12; i++) // the last side takes the place of the lower one
    for (int k = 0; k < 3; k++) t->vertex[i][k] = t->vertex[i + 6][k];
  t->triangles -= 2;
  return 0;
}
static Error UnitCylinder(Triangles *t) { return MakeCylinder(1, 1, t); }

// A shape whose origin and axes stand there at the start, in ground axes.
static Error AddVisual(SurfaceVisuals *l, int node, const ModelShape *shape, Vec3 at, Mat3 axes) {
  const ModelNode *n = model_node(l->m, node);
  ModelVisual visual = {.node = node, .component = LIMBER_NONE, .shape = shape, .turn = axes, .surface = true}, *to;
  visual.at = vec3_sub(at, n->x[0]), visual.plane = shape == l->plate;
  visual.colour = n->kind == NODE_FIXED ? GROUND_COLOUR : colours[l->surface % COLOURS];
  for (int k = 0; k < 3; k++) { // whether the node is within the shape
    Vec3 side = vec3(axes.m[0][k], axes.m[1][k], axes.m[2][k]);
    double most = fmax(-shape->low[k], shape->high[k]) * vec3_dot(side, side);
    visual.beside = visual.beside || fabs(vec3_dot(visual.at, side)) > most;
  }
  if (n->kind != NODE_POINT) {
    Mat3 back = mat3_transpose(node_axes(n->x));
    visual.at = mat3_apply(back, visual.at), visual.turn = mat3_mul(back, axes);
  }
  if (l->m->visuals.count >= l->most) return 0;
  TRY(ArrayAdd(&l->m->visuals, sizeof visual, &to));
  *to = visual;
  return 0;
}

static Mat3 ball(double radius) { return mat3_scale(radius, mat3_identity()); }

// Two directions across a unit vector.
static void across(Vec3 n, Vec3 e[2]) {
  Vec3 x = fabs(n.x) < 0.9 ? vec3(1, 0, 0) : vec3(0, 1, 0);
  e[0] = vec3_unit(vec3_axpy(x, -vec3_dot(x, n), n));
  e[1] = vec3_cross(n, e[0]);
}

static Error AddSphere(SurfaceVisuals *l, const ModelSurface *s) {
  const SurfacePoint *p = model_point(l->m, s->first);
  if (!(p->radius > 0)) return 0;
  TRY(MakeShape(l, UnitSphere, &l->sphere));
  return AddVisual(l, p->node[0], l->sphere, surface_position(l->m, p->node[0], p->coef[0]), ball(p->radius));
}

static Error AddRod(SurfaceVisuals *l, const SurfaceBody *b) {
  bool ends = b->shape.size[0] < HUGE_VAL;
  double radius = b->shape.offset, half = ends ? b->shape.size[0] : 0.75 * vec3_norm(vec3_sub(l->high, l->low));
  Vec3 at = surface_position(l->m, b->node, b->place), axis = surface_position(l->m, b->node, b->direction[0]), e[2];
  if (b->shape.sign < 0) return 0; // a pipe would hide what is in it
  across(axis, e);
  TRY(MakeShape(l, UnitCylinder, &l->cylinder));
  TRY(MakeShape(l, UnitSphere, &l->sphere));
  TRY(AddVisual(l, b->node, l->cylinder, at,
                mat3_columns(vec3_scale(radius, e[0]), vec3_scale(radius, e[1]), vec3_scale(2 * half, axis))));
  for (int k = -1; k < 2 && ends; k += 2)
    TRY(AddVisual(l, b->node, l->sphere, vec3_axpy(at, k * half, axis), ball(radius)));
  return 0;
}

static Error AddBox(SurfaceVisuals *l, const SurfaceBody *b) {
  Vec3 side[3];
  for (int k = 0; k < 3; k++)
    side[k] = vec3_scale(2 * (b->shape.size[k] + b->shape.offset), surface_position(l->m, b->node, b->direction[k]));
  TRY(MakeShape(l, UnitBox, &l->box));
  return AddVisual(l, b->node, l->box, surface_position(l->m, b->node, b->place),
                   mat3_columns(side[0], side[1], side[2]));
}

// A plate below the middle of the model: as wide as what is above it, and at least half as wide as the model is long.
static Error AddPlane(SurfaceVisuals *l, const SurfaceBody *b) {
  Vec3 at = surface_position(l->m, b->node, b->place), n = surface_position(l->m, b->node, b->direction[0]), e[2];
  Vec3 size = vec3_sub(l->high, l->low), middle = vec3_axpy(l->low, 0.5, size);
  across(n, e);
  double wide = 0.5 * vec3_norm(size);
  for (int k = 0; k < 2; k++)
    wide = fmax(wide, 1.3 * (fabs(e[k].x) * size.x + fabs(e[k].y) * size.y + fabs(e[k].z) * size.z));
  if (!(wide > 0)) wide = 1;
  double thick = 0.01 * wide, above = vec3_dot(vec3_sub(middle, at), n);
  TRY(MakeShape(l, UnitPlate, &l->plate));
  return AddVisual(l, b->node, l->plate, vec3_axpy(middle, -above - 0.5 * thick, n),
                   mat3_columns(vec3_scale(wide, e[0]), vec3_scale(wide, e[1]), vec3_scale(thick, n)));
}

static Error AddSurface(SurfaceVisuals *l, const ModelSurface *s) {
  int node = s->body.kind ? s->body.node : s->count ? model_point(l->m, s->first)->node[0] : LIMBER_NONE;
  if (node == LIMBER_NONE || l->skip[node]) return 0;
  switch (s->kind->visual) {
  case SURFACE_VISUAL_NONE: return 0;
  case SURFACE_VISUAL_SPHERE: return AddSphere(l, s);
  case SURFACE_VISUAL_PLANE: return AddPlane(l, &s->body);
  case SURFACE_VISUAL_ROD: return AddRod(l, &s->body);
  case SURFACE_VISUAL_BOX: return AddBox(l, &s->body);
  }
  return 0;
}

Error AddSurfaceVisuals(LimberModel m, int most_visuals, int most_triangles) {
  SurfaceVisuals l = {.m = m, .most = most_visuals};
  Error error = 0;
  if (!m->surfaces.count || most_triangles < 3 * LEAST_TRIANGLES) return 0;
  TRY(MemoryNew((size_t)m->nodes.count * sizeof *l.skip, &l.skip));
  for (int i = 0; i < m->visuals.count; i++)
    if (model_visual(m, i)->shape) l.skip[model_visual(m, i)->node] = true;
  find_size(&l);
  for (l.surface = 0; l.surface < m->surfaces.count && !error; l.surface++)
    error = AddSurface(&l, model_surface(m, l.surface));
  memory_free(&l.skip);
  return error;
}
