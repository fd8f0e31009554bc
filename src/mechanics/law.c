// SPDX-License-Identifier: Apache-2.0
#include "mechanics/law.h"

#include <math.h>

bool law_acts(const Law *l) {
  return l->stiffness != 0 || l->damping != 0 || l->friction != 0 || (l->stop_stiffness != 0 && l->stops);
}

static double beyond(double x) { return x > 0 ? x : 0; }

// How far z is past the play, with its sign; how far past a stop.
static double stretch(const Law *l, double z) {
  double x = z - l->rest;
  return x > 0 ? beyond(x - l->play) : -beyond(-x - l->play);
}
static double past_stop(const Law *l, double z) {
  return l->stops ? beyond(z - l->stops[1]) - beyond(l->stops[0] - z) : 0;
}

double law_energy(const Law *l, double z) {
  double x = stretch(l, z), y = past_stop(l, z);
  return 0.5 * l->stiffness * x * x + 0.5 * l->stop_stiffness * y * y;
}

double law_force(const Law *l, double z) { return l->stiffness * stretch(l, z) + l->stop_stiffness * past_stop(l, z); }

static double slope(const Law *l, double z) {
  bool held = fabs(z - l->rest) > l->play || l->play == 0;
  return (held ? l->stiffness : 0) + (past_stop(l, z) != 0 ? l->stop_stiffness : 0);
}

// The divided difference of x^2/2, x a piecewise linear function with slopes 0 and 1: (x0 + x1)/2 times that of x; `rate` is
// its derivative by z1. Within one piece there is nothing to divide, so nothing is lost to round-off.
static double half_square(double x0, double x1, double d, double *rate) {
  double slope1 = x1 != 0, part;
  if (x0 * x1 > 0) part = 1;
  else if ((x0 == 0 && x1 == 0) || d == 0) part = slope1;
  else part = (x1 - x0) / d;
  *rate = 0.5 * slope1 * part + (d != 0 ? 0.5 * (x0 + x1) * (slope1 - part) / d : 0);
  return 0.5 * (x0 + x1) * part;
}

// (V(z1) - V(z0))/(z1 - z0)
static double secant(const Law *l, double z0, double z1, double *rate) {
  double d = z1 - z0, r[2];
  double f = l->stiffness * half_square(stretch(l, z0), stretch(l, z1), d, &r[0]);
  f += l->stop_stiffness * half_square(past_stop(l, z0), past_stop(l, z1), d, &r[1]);
  *rate = l->stiffness * r[0] + l->stop_stiffness * r[1];
  return f;
}

// F v/sqrt(v^2 + v0^2) at the rate v = d/h, and its derivative by d.
static double friction(const Law *l, double h, double d, double *rate) {
  double v0 = l->friction_rate > 0 ? l->friction_rate : 1e-3, root = copysign(sqrt(d * d + v0 * h * v0 * h), h);
  *rate = l->friction * v0 * h * v0 * h / (root * root * root);
  return l->friction * d / root;
}

static void evaluate_end(const Law *l, double h, double zn, double z, LawState *out) {
  double d = z - zn, rate, resists = l->damping * d / h + friction(l, h, d, &rate);
  out->force[0] = law_force(l, z) + resists;
  out->tangent[0][0] = slope(l, z) + l->damping / h + rate;
  out->damped = resists * d;
}

void law_evaluate(const Law *l, const Tableau *t, double h, double zn, const double *zk, LawState *out) {
  *out = (LawState){.damped = 0};
  if (t->place == FORCE_END) {
    evaluate_end(l, h, zn, zk[0], out);
    return;
  }
  double k = fmax(slope(l, zn), 0);
  for (int i = 0; i < t->s; i++) {
    double d = zk[i] - zn, damper = l->damping * d / h;
    out->force[i] = damper, out->tangent[i][i] = l->damping / h;
    for (int j = 0; j < t->s; j++) {
      double a = t->a[i][j] - (i == 0 && j == 0 ? 0.5 : 0);
      out->force[i] += k * a * (zk[j] - zn), out->tangent[i][j] += k * a;
    }
    out->damped += t->weight[i] * damper * d;
    out->lost += 0.5 * k * t->loss[i] * d * d;
  }
  double d = zk[0] - zn, spring_rate, rate, rubs = friction(l, h, d, &rate);
  out->force[0] += secant(l, zn, zk[0], &spring_rate) + rubs;
  out->tangent[0][0] += spring_rate + rate;
  out->damped += t->weight[0] * rubs * d;
}
