// SPDX-License-Identifier: Apache-2.0
#include "app/simulate.h"

#include "model/refusal.h"
#include "results/checkpoint/checkpoint.h"
#include "app/failure.h"
#include "app/command.h"
#include "control/control.h"
#include "files/output_file.h"
#include "input/input.h"
#include "analyses/stepping/contact.h"
#include "analyses/stepping/events.h"
#include "analyses/stepping/fast_rotation.h"
#include "results/checkpoint/run_state.h"

#include <math.h>
#include <petscsys.h>
#include <string.h>
#include <unistd.h>

typedef struct {                     // since the start of the run, also where it was taken up again
  int64_t steps, iterations, halved; // steps taken; Newton iterations; steps that were halved
  int most;                          // parts of a step
  int64_t rejected;                  // tries that failed or lost too much
  double least, largest;             // steps taken
  double lost, dissipated;           // sum of |loss| of all steps; the ledger's, up to the last
  uint64_t system;                   // of a participant: identity of the system
} Sums;

typedef struct {
  Sums sum;
  Trail trail;
  int size; // ranks
  int snapshots;
  double memory_start;         // J: of the scheme
  double branched;             // work that is the change of stored energy at branches
  double checkpoint, saved_at; // s between two; when the last one was written
  double saving, stepping;     // s that the last one and the last step took
  bool unsaved;                // one could not be written, and that was said
  RunProgress progress;
  Exchange *exchange;
  int events; // that were printed
} RunRecord;

static double part_done(const RunRecord *a, const Input *in, double time) {
  return in->steps ? (double)a->sum.steps / (double)in->steps : time / in->end;
}

void run_progress_print(RunProgress *p, double part, double time) {
  char left[32];
  double spent = clock_seconds() - p->started;
  if (!is_printing_process() || p->talk == TALK_NONE || (p->talk == TALK_PROGRESS && !p->terminal)) return;
  format_duration(spent / (part - p->begun) * (1 - part), left, sizeof left);
  if (p->terminal) {
    if (clock_seconds() - p->redraw < 0.1 && part < 1) return;
    printf("\r  %3d %%  t = %-10.4g s  %s left \033[K", (int)(100 * part), time, left);
    p->redraw = clock_seconds();
    if (part >= 1) printf("\r\033[K");
  } else if ((int)(10 * part) > p->tenth) {
    p->tenth = (int)(10 * part);
    printf("  %3d %%  t = %.6g s  %s left\n", 10 * p->tenth, time, left);
  }
  fflush(stdout);
}

void run_progress_clear(const RunProgress *p) {
  if (p->terminal && is_printing_process() && p->talk != TALK_NONE) printf("\r\033[K"), fflush(stdout);
}

// "1 step", "2 steps".
static const char *plural_ending(long long count) { return count == 1 ? "" : "s"; }

static void print_newton(const RunRecord *a, bool chosen) {
  double steps = (double)(a->sum.steps ? a->sum.steps : 1);
  printf("  Newton      %lld iteration%s, %.2g per step; ", (long long)a->sum.iterations,
         plural_ending(a->sum.iterations), (double)a->sum.iterations / steps);
  if (chosen) printf("%lld attempt%s rejected\n", (long long)a->sum.rejected, plural_ending(a->sum.rejected));
  else if (a->sum.halved)
    printf("%lld step%s halved, into at most %d parts\n", (long long)a->sum.halved,
           a->sum.halved == 1 ? " was" : "s were", a->sum.most);
  else printf("no step was halved\n");
}

// Events that are still to come: often a value that was never reached.
static void print_missed(Model m, const Events *e) {
  enum { MOST = 5 };
  int missed = 0, said = 0;
  for (int i = 0; i < e->count; i++) missed += !(e->track[i].happened > 0);
  if (!missed) return;
  printf("  events      %d of %d did not happen:", missed, e->count);
  for (int i = 0; i < e->count && said < MOST; i++)
    if (!(e->track[i].happened > 0)) printf("%s %s", said++ ? "," : "", model_event(m, i)->name);
  printf("%s\n", missed > said ? ", ..." : "");
}

static void print_summary(const RunRecord *a, const Input *in, const LimberLedger *l, const Events *events,
                          const char *stresses, const char *path, double time) {
  char spent[32], sidecar[4200];
  bool chosen = in->options.control.on;
  printf("%s: %lld step%s of %.4g s", path, (long long)a->sum.steps, plural_ending(a->sum.steps),
         chosen ? a->sum.least : in->options.step);
  if (chosen) printf(" to %.4g s", a->sum.largest);
  printf(" to t = %.6g s, in %s\n", time, format_duration(clock_seconds() - a->progress.started, spent, sizeof spent));
  print_newton(a, chosen);
  printf("  energy      kinetic %.6g J, strain %.6g J, potential %.6g J", l->kinetic, l->strain, l->potential);
  if (l->scheme_energy > 0) printf(", stored scheme energy %.6g J", l->scheme_energy);
  if (a->memory_start > 0) printf(" (%.6g J at the start, from rotating bodies)", a->memory_start);
  printf("\n");
  printf("  since t = 0 work of loads %.6g J, ", l->work);
  if (l->damping > 0) printf("damping %.6g J, ", l->damping);
  if (events) printf("events %.6g J, ", events->loss);
  printf("dissipated %.6g J, joints %.2g J\n", l->dissipated, l->joints);
  if (a->branched != 0)
    printf("  branches    %.6g J of that work is the change of stored energy where the model was changed\n",
           a->branched);
  if (chosen && in->options.control.loss > 0)
    printf("  control     lost %.4g J, %.3g of the %.4g J tolerated\n", a->sum.lost,
           a->sum.lost / (in->options.control.loss * time), in->options.control.loss * time);
  printf("  balance     energy balance error of %.2g J in the worst step, %.2g of the energy exchanged\n",
         l->worst_residual, l->exchanged > 0 ? l->worst_residual / l->exchanged : 0);
  if (in->options.momentum != LIMBER_MOMENTUM_UNCHECKED)
    printf("  momentum    balance error of %.2g of the momentum and %.2g of the angular momentum in the worst steps\n",
           l->momentum_scale > 0 ? l->worst_momentum_error / l->momentum_scale : 0,
           l->angular_momentum_scale > 0 ? l->worst_angular_momentum_error / l->angular_momentum_scale : 0);
  printf("  constraints violation of at most %.2g\n", l->constraint);
  if (events) print_missed(in->model, events);
  print_lines("stress", stresses);
  output_sidecar(path, sidecar, sizeof sidecar);
  if (a->snapshots)
    printf("  snapshots   %d; limber view %s shows them, %s opens them in ParaView\n", a->snapshots, path, sidecar);
}

void print_iteration(const LimberIteration *i, void *rows) {
  char accepted[32] = "-";
  if (!is_printing_process()) return;
  if (!(*(long long *)rows)++)
    printf("  step   time or load factor  iteration  tangent  residual (J)  accepted (J)  %-26s  correction  %s\n",
           "residual at", "correction at");
  if (i->accepted > 0) snprintf(accepted, sizeof accepted, "%.1e", i->accepted);
  printf("%6lld  %20.12g  %9d  ", i->step, i->time, i->iteration);
  if (isnan(i->correction)) printf("singular\n");
  else
    printf("%-7s  %12.1e  %12s  %-26s  %10.1e  %s\n", i->new_tangent ? "new" : "same", i->residual, accepted,
           i->residual_at.name, i->correction, i->correction_at.name);
}

void print_remarks(const char *remarks) {
  for (const char *end; (end = strchr(remarks, '\n')); remarks = end + 1)
    printf("  note: %.*s\n", (int)(end - remarks), remarks);
}

// What happened since the last step.
static void print_events(RunRecord *a, LimberRun run) {
  const Events *e = run->stepper->events;
  Model m = run->stepper->s->motion.layout.model;
  for (; e && a->events < e->records; a->events++) {
    const EventRecord *r = &e->record[a->events];
    char actions[400];
    if (!is_printing_process() || a->progress.talk != TALK_ALL) continue;
    model_name_actions(m, (int)r->event, actions, sizeof actions);
    if (a->progress.terminal) printf("\r\033[K");
    printf("  event %s at %.6g s: %s", model_event(m, (int)r->event)->name, r->time, actions);
    if (fabs(r->loss) > 1e-12 * run->stepper->ledger.exchanged) printf("; %.4g J", r->loss);
    printf("\n");
  }
}

// Contacts and rotations that the steps did not resolve, each with its line of the model file.
static PetscErrorCode WarnOfSteps(const char *command, const Input *in, LimberRun run, Talk talk) {
  char text[4096];
  PetscFunctionBegin;
  PetscCall(ContactsRemark(run->stepper, text, sizeof text / 2));
  PetscCall(RotationRemark(run->stepper, text + strlen(text), sizeof text / 2));
  if (!is_printing_process() || talk != TALK_ALL || !*text) PetscFunctionReturn(0);
  fflush(stdout);
  for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
    print_command_error(command, "warning: %.*s", (int)(end - line), line);
  input_point_at(in, text, stderr);
  PetscFunctionReturn(0);
}

// A signal ends a long step where it is: checkpoints are then more frequent, as far as they take little of the time.
static double seconds_to_checkpoint(const RunRecord *a) {
  return a->stepping < 0.5 ? a->checkpoint : fmin(a->checkpoint, fmax(10, 20 * a->saving));
}

// Whether a signal came on any rank, and whether it is time for a checkpoint: all ranks must do the same after the same
// step.
static PetscErrorCode CheckSignalAndClock(const RunRecord *a, bool *stopped, bool *late) {
  int any[] = {stop_requested(), a->checkpoint > 0 && clock_seconds() - a->saved_at >= seconds_to_checkpoint(a)};
  PetscFunctionBegin;
  if (a->size > 1) PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, any, 2, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
  *stopped = any[0], *late = any[1];
  PetscFunctionReturn(0);
}

// A run whose checkpoint cannot be written continues, and says so once.
static PetscErrorCode SaveCheckpoint(const char *command, const char *path, const Input *in, LimberRun run, Output *out,
                                     RunRecord *a) {
  bool good = true;
  Refusal wrong;
  double begun = clock_seconds();
  PetscFunctionBegin;
  if (!(a->checkpoint > 0)) PetscFunctionReturn(0);
  PetscCall(CheckpointWrite(path, in, run, out, &a->sum, sizeof a->sum, &good, &wrong));
  if (!good && !a->unsaved) print_command_error(command, "%s; the run continues and will try again", wrong.text);
  a->unsaved = !good, a->saved_at = clock_seconds(), a->saving = a->saved_at - begun;
  PetscFunctionReturn(0);
}

static bool at_end(const RunRecord *a, const Input *in, LimberRun run) {
  return in->steps ? a->sum.steps >= in->steps : limber_run_time(run) >= in->end;
}

static PetscErrorCode CountStep(RunRecord *a, LimberRun run, const LimberOutcome *o) {
  LimberLedger l;
  PetscFunctionBegin;
  PetscCall(LimberRunGetLedger(run, &l));
  a->sum.lost += fabs(l.dissipated - a->sum.dissipated), a->sum.dissipated = l.dissipated;
  a->sum.halved += o->substeps > 1, a->sum.most = PetscMax(a->sum.most, o->substeps);
  a->sum.least = a->sum.steps ? fmin(a->sum.least, o->step) : o->step, a->sum.largest = fmax(a->sum.largest, o->step);
  a->sum.steps++;
  trail_add(&a->trail, o->time, o, &l);
  PetscFunctionReturn(0);
}

static PetscErrorCode TakeSteps(const char *command, const char *path, LimberRun run, const Input *in, Output *out,
                                RunRecord *a, LimberOutcome *o, bool *stopped) {
  bool late = false;
  static char words[4600]; // a signal may ask for them after an error has ended this function
  PetscFunctionBegin;
  *stopped = false;
  if (is_printing_process())
    snprintf(words, sizeof words, "limber %s: interrupted inside a step, which is lost%s%s\n", command,
             a->checkpoint > 0 ? "; from the last checkpoint the run continues with: limber resume " : "",
             a->checkpoint > 0 ? path : "");
  *o = (LimberOutcome){.reason = LIMBER_CONVERGED};
  while (!at_end(a, in, run) && !*stopped) {
    double begun = clock_seconds();
    set_last_words(words);
    PetscCall(LimberRunStep(run, o));
    set_last_words(NULL);
    a->stepping = clock_seconds() - begun;
    a->sum.iterations += o->iterations, a->sum.rejected += o->rejected;
    if (o->reason != LIMBER_CONVERGED) break;
    PetscCall(CountStep(a, run, o));
    PetscCall(OutputStep(out, run, o));
    print_events(a, run);
    run_progress_print(&a->progress, part_done(a, in, o->time), o->time);
    if (a->exchange) PetscCall(a->exchange->step(a->exchange, run, at_end(a, in, run), stopped, &late));
    else PetscCall(CheckSignalAndClock(a, stopped, &late));
    if (late) PetscCall(SaveCheckpoint(command, path, in, run, out, a));
  }
  run_progress_clear(&a->progress);
  // before the last row and snapshot, which a later end would not have there; a step that failed has moved the state
  if (o->reason == LIMBER_CONVERGED) PetscCall(SaveCheckpoint(command, path, in, run, out, a));
  PetscFunctionReturn(0);
}

// Creates the results, or continues them: `out` is NULL if they do not fit.
static PetscErrorCode OpenResults(const Input *in, LimberRun run, const char *path, const SimulateOptions *s,
                                  RunRecord *a, Output **out) {
  char checkpoint[4200];
  uint64_t system = s->exchange ? s->exchange->system : 0;
  PetscFunctionBegin;
  checkpoint_path(path, checkpoint, sizeof checkpoint);
  a->sum.system = system;
  if (!s->from) {
    if (is_printing_process() && !is_null_device(path)) unlink(checkpoint); // of an earlier run
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    PetscCall(OutputCreate(path, in, run, out));
  } else {
    if (!container_take(s->from, "account", 0, &a->sum, sizeof a->sum)) a->sum = (Sums){0};
    *out = NULL;
    if (a->sum.system == system) PetscCall(OutputResume(path, in, run, s->from, s->changed, out));
    a->progress.begun = part_done(a, in, limber_run_time(run)), a->progress.tenth = (int)(10 * a->progress.begun);
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode RunModel(const char *command, const Input *in, LimberRun run, const char *path,
                               const SimulateOptions *s, ExitCode *code) {
  Output *out = NULL;
  LimberOutcome o;
  LimberLedger ledger;
  char stresses[2048];
  bool stopped = false;
  Talk talk = s->talk;
  bool kept = !is_null_device(path);
  RunRecord a = {.progress = {.talk = talk, .terminal = on_terminal() && !s->monitor, .started = clock_seconds()},
                 .checkpoint = kept ? s->checkpoint : 0,
                 .exchange = s->exchange};
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &a.size));
  if (!s->exchange) catch_signals();
  PetscCall(OpenResults(in, run, path, s, &a, &out));
  if (!out) {
    if (a.sum.system && !s->exchange)
      print_command_error(command, "'%s' is of a participant of a coupled run, which limber couple --resume continues",
                          path);
    else
      print_command_error(command, "the checkpoint of '%s' does not match its %s: start the run again", path,
                          s->exchange ? "system file, or its history" : "history");
    *code = EXIT_MISTAKE;
    PetscFunctionReturn(0);
  }
  if (!s->from || s->changed) PetscCall(SaveCheckpoint(command, path, in, run, out, &a));
  a.saved_at = clock_seconds();
  if (is_printing_process() && talk == TALK_ALL && *in->title) printf("%s\n", in->title);
  if (is_printing_process() && talk == TALK_ALL) print_remarks(limber_run_remarks(run));
  PetscCall(LimberRunGetLedger(run, &ledger));
  trail_add(&a.trail, limber_run_time(run), &(LimberOutcome){0}, &ledger);
  a.branched = run->stepper->branched, a.memory_start = run->stepper->memory_start;
  if (s->from && run->stepper->events) a.events = run->stepper->events->records;
  print_events(&a, run);
  PetscCall(TakeSteps(command, path, run, in, out, &a, &o, &stopped));
  stopped = stopped && !at_end(&a, in, run);
  output_stresses(out, stresses, sizeof stresses);
  PetscCall(OutputClose(&out, run, stopped ? RUN_INTERRUPTED : (RunStatus)o.reason, &a.snapshots));
  PetscCall(LimberRunGetLedger(run, &ledger));
  if (is_printing_process() && talk == TALK_ALL && a.sum.steps)
    print_summary(&a, in, &ledger, run->stepper->events, stresses, path, limber_run_time(run));
  PetscCall(WarnOfSteps(command, in, run, talk));
  if (o.reason != LIMBER_CONVERGED) trail_add(&a.trail, o.time, &o, &ledger);
  if (o.reason != LIMBER_CONVERGED)
    explain_failure(command, &(Failure){in, &o, &ledger, &a.trail, a.sum.lost, path,
                                        stepper_remark(run->stepper, REMARK_SINGULAR_POSITION)});
  else if (stopped && !s->exchange)
    print_command_error(command, "interrupted at t = %.8g s; %s contains %s%s%s", o.time, path,
                        kept ? "the history up to that time" : "nothing",
                        a.checkpoint > 0 ? ", and continues with: limber resume " : "", a.checkpoint > 0 ? path : "");
  *code = o.reason != LIMBER_CONVERGED || stopped ? EXIT_FAILED : EXIT_GOOD;
  PetscFunctionReturn(0);
}

PetscErrorCode RunSimulation(const char *command, const Input *in, const char *path, const SimulateOptions *options,
                             ExitCode *code) {
  LimberRun run = NULL;
  long long rows = 0;
  bool stop = false;
  Refusal wrong = {.text = ""}, control = {.text = ""};
  PetscFunctionBegin;
  if (options->from) PetscCall(RunRestore(in->model, &in->options, options->from, options->model, &run, &wrong));
  else PetscCall(LimberRunCreate(in->model, &in->options, &run));
  if (run && options->monitor) PetscCall(LimberRunSetMonitor(run, print_iteration, &rows));
  if (run) PetscCall(ControlAttach(in, run, options->from, &control));
  if (run && !is_refused(&control) && options->exchange)
    PetscCall(options->exchange->start(options->exchange, in, run, options->from, &stop));
  if (is_refused(&control)) {
    explain_start(command, in, control.text);
    *code = EXIT_MISTAKE;
  } else if (run && stop) {
    *code = EXIT_FAILED;
  } else if (run) {
    PetscErrorCode error = RunModel(command, in, run, path, options, code);
    if (error == PETSC_ERR_FILE_WRITE) explain_disk(command, path);
    PetscCall(error);
  } else {
    explain_start(command, in, options->from ? wrong.text : limber_model_diagnostics(in->model));
    *code = EXIT_MISTAKE;
  }
  if (run && options->exchange) PetscCall(options->exchange->end(options->exchange));
  PetscCall(LimberRunDestroy(&run));
  PetscFunctionReturn(0);
}
