// SPDX-License-Identifier: Apache-2.0
// Loads: arrows of a fixed length, arcs for what turns, arrows along a line; fields stand in a corner.
#include "post/picture/sheet.h"

#include <string.h>

enum { ARROW = 46, FIELD_ARROW = 34, SMALL_ARROW = 24, ARC = 17 };

// An arrow along a vector of space that begins at a place; where it ends.
static Pixel draw_vector(Sheet *s, Pixel at, Vec3 d, double length, const char *style) {
  Pixel seen = sheet_direction(s, vec3_unit(d));
  double l = hypot(seen.x, seen.y);
  if (l < 0.2) {
    sheet_into(s, at, sheet_depth(s, d) > 0, style);
    return at;
  }
  Pixel end = pixel_move(at, length * fmax(l, 0.5) / l, seen);
  sheet_arrow(s, at, end, style);
  return end;
}

static Vec3 in_axes(const Vec3 *e, Vec3 d) {
  return vec3_add(vec3_scale(d.x, e[0]), vec3_add(vec3_scale(d.y, e[1]), vec3_scale(d.z, e[2])));
}

static void draw_on_node(Sheet *s, Model m, const ModelLoad *l) {
  const ModelNode *node = model_node(m, l->load.id);
  Pixel at = sheet_project(s, node->x[0]), label = at;
  Vec3 force = l->load.force, moment = l->load.moment;
  if (l->load.follower) force = in_axes(node->x + 1, force), moment = in_axes(node->x + 1, moment);
  if (vec3_norm(force) > 0) label = draw_vector(s, at, force, ARROW, "load");
  if (vec3_norm(moment) > 0) sheet_turn(s, at, moment, ARC, "load");
  sheet_label(s, label, label.x == at.x && label.y == at.y ? ARC + 4 : 5, given_name(l->name), "of-load");
}

// Arrows along an element, equally spaced, at the nodes that lie nearest.
static void draw_on_element(Sheet *s, Model m, const ModelLoad *l) {
  enum { ARROWS = 7 };
  int last = model_component_last_node(m, l->load.id), step = last / (ARROWS - 1) > 0 ? last / (ARROWS - 1) : 1;
  Pixel end = {0, 0}, before = end;
  for (int i = 0; i <= last; i += step) {
    const ModelNode *node = model_node(m, model_component_node(m, l->load.id, i));
    Pixel at = sheet_project(s, node->x[0]);
    Vec3 force = l->load.force, moment = l->load.moment, e[3];
    const ModelElement *q = model_element(m, model_component(m, l->load.id)->first);
    if (l->load.follower && q->kind->line.axes && node->kind != NODE_POINT) {
      for (int k = 0; k < 3; k++) e[k] = node->x[k + 1];
      force = in_axes(e, force), moment = in_axes(e, moment);
    }
    before = end;
    if (vec3_norm(force) > 0) end = draw_vector(s, at, force, SMALL_ARROW, "load thin");
    if (vec3_norm(moment) > 0) sheet_turn(s, end = at, moment, 8, "load thin");
    if (i > 0 && vec3_norm(force) > 0) sheet_line(s, before, end, "load thin");
  }
  sheet_label(s, pixel(0.5 * (before.x + end.x), 0.5 * (before.y + end.y)), 6, given_name(l->name), "of-load");
}

// On a coordinate of a joint: an arc about the axis of an angle, an arrow along that of a slide.
static void draw_on_joint(Sheet *s, Model m, const ModelLoad *l) {
  static const Vec3 ground[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const ModelJoint *j = model_joint(m, l->load.id);
  const JointGeometry *geometry = &j->joint.geometry;
  bool turns = !strcmp(j->kind->coord_units[l->load.coord], "rad");
  Vec3 axis = geometry->axis, way = vec3_sub(geometry->at[1], geometry->at[0]);
  Pixel at = sheet_project(s, geometry->at[0]), end = at;
  if (j->kind->mark == MARK_ACTUATOR) axis = way, at = sheet_project(s, vec3_mean(geometry->at[0], geometry->at[1]));
  if (j->kind->mark == MARK_PRESCRIBED_MOTION && !turns) axis = ground[l->load.coord % 3];
  if (j->kind->mark == MARK_PLANE && !turns)
    axis = !strcmp(j->kind->coord_names[l->load.coord], "slide1") ? geometry->second
                                                                  : vec3_cross(geometry->axis, geometry->second);
  if (!(vec3_norm(axis) > 0)) return;
  if (turns) sheet_turn(s, at, axis, ARC, "drive");
  else {
    Pixel n = pixel_normal(pixel_unit(pixel(0, 0), sheet_direction(s, axis), pixel(1, 0)));
    end = draw_vector(s, pixel_move(at, -12, n), axis, ARROW, "drive");
  }
  sheet_label(s, end, turns ? ARC + 3 : 6, given_name(l->name), "of-drive");
}

// Fields act everywhere: they stand one beside the other in the upper right corner.
static void draw_field(Sheet *s, const ModelLoad *l, double *right) {
  double size = vec3_norm(l->load.acceleration);
  if (!(size > 0)) return;
  char text[80];
  snprintf(text, sizeof text, "%s %.3g m/s\xc2\xb2", l->kind->name, size);
  double half = 3.4 * (double)strlen(text);
  Pixel at = {*right - half, 42};
  Pixel end = draw_vector(s, at, l->load.acceleration, FIELD_ARROW, "field");
  sheet_put(s, "<text class=\"field-name\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", at.x, fmin(at.y, end.y) - 12, text);
  *right -= 2 * half + 12;
}

void draw_loads(Sheet *s, Model m) {
  double right = s->width - 16; // of the next field
  for (int i = 0; i < m->loads.count; i++) {
    const ModelLoad *l = model_load(m, i);
    switch (l->load.target) {
    case LOAD_NODE: draw_on_node(s, m, l); break;
    case LOAD_ELEMENT: draw_on_element(s, m, l); break;
    case LOAD_JOINT: draw_on_joint(s, m, l); break;
    case LOAD_WHEEL: break; // the wheel shows it
    case LOAD_FIELD: draw_field(s, l, &right); break;
    }
  }
}
