// SPDX-License-Identifier: Apache-2.0
#include "mechanics/surface.h"

static Reason build(const void *params, const SurfaceBuilder *b) {
  const LimberSphereSurface *p = params;
  SurfacePoint point = {.node = {p->node.index}, .nnode = 1, .radius = p->radius, .weight = 1};
  if (!(p->radius >= 0) || !(p->radius < HUGE_VAL))
    return reason(REASON_VALUE, "radius", "`radius` must not be negative");
  Reason wrong = surface_place(b, p->node.index, p->at, point.coef[0]);
  if (wrong.text) return wrong;
  return b->add_point(b->self, &point) ? no_reason() : reason(REASON_LIMIT, NULL, surface_too_many);
}

static const Field fields[] = {
    {"node", FIELD_NODE, 1, offsetof(LimberSphereSurface, node), "", true, GROUND, "node that carries it", NULL},
    {"at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberSphereSurface, at), "m", false, 0,
     "centre, in ground axes at the start; default: the node", &field_point},
    {"radius", FIELD_REAL, 1, offsetof(LimberSphereSurface, radius), "m", false, 0, "radius; 0: a point", NULL},
};

const SurfaceKind surface_sphere = {
    .name = "sphere",
    .help = "A sphere that a node carries along; a point if its radius is 0.",
    .fields = FIELDS(fields, LimberSphereSurface),
    .visual = SURFACE_VISUAL_SPHERE,
    .build = build,
};
