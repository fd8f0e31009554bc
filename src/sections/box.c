// SPDX-License-Identifier: Apache-2.0
// Area and second moments are exact. The rest is of thin walls, with b and h between their middles: the shear factor
// along h after Cowper (J. Appl. Mech. 33, 1966), with m = b flange/(h web) and n = b/h,
//   10 (1 + nu) (1 + 3 m)^2
//   / (12 + 72 m + 150 m^2 + 90 m^3 + nu (11 + 66 m + 135 m^2 + 90 m^3) + 10 n^2 ((3 + nu) m + 3 m^2)),
// and Saint-Venant's constant after Bredt with the walls' own, 4 (b h)^2/(integral ds/t) + sum L t^3/3.
#include "mechanics/shape.h"

#include <math.h>

static double shear_factor(double m, double n, double nu) {
  double plain = 12 + m * (72 + m * (150 + m * 90)), poisson = 11 + m * (66 + m * (135 + m * 90));
  return 10 * (1 + nu) * (1 + 3 * m) * (1 + 3 * m) / (plain + nu * poisson + 10 * n * n * m * (3 + nu + 3 * m));
}

static Reason make(const void *params, double nu, SectionShape *s) {
  const LimberBox *p = params;
  double web = p->web != 0 ? p->web : p->thickness, flange = p->flange != 0 ? p->flange : p->thickness;
  double w = p->width, h = p->height, b = w - web, d = h - flange, in_w = w - 2 * web, in_h = h - 2 * flange;
  if (!(w > 0 && h > 0))
    return reason(REASON_VALUE, w > 0 ? "height" : "width", "width and height of a box must be positive");
  if (!(web > 0 && flange > 0))
    return reason(REASON_VALUE,
                  !(web > 0) && p->web != 0         ? "web"
                  : !(flange > 0) && p->flange != 0 ? "flange"
                                                    : "thickness",
                  "a box needs a positive wall, or web and flange");
  if (!(in_w > 0 && in_h > 0))
    return reason(REASON_VALUE,
                  !(in_w > 0) && p->web != 0      ? "web"
                  : !(in_h > 0) && p->flange != 0 ? "flange"
                                                  : "thickness",
                  "the walls of the box fill it: make them thinner, or give a rectangle");
  shape_add_rectangle(s, 1, -w / 2, -h / 2, w / 2, h / 2);
  shape_add_rectangle(s, -1, -in_w / 2, -in_h / 2, in_w / 2, in_h / 2);
  shape_set_factors(s, shear_factor(d * web / (b * flange), d / b, nu),
                    shear_factor(b * flange / (d * web), b / d, nu));
  s->torsion = 4 * b * b * d * d / (2 * b / flange + 2 * d / web) + 2 * (b * pow(flange, 3) + d * pow(web, 3)) / 3;
  return no_reason();
}

static void outline(const void *params, Outline *o) {
  const LimberBox *p = params;
  double w = p->width / 2, h = p->height / 2;
  double in_w = w - (p->web != 0 ? p->web : p->thickness), in_h = h - (p->flange != 0 ? p->flange : p->thickness);
  outline_add_rectangle(o, -w, -h, w, h);
  outline_add_rectangle(o, -in_w, in_h, in_w, -in_h); // the other way round: a hole
}

static const char *mesh(const void *params, int cells, PlaneBuilder *b) {
  const LimberBox *p = params;
  double w = p->width / 2, h = p->height / 2;
  double in_w = w - (p->web != 0 ? p->web : p->thickness), in_h = h - (p->flange != 0 ? p->flange : p->thickness);
  MeshRectangle r[4] = {{{-w, w}, {-h, -in_h}, 0},
                        {{-w, w}, {in_h, h}, 0},
                        {{-w, -in_w}, {-in_h, in_h}, 0},
                        {{in_w, w}, {-in_h, in_h}, 0}};
  return shape_mesh_rectangles(b, cells, 4, r);
}

static double thickness(const void *params) {
  const LimberBox *p = params;
  return fmax(fmax(p->web, p->flange), p->thickness) / fmin(p->width, p->height);
}

static const Field fields[] = {
    {"width", FIELD_REAL, 1, offsetof(LimberBox, width), "m", true, 0, "outer width, along e2", NULL},
    {"height", FIELD_REAL, 1, offsetof(LimberBox, height), "m", true, 0, "outer height, along e3", NULL},
    {"thickness", FIELD_REAL, 1, offsetof(LimberBox, thickness), "m", false, 0, "thickness of all walls", NULL},
    {"web", FIELD_REAL, 1, offsetof(LimberBox, web), "m", false, 0, "thickness of the walls along e3, if another",
     NULL},
    {"flange", FIELD_REAL, 1, offsetof(LimberBox, flange), "m", false, 0, "thickness of the walls along e2, if another",
     NULL},
};
static const LimberBox example = {0.08, 0.05, 0, 0.002, 0.003};

const ShapeKind shape_box = {"box", FIELDS(fields, LimberBox), make, outline, mesh, &example, thickness};
