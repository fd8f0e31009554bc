// SPDX-License-Identifier: Apache-2.0
// Geometrically exact beam with interpolated directors (Romero & Armero 2002; Betsch & Steinmann 2002), degree
// p = 1, 2, 3 on Gauss-Lobatto nodes. With ' the derivative along the unloaded reference line:
//   E1 = (r'.r')/2,  G2 = r'.d2,  G3 = r'.d3,  K_i = (d_k.d_j' - d_j.d_k')/2  (i, j, k cyclic),  minus their reference.
// The axial row is r'.r' and not r'.d1: with p-point quadrature the latter buckles in tension. By choice E1 = |r'|.
// Strain energy by p Gauss points, inertia at the nodes by Lobatto quadrature.
// Equations: eq-load-tension (11.2).
#include "elements/beam.h"

#include "mechanics/curve.h"
#include "mechanics/cell.h"

#include <math.h>
#include <string.h>

enum { Y_R, Y_D1, Y_D2, Y_D3, Y_T1, Y_T2, Y_T3 }; // r', directors, their derivatives

static const RowTerm terms[] = {
    {0, Y_R, Y_R, 0.5, FACTOR_ONE, 0},    {1, Y_R, Y_D2, 1, FACTOR_ONE, 0},     {2, Y_R, Y_D3, 1, FACTOR_ONE, 0},
    {3, Y_D3, Y_T2, 0.5, FACTOR_ONE, 0},  {3, Y_D2, Y_T3, -0.5, FACTOR_ONE, 0}, {4, Y_D1, Y_T3, 0.5, FACTOR_ONE, 0},
    {4, Y_D3, Y_T1, -0.5, FACTOR_ONE, 0}, {5, Y_D2, Y_T1, 0.5, FACTOR_ONE, 0},  {5, Y_D1, Y_T2, -0.5, FACTOR_ONE, 0},
};

static int points(const void *data) { return ((const Beam *)data)->p; }

// y = sum_a n_a (director j of the section at node a)
static void add_director(Rows *rows, const Beam *e, int j, const double *n, double scale) {
  rows_y(rows);
  for (int a = 0; a <= e->p; a++) {
    if (!e->axes) rows_y_add(rows, 4 * a + 1 + j, scale * n[a]);
    else
      for (int i = 0; i < 3; i++)
        if (e->axes[a].m[i][j] != 0) rows_y_add(rows, 4 * a + 1 + i, scale * n[a] * e->axes[a].m[i][j]);
  }
}

static void fill_rows(const Beam *e, int g, Rows *rows) {
  const double *n = e->shape[g].n, *dn = e->shape[g].dn, j = 1 / e->point[g].jacobian;
  rows_y(rows);
  for (int a = 0; a <= e->p; a++) rows_y_add(rows, 4 * a, j * dn[a]);
  for (int d = 0; d < 3; d++) add_director(rows, e, d, n, 1);
  for (int d = 0; d < 3; d++) add_director(rows, e, d, dn, j);
  rows->nrow = 6, rows->nroot = e->stretch, rows->term = terms, rows->nterm = (int)(sizeof terms / sizeof terms[0]);
}

static void point(const void *data, int g, ElementPoint *p) {
  const Beam *e = data;
  fill_rows(e, g, &p->rows);
  memcpy(p->rows.ref, e->point[g].ref, sizeof e->point[g].ref);
  p->weight = gauss_weight[e->p][g] * e->point[g].jacobian;
  p->stiffness = e->point[g].stiffness, p->damping = e->damping, p->damper = e->damper;
  p->at = 0.5 * (1 + gauss_point[e->p][g]);
}

// The interpolated directors, as the strains see them.
static void section_axes(const void *data, int g, const Vec3 *x, Vec3 e[3]) {
  Rows rows = {0};
  fill_rows(data, g, &rows);
  for (int j = 0; j < 3; j++) {
    e[j] = vec3_zero();
    for (int k = rows.start[Y_D1 + j]; k < rows.start[Y_D1 + j + 1]; k++)
      e[j] = vec3_axpy(e[j], rows.coef[k], x[rows.vec[k]]);
  }
}

// What forces of the rows work on: n on r', m on the rate at which the directors turn along the line.
static void resultant(const void *data, int g, const Vec3 *x, const double *force, Vec3 out[2]) {
  const Beam *e = data;
  Rows rows = {0};
  Vec3 y[MAX_Y];
  fill_rows(e, g, &rows);
  rows_interpolate(&rows, x, y);
  out[0] = vec3_scale(e->stretch ? force[0] / vec3_norm(y[Y_R]) : force[0], y[Y_R]);
  out[1] = vec3_zero();
  for (int i = 0; i < 3; i++) {
    if (i) out[0] = vec3_axpy(out[0], force[i], y[Y_D1 + i]);
    out[1] = vec3_axpy(out[1], force[3 + i], vec3_cross(y[Y_D1 + (i + 1) % 3], y[Y_D1 + (i + 2) % 3]));
  }
}

static void station(const void *data, double at, Rows *y) {
  const Beam *e = data;
  double n[MAX_ORDER + 1], dn[MAX_ORDER + 1];
  lobatto_shape(e->p, 2 * at - 1, n, dn);
  rows_y(y);
  for (int a = 0; a <= e->p; a++) rows_y_add(y, 4 * a, n[a]);
  for (int d = 0; d < 3; d++) add_director(y, e, d, n, 1);
}

static void visual(const void *data, double at, ElementVisual *out) {
  const Beam *e = data;
  int g = (int)(at * e->p);
  const double *c = e->point[g < e->p ? g : e->p - 1].stiffness;
  out->shape = VISUAL_BEAM;
  out->gyration[0] = c[7 * 5] / c[0], out->gyration[1] = c[7 * 4] / c[0];
}

static void inertia(const void *data, int node, Inertia *out) {
  const Beam *e = data;
  *out = *e->line[node];
  out->m *= e->weight[node];
  out->s = vec3_scale(e->weight[node], out->s);
  out->j = mat3_scale(e->weight[node], out->j);
  if (e->axes) *out = inertia_turned(out, e->axes[node]);
}

// ---- building ----

// The section at a place 0 .. 1 of the span, straight between stations.
static LimberSection section_at(const LimberSection *st, int count, double at) {
  int i = 0;
  while (i + 2 < count && st[i + 1].at < at) i++;
  LimberSection a = st[i];
  if (count == 1) return a;
  const LimberSection *b = &st[i + 1];
  double f = fmin(1, fmax(0, (at - a.at) / (b->at - a.at)));
  const double *from = &b->stiffness[0][0];
  double *to = &a.stiffness[0][0];
  for (int k = 0; k < 36; k++) to[k] += f * (from[k] - to[k]);
  for (int k = 0; k < 9; k++) a.inertia[k / 3][k % 3] += f * (b->inertia[k / 3][k % 3] - a.inertia[k / 3][k % 3]);
  double mass = a.mass + f * (b->mass - a.mass);
  for (int k = 0; k < 2 && mass > 0; k++) // straight in the first moment, so that J about the centre stays positive
    a.centre[k] = ((1 - f) * a.mass * a.centre[k] + f * b->mass * b->centre[k]) / mass;
  a.mass = mass;
  return a;
}

// Stiffness and line inertia at a place: one copy for a uniform beam, one a place otherwise.
typedef struct {
  double stiffness[36];
  Inertia line;
} SectionData;

static const SectionData *section_data_at(ElementBuilder *b, const LimberSection *st, int count, double at,
                                          const SectionData **uniform) {
  if (count == 1 && *uniform) return *uniform;
  LimberSection s = section_at(st, count, at);
  SectionData *p = b->keep(b, sizeof *p);
  if (!p) return NULL;
  memcpy(p->stiffness, s.stiffness, sizeof p->stiffness);
  memcpy(p->line.j.m, s.inertia, sizeof s.inertia);
  p->line.m = s.mass;
  p->line.s = vec3(0, s.mass * s.centre[0], s.mass * s.centre[1]);
  *uniform = p;
  return p;
}

static bool wants_node(LimberNodeId id) { return !LIMBER_IS_NONE(id) && id.index != GROUND; }

// What the user said of the ends. A place of zeros is one that was not given, where a curve brings its own.
typedef struct {
  Vec3 start, end, first; // first axis of the node at the start
  bool node[2];
} BeamEnds;

static Reason ends_of(const LimberBeam *p, ElementBuilder *b, BeamEnds *e) {
  Vec3 x[4];
  *e = (BeamEnds){vec3_of(p->start), vec3_of(p->end), vec3_zero(), {wants_node(p->from), wants_node(p->to)}};
  if (e->node[0]) {
    if (b->node(b, p->from, x) == NODE_POINT) return reason(REASON_VALUE, "from", "the ends of a beam must be frames");
    e->start = x[0], e->first = x[1];
  }
  if (e->node[1]) {
    if (b->node(b, p->to, x) == NODE_POINT) return reason(REASON_VALUE, "to", "the ends of a beam must be frames");
    e->end = x[0];
  }
  return no_reason();
}

static const char parallel[] = "`up` is parallel to the beam";

static Reason straight_line(const BeamEnds *e, Vec3 up, Curve *c) {
  c->along = vec3_sub(e->end, e->start), c->length = vec3_norm(c->along);
  if (!(c->length > 0)) return reason(REASON_GEOMETRY, e->node[1] ? "to" : "end", "the ends of the beam coincide");
  return curve_axes(c->along, up, &c->axes) ? no_reason() : reason(REASON_GEOMETRY, "up", parallel);
}

// Constant curvature in section axes; `end` lies ahead on the first tangent, or the beam starts along a node's first
// axis.
static Reason bent_line(const LimberBeam *p, const BeamEnds *e, Vec3 up, Curve *c) {
  Vec3 ahead = vec3_of(p->end), along = vec3_sub(ahead, e->start);
  if (e->node[0] && !(vec3_norm(ahead) > 0)) along = e->first;
  if (!(p->length > 0)) return reason(REASON_CONFLICT, "curvature", "a curved beam needs its length");
  if (!(vec3_norm(along) > 0))
    return reason(REASON_CONFLICT, "curvature",
                  "a curved beam needs the direction in which it starts: give `end` on its first tangent");
  c->curved = true, c->length = p->length;
  return curve_axes(along, up, &c->axes) ? no_reason() : reason(REASON_GEOMETRY, "up", parallel);
}

// The turn about the axis from start to end, in 0 .. 2 pi.
static double turn_between(Vec3 centre, Vec3 axis, Vec3 start, Vec3 end) {
  Vec3 a = vec3_unit(axis), p = vec3_sub(start, centre), q = vec3_sub(end, centre);
  double turn = atan2(vec3_dot(a, vec3_cross(p, q)), vec3_dot(p, q) - vec3_dot(a, p) * vec3_dot(a, q));
  return turn > 0 ? turn : turn + 6.283185307179586;
}

static Reason screw_line(const LimberBeam *p, const BeamEnds *e, Vec3 up, Curve *c) {
  bool arc = vec3_norm(vec3_of(p->arc.axis)) > 0, upright;
  Vec3 centre = vec3_of(arc ? p->arc.centre : p->helix.centre), axis = vec3_of(arc ? p->arc.axis : p->helix.axis);
  double turn = arc ? p->arc.angle : 6.283185307179586 * p->helix.turns,
         climb = arc ? 0 : p->helix.turns * p->helix.pitch;
  if (arc && turn == 0) turn = turn_between(centre, axis, e->start, e->end);
  if (turn == 0) return reason(REASON_CONFLICT, "helix", "a helix needs `turns`");
  if (!curve_screw(c, centre, axis, turn, climb, up, &upright))
    return arc ? reason(REASON_GEOMETRY, "arc", "the arc starts on its axis")
               : reason(REASON_GEOMETRY, "helix", "the helix starts on its axis");
  return upright ? no_reason() : reason(REASON_GEOMETRY, "up", parallel);
}

static Reason line_through(const LimberBeam *p, ElementBuilder *b, const BeamEnds *e, Vec3 up, Curve *c) {
  Vec3 first = vec3_of(p->station[0].at);
  double gap = vec3_norm(vec3_sub(first, e->start));
  if (p->stations < 2)
    return reason(REASON_VALUE, "stations", "a line through stations needs two or more, including both ends");
  for (int i = 1; i < p->stations; i++)
    if (!(vec3_norm(vec3_sub(vec3_of(p->station[i].at), vec3_of(p->station[i - 1].at))) > 0))
      return reason(REASON_GEOMETRY, "stations", b->say(b, "stations %d and %d coincide", i, i + 1));
  void *memory = b->keep(b, curve_room(p->stations));
  if (!memory) return no_reason();
  if (!curve_through(c, p->stations, p->station, up, memory)) return reason(REASON_GEOMETRY, "up", parallel);
  if ((e->node[0] || vec3_norm(e->start) > 0) && gap > 1e-6 * c->length)
    return reason(REASON_VALUE, "stations",
                  b->say(b, "the first of its stations is %.3g m away from the start of the beam", gap));
  return no_reason();
}

// To a billionth of the size, so that round-off is not told.
static double round_to_size(double x, double size) { return 1e-9 * size * round(x / (1e-9 * size)) + 0.0; }

static Reason line_of(const LimberBeam *p, ElementBuilder *b, Curve *c) {
  static const char *const names[] = {"curvature", "arc", "helix", "stations"}, *const lines[] = {
                                                                                    "curved line", "arc", "helix",
                                                                                    "line through stations"};
  const bool given[] = {vec3_norm(vec3_of(p->curvature)) > 0, vec3_norm(vec3_of(p->arc.axis)) > 0,
                        vec3_norm(vec3_of(p->helix.axis)) > 0, p->stations > 0};
  Vec3 up = vec3_of(p->up), x[4];
  BeamEnds e;
  int one = -1;
  Reason error = ends_of(p, b, &e);
  if (error.text) return error;
  for (int i = 0; i < 4; i++) {
    if (given[i] && one >= 0)
      return reason(REASON_CONFLICT, names[i], b->say(b, "give a beam `%s` or `%s`, not both", names[i], names[one]));
    if (given[i]) one = i;
  }
  if (p->arc.angle != 0 && !given[1]) return reason(REASON_CONFLICT, "arc", "an arc needs its axis");
  if (p->helix.turns != 0 && !given[2]) return reason(REASON_CONFLICT, "helix", "a helix needs its axis");
  *c = (Curve){.start = e.start, .curvature = vec3_of(p->curvature), .twist = p->twist};
  if (one < 0) return straight_line(&e, up, c);
  if (one == 0) error = bent_line(p, &e, up, c);
  else if (one == 3) error = line_through(p, b, &e, up, c);
  else error = screw_line(p, &e, up, c);
  if (error.text || !(c->length > 0)) return error;
  bool known = e.node[1] || (one > 0 && vec3_norm(e.end) > 0), open = one == 1 && p->arc.angle == 0;
  if (!known && !open) return no_reason();
  curve_at(c, 1, x);
  double gap = vec3_norm(vec3_sub(x[0], e.end));
  if (gap <= 1e-6 * c->length) return no_reason();
  if (!known) return reason(REASON_CONFLICT, "arc", "an arc needs its angle, or an end of the beam");
  return reason(REASON_VALUE, e.node[1] ? "to" : "end",
                b->say(b, "the %s ends at [%.6g, %.6g, %.6g], %.3g m away from its `%s`", lines[one],
                       round_to_size(x[0].x, c->length), round_to_size(x[0].y, c->length),
                       round_to_size(x[0].z, c->length), gap, e.node[1] ? "to" : "end"));
}

// The node at a place: the one that the user named at an end, or a new frame. Section axes in the node's own go to q.
static LimberNodeId node_at(const LimberBeam *p, ElementBuilder *b, const Curve *l, int i, int last, Mat3 *q,
                            bool *turned) {
  Vec3 x[4], own[4];
  int e = i / p->order, a = i % p->order;
  double at = (e + 0.5 * (1 + lobatto_node[p->order][a])) / p->elements;
  if (i == last) at = 1;
  curve_at(l, at, x);
  LimberNodeId id = i == 0 ? p->from : i == last ? p->to : LIMBER_NO_NODE;
  *q = mat3_identity();
  if (!wants_node(id)) return b->add_node(b, NODE_FRAME, x);
  b->node(b, id, own);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) q->m[r][c] = vec3_dot(own[r + 1], x[c + 1]);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      if (fabs(q->m[r][c] - (r == c)) > 1e-14) *turned = true;
  return id;
}

// Moves the reference of the strains from where the beam is written, where C e = (tension, 0, ...), to where it would
// be free of force. Gauss: C is positive definite.
static bool add_slack(const double *stiffness, double tension, double *ref) {
  double c[6][7] = {{0}};
  for (int r = 0; r < 6; r++) memcpy(c[r], stiffness + 6 * r, 6 * sizeof(double));
  c[0][6] = tension;
  for (int k = 0; k < 6; k++)
    for (int r = 0; r < 6; r++) {
      double f = r == k ? 0 : c[r][k] / c[k][k];
      for (int q = k; q < 7; q++) c[r][q] -= f * c[k][q];
    }
  for (int r = 0; r < 6; r++) ref[r] -= c[r][6] / c[r][r];
  return fabs(c[0][6] / c[0][0]) < 0.5;
}

// Roots of the times of damping of the six strains; NULL: the beam has one time for all.
static Reason strain_damper(const LimberBeam *p, ElementBuilder *b, double **out) {
  if (!p->strain_damping) return no_reason();
  if (p->damping > 0)
    return reason(REASON_CONFLICT, "strain_damping", "`strain_damping` takes the place of `damping`: give one of them");
  *out = b->keep(b, 6 * sizeof **out);
  for (int r = 0; r < 6 && *out; r++) {
    if (!(p->strain_damping[r] >= 0))
      return reason(REASON_VALUE, "strain_damping", "negative `strain_damping` would create energy");
    (*out)[r] = sqrt(p->strain_damping[r]);
  }
  return no_reason();
}

static Reason build(const void *params, ElementBuilder *b) {
  const LimberBeam *p = params;
  Curve l;
  bool stretch = p->measure == LIMBER_STRAIN_STRETCH;
  Reason error = line_of(p, b, &l);
  if (error.text) return error;
  if (p->order < 1 || p->order > MAX_ORDER) return reason(REASON_VALUE, "order", "the order of a beam is 1, 2 or 3");
  if (p->damping < 0) return reason(REASON_VALUE, "damping", "negative `damping` would create energy");
  double *damper = NULL;
  error = strain_damper(p, b, &damper);
  if (error.text) return error;
  if (p->elements < 1) return reason(REASON_VALUE, "elements", "a beam has at least one element");
  if (p->elements > b->most) return reason(REASON_LIMIT, "elements", element_too_many);
  int stations, last = p->elements * p->order;
  const LimberSection *st = b->section(b, p->section, &stations);
  if (!st) return reason(REASON_VALUE, "section", "the section of the beam is not defined");
  LimberNodeId ids[MAX_ORDER + 1];
  Mat3 axes[MAX_ORDER + 1];
  const SectionData *uniform = NULL;
  BeamShape *shape = b->keep(b, (size_t)p->order * sizeof *shape);
  if (!shape) return no_reason();
  for (int g = 0; g < p->order; g++) lobatto_shape(p->order, gauss_point[p->order][g], shape[g].n, shape[g].dn);
  for (int e = 0; e < p->elements; e++) {
    bool turned = false;
    if (e > 0) ids[0] = ids[p->order], axes[0] = mat3_identity();
    for (int a = e > 0; a <= p->order; a++) ids[a] = node_at(p, b, &l, e * p->order + a, last, &axes[a], &turned);
    Beam *data = b->add_element(b, p->order + 1, ids);
    if (!data) return no_reason();
    data->p = p->order, data->shape = shape, data->stretch = stretch;
    data->damping = damper ? 0 : p->damping, data->damper = damper;
    if (turned) {
      Mat3 *keep = b->keep(b, sizeof axes);
      if (!keep) return no_reason();
      memcpy(keep, axes, sizeof axes);
      data->axes = keep;
    }
    Vec3 x[4 * (MAX_ORDER + 1)];
    for (int a = 0; a <= p->order; a++) b->node(b, ids[a], &x[4 * a]);
    double n[MAX_ORDER + 1], dn[MAX_ORDER + 1];
    for (int g = 0; g < p->order; g++) {
      Vec3 slope = vec3_zero();
      for (int a = 0; a <= p->order; a++) slope = vec3_axpy(slope, shape[g].dn[a], x[4 * a]);
      data->point[g].jacobian = vec3_norm(slope);
      double along = (e + 0.5 * (1 + gauss_point[p->order][g])) / p->elements;
      const SectionData *at = section_data_at(b, st, stations, along, &uniform);
      if (!at) return no_reason();
      data->point[g].stiffness = at->stiffness;
      Rows rows = {0};
      fill_rows(data, g, &rows);
      rows_value(&rows, x, no_coords, data->point[g].ref);
      if (p->tension != 0 && !add_slack(at->stiffness, p->tension, data->point[g].ref))
        return reason(REASON_VALUE, "tension", "`tension` would stretch it by half its length or more");
    }
    for (int a = 0; a <= p->order; a++) {
      lobatto_shape(p->order, lobatto_node[p->order][a], n, dn);
      Vec3 slope = vec3_zero();
      for (int i = 0; i <= p->order; i++) slope = vec3_axpy(slope, dn[i], x[4 * i]);
      const SectionData *at =
          section_data_at(b, st, stations, (e + 0.5 * (1 + lobatto_node[p->order][a])) / p->elements, &uniform);
      if (!at) return no_reason();
      data->line[a] = &at->line;
      data->weight[a] = lobatto_weight[p->order][a] * vec3_norm(slope);
    }
  }
  return no_reason();
}

static const Field arc_fields[] = {
    {"axis", FIELD_REALS, 3, offsetof(LimberArc, axis), "", true, 0, "axis of rotation, right-handed",
     &field_direction},
    {"centre", FIELD_REALS, 3, offsetof(LimberArc, centre), "m", false, 0, "a point of the axis", &field_position},
    {"angle", FIELD_REAL, 1, offsetof(LimberArc, angle), "rad", false, 0, "angle of the arc; default: up to the end",
     NULL},
};
static const FieldTable arc_table = FIELDS(arc_fields, LimberArc);
static const FieldMore arc_more = {&arc_table, NULL};

static const Field helix_fields[] = {
    {"axis", FIELD_REALS, 3, offsetof(LimberHelix, axis), "", true, 0, "axis of rotation, right-handed",
     &field_direction},
    {"centre", FIELD_REALS, 3, offsetof(LimberHelix, centre), "m", false, 0, "a point of the axis", &field_position},
    {"turns", FIELD_REAL, 1, offsetof(LimberHelix, turns), "", true, 0, "number of turns", NULL},
    {"pitch", FIELD_REAL, 1, offsetof(LimberHelix, pitch), "m", true, 0,
     "rise along the axis per turn; negative: left-handed", NULL},
};
static const FieldTable helix_table = FIELDS(helix_fields, LimberHelix);
static const FieldMore helix_more = {&helix_table, NULL};

static const Field station_fields[] = {
    {"at", FIELD_REALS, 3, offsetof(LimberStation, at), "m", true, 0, "place", &field_position},
    {"twist", FIELD_REAL, 1, offsetof(LimberStation, twist), "rad", false, 0, "rotation of the section about e1", NULL},
};
static const FieldTable station_table = FIELDS(station_fields, LimberStation);
static const FieldMore station_more = {&station_table, NULL};

static const Field fields[] = {
    {"from", FIELD_NODE, 1, offsetof(LimberBeam, from), "", false, LIMBER_NONE,
     "frame at the start; default: a new one", NULL},
    {"to", FIELD_NODE, 1, offsetof(LimberBeam, to), "", false, LIMBER_NONE, "frame at the end; default: a new one",
     NULL},
    {"section", FIELD_SECTION, 1, offsetof(LimberBeam, section), "", true, LIMBER_NONE,
     "stiffness and inertia per length", NULL},
    {"elements", FIELD_INT, 1, offsetof(LimberBeam, elements), "", false, 4, "finite elements along the beam", NULL},
    {"order", FIELD_INT, 1, offsetof(LimberBeam, order), "", false, 3, "degree of the elements: 1, 2 or 3", NULL},
    {"start", FIELD_REALS, 3, offsetof(LimberBeam, start), "m", false, 0, "position of the start, without `from`",
     &field_position},
    {"end", FIELD_REALS, 3, offsetof(LimberBeam, end), "m", false, 0,
     "position of the end, without `to`; for a curved beam: a point on its first tangent, or 0: along the first axis "
     "of `from`",
     &field_point},
    {"up", FIELD_REALS, 3, offsetof(LimberBeam, up), "", false, 0, "section axis e2 lies in the plane of e1 and up",
     &field_direction},
    {"twist", FIELD_REAL, 1, offsetof(LimberBeam, twist), "rad", false, 0,
     "pre-twist from start to end, linear along the beam", NULL},
    {"curvature", FIELD_REALS, 3, offsetof(LimberBeam, curvature), "m-1", false, 0,
     "constant curvature of the unloaded beam in section axes (twist rate, about e2, about e3)", NULL},
    {"length", FIELD_REAL, 1, offsetof(LimberBeam, length), "m", false, 0, "arc length, if `curvature` is given", NULL},
    {"arc", FIELD_MAP, 1, offsetof(LimberBeam, arc), "", false, 0, "an arc of a circle about an axis", &arc_more},
    {"helix", FIELD_MAP, 1, offsetof(LimberBeam, helix), "", false, 0, "a helix about an axis", &helix_more},
    {"stations", FIELD_MAPS, 1, offsetof(LimberBeam, station), "", false, 0,
     "a smooth line through these points, including both ends", &station_more},
    ELEMENT_DAMPING_FIELD(LimberBeam, 2, ""),
    {"strain_damping", FIELD_OPTIONAL_REALS, 6, offsetof(LimberBeam, strain_damping), "s", false, 0,
     "in place of `damping`: a time for each strain, axial, shear along e2, e3, torsion, bending about e2, e3", NULL},
    {"tension", FIELD_REAL, 1, offsetof(LimberBeam, tension), "N", false, 0,
     "axial force in the reference configuration", NULL},
    ELEMENT_MEASURE(LimberBeam),
};

static const char *const row_names[] = {"N", "V2", "V3", "M1", "M2", "M3"};
static const char *const row_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const char *const strain_units[] = {"1", "1", "1", "m-1", "m-1", "m-1"};
static const LimberBeam example = {
    .from = {1}, .to = {2}, .section = {0}, .elements = 2, .order = 3, .twist = 0.4, .damping = 0.02};

const ElementKind element_beam = {
    .name = "beam",
    .help = "A geometrically exact beam: large rotation, shear, coupling, curvature.",
    .fields = FIELDS(fields, LimberBeam),
    .data_size = sizeof(Beam),
    .build = build,
    .points = points,
    .point = point,
    .inertia = inertia,
    .batch = &beam_batch,
    .drawing = {.visual = visual},
    .output = {.row_names = row_names, .row_units = row_units, .strain_units = strain_units},
    .line = {.station = station, .axes = section_axes, .resultant = resultant},
    .example = {.nodes = "FF", .item = &example},
};
