// SPDX-License-Identifier: Apache-2.0
// The round surface along a line of nodes: spheres at the points of Gauss of each piece between two nodes, each of which stands for its
// length. The energy of a contact with it is an integral along the line: with another line a double one (section to section, Grill,
// Wall & Meier 2020).
#include "mechanics/quadrature.h"
#include "mechanics/surface.h"

static const char *build(const void *params, const SurfaceBuilder *b) {
  const LimberBeamSurface *p = params;
  if (!(p->radius > 0) || !(p->radius < HUGE_VAL)) return "`radius` must be positive";
  if (p->points < 1 || p->points > MAX_ORDER) return "`points` must be 1, 2 or 3";
  if (b->line(b->self, p->element, 1) == LIMBER_NONE) return "its `element` has no line between two nodes";
  for (int i = 0; b->line(b->self, p->element, i + 1) != LIMBER_NONE; i++) {
    SurfacePoint point = {.nnode = 2, .radius = p->radius};
    Vec3 x[2][4];
    for (int a = 0; a < 2; a++) {
      point.node[a] = b->line(b->self, p->element, i + a);
      b->node(b->self, point.node[a], x[a]);
    }
    double length = vec3_norm(vec3_sub(x[1][0], x[0][0]));
    for (int g = 0; g < p->points; g++) {
      double at = 0.5 * (1 + gauss_point[p->points][g]);
      point.coef[0][0] = 1 - at, point.coef[1][0] = at, point.weight = 0.5 * gauss_weight[p->points][g] * length;
      if (!b->add_point(b->self, &point)) return surface_too_many;
    }
  }
  return NULL;
}

static const Field fields[] = {
    {"element", FIELD_ELEMENT, 1, offsetof(LimberBeamSurface, element), "", true, LIMBER_NONE,
     "beam, bar or cable that it follows", NULL},
    {"radius", FIELD_REAL, 1, offsetof(LimberBeamSurface, radius), "m", true, 0, "about the line of the nodes", NULL},
    {"points", FIELD_INT, 1, offsetof(LimberBeamSurface, points), "", false, 2,
     "at which each piece between two nodes is met; they should be nearer to each other than the radius", NULL},
};

const SurfaceKind surface_beam = {
    .name = "beam",
    .help = "The round surface along a beam, bar or cable, as a row of spheres; stiffnesses are per length.",
    .fields = FIELDS(fields, LimberBeamSurface),
    .build = build,
};
