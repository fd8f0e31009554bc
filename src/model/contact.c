// SPDX-License-Identifier: Apache-2.0
// Adds surfaces and contacts to a model and checks them.
#include "model/adders.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

// ---- outer faces of a component of cells: those that belong to one cell only ----

typedef struct {
  int key[VISUAL_CORNERS]; // its sorted corners, for comparison
  int node[SURFACE_NODES];
  int nnode;
} OuterFace;

typedef struct {
  OuterFace *face;
  int count;
} OuterFaces;

#define MOST_FACES 1e8 // examined for all surfaces of a model

static void outer_faces_free(OuterFaces *f) {
  memory_free(&f->face);
  f->count = 0;
}

static int by_key(const void *a, const void *b) {
  const OuterFace *x = a, *y = b;
  for (int i = 0; i < VISUAL_CORNERS; i++)
    if (x->key[i] != y->key[i]) return x->key[i] < y->key[i] ? -1 : 1;
  return 0;
}

static void sort_key(int *key) {
  for (int a = 1; a < VISUAL_CORNERS; a++)
    for (int b = a; b > 0 && key[b] < key[b - 1]; b--) {
      int swap = key[b];
      key[b] = key[b - 1], key[b - 1] = swap;
    }
}

static OuterFace face_of(const VisualFace *f, const int *node) {
  int corners = f->corner[3] >= 0 ? 4 : 3;
  OuterFace out = {.nnode = f->middle[0] >= 0 ? 2 * corners : corners};
  for (int a = 0; a < VISUAL_CORNERS; a++) out.key[a] = f->corner[a] >= 0 ? node[f->corner[a]] : -1;
  for (int a = 0; a < VISUAL_CORNERS && f->corner[a] >= 0; a++) out.node[a] = node[f->corner[a]];
  for (int a = 0; a < corners && f->middle[0] >= 0; a++) out.node[corners + a] = node[f->middle[a]];
  sort_key(out.key);
  return out;
}

// Keeps the faces that occur once in a sorted list.
static void keep_outer(OuterFaces *f, int n) {
  f->count = 0;
  for (int i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && !by_key(&f->face[i], &f->face[end]); end++) {}
    if (end == i + 1) f->face[f->count++] = f->face[i];
  }
}

// Keeps the faces that are cells of a mesh. Every cell must be an outer face.
static Error KeepCells(const LimberCells *only, OuterFaces *f, const char **reason) {
  OuterFace *cell;
  const LimberNodeId *node = only->nodes;
  int n = 0, kept = 0, distinct = 0;
  TRY(MemoryNew((size_t)only->count * sizeof *cell, &cell));
  for (int i = 0; i < only->count && !*reason; node += cell_nodes(only->shape[i++])) {
    if (cell_dimension(only->shape[i]) != 2) *reason = "its `mesh` must have triangles and quadrilaterals";
    for (int a = 0; a < VISUAL_CORNERS && !*reason; a++)
      cell[i].key[a] = a < cell_nodes(only->shape[i]) ? node[a].index : -1;
    sort_key(cell[i].key), n = i + 1;
  }
  qsort(cell, (size_t)n, sizeof *cell, by_key);
  for (int i = 0; i < n; i++) distinct += i == 0 || by_key(&cell[i], &cell[i - 1]);
  for (int i = 0; i < f->count; i++)
    if (bsearch(&f->face[i], cell, (size_t)n, sizeof *cell, by_key)) f->face[kept++] = f->face[i];
  f->count = kept;
  if (!*reason && kept < distinct) *reason = "its `mesh` has cells that are no outer faces of its `element`";
  memory_free(&cell);
  return 0;
}

// Finds the outer faces of a component; only those in `only`, if it has cells. `reason`: what is wrong, or NULL.
static Error OuterFacesFind(LimberModel m, int component, const LimberCells *only, OuterFaces *out,
                            const char **reason) {
  ElementVisual visual;
  int n = 0;
  outer_faces_free(out);
  *reason = "its `element` has no faces: it must be a solid, solid_shell or membrane";
  if (component < 0 || component >= m->components.count) return 0;
  const ModelComponent *c = model_component(m, component);
  if (!c->kind->drawing.cell || c->count < 1) return 0;
  m->face_work += (double)c->count * VISUAL_FACES;
  if (m->face_work > MOST_FACES) {
    *reason = "the surfaces of the model have too many faces";
    return 0;
  }
  TRY(MemoryNew((size_t)c->count * VISUAL_FACES * sizeof *out->face, &out->face));
  for (int i = c->first; i < c->first + c->count; i++) {
    const ModelElement *e = model_element(m, i);
    element_visual(e->kind, e->data, 0, &visual);
    for (int f = 0; f < visual.faces && visual.shape == VISUAL_CELL; f++)
      out->face[n++] = face_of(&visual.face[f], model_element_nodes(m, e));
  }
  if (n == 0) return 0;
  *reason = NULL;
  qsort(out->face, (size_t)n, sizeof *out->face, by_key);
  keep_outer(out, n);
  if (only->count > 0) TRY(KeepCells(only, out, reason));
  return 0;
}

// Copies the nodes of the i-th face and returns their number; 0 after the last.
static int outer_faces_at(const OuterFaces *f, int i, int node[SURFACE_NODES]) {
  if (i >= f->count) return 0;
  memcpy(node, f->face[i].node, sizeof f->face[i].node);
  return f->face[i].nnode;
}

enum { MOST_POINTS = 10000000, MOST_MEMBERS = 100000000 };

typedef struct {
  LimberModel m;
  int surface;
  Error error;
  OuterFaces faces;
} Building;

static NodeKind builder_node(void *self, int node, Vec3 x[4]) {
  const ModelNode *n = model_node(((Building *)self)->m, node);
  memcpy(x, n->x, sizeof n->x);
  return n->kind;
}

static int builder_line(void *self, int element, int i) {
  LimberModel m = ((Building *)self)->m;
  if (element < 0 || element >= m->components.count) return LIMBER_NONE;
  const ModelComponent *c = model_component(m, element);
  if (c->kind->drawing.cell || !c->kind->line.station) return LIMBER_NONE;
  return model_component_node(m, element, i);
}

static const char *builder_find_faces(void *self, int element, const LimberCells *only) {
  Building *b = self;
  const char *reason = NULL;
  b->error = OuterFacesFind(b->m, element, only, &b->faces, &reason);
  return b->error ? NULL : reason;
}

static int builder_face(void *self, int i, int node[SURFACE_NODES]) {
  return outer_faces_at(&((Building *)self)->faces, i, node);
}

static bool builder_add_point(void *self, const SurfacePoint *p) {
  Building *b = self;
  SurfacePoint *to;
  int most = b->m->most_elements && b->m->most_elements < MOST_POINTS / 4 ? 4 * b->m->most_elements : MOST_POINTS;
  if (b->error || b->m->points.count >= most) return false;
  b->error = ArrayAdd(&b->m->points, sizeof *to, &to);
  if (!b->error) *to = *p, to->surface = b->surface;
  return !b->error;
}

static void builder_set_body(void *self, const SurfaceBody *body) {
  Building *b = self;
  SurfaceBody *to = &((ModelSurface *)b->m->surfaces.data)[b->surface].body;
  *to = *body, to->kind = gap_find(body->gap);
}

Error ModelAddSurface(LimberModel m, const char *kind, const char *name, const void *params, int *id) {
  const SurfaceKind *k;
  ModelSurface *s = NULL;
  bool good;
  if (id) *id = LIMBER_NONE;
  FIND_KIND(surface_kinds, kind, k);
  if (!k) return ModelReportUnknownKind(m, "surface", kind, name);
  TRY(ModelCheckNodes(m, kind, name, &k->fields, params, false, &good));
  if (!good) return 0;
  Building self = {.m = m, .surface = m->surfaces.count};
  TRY(ArrayAdd(&m->surfaces, sizeof *s, &s));
  s->kind = k, s->first = m->points.count;
  TRY(ModelCopyString(m, name, &s->name));
  SurfaceBuilder b = {&self,        builder_node,      builder_line,    builder_find_faces,
                      builder_face, builder_add_point, builder_set_body};
  Reason wrong = k->build(params, &b);
  outer_faces_free(&self.faces);
  TRY(self.error);
  s = &((ModelSurface *)m->surfaces.data)[self.surface];
  s->count = m->points.count - s->first;
  if (wrong.text) TRY(ModelReportReason(m, kind, name, wrong));
  else if (id) *id = self.surface;
  return 0;
}

// ---- contacts ----

static const char *penetration_word(int i) { return i == 0 ? "allowed" : i == 1 ? "none" : NULL; }
static const FieldMore penetrations = {.word = penetration_word};

static const char *touch_word(int i) { return i == 0 ? "within_step" : i == 1 ? "ends_step" : NULL; }
static const FieldMore touches = {.word = touch_word};

static const Field fields[] = {
    {"surfaces", FIELD_SURFACES, 1, offsetof(LimberContact, surfaces), "", false, 0,
     "surfaces that collide; default: all surfaces of the model", NULL},
    {"with", FIELD_SURFACES, 1, offsetof(LimberContact, with), "", false, 0,
     "surfaces that each of them collides with; default: the others of `surfaces`", NULL},
    {"stiffness", FIELD_REAL, 1, offsetof(LimberContact, stiffness), "N/m", false, 0,
     "force per depth of penetration; for beams per length, for faces per area, between two of these per length or "
     "area of both",
     NULL},
    {"hertz", FIELD_REAL, 1, offsetof(LimberContact, hertz), "Pa", false, 0,
     "instead of a stiffness, Hertz' law: effective modulus 1/((1 - nu1^2)/E1 + (1 - nu2^2)/E2)", NULL},
    {"restitution", FIELD_REAL, 1, offsetof(LimberContact, restitution), "", false, 1,
     "speed after an impact over the speed before it; default without penetration: 0", NULL},
    {"rest_speed", FIELD_REAL, 1, offsetof(LimberContact, rest_speed), "m/s", false, 0.01,
     "speed of approach below which the damper of the restitution does not grow further", NULL},
    {"friction", FIELD_REAL, 1, offsetof(LimberContact, friction), "", false, 0, "coefficient of Coulomb's friction",
     NULL},
    {"slip_speed", FIELD_REAL, 1, offsetof(LimberContact, slip_speed), "m/s", false, 1e-3,
     "speed of sliding below which regularised friction decreases to zero; without penetration friction is not "
     "regularised",
     NULL},
    {"stick_stiffness", FIELD_REAL, 1, offsetof(LimberContact, stick_stiffness), "N/m", false, 0,
     "true stick: tangential stiffness while it sticks; 0: friction is regularised, or without penetration sticks "
     "without a spring",
     NULL},
    {"stick_damping", FIELD_REAL, 1, offsetof(LimberContact, stick_damping), "s", false, 0,
     "ratio of the viscous to the elastic tangential stiffness while it sticks", NULL},
    {"penetration", FIELD_WORD, 1, offsetof(LimberContact, penetration), "", false, 0,
     "allowed: resisted by a stiffness or Hertz' law; none: bodies do not penetrate each other; default: allowed",
     &penetrations},
    {"gap_tolerance", FIELD_REAL, 1, offsetof(LimberContact, gap_tolerance), "m", false, 0,
     "without penetration: largest distance of the gap from zero; 0: 1e-12 of the model's size", NULL},
    {"first_touch", FIELD_WORD, 1, offsetof(LimberContact, first_touch), "", false, 0,
     "how steps treat a first touch: within_step, or ends_step: the step is split at that time; default: within_step",
     &touches},
};
const FieldTable contact_fields = FIELDS(fields, LimberContact);
const char *const contact_help = "Surfaces that press against each other, bounce and rub when they touch.";

static bool is_number(double x) { return x >= 0 && x < HUGE_VAL; }

static bool is_hard(const LimberContact *p) { return p->penetration == LIMBER_PENETRATION_NONE; }

static bool ends_step(const LimberContact *p) { return p->first_touch == LIMBER_TOUCH_ENDS_STEP; }

static Reason hard_error(const LimberContact *p) {
  if (p->stiffness > 0 || p->hertz > 0)
    return reason(REASON_CONFLICT, p->stiffness > 0 ? "stiffness" : "hertz",
                  "without penetration there is no depth to press against: leave out `stiffness` and `hertz`, or "
                  "`penetration`");
  return no_reason();
}

static Reason contact_error(const LimberContact *p) {
  if (!is_number(p->gap_tolerance))
    return reason(REASON_VALUE, "gap_tolerance", "`gap_tolerance` must not be negative");
  if (p->gap_tolerance > 0 && !is_hard(p))
    return reason(REASON_VALUE, "gap_tolerance", "`gap_tolerance` is for contacts with `penetration: none`");
  if (is_hard(p) && hard_error(p).text) return hard_error(p);
  if (!is_number(p->stiffness) || !is_number(p->hertz))
    return reason(REASON_VALUE, is_number(p->stiffness) ? "hertz" : "stiffness", "a negative stiffness would pull");
  if (p->stiffness > 0 && p->hertz > 0)
    return reason(REASON_CONFLICT, "stiffness", "give `stiffness` or `hertz`, not both");
  if (!(p->stiffness > 0) && !(p->hertz > 0) && !is_hard(p))
    return reason(REASON_CONFLICT, "stiffness", "it needs a `stiffness`, `hertz` or `penetration: none`");
  if (!(p->restitution >= 0) || !(p->restitution <= 1))
    return reason(REASON_VALUE, "restitution", "`restitution` must be from 0 to 1");
  if (!(p->rest_speed > 0) || !is_number(p->rest_speed))
    return reason(REASON_VALUE, "rest_speed", "`rest_speed` must be positive");
  if (!is_number(p->friction)) return reason(REASON_VALUE, "friction", "negative `friction` would create energy");
  if (!(p->slip_speed > 0) || !is_number(p->slip_speed))
    return reason(REASON_VALUE, "slip_speed", "`slip_speed` must be positive");
  if (!is_number(p->stick_stiffness) || !is_number(p->stick_damping))
    return reason(REASON_VALUE, is_number(p->stick_stiffness) ? "stick_damping" : "stick_stiffness",
                  "`stick_stiffness` and `stick_damping` must not be negative");
  return no_reason();
}

// Whether surfaces of these kinds can collide: points with points or with a body.
static bool kinds_meet(const ModelSurface *a, const ModelSurface *b) {
  return (a->count && b->count) || (a->count && b->body.kind) || (b->count && a->body.kind);
}

// The single node that carries a surface, or -1.
static int carrier_node(Model m, const ModelSurface *s) {
  if (s->body.kind) return s->body.node;
  return s->count == 1 && model_point(m, s->first)->nnode == 1 ? model_point(m, s->first)->node[0] : -1;
}

static bool node_rests(Model m, int node) { return node >= 0 && model_node(m, node)->kind == NODE_FIXED; }

const char *model_surfaces_apart(Model m, int a, int b) {
  const ModelSurface *s = model_surface(m, a), *t = model_surface(m, b);
  int first = carrier_node(m, s), second = carrier_node(m, t);
  if (node_rests(m, first) && node_rests(m, second)) return "neither of them moves";
  if (first >= 0 && first == second) return "they are on the same node";
  if (kinds_meet(s, t)) return NULL;
  return "planes, and cylinders without `points`, touch spheres, boxes, beams and faces, not each other";
}

static Reason surfaces_error(LimberModel m, const ModelContact *c) {
  for (int i = 0; i < m->surfaces.count && c->hard; i++)
    if (c->members[i] && model_surface(m, i)->kind->areal)
      return reason(REASON_VALUE, "penetration",
                    "faces of solids have more points than nodes, so that not all can be constrained: give a "
                    "`stiffness` per area instead of `penetration: none`");
  for (int i = 0; i < m->surfaces.count && c->law.hertz > 0; i++)
    if (c->members[i] && model_surface(m, i)->kind->areal)
      return reason(
          REASON_VALUE, "hertz",
          "Hertz' law is for rigid spheres, but the solid itself provides the compliance: give `stiffness` per area");
  for (int i = 0; i < m->points.count && c->law.hertz > 0; i++)
    if (c->members[model_point(m, i)->surface] && !(model_point(m, i)->radius > 0))
      return reason(REASON_CONFLICT, "hertz", "Hertz' law needs spheres with a radius");
  return no_reason();
}

static Reason members_error(LimberModel m, const LimberContact *p, unsigned char *members) {
  for (int i = 0; i < m->surfaces.count && !p->nsurfaces; i++) members[i] = 3;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < (k ? p->nwith : p->nsurfaces); i++) {
      int s = (k ? p->with : p->surfaces)[i].index;
      if (s < 0 || s >= m->surfaces.count)
        return reason(REASON_VALUE, k ? "with" : "surfaces", "its surfaces are not in the model");
      members[s] |= (unsigned char)(k ? 2 : p->nwith ? 1 : 3);
    }
  if (p->nwith && !p->nsurfaces) return reason(REASON_CONFLICT, "with", "`with` needs `surfaces`");
  return no_reason();
}

// Checks that two surfaces can collide with each other, or one with itself. Skipped if there are many surfaces.
static Error CheckPairs(LimberModel m, const ModelContact *c, const char *name, bool *some) {
  enum { MOST = 100 };
  const char *why = NULL;
  *some = m->surfaces.count > MOST;
  for (int a = 0; a < m->surfaces.count && !*some; a++) {
    const ModelSurface *s = model_surface(m, a);
    *some = c->members[a] == 3 && s->count && model_point(m, s->first)->itself > 0;
    for (int b = a + 1; b < m->surfaces.count && !*some; b++) {
      if (!model_contact_joins(c, a, b)) continue;
      const char *apart = model_surfaces_apart(m, a, b);
      if (!why) why = apart;
      *some = !apart;
    }
  }
  if (!*some)
    TRY(ModelReportError(m, "surfaces", "contact '%s': none of its surfaces can touch another: %s", shown_name(name),
                         why ? why : "it needs two different ones, or a beam with `self_contact`"));
  return 0;
}

Error ModelAddContact(LimberModel m, const char *kind, const char *name, const void *params, int *id) {
  const LimberContact *p = params;
  ModelContact c = {.law = *p, .count = m->surfaces.count}, *to;
  unsigned char *members;
  bool some = false;
  (void)kind;
  if (id) *id = LIMBER_NONE;
  if (((long long)m->contacts.count + 1) * m->surfaces.count > MOST_MEMBERS)
    return ModelReportError(m, NULL, "contact '%s': contacts times surfaces of a model are at most %d",
                            shown_name(name), MOST_MEMBERS);
  TRY(ModelAllocate(m, (size_t)c.count + 1, &members));
  c.members = members, c.hard = is_hard(p), c.ends_step = ends_step(p);
  c.law.surfaces = c.law.with = NULL;
  Reason wrong = contact_error(p);
  if (!wrong.text) wrong = members_error(m, p, members);
  if (!wrong.text) wrong = surfaces_error(m, &c);
  if (wrong.text) return ModelReportReason(m, "contact", name, wrong);
  TRY(CheckPairs(m, &c, name, &some));
  if (!some) return 0;
  if (id) *id = m->contacts.count;
  TRY(ModelCopyString(m, name, &c.name));
  TRY(ArrayAdd(&m->contacts, sizeof *to, &to));
  *to = c;
  return 0;
}
