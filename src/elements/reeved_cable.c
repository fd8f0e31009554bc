// SPDX-License-Identifier: Apache-2.0
// A cable that runs through eyes without friction: its force is the same in all spans, a law of the whole length
//   l = sum_i |x_(i+1) - x_i|,   V = EA/(2 L) (l - L)^2 where l > L, and 0 where it is slack.
// Each span is a root row, and the law acts along their sum. Its mass stands half and half at the ends of each span, as
// long as this is at the start.
// Equations: eq-reeved-energy (23.1).
#include "mechanics/element.h"

enum { MOST_EYES = 4, MOST_SPANS = MOST_EYES + 1 };

typedef struct {
  Law law; // of the strain
  int spans, vec[MOST_SPANS + 1];
  double length, start[MOST_SPANS]; // natural; spans at the start
  double share, mass;               // natural length and mass per length of these
} ReevedCable;

static const char *build(const void *params, ElementBuilder *b) {
  const LimberReevedCable *p = params;
  LimberId id[MOST_SPANS + 1];
  ReevedCable cable = {.spans = 0};
  Vec3 x[4], before = vec3_zero();
  double path = 0;
  int n = 0;
  id[n++] = p->from;
  for (int i = 0; i < MOST_EYES; i++)
    if (p->over[i] != LIMBER_NONE) id[n++] = p->over[i];
  id[n++] = p->to;
  for (int i = 0, vec = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      if (id[i] == id[j]) return "a reeved cable passes each of its nodes once: put a second node at the same place";
    NodeKind kind = b->node(b, id[i], x);
    if (i > 0) path += cable.start[cable.spans++] = vec3_norm(vec3_sub(x[0], before));
    if (i > 0 && !(cable.start[i - 1] > 0)) return "two nodes of a reeved cable that follow each other coincide";
    cable.vec[i] = vec, vec += node_vectors(kind), before = x[0];
  }
  if (!(p->stiffness > 0)) return "the stiffness (EA) of a reeved cable must be positive";
  if (p->mass < 0) return "the mass of a reeved cable must not be negative";
  if (p->length < 0) return "the natural length of a reeved cable must not be negative";
  if (p->damping < 0) return "negative `damping` would create energy";
  if (p->tension < 0) return "a cable has no compression: `tension` must not be negative";
  if (p->tension > 0 && p->length > 0) return "`length` follows from `tension`: give one of them";
  double length = p->length > 0 ? p->length : path / (1 + p->tension / p->stiffness);
  cable.law = (Law){.stiffness = p->stiffness, .damping = p->damping * p->stiffness, .side = 1};
  cable.length = length, cable.share = length / path, cable.mass = p->mass * cable.share;
  ReevedCable *data = b->add_element(b, n, id);
  if (data) *data = cable;
  return NULL;
}

static void point(const void *data, int g, ElementPoint *p) {
  static const RowTerm term[MOST_SPANS] = {{0, 0, 0, 0.5, FACTOR_ONE, 0},
                                           {1, 1, 1, 0.5, FACTOR_ONE, 0},
                                           {2, 2, 2, 0.5, FACTOR_ONE, 0},
                                           {3, 3, 3, 0.5, FACTOR_ONE, 0},
                                           {4, 4, 4, 0.5, FACTOR_ONE, 0}};
  const ReevedCable *e = data;
  (void)g;
  for (int i = 0; i < e->spans; i++) {
    rows_y(&p->rows);
    rows_y_add(&p->rows, e->vec[i], -1 / e->length);
    rows_y_add(&p->rows, e->vec[i + 1], 1 / e->length);
    p->rows.ref[i] = e->share * e->start[i] / e->length;
  }
  p->rows.nrow = p->rows.nroot = p->rows.nterm = e->spans, p->rows.term = term;
  p->weight = e->length, p->stiffness = NULL, p->law = &e->law, p->at = 0.5;
}

static void inertia(const void *data, int node, Inertia *out) {
  const ReevedCable *e = data;
  double length = (node > 0 ? e->start[node - 1] : 0) + (node < e->spans ? e->start[node] : 0);
  *out = (Inertia){0.5 * e->mass * length, {0, 0, 0}, {{{0}}}};
}

static void look(const void *data, double at, ElementLook *out) {
  (void)data, (void)at;
  out->shape = LOOK_CABLE;
}

// Each span has the same part of 0 .. 1, so that lines that are drawn meet the eyes.
static void station(const void *data, double at, Rows *y) {
  const ReevedCable *e = data;
  int i = (int)fmin(at * e->spans, e->spans - 1);
  at = at * e->spans - i;
  rows_y(y);
  rows_y_add(y, e->vec[i], 1 - at);
  rows_y_add(y, e->vec[i + 1], at);
}

#define EYE(i, name, required, help) \
  { name, FIELD_NODE, 1, offsetof(LimberReevedCable, over[i]), "", required, LIMBER_NONE, help, NULL }
static const Field fields[] = {
    {"from", FIELD_NODE, 1, offsetof(LimberReevedCable, from), "", true, LIMBER_GROUND, "point or frame at an end",
     NULL},
    EYE(0, "over", true, "point or frame: an eye or a small pulley over which it runs"),
    EYE(1, "second", false, "one more eye"),
    EYE(2, "third", false, "one more"),
    EYE(3, "fourth", false, "one more"),
    {"to", FIELD_NODE, 1, offsetof(LimberReevedCable, to), "", true, LIMBER_GROUND, "point or frame at the other end",
     NULL},
    {"stiffness", FIELD_REAL, 1, offsetof(LimberReevedCable, stiffness), "N", true, 0, "EA", NULL},
    {"mass", FIELD_REAL, 1, offsetof(LimberReevedCable, mass), "kg/m", false, 0,
     "per natural length; it stands at the nodes, and does not run with the cable", NULL},
    {"length", FIELD_REAL, 1, offsetof(LimberReevedCable, length), "m", false, 0,
     "natural length, below which it is slack; 0: length of its path at the start", NULL},
    {"tension", FIELD_REAL, 1, offsetof(LimberReevedCable, tension), "N", false, 0,
     "at the start, in place of `length`", NULL},
    ELEMENT_DAMPING_FIELD(LimberReevedCable, 1, "; while taut"),
};

static const char *const row_names[] = {"N1", "N2", "N3", "N4", "N5"}, *const row_units[] = {"N", "N", "N", "N", "N"},
                         *const strain_units[] = {"1", "1", "1", "1", "1"};
static const LimberReevedCable example = {1, 3, {2, LIMBER_NONE, LIMBER_NONE, LIMBER_NONE}, 13, 0.7, 0, 0, 0.05};

const ElementKind element_reeved_cable = {
    .name = "reeved_cable",
    .help = "A cable that runs through eyes or over small pulleys without friction: it can be slack.",
    .fields = FIELDS(fields, LimberReevedCable),
    .data_size = sizeof(ReevedCable),
    .build = build,
    .points = element_one_point,
    .point = point,
    .inertia = inertia,
    .station = station,
    .look = look,
    .row_names = row_names,
    .row_units = row_units,
    .strain_units = strain_units,
    .example_nodes = "PFP",
    .example = &example,
};
