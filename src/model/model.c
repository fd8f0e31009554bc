// SPDX-License-Identifier: Apache-2.0
// Memory, diagnostics, nodes, velocities, sections and names of a model.
#include "base/cookie.h"
#include "base/limits.h"
#include "mechanics/section_matrix.h"
#include "model/adders.h"

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

Error ArrayAdd(ModelArray *a, size_t size, void *out) {
  if (a->count == a->room) {
    ENSURE(a->count < INT_MAX, ERROR_MEMORY, "a model has at most %d nodes, elements or joints", INT_MAX);
    int room = a->room > INT_MAX / 2 ? INT_MAX : a->room ? 2 * a->room : 16;
    TRY(MemoryResize((size_t)room * size, &a->data));
    a->room = room;
  }
  void *at = (char *)a->data + (size_t)a->count++ * size;
  memset(at, 0, size);
  memcpy(out, &at, sizeof at);
  return 0;
}

static Error AddReason(LimberModel m, Reason about, const char *text) {
  Reason *own = NULL;
  TRY(ModelCopyString(m, about.kind, &about.kind));
  TRY(ModelCopyString(m, about.name, &about.name));
  TRY(ModelCopyString(m, text, &about.text));
  TRY(ArrayAdd(&m->reasons, sizeof *own, &own));
  *own = about;
  size_t more = strlen(text) + 1;
  if (m->diagnostics_length + more + 1 > m->diagnostics_room) {
    m->diagnostics_room = 2 * (m->diagnostics_length + more + 1);
    TRY(MemoryResize(m->diagnostics_room, &m->diagnostics));
  }
  sprintf(m->diagnostics + m->diagnostics_length, "%s\n", text);
  m->diagnostics_length += more;
  return 0;
}

Error ModelReportError(LimberModel m, const char *field, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return AddReason(m, reason(REASON_VALUE, field, text), text);
}

Error ModelReportReason(LimberModel m, const char *kind, const char *name, Reason reason) {
  char text[1024];
  snprintf(text, sizeof text, "%s '%s': %s", kind, shown_name(name), reason.text);
  reason.kind = kind, reason.name = name;
  return AddReason(m, reason, text);
}

const Reason *model_reason(Model m, ptrdiff_t i) { return (const Reason *)m->reasons.data + i; }

// ---- failures ----

Error model_failure(LimberModel m) {
  ENSURE(m, ERROR_ARGUMENT, "a function is given NULL for model");
  return m->failure;
}

Error model_keep_failure(LimberModel m, Error error) {
  const char *text = limber_error();
  if (!error || m->failure) return error;
  m->failure = error;
  if (!MemoryNew(strlen(text) + 1, &m->failure_text)) strcpy(m->failure_text, text);
  return error;
}

const char *limber_model_error(LimberModel m) {
  if (!m) return "there is no model";
  if (!m->failure) return limber_model_diagnostics(m);
  return m->failure_text ? m->failure_text : "out of memory";
}

int LimberModelCreate(LimberModel *model) {
  TRY(MemoryNew(sizeof **model, model));
  TRY(LimberModelAddFixed(*model, "ground", (const double[]){0, 0, 0}, NULL, NULL));
  return 0;
}

int LimberModelDestroy(LimberModel *model) {
  LimberModel m = *model;
  if (!m) return 0;
  ModelArray *arrays[] = {&m->nodes,    &m->elements, &m->element_node, &m->components, &m->joints,
                          &m->loads,    &m->ports,    &m->bonds,        &m->functions,  &m->sections,
                          &m->velocity, &m->visuals,  &m->events,       &m->surfaces,   &m->points,
                          &m->contacts, &m->wheels,   &m->winds,        &m->reasons};
  model_forget_formulae(m);
  if (m->release) m->release(m->communicator);
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) memory_free(&arrays[i]->data);
  TRY(StoreDestroy(&m->store));
  memory_free(&m->diagnostics);
  memory_free(&m->failure_text);
  memory_free(&m);
  *model = NULL;
  return 0;
}

const char *limber_model_diagnostics(LimberModel m) { return m->diagnostics ? m->diagnostics : ""; }
int limber_model_nodes(LimberModel m) { return m->nodes.count; }

// ---- nodes ----

Error ModelAddNode(LimberModel m, NodeKind kind, const char *name, const Vec3 x[4], int *id) {
  ModelNode *n = NULL;
  if (id) *id = m->nodes.count;
  TRY(ArrayAdd(&m->nodes, sizeof *n, &n));
  n->kind = kind, n->component = -1;
  TRY(ModelCopyString(m, name, &n->name));
  memcpy(n->x, x, sizeof n->x);
  return 0;
}

static Error AddFrame(LimberModel m, const char *name, const double position[3], const double *axes, int *id) {
  Vec3 x[4] = {vec3_of(position), {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (axes) {
    for (int j = 0; j < 3; j++) x[j + 1] = vec3_of(axes + 3 * j);
    for (int i = 1; i < 4; i++)
      for (int j = 1; j <= i; j++)
        if (fabs(vec3_dot(x[i], x[j]) - (i == j)) > 1e-9) {
          TRY(ModelReportError(m, "axes", "node '%s': its axes are not orthonormal", shown_name(name)));
          i = j = 4;
        }
    if (vec3_dot(x[1], vec3_cross(x[2], x[3])) < 0)
      TRY(ModelReportError(m, "axes", "node '%s': its axes are left-handed", name));
  }
  TRY(ModelAddNode(m, NODE_FRAME, name, x, id));
  return 0;
}

static Error AddFixed(LimberModel m, const char *name, const double position[3], const double *axes, int *id) {
  TRY(AddFrame(m, name, position, axes, id));
  ((ModelNode *)m->nodes.data)[m->nodes.count - 1].kind = NODE_FIXED;
  return 0;
}

int LimberModelAddFrame(LimberModel m, const char *name, const double position[3], const double *axes,
                        LimberNodeId *id) {
  if (id) *id = LIMBER_NO_NODE;
  return MODEL_CALL(m, AddFrame(m, name, position, axes, INDEX_OF(id)));
}

int LimberModelAddFixed(LimberModel m, const char *name, const double position[3], const double *axes,
                        LimberNodeId *id) {
  if (id) *id = LIMBER_NO_NODE;
  return MODEL_CALL(m, AddFixed(m, name, position, axes, INDEX_OF(id)));
}

int LimberModelAddPoint(LimberModel m, const char *name, const double position[3], LimberNodeId *id) {
  if (id) *id = LIMBER_NO_NODE;
  return MODEL_CALL(m, ModelAddNode(m, NODE_POINT, name, (const Vec3[4]){vec3_of(position)}, INDEX_OF(id)));
}

// Velocities are stored for all nodes up to the last that has one.
static Error SetVelocity(LimberModel m, int node, const double velocity[3], const double angular[3]) {
  Vec3 *v;
  if (node <= 0 || node >= m->nodes.count || model_node(m, node)->kind == NODE_FIXED) {
    TRY(ModelReportError(m, NULL, "a velocity is given to node %d, which is not there or does not move", node));
    return 0;
  }
  while (m->velocity.count <= node) TRY(ArrayAdd(&m->velocity, 2 * sizeof(Vec3), &v));
  v = (Vec3 *)m->velocity.data + 2 * (size_t)node;
  v[0] = vec3_of(velocity);
  if (angular) v[1] = vec3_of(angular);
  return 0;
}

int LimberModelSetVelocity(LimberModel m, LimberNodeId node, const double velocity[3], const double angular[3]) {
  return MODEL_CALL(m, SetVelocity(m, node.index, velocity, angular));
}

int LimberModelSetRigidVelocity(LimberModel m, const double velocity[3], const double angular[3]) {
  TRY(model_failure(m));
  m->rigid[0] = vec3_of(velocity), m->rigid[1] = vec3_of(angular);
  for (int i = 1; i < m->nodes.count; i++) {
    double v[3];
    if (model_node(m, i)->kind == NODE_FIXED || model_node(m, i)->own) continue;
    vec3_to(vec3_add(vec3_of(velocity), vec3_cross(vec3_of(angular), model_node(m, i)->x[0])), v);
    TRY(LimberModelSetVelocity(m, (LimberNodeId){i}, v, angular));
  }
  return 0;
}

void model_velocity(Model m, ptrdiff_t node, Vec3 *v, Vec3 *w) {
  *v = *w = vec3_zero();
  if (node >= m->velocity.count) return;
  const Vec3 *at = (const Vec3 *)m->velocity.data + 2 * (size_t)node;
  *v = at[0], *w = at[1];
}

// ---- sections ----

static Error AddSection(LimberModel m, const char *name, int stations, const LimberSection *station, int *id) {
  ModelSection *s = NULL;
  if (id) *id = m->sections.count;
  TRY(ArrayAdd(&m->sections, sizeof *s, &s));
  TRY(ModelCopyString(m, name, &s->name));
  s->count = stations;
  TRY(ModelAllocate(m, (size_t)stations * sizeof *station, &s->station));
  memcpy(s->station, station, (size_t)stations * sizeof *station);
  if (stations < 1) TRY(ModelReportError(m, NULL, "section '%s' has no station", name));
  for (int i = 1; i < stations; i++)
    if (!(station[i - 1].at < station[i].at))
      TRY(ModelReportError(m, "at", "section '%s': its stations must grow", name));
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
    if (good) continue;
    char lacks[200];
    if (*section_lacks(&station[i], lacks, sizeof lacks))
      TRY(ModelReportError(m, "stiffness", "section '%s', at %g, has no %s: a beam needs each of them, and positive",
                           name, station[i].at, lacks));
    else
      TRY(ModelReportError(m, station[i].mass >= 0 ? "stiffness" : "mass",
                           "section '%s': its stiffness must be symmetric and positive definite, its mass not negative",
                           name));
    break;
  }
  return 0;
}

int LimberModelAddSection(LimberModel m, const char *name, int stations, const LimberSection *station,
                          LimberSectionId *id) {
  if (id) *id = LIMBER_NO_SECTION;
  return MODEL_CALL(m, AddSection(m, name, stations, station, INDEX_OF(id)));
}

Error ModelOutline(LimberModel m, int section, int station, const Outline *o) {
  ModelSection *s = (ModelSection *)m->sections.data + section;
  Outline *copy;
  if (m->outlines >= LIMIT_OUTLINES) return 0;
  m->outlines++;
  if (!s->outline) TRY(ModelAllocate(m, (size_t)s->count * sizeof *s->outline, &s->outline));
  TRY(ModelAllocate(m, sizeof *copy, &copy));
  *copy = *o, s->outline[station] = copy;
  return 0;
}

Error ModelSolution(LimberModel m, int section, int station, const SectionSolution *solution) {
  ModelSection *s = (ModelSection *)m->sections.data + section;
  if (!s->solution) TRY(ModelAllocate(m, (size_t)s->count * sizeof *s->solution, &s->solution));
  s->solution[station] = solution;
  return 0;
}

Error ModelMarks(LimberModel m, int section, int station, const OutlineMarks *marks) {
  ModelSection *s = (ModelSection *)m->sections.data + section;
  OutlineMarks *copy;
  OutlineMark *mark;
  if (!s->marks) TRY(ModelAllocate(m, (size_t)s->count * sizeof *s->marks, &s->marks));
  TRY(ModelAllocate(m, sizeof *copy, &copy));
  TRY(ModelAllocate(m, (size_t)marks->count * sizeof *mark, &mark));
  memcpy(mark, marks->mark, (size_t)marks->count * sizeof *mark);
  for (int i = 0; i < marks->count; i++)
    if (mark[i].text) TRY(ModelCopyString(m, mark[i].text, &mark[i].text));
  *copy = (OutlineMarks){marks->count, mark}, s->marks[station] = copy;
  return 0;
}

// ---- names ----

#define FIND(part, Part, array, get) \
  Limber##Part##Id limber_model_find_##part(LimberModel m, const char *name) { \
    for (int i = 0; i < m->array.count; i++) \
      if (get(m, i)->name && !strcmp(get(m, i)->name, name)) return (Limber##Part##Id){i}; \
    return (Limber##Part##Id){LIMBER_NONE}; \
  }

FIND(node, Node, nodes, model_node)
FIND(element, Element, components, model_component)
FIND(joint, Joint, joints, model_joint)
FIND(load, Load, loads, model_load)
FIND(function, Function, functions, model_function)

void model_name_node(Model m, ptrdiff_t node, char *out, size_t size) {
  const ModelNode *n = model_node(m, node);
  if (n->name || n->component < 0) {
    snprintf(out, size, "node '%s'", shown_name(n->name));
    return;
  }
  const ModelComponent *component = model_component(m, n->component);
  int first = LIMBER_NONE;
  for (ptrdiff_t i = node; i > 0 && model_node(m, i)->component == n->component; i--) first = (int)i;
  if (component->kind->drawing.lines) { // it has nodes that are not on its line
    snprintf(out, size, "node '%s.point%d'", component->name ? component->name : component->kind->name,
             (int)(node - first) + 1);
    return;
  }
  bool given =
      model_element_nodes(m, model_element(m, component->first))[0] != first; // the user defined its first node
  snprintf(out, size, "node '%s.%d'", component->name ? component->name : component->kind->name,
           (int)(node - first) + given);
}

void model_name_joint(Model m, ptrdiff_t joint, char *out, size_t size) {
  const ModelJoint *j = model_joint(m, joint);
  snprintf(out, size, "%s '%s'", j->kind->name, shown_name(j->name));
}

LimberCause model_node_cause(Model m, ptrdiff_t node) {
  LimberCause out = {.kind = LIMBER_CAUSE_NODE, .index = (int)node};
  model_name_node(m, node, out.name, sizeof out.name);
  return out;
}

LimberCause model_joint_cause(Model m, ptrdiff_t joint) {
  LimberCause out = {.kind = LIMBER_CAUSE_JOINT, .index = (int)joint};
  model_name_joint(m, joint, out.name, sizeof out.name);
  return out;
}

LimberCause model_component_cause(Model m, ptrdiff_t component) {
  LimberCause out = {.kind = LIMBER_CAUSE_ELEMENT, .index = (int)component};
  const ModelComponent *c = model_component(m, component);
  snprintf(out.name, sizeof out.name, "%s '%s'", c->kind->name, shown_name(c->name));
  return out;
}

// ---- default options for reading files ----

LimberBladeOptions limber_blade_options_default(void) { return (LimberBladeOptions){.cookie = OPTIONS_COOKIE}; }

LimberReadOptions limber_read_options_default(void) { return (LimberReadOptions){.cookie = OPTIONS_COOKIE}; }
