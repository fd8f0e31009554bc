// SPDX-License-Identifier: Apache-2.0
#include "mechanics/induction.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static const double pi = 3.141592653589793;
static const double least_angle = 1e-6; // of the inflow, rad
static const double least_ratio = 0.02; // of V_x to V_t, below which induction fades

// Numbers with their derivatives by what the equation depends on: the angle of inflow phi, V_x, V_t, the angle of the
// chord to the plane of rotation, and the solidity B c/(2 pi r). All else follows by the chain rule.
enum { ANGLE, THROUGH, ALONG, TURN, SOLIDITY, UNKNOWNS };
typedef struct {
  double v, d[UNKNOWNS];
} Part;

static Part part(double v, int unknown) {
  Part out = {.v = v};
  out.d[unknown] = 1;
  return out;
}

static Part chain(Part a, double f, double slope) {
  a.v = f;
  for (int i = 0; i < UNKNOWNS; i++) a.d[i] *= slope;
  return a;
}

static Part chain2(Part a, Part b, double f, double by_a, double by_b) {
  a.v = f;
  for (int i = 0; i < UNKNOWNS; i++) a.d[i] = by_a * a.d[i] + by_b * b.d[i];
  return a;
}

static Part add(Part a, Part b) { return chain2(a, b, a.v + b.v, 1, 1); }
static Part subtract(Part a, Part b) { return chain2(a, b, a.v - b.v, 1, -1); }
static Part scale(double s, Part a) { return chain(a, s * a.v, s); }
static Part multiply(Part a, Part b) { return chain2(a, b, a.v * b.v, b.v, a.v); }
static Part reciprocal(Part a) { return chain(a, 1 / a.v, -1 / (a.v * a.v)); }

typedef struct {
  const InductionCase *of;
  Part input[UNKNOWNS]; // but for the angle
} InflowEquation;

// The forces and the axial induction at an angle of inflow.
typedef struct {
  Part normal, tangential; // kappa C_n, kappa C_t
  Part rest;               // sin^2(phi)/(1 - a)
} Loading;

// 2/pi acos(exp(-constant/s)), s = |sin phi|
static Part loss(double constant, Part s) {
  double x = constant / s.v, e = exp(-x), root = sqrt(-expm1(-2 * x));
  return chain(s, 2 / pi * acos(e), -2 / pi * e / root * x / s.v);
}

// sin^2/(1 - a) by Buhl's relation, which is quadratic in a: g_3 a^2 - 2 g_1 a + g_4 = 0.
static Part heavy_loading(Part k, Part f, Part square) {
  Part both = scale(2, multiply(f, k));
  Part g1 = add(both, f), g2 = add(subtract(both, scale(4. / 3, f)), multiply(f, f)), a;
  g1.v -= 10. / 9;
  Part root = chain(g2, sqrt(g2.v), 0.5 / sqrt(g2.v));
  if (g1.v >= 0) {
    Part g4 = both;
    g4.v -= 4. / 9;
    a = multiply(g4, reciprocal(add(g1, root)));
  } else {
    Part g3 = add(both, scale(2, f));
    g3.v -= 25. / 9;
    a = multiply(subtract(g1, root), reciprocal(g3));
  }
  Part left = scale(-1, a);
  left.v += 1;
  return multiply(square, reciprocal(left));
}

static Loading loading(const InflowEquation *q, Part phi) {
  const RotorStation *r = q->of->station;
  double value[2], slope[2];
  Part s = chain(phi, sin(phi.v), cos(phi.v)), c = chain(phi, cos(phi.v), -sin(phi.v));
  Part angle = subtract(phi, q->input[TURN]), f = loss(r->tip, s);
  if (r->hub < HUGE_VAL) f = multiply(f, loss(r->hub, s));
  q->of->force(q->of->of, remainder(angle.v, 2 * pi), value, slope);
  Part lift = chain(angle, value[0], slope[0]), drag = chain(angle, value[1], slope[1]);
  Part kappa = multiply(scale(0.25, q->input[SOLIDITY]), reciprocal(f)), square = multiply(s, s);
  Loading out = {.normal = multiply(kappa, add(multiply(lift, c), multiply(drag, s))),
                 .tangential = multiply(kappa, subtract(multiply(lift, s), multiply(drag, c)))};
  if (out.normal.v > 2. / 3 * square.v) out.rest = heavy_loading(multiply(out.normal, reciprocal(square)), f, square);
  else out.rest = add(square, out.normal);
  return out;
}

static Part residual(const InflowEquation *q, double angle) {
  Part phi = part(angle, ANGLE), turned = chain(phi, 0.5 * sin(2 * angle), cos(2 * angle));
  Loading l = loading(q, phi);
  return subtract(multiply(q->input[ALONG], l.rest), multiply(q->input[THROUGH], subtract(turned, l.tangential)));
}

// Newton's method within a bracket, which it halves where a step leaves it.
static bool find_root(const InflowEquation *q, double low, double high, double *phi) {
  Part f = residual(q, low);
  bool rises = f.v < 0;
  if ((residual(q, high).v < 0) == rises) return false;
  *phi = 0.5 * (low + high);
  for (int i = 0; i < 100 && high - low > 2 * DBL_EPSILON * high; i++) {
    f = residual(q, *phi);
    if (f.v == 0) return true;
    if ((f.v < 0) == rises) low = *phi;
    else high = *phi;
    double before = *phi, next = before - f.v / f.d[ANGLE];
    *phi = next > low && next < high ? next : 0.5 * (low + high);
    if (fabs(*phi - before) <= DBL_EPSILON * before) return true;
  }
  return true;
}

// The root: first where a rotor that turns forwards has it. Its derivatives are those of the implicit function.
static bool find_inflow(const InflowEquation *q, Part *phi) {
  double edge[2][2] = {{least_angle, 0.5 * pi}, {0.5 * pi, pi - least_angle}}, at;
  bool backwards = q->input[ALONG].v < 0;
  if (!find_root(q, edge[backwards][0], edge[backwards][1], &at) &&
      !find_root(q, edge[!backwards][0], edge[!backwards][1], &at))
    return false;
  *phi = residual(q, at);
  double slope = phi->d[ANGLE];
  if (!(fabs(slope) > 0)) return false;
  *phi = chain(*phi, at, -1 / slope);
  phi->d[ANGLE] = 0;
  return true;
}

// Velocities that the rotor induces along its axis and around it, -a V_x and a' V_t.
static bool find_velocities(const InflowEquation *q, Part *axial, Part *swirl) {
  const Part *through = &q->input[THROUGH], *along = &q->input[ALONG];
  Part phi;
  if (!(through->v > 0) || !find_inflow(q, &phi)) return false;
  Loading l = loading(q, phi);
  Part s = chain(phi, sin(phi.v), cos(phi.v)), square = multiply(s, s);
  Part left = multiply(square, reciprocal(l.rest));               // 1 - a
  Part speed = multiply(multiply(*through, left), reciprocal(s)); // W
  *axial = subtract(multiply(*through, left), *through);
  *swirl = multiply(multiply(speed, l.tangential), reciprocal(s));
  if (through->v < least_ratio * fabs(along->v)) { // fades where the flow through the rotor may reverse
    Part x = scale(1 / least_ratio, multiply(*through, reciprocal(scale(along->v < 0 ? -1 : 1, *along))));
    Part some = chain(x, x.v * x.v * (3 - 2 * x.v), 6 * x.v * (1 - x.v));
    *axial = multiply(some, *axial), *swirl = multiply(some, *swirl);
  }
  return true;
}

static Dual dual_size(Dual a, Dual b) {
  double size = sqrt(a.v * a.v + b.v * b.v);
  return dual_chain2(a, b, size, a.v / size, b.v / size);
}

static Dual dual_reciprocal(Dual a) { return dual_chain(a, 1 / a.v, -1 / (a.v * a.v)); }

// With the inputs as functions of the unknowns around.
static Dual dual_of(Part a, const Dual input[UNKNOWNS]) {
  Dual out = dual(a.v);
  for (int k = THROUGH; k < UNKNOWNS; k++)
    for (int i = 0; i < DUAL_UNKNOWNS; i++) out.d[i] += a.d[k] * input[k].d[i];
  return out;
}

Induction induction_solve(const InductionCase *q) {
  Induction none = {0, 0, {dual(0), dual(0)}};
  Dual size = dual_size(q->axis.chord, q->axis.across), input[UNKNOWNS];
  if (!(size.v > 1e-6)) return none;
  Dual m[2] = {dual_mul(q->axis.chord, dual_reciprocal(size)), dual_mul(q->axis.across, dual_reciprocal(size))};
  Dual through = dual_add(dual_mul(q->air.chord, m[0]), dual_mul(q->air.across, m[1]));
  if (through.v < 0)
    for (int i = 0; i < 2; i++) m[i] = dual_scale(-1, m[i]);
  input[THROUGH] = through.v < 0 ? dual_scale(-1, through) : through;
  input[ALONG] = dual_sub(dual_mul(q->air.across, m[0]), dual_mul(q->air.chord, m[1]));
  input[TURN] = dual_chain2(m[0], m[1], atan2(-m[0].v, m[1].v), -m[1].v, m[0].v);
  input[SOLIDITY] = dual_scale(q->station->blades * q->width / (2 * pi), dual_reciprocal(q->radius));
  InflowEquation inflow = {.of = q};
  for (int k = THROUGH; k < UNKNOWNS; k++) inflow.input[k] = part(input[k].v, k);
  Part forward, around;
  if (!find_velocities(&inflow, &forward, &around)) return none;
  Dual axial = dual_of(forward, input), swirl = dual_of(around, input);
  return (Induction){
      -axial.v / input[THROUGH].v,
      input[ALONG].v != 0 ? swirl.v / input[ALONG].v : 0,
      {dual_sub(dual_mul(axial, m[0]), dual_mul(swirl, m[1])), dual_add(dual_mul(axial, m[1]), dual_mul(swirl, m[0]))}};
}
