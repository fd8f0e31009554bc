// SPDX-License-Identifier: Apache-2.0
// A cantilever of n cubic beam elements falls under gravity for 20 steps: time per step against n, with the split
// into evaluation and solution, and memory. Prints CSV.
//   bench_chain [largest n, default 10000] [smallest n, default 100]
#include "stepping/stepper.h"

#include <slepcsys.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { STEPS = 20 };

static PetscErrorCode Cantilever(int n, LimberModel *out) {
  // steel, 10 x 10 mm, elements of 0.1 m
  LimberSection s = {
      .stiffness = {{2.1e7}, {0, 6.73e6}, {0, 0, 6.73e6}, {0, 0, 0, 113.6}, {0, 0, 0, 0, 175}, {0, 0, 0, 0, 0, 175}},
      .mass = 0.78,
      .inertia = {{1.3e-5}, {0, 6.5e-6}, {0, 0, 6.5e-6}}};
  LimberModel m;
  LimberId section, beam;
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(&m));
  PetscCall(LimberModelAddSection(m, "steel", 1, &s, &section));
  PetscCall(LimberModelAddElement(
      m, "beam", "boom",
      &(LimberBeam){.from = -1, .to = -1, .section = section, .elements = n, .order = 3, .end = {0.1 * n, 0, 0}},
      &beam));
  PetscCall(LimberModelAddJoint(m, "clamp", "root", &(LimberClamp){limber_model_element_node(m, beam, 0)}, NULL));
  PetscCall(LimberModelAddLoad(m, "gravity", "g",
                               &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NONE}, NULL));
  *out = m;
  PetscFunctionReturn(0);
}

static PetscErrorCode Measure(const char *scheme, int n) {
  LimberModel m;
  Stepper *p;
  char wrong[1024];
  LimberOptions o;
  LimberOutcome out;
  PetscLogDouble t0, t1, t2;
  struct rusage use;
  int iterations = 0;
  PetscFunctionBegin;
  PetscCall(PetscTime(&t0));
  PetscCall(Cantilever(n, &m));
  limber_options_default(&o);
  o.scheme = scheme, o.step = 1e-3;
  PetscCall(StepperCreate(m, &o, &p, wrong, sizeof wrong));
  PetscCall(PetscTime(&t1));
  p->s->seconds_evaluate = p->s->seconds_solve = 0;
  for (int i = 0; i < STEPS; i++) {
    PetscCall(StepperStep(p, &out));
    PetscCheck(out.reason == LIMBER_CONVERGED, PETSC_COMM_SELF, PETSC_ERR_NOT_CONVERGED, "%s", out.where);
    iterations += out.iterations;
  }
  PetscCall(PetscTime(&t2));
  getrusage(RUSAGE_SELF, &use);
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s,%d,%d,%d,%.4f,%.4f,%.2f,%.4f,%.4f,%ld,%.1e\n", scheme, n, 18 * n + 6,
                        p->s->size, t1 - t0, 1e3 * (t2 - t1) / STEPS, (double)iterations / STEPS,
                        1e3 * p->s->seconds_evaluate / STEPS, 1e3 * p->s->seconds_solve / STEPS, use.ru_maxrss / 1024,
                        p->ledger.worst_residual / p->ledger.exchanged));
  PetscCall(StepperDestroy(&p));
  PetscCall(LimberModelDestroy(&m));
  PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
  static const char *const schemes[] = {"preserving", "generalized_alpha", "decaying_c"};
  PetscCall(SlepcInitialize(&argc, &argv, NULL, NULL));
  int most = argc > 1 ? atoi(argv[1]) : 10000, least = argc > 2 ? atoi(argv[2]) : 100;
  PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                        "scheme,elements,unknowns,ranks,setup_s,step_ms,iterations,evaluate_ms,solve_ms,"
                        "peak_MB,ledger\n"));
  for (int k = 0; k < 3; k++)
    for (int n = least; n <= most; n *= 10) PetscCall(Measure(schemes[k], n));
  return SlepcFinalize();
}
