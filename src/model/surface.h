// SPDX-License-Identifier: Apache-2.0
// Surfaces of a model at the start: positions of what is fixed to their nodes, and names in messages.
#ifndef LIMBER_MODEL_SURFACE_H
#define LIMBER_MODEL_SURFACE_H

#include "model/model.h"

// A position or direction by its coefficients of the vectors of a node.
static inline Vec3 surface_position(Model m, int node, const double *coef) {
  const ModelNode *n = model_node(m, node);
  Vec3 y = vec3_zero();
  for (int j = 0; j < node_vectors(n->kind); j++) y = vec3_axpy(y, coef[j], n->x[j]);
  return y;
}

static inline Vec3 surface_point_position(Model m, const SurfacePoint *p) {
  Vec3 y = vec3_zero();
  for (int a = 0; a < p->nnode; a++) y = vec3_add(y, surface_position(m, p->node[a], p->coef[a]));
  return y;
}

static inline const char *surface_name(const ModelSurface *s) { return s->name ? s->name : "?"; }

#endif
