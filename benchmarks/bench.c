// SPDX-License-Identifier: Apache-2.0
// limber-bench: how much of a step is not the engine's own work? For each case and scheme the time of a step beside that of the
// bare engine (factor and solve by PETSc alone) on the very matrices of the run, with the split of the step.
#include "assembly/evaluate.h"
#include "bench_cases.h"

#include "analyses/stepping/stepper.h"
#include "results/write/output.h"

#include <petsc/private/petscimpl.h>
#include <slepcsys.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const schemes[] = {"decaying", "preserving", "decaying_c", "generalized_alpha"};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

typedef struct {
  double setup, step;             // s; the second a step
  double timed, evaluate, solve;  // s a step in which parts were timed; their shares
  double factor_bare, solve_bare; // s a system
  double tangent, residual;       // s an evaluation with and without tangent
  double output;                  // s a row of the history, beside the step
  double iterations, factors;     // a step
  double memory;                  // bytes a node
  double open;                    // worst residual of the account over the energy
  long unknowns;
} Figures;

// Of this process alone, since the machine may have other work; several ranks wait for each other, and there the clock counts.
double bench_seconds(void) {
  int size;
  struct timespec t;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  clock_gettime(size > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double resident(void) { // bytes
  long all = 0, here = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%ld %ld", &all, &here) != 2) here = 0;
  if (f) fclose(f);
  return (double)here * (double)sysconf(_SC_PAGESIZE);
}

// The engine with nothing around it: one KSP on a copy of the run's last matrix.
static PetscErrorCode Bare(const System *s, double *factor, double *solve) {
  KSP ksp;
  Mat copy;
  Vec b, x;
  double t0, t1, t2;
  PetscFunctionBegin;
  *factor = *solve = 1e30;
  PetscCall(MatDuplicate(s->equations.matrix.tangent, MAT_COPY_VALUES, &copy));
  PetscCall(MatCreateVecs(copy, &b, &x));
  PetscCall(VecCopy(s->equations.residual, b));
  PetscCall(KSPCreate(s->motion.layout.comm, &ksp));
  PetscCall(KSPSetOperators(ksp, copy, copy));
  if (s->motion.layout.size > 1 || s->motion.layout.is_wide || s->linear.nfallback > 3) PetscCall(SolverUseLU(ksp));
  else PetscCall(SolverUseBlockLU(ksp));
  PetscCall(KSPSetFromOptions(ksp));
  PetscInt n;
  PetscCall(MatGetSize(copy, &n, NULL));
  for (int i = 0, last = s->motion.layout.is_wide && n > 50000 ? 2
                         : n > 100000                          ? 3
                         : n > 10000                           ? 6
                                                               : 50;
       i < last; i++) {
    PetscCall(PetscObjectStateIncrease((PetscObject)copy));
    PetscCall(KSPSetOperators(ksp, copy, copy));
    t0 = bench_seconds();
    PetscCall(KSPSetUp(ksp));
    t1 = bench_seconds();
    PetscCall(KSPSolve(ksp, b, x));
    t2 = bench_seconds();
    if (i == 0) continue; // symbolic
    *factor = PetscMin(*factor, t1 - t0), *solve = PetscMin(*solve, t2 - t1);
  }
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscCall(MatDestroy(&copy));
  PetscFunctionReturn(0);
}

// One evaluation of the system as the last step left it, the best of some.
static PetscErrorCode Evaluations(Motion *motion, Equations *equations, Figures *f) {
  double *best[2] = {&f->residual, &f->tangent};
  PetscFunctionBegin;
  for (int tangent = 0; tangent < 2; tangent++) {
    *best[tangent] = 1e30;
    for (int i = 0, last = motion->layout.nnode > 1000000 ? 1 : motion->layout.nnode > 10000 ? 3 : 20; i < last; i++) {
      double t0 = bench_seconds();
      PetscCall(EquationsEvaluate(motion, equations, (PetscBool)tangent));
      *best[tangent] = PetscMin(*best[tangent], bench_seconds() - t0);
    }
  }
  PetscFunctionReturn(0);
}

// What `limber run` does beside a step: a row of the history with the model's probes, written in blocks.
static PetscErrorCode WriteRows(const Input *in, Stepper *p, const LimberOutcome *out, double *a_row) {
  Input input = *in;
  char path[64], sidecar[80];
  Output *o;
  int rows = 0, snapshots;
  struct LimberRunData run = {p};
  PetscFunctionBegin;
  if (!input.title) input.title = "", input.text = "";
  input.options = p->options, input.every = 1, input.snapshots = 0;
  snprintf(path, sizeof path, "/tmp/limber-bench-%ld.h5", (long)getpid());
  output_sidecar(path, sidecar, sizeof sidecar);
  PetscCall(OutputCreate(path, &input, &run, &o));
  double t0 = bench_seconds();
  for (; rows < 512 && (rows < 4 || bench_seconds() - t0 < 1); rows++) PetscCall(OutputStep(o, &run, out));
  *a_row = (bench_seconds() - t0) / rows;
  PetscCall(OutputClose(&o, &run, RUN_FINISHED, &snapshots));
  unlink(path), unlink(sidecar);
  PetscFunctionReturn(0);
}

// The steps of a case from its start, once; the figures stay where they were better. The parts are timed in steps of their own, as shares of
// them: on small models the clock itself takes as long as a part.
static PetscErrorCode Steps(const BenchCase *c, Stepper *p, bool step, bool parts, Figures *f, LimberOutcome *out) {
  System *s = p->s;
  PetscFunctionBegin;
  s->equations.watch.now = parts ? bench_seconds : NULL;
  for (int i = 0; i < c->warm; i++) PetscCall(StepperStep(p, out));
  PetscInt64 tangents = s->equations.matrix.made, solutions = s->linear.solutions;
  s->equations.watch.evaluate = s->equations.watch.solve = 0;
  double t0 = bench_seconds();
  for (int i = 0; i < c->steps; i++) {
    PetscCall(StepperStep(p, out));
    PetscCheck(out->reason == LIMBER_CONVERGED, PETSC_COMM_SELF, PETSC_ERR_NOT_CONVERGED, "%s", out->cause.name);
  }
  double spent = (bench_seconds() - t0) / c->steps;
  if (step) f->step = PetscMin(f->step, spent);
  if (parts && spent < f->timed)
    f->timed = spent, f->evaluate = s->equations.watch.evaluate / c->steps / spent,
    f->solve = s->equations.watch.solve / c->steps / spent;
  f->iterations = (double)(s->linear.solutions - solutions) / c->steps,
  f->factors = (double)(s->equations.matrix.made - tangents) / c->steps;
  PetscFunctionReturn(0);
}

static PetscErrorCode Measure(const BenchCase *c, const char *scheme, int repeats, bool bare, Figures *f) {
  Stepper *p;
  Refusal wrong;
  LimberOutcome out;
  double before = resident();
  int size;
  PetscFunctionBegin;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  *f = (Figures){.step = 1e30, .timed = 1e30};
  for (int i = 0; i < repeats; i++) {
    Input in = {0};
    double t0 = bench_seconds();
    in.options = limber_options_default();
    PetscCall(c->build(c, &in));
    in.options.scheme = limber_scheme_find(scheme), in.options.rho_inf = 0.5;
    PetscCall(StepperCreate(in.model, &in.options, &p, &wrong));
    PetscCheck(p, PETSC_COMM_SELF, PETSC_ERR_USER, "%s: %s", c->name, wrong.text);
    if (i == 0) f->setup = bench_seconds() - t0;
    PetscCall(Steps(c, p, repeats == 1 || i % 2 == 0, repeats == 1 || i % 2 == 1, f, &out));
    if (i == 0) f->memory = PetscMax(0, resident() - before) / limber_model_nodes(in.model);
    if (i == repeats - 1) {
      f->unknowns = limber_run_unknowns(&(struct LimberRunData){p});
      f->open = p->ledger.worst_residual / p->ledger.exchanged;
      if (size == 1) PetscCall(WriteRows(&in, p, &out, &f->output));
      if (bare) PetscCall(Bare(p->s, &f->factor_bare, &f->solve_bare));
      PetscCall(Evaluations(&p->s->motion, &p->s->equations, f));
    }
    PetscCall(StepperDestroy(&p));
    PetscCall(LimberModelDestroy(&in.model));
  }
  PetscFunctionReturn(0);
}

static void print(const BenchCase *c, const char *scheme, const Figures *f, bool csv) {
  double bare = f->factors * f->factor_bare + f->iterations * f->solve_bare, us = 1e6;
  double time[] = {f->step,
                   bare,
                   f->step * f->evaluate,
                   f->step * f->solve,
                   f->step * (1 - f->evaluate - f->solve),
                   f->output,
                   f->factors * f->factor_bare,
                   f->iterations * f->solve_bare,
                   f->tangent,
                   f->residual};
  printf(csv ? "%s,%s,%ld" : "%-14s %-17s %8ld", c->name, scheme, f->unknowns);
  for (int i = 0; i < (int)(sizeof time / sizeof *time); i++) printf(csv ? ",%.2f" : " %10.1f", us * time[i]);
  printf(csv ? ",%.2f,%.2f,%.3f,%.0f,%.1e,%.3f\n" : " %5.2f %5.2f %6.2f %8.0f %8.1e %7.3f\n", f->iterations, f->factors,
         bare > 0 ? f->step / bare : 0, f->memory, f->open, f->setup);
  fflush(stdout);
}

static void print_head(bool csv) {
  static const char *const head[] = {"step",   "bare",        "evaluate",   "solve",   "rest",
                                     "output", "bare_factor", "bare_solve", "tangent", "residual"};
  printf(csv ? "%s,%s,%s" : "%-14s %-17s %8s", "case", "scheme", "unknowns");
  for (int i = 0; i < (int)(sizeof head / sizeof *head); i++) printf(csv ? ",%s_us" : " %10s", head[i]);
  puts(csv ? ",iterations,factors,R,bytes_a_node,account,setup_s" : "   sol    LU      R   B/node  account setup s");
}

static int usage(void) {
  puts("CPU times of a step in us beside those of the bare engine on the same matrices.\n\n"
       "usage: limber-bench [--csv] [--all] [--scheme name] [--repeat n] [--no-bare] [case ...]\n"
       "       limber-bench --precision [problem ...]\n\n"
       "A step is evaluate (residuals and tangents), solve (factors and solutions) and rest (ledger, starting values, "
       "the\n"
       "state's advance). Beside it: output, a row of the history in a file; bare, what PETSc alone takes for the "
       "factors and\n"
       "solutions; tangent and residual, one evaluation with and without tangent.\n\n"
       "--repeat n takes the best of n runs from the start (without: 5, of slow cases 1).\n"
       "--no-bare leaves the bare engine out, whose factors take long on large solids and lattices.\n"
       "--precision prints error against CPU time for all schemes, as CSV (work_precision.sh draws it).\n\n"
       "Cases (without: the short ones):");
  for (const BenchCase *c = bench_cases; c->name; c++)
    printf("  %-16s %s%s\n", c->name, c->help, c->slow ? " (slow)" : "");
  puts("\nexample:\n  limber-bench pendulum chain-1e4");
  return 0;
}

int main(int argc, char **argv) {
  bool csv = false, chosen = false, all = false, bare = true;
  const char *only = NULL;
  int repeat = 0;
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
  int rank;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) print_head(csv);
  for (const BenchCase *c = bench_cases; c->name; c++) {
    bool wanted = !chosen && (all || !c->slow);
    for (int i = 1; i < argc; i++) wanted = wanted || !strcmp(argv[i], c->name);
    for (int k = 0; k < SCHEMES && wanted; k++) {
      Figures f;
      if (only && strcmp(only, schemes[k])) continue;
      PetscCall(Measure(c, schemes[k], repeat > 0 ? repeat : c->slow ? 1 : 5, bare, &f));
      if (rank == 0) print(c, schemes[k], &f, csv);
    }
  }
  return SlepcFinalize();
}
