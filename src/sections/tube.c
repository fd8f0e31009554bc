// SPDX-License-Identifier: Apache-2.0
// Shear factor after Cowper (J. Appl. Mech. 33, 1966), with m the inner over the outer radius:
//   6 (1 + nu) (1 + m^2)^2/((7 + 6 nu) (1 + m^2)^2 + (20 + 12 nu) m^2)
#include "mechanics/shape.h"

static Reason make(const void *params, double nu, SectionShape *s) {
  const double pi = 3.14159265358979323846;
  const LimberTube *p = params;
  double a = 0.5 * p->diameter, b = a - p->thickness;
  if (!(a > 0 && p->thickness > 0))
    return reason(REASON_VALUE, a > 0 ? "thickness" : "diameter", "diameter and wall of a tube must be positive");
  if (!(b > 0))
    return reason(REASON_VALUE, "thickness",
                  "the wall of a tube must be less than half its diameter; or is it a circle?");
  double m2 = b * b / (a * a), n = (1 + m2) * (1 + m2);
  double k = 6 * (1 + nu) * n / ((7 + 6 * nu) * n + (20 + 12 * nu) * m2);
  s->area = pi * p->thickness * (a + b);
  s->yy = s->zz = s->area * (a * a + b * b) / 4;
  s->torsion = 2 * s->yy;
  shape_set_factors(s, k, k);
  return no_reason();
}

static void outline(const void *params, Outline *o) {
  const LimberTube *p = params;
  outline_add_circle(o, 0.5 * p->diameter, false);
  outline_add_circle(o, 0.5 * p->diameter - p->thickness, true);
}

static const char *mesh(const void *params, int cells, PlaneBuilder *b) {
  const LimberTube *p = params;
  double r = 0.5 * p->diameter;
  plane_add_ellipse(b, cells > 0 ? cells : 4, 0, r, r, 1 - p->thickness / r);
  return NULL;
}

static const Field fields[] = {
    {"diameter", FIELD_REAL, 1, offsetof(LimberTube, diameter), "m", true, 0, "outer diameter", NULL},
    {"thickness", FIELD_REAL, 1, offsetof(LimberTube, thickness), "m", true, 0, "thickness of the wall", NULL},
};
static const LimberTube example = {0.06, 0.004};

const ShapeKind shape_tube = {"tube", FIELDS(fields, LimberTube), make, outline, mesh, &example, NULL};
