// SPDX-License-Identifier: Apache-2.0
#include "model/looks.h"

Vec3 look_position(Model m, const ModelLook *l, const float x[3]) {
  const ModelNode *n = model_node(m, l->node);
  Vec3 own = vec3_add(l->at, mat3_apply(l->turn, vec3(x[0], x[1], x[2])));
  if (n->kind == NODE_POINT) return vec3_add(n->x[0], own);
  return vec3_axpy(vec3_axpy(vec3_axpy(n->x[0], own.x, n->x[1]), own.y, n->x[2]), own.z, n->x[3]);
}

Vec3 look_corner(Model m, const ModelLook *l, int corner) {
  float x[3];
  for (int k = 0; k < 3; k++) x[k] = corner >> k & 1 ? l->shape->high[k] : l->shape->low[k];
  return look_position(m, l, x);
}

int component_colour(Model m, int component) {
  for (int i = m->looks.count - 1; i >= 0; i--)
    if (model_look(m, i)->node == LIMBER_NONE && model_look(m, i)->component == component)
      return model_look(m, i)->colour;
  return -1;
}

bool node_has_look(Model m, int node) {
  for (int i = 0; i < m->looks.count; i++)
    if (model_look(m, i)->node == node && model_look(m, i)->shape && !model_look(m, i)->beside) return true;
  return false;
}
