// SPDX-License-Identifier: Apache-2.0
// The hinged beam of Bauchau & Theron 1996 (beams), section 4 and Table 1: its model, a run of it, and what is read off.
#ifndef HINGED_H
#define HINGED_H

#include <limber/limber.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846, span = 2.4, t_end = 0.25, line_mass = 1.6092, slope = 1000 / 0.025;
static const LimberSection section = {.stiffness = {{4.35080e7},
                                                    {0, 1.40385e7},
                                                    {0, 0, 2.80769e6},
                                                    {0, 0, 0, 2.80514e4},
                                                    {0, 0, 0, 0, 2.32577e4},
                                                    {0, 0, 0, 0, 0, 2.98731e5}},
                                      .mass = 1.6092,
                                      .inertia = {{1.19092e-2}, {0, 8.60200e-4}, {0, 0, 1.10490e-2}}};

typedef enum {
  TRIANGLE, // of the paper: 1000 N at 0.025 s, over at 0.05 s; its corners are instants of every run
  SMOOTH,   // 1600 N sin^6(20 pi t), its values moved by -h^2/12 of its curvature so that each step has the right mean
  SAMPLED   // the same, sampled: straight within a step, so wrong in the mean by h^2/12 of its curvature
} Pulse;

typedef struct {
  const char *scheme; // generalized_alpha and decaying_c with rho_inf = 0.5
  int elements, steps;
  double load, stiffness; // factors
  Pulse pulse;
} Case;

typedef struct {
  double u[3], v[3], angular[3]; // of the tip, ground axes
  double force[6];               // N V2 V3 M1 M2 M3 at the first Gauss point, section axes
  double rotation;               // of the tip, total, degrees
  double turn;                   // of the tip about the hinge
} BeamState;

typedef struct {
  BeamState end;
  LimberLedger ledger;
  double iterations;   // per step
  int gains;           // steps without load in which energy grows by more than round-off
  double largest_gain; // J
} Result;

static void ok(int error) {
  if (error) exit(1);
}

static void stop(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(1);
}

static double distance(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(s);
}

static double length(const double *a, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * a[i];
  return sqrt(s);
}

static double triangle(double t) {
  if (t <= 0 || t >= 0.05) return 0;
  return slope * (t < 0.025 ? t : 0.05 - t);
}

static double smooth(double t, double *curvature) {
  double k = 20 * pi, s = sin(k * t), c = cos(k * t), s4 = s * s * s * s;
  bool on = t > 0 && t < 0.05;
  *curvature = on ? 1600 * k * k * s4 * (30 * c * c - 6 * s * s) : 0;
  return on ? 1600 * s4 * s * s : 0;
}

// The load's values at the instants of the run, straight between them.
static LimberFunctionId add_pulse(LimberModel m, const Case *c) {
  double h = t_end / c->steps, *t = calloc((size_t)c->steps + 1, sizeof *t),
         *f = calloc((size_t)c->steps + 1, sizeof *f);
  LimberFunctionId id;
  if (!t || !f) stop("out of memory");
  for (int i = 0; i <= c->steps; i++) {
    double curvature;
    t[i] = i * h;
    f[i] = c->pulse == TRIANGLE ? triangle(t[i]) : smooth(t[i], &curvature);
    if (c->pulse == SMOOTH) f[i] -= h * h / 12 * curvature;
    f[i] *= c->load;
  }
  ok(LimberModelAddTable(m, "pulse", &(LimberTable){.count = c->steps + 1, .time = t, .value = f}, &id));
  free(t), free(f);
  return id;
}

static LimberModel make_model(const Case *c, LimberElementId *beam, LimberNodeId *tip) {
  LimberModel m;
  LimberSectionId id;
  LimberSection s = section;
  for (int i = 0; i < 6; i++) s.stiffness[i][i] *= c->stiffness;
  ok(LimberModelCreate(&m));
  ok(LimberModelAddSection(m, "section", 1, &s, &id));
  ok(LimberModelAddBeam(m, "beam",
                        &(LimberBeam){.from = LIMBER_NO_NODE,
                                      .to = LIMBER_NO_NODE,
                                      .section = id,
                                      .elements = c->elements,
                                      .order = 3,
                                      .end = {span, 0, 0},
                                      .up = {0, 1, 0}},
                        beam));
  *tip = limber_model_element_node(m, *beam, 3 * c->elements);
  LimberRevolute hinge = {.nodes = {LIMBER_GROUND, limber_model_element_node(m, *beam, 0)}, .axis = {0, 1, 0}};
  ok(LimberModelAddRevolute(m, "hinge", &hinge, NULL));
  LimberForce force = {.node = *tip, .direction = {0, 1, 1}};
  if (c->pulse == TRIANGLE)
    ok(LimberModelAddTriangle(m, "pulse", &(LimberTriangle){.peak = 1000 * c->load, .at = 0.025, .end = 0.05},
                              &force.amplitude));
  else force.amplitude = add_pulse(m, c);
  ok(LimberModelAddForce(m, "tip load", &force, NULL));
  return m;
}

static LimberOptions options_of(const char *scheme, int steps) {
  LimberOptions o;
  o = limber_options_default();
  o.scheme = limber_scheme_find(scheme), o.rho_inf = 0.5, o.step = t_end / steps;
  o.end_forces = 1; // as the paper has them
  return o;
}

static void read_tip(LimberRun run, LimberNodeId tip, BeamState *s) {
  double x[3], a[9];
  ok(LimberRunGetNode(run, tip, x, a, s->v, s->angular));
  for (int i = 0; i < 3; i++) s->u[i] = x[i] - (i == 0 ? span : 0);
  s->rotation = acos(fmax(-1, (a[0] + a[4] + a[8] - 1) / 2)) * 180 / pi;
  s->turn = atan2(a[2], a[0]);
}

// Takes a model to t_end; `history`, if wanted, receives the steps + 1 states.
static Result run_model(LimberModel m, const char *scheme, int steps, LimberElementId beam, LimberNodeId tip,
                        BeamState *history) {
  Result r = {.iterations = 0};
  LimberOptions o = options_of(scheme, steps);
  LimberRun run;
  LimberOutcome out;
  ok(LimberRunCreate(m, &o, &run));
  if (!run) stop(limber_model_diagnostics(m));
  for (int i = 0; i <= steps; i++) {
    if (i) {
      ok(LimberRunStep(run, &out));
      if (out.reason != LIMBER_CONVERGED || out.substeps > 1) stop("a step did not converge");
      r.iterations += (double)out.iterations / steps;
      LimberLedger before = r.ledger;
      ok(LimberRunGetLedger(run, &r.ledger));
      double gain = r.ledger.kinetic + r.ledger.strain - before.kinetic - before.strain;
      if (5 * i > steps && gain > 1e-12 * r.ledger.exchanged) r.gains++, r.largest_gain = fmax(r.largest_gain, gain);
    }
    if (!history && i < steps) continue;
    read_tip(run, tip, &r.end);
    if (!LIMBER_IS_NONE(beam)) {
      LimberSectionForces section_state;
      ok(LimberRunGetForces(run, beam, 0, &section_state));
      memcpy(r.end.force, section_state.force, sizeof r.end.force);
    }
    if (history) history[i] = r.end;
  }
  ok(LimberRunDestroy(&run));
  ok(LimberModelDestroy(&m));
  return r;
}

static Result run_case(const Case *c, BeamState *history) {
  LimberElementId beam;
  LimberNodeId tip;
  LimberModel m = make_model(c, &beam, &tip);
  return run_model(m, c->scheme, c->steps, beam, tip, history);
}

static FILE *table(const char *directory, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *f = fopen(path, "w");
  if (!f) fprintf(stderr, "cannot write %s\n", path), exit(1);
  return f;
}

#endif
