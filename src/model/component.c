// SPDX-License-Identifier: Apache-2.0
// Nodes, integration points, places and lines along a component.
#include "model/model.h"

#include <limits.h>
#include <string.h>

// Nodes and integration points along a component.

int model_component_last_node(Model m, int id) {
  const ModelComponent *component = model_component(m, id);
  if (component->kind->faces) return 2 * component->count + 1;
  if (component->nnode && !component->kind->drawing.lines) return component->count * (component->nnode - 1);
  int last = 0;
  for (int e = component->first; e < component->first + component->count; e++)
    last += element_line_nodes(component->kind, model_element(m, e)->data, model_element(m, e)->nnode) - 1;
  return last;
}

int model_component_node(Model m, int element, int i) {
  if (element < 0 || element >= m->components.count || i < 0 || i > model_component_last_node(m, element))
    return LIMBER_NONE;
  const ModelComponent *component = model_component(m, element);
  if (!component->count) return LIMBER_NONE;
  int e = component->first;     // neighbours share a node
  if (component->kind->faces) { // corners: below at the start and end of the element, then above at its end and start
    bool last = i / 2 == component->count;
    const int *corner = model_element_nodes(m, model_element(m, e + i / 2 - last));
    return corner[i % 2 ? (last ? 2 : 3) : last];
  }
  if (component->nnode > 1 && i > 0)
    e += (i - 1) / (component->nnode - 1), i -= (e - component->first) * (component->nnode - 1);
  for (; i >= model_element(m, e)->nnode; e++) i -= model_element(m, e)->nnode - 1;
  return model_element_nodes(m, model_element(m, e))[i];
}

LimberNodeId limber_model_element_node(LimberModel m, LimberElementId element, int i) {
  return (LimberNodeId){model_component_node(m, element.index, i)};
}

int limber_model_element_points(LimberModel m, LimberElementId element) {
  int n = 0;
  if (element.index < 0 || element.index >= m->components.count) return 0;
  const ModelComponent *component = model_component(m, element.index);
  for (int e = component->first; e < component->first + component->count; e++) {
    int more = component->kind->points(model_element(m, e)->data);
    n = more < INT_MAX - n ? n + more : INT_MAX; // points beyond cannot be numbered
  }
  return n;
}

const ModelElement *model_component_point(Model m, int id, int *point) {
  if (id < 0 || id >= m->components.count || *point < 0) return NULL;
  const ModelComponent *component = model_component(m, id);
  for (int e = component->first; e < component->first + component->count; e++) {
    int n = component->kind->points(model_element(m, e)->data);
    if (*point < n) return model_element(m, e);
    *point -= n;
  }
  return NULL;
}

// Places along components of several elements.

// The weights of an element's points add up to its length.
static double element_length(const ModelElement *e) {
  double length = 0;
  for (int g = 0; g < e->kind->points(e->data); g++) {
    ElementPoint p = {0};
    e->kind->point(e->data, g, &p);
    length += p.weight;
  }
  return length;
}

bool model_has_flow(Model m) {
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *c = model_component(m, i);
    ElementPoint p;
    if (!c->kind->around || !c->count) continue;
    const ModelElement *e = model_element(m, c->first);
    if (e->kind->points(e->data) == 0) continue;
    element_point(e->kind, e->data, 0, &p);
    if (p.flow) return true;
  }
  return false;
}

int model_flow_states(Model m) {
  int count = 0;
  for (int i = 0; i < m->nodes.count; i++) count += model_node(m, i)->states ? 2 : 0;
  return count;
}

const ModelElement *model_component_station(Model m, int id, double *at) {
  const ModelComponent *component = model_component(m, id);
  double all = 0, before = 0;
  for (int e = component->first; e < component->first + component->count; e++)
    all += element_length(model_element(m, e));
  for (int e = component->first; e < component->first + component->count; e++) {
    const ModelElement *el = model_element(m, e);
    double length = element_length(el);
    if (*at * all <= before + length || e + 1 == component->first + component->count) {
      *at = fmin(1, fmax(0, (*at * all - before) / length));
      return el;
    }
    before += length;
  }
  return NULL;
}

// Distributes the length of an integration point to the nodes that determine its position.
static void add_point(Model m, const ModelElement *e, int g, double *length) {
  const int *node = model_element_nodes(m, e);
  double weight, at;
  Rows y;
  element_point_position(e->kind, e->data, g, &weight, &at);
  y.ny = y.start[0] = 0;
  e->kind->line.station(e->data, at, &y);
  for (int a = 0, first = 0; a < e->nnode; first += node_vectors(model_node(m, node[a++])->kind))
    for (int i = y.start[0]; i < y.start[1]; i++)
      if (y.vec[i] == first) length[a] += weight * y.coef[i];
}

int model_line(Model m, int id, int i, int nodes[MAX_LOCAL_NODES], double length[MAX_LOCAL_NODES]) {
  if (id < 0 || id >= m->components.count || !model_component(m, id)->kind->line.station) return -1;
  const ModelComponent *component = model_component(m, id);
  if (i >= component->count) return 0;
  const ModelElement *e = model_element(m, component->first + i);
  memcpy(nodes, model_element_nodes(m, e), (size_t)e->nnode * sizeof *nodes);
  for (int a = 0; a < e->nnode; a++) length[a] = 0;
  for (int g = 0; g < e->kind->points(e->data); g++) add_point(m, e, g, length);
  return e->nnode;
}

bool model_next_mesh(Model m, ModelMesh *it) {
  if (it->mesh) it->first += it->mesh->points;
  it->mesh = NULL;
  while (!it->mesh && ++it->element < m->elements.count) {
    const ModelElement *e = model_element(m, it->element);
    it->mesh = element_mesh(e->kind, e->data);
  }
  return it->mesh;
}

int model_mesh_points(Model m) {
  ModelMesh it = {.element = -1};
  while (model_next_mesh(m, &it)) continue;
  return it.first;
}

bool model_component_mesh(Model m, int component, ModelMesh *out) {
  *out = (ModelMesh){.element = -1};
  while (model_next_mesh(m, out))
    if (model_element(m, out->element)->component == component) return true;
  return false;
}
