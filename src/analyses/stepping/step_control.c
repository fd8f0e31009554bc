// SPDX-License-Identifier: Apache-2.0
// Chooses the length of steps from their losses and Newton iterations (step_control.h).
// Equations: eq-steps-factor (14.2).
#include "analyses/stepping/step_control.h"

#include <math.h>
#include <stddef.h>

enum { RUNGS = 4, FEW = 4, MANY = 8 };          // rungs per factor of 2; iterations of Newton
static const double aim = 0.5;                  // fraction of the allowance that a step should spend
static const double closer = 0.7, calmer = 0.4; // gains on what this step and the last one spent
static const double near = 1e-9;

static double rung_length(const Control *c, int rung) {
  double h = c->step * exp2((double)rung / RUNGS);
  return fmin(fmax(h, c->limits.smallest), c->limits.largest);
}

static void set_rung(Control *c, int rung) { c->rung = rung < c->least ? c->least : rung > c->most ? c->most : rung; }

const char *control_error(const LimberControl *limits, double step) {
  if (!limits->on) return NULL;
  if (!(limits->loss >= 0)) return "the tolerated loss must not be negative";
  if (limits->smallest > step) return "the smallest step is longer than the first";
  if (limits->largest > 0 && limits->largest < step) return "the largest step is shorter than the first";
  return NULL;
}

void control_begin(Control *c, const LimberControl *limits, double step, double order) {
  *c = (Control){.limits = *limits, .step = step, .order = order};
  if (!(c->limits.smallest > 0)) c->limits.smallest = step / 4096;
  if (!(c->limits.largest > 0)) c->limits.largest = 8 * step;
  c->least = (int)floor(RUNGS * log2(c->limits.smallest / step) + near);
  c->most = (int)ceil(RUNGS * log2(c->limits.largest / step) - near);
  set_rung(c, 0);
}

// The first multiple of `interval` after t, where t itself may be a multiple up to round-off.
static double next_multiple(double t, double interval) {
  return interval > 0 ? (floor(t / interval * (1 + 1e-12) + near) + 1) * interval : HUGE_VAL;
}

double control_length(const Control *c, double t, double *end) {
  double h = rung_length(c, c->rung),
         meet = fmin(next_multiple(t, c->limits.meet[0]), next_multiple(t, c->limits.meet[1]));
  if (c->limits.end > t && meet > c->limits.end * (1 - near)) meet = c->limits.end;
  double left = meet - t;
  if (h >= left * (1 - near)) {
    *end = meet;
    return left;
  }
  if (2 * h > left) h = 0.5 * left; // two equal steps, not a long one and a tiny one
  *end = t + h;
  return h;
}

static bool is_shortest(const Control *c, double h) { return h <= c->limits.smallest * (1 + near); }

static double saved_loss(const Control *c, double t, double h) {
  return c->limits.loss > 0 ? fmax(0, c->limits.loss * (t + h) - c->spent) : HUGE_VAL;
}

double control_allows(const Control *c, double t, double h) {
  return saved_loss(c, t, h) * (is_shortest(c, h) ? 1 : CONTROL_PART);
}

void control_accept(Control *c, double t, double h, double lost, int iterations, bool first) {
  double whole = rung_length(c, c->rung), part = CONTROL_PART * saved_loss(c, t, h), most = first ? 2 : 0, up = most;
  c->spent += lost;
  if (isfinite(part) && c->order > 0) {
    // what a whole step would have spent if this one was cut to meet a time
    double spent = fmax(lost / part * pow(whole / h, c->order), 1e-6) / aim;
    up = -closer * log2(spent) + (c->before > 0 ? calmer * log2(c->before) : 0);
    up *= RUNGS / c->order;
    c->before = spent;
  }
  if (iterations > MANY) up = fmin(up, -2);
  else if (iterations > FEW) up = fmin(up, 0);
  // between half a rung down and one up nothing changes, so steps do not oscillate between two rungs
  set_rung(c, c->rung + (int)(up > 0 ? floor(fmin(up, most)) : ceil(fmax(up, -8) - 0.5)));
}

bool control_reject(Control *c, double t, double h, double lost) {
  double shorter = 0.5;
  if (is_shortest(c, h)) return false;
  if (lost >= 0 && c->order > 0) {
    double part = CONTROL_PART * saved_loss(c, t, h);
    shorter = fmin(fmax(pow(aim * part / lost, 1 / c->order), 0.125), 0.9);
  }
  int rung = (int)floor(RUNGS * log2(shorter * h / c->step) + near);
  while (rung > c->least && rung_length(c, rung) >= h * (1 - near)) rung--;
  set_rung(c, rung);
  c->before = 0;
  return true;
}
