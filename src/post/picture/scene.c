// SPDX-License-Identifier: Apache-2.0
// A model as things in space: elements, surfaces of bodies of cells, joints, loads and nodes.
#include "post/picture/scene.h"

#include "mechanics/airfoil.h"
#include "model/visuals.h"
#include "post/picture/faces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What every part of a scene is written with: texts, entries of arrays, places and directions that move with nodes.

void json_text(FILE *f, const char *text) {
  fputc('"', f);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '"' || *c == '\\') fprintf(f, "\\%c", *c);
    else if (*c == '\n') fputs("\\n", f);
    else if (*c < 0x20 || *c == '<') fprintf(f, "\\u%04x", *c);
    else fputc(*c, f);
  }
  fputc('"', f);
}

void scene_begin(Scene *s, const char *name) {
  fputs(s->first ? "{\"name\":" : ",\n{\"name\":", s->json);
  json_text(s->json, name ? name : "");
  s->first = false;
}

void scene_add(Scene *s, ModelArray *a, size_t size, const void *entry) {
  void *out;
  if (!s->error) s->error = ArrayAdd(a, size, &out);
  if (!s->error) memcpy(out, entry, size);
}

static int scene_add_combination(Scene *s, int count, const int *vector, const double *factor) {
  for (int i = 0; i < count; i++) {
    if (factor[i] == 0) continue;
    scene_add(s, &s->vector, sizeof(int32_t), &(int32_t){vector[i]});
    scene_add(s, &s->factor, sizeof(float), &(float){(float)factor[i]});
  }
  scene_add(s, &s->end, sizeof(int32_t), &(int32_t){s->vector.count});
  return s->end.count - 1;
}

// Of a node that turns: in its own axes. Of a point: in those of the ground.
static int add_node_vector(Scene *s, Model m, int node, Vec3 d, bool is_position) {
  const ModelNode *q = model_node(m, node);
  int first_axis = q->kind == NODE_POINT ? 0 : 4 * node,
      vector[4] = {4 * node, first_axis + 1, first_axis + 2, first_axis + 3};
  double factor[4] = {is_position, d.x, d.y, d.z};
  for (int k = 1; k < 4 && q->kind != NODE_POINT; k++) factor[k] = vec3_dot(d, q->x[k]);
  return scene_add_combination(s, 4, vector, factor);
}

int scene_add_position(Scene *s, Model m, int node, Vec3 at) {
  return add_node_vector(s, m, node, vec3_sub(at, model_node(m, node)->x[0]), true);
}
int scene_direction(Scene *s, Model m, int node, Vec3 d) { return add_node_vector(s, m, node, d, false); }

// Elements, each drawn as its kind says (mechanics/visual.h).

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

enum { MOST_OUTLINES = 60, AIRFOILS = 16 }; // of a section given as numbers; of a blade

static void write_section(Scene *s, Model m, const ModelComponent *component) {
  const ModelSection *section = component->section >= 0 ? model_section(m, component->section) : NULL;
  int count = section && section->count > 1 ? component->count : 1, written = 0;
  if (count > MOST_OUTLINES) count = MOST_OUTLINES;
  Outline air;
  if (airfoil_outline(m, component, 0, &air) && count < AIRFOILS) count = AIRFOILS;
  fputs(",\"section\":[", s->json);
  for (int i = 0; section && section->outline && i < section->count; i++) {
    if (!section->outline[i]) continue;
    fputs(written++ ? "," : "", s->json), write_outline(s, section->station[i].at, section->outline[i]);
  }
  for (int i = 0; !written && i <= count; i++) {
    Outline o;
    component_outline(m, component, (double)i / count, &o);
    fputs(i ? "," : "", s->json), write_outline(s, (double)i / count, &o);
  }
  fputs("]", s->json);
}

static void write_line(Scene *s, Model m, const ModelComponent *component, VisualShape shape) {
  int first = s->stations.count;
  for (int i = component->first; i < component->first + component->count; i++) {
    const ModelElement *e = model_element(m, i);
    int order = element_line_nodes(e->kind, e->data, e->nnode) - 1,
        pieces = component->count > MANY_ELEMENTS ? order : 2 * order;
    for (int k = i > component->first; k <= pieces; k++)
      add_station(s, m, e, s->first_cell[i], s->first_cell[i + 1] - s->first_cell[i], (double)k / pieces);
  }
  fprintf(s->json, ",\"visual\":\"%s\",\"station\":%d,\"stations\":%d",
          shape == VISUAL_BEAM    ? "beam"
          : shape == VISUAL_CABLE ? "cable"
                                  : "bar",
          first, s->stations.count - first);
  if (shape == VISUAL_BEAM) write_section(s, m, component);
}

// ---- what acts between two ends, what stands at one node ----

static void write_ends(Scene *s, Model m, const ModelElement *e, const ElementVisual *visual, int cell) {
  int vectors[MAX_LOCAL_VECTORS], end[2];
  vectors_of(m, e, vectors);
  for (int i = 0; i < 2; i++) end[i] = add_row_combination(s, &visual->ends, i, vectors);
  fprintf(s->json, ",\"visual\":\"%s\",\"ends\":[%d,%d],\"cell\":%d",
          visual->shape == VISUAL_SPRING ? "spring" : "bushing", end[0], end[1], cell);
}

static void write_body(Scene *s, Model m, const ModelElement *e) {
  int node = model_element_nodes(m, e)[0], vectors[4] = {4 * node, 4 * node + 1, 4 * node + 2, 4 * node + 3};
  bool turns = model_node(m, node)->kind != NODE_POINT;
  Inertia q;
  e->kind->inertia(e->data, 0, &q);
  Vec3 c = q.m > 0 ? vec3_scale(1 / q.m, q.s) : vec3_zero();
  int centre = scene_add_combination(s, turns ? 4 : 1, vectors, (double[]){1, c.x, c.y, c.z});
  for (int k = 1; k < 4; k++) scene_add_combination(s, 1, turns ? &vectors[k] : &k, &(double){1});
  fprintf(s->json, ",\"visual\":\"body\",\"node\":%d,\"mass\":%.6g,\"centre\":%d,\"tensor\":[", node, q.m, centre);
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
    const CarriedMesh *mesh = element_mesh(e->kind, e->data);
    if (mesh) s->cells += mesh->cells;
    for (int k = 0; !mesh && k < element_cells(e->kind, e->data, e->nnode);
         k++) // one with a point that is not the ground
      s->cells += node[e->nnode > 1 ? k : 0] != GROUND || (e->nnode > 1 && node[k + 1] != GROUND);
  }
  s->first_cell[m->elements.count] = s->joint_cells = s->cells;
  s->cells += m->joints.count;
  return 0;
}

static void scene_elements(Scene *s, Model m) {
  s->error = NumberCells(s, m);
  for (int i = 0; i < m->components.count && !s->error; i++) {
    const ModelComponent *component = model_component(m, i);
    if (!component->count) continue;
    const ModelElement *e = model_element(m, component->first);
    int cell = s->first_cell[component->first], behind = s->first_cell[component->first + component->count];
    ElementVisual visual;
    element_visual(e->kind, e->data, 0, &visual);
    scene_begin(s, component->name);
    fprintf(s->json, ",\"kind\":\"%s\",\"cells\":[%d,%d]", component->kind->name, cell, behind - cell);
    if (m->visuals.count && component_colour(m, i) >= 0)
      fprintf(s->json, ",\"colour\":\"#%06x\"", (unsigned)component_colour(m, i));
    if (element_mesh(e->kind, e->data)) fputs(",\"visual\":\"surface\"", s->json);
    else if (visual_has_stations(visual.shape)) write_line(s, m, component, visual.shape);
    else if (visual_has_faces(visual.shape)) fputs(",\"visual\":\"surface\"", s->json);
    else if (visual_has_ends(visual.shape)) write_ends(s, m, e, &visual, cell);
    else if (visual_has_node(visual.shape)) write_body(s, m, e);
    fputs("}", s->json);
  }
}

// The surface of bodies of cells.

static void add_triangle(Scene *s, int a, int b, int c, int cell) {
  scene_add(s, &s->triangles, sizeof(int32_t[4]), (int32_t[]){a, b, c, cell});
}
static void add_edge(Scene *s, int a, int b) { scene_add(s, &s->edges, sizeof(int32_t[2]), (int32_t[]){a, b}); }

static void add_face(Scene *s, const SurfaceFace *f) {
  const int *c = f->corner, *mid = f->middle;
  int n = c[3] < 0 ? 3 : 4;
  if (mid[0] >= 0) {
    for (int a = 2; a < n; a++) add_triangle(s, mid[0], mid[a - 1], mid[a], f->cell);
    for (int a = 0; a < n; a++) add_triangle(s, c[a], mid[a], mid[(a + n - 1) % n], f->cell);
  } else {
    add_triangle(s, c[0], c[1], c[2], f->cell);
    if (n == 4) add_triangle(s, c[0], c[2], c[3], f->cell);
  }
  for (int a = 0; a < n; a++) {
    int end = c[(a + 1) % n];
    if (mid[a] >= 0) add_edge(s, c[a], mid[a]), add_edge(s, mid[a], end);
    else add_edge(s, c[a], end);
  }
}

// The surface of all elements with faces.
static void scene_surface(Scene *s, Model m) {
  SurfaceFace *face = NULL;
  int n = 0;
  if (!s->error) s->error = FindOuterFaces(m, s->first_cell, &face, &n);
  for (int i = 0; i < n; i++) add_face(s, &face[i]);
  memory_free(&face);
}

// Joints and loads: where they stand, and along what.

static const char *const marks[] = {
    [MARK_TIE] = "tie",     [MARK_CLAMP] = "clamp",       [MARK_WELD] = "weld",      [MARK_BALL] = "ball",
    [MARK_HINGE] = "hinge", [MARK_CYLINDER] = "cylinder", [MARK_SLIDER] = "slider",  [MARK_PLANE] = "plane",
    [MARK_CROSS] = "cross", [MARK_LINK] = "link",         [MARK_ACTUATOR] = "strut", [MARK_PRESCRIBED_MOTION] = "guide",
};

// A place on a body of points: by the four of a solid body, else carried by the nearest one.
static int position_on_points(Scene *s, Model m, const int *node, int count, Vec3 at) {
  Vec3 x[4], d[3];
  int nearest = 0;
  for (int i = 0; i < count && i < 4; i++) x[i] = model_node(m, node[i])->x[0];
  for (int i = 1; i < count && i < 4; i++)
    if (vec3_norm(vec3_sub(x[i], at)) < vec3_norm(vec3_sub(x[nearest], at))) nearest = i;
  if (count != 4) return scene_add_position(s, m, node[nearest], at);
  for (int i = 0; i < 3; i++) d[i] = vec3_sub(x[i + 1], x[0]);
  double volume = vec3_dot(d[0], vec3_cross(d[1], d[2])), part[4] = {1};
  Vec3 r = vec3_sub(at, x[0]);
  if (volume == 0) return scene_add_position(s, m, node[nearest], at);
  for (int i = 0; i < 3; i++)
    part[i + 1] = vec3_dot(r, vec3_cross(d[(i + 1) % 3], d[(i + 2) % 3])) / volume, part[0] -= part[i + 1];
  return scene_add_combination(s, 4, (int[]){4 * node[0], 4 * node[1], 4 * node[2], 4 * node[3]}, part);
}

static void write_joint(Scene *s, Model m, const ModelJoint *j, int cell) {
  const JointGeometry *p = &j->joint.geometry;
  int tied = j->nnode - 1 < 2 ? 1 : 2, node[2] = {j->node[0], j->node[tied - 1]}, at[2],
      axis = -1; // the ground comes last
  if (j->bodies) tied = 2, node[1] = j->node[j->last];
  for (int i = 0; i < 2; i++) {
    const int *first = i ? &j->node[j->last] : j->node;
    int points = i ? j->points : j->last;
    at[i] = j->bodies && points > 1 ? position_on_points(s, m, first, points, p->at[i])
                                    : scene_add_position(s, m, node[i], p->at[i]);
  }
  if (vec3_norm(p->axis) > 0) {
    axis = scene_direction(s, m, node[0], p->axis);
    scene_direction(s, m, node[0], p->second);
  }
  bool grounded = tied < 2;
  for (int i = 0; i < 2; i++) grounded = grounded || model_node(m, node[i])->kind == NODE_FIXED;
  fprintf(s->json,
          ",\"kind\":\"%s\",\"mark\":\"%s\",\"at\":[%d,%d],\"axis\":%d,\"grounded\":%d,\"cell\":%d,\"nodes\":[%d,%d]}",
          j->kind->name, marks[j->kind->mark], at[0], at[1], axis, grounded, cell, j->bodies ? 0 : node[0],
          j->bodies ? 0 : node[1]);
}

static void scene_joints(Scene *s, Model m) {
  for (int j = 0; j < m->joints.count; j++) {
    if (model_joint_is_abstract(model_joint(m, j))) continue;
    scene_begin(s, model_joint(m, j)->name);
    write_joint(s, m, model_joint(m, j), s->joint_cells + j);
  }
}

// ---- loads ----

static void write_vector(Scene *s, Model m, const Load *l, int node, const char *name, Vec3 d) {
  Vec3 sum = d;
  const ModelNode *q = model_node(m, node);
  bool turns = l->follower && q->kind != NODE_POINT;
  if (!(vec3_norm(d) > 0)) return;
  if (turns) sum = mat3_apply(node_axes(q->x), d);
  fprintf(s->json, ",\"%s\":%d", name, scene_direction(s, m, turns ? node : GROUND, sum));
}

static void write_at(Scene *s, Model m, const ModelLoad *l) {
  enum { ARROWS = 9 };
  const Load *q = &l->load;
  int last = q->target == LOAD_ELEMENT ? model_component_last_node(m, q->id) : 0,
      step = last / (ARROWS - 1) > 0 ? last / (ARROWS - 1) : 1;
  int node = q->target == LOAD_ELEMENT ? model_component_node(m, q->id, 0) : q->id;
  fputs(",\"at\":[", s->json);
  for (int i = 0; i <= last; i += step) {
    int at = q->target == LOAD_ELEMENT ? model_component_node(m, q->id, i) : node;
    fprintf(s->json, "%s%d", i ? "," : "", scene_add_position(s, m, at, model_node(m, at)->x[0]));
  }
  fputs("]", s->json);
  write_vector(s, m, q, node, "force", q->force);
  write_vector(s, m, q, node, "moment", q->moment);
}

// On a coordinate of a joint: about or along its axis.
static void write_drive(Scene *s, Model m, const ModelLoad *l) {
  const ModelJoint *j = model_joint(m, l->load.id);
  bool turns = !strcmp(j->kind->coord_units[l->load.coord], "rad");
  fprintf(s->json, ",\"drive\":%d,\"turns\":%d,\"forced\":%d", l->load.id, turns, l->load.drive == DRIVE_FORCE);
}

static void scene_loads(Scene *s, Model m) {
  for (int i = 0; i < m->loads.count; i++) {
    const ModelLoad *l = model_load(m, i);
    scene_begin(s, l->name);
    fprintf(s->json, ",\"kind\":\"%s\"", l->kind->name);
    switch (l->load.target) {
    case LOAD_NODE:
    case LOAD_ELEMENT: write_at(s, m, l); break;
    case LOAD_JOINT: write_drive(s, m, l); break;
    case LOAD_WHEEL: break; // the wheel shows it
    case LOAD_FIELD:
      fprintf(s->json, ",\"field\":[%.6g,%.6g,%.6g]", l->load.acceleration.x, l->load.acceleration.y,
              l->load.acceleration.z);
      break;
    }
    fputs("}", s->json);
  }
}

// Places of arrows for what flows around elements, some along each component.
static void scene_winds(Scene *s, Model m) {
  enum { ARROWS = 8 };
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *c = model_component(m, i);
    const int all = c->kind->around ? c->count : 0, arrows = all < ARROWS ? all : ARROWS;
    for (int k = 0; k < arrows; k++) {
      int e = c->first + (2 * k + 1) * all / (2 * arrows), vectors[MAX_LOCAL_VECTORS];
      const ModelElement *q = model_element(m, e);
      ElementPoint p;
      element_point(q->kind, q->data, 0, &p);
      if (p.flow != &airfoil_flow) break;
      vectors_of(m, q, vectors);
      SceneWind w = {e, add_row_combination(s, &p.rows, 0, vectors)};
      fprintf(s->json, "%s%d", s->first ? "" : ",", w.combination);
      scene_add(s, &s->winds, sizeof w, &w);
      s->first = false;
    }
  }
}

// Those that the user names; of a mesh with many only those that stand still.
static void scene_nodes(Scene *s, Model m) {
  enum { MANY = 300 };
  int named = 0;
  for (int i = 1; i < m->nodes.count; i++) named += model_node_is_named(model_node(m, i));
  for (int i = 1; i < m->nodes.count; i++) {
    const ModelNode *q = model_node(m, i);
    if (!model_node_is_named(q) || (named > MANY && q->kind != NODE_FIXED)) continue;
    scene_begin(s, q->name);
    fprintf(s->json, ",\"at\":%d,\"fixed\":%d}", scene_add_position(s, m, i, q->x[0]), q->kind == NODE_FIXED);
  }
}

Error SceneWrite(Model m, Scene *s) {
  static const struct {
    const char *name;
    void (*write)(Scene *s, Model m);
  } parts[] = {{"items", scene_elements}, {"joints", scene_joints},   {"loads", scene_loads},
               {"nodes", scene_nodes},    {"visuals", scene_visuals}, {"winds", scene_winds}};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    fprintf(s->json, "%s\"%s\":[", i ? "],\n" : "", parts[i].name);
    s->first = true;
    parts[i].write(s, m);
  }
  fputs("]", s->json);
  scene_surface(s, m);
  return s->error;
}

void scene_free(Scene *s) {
  memory_free(&s->first_cell);
  ModelArray *arrays[] = {&s->end,       &s->vector, &s->factor,          &s->stations,
                          &s->triangles, &s->edges,  &s->visual_vertices, &s->winds};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) memory_free(&arrays[i]->data);
}
