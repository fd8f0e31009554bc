// SPDX-License-Identifier: Apache-2.0
// A box with rounded edges: the body of all points that are nearer than the rounding to a smaller box. Its corners are
// spheres, and so are points along its edges.
#include "mechanics/surface.h"

enum { MOST_POINTS = 100 };

// Spheres along the edge from a corner, as far from each other as the first from the corner and the last from the next.
static bool add_edge(const SurfaceBuilder *b, const SurfacePoint *corner, int axis, double length, int points) {
  SurfacePoint point = *corner;
  for (int i = 1; i <= points; i++) {
    point.coef[0][1 + axis] = corner->coef[0][1 + axis] + i * length / (points + 1);
    if (!b->add_point(b->self, &point)) return false;
  }
  return true;
}

static Reason build(const void *params, const SurfaceBuilder *b) {
  const LimberBoxSurface *p = params;
  double least = fmin(p->size[0], fmin(p->size[1], p->size[2])), r = p->rounding > 0 ? p->rounding : 0.1 * least;
  if (!(least > 0) || !(p->size[0] + p->size[1] + p->size[2] < HUGE_VAL))
    return reason(REASON_VALUE, "size", "`size` must be positive");
  if (!(p->rounding >= 0) || !(2 * r < least))
    return reason(REASON_VALUE, "rounding", "`rounding` must be less than half of the smallest size");
  if (p->points < 0 || p->points > MOST_POINTS) return reason(REASON_VALUE, "points", "`points` must be from 0 to 100");
  SurfaceBody body = {.gap = "point_box", .node = p->node.index, .shape = {.sign = 1, .offset = r}};
  Reason wrong = surface_place(b, p->node.index, p->at, body.place);
  Vec3 x[4], half = vec3_zero();
  if (!wrong.text && b->node(b->self, p->node.index, x) == NODE_POINT)
    wrong = reason(REASON_VALUE, "node", "a point has no axes: its node must have 6 degrees of freedom");
  if (wrong.text) return wrong;
  for (int i = 0; i < 3; i++) body.shape.size[i] = 0.5 * p->size[i] - r, body.direction[i][i + 1] = 1;
  half = vec3_of(body.shape.size);
  body.reach = vec3_norm(half) + r;
  b->set_body(b->self, &body);
  for (int corner = 0; corner < 8; corner++) {
    SurfacePoint point = {.node = {p->node.index}, .nnode = 1, .radius = r, .weight = 1};
    for (int j = 0; j < 4; j++)
      point.coef[0][j] = body.place[j] + (j ? (corner >> (j - 1) & 1 ? 1 : -1) * body.shape.size[j - 1] : 0);
    if (!b->add_point(b->self, &point)) return reason(REASON_LIMIT, NULL, surface_too_many);
    for (int axis = 0; axis < 3; axis++)
      if (!(corner >> axis & 1) && !add_edge(b, &point, axis, 2 * body.shape.size[axis], p->points))
        return reason(REASON_LIMIT, NULL, surface_too_many);
  }
  return no_reason();
}

static const Field fields[] = {
    {"node", FIELD_NODE, 1, offsetof(LimberBoxSurface, node), "", false, GROUND,
     "node that carries it; default: the ground", NULL},
    {"at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberBoxSurface, at), "m", false, 0,
     "middle, in ground axes at the start; default: the node", &field_point},
    {"size", FIELD_REALS, 3, offsetof(LimberBoxSurface, size), "m", true, 0, "lengths along the axes of the node",
     NULL},
    {"rounding", FIELD_REAL, 1, offsetof(LimberBoxSurface, rounding), "m", false, 0,
     "radius of edges and corners, and the largest depth of penetration; 0: a tenth of the smallest size", NULL},
    {"points", FIELD_INT, 1, offsetof(LimberBoxSurface, points), "", false, 0,
     "contact points on each edge between its corners, for planes, rods and other boxes, so that edges touch edges; "
     "default: corners only",
     NULL},
};

const SurfaceKind surface_box = {
    .name = "box",
    .help = "A box with rounded edges. Its corners, and optional points on its edges, touch planes, rods and other "
            "boxes; spheres touch it everywhere.",
    .fields = FIELDS(fields, LimberBoxSurface),
    .visual = SURFACE_VISUAL_BOX,
    .build = build,
};
