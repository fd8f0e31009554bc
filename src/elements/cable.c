// SPDX-License-Identifier: Apache-2.0
// A line of straight bars between points that carry no compression. With the stretch s = |x_b - x_a|/L of a bar its energy
// is EA L/2 (s - 1)^2 where s > 1, and 0 where it is slack; its damper acts in the taut part of a stage. The mass of
// each bar stands half and half at its nodes.
// Equations: eq-law-cable (9.6).
#include "mechanics/element.h"

typedef struct {
  Law law;             // of s - 1
  double length, mass; // of the bar; mass per length
  int second;          // the second node's first vector
} Cable;

static const double pi = 3.141592653589793;

// The places of a slack line: n chords of equal length over the arc of a circle, whose ends are `span` times their sum
// apart. Half the angle beta of a chord has  sin(n beta)/(n sin(beta)) = span.
static double half_angle(int n, double span) {
  double low = 0, high = pi / n;
  for (int i = 0; i < 60; i++) {
    double beta = 0.5 * (low + high);
    if (sin(n * beta) > span * n * sin(beta)) low = beta;
    else high = beta;
  }
  return 0.5 * (low + high);
}

typedef struct {
  Vec3 start, along, down; // from end to end; of the arc: unit vectors
  double beta, chord;      // of the arc; 0: a straight line
} Line;

static Vec3 node_position(const Line *l, int i, int n) {
  if (l->beta == 0) return vec3_axpy(l->start, (double)i / n, l->along);
  // the chord j points (n - 1 - 2 j) beta below `along`
  double ratio = l->chord * sin(i * l->beta) / sin(l->beta), turn = (n - i) * l->beta;
  return vec3_axpy(vec3_axpy(l->start, ratio * cos(turn), l->along), ratio * sin(turn), l->down);
}

static Reason line_of(const LimberCable *p, const Vec3 *start, const Vec3 *end, double *length, Line *l) {
  Vec3 sag = vec3_of(p->sag);
  *l = (Line){.start = *start, .along = vec3_sub(*end, *start)};
  double distance = vec3_norm(l->along);
  *length = p->length > 0 ? p->length : distance;
  if (!(*length > 0)) return reason(REASON_GEOMETRY, "to", "the ends of a cable coincide: give its natural length");
  if (vec3_norm(sag) == 0 || p->elements == 1 || distance >= *length) return no_reason();
  l->along = distance > 0 ? vec3_unit(l->along) : vec3_normal(vec3_unit(sag));
  l->down = vec3_axpy(sag, -vec3_dot(sag, l->along), l->along);
  if (!(vec3_norm(l->down) > 1e-9 * vec3_norm(sag)))
    return reason(REASON_GEOMETRY, "sag", "`sag` is parallel to the cable");
  l->down = vec3_unit(l->down);
  l->beta = half_angle(p->elements, distance / *length), l->chord = *length / p->elements;
  return no_reason();
}

static Reason build(const void *params, ElementBuilder *b) {
  const LimberCable *p = params;
  Vec3 xa[4], xb[4], x[4] = {{0, 0, 0}};
  Line line;
  double length;
  NodeKind kind = b->node(b, p->from, xa);
  b->node(b, p->to, xb);
  if (p->from.index == p->to.index) return reason(REASON_VALUE, "to", "a cable connects two different nodes");
  if (!(p->stiffness > 0)) return reason(REASON_VALUE, "stiffness", "the stiffness (EA) of a cable must be positive");
  if (p->mass < 0) return reason(REASON_VALUE, "mass", "the mass of a cable must not be negative");
  if (p->length < 0) return reason(REASON_VALUE, "length", "the natural length of a cable must not be negative");
  if (p->damping < 0) return reason(REASON_VALUE, "damping", "negative `damping` would create energy");
  if (p->elements < 1) return reason(REASON_VALUE, "elements", "a cable has at least one element");
  if (p->elements > b->most) return reason(REASON_LIMIT, "elements", element_too_many);
  if (p->elements > 1 && !(p->mass > 0))
    return reason(REASON_CONFLICT, "elements",
                  "a cable of several elements needs `mass`: its inner points have no other mass");
  Reason error = line_of(p, &xa[0], &xb[0], &length, &line);
  if (error.text) return error;
  LimberNodeId ids[2] = {p->from, p->from};
  for (int i = 1; i <= p->elements; i++) {
    ids[0] = ids[1];
    x[0] = node_position(&line, i, p->elements);
    ids[1] = i == p->elements ? p->to : b->add_node(b, NODE_POINT, x);
    Cable *data = b->add_element(b, 2, ids);
    if (!data) return no_reason();
    data->law = (Law){.stiffness = p->stiffness, .damping = p->damping * p->stiffness, .side = 1};
    data->length = length / p->elements, data->mass = p->mass;
    data->second = i == 1 ? node_vectors(kind) : 1;
  }
  return no_reason();
}

static void point(const void *data, int g, ElementPoint *p) {
  static const RowTerm term[] = {{0, 0, 0, 0.5, FACTOR_ONE, 0}};
  const Cable *e = data;
  (void)g;
  rows_y(&p->rows);
  rows_y_add(&p->rows, 0, -1 / e->length);
  rows_y_add(&p->rows, e->second, 1 / e->length);
  p->rows.nrow = 1, p->rows.nroot = 1, p->rows.nterm = 1, p->rows.term = term;
  p->rows.ref[0] = 1;
  p->weight = e->length, p->at = 0.5;
  element_point_law(p, &law_table, &e->law);
}

static void station(const void *data, double at, Rows *y) {
  rows_y(y);
  rows_y_add(y, 0, 1 - at);
  rows_y_add(y, ((const Cable *)data)->second, at);
}

static void visual(const void *data, double at, ElementVisual *out) {
  (void)data, (void)at;
  out->shape = VISUAL_CABLE;
}

static void inertia(const void *data, int node, Inertia *out) {
  const Cable *e = data;
  (void)node;
  *out = (Inertia){0.5 * e->mass * e->length, {0, 0, 0}, {{{0}}}};
}

static const Field fields[] = {
    {"from", FIELD_NODE, 1, offsetof(LimberCable, from), "", true, GROUND, "point or frame at the start", NULL},
    {"to", FIELD_NODE, 1, offsetof(LimberCable, to), "", true, GROUND, "point or frame at the end", NULL},
    {"stiffness", FIELD_REAL, 1, offsetof(LimberCable, stiffness), "N", true, 0, "EA", NULL},
    {"mass", FIELD_REAL, 1, offsetof(LimberCable, mass), "kg/m", false, 0, "per natural length", NULL},
    {"length", FIELD_REAL, 1, offsetof(LimberCable, length), "m", false, 0,
     "natural length, below which it is slack; 0: distance of its ends", NULL},
    {"elements", FIELD_INT, 1, offsetof(LimberCable, elements), "", false, 1,
     "number of bars along the cable, with points between them", NULL},
    {"sag", FIELD_REALS, 3, offsetof(LimberCable, sag), "", false, 0,
     "direction in which a slack cable hangs at the start, as an arc; 0: straight line", &field_direction},
    ELEMENT_DAMPING_FIELD(LimberCable, 2, "; active only while taut"),
};

static const char *const row_names[] = {"N"}, *const row_units[] = {"N"}, *const strain_units[] = {"1"};
static const LimberCable example = {{1}, {2}, 3, 1.3e2, 0.7, 0, 0.05, 0, {0, 0, -1}};

const ElementKind element_cable = {
    .name = "cable",
    .help = "A chain of bars without compression: it can be slack.",
    .fields = FIELDS(fields, LimberCable),
    .data_size = sizeof(Cable),
    .build = build,
    .points = element_one_point,
    .point = point,
    .inertia = inertia,
    .drawing = {.visual = visual},
    .output = {.row_names = row_names, .row_units = row_units, .strain_units = strain_units},
    .line = {.station = station},
    .example = {.nodes = "PP", .item = &example},
};
