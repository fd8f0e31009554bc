// SPDX-License-Identifier: Apache-2.0
// Spectral radius, period error and damping of all schemes on a linear oscillator, from the amplification matrix of the
// real stepper (oscillator.h), for h/T from 0.01 to 100: Figs 2-4 of Bauchau & Theron 1996 (beams) and Figs 1-4 of
// Bottasso & Trainelli 2004.
// usage: study_oscillator DIRECTORY (which receives the tables)
#include "oscillator.h"

#include <slepcsys.h>
#include <stdio.h>

enum { PER_DECADE = 50, POINTS = 4 * PER_DECADE + 1 };

static double step_at(int i) { return pow(10, -2 + (double)i / PER_DECADE); }

// The order seen between h/T = 0.02 and 0.01.
static PetscErrorCode Order(const OscillatorScheme *q, double *order) {
  Amplification m[2];
  PetscFunctionBegin;
  for (int i = 0; i < 2; i++) PetscCall(OscillatorAmplify(OSCILLATOR_SHEAR, q, 0.02 / (i + 1), 1e-6, &m[i]));
  *order = log2(amplification_error(&m[0], 0.02) / amplification_error(&m[1], 0.01));
  PetscFunctionReturn(0);
}

static PetscErrorCode Worse(const OscillatorScheme *q, double step, const Amplification *m, double *theory,
                            double *bar) {
  Amplification b, t = {.n = m->n};
  PetscFunctionBegin;
  PetscCall(OscillatorAmplify(OSCILLATOR_BAR, q, step, 1e-5, &b));
  if (m->n == 3) {
    generalized_alpha_theory(q->rho_inf, step, t.a);
    for (int i = 0; i < 9; i++) *theory = fmax(*theory, fabs(t.a[i / 3][i % 3] - m->a[i / 3][i % 3]));
  } else {
    double complex z = oscillator_theory(q, step);
    *theory = fmax(*theory, fmin(cabs(z - m->lambda[0]), cabs(z - m->lambda[1])));
  }
  for (int i = 0; i < m->n; i++)
    for (int j = 0; j < m->n; j++) *bar = fmax(*bar, fabs(b.a[i][j] - m->a[i][j]));
  PetscFunctionReturn(0);
}

static PetscErrorCode Run(const char *directory) {
  static Amplification m[OSCILLATOR_SCHEMES][POINTS];
  static const char *const tables[] = {"spectral_radius", "period_error", "damping", "error"};
  char path[PETSC_MAX_PATH_LEN];
  FILE *f;
  PetscFunctionBegin;
  for (int q = 0; q < OSCILLATOR_SCHEMES; q++)
    for (int i = 0; i < POINTS; i++)
      PetscCall(OscillatorAmplify(OSCILLATOR_SHEAR, &oscillator_schemes[q], step_at(i), 1e-6, &m[q][i]));
  for (int table = 0; table < 4; table++) {
    PetscCall(PetscSNPrintf(path, sizeof path, "%s/%s.csv", directory, tables[table]));
    PetscCall(PetscFOpen(PETSC_COMM_SELF, path, "w", &f));
    fprintf(f, "h_over_T");
    for (int q = 0; q < OSCILLATOR_SCHEMES; q++) fprintf(f, ",%s", oscillator_schemes[q].name);
    fputc('\n', f);
    for (int i = 0; i < POINTS; i++) {
      double h = step_at(i);
      fprintf(f, "%.6g", h);
      for (int q = 0; q < OSCILLATOR_SCHEMES; q++) {
        const Amplification *p = &m[q][i];
        double value[] = {p->radius, amplification_period(p, h), amplification_damping(p), amplification_error(p, h)};
        fprintf(f, ",%.9g", value[table]);
      }
      fputc('\n', f);
    }
    PetscCall(PetscFClose(PETSC_COMM_SELF, f));
  }
  PetscCall(PetscSNPrintf(path, sizeof path, "%s/summary.csv", directory));
  PetscCall(PetscFOpen(PETSC_COMM_SELF, path, "w", &f));
  fprintf(f, "scheme,radius_at_100,limit,largest_radius,order,period_error_at_0.1,damping_at_0.1,off_theory,off_bar\n");
  for (int q = 0; q < OSCILLATOR_SCHEMES; q++) {
    const OscillatorScheme *s = &oscillator_schemes[q];
    double order = 0, theory = 0, bar = 0, largest = 0;
    const Amplification *tenth = &m[q][PER_DECADE];
    PetscCall(Order(s, &order));
    for (int i = 0; i < POINTS; i++) {
      largest = fmax(largest, m[q][i].radius);
      PetscCall(Worse(s, step_at(i), &m[q][i], &theory, &bar));
    }
    fprintf(f, "%s,%.6f,%.6f,%.15f,%.3f,%.4e,%.4e,%.1e,%.1e\n", s->label, m[q][POINTS - 1].radius, s->limit, largest,
            order, amplification_period(tenth, 0.1), amplification_damping(tenth), theory, bar);
  }
  PetscCall(PetscFClose(PETSC_COMM_SELF, f));
  PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
  PetscCall(SlepcInitialize(&argc, &argv, NULL, NULL));
  if (argc != 2) {
    fprintf(stderr, "usage: study_oscillator DIRECTORY\n");
    return 2;
  }
  PetscCall(Run(argv[1]));
  PetscCall(SlepcFinalize());
  return 0;
}
