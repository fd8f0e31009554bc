// SPDX-License-Identifier: Apache-2.0
// A cable that runs through eyes. Without friction its force is the same in all spans, a law of the whole length
//   l = sum_i |x_(i+1) - x_i|,   V = EA/(2 L) (l - L)^2 where l > L, and 0 where it is slack.
// Each span is a root row, and the law acts along their sum. Its mass stands half and half at the ends of each span, as
// long as this is at the start. A winch, and eyes with friction, change the natural length of the part of the cable
// beside them (mechanics/reel.h). How much has run is the position of a massless point along a line, an own joint for
// each: its multiplier and coordinate are those of any joint. Friction acts along that coordinate, with the force by
// which the tensions beside an eye differ when it slips (Euler and Eytelwein),
//   T_1 - T_2 = (T_1 + T_2) tanh(mu theta/2),
// with the tensions and the angle theta at the start of the step.
// Equations: eq-reeved-energy (23.1), eq-reeled-energy (23.3), eq-reeved-friction (23.5).
#include "mechanics/element.h"
#include "mechanics/reel.h"

#include <string.h>

enum { MOST_EYES = 4, MOST_SPANS = MOST_EYES + 1, MOST_RUNS = MOST_EYES + 1 };

// A coordinate along which cable runs: out of the part `from` and into the part `into`; -1: the drum of a winch.
typedef struct {
  int vec, from, into, eye; // vector of its point; node of its eye
  double friction, start;   // coefficient; along the line at the start
} CableRun;

typedef struct { // spans that have the same force
  int first, spans;
  double length; // natural, at the start
  RowTerm term[MOST_SPANS + 1];
} CablePart;

typedef struct {
  Law law; // of the strain
  int spans, vec[MOST_SPANS + 1];
  double length, start[MOST_SPANS]; // natural; spans at the start
  double share, mass;               // natural length and mass per length of these
  int runs, parts, ground;          // 0: without winch and friction
  CableRun run[MOST_RUNS];
  CablePart part[MOST_EYES + 1];
  Vec3 line; // along which the points of its runs move
  Law rub;   // of a run between parts
} ReevedCable;

// ---- building ----

static Reason check_fields(const LimberReevedCable *p) {
  if (!(p->stiffness > 0))
    return reason(REASON_VALUE, "stiffness", "the stiffness (EA) of a reeved cable must be positive");
  if (p->mass < 0) return reason(REASON_VALUE, "mass", "the mass of a reeved cable must not be negative");
  if (p->length < 0) return reason(REASON_VALUE, "length", "the natural length of a reeved cable must not be negative");
  if (p->damping < 0) return reason(REASON_VALUE, "damping", "negative `damping` would create energy");
  if (p->tension < 0)
    return reason(REASON_VALUE, "tension", "a cable has no compression: `tension` must not be negative");
  if (p->tension > 0 && p->length > 0)
    return reason(REASON_CONFLICT, "length", "`length` follows from `tension`: give one of them");
  for (int i = 0; i < MOST_EYES; i++)
    if (p->friction[i] < 0) return reason(REASON_VALUE, "friction", "negative `friction` would create energy");
  if (p->friction_rate < 0) return reason(REASON_VALUE, "friction_rate", "`friction_rate` must not be negative");
  return no_reason();
}

static void add_part(ReevedCable *e, int first, int end) {
  CablePart *part = &e->part[e->parts++];
  *part = (CablePart){.first = first, .spans = end - first};
  for (int i = first; i < end; i++) {
    part->length += e->share * e->start[i];
    part->term[i - first] = (RowTerm){i - first, i - first, i - first, 0.5, FACTOR_ONE, 0};
  }
  part->term[part->spans] = (RowTerm){part->spans, part->spans, part->spans + 1, 1, FACTOR_ONE, 0};
}

// With friction at an eye each span is a part of its own, so that each has its own force; otherwise a winch reels the
// whole.
static void divide(const LimberReevedCable *p, ReevedCable *e) {
  bool rubs = false;
  for (int i = 0; i + 1 < e->spans; i++) rubs = rubs || p->friction[i] > 0;
  for (int i = 0; i + 1 < e->spans && rubs; i++) {
    add_part(e, i, i + 1);
    e->run[e->runs++] = (CableRun){.from = i, .into = i + 1, .eye = i + 1, .friction = p->friction[i]};
  }
  if (!rubs && !p->winch) return;
  add_part(e, rubs ? e->spans - 1 : 0, e->spans);
  if (!p->winch) return;
  bool start = p->winch == LIMBER_WINCH_FROM;
  e->run[e->runs++] = (CableRun){.from = start ? 0 : e->parts - 1, .into = -1, .eye = start ? 0 : e->spans};
}

static const char *const slip_names[MOST_EYES] = {"slip1", "slip2", "slip3", "slip4"};

// The points of the runs stand at their eyes, and move along the first span, away from the first eye.
static void add_runs(ElementBuilder *b, ReevedCable *e, int *n, LimberNodeId *id, int vec) {
  Vec3 x[4], first[2];
  for (int i = 0; i < 2; i++) b->node(b, id[i], x), first[i] = x[0];
  e->line = vec3_unit(vec3_sub(first[0], first[1]));
  for (int i = 0; i < e->runs; i++) {
    CableRun *run = &e->run[i];
    LimberPointOnLine on = {.nodes = {LIMBER_GROUND}};
    b->node(b, id[run->eye], x);
    on.nodes[1] = id[(*n)++] = b->add_node(b, NODE_POINT, x);
    run->vec = vec++, run->start = vec3_dot(e->line, x[0]);
    vec3_to(e->line, on.axis);
    b->add_joint(b, "point_on_line", run->into < 0 ? "winch" : slip_names[run->eye - 1], run->into < 0, &on);
  }
  e->ground = -1;
  for (int i = 0; i <= e->spans; i++)
    if (id[i].index == GROUND) e->ground = e->vec[i];
  if (e->ground >= 0) return;
  e->ground = vec, id[(*n)++] = LIMBER_GROUND;
}

static Reason build(const void *params, ElementBuilder *b) {
  const LimberReevedCable *p = params;
  LimberNodeId id[MAX_LOCAL_NODES + MOST_RUNS];
  ReevedCable cable = {.spans = 0};
  Vec3 x[4], before = vec3_zero();
  double path = 0;
  int n = 0, vec = 0;
  id[n++] = p->from;
  for (int i = 0; i < MOST_EYES; i++)
    if (!LIMBER_IS_NONE(p->over[i])) id[n++] = p->over[i];
  id[n++] = p->to;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      if (id[i].index == id[j].index)
        return reason(REASON_VALUE, "over",
                      "a reeved cable passes each of its nodes once: put a second node at the same place");
    NodeKind kind = b->node(b, id[i], x);
    if (i > 0) path += cable.start[cable.spans++] = vec3_norm(vec3_sub(x[0], before));
    if (i > 0 && !(cable.start[i - 1] > 0))
      return reason(REASON_GEOMETRY, "over", "two nodes of a reeved cable that follow each other coincide");
    cable.vec[i] = vec, vec += node_vectors(kind), before = x[0];
  }
  Reason error = check_fields(p);
  if (error.text) return error;
  double length = p->length > 0 ? p->length : path / (1 + p->tension / p->stiffness);
  cable.law = (Law){.stiffness = p->stiffness, .damping = p->damping * p->stiffness, .side = LIMBER_SIDE_ABOVE};
  cable.length = length, cable.share = length / path, cable.mass = p->mass * cable.share;
  cable.rub = (Law){.slip_force = 1, .slip_rate = p->friction_rate};
  divide(p, &cable);
  if (n + cable.runs + 1 > MAX_LOCAL_NODES)
    return reason(REASON_LIMIT, "friction", "a cable with `friction` has at most three eyes");
  if (cable.runs) add_runs(b, &cable, &n, id, vec);
  ReevedCable *data = b->add_element(b, n, id);
  if (data) *data = cable;
  return no_reason();
}

// ---- integration points: the whole cable, or its parts and then the runs between them ----

static int points(const void *data) {
  const ReevedCable *e = data;
  return e->runs ? e->parts : 1;
}

static int inner_points(const void *data) {
  const ReevedCable *e = data;
  return e->runs ? e->parts - 1 : 0;
}

static void add_line(const ReevedCable *e, Rows *p) {
  const double line[3] = {e->line.x, e->line.y, e->line.z};
  rows_y(p);
  for (int j = 0; j < 3; j++)
    if (line[j] != 0) rows_y_add(p, e->ground + 1 + j, line[j]);
}

// What has run out of a part: the last row.
static void part_point(const ReevedCable *e, int g, ElementPoint *p) {
  const CablePart *part = &e->part[g];
  Rows *rows = &p->rows;
  int n = part->spans;
  for (int i = 0; i < n; i++) {
    rows_y(rows);
    rows_y_add(rows, e->vec[part->first + i], -1 / part->length);
    rows_y_add(rows, e->vec[part->first + i + 1], 1 / part->length);
    rows->ref[i] = e->share * e->start[part->first + i] / part->length;
  }
  rows_y(rows);
  rows->ref[n] = 0;
  for (int i = 0; i < e->runs; i++) {
    double sign = (e->run[i].from == g) - (e->run[i].into == g);
    if (sign == 0) continue;
    rows_y_add(rows, e->run[i].vec, sign / part->length);
    rows->ref[n] += sign * e->run[i].start / part->length;
  }
  add_line(e, rows);
  rows->nroot = n, rows->nrow = rows->nterm = n + 1, rows->term = part->term;
  p->weight = part->length;
  element_point_law(p, &law_table, &e->law);
  p->response = &response_reel;
  p->at = (part->first + 0.5 * n) / e->spans;
}

static double tension_of(const ReevedCable *e, int part, const Vec3 *x) {
  ElementPoint p;
  double strain[MAX_ROWS], force[MAX_ROWS];
  rows_begin(&p.rows);
  part_point(e, part, &p);
  rows_value(&p.rows, x, no_coords, strain);
  reel_force(&e->law, p.rows.nrow, strain, force);
  return force[0];
}

// A slack cable is held by a damper, so that what has run through an eye is determined, and a taut one by next to
// nothing.
static void set_friction(ElementPoint *p, const Vec3 *xn, Law *own) {
  const ReevedCable *e = p->data;
  const CableRun *run = &e->run[p->g - e->parts];
  Vec3 here = xn[e->vec[run->eye]], in = vec3_sub(here, xn[e->vec[run->eye - 1]]),
       next = vec3_sub(xn[e->vec[run->eye + 1]], here);
  double angle = atan2(vec3_norm(vec3_cross(in, next)), vec3_dot(in, next));
  double sum = tension_of(e, run->from, xn) + tension_of(e, run->into, xn),
         slack = 1 / (1 + 1e6 * sum / e->law.stiffness);
  *own = e->rub, p->of = own;
  own->slip_force = sum * tanh(0.5 * run->friction * angle);
  own->damping = e->law.stiffness * (1e-8 + 1e-4 * slack * slack);
}

static void run_point(const ReevedCable *e, const CableRun *run, ElementPoint *p) {
  static const RowTerm term = {0, 0, 1, 1, FACTOR_ONE, 0};
  rows_y(&p->rows);
  rows_y_add(&p->rows, run->vec, 1);
  add_line(e, &p->rows);
  p->rows.ref[0] = run->start;
  p->rows.nrow = p->rows.nterm = 1, p->rows.term = &term;
  p->weight = 1, p->at = (double)run->eye / e->spans, p->begin = set_friction;
  element_point_law(p, &law_table, &e->rub);
}

static void point(const void *data, int g, ElementPoint *p) {
  static const RowTerm term[MOST_SPANS] = {{0, 0, 0, 0.5, FACTOR_ONE, 0},
                                           {1, 1, 1, 0.5, FACTOR_ONE, 0},
                                           {2, 2, 2, 0.5, FACTOR_ONE, 0},
                                           {3, 3, 3, 0.5, FACTOR_ONE, 0},
                                           {4, 4, 4, 0.5, FACTOR_ONE, 0}};
  const ReevedCable *e = data;
  if (e->runs && g < e->parts) part_point(e, g, p);
  else if (e->runs) run_point(e, &e->run[g - e->parts], p);
  if (e->runs) return;
  for (int i = 0; i < e->spans; i++) {
    rows_y(&p->rows);
    rows_y_add(&p->rows, e->vec[i], -1 / e->length);
    rows_y_add(&p->rows, e->vec[i + 1], 1 / e->length);
    p->rows.ref[i] = e->share * e->start[i] / e->length;
  }
  p->rows.nrow = p->rows.nroot = p->rows.nterm = e->spans, p->rows.term = term;
  p->weight = e->length, p->at = 0.5;
  element_point_law(p, &law_table, &e->law);
}

static int lines(const void *data) { return ((const ReevedCable *)data)->spans; }

static void inertia(const void *data, int node, Inertia *out) {
  const ReevedCable *e = data;
  if (node > e->spans) {
    *out = (Inertia){0, {0, 0, 0}, {{{0}}}};
    return;
  }
  double length = (node > 0 ? e->start[node - 1] : 0) + (node < e->spans ? e->start[node] : 0);
  *out = (Inertia){0.5 * e->mass * length, {0, 0, 0}, {{{0}}}};
}

static void visual(const void *data, double at, ElementVisual *out) {
  (void)data, (void)at;
  out->shape = VISUAL_CABLE;
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

static const char *winch_word(int i) { // of LimberWinch
  static const char *const words[] = {"none", "from", "to", NULL};
  return words[i];
}
static const FieldMore winches = {NULL, winch_word};

#define EYE(i, name, required, help) \
  { name, FIELD_NODE, 1, offsetof(LimberReevedCable, over[i]), "", required, LIMBER_NONE, help, NULL }
static const Field fields[] = {
    {"from", FIELD_NODE, 1, offsetof(LimberReevedCable, from), "", true, GROUND, "point or frame at an end", NULL},
    EYE(0, "over", true, "point or frame: an eye or a small pulley over which it runs"),
    EYE(1, "second", false, "one more eye"),
    EYE(2, "third", false, "one more"),
    EYE(3, "fourth", false, "one more"),
    {"to", FIELD_NODE, 1, offsetof(LimberReevedCable, to), "", true, GROUND, "point or frame at the other end", NULL},
    {"stiffness", FIELD_REAL, 1, offsetof(LimberReevedCable, stiffness), "N", true, 0, "EA", NULL},
    {"mass", FIELD_REAL, 1, offsetof(LimberReevedCable, mass), "kg/m", false, 0,
     "per natural length; lumped at the nodes, so that it does not run with the cable", NULL},
    {"length", FIELD_REAL, 1, offsetof(LimberReevedCable, length), "m", false, 0,
     "natural length, below which it is slack; 0: length of its path at the start", NULL},
    {"tension", FIELD_REAL, 1, offsetof(LimberReevedCable, tension), "N", false, 0,
     "tension at the start, instead of `length`", NULL},
    ELEMENT_DAMPING_FIELD(LimberReevedCable, 1, "; active only while taut"),
    {"friction", FIELD_ONE_OR_REALS, MOST_EYES, offsetof(LimberReevedCable, friction), "", false, 0,
     "coefficient of the eyes, one for all or one for each", NULL},
    {"friction_rate", FIELD_REAL, 1, offsetof(LimberReevedCable, friction_rate), "m/s", false, 1e-3,
     "rate of slip below which friction is viscous (sticking)", NULL},
    {"winch", FIELD_WORD, 1, offsetof(LimberReevedCable, winch), "", false, 0,
     "end at which it is reeled: gives it the joint CABLE.winch, whose coordinate `slide` is the length reeled in",
     &winches},
};

static const char *const row_names[] = {"N1", "N2", "N3", "N4", "N5", "N6"},
                         *const row_units[] = {"N", "N", "N", "N", "N", "N"}, *const strain_units[] = {"1", "1", "1",
                                                                                                       "1", "1", "1"};
static const LimberReevedCable example = {.from = {1},
                                          .to = {3},
                                          .over = {{2}, {LIMBER_NONE}, {LIMBER_NONE}, {LIMBER_NONE}},
                                          .stiffness = 13,
                                          .mass = 0.7,
                                          .damping = 0.05};

const ElementKind element_reeved_cable = {
    .name = "reeved_cable",
    .help = "A cable that runs through eyes or over small pulleys, with friction, reeled by a winch: it can be slack.",
    .fields = FIELDS(fields, LimberReevedCable),
    .data_size = sizeof(ReevedCable),
    .build = build,
    .points = points,
    .point = point,
    .inner_points = inner_points,
    .inertia = inertia,
    .drawing = {.lines = lines, .visual = visual},
    .output = {.row_names = row_names, .row_units = row_units, .strain_units = strain_units},
    .line = {.station = station},
    .example = {.nodes = "PFP", .item = &example},
};
