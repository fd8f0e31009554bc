// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include "app/family.h"

#include "app/command.h"
#include "files/folder.h"
#include "input/excitation.h"
#include "results/shared_file.h"
#include "schemes/scheme.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- workers ----

static Error StartWorker(void *self) {
  Family *f = self;
  return StudyWorkerStart(&f->worker, f->arguments);
}

static Error EndWorker(void *self) { return StudyWorkerEnd(&((Family *)self)->worker); }

static void end_run(ConvergeRun *r, int status, const char *cause) {
  r->status = status;
  snprintf(r->cause, sizeof r->cause, "%s", cause);
}

// Only the first rank of a run writes what all share.
static Error DoRun(void *self, uint64_t task, StudyWatch *w, bool *stopped) {
  Family *f = self;
  ConvergeRun *r = &f->run[task];
  StudyRow *row = NULL;
  double began = clock_seconds();
  if (w->fates) return end_run(r, (int)w->fate[0].status, w->fate[0].cause), 0; // it ended its process before
  TRY(MemoryNew(study_row_size(&f->layout), &row));
  study_row_clear(&f->layout, task, row);
  row->value[0] = f->meshes ? f->in->refine * exp2((double)task) : r->step;
  w->begin(w, task);
  Error error = StudyWorkerRun(&f->worker, row, f->path[task], w, stopped);
  if (!error && !*stopped) {
    r->balance = row->balance, r->constraint = row->constraint;
    r->steps = row->steps, r->time = row->time, r->seconds = clock_seconds() - began;
    end_run(r, (int)row->status, row->cause);
  }
  if (!error) w->end(w, 1, row->status != RUN_FINISHED);
  memory_free(&row);
  return error;
}

static void tell_progress(void *self, uint64_t done, uint64_t failed) {
  Family *f = self;
  char spent[32];
  (void)failed;
  if (f->quiet || !f->terminal || clock_seconds() - f->redraw < 0.1) return;
  f->redraw = clock_seconds();
  printf("\r  %d runs under way, %d done, %s \033[K", f->c->runs - (int)done, (int)done,
         format_duration(f->redraw - f->started, spent, sizeof spent));
  fflush(stdout);
}

// The longest run, that with the shortest step, begins first.
static Error DoRuns(Family *f, int from, StudyEnd *end) {
  uint64_t task[CONVERGE_MOST];
  StudyTasks lot = f->tasks;
  lot.count = 0, lot.task = task;
  for (int k = f->c->runs - 1; k >= from; k--) task[lot.count++] = (uint64_t)k;
  for (int k = from; k < f->c->runs; k++) {
    char folder[4200];
    f->run[k] = (ConvergeRun){.step = f->in->options.step / (f->meshes ? 1 : exp2(k)), .status = RUN_RUNNING};
    snprintf(folder, sizeof folder, "%s/%d", f->folder, k);
    ENSURE(!f->first || !mkdir(folder, 0700), PETSC_ERR_FILE_WRITE, "cannot make the folder '%s'", folder);
  }
  if (f->ranks) TRY(StudyOnRanks(PETSC_COMM_WORLD, PETSC_COMM_WORLD, &lot, end));
  else TRY(StudyPoolDo(f->pool, lot.count, task, end));
  if (f->terminal && !f->quiet) printf("\r\033[K"), fflush(stdout);
  for (int k = from; k < f->c->runs; k++) {
    if (*end == STUDY_ALL_DONE && f->run[k].status == RUN_RUNNING) end_run(&f->run[k], RUN_CRASHED, "killed");
    f->c->run[k] = f->run[k];
  }
  return 0;
}

// ---- the family ----

PetscErrorCode FamilyShare(const Family *f, int *value) {
  PetscFunctionBegin;
  if (f->ranks) PetscCallMPI(MPI_Bcast(value, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn(0);
}

Error FamilyShareCode(const Family *f, ExitCode *code) {
  int value = *code;
  TRY(FamilyShare(f, &value));
  *code = (ExitCode)value;
  return 0;
}

static void tell_failed_run(const Family *f, int k) {
  const ConvergeRun *r = &f->c->run[k];
  char run[80];
  if (f->meshes) snprintf(run, sizeof run, "with %g times the elements", exp2(k));
  else snprintf(run, sizeof run, "with a step of %.6g s", r->step);
  print_command_error(f->command, "the run %s ended at t = %.6g s: %s%s%s", run, r->time, run_status_words[r->status],
                      *r->cause ? ", " : "", r->cause);
}

// Runs that fail because their step is too long come first. After a run that came to its end, none may fail.
static bool skip_failed_runs(Family *f) {
  Convergence *c = f->c;
  c->first = 0;
  while (c->first < c->runs && c->run[c->first].status != RUN_FINISHED) c->first++;
  for (int k = c->first; k < c->runs; k++)
    if (c->run[k].status != RUN_FINISHED) return tell_failed_run(f, k), false;
  return true;
}

static bool fail_to_compare(const Family *f) {
  const Convergence *c = f->c;
  for (int k = 0; k < c->first; k++) tell_failed_run(f, k);
  print_command_error(f->command, "%d of %d runs came to their end, and an error bar needs %d: %s", c->runs - c->first,
                      c->runs, CONVERGE_LEAST,
                      c->first ? "begin with a shorter step, such as --set run.step=..."
                               : "give --runs a larger number");
  return false;
}

bool family_compare(Family *f, FILE *table) {
  if (!converge_compare(f->command, (const char(*)[4200])f->path, f->words, f->word, table, f->c)) return false;
  if (f->c->rows || f->c->stills) return true;
  print_command_error(f->command, "%s has no probes: add some, or name columns, such as ledger.kinetic", f->c->model);
  return false;
}

// Where the longest step is not asked for, four runs give the error of the last.
static bool compare_latest(Family *f) {
  Convergence *c = f->c;
  if (c->motion && c->runs - c->first > CONVERGE_LEAST + 1) c->first = c->runs - CONVERGE_LEAST - 1;
  c->counting = c->motion; // all others wait for the last run
  if (!family_compare(f, NULL)) return false;
  if (!c->motion || (c->chosen < 0 && c->runs < f->most && c->rows)) return true;
  c->counting = false;
  return family_compare(f, NULL);
}

// How many more runs it takes at least, which then go side by side: each divides the error by 2^order at most.
static int runs_needed(const Family *f) {
  const Convergence *c = f->c;
  const ConvergeRun *last = &c->run[c->runs - 1];
  double more = isfinite(last->error) ? ceil(log2(last->error / c->accuracy) / c->order) : 1;
  if (c->longest > 0) more = fmax(more, ceil(log2(last->step / c->longest) - 1e-9));
  return (int)fmin(fmax(more, 1), f->most - c->runs);
}

// Adds runs with shorter steps until all errors are within the accuracy.
Error FamilyRun(Family *f, ExitCode *code) {
  Convergence *c = f->c;
  StudyEnd end;
  int from = 0, more = 1;
  c->runs = f->most < CONVERGE_LEAST ? f->most : CONVERGE_LEAST;
  while (more > 0) {
    TRY(DoRuns(f, from, &end));
    more = -1;
    if (end == STUDY_STOPPED) {
      if (f->first) print_command_error(f->command, "interrupted");
    } else if (f->first && end == STUDY_ALL_DONE && skip_failed_runs(f)) {
      int good = c->runs - c->first;
      bool room = c->runs < f->most;
      if (good < CONVERGE_LEAST) more = room ? (c->first == c->runs && c->first > 4 ? -1 : 1) : -1;
      else if (compare_latest(f)) more = c->chosen < 0 && room && c->rows ? runs_needed(f) : 0;
      if (good < CONVERGE_LEAST && more < 0) fail_to_compare(f);
    }
    TRY(FamilyShare(f, &more));
    from = c->runs;
    if (more > 0) c->runs += more;
  }
  c->seconds = clock_seconds() - f->started;
  if (more < 0) converge_free(c); // what earlier runs gave does not belong to the last, which may have stopped midway
  *code = more < 0 ? EXIT_FAILED : c->chosen < 0 ? EXIT_FAILED : EXIT_GOOD;
  return 0;
}

Error FamilyRefine(Family *f, ExitCode *code) {
  Convergence *c = f->c;
  StudyEnd end;
  c->runs = CONVERGE_LEAST;
  TRY(DoRuns(f, 0, &end));
  int good = end == STUDY_ALL_DONE;
  if (end == STUDY_STOPPED && f->first) print_command_error(f->command, "interrupted");
  for (int k = 0; k < c->runs && good && f->first; k++)
    if (c->run[k].status != RUN_FINISHED) tell_failed_run(f, k), good = false;
  if (good && f->first) good = family_compare(f, NULL);
  TRY(FamilyShare(f, &good));
  if (!good) *code = EXIT_FAILED;
  return 0;
}

// ---- its beginning and its end ----

static Error MakeFolder(Family *f, ExitCode *code) {
  int good = !f->first || private_folder_make(f->command, f->folder, sizeof f->folder);
  TRY(FamilyShare(f, &good));
  if (!good && f->first) print_command_error(f->command, "cannot make the folder '%s' for the runs", f->folder);
  if (!good) *code = EXIT_MISTAKE;
  if (f->ranks) PetscCallMPI(MPI_Bcast(f->folder, (int)sizeof f->folder, MPI_CHAR, 0, PETSC_COMM_WORLD));
  for (int k = 0; k < CONVERGE_MOST; k++) snprintf(f->path[k], sizeof f->path[k], "%s/%d/%s", f->folder, k, f->base);
  return 0;
}

// A process that removes the folder when this one and its workers have ended, however that came about. `guard`: the end
// of a pipe that they hold.
static void guard_folder(Family *f) {
  int ends[2];
  f->guard = -1;
  if (f->ranks || pipe(ends)) return;
  fflush(stdout), fflush(stderr);
  f->guardian = fork();
  if (!f->guardian) {
    char none;
    setsid(); // Ctrl-C reaches the group of a terminal
    signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN), signal(SIGHUP, SIG_IGN);
    for (int fd = 0; fd <= 2; fd++) close(fd); // nobody waits for the end of what this process could print
    close(ends[1]);
    while (read(ends[0], &none, 1) < 0 && errno == EINTR) {}
    private_folder_remove(f->folder);
    _exit(0);
  }
  close(ends[0]);
  f->guard = ends[1];
}

#ifdef PETSC_HAVE_MPIUNI
bool family_on_ranks(void) { return false; }
#else
bool family_on_ranks(void) { return is_launched(); }
#endif

int family_workers(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores > 0 ? (int)cores : 1;
}

// All runs end with that of the longest step, also where it is no divisor of the end.
static void describe_runs(Family *f) {
  snprintf(f->end, sizeof f->end, "run.end=%.17g s", f->in->end);
  f->input.change = f->change;
  f->change[f->input.changes++] = f->end;
  if (!f->snapshots) f->change[f->input.changes++] = "run.snapshots=0";
  if (f->meshes) {
    snprintf(f->length, sizeof f->length, "run.step=%.17g s", f->in->options.step);
    f->change[f->input.changes++] = f->length;
  }
  f->varied =
      f->meshes ? (PlanVariable){.path = "refine", .unit = ""} : (PlanVariable){.path = "run.step", .unit = "s"};
  f->plan = (Plan){.variables = 1, .variable = &f->varied, .runs = CONVERGE_MOST, .weight_variable = -1};
  f->layout = (StudyLayout){.parameters = 1, .width = 1};
  f->worker = (StudyWorker){.ranks = f->ranks,
                            .comm = PETSC_COMM_WORLD,
                            .model = {.plan = &f->plan,
                                      .layout = &f->layout,
                                      .model = f->c->model,
                                      .text = f->in->text,
                                      .length = strlen(f->in->text),
                                      .input = f->input}};
}

// What the runs must resolve. All runs with finer meshes have the step that was found.
static Error DescribeMotion(Family *f) {
  Convergence *c = f->c;
  Excitation e;
  TRY(FindExcitation(f->in, &e));
  c->jumps = input_motion_jumps(f->in, &e), c->impacts = input_motion_impacts(f->in), c->hold = e.hold;
  c->longest = f->meshes || !isfinite(e.period) ? 0 : excitation_longest_step(&e) / 2;
  snprintf(c->shortest_load, sizeof c->shortest_load, "%s", e.name ? e.name : "");
  return 0;
}

Error FamilyBegin(Family *f, ExitCode *code) {
  f->first = is_printing_process(), f->terminal = on_terminal(), f->started = clock_seconds(), f->guard = -1;
  f->c->order = f->meshes ? 2 : scheme_order(&f->in->options), f->c->meshes = f->meshes;
  describe_runs(f);
  TRY(DescribeMotion(f));
  TRY(MakeFolder(f, code));
  if (*code != EXIT_GOOD) return 0;
  guard_folder(f);
  f->run = mmap(NULL, sizeof f->c->run, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (f->run == MAP_FAILED) f->run = NULL;
  ENSURE(f->run, ERROR_MEMORY, "no memory that processes share");
  catch_signals();
  f->tasks = (StudyTasks){.count = CONVERGE_MOST,
                          .work = DoRun,
                          .start = StartWorker,
                          .end = EndWorker,
                          .self = f,
                          .progress = tell_progress,
                          .stopped = stop_requested};
  return f->ranks ? 0 : StudyPoolStart(&f->tasks, f->workers, &f->pool);
}

void family_end(Family *f) {
  StudyEnd end;
  StudyPoolEnd(&f->pool, &end);
  if (f->c) converge_close(f->c);
  if (f->run) munmap(f->run, sizeof f->c->run);
  if (f->first && *f->folder) private_folder_remove(f->folder);
  if (f->guard >= 0) close(f->guard);
  if (f->guardian > 0) waitpid(f->guardian, NULL, 0);
}
