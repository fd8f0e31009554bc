// SPDX-License-Identifier: Apache-2.0
// `limber static`: equilibria of a model file, step by step into a results file.
#include "analyses/statics/statics.h"
#include "app/failure.h"
#include "app/point_command.h"
#include "app/command.h"
#include "console/library_commands.h"
#include "input/input.h"
#include "model/refusal.h"
#include "results/write/output.h"

#include <math.h>
#include <petscsys.h>
#include <string.h>

typedef struct {
  int steps;
  int64_t iterations, rejected;
  const PointCall *call;
} StaticRecord;

static void print_progress(const StaticRecord *a, double factor) {
  if (!a->call->draws) return;
  printf("\r  step %d  load factor %-12.6g \033[K", a->steps, factor);
  fflush(stdout);
}

static PetscErrorCode PrintSummary(const StaticRecord *a, LimberRun run, const char *stresses, const char *path,
                                   int snapshots) {
  char found[4096] = "";
  LimberLedger l;
  PetscFunctionBegin;
  PetscCall(LimberRunGetLedger(run, &l));
  PetscCall(LimberRunGetFound(run, sizeof found, found));
  if (a->call->draws) printf("\r\033[K");
  if (!a->call->talks) PetscFunctionReturn(0);
  printf("%s: %d step%s to a load factor of %.9g\n", path, a->steps, a->steps == 1 ? "" : "s", l.load_factor);
  printf("  Newton      %lld iteration%s; %lld attempt%s rejected\n", (long long)a->iterations,
         a->iterations == 1 ? "" : "s", (long long)a->rejected, a->rejected == 1 ? "" : "s");
  printf("  energy      strain %.6g J, potential %.6g J\n", l.strain, l.potential);
  printf("  constraints violation of at most %.2g\n", l.constraint);
  print_lines("stress", stresses);
  print_lines("found", found);
  if (snapshots)
    printf("  states      %d; limber view %s shows them, limber plot %s plots them\n", snapshots, path, path);
  PetscFunctionReturn(0);
}

static PetscErrorCode ExplainNoEquilibrium(const char *command, const Input *in, LimberRun run, const LimberOutcome *o,
                                           double factor) {
  char why[1024];
  PetscFunctionBegin;
  PetscCall(StaticsExplainStop(run->stepper, why, sizeof why));
  if (!is_printing_process()) PetscFunctionReturn(0);
  print_command_error(command, "no equilibrium was found beyond a load factor of %.9g%s%s", factor,
                      *o->cause.name ? (o->reason == LIMBER_SINGULAR ? "; singular at " : "; most out of balance is ")
                                     : "",
                      o->cause.name);
  if (o->reason == LIMBER_SINGULAR)
    fprintf(
        stderr,
        "  The stiffness is singular: a part moves freely, or the structure is at a critical point. Hold that part "
        "with a\n"
        "  joint or a spring; for what hangs freely `limber run` with `start: equilibrium` finds where it rests.\n");
  else fprintf(stderr, "  %s\n", why);
  input_point_at_cause(in, &o->cause, stderr);
  PetscFunctionReturn(0);
}

static PetscErrorCode TakeSteps(const char *command, const char *path, LimberRun run, Output *out, StaticRecord *a,
                                LimberOutcome *o, bool *stopped) {
  LimberLedger l;
  static char words[4400]; // a signal may ask for them after an error has ended this function
  PetscFunctionBegin;
  if (is_printing_process())
    snprintf(words, sizeof words,
             "limber %s: interrupted inside a step, which is lost; %s contains the states before it\n", command, path);
  *o = (LimberOutcome){.reason = LIMBER_CONVERGED}, *stopped = false;
  while (!limber_run_finished(run) && o->reason == LIMBER_CONVERGED && !*stopped) {
    set_last_words(words);
    PetscCall(LimberRunStep(run, o));
    set_last_words(NULL);
    a->iterations += o->iterations, a->rejected += o->rejected;
    if (o->reason != LIMBER_CONVERGED) break;
    a->steps++;
    PetscCall(OutputStep(out, run, o));
    PetscCall(LimberRunGetLedger(run, &l));
    print_progress(a, l.load_factor);
    PetscCall(StopRequestedAnywhere(PETSC_COMM_WORLD, stopped));
  }
  *stopped = *stopped && !limber_run_finished(run);
  PetscFunctionReturn(0);
}

static PetscErrorCode FindPath(PointCall *c, Refusal *wrong) {
  const char *command = c->request->command, *path = c->request->path;
  Input *in = c->in;
  StaticRecord a = {.call = c};
  long long rows = 0;
  LimberRun run;
  LimberOutcome o;
  LimberLedger l;
  Output *out;
  int snapshots;
  bool stopped;
  char stresses[2048];
  PetscFunctionBegin;
  (void)wrong; // it speaks itself
  input_use_static(in, c->request->frames);
  PetscCall(LimberRunCreate(in->model, &in->options, &run));
  if (!run) {
    explain_start(command, in, limber_model_diagnostics(in->model));
    c->code = EXIT_MISTAKE;
    PetscFunctionReturn(0);
  }
  catch_signals();
  if (c->request->monitor) PetscCall(LimberRunSetMonitor(run, print_iteration, &rows));
  PetscCall(OutputCreate(path, in, run, &out));
  if (c->talks) print_lines("note", limber_run_remarks(run));
  PetscCall(TakeSteps(command, path, run, out, &a, &o, &stopped));
  PetscCall(LimberRunGetLedger(run, &l));
  output_stresses(out, stresses, sizeof stresses);
  PetscCall(OutputClose(&out, run, stopped ? RUN_INTERRUPTED : (RunStatus)o.reason, &snapshots));
  PetscCall(PrintSummary(&a, run, stresses, path, snapshots));
  if (o.reason != LIMBER_CONVERGED) PetscCall(ExplainNoEquilibrium(command, in, run, &o, l.load_factor));
  if (stopped)
    print_command_error(command, "interrupted at a load factor of %.9g; %s contains the states up to there",
                        l.load_factor, path);
  c->code = o.reason == LIMBER_CONVERGED && !stopped ? EXIT_GOOD : EXIT_FAILED;
  PetscCall(LimberRunDestroy(&run));
  PetscFunctionReturn(0);
}

const PointCommand command_of_static = {.find = FindPath};
