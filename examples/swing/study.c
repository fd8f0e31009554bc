// SPDX-License-Identifier: Apache-2.0
// The swing with three schemes of Bauchau & Theron 1996 and with decaying C: event X, the peak of the axial force, its
// convergence, energy, and what is left after the event. Writes the tables from which plot.gp draws, and checks the
// claims of the README: study_swing DIRECTORY.
#include "swing.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *directory;
static int passed, failed;

__attribute__((format(printf, 3, 4))) static void claim(bool ok, const char *name, const char *measured, ...) {
  va_list args;
  ok ? passed++ : failed++;
  printf("%s %s: ", ok ? "ok  " : "FAIL", name);
  va_start(args, measured);
  vprintf(measured, args);
  va_end(args);
  putchar('\n');
  fflush(stdout);
}

static void must(int error) {
  if (error) exit(2); // it has been reported
}

static FILE *table(const char *name, const char *columns) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *f = fopen(path, "w");
  if (!f) {
    fprintf(stderr, "cannot write %s\n", path);
    exit(2);
  }
  fprintf(f, "%s\n", columns);
  return f;
}

// ---- runs ----

typedef struct {
  double x[SWING_PLACES][2]; // i1, i3
  double axial, shear;       // at the integration point left of the mass
  double energy;
} Sample;

typedef struct {
  SwingCase c;
  int count; // steps done
  Sample *at;
  double reference;                   // energy at the end of the pulse
  double peak, peak_time, peak_shear; // greatest axial force up to 0.66 s
  double iterations;                  // a step
  int most, cut;                      // iterations of the worst step; steps that had to be cut
  double constraint, grown; // largest violation; largest gain of energy in a step after the pulse, of the reference
  LimberLedger ledger;
} Result;

static void sample(Swing *w, Sample *s) {
  double x[3], force[6];
  LimberLedger l;
  for (int i = 0; i < SWING_PLACES; i++) {
    must(LimberRunGetNode(w->run, w->place[i], x, NULL, NULL, NULL));
    s->x[i][0] = x[0], s->x[i][1] = x[2];
  }
  LimberSectionForces section_state;
  must(LimberRunGetForces(w->run, w->beam, w->gauss, &section_state));
  memcpy(force, section_state.force, sizeof force);
  must(LimberRunGetLedger(w->run, &l));
  s->axial = force[0], s->shear = force[2], s->energy = l.kinetic + l.strain;
}

static int step_at(const Result *r, double t) { return (int)lround(t * r->c.steps); }
static const Sample *sample_at(const Result *r, double t) { return &r->at[step_at(r, t)]; }
static double lost(const Result *r, double t) { return sample_at(r, t)->energy / r->reference - 1; }

// The samples are freed by the caller.
static Result run(SwingCase c, double end) {
  Result r = {.c = c};
  int steps = (int)lround(end * c.steps);
  Swing w;
  must(SwingCreate(&c, &w));
  if (!w.run || !(r.at = malloc((size_t)(steps + 1) * sizeof *r.at))) {
    fprintf(stderr, "%s", limber_model_diagnostics(w.model));
    exit(2);
  }
  sample(&w, &r.at[0]);
  for (int i = 1; i <= steps; i++) {
    LimberOutcome o;
    must(LimberRunStep(w.run, &o));
    if (o.reason != LIMBER_CONVERGED) {
      printf("%s, %d steps: stopped at %g s by %s\n", c.scheme, c.steps, o.time, o.cause.name);
      break;
    }
    must(LimberRunGetLedger(w.run, &r.ledger));
    sample(&w, &r.at[i]);
    r.count = i;
    r.iterations += o.iterations;
    if (o.iterations > r.most) r.most = o.iterations;
    r.cut += o.substeps > 1;
    r.constraint = fmax(r.constraint, r.ledger.constraint);
    double t = (double)i / c.steps;
    if (t <= 0.66 && r.at[i].axial > r.peak) r.peak = r.at[i].axial, r.peak_shear = r.at[i].shear, r.peak_time = t;
    if (t > swing_pulse_end + 1e-9) r.grown = fmax(r.grown, (r.at[i].energy - r.at[i - 1].energy) / r.reference);
    else r.reference = r.at[i].energy;
  }
  r.iterations /= r.count;
  must(SwingDestroy(&w));
  return r;
}

// ---- what is known ----

enum { ALPHA, PRESERVING, DECAYING_A, DECAYING_C, SCHEMES };
static const struct {
  const char *name;
  double rho_inf;
  bool proved; // never gains energy
  double paper, literal, literal_point, kernel_smaller,
      kernel_point; // peaks: the paper; references L and D of the README
} schemes[SCHEMES] = {
    [ALPHA] = {"generalized_alpha", 0.5, false, 112.7, 112.475, 139.1, 112.9, 138.2},
    [PRESERVING] = {"preserving", 0, true, 115.9, 115.860, 145.7, 116.5, 144.8},
    [DECAYING_A] = {"decaying_a", 0, true, 114.5, 114.511, 141.5, 114.1, 140.9},
    [DECAYING_C] = {"decaying_c", 0.5, true, NAN, NAN, NAN, NAN, NAN},
};

static SwingCase the_case(int scheme, int steps, int elements) {
  return swing_case(schemes[scheme].name, schemes[scheme].rho_inf, steps, elements);
}

static void field(FILE *f, const char *format, double value) {
  fputc(',', f);
  if (!isnan(value)) fprintf(f, format, value);
}

// ---- tables ----

static void write_peaks(const Result *r) {
  FILE *f = table("peaks.csv", "rotary_inertia,scheme,literal_jump,paper,L,D,peak,time,shear");
  const double rotary[] = {swing_rotary, 2.6e-4, 0};
  for (int k = 0; k < 3; k++)
    for (int s = 0; s < SCHEMES; s++) {
      SwingCase c = r[s].c;
      c.rotary = rotary[k];
      Result q = k ? run(c, 0.66) : r[s];
      fprintf(f, "%g,%s,0", rotary[k], c.scheme);
      field(f, "%.1f", k ? NAN : schemes[s].paper);
      field(f, "%.6g", k == 0 ? schemes[s].literal : k == 1 ? NAN : schemes[s].literal_point);
      double kernel = k == 0 ? NAN : k == 1 ? schemes[s].kernel_smaller : schemes[s].kernel_point;
      field(f, "%.6g", kernel);
      fprintf(f, ",%.3f,%.4f,%.3f\n", q.peak, q.peak_time, q.peak_shear);
      if (!isnan(kernel))
        claim(fabs(q.peak - kernel) < 0.1, "the peak is that of D", "inertia %g, %s: %.3f against %.1f N", rotary[k],
              c.scheme, q.peak, kernel);
      if (k == 0 && !isnan(schemes[s].paper))
        claim(fabs(q.peak / schemes[s].paper - 1) < 0.011 && fabs(q.peak_time - 0.641) < 1e-6,
              "event X and its peak are within 1.1 % of the paper's", "%s: %.3f against %.1f N, at %.4f s", c.scheme,
              q.peak, schemes[s].paper, q.peak_time);
      if (k) free(q.at);
    }
  for (int s = DECAYING_A; s <= DECAYING_C; s++) {
    SwingCase c = r[s].c;
    c.literal_jump = 1;
    Result q = run(c, 0.66);
    fprintf(f, "%g,%s,1,,,,%.3f,%.4f,%.3f\n", c.rotary, c.scheme, q.peak, q.peak_time, q.peak_shear);
    free(q.at);
  }
  fclose(f);
}

static void write_displacements(const Result *r) {
  static const double literal[SCHEMES][6] = {
      [DECAYING_A] = {0.187711769, 0.025573928, 0.184123266, -0.010054096, 0.169262545, -0.112037311},
      [PRESERVING] = {0.187711808, 0.025574079, 0.184123272, -0.010054114, 0.169262549, -0.112037313}};
  static const int place[] = {SWING_B, SWING_C, SWING_E};
  FILE *f = table("displacements.csv", "source,scheme,B1,B3,C1,C3,E1,E3");
  for (int s = 0; s < SCHEMES; s++) {
    double u[6], off = 0;
    for (int k = 0; k < 6; k++) {
      int i = place[k / 2];
      u[k] = sample_at(&r[s], 0.5)->x[i][k % 2] - r[s].at[0].x[i][k % 2];
      off = fmax(off, fabs(u[k] - literal[s][k]));
    }
    fprintf(f, "Limber,%s,%.9f,%.9f,%.9f,%.9f,%.9f,%.9f\n", schemes[s].name, u[0], u[1], u[2], u[3], u[4], u[5]);
    if (literal[s][0] == 0) continue;
    const double *l = literal[s];
    fprintf(f, "L,%s,%.9f,%.9f,%.9f,%.9f,%.9f,%.9f\n", schemes[s].name, l[0], l[1], l[2], l[3], l[4], l[5]);
    claim(off < 1e-6, "displacements at 0.5 s are those of L to a micrometre", "%s: off by %.1e m", schemes[s].name,
          off);
  }
  fclose(f);
}

static const double energy_times[] = {0.635, 0.645, 0.7, 1};

static void write_energy_line(FILE *f, const Result *r) {
  fprintf(f, "Limber,%s,%d,%d,%.10f", r->c.scheme, r->c.elements, r->c.steps, r->reference);
  for (int k = 0; k < 4; k++) fprintf(f, ",%.4e", lost(r, energy_times[k]));
  fputc('\n', f);
}

static void write_energy(const Result *r, const Result *coarse, const Result *fine) {
  FILE *f = table("energy.csv", "source,scheme,elements,steps,reference,at_0.635,at_0.645,at_0.7,at_1");
  for (int s = 0; s < SCHEMES; s++) {
    write_energy_line(f, &coarse[s]);
    write_energy_line(f, &r[s]);
    write_energy_line(f, &fine[s]);
  }
  for (int elements = 8; elements <= 16; elements *= 2)
    for (int steps = 1000; steps <= 2000; steps *= 2) {
      Result q = run(the_case(DECAYING_A, steps, elements), 1);
      write_energy_line(f, &q);
      free(q.at);
    }
  fputs("L,decaying_a,4,1000,,-2.5e-3,-4.5e-2,-0.104,-0.122\n"
        "L,decaying_a,4,2000,,-6.3e-4,-1.18e-2,-4.2e-2,-7.32e-2\n",
        f);
  fclose(f);

  // Fig 24: increments over 1 ms
  f = table("increments.csv", "t,decaying_2000,decaying_1000");
  const Result *two = &r[DECAYING_A], *one = &coarse[DECAYING_A];
  for (int i = 256; i <= 1000; i++) {
    double t = i / 1000.;
    if (t < 0.6 && i % 8) continue; // nothing happens
    fprintf(f, "%.3f,%.3e,%.3e\n", t, sample_at(two, t)->energy - sample_at(two, t - 0.001)->energy,
            sample_at(one, t)->energy - sample_at(one, t - 0.001)->energy);
  }
  fclose(f);
}

// What the run cost and how well its account is closed.
static void write_account_line(FILE *f, const Result *r) {
  const LimberLedger *l = &r->ledger;
  bool proved = strcmp(r->c.scheme, "generalized_alpha") != 0;
  fprintf(f, "%s,%d,%d,%.3f,%d,%d,", r->c.scheme, r->c.elements, r->c.steps, r->iterations, r->most, r->cut);
  if (proved) fprintf(f, "%.1e", l->worst_residual / l->exchanged);
  fprintf(f, ",%.1e,%.1e,%.1e\n", l->joints / l->exchanged, r->constraint, r->grown);
  char name[96];
  snprintf(name, sizeof name, "%s, %d steps, %d elements", r->c.scheme, r->c.steps, r->c.elements);
  claim(r->constraint < 1e-10 && fabs(l->joints) < 1e-10 * l->exchanged, "links keep their length and do no work",
        "%s: |g| < %.1e m, work %.1e of the energy", name, r->constraint, l->joints / l->exchanged);
  if (!proved) return;
  claim(l->worst_residual < 1e-10 * l->exchanged && r->grown < 1e-10, "the account is closed and energy never grows",
        "%s: residual %.1e, gain %.1e of the energy", name, l->worst_residual / l->exchanged, r->grown);
}

// What is left in the beam after the event: the axial force, and half its change from step to step.
static void write_after_line(FILE *f, const Result *r) {
  double sum = 0, square = 0, saw = 0, least = 0, most = 0;
  int n = 0;
  for (int i = step_at(r, 0.7); i <= r->count; i++, n++) {
    double a = r->at[i].axial, half = (a - r->at[i - 1].axial) / 2;
    sum += a, square += a * a, saw += half * half, least = fmin(least, a), most = fmax(most, a);
  }
  double mean = sum / n, rms = sqrt(square / n - mean * mean);
  saw = sqrt(saw / n);
  const Sample *end = &r->at[r->count];
  fprintf(f, "%s,%d,%.2f,%.2f,%.2f,%.1f,%.1f,%.5f,%.5f,%.5f,%.5f\n", r->c.scheme, r->c.steps, mean, rms, saw, least,
          most, end->x[SWING_B][0] - r->at[0].x[SWING_B][0], end->x[SWING_B][1],
          end->x[SWING_C][0] - r->at[0].x[SWING_C][0], end->x[SWING_C][1]);
  if (r->c.steps > 2000) return;
  bool saws = !strcmp(r->c.scheme, "preserving");
  claim(saws ? saw > 0.95 * rms : saw < 0.3 * rms,
        saws ? "after the event the force alternates from step to step" : "after the event the force is smooth",
        "%s, %d steps: %.2f of %.2f N", r->c.scheme, r->c.steps, saw, rms);
}

// ---- the study ----

int main(int argc, char **argv) {
  static const int steps[] = {1000, 2000, 4000, 8000, 16000, 32000}, elements[] = {4, 8, 16};
  enum { STEPS = 6 };
  static Result r[STEPS][SCHEMES];
  must(LimberInitialize(&argc, &argv));
  if (argc != 2) {
    fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
    return 2;
  }
  directory = argv[1];
  FILE *account =
      table("account.csv", "scheme,elements,steps,iterations_a_step,most_iterations,steps_cut,worst_residual,"
                           "joint_work,constraint,greatest_gain");
  FILE *after =
      table("after.csv", "scheme,steps,mean_axial,rms_axial,rms_step_to_step,least_axial,greatest_axial,B1,B3,"
                         "C1,C3");
  for (int k = 0; k < STEPS; k++)
    for (int s = 0; s < SCHEMES; s++) r[k][s] = run(the_case(s, steps[k], 4), 1);
  for (int s = 0; s < SCHEMES; s++)
    for (int n = 250; n <= 500; n *= 2) { // far too coarse for the event, to see the steps cut
      Result q = run(the_case(s, n, 4), 1);
      claim(q.count == n, "a coarse run reaches its end", "%s, %d steps, %d of them cut", q.c.scheme, n, q.cut);
      write_account_line(account, &q);
      free(q.at);
    }
  for (int s = 0; s < SCHEMES; s++)
    for (int k = 0; k < STEPS; k++) write_account_line(account, &r[k][s]), write_after_line(after, &r[k][s]);
  write_peaks(r[1]);
  write_displacements(r[1]);
  write_energy(r[1], r[0], r[STEPS - 1]);

  FILE *f = table("convergence.csv", "scheme,elements,steps,peak,time,B3_at_0.5,lost_at_0.635,lost_at_0.645");
  double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {0, 0, 0}; // peaks of the shortest step
  for (int s = 0; s < SCHEMES; s++)
    for (int e = 0; e < 3; e++)
      for (int k = 0; k < STEPS; k++) {
        Result q = e ? run(the_case(s, steps[k], elements[e]), 0.66) : r[k][s];
        fprintf(f, "%s,%d,%d,%.3f,%.5f,%.9f,%.3e,%.3e\n", q.c.scheme, q.c.elements, q.c.steps, q.peak, q.peak_time,
                sample_at(&q, 0.5)->x[SWING_B][1], lost(&q, 0.635), lost(&q, 0.645));
        fflush(f);
        if (e) write_account_line(account, &q);
        if (k == STEPS - 1) least[e] = fmin(least[e], q.peak), most[e] = fmax(most[e], q.peak);
        free(q.at);
      }
  for (int e = 0; e < 3; e++)
    claim(most[e] - least[e] < 0.05, "all schemes tend to one peak", "%d elements, %d steps: %.3f to %.3f N",
          elements[e], steps[STEPS - 1], least[e], most[e]);
  fclose(f);
  fclose(account);
  fclose(after);
  printf("%d passed, %d failed\n", passed, failed);
  must(LimberFinalize());
  return failed > 0;
}
