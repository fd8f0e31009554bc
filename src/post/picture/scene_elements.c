// SPDX-License-Identifier: Apache-2.0
// Elements, each as its kind says that it looks (mechanics/look.h).
#include "model/looks.h"
#include "post/picture/scene.h"

#include <math.h>

enum { MANY_ELEMENTS = 1000 };

// ---- combinations of an element's own vectors ----

// The global numbers of an element's vectors.
static int vectors_of(Model m, const ModelElement *e, int *out) {
  int n = 0;
  for (int i = 0; i < e->nnode; i++) {
    int node = model_element_nodes(m, e)[i];
    for (int k = 0; k < node_vectors(model_node(m, node)->kind); k++) out[n++] = 4 * node + k;
  }
  return n;
}

// y_i of a table as a combination.
static int add_row_combination(Scene *s, const Rows *rows, int i, const int *vectors) {
  int vector[MAX_ENTRIES], n = 0;
  for (int k = rows->start[i]; k < rows->start[i + 1]; k++) vector[n++] = vectors[rows->vec[k]];
  return scene_add_combination(s, n, vector, rows->coef + rows->start[i]);
}

// ---- what has a length ----

// Values at a place lie on the straight line through those of the two nearest integration points.
static void cells_at(const ModelElement *e, int first, int cells, double at, SceneStation *out) {
  int points = e->kind->points(e->data), last = (points < cells ? points : cells) - 1;
  double weight, a, b;
  out->cell[0] = out->cell[1] = last < 0 ? -1 : first, out->part = 0;
  for (int g = 0; g < last; g++) {
    element_point_position(e->kind, e->data, g, &weight, &a);
    element_point_position(e->kind, e->data, g + 1, &weight, &b);
    if (g && at < a) break;
    out->cell[0] = first + g, out->cell[1] = first + g + 1;
    out->part = b > a ? (float)((at - a) / (b - a)) : 0;
  }
}

static void add_station(Scene *s, Model m, const ModelElement *e, int first, int cells, double at) {
  SceneStation q;
  Rows rows;
  int vectors[MAX_LOCAL_VECTORS];
  rows_begin(&rows);
  e->kind->line.station(e->data, at, &rows);
  vectors_of(m, e, vectors);
  cells_at(e, first, cells, at, &q);
  q.combination = s->end.count;
  for (int i = 0; i < rows.ny; i++) add_row_combination(s, &rows, i, vectors);
  scene_add(s, &s->stations, sizeof q, &q);
}

static void write_outline(Scene *s, double at, const Outline *o) {
  fprintf(s->json, "{\"at\":%.6g,\"lines\":[", at);
  for (int l = 0, from = 0; l < o->lines; from = o->end[l++]) {
    fprintf(s->json, "%s[", l ? "," : "");
    for (int i = from; i < o->end[l]; i++)
      fprintf(s->json, "%s%.6g,%.6g", i > from ? "," : "", o->corner[i][0], o->corner[i][1]);
    fputs("]", s->json);
  }
  fputs("]}", s->json);
}

// A section given as numbers is drawn as the rectangle, or where both bendings agree the circle, of the same stiffness in
// stretching and bending: sides sqrt(12 EI/EA), diameter sqrt(16 EI/EA).
static void outline_of_numbers(const double gyration[2], Outline *o) {
  double y = sqrt(3 * gyration[0]), z = sqrt(3 * gyration[1]);
  *o = (Outline){0};
  if (fabs(gyration[0] - gyration[1]) <= 1e-6 * gyration[0]) outline_add_circle(o, sqrt(4 * gyration[0]), false);
  else outline_add_rectangle(o, -y, -z, y, z);
}

static void write_section(Scene *s, Model m, const ModelComponent *component) {
  const ModelSection *section = component->section >= 0 ? model_section(m, component->section) : NULL;
  Outline o;
  ElementLook look;
  fputs(",\"section\":[", s->json);
  if (section && section->outline) {
    for (int i = 0, n = 0; i < section->count; i++) {
      if (section->outline[i])
        fputs(n++ ? "," : "", s->json), write_outline(s, section->station[i].at, section->outline[i]);
    }
  } else {
    for (int end = 0; end < 2; end++) {
      const ModelElement *e = model_element(m, component->first + (end ? component->count - 1 : 0));
      element_look(e->kind, e->data, end, &look);
      outline_of_numbers(look.gyration, &o);
      fputs(end ? "," : "", s->json), write_outline(s, end, &o);
    }
  }
  fputs("]", s->json);
}

static void write_line(Scene *s, Model m, const ModelComponent *component, LookShape shape) {
  int first = s->stations.count;
  for (int i = component->first; i < component->first + component->count; i++) {
    const ModelElement *e = model_element(m, i);
    int order = element_line_nodes(e->kind, e->data, e->nnode) - 1,
        pieces = component->count > MANY_ELEMENTS ? order : 2 * order;
    for (int k = i > component->first; k <= pieces; k++)
      add_station(s, m, e, s->first_cell[i], s->first_cell[i + 1] - s->first_cell[i], (double)k / pieces);
  }
  fprintf(s->json, ",\"look\":\"%s\",\"station\":%d,\"stations\":%d",
          shape == LOOK_BEAM    ? "beam"
          : shape == LOOK_CABLE ? "cable"
                                : "bar",
          first, s->stations.count - first);
  if (shape == LOOK_BEAM) write_section(s, m, component);
}

// ---- what acts between two ends, what stands at one node ----

static void write_ends(Scene *s, Model m, const ModelElement *e, const ElementLook *look, int cell) {
  int vectors[MAX_LOCAL_VECTORS], end[2];
  vectors_of(m, e, vectors);
  for (int i = 0; i < 2; i++) end[i] = add_row_combination(s, &look->ends, i, vectors);
  fprintf(s->json, ",\"look\":\"%s\",\"ends\":[%d,%d],\"cell\":%d", look->shape == LOOK_SPRING ? "spring" : "bushing",
          end[0], end[1], cell);
}

static void write_body(Scene *s, Model m, const ModelElement *e) {
  int node = model_element_nodes(m, e)[0], vectors[4] = {4 * node, 4 * node + 1, 4 * node + 2, 4 * node + 3};
  bool turns = model_node(m, node)->kind != NODE_POINT;
  Inertia q;
  e->kind->inertia(e->data, 0, &q);
  Vec3 c = q.m > 0 ? vec3_scale(1 / q.m, q.s) : vec3_zero();
  int centre = scene_add_combination(s, turns ? 4 : 1, vectors, (double[]){1, c.x, c.y, c.z});
  for (int k = 1; k < 4; k++) scene_add_combination(s, 1, turns ? &vectors[k] : &k, &(double){1});
  fprintf(s->json, ",\"look\":\"body\",\"node\":%d,\"mass\":%.6g,\"centre\":%d,\"tensor\":[", node, q.m, centre);
  for (int i = 0; i < 9; i++) { // about the mass centre
    double *a = (double[]){c.x, c.y, c.z}, own = q.m * ((i / 3 == i % 3) * vec3_dot(c, c) - a[i / 3] * a[i % 3]);
    fprintf(s->json, "%s%.6g", i ? "," : "", q.j.m[i / 3][i % 3] - own);
  }
  fputs("]", s->json);
}

// ---- all ----

static Error NumberCells(Scene *s, Model m) {
  TRY(MemoryNew((size_t)(m->elements.count + 1) * sizeof *s->first_cell, &s->first_cell));
  for (int i = 0; i < m->elements.count; i++) {
    const ModelElement *e = model_element(m, i);
    const int *node = model_element_nodes(m, e);
    s->first_cell[i] = s->cells;
    for (int k = 0; k < element_cells(e->kind, e->data, e->nnode); k++) // one with a point that is not the ground
      s->cells += node[e->nnode > 1 ? k : 0] != GROUND || (e->nnode > 1 && node[k + 1] != GROUND);
  }
  s->first_cell[m->elements.count] = s->joint_cells = s->cells;
  s->cells += m->joints.count;
  return 0;
}

void scene_elements(Scene *s, Model m) {
  s->error = NumberCells(s, m);
  for (int i = 0; i < m->components.count && !s->error; i++) {
    const ModelComponent *component = model_component(m, i);
    if (!component->count) continue;
    const ModelElement *e = model_element(m, component->first);
    int cell = s->first_cell[component->first], behind = s->first_cell[component->first + component->count];
    ElementLook look;
    element_look(e->kind, e->data, 0, &look);
    scene_begin(s, component->name);
    fprintf(s->json, ",\"kind\":\"%s\",\"cells\":[%d,%d]", component->kind->name, cell, behind - cell);
    if (m->looks.count && component_colour(m, i) >= 0)
      fprintf(s->json, ",\"colour\":\"#%06x\"", (unsigned)component_colour(m, i));
    if (look_has_stations(look.shape)) write_line(s, m, component, look.shape);
    else if (look_has_faces(look.shape)) fputs(",\"look\":\"surface\"", s->json);
    else if (look_has_ends(look.shape)) write_ends(s, m, e, &look, cell);
    else if (look_has_node(look.shape)) write_body(s, m, e);
    fputs("}", s->json);
  }
}
