// SPDX-License-Identifier: Apache-2.0
#include "joints/pair.h"

const double pair_limits[2] = {-1, 1.5};

static bool is_zero(const double *v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

Reason pair_prepare(const JointNodes *n, PairNodes nodes, const double *axis, const double *first, const double *at,
                    const double *second_at, const RowTerm *term, int nterm, Joint *out) {
  if (n->kind[0] == NODE_POINT) return reason(REASON_VALUE, "nodes", "the first node is a point, which has no axes");
  if (nodes == PAIR_FRAMES && n->kind[1] == NODE_POINT)
    return reason(REASON_VALUE, "nodes", "the second node is a point, which has no axes");
  if (is_zero(axis)) return reason(REASON_VALUE, "axis", "the axis must not be zero");
  Vec3 e3 = vec3_unit(vec3_of(axis)), e1 = joint_first_direction(e3), point = at ? vec3_of(at) : n->x[1][0],
       second = second_at ? vec3_of(second_at) : point;
  if (first) {
    e1 = vec3_sub(vec3_of(first), vec3_scale(vec3_dot(vec3_of(first), e3), e3));
    if (!(vec3_norm(e1) > 1e-9 * vec3_norm(vec3_of(first))))
      return reason(REASON_GEOMETRY, "along", "the second direction must not be parallel to the axis");
    e1 = vec3_unit(e1);
  }
  Vec3 e[3] = {e1, vec3_cross(e3, e1), e3};
  bool point_node = n->kind[1] == NODE_POINT;
  if (point_node && second_at)
    return reason(REASON_CONFLICT, "second_at", "a point has no lever arm: leave out `second_at`");
  if (point_node && at && vec3_norm(vec3_sub(point, n->x[1][0])) > 0)
    return reason(REASON_CONFLICT, "at", "a point has no lever arm: leave out `at`");
  joint_ground_axes(n, out);
  out->geometry = (JointGeometry){{point, second}, e3, e1};
  rows_y(&out->rows);
  joint_add_position(out, 1, n, 0, point);
  joint_add_position(out, -1, n, 1, second);
  for (int node = 0; node < (point_node ? 1 : 2); node++)
    for (int j = 0; j < 3; j++) {
      rows_y(&out->rows);
      joint_add_direction(out, 1, n, node, e[j]);
    }
  out->rows.nterm = nterm, out->rows.term = term;
  for (int t = 0; t < nterm; t++)
    if (term[t].row >= out->rows.nrow) out->rows.nrow = term[t].row + 1;
  return no_reason();
}
