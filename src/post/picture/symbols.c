// SPDX-License-Identifier: Apache-2.0
// Joints, loads and surfaces that may touch, as symbols.
#include "model/model.h"
#include "post/picture/sheet.h"

#include <math.h>
#include <string.h>

// Joints: the mark of each, where it stands; rigid arms from its nodes; hatching where it is fixed to the ground.

static const Pixel downwards = {0, 1};

typedef struct {
  Pixel at, along, seen; // along: unit, of the axis as far as it lies in the sheet; seen: not unit
  bool end_on;           // the axis points at the reader
  bool grounded;
  Pixel down; // where its ground is
  const JointGeometry *geometry;
} Mark;

// The ground beside a mark, on a stand of two lines.
static void draw_stand(Sheet *s, Pixel at, Pixel down) {
  Pixel foot = pixel_move(at, 14, down), along = pixel(down.y, -down.x);
  for (int side = -1; side < 2; side += 2) sheet_line(s, at, pixel_move(foot, 8 * side, along), "stand");
  sheet_hatch(s, foot, along, 24);
}

// The ground is below a joint, or above it if what it carries hangs down.
static Pixel ground_side(const Sheet *s, Model m, const ModelJoint *j, Pixel at) {
  double hangs = 0;
  for (int i = 0; i < 2 && i < j->nnode; i++) {
    const ModelNode *node = model_node(m, j->node[i]);
    if (j->node[i] == GROUND || node->kind == NODE_FIXED) continue;
    Pixel x = sheet_project(s, node->x[0]), d = s->direction[j->node[i]];
    Pixel to = pixel_distance(at, x) > 1 ? pixel_unit(at, x, d) : pixel_unit(pixel(0, 0), d, pixel(0, 0));
    hangs = fmax(hangs, to.y);
  }
  return hangs > 0.6 ? pixel(0, -1) : downwards;
}

static void draw_axis(Sheet *s, const Mark *k) {
  if (k->end_on) return;
  double length = hypot(k->seen.x, k->seen.y);
  sheet_arrow(s, pixel_move(k->at, -20 * length, k->along), pixel_move(k->at, 12 + 22 * length, k->along), "turning");
}

static void draw_hinge(Sheet *s, const Mark *k) {
  if (k->grounded) draw_stand(s, k->at, k->down);
  draw_axis(s, k);
  if (k->end_on) sheet_circle(s, k->at, 5, "joint");
  else sheet_box(s, k->at, k->along, 13, 8, "joint");
  if (k->end_on) sheet_circle(s, k->at, 1.5, "dot");
}

static void draw_slider(Sheet *s, const Mark *k, bool turns) {
  Pixel n = pixel_normal(k->along);
  double rail = k->end_on ? 12 : 44;
  for (int side = -1; side < 2; side += 2) {
    Pixel p = pixel_move(k->at, 6.5 * side, n);
    if (k->grounded && side == 1) sheet_hatch(s, p, k->along, rail);
    else sheet_line(s, pixel_move(p, -0.5 * rail, k->along), pixel_move(p, 0.5 * rail, k->along), "rail");
  }
  sheet_box(s, k->at, k->along, k->end_on ? 9 : 18, 9, "joint");
  if (turns) sheet_turn(s, k->at, k->geometry->axis, 12, "turning");
  else sheet_circle(s, k->at, 1.5, "dot");
}

static void draw_plane(Sheet *s, const Mark *k) {
  const double half = 16;
  Vec3 e1 = k->geometry->second, e2 = vec3_cross(k->geometry->axis, e1);
  Pixel last = k->at;
  for (int i = 0; i < 4; i++) {
    Vec3 d = vec3_add(vec3_scale(i == 0 || i == 3 ? -half : half, e1), vec3_scale(i < 2 ? -half : half, e2));
    Pixel p = pixel_move(k->at, 1, sheet_direction(s, d));
    sheet_corner(s, p);
    sheet_avoid(s, last, p);
    last = p;
  }
  sheet_draw(s, "plane", true);
  if (k->grounded) draw_stand(s, k->at, k->down);
  draw_axis(s, k);
  for (int i = 0; i < 2; i++) { // slide1 and slide2
    Pixel d = sheet_direction(s, i ? e2 : e1);
    double length = hypot(d.x, d.y);
    if (length < 0.15) continue;
    sheet_arrow(s, k->at, pixel_move(k->at, 1.5 * half, d), "turning");
    sheet_text(s, pixel_move(pixel(k->at.x - 2.5, k->at.y + 3), 1.5 * half + 6 / length, d), "slide-name",
               i ? "2" : "1");
  }
  sheet_circle(s, k->at, 3.5, "joint");
}

static void draw_cross(Sheet *s, const Mark *k) {
  const Vec3 arm[2] = {k->geometry->axis, k->geometry->second};
  if (k->grounded) draw_stand(s, k->at, k->down);
  for (int i = 0; i < 2; i++) {
    Pixel d = sheet_direction(s, arm[i]);
    sheet_line(s, pixel_move(k->at, -12, d), pixel_move(k->at, 12, d), "arm-of-cross");
    for (int side = -1; side < 2; side += 2) sheet_circle(s, pixel_move(k->at, 12 * side, d), 2.5, "joint");
  }
}

static void draw_between(Sheet *s, Pixel a, Pixel b, bool telescope) {
  Pixel d = pixel_unit(a, b, pixel(1, 0)), middle = pixel(0.5 * (a.x + b.x), 0.5 * (a.y + b.y));
  double length = pixel_distance(a, b);
  sheet_line(s, a, b, telescope ? "rod" : "link");
  if (telescope) sheet_box(s, pixel_move(middle, -0.1 * length, d), d, 0.5 * length, 9, "joint");
  sheet_circle(s, a, 3, "joint");
  sheet_circle(s, b, 3, "joint");
}

static void draw_prescribed_motion(Sheet *s, const Mark *k) {
  draw_stand(s, k->at, k->down);
  sheet_box(s, k->at, pixel(1, 0), 11, 11, "joint");
  for (int i = 0; i < 4; i++) {
    Pixel d = pixel(i % 2 ? 0 : i - 1, i % 2 ? i - 2 : 0);
    sheet_line(s, pixel_move(k->at, 6, d), pixel_move(k->at, 10, d), "turning");
  }
}

static void draw_mark(Sheet *s, JointMark mark, const Mark *k, Pixel away) {
  Pixel other = sheet_project(s, k->geometry->at[1]);
  switch (mark) {
  case MARK_CLAMP: sheet_hatch(s, pixel_move(k->at, 2, away), pixel(away.y, -away.x), 28); break;
  case MARK_WELD:
    sheet_box(s, k->at, pixel(1, 0), 7, 7, "weld");
    if (k->grounded) draw_stand(s, k->at, k->down);
    break;
  case MARK_BALL:
    if (k->grounded) draw_stand(s, k->at, k->down);
    sheet_circle(s, k->at, 6, "joint");
    sheet_circle(s, k->at, 3, "ball");
    break;
  case MARK_HINGE: draw_hinge(s, k); break;
  case MARK_CYLINDER: draw_slider(s, k, true); break;
  case MARK_SLIDER: draw_slider(s, k, false); break;
  case MARK_PLANE: draw_plane(s, k); break;
  case MARK_CROSS: draw_cross(s, k); break;
  case MARK_LINK: draw_between(s, k->at, other, false); break;
  case MARK_ACTUATOR: draw_between(s, k->at, other, true); break;
  case MARK_PRESCRIBED_MOTION: draw_prescribed_motion(s, k); break;
  case MARK_TIE: sheet_box(s, k->at, pixel(0.7071, 0.7071), 8, 8, "joint"); break;
  }
}

static void draw_joint(Sheet *s, Model m, const ModelJoint *j) {
  const JointGeometry *geometry = &j->joint.geometry;
  JointMark mark = j->kind->mark;
  bool between = mark == MARK_LINK || mark == MARK_ACTUATOR;
  Pixel at = sheet_project(s, geometry->at[0]), other = sheet_project(s, geometry->at[1]), away = downwards;
  int tied = j->nnode - 1 < 2 ? 1 : 2; // the ground comes last
  bool grounded = tied < 2 || j->node[0] == GROUND || model_node(m, j->node[0])->kind == NODE_FIXED ||
                  model_node(m, j->node[1])->kind == NODE_FIXED;
  Pixel seen = sheet_direction(s, geometry->axis);
  Mark k = {at,       pixel_unit(pixel(0, 0), seen, pixel(1, 0)),
            seen,     hypot(seen.x, seen.y) < 0.15,
            grounded, ground_side(s, m, j, at),
            geometry};
  for (int i = 0; i < tied; i++) {
    const ModelNode *node = model_node(m, j->node[i]);
    Pixel foot = sheet_project(s, node->x[0]), end = mark == MARK_WELD ? at : i ? other : at;
    if (node->kind == NODE_FRAME && pixel_distance(foot, end) > 1) sheet_line(s, foot, end, "arm");
    if (between && j->node[i] == GROUND) draw_stand(s, end, downwards);
  }
  if (!between && mark != MARK_WELD && pixel_distance(at, other) > 1) sheet_line(s, at, other, "gap");
  if (mark == MARK_CLAMP) away = pixel_unit(s->direction[j->node[0]], pixel(0, 0), downwards);
  s->about = at, s->shrink = between ? 1 : s->mark;
  draw_mark(s, mark, &k, away);
  s->shrink = 1;
  Pixel label = between ? pixel(0.5 * (at.x + other.x), 0.5 * (at.y + other.y)) : at;
  sheet_label(s, label, between ? 9 : 11, given_name(j->name), "of-joint");
}

// Ties inside a beam of points are its own affair.
static bool is_inner(Model m, const ModelJoint *j) {
  if (model_joint_is_abstract(j)) return true;
  for (int i = 0; i + 1 < j->nnode; i++) {
    const ModelNode *node = model_node(m, j->node[i]);
    if (node->component < 0 || !model_component(m, node->component)->kind->faces) return false;
  }
  return j->kind->mark == MARK_TIE;
}

void draw_joints(Sheet *s, Model m) {
  for (int j = 0; j < m->joints.count; j++)
    if (!is_inner(m, model_joint(m, j))) draw_joint(s, m, model_joint(m, j));
}

// Loads: arrows of a fixed length, arcs for what turns, arrows along a line; fields are in a corner.

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

// Fields act everywhere: their arrows are in the upper right corner, next to each other.
static void draw_field(Sheet *s, const ModelLoad *l, double *right) {
  double size = vec3_norm(l->load.acceleration);
  if (!(size > 0)) return;
  char text[80];
  snprintf(text, sizeof text, "%s %.3g m/s\xc2\xb2", l->kind->name, size);
  double half = 3.4 * (double)strlen(text);
  Pixel at = {*right - half, 42};
  Pixel end = draw_vector(s, at, l->load.acceleration, FIELD_ARROW, "field");
  sheet_text(s, pixel(at.x, fmin(at.y, end.y) - 12), "field-name", text);
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

// Surfaces that may touch: outlines of spheres, rods and boxes, hatched planes.

enum { PLANE = 90, MOST = 400 }; // pixels of a plane; outlines that a picture has room for

static void draw_plane_surface(Sheet *s, Model m, const ModelSurface *q) {
  Pixel at = sheet_project(s, surface_position(m, q->body.node, q->body.place));
  Pixel normal = sheet_direction(s, surface_position(m, q->body.node, q->body.direction[0]));
  double seen = hypot(normal.x, normal.y);
  if (seen < 0.2) return;
  Pixel along = pixel(-normal.y / seen, normal.x / seen);
  sheet_line(s, pixel_move(at, -0.5 * PLANE, along), pixel_move(at, 0.5 * PLANE, along), "surface");
  sheet_hatch(s, at, along, PLANE);
  sheet_label(s, pixel_move(at, 0.5 * PLANE, along), 6, given_name(q->name), "of-node");
}

static void draw_rod_surface(Sheet *s, Model m, const ModelSurface *q) {
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

static void draw_box_surface(Sheet *s, Model m, const ModelSurface *q) {
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
  if (m->surfaces.count) sheet_piece(s, vec3_zero(), -HUGE_VAL); // outlines, behind all else
  for (int i = 0; i < m->surfaces.count && i < MOST; i++) {
    const ModelSurface *q = model_surface(m, i);
    switch (q->kind->visual) {
    case SURFACE_VISUAL_NONE:
    case SURFACE_VISUAL_SPHERE: draw_points(s, m, q); break;
    case SURFACE_VISUAL_PLANE: draw_plane_surface(s, m, q); break;
    case SURFACE_VISUAL_ROD: draw_rod_surface(s, m, q); break;
    case SURFACE_VISUAL_BOX: draw_box_surface(s, m, q); break;
    }
  }
}
