// SPDX-License-Identifier: Apache-2.0
#include "app/study.h"

#include "app/command.h"
#include "console/console.h"
#include "console/library_commands.h"
#include "console/output.h"
#include "files/folder.h"
#include "files/output_file.h"
#include "model/refusal.h"
#include "results/read/study_table.h"
#include "results/shared_file.h"
#include "study/row.h"
#include "study/schedule.h"
#include "study/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void study_progress_start(StudyProgress *p, uint64_t runs, uint64_t before, bool quiet) {
  *p = (StudyProgress){.quiet = quiet || !is_printing_process(),
                       .terminal = on_terminal(),
                       .runs = runs,
                       .before = before,
                       .started = clock_seconds()};
  p->tenth = runs ? (int)(10 * before / runs) : 0;
}

double study_progress_seconds(const StudyProgress *p) { return clock_seconds() - p->started; }

static void study_progress_tell(StudyProgress *p, uint64_t done, uint64_t failed) {
  char left[32];
  double spent = study_progress_seconds(p), rate = spent > 0 ? (double)done / spent : 0;
  uint64_t all = p->before + done;
  p->done = done, p->failed = failed;
  if (p->quiet || !done || !p->runs) return;
  int percent = (int)(100 * all / p->runs);
  if (p->terminal && clock_seconds() - p->redraw < 0.1) return;
  if (!p->terminal && percent / 10 <= p->tenth) return;
  format_duration((double)(p->runs - all) / rate, left, sizeof left);
  printf(p->terminal ? "\r  %3d %%  %llu of %llu runs, %llu failed, %.*f runs/s, %s left \033[K"
                     : "  %3d %%  %llu of %llu runs, %llu failed, %.*f runs/s, %s left\n",
         p->terminal ? percent : 10 * (percent / 10), (unsigned long long)all, (unsigned long long)p->runs,
         (unsigned long long)failed, rate < 10, rate, left);
  p->redraw = clock_seconds(), p->tenth = percent / 10;
  fflush(stdout);
}

// Clears the line on a terminal.
static void study_progress_clear(const StudyProgress *p) {
  if (p->terminal && !p->quiet) printf("\r\033[K"), fflush(stdout);
}

// Many runs of a model: plan in, table out.

static const char name[] = "study";

// ---- workers ----

Error StudyWorkerStart(StudyWorker *w, const Arguments *a) {
  int argc = a->petsc_argc;
  char **argv = a->petsc_argv;
  PetscFunctionBegin;
  if (!w->ranks) {
    PetscCall(LimberInitialize(&argc, &argv));
    PetscCall(PetscPopSignalHandler()); // a fault ends the process, and the other runs continue
    restore_signals();
    w->comm = PETSC_COMM_SELF;
  }
  output_allow_overwrite(true); // files of runs from an earlier attempt
  PetscCall(StudyRunnerCreate(w->comm, &w->model, &w->runner));
  PetscFunctionReturn(0);
}

Error StudyWorkerEnd(StudyWorker *w) {
  PetscFunctionBegin;
  PetscCall(StudyRunnerDestroy(&w->runner));
  if (!w->ranks) PetscCall(LimberFinalize());
  PetscFunctionReturn(0);
}

Error StudyWorkerRun(StudyWorker *w, StudyRow *row, const char *results, StudyWatch *watch, bool *stopped) {
  limber_error_print(0); // the row reports it
  PetscErrorCode error = StudyRunnerRun(w->runner, row, results, watch, stopped);
  limber_error_print(1);
  if (!error || error == PETSC_ERR_FILE_WRITE || watch->alone) return error;
  study_row_end(row, RUN_CRASHED, limber_error());
  w->runner = NULL; // what is left of it is in no state to be freed
  return StudyRunnerCreate(w->comm, &w->model, &w->runner);
}

static Error StartWorker(void *self) {
  StudyCommand *c = self;
  return StudyWorkerStart(&c->worker, c->arguments);
}

static Error EndWorker(void *self) { return StudyWorkerEnd(&((StudyCommand *)self)->worker); }

static Error DoRun(void *self, StudyRow *row, StudyWatch *w, bool *stopped) {
  return StudyWorkerRun(&((StudyCommand *)self)->worker, row, NULL, w, stopped);
}

static Error DoBlock(void *self, uint64_t task, StudyWatch *w, bool *stopped) {
  return StudyDoBlock(&((StudyCommand *)self)->study, task, w, stopped);
}

static Error DoKeptRun(void *self, uint64_t run, StudyWatch *w, bool *stopped) {
  StudyCommand *c = self;
  StudyRow *row = NULL;
  char path[4200];
  if (w->fates) return 0; // it ended its process before
  TRY(MemoryNew(study_row_size(&c->study.layout), &row));
  study_row_clear(&c->study.layout, run, row);
  plan_values(c->plan, run, row->value);
  study_kept_path(c->runs_folder, run, path, sizeof path);
  w->begin(w, run);
  Error error = StudyWorkerRun(&c->worker, row, path, w, stopped);
  if (!error) w->end(w, 1, 0);
  memory_free(&row);
  return error;
}

static Error DoTable(void *self, uint64_t task, StudyWatch *w, bool *stopped) {
  (void)task, (void)stopped;
  return w->first ? StudyTableMake(&((StudyCommand *)self)->study) : 0;
}

// ---- tasks ----

static void tell_progress(void *self, uint64_t done, uint64_t failed) {
  study_progress_tell(&((StudyCommand *)self)->progress, done, failed);
}

typedef Error (*Work)(void *self, uint64_t task, StudyWatch *w, bool *stopped);

static Error DoTasks(StudyCommand *c, Work work, uint64_t count, const uint64_t *task, StudyEnd *end) {
  StudyTasks t = {.count = count,
                  .task = task,
                  .work = work,
                  .start = StartWorker,
                  .end = EndWorker,
                  .self = c,
                  .time_limit = work == DoTable ? 0 : c->plan->time_limit,
                  .stop_at_failure = c->plan->stop_at_failure,
                  .progress = work == DoBlock ? tell_progress : NULL,
                  .stopped = stop_requested};
  if (!c->worker.ranks) return StudyFork(&t, c->workers, end);
  return StudyOnRanks(PETSC_COMM_WORLD, c->worker.comm, &t, end);
}

static PetscErrorCode ShareTasks(StudyCommand *c) {
  PetscFunctionBegin;
  if (!c->worker.ranks) PetscFunctionReturn(0);
  PetscCallMPI(MPI_Bcast(&c->tasks, 1, MPIU_INT64, 0, PETSC_COMM_WORLD));
  if (!c->first) PetscCall(MemoryResize((size_t)c->tasks * sizeof *c->task, &c->task));
  for (uint64_t done = 0; done < c->tasks; done += 1 << 27)
    PetscCallMPI(MPI_Bcast(c->task + done, (int)PetscMin(c->tasks - done, 1u << 27), MPIU_INT64, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn(0);
}

// Blocks of this part that are not done; runs that are.
static Error FindBlocks(StudyCommand *c, uint64_t *runs, uint64_t *done) {
  uint64_t blocks = study_blocks(&c->study), first, rows;
  *runs = *done = c->tasks = 0;
  TRY(MemoryResize((size_t)blocks * sizeof *c->task, &c->task));
  for (uint64_t b = 0; c->first && b < blocks; b++) {
    if (c->parts && b % (uint64_t)c->parts != (uint64_t)c->part) continue;
    study_block_range(&c->study, b, &first, &rows);
    *runs += rows;
    if (study_block_is_done(&c->study, b)) *done += rows;
    else c->task[c->tasks++] = b;
  }
  return ShareTasks(c);
}

// ---- the way of a study ----

// On all ranks the same.
static PetscErrorCode ShareCode(StudyCommand *c, ExitCode *code) {
  int value = *code;
  PetscFunctionBegin;
  if (c->worker.ranks) PetscCallMPI(MPI_Bcast(&value, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  *code = (ExitCode)value;
  PetscFunctionReturn(0);
}

// An output that is there already: this study, finished, or something that is not overwritten.
static bool check_output_file(StudyCommand *c, bool *finished) {
  char identity[80] = "";
  Refusal wrong;
  OutputRules rules = {
      .kind = FILE_RESULTS, .force = c->force, .input = (const char *[]){c->plan_file, c->model_file}, .inputs = 2};
  *finished = false;
  if (!output_allowed(c->output, &rules, &wrong)) return print_command_error(name, "%s", wrong.text), false;
  if (access(c->output, F_OK) || c->force) return true;
  study_table_identity(c->output, identity, sizeof identity);
  *finished = !strcmp(identity, c->study.identity);
  if (*finished) return true;
  print_command_error(name, "'%s' %s\n  Write to another file with -o, or replace it with --force", c->output,
                      *identity ? "is a study with another study file, model or version of Limber"
                                : "exists already, and is not the table of a study");
  return false;
}

static bool open_folders(StudyCommand *c) {
  Refusal wrong;
  bool keeps = c->plan->keep != KEEP_NONE && !c->parts;
  if (keeps && !c->force && study_folder_is_new(&c->study) && study_kept_runs(c->runs_folder, false)) {
    print_command_error(name,
                        "'%s' has the results of runs of another study\n  Write to another file with -o, or replace "
                        "them with --force",
                        c->runs_folder);
    return false;
  }
  bool good = study_folder_open(&c->study, false, &wrong);
  if (!good && c->force)
    good = study_folder_claim(&c->study, c->part, c->parts, &wrong) && study_folder_open(&c->study, true, &wrong);
  else if (good) {
    good = study_folder_claim(&c->study, c->part, c->parts, &wrong);
    if (good && c->force) good = study_folder_open(&c->study, true, &wrong);
  }
  if (good && keeps && c->force) study_kept_runs(c->runs_folder, true);
  if (good && c->plan->keep != KEEP_NONE && !own_folder_make(c->runs_folder)) {
    refuse(&wrong, "cannot make the folder '%s': %s", c->runs_folder, found_error(errno));
    good = false;
  }
  if (!good) print_command_error(name, "%s", wrong.text);
  return good;
}

// The first blocks that are missing, for a message.
static void tell_missing(const StudyCommand *c) {
  enum { NAMED = 8 };
  char list[400] = "";
  for (uint64_t i = 0; i < c->tasks && i <= NAMED; i++) {
    size_t used = strlen(list);
    if (i == NAMED) snprintf(list + used, sizeof list - used, " ...");
    else snprintf(list + used, sizeof list - used, "%s%llu", i ? ", " : "", (unsigned long long)c->task[i]);
  }
  print_command_error(
      name,
      "%llu of %llu blocks are missing: %s\n"
      "  Part k/n does the blocks b with b %% n = k - 1. The command without --part and --merge does all "
      "that are missing",
      (unsigned long long)c->tasks, (unsigned long long)study_blocks(&c->study), list);
}

static void tell_part(const StudyCommand *c) {
  if (!c->first || c->quiet) return;
  printf("%s: part %d/%d is done; when all are: ", c->output, c->part + 1, c->parts);
  study_print_again(c, "--merge", stdout);
}

// Does all blocks that are left. A worker that was killed between two tasks may have lost one.
static Error DoBlocks(StudyCommand *c, StudyEnd *end) {
  enum { TRIES = 5 };
  uint64_t runs, done;
  *end = STUDY_ALL_DONE;
  for (int i = 0; i < TRIES && *end == STUDY_ALL_DONE; i++) {
    TRY(FindBlocks(c, &runs, &done));
    if (!c->tasks || c->merge_only) break;
    study_progress_start(&c->progress, runs, done, c->quiet);
    if (!c->quiet && c->first && !i && *c->study.title) printf("%s\n", c->study.title);
    if (!c->quiet && c->first && !i && done)
      printf("  continues: %llu of %llu runs are done\n", (unsigned long long)done, (unsigned long long)runs);
    TRY(DoTasks(c, DoBlock, c->tasks, c->task, end));
    study_progress_clear(&c->progress);
  }
  if (*end == STUDY_ALL_DONE && !c->merge_only) TRY(FindBlocks(c, &runs, &done));
  return 0;
}

static ExitCode tell_end(const StudyCommand *c, StudyEnd end) {
  uint64_t done = c->progress.before + c->progress.done;
  if (end == STUDY_BROKEN_MACHINE) {
    print_command_error(name, "stopped; fix the cause, then run the same command again to continue");
    return EXIT_MACHINE;
  }
  print_command_error(name, "%s after %llu of %llu runs; run the same command again to continue",
                      end == STUDY_STOPPED ? "interrupted"
                                           : "a run failed, and the study file says `on_failure: stop`; stopped",
                      (unsigned long long)done, (unsigned long long)c->progress.runs);
  return EXIT_FAILED;
}

// Without a draft at the end a block was damaged, and is to be done again.
static Error MakeTable(StudyCommand *c, StudyEnd *end, bool *made) {
  char draft[4300];
  study_table_draft(&c->study, draft, sizeof draft);
  *made = false;
  TRY(DoTasks(c, DoTable, 1, &(uint64_t){0}, end));
  int there = c->first && !access(draft, F_OK);
  if (c->worker.ranks) PetscCallMPI(MPI_Bcast(&there, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  if (*end != STUDY_ALL_DONE || !there) return 0;
  if (c->first) TRY(StudyCommandKept(c, draft));
  TRY(ShareTasks(c));
  TRY(DoTasks(c, DoKeptRun, c->tasks, c->task, end));
  *made = *end == STUDY_ALL_DONE;
  if (*made && c->first) TRY(StudyTableFinish(&c->study));
  return 0;
}

static Error DoStudy(StudyCommand *c, ExitCode *code) {
  StudyEnd end;
  bool made = false;
  for (int i = 0; i < 3 && !made; i++) {
    TRY(DoBlocks(c, &end));
    if (end == STUDY_ALL_DONE && c->tasks) {
      *code = EXIT_FAILED;
      return tell_missing(c), 0;
    }
    if (end == STUDY_ALL_DONE && c->parts) return tell_part(c), 0;
    if (end == STUDY_ALL_DONE) TRY(MakeTable(c, &end, &made));
    if (end != STUDY_ALL_DONE) return *code = tell_end(c, end), 0;
  }
  ENSURE(made, ERROR_LIBRARY, "the blocks of the study in '%s' are damaged repeatedly", c->folder);
  return c->first ? StudyCommandSummary(c, code) : 0;
}

// Does the study.
static Error StudyCommandWork(StudyCommand *c, ExitCode *code) {
  bool finished = false;
  *code = EXIT_GOOD;
  if (c->first && !(check_output_file(c, &finished) && (finished || open_folders(c)))) *code = EXIT_MISTAKE;
  if (c->first && finished && !c->quiet)
    printf("%s: all %llu runs of this study are done already\n", c->output, (unsigned long long)c->study.runs);
  if (finished) *code = EXIT_FAILED; // nothing is to be done
  TRY(ShareCode(c, code));
  if (*code != EXIT_GOOD) return *code = finished ? EXIT_GOOD : *code, ShareCode(c, code);
  c->study.run = DoRun, c->study.self = c;
  catch_signals();
  TRY(DoStudy(c, code));
  if (c->first) study_folder_release();
  return ShareCode(c, code);
}

// ---- under mpiexec ----

#ifdef PETSC_HAVE_MPIUNI
static const bool has_ranks = false;
#else
static const bool has_ranks = true;
#endif

static PetscErrorCode WorkOnRanks(const Arguments *a, ExitCode *code) {
  StudyCommand c;
  PetscMPIInt rank, size;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(StudyCommandLoad(a, ReadOnAllRanks, &c, code));
  c.worker.ranks = true, c.first = !rank;
  if (*code == EXIT_GOOD && size % c.ranks_per_run) {
    print_command_error(name, "%d processes cannot be divided into groups of %d (--ranks-per-run)", size,
                        c.ranks_per_run);
    *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD) {
    PetscCallMPI(MPI_Comm_split(PETSC_COMM_WORLD, rank / c.ranks_per_run, rank, &c.worker.comm));
    shared_file_set_ranks(c.worker.comm);
    PetscCall(StudyCommandWork(&c, code));
    shared_file_set_ranks(MPI_COMM_NULL);
    PetscCallMPI(MPI_Comm_free(&c.worker.comm));
  }
  PetscCall(StudyCommandDestroy(&c));
  PetscFunctionReturn(0);
}

// ---- one run ----

static bool never_stopped(StudyWatch *w) {
  (void)w;
  return stop_requested();
}
static void begin_alone(StudyWatch *w, uint64_t run) { (void)w, (void)run; }
static void end_alone(StudyWatch *w, uint64_t rows, uint64_t failed) { (void)w, (void)rows, (void)failed; }

static PetscErrorCode ShareSize(StudyWatch *w, double *value) {
  PetscFunctionBegin;
  (void)w;
  PetscCallMPI(MPI_Bcast(value, 1, MPI_DOUBLE, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn(0);
}

// A run that chooses its step, by the rules of the study.
static PetscErrorCode WorkChosenRun(StudyCommand *c, uint64_t run, const char *path, ExitCode *code) {
  StudyWatch w = {.stopped = never_stopped, .begin = begin_alone, .end = end_alone, .share = ShareSize, .alone = true};
  StudyRow *row = NULL;
  bool stopped = false, can = true;
  PetscFunctionBegin;
  PetscCall(CanWriteResults(name, path, c->in, &can));
  *code = can ? EXIT_GOOD : EXIT_MISTAKE;
  if (!can) PetscFunctionReturn(0);
  c->worker.ranks = true, c->worker.comm = PETSC_COMM_WORLD, w.first = is_printing_process();
  PetscCall(MemoryNew(study_row_size(&c->study.layout), &row));
  study_row_clear(&c->study.layout, run, row);
  plan_values(c->plan, run, row->value);
  PetscCall(StudyWorkerStart(&c->worker, c->arguments));
  PetscCall(StudyWorkerRun(&c->worker, row, path, &w, &stopped));
  PetscCall(StudyWorkerEnd(&c->worker));
  if (stopped || row->status != RUN_FINISHED) {
    *code = EXIT_FAILED;
    print_command_error(name, "run %llu: %s%s%.*s", (unsigned long long)run,
                        stopped ? "interrupted" : run_status_words[row->status], *row->cause ? ": " : "", STUDY_CAUSE,
                        row->cause);
  } else if (!c->quiet && is_printing_process())
    printf("%s: run %llu, %lld steps of %.4g s\n", path, (unsigned long long)run, (long long)row->steps,
           row->value[study_chosen_at(&c->study.layout)]);
  memory_free(&row);
  PetscFunctionReturn(0);
}

// Full results of one run, as limber run makes them.
static PetscErrorCode WorkOneRun(const Arguments *a, ExitCode *code) {
  StudyCommand c;
  char *end, path[4200];
  const char *number = argument_value(a, "run"), *given = argument_value(a, "output");
  PetscFunctionBegin;
  PetscCall(StudyCommandLoad(a, ReadOnAllRanks, &c, code));
  unsigned long long run = strtoull(number, &end, 10);
  if (*code == EXIT_GOOD && (!*number || *end || *number == '-' || run >= c.study.runs)) {
    print_command_error(name, "--run needs the number of a run, 0 to %llu, not '%s'",
                        (unsigned long long)(c.study.runs - 1), number);
    *code = EXIT_MISTAKE;
  }
  if (given) snprintf(path, sizeof path, "%s", given);
  else snprintf(path, sizeof path, "%06llu.h5", run);
  if (*code == EXIT_GOOD && c.plan->accuracy) PetscCall(WorkChosenRun(&c, run, path, code));
  else if (*code == EXIT_GOOD) {
    StudyChanges s;
    PetscCall(StudyChangesCreate(&c, run, &s));
    PetscCall(
        MakeRunResults(&(ResultsRequest){.command = name,
                                         .model = c.model_file,
                                         .input = {ReadOnAllRanks, s.change, s.count, c.allow_outside, c.allow_library},
                                         .path = path,
                                         .talk = c.quiet ? TALK_NONE : TALK_ALL,
                                         .frames = true},
                       code));
    study_changes_free(&s);
  }
  PetscCall(StudyCommandDestroy(&c));
  PetscFunctionReturn(0);
}

// ---- the command ----

int limber_command_study(const Arguments *a) {
  StudyCommand c;
  ExitCode code = EXIT_MACHINE;
  const char *show = argument_value(a, "show"), *check = argument_value(a, "check"),
             *script = argument_value(a, "script");
  if (!check_script_options(a, "jobs")) return EXIT_MISTAKE;
  if (argument_value(a, "run")) return CommandStart(a, WorkOneRun);
  if (has_ranks && is_launched() && !show && !check && !script) return CommandStart(a, WorkOnRanks);
  if (!is_printing_process()) return EXIT_GOOD;
  Error error = StudyCommandLoad(a, SourceRead, &c, &code);
  if (!error && code == EXIT_GOOD && script) study_print_script(&c);
  else if (!error && code == EXIT_GOOD)
    error = check ? StudyCommandCheck(&c) : show ? StudyCommandShow(&c, show, &code) : StudyCommandWork(&c, &code);
  if (error) return EXIT_MACHINE;
  if (StudyCommandDestroy(&c)) return EXIT_MACHINE;
  return end_stdout(name, !script, code);
}
