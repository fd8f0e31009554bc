// SPDX-License-Identifier: Apache-2.0
// Bodies of points (mechanics/simplex.h) in the place of nodes.
#include "mechanics/simplex.h"
#include "model/model.h"

#include <string.h>

int model_body(Model m, LimberId id) {
  int item = LIMBER_BODY(id);
  return id <= LIMBER_BODY(0) && item < m->items.count && model_item(m, item)->kind->body &&
                 model_item(m, item)->count == 1
             ? item
             : -1;
}

bool model_joint_nodes(Model m, int count, const LimberId *named, JointNodes *at, ModelJoint *j) {
  bool moves = false;
  int vec = 0;
  at->nnode = count + 1;
  for (int a = 0; a <= count; a++) {
    LimberId id = a < count ? named[a] : LIMBER_GROUND;
    int item = model_body(m, id), first = j->nnode;
    if (a < count && first + (item >= 0 ? SIMPLEX_POINTS : 1) >= MAX_ITEM_NODES) return false;
    at->first[a] = vec;
    if (item >= 0) {
      const ModelElement *e = model_element(m, model_item(m, item)->first);
      memcpy(at->x[a], model_node(m, LIMBER_GROUND)->x, sizeof at->x[a]);
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
