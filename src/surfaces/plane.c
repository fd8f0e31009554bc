// SPDX-License-Identifier: Apache-2.0
#include "mechanics/surface.h"

static Reason build(const void *params, const SurfaceBuilder *b) {
  const LimberPlaneSurface *p = params;
  SurfaceBody body = {.gap = "point_plane", .node = p->node.index, .shape = {.sign = 1}, .reach = HUGE_VAL};
  Reason wrong = surface_place(b, p->node.index, p->at, body.place);
  if (!wrong.text) wrong = surface_direction(b, p->node.index, "normal", vec3_of(p->normal), body.direction[0]);
  if (!wrong.text) b->set_body(b->self, &body);
  return wrong;
}

static const Field fields[] = {
    {"node", FIELD_NODE, 1, offsetof(LimberPlaneSurface, node), "", false, GROUND,
     "node that carries it; default: the ground", NULL},
    {"at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberPlaneSurface, at), "m", false, 0,
     "a point of the plane, in ground axes at the start; default: the node", &field_point},
    {"normal", FIELD_REALS, 3, offsetof(LimberPlaneSurface, normal), "", true, 0,
     "normal out of the body, in ground axes at the start", &field_direction},
};

const SurfaceKind surface_plane = {
    .name = "plane",
    .help = "An infinite plane with a body behind it, on the side opposite to its normal.",
    .fields = FIELDS(fields, LimberPlaneSurface),
    .visual = SURFACE_VISUAL_PLANE,
    .build = build,
};
