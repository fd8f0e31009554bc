// SPDX-License-Identifier: Apache-2.0
#include "mechanics/surface.h"

const char *const surface_too_many = "the surfaces of the model have too many points";

Reason surface_place(const SurfaceBuilder *b, int node, const double *at, double coef[4]) {
  Vec3 x[4];
  NodeKind kind = b->node(b->self, node, x);
  coef[0] = 1, coef[1] = coef[2] = coef[3] = 0;
  if (!at) return no_reason();
  Vec3 arm = vec3_sub(vec3_of(at), x[0]);
  if (kind == NODE_POINT)
    return vec3_norm(arm) > 0 ? reason(REASON_CONFLICT, "at", "a point has no lever arm: leave out `at`") : no_reason();
  for (int j = 1; j < 4; j++) coef[j] = vec3_dot(arm, x[j]);
  return no_reason();
}

Reason surface_direction(const SurfaceBuilder *b, int node, const char *field, Vec3 direction, double coef[4]) {
  Vec3 x[4];
  if (b->node(b->self, node, x) == NODE_POINT)
    return reason(REASON_VALUE, "node", "a point has no axes: its node must have 6 degrees of freedom");
  double length = vec3_norm(direction);
  if (!(length > 0) || !(length < HUGE_VAL)) return reason(REASON_VALUE, field, "its direction must not be zero");
  coef[0] = 0;
  for (int j = 1; j < 4; j++) coef[j] = vec3_dot(direction, x[j]) / length;
  return no_reason();
}
