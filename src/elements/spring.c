// SPDX-License-Identifier: Apache-2.0
// A spring and damper along the distance of two places that nodes carry. Its row is the length l = |x_b - x_a| less the
// rest, so that over a stage its force acts along (y_n + y_k)/(l_n + l_k), y = x_b - x_a, and works force times change
// of length exactly; the law of that elongation does the rest (mechanics/law.h).
#include "mechanics/element.h"

#include <string.h>

typedef struct {
  Law law;                  // of the elongation
  double rest;              // length
  int count, split, vec[8]; // entries of y, and of the first end among them
  double coef[8];           // of y
} Spring;

// The ends at the start, and y of them.
static Reason ends_of(const LimberSpring *p, ElementBuilder *b, Rows *rows, double *distance) {
  Vec3 x[4], end[2];
  int first = 0;
  rows_begin(rows);
  rows_y(rows);
  for (int i = 0; i < 2; i++) {
    NodeKind kind = b->node(b, p->nodes[i], x);
    end[i] = p->at[i] ? vec3_of(p->at[i]) : x[0];
    if (kind == NODE_POINT && vec3_norm(vec3_sub(end[i], x[0])) > 0)
      return reason(REASON_GEOMETRY, i ? "to" : "from", "a point has no lever arm: the spring ends at the node itself");
    rows_y_add_point(rows, i ? 1 : -1, first, kind, x, end[i]);
    first += node_vectors(kind);
  }
  *distance = vec3_norm(vec3_sub(end[1], end[0]));
  if (p->nodes[0].index == p->nodes[1].index)
    return reason(REASON_VALUE, "nodes", "a spring connects two different nodes");
  return *distance > 0
             ? no_reason()
             : reason(REASON_GEOMETRY,
                      p->at[1]   ? "to"
                      : p->at[0] ? "from"
                                 : "nodes",
                      "the ends of the spring coincide, so that it has no direction; a `bushing` connects frames at "
                      "the same position");
}

// The length at which the law is at rest.
static Reason rest_of(const LimberSpring *p, const Law *law, double distance, double *rest) {
  double force = p->preload;
  *rest = law->rest > 0 ? law->rest : distance;
  if (law->rest < 0) return reason(REASON_VALUE, "rest", "`rest` is a length and must not be negative");
  if (force == 0) return no_reason();
  if (law->rest > 0) return reason(REASON_CONFLICT, "rest", "`rest` follows from `preload`: give one of them");
  if (!(law->stiffness > 0))
    return reason(REASON_CONFLICT, "preload", "`preload` needs a `stiffness`; with a `table`, give `rest`");
  if (force * law_side(law) < 0)
    return reason(REASON_VALUE, "preload", "the `preload` has the sign that `side` rules out (positive: tension)");
  *rest = distance - force / law->stiffness - (force > 0 ? law->clearance : -law->clearance);
  return no_reason();
}

static Reason build(const void *params, ElementBuilder *b) {
  const LimberSpring *p = params;
  Law law = p->law;
  Rows rows;
  double distance = 0, rest = 0;
  Reason error = ends_of(p, b, &rows, &distance);
  if (!error.text) error = law_error(&law);
  if (!error.text && friction_acts(&law.friction))
    error = reason(REASON_VALUE, "friction", "a spring has no `friction`: use that of the `slide` of an actuator");
  if (!error.text && !law_acts(&law))
    error = reason(REASON_CONFLICT, "stiffness", "a spring needs a `stiffness`, a `table`, `damping` or `limits`");
  if (!error.text) error = rest_of(p, &law, distance, &rest);
  if (error.text) return error;
  law.rest = 0;
  size_t size = 2 * (size_t)law.pairs * sizeof(double);
  double *limits = law.limits ? b->keep(b, 2 * sizeof *limits) : NULL, *table = law.table ? b->keep(b, size) : NULL;
  if ((law.limits && !limits) || (law.table && !table)) return no_reason();
  if (limits) limits[0] = law.limits[0] - rest, limits[1] = law.limits[1] - rest;
  if (table) memcpy(table, law.table, size);
  law.limits = limits, law.table = table;
  Vec3 x[4];
  int first = node_vectors(b->node(b, p->nodes[0], x)); // vectors of the first node come first
  Spring *data = b->add_element(b, 2, p->nodes);
  if (!data) return no_reason();
  *data = (Spring){.law = law, .rest = rest, .count = rows.start[1]};
  while (data->split < data->count && rows.vec[data->split] < first) data->split++;
  for (int i = 0; i < data->count; i++) data->vec[i] = rows.vec[i], data->coef[i] = rows.coef[i];
  return no_reason();
}

static void point(const void *data, int g, ElementPoint *p) {
  static const RowTerm term[] = {{0, 0, 0, 0.5, FACTOR_ONE, 0}};
  const Spring *e = data;
  (void)g;
  rows_y(&p->rows);
  for (int i = 0; i < e->count; i++) rows_y_add(&p->rows, e->vec[i], e->coef[i]);
  p->rows.nrow = 1, p->rows.nroot = 1, p->rows.nterm = 1, p->rows.term = term;
  p->rows.ref[0] = e->rest;
  p->weight = 1, p->at = 0.5;
  element_point_law(p, &law_table, &e->law);
}

static void inertia(const void *data, int node, Inertia *out) {
  (void)data, (void)node;
  *out = (Inertia){0, {0, 0, 0}, {{{0}}}};
}

// Between the ends of its arms: x_a, the negative part of y, and x_b.
static void visual(const void *data, double at, ElementVisual *out) {
  const Spring *e = data;
  (void)at;
  out->shape = VISUAL_SPRING;
  rows_begin(&out->ends);
  rows_y(&out->ends);
  for (int i = 0; i < e->split; i++) rows_y_add(&out->ends, e->vec[i], -e->coef[i]);
  rows_y(&out->ends);
  for (int i = e->split; i < e->count; i++) rows_y_add(&out->ends, e->vec[i], e->coef[i]);
}

static const char *side_word(int i) { // of LimberSide
  static const char *const words[] = {"both", "tension", "compression", NULL};
  return words[i];
}
static const FieldMore side_more = {NULL, side_word};

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberSpring, nodes), "", true, GROUND, "the two nodes", NULL},
    {"from", FIELD_OPTIONAL_REALS, 3, offsetof(LimberSpring, at[0]), "m", false, 0,
     "end of the spring, fixed to the first node, in ground axes at the start; default: the node", &field_position},
    {"to", FIELD_OPTIONAL_REALS, 3, offsetof(LimberSpring, at[1]), "m", false, 0, "the same for the second node",
     &field_position},
    {"stiffness", FIELD_REAL, 1, offsetof(LimberSpring, law.stiffness), "N m-1", false, 0, "force per elongation",
     NULL},
    {"rest", FIELD_REAL, 1, offsetof(LimberSpring, law.rest), "m", false, 0,
     "length at rest; 0: distance of the ends at the start", NULL},
    {"preload", FIELD_REAL, 1, offsetof(LimberSpring, preload), "N", false, 0,
     "force at the start, positive in tension; instead of `rest`", NULL},
    {"clearance", FIELD_REAL, 1, offsetof(LimberSpring, law.clearance), "m", false, 0,
     "deflection from the rest length without force", NULL},
    {"side", FIELD_WORD, 1, offsetof(LimberSpring, law.side), "", false, 0,
     "spring and damper act in tension only or in compression only; default: both", &side_more},
    {"table", FIELD_ROWS, 2, offsetof(LimberSpring, law.table), "m|N", false, 0, LAW_TABLE, NULL},
    {"damping", FIELD_REAL, 1, offsetof(LimberSpring, law.damping), "N s m-1", false, 0,
     "force of a damper per rate of the length", NULL},
    {"limits", FIELD_OPTIONAL_REALS, 2, offsetof(LimberSpring, law.limits), "m", false, 0,
     "smallest and largest length", NULL},
    {"limit_stiffness", FIELD_REAL, 1, offsetof(LimberSpring, law.limit_stiffness), "N m-1", false, 0,
     "stiffness of both limits", NULL},
};

static const char *const row_names[] = {"N"}, *const row_units[] = {"N"}, *const strain_units[] = {"m"};
static const char *const own_names[] = {"length"};
static void own_values(const void *data, int g, const Vec3 *x, const double *strain, const double *force, double *out) {
  (void)g, (void)x, (void)force;
  out[0] = ((const Spring *)data)->rest + strain[0];
}

static const double example_limits[2] = {0.02, 4};
static const LimberSpring example = {
    .nodes = {{1}, {2}},
    .law = {.stiffness = 30, .clearance = 0.005, .damping = 0.4, .limit_stiffness = 200, .limits = example_limits}};

const ElementKind element_spring = {
    .name = "spring",
    .help = "A spring and damper between two points.",
    .fields = FIELDS(fields, LimberSpring),
    .data_size = sizeof(Spring),
    .build = build,
    .points = element_one_point,
    .point = point,
    .inertia = inertia,
    .drawing = {.visual = visual},
    .output = {.row_names = row_names,
               .row_units = row_units,
               .strain_units = strain_units,
               .own = 1,
               .own_names = own_names,
               .own_units = strain_units,
               .own_values = own_values},
    .example = {.nodes = "PF", .item = &example},
};
