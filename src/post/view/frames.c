// SPDX-License-Identifier: Apache-2.0
// Frames: the wind at its arrows, for each node its position, velocity, quaternion and angular velocity, for each cell forces and strains, all
// as numbers of 16 bits. What the page draws between two frames it interpolates by positions and velocities.
#include "mechanics/airfoil.h"
#include "post/curves.h"
#include "post/view/view.h"
#include "quantities/ledger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_BUDGET = 4500000, MOST_BYTES = 400000000, MAX_FRAMES = 2000 }; // bytes, without and with --frames; frames

typedef struct {
  int *node, *frame; // model's nodes that move and are drawn; those of them that are frames
  int nodes, frame_nodes;
  int *snapshot, frames; // -1: there are none, the reference stands for them
  double *time;
} Frames;

// ---- which nodes ----

// Nodes of the model, then points of the meshes that elements carry.
static int count_places(Model m) { return m->nodes.count + model_mesh_points(m); }

static NodeKind place_kind(Model m, int i) { return i < m->nodes.count ? model_node(m, i)->kind : NODE_POINT; }

// The place at the reference of each point of those meshes.
static Error ListCarried(Model m, Vec3 **at) {
  ModelMesh it = {.element = -1};
  TRY(MemoryNew((size_t)(model_mesh_points(m) + 1) * sizeof **at, at));
  while (model_next_mesh(m, &it)) memcpy(*at + it.first, it.mesh->at, (size_t)it.mesh->points * sizeof **at);
  return 0;
}

static void mark_shown(ViewerPage *v, int node) {
  if (v->shown[node] < 0) v->shown[node] = 0;
}

// Nodes that something hangs on get new numbers, behind the ground.
static Error NumberNodes(ViewerPage *v, Frames *f) {
  Model m = v->in->model;
  int32_t *vector = v->scene.vector.data, *triangle = v->scene.triangles.data, *edge = v->scene.edges.data;
  int n = count_places(m);
  TRY(MemoryNew((size_t)n * sizeof *v->shown, &v->shown));
  TRY(MemoryNew((size_t)n * sizeof *f->node, &f->node));
  TRY(MemoryNew((size_t)n * sizeof *f->frame, &f->frame));
  for (int i = 0; i < n; i++) v->shown[i] = -1;
  mark_shown(v, GROUND);
  for (int i = 0; i < v->scene.vector.count; i++) mark_shown(v, vector[i] / 4);
  for (int i = 0; i < 4 * v->scene.triangles.count; i++)
    if (i % 4 < 3) mark_shown(v, triangle[i]);
  for (int i = 0; i < 2 * v->scene.edges.count; i++) mark_shown(v, edge[i]);
  for (int i = 0; i < n; i++) {
    if (v->shown[i] < 0) continue;
    v->shown[i] = v->nodes++;
    if (place_kind(m, i) == NODE_FIXED) continue;
    f->node[f->nodes++] = i;
    if (place_kind(m, i) == NODE_FRAME) f->frame[f->frame_nodes++] = i;
  }
  for (int i = 0; i < v->scene.vector.count; i++) vector[i] = 4 * v->shown[vector[i] / 4] + vector[i] % 4;
  for (int i = 0; i < 4 * v->scene.triangles.count; i++)
    if (i % 4 < 3) triangle[i] = v->shown[triangle[i]];
  for (int i = 0; i < 2 * v->scene.edges.count; i++) edge[i] = v->shown[edge[i]];
  return 0;
}

static Error WriteNodes(ViewerPage *v, const Frames *f) {
  Model m = v->in->model;
  float *x = NULL;
  int32_t *number = NULL;
  Vec3 *carried = NULL;
  TRY(ListCarried(m, &carried));
  TRY(MemoryNew((size_t)v->nodes * 12 * sizeof *x, &x));
  TRY(MemoryNew((size_t)(f->nodes + 1) * sizeof *number, &number));
  for (int i = 0; i < count_places(m); i++)
    for (int k = 0; k < 12 && v->shown[i] >= 0; k++) {
      const Vec3 *own = i < m->nodes.count ? model_node(m, i)->x : &carried[i - m->nodes.count];
      double at[3];
      vec3_to(k < 3 || place_kind(m, i) != NODE_POINT ? own[k / 3] : vec3_zero(), at);
      x[12 * v->shown[i] + k] = (float)at[k % 3];
    }
  view_array(v, "reference", VIEW_F32, (size_t)v->nodes * 12, x);
  for (int i = 0; i < f->nodes; i++) number[i] = v->shown[f->node[i]];
  view_array(v, "moving", VIEW_I32, (size_t)f->nodes, number);
  for (int i = 0; i < f->frame_nodes; i++) number[i] = v->shown[f->frame[i]];
  view_array(v, "turning", VIEW_I32, (size_t)f->frame_nodes, number);
  memory_free(&x), memory_free(&number), memory_free(&carried);
  return 0;
}

// ---- which snapshots ----

static Error ChooseFrames(ViewerPage *v, Frames *f, size_t bytes) {
  const double *times;
  const char *most = argument_value(v->arguments, "frames");
  int n = v->snapshots = results_snapshots(v->run, &times);
  double room = most ? atof(most) : fmin(MAX_FRAMES, (double)FRAMES_BUDGET / (double)(bytes ? bytes : 1));
  room = fmin(room, MOST_BYTES / (double)(bytes ? bytes : 1)); // more than any browser takes
  f->frames = n ? (int)fmax(n < 2 ? n : 2, fmin(n, room)) : 1;
  TRY(MemoryNew((size_t)f->frames * sizeof *f->snapshot, &f->snapshot));
  TRY(MemoryNew((size_t)f->frames * sizeof *f->time, &f->time));
  for (int i = 0; i < f->frames; i++) {
    f->snapshot[i] = !n ? -1 : f->frames > 1 ? (int)((long)i * (n - 1) / (f->frames - 1)) : 0;
    f->time[i] = n ? times[f->snapshot[i]] : results_time(v->run)[0];
  }
  v->frames = f->frames;
  view_array(v, "frame", VIEW_F64, (size_t)f->frames, f->time);
  return 0;
}

// ---- nodes in time ----

// The quaternion of a rotation whose columns are the axes.
static void quaternion_of_axes(const double d[9], double q[4]) {
  double trace = d[0] + d[4] + d[8];
  double four[4] = {1 + trace, 1 + d[0] - d[4] - d[8], 1 - d[0] + d[4] - d[8], 1 - d[0] - d[4] + d[8]};
  const double skew[3] = {d[5] - d[7], d[6] - d[2], d[1] - d[3]}, sum[3] = {d[5] + d[7], d[6] + d[2], d[1] + d[3]};
  int most = 0;
  for (int i = 1; i < 4; i++)
    if (four[i] > four[most]) most = i;
  double s = sqrt(four[most]) * 2;
  q[most] = s / 4;
  for (int i = 0; i < 4; i++) {
    if (i == most) continue;
    q[i] = (most == 0 ? skew[i - 1] : i == 0 ? skew[most - 1] : sum[5 - i - most]) / s;
  }
}

static bool read_nodes(ViewerPage *v, int snapshot, const Vec3 *carried, double *x, double *vel, double *w,
                       double *d[3]) {
  static const char *const axis[] = {"PointData/d1", "PointData/d2", "PointData/d3"};
  Model m = v->in->model;
  int n = count_places(m) - 1;
  bool good = true;
  for (int i = m->nodes.count; i <= n && snapshot < 0; i++) // without snapshots they stand still
    vec3_to(carried[i - m->nodes.count], x + 3 * (i - 1)), vec3_to(vec3_zero(), vel + 3 * (i - 1));
  for (int i = 1; i < m->nodes.count && snapshot < 0; i++) {
    Vec3 speed, turn;
    const ModelNode *q = model_node(m, i);
    model_velocity(m, i, &speed, &turn);
    vec3_to(q->x[0], x + 3 * (i - 1)), vec3_to(speed, vel + 3 * (i - 1)), vec3_to(turn, w + 3 * (i - 1));
    for (int k = 0; k < 3 && q->kind != NODE_POINT; k++) vec3_to(q->x[k + 1], d[k] + 3 * (i - 1));
  }
  if (snapshot < 0) return true;
  good = results_block(v->run, "Points", snapshot, n, 3, x) &&
         results_block(v->run, "PointData/velocity", snapshot, n, 3, vel) &&
         results_block(v->run, "PointData/angular_velocity", snapshot, n, 3, w);
  for (int k = 0; k < 3; k++) good = good && results_block(v->run, axis[k], snapshot, n, 3, d[k]);
  return good;
}

// ---- the air ----

// The vectors of all nodes that are drawn, from the positions and axes of those that move.
static void place_vectors(const ViewerPage *v, const Frames *f, const double *x, double *const d[3], double *out) {
  for (int a = 0; a < f->nodes; a++) {
    double *own = out + 12 * v->shown[f->node[a]];
    for (int k = 0; k < 12; k++) own[k] = (k < 3 ? x : d[k / 3 - 1])[3 * (f->node[a] - 1) + k % 3];
  }
}

static Vec3 place_of(const Scene *s, int combination, const double *vectors) {
  const int32_t *end = s->end.data, *vector = s->vector.data;
  const float *factor = s->factor.data;
  Vec3 out = vec3_zero();
  for (int k = combination ? end[combination - 1] : 0; k < end[combination]; k++)
    out = vec3_axpy(out, factor[k], vec3_of(vectors + 3 * vector[k]));
  return out;
}

// The velocity of the air at each of its arrows, from the winds of the model: results do not contain it.
static void find_winds(const ViewerPage *v, double time, const double *vectors, double *out) {
  Model m = v->in->model;
  const SceneWind *w = v->scene.winds.data;
  for (int i = 0; i < v->scene.winds.count; i++) {
    const ModelElement *e = model_element(m, w[i].element);
    const int function = model_component(m, e->component)->amplitude;
    const double amplitude = function == LIMBER_NONE ? 1 : model_amplitude(m, function, time);
    ElementPoint p;
    element_point(e->kind, e->data, 0, &p);
    vec3_to(airfoil_wind(p.of, time, amplitude, place_of(&v->scene, w[i].combination, vectors)), out + 3 * i);
  }
}

static Error WriteWinds(ViewerPage *v, const Frames *f, bool *good) {
  size_t n = (size_t)count_places(v->in->model), arrows = (size_t)v->scene.winds.count,
         all = arrows * (size_t)f->frames;
  double *block = NULL, *vectors = NULL, *value = NULL, *part = NULL, step;
  Vec3 *carried = NULL;
  if (!arrows) return 0;
  TRY(ListCarried(v->in->model, &carried));
  TRY(MemoryNew(18 * n * sizeof *block, &block));
  TRY(MemoryNew(12 * (size_t)v->nodes * sizeof *vectors, &vectors));
  TRY(MemoryNew(3 * all * sizeof *value, &value));
  TRY(MemoryNew(all * sizeof *part, &part));
  double *x = block, *vel = x + 3 * n, *w = vel + 3 * n, *d[3] = {w + 3 * n, w + 6 * n, w + 9 * n};
  for (int i = 0; i < v->in->model->nodes.count; i++)
    for (int k = 0; k < 4 && v->shown[i] >= 0; k++)
      vec3_to(model_node(v->in->model, i)->x[k], vectors + 12 * v->shown[i] + 3 * k);
  const bool in_time = !strcmp(results_axis_units(v->run), "s");
  for (int i = 0; i < f->frames && *good; i++) {
    *good = read_nodes(v, f->snapshot[i], carried, x, vel, w, d);
    place_vectors(v, f, x, d, vectors);
    find_winds(v, in_time ? f->time[i] : 0, vectors, value + 3 * arrows * (size_t)i);
  }
  for (size_t k = 0; k < 3 && *good; k++) {
    for (size_t i = 0; i < all; i++) part[i] = value[3 * i + k];
    view_quantised(v, (const char *const[]){"wind0", "wind1", "wind2"}[k], all, part, &step);
  }
  memory_free(&block), memory_free(&vectors), memory_free(&value), memory_free(&part), memory_free(&carried);
  return 0;
}

enum { POSITIONS = 3, SPEEDS = 6, QUATERNIONS = 10, ANGULAR_VELOCITIES = 13 }; // where the values of a frame end

static Error WriteMotion(ViewerPage *v, const Frames *f, bool *good) {
  static const char *const names[ANGULAR_VELOCITIES] = {"x0", "x1", "x2", "v0", "v1", "v2", "q0",
                                                        "q1", "q2", "q3", "w0", "w1", "w2"};
  size_t n = (size_t)count_places(v->in->model), F = (size_t)f->frames;
  double *block = NULL, *value[ANGULAR_VELOCITIES] = {NULL}, q[4], step;
  Vec3 *carried = NULL;
  TRY(ListCarried(v->in->model, &carried));
  TRY(MemoryNew(18 * n * sizeof *block, &block));
  double *x = block, *vel = x + 3 * n, *w = vel + 3 * n, *d[3] = {w + 3 * n, w + 6 * n, w + 9 * n};
  for (int k = 0; k < ANGULAR_VELOCITIES; k++)
    TRY(MemoryNew((F * (size_t)(k < SPEEDS ? f->nodes : f->frame_nodes) + 1) * sizeof(double), &value[k]));
  for (size_t i = 0; i < F && *good; i++) {
    *good = read_nodes(v, f->snapshot[i], carried, x, vel, w, d);
    for (size_t a = 0; a < (size_t)f->nodes; a++)
      for (int k = 0; k < SPEEDS; k++)
        value[k][i * (size_t)f->nodes + a] = (k < POSITIONS ? x : vel)[3 * (f->node[a] - 1) + k % 3];
    for (size_t a = 0; a < (size_t)f->frame_nodes; a++) {
      const int at = 3 * (f->frame[a] - 1);
      double axes[9];
      for (int k = 0; k < 9; k++) axes[k] = d[k / 3][at + k % 3];
      quaternion_of_axes(axes, q);
      for (int k = SPEEDS; k < ANGULAR_VELOCITIES; k++)
        value[k][i * (size_t)f->frame_nodes + a] = k < QUATERNIONS ? q[k - SPEEDS] : w[at + k - QUATERNIONS];
    }
  }
  for (int k = 0; k < ANGULAR_VELOCITIES; k++) {
    if (*good) view_quantised(v, names[k], F * (size_t)(k < SPEEDS ? f->nodes : f->frame_nodes), value[k], &step);
    if (*good && k < POSITIONS) v->position_error = fmax(v->position_error, step / 2);
    memory_free(&value[k]);
  }
  memory_free(&block), memory_free(&carried);
  return 0;
}

static Error WriteLoads(ViewerPage *v, const Frames *f) {
  Model m = v->in->model;
  float *a = NULL;
  TRY(MemoryNew((size_t)(f->frames * m->loads.count + 1) * sizeof *a, &a));
  for (int i = 0; i < f->frames; i++)
    for (int l = 0; l < m->loads.count; l++)
      a[i * m->loads.count + l] = (float)model_amplitude(m, model_load(m, l)->load.amplitude, f->time[i]);
  view_array(v, "amplitude", VIEW_F32, (size_t)(f->frames * m->loads.count), a);
  memory_free(&a);
  return 0;
}

// ---- cells in time ----

typedef struct {
  const ElementKind *kind;
  int rows, *cell, cells; // those that are drawn
} CellsOf;

// The cells of each kind that something is drawn of, and the number of each among those of its kind.
static Error ListCells(ViewerPage *v, CellsOf *of, int *kinds) {
  Model m = v->in->model;
  const Scene *s = &v->scene;
  const SceneStation *station = s->stations.data;
  const int32_t *triangle = s->triangles.data;
  int32_t *number = NULL;
  TRY(MemoryNew((size_t)(s->cells + 1) * sizeof *number, &number));
  for (int i = 0; i < s->stations.count; i++)
    for (int k = 0; k < 2; k++)
      if (station[i].cell[k] >= 0) number[station[i].cell[k]] = 1;
  for (int i = 0; i < s->triangles.count; i++) number[triangle[4 * i + 3]] = 1;
  for (int e = 0; e < m->elements.count; e++) {
    const ModelElement *q = model_element(m, e);
    ElementVisual visual;
    ElementPoint p;
    int k = 0, points = q->kind->points(q->data);
    while (k < *kinds && of[k].kind != q->kind) k++;
    if (k == *kinds) {
      of[(*kinds)++] = (CellsOf){.kind = q->kind};
      if (points > 0) element_point(q->kind, q->data, 0, &p), of[k].rows = p.rows.nrow;
      TRY(MemoryNew((size_t)(s->cells + 1) * sizeof *of[k].cell, &of[k].cell));
    }
    element_visual(q->kind, q->data, 0, &visual);
    for (int cell = s->first_cell[e]; cell < s->first_cell[e + 1]; cell++) {
      bool wanted = number[cell] || (visual_has_ends(visual.shape) && points > 0);
      number[cell] = wanted ? of[k].cells : -1;
      if (wanted) of[k].cell[of[k].cells++] = cell;
    }
  }
  view_array(v, "cell", VIEW_I32, (size_t)s->joint_cells, number);
  memory_free(&number);
  return 0;
}

static size_t bytes_of_cells(const CellsOf *of, int kinds) {
  size_t n = 0;
  for (int k = 0; k < kinds; k++)
    if (of[k].kind->output.row_names) n += 2u * 2u * (size_t)of[k].rows * (size_t)of[k].cells;
  return n;
}

static bool all_zero(const double *x, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (x[i] != 0) return false;
  return true;
}

// One row of the forces or strains of a kind, of all frames; what is zero throughout is left out.
static void write_field(ViewerPage *v, const CellsOf *of, int row, bool strain, const double *values, size_t count,
                        int *fields) {
  char name[24];
  double step;
  if (all_zero(values, count)) return;
  snprintf(name, sizeof name, "f%d", *fields);
  view_quantised(v, name, count, values, &step);
  fprintf(v->scene.json, "%s{\"kind\":\"%s\",\"name\":\"%s\",\"what\":\"%s\",\"unit\":\"%s\",\"array\":\"%s\"}",
          (*fields)++ ? "," : "", of->kind->name, of->kind->output.row_names[row], strain ? "strain" : "force",
          strain ? of->kind->output.strain_units[row] : of->kind->output.row_units[row], name);
}

static Error WriteCells(ViewerPage *v, const Frames *f, const CellsOf *of, int kinds, bool *good) {
  int all = v->scene.cells, fields = 0;
  double *block = NULL, *value = NULL;
  TRY(MemoryNew(((size_t)all * 6 + 1) * sizeof *block, &block));
  for (int k = 0; k < kinds; k++) {
    size_t n = (size_t)of[k].cells, F = (size_t)f->frames;
    if (!of[k].kind->output.row_names || !n || !of[k].rows || f->snapshot[0] < 0) continue;
    TRY(MemoryNew(F * n * 6 * sizeof *value, &value));
    for (int strain = 0; strain < 2 && *good; strain++) {
      if (strain && !of[k].kind->output.strain_units) continue;
      for (size_t i = 0; i < F && *good; i++) {
        *good = results_block(v->run, strain ? "CellData/strain" : "CellData/force", f->snapshot[i], all, 6, block);
        for (size_t c = 0; c < n; c++)
          for (size_t r = 0; r < 6; r++) value[(r * F + i) * n + c] = block[6 * (size_t)of[k].cell[c] + r];
      }
      for (int r = 0; r < of[k].rows && r < 6 && *good; r++)
        write_field(v, &of[k], r, strain, value + (size_t)r * F * n, F * n, &fields);
    }
    memory_free(&value);
  }
  memory_free(&block);
  return 0;
}

// ---- all ----

static Error WriteScene(ViewerPage *v) {
  const Scene *s = &v->scene;
  view_array(v, "combination_end", VIEW_I32, (size_t)s->end.count, s->end.data);
  view_array(v, "combination_vector", VIEW_I32, (size_t)s->vector.count, s->vector.data);
  view_array(v, "combination_factor", VIEW_F32, (size_t)s->factor.count, s->factor.data);
  view_array(v, "station", VIEW_I32, (size_t)s->stations.count * 4, s->stations.data);
  view_array(v, "triangle", VIEW_I32, (size_t)s->triangles.count * 4, s->triangles.data);
  view_array(v, "edge", VIEW_I32, (size_t)s->edges.count * 2, s->edges.data);
  if (s->visual_vertices.count)
    view_array(v, "visual", VIEW_F32, (size_t)s->visual_vertices.count * 3, s->visual_vertices.data);
  return 0;
}

static Error WriteFrames(ViewerPage *v, Frames *f, CellsOf *of, bool *good) {
  int kinds = 0;
  TRY(NumberNodes(v, f));
  TRY(ListCells(v, of, &kinds));
  TRY(ChooseFrames(v, f,
                   6u * (size_t)v->scene.winds.count + 12u * (size_t)f->nodes + 14u * (size_t)f->frame_nodes +
                       bytes_of_cells(of, kinds)));
  TRY(WriteNodes(v, f));
  TRY(WriteMotion(v, f, good));
  TRY(WriteWinds(v, f, good));
  TRY(WriteLoads(v, f));
  TRY(WriteScene(v));
  fputs(",\n\"fields\":[", v->scene.json);
  if (*good) TRY(WriteCells(v, f, of, kinds, good));
  fputs("]", v->scene.json);
  return 0;
}

bool view_frames(ViewerPage *v) {
  enum { KINDS = 64 };
  Frames f = {0};
  CellsOf of[KINDS] = {{0}};
  bool good = true;
  v->machine = WriteFrames(v, &f, of, &good) != 0;
  for (int k = 0; k < KINDS; k++) memory_free(&of[k].cell);
  memory_free(&f.node), memory_free(&f.frame), memory_free(&f.snapshot), memory_free(&f.time);
  if (!good) print_command_error(view_name, "'%s' is damaged: its snapshots cannot be read", results_path(v->run));
  return good && !v->machine;
}

// Histories: all rows of all columns where that is little, else of each stretch of rows the least and the largest value
// of each column, in their order, so that no peak is lost.

enum { MOST_ROWS = 4000, HISTORY_BUDGET = 2000000 }; // of a column; bytes of all

static void write_columns(ViewerPage *v, int columns, const RoundOff *round_off) {
  fputs(",\n\"columns\":[", v->scene.json);
  for (int i = 0; i < columns; i++) {
    const ResultColumn *c = results_column(v->run, i);
    char title[400];
    quantity_title(c, title, sizeof title);
    const struct {
      const char *key, *text;
    } part[] = {{"name", c->name},
                {"brief", c->brief},
                {"group", c->group},
                {"quantity", c->quantity},
                {"title", title},
                {"still", round_off_text(&round_off[i])},
                {"units", c->units},
                {"component", c->component},
                {"description", c->description}};
    for (int k = 0; k < 9; k++) {
      fprintf(v->scene.json, "%s\"%s\":", k ? "," : i ? ",\n{" : "{", part[k].key);
      json_text(v->scene.json, part[k].text);
    }
    if (*round_off_text(&round_off[i])) fprintf(v->scene.json, ",\"scale\":%.6g", round_off[i].scale);
    else if (isfinite(results_error(v->run, i, NULL)))
      fprintf(v->scene.json, ",\"error\":%.3g", results_error(v->run, i, NULL));
    fputs("}", v->scene.json);
  }
  fputs("]", v->scene.json);
}

// Least and largest of rows `from` to `to - 1`, whichever comes first before the other.
static void find_extremes(const double *x, int from, int to, float out[2]) {
  int least = from, most = from;
  for (int i = from; i < to; i++) {
    if (x[i] < x[least]) least = i;
    if (x[i] > x[most]) most = i;
  }
  out[0] = (float)x[least < most ? least : most], out[1] = (float)x[least < most ? most : least];
}

// Energies that are added up must be of one time: of each stretch the first and the last row.
static void decimate_column(const double *x, int rows, int rows_shown, bool energies, float *out) {
  int parts = rows_shown / 2;
  for (int i = 0; i < rows_shown && rows_shown == rows; i++) out[i] = (float)x[i];
  for (int p = 0; p < parts && rows_shown < rows; p++) {
    int from = (int)((long)p * rows / parts), to = (int)((long)(p + 1) * rows / parts);
    if (energies) out[2 * p] = (float)x[from], out[2 * p + 1] = (float)x[to - 1];
    else find_extremes(x, from, to, out + 2 * p);
  }
}

static void decimate_time(ViewerPage *v, const double *t, double *out) {
  int rows = v->rows_of, parts = v->rows / 2;
  for (int i = 0; i < v->rows && v->rows == rows; i++) out[i] = t[i];
  for (int p = 0; p < parts && v->rows < rows; p++) {
    int from = (int)((long)p * rows / parts), to = (int)((long)(p + 1) * rows / parts);
    out[2 * p] = t[from], out[2 * p + 1] = t[to - 1];
    v->row_shift = fmax(v->row_shift, t[to - 1] - t[from]);
  }
}

static Error WriteHistories(ViewerPage *v, bool *good) {
  int columns = results_columns(v->run), n = v->rows_of = results_rows(v->run);
  double most = fmin(MOST_ROWS, (double)HISTORY_BUDGET / (4.0 * (columns > 0 ? columns : 1))), *x = NULL, *t = NULL;
  float *all = NULL;
  RoundOff *round_off = NULL;
  CurveScales scales = {0};
  v->rows = n <= most ? n : 2 * (int)(fmax(most, 20) / 2);
  TRY(MemoryNew((size_t)(n + 1) * sizeof *x, &x));
  TRY(MemoryNew((size_t)(v->rows + 1) * sizeof *t, &t));
  TRY(MemoryNew(((size_t)v->rows * (size_t)columns + 1) * sizeof *all, &all));
  TRY(MemoryNew(((size_t)columns + 1) * sizeof *round_off, &round_off));
  *good = curve_scales_begin(view_name, v->run, &(RowSelection){0, n, 1}, &scales);
  decimate_time(v, results_time(v->run), t);
  for (int i = 0; i < columns && *good; i++) {
    *good = results_read(v->run, i, 0, n, x);
    if (*good) round_off[i] = curve_round_off(&scales, i, n, x), curve_flatten(&round_off[i], n, x);
    decimate_column(x, n, v->rows, !strcmp(results_column(v->run, i)->group, ledger_columns[LEDGER_KINETIC].group),
                    all + (size_t)i * (size_t)v->rows);
  }
  view_array(v, "time", VIEW_F64, (size_t)v->rows, t);
  view_array(v, "history", VIEW_F32, (size_t)v->rows * (size_t)columns, all);
  write_columns(v, columns, round_off);
  curve_scales_end(&scales);
  memory_free(&x), memory_free(&t), memory_free(&all), memory_free(&round_off);
  return 0;
}

bool view_history(ViewerPage *v) {
  bool good = true;
  v->machine = WriteHistories(v, &good) != 0;
  if (!good) print_command_error(view_name, "'%s' is damaged: its history cannot be read", results_path(v->run));
  return good && !v->machine;
}
