// SPDX-License-Identifier: Apache-2.0
// The corner at the lower left. Area and second moments are exact; shear and torsion are of thin walls
// (mechanics/thin.h).
#include "mechanics/thin.h"

#include <string.h>

static Reason make(const void *params, double nu, SectionShape *s) {
  const LimberAngle *p = params;
  Thin walls = {0};
  SectionShape thin;
  double w = p->width, h = p->height, t = p->thickness;
  (void)nu;
  if (!(w > 0 && h > 0 && t > 0))
    return reason(REASON_VALUE,
                  !(w > 0)   ? "width"
                  : !(h > 0) ? "height"
                             : "thickness",
                  "width, height and wall of an angle must be positive");
  if (!(t < w && t < h))
    return reason(REASON_VALUE, "thickness", "the wall of an angle must be thinner than its legs are long");
  thin_add(&walls, t, w, t / 2, t / 2, t / 2);
  thin_add(&walls, t, t / 2, t / 2, t / 2, h);
  Reason error = reason(REASON_GEOMETRY, NULL, thin_shape(&walls, &thin));
  if (error.text) return error;
  shape_add_rectangle(s, 1, 0, 0, w, t);
  shape_add_rectangle(s, 1, 0, t, t, h);
  s->torsion = thin.torsion;
  memcpy(s->centre, thin.centre, sizeof s->centre);
  memcpy(s->shear, thin.shear, sizeof s->shear);
  shape_move(s, s->centroid[0], s->centroid[1]);
  return no_reason();
}

static void outline(const void *params, Outline *o) {
  const LimberAngle *p = params;
  double w = p->width, h = p->height, t = p->thickness;
  outline_add(o, 6, (const double[][2]){{0, 0}, {w, 0}, {w, t}, {t, t}, {t, h}, {0, h}});
  outline_centre(o);
}

static const char *mesh(const void *params, int cells, PlaneBuilder *b) {
  const LimberAngle *p = params;
  double t = p->thickness;
  MeshRectangle r[2] = {{{0, p->width}, {0, t}, 0}, {{0, t}, {t, p->height}, 0}};
  return shape_mesh_rectangles(b, cells, 2, r);
}

static double thickness(const void *params) {
  const LimberAngle *p = params;
  return p->thickness / (p->width < p->height ? p->width : p->height);
}

static const Field fields[] = {
    {"width", FIELD_REAL, 1, offsetof(LimberAngle, width), "m", true, 0, "of the leg along e2, over all", NULL},
    {"height", FIELD_REAL, 1, offsetof(LimberAngle, height), "m", true, 0, "of the leg along e3, over all", NULL},
    {"thickness", FIELD_REAL, 1, offsetof(LimberAngle, thickness), "m", true, 0, "thickness of both legs", NULL},
};
static const LimberAngle example = {0.06, 0.04, 0.005};

const ShapeKind shape_angle = {"angle", FIELDS(fields, LimberAngle), make, outline, mesh, &example, thickness};
