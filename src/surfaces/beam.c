// SPDX-License-Identifier: Apache-2.0
// The round surface along a line of nodes: spheres at points of each piece between two nodes, each of which stands for
// its length. The energy of a contact with it is an integral along the line: with another line a double one (section to
// section, Grill, Wall & Meier 2020).
#include "mechanics/cell.h"
#include "mechanics/surface.h"

enum { MOST_POINTS = 100 };

// Place and weight of a point of a piece of length 1: up to 3 points are those of Gauss, more are equally far from each
// other. What they integrate is zero outside a short part of the line, for which that is the best rule.
static double point_of_piece(int points, int g, double *weight) {
  if (points > MAX_ORDER) return *weight = 1.0 / points, (g + 0.5) / points;
  *weight = 0.5 * gauss_weight[points][g];
  return 0.5 * (1 + gauss_point[points][g]);
}

static Reason build(const void *params, const SurfaceBuilder *b) {
  const LimberBeamSurface *p = params;
  if (!(p->radius > 0) || !(p->radius < HUGE_VAL)) return reason(REASON_VALUE, "radius", "`radius` must be positive");
  if (p->points < 1 || p->points > MOST_POINTS) return reason(REASON_VALUE, "points", "`points` must be from 1 to 100");
  if (!(p->self_contact >= 0) || !(p->self_contact < HUGE_VAL) ||
      (p->self_contact > 0 && !(p->self_contact > 2 * p->radius)))
    return reason(REASON_VALUE, "self_contact",
                  "`self_contact` must be more than the diameter, or the surface would press against itself where it "
                  "is straight");
  if (b->line(b->self, p->element.index, 1) == LIMBER_NONE)
    return reason(REASON_VALUE, "element", "its `element` has no line between two nodes");
  double before = 0;
  for (int i = 0; b->line(b->self, p->element.index, i + 1) != LIMBER_NONE; i++) {
    SurfacePoint point = {.nnode = 2, .radius = p->radius, .itself = p->self_contact};
    Vec3 x[2][4];
    for (int a = 0; a < 2; a++) {
      point.node[a] = b->line(b->self, p->element.index, i + a);
      b->node(b->self, point.node[a], x[a]);
    }
    double length = vec3_norm(vec3_sub(x[1][0], x[0][0]));
    for (int g = 0; g < p->points; g++) {
      double weight, at = point_of_piece(p->points, g, &weight);
      point.coef[0][0] = 1 - at, point.coef[1][0] = at, point.weight = weight * length;
      point.along = before + at * length;
      if (!b->add_point(b->self, &point)) return reason(REASON_LIMIT, NULL, surface_too_many);
    }
    before += length;
  }
  return no_reason();
}

static const Field fields[] = {
    {"element", FIELD_ELEMENT, 1, offsetof(LimberBeamSurface, element), "", true, LIMBER_NONE,
     "beam, bar or cable that it follows", NULL},
    {"radius", FIELD_REAL, 1, offsetof(LimberBeamSurface, radius), "m", true, 0, "radius about the line of the nodes",
     NULL},
    {"points", FIELD_INT, 1, offsetof(LimberBeamSurface, points), "", false, 2,
     "contact points on each piece between two nodes, up to 100; their spacing should be less than half the width of "
     "the contact",
     NULL},
    {"self_contact", FIELD_REAL, 1, offsetof(LimberBeamSurface, self_contact), "m", false, 0,
     "self-contact between points that are further apart along the line than this length, which must exceed the "
     "diameter; 0: none",
     NULL},
};

const SurfaceKind surface_beam = {
    .name = "beam",
    .help = "The round surface along a beam, bar or cable, as a row of spheres; stiffnesses are per length.",
    .fields = FIELDS(fields, LimberBeamSurface),
    .build = build,
};
