// SPDX-License-Identifier: Apache-2.0
#include "model/start_pose.h"
#include "post/picture/picture.h"
#include "post/picture/sheet.h"

#include <string.h>

static const char *const axis_names[] = {"x", "y", "z"}, *const axis_styles[] = {"x", "y", "z"};

static const char style[] =
    "<style>\n"
    "text{font:11.5px 'DejaVu "
    "Sans',Arial,sans-serif;fill:#222;paint-order:stroke;stroke:#fff;stroke-width:1.6px}.title{font-size:15px;font-"
    "weight:bold}\n"
    ".element{fill:#2f5582}.of-joint{fill:#7a4a00}.of-load{fill:#b3261e}.of-drive{fill:#8a2be2}\n"
    ".field-name{fill:#1f7a4d;text-anchor:middle}.scale-name{text-anchor:middle}.remark{fill:#777}\n"
    "line,path{stroke-linecap:round;stroke-linejoin:round}\n"
    ".beam{fill:#a9c1de;stroke:#4a6d98;stroke-width:.7}.axis{stroke:#2f5582;stroke-width:.8}\n"
    ".division{fill:#2f5582}.bar{stroke:#2f8a8a;stroke-width:3}.cable{stroke:#444;stroke-width:1.3}\n"
    ".solid{stroke:#6b7f99;stroke-width:.7}.spring{fill:none;stroke:#2f7d32;stroke-width:1.5}\n"
    ".bushing{fill:#cfe6d0;stroke:#2f7d32;stroke-width:1.3}\n"
    ".body{fill:#d9cdb4;fill-opacity:.85;stroke:#6e5d33;stroke-width:1.2}.centre{fill:#6e5d33}\n"
    ".wheel{fill:#8fa7c4;fill-opacity:.45;stroke:#3d5470;stroke-width:1.4}\n"
    ".mass{fill:#6e5d33;stroke:#4a3d1e}.arm{stroke:#b5a680;stroke-width:4;stroke-opacity:.7}\n"
    ".joint{fill:#fff;stroke:#7a4a00;stroke-width:1.6}.dot,.ball{fill:#7a4a00}.weld{fill:#7a4a00}\n"
    ".link,.rod,.arm-of-cross{stroke:#7a4a00;stroke-width:2}.rail,.stand,.turning{stroke:#7a4a00;stroke-width:1.3}\n"
    ".turning{fill:none}.slide-name{font-size:9px;fill:#7a4a00}.section-name{font-size:12px}.plane{fill:#f0d9b0;fill-"
    "opacity:.6;stroke:#7a4a00;"
    "stroke-width:1}\n"
    ".gap{stroke:#7a4a00;stroke-width:1.2;stroke-dasharray:2 3}\n"
    ".ground{stroke:#333;stroke-width:1.6}.hatch{stroke:#333;stroke-width:.8}\n"
    ".load{fill:none;stroke:#d3322a;stroke-width:2}.drive{fill:none;stroke:#8a2be2;stroke-width:1.8}\n"
    ".field{fill:none;stroke:#1f7a4d;stroke-width:2}.thin{stroke-width:1.2}\n"
    ".load.head{fill:#d3322a}.drive.head{fill:#8a2be2}.field.head{fill:#1f7a4d}.turning.head{fill:#7a4a00}\n"
    ".node{fill:#222}.fixed{fill:#fff;stroke:#222;stroke-width:1.3}\n"
    ".x{stroke:#d3322a}.y{stroke:#1f8a3a}.z{stroke:#2b5fd9}.head.x{fill:#d3322a}.head.y{fill:#1f8a3a}\n"
    ".head.z{fill:#2b5fd9}.small{stroke-width:1.3}.large{stroke-width:1.8;fill:none}\n"
    ".leader{stroke:#999;stroke-width:.6}.scale{stroke:#222;stroke-width:1.5}\n"
    "</style>\n";

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

static void fill_area(void *self, int n, const double (*p)[2], unsigned colour) {
  sheet_put(self, "<path fill=\"#%06x\" d=\"M", colour);
  for (int i = 0; i < n; i++) sheet_put(self, "%s%.2f %.2f", i ? "L" : "", p[i][0], p[i][1]);
  sheet_put(self, "Z\"/>\n");
}

static void stroke_line(void *self, int n, const double (*p)[2], unsigned colour, double width) {
  sheet_put(self, "<path fill=\"none\" stroke=\"#%06x\" stroke-width=\"%.2f\" d=\"M", colour, width);
  for (int i = 0; i < n; i++) sheet_put(self, "%s%.2f %.2f", i ? "L" : "", p[i][0], p[i][1]);
  sheet_put(self, "\"/>\n");
}

static void write_words(void *self, double x, double y, double size, const char *text) {
  sheet_text(self, pixel(x, y), size > 13 ? "title" : "section-name", text);
}

enum { MOST_SECTIONS = 8 };

// Of each section that was solved on a mesh, the first station that was; draws them, or adds up their heights.
static double section_meshes(Sheet *s, Model m, bool draw) {
  double top = s->height;
  int count = 0;
  const MeshPen pen = {fill_area, stroke_line, write_words, s};
  for (int i = 0; i < m->sections.count && count < MOST_SECTIONS; i++) {
    const ModelSection *section = model_section(m, i);
    int station = 0;
    while (station < section->count && !has_section_mesh(section, station)) station++;
    if (station == section->count) continue;
    if (draw) draw_section_mesh(section, station, top, &pen);
    top += section_mesh_height(section, station), count++;
  }
  return top;
}

static Error DrawModel(Model m, const char *title, const char *view, FILE *out) {
  static void (*const bodies[])(Sheet * s, Model m) = {draw_visuals, draw_surfaces, draw_elements};
  static void (*const symbols[])(Sheet * s, Model m) = {draw_joints, draw_nodes, draw_loads};
  Sheet s = {.view = view_choose(m, view)};
  sheet_fit(&s, m);
  double bottom = section_meshes(&s, m, false), wide = bottom > s.height ? fmax(s.width, SECTION_MESH_WIDTH) : s.width;
  sheet_put(&s, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n",
            wide, bottom, wide, bottom);
  for (const char *line = style; *line; line++) sheet_put(&s, "%c", *line);
  if (!s.error) s.error = SheetFindMarkSize(&s, m);
  if (s.mark < 1)
    sheet_put(&s, "<style>.bar{stroke-width:%.2f}.arm{stroke-width:%.2f}</style>\n", 3 * s.mark, 4 * s.mark);
  sheet_put(&s, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
  sheet_text(&s, pixel(16, 26), "title", title);
  sheet_text(&s, pixel(16, 44), "remark", s.view.name);
  if (!s.error) s.error = FindDirections(&s, m);
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0] && !s.error; i++) bodies[i](&s, m);
  if (!s.error) s.error = SheetSortPieces(&s);
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0] && !s.error; i++) symbols[i](&s, m);
  draw_triad(&s);
  draw_scale(&s);
  int left_out = sheet_labels(&s);
  section_meshes(&s, m, true);
  if (left_out) {
    char text[80];
    snprintf(text, sizeof text, "%d name%s omitted for lack of space", left_out, left_out == 1 ? "" : "s");
    sheet_text(&s, pixel(16, *s.view.name ? 60 : 44), "remark", text);
  }
  sheet_put(&s, "</svg>\n");
  if (!s.error) fwrite(s.text.data, 1, (size_t)s.text.count, out);
  memory_free(&s.direction);
  ModelArray *arrays[] = {&s.text, &s.pieces, &s.stretches, &s.labels, &s.boxes};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) memory_free(&arrays[i]->data);
  return s.error;
}

Error PictureWrite(Model m, const char *title, const char *view, FILE *out) {
  struct LimberModelData start;
  Store store = {0};
  TRY(ModelAtStart(m, &store, &start));
  Error error = DrawModel(&start, title, view, out);
  TRY(StoreDestroy(&store));
  return error;
}
