// SPDX-License-Identifier: Apache-2.0
// A beam without rotations (R. L. Taylor, Rigid-Flexible Body Analysis Without Rotation Parameters, CIMNE 189, 2000, 4.2): cells of
// four points, two on each face, in one plane. With xi along the beam and eta across it, -1 .. 1, the columns of the deformation gradient
//   y_1 = sum_a dN_a/dX_1 x_a,  y_2 = sum_a dN_a/dX_2 x_a,   N_a = (1 + xi_a xi)(1 + eta_a eta)/4
// give Green's strains E_11, E_22, 2 E_12, at xi = 0 only, where bending makes no shear: two points across, one along. The stress is
// that of a beam, E E_11, E E_22, G 2 E_12: no strain is tied to the one across, which cannot vary with eta.
// The consistent mass matrix is that of masses at the points of Simpson's rule, 1/36, 4/36 and 16/36 of a cell: at its corners, its
// edges' middles and its centre, which are points carried by the corners.
// Equations: eq-solid-bending (10.10), eq-solid-parasitic (10.11).
#include "mechanics/element.h"
#include "mechanics/shape.h"

#include <string.h>

enum { CORNERS = 4, MASSES = 9 };

typedef struct {
  double length, depth, width, damping;
  double mass[MASSES];
  double stiffness[9];
} PlaneBeam;

static const double xi[CORNERS] = {-1, 1, 1, -1}, eta[CORNERS] = {-1, -1, 1, 1};

static const char *const inertias[] = {"lumped", "consistent", NULL};
static const char *inertia_word(int i) { return inertias[i]; } // of LimberMassMatrix
static const FieldMore inertia_words = {NULL, inertia_word};

// Its axis and, normal to that, the direction across.
static Reason axes_of(const LimberPlaneBeam *p, Vec3 e[2]) {
  Vec3 along = vec3_sub(vec3_of(p->end), vec3_of(p->start)), across = vec3_of(p->across);
  double length = vec3_norm(along);
  if (!(length > 0)) return reason(REASON_GEOMETRY, "end", "its `start` and `end` coincide");
  e[0] = vec3_scale(1 / length, along);
  if (vec3_norm(across) == 0) across = fabs(e[0].y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0);
  e[1] = vec3_axpy(across, -vec3_dot(across, e[0]), e[0]);
  if (!(vec3_norm(e[1]) > 1e-6 * vec3_norm(across)))
    return reason(REASON_VALUE, "across", "`across` must not lie along the beam");
  e[1] = vec3_unit(e[1]);
  return no_reason();
}

static Reason check_parameters(const LimberPlaneBeam *p) {
  Reason error = material_error(&p->material);
  if (error.text) return reason_within("material", error);
  if (material_is_neo_hookean(&p->material)) return reason(REASON_VALUE, "material", material_linear_only);
  if (!(p->material.density > 0))
    return reason(REASON_CONFLICT, "material", "its `material` needs a density: its points have no other mass");
  if (!(p->depth > 0 && p->width > 0))
    return reason(REASON_VALUE, p->depth > 0 ? "width" : "depth", "its `depth` and `width` must be positive");
  if (p->elements < 1) return reason(REASON_VALUE, "elements", "`elements` must be at least 1");
  if (p->damping < 0) return reason(REASON_VALUE, "damping", "negative `damping` would create energy");
  return no_reason();
}

// A point in the middle of two.
static LimberNodeId add_middle_point(ElementBuilder *b, LimberNodeId one, LimberNodeId two) {
  Vec3 x[4], y[4];
  b->node(b, one, x), b->node(b, two, y);
  LimberNodeId id = b->add_node(b, NODE_POINT, (const Vec3[4]){vec3_scale(0.5, vec3_add(x[0], y[0]))});
  b->add_joint(b, "multipoint_constraint", NULL, false,
               &(LimberMultipointConstraint){id, {one, two}, LIMBER_NO_NODE, LIMBER_NO_NODE});
  return id;
}

// The points of Simpson's rule that are no corners: edges' middles, then the centre. Neighbours share `end`, the middle
// at a station.
static void add_middles(ElementBuilder *b, LimberNodeId *node, LimberNodeId *end) {
  node[4] = LIMBER_IS_NONE(*end) ? add_middle_point(b, node[0], node[3]) : *end;
  node[5] = *end = add_middle_point(b, node[1], node[2]);
  node[6] = add_middle_point(b, node[0], node[1]);
  node[7] = add_middle_point(b, node[3], node[2]);
  node[8] = add_middle_point(b, node[4], node[5]);
}

static Reason build(const void *params, ElementBuilder *b) {
  const LimberPlaneBeam *p = params;
  bool consistent = p->inertia == LIMBER_MASS_CONSISTENT;
  Vec3 e[2] = {{0, 0, 0}, {0, 0, 0}}, start = vec3_of(p->start);
  Reason error = check_parameters(p);
  if (!error.text) error = axes_of(p, e);
  if (error.text) return error;
  if (p->elements > b->most) return reason(REASON_LIMIT, "elements", element_too_many);
  int masses = consistent ? MASSES : CORNERS;
  double length = vec3_norm(vec3_sub(vec3_of(p->end), start)) / p->elements;
  double mass = p->material.density * length * p->depth * p->width, E = p->material.E;
  double shear = p->material.G > 0 ? p->material.G : E / (2 * (1 + p->material.nu));
  PlaneBeam cell = {length, p->depth, p->width, p->damping, {0}, {E, 0, 0, 0, E, 0, 0, 0, shear}};
  for (int a = 0; a < masses; a++)
    cell.mass[a] = mass * (!consistent ? 0.25 : (a < CORNERS ? 1 : a < MASSES - 1 ? 4 : 16) / 36.0);
  LimberNodeId *face = b->keep(b, 2 * ((size_t)p->elements + 1) * sizeof *face), end = LIMBER_NO_NODE;
  if (!face) return no_reason();
  for (int i = 0; i < 2 * (p->elements + 1); i++) { // below, above, one station after the other
    Vec3 at = vec3_axpy(vec3_axpy(start, i / 2 * length, e[0]), (i % 2 - 0.5) * p->depth, e[1]);
    face[i] = b->add_node(b, NODE_POINT, (const Vec3[4]){at});
  }
  for (int i = 0; i < p->elements; i++, face += 2) {
    LimberNodeId node[MASSES] = {face[0], face[2], face[3], face[1]};
    if (consistent) add_middles(b, node, &end);
    PlaneBeam *data = b->add_element(b, masses, node);
    if (!data) return no_reason();
    *data = cell;
  }
  return no_reason();
}

static int points(const void *data) { return data ? 2 : 0; }
static CellShape cell_shape(const void *data) { return data ? LIMBER_QUADRILATERAL : LIMBER_TRIANGLE; }

static void point(const void *data, int g, ElementPoint *p) {
  static const RowTerm term[] = {
      {0, 0, 0, 0.5, FACTOR_ONE, 0}, {1, 1, 1, 0.5, FACTOR_ONE, 0}, {2, 0, 1, 1, FACTOR_ONE, 0}};
  const PlaneBeam *c = data;
  const double gauss = g ? 0.5773502691896258 : -0.5773502691896258;
  rows_y(&p->rows);
  for (int a = 0; a < CORNERS; a++) rows_y_add(&p->rows, a, xi[a] * (1 + eta[a] * gauss) / (2 * c->length));
  rows_y(&p->rows);
  for (int a = 0; a < CORNERS; a++) rows_y_add(&p->rows, a, eta[a] / (2 * c->depth));
  p->rows.nrow = 3, p->rows.nterm = 3, p->rows.term = term;
  p->rows.ref[0] = p->rows.ref[1] = 0.5, p->rows.ref[2] = 0;
  p->weight = 0.5 * c->length * c->depth * c->width, p->stiffness = c->stiffness, p->damping = c->damping, p->at = 0.5;
}

static void inertia(const void *data, int node, Inertia *out) {
  *out = (Inertia){((const PlaneBeam *)data)->mass[node], {0, 0, 0}, {{{0}}}};
}

static void visual(const void *data, double at, ElementVisual *out) {
  (void)data, (void)at;
  visual_cell(out, LIMBER_QUADRILATERAL);
  out->shape = VISUAL_STRIP;
}

static const Field fields[] = {
    {"start", FIELD_REALS, 3, offsetof(LimberPlaneBeam, start), "m", true, 0, "start of its centre line",
     &field_position},
    {"end", FIELD_REALS, 3, offsetof(LimberPlaneBeam, end), "m", true, 0, "end of its centre line", &field_position},
    {"across", FIELD_REALS, 3, offsetof(LimberPlaneBeam, across), "", false, 0,
     "direction of its depth, from the lower face to the upper; default: y of the ground, or x for a beam along y",
     &field_direction},
    {"depth", FIELD_REAL, 1, offsetof(LimberPlaneBeam, depth), "m", true, 0, "depth of the section, in the plane",
     NULL},
    {"width", FIELD_REAL, 1, offsetof(LimberPlaneBeam, width), "m", true, 0, "width, normal to the plane", NULL},
    {"elements", FIELD_INT, 1, offsetof(LimberPlaneBeam, elements), "", false, 10, "number of elements along the beam",
     NULL},
    {"material", FIELD_MATERIAL, 1, offsetof(LimberPlaneBeam, material), "", true, 0,
     "one of the file's materials; its nu is used for the shear modulus only", NULL},
    ELEMENT_DAMPING_FIELD(LimberPlaneBeam, 2, ""),
    {"inertia", FIELD_WORD, 1, offsetof(LimberPlaneBeam, inertia), "", false, 0,
     "lumped or consistent mass matrix; default: lumped", &inertia_words},
};

static const char *const row_names[] = {"S11", "S22", "S12"}, *const row_units[] = {"Pa", "Pa", "Pa"};
static const char *const strain_units[] = {"1", "1", "1"};
static const LimberPlaneBeam example = {
    {0.1, -0.2, 0.3},      {0.9, 0.3, 0.1}, {0, 1, 0.2}, 0.3, 0.2, 2, {70, 0.3, 0, 3, LIMBER_LAW_LINEAR}, 0.05, 0,
    LIMBER_MASS_CONSISTENT};

const ElementKind element_plane_beam = {
    .name = "plane_beam",
    .help = "A beam of points without rotations, for motion in one plane.",
    .fields = FIELDS(fields, LimberPlaneBeam),
    .data_size = sizeof(PlaneBeam),
    .build = build,
    .faces = true,
    .points = points,
    .point = point,
    .inertia = inertia,
    .drawing = {.cell = cell_shape, .visual = visual},
    .output = {.row_names = row_names, .row_units = row_units, .strain_units = strain_units},
    .example = {.nodes = "", .item = &example},
};
