// SPDX-License-Identifier: Apache-2.0
// Elements, told apart by what their contract says of them, as in elements.c.
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
  e->kind->station(e->data, at, &rows);
  vectors_of(m, e, vectors);
  cells_at(e, first, cells, at, &q);
  q.combination = s->end.count;
  for (int i = 0; i < (e->kind->axes ? 4 : 1); i++) add_row_combination(s, &rows, i, vectors);
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
static void outline_of_numbers(const ElementPoint *p, Outline *o) {
  double EA = p->stiffness[0], e2 = p->stiffness[7 * 5] / EA, e3 = p->stiffness[7 * 4] / EA;
  double y = sqrt(3 * e2), z = sqrt(3 * e3);
  *o = (Outline){0};
  if (fabs(e2 - e3) <= 1e-6 * e2) outline_add_circle(o, sqrt(4 * e2), false);
  else outline_add_rectangle(o, -y, -z, y, z);
}

static void write_section(Scene *s, Model m, const ModelComponent *component) {
  const ModelSection *section = component->section >= 0 ? model_section(m, component->section) : NULL;
  Outline o;
  ElementPoint p;
  fputs(",\"section\":[", s->json);
  if (section && section->outline) {
    for (int i = 0, n = 0; i < section->count; i++) {
      if (section->outline[i])
        fputs(n++ ? "," : "", s->json), write_outline(s, section->station[i].at, section->outline[i]);
    }
  } else {
    for (int end = 0; end < 2; end++) {
      const ModelElement *e = model_element(m, component->first + (end ? component->count - 1 : 0));
      element_point(e->kind, e->data, end ? e->kind->points(e->data) - 1 : 0, &p);
      if (p.law || p.rows.nrow != 6) continue;
      outline_of_numbers(&p, &o);
      fputs(end ? "," : "", s->json), write_outline(s, end, &o);
    }
  }
  fputs("]", s->json);
}

static void write_line(Scene *s, Model m, const ModelComponent *component, const int *cell) {
  ElementPoint p;
  int first = s->stations.count;
  element_point(component->kind, model_element(m, component->first)->data, 0, &p);
  for (int i = component->first; i < component->first + component->count; i++) {
    const ModelElement *e = model_element(m, i);
    int order = e->nnode - 1, pieces = component->count > MANY_ELEMENTS ? order : 2 * order;
    for (int k = i > component->first; k <= pieces; k++)
      add_station(s, m, e, cell[i], cell[i + 1] - cell[i], (double)k / pieces);
  }
  fprintf(s->json, ",\"look\":\"%s\",\"station\":%d,\"stations\":%d",
          component->kind->axes ? "beam"
          : p.law               ? "cable"
                                : "bar",
          first, s->stations.count - first);
  if (component->kind->axes) write_section(s, m, component);
}

// ---- what acts between two nodes, what stands at one ----

// A spring goes between the ends of its arms, a bushing from node to node.
static void write_tie(Scene *s, Model m, const ModelElement *e, int cell) {
  ElementPoint p;
  int vectors[MAX_LOCAL_VECTORS], vector[2][MAX_ENTRIES], n[2] = {0, 0}, end[2];
  double factor[2][MAX_ENTRIES];
  vectors_of(m, e, vectors);
  element_point(e->kind, e->data, 0, &p);
  int split = node_vectors(model_node(m, model_element_nodes(m, e)[0])->kind);
  for (int k = p.rows.start[0]; k < p.rows.start[1]; k++) {
    int i = p.rows.vec[k] >= split;
    vector[i][n[i]] = vectors[p.rows.vec[k]], factor[i][n[i]++] = i ? p.rows.coef[k] : -p.rows.coef[k];
  }
  for (int i = 0; i < 2; i++)
    end[i] = p.law ? scene_add_combination(s, n[i], vector[i], factor[i])
                   : scene_add_combination(s, 1, &vectors[i ? split : 0], &(double){1});
  fprintf(s->json, ",\"look\":\"%s\",\"ends\":[%d,%d],\"cell\":%d", p.law ? "spring" : "bushing", end[0], end[1], cell);
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

// The first cell of each element in the order of the results, and their number.
static Error NumberCells(Scene *s, Model m, int **cell) {
  TRY(MemoryNew((size_t)(m->elements.count + 1) * sizeof **cell, cell));
  for (int i = 0; i < m->elements.count; i++) {
    const ModelElement *e = model_element(m, i);
    const LimberId *node = model_element_nodes(m, e);
    (*cell)[i] = s->cells;
    for (int k = 0; k < element_cells(e->kind, e->nnode); k++) // one with a point that is not the ground
      s->cells += node[e->nnode > 1 ? k : 0] != LIMBER_GROUND || (e->nnode > 1 && node[k + 1] != LIMBER_GROUND);
  }
  (*cell)[m->elements.count] = s->joint_cells = s->cells;
  s->cells += m->joints.count;
  return 0;
}

void scene_elements(Scene *s, Model m) {
  int *cell = NULL;
  s->error = NumberCells(s, m, &cell);
  for (int i = 0; i < m->components.count && !s->error; i++) {
    const ModelComponent *component = model_component(m, i);
    if (!component->count) continue;
    const ModelElement *e = model_element(m, component->first);
    scene_begin(s, component->name);
    fprintf(s->json, ",\"kind\":\"%s\",\"cells\":[%d,%d]", component->kind->name, cell[component->first],
            cell[component->first + component->count] - cell[component->first]);
    if (component->kind->station) write_line(s, m, component, cell);
    else if (component->kind->cell || (component->kind->body && e->nnode > 2)) fputs(",\"look\":\"surface\"", s->json);
    else if (e->nnode == 2) write_tie(s, m, e, cell[component->first]);
    else if (e->nnode == 1) write_body(s, m, e);
    fputs("}", s->json);
  }
  memory_free(&cell);
}
