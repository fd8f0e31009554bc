// SPDX-License-Identifier: Apache-2.0
// The list of pairs: points in the cells of a grid, and points near bodies.
#include "assembly/contacts.h"

#include <stdlib.h>
#include <string.h>

const char *contacts_forbidden(Model m, const StepRule *rule) {
  if (!m->contacts.count) return NULL;
  if (rule->without_inertia || rule->analysis)
    return "contacts are part of motions in time by the schemes `decaying`, `preserving` and decaying_a to decaying_c; "
           "statics, modes and the exponential schemes leave them out: remove `contacts` from the model";
  if (rule->composition) return "steps of order 4 and 6 go backwards, which an impact does not: leave out `order`";
  if (rule->tableau.force_rule == FORCE_END)
    return "contacts need a scheme whose energy balance closes: `decaying` or `preserving`";
  return NULL;
}

void contacts_touch_nodes(Model m, PetscInt *touched) {
  for (int i = 0; i < m->points.count && m->contacts.count; i++)
    for (int a = 0; a < model_point(m, i)->nnode; a++)
      if (!touched[model_point(m, i)->node[a]]) touched[model_point(m, i)->node[a]] = 2;
  for (int i = 0; i < m->surfaces.count && m->contacts.count; i++)
    if (model_surface(m, i)->body.kind && !touched[model_surface(m, i)->body.node])
      touched[model_surface(m, i)->body.node] = 2;
}

bool contacts_are_many(Model m) {
  enum { MANY = 150 };
  int moving = 0;
  for (int i = 0; i < m->points.count && m->contacts.count; i++)
    moving += model_node(m, model_point(m, i)->node[0])->kind != NODE_FIXED &&
              (!i || model_point(m, i)->node[0] != model_point(m, i - 1)->node[0]);
  return moving > MANY;
}

PetscErrorCode ContactSetCreate(System *s) {
  PetscFunctionBegin;
  if (!s->layout.model->contacts.count || contacts_forbidden(s->layout.model, s->rule)) PetscFunctionReturn(0);
  PetscCall(PetscNew(&s->contacts));
  PetscCall(PetscCalloc1(4 * s->layout.nnode, &s->contacts->at));
  PetscCall(ContactsList(s, 0));
  PetscFunctionReturn(0);
}

PetscErrorCode ContactSetDestroy(System *s) {
  PetscFunctionBegin;
  if (!s->contacts) PetscFunctionReturn(0);
  PetscCall(PetscFree(s->contacts->item));
  PetscCall(PetscFree(s->contacts->at));
  PetscCall(PetscFree(s->contacts->saved));
  PetscCall(PetscFree(s->contacts));
  PetscFunctionReturn(0);
}

// ---- motion since the list was made ----

static Vec3 place_of(const System *s, LimberId node, const double *coef, const Vec3 *x) {
  PetscInt i = s->layout.local_node[node];
  Vec3 y = vec3_zero();
  for (int j = 0; j < node_vectors(model_node(s->layout.model, node)->kind); j++)
    y = vec3_axpy(y, coef[j], x[4 * i + j]);
  return y;
}

static Vec3 point_of(const System *s, const SurfacePoint *p, const Vec3 *x) {
  Vec3 y = vec3_zero();
  for (int a = 0; a < p->nnode; a++) y = vec3_add(y, place_of(s, p->node[a], p->coef[a], x));
  return y;
}

// The vectors of all local nodes at the end of the step by the unknowns.
static PetscErrorCode EndVectors(const System *s, Vec3 **out) {
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(4 * s->layout.nnode, out));
  PetscCall(PetscArraycpy(*out, s->state.x, 4 * s->layout.nnode));
  for (PetscInt i = 1; i < s->layout.nnode; i++) {
    NodeKind kind = model_node(s->layout.model, s->layout.node[i])->kind;
    for (int j = 0; j < node_vectors(kind) && kind != NODE_FIXED; j++)
      (*out)[4 * i + j] = s->step.motion[i * s->rule->tableau.s].x[j];
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ContactsDistance(System *s, bool stepping, double *moved) {
  Model m = s->layout.model;
  Vec3 *end = NULL;
  PetscFunctionBegin;
  *moved = 0;
  if (stepping) PetscCall(EndVectors(s, &end));
  const Vec3 *x = stepping ? end : s->state.x, *at = s->contacts->at;
  for (int i = 0; i < m->points.count; i++) {
    const SurfacePoint *p = model_point(m, i);
    *moved = PetscMax(*moved, vec3_norm(vec3_sub(point_of(s, p, x), point_of(s, p, at))));
  }
  for (int i = 0; i < m->surfaces.count; i++) {
    const SurfaceBody *b = &model_surface(m, i)->body;
    if (!b->kind || model_node(m, b->node)->kind == NODE_FIXED) continue;
    PetscInt k = s->layout.local_node[b->node];
    double way = vec3_norm(vec3_sub(place_of(s, b->node, b->place, x), place_of(s, b->node, b->place, at)));
    double turn = 0, reach = PetscMin(b->reach, 10 * s->layout.length);
    for (int j = 1; j < 4; j++) turn = PetscMax(turn, vec3_norm(vec3_sub(x[4 * k + j], at[4 * k + j])));
    *moved = PetscMax(*moved, way + 1.8 * turn * reach);
  }
  if (!(*moved < HUGE_VAL)) *moved = HUGE_VAL;
  PetscCall(PetscFree(end));
  PetscFunctionReturn(0);
}

PetscErrorCode ContactsSpeed(System *s, double *speed) {
  Model m = s->layout.model;
  PetscFunctionBegin;
  *speed = 0;
  for (int i = 0; i < m->points.count; i++) {
    const SurfacePoint *p = model_point(m, i);
    for (int a = 0; a < p->nnode; a++) {
      Vec3 x[4], v, w, y;
      if (model_node(m, p->node[a])->kind == NODE_FIXED) continue;
      system_node_values(s, s->layout.local_node[p->node[a]], x, &v, &w);
      y = vec3_zero();
      for (int j = 1; j < 4; j++) y = vec3_axpy(y, p->coef[a][j], x[j]);
      *speed = PetscMax(*speed, vec3_norm(vec3_add(v, vec3_cross(w, y))));
    }
  }
  for (int i = 0; i < m->surfaces.count; i++) {
    const SurfaceBody *b = &model_surface(m, i)->body;
    Vec3 x[4], v, w;
    if (!b->kind || model_node(m, b->node)->kind == NODE_FIXED) continue;
    system_node_values(s, s->layout.local_node[b->node], x, &v, &w);
    *speed = PetscMax(*speed, vec3_norm(v) + vec3_norm(w) * PetscMin(b->reach, 10 * s->layout.length));
  }
  PetscFunctionReturn(0);
}

// ---- pairs ----

typedef struct {
  System *s;
  Vec3 *place; // of all points
  double skin;
  ContactItem *item;
  PetscInt count, room;
} List;

// Nodes of a pair in the model; false: it needs no force, or not on this rank.
static bool pair_nodes(const System *s, int count, const LimberId *node, ContactItem *c) {
  bool mine = false, moves = false;
  for (int a = 0; a < count; a++) {
    PetscInt i = c->node[a] = s->layout.local_node[node[a]];
    c->pair.node[a] = model_node(s->layout.model, node[a])->kind;
    for (int b = 0; b < a; b++)
      if (node[b] == node[a]) return false;
    if (c->pair.node[a] == NODE_FIXED) continue;
    if (!moves) c->primary = i < s->layout.nnode_own;
    moves = true, mine = mine || i < s->layout.nnode_own;
  }
  c->pair.nnode = count;
  return mine;
}

static ContactLaw law_of(const LimberContact *p, double weight, double radius) {
  bool hertz = p->hertz > 0;
  return (ContactLaw){.stiffness = weight * (hertz ? 4.0 / 3 * p->hertz * sqrt(radius) : p->stiffness),
                      .hertz = hertz,
                      .friction = p->friction,
                      .slip_speed = p->slip_speed,
                      .stick = p->friction > 0 ? weight * p->stick_stiffness : 0,
                      .stick_damping = p->stick_damping};
}

static PetscErrorCode AddItem(List *l, const ContactItem *c) {
  PetscFunctionBegin;
  if (l->count == l->room) {
    l->room = 2 * l->room + 64;
    PetscCall(PetscRealloc((size_t)l->room * sizeof *l->item, &l->item));
  }
  l->item[l->count++] = *c;
  PetscFunctionReturn(0);
}

static PetscErrorCode AddPointPair(List *l, int law, int i, int j) {
  System *s = l->s;
  const SurfacePoint *p[2] = {model_point(s->layout.model, i), model_point(s->layout.model, j)};
  const LimberContact *q = &model_contact(s->layout.model, law)->law;
  ContactItem c = {.law = law, .point = i, .other = j, .damper = contact_damper(q->restitution)};
  LimberId node[CONTACT_NODES];
  double radius[2] = {p[0]->radius, p[1]->radius};
  int count = 0;
  PetscFunctionBegin;
  for (int k = 0; k < 2; k++)
    for (int a = 0; a < p[k]->nnode; a++) {
      for (int v = 0; v < 4; v++) c.pair.y[0].coef[count][v] = (k ? -1 : 1) * p[k]->coef[a][v];
      node[count++] = p[k]->node[a];
    }
  if (!pair_nodes(s, count, node, &c)) PetscFunctionReturn(0);
  c.pair.kind = gap_find("point_point"), c.pair.shape = (GapShape){.sign = 1, .offset = radius[0] + radius[1]};
  c.pair.law = law_of(q, p[0]->weight * p[1]->weight, radius[0] * radius[1] / PetscMax(radius[0] + radius[1], 1e-300));
  PetscCall(AddItem(l, &c));
  PetscFunctionReturn(0);
}

static PetscErrorCode AddBodyPair(List *l, int law, int i, int surface) {
  System *s = l->s;
  const SurfacePoint *p = model_point(s->layout.model, i);
  const SurfaceBody *b = &model_surface(s->layout.model, surface)->body;
  const LimberContact *q = &model_contact(s->layout.model, law)->law;
  ContactItem c = {.law = law, .point = i, .other = -1 - surface, .damper = contact_damper(q->restitution)};
  LimberId node[CONTACT_NODES];
  const Vec3 *x[CONTACT_NODES];
  PetscFunctionBegin;
  for (int a = 0; a < p->nnode; a++) {
    for (int v = 0; v < 4; v++) c.pair.y[0].coef[a][v] = p->coef[a][v];
    node[a] = p->node[a];
  }
  node[p->nnode] = b->node;
  for (int v = 0; v < 4; v++) c.pair.y[0].coef[p->nnode][v] = -b->place[v];
  for (int d = 0; d < 3; d++)
    for (int v = 0; v < 4; v++) c.pair.y[1 + d].coef[p->nnode][v] = b->direction[d][v];
  if (!pair_nodes(s, p->nnode + 1, node, &c)) PetscFunctionReturn(0);
  c.pair.kind = b->kind, c.pair.shape = b->shape, c.pair.shape.offset += p->radius;
  c.pair.law = law_of(q, p->weight, p->radius);
  for (int a = 0; a < c.pair.nnode; a++) x[a] = s->state.x + 4 * c.node[a];
  if (contact_gap(&c.pair, x) < 2 * l->skin) PetscCall(AddItem(l, &c));
  PetscFunctionReturn(0);
}

// ---- the grid ----

typedef struct {
  double cell;
  PetscInt buckets, *start, *list;
  PetscInt64 (*at)[3];
} Grid;

static PetscInt bucket_of(const Grid *g, const PetscInt64 at[3]) {
  uint64_t h = (uint64_t)at[0] * 73856093u ^ (uint64_t)at[1] * 19349663u ^ (uint64_t)at[2] * 83492791u;
  return (PetscInt)(h % (uint64_t)g->buckets);
}

static PetscErrorCode GridCreate(const List *l, double cell, Grid *g) {
  PetscInt n = l->s->layout.model->points.count, *next;
  PetscFunctionBegin;
  g->cell = cell, g->buckets = 2 * n + 1;
  PetscCall(PetscCalloc1(g->buckets + 1, &g->start));
  PetscCall(PetscMalloc1(g->buckets, &next));
  PetscCall(PetscMalloc2(n, &g->list, n, &g->at));
  for (PetscInt i = 0; i < n; i++) {
    double x[3];
    vec3_to(l->place[i], x);
    for (int k = 0; k < 3; k++) g->at[i][k] = (PetscInt64)floor(PetscMax(-1e15, PetscMin(1e15, x[k] / cell)));
    g->start[bucket_of(g, g->at[i]) + 1]++;
  }
  for (PetscInt b = 0; b < g->buckets; b++) next[b] = g->start[b], g->start[b + 1] += g->start[b];
  for (PetscInt i = 0; i < n; i++) g->list[next[bucket_of(g, g->at[i])]++] = i;
  PetscCall(PetscFree(next));
  PetscFunctionReturn(0);
}

// Points with a greater number in the cells around point i.
static PetscErrorCode AddNeighbours(List *l, const Grid *g, int i) {
  Model m = l->s->layout.model;
  const SurfacePoint *p = model_point(m, i);
  PetscFunctionBegin;
  for (int k = 0; k < 27; k++) {
    const PetscInt64 cell[3] = {g->at[i][0] + k % 3 - 1, g->at[i][1] + k / 3 % 3 - 1, g->at[i][2] + k / 9 - 1};
    PetscInt b = bucket_of(g, cell);
    for (PetscInt a = g->start[b]; a < g->start[b + 1]; a++) {
      int j = (int)g->list[a];
      const SurfacePoint *q = model_point(m, j);
      if (j <= i || memcmp(g->at[j], cell, sizeof cell) || model_surface(m, q->surface)->body.kind) continue;
      double reach = p->radius + q->radius + 2 * l->skin;
      Vec3 d = vec3_sub(l->place[i], l->place[j]);
      if (vec3_dot(d, d) >= reach * reach) continue;
      for (int law = 0; law < m->contacts.count; law++)
        if (model_contact_joins(model_contact(m, law), p->surface, q->surface)) PetscCall(AddPointPair(l, law, i, j));
    }
  }
  PetscFunctionReturn(0);
}

static int compare_items(const void *a, const void *b) {
  const ContactItem *x = a, *y = b;
  if (x->law != y->law) return x->law < y->law ? -1 : 1;
  if (x->point != y->point) return x->point < y->point ? -1 : 1;
  return (x->other > y->other) - (x->other < y->other);
}

static PetscErrorCode FindPairs(List *l) {
  Model m = l->s->layout.model;
  double largest = 0;
  Grid g;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(m->points.count, &l->place));
  for (int i = 0; i < m->points.count; i++) {
    l->place[i] = point_of(l->s, model_point(m, i), l->s->state.x);
    largest = PetscMax(largest, model_point(m, i)->radius);
  }
  PetscCall(GridCreate(l, 2 * (largest + l->skin), &g));
  for (int i = 0; i < m->points.count; i++)
    if (!model_surface(m, model_point(m, i)->surface)->body.kind) PetscCall(AddNeighbours(l, &g, i));
  PetscCall(PetscFree2(g.list, g.at));
  PetscCall(PetscFree(g.start));
  for (int b = 0; b < m->surfaces.count; b++)
    for (int law = 0; law < m->contacts.count && model_surface(m, b)->body.kind; law++)
      for (int i = 0; i < m->points.count; i++)
        if (model_contact_joins(model_contact(m, law), model_point(m, i)->surface, b))
          PetscCall(AddBodyPair(l, law, i, b));
  PetscCall(PetscFree(l->place));
  if (l->count) qsort(l->item, (size_t)l->count, sizeof *l->item, compare_items);
  PetscFunctionReturn(0);
}

static double smallest_size(Model m) {
  double size = HUGE_VAL;
  for (int i = 0; i < m->points.count; i++)
    if (model_point(m, i)->radius > 0) size = PetscMin(size, model_point(m, i)->radius);
  return size;
}

PetscErrorCode ContactsList(System *s, double skin) {
  ContactSet *c = s->contacts;
  double size = smallest_size(s->layout.model), least = PetscMin(0.02 * size, 1e-3 * s->layout.length);
  List l = {.s = s, .skin = PetscMin(PetscMax(skin, least), 1e3 * (s->layout.length + skin))};
  int linked = 0;
  PetscFunctionBegin;
  c->usual_skin = PetscMin(0.25 * size, 0.05 * s->layout.length);
  PetscCall(FindPairs(&l));
  for (PetscInt i = 0; i < l.count; i++) {
    ContactItem *it = &l.item[i];
    const ContactItem *old = c->count ? bsearch(it, c->item, (size_t)c->count, sizeof *it, compare_items) : NULL;
    if (old) it->approach = old->approach, it->pair.deflection = old->pair.deflection;
    int moving = 0;
    for (int a = 0; a < it->pair.nnode; a++) moving += it->pair.node[a] != NODE_FIXED;
    linked |= moving > 1;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &linked, 1, MPI_INT, MPI_LOR, s->layout.comm));
  PetscCall(PetscFree(c->item));
  c->item = l.item, c->count = l.count, c->room = l.room, c->skin = l.skin, c->linked = linked, c->lists++;
  PetscCall(PetscArraycpy(c->at, s->state.x, 4 * s->layout.nnode));
  PetscCall(ContactsBegin(s));
  PetscFunctionReturn(0);
}
