// SPDX-License-Identifier: Apache-2.0
#include "mechanics/airfoil.h"
#include "mechanics/polar_file.h"

static const double pi = 3.141592653589793;
static const double wake_part[2] = {0.165, 0.335}, wake_rate[2] = {0.0455, 0.3}; // A_i, b_i

// ---- polars ----

static const Field file_fields[] = {
    {"aerodyn", FIELD_TEXT, 1, offsetof(PolarFile, aerodyn), "", false, 0, "airfoil file of AeroDyn", NULL},
    {"windio", FIELD_TEXT, 1, offsetof(PolarFile, windio), "", false, 0, "or: a wind turbine of WindIO, version 1 or 2",
     NULL},
    {"airfoil", FIELD_TEXT, 1, offsetof(PolarFile, airfoil), "", false, 0, "its airfoil", NULL},
    {"number", FIELD_INT, 1, offsetof(PolarFile, number), "", false, 0,
     "which of several tables, from 1, as for Reynolds numbers", NULL},
};
static const FieldTable file_table = FIELDS(file_fields, PolarFile);
const FieldMore polar_file = {&file_table, NULL};

// The slope at a row: of the parabola through it and its neighbours. Drag is nowhere negative if it is not in the rows:
// a cubic from a to b over the length l with slopes within -3 a/l and 3 b/l stays positive.
static double row_slope(const Polar *p, int i, int column) {
  const double *q = p->row + 4 * i;
  if (i == 0 || i == p->count - 1) {
    const double *a = i ? q - 4 : q, *b = i ? q : q + 4;
    return (b[column] - a[column]) / (b[0] - a[0]);
  }
  double before = q[0] - q[-4], behind = q[4] - q[0];
  double slope = ((q[column] - q[column - 4]) / before * behind + (q[column + 4] - q[column]) / behind * before) /
                 (before + behind);
  if (column != 2 || q[2] < 0) return slope;
  return fmin(fmax(slope, -3 * q[2] / behind), 3 * q[2] / before);
}

void polar_at(const Polar *p, double angle, PolarValue *out) {
  double *value[3] = {&out->lift, &out->drag, &out->moment};
  int low = 0, high = p->count - 1;
  bool outside = p->count < 2 || angle <= p->row[0] || angle >= p->row[4 * high];
  if (p->count > 1 && angle >= p->row[4 * high]) low = high;
  while (!outside && high - low > 1) {
    int middle = (low + high) / 2;
    if (p->row[4 * middle] <= angle) low = middle;
    else high = middle;
  }
  const double *a = p->row + 4 * low, *b = a + 4;
  for (int k = 0; k < 3; k++) {
    *value[k] = a[k + 1], out->by_angle[k] = 0;
    if (outside) continue;
    double l = b[0] - a[0], t = (angle - a[0]) / l, m0 = l * row_slope(p, low, k + 1),
           m1 = l * row_slope(p, low + 1, k + 1), d = b[k + 1] - a[k + 1];
    double c2 = 3 * d - 2 * m0 - m1, c3 = m0 + m1 - 2 * d;
    *value[k] += t * (m0 + t * (c2 + t * c3));
    out->by_angle[k] = (m0 + t * (2 * c2 + 3 * t * c3)) / l;
  }
}

static void coefficients(const Airfoil *a, double angle, PolarValue *out) {
  PolarValue second;
  if (!a->polar[0].count) {
    double s = angle - a->zero_lift;
    *out = (PolarValue){a->slope * sin(s), a->drag, a->moment, {a->slope * cos(s), 0, 0}};
    return;
  }
  polar_at(&a->polar[0], angle, out);
  if (a->part == 0) return;
  polar_at(&a->polar[1], angle, &second);
  double f = a->part, *to[3] = {&out->lift, &out->drag, &out->moment};
  const double from[3] = {second.lift, second.drag, second.moment};
  for (int k = 0; k < 3; k++) {
    *to[k] += f * (from[k] - *to[k]);
    out->by_angle[k] += f * (second.by_angle[k] - out->by_angle[k]);
  }
}

// ---- the air against the section ----

typedef struct {
  DualVec y[FLOW_VECTORS], v[FLOW_VECTORS];            // vectors and their rates
  DualVec chord, normal, chord_rate;                   // e_c, e_n, e_c'
  Dual along, across, middle, effective, speed, angle; // u_c, u_n, u_n at half the chord, w, W, alpha
  double axial, tangential;                            // factors of induction
} Inflow;

// cos(twist) y_2 + sin(twist) y_3, or the normal of that
static DualVec turned(const Airfoil *a, const DualVec *y, bool normal) {
  double c = cos(a->twist), s = sin(a->twist);
  DualVec out = dual_vec(vec3_zero());
  out = dual_vec_axpy(out, normal ? -s : c, &y[2]);
  return dual_vec_axpy(out, normal ? c : s, &y[3]);
}

static void section_force(const void *of, double angle, double value[2], double slope[2]) {
  PolarValue c;
  coefficients(of, angle, &c);
  value[0] = c.lift, value[1] = c.drag;
  for (int k = 0; k < 2; k++) slope[k] = c.by_angle[k];
}

// Adds the velocity that the rotor induces.
static void add_induction(const Airfoil *a, Inflow *q) {
  const DualVec *axis = &q->y[FLOW_AXIS], arm = dual_vec_axpy(q->y[0], -1, &q->y[FLOW_HUB]);
  Dual along = dual_dot(&arm, axis), size = dual_dot(axis, axis);
  Dual square = dual_mul(dual_mul(along, along), dual_chain(size, 1 / size.v, -1 / (size.v * size.v)));
  square = dual_sub(dual_dot(&arm, &arm), square);
  double radius = sqrt(square.v);
  InductionCase c = {.station = &a->rotor,
                     .width = a->chord,
                     .radius = dual_chain(square, radius, 0.5 / radius),
                     .axis = {dual_dot(axis, &q->chord), dual_dot(axis, &q->normal)},
                     .air = {dual_scale(-1, q->along), q->across},
                     .force = section_force,
                     .of = a};
  Induction i = induction_solve(&c);
  q->along = dual_sub(q->along, i.velocity.chord), q->across = dual_add(q->across, i.velocity.across);
  q->middle = dual_add(q->middle, i.velocity.across);
  q->axial = i.axial, q->tangential = i.tangential;
}

static void find_flow(const Airfoil *a, double time, double factor, Inflow *q) {
  DualVec quarter = q->y[0], rate = q->v[0];
  for (int k = 0; k < 2; k++)
    quarter = dual_vec_axpy(quarter, a->at[k], &q->y[2 + k]), rate = dual_vec_axpy(rate, a->at[k], &q->v[2 + k]);
  q->chord = turned(a, q->y, false), q->normal = turned(a, q->y, true), q->chord_rate = turned(a, q->v, false);
  DualVec wind = wind_at(a->wind, time, factor, &quarter), u = dual_vec_axpy(wind, -1, &rate);
  DualVec half = dual_vec_axpy(u, 0.25 * a->chord, &q->chord_rate);
  u = dual_vec_axpy(u, 0.5 * a->chord, &q->chord_rate);
  q->along = dual_scale(-1, dual_dot(&u, &q->chord)), q->across = dual_dot(&u, &q->normal);
  q->middle = dual_dot(&half, &q->normal), q->axial = q->tangential = 0;
  if (a->rotor.blades > 0) add_induction(a, q);
  q->effective = q->across;
  if (a->unsteady != UNSTEADY_NONE)
    q->effective = dual_add(dual_scale(1 - wake_part[0] - wake_part[1], q->across),
                            dual_add(q->y[FLOW_STATES].x[0], q->y[FLOW_STATES].x[1]));
  double x = q->along.v, w = q->effective.v, square = x * x + w * w + 1e-24, size = sqrt(square);
  q->speed = dual_chain2(q->along, q->effective, size, x / size, w / size);
  q->angle = dual_chain2(q->along, q->effective, atan2(w, x), -w / square, x / square);
}

static void begin_flow(const FlowStep *step, bool moving, Inflow *q) {
  bool end = step->force_rule == FORCE_END;
  double part = end ? 1 : 0.5, rate = moving ? 1 / step->h : 0;
  for (int i = 0; i < FLOW_VECTORS; i++) {
    Vec3 at = end ? step->yk[i] : vec3_mean(step->yn[i], step->yk[i]);
    Vec3 v = rate != 0 ? vec3_scale(rate, vec3_sub(step->yk[i], step->yn[i])) : vec3_zero();
    q->y[i] = dual_vec(at), q->v[i] = dual_vec(v);
    for (int k = 0; k < 3; k++) q->y[i].x[k].d[3 * i + k] = part, q->v[i].x[k].d[3 * i + k] = rate;
    if (!moving || i >= FLOW_STATES || vec3_dot(step->omega, step->omega) == 0) continue;
    Mat3 spin = mat3_cross(step->omega);
    DualVec arm = i == 0 ? dual_vec_axpy(q->y[0], -1,
                                         &(DualVec){{dual(step->centre.x), dual(step->centre.y), dual(step->centre.z)}})
                         : q->y[i];
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) q->v[i].x[r] = dual_axpy(q->v[i].x[r], spin.m[r][c], arm.x[c]);
  }
}

static double time_of(const FlowStep *step) {
  if (!(step->h < 1e300)) return step->time; // an endless step
  return step->time + (step->force_rule == FORCE_END ? 1 : 0.5) * step->h;
}

// ---- forces ----

// A force at the quarter point moved by `behind` chords towards the trailing edge.
static void add_force(const Airfoil *a, const DualVec *f, double behind, FlowState *out) {
  double arm[2] = {a->at[0] - behind * a->chord * cos(a->twist), a->at[1] - behind * a->chord * sin(a->twist)};
  out->force[0] = dual_vec_axpy(out->force[0], 1, f);
  for (int k = 0; k < 2; k++) out->force[2 + k] = dual_vec_axpy(out->force[2 + k], arm[k], f);
}

// A moment about d_1 as a couple on d_2 and d_3.
static void add_moment(const Inflow *q, Dual moment, FlowState *out) {
  out->force[2] = dual_vec_add_scaled(out->force[2], dual_scale(0.5, moment), &q->y[3]);
  out->force[3] = dual_vec_add_scaled(out->force[3], dual_scale(-0.5, moment), &q->y[2]);
}

// z_i' - b_i 2 W/c (A_i u_n - z_i) and what z_3 is, as forces against the states.
static void add_states(const Airfoil *a, const Inflow *q, FlowState *out) {
  double scale = a->density * a->chord * a->chord;
  for (int i = 0; i < 2; i++) {
    Dual gap = dual_axpy(dual_scale(wake_part[i], q->across), -1, q->y[FLOW_STATES].x[i]);
    Dual pull = dual_mul(dual_scale(2 * wake_rate[i] / a->chord, q->speed), gap);
    out->force[FLOW_STATES].x[i] = dual_scale(scale, dual_sub(pull, q->v[FLOW_STATES].x[i]));
  }
  Dual third = a->unsteady == UNSTEADY_ALL ? dual_sub(q->middle, q->y[FLOW_STATES].x[2])
                                           : dual_scale(-1, q->y[FLOW_STATES].x[2]);
  out->force[FLOW_STATES].x[2] = dual_scale(scale, third);
}

static void force(const void *of, const FlowStep *step, bool moving, FlowState *out) {
  const Airfoil *a = of;
  Inflow q;
  PolarValue c;
  for (int i = 0; i < FLOW_VECTORS; i++) out->force[i] = dual_vec(vec3_zero());
  begin_flow(step, moving, &q);
  find_flow(a, time_of(step), step->amplitude, &q);
  coefficients(a, q.angle.v, &c);
  double half = 0.5 * a->density * a->chord;
  Dual lift = dual_scale(half, dual_mul(q.speed, dual_chain(q.angle, c.lift, c.by_angle[0])));
  Dual drag = dual_scale(half, dual_mul(q.speed, dual_chain(q.angle, c.drag, c.by_angle[1])));
  Dual moment = dual_mul(dual_mul(q.speed, q.speed), dual_chain(q.angle, c.moment, c.by_angle[2]));
  DualVec f = dual_vec(vec3_zero());
  f = dual_vec_add_scaled(f, dual_sub(dual_mul(lift, q.effective), dual_mul(drag, q.along)), &q.chord);
  f = dual_vec_add_scaled(f, dual_add(dual_mul(lift, q.along), dual_mul(drag, q.effective)), &q.normal);
  add_force(a, &f, 0, out);
  moment = dual_scale(half * a->chord, moment);
  double mass = 0.25 * pi * a->density * a->chord * a->chord;
  if (a->unsteady == UNSTEADY_ALL) {
    DualVec inertia = dual_vec_add_scaled(dual_vec(vec3_zero()), dual_scale(mass, q.v[FLOW_STATES].x[2]), &q.normal);
    add_force(a, &inertia, 0.25, out);
  }
  Dual turn = dual_mul(q.along, dual_dot(&q.normal, &q.chord_rate));
  moment = dual_axpy(moment, -0.25 * mass * a->chord, turn);
  add_moment(&q, moment, out);
  add_states(a, &q, out);
}

static Vec3 settled(const void *of, double time, double amplitude, const Vec3 *y, const Vec3 *v) {
  const Airfoil *a = of;
  Inflow q;
  if (a->unsteady == UNSTEADY_NONE) return vec3_zero();
  for (int i = 0; i < FLOW_VECTORS; i++) q.y[i] = dual_vec(y[i]), q.v[i] = dual_vec(v[i]);
  q.y[FLOW_STATES] = q.v[FLOW_STATES] = dual_vec(vec3_zero());
  find_flow(a, time, amplitude, &q);
  return vec3(wake_part[0] * q.across.v, wake_part[1] * q.across.v, a->unsteady == UNSTEADY_ALL ? q.middle.v : 0);
}

static bool rotates(const void *of, Vec3 axis) {
  const Airfoil *a = of;
  const Wind *w = a->wind;
  double same = 1e-9, speed = vec3_norm(w->velocity);
  if (w->box) return false;
  if (a->rotor.blades > 0 && vec3_norm(vec3_cross(axis, a->axis)) > same) return false;
  bool level = w->exponent == 0 || vec3_norm(vec3_cross(axis, w->up)) <= same;
  return speed == 0 || (level && vec3_norm(vec3_cross(axis, w->velocity)) <= same * speed);
}

double airfoil_slope(const Airfoil *a) {
  PolarValue c;
  coefficients(a, 0, &c);
  return c.by_angle[0];
}

Vec3 airfoil_wind(const Airfoil *a, double time, double amplitude, Vec3 place) {
  const DualVec at = dual_vec(place), v = wind_at(a->wind, time, amplitude, &at);
  return vec3(v.x[0].v, v.x[1].v, v.x[2].v);
}

const FlowTable airfoil_flow = {force, settled, rotates};

AirfoilForces airfoil_forces(const Airfoil *a, const FlowStep *step) {
  Inflow q;
  PolarValue c;
  begin_flow(step, true, &q);
  find_flow(a, time_of(step), step->amplitude, &q);
  coefficients(a, q.angle.v, &c);
  double pressure = 0.5 * a->density * a->chord * q.speed.v * q.speed.v;
  return (AirfoilForces){q.speed.v, q.angle.v,   pressure * c.lift, pressure * c.drag, pressure * a->chord * c.moment,
                         q.axial,   q.tangential};
}
