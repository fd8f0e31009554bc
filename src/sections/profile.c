// SPDX-License-Identifier: Apache-2.0
// Thin walls along lines of straight pieces that enclose no cell: mechanics/thin.h. Each wall is a rectangle between
// two points, so that a corner of equal walls has its exact
// area. On a mesh the walls are mitred (mechanics/thin.h), and may enclose cells.
#include "mechanics/thin.h"

#include <math.h>

static Reason read_walls(const LimberProfile *p, Thin *walls) {
  for (int l = 0; l < p->lines; l++) {
    const LimberProfileLine *line = &p->line[l];
    if (line->count < 2) return reason(REASON_CONFLICT, NULL, "a line of a profile needs two points or more");
    for (int i = 1; i < line->count; i++) {
      const double *a = &line->points[2 * i - 2], *b = a + 2;
      if (walls->n == THIN_WALLS) return reason(REASON_LIMIT, NULL, "a profile has at most 128 straight walls");
      thin_add(walls, line->thickness, a[0], a[1], b[0], b[1]);
    }
  }
  return walls->n ? no_reason() : reason(REASON_CONFLICT, NULL, "a profile needs a line");
}

static Reason make(const void *params, double nu, SectionShape *s) {
  Thin walls = {0};
  Reason wrong = read_walls(params, &walls);
  (void)nu;
  return wrong.text ? wrong : reason(REASON_GEOMETRY, NULL, thin_shape(&walls, s));
}

// Each wall is a rectangle.
static void outline(const void *params, Outline *o) {
  const LimberProfile *p = params;
  for (int l = 0; l < p->lines; l++)
    for (int i = 1; i < p->line[l].count; i++) {
      const double *a = &p->line[l].points[2 * i - 2], *b = a + 2;
      double y = b[0] - a[0], z = b[1] - a[1], half = p->line[l].thickness / (2 * hypot(y, z)), ny = -z * half,
             nz = y * half;
      outline_add(o, 4,
                  (const double[][2]){
                      {a[0] - ny, a[1] - nz}, {b[0] - ny, b[1] - nz}, {b[0] + ny, b[1] + nz}, {a[0] + ny, a[1] + nz}});
    }
}

static const char *mesh(const void *params, int cells, PlaneBuilder *b) {
  Thin walls = {0};
  const char *wrong = read_walls(params, &walls).text;
  return wrong ? wrong : plane_add_walls(b, cells > 0 ? cells : 2, &walls);
}

static const Field fields[] = {
    {"points", FIELD_ROWS, 2, offsetof(LimberProfileLine, points), "m", true, 0,
     "positions [y, z] of the middle of the wall; lines meet where they have a point in common", NULL},
    {"thickness", FIELD_REAL, 1, offsetof(LimberProfileLine, thickness), "m", true, 0, "thickness along this line",
     NULL},
};
static const double points[][2] = {{0, 0}, {0.04, 0}, {0.06, 0.03}}, branch[][2] = {{0.04, 0}, {0.05, -0.03}};
static const LimberProfileLine lines[] = {{points[0], 3, 0.002}, {branch[0], 2, 0.003}};
static const LimberProfile example = {lines, 2};

const ShapeKind shape_profile = {"profile", FIELDS(fields, LimberProfileLine), make, outline, mesh, &example, NULL};
