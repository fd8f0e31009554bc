// SPDX-License-Identifier: Apache-2.0
// A body of a mesh, reduced to mass points by its modes and by the deflections under loads at its interfaces
// (mechanics/reduction.h). Six generalised strains are a point of the element; the frames of the interfaces are
// elements of one node, which have inertia alone.
// Equations: eq-reduced-field (10.13), eq-reduced-mass (10.14), eq-reduced-rows (10.15).
#include "elements/continuum.h"
#include "mechanics/element.h"
#include "mechanics/reduction.h"
#include "mechanics/shape.h"

#include <math.h>
#include <string.h>

enum { ROWS = MAX_ROWS };

typedef struct {
  int points, groups;                            // groups of six rows
  double mass;                                   // of a point
  const double *pair, *ref, *stiffness, *damper; // of each row; of each group 6 x 6; of each row
  Inertia inertia;                               // of an interface: points is 0
  const CarriedMesh *mesh;                       // NULL: it is an interface
} ReducedBody;

static Reason take_interfaces(const LimberReducedBody *p, ElementBuilder *b) {
  Vec3 x[4];
  for (int k = 0; k < p->interfaces; k++) {
    NodeKind kind = b->node(b, p->interface[k].node, x);
    if (kind == NODE_POINT)
      return reason(REASON_VALUE, "interfaces",
                    "the `node` of an interface must be a frame or a fixed node, not a point");
    for (int l = 0; l < k; l++)
      if (p->interface[l].node.index == p->interface[k].node.index)
        return reason(REASON_VALUE, "interfaces", "two of its interfaces have the same `node`");
  }
  return no_reason();
}

// Six rows after another in the order of the pairs of y_1, y_2, ..., the places of the points seen from the first.
static void make_rows(const Reduction *r, ElementBuilder *b, ReducedBody *e) {
  int groups = r->rows / ROWS, pairs = reduction_pairs(r->points);
  double *side = b->keep(b, (size_t)groups * (size_t)pairs * ROW_LANES * sizeof *side);
  double *ref = b->keep(b, (size_t)r->rows * sizeof *ref);
  double *c = b->keep(b, (size_t)r->rows * ROWS * sizeof *c);
  if (!side || !ref || !c) return;
  e->groups = groups, e->pair = side, e->ref = ref, e->stiffness = c;
  for (int g = 0; g < groups; g++)
    for (int i = 1, pair = 0; i < r->points; i++)
      for (int j = i; j < r->points; j++, pair++)
        for (int row = 0; row < ROWS; row++) {
          int a = ROWS * g + row;
          double s = r->form[(size_t)a * (size_t)pairs + (size_t)pair];
          side[((size_t)g * (size_t)pairs + (size_t)pair) * ROW_LANES + (size_t)row] = s;
          ref[a] += s * vec3_dot(vec3_sub(r->at[i], r->at[0]), vec3_sub(r->at[j], r->at[0]));
        }
  for (int a = 0; a < r->rows; a++) c[ROWS * a + a % ROWS] = r->stiffness[a];
}

// Viscous over elastic of a mode is 2 ratio/omega.
static bool make_dampers(const Reduction *r, double ratio, ElementBuilder *b, ReducedBody *e) {
  double *damper = b->keep(b, (size_t)r->rows * sizeof *damper);
  if (!damper) return false;
  for (int a = 0; a < r->rows; a++) damper[a] = sqrt(2 * ratio / sqrt(r->stiffness[a] / r->whole_mass));
  e->damper = damper;
  return true;
}

static bool add_frame(const LimberInterface *of, const ReductionFrame *f, const LimberNodeId *node, int points,
                      ElementBuilder *b) {
  Vec3 x[4];
  if (b->node(b, of->node, x) == NODE_FRAME && f->inertia.m > 0) {
    ReducedBody *e = b->add_element(b, 1, &of->node);
    if (!e) return false;
    e->inertia = inertia_turned(&f->inertia, mat3_transpose(mat3_columns(x[1], x[2], x[3])));
  }
  for (int t = 0; t < f->ties; t++) {
    InterfaceTie tie = {.frame = of->node.index, .points = points, .place = f->tie[t].place, .along = f->tie[t].along};
    for (int a = 0; a < INTERFACE_POINTS; a++) tie.point[a] = a < points ? node[a].index : LIMBER_NONE;
    memcpy(tie.weight, f->tie[t].weight, (size_t)points * sizeof *tie.weight);
    b->add_interface(b, &tie);
  }
  if (of->kind == LIMBER_INTERFACE_RIGID) return true;
  double(*mean)[INTERFACE_POINTS] = b->keep(b, 3 * sizeof *mean);
  InterfaceTie tie = {.frame = of->node.index, .points = points, .mean = mean};
  if (!mean) return false;
  memcpy(mean, f->mean, 3 * sizeof *mean);
  for (int a = 0; a < INTERFACE_POINTS; a++) tie.point[a] = a < points ? node[a].index : LIMBER_NONE;
  b->add_interface(b, &tie);
  return true;
}

static Reason build(const void *params, ElementBuilder *b) {
  const LimberReducedBody *p = params;
  const LimberMaterial *of = &p->material;
  bool bare = p->mesh.stiffness && of->E == 0 && of->G == 0 && of->density == 0; // matrices alone
  Reason error = bare ? no_reason() : material_error(of);
  if (error.text) return reason_within("material", error);
  if (p->modes < 0 || p->modes > REDUCED_MODES) return reason(REASON_LIMIT, "modes", "`modes` must be 0 to 40");
  if (p->interfaces > REDUCED_INTERFACES)
    return reason(REASON_LIMIT, "interfaces", "a reduced body has at most 8 interfaces");
  if (p->damping < 0 || !(p->damping < 1))
    return reason(REASON_VALUE, "damping", "`damping` is a fraction of critical damping, from 0 to less than 1");
  error = take_interfaces(p, b);
  if (error.text) return error;
  const Reduction *r = b->reduce(b, p, &error);
  if (!r) return error;
  LimberNodeId node[REDUCED_POINTS];
  for (int a = 0; a < r->points; a++) node[a] = b->add_node(b, NODE_POINT, (const Vec3[4]){r->at[a]});
  ReducedBody *e = b->add_element(b, r->points, node);
  if (!e) return no_reason();
  e->points = r->points, e->mass = r->mass, e->mesh = &r->mesh;
  make_rows(r, b, e);
  if (!e->pair || (p->damping > 0 && !make_dampers(r, p->damping, b, e))) return no_reason();
  for (int k = 0; k < p->interfaces; k++)
    if (!add_frame(&p->interface[k], &r->frame[k], node, r->points, b)) break;
  return no_reason();
}

static int points(const void *data) { return ((const ReducedBody *)data)->groups; }

static void point(const void *data, int g, ElementPoint *p) {
  const ReducedBody *e = data;
  int pairs = reduction_pairs(e->points);
  for (int i = 1; i < e->points; i++) {
    rows_y(&p->rows);
    rows_y_add(&p->rows, i, 1);
    rows_y_add(&p->rows, 0, -1);
  }
  p->rows.nrow = ROWS, p->rows.nterm = 0;
  p->rows.pair = e->pair + (size_t)g * (size_t)pairs * ROW_LANES;
  memcpy(p->rows.ref, &e->ref[ROWS * g], ROWS * sizeof *e->ref);
  p->weight = 1, p->stiffness = &e->stiffness[ROWS * ROWS * g], p->at = (g + 0.5) / e->groups;
  if (e->damper) p->damper = &e->damper[ROWS * g];
}

static void inertia(const void *data, int node, Inertia *out) {
  const ReducedBody *e = data;
  (void)node;
  *out = e->points ? (Inertia){e->mass, {0, 0, 0}, {{{0}}}} : e->inertia;
}

static const CarriedMesh *mesh(const void *data) { return ((const ReducedBody *)data)->mesh; }

// Its points are no places of it; its mesh is drawn.
static void visual(const void *data, double at, ElementVisual *out) {
  (void)data, (void)at;
  out->shape = VISUAL_AROUND;
}

static const char *interface_kind_word(int i) {
  static const char *const word[] = {"rigid", "averaging", NULL};
  return word[i];
}
static const FieldMore interface_kind_words = {NULL, interface_kind_word};

static const Field interface_fields[] = {
    {"group", FIELD_MESH, 0, offsetof(LimberInterface, group), "", true, 0,
     "a group of the mesh, MESH.GROUP, whose nodes are held to the `node`", NULL},
    {"node", FIELD_NODE, 1, offsetof(LimberInterface, node), "", true, GROUND,
     "a frame, to which joints, loads and other elements go; or a fixed node", NULL},
    {"kind", FIELD_WORD, 1, offsetof(LimberInterface, kind), "", false, LIMBER_INTERFACE_RIGID,
     "rigid: the nodes of the group move rigidly with the `node`; averaging: the `node` has their mean displacement "
     "and "
     "rotation, weighted by mass, and forces on it are distributed over them",
     &interface_kind_words},
};
static const FieldTable interface_table = FIELDS(interface_fields, LimberInterface);
static const FieldMore interface_more = {&interface_table, NULL};

static const Field fields[] = {
    {"mesh", FIELD_MESH, 3, offsetof(LimberReducedBody, mesh), "", true, 0,
     "cells of three dimensions: a mesh, or a group of it, MESH.GROUP; or a mesh with matrices, with or without cells. "
     "No nodes are made of it",
     NULL},
    {"material", FIELD_MATERIAL, 1, offsetof(LimberReducedBody, material), "", false, 0,
     "one of the file's materials; a mesh with matrices needs it for stresses alone", NULL},
    HEXAHEDRA_FIELD(LimberReducedBody),
    {"interfaces", FIELD_MAPS, 1, offsetof(LimberReducedBody, interface), "", false, 0,
     "where the body is held and loaded", &interface_more},
    {"modes", FIELD_INT, 1, offsetof(LimberReducedBody, modes), "", false, 0,
     "modes of the free body besides the deflections by loads at the interfaces", NULL},
    {"damping", FIELD_REAL, 1, offsetof(LimberReducedBody, damping), "", false, 0,
     "fraction of critical damping of every mode of the reduced body", NULL},
};

// Of the cells of its mesh, as of a solid.
static const char *const row_names[] = {"S11", "S22", "S33", "S23", "S13", "S12"};
static const char *const row_units[] = {"Pa", "Pa", "Pa", "Pa", "Pa", "Pa"};
static const char *const strain_units[] = {"1", "1", "1", "1", "1", "1"};

// Two cubes on each other.
static const LimberCellShape example_shape[] = {LIMBER_HEXAHEDRON, LIMBER_HEXAHEDRON};
static const int example_number[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const double example_at[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1,
                                    1, 1, 1, 0, 1, 1, 0, 0, 2, 1, 0, 2, 1, 1, 2, 0, 1, 2};
static const int example_nodes[] = {0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 10, 11};
static const LimberReducedBody example = {.mesh = {12, example_number, example_at, 2, example_shape, example_nodes},
                                          .material = {70, 0.3, 0, 3, LIMBER_LAW_LINEAR},
                                          .modes = 4,
                                          .damping = 0.02};

const ElementKind element_reduced_body = {
    .name = "reduced_body",
    .help = "A body of solid cells from a mesh, reduced to few points: for small strains and large motions.",
    .fields = FIELDS(fields, LimberReducedBody),
    .data_size = sizeof(ReducedBody),
    .build = build,
    .points = points,
    .point = point,
    .inertia = inertia,
    .mesh = mesh,
    .drawing = {.visual = visual},
    .output = {.row_names = row_names, .row_units = row_units, .strain_units = strain_units},
    .example = {.nodes = "", .item = &example, .mass = 6},
};
