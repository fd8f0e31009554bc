// SPDX-License-Identifier: Apache-2.0
// A web and flanges: i_beam, channel (web at the left), tee (flange on top). Area and second moments are exact; shear
// and torsion are of thin walls (mechanics/thin.h), with Cowper's shear factors along axes of symmetry.
#include "mechanics/thin.h"

static Reason measures_error(const LimberFlanged *p, int flanges) {
  if (!(p->width > 0 && p->height > 0 && p->web > 0 && p->flange > 0))
    return reason(REASON_VALUE,
                  !(p->width > 0)    ? "width"
                  : !(p->height > 0) ? "height"
                  : !(p->web > 0)    ? "web"
                                     : "flange",
                  "width, height, web and flange must be positive");
  if (!(p->web < p->width)) return reason(REASON_VALUE, "web", "the web is thicker than the flange is wide");
  if (!(flanges * p->flange < p->height))
    return reason(REASON_VALUE, "flange", "the flange leaves no room for a web: the height is over all");
  return no_reason();
}

// Shear and torsion from thin walls, then the reference line to the centroid.
static Reason complete_thin_walls(const Thin *walls, bool cowper_y, bool cowper_z, double nu, SectionShape *s) {
  SectionShape thin;
  Reason error = reason(REASON_GEOMETRY, NULL, thin_shape(walls, &thin));
  if (error.text) return error;
  s->torsion = thin.torsion;
  for (int i = 0; i < 2; i++) {
    s->centre[i] = thin.centre[i];
    for (int j = 0; j < 2; j++) s->shear[i][j] = thin.shear[i][j];
  }
  if (cowper_y) s->shear[0][0] += thin_poisson(walls, 0, nu);
  if (cowper_z) s->shear[1][1] += thin_poisson(walls, 1, nu);
  shape_move(s, s->centroid[0], s->centroid[1]);
  return no_reason();
}

static Reason make_i_beam(const void *params, double nu, SectionShape *s) {
  const LimberFlanged *p = params;
  Thin walls = {0};
  double w = p->width / 2, h = p->height / 2, t = p->web / 2, f = p->flange, d = h - f / 2;
  Reason error = measures_error(p, 2);
  if (error.text) return error;
  shape_add_rectangle(s, 1, -w, -h, w, f - h);
  shape_add_rectangle(s, 1, -t, f - h, t, h - f);
  shape_add_rectangle(s, 1, -w, h - f, w, h);
  for (int side = -1; side <= 1; side += 2) {
    thin_add(&walls, f, -w, side * d, 0, side * d);
    thin_add(&walls, f, 0, side * d, w, side * d);
  }
  thin_add(&walls, p->web, 0, -d, 0, d);
  return complete_thin_walls(&walls, true, true, nu, s);
}

static Reason make_channel(const void *params, double nu, SectionShape *s) {
  const LimberFlanged *p = params;
  Thin walls = {0};
  double w = p->width, h = p->height / 2, t = p->web, f = p->flange, d = h - f / 2;
  Reason error = measures_error(p, 2);
  if (error.text) return error;
  shape_add_rectangle(s, 1, 0, -h, w, f - h);
  shape_add_rectangle(s, 1, 0, f - h, t, h - f);
  shape_add_rectangle(s, 1, 0, h - f, w, h);
  thin_add(&walls, f, w, -d, t / 2, -d);
  thin_add(&walls, t, t / 2, -d, t / 2, d);
  thin_add(&walls, f, t / 2, d, w, d);
  return complete_thin_walls(&walls, true, false, nu, s);
}

static Reason make_tee(const void *params, double nu, SectionShape *s) {
  const LimberFlanged *p = params;
  Thin walls = {0};
  double w = p->width / 2, h = p->height, t = p->web / 2, f = p->flange;
  Reason error = measures_error(p, 1);
  if (error.text) return error;
  shape_add_rectangle(s, 1, -w, -f, w, 0);
  shape_add_rectangle(s, 1, -t, -h, t, -f);
  thin_add(&walls, f, -w, -f / 2, 0, -f / 2);
  thin_add(&walls, f, 0, -f / 2, w, -f / 2);
  thin_add(&walls, p->web, 0, -f / 2, 0, -h);
  return complete_thin_walls(&walls, false, true, nu, s);
}

static void outline_i_beam(const void *params, Outline *o) {
  const LimberFlanged *p = params;
  double w = p->width / 2, h = p->height / 2, t = p->web / 2, d = h - p->flange;
  outline_add(
      o, 12,
      (const double[][2]){
          {-w, -h}, {w, -h}, {w, -d}, {t, -d}, {t, d}, {w, d}, {w, h}, {-w, h}, {-w, d}, {-t, d}, {-t, -d}, {-w, -d}});
}

static void outline_channel(const void *params, Outline *o) {
  const LimberFlanged *p = params;
  double w = p->width, h = p->height / 2, t = p->web, d = h - p->flange;
  outline_add(o, 8, (const double[][2]){{0, -h}, {w, -h}, {w, -d}, {t, -d}, {t, d}, {w, d}, {w, h}, {0, h}});
  outline_centre(o);
}

static void outline_tee(const void *params, Outline *o) {
  const LimberFlanged *p = params;
  double w = p->width / 2, h = p->height, t = p->web / 2, f = p->flange;
  outline_add(o, 8, (const double[][2]){{-t, -h}, {t, -h}, {t, -f}, {w, -f}, {w, 0}, {-w, 0}, {-w, -f}, {-t, -f}});
  outline_centre(o);
}

static const char *mesh_i_beam(const void *params, int cells, PlaneBuilder *b) {
  const LimberFlanged *p = params;
  double w = p->width / 2, h = p->height / 2, t = p->web / 2, d = h - p->flange;
  MeshRectangle r[3] = {{{-w, w}, {-h, -d}, 0}, {{-t, t}, {-d, d}, 0}, {{-w, w}, {d, h}, 0}};
  return shape_mesh_rectangles(b, cells, 3, r);
}

static const char *mesh_channel(const void *params, int cells, PlaneBuilder *b) {
  const LimberFlanged *p = params;
  double w = p->width, h = p->height / 2, d = h - p->flange;
  MeshRectangle r[3] = {{{0, w}, {-h, -d}, 0}, {{0, p->web}, {-d, d}, 0}, {{0, w}, {d, h}, 0}};
  return shape_mesh_rectangles(b, cells, 3, r);
}

static const char *mesh_tee(const void *params, int cells, PlaneBuilder *b) {
  const LimberFlanged *p = params;
  double w = p->width / 2, t = p->web / 2;
  MeshRectangle r[2] = {{{-w, w}, {-p->flange, 0}, 0}, {{-t, t}, {-p->height, -p->flange}, 0}};
  return shape_mesh_rectangles(b, cells, 2, r);
}

static double thickness(const void *params) {
  const LimberFlanged *p = params;
  return (p->web > p->flange ? p->web : p->flange) / (p->width < p->height ? p->width : p->height);
}

static const Field fields[] = {
    {"width", FIELD_REAL, 1, offsetof(LimberFlanged, width), "m", true, 0, "of the flange, along e2", NULL},
    {"height", FIELD_REAL, 1, offsetof(LimberFlanged, height), "m", true, 0, "over all, along e3", NULL},
    {"web", FIELD_REAL, 1, offsetof(LimberFlanged, web), "m", true, 0, "thickness of the web", NULL},
    {"flange", FIELD_REAL, 1, offsetof(LimberFlanged, flange), "m", true, 0, "thickness of the flange", NULL},
};
static const LimberFlanged example = {0.1, 0.2, 0.0056, 0.0085};

const ShapeKind shape_i_beam = {
    "i_beam", FIELDS(fields, LimberFlanged), make_i_beam, outline_i_beam, mesh_i_beam, &example, thickness};
const ShapeKind shape_channel = {
    "channel", FIELDS(fields, LimberFlanged), make_channel, outline_channel, mesh_channel, &example, thickness};
const ShapeKind shape_tee = {"tee",    FIELDS(fields, LimberFlanged), make_tee, outline_tee, mesh_tee, &example,
                             thickness};
