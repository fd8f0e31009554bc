// SPDX-License-Identifier: Apache-2.0
// A soft mount between two frames. With (a) the axes of the first and (b) those of the second turned to coincide with
// them at the start, s = x_b - x_a the difference of a point that both carry, it strains by
//   s.a_1, s.a_2, s.a_3,   (a_k.b_j - a_j.b_k)/2  for i, j, k = 1, 2, 3 in turn,
// small displacements and rotations in the axes of the first (a turn phi about one axis: sin phi).
// Equations: eq-rows-bushing (2.6).
#include "mechanics/element.h"

#include <string.h>

typedef struct {
  double stiffness[36], damping;
  Mat3 axes;  // the second node's, as columns in those of which (b) is made
  Vec3 lever; // from the first node to the point, in its axes
  int second; // first vector of the second node
} Bushing;

static Reason build(const void *params, ElementBuilder *b) {
  const LimberBushing *p = params;
  Vec3 xa[4], xb[4];
  if (b->node(b, p->nodes[0], xa) == NODE_POINT || b->node(b, p->nodes[1], xb) == NODE_POINT)
    return reason(REASON_VALUE, "nodes", "a bushing connects two frames; a point has no axes");
  bool any = false;
  for (int i = 0; i < 6; i++) {
    if (p->stiffness[i][i] < 0) return reason(REASON_VALUE, "stiffness", "a negative `stiffness` has no equilibrium");
    any = any || p->stiffness[i][i] > 0;
  }
  if (!any) return reason(REASON_CONFLICT, "stiffness", "a bushing needs some `stiffness`");
  if (p->damping < 0) return reason(REASON_VALUE, "damping", "negative `damping` would create energy");
  Bushing *data = b->add_element(b, 2, p->nodes);
  if (!data) return no_reason();
  memcpy(data->stiffness, p->stiffness, sizeof data->stiffness);
  data->damping = p->damping, data->second = 4;
  Vec3 lever = vec3_sub(xb[0], xa[0]);
  data->lever = vec3(vec3_dot(lever, xa[1]), vec3_dot(lever, xa[2]), vec3_dot(lever, xa[3]));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) data->axes.m[i][j] = vec3_dot(xb[i + 1], xa[j + 1]);
  return no_reason();
}

enum { Y_S, Y_A1, Y_A2, Y_A3, Y_B1, Y_B2, Y_B3 };

static void point(const void *data, int g, ElementPoint *p) {
  static const RowTerm terms[] = {
      {0, Y_S, Y_A1, 1, FACTOR_ONE, 0},     {1, Y_S, Y_A2, 1, FACTOR_ONE, 0},     {2, Y_S, Y_A3, 1, FACTOR_ONE, 0},
      {3, Y_A3, Y_B2, 0.5, FACTOR_ONE, 0},  {3, Y_A2, Y_B3, -0.5, FACTOR_ONE, 0}, {4, Y_A1, Y_B3, 0.5, FACTOR_ONE, 0},
      {4, Y_A3, Y_B1, -0.5, FACTOR_ONE, 0}, {5, Y_A2, Y_B1, 0.5, FACTOR_ONE, 0},  {5, Y_A1, Y_B2, -0.5, FACTOR_ONE, 0},
  };
  const Bushing *e = data;
  const double lever[3] = {e->lever.x, e->lever.y, e->lever.z};
  (void)g;
  rows_y(&p->rows);
  rows_y_add(&p->rows, e->second, 1);
  rows_y_add(&p->rows, 0, -1);
  for (int j = 0; j < 3; j++)
    if (lever[j] != 0) rows_y_add(&p->rows, 1 + j, -lever[j]);
  for (int j = 0; j < 3; j++) {
    rows_y(&p->rows);
    rows_y_add(&p->rows, 1 + j, 1);
  }
  for (int j = 0; j < 3; j++) {
    rows_y(&p->rows);
    for (int i = 0; i < 3; i++)
      if (e->axes.m[i][j] != 0) rows_y_add(&p->rows, e->second + 1 + i, e->axes.m[i][j]);
  }
  p->rows.nrow = 6, p->rows.nterm = (int)(sizeof terms / sizeof terms[0]), p->rows.term = terms;
  memset(p->rows.ref, 0, sizeof p->rows.ref);
  p->weight = 1, p->stiffness = e->stiffness, p->damping = e->damping, p->at = 0.5;
}

static void inertia(const void *data, int node, Inertia *out) {
  (void)data, (void)node;
  *out = (Inertia){0, {0, 0, 0}, {{{0}}}};
}

static void visual(const void *data, double at, ElementVisual *out) {
  (void)at;
  out->shape = VISUAL_BUSHING;
  visual_ends_at(out, 0, ((const Bushing *)data)->second);
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberBushing, nodes), "", true, GROUND,
     "two frames; the bushing is at the position of the second", NULL},
    {"stiffness", FIELD_MATRIX, 6, offsetof(LimberBushing, stiffness),
     "N m-1|N m-1|N m-1|N m rad-1|N m rad-1|N m rad-1", true, 0,
     "stiffness for displacement and rotation along and about the first node's axes", NULL},
    ELEMENT_DAMPING_FIELD(LimberBushing, 1, ""),
};

static const char *const row_names[] = {"F1", "F2", "F3", "M1", "M2", "M3"};
static const char *const row_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const char *const strain_units[] = {"m", "m", "m", "rad", "rad", "rad"};
static const LimberBushing example = {{{1}, {2}},
                                      {{300, 20, 0, 0, 5, 0},
                                       {20, 400, 0, 0, 0, 3},
                                       {0, 0, 500, 1, 0, 0},
                                       {0, 0, 1, 30, 2, 0},
                                       {5, 0, 0, 2, 40, 0},
                                       {0, 3, 0, 0, 0, 50}},
                                      0.02};

const ElementKind element_bushing = {
    .name = "bushing",
    .help = "A bushing between two frames, with a stiffness in every direction.",
    .fields = FIELDS(fields, LimberBushing),
    .data_size = sizeof(Bushing),
    .build = build,
    .points = element_one_point,
    .point = point,
    .inertia = inertia,
    .drawing = {.visual = visual},
    .output = {.row_names = row_names, .row_units = row_units, .strain_units = strain_units},
    .example = {.nodes = "FF", .item = &example},
};
