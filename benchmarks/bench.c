// SPDX-License-Identifier: Apache-2.0
// limber-bench: how much of a step is not the engine's own work? For each case and scheme the time of a step beside that of the
// bare engine (factor and solve by PETSc alone) on the very matrices of the run, with the split of the step.
#include "bench_cases.h"

#include "stepping/stepper.h"

#include <petsc/private/petscimpl.h>
#include <slepcsys.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const char *const schemes[] = {"preserving", "decaying_c", "generalized_alpha"};

typedef struct {
  double setup, step, evaluate, solve, factor_bare, solve_bare; // s; all but the first a step or a system
  double iterations, factors;                                   // a step
  double memory;                                                // bytes a node
  double open;                                                  // worst residual of the account over the energy
  long unknowns;
} Figures;

// Of this process alone, since the machine may have other work; several ranks wait for each other, and there the clock counts.
static double seconds(void) {
  int size;
  struct timespec t;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  clock_gettime(size > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double peak(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return 1024.0 * (double)use.ru_maxrss;
}

// The engine with nothing around it: one KSP on a copy of the run's last matrix.
static PetscErrorCode Bare(System *s, double *factor, double *solve) {
  KSP ksp;
  Mat copy;
  Vec b, x;
  double t0, t1, t2;
  PetscFunctionBegin;
  *factor = *solve = 1e30;
  PetscCall(MatDuplicate(s->tangent, MAT_COPY_VALUES, &copy));
  PetscCall(MatCreateVecs(copy, &b, &x));
  PetscCall(VecCopy(s->residual, b));
  PetscCall(KSPCreate(s->comm, &ksp));
  PetscCall(KSPSetOperators(ksp, copy, copy));
  PetscCall(SolverUseLU(ksp, s->size > 1 || s->wide || s->falls > 3));
  PetscCall(KSPSetFromOptions(ksp));
  PetscInt n;
  PetscCall(MatGetSize(copy, &n, NULL));
  for (int i = 0, last = s->wide && n > 50000 ? 2 : n > 100000 ? 3 : n > 10000 ? 6 : 50; i < last; i++) {
    PetscCall(PetscObjectStateIncrease((PetscObject)copy));
    PetscCall(KSPSetOperators(ksp, copy, copy));
    t0 = seconds();
    PetscCall(KSPSetUp(ksp));
    t1 = seconds();
    PetscCall(KSPSolve(ksp, b, x));
    t2 = seconds();
    if (i == 0) continue; // symbolic
    *factor = PetscMin(*factor, t1 - t0), *solve = PetscMin(*solve, t2 - t1);
  }
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscCall(MatDestroy(&copy));
  PetscFunctionReturn(0);
}

static PetscErrorCode Measure(const BenchCase *c, const char *scheme, int parts, bool bare, Figures *f) {
  LimberModel m;
  Stepper *p;
  char wrong[1024];
  LimberOptions o;
  LimberOutcome out;
  double t0, t1, t2;
  double before = peak();
  PetscFunctionBegin;
  *f = (Figures){0};
  t0 = seconds();
  limber_options_default(&o);
  PetscCall(c->build(c, &m, &o));
  o.scheme = scheme, o.rho_inf = 0.5;
  PetscCall(StepperCreate(m, &o, &p, wrong, sizeof wrong));
  PetscCheck(p, PETSC_COMM_SELF, PETSC_ERR_USER, "%s: %s", c->name, wrong);
  t1 = seconds();
  f->setup = t1 - t0;
  System *s = p->s;
  s->clock = seconds;
  for (int i = 0; i < c->warm; i++) PetscCall(StepperStep(p, &out));
  f->step = 1e30;
  PetscInt64 tangents = s->tangents;
  for (int part = 0; part < parts; part++) { // the best of some parts, since the machine may have other work
    double work[4] = {0};
    s->seconds_evaluate = s->seconds_solve = 0;
    t1 = seconds();
    for (int i = 0; i < c->steps; i++) {
      PetscCall(StepperStep(p, &out));
      PetscCheck(out.reason == LIMBER_CONVERGED, PETSC_COMM_SELF, PETSC_ERR_NOT_CONVERGED, "%s", out.where);
      work[0] += out.iterations;
    }
    t2 = seconds();
    f->iterations += work[0] / c->steps / parts;
    if (t2 - t1 < f->step * c->steps)
      f->step = (t2 - t1) / c->steps, f->evaluate = s->seconds_evaluate / c->steps,
      f->solve = s->seconds_solve / c->steps;
  }
  f->factors = (double)(s->tangents - tangents) / (double)parts / c->steps;
  f->unknowns = limber_run_unknowns(&(struct LimberRunData){p});
  f->open = p->ledger.worst_residual / p->ledger.exchanged;
  f->memory = (peak() - before) / limber_model_nodes(m);
  if (bare) PetscCall(Bare(s, &f->factor_bare, &f->solve_bare));
  PetscCall(StepperDestroy(&p));
  PetscCall(LimberModelDestroy(&m));
  PetscFunctionReturn(0);
}

static void print(const BenchCase *c, const char *scheme, const Figures *f, bool csv) {
  double bare = f->factors * f->factor_bare + f->iterations * f->solve_bare, us = 1e6;
  printf(csv ? "%s,%s,%ld,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.3f,%.0f,%.1e,%.3f\n"
             : "%-14s %-18s %8ld %11.1f %11.1f %11.1f %11.1f %11.1f %11.1f %5.2f %5.2f %6.2f %8.0f %8.1e %7.3f\n",
         c->name, scheme, f->unknowns, us * f->step, us * bare, us * f->evaluate, us * f->solve,
         us * f->factors * f->factor_bare, us * f->iterations * f->solve_bare, f->iterations, f->factors,
         bare > 0 ? f->step / bare : 0, f->memory, f->open, f->setup);
  fflush(stdout);
}

static int usage(void) {
  puts("Times of a step beside those of the bare engine on the same matrices.\n\n"
       "usage: limber-bench [--csv] [--all] [--scheme name] [--repeat n] [--no-bare] [case ...]\n\n"
       "--no-bare leaves the bare engine out, whose factors take long on large solids and lattices.\n\nCases (without: "
       "the short ones):");
  for (const BenchCase *c = bench_cases; c->name; c++)
    printf("  %-16s %s%s\n", c->name, c->help, c->slow ? " (slow)" : "");
  puts("\nexample:\n  limber-bench pendulum chain-1e4");
  return 0;
}

int main(int argc, char **argv) {
  bool csv = false, chosen = false, all = false, bare = true;
  const char *only = NULL;
  int repeat = 1;
  if (argc > 1 && !strcmp(argv[1], "--help")) return usage();
  PetscCall(SlepcInitialize(&argc, &argv, NULL, NULL));
  if (argc > 1 && !strcmp(argv[1], "--precision")) {
    PetscCall(BenchPrecision(argc - 2, argv + 2));
    return SlepcFinalize();
  }
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--csv")) csv = true;
    else if (!strcmp(argv[i], "--all")) all = true;
    else if (!strcmp(argv[i], "--scheme") && i + 1 < argc) only = argv[++i];
    else if (!strcmp(argv[i], "--repeat") && i + 1 < argc) repeat = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--no-bare")) bare = false;
    else if (argv[i][0] != '-') chosen = true;
  }
  printf(csv ? "case,scheme,unknowns,step_us,bare_us,evaluate_us,solve_us,bare_factor_us,bare_solve_us,iterations,"
               "factors,R,bytes_a_node,account,setup_s\n"
             : "%-14s %-18s %8s %11s %11s %11s %11s %11s %11s %5s %5s %6s %8s %8s %7s\n",
         "case", "scheme", "unknowns", "step us", "bare us", "evaluate", "solve", "bare factor", "bare solve", "it",
         "LU", "R", "B/node", "account", "setup s");
  for (const BenchCase *c = bench_cases; c->name; c++) {
    bool wanted = !chosen && (all || !c->slow);
    for (int i = 1; i < argc; i++) wanted = wanted || !strcmp(argv[i], c->name);
    for (int k = 0; k < 3 && wanted; k++) {
      Figures f;
      if (only && strcmp(only, schemes[k])) continue;
      PetscCall(Measure(c, schemes[k], repeat * c->parts, bare, &f));
      print(c, schemes[k], &f, csv);
    }
  }
  return SlepcFinalize();
}
