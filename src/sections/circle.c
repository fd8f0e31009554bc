// SPDX-License-Identifier: Apache-2.0
// Shear factor after Cowper (J. Appl. Mech. 33, 1966): 6 (1 + nu)/(7 + 6 nu).
#include "mechanics/shape.h"

static Reason make(const void *params, double nu, SectionShape *s) {
  const double pi = 3.14159265358979323846;
  double r = 0.5 * ((const LimberCircle *)params)->diameter, k = 6 * (1 + nu) / (7 + 6 * nu);
  if (!(r > 0)) return reason(REASON_VALUE, "diameter", "the diameter of a circle must be positive");
  s->area = pi * r * r;
  s->yy = s->zz = pi * r * r * r * r / 4;
  s->torsion = 2 * s->yy;
  shape_set_factors(s, k, k);
  return no_reason();
}

static void outline(const void *params, Outline *o) {
  outline_add_circle(o, 0.5 * ((const LimberCircle *)params)->diameter, false);
}

static const char *mesh(const void *params, int cells, PlaneBuilder *b) {
  double r = 0.5 * ((const LimberCircle *)params)->diameter;
  plane_add_ellipse(b, cells > 0 ? cells : 8, 0, r, r, 0);
  return NULL;
}

static const Field fields[] = {
    {"diameter", FIELD_REAL, 1, offsetof(LimberCircle, diameter), "m", true, 0, "of the rod", NULL},
};
static const LimberCircle example = {0.03};

const ShapeKind shape_circle = {"circle", FIELDS(fields, LimberCircle), make, outline, mesh, &example, NULL};
