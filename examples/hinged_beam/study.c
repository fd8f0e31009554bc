// SPDX-License-Identifier: Apache-2.0
// The hinged beam of Bauchau & Theron 1996 (beams), section 4: convergence (Figs 6, 7), spectra (Figs 8 to 13), and what
// order the decaying schemes have and why.
// usage: study_hinged_beam spectra | linear | rigid | smooth | convergence | space | all  DIRECTORY (for the tables)
#include "order.h"
#include "post/curves.h"

// ---- convergence in time, Figs 6 and 7 ----

enum { SCHEMES = 4, LEVELS = 8 }; // 250 to 32000 steps
static const char *const schemes[SCHEMES] = {"generalized_alpha", "preserving", "decaying_a", "decaying_c"};

static void errors(const BeamState *s, const BeamState *reference, double out[3]) {
  out[0] = distance(s->u, reference->u, 3) / length(reference->u, 3);
  out[1] = distance(s->v, reference->v, 3) / length(reference->v, 3);
  out[2] = distance(s->force + 3, reference->force + 3, 3) / length(reference->force + 3, 3);
}

static void convergence(const char *directory) {
  static Result r[SCHEMES][LEVELS];
  FILE *f = table(directory, "convergence.csv"), *g = table(directory, "values.csv");
  Case c = {"decaying_c", 4, 128000, 1, 1, TRIANGLE};
  BeamState common = run_case(&c, NULL).end; // a better reference than any of the four
  for (int k = 0; k < SCHEMES; k++)
    for (int i = 0; i < LEVELS; i++) {
      c = (Case){schemes[k], 4, 250 << i, 1, 1, TRIANGLE};
      r[k][i] = run_case(&c, NULL);
    }
  fputs("scheme,steps,u_error,v_error,M_error,u_order,v_order,M_order,u_error_common,v_error_common,M_error_common,"
        "u_order_common,v_order_common,M_order_common\n",
        f);
  fputs("scheme,steps,u1,u2,u3,v1,v2,v3,N,V2,V3,M1,M2,M3,rotation_deg,energy,work,dissipated,"
        "worst_residual_by_exchanged,iterations,free_steps_that_gain,largest_gain\n",
        g);
  for (int k = 0; k < SCHEMES; k++) {
    double before[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    printf("%s: errors (order) of tip displacement, tip velocity, root moment; own reference, then the common one\n",
           schemes[k]);
    for (int i = 0; i < LEVELS; i++) {
      const BeamState *s = &r[k][i].end;
      const LimberLedger *l = &r[k][i].ledger;
      double e[6];
      errors(s, &r[k][LEVELS - 1].end, e);
      errors(s, &common, e + 3);
      fprintf(f, "%s,%d", schemes[k], 250 << i);
      printf("  %5d", 250 << i);
      for (int own = 1; own >= 0; own--) {
        const double *at = e + 3 * !own;
        bool last = own && i == LEVELS - 1;
        for (int j = 0; j < 3; j++) last ? fputs(",", f) : fprintf(f, ",%.4e", at[j]);
        for (int j = 0; j < 3; j++) i && !last ? fprintf(f, ",%.2f", rate(before[3 * !own + j], at[j])) : fputs(",", f);
        for (int j = 0; j < 3 && !last; j++) printf("  %.2e (%5.2f)", at[j], rate(before[3 * !own + j], at[j]));
        if (own) printf(" |");
      }
      fputc('\n', f), putchar('\n');
      memcpy(before, e, sizeof e);
      fprintf(g, "%s,%d,%.9g,%.8g,%.9g,%.9g,%.8g,%.9g", schemes[k], 250 << i, s->u[0], s->u[1], s->u[2], s->v[0],
              s->v[1], s->v[2]);
      for (int j = 0; j < 6; j++) fprintf(g, ",%.8g", s->force[j]);
      fprintf(g, ",%.9f,%.12g,%.12g,%.4g,%.2e,%.2f,%d,%.2g\n", s->rotation, l->kinetic + l->strain, l->work,
              l->dissipated, l->worst_residual / l->exchanged, r[k][i].iterations, r[k][i].gains, r[k][i].largest_gain);
    }
  }
  fclose(f), fclose(g);
  double rotation[SCHEMES];
  for (int k = 0; k < SCHEMES; k++) rotation[k] = r[k][LEVELS - 1].end.rotation;
  printf("tip rotation, 32000 steps: decaying_a %.9f degrees; smaller than that: preserving %.2e %%, generalized_alpha "
         "%.2e %%\n",
         rotation[2], 100 * (1 - rotation[1] / rotation[2]), 100 * (1 - rotation[0] / rotation[2]));
}

// ---- convergence in space and time ----

static void space(const char *directory) {
  static const int mesh[][2] = {{4, 8000}, {8, 8000}, {16, 8000}, {32, 8000}, {16, 32000}};
  FILE *f = table(directory, "space.csv");
  fputs("elements,steps,u1,u2,u3,v1,v2,v3,N,V2,V3,M1,M2,M3,rotation_deg\n", f);
  puts("decaying_c on finer meshes");
  for (int k = 0; k < (int)(sizeof mesh / sizeof mesh[0]); k++) {
    Case c = {"decaying_c", mesh[k][0], mesh[k][1], 1, 1, TRIANGLE};
    BeamState s = run_case(&c, NULL).end;
    FILE *out[2] = {f, stdout};
    for (int o = 0; o < 2; o++) {
      fprintf(out[o], "%d,%d,%.9g,%.8g,%.9g,%.8g,%.6g,%.8g", c.elements, c.steps, s.u[0], s.u[1], s.u[2], s.v[0],
              s.v[1], s.v[2]);
      for (int i = 0; i < 6; i++) fprintf(out[o], ",%.6g", s.force[i]);
      fprintf(out[o], ",%.7f\n", s.rotation);
    }
  }
  fclose(f);
}

// ---- spectra, Figs 8 to 13 ----

enum { SIGNALS = 5, BINS = 128 }; // up to 1000 Hz
static const char *const signals[SIGNALS] = {"V2", "M1", "w1", "w2", "w3"};

static double signal_of(const BeamState *s, int i) {
  return i == 0 ? s->force[1] : i == 1 ? s->force[3] : s->angular[i - 2];
}

// Amplitudes 2/N |X_k| of the last N instants, which reach from 0.122 s (left out) to 0.25 s. No window.
static void spectrum(const BeamState *history, int steps, int signal, double *amplitude) {
  int n = steps * 128 / 250;
  double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)spectrum_size(n) * sizeof *y);
  for (int i = 0; x && i < n; i++) x[i] = signal_of(&history[steps - n + 1 + i], signal);
  bool done = x && y && amplitude_spectrum(n, x, false, y);
  for (int k = 0; k <= BINS; k++) amplitude[k] = !done || k > n / 2 ? NAN : k == 0 || 2 * k == n ? 2 * y[k] : y[k];
  free(x), free(y);
}

static void spectra(const char *directory) {
  static const struct {
    const char *scheme, *label;
    int steps;
  } run[4] = {{"preserving", "preserving_250", 250},
              {"decaying_a", "decaying_a_250", 250},
              {"preserving", "preserving_1000", 1000},
              {"decaying_a", "decaying_a_1000", 1000}};
  static BeamState history[4][1001];
  static double a[4][SIGNALS][BINS + 1];
  const double bin = 1 / 0.128;
  puts("spectra, 0.122 to 0.25 s: peaks of at least 2 % of the largest, Hz (amplitude)");
  for (int k = 0; k < 4; k++) {
    Case c = {run[k].scheme, 4, run[k].steps, 1, 1, TRIANGLE};
    run_case(&c, history[k]);
    for (int s = 0; s < SIGNALS; s++) {
      double *p = a[k][s], largest = 0;
      spectrum(history[k], c.steps, s, p);
      for (int i = 3; i < BINS; i++)
        if (p[i] > p[i - 1]) largest = fmax(largest, p[i]);
      printf("  %-16s %s ", run[k].label, signals[s]);
      for (int i = 2; i < BINS; i++)
        if (p[i] > p[i - 1] && !(p[i] < p[i + 1]) && p[i] > 0.02 * largest) printf(" %.1f (%.3g)", i * bin, p[i]);
      putchar('\n');
    }
  }
  FILE *f = table(directory, "spectra.csv");
  fputs("frequency", f);
  for (int k = 0; k < 4; k++)
    for (int s = 0; s < SIGNALS; s++) fprintf(f, ",%s_%s", signals[s], run[k].label);
  fputc('\n', f);
  for (int i = 1; i <= BINS; i++) {
    fprintf(f, "%.4f", i * bin);
    for (int k = 0; k < 4; k++)
      for (int s = 0; s < SIGNALS; s++) isnan(a[k][s][i]) ? fputs(",", f) : fprintf(f, ",%.4g", a[k][s][i]);
    fputc('\n', f);
  }
  fclose(f);
}

static const struct {
  const char *name;
  void (*run)(const char *directory);
} studies[] = {{"spectra", spectra},     {"linear", linear_limit},     {"rigid", rigid_limit},
               {"smooth", smooth_loads}, {"convergence", convergence}, {"space", space}};

int main(int argc, char **argv) {
  int done = 0;
  if (LimberInitialize(&argc, &argv)) return 1;
  for (int i = 0; i < 6 && argc == 3; i++)
    if (!strcmp(argv[1], "all") || !strcmp(argv[1], studies[i].name)) studies[i].run(argv[2]), fflush(stdout), done++;
  if (!done)
    fprintf(stderr, "usage: %s spectra | linear | rigid | smooth | convergence | space | all  DIRECTORY\n", argv[0]);
  return LimberFinalize() || !done;
}
