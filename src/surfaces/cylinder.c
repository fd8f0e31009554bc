// SPDX-License-Identifier: Apache-2.0
// A round rod with round ends, the body of all points nearer than its radius to a piece of a line, or the inside of a
// pipe. Spheres along its axis, where asked, meet planes, boxes and other rods.
#include "mechanics/surface.h"

#include <string.h>

enum { MOST_POINTS = 1000 };

static const char *side_word(int i) { return i == 0 ? "outside" : i == 1 ? "inside" : NULL; }
static const FieldMore sides = {.word = side_word};

static Reason build(const void *params, const SurfaceBuilder *b) {
  const LimberCylinderSurface *p = params;
  bool inside = p->side == LIMBER_CYLINDER_INSIDE;
  if (!(p->radius > 0) || !(p->radius < HUGE_VAL)) return reason(REASON_VALUE, "radius", "`radius` must be positive");
  if (!(p->length >= 0)) return reason(REASON_VALUE, "length", "`length` must not be negative");
  if (inside && p->length > 0) return reason(REASON_CONFLICT, "length", "a pipe has no end: leave out `length`");
  if (p->points < 0 || p->points > MOST_POINTS)
    return reason(REASON_VALUE, "points", "`points` must be from 0 to 1000");
  if (p->points > 0 && (inside || !(p->length > 0)))
    return reason(REASON_VALUE, "points", "`points` need a rod with a `length`");
  double half = p->length > 0 ? 0.5 * p->length : HUGE_VAL;
  SurfaceBody body = {.gap = "point_cylinder",
                      .node = p->node.index,
                      .shape = {.size = {half}, .sign = inside ? -1 : 1, .offset = inside ? -p->radius : p->radius},
                      .reach = half + p->radius};
  Reason wrong = surface_place(b, p->node.index, p->at, body.place);
  if (!wrong.text) wrong = surface_direction(b, p->node.index, "axis", vec3_of(p->axis), body.direction[0]);
  if (wrong.text) return wrong;
  b->set_body(b->self, &body);
  for (int i = 0; i < p->points; i++) {
    SurfacePoint point = {.node = {p->node.index}, .nnode = 1, .radius = p->radius, .weight = 1};
    double along = p->points > 1 ? half * (2.0 * i / (p->points - 1) - 1) : 0;
    for (int j = 0; j < 4; j++) point.coef[0][j] = body.place[j] + along * body.direction[0][j];
    if (!b->add_point(b->self, &point)) return reason(REASON_LIMIT, NULL, surface_too_many);
  }
  return no_reason();
}

static const Field fields[] = {
    {"node", FIELD_NODE, 1, offsetof(LimberCylinderSurface, node), "", false, GROUND,
     "node that carries it; default: the ground", NULL},
    {"at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberCylinderSurface, at), "m", false, 0,
     "middle of the axis, in ground axes at the start; default: the node", &field_point},
    {"axis", FIELD_REALS, 3, offsetof(LimberCylinderSurface, axis), "", true, 0,
     "direction of the axis, in ground axes at the start", &field_direction},
    {"radius", FIELD_REAL, 1, offsetof(LimberCylinderSurface, radius), "m", true, 0, "radius of the rod or the bore",
     NULL},
    {"length", FIELD_REAL, 1, offsetof(LimberCylinderSurface, length), "m", false, 0,
     "length of the axis, between the centres of the round ends; 0: infinite", NULL},
    {"side", FIELD_WORD, 1, offsetof(LimberCylinderSurface, side), "", false, 0,
     "side that touches: outside, or inside of a pipe; default: outside", &sides},
    {"points", FIELD_INT, 1, offsetof(LimberCylinderSurface, points), "", false, 0,
     "contact points along the axis from end to end, for planes, boxes and other rods; default: only points of other "
     "surfaces touch it",
     NULL},
};

const SurfaceKind surface_cylinder = {
    .name = "cylinder",
    .help = "A round rod with round ends, or the inside of a pipe. Optional points along its axis touch planes, boxes "
            "and other rods.",
    .fields = FIELDS(fields, LimberCylinderSurface),
    .visual = SURFACE_VISUAL_ROD,
    .build = build,
};
