// SPDX-License-Identifier: Apache-2.0
// Why a decaying scheme shows the orders it shows: the linear limit mode by mode, smooth and sampled loads, the load's
// size, and the rigid limit.
#ifndef ORDER_H
#define ORDER_H

#include "modal.h"

static double rate(double coarse, double fine) { return log2(coarse / fine); }

static StepRule rule_of(const char *scheme) {
  LimberOptions o = options_of(scheme, 1);
  StepRule r = {0};
  if (scheme_kind(limber_scheme_find(scheme))->make(&o, &r).text) stop("no such scheme");
  return r;
}

// ---- the linear limit ----

static const char *const four[] = {"decaying_a", "decaying_c", "preserving", "generalized_alpha"};

static void relative_errors(const Response *r, double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = length(r->error + 3 * i, 3) / length(r->exact + 3 * i, 3);
}

// Limber itself with 1e-5 of the load, against the exact modes; u1, v1 and M1 are of the second order in the load.
static void program_errors(const Modes *m, int steps, double out[3]) {
  Case c = {"decaying_a", 4, steps, 1e-5, 1, TRIANGLE};
  Result run = run_case(&c, NULL);
  const double *found[3] = {run.end.u, run.end.v, run.end.force + 3};
  StepRule rule = rule_of(c.scheme);
  Response r = {{0}, {0}};
  for (int j = 0; j < m->count; j++) add_mode(m, j, &rule, steps, &r);
  for (int i = 0; i < 3; i++) {
    double e[2] = {found[i][1] - c.load * r.exact[3 * i + 1], found[i][2] - c.load * r.exact[3 * i + 2]};
    out[i] = length(e, 2) / (c.load * length(r.exact + 3 * i + 1, 2));
  }
}

static void linear_limit(const char *directory) {
  Modes m = modes_of(4);
  FILE *f = table(directory, "order_linear.csv");
  fputs("steps,h_omega_max", f);
  for (int k = 0; k < 4; k++) fprintf(f, ",%s_u,%s_v,%s_M", four[k], four[k], four[k]);
  fputs(",program_u,program_v,program_M\n", f);
  puts("linear limit, decaying_a: error of tip displacement, tip velocity, root moment (order)");
  double before[3] = {NAN, NAN, NAN};
  for (long steps = 250; steps <= 1024000; steps *= 2) {
    fprintf(f, "%ld,%.4g", steps, m.omega[m.count - 1] * t_end / (double)steps);
    for (int k = 0; k < 4; k++) {
      StepRule rule = rule_of(four[k]);
      Response r = {{0}, {0}};
      double e[3];
      for (int j = 0; j < m.count; j++) add_mode(&m, j, &rule, steps, &r);
      relative_errors(&r, e);
      fprintf(f, ",%.4e,%.4e,%.4e", e[0], e[1], e[2]);
      if (k) continue;
      printf("  %8ld", steps);
      for (int i = 0; i < 3; i++) printf("  %.3e (%5.2f)", e[i], rate(before[i], e[i])), before[i] = e[i];
    }
    double e[3];
    if (steps <= 4000) {
      program_errors(&m, (int)steps, e);
      printf("   Limber, load 1e-5: %.3e %.3e %.3e", e[0], e[1], e[2]);
      fprintf(f, ",%.4e,%.4e,%.4e\n", e[0], e[1], e[2]);
    } else fputs(",,,\n", f);
    putchar('\n');
  }
  fclose(f);

  // which modes carry the error; and the tip rotation by which the references of the paper are compared
  f = table(directory, "order_modes.csv");
  fputs("mode,omega,velocity_exact,velocity_error_1000,velocity_error_16000,displacement_error_1000,"
        "displacement_error_16000,rotation_error_preserving_32000_deg\n",
        f);
  StepRule rule = rule_of("decaying_a"), preserving = rule_of("preserving");
  double turn = 0;
  for (int j = 0; j < m.count; j++) {
    if (fabs(m.load[j]) < 1e-9 || m.omega[j] == 0) continue; // the load does not reach axial and torsional modes
    Response a = {{0}, {0}}, b = a, p = a;
    add_mode(&m, j, &rule, 1000, &a);
    add_mode(&m, j, &rule, 16000, &b);
    add_mode(&m, j, &preserving, 32000, &p);
    turn += p.error[9] * 180 / pi;
    double amplitude = fabs(m.load[j]) * length(m.tip[j], 3) * slope / (m.omega[j] * m.omega[j]);
    fprintf(f, "%d,%.5g,%.3e,%.3e,%.3e,%.3e,%.3e,%.3e\n", j, m.omega[j], amplitude, length(a.error + 3, 3),
            length(b.error + 3, 3), length(a.error, 3), length(b.error, 3), p.error[9] * 180 / pi);
  }
  fclose(f);
  printf(
      "  preserving, 32000 steps: tip rotation off by %.3e degrees in the linear limit; largest frequency %.0f rad/s\n",
      fabs(turn), m.omega[m.count - 1]);
  modes_free(&m);
}

// ---- smooth loads and the load's size ----

// x_N - x_2N = 3/4 A h^2 + 7/8 B h^3 twice gives the two parts of the error, here at 1000 steps.
static void split(const double *d1, const double *d2, int n, int steps, double *second, double *third) {
  double scale = steps / 1000.0, a[3], b[3];
  for (int i = 0; i < n; i++) {
    a[i] = (8 * d2[i] - d1[i]) * 4 / 3 * scale * scale;
    b[i] = (2 * d1[i] - 8 * d2[i]) * 8 / 7 * scale * scale * scale;
  }
  *second = length(a, n), *third = length(b, n);
}

static void smooth_loads(const char *directory) {
  static const struct {
    const char *scheme;
    Pulse pulse;
    double load, stiffness;
  } line[] = {
      {"decaying_a", SMOOTH, 1e-4, 1},  {"decaying_a", SMOOTH, 0.125, 1}, {"decaying_a", SMOOTH, 0.25, 1},
      {"decaying_a", SMOOTH, 0.5, 1},   {"decaying_a", SMOOTH, 1, 1},     {"decaying_c", SMOOTH, 1, 1},
      {"decaying_a", SAMPLED, 1e-4, 1}, {"decaying_a", SAMPLED, 1, 1},    {"decaying_a", SMOOTH, 1, 100},
      {"preserving", SMOOTH, 1, 1},
  };
  enum { LEVELS = 6, LINES = sizeof line / sizeof line[0] }; // 250 to 8000 steps
  FILE *f = table(directory, "order_smooth.csv"), *g = table(directory, "order_parts.csv");
  fputs("scheme,pulse,load,stiffness,steps,u_difference,v_difference,M_difference,turn_difference,u_order,v_order,M_"
        "order,"
        "turn_order\n",
        f);
  fputs("load,stiffness,turn_h2,turn_h3,u_h2,u_h3\n", g);
  puts("smooth pulse: order of tip displacement, tip velocity, root moment, turn from x_N - x_2N");
  for (int k = 0; k < LINES; k++) {
    BeamState s[LEVELS];
    double d[LEVELS][4], du[LEVELS][3], dturn[LEVELS];
    const char *pulse = line[k].pulse == SMOOTH ? "smooth" : "sampled";
    for (int i = 0; i < LEVELS; i++) {
      Case c = {line[k].scheme, 4, 250 << i, line[k].load, line[k].stiffness, line[k].pulse};
      s[i] = run_case(&c, NULL).end;
    }
    for (int i = 0; i + 1 < LEVELS; i++) {
      d[i][0] = distance(s[i].u, s[i + 1].u, 3), d[i][1] = distance(s[i].v, s[i + 1].v, 3);
      d[i][2] = distance(s[i].force + 3, s[i + 1].force + 3, 3), d[i][3] = fabs(s[i].turn - s[i + 1].turn);
      for (int j = 0; j < 3; j++) du[i][j] = s[i].u[j] - s[i + 1].u[j];
      dturn[i] = s[i].turn - s[i + 1].turn;
      fprintf(f, "%s,%s,%g,%g,%d,%.4e,%.4e,%.4e,%.4e", line[k].scheme, pulse, line[k].load, line[k].stiffness, 250 << i,
              d[i][0], d[i][1], d[i][2], d[i][3]);
      for (int j = 0; j < 4; j++) i ? fprintf(f, ",%.2f", rate(d[i - 1][j], d[i][j])) : fputs(",", f);
      fputc('\n', f);
    }
    printf("  %-10s %-7s load %-6g stiffness %-3g", line[k].scheme, pulse, line[k].load, line[k].stiffness);
    for (int i = 1; i + 1 < LEVELS; i++)
      printf("  %.2f %.2f %.2f %.2f;", rate(d[i - 1][0], d[i][0]), rate(d[i - 1][1], d[i][1]),
             rate(d[i - 1][2], d[i][2]), rate(d[i - 1][3], d[i][3]));
    putchar('\n');
    if (line[k].pulse != SMOOTH || strcmp(line[k].scheme, "decaying_a")) continue;
    double p[4];
    split(&dturn[LEVELS - 3], &dturn[LEVELS - 2], 1, 250 << (LEVELS - 3), &p[0], &p[1]);
    split(du[LEVELS - 3], du[LEVELS - 2], 3, 250 << (LEVELS - 3), &p[2], &p[3]);
    fprintf(g, "%g,%g,%.4e,%.4e,%.4e,%.4e\n", line[k].load, line[k].stiffness, p[0], p[1], p[2], p[3]);
    printf("    at 1000 steps: turn h^2 part %.3e, h^3 part %.3e; displacement %.3e, %.3e\n", p[0], p[1], p[2], p[3]);
  }
  fclose(f), fclose(g);
}

// ---- the rigid limit ----

// A rigid bar of the same mass: J theta'' = F(t) L cos theta, by Runge-Kutta with the corners among its instants.
static void exact_bar(double *theta, double *omega) {
  const int n = 100000;
  double h = t_end / n, a = 0, w = 0, j = line_mass * pow(span, 3) / 3 + section.inertia[1][1] * span;
  for (int i = 0; i < n; i++) {
    double da[4], dw[4], at = a, wt = w;
    for (int k = 0; k < 4; k++) {
      double c = k == 0 ? 0 : k == 3 ? 1 : 0.5;
      if (k) at = a + c * h * da[k - 1], wt = w + c * h * dw[k - 1];
      da[k] = wt, dw[k] = triangle((i + c) * h) * span * cos(at) / j;
    }
    a += h / 6 * (da[0] + 2 * da[1] + 2 * da[2] + da[3]);
    w += h / 6 * (dw[0] + 2 * dw[1] + 2 * dw[2] + dw[3]);
  }
  *theta = a, *omega = w;
}

// The bar's frame stands at the tip, or at the pivot with a frame without mass welded to it at the tip.
static BeamState run_bar(const char *scheme, int steps, bool pivot) {
  LimberModel m;
  LimberNodeId body, tip;
  double j = line_mass * pow(span, 3) / 12, centre = pivot ? span / 2 : -span / 2, root[3] = {0}, end[3] = {span};
  const double *i = section.inertia[0];
  ok(LimberModelCreate(&m));
  ok(LimberModelAddFrame(m, "body", pivot ? root : end, NULL, &body));
  LimberRigidBody bar = {.node = body,
                         .mass = line_mass * span,
                         .centre = {centre},
                         .inertia = {i[0] * span, section.inertia[1][1] * span + j, section.inertia[2][2] * span + j}};
  ok(LimberModelAddRigidBody(m, "bar", &bar, NULL));
  tip = body;
  if (pivot) {
    ok(LimberModelAddFrame(m, "tip", end, NULL, &tip));
    ok(LimberModelAddWeld(m, "weld", &(LimberWeld){.nodes = {body, tip}}, NULL));
  }
  // the joint stands where its second node does: at the origin
  LimberRevolute hinge = {.nodes = {body, LIMBER_GROUND}, .axis = {0, 1, 0}};
  ok(LimberModelAddRevolute(m, "hinge", &hinge, NULL));
  LimberForce force = {.node = tip, .direction = {0, 1, 1}};
  LimberTriangle pulse = {.peak = 1000, .at = 0.025, .end = 0.05};
  ok(LimberModelAddTriangle(m, "pulse", &pulse, &force.amplitude));
  ok(LimberModelAddForce(m, "tip load", &force, NULL));
  return run_model(m, scheme, steps, LIMBER_NO_ELEMENT, tip, NULL).end;
}

static void rigid_limit(const char *directory) {
  static const struct {
    const char *name, *scheme;
    bool pivot;
  } line[] = {{"frame at the tip", "decaying_a", false},
              {"frame at the tip", "decaying_c", false},
              {"frame at the pivot", "decaying_a", true},
              {"frame at the tip", "preserving", false},
              {"frame at the tip", "generalized_alpha", false}};
  double theta, omega;
  exact_bar(&theta, &omega);
  double u[3] = {span * (cos(theta) - 1), 0, span * sin(theta)},
         v[3] = {-span * omega * sin(theta), 0, span * omega * cos(theta)};
  printf(
      "rigid limit: theta %.9f rad, omega %.9f rad/s; errors of displacement and velocity (order), turn/(omega h)^2\n",
      theta, omega);
  FILE *f = table(directory, "order_rigid.csv");
  fputs("model,scheme,steps,u_error,v_error,u_order,v_order,turn_error_by_omega_h_squared\n", f);
  for (int k = 0; k < (int)(sizeof line / sizeof line[0]); k++) {
    double before[2] = {NAN, NAN};
    for (int steps = 250; steps <= 4000; steps *= 2) {
      BeamState s = run_bar(line[k].scheme, steps, line[k].pivot);
      double e[2] = {distance(s.u, u, 3) / length(u, 3), distance(s.v, v, 3) / length(v, 3)};
      double factor = (s.turn - theta) / theta / pow(omega * t_end / steps, 2);
      fprintf(f, "\"%s\",%s,%d,%.4e,%.4e,", line[k].name, line[k].scheme, steps, e[0], e[1]);
      if (steps > 250) fprintf(f, "%.2f,%.2f", rate(before[0], e[0]), rate(before[1], e[1]));
      else fputc(',', f);
      fprintf(f, ",%.4f\n", factor);
      printf("  %-24s %-18s %5d  %.3e (%.2f)  %.3e (%.2f)  %.4f\n", line[k].name, line[k].scheme, steps, e[0],
             rate(before[0], e[0]), e[1], rate(before[1], e[1]), factor);
      before[0] = e[0], before[1] = e[1];
    }
  }
  fclose(f);
}

#endif
