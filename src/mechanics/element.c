// SPDX-License-Identifier: Apache-2.0
// Energies, accounts and forces of elements; element_tangent.c has their residual and tangent, point_response.c the
// responses of their points.
#include "mechanics/element.h"

#include "base/limits.h"

#include <string.h>

const char element_too_many[] = "too many elements";

static const char *const measures[] = {"green", "stretch", NULL};
static const char *measure_word(int i) { return measures[i]; } // of LimberStrainMeasure
const FieldMore element_measures = {NULL, measure_word};

static const Field damping_fields[] = {
    {"ratio", FIELD_REAL, 1, offsetof(ElementDamping, ratio), "", false, 0,
     "fraction of critical damping at the frequencies `at`", NULL},
    {"at", FIELD_ANY, 1, offsetof(ElementDamping, at), "Hz", false, 0,
     "one frequency: stiffness-proportional damping; two: Rayleigh damping (stiffness and mass)", NULL},
    {"stiffness", FIELD_REAL, 1, offsetof(ElementDamping, stiffness), "s", false, 0,
     "instead of the ratio: viscous over elastic modulus, as a number instead of the map", NULL},
    {"mass", FIELD_REAL, 1, offsetof(ElementDamping, mass), "s-1", false, 0,
     "instead of the ratio: force over momentum, relative to the ground", NULL},
};
static const FieldTable damping_table = FIELDS(damping_fields, ElementDamping);
const FieldMore element_damping = {&damping_table, NULL};

int element_no_points(const void *data) {
  (void)data;
  return 0;
}

int element_one_point(const void *data) {
  (void)data;
  return 1;
}

void element_point(const ElementKind *kind, const void *data, int g, ElementPoint *p) {
  rows_begin(&p->rows);
  p->stiffness = NULL, p->damping = 0, p->damper = NULL, p->response = &response_linear, p->law = NULL, p->of = NULL;
  p->drag = NULL, p->flow = NULL, p->begin = NULL, p->data = data, p->g = g;
  kind->point(data, g, p);
}

void element_visual(const ElementKind *kind, const void *data, double at, ElementVisual *out) {
  memset(out, 0, sizeof *out);
  kind->drawing.visual(data, at, out);
}

void element_point_position(const ElementKind *kind, const void *data, int g, double *weight, double *at) {
  ElementPoint p;
  element_point(kind, data, g, &p);
  *weight = p.weight, *at = p.at;
}

double element_energy(const ElementKind *kind, const void *data, const Vec3 *x) {
  double w = 0, e[MAX_ROWS];
  ElementPoint p;
  for (int g = 0; g < kind->points(data); g++) {
    element_point(kind, data, g, &p);
    rows_value(&p.rows, x, no_coords, e);
    w += p.response->energy(&p, e);
  }
  return w;
}

bool element_is_inverted(const ElementKind *kind, const void *data, const Vec3 *xn, const Vec3 *x) {
  ElementPoint p;
  for (int g = 0; g < kind->points(data); g++) {
    element_point(kind, data, g, &p);
    if (!p.response->inverted) return false;
    if (p.response->inverted(&p, xn, x)) return true;
  }
  return false;
}

// The response of the first point, which all points have but the inner ones.
static const PointResponse *main_response(const ElementKind *kind, const void *data) {
  ElementPoint p;
  if (kind->points(data) == 0) return &response_linear;
  element_point(kind, data, 0, &p);
  return p.response;
}

bool element_can_invert(const ElementKind *kind, const void *data) { return main_response(kind, data)->inverted; }

const char *element_inverted_help(const ElementKind *kind, const void *data) {
  return main_response(kind, data)->inverted_help;
}

// The first point, and inner ones, which have responses of their own.
bool element_is_damped(const ElementKind *kind, const void *data) {
  ElementPoint p;
  bool damped = false;
  for (int g = 0; g < (kind->inner_points ? element_points(kind, data) : 1) && !damped; g++) {
    element_point(kind, data, g, &p);
    damped = p.response->losses(&p);
  }
  return damped;
}

// What the points before g remember: all points have as many rows, but for the inner ones.
static int memory_before(const ElementKind *kind, const void *data, int g) {
  ElementPoint p;
  int count = kind->points(data), sum = 0;
  if (count > 0) element_point(kind, data, 0, &p), sum = (g < count ? g : count) * p.rows.nrow;
  for (int i = count; i < g; i++) {
    element_point(kind, data, i, &p);
    sum += p.rows.nrow;
  }
  return sum;
}

int element_memory(const ElementKind *kind, const void *data) {
  return memory_before(kind, data, element_points(kind, data));
}

// weight R.(y_1 - y_n)
static double drag_work(const ElementPoint *p, const ElementStep *q, const Vec3 *xn, const Vec3 *x) {
  Vec3 yn[MAX_Y], y[MAX_Y];
  double en[MAX_ROWS], e[MAX_ROWS];
  DragState s = {.force = vec3_zero()};
  rows_interpolate(&p->rows, xn, yn);
  rows_interpolate(&p->rows, x, y);
  rows_value(&p->rows, xn, no_coords, en);
  rows_value(&p->rows, x, no_coords, e);
  p->drag(p, &(DragStep){q->h, q->t->force_rule, yn, y, en, e}, &s);
  return p->weight * q->t->weight[0] * vec3_dot(s.force, vec3_sub(y[DRAG_PLACE], yn[DRAG_PLACE]));
}

FlowStep element_flow_step(const ElementStep *step, const Vec3 *yn, const Vec3 *yk) {
  return (FlowStep){step->h, step->time, step->amplitude, step->t->force_rule, step->omega, step->centre, yn, yk};
}

static void add_flow_work(const ElementPoint *p, const ElementStep *q, const Vec3 *xn, Vec3 xk[][MAX_LOCAL_VECTORS],
                          FlowWork *work) {
  Vec3 yn[MAX_Y], y[MAX_Y];
  rows_interpolate(&p->rows, xn, yn);
  rows_interpolate(&p->rows, xk[0], y);
  FlowStep step = element_flow_step(q, yn, y);
  FlowWork own = flow_work(p->flow, p->of, p->weight * q->t->weight[0], &step);
  work->all += own.all, work->at_rest += own.at_rest;
  for (int e = p->rows.start[FLOW_STATES]; e < p->rows.start[FLOW_STATES + 1]; e++)
    for (int k = 1; k < q->t->s; k++) { // what holds the states (element_tangent.c)
      Vec3 jump = vec3_sub(xk[k][p->rows.vec[e]], xn[p->rows.vec[e]]);
      work->all -= q->t->weight[k] * p->weight * vec3_dot(jump, jump);
    }
}

void element_balance(const ElementKind *kind, const void *data, const ElementStep *step, const Vec3 *xn,
                     Vec3 xk[][MAX_LOCAL_VECTORS], double *next, ElementBalance *balance) {
  const double *past = step->past;
  ElementPoint p;
  for (int g = 0; g < element_points(kind, data); g++) {
    Law own;
    element_point(kind, data, g, &p);
    if (p.begin) p.begin(&p, xn, &own);
    p.response->balance(&p, step, past, xn, xk, next, balance);
    if (p.drag) balance->damped += drag_work(&p, step, xn, xk[0]);
    if (p.flow) add_flow_work(&p, step, xn, xk, &balance->flow);
    if (next) next += p.rows.nrow;
    if (past) past += p.rows.nrow;
  }
}

void element_forces(const ElementKind *kind, const void *data, int g, const Vec3 *x, double *strain, double *force) {
  ElementPoint p;
  element_point(kind, data, g, &p);
  rows_value(&p.rows, x, no_coords, strain);
  p.response->force(&p, strain, force);
}

void element_step_forces(const ElementKind *kind, const void *data, const ElementStep *step, int g, const Vec3 *xn,
                         Vec3 xk[][MAX_LOCAL_VECTORS], double *strain, double *force) {
  const Tableau *t = step->t;
  double en[MAX_ROWS], ek[MAX_STAGES][MAX_ROWS];
  PointStress at;
  ElementPoint p;
  Law own;
  element_point(kind, data, g, &p);
  if (p.begin) p.begin(&p, xn, &own);
  const double *past = step->past ? step->past + memory_before(kind, data, g) : NULL;
  rows_value(&p.rows, xn, no_coords, en);
  for (int k = 0; k < t->s; k++) rows_value(&p.rows, xk[k], no_coords, ek[k]);
  p.response->stress(&p, step, past, en, ek, &at);
  for (int r = 0; r < p.rows.nrow; r++) {
    strain[r] = t->b[0] * en[r], force[r] = at.stress[0][r] / p.weight;
    for (int l = 0; l < t->s; l++) strain[r] += t->a[0][l] * (ek[l][r] - en[r]);
  }
  if (p.response->output_force) p.response->output_force(&p, strain, force);
}
