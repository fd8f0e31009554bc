// SPDX-License-Identifier: Apache-2.0
// Meshes that are too coarse, or of the wrong order, for what they describe.
#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Curved lines of beams that too few elements follow.

static double angle_between(Vec3 a, Vec3 b) { return atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b)); }

// How far the line of an element turns: between the section's first axis at its start, middle and end.
static double turned_angle(Model m, const ModelElement *e) {
  Vec3 x[MAX_LOCAL_VECTORS], y[MAX_Y], axis[3];
  int n = 0;
  for (int i = 0; i < e->nnode; i++) {
    const ModelNode *node = model_node(m, model_element_nodes(m, e)[i]);
    for (int k = 0; k < node_vectors(node->kind); k++) x[n++] = node->x[k];
  }
  for (int i = 0; i < 3; i++) {
    Rows rows;
    rows_begin(&rows);
    e->kind->line.station(e->data, 0.5 * i, &rows);
    if (rows.ny < 2) return 0;
    rows_interpolate(&rows, x, y);
    axis[i] = y[1];
  }
  return angle_between(axis[0], axis[1]) + angle_between(axis[1], axis[2]);
}

static Error WarnAboutCurve(Reader *r, const ModelComponent *component, SourceLocation at) {
  const double degree = 3.141592653589793 / 180;
  double most = 0, all = 0;
  int order = model_element(r->model, component->first)->nnode - 1;
  for (int e = component->first; e < component->first + component->count; e++) {
    double t = turned_angle(r->model, model_element(r->model, e));
    most = fmax(most, t), all += t;
  }
  if (most > 30.1 * degree * order)
    TRY(ReportWarning(r, at,
                      "the line of '%s' turns by %.0f degrees from node to node, too far for its %d element%s of order "
                      "%d; use at least %.0f",
                      component->name, most / order / degree, component->count, component->count == 1 ? "" : "s", order,
                      ceil(all / (30 * degree * order))));
  return 0;
}

Error WarnAboutCurves(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *component = model_component(m, i);
    if (component->count && component->kind->line.station && component->kind->line.axes)
      TRY(WarnAboutCurve(r, component, at->component[i]));
  }
  return 0;
}

// Lines of many elements of order 1 where a third as many of order 3, with the same number of nodes, would do far
// better. Measured, of a pendulum (error of the tip in its first half second) and of a cantilever (of its tip under a
// load), both 1 m long:
//   nodes            7                 13                25                49
//   order 1          1.9e-2, 1.8e-4    4.6e-3, 4.5e-5    1.2e-3, 1.1e-5    2.9e-4, 2.8e-6 m
//   order 2          4.0e-5, 1.5e-4    2.9e-6, 9.1e-6    1.8e-7, 5.7e-7    1.1e-8, 3.6e-8 m
//   order 3          8.1e-6, 5.7e-6    1.6e-7, 9.1e-8    2.6e-9, 1.4e-9    3.7e-11, 2.2e-11 m
// Not reported for few elements, which may be meant, nor where something holds or loads a node inside: elements end
// there.

enum { MANY = 12 };

// How many components, joints and loads each node belongs to.
static void count_uses(Model m, int *uses) {
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *c = model_component(m, i);
    for (int e = c->first; e < c->first + c->count; e++)
      for (int a = 0; a < model_element(m, e)->nnode; a++) {
        int *at = &uses[model_element_nodes(m, model_element(m, e))[a]];
        if (e == c->first || a > 0) ++*at; // the first node of an element is the last of the one before
      }
  }
  for (int j = 0; j < m->joints.count; j++)
    for (int a = 0; a < model_joint(m, j)->nnode; a++) uses[model_joint(m, j)->node[a]]++;
  for (int l = 0; l < m->loads.count; l++)
    if (model_load(m, l)->load.target == LOAD_NODE) uses[model_load(m, l)->load.id]++;
}

static bool is_used_inside(Model m, const ModelComponent *c, const int *uses) {
  for (int e = c->first; e + 1 < c->first + c->count; e++)
    if (uses[model_element_nodes(m, model_element(m, e))[1]] > 1) return true;
  return false;
}

Error WarnAboutTwoNodeElements(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  int *uses;
  TRY(MemoryNew((size_t)m->nodes.count * sizeof *uses, &uses));
  count_uses(m, uses);
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *c = model_component(m, i);
    if (c->nnode != 2 || c->count < MANY || !field_find(&c->kind->fields, "order") || is_used_inside(m, c, uses))
      continue;
    TRY(ReportWarning(
        r, at->component[i],
        "%s '%s' has %d elements of order 1; %d of order 3, the default, have about as many nodes and, where it "
        "bends smoothly, less than a thousandth of their error",
        c->kind->name, c->name, c->count, (c->count + 2) / 3));
  }
  memory_free(&uses);
  return 0;
}

// Thin bodies of hexahedra with straight edges. Bent to a curvature k, a cell cannot follow: it shears by k x along its
// length a, which adds G k^2 a^2/12 to the mean energy E' k^2 T^2/12 of a plate of the thickness T, whatever the number
// n of layers; and in each layer the strain across the thickness is constant, which stiffens it as if this strain were
// held, the less the more layers there are:
//   stiffness/exact = 1 + (1 - nu)/2 (a/T)^2 + ((1 - nu)^2/(1 - 2 nu) - 1)/n^2
// A square plate of one layer, a = 5 T, nu = 0.3, held at one edge, has 27.18 Hz in place of 8.56 Hz (Leissa), 3.17
// times as much; this gives 3.16.

enum { MOST_CELLS = 100000, MOST_LAYERS = 8, FACES = 6, CORNERS = 8 };
static const double told = 1.15; // a frequency that is too high by this factor

// Faces 2 d and 2 d + 1 are opposite, along direction d.
static const int face_corner[FACES][4] = {{0, 3, 7, 4}, {1, 2, 6, 5}, {0, 1, 5, 4},
                                          {3, 2, 6, 7}, {0, 1, 2, 3}, {4, 5, 6, 7}};

typedef struct {
  int node[4]; // sorted
  int face;    // FACES times the cell, and which
} Face;

typedef struct {
  double volume, thin;  // m^3: of all cells, of those in thin places
  double excess;        // of stiffness, times the volume of the thin ones
  double long_, across; // a and T, times that volume
  double layers;
} Sum;

static int compare_faces(const void *a, const void *b) {
  const Face *f = a, *g = b;
  for (int i = 0; i < 4; i++)
    if (f->node[i] != g->node[i]) return f->node[i] < g->node[i] ? -1 : 1;
  return f->face < g->face ? -1 : f->face > g->face;
}

static void fill_face(const int *nodes, int cell, int which, Face *f) {
  f->face = FACES * cell + which;
  for (int i = 0; i < 4; i++) {
    int k = i;
    for (; k > 0 && f->node[k - 1] > nodes[face_corner[which][i]]; k--) f->node[k] = f->node[k - 1];
    f->node[k] = nodes[face_corner[which][i]];
  }
}

// The face of the other cell for each face, or -1. Not where there are other cells than such hexahedra: `other` stays
// NULL.
static Error FindNeighbours(Model m, const ModelComponent *c, int **other) {
  Face *face;
  *other = NULL;
  for (int e = c->first; e < c->first + c->count; e++)
    if (!c->kind->shears_in_bending(model_element(m, e)->data)) return 0;
  size_t count = (size_t)c->count * FACES;
  TRY(MemoryNew(count * sizeof *face, &face));
  TRY(MemoryNew(count * sizeof **other, other));
  for (int e = 0; e < c->count; e++)
    for (int f = 0; f < FACES; f++)
      fill_face(model_element_nodes(m, model_element(m, c->first + e)), e, f, &face[FACES * e + f]);
  qsort(face, count, sizeof *face, compare_faces);
  for (size_t i = 0; i < count; i++) (*other)[i] = -1;
  for (size_t i = 0; i + 1 < count; i++)
    if (!memcmp(face[i].node, face[i + 1].node, sizeof face[i].node))
      (*other)[face[i].face] = face[i + 1].face, (*other)[face[i + 1].face] = face[i].face;
  memory_free(&face);
  return 0;
}

// Mean lengths of the edges along the three directions.
static void edge_lengths(Model m, const ModelElement *e, double length[3]) {
  const int *id = model_element_nodes(m, e);
  for (int d = 0; d < 3; d++) {
    length[d] = 0;
    for (int i = 0; i < 4; i++)
      length[d] += 0.25 * vec3_norm(vec3_sub(model_node(m, id[face_corner[2 * d][i]])->x[0],
                                             model_node(m, id[face_corner[2 * d + 1][i]])->x[0]));
  }
}

// Adds up a stack of cells from one across its shortest edges to free faces; false: it has more than MOST_LAYERS.
static bool walk_through_layers(Model m, const ModelComponent *c, const int *other, int cell, int direction,
                                double *across, int *layers) {
  double length[3];
  edge_lengths(m, model_element(m, c->first + cell), length);
  *across = length[direction], *layers = 1;
  for (int side = 0; side < 2; side++)
    for (int face = other[FACES * cell + 2 * direction + side]; face >= 0; face = other[face ^ 1]) {
      if (++*layers > MOST_LAYERS) return false;
      edge_lengths(m, model_element(m, c->first + face / FACES), length);
      *across += length[face % FACES / 2];
    }
  return true;
}

static double poissons_ratio(const ModelElement *e) {
  ElementPoint p;
  element_point(e->kind, e->data, 0, &p);
  double lambda = p.stiffness[1], mu = p.stiffness[21];
  return mu > 0 && lambda > 0 ? fmin(0.45, lambda / (2 * (lambda + mu))) : 0;
}

static double component_extent(Model m, const ModelComponent *c) {
  Vec3 low = model_node(m, model_element_nodes(m, model_element(m, c->first))[0])->x[0], high = low;
  for (int e = c->first; e < c->first + c->count; e++)
    for (int a = 0; a < CORNERS; a++) {
      Vec3 x = model_node(m, model_element_nodes(m, model_element(m, e))[a])->x[0];
      low = vec3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
      high = vec3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
  return vec3_norm(vec3_sub(high, low));
}

static Sum add_cells(Model m, const ModelComponent *c, const int *other) {
  Sum s = {0};
  double size = component_extent(m, c), nu = poissons_ratio(model_element(m, c->first));
  for (int e = 0; e < c->count; e++) {
    double length[3], across;
    int thin = 0, layers;
    edge_lengths(m, model_element(m, c->first + e), length);
    for (int d = 1; d < 3; d++)
      if (length[d] < length[thin]) thin = d;
    double volume = length[0] * length[1] * length[2];
    s.volume += volume;
    if (!walk_through_layers(m, c, other, e, thin, &across, &layers) || 5 * across > size) continue;
    double a2 =
        0.5 * (length[(thin + 1) % 3] * length[(thin + 1) % 3] + length[(thin + 2) % 3] * length[(thin + 2) % 3]);
    double held = (1 - nu) * (1 - nu) / (1 - 2 * nu) - 1;
    s.thin += volume, s.layers += volume * layers;
    s.long_ += volume * sqrt(a2), s.across += volume * across;
    s.excess += volume * (0.5 * (1 - nu) * a2 / (across * across) + held / (layers * layers));
  }
  return s;
}

static Error WarnAboutSolid(Reader *r, const ModelComponent *c, SourceLocation at) {
  int *other;
  TRY(FindNeighbours(r->model, c, &other));
  if (!other) return 0;
  Sum s = add_cells(r->model, c, other);
  memory_free(&other);
  double stiffer = s.thin > 0 ? 1 + s.excess / s.thin : 1;
  if (!(s.thin > 0.5 * s.volume) || sqrt(stiffer) < told) return 0;
  int layers = (int)(s.layers / s.thin + 0.5);
  TRY(ReportWarning(
      r, at,
      "'%s' is a thin body, %.3g m thick, in %d layer%s of hexahedra %.3g m long: in bending it is about "
      "%.2g times too stiff, with "
      "frequencies %.2g times too high. Add `hexahedra: enhanced` to this solid; or use `solid_shell`, cells "
      "with nodes on their edges (hexahedra of 20, tetrahedra of 10 nodes), or cells of at most %.2g m "
      "along the surface in two layers or more",
      c->name, s.across / s.thin, layers, layers == 1 ? "" : "s", s.long_ / s.thin, stiffer, sqrt(stiffer),
      0.4 * s.across / s.thin));
  return 0;
}

Error WarnAboutThinSolids(Reader *r, const ModelLocations *at) {
  for (int i = 0; i < r->model->components.count; i++) {
    const ModelComponent *c = model_component(r->model, i);
    if (c->kind->shears_in_bending && c->count && c->count <= MOST_CELLS) TRY(WarnAboutSolid(r, c, at->component[i]));
  }
  return 0;
}
