// SPDX-License-Identifier: Apache-2.0
#include "model/start_pose.h"
#include "post/picture/picture.h"
#include "post/picture/sheet.h"

#include <string.h>

static const char *const axis_names[] = {"x", "y", "z"}, *const axis_styles[] = {"x", "y", "z"};

static Error FindDirections(Sheet *s, Model m) {
  TRY(MemoryNew((size_t)m->nodes.count * sizeof *s->direction, &s->direction));
  for (int e = 0; e < m->elements.count; e++) {
    const ModelElement *q = model_element(m, e);
    const int *id = model_element_nodes(m, q);
    int nodes = element_line_nodes(q->kind, q->data, q->nnode);
    for (int i = 0; i < nodes; i++)
      for (int k = 0; k < nodes; k++) {
        Pixel a = sheet_project(s, model_node(m, id[i])->x[0]), b = sheet_project(s, model_node(m, id[k])->x[0]);
        s->direction[id[i]] = pixel_move(s->direction[id[i]], 1, pixel_unit(a, b, pixel(0, 0)));
      }
  }
  for (int j = 0; j < m->joints.count; j++) { // links and struts lead away, too
    const JointGeometry *p = &model_joint(m, j)->joint.geometry;
    for (int i = 0; i < 2 && model_joint(m, j)->nnode > 2; i++) {
      int id = model_joint(m, j)->node[i];
      Pixel d = pixel_unit(sheet_project(s, p->at[i]), sheet_project(s, p->at[1 - i]), pixel(0, 0));
      s->direction[id] = pixel_move(s->direction[id], 1, d);
    }
  }
  return 0;
}

// Hatching at a place of the ground, on the side away from what is tied to it, along the nearest axis of the sheet.
static void draw_fixed(Sheet *s, Pixel at, Pixel d) {
  Pixel away = pixel_unit(d, pixel(0, 0), pixel(0, 1));
  away = fabs(away.x) > fabs(away.y) ? pixel(away.x > 0 ? 1 : -1, 0) : pixel(0, away.y > 0 ? 1 : -1);
  sheet_hatch(s, pixel_move(at, 4 * s->mark, away), pixel(away.y, -away.x), 22 * s->mark);
}

// strip.12: a node of a mesh.
static bool is_numbered(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")];
}

static void draw_nodes(Sheet *s, Model m) {
  for (int i = 1; i < m->nodes.count; i++) {
    const ModelNode *n = model_node(m, i);
    Pixel at = sheet_project(s, n->x[0]);
    if (!model_node_is_named(n)) continue;
    for (int k = 0; k < 3 && n->kind == NODE_FRAME; k++) {
      char name[16];
      snprintf(name, sizeof name, "small %s", axis_styles[k]);
      sheet_line(s, at, pixel_move(at, 11 * s->mark, sheet_direction(s, n->x[k + 1])), name);
    }
    if (n->kind == NODE_FIXED) draw_fixed(s, at, s->direction[i]);
    sheet_circle(s, at, (n->kind == NODE_FIXED ? 3 : 2.6) * s->mark, n->kind == NODE_FIXED ? "fixed" : "node");
    if (!is_numbered(n->name)) sheet_label(s, at, 7 * s->mark, n->name, "of-node");
  }
}

// The axes of the ground, in the lower left corner.
static void draw_triad(Sheet *s) {
  const Vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Pixel at = {46, s->height - 42};
  for (int k = 0; k < 3; k++) {
    Pixel d = sheet_direction(s, axis[k]);
    double l = hypot(d.x, d.y);
    char name[16];
    snprintf(name, sizeof name, "large %s", axis_styles[k]);
    if (l > 0.2) sheet_arrow(s, at, pixel_move(at, 34, d), name);
    else sheet_into(s, at, sheet_depth(s, axis[k]) > 0, name);
    sheet_text(s, l > 0.2 ? pixel_move(pixel(at.x - 3, at.y + 4), 34 + 9 / l, d) : pixel(at.x - 14, at.y + 14),
               "axis-name", axis_names[k]);
  }
}

// A line of a round length, in the lower right corner.
static void draw_scale(Sheet *s) {
  double most = 140 / s->scale, power = pow(10, floor(log10(most)));
  double length = power * (5 * power <= most ? 5 : 2 * power <= most ? 2 : 1), pixels = length * s->scale;
  char text[40];
  snprintf(text, sizeof text, "%g %s", length >= 1 ? length : 1000 * length, length >= 1 ? "m" : "mm");
  Pixel a = {s->width - 24 - pixels, s->height - 20}, b = {s->width - 24, s->height - 20};
  sheet_line(s, a, b, "scale");
  sheet_line(s, pixel(a.x, a.y - 4), pixel(a.x, a.y + 4), "scale");
  sheet_line(s, pixel(b.x, b.y - 4), pixel(b.x, b.y + 4), "scale");
  sheet_text(s, pixel(0.5 * (a.x + b.x), a.y - 7), "scale-name", text);
}

// ---- meshes of sections, below the model ----

enum { MOST_SECTIONS = 8 };

// Of each section that was solved on a mesh, the first station that was; draws them, or adds up their heights.
static double section_meshes(const Sheet *s, Model m, Canvas *canvas, double enlarge) {
  double top = s->height;
  int count = 0;
  for (int i = 0; i < m->sections.count && count < MOST_SECTIONS; i++) {
    const ModelSection *section = model_section(m, i);
    int station = 0;
    while (station < section->count && !has_section_mesh(section, station)) station++;
    if (station == section->count) continue;
    if (canvas) draw_section_mesh(section, station, top, canvas, enlarge);
    top += section_mesh_height(section, station), count++;
  }
  return top;
}

static void draw_model(Sheet *s, Model m, const char *title) {
  static void (*const bodies[])(Sheet * s, Model m) = {draw_visuals, draw_surfaces, draw_elements};
  static void (*const symbols[])(Sheet * s, Model m) = {draw_joints, draw_nodes, draw_loads};
  sheet_text(s, pixel(16, 26), "title", title);
  sheet_text(s, pixel(16, 44), "remark", s->view.name);
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0] && !s->error; i++) bodies[i](s, m);
  sheet_sort(s);
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0] && !s->error; i++) symbols[i](s, m);
  draw_triad(s);
  draw_scale(s);
  int left_out = sheet_labels(s);
  char text[80];
  snprintf(text, sizeof text, "%d name%s omitted for lack of space", left_out, left_out == 1 ? "" : "s");
  if (left_out) sheet_text(s, pixel(16, *s->view.name ? 60 : 44), "remark", text);
}

static Error WriteSheet(Sheet *s, Model m, const char *title, const CanvasKind *kind, FILE *out) {
  const double enlarge = kind == &canvas_png ? 2 : 1;
  double bottom = section_meshes(s, m, NULL, 1);
  double wide = bottom > s->height ? fmax(s->width, SECTION_MESH_WIDTH) : s->width;
  Canvas canvas = {
      .kind = kind, .out = out, .width = (int)(enlarge * round(wide)), .height = (int)(enlarge * round(bottom))};
  bool good = kind->begin(&canvas, title);
  if (good) {
    sheet_play(s, &canvas, enlarge);
    section_meshes(s, m, &canvas, enlarge);
  }
  good = kind->finish(&canvas) && good;
  ENSURE(good, ERROR_MEMORY, "no memory for a picture");
  return 0;
}

// Room above the model for the arrows of fields, which are in the upper right corner.
static void make_room_for_fields(Sheet *s, Model m) {
  const double room = 30;
  for (int i = 0; i < m->loads.count; i++)
    if (model_load(m, i)->load.target == LOAD_FIELD) {
      s->height += room;
      s->centre = vec3_axpy(s->centre, 0.5 * room / s->scale, s->view.up);
      return;
    }
}

static Error DrawModel(Model m, const char *title, const char *view, const CanvasKind *kind, FILE *out) {
  Sheet s = {.view = view_choose(m, view), .depth = -HUGE_VAL, .shrink = 1};
  sheet_fit(&s, m);
  make_room_for_fields(&s, m);
  s.width = fmax(s.width, fmin(1200, text_width(title, 15) + 200)); // room for the name of a field after the title
  s.error = SheetFindMarkSize(&s, m);
  if (!s.error) s.error = FindDirections(&s, m);
  if (!s.error) draw_model(&s, m, title);
  if (!s.error) s.error = WriteSheet(&s, m, title, kind, out);
  sheet_free(&s);
  return s.error;
}

Error PictureWrite(Model m, const char *title, const char *view, const CanvasKind *kind, FILE *out) {
  struct LimberModelData start;
  Store store = {0};
  TRY(ModelAtStart(m, &store, &start));
  Error error = DrawModel(&start, title, view, kind, out);
  TRY(StoreDestroy(&store));
  return error;
}
