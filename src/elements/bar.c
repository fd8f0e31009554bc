// SPDX-License-Identifier: Apache-2.0
// A straight bar between two nodes. Green strain of y = (x_b - x_a)/L:  e = (y.y - 1)/2,  or the stretch  e = |y| - 1;  energy
// EA L/2 e^2.
// Its mass stands half and half at the nodes.
#include "mechanics/element.h"

typedef struct {
  double stiffness, length, mass, damping, slack; // strain at which it would be free of force
  int second;                                     // the second node's first vector
  bool stretch;
} Bar;

static Reason build(const void *params, ElementBuilder *b) {
  const LimberBar *p = params;
  Vec3 xa[4], xb[4];
  NodeKind kind = b->node(b, p->nodes[0], xa);
  b->node(b, p->nodes[1], xb);
  double distance = vec3_norm(vec3_sub(xb[0], xa[0])), length = p->length > 0 ? p->length : distance;
  if (!(length > 0)) return reason(REASON_GEOMETRY, "nodes", "the nodes of a bar coincide: give its natural length");
  if (!(p->stiffness > 0)) return reason(REASON_VALUE, "stiffness", "the stiffness (EA) of a bar must be positive");
  if (!(fabs(p->tension) < 0.5 * p->stiffness))
    return reason(REASON_VALUE, "tension", "`tension` would stretch it by half its length or more");
  if (p->damping < 0) return reason(REASON_VALUE, "damping", "negative `damping` would create energy");
  bool stretch = p->measure == LIMBER_STRAIN_STRETCH;
  Bar *data = b->add_element(b, 2, p->nodes);
  if (data)
    *data = (Bar){p->stiffness, length, p->mass, p->damping, -p->tension / p->stiffness, node_vectors(kind), stretch};
  return no_reason();
}

static void point(const void *data, int g, ElementPoint *p) {
  static const RowTerm term[] = {{0, 0, 0, 0.5, FACTOR_ONE, 0}};
  const Bar *bar = data;
  (void)g;
  rows_y(&p->rows);
  rows_y_add(&p->rows, 0, -1 / bar->length);
  rows_y_add(&p->rows, bar->second, 1 / bar->length);
  p->rows.nrow = 1, p->rows.nterm = 1, p->rows.term = term;
  p->rows.nroot = bar->stretch, p->rows.ref[0] = (bar->stretch ? 1 : 0.5) + bar->slack;
  p->weight = bar->length, p->stiffness = &bar->stiffness, p->damping = bar->damping, p->at = 0.5;
}

static void station(const void *data, double at, Rows *y) {
  rows_y(y);
  rows_y_add(y, 0, 1 - at);
  rows_y_add(y, ((const Bar *)data)->second, at);
}

static void visual(const void *data, double at, ElementVisual *out) {
  (void)data, (void)at;
  out->shape = VISUAL_BAR;
}

static void inertia(const void *data, int node, Inertia *out) {
  const Bar *bar = data;
  (void)node;
  *out = (Inertia){0.5 * bar->mass * bar->length, {0, 0, 0}, {{{0}}}};
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberBar, nodes), "", true, LIMBER_NONE, "the two ends, points or frames",
     NULL},
    {"stiffness", FIELD_REAL, 1, offsetof(LimberBar, stiffness), "N", true, 0, "EA", NULL},
    {"mass", FIELD_REAL, 1, offsetof(LimberBar, mass), "kg/m", false, 0, "per length", NULL},
    {"length", FIELD_REAL, 1, offsetof(LimberBar, length), "m", false, 0, "natural length; 0: distance of the nodes",
     NULL},
    ELEMENT_DAMPING_FIELD(LimberBar, 2, ""),
    {"tension", FIELD_REAL, 1, offsetof(LimberBar, tension), "N", false, 0, "axial force at its `length`", NULL},
    ELEMENT_MEASURE(LimberBar),
};

static const char *const row_names[] = {"N"}, *const row_units[] = {"N"}, *const strain_units[] = {"1"};
static const LimberBar example = {{{1}, {2}}, 1.3e3, 0.7, 0, 0.02, 0.3, 0, LIMBER_STRAIN_GREEN};

const ElementKind element_bar = {
    .name = "bar",
    .help = "A straight bar that carries axial force only.",
    .fields = FIELDS(fields, LimberBar),
    .data_size = sizeof(Bar),
    .build = build,
    .points = element_one_point,
    .point = point,
    .inertia = inertia,
    .drawing = {.visual = visual},
    .output = {.row_names = row_names, .row_units = row_units, .strain_units = strain_units},
    .line = {.station = station},
    .example = {.nodes = "PP", .item = &example},
};
