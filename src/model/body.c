// SPDX-License-Identifier: Apache-2.0
// Bodies of points (mechanics/simplex.h) in the place of nodes.
#include "mechanics/simplex.h"
#include "model/model.h"

#include <string.h>

int model_body(Model m, int id) {
  int component = id < 0 ? LIMBER_BODY((LimberElementId){id}).index : -1; // the macro is its own inverse
  return component >= 0 && component < m->components.count && model_component(m, component)->kind->body &&
                 model_component(m, component)->count == 1
             ? component
             : -1;
}

bool model_joint_nodes(Model m, int count, const int *named, JointNodes *at, ModelJoint *j) {
  bool moves = false;
  int vec = 0;
  at->nnode = count + 1;
  for (int a = 0; a <= count; a++) {
    int id = a < count ? named[a] : GROUND;
    int component = model_body(m, id), first = j->nnode;
    if (a < count && first + (component >= 0 ? SIMPLEX_POINTS : 1) >= MAX_LOCAL_NODES) return false;
    at->first[a] = vec;
    if (component >= 0) {
      const ModelElement *e = model_element(m, model_component(m, component)->first);
      memcpy(at->x[a], model_node(m, GROUND)->x, sizeof at->x[a]);
      at->kind[a] = NODE_FRAME, at->points[a] = e->nnode;
      for (int p = 0; p < e->nnode; p++) { // equal masses: the centre is their mean
        j->node[j->nnode++] = model_element_nodes(m, e)[p];
        at->point[a][p] = model_node(m, model_element_nodes(m, e)[p])->x[0];
        at->x[a][0] = vec3_axpy(at->x[a][0], 1.0 / e->nnode, at->point[a][p]);
      }
      vec += e->nnode, moves = j->bodies = true;
    } else {
      at->kind[a] = model_node(m, id)->kind;
      memcpy(at->x[a], model_node(m, id)->x, sizeof at->x[a]);
      j->node[j->nnode++] = id;
      vec += node_vectors(at->kind[a]), moves = moves || at->kind[a] != NODE_FIXED;
    }
    if (a + 1 == count) j->last = first, j->points = at->points[a];
  }
  for (int b = 1; b + 1 < j->nnode; b++)
    for (int a = 0; a < b; a++)
      if (j->node[a] == j->node[b]) return false;
  return moves;
}
