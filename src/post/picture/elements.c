// SPDX-License-Identifier: Apache-2.0
// Shapes of nodes: on the sheet as triangles, those that face the reader; in a scene as arrays and the combinations
// that move them.
#include "model/visuals.h"
#include "post/picture/faces.h"
#include "post/picture/scene.h"
#include "post/picture/sheet.h"

enum { MOST_DRAWN = 40000 }; // triangles of a sheet; beyond, the boxes of the shapes stand for them
enum { PLAIN = 0xb9c0c8, BEAM = 0xa9c1de, CUTS = 8 };

// The colour of a face in the light that comes from behind the reader, from above.
static int shade(const Sheet *s, int colour, Vec3 normal) {
  Vec3 towards =
      vec3_unit(vec3_add(s->view.out, vec3_add(vec3_scale(0.6, s->view.up), vec3_scale(-0.3, s->view.right))));
  double light = 0.55 + 0.45 * fmax(0, vec3_dot(normal, towards) / vec3_norm(normal));
  int out = 0;
  for (int k = 0; k < 3; k++) out = out << 8 | (int)(light * (colour >> (16 - 8 * k) & 255));
  return out;
}

// The corners of a face on the sheet, moved outwards by a part of a pixel: nothing shows between neighbours.
static void put_corners(Sheet *s, int n, const Vec3 *x) {
  const double out = 0.35;
  Pixel p[4];
  for (int k = 0; k < n; k++) p[k] = sheet_project(s, x[k]);
  for (int k = 0; k < n; k++) {
    Pixel in = pixel_unit(p[(k + n - 1) % n], p[k], pixel(0, 0)), on = pixel_unit(p[k], p[(k + 1) % n], pixel(0, 0));
    Pixel sum = pixel(-in.y - on.y, in.x + on.x); // of the normals; a face that is seen runs anticlockwise, with y up
    double sharp = fmax(0.2, 1 + in.x * on.x + in.y * on.y);
    sheet_corner(s, pixel_move(p[k], out / sharp, sum));
  }
}

static double edge_length(int n, const Vec3 *x, int k) { return vec3_norm(vec3_sub(x[(k + 1) % n], x[k])); }

// A large face in two halves, cut through its longest edge: each has the depth of its own middle. False: it is small.
static bool cut_face(const Sheet *s, int n, const Vec3 *x, Vec3 first[4], Vec3 second[4]) {
  enum { LARGE = 20 }; // pixels
  int k = 0;
  for (int i = 1; i < n; i++)
    if (edge_length(n, x, i) > edge_length(n, x, k)) k = i;
  if (!(edge_length(n, x, k) * s->scale > LARGE)) return false;
  Vec3 a = x[k], b = x[(k + 1) % n], c = x[(k + 2) % n], d = x[(k + 3) % n], middle = vec3_mean(a, b);
  if (n == 3) {
    first[0] = a, first[1] = middle, first[2] = c;
    second[0] = middle, second[1] = b, second[2] = c;
  } else {
    Vec3 other = vec3_mean(c, d);
    first[0] = a, first[1] = middle, first[2] = other, first[3] = d;
    second[0] = middle, second[1] = b, second[2] = c, second[3] = other;
  }
  return true;
}

typedef struct {
  const char *class;
  int colour; // -1: none
  double nearer;
  int cuts; // how often a face may be halved
} FaceStyle;

// A face of 3 or 4 corners. Nothing where it faces away, or has no area.
static bool put_face(Sheet *s, int n, const Vec3 *x, FaceStyle f) {
  Vec3 normal = face_normal(n, x), middle = vec3_zero(), half[2][4];
  if (!(vec3_norm(normal) > 0) || !(sheet_depth(s, normal) > 0)) return false;
  if (f.cuts > 0 && s->figures.count < MOST_DRAWN && cut_face(s, n, x, half[0], half[1])) {
    f.cuts--;
    for (int i = 0; i < 2; i++) put_face(s, n, half[i], f);
    return true;
  }
  for (int k = 0; k < n; k++) middle = vec3_axpy(middle, 1.0 / n, x[k]);
  sheet_piece(s, middle, f.nearer);
  put_corners(s, n, x);
  sheet_paint(s, f.class, shade(s, f.colour < 0 ? PLAIN : f.colour, normal), -1, 0);
  return true;
}

static void draw_boxes(Sheet *s, Model m) {
  for (int i = 0; i < m->visuals.count; i++) {
    const ModelVisual *l = model_visual(m, i);
    if (l->shape) sheet_piece(s, visual_corner(m, l, 0), 0);
    for (int c = 0; c < 8 && l->shape; c++)
      for (int k = 0; k < 3; k++)
        if (!(c >> k & 1))
          sheet_line(s, sheet_project(s, visual_corner(m, l, c)), sheet_project(s, visual_corner(m, l, c | 1 << k)),
                     "solid");
  }
}

void draw_visuals(Sheet *s, Model m) {
  long long all = 0;
  for (int i = 0; i < m->visuals.count; i++)
    all += model_visual(m, i)->shape ? model_visual(m, i)->shape->triangles : 0;
  if (!all || s->error) return;
  if (all > MOST_DRAWN) {
    draw_boxes(s, m);
    return;
  }
  const double far = 2 * hypot(s->width, s->height) / s->scale;
  for (int i = 0; i < m->visuals.count && !s->error; i++) {
    const ModelVisual *l = model_visual(m, i);
    for (int t = 0; l->shape && t < l->shape->triangles; t++) {
      Vec3 x[3];
      for (int k = 0; k < 3; k++) x[k] = visual_position(m, l, l->shape->vertex[3 * t + k]);
      put_face(s, 3, x,
               (FaceStyle){"visual", l->colour, l->plane ? -far : 0,
                           l->plane ? 0 : CUTS}); // what is in front of a plane hides it
    }
  }
}

// ---- scenes ----

// The first visual that has the same shape; its own number: it is the first.
static int first_with_shape(Model m, int i) {
  int k = 0;
  while (model_visual(m, k)->shape != model_visual(m, i)->shape) k++;
  return k;
}

void scene_visuals(Scene *s, Model m) {
  int *first;
  if (!m->visuals.count || s->error) return;
  s->error = MemoryNew((size_t)m->visuals.count * sizeof *first, &first);
  for (int i = 0; i < m->visuals.count && !s->error; i++) {
    const ModelVisual *l = model_visual(m, i);
    if (!l->shape) continue;
    const ModelNode *n = model_node(m, l->node);
    int same = first_with_shape(m, i), begin = s->visual_vertices.count;
    first[i] = same < i ? first[same] : begin;
    for (int k = 0; same == i && k < 3 * l->shape->triangles; k++)
      scene_add(s, &s->visual_vertices, sizeof l->shape->vertex[k], l->shape->vertex[k]);
    Vec3 zero = visual_position(m, l, (const float[3]){0, 0, 0});
    int at = scene_add_position(s, m, l->node, zero);
    for (int k = 0; k < 3; k++) {
      float one[3] = {k == 0, k == 1, k == 2};
      scene_direction(s, m, l->node, vec3_sub(visual_position(m, l, one), zero));
    }
    for (int c = 0; c < 8; c++)
      scene_add_position(s, m, l->node, visual_corner(m, l, c)); // so that all of it is in sight
    scene_begin(s, n->name);
    fprintf(s->json, ",\"node\":%d,\"at\":%d,\"first\":%d,\"count\":%d,\"colour\":\"#%06x\"%s%s%s%s}", l->node, at,
            first[i], 3 * l->shape->triangles, l->colour < 0 ? (unsigned)PLAIN : (unsigned)l->colour,
            l->surface ? ",\"surface\":1" : "", l->beside ? ",\"beside\":1" : "", l->plane ? ",\"plane\":1" : "",
            n->kind == NODE_FIXED ? ",\"fixed\":1" : "");
  }
  memory_free(&first);
}

// Elements, each drawn as its kind says (mechanics/visual.h).

enum { PER_ELEMENT = 4, MANY_ELEMENTS = 2000 };

static int gather_positions(Model m, const ModelElement *e, Vec3 *x) {
  int n = 0;
  for (int i = 0; i < e->nnode; i++) {
    const ModelNode *node = model_node(m, model_element_nodes(m, e)[i]);
    for (int k = 0; k < node_vectors(node->kind); k++) x[n++] = node->x[k];
  }
  return n;
}

void visual_ends(Model m, const ModelElement *e, const ElementVisual *visual, Vec3 end[2]) {
  Vec3 x[MAX_LOCAL_VECTORS], all[MAX_Y];
  gather_positions(m, e, x);
  rows_interpolate(&visual->ends, x, all);
  for (int i = 0; i < 2; i++) end[i] = all[i];
}

// The place `at` along an element, and the axes of its section, if it has some.
static void station_of(const ModelElement *e, const Vec3 *x, double at, Vec3 y[4]) {
  Rows rows;
  rows_begin(&rows);
  e->kind->line.station(e->data, at, &rows);
  Vec3 all[MAX_Y];
  rows_interpolate(&rows, x, all);
  for (int i = 0; i < 4; i++) y[i] = i < rows.ny ? all[i] : vec3_zero();
}

// Half the width that a section shows across the direction n of the sheet, in pixels. A rectangle of the same stiffness
// in stretching and bending has the sides sqrt(12 EI/EA).
static double half_width(const Sheet *s, const ModelElement *e, double at, const Vec3 *axes, Pixel n) {
  ElementVisual visual;
  double width = 0;
  element_visual(e->kind, e->data, at, &visual);
  for (int i = 0; i < 2; i++) {
    Pixel d = sheet_direction(s, axes[i + 1]);
    width += sqrt(12 * visual.gyration[i]) * fabs(d.x * n.x + d.y * n.y);
  }
  return fmin(40, fmax(1.5, 0.5 * width * s->scale));
}

// One side of an element's band: +1 from its start, -1 back from its end.
static void band_side(Sheet *s, const ModelElement *e, const Vec3 *x, int pieces, int side) {
  Pixel last = {0, 0};
  for (int k = 0; k <= pieces; k++) {
    double at = (double)(side > 0 ? k : pieces - k) / pieces;
    Vec3 y[4], before[4], after[4];
    station_of(e, x, at, y);
    station_of(e, x, fmax(0, at - 0.05), before);
    station_of(e, x, fmin(1, at + 0.05), after);
    Pixel n = pixel_normal(pixel_unit(sheet_project(s, before[0]), sheet_project(s, after[0]), pixel(1, 0)));
    Pixel p = pixel_move(sheet_project(s, y[0]), side * half_width(s, e, at, y + 1, n), n);
    sheet_corner(s, p);
    if (k) sheet_avoid(s, last, p);
    last = p;
  }
}

// Marks in front of the lines that end there, in pixels.
enum { DIVISION_NEARER = 4, BODY_NEARER = 16 };

static void draw_division(Sheet *s, Vec3 at) {
  sheet_piece(s, at, DIVISION_NEARER / s->scale);
  sheet_circle(s, sheet_project(s, at), 1.6, "division");
}

static void draw_band(Sheet *s, Model m, const ModelComponent *component) {
  int pieces = component->count > MANY_ELEMENTS ? 1 : PER_ELEMENT;
  for (int i = component->first; i < component->first + component->count; i++) {
    const ModelElement *e = model_element(m, i);
    Vec3 x[MAX_LOCAL_VECTORS], a[4], b[4];
    gather_positions(m, e, x);
    station_of(e, x, 0.5, a);
    sheet_piece(s, a[0], 0);
    band_side(s, e, x, pieces, 1);
    band_side(s, e, x, pieces, -1);
    sheet_draw(s, "beam", true);
    station_of(e, x, 0, a);
    for (int k = 1; k <= pieces; k++) {
      station_of(e, x, (double)k / pieces, b);
      sheet_line(s, sheet_project(s, a[0]), sheet_project(s, b[0]), "axis");
      a[0] = b[0];
    }
    if (i > component->first) draw_division(s, x[0]);
  }
}

// ---- beams as bodies ----

enum { FEW_ELEMENTS = 24 };                                  // of a beam; others need no pieces within an element
enum { LEAST_WIDE = 6, MOST_WIDE = 400, NUMBERS_WIDE = 80 }; // pixels across a beam
enum { RING_GAP = 6, RING_NEARER = 12 };                     // pixels between the lines across it, and before it

bool component_outline(Model m, const ModelComponent *component, double at, Outline *out) {
  const ModelSection *section = component->section >= 0 ? model_section(m, component->section) : NULL;
  int before = -1, after = -1;
  for (int i = 0; section && section->outline && i < section->count; i++) {
    if (!section->outline[i]) continue;
    if (before < 0 || section->station[i].at <= at) before = i;
    if (section->station[i].at >= at && after < 0) after = i;
  }
  if (after < 0) after = before;
  if (before >= 0) {
    double from = section->station[before].at, to = section->station[after].at;
    outline_between(section->outline[before], section->outline[after], to > from ? (at - from) / (to - from) : 0, out);
    return true;
  }
  if (airfoil_outline(m, component, at, out)) return false;
  double place = at * component->count;
  int i = (int)fmin(component->count - 1, fmax(0, floor(place)));
  const ModelElement *e = model_element(m, component->first + i);
  ElementVisual visual;
  element_visual(e->kind, e->data, fmin(1, place - i), &visual);
  *out = (Outline){.numbers = true};
  outline_add_ellipse(out, sqrt(4 * visual.gyration[0]), sqrt(4 * visual.gyration[1]));
  return false;
}

static int loft_pieces(const ModelComponent *component) { return component->count < FEW_ELEMENTS ? PER_ELEMENT : 1; }

// Faces of a beam as a body; 0: it is drawn as a band, because it is thin, or has no axes.
static long long loft_faces(const Sheet *s, Model m, const ModelComponent *component) {
  const ModelElement *e = model_element(m, component->first);
  Outline o;
  if (!e->kind->line.axes) return 0;
  bool given = component_outline(m, component, 0.5, &o);
  double wide = outline_extent(&o) * s->scale;
  if (!(wide >= LEAST_WIDE && wide <= (given ? MOST_WIDE : NUMBERS_WIDE))) return 0;
  return (long long)component->count * loft_pieces(component) * o.end[o.lines - 1];
}

typedef struct {
  Outline outline;
  Vec3 at, axes[3], corner[OUTLINE_CORNERS]; // in space
} LoftRing;

static void ring_corners(LoftRing *r) {
  for (int i = 0; i < r->outline.end[r->outline.lines - 1]; i++)
    r->corner[i] =
        vec3_axpy(vec3_axpy(r->at, r->outline.corner[i][0], r->axes[1]), r->outline.corner[i][1], r->axes[2]);
}

static bool is_hole(const Outline *o, int line) {
  double area = 0;
  for (int from = line ? o->end[line - 1] : 0, i = from; i < o->end[line]; i++) {
    const double *a = o->corner[i], *b = o->corner[i + 1 < o->end[line] ? i + 1 : from];
    area += a[0] * b[1] - b[0] * a[1];
  }
  return area < 0;
}

// The faces between two rings that face the reader, with a line across the beam at the first.
static void draw_between_rings(Sheet *s, const LoftRing *a, const LoftRing *b, int colour, bool line) {
  const Outline *o = &a->outline;
  for (int l = 0; l < o->lines; l++) {
    if (is_hole(o, l)) continue;
    for (int from = l ? o->end[l - 1] : 0, i = from; i < o->end[l]; i++) {
      int j = i + 1 < o->end[l] ? i + 1 : from;
      const Vec3 x[4] = {a->corner[i], a->corner[j], b->corner[j], b->corner[i]};
      if (!put_face(s, 4, x, (FaceStyle){"beam", colour, 0, CUTS}) || !line) continue;
      sheet_piece(s, vec3_mean(x[0], x[1]), RING_NEARER / s->scale);
      sheet_corner(s, sheet_project(s, x[0]));
      sheet_corner(s, sheet_project(s, x[1]));
      sheet_draw(s, "ring", false);
    }
  }
}

// The end of a beam: its outline, and its holes in a darker colour.
static void draw_lid(Sheet *s, const LoftRing *r, int colour, double side) {
  const Outline *o = &r->outline;
  Vec3 normal = vec3_scale(side, vec3_cross(r->axes[1], r->axes[2]));
  if (!(sheet_depth(s, normal) > 0)) return;
  sheet_piece(s, r->at, 0);
  for (int l = 0; l < o->lines; l++) {
    int shown = shade(s, is_hole(o, l) ? 0x5c6b7a : colour, normal);
    for (int i = l ? o->end[l - 1] : 0; i < o->end[l]; i++) sheet_corner(s, sheet_project(s, r->corner[i]));
    sheet_paint(s, "beam", shown, 0x4a6d98, 0.5);
  }
}

static void ring_at(Model m, const ModelComponent *component, int element, double at, LoftRing *out) {
  const ModelElement *e = model_element(m, component->first + element);
  Vec3 x[MAX_LOCAL_VECTORS], y[4];
  gather_positions(m, e, x);
  station_of(e, x, at, y);
  out->at = y[0];
  for (int k = 0; k < 3; k++) out->axes[k] = y[k + 1];
  component_outline(m, component, (element + at) / component->count, &out->outline);
  ring_corners(out);
}

// A beam as its section carried along its axis. Where outlines of different kinds meet, the first one ends.
static void draw_loft(Sheet *s, Model m, const ModelComponent *component, int colour) {
  int pieces = loft_pieces(component);
  LoftRing a, b, end;
  ring_at(m, component, 0, 0, &a);
  draw_lid(s, &a, colour, -1);
  double apart = INFINITY; // on the sheet, of the lines across
  for (int i = 0; i < component->count; i++) {
    Pixel from = sheet_project(s, a.at);
    for (int k = 1; k <= pieces; k++) {
      ring_at(m, component, i, (double)k / pieces, &b);
      end = b;
      if (!outlines_match(&a.outline, &b.outline)) end.outline = a.outline, ring_corners(&end);
      draw_between_rings(s, &a, &end, colour, k == 1 && i > 0 && apart > RING_GAP);
      sheet_avoid(s, sheet_project(s, a.at), sheet_project(s, b.at));
      for (int c = 0; c < 4; c++) {
        int at = c * a.outline.end[0] / 4;
        sheet_avoid(s, sheet_project(s, a.corner[at]), sheet_project(s, end.corner[at]));
      }
      a = b;
    }
    apart = pixel_distance(from, sheet_project(s, a.at));
  }
  draw_lid(s, &a, colour, 1);
}

static Vec3 nodes_middle(Model m, const int *id, int count) {
  Vec3 sum = vec3_zero();
  for (int i = 0; i < count; i++) sum = vec3_axpy(sum, 1.0 / count, model_node(m, id[i])->x[0]);
  return sum;
}

static void draw_lines(Sheet *s, Model m, const ModelComponent *component, const char *style) {
  for (int i = component->first; i < component->first + component->count; i++) {
    const ModelElement *e = model_element(m, i);
    const int *id = model_element_nodes(m, e);
    int nodes = element_line_nodes(e->kind, e->data, e->nnode);
    sheet_piece(s, nodes_middle(m, id, nodes > 1 ? nodes : 1), 0);
    for (int k = 1; k < nodes; k++)
      sheet_line(s, sheet_project(s, model_node(m, id[k - 1])->x[0]), sheet_project(s, model_node(m, id[k])->x[0]),
                 style);
    if (i > component->first) draw_division(s, model_node(m, id[0])->x[0]);
  }
}

// The meshes that elements carry, and the names of these above their highest points.
static void draw_carried(Sheet *s, Model m) {
  ModelMesh it = {.element = -1};
  SurfaceFace *face = NULL;
  const Vec3 **at = NULL;
  int n = 0;
  if (!model_mesh_points(m)) return;
  if (!s->error) s->error = MemoryNew((size_t)model_mesh_points(m) * sizeof *at, &at);
  if (!s->error) s->error = FindOuterFaces(m, NULL, &face, &n);
  while (!s->error && model_next_mesh(m, &it)) {
    int top = 0;
    for (int i = 0; i < it.mesh->points; i++) {
      at[it.first + i] = &it.mesh->at[i];
      if (vec3_dot(vec3_sub(it.mesh->at[i], it.mesh->at[top]), s->view.up) > 0) top = i;
    }
    const ModelElement *e = model_element(m, it.element);
    sheet_label(s, sheet_project(s, it.mesh->at[top]), 9, given_name(model_component(m, e->component)->name),
                "element");
  }
  for (int i = 0; i < n && n < 2 * MOST_DRAWN; i++) {
    int corners = face[i].corner[3] < 0 ? 3 : 4;
    Vec3 x[4];
    for (int k = 0; k < corners; k++) x[k] = *at[face[i].corner[k] - m->nodes.count];
    if (!put_face(s, corners, x, (FaceStyle){"mesh", BEAM, 0, 0})) continue;
    for (int k = 0; k < corners; k++)
      sheet_line(s, sheet_project(s, x[k]), sheet_project(s, x[(k + 1) % corners]), "ring");
  }
  memory_free(&face), memory_free(&at);
}

// Quadrilaterals one after the other, and the name above their middle.
static void draw_faces(Sheet *s, Model m, const ModelComponent *component) {
  for (int i = component->first; i < component->first + component->count; i++) {
    const int *id = model_element_nodes(m, model_element(m, i));
    sheet_piece(s, nodes_middle(m, id, 4), 0);
    for (int k = 0; k < 4; k++)
      sheet_line(s, sheet_project(s, model_node(m, id[k])->x[0]),
                 sheet_project(s, model_node(m, id[(k + 1) % 4])->x[0]), "solid");
  }
  const int *half = model_element_nodes(m, model_element(m, component->first + component->count / 2));
  sheet_label(s, sheet_project(s, model_node(m, half[3])->x[0]), 9, given_name(component->name), "element");
}

static void draw_coil(Sheet *s, Pixel a, Pixel b) {
  Pixel d = pixel_unit(a, b, pixel(1, 0)), n = pixel_normal(d);
  double length = pixel_distance(a, b);
  int turns = (int)fmin(40, fmax(4, length / 14));
  double end = fmin(0.2 * length, 14), turn = (length - 2 * end) / (2 * turns);
  sheet_corner(s, a);
  for (int i = 0; i <= 2 * turns; i++)
    sheet_corner(s, pixel_move(pixel_move(a, end + i * turn, d), i == 0 || i == 2 * turns ? 0 : i % 2 ? 6 : -6, n));
  sheet_corner(s, b);
  sheet_draw(s, "spring", false);
  for (int side = -1; side < 2; side++) sheet_avoid(s, pixel_move(a, 6 * side, n), pixel_move(b, 6 * side, n));
}

static Pixel draw_between_ends(Sheet *s, Model m, const ModelElement *e, const ElementVisual *visual) {
  Vec3 end[2];
  visual_ends(m, e, visual, end);
  sheet_piece(s, vec3_scale(0.5, vec3_add(end[0], end[1])), 0);
  Pixel a = sheet_project(s, end[0]), b = sheet_project(s, end[1]),
        middle = pixel(0.5 * (a.x + b.x), 0.5 * (a.y + b.y));
  if (visual->shape == VISUAL_SPRING) {
    for (int i = 0; i < 2; i++) { // arms from the nodes to the ends
      const ModelNode *node = model_node(m, model_element_nodes(m, e)[i]);
      if (node->kind == NODE_FRAME) sheet_line(s, sheet_project(s, node->x[0]), i ? b : a, "arm");
    }
    draw_coil(s, a, b);
    for (int i = 0; i < 2; i++) {
      Pixel away = pixel_unit(i ? a : b, i ? b : a, pixel(0, 1));
      if (model_element_nodes(m, e)[i] == GROUND) sheet_hatch(s, i ? b : a, pixel(away.y, -away.x), 22 * s->mark);
    }
  } else {
    sheet_line(s, a, b, "bushing");
    sheet_box(s, middle, pixel_unit(a, b, pixel(1, 0)), 14, 20, "bushing");
  }
  return middle;
}

static VisualShape shape_of(const ModelElement *e, ElementVisual *visual) {
  element_visual(e->kind, e->data, 0, visual);
  return visual->shape;
}

static double largest_mass(Model m) {
  double most = 0;
  Inertia i;
  ElementVisual visual;
  for (int e = 0; e < m->elements.count; e++)
    if (visual_has_node(shape_of(model_element(m, e), &visual))) {
      body_centre(m, model_element(m, e), &i);
      most = fmax(most, i.m);
    }
  return most;
}

static void draw_body(Sheet *s, Model m, const ModelComponent *component, bool turns, double most) {
  const ModelElement *e = model_element(m, component->first);
  Inertia i;
  Vec3 centre = body_centre(m, e, &i);
  Pixel p = sheet_project(s, centre), q = sheet_project(s, model_node(m, model_element_nodes(m, e)[0])->x[0]);
  double r = s->mark * (5 + 11 * cbrt(i.m / fmax(most, 1e-300)));
  if (node_has_visual(m, model_element_nodes(m, e)[0])) { // which is drawn
    sheet_label(s, p, 9, given_name(component->name), "element");
    return;
  }
  sheet_piece(s, centre, BODY_NEARER / s->scale);
  if (pixel_distance(p, q) > 1) sheet_line(s, q, p, "arm");
  sheet_circle(s, p, r, turns ? "body" : "mass");
  for (int side = -1; side < 2 && turns; side += 2) { // the mark of a mass centre: two quarters
    enum { PIECES = 8 };
    sheet_corner(s, p);
    for (int k = 0; k <= PIECES; k++) {
      double angle = 2 * atan(1) * k / PIECES;
      sheet_corner(s, pixel_move(p, 0.5 * r * side, pixel(cos(angle), sin(angle))));
    }
    sheet_draw(s, "centre", true);
  }
  for (int k = -3; k <= 3; k++) { // labels keep off the disc
    double y = 0.3 * k * r, half = sqrt(r * r - y * y);
    sheet_avoid(s, pixel(p.x - half, p.y + y), pixel(p.x + half, p.y + y));
  }
  sheet_label(s, p, r, given_name(component->name), "element");
}

// A disc with the axis through it, as large as the mark of a heavy body.
static void draw_wheel(Sheet *s, Model m, const ModelComponent *component) {
  enum { CORNERS = 40 };
  const ModelElement *e = model_element(m, component->first);
  const Vec3 *x = model_node(m, model_element_nodes(m, e)[0])->x;
  Vec3 n = wheel_axis(model_wheel(m, model_find_wheel(m, e->component))->wheel, x), e1 = vec3_normal(n),
       e2 = vec3_cross(n, e1);
  Pixel p = sheet_project(s, x[0]), d = sheet_direction(s, n);
  double r = 22 * s->mark;
  sheet_piece(s, x[0], BODY_NEARER / s->scale);
  sheet_line(s, pixel_move(p, -r, d), pixel_move(p, r, d), "wheel");
  for (int i = 0; i < CORNERS; i++) {
    double angle = 8 * atan(1) * i / CORNERS;
    Pixel q = pixel_move(p, r, sheet_direction(s, vec3_axpy(vec3_scale(cos(angle), e1), sin(angle), e2)));
    sheet_corner(s, q);
  }
  sheet_draw(s, "wheel", true);
  sheet_label(s, p, r, given_name(component->name), "element");
}

static void draw_line(Sheet *s, Model m, const ModelComponent *component, VisualShape shape, bool lofted) {
  const ModelElement *half = model_element(m, component->first + component->count / 2);
  Vec3 x[MAX_LOCAL_VECTORS], y[4];
  int colour = component_colour(m, half->component);
  if (shape == VISUAL_BEAM && lofted) draw_loft(s, m, component, colour < 0 ? BEAM : colour);
  else if (shape == VISUAL_BEAM) draw_band(s, m, component);
  else draw_lines(s, m, component, shape == VISUAL_CABLE ? "cable" : "bar");
  gather_positions(m, half, x);
  station_of(half, x, component->count % 2 ? 0.5 : 0, y);
  sheet_label(s, sheet_project(s, y[0]), 9, given_name(component->name), "element");
}

static bool has_room_for_lofts(const Sheet *s, Model m) {
  long long faces = 0;
  ElementVisual visual;
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *c = model_component(m, i);
    if (c->count && shape_of(model_element(m, c->first), &visual) == VISUAL_BEAM) faces += loft_faces(s, m, c);
  }
  return faces <= MOST_DRAWN;
}

// Bodies and masses come last, in front of what has the same depth.
void draw_elements(Sheet *s, Model m) {
  double most = largest_mass(m);
  bool room = has_room_for_lofts(s, m);
  draw_carried(s, m);
  for (int front = 0; front < 2; front++)
    for (int i = 0; i < m->components.count; i++) {
      const ModelComponent *component = model_component(m, i);
      if (!component->count) continue;
      const ModelElement *e = model_element(m, component->first);
      ElementVisual visual;
      VisualShape shape = shape_of(e, &visual);
      if (visual_has_node(shape) != front) continue;
      if (front) draw_body(s, m, component, shape == VISUAL_BODY, most);
      else if (visual_has_stations(shape))
        draw_line(s, m, component, shape, room && shape == VISUAL_BEAM && loft_faces(s, m, component) > 0);
      else if (visual_has_ends(shape))
        sheet_label(s, draw_between_ends(s, m, e, &visual), 10, given_name(component->name), "element");
      else if (shape == VISUAL_WHEEL) draw_wheel(s, m, component);
      else if (shape == VISUAL_STRIP) draw_faces(s, m, component);
      else if (shape != VISUAL_AROUND) draw_lines(s, m, component, "solid");
    }
}
