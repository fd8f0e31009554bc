// SPDX-License-Identifier: Apache-2.0
// Adds elements to a model. Each kind builds its elements through an ElementBuilder.
#include "base/limits.h"
#include "mechanics/reduction.h"
#include "model/adders.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct {
  LimberModel model;
  const ElementKind *kind;
  int component;
  const Wheel *wheel; // NULL: it is no wheel
  int wheel_node, motor;
  bool full;   // the model has no room for more elements
  Error error; // of the builder's callbacks, which cannot return it
} Building;

static NodeKind builder_node(ElementBuilder *b, LimberNodeId id, Vec3 x[4]) {
  const Building *q = b->self;
  const ModelNode *n = model_node(q->model, id.index);
  memcpy(x, n->x, sizeof n->x);
  return n->kind;
}

static LimberNodeId builder_add_node(ElementBuilder *b, NodeKind kind, const Vec3 x[4]) {
  Building *q = b->self;
  LimberNodeId id = LIMBER_NO_NODE;
  if (!q->error) q->error = ModelAddNode(q->model, kind, NULL, x, &id.index);
  if (!q->error) ((ModelNode *)q->model->nodes.data)[id.index].component = q->component;
  return id;
}

static LimberNodeId builder_add_states(ElementBuilder *b, Vec3 x) {
  Building *q = b->self;
  LimberNodeId id = builder_add_node(b, NODE_POINT, (Vec3[4]){x});
  ModelNode *node = (ModelNode *)q->model->nodes.data + id.index;
  if (!q->error) node->own = node->abstract = node->states = true;
  return id;
}

static void builder_set_velocity(ElementBuilder *b, LimberNodeId id, Vec3 v) {
  Building *q = b->self;
  double velocity[3];
  vec3_to(v, velocity);
  if (!q->error) q->error = LimberModelSetVelocity(q->model, id, velocity, NULL);
  if (!q->error) ((ModelNode *)q->model->nodes.data)[id.index].own = true;
}

static void *builder_allocate(ElementBuilder *b, size_t size) {
  Building *q = b->self;
  void *out = NULL;
  if (!q->error) q->error = ModelAllocate(q->model, size, &out);
  return q->error ? NULL : out;
}

static int most_elements(Model m) { return m->most_elements ? m->most_elements : LIMBER_MOST_ELEMENTS; }

static void *builder_add_element(ElementBuilder *b, int nnode, const LimberNodeId *nodes) {
  Building *q = b->self;
  LimberModel m = q->model;
  ModelElement *e = NULL;
  int *at = NULL;
  int first = m->element_node.count;
  // the nodes of all elements are counted by an int
  q->full = m->elements.count >= most_elements(m) || m->element_node.count > INT_MAX - MAX_LOCAL_NODES;
  if (q->full) return NULL;
  for (int i = 0; i < nnode && !q->error; i++) {
    q->error = ArrayAdd(&m->element_node, sizeof *at, &at);
    if (!q->error) *at = nodes[i].index;
  }
  if (!q->error) q->error = ArrayAdd(&m->elements, sizeof *e, &e);
  if (q->error) return NULL;
  *e = (ModelElement){q->kind, q->component, first, nnode, builder_allocate(b, q->kind->data_size)};
  return e->data;
}

static void builder_add_joint(ElementBuilder *b, const char *kind, const char *own, bool driven, const void *params) {
  Building *q = b->self;
  const char *component = model_component(q->model, q->component)->name;
  char name[256];
  int id = LIMBER_NONE;
  snprintf(name, sizeof name, "%s.%s", component ? component : q->kind->name, own ? own : "joint");
  if (!q->error) q->error = ModelAddJoint(q->model, kind, name, params, &id);
  if (id < 0) return;
  ModelJoint *joint = (ModelJoint *)q->model->joints.data + id;
  joint->named = own, joint->driven = driven;
}

static const LimberSection *builder_section(ElementBuilder *b, LimberSectionId id, int *stations) {
  const Building *q = b->self;
  if (id.index < 0 || id.index >= q->model->sections.count) return NULL;
  *stations = model_section(q->model, id.index)->count;
  return *stations > 0 ? model_section(q->model, id.index)->station : NULL;
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

static int builder_line(ElementBuilder *b, LimberElementId component, int i, LimberNodeId nodes[MAX_LOCAL_NODES],
                        double length[MAX_LOCAL_NODES]) {
  const Building *q = b->self;
  int own[MAX_LOCAL_NODES];
  int count = component.index == q->component ? -1 : model_line(q->model, component.index, i, own, length);
  for (int a = 0; a < count; a++) nodes[a] = (LimberNodeId){own[a]};
  return count;
}

static bool builder_line_point(ElementBuilder *b, LimberElementId component, int i, int g, double *weight, double *at,
                               Rows *y) {
  const Building *q = b->self;
  const ModelElement *e = model_element(q->model, model_component(q->model, component.index)->first + i);
  if (g >= e->kind->points(e->data)) return false;
  element_point_position(e->kind, e->data, g, weight, at);
  y->ny = y->start[0] = 0;
  e->kind->line.station(e->data, *at, y);
  return true;
}

static const Reduction *builder_reduce(ElementBuilder *b, const LimberReducedBody *p, Reason *wrong) {
  Building *q = b->self;
  const Reduction *out = NULL;
  if (!q->error) q->error = ModelReduce(q->model, p, &out, wrong);
  return out;
}

static void builder_add_interface(ElementBuilder *b, const InterfaceTie *tie) {
  Building *q = b->self;
  const char *component = model_component(q->model, q->component)->name;
  char name[256];
  snprintf(name, sizeof name, "%s.interface", component ? component : q->kind->name);
  if (!q->error) q->error = ModelAddInterface(q->model, name, tie);
}

static void builder_add_wheel(ElementBuilder *b, const Wheel *wheel, LimberNodeId node, LimberFunctionId motor) {
  Building *q = b->self;
  q->wheel = wheel, q->wheel_node = node.index, q->motor = motor.index;
}

static void builder_add_wind(ElementBuilder *b, const Wind *wind) {
  Building *q = b->self;
  ModelWind *w = NULL;
  if (!q->error) q->error = ArrayAdd(&q->model->winds, sizeof *w, &w);
  if (w) *w = (ModelWind){wind, q->component};
}

static const Wind *builder_wind(ElementBuilder *b, LimberElementId component) {
  Building *q = b->self;
  for (int i = 0; i < q->model->winds.count; i++) {
    const ModelWind *w = model_wind(q->model, i);
    if (w->component != component.index) continue;
    ModelComponent *c = q->model->components.data;
    c[q->component].amplitude = c[w->component].amplitude;
    return w->wind;
  }
  return NULL;
}

int model_find_wheel(Model m, int component) {
  for (int i = 0; i < m->wheels.count; i++)
    if (model_wheel(m, i)->component == component) return i;
  return -1;
}

// A wheel's motor is a load of the same name.
static Error AddWheel(LimberModel m, const Building *b, const char *name, Reason *wrong) {
  ModelWheel *w = NULL;
  ModelLoad *l = NULL;
  int load = b->motor == LIMBER_NONE ? LIMBER_NONE : m->loads.count;
  if (b->motor != LIMBER_NONE && (b->motor < 0 || b->motor >= m->functions.count)) {
    *wrong = reason(REASON_VALUE, "torque", "its torque or speed is not a function of the model");
    return 0;
  }
  TRY(ArrayAdd(&m->wheels, sizeof *w, &w));
  *w = (ModelWheel){b->wheel, b->wheel_node, load, b->component};
  if (load == LIMBER_NONE) return 0;
  TRY(ArrayAdd(&m->loads, sizeof *l, &l));
  l->kind = &load_wheel_motor;
  l->load = (Load){.target = LOAD_WHEEL,
                   .id = m->wheels.count - 1,
                   .drive = w->wheel->driven ? DRIVE_RATE : DRIVE_FORCE,
                   .torque = 1,
                   .amplitude = b->motor};
  TRY(ModelCopyString(m, name, &l->name));
  return 0;
}

// Takes the section and the mass damping from a component's fields; returns what is wrong, if anything.
static Reason take_fields(const FieldTable *t, const void *params, ModelComponent *component) {
  component->section = component->amplitude = LIMBER_NONE, component->mass_damping = 0;
  for (int i = 0; i < t->count; i++) {
    const void *at = (const char *)params + t->field[i].offset;
    if (t->field[i].type == FIELD_FUNCTION && component->kind->around) component->amplitude = *(const int *)at;
    if (t->field[i].type == FIELD_SECTION) component->section = *(const int *)at;
    if (t->field[i].type == FIELD_DAMPING && t->field[i].count > 1) component->mass_damping = ((const double *)at)[1];
  }
  bool good = component->mass_damping >= 0 && component->mass_damping < HUGE_VAL;
  return good ? no_reason() : reason(REASON_VALUE, "damping", "negative damping would create energy");
}

Error ModelAddElement(LimberModel m, const char *kind, const char *name, const void *params, int *id) {
  const ElementKind *k;
  ModelComponent *component = NULL;
  bool good;
  if (id) *id = LIMBER_NONE;
  FIND_KIND(element_kinds, kind, k);
  if (!k) {
    TRY(ModelReportUnknownKind(m, "element", kind, name));
    return 0;
  }
  TRY(ModelCheckNodes(m, kind, name, &k->fields, params, false, &good));
  if (!good) return 0;
  Building self = {.model = m, .kind = k, .component = m->components.count};
  TRY(ArrayAdd(&m->components, sizeof *component, &component));
  component->kind = k, component->first = m->elements.count;
  Reason wrong = take_fields(&k->fields, params, component);
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
                      builder_line_point,
                      builder_add_states,
                      builder_reduce,
                      builder_add_interface,
                      builder_add_wheel,
                      most_elements(m) - m->elements.count,
                      builder_add_wind,
                      builder_wind};
  if (!wrong.text && component->amplitude >= m->functions.count)
    wrong = reason(REASON_VALUE, "amplitude", "its amplitude is not a function of the model");
  if (!wrong.text) wrong = k->build(params, &b);
  TRY(self.error);
  component = (ModelComponent *)m->components.data + self.component;
  component->count = m->elements.count - component->first;
  for (int e = component->first; e < m->elements.count; e++)
    component->nnode =
        e == component->first || component->nnode == model_element(m, e)->nnode ? model_element(m, e)->nnode : 0;
  if (!wrong.text && self.full) wrong = reason(REASON_LIMIT, "elements", element_too_many);
  if (!wrong.text && self.wheel) TRY(AddWheel(m, &self, name, &wrong));
  if (wrong.text == element_too_many)
    TRY(ModelReportError(m, "elements", "%s '%s': a model %shas at most %d elements", kind, shown_name(name),
                         m->most_elements ? "of this size " : "", most_elements(m)));
  else if (wrong.text) TRY(ModelReportReason(m, kind, name, wrong));
  else if (id) *id = self.component;
  return 0;
}
