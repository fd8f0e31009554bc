// SPDX-License-Identifier: Apache-2.0
// Geometrically exact beam with interpolated directors (Romero & Armero 2002; Betsch & Steinmann 2002), degree
// p = 1, 2, 3 on Gauss-Lobatto nodes. With ' the derivative along the unloaded reference line:
//   E1 = (r'.r')/2,  G2 = r'.d2,  G3 = r'.d3,  K_i = (d_k.d_j' - d_j.d_k')/2  (i, j, k cyclic),  minus their reference.
// The axial row is r'.r' and not r'.d1: with p-point quadrature the latter buckles in tension.
// Strain energy by p Gauss points, inertia at the nodes by Lobatto quadrature.
#include "mechanics/element.h"

#include "base/rotation.h"
#include "mechanics/quadrature.h"

#include <string.h>

typedef struct {
  int p;
  const Mat3 *axes; // NULL, or for each node the section axes as columns in the node's axes
  struct {
    double jacobian;
    const double *stiffness;
    double ref[6];
  } point[MAX_ORDER];
  const Inertia *line[MAX_ORDER + 1]; // inertia per length at the nodes, section axes
  double weight[MAX_ORDER + 1];
} Beam;

enum { Y_R, Y_D1, Y_D2, Y_D3, Y_T1, Y_T2, Y_T3 }; // r', directors, their derivatives

static const RowTerm terms[] = {
    {0, Y_R, Y_R, 0.5, FACTOR_ONE},    {1, Y_R, Y_D2, 1, FACTOR_ONE},     {2, Y_R, Y_D3, 1, FACTOR_ONE},
    {3, Y_D3, Y_T2, 0.5, FACTOR_ONE},  {3, Y_D2, Y_T3, -0.5, FACTOR_ONE}, {4, Y_D1, Y_T3, 0.5, FACTOR_ONE},
    {4, Y_D3, Y_T1, -0.5, FACTOR_ONE}, {5, Y_D2, Y_T1, 0.5, FACTOR_ONE},  {5, Y_D1, Y_T2, -0.5, FACTOR_ONE},
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

static void table(const Beam *e, int g, Rows *rows) {
  double n[MAX_ORDER + 1], dn[MAX_ORDER + 1], j = 1 / e->point[g].jacobian;
  lobatto_shape(e->p, gauss_point[e->p][g], n, dn);
  rows_y(rows);
  for (int a = 0; a <= e->p; a++) rows_y_add(rows, 4 * a, j * dn[a]);
  for (int d = 0; d < 3; d++) add_director(rows, e, d, n, 1);
  for (int d = 0; d < 3; d++) add_director(rows, e, d, dn, j);
  rows->nrow = 6, rows->term = terms, rows->nterm = (int)(sizeof terms / sizeof terms[0]);
}

static void point(const void *data, int g, ElementPoint *p) {
  const Beam *e = data;
  table(e, g, &p->rows);
  memcpy(p->rows.ref, e->point[g].ref, sizeof e->point[g].ref);
  p->weight = gauss_weight[e->p][g] * e->point[g].jacobian;
  p->stiffness = e->point[g].stiffness;
  p->at = 0.5 * (1 + gauss_point[e->p][g]);
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
} Place;

static const Place *place_at(ElementBuilder *b, const LimberSection *st, int count, double at, const Place **uniform) {
  if (count == 1 && *uniform) return *uniform;
  LimberSection s = section_at(st, count, at);
  Place *p = b->keep(b, sizeof *p);
  if (!p) return NULL;
  memcpy(p->stiffness, s.stiffness, sizeof p->stiffness);
  memcpy(p->line.j.m, s.inertia, sizeof s.inertia);
  p->line.m = s.mass;
  p->line.s = vec3(0, s.mass * s.centre[0], s.mass * s.centre[1]);
  *uniform = p;
  return p;
}

// The unloaded beam: position and section axes at a place. A straight line with linear twist, or a line of constant
// material curvature k, on which the axes are A0 exp(s k~) and the position is the integral of their first column.
typedef struct {
  Vec3 start, along;
  Mat3 axes;
  double length, twist;
  Vec3 curvature;
  bool curved;
} Line;

static void line_at(const Line *l, double at, Vec3 x[4]) {
  Mat3 turn;
  if (l->curved) {
    double s = at * l->length, k = vec3_norm(l->curvature), phi = k * s;
    Mat3 skew = mat3_cross(l->curvature), square = mat3_mul(skew, skew);
    turn = rotation_exponential(vec3_scale(s, l->curvature));
    // integral of exp(s k~): s I + (1 - cos phi)/k^2 k~ + (phi - sin phi)/k^3 k~ k~
    double half = phi < 1e-8 ? s / 2 : sin(phi / 2) / k, f1 = 2 * half * half;
    double f2 =
        phi < 1e-2 ? s * s * s / 6 * (1 - phi * phi / 20 * (1 - phi * phi / 42)) : (phi - sin(phi)) / (k * k * k);
    Mat3 path = mat3_axpy(mat3_axpy(mat3_scale(s, mat3_identity()), f1, skew), f2, square);
    x[0] = vec3_add(l->start, mat3_apply(l->axes, mat3_column(path, 0)));
  } else {
    turn = rotation_exponential(vec3(at * l->twist, 0, 0));
    x[0] = vec3_axpy(l->start, at, l->along);
  }
  Mat3 axes = mat3_mul(l->axes, turn);
  for (int j = 0; j < 3; j++) x[j + 1] = mat3_column(axes, j);
}

static bool wants_node(LimberId id) { return id != LIMBER_NONE && id != LIMBER_GROUND; }

static const char *line_of(const LimberBeam *p, ElementBuilder *b, Line *l) {
  Vec3 x[4], first = vec3_zero(), up = vec3_of(p->up);
  l->start = vec3_of(p->start);
  Vec3 end = vec3_of(p->end), last = end;
  if (wants_node(p->from)) {
    if (b->node(b, p->from, x) == NODE_POINT) return "a beam's ends are frames";
    l->start = x[0], first = x[1];
  }
  if (wants_node(p->to)) {
    if (b->node(b, p->to, x) == NODE_POINT) return "a beam's ends are frames";
    last = x[0];
  }
  l->curvature = vec3_of(p->curvature);
  l->curved = vec3_norm(l->curvature) > 0;
  l->along = vec3_sub(l->curved ? end : last, l->start);
  if (l->curved && wants_node(p->from) && !(vec3_norm(end) > 0)) l->along = first;
  if (l->curved && !(p->length > 0)) return "a curved beam needs its length";
  if (!l->curved && !(vec3_norm(l->along) > 0)) return "the ends of the beam coincide";
  if (l->curved && !(vec3_norm(l->along) > 0))
    return "a curved beam needs the direction in which it starts: give `end` on its first tangent";
  l->length = l->curved ? p->length : vec3_norm(l->along);
  l->twist = p->twist;
  Vec3 e1 = vec3_unit(l->along);
  if (!(vec3_norm(up) > 0)) up = fabs(e1.z) < 0.9 ? vec3_cross(vec3(0, 0, 1), e1) : vec3(0, 1, 0);
  Vec3 e3 = vec3_cross(e1, up);
  if (!(vec3_norm(e3) > 1e-9 * vec3_norm(up))) return "`up` is parallel to the beam";
  e3 = vec3_unit(e3);
  l->axes = mat3_columns(e1, vec3_cross(e3, e1), e3);
  if (l->curved && wants_node(p->to)) {
    line_at(l, 1, x);
    if (vec3_norm(vec3_sub(x[0], last)) > 1e-6 * l->length) return "the curved beam does not end at its `to` node";
  }
  return NULL;
}

// The node at a place: the one that the user named at an end, or a new frame. Section axes in the node's own go to q.
static LimberId node_at(const LimberBeam *p, ElementBuilder *b, const Line *l, int i, int last, Mat3 *q, bool *turned) {
  Vec3 x[4], own[4];
  int e = i / p->order, a = i % p->order;
  double at = (e + 0.5 * (1 + lobatto_node[p->order][a])) / p->elements;
  if (i == last) at = 1;
  line_at(l, at, x);
  LimberId id = i == 0 ? p->from : i == last ? p->to : LIMBER_NONE;
  *q = mat3_identity();
  if (!wants_node(id)) return b->add_frame(b, x);
  b->node(b, id, own);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) q->m[r][c] = vec3_dot(own[r + 1], x[c + 1]);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      if (fabs(q->m[r][c] - (r == c)) > 1e-14) *turned = true;
  return id;
}

static const char *build(const void *params, ElementBuilder *b) {
  const LimberBeam *p = params;
  Line l;
  const char *wrong = line_of(p, b, &l);
  if (wrong) return wrong;
  if (p->order < 1 || p->order > MAX_ORDER) return "the order of a beam is 1, 2 or 3";
  if (p->elements < 1) return "a beam has at least one element";
  if (p->elements > LIMBER_MOST_ELEMENTS) return element_too_many;
  int stations, last = p->elements * p->order;
  const LimberSection *st = b->section(b, p->section, &stations);
  if (!st) return "the beam's section is not known";
  LimberId ids[MAX_ORDER + 1];
  Mat3 axes[MAX_ORDER + 1];
  const Place *uniform = NULL;
  for (int e = 0; e < p->elements; e++) {
    bool turned = false;
    if (e > 0) ids[0] = ids[p->order], axes[0] = mat3_identity();
    for (int a = e > 0; a <= p->order; a++) ids[a] = node_at(p, b, &l, e * p->order + a, last, &axes[a], &turned);
    Beam *data = b->add_element(b, p->order + 1, ids);
    if (!data) return NULL;
    data->p = p->order;
    if (turned) {
      Mat3 *keep = b->keep(b, sizeof axes);
      if (!keep) return NULL;
      memcpy(keep, axes, sizeof axes);
      data->axes = keep;
    }
    Vec3 x[4 * (MAX_ORDER + 1)];
    for (int a = 0; a <= p->order; a++) b->node(b, ids[a], &x[4 * a]);
    double n[MAX_ORDER + 1], dn[MAX_ORDER + 1];
    for (int g = 0; g < p->order; g++) {
      lobatto_shape(p->order, gauss_point[p->order][g], n, dn);
      Vec3 slope = vec3_zero();
      for (int a = 0; a <= p->order; a++) slope = vec3_axpy(slope, dn[a], x[4 * a]);
      data->point[g].jacobian = vec3_norm(slope);
      double along = (e + 0.5 * (1 + gauss_point[p->order][g])) / p->elements;
      const Place *at = place_at(b, st, stations, along, &uniform);
      if (!at) return NULL;
      data->point[g].stiffness = at->stiffness;
      Rows rows = {0};
      table(data, g, &rows);
      rows_value(&rows, x, 0, data->point[g].ref);
    }
    for (int a = 0; a <= p->order; a++) {
      lobatto_shape(p->order, lobatto_node[p->order][a], n, dn);
      Vec3 slope = vec3_zero();
      for (int i = 0; i <= p->order; i++) slope = vec3_axpy(slope, dn[i], x[4 * i]);
      const Place *at = place_at(b, st, stations, (e + 0.5 * (1 + lobatto_node[p->order][a])) / p->elements, &uniform);
      if (!at) return NULL;
      data->line[a] = &at->line;
      data->weight[a] = lobatto_weight[p->order][a] * vec3_norm(slope);
    }
  }
  return NULL;
}

static const Field fields[] = {
    {"from", FIELD_NODE, 1, offsetof(LimberBeam, from), "", false, LIMBER_NONE, "frame at the start; none: made", NULL},
    {"to", FIELD_NODE, 1, offsetof(LimberBeam, to), "", false, LIMBER_NONE, "frame at the end; none: made", NULL},
    {"section", FIELD_SECTION, 1, offsetof(LimberBeam, section), "", true, LIMBER_NONE,
     "stiffness and inertia per length", NULL},
    {"elements", FIELD_INT, 1, offsetof(LimberBeam, elements), "", false, 4, "finite elements along the beam", NULL},
    {"order", FIELD_INT, 1, offsetof(LimberBeam, order), "", false, 3, "degree of the elements: 1, 2 or 3", NULL},
    {"start", FIELD_REALS, 3, offsetof(LimberBeam, start), "m", false, 0, "where it starts if `from` is none", NULL},
    {"end", FIELD_REALS, 3, offsetof(LimberBeam, end), "m", false, 0,
     "where it ends if `to` is none; of a curved beam: a point ahead on its first tangent, or 0: along the first axis "
     "of `from`",
     NULL},
    {"up", FIELD_REALS, 3, offsetof(LimberBeam, up), "", false, 0, "section axis e2 lies in the plane of e1 and up",
     NULL},
    {"twist", FIELD_REAL, 1, offsetof(LimberBeam, twist), "rad", false, 0, "pre-twist from start to end", NULL},
    {"curvature", FIELD_REALS, 3, offsetof(LimberBeam, curvature), "m-1", false, 0,
     "constant curvature of the unloaded beam in section axes (twist rate, about e2, about e3)", NULL},
    {"length", FIELD_REAL, 1, offsetof(LimberBeam, length), "m", false, 0, "arc length of a curved beam", NULL},
};

static const char *const row_names[] = {"N", "V2", "V3", "M1", "M2", "M3"};
static const LimberBeam example = {.from = 1, .to = 2, .section = 0, .elements = 2, .order = 3, .twist = 0.4};

const ElementKind element_beam = {
    .name = "beam",
    .help = "A geometrically exact beam: large rotation, shear, coupling, curvature.",
    .fields = FIELDS(fields, LimberBeam),
    .data_size = sizeof(Beam),
    .build = build,
    .points = points,
    .point = point,
    .inertia = inertia,
    .row_names = row_names,
    .example_nodes = "FF",
    .example = &example,
};
