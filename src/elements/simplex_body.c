// SPDX-License-Identifier: Apache-2.0
// A body without rotations: points with equal masses that have its mass, centre and inertia (mechanics/simplex.h), as many
// as its extension asks for: 4 in space, 3 of a plate without thickness, 2 of a rod. They keep their distances by multipliers; or
// F = sum_a x_a (dL_a/dX)^T, the same everywhere, has a strain energy in the axes of the body,
//   V/2 E : C : E,   E = (F^T F - 1)/2,
// with C of an elastic material (pseudo-rigid; Cohen & Muncaster 1988), or with that of springs along the edges,
//   V/2 E : C : E = k/2 sum_e g_e^2,   g = (l^2 - L^2)/(2 L) = d . E d/L      (edge d of length L, now l),
// whose force over a step is k (g_n + g_n+1)/2 (penalty; R. L. Taylor 2000, eqs. 94 to 97) and to which multipliers are added
// until the strain is gone (augmented; eqs. 63 to 65, see mechanics/augmented.h).
// Equations: eq-points-simplex (7.3), eq-points-pseudo-rigid (7.4), eq-points-penalty (7.5).
#include "mechanics/element.h"
#include "mechanics/simplex.h"

#include <string.h>

typedef struct {
  int points;
  double mass;                     // of each
  double volume;                   // of the strain energy; 0: rigid by multipliers
  double augmented_tolerance;      // strain that multipliers leave; 0: none
  double part[3 * SIMPLEX_POINTS]; // of each point in each of the columns of F
  double stiffness[MAX_ROWS * MAX_ROWS];
} SimplexBody;

static int rows_of(const SimplexBody *e) { return simplex_edges(e->points); }

// Isotropic: rows 11 22 12 33 23 13 in space, 11 22 12 of a plate in plane stress, 11 of a rod.
static void set_elastic_stiffness(const LimberSimplexBody *p, SimplexBody *e) {
  int n = rows_of(e);
  double shear = p->E / (2 * (1 + p->nu)), lame = p->E * p->nu / ((1 + p->nu) * (1 - 2 * p->nu));
  double normal = n == 6 ? lame + 2 * shear : n == 3 ? p->E / (1 - p->nu * p->nu) : p->E;
  double across = n == 6 ? lame : p->nu * normal;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      bool stretch = (i < 2 || i == 3) && (j < 2 || j == 3);
      e->stiffness[i * n + j] = i == j ? (stretch ? normal : shear) : stretch ? across : 0;
    }
}

// Springs along the edges.
static void set_edge_springs(double k, const Vec3 *x, const Vec3 axis[3], SimplexBody *e) {
  int n = rows_of(e);
  for (int edge = 0; edge < n; edge++) {
    Vec3 d = vec3_sub(x[simplex_edge[edge][1]], x[simplex_edge[edge][0]]);
    double a = vec3_dot(d, axis[0]), b = vec3_dot(d, axis[1]), c = vec3_dot(d, axis[2]);
    double part[MAX_ROWS] = {a * a, b * b, a * b, c * c, b * c, a * c}; // of E in d . E d
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) e->stiffness[i * n + j] += part[i] * part[j] * k / (vec3_dot(d, d) * e->volume);
  }
}

// The columns of F stand along axes of the points' own line, plane or space.
static void columns_of(int n, const Vec3 *x, Vec3 axis[3], SimplexBody *e) {
  Vec3 gradient[SIMPLEX_POINTS];
  simplex_gradients(n, x, gradient);
  for (int j = 0; j < 3; j++) axis[j] = vec3(j == 0, j == 1, j == 2);
  if (n < 4) {
    axis[0] = vec3_unit(vec3_sub(x[1], x[0]));
    Vec3 other = vec3_sub(x[n - 1], x[0]);
    if (n == 3) axis[1] = vec3_unit(vec3_axpy(other, -vec3_dot(other, axis[0]), axis[0]));
  }
  for (int j = 0; j < 3; j++)
    for (int a = 0; a < n; a++) e->part[j * SIMPLEX_POINTS + a] = vec3_dot(gradient[a], axis[j]);
}

// Mass, tensor in ground axes, and volume, from what is given.
static Reason body_of(const LimberSimplexBody *p, double *mass, Mat3 *tensor, double *volume) {
  const double *i = p->inertia, *b = p->box;
  bool box = b[0] != 0 || b[1] != 0 || b[2] != 0, given = false, turned = false, bulk = p->bulk.volume > 0;
  for (int k = 0; k < 6; k++) given = given || i[k] != 0;
  for (int k = 0; k < 9; k++) turned = turned || p->axes[k] != 0;
  Mat3 axes = mat3_identity();
  if (turned) axes = mat3_columns(vec3_of(p->axes), vec3_of(p->axes + 3), vec3_of(p->axes + 6));
  Mat3 square = mat3_sub(mat3_mul(mat3_transpose(axes), axes), mat3_identity());
  for (int k = 0; k < 9; k++)
    if (fabs(square.m[k / 3][k % 3]) > 1e-9) return reason(REASON_VALUE, "axes", "its `axes` are not orthonormal");
  if (b[0] < 0 || b[1] < 0 || b[2] < 0)
    return reason(REASON_VALUE, "box", "the lengths of a `box` must not be negative");
  if (box + given + bulk != 1)
    return reason(REASON_CONFLICT, given ? "inertia" : "box",
                  "a body has either an `inertia`, the lengths of a `box`, or a `mesh`");
  if (p->density != 0 && p->mass != 0)
    return reason(REASON_CONFLICT, "mass", "a body has either a `mass` or a `density`");
  *volume = bulk ? p->bulk.volume : p->volume > 0 ? p->volume : b[0] * b[1] * b[2];
  *mass = p->mass != 0 ? p->mass : p->density * *volume;
  if (!(*mass > 0))
    return reason(REASON_CONFLICT, p->density != 0 ? "density" : "mass",
                  "the `mass` of a body must be positive; a `density` needs a `volume`, or a `box` with three lengths");
  Mat3 own = {{{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}}};
  if (box) {
    double c = *mass / 12;
    own = mat3_diag(c * (b[1] * b[1] + b[2] * b[2]), c * (b[0] * b[0] + b[2] * b[2]), c * (b[0] * b[0] + b[1] * b[1]));
  }
  const double *s = p->bulk.second; // J = tr(S) - S, of a mesh in ground axes
  if (bulk) {
    double f = *mass / *volume, all = s[0] + s[1] + s[2];
    own = (Mat3){{{f * (all - s[0]), -f * s[3], -f * s[4]},
                  {-f * s[3], f * (all - s[1]), -f * s[5]},
                  {-f * s[4], -f * s[5], f * (all - s[2])}}};
    axes = mat3_identity();
  }
  *tensor = mat3_mul(mat3_mul(axes, own), mat3_transpose(axes));
  return no_reason();
}

static const char *const enforcements[] = {"multipliers", "penalty", "augmented", NULL};
static const char *enforcement_word(int i) { return enforcements[i]; } // of LimberEnforcement
static const FieldMore enforcement_more = {NULL, enforcement_word};

static Reason enforcement_error(const LimberSimplexBody *p) {
  LimberEnforcement how = p->enforcement;
  if (p->penalty < 0 || p->tolerance < 0)
    return reason(REASON_VALUE, p->penalty < 0 ? "penalty" : "tolerance",
                  "`penalty` and `tolerance` must not be negative");
  if (p->E > 0 && how != LIMBER_ENFORCE_MULTIPLIERS)
    return reason(REASON_CONFLICT, "stiffness",
                  "a body with a `stiffness` is elastic: leave out `enforcement` or `stiffness`");
  if (how != LIMBER_ENFORCE_MULTIPLIERS && !(p->penalty > 0))
    return reason(REASON_CONFLICT, "enforcement",
                  "`enforcement` by penalty or augmented needs a `penalty`, the stiffness of each edge: "
                  "1e4 times its mass over the step squared is a good one");
  if (how == LIMBER_ENFORCE_MULTIPLIERS && p->penalty > 0)
    return reason(REASON_CONFLICT, "penalty",
                  "a `penalty` goes with `enforcement: penalty` or `enforcement: augmented`");
  if (how != LIMBER_ENFORCE_AUGMENTED && p->tolerance > 0)
    return reason(REASON_CONFLICT, "tolerance", "a `tolerance` goes with `enforcement: augmented`");
  return no_reason();
}

static Reason build(const void *params, ElementBuilder *b) {
  const LimberSimplexBody *p = params;
  double mass = 0, volume = 0;
  Mat3 tensor = mat3_zero();
  Vec3 x[SIMPLEX_POINTS];
  LimberNodeId node[SIMPLEX_POINTS] = {LIMBER_NO_NODE, LIMBER_NO_NODE, LIMBER_NO_NODE, LIMBER_NO_NODE};
  Reason error = body_of(p, &mass, &tensor, &volume);
  if (!error.text) error = enforcement_error(p);
  if (error.text) return error;
  if (p->E < 0 || !(p->nu > -1 && p->nu < 0.5))
    return reason(REASON_VALUE, p->E < 0 ? "stiffness" : "nu",
                  "`stiffness` must not be negative, `nu` lies between -1 and 0.5");
  if (p->E > 0 && !(volume > 0))
    return reason(REASON_CONFLICT, "stiffness",
                  "an elastic body needs a `volume`, which a `box` has only with three lengths");
  Vec3 centre = vec3_of(p->bulk.volume > 0 ? p->bulk.centre : p->centre);
  int n = simplex_of_body(mass, centre, tensor, x);
  if (n == 0)
    return reason(REASON_VALUE, "inertia",
                  "this `inertia` is impossible: one principal moment exceeds the sum of the others");
  if (n == 1) return reason(REASON_VALUE, "inertia", "a body without extension is a `mass` at a point");
  for (int a = 0; a < n; a++) node[a] = b->add_node(b, NODE_POINT, (const Vec3[4]){x[a]});
  Vec3 v = p->velocity ? vec3_of(p->velocity) : vec3_zero(),
       w = p->angular_velocity ? vec3_of(p->angular_velocity) : vec3_zero();
  for (int a = 0; a < n && (p->velocity || p->angular_velocity); a++)
    b->set_velocity(b, node[a], vec3_add(v, vec3_cross(w, vec3_sub(x[a], centre))));
  SimplexBody *e = b->add_element(b, n, node);
  if (!e) return no_reason();
  e->points = n, e->mass = mass / n;
  if (p->E <= 0 && p->enforcement == LIMBER_ENFORCE_MULTIPLIERS) {
    b->add_joint(b, "rigid_points", NULL, false, &(LimberRigidPoints){{node[0], node[1]}, node[2], node[3]});
    return no_reason();
  }
  Vec3 axis[3];
  e->volume = volume > 0 ? volume : 1; // springs need none: without, their stress is a moment
  if (p->enforcement == LIMBER_ENFORCE_AUGMENTED) e->augmented_tolerance = p->tolerance > 0 ? p->tolerance : 1e-12;
  columns_of(n, x, axis, e);
  if (p->E > 0) set_elastic_stiffness(p, e);
  else set_edge_springs(p->penalty, x, axis, e);
  return no_reason();
}

static double augmented_tolerance(const void *data) { return ((const SimplexBody *)data)->augmented_tolerance; }

static int points(const void *data) {
  const SimplexBody *e = data;
  return e->volume > 0 ? e->points - 1 : 0; // one for each cell, all the same
}

static void point(const void *data, int g, ElementPoint *p) {
  static const RowTerm term[] = {{0, 0, 0, 0.5, FACTOR_ONE, 0}, {1, 1, 1, 0.5, FACTOR_ONE, 0},
                                 {2, 0, 1, 1, FACTOR_ONE, 0},   {3, 2, 2, 0.5, FACTOR_ONE, 0},
                                 {4, 1, 2, 1, FACTOR_ONE, 0},   {5, 0, 2, 1, FACTOR_ONE, 0}};
  const SimplexBody *e = data;
  int n = rows_of(e), cells = e->points - 1;
  for (int j = 0; j < cells; j++) {
    rows_y(&p->rows);
    for (int a = 0; a < e->points; a++) rows_y_add(&p->rows, a, e->part[j * SIMPLEX_POINTS + a]);
  }
  p->rows.nrow = p->rows.nterm = n, p->rows.term = term;
  for (int r = 0; r < n; r++) p->rows.ref[r] = term[r].i == term[r].j ? 0.5 : 0;
  p->weight = e->volume / cells, p->stiffness = e->stiffness, p->at = (g + 0.5) / cells;
}

static void inertia(const void *data, int node, Inertia *out) {
  (void)node;
  *out = (Inertia){((const SimplexBody *)data)->mass, {0, 0, 0}, {{{0}}}};
}

// Triangles from its first point on, and of four points the side across from it; two are a rod.
static void visual(const void *data, double at, ElementVisual *out) {
  int last = ((const SimplexBody *)data)->points - 1;
  (void)at;
  if (last == 1) out->shape = VISUAL_BUSHING, visual_ends_at(out, 0, 1);
  for (int k = 0; last > 1 && k < (last == 2 ? 1 : last); k++)
    visual_triangle(out, 0, 1 + k % last, 1 + (k + 1) % last, k);
  if (last == 3) visual_triangle(out, 1, 2, 3, 0);
}

static const Field fields[] = {
    {"centre", FIELD_REALS, 3, offsetof(LimberSimplexBody, centre), "m", false, 0,
     "centre of mass, in ground axes; default: the origin, or that of a `mesh`", &field_position},
    {"mesh", FIELD_BULK, 3, offsetof(LimberSimplexBody, bulk), "", false, 0,
     "mesh whose solid cells give centre, volume and inertia, MESH or MESH.GROUP; they are used for nothing else",
     NULL},
    {"axes", FIELD_REALS, 9, offsetof(LimberSimplexBody, axes), "", false, 0,
     "axes of `box` and `inertia`, in ground axes; default: those of the ground", &field_direction},
    {"mass", FIELD_REAL, 1, offsetof(LimberSimplexBody, mass), "kg", false, 0, "total mass", NULL},
    {"density", FIELD_REAL, 1, offsetof(LimberSimplexBody, density), "kg m-3", false, 0, "density, instead of the mass",
     NULL},
    {"box", FIELD_REALS, 3, offsetof(LimberSimplexBody, box), "m", false, 0,
     "lengths along the axes; one zero length gives a plate without thickness, two give a rod", NULL},
    {"inertia", FIELD_TENSOR, 6, offsetof(LimberSimplexBody, inertia), "kg m2", false, 0,
     "instead of a box: moments of inertia about the centre of mass, 11 22 33 12 13 23", NULL},
    {"stiffness", FIELD_REAL, 1, offsetof(LimberSimplexBody, E), "Pa", false, 0,
     "Young's modulus of a body that deforms as a whole; 0: rigid", NULL},
    {"nu", FIELD_REAL, 1, offsetof(LimberSimplexBody, nu), "", false, 0, "Poisson's ratio", NULL},
    {"volume", FIELD_REAL, 1, offsetof(LimberSimplexBody, volume), "m3", false, 0, "volume; default: that of the box",
     NULL},
    {"velocity", FIELD_OPTIONAL_REALS, 3, offsetof(LimberSimplexBody, velocity), "m s-1", false, 0,
     "initial velocity of the centre of mass, in ground axes", &field_direction},
    {"angular_velocity", FIELD_OPTIONAL_REALS, 3, offsetof(LimberSimplexBody, angular_velocity), "rad s-1", false, 0,
     "initial angular velocity; default of both: from `motion`", &field_direction},
    {"enforcement", FIELD_WORD, 1, offsetof(LimberSimplexBody, enforcement), "", false, 0,
     "how a rigid body is kept rigid: Lagrange multipliers, penalty springs along its edges, or augmented Lagrangian; "
     "default: multipliers",
     &enforcement_more},
    {"penalty", FIELD_REAL, 1, offsetof(LimberSimplexBody, penalty), "N m-1", false, 0,
     "stiffness of the penalty springs", NULL},
    {"tolerance", FIELD_REAL, 1, offsetof(LimberSimplexBody, tolerance), "", false, 0,
     "largest strain of the edges with `augmented`; 0: 1e-12", NULL},
};

static const char *const row_names[] = {"S11", "S22", "S12", "S33", "S23", "S13"};
static const char *const row_units[] = {"Pa", "Pa", "Pa", "Pa", "Pa", "Pa"};
static const char *const strain_units[] = {"1", "1", "1", "1", "1", "1"};
static const LimberSimplexBody example = {.centre = {0.1, -0.2, 0.3},
                                          .mass = 2.5,
                                          .inertia = {0.4, 0.5, 0.6, 0.02, -0.03, 0.01},
                                          .E = 30,
                                          .nu = 0.3,
                                          .volume = 0.4};

const ElementKind element_simplex_body = {
    .name = "simplex_body",
    .help = "A body of points without rotations, rigid or with uniform strain; joints take it as a node.",
    .fields = FIELDS(fields, LimberSimplexBody),
    .data_size = sizeof(SimplexBody),
    .build = build,
    .body = true,
    .points = points,
    .point = point,
    .inertia = inertia,
    .augmented_tolerance = augmented_tolerance,
    .drawing = {.visual = visual},
    .output = {.row_names = row_names, .row_units = row_units, .strain_units = strain_units},
    .example = {.nodes = "", .item = &example, .mass = 2.5},
};
