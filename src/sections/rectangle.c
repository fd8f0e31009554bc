// SPDX-License-Identifier: Apache-2.0
// Shear factor after Cowper (J. Appl. Mech. 33, 1966): 10 (1 + nu)/(12 + 11 nu). Saint-Venant's constant with sides
// a >= b (Timoshenko & Goodier, Theory of Elasticity, section 109):
//   J = a b^3 (1/3 - 64/pi^5 b/a sum_{n odd} tanh(n pi a/(2 b))/n^5)
// with tanh x = 1 - 2/(exp(2 x) + 1), so that few terms stand beside sum_{n odd} 1/n^5 = 31/32 zeta(5).
#include "mechanics/shape.h"

#include <math.h>

static double torsion_constant(double a, double b) {
  const double pi = 3.14159265358979323846, zeta5 = 1.03692775514336992633;
  double sum = 31.0 / 32 * zeta5;
  for (int n = 1; n < 20; n += 2) sum -= 2 / (exp(n * pi * a / b) + 1) / pow(n, 5);
  return a * b * b * b * (1.0 / 3 - 64 / pow(pi, 5) * b / a * sum);
}

static Reason make(const void *params, double nu, SectionShape *s) {
  const LimberRectangle *p = params;
  double b = p->width, h = p->height, k = 10 * (1 + nu) / (12 + 11 * nu);
  if (!(b > 0 && h > 0))
    return reason(REASON_VALUE, b > 0 ? "height" : "width", "the sides of a rectangle must be positive");
  shape_add_rectangle(s, 1, -b / 2, -h / 2, b / 2, h / 2);
  shape_set_factors(s, k, k);
  s->torsion = torsion_constant(fmax(b, h), fmin(b, h));
  return no_reason();
}

static void outline(const void *params, Outline *o) {
  const LimberRectangle *p = params;
  outline_add_rectangle(o, -p->width / 2, -p->height / 2, p->width / 2, p->height / 2);
}

static const char *mesh(const void *params, int cells, PlaneBuilder *b) {
  const LimberRectangle *p = params;
  MeshRectangle r = {{-p->width / 2, p->width / 2}, {-p->height / 2, p->height / 2}, 0};
  return shape_mesh_rectangles(b, cells, 1, &r);
}

static const Field fields[] = {
    {"width", FIELD_REAL, 1, offsetof(LimberRectangle, width), "m", true, 0, "along e2", NULL},
    {"height", FIELD_REAL, 1, offsetof(LimberRectangle, height), "m", true, 0, "along e3", NULL},
};
static const LimberRectangle example = {0.02, 0.01};

const ShapeKind shape_rectangle = {"rectangle", FIELDS(fields, LimberRectangle), make, outline, mesh, &example, NULL};
