// SPDX-License-Identifier: Apache-2.0
// The list of pairs that are near each other.
#include "assembly/contact_sieve.h"
#include "assembly/log_events.h"

#include <stdlib.h>

// ---- pairs ----

typedef struct {
  int law, point, other; // as of an item
} PairKey;

// What is searched: points, and after them bodies of finite reach.
typedef struct {
  Motion *motion;
  double skin;
  double *damper; // of each contact
  PetscInt count, points, room;
  Vec3 *place;
  double *radius; // with the skin
  bool *mine;     // a node of it is the rank's own
  int *surface;   // of a body
  PairKey *key;
  PetscInt keys;
  ContactItem *item;
  PetscInt items, item_room;
} List;

// Nodes of a pair in the model; false: it needs no force, or not on this rank.
static bool pair_nodes(const Layout *layout, int count, const int *node, ContactItem *c) {
  bool mine = false, moves = false;
  for (int a = 0; a < count; a++) {
    PetscInt i = layout->local_node[node[a]];
    for (int b = 0; b < a; b++)
      if (node[b] == node[a]) return false;
    if (model_node(layout->model, node[a])->kind == NODE_FIXED) continue;
    if (!moves) c->primary = i < layout->nnode_own;
    moves = true, mine = mine || i < layout->nnode_own;
  }
  return mine;
}

// The nodes of a point join those of the pair and the list of all that move with it; of a face they are one point of
// the pair.
static void add_side(const Layout *layout, const SurfacePoint *p, double sign, ContactItem *c, int *node, int *count) {
  bool face = contact_is_of_face(p);
  for (int a = 0; a < p->nnode; a++) {
    node[(*count)++] = p->node[a];
    if (face && a) continue;
    int n = c->pair.nnode++;
    c->node[n] = face ? -1 : layout->local_node[p->node[a]];
    c->pair.node[n] = face ? contact_face_kind(layout, p) : model_node(layout->model, p->node[a])->kind;
    for (int v = 0; v < 4; v++) c->pair.y[0].coef[n][v] = sign * (face ? v == 0 : p->coef[a][v]);
  }
}

static ContactLaw law_of(const Layout *layout, const ModelContact *c, double weight, double radius) {
  const LimberContact *p = &c->law;
  bool hertz = p->hertz > 0;
  return (ContactLaw){.stiffness = weight * (hertz ? 4.0 / 3 * p->hertz * sqrt(radius) : p->stiffness),
                      .hertz = hertz,
                      .friction = p->friction,
                      .slip_speed = p->slip_speed,
                      .stick = p->friction > 0 ? weight * p->stick_stiffness : 0,
                      .stick_damping = p->stick_damping,
                      .hard = c->hard,
                      .depth = p->gap_tolerance > 0 ? p->gap_tolerance : 1e-12 * layout->length};
}

static PetscErrorCode AddItem(List *l, const ContactItem *c) {
  PetscFunctionBegin;
  if (l->items == l->item_room) {
    l->item_room = 2 * l->item_room + 64;
    PetscCall(PetscRealloc((size_t)l->item_room * sizeof *l->item, &l->item));
  }
  l->item[l->items++] = *c;
  PetscFunctionReturn(0);
}

static PetscErrorCode AddPointPair(List *l, int law, int i, int j) {
  const Layout *layout = &l->motion->layout;
  const SurfacePoint *p[2] = {model_point(layout->model, i), model_point(layout->model, j)};
  const ModelContact *q = model_contact(layout->model, law);
  ContactItem c = {.law = law, .point = i, .other = j, .damper = l->damper[law]};
  int node[2 * SURFACE_NODES];
  double radius[2] = {p[0]->radius, p[1]->radius};
  int count = 0;
  PetscFunctionBegin;
  for (int k = 0; k < 2; k++) add_side(layout, p[k], k ? -1 : 1, &c, node, &count);
  if (!pair_nodes(layout, count, node, &c)) PetscFunctionReturn(0);
  c.pair.kind = gap_find("point_point"), c.pair.shape = (GapShape){.sign = 1, .offset = radius[0] + radius[1]};
  c.pair.law =
      law_of(layout, q, p[0]->weight * p[1]->weight, radius[0] * radius[1] / PetscMax(radius[0] + radius[1], 1e-300));
  PetscCall(AddItem(l, &c));
  PetscFunctionReturn(0);
}

static PetscErrorCode AddBodyPair(List *l, int law, int i, int surface) {
  const Motion *motion = l->motion;
  const SurfacePoint *p = model_point(motion->layout.model, i);
  const SurfaceBody *b = &model_surface(motion->layout.model, surface)->body;
  const ModelContact *q = model_contact(motion->layout.model, law);
  ContactItem c = {.law = law, .point = i, .other = -1 - surface, .damper = l->damper[law]};
  int node[SURFACE_NODES + 1];
  ContactRoom room;
  const Vec3 *x[CONTACT_NODES];
  int count = 0, last;
  PetscFunctionBegin;
  add_side(&motion->layout, p, 1, &c, node, &count);
  node[count++] = b->node, last = c.pair.nnode++;
  c.node[last] = motion->layout.local_node[b->node],
  c.pair.node[last] = model_node(motion->layout.model, b->node)->kind;
  for (int v = 0; v < 4; v++) c.pair.y[0].coef[last][v] = -b->place[v];
  for (int d = 0; d < 3; d++)
    for (int v = 0; v < 4; v++) c.pair.y[1 + d].coef[last][v] = b->direction[d][v];
  if (!pair_nodes(&motion->layout, count, node, &c)) PetscFunctionReturn(0);
  c.pair.kind = b->kind, c.pair.shape = b->shape, c.pair.shape.offset += p->radius;
  c.pair.law = law_of(&motion->layout, q, p->weight, p->radius);
  contact_vectors(&motion->layout, &c, motion->state.x, &room, x);
  if (contact_gap(&c.pair, x) < 2 * l->skin) PetscCall(AddItem(l, &c));
  PetscFunctionReturn(0);
}

// ---- the search ----

// Whether a node moves and is the rank's own.
static bool is_own(const Layout *layout, int node) {
  return layout->local_node[node] < layout->nnode_own && model_node(layout->model, node)->kind != NODE_FIXED;
}

static PetscErrorCode AddKeys(List *l, int point, int other, int surface) {
  enum { MOST = 20000000 }; // of about 1 kB each
  Model m = l->motion->layout.model;
  PetscFunctionBegin;
  PetscCheck(l->keys < MOST, PETSC_COMM_SELF, PETSC_ERR_MEM,
             "more than %d pairs of points are near each other: are the radii of contacts too large?", MOST);
  for (int law = 0; law < m->contacts.count; law++) {
    const ModelContact *c = model_contact(m, law);
    const SurfacePoint *p = model_point(m, point);
    bool itself = other >= 0 && model_contact_joins_itself(c, p, model_point(m, other));
    if (!itself && !model_contact_joins(c, p->surface, surface)) continue;
    if (l->keys == l->room) {
      l->room = 2 * l->room + 64;
      PetscCall(PetscRealloc((size_t)l->room * sizeof *l->key, &l->key));
    }
    l->key[l->keys++] = (PairKey){law, point, other};
  }
  PetscFunctionReturn(0);
}

typedef struct { // a body in the state
  const SurfaceBody *body;
  Vec3 y[CONTACT_Y];
} BodyPlace;

static BodyPlace place_body(const Layout *layout, const State *state, int surface) {
  BodyPlace b = {.body = &model_surface(layout->model, surface)->body};
  b.y[0] = contact_position(layout, b.body->node, b.body->place, state->x);
  for (int d = 0; d < 3; d++) b.y[1 + d] = contact_position(layout, b.body->node, b.body->direction[d], state->x);
  return b;
}

// By the gap within 1e-6 of the distance: what is further apart than that needs no item to find it out.
static bool is_near(const List *l, const BodyPlace *b, int point) {
  Vec3 y[CONTACT_Y] = {vec3_sub(l->place[point], b->y[0]), b->y[1], b->y[2], b->y[3]};
  double distance = vec3_norm(y[0]), radius = model_point(l->motion->layout.model, point)->radius;
  GapSecant gap;
  gap_evaluate(b->body->kind, &b->body->shape, y, &gap);
  return gap.gk - radius < 2 * l->skin + 1e-6 * (distance + radius + fabs(b->body->shape.offset));
}

static PetscErrorCode AddNear(void *context, PetscInt i, PetscInt j) {
  List *l = context;
  Model m = l->motion->layout.model;
  PetscInt first = PetscMin(i, j), second = PetscMax(i, j);
  PetscFunctionBegin;
  if (first >= l->points || !(l->mine[i] || l->mine[j])) PetscFunctionReturn(0);
  const SurfacePoint *p = model_point(m, (int)first);
  if (second >= l->points) {
    int surface = l->surface[second];
    BodyPlace b = place_body(&l->motion->layout, &l->motion->state, surface);
    if (is_near(l, &b, (int)first)) PetscCall(AddKeys(l, (int)first, -1 - surface, surface));
    PetscFunctionReturn(0);
  }
  const SurfacePoint *q = model_point(m, (int)second);
  if (model_surface(m, p->surface)->body.kind || model_surface(m, q->surface)->body.kind) PetscFunctionReturn(0);
  double reach = p->radius + q->radius + 2 * l->skin;
  Vec3 d = vec3_sub(l->place[i], l->place[j]);
  if (vec3_dot(d, d) < reach * reach) PetscCall(AddKeys(l, (int)first, (int)second, q->surface));
  PetscFunctionReturn(0);
}

// Places of points and finite bodies. Those without end, as planes, are compared with every point.
static PetscErrorCode ListPlaces(List *l) {
  const Motion *motion = l->motion;
  Model m = motion->layout.model;
  PetscFunctionBegin;
  for (l->points = 0; l->points < m->points.count; l->points++) {
    const SurfacePoint *p = model_point(m, (int)l->points);
    l->place[l->points] = contact_point_position(&motion->layout, p, motion->state.x),
    l->radius[l->points] = p->radius + l->skin;
    for (int a = 0; a < p->nnode; a++) l->mine[l->points] = l->mine[l->points] || is_own(&motion->layout, p->node[a]);
  }
  l->count = l->points;
  for (int b = 0; b < m->surfaces.count; b++) {
    const SurfaceBody *body = &model_surface(m, b)->body;
    if (!body->kind) continue;
    if (body->reach < HUGE_VAL) {
      l->place[l->count] = contact_position(&motion->layout, body->node, body->place, motion->state.x);
      l->radius[l->count] = (1 + 1e-6) * body->reach + l->skin; // axes are of length 1 up to round-off
      l->mine[l->count] = is_own(&motion->layout, body->node), l->surface[l->count++] = b;
      continue;
    }
    BodyPlace at = place_body(&motion->layout, &motion->state, b);
    bool mine = is_own(&motion->layout, body->node);
    for (int i = 0; i < m->points.count; i++)
      if ((mine || l->mine[i]) && is_near(l, &at, i)) PetscCall(AddKeys(l, i, -1 - b, b));
  }
  PetscFunctionReturn(0);
}

static int compare_keys(const void *a, const void *b) {
  const PairKey *x = a, *y = b;
  if (x->law != y->law) return x->law < y->law ? -1 : 1;
  if (x->point != y->point) return x->point < y->point ? -1 : 1;
  return (x->other > y->other) - (x->other < y->other);
}

static PetscErrorCode FindPairs(List *l) {
  Model m = l->motion->layout.model;
  PetscInt most = m->points.count + m->surfaces.count;
  PetscFunctionBegin;
  PetscCall(PetscMalloc4(most, &l->place, most, &l->radius, most, &l->surface, m->contacts.count, &l->damper));
  PetscCall(PetscCalloc1(most, &l->mine));
  for (int law = 0; law < m->contacts.count; law++)
    l->damper[law] = contact_damper(model_contact(m, law)->law.restitution);
  PetscCall(ListPlaces(l));
  PetscCall(ContactGridPairs(l->count, l->place, l->radius, AddNear, l));
  if (l->keys) qsort(l->key, (size_t)l->keys, sizeof *l->key, compare_keys);
  for (PetscInt k = 0; k < l->keys; k++) {
    const PairKey *key = &l->key[k];
    if (key->other < 0) PetscCall(AddBodyPair(l, key->law, key->point, -1 - key->other));
    else PetscCall(AddPointPair(l, key->law, key->point, key->other));
  }
  PetscCall(PetscFree(l->key));
  PetscCall(PetscFree(l->mine));
  PetscCall(PetscFree4(l->place, l->radius, l->surface, l->damper));
  PetscFunctionReturn(0);
}

static int compare_items(const ContactItem *a, const ContactItem *b) {
  const PairKey x = {a->law, a->point, a->other}, y = {b->law, b->point, b->other};
  return compare_keys(&x, &y);
}

static double smallest_size(Model m) {
  double size = HUGE_VAL;
  for (int i = 0; i < m->points.count; i++)
    if (model_point(m, i)->radius > 0) size = PetscMin(size, model_point(m, i)->radius);
  return size;
}

PetscErrorCode ContactsList(Motion *motion, double skin) {
  ContactSet *c = motion->contacts;
  double size = smallest_size(motion->layout.model), least = PetscMin(0.02 * size, 1e-3 * motion->layout.length);
  List l = {.motion = motion, .skin = PetscMin(PetscMax(skin, least), 1e3 * (motion->layout.length + skin))};
  int linked = 0;
  PetscFunctionBegin;
  c->usual_skin = PetscMin(0.25 * size, 0.05 * motion->layout.length);
  PetscCall(LogEventBegin(LOG_CONTACTS));
  PetscCall(FindPairs(&l));
  for (PetscInt i = 0, k = 0; i < l.items; i++) {
    ContactItem *it = &l.item[i];
    while (k < c->count && compare_items(&c->item[k], it) < 0) k++;
    const ContactItem *old = k < c->count && !compare_items(&c->item[k], it) ? &c->item[k] : NULL;
    if (old) it->approach = old->approach, it->pair.deflection = old->pair.deflection;
    int moving = 0;
    for (int a = 0; a < it->pair.nnode; a++) moving += it->pair.node[a] != NODE_FIXED;
    linked |= moving > 1;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &linked, 1, MPI_INT, MPI_LOR, motion->layout.comm));
  PetscCall(PetscFree(c->item));
  c->item = l.item, c->count = l.items, c->skin = l.skin, c->linked = linked, c->lists++;
  PetscCall(PetscArraycpy(c->at, motion->state.x, 4 * motion->layout.nnode));
  PetscCall(ContactSieveCreate(motion));
  PetscCall(ContactsBegin(motion));
  PetscCall(LogEventEnd(LOG_CONTACTS));
  PetscFunctionReturn(0);
}
