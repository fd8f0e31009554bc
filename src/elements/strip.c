// SPDX-License-Identifier: Apache-2.0
// The air along a beam: at each integration point of the beam a section of a wing or blade (mechanics/airfoil.h), with
// the nodes of the beam's element, the ground that holds the air, and a point without mass for states of the wake.
// Polar inertia of the air: rho pi c^4/128 per length about the beam.
#include "mechanics/airfoil.h"
#include "mechanics/element.h"
#include "mechanics/polar_file.h"

#include <string.h>

static const double most_angle = 6.283185307179587; // of a polar: beyond it degrees were meant

enum { STATION_NUMBERS = 5, STATION_ENTRIES = 64, SECTION_VECTORS = 4 };

typedef struct {
  Airfoil air;
  double weight, at;
  int start[SECTION_VECTORS + 1], vec[STATION_ENTRIES]; // of the vectors of the section
  double coef[STATION_ENTRIES];
  int states;                       // vector of the states; -1: none
  int nodes;                        // of the beam's element
  int hub;                          // first vector of the rotor's hub; -1: none
  double axis[3];                   // of the rotor, in the axes of its hub
  Inertia inertia[MAX_LOCAL_NODES]; // of the air, for each of them
} Strip;

typedef struct {
  LimberNodeId node; // hub
  Vec3 centre, axis;
  double own_axis[3]; // in the axes of the hub
  double hub, tip;    // radii
} Rotor;

static Reason rotor_error_of(const LimberStrip *p) {
  if (p->blades < 0) return reason(REASON_VALUE, "blades", "the number of `blades` must not be negative");
  if (p->blades == 0 && p->hub.index > GROUND)
    return reason(REASON_VALUE, "hub", "a rotor with a `hub` needs the number of its `blades`");
  if (p->blades == 0) return no_reason();
  if (p->hub.index < 0) return reason(REASON_VALUE, "blades", "a rotor with `blades` needs the node of its `hub`");
  if (!(vec3_norm(vec3_of(p->axis)) > 0))
    return reason(REASON_VALUE, "axis", "a rotor with `blades` needs its `axis`, the direction of its shaft");
  if (!(p->radii[0] >= 0 && p->radii[1] >= 0) || (p->radii[1] > 0 && !(p->radii[1] > p->radii[0])))
    return reason(REASON_VALUE, "radii", "`radii` are the radius of the hub and the larger one of the tip");
  return no_reason();
}

static Reason error_of(const LimberStrip *p) {
  if (!p->stations && !(p->chord > 0)) return reason(REASON_VALUE, "chord", "the `chord` must be positive");
  if (p->stations && p->chord != 0) return reason(REASON_CONFLICT, "chord", "`stations` already give the chord");
  if (!(p->density >= 0)) return reason(REASON_VALUE, "density", "the `density` of the air must not be negative");
  if (!LIMBER_IS_NONE(p->air) && (vec3_norm(vec3_of(p->wind)) > 0 || !LIMBER_IS_NONE(p->amplitude) || p->shear != 0))
    return reason(REASON_CONFLICT, "air", "`air` already gives the wind: `wind`, `amplitude` and `shear` belong there");
  if (!(p->height > 0)) return reason(REASON_VALUE, "height", "the `height` of the given wind must be positive");
  if (p->shear < 0) return reason(REASON_VALUE, "shear", "the exponent `shear` must not be negative");
  for (int i = 0; i < p->count; i++) {
    const double *s = p->stations + STATION_NUMBERS * i;
    if (!(s[1] > 0)) return reason(REASON_VALUE, "stations", "the chord of each of its `stations` must be positive");
    if (i && !(s[0] > s[-STATION_NUMBERS]))
      return reason(REASON_VALUE, "stations", "the places of its `stations` must increase");
    if (!(s[0] >= 0 && s[0] <= 1))
      return reason(REASON_VALUE, "stations",
                    "the places of its `stations` are parts of the beam's length, from 0 to 1");
  }
  Reason wrong = rotor_error_of(p);
  for (int i = 0; i < p->polars && !wrong.text; i++) {
    const LimberPolar *q = p->polar + i;
    if (q->rows < 2) return reason(REASON_VALUE, "polars", "a polar needs two rows or more");
    if (i && !(q->at > q[-1].at)) return reason(REASON_VALUE, "polars", "the places of its `polars` must increase");
    if (!(q->at >= 0 && q->at <= 1))
      return reason(REASON_VALUE, "polars", "the places of its `polars` are parts of the beam's length, from 0 to 1");
    if (q->table[0] < -most_angle || q->table[4 * (q->rows - 1)] > most_angle)
      return reason(REASON_VALUE, "polars",
                    "the angles of a polar are in rad; give degrees their unit, such as 10 deg");
    for (int k = 1; k < q->rows; k++)
      if (!(q->table[4 * k] > q->table[4 * k - 4]))
        return reason(REASON_VALUE, "polars", "the angles of a polar must increase");
  }
  return wrong;
}

// Number and part of the interval of a place among `count` places of that stride.
static int interval(const double *places, size_t stride, int count, double at, double *part) {
  int i = 0;
#define PLACE(k) (*(const double *)((const char *)places + stride * (size_t)(k)))
  while (i + 2 < count && PLACE(i + 1) < at) i++;
  *part = count < 2 ? 0 : fmin(1, fmax(0, (at - PLACE(i)) / (PLACE(i + 1) - PLACE(i))));
#undef PLACE
  return i;
}

static void shape_at(const LimberStrip *p, double at, Airfoil *out) {
  double part, own[STATION_NUMBERS] = {0, p->chord, p->twist, p->quarter[0], p->quarter[1]};
  for (int k = 1; k < STATION_NUMBERS && p->stations; k++) {
    const double *s =
        p->stations + STATION_NUMBERS * interval(p->stations, STATION_NUMBERS * sizeof *s, p->count, at, &part);
    own[k] = s[k] + (part > 0 ? part * (s[k + STATION_NUMBERS] - s[k]) : 0);
  }
  out->chord = own[1], out->twist = own[2], out->at[0] = own[3], out->at[1] = own[4];
}

// The polars, which live as long as the model.
static Polar *keep_polars(ElementBuilder *b, const LimberStrip *p) {
  Polar *out = b->keep(b, (size_t)(p->polars + 1) * sizeof *out);
  for (int i = 0; i < p->polars && out; i++) {
    size_t size = (size_t)(4 * p->polar[i].rows) * sizeof(double);
    double *row = b->keep(b, size);
    if (!row) return NULL;
    out[i] = (Polar){memcpy(row, p->polar[i].table, size), p->polar[i].rows};
  }
  return out;
}

static const Wind *keep_wind(ElementBuilder *b, const LimberStrip *p) {
  Vec3 up = vec3_of(p->up);
  Wind *out = b->keep(b, sizeof *out);
  if (out)
    *out = (Wind){.velocity = vec3_of(p->wind),
                  .up = vec3_norm(up) > 0 ? vec3_unit(up) : vec3(0, 0, 1),
                  .reference = p->height,
                  .exponent = p->shear};
  return out;
}

static Airfoil airfoil_at(const LimberStrip *p, const Wind *wind, const Polar *polars, double at) {
  Airfoil a = {.wind = wind,
               .density = p->density,
               .slope = p->lift_slope,
               .zero_lift = p->zero_lift,
               .drag = p->drag,
               .moment = p->moment,
               .unsteady = (Unsteady)p->unsteady,
               .rotor.blades = p->blades};
  shape_at(p, at, &a);
  if (!p->polars) return a;
  int i = interval(&p->polar->at, sizeof *p->polar, p->polars, at, &a.part);
  a.polar[0] = polars[i], a.polar[1] = polars[i + 1 < p->polars ? i + 1 : i];
  return a;
}

// The inertia of the air, in the axes of a node that carries the section: as of a ring about the beam, which feels no
// centrifugal moment about the beam; nor does the air.
static Inertia air_inertia(const Airfoil *a, double length, Vec3 along) {
  double c = a->chord,
         j = a->unsteady == UNSTEADY_ALL ? length * a->density * 3.141592653589793 * c * c * c * c / 128 : 0;
  return (Inertia){0, {0, 0, 0}, mat3_scale(0.5 * j, mat3_axpy(mat3_identity(), 1, mat3_outer(along, along)))};
}

// Fills the section at a point of the beam, whose vectors are `y`. Returns whether it has all axes.
static bool fill_section(ElementBuilder *b, const Rows *y, int n, const LimberNodeId *nodes, Strip *e, Vec3 *x) {
  int nvec = 0;
  if (y->ny != SECTION_VECTORS || y->start[SECTION_VECTORS] > STATION_ENTRIES) return false;
  memcpy(e->start, y->start, sizeof e->start);
  memcpy(e->vec, y->vec, sizeof *y->vec * (size_t)y->start[SECTION_VECTORS]);
  memcpy(e->coef, y->coef, sizeof *y->coef * (size_t)y->start[SECTION_VECTORS]);
  for (int a = 0; a < n; a++) {
    if (b->node(b, nodes[a], x + nvec) == NODE_POINT) return false;
    nvec += 4;
  }
  for (int a = 0; a < n; a++) {
    double share = 0;
    Vec3 along = vec3_zero();
    for (int k = e->start[0]; k < e->start[1]; k++) share += e->vec[k] == 4 * a ? e->coef[k] : 0;
    for (int k = e->start[1]; k < e->start[2]; k++) along = vec3_axpy(along, e->coef[k], x[e->vec[k]]);
    along = mat3_apply_transpose(node_axes(x + 4 * a), along);
    e->inertia[a] = air_inertia(&e->air, e->weight * share, vec3_unit(along));
  }
  e->nodes = n;
  return true;
}

static double distance_to_axis(const Rotor *r, Vec3 place) {
  return vec3_norm(vec3_cross(vec3_sub(place, r->centre), r->axis));
}

// The rotor of the strip. Radii that are not given are those of the nodes of the beam.
static Reason find_rotor(ElementBuilder *b, const LimberStrip *p, Rotor *out) {
  Vec3 x[4];
  LimberNodeId nodes[MAX_LOCAL_NODES];
  double length[MAX_LOCAL_NODES];
  if (p->blades == 0) return no_reason();
  if (b->node(b, p->hub, x) == NODE_POINT)
    return reason(REASON_VALUE, "hub", "its `hub` must be a frame or the ground");
  *out = (Rotor){.node = p->hub, .centre = x[0], .axis = vec3_unit(vec3_of(p->axis)), .hub = HUGE_VAL};
  for (int k = 0; k < 3; k++) out->own_axis[k] = vec3_dot(out->axis, x[1 + k]);
  for (int i = 0, n; (n = b->line(b, p->element, i, nodes, length)) > 0; i++)
    for (int a = 0; a < n; a++) {
      b->node(b, nodes[a], x);
      out->hub = fmin(out->hub, distance_to_axis(out, x[0])), out->tip = fmax(out->tip, distance_to_axis(out, x[0]));
    }
  if (p->radii[0] > 0) out->hub = p->radii[0];
  if (p->radii[1] > 0) out->tip = p->radii[1];
  return no_reason();
}

// Vectors of the section at the reference.
static void section_vectors(const Strip *e, const Rotor *rotor, const Vec3 *x, Vec3 y[FLOW_VECTORS]) {
  for (int i = 0; i < FLOW_VECTORS; i++) y[i] = vec3_zero();
  for (int i = 0; i < SECTION_VECTORS; i++)
    for (int k = e->start[i]; k < e->start[i + 1]; k++) y[i] = vec3_axpy(y[i], e->coef[k], x[e->vec[k]]);
  y[FLOW_HUB] = rotor->centre, y[FLOW_AXIS] = rotor->axis;
}

// Prandtl's factors of a section at that place.
static Reason place_on_rotor(const Rotor *rotor, Vec3 place, Strip *e) {
  const double least = 1e-8; // of a section at the very end
  double r = distance_to_axis(rotor, place), half = 0.5 * e->air.rotor.blades;
  if (!(r > rotor->hub && r < rotor->tip))
    return reason(REASON_VALUE, "radii", "its sections must lie between the radii of the hub and of the tip");
  e->air.rotor.tip = fmax(least, half * (rotor->tip - r) / r);
  e->air.rotor.hub = rotor->hub > 0 ? fmax(least, half * (r - rotor->hub) / rotor->hub) : HUGE_VAL;
  e->air.axis = rotor->axis;
  memcpy(e->axis, rotor->own_axis, sizeof e->axis);
  return no_reason();
}

// Place of a node in the list, to which it is added if it is not there.
static int add_once(LimberNodeId *nodes, int *count, LimberNodeId id) {
  for (int a = 0; a < *count; a++)
    if (nodes[a].index == id.index) return a;
  nodes[*count] = id;
  return (*count)++;
}

static Reason build_section(ElementBuilder *b, const Airfoil *air, const Rotor *rotor, int n, LimberNodeId *nodes,
                            const Rows *y, double weight, double at) {
  Strip made = {.air = *air, .weight = weight, .at = at, .states = -1, .hub = -1};
  Vec3 x[MAX_LOCAL_VECTORS], around[FLOW_VECTORS], still[FLOW_VECTORS] = {{0}};
  int count = n;
  if (n + 3 > MAX_LOCAL_NODES) return reason(REASON_LIMIT, "element", "the elements of its beam have too many nodes");
  if (!fill_section(b, y, n, nodes, &made, x)) return reason(REASON_VALUE, "element", "its `element` must be a beam");
  section_vectors(&made, rotor, x, around);
  if (air->wind->box && !wind_reaches(air->wind->box, around[0]))
    return reason(REASON_GEOMETRY, "air",
                  "its beam begins outside of the grid of the wind; take a wider or higher one");
  add_once(nodes, &count, LIMBER_GROUND);
  if (air->rotor.blades > 0) {
    Reason wrong = place_on_rotor(rotor, around[0], &made);
    if (wrong.text) return wrong;
    made.hub = 4 * add_once(nodes, &count, rotor->node);
  }
  if (air->unsteady != UNSTEADY_NONE) {
    made.states = 4 * count;
    nodes[count++] =
        b->add_states(b, airfoil_flow.settled(&made.air, 0, 1, around, still)); // of air that has flowed for long
  }
  Strip *data = b->add_element(b, count, nodes);
  if (data) *data = made;
  return no_reason();
}

static Reason build(const void *params, ElementBuilder *b) {
  const LimberStrip *p = params;
  LimberNodeId nodes[MAX_LOCAL_NODES];
  double length[MAX_LOCAL_NODES], all = 0, before = 0, weight, at;
  Reason error = error_of(p);
  Rotor rotor = {.axis = {0}};
  int n;
  if (!error.text) error = find_rotor(b, p, &rotor);
  if (error.text) return error;
  const Wind *wind = LIMBER_IS_NONE(p->air) ? keep_wind(b, p) : b->wind(b, p->air);
  if (!LIMBER_IS_NONE(p->air) && !wind)
    return reason(REASON_VALUE, "air", "its `air` must be a wind: `wind`, `wind_box` or `turbulence`");
  const Polar *polars = keep_polars(b, p);
  if (!wind || !polars) return no_reason();
  for (int i = 0; (n = b->line(b, p->element, i, nodes, length)) > 0; i++)
    for (int a = 0; a < n; a++) all += length[a];
  if (n < 0) return reason(REASON_VALUE, "element", "its `element` must be a beam");
  for (int i = 0; (n = b->line(b, p->element, i, nodes, length)) > 0; i++) {
    double own = 0;
    Rows y;
    for (int a = 0; a < n; a++) own += length[a];
    for (int g = 0; b->line_point(b, p->element, i, g, &weight, &at, &y); g++) {
      LimberNodeId with[MAX_LOCAL_NODES];
      Airfoil air = airfoil_at(p, wind, polars, (before + at * own) / all);
      memcpy(with, nodes, sizeof with);
      error = build_section(b, &air, &rotor, n, with, &y, weight, at);
      if (error.text) return error;
    }
    before += own;
  }
  return no_reason();
}

static void point(const void *data, int g, ElementPoint *p) {
  const Strip *e = data;
  (void)g;
  for (int i = 0; i < SECTION_VECTORS; i++) {
    rows_y(&p->rows);
    for (int k = e->start[i]; k < e->start[i + 1]; k++) rows_y_add(&p->rows, e->vec[k], e->coef[k]);
  }
  rows_y(&p->rows);
  if (e->states >= 0) rows_y_add(&p->rows, e->states, 1);
  rows_y(&p->rows);
  if (e->hub >= 0) rows_y_add(&p->rows, e->hub, 1);
  rows_y(&p->rows);
  for (int k = 0; k < 3 && e->hub >= 0; k++) rows_y_add(&p->rows, e->hub + 1 + k, e->axis[k]);
  p->rows.nrow = p->rows.nterm = 0; // it has no strains
  p->weight = e->weight, p->at = e->at;
  p->flow = &airfoil_flow, p->of = &e->air;
}

static void inertia(const void *data, int node, Inertia *out) {
  const Strip *e = data;
  *out = (Inertia){0, {0, 0, 0}, {{{0}}}};
  if (node < e->nodes) *out = e->inertia[node];
}

static void visual(const void *data, double at, ElementVisual *out) {
  (void)data, (void)at;
  out->shape = VISUAL_AROUND;
}

static void flow_values(const void *data, const FlowStep *step, double *out) {
  AirfoilForces f = airfoil_forces(&((const Strip *)data)->air, step);
  out[0] = f.speed, out[1] = f.angle, out[2] = f.lift, out[3] = f.drag, out[4] = f.moment;
  out[5] = f.axial, out[6] = f.tangential;
}

static const char *const unsteady_words[] = {"none", "wake", "all", NULL};
static const char *unsteady_word(int i) { return unsteady_words[i]; } // of LimberUnsteady
static const FieldMore unsteady_more = {NULL, unsteady_word};

static const Field polar_fields[] = {
    {"at", FIELD_REAL, 1, offsetof(LimberPolar, at), "", false, 0, "place, 0 to 1 of the beam's length", NULL},
    {"table", FIELD_ROWS, 4, offsetof(LimberPolar, table), "rad|1|1|1", true, 0,
     "rows of angle of attack and coefficients of lift, drag and moment about the quarter point, or a file with them",
     &polar_file},
};
static const FieldTable polar_table = FIELDS(polar_fields, LimberPolar);
static const FieldMore polar_more = {&polar_table, NULL};

static const Field fields[] = {
    {"element", FIELD_ELEMENT, 1, offsetof(LimberStrip, element), "", true, LIMBER_NONE, "beam in the air", NULL},
    {"air", FIELD_ELEMENT, 1, offsetof(LimberStrip, air), "", false, LIMBER_NONE,
     "wind that several strips share: the name of a `wind`, `wind_box` or `turbulence`, in place of the next five "
     "fields",
     NULL},
    {"wind", FIELD_REALS, 3, offsetof(LimberStrip, wind), "m s-1", false, 0, "velocity of the air, in ground axes",
     &field_direction},
    {"amplitude", FIELD_FUNCTION, 1, offsetof(LimberStrip, amplitude), "", false, LIMBER_NONE,
     "factor of the wind, a function of time such as a gust; default: 1", NULL},
    {"shear", FIELD_REAL, 1, offsetof(LimberStrip, shear), "", false, 0,
     "exponent of the growth of the wind with height; 0: uniform", NULL},
    {"height", FIELD_REAL, 1, offsetof(LimberStrip, height), "m", false, 1,
     "height above the origin, along `up`, at which the wind is `wind`", NULL},
    {"up", FIELD_REALS, 3, offsetof(LimberStrip, up), "", false, 0, "direction upwards, in ground axes; 0: the z axis",
     &field_direction},
    {"density", FIELD_REAL, 1, offsetof(LimberStrip, density), "kg m-3", false, 1.225, "density of the air", NULL},
    {"chord", FIELD_REAL, 1, offsetof(LimberStrip, chord), "m", false, 0, "chord of a uniform wing", NULL},
    {"twist", FIELD_REAL, 1, offsetof(LimberStrip, twist), "rad", false, 0,
     "angle of the leading edge about e1, from e2 of the section", NULL},
    {"quarter", FIELD_REALS, 2, offsetof(LimberStrip, quarter), "m", false, 0,
     "place of the quarter point of the chord, along e2 and e3 of the section", NULL},
    {"stations", FIELD_ROWS, 5, offsetof(LimberStrip, stations), "1|m|rad|m|m", false, 0,
     "instead: rows of the place, 0 to 1 of the beam's length, chord, twist, and place of the quarter point", NULL},
    {"polars", FIELD_MAPS, 1, offsetof(LimberStrip, polar), "", false, 0,
     "coefficients over the angle of attack; between two places they are mixed", &polar_more},
    {"lift_slope", FIELD_REAL, 1, offsetof(LimberStrip, lift_slope), "rad-1", false, 6.283185307179586,
     "without polars: slope of the lift at zero lift", NULL},
    {"zero_lift", FIELD_REAL, 1, offsetof(LimberStrip, zero_lift), "rad", false, 0,
     "without polars: angle of attack without lift", NULL},
    {"drag", FIELD_REAL, 1, offsetof(LimberStrip, drag), "", false, 0, "without polars: coefficient of drag", NULL},
    {"moment", FIELD_REAL, 1, offsetof(LimberStrip, moment), "", false, 0,
     "without polars: coefficient of the moment about the quarter point", NULL},
    {"unsteady", FIELD_WORD, 1, offsetof(LimberStrip, unsteady), "", false, 0,
     "none: polars alone; wake: with the lag of the lift behind the angle of attack; all: also with the mass of the "
     "air",
     &unsteady_more},
    {"blades", FIELD_INT, 1, offsetof(LimberStrip, blades), "", false, 0,
     "blades of the rotor, for the velocities that it induces; 0: no rotor", NULL},
    {"hub", FIELD_NODE, 1, offsetof(LimberStrip, hub), "", false, LIMBER_NONE,
     "with `blades`: frame or ground at the centre of the rotor", NULL},
    {"axis", FIELD_REALS, 3, offsetof(LimberStrip, axis), "", false, 0,
     "with `blades`: axis of the rotor, in ground axes, of either sense", &field_direction},
    {"radii", FIELD_REALS, 2, offsetof(LimberStrip, radii), "m", false, 0,
     "with `blades`: radii of hub and tip, for their losses; 0: of the ends of the beam", NULL},
};

static const char *const no_names[] = {""};
static const char *const own_names[] = {"speed", "alpha", "lift", "drag", "moment", "a", "a_t"}, *const own_units[] = {
                                                                                                     "m s-1", "rad",
                                                                                                     "N m-1", "N m-1",
                                                                                                     "N",     "1",
                                                                                                     "1"};

static const double example_table[] = {-3,  -0.5, 0.4,  0.1,  -0.3, -0.9, 0.1, 0.05,
                                       0.4, 1.3,  0.15, -0.1, 3.1,  0.4,  0.3, 0.1};
static const LimberPolar example_polar[] = {{0, example_table, 4}, {0.9, example_table + 4, 3}};
// Shear without a kink at the ground, which lies in the middle of the test.
static const LimberStrip example = {.element = {0},
                                    .air = {LIMBER_NONE},
                                    .wind = {1.5, -0.7, 0.4},
                                    .amplitude = {LIMBER_NONE},
                                    .shear = 6,
                                    .height = 2.5,
                                    .up = {0.3, 0.2, 1},
                                    .density = 0.7,
                                    .chord = 0.6,
                                    .twist = 0.2,
                                    .quarter = {0.1, -0.05},
                                    .polar = example_polar,
                                    .polars = 2,
                                    .unsteady = LIMBER_UNSTEADY_ALL,
                                    .blades = 3,
                                    .hub = {3},
                                    .axis = {0.3, 0.2, 1.1},
                                    .radii = {0.01, 40}};

const ElementKind element_strip = {
    .name = "strip",
    .help = "Air along a beam that is a wing or blade: lift, drag and moment of its sections.",
    .fields = FIELDS(fields, LimberStrip),
    .data_size = sizeof(Strip),
    .build = build,
    .around = true,
    .points = element_one_point,
    .point = point,
    .inertia = inertia,
    .drawing = {.visual = visual},
    .output = {.row_names = no_names,
               .row_units = no_names,
               .strain_units = no_names,
               .own = 7,
               .own_names = own_names,
               .own_units = own_units,
               .flow_values = flow_values},
    .example = {.nodes = "FFF", .item = &example},
};
