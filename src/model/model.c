// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include "base/limits.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *limber_version(void) { return LIMBER_VERSION; }

// ---- memory ----

Error ModelAllocate(LimberModel m, size_t size, void *out) {
  TRY(StoreAllocate(&m->store, size, out));
  return 0;
}

Error ModelCopyString(LimberModel m, const char *s, const char **out) {
  *out = NULL;
  if (s) TRY(StoreText(&m->store, s, strlen(s), out));
  return 0;
}

// Room for one more entry of that size, zeroed; the array doubles.
Error ArrayAdd(ModelArray *a, size_t size, void *out) {
  if (a->count == a->room) {
    ENSURE(a->count < INT_MAX, ERROR_MEMORY, "a model has at most %d nodes, elements or joints", INT_MAX);
    int room = a->room > INT_MAX / 2 ? INT_MAX : a->room ? 2 * a->room : 16;
    TRY(MemoryResize((size_t)room * size, &a->data));
    a->room = room;
  }
  void *at = (char *)a->data + (size_t)a->count++ * size;
  memset(at, 0, size);
  *(void **)out = at;
  return 0;
}

Error ModelReportError(LimberModel m, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  size_t more = strlen(text) + 1;
  if (m->diagnostics_length + more + 1 > m->diagnostics_room) {
    m->diagnostics_room = 2 * (m->diagnostics_length + more + 1);
    TRY(MemoryResize(m->diagnostics_room, &m->diagnostics));
  }
  sprintf(m->diagnostics + m->diagnostics_length, "%s\n", text);
  m->diagnostics_length += more;
  return 0;
}

int LimberModelCreate(LimberModel *model) {
  TRY(MemoryNew(sizeof **model, model));
  TRY(LimberModelAddFixed(*model, "ground", (const double[]){0, 0, 0}, NULL, NULL));
  return 0;
}

int LimberModelDestroy(LimberModel *model) {
  LimberModel m = *model;
  if (!m) return 0;
  ModelArray *arrays[] = {&m->nodes,  &m->elements,  &m->element_node, &m->components, &m->joints,
                          &m->loads,  &m->functions, &m->sections,     &m->velocity,   &m->looks,
                          &m->events, &m->surfaces,  &m->points,       &m->contacts};
  model_forget_formulae(m);
  if (m->release) m->release(m->communicator);
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) memory_free(&arrays[i]->data);
  TRY(StoreDestroy(&m->store));
  memory_free(&m->diagnostics);
  memory_free(&m);
  *model = NULL;
  return 0;
}

const char *limber_model_diagnostics(LimberModel m) { return m->diagnostics ? m->diagnostics : ""; }
int limber_model_nodes(LimberModel m) { return (int)m->nodes.count; }

// ---- nodes ----

static Error AddNode(LimberModel m, NodeKind kind, const char *name, const Vec3 x[4], LimberId *id) {
  ModelNode *n = NULL;
  if (id) *id = (LimberId)m->nodes.count;
  TRY(ArrayAdd(&m->nodes, sizeof *n, &n));
  n->kind = kind, n->component = -1;
  TRY(ModelCopyString(m, name, &n->name));
  memcpy(n->x, x, sizeof n->x);
  return 0;
}

int LimberModelAddFrame(LimberModel m, const char *name, const double position[3], const double *axes, LimberId *id) {
  Vec3 x[4] = {vec3_of(position), {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (axes) {
    for (int j = 0; j < 3; j++) x[j + 1] = vec3_of(axes + 3 * j);
    for (int i = 1; i < 4; i++)
      for (int j = 1; j <= i; j++)
        if (fabs(vec3_dot(x[i], x[j]) - (i == j)) > 1e-9) {
          TRY(ModelReportError(m, "node '%s': its axes are not orthonormal", name ? name : "?"));
          i = j = 4;
        }
    if (vec3_dot(x[1], vec3_cross(x[2], x[3])) < 0)
      TRY(ModelReportError(m, "node '%s': its axes are left-handed", name));
  }
  TRY(AddNode(m, NODE_FRAME, name, x, id));
  return 0;
}

int LimberModelAddFixed(LimberModel m, const char *name, const double position[3], const double *axes, LimberId *id) {
  TRY(LimberModelAddFrame(m, name, position, axes, id));
  ((ModelNode *)m->nodes.data)[m->nodes.count - 1].kind = NODE_FIXED;
  return 0;
}

int LimberModelAddPoint(LimberModel m, const char *name, const double position[3], LimberId *id) {
  Vec3 x[4] = {vec3_of(position)};
  TRY(AddNode(m, NODE_POINT, name, x, id));
  return 0;
}

// Velocities are kept for the nodes up to the last that has one.
int LimberModelSetVelocity(LimberModel m, LimberId node, const double velocity[3], const double angular[3]) {
  Vec3 *v;
  if (node <= 0 || node >= m->nodes.count || model_node(m, node)->kind == NODE_FIXED) {
    TRY(ModelReportError(m, "a velocity is given to node %d, which is not there or does not move", node));
    return 0;
  }
  while (m->velocity.count <= node) TRY(ArrayAdd(&m->velocity, 2 * sizeof(Vec3), &v));
  v = (Vec3 *)m->velocity.data + 2 * (size_t)node;
  v[0] = vec3_of(velocity);
  if (angular) v[1] = vec3_of(angular);
  return 0;
}

int LimberModelSetRigidVelocity(LimberModel m, const double velocity[3], const double angular[3]) {
  m->rigid[0] = vec3_of(velocity), m->rigid[1] = vec3_of(angular);
  for (int i = 1; i < m->nodes.count; i++) {
    double v[3];
    if (model_node(m, i)->kind == NODE_FIXED || model_node(m, i)->own) continue;
    vec3_to(vec3_add(vec3_of(velocity), vec3_cross(vec3_of(angular), model_node(m, i)->x[0])), v);
    TRY(LimberModelSetVelocity(m, (LimberId)i, v, angular));
  }
  return 0;
}

void model_velocity(Model m, ptrdiff_t node, Vec3 *v, Vec3 *w) {
  *v = *w = vec3_zero();
  if (node >= m->velocity.count) return;
  const Vec3 *at = (const Vec3 *)m->velocity.data + 2 * (size_t)node;
  *v = at[0], *w = at[1];
}

static bool has_node(Model m, LimberId id) { return id >= 0 && id < m->nodes.count; }

// ---- sections ----

int LimberModelAddSection(LimberModel m, const char *name, int stations, const LimberSection *station, LimberId *id) {
  ModelSection *s = NULL;
  if (id) *id = (LimberId)m->sections.count;
  TRY(ArrayAdd(&m->sections, sizeof *s, &s));
  TRY(ModelCopyString(m, name, &s->name));
  s->count = stations;
  TRY(ModelAllocate(m, (size_t)stations * sizeof *station, &s->station));
  memcpy(s->station, station, (size_t)stations * sizeof *station);
  if (stations < 1) TRY(ModelReportError(m, "section '%s' has no station", name));
  for (int i = 1; i < stations; i++)
    if (!(station[i - 1].at < station[i].at)) TRY(ModelReportError(m, "section '%s': its stations must grow", name));
  for (int i = 0; i < stations; i++) {
    double c[6][6]; // positive definite: Cholesky
    memcpy(c, station[i].stiffness, sizeof c);
    bool good = station[i].mass >= 0;
    for (int k = 0; k < 6 && good; k++) {
      good = c[k][k] > 0;
      for (int r = k + 1; r < 6; r++) {
        good = good && fabs(c[r][k] - c[k][r]) <= 1e-9 * (fabs(c[r][k]) + fabs(c[k][r])) + 0;
        for (int q = k + 1; q <= r && good; q++) c[q][r] = c[r][q] -= c[r][k] * c[q][k] / c[k][k];
      }
    }
    if (!good)
      TRY(ModelReportError(
          m, "section '%s': its stiffness must be symmetric and positive definite, its mass not negative", name));
  }
  return 0;
}

Error ModelOutline(LimberModel m, LimberId section, int station, const Outline *o) {
  ModelSection *s = (ModelSection *)m->sections.data + section;
  Outline *copy;
  if (!s->outline) TRY(ModelAllocate(m, (size_t)s->count * sizeof *s->outline, &s->outline));
  TRY(ModelAllocate(m, sizeof *copy, &copy));
  *copy = *o, s->outline[station] = copy;
  return 0;
}

Error ModelSolution(LimberModel m, LimberId section, int station, const SectionSolution *solution) {
  ModelSection *s = (ModelSection *)m->sections.data + section;
  if (!s->solution) TRY(ModelAllocate(m, (size_t)s->count * sizeof *s->solution, &s->solution));
  s->solution[station] = solution;
  return 0;
}

#define FIND_KIND(kinds, text, out) \
  do { \
    out = NULL; \
    for (int i_ = 0; kinds[i_]; i_++) \
      if (!strcmp(kinds[i_]->name, text)) out = kinds[i_]; \
  } while (0)

static Error ReportUnknownKind(LimberModel m, const char *what, const char *kind, const char *name) {
  TRY(ModelReportError(m, "'%s': there is no %s of the kind '%s'", name ? name : "?", what, kind));
  return 0;
}

// ---- elements ----

typedef struct {
  LimberModel model;
  const ElementKind *kind;
  int component;
  bool full;   // the model cannot hold more
  Error error; // what the builder's callbacks cannot return
} Building;

static NodeKind builder_node(ElementBuilder *b, LimberId id, Vec3 x[4]) {
  const Building *q = b->self;
  const ModelNode *n = model_node(q->model, id);
  memcpy(x, n->x, sizeof n->x);
  return n->kind;
}

static LimberId builder_add_node(ElementBuilder *b, NodeKind kind, const Vec3 x[4]) {
  Building *q = b->self;
  LimberId id = LIMBER_NONE;
  if (!q->error) q->error = AddNode(q->model, kind, NULL, x, &id);
  if (!q->error) ((ModelNode *)q->model->nodes.data)[id].component = q->component;
  return id;
}

static void builder_set_velocity(ElementBuilder *b, LimberId id, Vec3 v) {
  Building *q = b->self;
  double velocity[3];
  vec3_to(v, velocity);
  if (!q->error) q->error = LimberModelSetVelocity(q->model, id, velocity, NULL);
  if (!q->error) ((ModelNode *)q->model->nodes.data)[id].own = true;
}

static void *builder_allocate(ElementBuilder *b, size_t size) {
  Building *q = b->self;
  void *out = NULL;
  if (!q->error) q->error = ModelAllocate(q->model, size, &out);
  return q->error ? NULL : out;
}

static int most_elements(Model m) { return m->most_elements ? m->most_elements : LIMBER_MOST_ELEMENTS; }

static void *builder_add_element(ElementBuilder *b, int nnode, const LimberId *nodes) {
  Building *q = b->self;
  LimberModel m = q->model;
  ModelElement *e = NULL;
  LimberId *at = NULL;
  int first = m->element_node.count;
  q->full = m->elements.count >= most_elements(m);
  if (q->full) return NULL;
  for (int i = 0; i < nnode && !q->error; i++) {
    q->error = ArrayAdd(&m->element_node, sizeof *at, &at);
    if (!q->error) *at = nodes[i];
  }
  if (!q->error) q->error = ArrayAdd(&m->elements, sizeof *e, &e);
  if (q->error) return NULL;
  *e = (ModelElement){q->kind, q->component, first, nnode, builder_allocate(b, q->kind->data_size)};
  return e->data;
}

static void builder_add_joint(ElementBuilder *b, const char *kind, const char *own, const void *params) {
  Building *q = b->self;
  const char *component = model_component(q->model, q->component)->name;
  char name[256];
  LimberId id = LIMBER_NONE;
  snprintf(name, sizeof name, "%s.%s", component ? component : q->kind->name, own ? own : "joint");
  if (!q->error) q->error = ModelAddJoint(q->model, kind, name, params, &id);
  if (id >= 0) ((ModelJoint *)q->model->joints.data)[id].named = own;
}

static const LimberSection *builder_section(ElementBuilder *b, LimberId id, int *stations) {
  const Building *q = b->self;
  if (id < 0 || id >= q->model->sections.count) return NULL;
  *stations = model_section(q->model, id)->count;
  return *stations > 0 ? model_section(q->model, id)->station : NULL;
}

static const char *builder_say(ElementBuilder *b, const char *format, ...) {
  char text[400];
  const char *out = NULL;
  Building *q = b->self;
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!q->error) q->error = ModelCopyString(q->model, text, &out);
  return out;
}

static int builder_line(ElementBuilder *b, LimberId component, int i, LimberId nodes[MAX_LOCAL_NODES],
                        double length[MAX_LOCAL_NODES]) {
  const Building *q = b->self;
  return component == q->component ? -1 : model_line(q->model, component, i, nodes, length);
}

// Every node that the component's fields name is there; ground and none only where the default allows them, bodies in joints.
static Error CheckNodes(LimberModel m, const char *what, const char *name, const FieldTable *t, const void *params,
                        bool bodies, bool *good) {
  *good = true;
  for (int i = 0; i < t->count; i++) {
    const Field *f = &t->field[i];
    if (f->type != FIELD_NODE && f->type != FIELD_NODES) continue;
    const LimberId *id = (const LimberId *)((const char *)params + f->offset);
    for (int k = 0; k < (f->type == FIELD_NODE ? 1 : f->count); k++) {
      if (has_node(m, id[k]) || (!f->required && id[k] == LIMBER_NONE) || (bodies && model_body(m, id[k]) >= 0))
        continue;
      TRY(ModelReportError(m, "%s '%s': its '%s' is not a node of the model", what, name ? name : "?", f->name));
      *good = false;
    }
  }
  return 0;
}

// The section and the damping of the mass that a component's fields give; or what is wrong.
static const char *take_fields(const FieldTable *t, const void *params, ModelComponent *component) {
  component->section = LIMBER_NONE, component->mass_damping = 0;
  for (int i = 0; i < t->count; i++) {
    const void *at = (const char *)params + t->field[i].offset;
    if (t->field[i].type == FIELD_SECTION) component->section = *(const LimberId *)at;
    if (t->field[i].type == FIELD_DAMPING && t->field[i].count > 1) component->mass_damping = ((const double *)at)[1];
  }
  return component->mass_damping >= 0 && component->mass_damping < HUGE_VAL ? NULL
                                                                            : "negative damping would create energy";
}

Error ModelAddElement(LimberModel m, const char *kind, const char *name, const void *params, LimberId *id) {
  const ElementKind *k;
  ModelComponent *component = NULL;
  bool good;
  if (id) *id = LIMBER_NONE;
  FIND_KIND(element_kinds, kind, k);
  if (!k) {
    TRY(ReportUnknownKind(m, "element", kind, name));
    return 0;
  }
  TRY(CheckNodes(m, kind, name, &k->fields, params, false, &good));
  if (!good) return 0;
  Building self = {m, k, m->components.count, false, 0};
  TRY(ArrayAdd(&m->components, sizeof *component, &component));
  component->kind = k, component->first = m->elements.count;
  const char *reason = take_fields(&k->fields, params, component);
  TRY(ModelCopyString(m, name, &component->name));
  ElementBuilder b = {&self,
                      builder_node,
                      builder_add_node,
                      builder_add_element,
                      builder_set_velocity,
                      builder_allocate,
                      builder_add_joint,
                      builder_section,
                      builder_say,
                      builder_line,
                      most_elements(m) - m->elements.count};
  if (!reason) reason = k->build(params, &b);
  TRY(self.error);
  component = (ModelComponent *)m->components.data + self.component;
  component->count = m->elements.count - component->first;
  for (int e = component->first; e < m->elements.count; e++)
    component->nnode =
        e == component->first || component->nnode == model_element(m, e)->nnode ? model_element(m, e)->nnode : 0;
  if (!reason && self.full) reason = element_too_many;
  if (reason == element_too_many)
    TRY(ModelReportError(m, "%s '%s': a model %shas at most %d elements", kind, name ? name : "?",
                         m->most_elements ? "of this size " : "", most_elements(m)));
  else if (reason) TRY(ModelReportError(m, "%s '%s': %s", kind, name ? name : "?", reason));
  else if (id) *id = (LimberId)self.component;
  return 0;
}

int model_component_last_node(Model m, LimberId id) {
  const ModelComponent *component = model_component(m, id);
  if (component->kind->faces) return 2 * component->count + 1;
  if (component->nnode) return component->count * (component->nnode - 1);
  int last = 0;
  for (int e = component->first; e < component->first + component->count; e++) last += model_element(m, e)->nnode - 1;
  return last;
}

LimberId limber_model_element_node(LimberModel m, LimberId element, int i) {
  if (element < 0 || element >= m->components.count || i < 0 || i > model_component_last_node(m, element))
    return LIMBER_NONE;
  const ModelComponent *component = model_component(m, element);
  if (!component->count) return LIMBER_NONE;
  int e = component->first;     // neighbours share a node
  if (component->kind->faces) { // corners: below at the start and end of the element, then above at its end and start
    bool last = i / 2 == component->count;
    const LimberId *corner = model_element_nodes(m, model_element(m, e + i / 2 - last));
    return corner[i % 2 ? (last ? 2 : 3) : last];
  }
  if (component->nnode > 1 && i > 0)
    e += (i - 1) / (component->nnode - 1), i -= (e - component->first) * (component->nnode - 1);
  for (; i >= model_element(m, e)->nnode; e++) i -= model_element(m, e)->nnode - 1;
  return model_element_nodes(m, model_element(m, e))[i];
}

int limber_model_element_points(LimberModel m, LimberId element) {
  int n = 0;
  if (element < 0 || element >= m->components.count) return 0;
  const ModelComponent *component = model_component(m, element);
  for (int e = component->first; e < component->first + component->count; e++) {
    int more = component->kind->points(model_element(m, e)->data);
    n = more < INT_MAX - n ? n + more : INT_MAX; // those beyond cannot be named
  }
  return n;
}

const ModelElement *model_component_point(Model m, LimberId id, int *point) {
  if (id < 0 || id >= m->components.count || *point < 0) return NULL;
  const ModelComponent *component = model_component(m, id);
  for (int e = component->first; e < component->first + component->count; e++) {
    int n = component->kind->points(model_element(m, e)->data);
    if (*point < n) return model_element(m, e);
    *point -= n;
  }
  return NULL;
}

// ---- joints and loads ----

// The caller's numbers, if there are any, become the model's.
static Error CopyNumbers(LimberModel m, int count, const double **numbers) {
  double *own;
  if (!*numbers) return 0;
  TRY(ModelAllocate(m, (size_t)count * sizeof *own, &own));
  memcpy(own, *numbers, (size_t)count * sizeof *own);
  *numbers = own;
  return 0;
}

// A fixed node is a place of the ground.
static const char *joint_without_motion(Model m, const ModelJoint *j) {
  bool fixed = j->nnode > 2; // the last is the ground
  for (int i = 0; i + 1 < j->nnode; i++) fixed = fixed && model_node(m, j->node[i])->kind == NODE_FIXED;
  return fixed && j->node[0] != j->node[1]
             ? "neither of its nodes can move: leave out `kind: fixed` of the one that it shall carry"
             : "a joint ties two different nodes";
}

Error ModelAddJoint(LimberModel m, const char *kind, const char *name, const void *params, LimberId *id) {
  const JointKind *k;
  ModelJoint *j = NULL;
  bool good;
  LimberId nodes[MAX_LOCAL_NODES];
  JointNodes at = {0};
  if (id) *id = LIMBER_NONE;
  k = joint_find(kind);
  if (!k) {
    TRY(ReportUnknownKind(m, "joint", kind, name));
    return 0;
  }
  TRY(CheckNodes(m, kind, name, &k->fields, params, true, &good));
  if (!good) return 0;
  ModelJoint made = {.kind = k, .joint = {.ncoord = k->ncoord}};
  const char *reason = NULL;
  if (k->ties) {
    at.ntie = k->ties(params, at.tie);
    reason = model_tied_nodes(m, &at, &made);
    TRY(ModelAllocate(m, MAX_TIE_TERMS * sizeof *at.term, &at.term));
    if (!reason) TRY(ModelTiedFormula(m, k, params, &at, &reason));
  } else if (!model_joint_nodes(m, field_nodes(&k->fields, params, nodes), nodes, &at, &made))
    reason = joint_without_motion(m, &made);
  Joint joint = made.joint;
  joint.geometry.at[0] = at.x[0][0], joint.geometry.at[1] = at.x[at.nnode > 2][0];
  if (!reason) reason = k->prepare(params, &at, &joint);
  if (!reason && joint.outside)
    reason = "a body without thickness carries only what lies in its plane, or on its line: give it a thickness";
  if (!reason) reason = joint_laws(k, params, &joint);
  for (int c = 0; c < joint.ncoord && !reason; c++) {
    TRY(CopyNumbers(m, 2, &joint.law[c].limits));
    TRY(CopyNumbers(m, 1, &joint.law[c].initial_rate));
    TRY(CopyNumbers(m, 2 * joint.law[c].pairs, &joint.law[c].table));
  }
  joint_complete(&joint);
  if (reason) {
    TRY(ModelReportError(m, "%s '%s': %s", kind, name ? name : "?", reason));
    return 0;
  }
  if (id) *id = (LimberId)m->joints.count;
  TRY(ArrayAdd(&m->joints, sizeof *j, &j));
  *j = made, j->joint = joint;
  void *copy;
  TRY(ModelAllocate(m, k->fields.size, &copy));
  j = &((ModelJoint *)m->joints.data)[m->joints.count - 1];
  j->params = memcpy(copy, params, k->fields.size);
  TRY(ModelCopyString(m, name, &j->name));
  return 0;
}

// Which coordinate of its joint a load acts on: NULL, or what is wrong.
static const char *coord_of_load(Model m, Load *load) {
  const JointKind *kind = model_joint(m, load->id)->kind;
  if (!model_joint(m, load->id)->joint.ncoord) return "its joint has no coordinate that it could act on";
  load->coord = load->coordinate ? joint_coord(kind, load->coordinate) : 0;
  if (load->coord < 0 || load->coord >= model_joint(m, load->id)->joint.ncoord)
    return strcmp(load->coordinate, "angle") ? "its joint has no such `coordinate`" : "its joint has no angle";
  for (int i = 0; i < m->loads.count && load_prescribes(load); i++) {
    const Load *other = &model_load(m, i)->load;
    if (load_prescribes(other) && other->id == load->id && other->coord == load->coord)
      return "another drive prescribes the same coordinate";
  }
  return NULL;
}

// What a load per length acts on has a length, and axes or frames where the load needs them.
static const char *element_of_load(Model m, const Load *l) {
  if (l->id < 0 || l->id >= m->components.count) return "its element is not in the model";
  const ModelComponent *component = model_component(m, l->id);
  if (!component->kind->station || !component->count) return "its `element` has no length";
  bool turns = component->kind->axes;
  if (l->follower && !turns) return "its `element` has no section that turns it: `axes` are those of the ground";
  return turns || vec3_norm(l->moment) == 0 ? NULL : "its `element` takes no moment";
}

Error ModelAddLoad(LimberModel m, const char *kind, const char *name, const void *params, LimberId *id) {
  const LoadKind *k;
  ModelLoad *l = NULL;
  bool good;
  if (id) *id = LIMBER_NONE;
  FIND_KIND(load_kinds, kind, k);
  if (!k) {
    TRY(ReportUnknownKind(m, "load", kind, name));
    return 0;
  }
  TRY(CheckNodes(m, kind, name, &k->fields, params, false, &good));
  if (!good) return 0;
  Load load = {.target = k->target, .amplitude = LIMBER_NONE};
  const char *reason = k->prepare(params, &load);
  if (!reason && load.amplitude != LIMBER_NONE && (load.amplitude < 0 || load.amplitude >= m->functions.count))
    reason = "its amplitude is not a function of the model";
  if (!reason && k->target == LOAD_JOINT) {
    if (load.id < 0 || load.id >= m->joints.count) reason = "its joint is not in the model";
    else reason = coord_of_load(m, &load);
  }
  if (!reason && load_prescribes(&load) && load.drive == DRIVE_MOTION && model_amplitude_set(m, load.amplitude))
    reason = "a signal jumps from step to step, which no motion does: let it be the `rate`";
  if (!reason && k->target == LOAD_NODE && model_node(m, load.id)->kind == NODE_FIXED)
    reason = "a fixed node does not move";
  if (!reason && k->target == LOAD_NODE && model_node(m, load.id)->kind == NODE_POINT && vec3_norm(load.moment) > 0)
    reason = "a point takes no moment";
  if (!reason && k->target == LOAD_NODE && model_node(m, load.id)->kind == NODE_POINT && load.follower)
    reason = "its `node` is a point, which does not turn; a `force` in ground axes can act on it";
  if (!reason && k->target == LOAD_ELEMENT) reason = element_of_load(m, &load);
  for (int i = 0; i < load.ncomponents && !reason; i++)
    if (load.components[i] < 0 || load.components[i] >= m->components.count)
      reason = "its elements are not in the model";
  if (reason) {
    TRY(ModelReportError(m, "%s '%s': %s", kind, name ? name : "?", reason));
    return 0;
  }
  if (id) *id = (LimberId)m->loads.count;
  TRY(ArrayAdd(&m->loads, sizeof *l, &l));
  load.coordinate = NULL; // the caller's
  if (k->target == LOAD_JOINT) {
    Joint *j = &((ModelJoint *)m->joints.data)[load.id].joint;
    j->loaded[load.coord] = true;
    if (load_prescribes(&load)) j->prescribed[load.coord] = true;
    joint_complete(j);
  }
  if (load.ncomponents) {
    LimberId *components;
    TRY(ModelAllocate(m, (size_t)load.ncomponents * sizeof *components, &components));
    load.components = memcpy(components, load.components, (size_t)load.ncomponents * sizeof *components);
  }
  l->kind = k, l->load = load;
  TRY(ModelCopyString(m, name, &l->name));
  return 0;
}

// ---- names ----

#define FIND_NAME(count, get, text) \
  do { \
    for (int i_ = 0; i_ < (count); i_++) \
      if (get(m, i_)->name && !strcmp(get(m, i_)->name, text)) return (LimberId)i_; \
    return LIMBER_NONE; \
  } while (0)

LimberId limber_model_find_node(LimberModel m, const char *name) { FIND_NAME(m->nodes.count, model_node, name); }
LimberId limber_model_find_element(LimberModel m, const char *name) {
  FIND_NAME(m->components.count, model_component, name);
}
LimberId limber_model_find_joint(LimberModel m, const char *name) { FIND_NAME(m->joints.count, model_joint, name); }
LimberId limber_model_find_load(LimberModel m, const char *name) { FIND_NAME(m->loads.count, model_load, name); }
LimberId limber_model_find_function(LimberModel m, const char *name) {
  FIND_NAME(m->functions.count, model_function, name);
}

void model_name_node(Model m, ptrdiff_t node, char *out, size_t size) {
  const ModelNode *n = model_node(m, node);
  if (n->name || n->component < 0) {
    snprintf(out, size, "node '%s'", n->name ? n->name : "?");
    return;
  }
  const ModelComponent *component = model_component(m, n->component);
  LimberId first = LIMBER_NONE;
  for (ptrdiff_t i = node; i > 0 && model_node(m, i)->component == n->component; i--) first = (LimberId)i;
  bool given =
      model_element_nodes(m, model_element(m, component->first))[0] != first; // its start is a node of the user
  snprintf(out, size, "node '%s.%d'", component->name ? component->name : component->kind->name,
           (int)(node - first) + given);
}

void model_name_joint(Model m, ptrdiff_t joint, char *out, size_t size) {
  const ModelJoint *j = model_joint(m, joint);
  snprintf(out, size, "%s '%s'", j->kind->name, j->name ? j->name : "?");
}
