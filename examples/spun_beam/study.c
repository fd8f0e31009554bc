// SPDX-License-Identifier: Apache-2.0
// What steady rotation costs, what a superposed velocity changes, and what a free beam keeps; models in spin.h.
// usage: study_spun_beam DIRECTORY [short]    (which receives the tables; short: larger angles and fewer steps only)
#include "base/cookie.h"
#include "spin.h"

#include <float.h>
#include <slepcsys.h>
#include <stdio.h>

static FILE *table(const char *directory, const char *name, const char *head) {
  char path[PETSC_MAX_PATH_LEN];
  snprintf(path, sizeof path, "%s/%s.csv", directory, name);
  FILE *f = fopen(path, "w");
  if (f) fprintf(f, "%s\n", head);
  return f;
}

static const char *const starts[] = {"rigid", "steady", "discrete"};

// Energy lost in the first, second and fifth turn, relative to the start.
static PetscErrorCode Steady(const char *directory, bool quick) {
  static const double turn[] = {0.01, 0.02, 0.05, 0.1, 0.2};
  const double omega = 10;
  FILE *f = table(directory, "steady", "model,scheme,start,omega_h,turn_1,turn_2,turn_5");
  PetscFunctionBegin;
  PetscCheck(f, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "cannot write in %s", directory);
  for (int kind = SPIN_BEAM; kind <= SPIN_BAR; kind++)
    for (int scheme = 0; scheme < 2; scheme++)
      for (int start = kind == SPIN_BEAM ? START_RIGID : START_STEADY;
           start <= (kind == SPIN_BAR ? START_STEADY : START_DISCRETE); start++)
        for (int i = quick ? 3 : 0; i < 5; i++) {
          LimberOptions o = {.cookie = OPTIONS_COOKIE,
                             .scheme = scheme ? LIMBER_SCHEME_DECAYING_C : LIMBER_SCHEME_DECAYING_A,
                             .rho_inf = 0.5,
                             .step = turn[i] / omega};
          SpinLoss l = {{0}, 0};
          PetscCall(SpinRun((SpinKind)kind, o, omega, (SpinStart)start, quick ? 2 : 5, &l));
          fprintf(f, "%s,%s,%s,%g,%.3e,%.3e,%.3e\n", spin_columns[kind], scheme ? "C(0.5)" : "A", starts[start],
                  turn[i], l.lost[0], l.lost[1], l.lost[2]);
          fflush(f);
        }
  fclose(f);
  PetscFunctionReturn(0);
}

// Two turns of a free beam with a superposed velocity.
static PetscErrorCode Carried(const char *directory) {
  static const double speed[] = {0.1, 0.3, 1, 3, 10, 32, 100}, direction[3] = {0.6, -0.48, 0.64};
  static const char *const names[] = {"preserving", "decaying_a", "decaying_c"};
  const double omega = 10, h = 0.01;
  const int steps = 126;
  FILE *f = table(directory, "carried",
                  "scheme,V,apart,eps_V_t,spin,spin_relative_to_ground,energy,energy_relative_to_ground");
  PetscFunctionBegin;
  PetscCheck(f, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "cannot write in %s", directory);
  for (int k = 0; k < 3; k++) {
    LimberOptions o = {.cookie = OPTIONS_COOKIE,
                       .scheme = limber_scheme_find(names[k]),
                       .rho_inf = 0.5,
                       .step = h,
                       .tolerance = 1e-16};
    Flight rest, with, without;
    PetscCall(FlightRun(o, (double[]){0, 0, 0}, omega, steps, true, &rest));
    fprintf(f, "%s,0,0,0,%.3e,%.3e,%.3e,%.3e\n", names[k], rest.spin, rest.spin, rest.energy, rest.energy);
    for (int i = 0; i < 7; i++) {
      double v[3], apart;
      for (int j = 0; j < 3; j++) v[j] = speed[i] * direction[j];
      PetscCall(FlightRun(o, v, omega, steps, true, &with));
      PetscCall(FlightRun(o, v, omega, steps, false, &without));
      apart = flight_apart(&rest, &with, v, steps * h);
      fprintf(f, "%s,%g,%.2e,%.1f,%.3e,%.3e,%.3e,%.3e\n", names[k], speed[i], apart,
              apart / (DBL_EPSILON * speed[i] * steps * h), with.spin, without.spin, with.energy, without.energy);
    }
  }
  fclose(f);
  PetscFunctionReturn(0);
}

static void write_drift(int i, const Drift *d, void *self) {
  if (i % 50 == 0) fprintf(self, "%d,%.2e,%.2e,%.2e\n", i, d->energy, d->momentum, d->angular);
}

// Energy and momenta of a free beam over 10^4 preserving steps.
static PetscErrorCode Free(const char *directory, int steps) {
  Drift d;
  FILE *f = table(directory, "free", "step,energy,momentum,angular_momentum");
  PetscFunctionBegin;
  PetscCheck(f, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "cannot write in %s", directory);
  PetscCall(FreeRun(1e-3, steps, write_drift, f, &d));
  fclose(f);
  printf(
      "%d preserving steps of 1 ms: energy %.1e, momentum %.1e, angular momentum %.1e; strain energy up to %.0f %%\n",
      steps, d.energy, d.momentum, d.angular, 100 * d.strain);
  PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
  PetscCall(SlepcInitialize(&argc, &argv, NULL, NULL));
  if (argc < 2) {
    fprintf(stderr, "usage: study_spun_beam DIRECTORY [short]\n");
    return 2;
  }
  bool quick = argc > 2;
  PetscCall(Free(argv[1], quick ? 500 : 10000));
  PetscCall(Carried(argv[1]));
  PetscCall(Steady(argv[1], quick));
  PetscCall(SlepcFinalize());
  return 0;
}
