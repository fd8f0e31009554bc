// SPDX-License-Identifier: Apache-2.0
// Nodes and integration points along a component.
#include "model/model.h"

#include <limits.h>

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
    n = more < INT_MAX - n ? n + more : INT_MAX; // those beyond cannot be named
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
