// SPDX-License-Identifier: Apache-2.0
// Elements, told apart by what their contract says of them: one with a section is a band, one with a length a line, one
// that acts along a distance a coil, one at a single node a body.
#include "post/picture/sheet.h"

enum { PER_ELEMENT = 4, MANY_ELEMENTS = 2000 };

static int gather_positions(Model m, const ModelElement *e, Vec3 *x) {
  int n = 0;
  for (int i = 0; i < e->nnode; i++) {
    const ModelNode *node = model_node(m, model_element_nodes(m, e)[i]);
    for (int k = 0; k < node_vectors(node->kind); k++) x[n++] = node->x[k];
  }
  return n;
}

// The place `at` along an element, and the axes of its section, if it has some.
static void station_of(const ModelElement *e, const Vec3 *x, double at, Vec3 y[4]) {
  Rows rows;
  rows_begin(&rows);
  e->kind->station(e->data, at, &rows);
  Vec3 all[MAX_Y];
  rows_interpolate(&rows, x, all);
  for (int i = 0; i < 4; i++) y[i] = i < rows.ny ? all[i] : vec3_zero();
}

// Half the width that a section shows across the direction n of the sheet, in pixels. A rectangle of the same stiffness in
// stretching and bending has the sides sqrt(12 EI/EA).
static double half_width(const Sheet *s, const ModelElement *e, double at, const Vec3 *axes, Pixel n) {
  int points = e->kind->points(e->data), g = (int)(at * points);
  ElementPoint p;
  element_point(e->kind, e->data, g < points ? g : points - 1, &p);
  double width = 0;
  if (p.law || p.rows.nrow != 6) return 1.5;
  for (int i = 1; i < 3; i++) {
    Pixel d = sheet_direction(s, axes[i]);
    width += sqrt(12 * p.stiffness[7 * (6 - i)] / p.stiffness[0]) * fabs(d.x * n.x + d.y * n.y);
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
    sheet_put(s, "%s%.2f %.2f", k || side < 0 ? "L" : "", p.x, p.y);
    if (k) sheet_avoid(s, last, p);
    last = p;
  }
}

static void draw_band(Sheet *s, Model m, const ModelComponent *component) {
  int pieces = component->count > MANY_ELEMENTS ? 1 : PER_ELEMENT;
  for (int i = component->first; i < component->first + component->count; i++) {
    const ModelElement *e = model_element(m, i);
    Vec3 x[MAX_LOCAL_VECTORS], a[4], b[4];
    gather_positions(m, e, x);
    sheet_put(s, "<path class=\"beam\" d=\"M");
    band_side(s, e, x, pieces, 1);
    band_side(s, e, x, pieces, -1);
    sheet_put(s, "Z\"/>\n");
    station_of(e, x, 0, a);
    for (int k = 1; k <= pieces; k++) {
      station_of(e, x, (double)k / pieces, b);
      sheet_line(s, sheet_project(s, a[0]), sheet_project(s, b[0]), "axis");
      a[0] = b[0];
    }
    Pixel p = sheet_project(s, x[0]);
    if (i > component->first) sheet_circle(s, p, 1.6, "division");
  }
}

static void draw_lines(Sheet *s, Model m, const ModelComponent *component, const char *style) {
  for (int i = component->first; i < component->first + component->count; i++) {
    const ModelElement *e = model_element(m, i);
    const LimberId *id = model_element_nodes(m, e);
    for (int k = 1; k < e->nnode; k++)
      sheet_line(s, sheet_project(s, model_node(m, id[k - 1])->x[0]), sheet_project(s, model_node(m, id[k])->x[0]),
                 style);
    if (i > component->first) sheet_circle(s, sheet_project(s, model_node(m, id[0])->x[0]), 1.6, "division");
  }
}

// Quadrilaterals one after the other, and the name above their middle.
static void draw_faces(Sheet *s, Model m, const ModelComponent *component) {
  for (int i = component->first; i < component->first + component->count; i++) {
    const LimberId *id = model_element_nodes(m, model_element(m, i));
    for (int k = 0; k < 4; k++)
      sheet_line(s, sheet_project(s, model_node(m, id[k])->x[0]),
                 sheet_project(s, model_node(m, id[(k + 1) % 4])->x[0]), "solid");
  }
  const LimberId *half = model_element_nodes(m, model_element(m, component->first + component->count / 2));
  sheet_label(s, sheet_project(s, model_node(m, half[3])->x[0]), 9, given_name(component->name), "element");
}

static void draw_coil(Sheet *s, Pixel a, Pixel b) {
  Pixel d = pixel_unit(a, b, pixel(1, 0)), n = pixel_normal(d);
  double length = pixel_distance(a, b);
  int turns = (int)fmin(40, fmax(4, length / 14));
  double end = fmin(0.2 * length, 14), turn = (length - 2 * end) / (2 * turns);
  sheet_put(s, "<path class=\"spring\" d=\"M%.1f %.1fL", a.x, a.y);
  for (int i = 0; i <= 2 * turns; i++) {
    Pixel p = pixel_move(pixel_move(a, end + i * turn, d), i == 0 || i == 2 * turns ? 0 : i % 2 ? 6 : -6, n);
    sheet_put(s, "%.1f %.1fL", p.x, p.y);
  }
  sheet_put(s, "%.1f %.1f\"/>\n", b.x, b.y);
  for (int side = -1; side < 2; side++) sheet_avoid(s, pixel_move(a, 6 * side, n), pixel_move(b, 6 * side, n));
}

// What ties two places without a line of its own: the row y_0 of a length is x_b - x_a, the parts of the two nodes.
static Pixel draw_tie(Sheet *s, Model m, const ModelElement *e) {
  ElementPoint p;
  Vec3 x[MAX_LOCAL_VECTORS], end[2] = {{0, 0, 0}, {0, 0, 0}};
  gather_positions(m, e, x);
  element_point(e->kind, e->data, 0, &p);
  int split = node_vectors(model_node(m, model_element_nodes(m, e)[0])->kind);
  for (int k = p.rows.start[0]; k < p.rows.start[1]; k++) {
    int i = p.rows.vec[k] >= split;
    end[i] = vec3_axpy(end[i], i ? p.rows.coef[k] : -p.rows.coef[k], x[p.rows.vec[k]]);
  }
  if (!p.law) end[0] = x[0], end[1] = x[split];
  Pixel a = sheet_project(s, end[0]), b = sheet_project(s, end[1]),
        middle = pixel(0.5 * (a.x + b.x), 0.5 * (a.y + b.y));
  if (p.law) {
    for (int i = 0; i < 2; i++) { // arms from the nodes to the ends
      const ModelNode *node = model_node(m, model_element_nodes(m, e)[i]);
      if (node->kind == NODE_FRAME) sheet_line(s, sheet_project(s, node->x[0]), i ? b : a, "arm");
    }
    draw_coil(s, a, b);
  } else {
    sheet_line(s, a, b, "bushing");
    sheet_box(s, middle, pixel_unit(a, b, pixel(1, 0)), 14, 20, "bushing");
  }
  return middle;
}

static double mass_of(const ModelElement *e, Inertia *i) {
  e->kind->inertia(e->data, 0, i);
  return i->m;
}

static double largest_mass(Model m) {
  double most = 0;
  Inertia i;
  for (int e = 0; e < m->elements.count; e++)
    if (model_element(m, e)->nnode == 1) most = fmax(most, mass_of(model_element(m, e), &i));
  return most;
}

static void draw_body(Sheet *s, Model m, const ModelComponent *component, double most) {
  const ModelElement *e = model_element(m, component->first);
  const ModelNode *node = model_node(m, model_element_nodes(m, e)[0]);
  Inertia i;
  double mass = mass_of(e, &i), r = 5 + 11 * cbrt(mass / fmax(most, 1e-300));
  Vec3 c = node->x[0], arm = mass > 0 ? vec3_scale(1 / mass, i.s) : vec3_zero();
  if (node->kind == NODE_FRAME)
    c = vec3_axpy(vec3_axpy(vec3_axpy(c, arm.x, node->x[1]), arm.y, node->x[2]), arm.z, node->x[3]);
  Pixel p = sheet_project(s, c), q = sheet_project(s, node->x[0]);
  bool turns = i.j.m[0][0] + i.j.m[1][1] + i.j.m[2][2] > 0;
  if (pixel_distance(p, q) > 1) sheet_line(s, q, p, "arm");
  sheet_circle(s, p, r, turns ? "body" : "mass");
  for (int side = -1; side < 2 && turns; side += 2) { // the mark of a mass centre: two quarters
    double q4 = 0.5 * r * side;
    sheet_put(s, "<path class=\"centre\" d=\"M%.1f %.1fh%.1fa%.1f %.1f 0 0 1 %.1f %.1fZ\"/>\n", p.x, p.y, q4, 0.5 * r,
              0.5 * r, -q4, q4);
  }
  for (int k = -3; k <= 3; k++) { // labels keep off the disc
    double y = 0.3 * k * r, half = sqrt(r * r - y * y);
    sheet_avoid(s, pixel(p.x - half, p.y + y), pixel(p.x + half, p.y + y));
  }
  sheet_label(s, p, r, given_name(component->name), "element");
}

void draw_elements(Sheet *s, Model m) {
  double most = largest_mass(m);
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *component = model_component(m, i);
    if (!component->count) continue;
    const ModelElement *e = model_element(m, component->first),
                       *half = model_element(m, component->first + component->count / 2);
    Vec3 x[MAX_LOCAL_VECTORS], y[4];
    if (component->kind->station) {
      ElementPoint p;
      element_point(component->kind, e->data, 0, &p);
      if (component->kind->axes) draw_band(s, m, component);
      else draw_lines(s, m, component, p.law ? "cable" : "bar");
      gather_positions(m, half, x);
      station_of(half, x, component->count % 2 ? 0.5 : 0, y);
      sheet_label(s, sheet_project(s, y[0]), 9, given_name(component->name), "element");
    } else if (e->nnode == 2) sheet_label(s, draw_tie(s, m, e), 10, given_name(component->name), "element");
    else if (component->kind->faces) draw_faces(s, m, component);
    else if (e->nnode > 2) draw_lines(s, m, component, "solid");
  }
  for (int i = 0; i < m->components.count; i++)
    if (model_component(m, i)->count && model_element(m, model_component(m, i)->first)->nnode == 1)
      draw_body(s, m, model_component(m, i), most);
}
