// SPDX-License-Identifier: Apache-2.0
// Surfaces that may touch: outlines of spheres, rods and boxes, hatched planes.
#include "model/surface.h"
#include "post/picture/sheet.h"

enum { PLANE = 90, MOST = 400 }; // pixels of a plane; outlines that a picture has room for

static void draw_plane(Sheet *s, Model m, const ModelSurface *q) {
  Pixel at = sheet_project(s, surface_position(m, q->body.node, q->body.place));
  Pixel normal = sheet_direction(s, surface_position(m, q->body.node, q->body.direction[0]));
  double seen = hypot(normal.x, normal.y);
  if (seen < 0.2) return;
  Pixel along = pixel(-normal.y / seen, normal.x / seen);
  sheet_line(s, pixel_move(at, -0.5 * PLANE, along), pixel_move(at, 0.5 * PLANE, along), "surface");
  sheet_hatch(s, at, along, PLANE);
  sheet_label(s, pixel_move(at, 0.5 * PLANE, along), 6, given_name(q->name), "of-node");
}

static void draw_rod(Sheet *s, Model m, const ModelSurface *q) {
  Vec3 at = surface_position(m, q->body.node, q->body.place),
       axis = surface_position(m, q->body.node, q->body.direction[0]);
  double half = q->body.shape.size[0] < HUGE_VAL ? q->body.shape.size[0] : 0, radius = fabs(q->body.shape.offset);
  Pixel end[2] = {sheet_project(s, vec3_axpy(at, -half, axis)), sheet_project(s, vec3_axpy(at, half, axis))};
  Pixel side = pixel_normal(pixel_unit(end[0], end[1], pixel(1, 0)));
  for (int i = 0; i < 2; i++) sheet_circle(s, end[i], radius * s->scale, "surface");
  for (int i = -1; i < 2; i += 2)
    sheet_line(s, pixel_move(end[0], i * radius * s->scale, side), pixel_move(end[1], i * radius * s->scale, side),
               "surface");
  sheet_label(s, end[1], radius * s->scale + 4, given_name(q->name), "of-node");
}

static void draw_box(Sheet *s, Model m, const ModelSurface *q) {
  Vec3 at = surface_position(m, q->body.node, q->body.place), corner[8];
  for (int c = 0; c < 8; c++) {
    corner[c] = at;
    for (int d = 0; d < 3; d++)
      corner[c] = vec3_axpy(corner[c], (c >> d & 1 ? 1 : -1) * (q->body.shape.size[d] + q->body.shape.offset),
                            surface_position(m, q->body.node, q->body.direction[d]));
  }
  for (int c = 0; c < 8; c++)
    for (int d = 0; d < 3; d++)
      if (!(c >> d & 1)) sheet_line(s, sheet_project(s, corner[c]), sheet_project(s, corner[c | 1 << d]), "surface");
}

static void draw_points(Sheet *s, Model m, const ModelSurface *q) {
  for (int i = q->first; i < q->first + q->count && i < q->first + MOST && !q->kind->areal; i++) {
    const SurfacePoint *p = model_point(m, i);
    Vec3 y = surface_point_position(m, p);
    if (p->radius * s->scale > 1.5) sheet_circle(s, sheet_project(s, y), p->radius * s->scale, "surface");
  }
}

void draw_surfaces(Sheet *s, Model m) {
  if (m->surfaces.count)
    sheet_put(s, "<style>.surface{fill:none;stroke:#b5651d;stroke-width:1;stroke-dasharray:5 2}</style>\n");
  for (int i = 0; i < m->surfaces.count && i < MOST; i++) {
    const ModelSurface *q = model_surface(m, i);
    switch (q->kind->look) {
    case SURFACE_LOOK_NONE:
    case SURFACE_LOOK_SPHERE: draw_points(s, m, q); break;
    case SURFACE_LOOK_PLANE: draw_plane(s, m, q); break;
    case SURFACE_LOOK_ROD: draw_rod(s, m, q); break;
    case SURFACE_LOOK_BOX: draw_box(s, m, q); break;
    }
  }
}
