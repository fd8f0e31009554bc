// SPDX-License-Identifier: Apache-2.0
// Joints: the mark of each, where it stands; rigid arms from its nodes; hatching where it is fixed to the ground.
#include "post/picture/sheet.h"

static const Pixel downwards = {0, 1};

typedef struct {
  Pixel at, along, seen; // along: unit, of the axis as far as it lies in the sheet; seen: not unit
  bool end_on;           // the axis points at the reader
  bool grounded;
  const JointGeometry *geometry;
} Mark;

// The ground under a mark, on a stand of two lines.
static void draw_stand(Sheet *s, Pixel at) {
  Pixel foot = pixel_move(at, 14, downwards);
  for (int side = -1; side < 2; side += 2) sheet_line(s, at, pixel(foot.x + 8 * side, foot.y), "stand");
  sheet_hatch(s, foot, pixel(1, 0), 24);
}

static void draw_axis(Sheet *s, const Mark *k) {
  if (k->end_on) return;
  double length = hypot(k->seen.x, k->seen.y);
  sheet_arrow(s, pixel_move(k->at, -20 * length, k->along), pixel_move(k->at, 12 + 22 * length, k->along), "turning");
}

static void draw_hinge(Sheet *s, const Mark *k) {
  if (k->grounded) draw_stand(s, k->at);
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
  sheet_put(s, "<path class=\"plane\" d=\"M");
  for (int i = 0; i < 4; i++) {
    Vec3 d = vec3_add(vec3_scale(i == 0 || i == 3 ? -half : half, e1), vec3_scale(i < 2 ? -half : half, e2));
    Pixel p = pixel_move(k->at, 1, sheet_direction(s, d));
    sheet_put(s, "%s%.1f %.1f", i ? "L" : "", p.x, p.y);
    sheet_avoid(s, last, p);
    last = p;
  }
  sheet_put(s, "Z\"/>\n");
  if (k->grounded) draw_stand(s, k->at);
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
  if (k->grounded) draw_stand(s, k->at);
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
  draw_stand(s, k->at);
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
    if (k->grounded) draw_stand(s, k->at);
    break;
  case MARK_BALL:
    if (k->grounded) draw_stand(s, k->at);
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
  Mark k = {at, pixel_unit(pixel(0, 0), seen, pixel(1, 0)), seen, hypot(seen.x, seen.y) < 0.15, grounded, geometry};
  for (int i = 0; i < tied; i++) {
    const ModelNode *node = model_node(m, j->node[i]);
    Pixel foot = sheet_project(s, node->x[0]), end = mark == MARK_WELD ? at : i ? other : at;
    if (node->kind == NODE_FRAME && pixel_distance(foot, end) > 1) sheet_line(s, foot, end, "arm");
    if (between && j->node[i] == GROUND) draw_stand(s, end);
  }
  if (!between && mark != MARK_WELD && pixel_distance(at, other) > 1) sheet_line(s, at, other, "gap");
  if (mark == MARK_CLAMP) away = pixel_unit(s->direction[j->node[0]], pixel(0, 0), downwards);
  bool small = s->mark < 1 && !between;
  if (small)
    sheet_put(s, "<g transform=\"translate(%.2f %.2f) scale(%.3f) translate(%.2f %.2f)\">", at.x, at.y, s->mark, -at.x,
              -at.y);
  draw_mark(s, mark, &k, away);
  if (small) sheet_put(s, "</g>\n");
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
