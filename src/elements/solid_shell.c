// SPDX-License-Identifier: Apache-2.0
// A shell without rotations: hexahedra with four points on each face. With xi, eta along the surface and zeta through the thickness,
//   g_1, g_2: derivatives of the place along the surface,   d_c = (x above - x below)/2 at the corners c,
// strains along the surface are Green's, at 2 x 2 x 2 points. Those across are tied, so that bending makes none of
// them:
//   E_33 from d_c . d_c at the four corners, linear in xi and eta between them;
//   2 E_13 from g_1 . d at the middles of the two edges along xi, 2 E_23 from g_2 . d at those along eta (Dvorkin & Bathe 1984).
// All are dot products, as every table is. Stress along the surface is plane stress, E E_33 is that across, without a
// tie between them: the strain across cannot vary through the thickness, as bending would ask for. Shear across has the
// factor 5/6.
#include "elements/continuum.h"

#include "mechanics/shape.h"

enum { NODES = 8, SURFACE_POINTS = 4, TERMS = 23 }; // places: points along the surface
enum { Y_1, Y_2, Y_D, Y_G = Y_D + 4 };

typedef struct {
  RowTerm term[TERMS];
  double ref[6];
} Ties; // at one place, all through the thickness

typedef struct {
  Vec3 at[NODES]; // at the reference
  int first[NODES];
  double mass[NODES], damping;
  const double *stiffness;
  Ties tie[SURFACE_POINTS];
} Shell;

static const double sign[NODES][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                      {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
static const double gauss = 0.5773502691896258;

// Edges of the middle surface: two along xi, two along eta, from corner to corner.
static const int edge[4][2] = {{0, 1}, {3, 2}, {0, 3}, {1, 2}};

// The node in the place `a` of a cell turned so that its axis k is the third.
static int turned_node(int k, int a) {
  double s[3] = {0};
  for (int i = 0; i < 3; i++) s[(i + k + 1) % 3] = sign[a][i];
  for (int b = 0; b < NODES; b++)
    if (sign[b][0] == s[0] && sign[b][1] == s[1] && sign[b][2] == s[2]) return b;
  return a;
}

// The axis of the cell that runs through its thickness; -1: its edges do not tell.
static int axis_of(const Vec3 *x, Vec3 across) {
  bool given = vec3_dot(across, across) > 0;
  double thin[3];
  int best = 0;
  for (int k = 0; k < 3; k++) {
    Vec3 sum = vec3_zero();
    for (int a = 0; a < NODES; a++) sum = vec3_axpy(sum, 0.25 * sign[a][k], x[a]);
    thin[k] = given ? fabs(vec3_dot(sum, across)) / vec3_norm(sum) : 1 / vec3_norm(sum);
    if (thin[k] > thin[best]) best = k;
  }
  for (int k = 0; k < 3; k++)
    if (k != best && thin[k] > 0.99 * thin[best]) return -1;
  return best;
}

static void add_term(Ties *t, int *n, int row, int i, int j, double c) {
  t->term[(*n)++] = (RowTerm){row, i, j, c, FACTOR_ONE, 0};
}

// The vectors y that all points have: along the surface at the point itself, then d at the corners, and g along the
// edges.
static void add_vectors(const Shell *s, const Vec3 *dn, const Vec3 e[2], Rows *rows) {
  for (int i = 0; i < 2; i++) {
    rows_y(rows);
    for (int a = 0; a < NODES; a++) rows_y_add(rows, s->first[a], vec3_dot(dn[a], e[i]));
  }
  for (int c = 0; c < 4; c++) {
    rows_y(rows);
    for (int side = 0; side < 2; side++) rows_y_add(rows, s->first[c + 4 * side], side ? 0.5 : -0.5);
  }
  for (int k = 0; k < 4; k++) {
    rows_y(rows);
    for (int end = 0; end < 2; end++)
      for (int side = 0; side < 2; side++) rows_y_add(rows, s->first[edge[k][end] + 4 * side], end ? 0.25 : -0.25);
  }
}

// g_1, g_2, d and axes, two in the surface, at a place of it.
static void surface_axes(const Shell *s, int surface_point, Vec3 g[3], Vec3 e[3]) {
  for (int k = 0; k < 3; k++) {
    g[k] = vec3_zero();
    for (int a = 0; a < NODES; a++) { // at zeta = 0
      double f = k == 2 ? 1 : 0.5;
      for (int i = 0; i < 2; i++) f *= i == k ? 1 : 0.5 * (1 + gauss * sign[a][i] * sign[surface_point][i]);
      g[k] = vec3_axpy(g[k], 0.5 * f * sign[a][k], s->at[a]);
    }
  }
  continuum_sheet_axes(vec3_unit(vec3_cross(g[0], g[1])), e);
  e[2] = vec3_cross(e[0], e[1]);
}

// The terms of all rows at a place, and what they are at the reference. With the dual vectors g^1, g^2 in the surface,
// the tied t_k = g_k . d makes 2 E_13 = (e_1 . g^1 t_1 + e_1 . g^2 t_2)/(d . e_3), and 2 E_23 with e_2.
static void make_ties(Shell *s, int surface_point) {
  Ties *t = &s->tie[surface_point];
  Vec3 g[3], e[3], dual[2], dn[CELL_NODES], none;
  double shape[CELL_NODES];
  int n = 0;
  surface_axes(s, surface_point, g, e);
  Vec3 normal = vec3_cross(g[0], g[1]);
  double square = vec3_dot(normal, normal), across = vec3_dot(g[2], e[2]);
  dual[0] = vec3_scale(1 / square, vec3_cross(g[1], normal));
  dual[1] = vec3_scale(1 / square, vec3_cross(normal, g[0]));
  add_term(t, &n, 0, Y_1, Y_1, 0.5), add_term(t, &n, 1, Y_2, Y_2, 0.5), add_term(t, &n, 5, Y_1, Y_2, 1);
  for (int c = 0; c < 4; c++) {
    double part =
        0.25 * (1 + gauss * sign[c][0] * sign[surface_point][0]) * (1 + gauss * sign[c][1] * sign[surface_point][1]);
    add_term(t, &n, 2, Y_D + c, Y_D + c, 0.5 * part / (across * across));
  }
  for (int row = 3; row < 5; row++)
    for (int k = 0; k < 4; k++) { // the edges k and k + 1 lie at -1 and 1 of the other coordinate
      double part = 0.5 * (1 + (k % 2 ? 1 : -1) * gauss * sign[surface_point][k < 2]);
      double turn = vec3_dot(e[row == 3], dual[k / 2]) / across;
      for (int end = 0; end < 2; end++) add_term(t, &n, row, Y_G + k, Y_D + edge[k][end], 0.5 * part * turn);
    }
  Rows rows = {.nrow = 0};
  Shell own = *s; // its vectors are its places
  for (int a = 0; a < NODES; a++) own.first[a] = a;
  rows_begin(&rows);
  cell_derive(LIMBER_HEXAHEDRON, s->at, surface_point, shape, dn, &none);
  add_vectors(&own, dn, e, &rows);
  rows.nrow = 6, rows.nterm = TERMS, rows.term = t->term;
  rows_value(&rows, s->at, no_coords, t->ref);
  t->ref[0] = t->ref[1] = 0.5, t->ref[5] = 0;
}

static Reason build_cell(const LimberSolidShell *p, int index, const LimberNodeId *nodes, const double *stiffness,
                         ElementBuilder *b) {
  Vec3 x[4], at[NODES], dn[CELL_NODES], normal;
  LimberNodeId id[NODES];
  int vec = 0, first[NODES], up = 0;
  double shape[CELL_NODES], volume = 0;
  for (int a = 0; a < NODES; a++) b->node(b, nodes[a], x), at[a] = x[0];
  int k = axis_of(at, vec3_of(p->across));
  if (k < 0)
    return reason(REASON_GEOMETRY, vec3_norm(vec3_of(p->across)) > 0 ? "across" : "mesh",
                  b->say(b, "the direction of the thickness of its cell %d is ambiguous: give `across`", index + 1));
  for (int pass = 0; pass < 2; pass++) { // the second for a cell that is mirrored
    for (int a = 0; a < NODES; a++) {
      id[a] = nodes[turned_node(k, pass ? cell_mirrored(LIMBER_HEXAHEDRON, a) : a)];
      if (b->node(b, id[a], x) == NODE_FRAME || id[a].index == GROUND)
        return reason(REASON_VALUE, "mesh", "its nodes must be points or fixed nodes");
      at[a] = x[0];
    }
    up = 0, volume = 0;
    for (int g = 0; g < NODES; g++) {
      double w = cell_derive(LIMBER_HEXAHEDRON, at, g, shape, dn, &normal);
      up += w > 0, volume += w;
    }
    if (up == NODES) break;
  }
  if (up < NODES)
    return reason(REASON_GEOMETRY, "mesh", b->say(b, "its cell %d has no volume or is an inverted element", index + 1));
  for (int a = 0; a < NODES; a++) first[a] = vec, vec += node_vectors(b->node(b, id[a], x));
  Shell *s = b->add_element(b, NODES, id);
  if (!s) return no_reason();
  cell_masses(LIMBER_HEXAHEDRON, at, s->mass);
  for (int a = 0; a < NODES; a++) {
    s->at[a] = at[a], s->first[a] = first[a], s->mass[a] *= p->material.density * volume;
  }
  s->stiffness = stiffness, s->damping = p->damping;
  for (int surface_point = 0; surface_point < SURFACE_POINTS; surface_point++) make_ties(s, surface_point);
  return no_reason();
}

static Reason build(const void *params, ElementBuilder *b) {
  const LimberSolidShell *p = params;
  const LimberNodeId *at = p->cells.nodes;
  double lambda = 0, mu = 0;
  Reason error = material_is_neo_hookean(&p->material) ? reason(REASON_VALUE, "material", material_linear_only)
                                                       : continuum_constants(&p->material, &lambda, &mu);
  if (!error.text && p->damping < 0) error = reason(REASON_VALUE, "damping", "negative `damping` would create energy");
  if (!error.text && p->cells.count < 1) error = reason(REASON_VALUE, "mesh", "it has no cells");
  double *c = error.text ? NULL : b->keep(b, 36 * sizeof *c);
  if (!c) return error;
  lambda = 2 * lambda * mu / (lambda + 2 * mu); // no stress across it
  c[0] = c[7] = lambda + 2 * mu, c[1] = c[6] = lambda, c[14] = p->material.E;
  c[21] = c[28] = 5.0 / 6 * mu, c[35] = mu;
  for (int i = 0; i < p->cells.count && !error.text; i++) {
    CellShape s = p->cells.shape[i];
    if (s != LIMBER_HEXAHEDRON)
      return reason(REASON_VALUE, "mesh",
                    b->say(b, "its cell %d is a %s; only hexahedra are possible", i + 1, cell_name(s)));
    error = build_cell(p, i, at, c, b);
    at += NODES;
  }
  return error;
}

static int points(const void *data) { return data ? NODES : 0; }
static CellShape cell(const void *data) { return data ? LIMBER_HEXAHEDRON : LIMBER_TETRAHEDRON; }

static void visual(const void *data, double at, ElementVisual *out) {
  (void)data, (void)at;
  visual_cell(out, LIMBER_HEXAHEDRON);
}

static void point(const void *data, int g, ElementPoint *p) {
  const Shell *s = data;
  const Ties *t = &s->tie[g % SURFACE_POINTS];
  Vec3 dn[CELL_NODES], tangent[3], e[3], normal;
  double shape[CELL_NODES];
  surface_axes(s, g % SURFACE_POINTS, tangent, e);
  p->weight = cell_derive(LIMBER_HEXAHEDRON, s->at, g, shape, dn, &normal);
  add_vectors(s, dn, e, &p->rows);
  p->rows.nrow = 6, p->rows.nterm = TERMS, p->rows.term = t->term;
  for (int r = 0; r < 6; r++) p->rows.ref[r] = t->ref[r];
  p->stiffness = s->stiffness, p->damping = s->damping, p->at = 0.5;
}

static void inertia(const void *data, int node, Inertia *out) {
  *out = (Inertia){((const Shell *)data)->mass[node], {0, 0, 0}, {{{0}}}};
}

static const Field fields[] = {
    {"mesh", FIELD_CELLS, 3, offsetof(LimberSolidShell, cells), "", true, 0,
     "hexahedra, one through the thickness: a mesh, or a group of it, MESH.GROUP", NULL},
    {"material", FIELD_MATERIAL, 1, offsetof(LimberSolidShell, material), "", true, 0, "one of the file's materials",
     NULL},
    {"across", FIELD_REALS, 3, offsetof(LimberSolidShell, across), "", false, 0,
     "approximate direction of the thickness; default: the shortest edges of each cell", &field_direction},
    ELEMENT_DAMPING_FIELD(LimberSolidShell, 2, ""),
};

static const char *const row_names[] = {"S11", "S22", "S33", "S23", "S13", "S12"};
static const char *const row_units[] = {"Pa", "Pa", "Pa", "Pa", "Pa", "Pa"};
static const char *const strain_units[] = {"1", "1", "1", "1", "1", "1"};
static const LimberCellShape example_shape[] = {LIMBER_HEXAHEDRON};
static const LimberNodeId example_nodes[] = {{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};
static const LimberSolidShell example = {
    {example_shape, example_nodes, 1, NULL}, {70, 0.3, 0, 3, LIMBER_LAW_LINEAR}, {0, 0, 0}, 0.05, 0};

const ElementKind element_solid_shell = {
    .name = "solid_shell",
    .help = "A shell of hexahedra with points on both faces, from a mesh.",
    .fields = FIELDS(fields, LimberSolidShell),
    .data_size = sizeof(Shell),
    .build = build,
    .points = points,
    .point = point,
    .inertia = inertia,
    .drawing = {.cell = cell, .visual = visual},
    .output = {.row_names = row_names, .row_units = row_units, .strain_units = strain_units},
    .example = {.nodes = "CCCCCCCC", .item = &example},
};
