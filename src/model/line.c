// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include <string.h>

// Adds what an integration point stands for to the nodes whose positions make its place.
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
