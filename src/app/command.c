// SPDX-License-Identifier: Apache-2.0
#include "app/command.h"

#include "assembly/ranks.h"
#include "console/console.h"
#include "console/output.h"
#include "files/claim.h"
#include "files/folder.h"
#include "files/output_file.h"
#include "model/refusal.h"
#include "results/shared_file.h"
#include "results/write/output.h"

#include <petscsys.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

int CommandStart(const Arguments *a, Error (*work)(const Arguments *a, ExitCode *code)) {
  int argc = a->petsc_argc;
  char **argv = a->petsc_argv;
  ExitCode code = EXIT_MACHINE;
  if (LimberInitialize(&argc, &argv)) return EXIT_MACHINE;
  restore_signals();
  agreement_turn_off(); // where a rank fails, it ends the others below
  output_allow_overwrite(argument_value(a, "force") != NULL);
  if (work(a, &code)) { // reported already; the other ranks may wait for this one
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    fflush(stdout);
    output_discard_all();
    private_folders_remove();
    claim_drop_unused();
    if (size > 1) MPI_Abort(MPI_COMM_WORLD, EXIT_MACHINE);
    _exit(EXIT_MACHINE); // libraries would try again to write what they hold
  }
  claim_drop_unused();
  code = end_stdout(a->command, true, code);
  return LimberFinalize() ? EXIT_MACHINE : code;
}

void results_path_of(const char *model, const char *given, const char *ending, char *path, size_t size) {
  const char *base = strrchr(model, '/');
  base = !strcmp(model, "-") ? "run" : base ? base + 1 : model;
  const char *dot = strrchr(base, '.');
  if (given) snprintf(path, size, "%s", given);
  else snprintf(path, size, "%.*s%s", (int)(dot && dot > base ? dot - base : (long)strlen(base)), base, ending);
}

static PetscErrorCode CanWriteOn(MPI_Comm comm, const char *command, const char *path, FileKind kind, const Input *in,
                                 bool *can) {
  Refusal wrong;
  PetscFunctionBegin;
  PetscCall(FileObstacle(comm, path, kind, in, &wrong));
  *can = !is_refused(&wrong);
  if (!*can) print_command_error(command, "%s", wrong.text);
  PetscFunctionReturn(0);
}

Error CanWriteFile(const char *command, const char *path, FileKind kind, const Input *in, bool *can) {
  return CanWriteOn(PETSC_COMM_WORLD, command, path, kind, in, can);
}

Error CanWriteResultsAlone(const char *command, const char *path, const Input *in, bool *can) {
  return CanWriteOn(MPI_COMM_NULL, command, path, FILE_RESULTS, in, can);
}

bool check_step(const char *command, const char *model, const Input *in) {
  if (!in->first_step) return true;
  print_command_error(command,
                      "%s has no step, and only `limber run` and `limber converge` choose one: add `step` to `run`, or "
                      "--set run.step=..., with the step that `limber run %s` reports",
                      model, model);
  return false;
}

Error CanWriteResults(const char *command, const char *path, const Input *in, bool *can) {
  PetscFunctionBegin;
  PetscCall(CanWriteFile(command, path, FILE_RESULTS, in, can));
  PetscFunctionReturn(0);
}

void command_request(const Arguments *a, const char *command, const char *ending, CommandRequest *out) {
  results_path_of(a->word[0], argument_value(a, "output"), ending, out->path, sizeof out->path);
  out->request = (ResultsRequest){.command = command,
                                  .model = a->word[0],
                                  .input = {ReadOnAllRanks, out->change, arguments_of(a, "set", out->change),
                                            argument_value(a, "allow-outside") != NULL,
                                            argument_value(a, "allow-library") != NULL},
                                  .path = out->path,
                                  .talk = argument_value(a, "quiet") ? TALK_NONE : TALK_ALL,
                                  .frames = true,
                                  .monitor = argument_value(a, "monitor") != NULL};
}

PetscErrorCode RequestLoad(const ResultsRequest *r, Input **in, ExitCode *code) {
  bool can = true;
  InputOptions options = r->input;
  PetscFunctionBegin;
  options.without_steps = !r->takes_steps;
  PetscCall(LoadModelFile(r->command, r->model, &options, in, code));
  if (*code == EXIT_GOOD) PetscCall(CanWriteResults(r->command, r->path, *in, &can));
  if (!can) *code = EXIT_MISTAKE;
  PetscFunctionReturn(0);
}

bool parse_count(const char *command, const char *option, const char *text, int most, int *value) {
  char *end;
  long n = strtol(text, &end, 10);
  if (*text && !*end && n >= 1 && n <= most) return *value = (int)n, true;
  return print_command_error(command, "--%s needs a whole number from 1 to %d, not '%s'", option, most, text), false;
}

// ---- scripts ----

bool check_script_options(const Arguments *a, const char *size) {
  static const char *const others[] = {"force", "part", "merge", "check", "show", "run", "ranks-per-run"};
  const char *script = argument_value(a, "script");
  if (!script && argument_value(a, size))
    return print_command_error(a->command, "--%s is an option of --script slurm", size), false;
  if (!script) return true;
  if (strcmp(script, "slurm"))
    return print_command_error(a->command, "--script prints scripts for `slurm`, not for '%s'", script), false;
  if (!strcmp(a->word[0], "-"))
    return print_command_error(a->command, "--script needs the name of a file: jobs cannot read stdin"), false;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (argument_value(a, others[i]))
      return print_command_error(a->command, "--script and --%s exclude each other", others[i]), false;
  return true;
}

// The name of the jobs has only letters that sbatch takes as they are. Slurm sends USR1 a minute before the time limit.
void print_script_head(const char *file, const char *option) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  const char *slash = strrchr(file, '/');
  printf("#!/bin/bash\n#SBATCH --job-name=");
  for (const char *c = slash ? slash + 1 : file; *c; c++) putchar(strchr(plain, *c) ? *c : '_');
  printf("\n#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --signal=B:USR1@60\n#SBATCH %s\n#\n", option);
}

void print_script_work(void) {
  char *folder = getcwd(NULL, 0);
  printf("restarts=100 # how often a job that reaches its time limit is requeued\n"
         "work() { # runs a command, which USR1, the signal before the time limit, stops\n"
         "  local code=0 late=no\n"
         "  \"$@\" &\n"
         "  trap 'late=yes; kill -TERM \"$!\"' USR1\n"
         "  trap : TERM\n"
         "  wait \"$!\" || code=$?\n"
         "  while kill -0 \"$!\" 2>/dev/null; do code=0; wait \"$!\" || code=$?; done # a signal ends a wait\n"
         "  if [[ $late == yes ]] && ((code && ${SLURM_RESTART_COUNT:-0} < restarts)); then\n"
         "    exec scontrol requeue \"$SLURM_JOB_ID\"\n"
         "  fi\n"
         "  exit \"$code\"\n"
         "}\n"
         "cd -- ");
  print_shell_word(stdout, folder ? folder : ".");
  putchar('\n');
  free(folder);
}

void print_lines(const char *head, const char *lines) {
  for (const char *end; (end = strchr(lines, '\n')); lines = end + 1)
    printf("  %-11s %.*s\n", head, (int)(end - lines), lines);
}

static volatile sig_atomic_t stop; // a signal came: finish the step and close the file

static const char *volatile last_words;

void set_last_words(const char *words) { last_words = words; }

static void on_timer(int number) {
  const char *words = last_words;
  (void)number;
  if (!words) return;
  if (write(STDERR_FILENO, words, strlen(words)) < 0) {} // nobody reads
  output_discard_all();
  _exit(EXIT_FAILED);
}

static void on_signal(int number) {
  static const struct itimerval soon = {.it_value = {.tv_usec = 500000}, .it_interval = {.tv_usec = 100000}};
  if (!stop) {
    stop = number;
    setitimer(ITIMER_REAL, &soon, NULL);
    return;
  }
  output_discard_all();
  signal(number, SIG_DFL);
  raise(number);
}

// A run that is started with nohup outlives its terminal.
static bool is_ignored(int number) {
  struct sigaction now;
  return !sigaction(number, NULL, &now) && now.sa_handler == SIG_IGN;
}

void catch_signals(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESTART | (int)SA_NODEFER};
  struct sigaction timer = {.sa_handler = on_timer, .sa_flags = (int)SA_RESTART};
  sigemptyset(&action.sa_mask), sigemptyset(&timer.sa_mask);
  sigaction(SIGALRM, &timer, NULL);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, NULL);
}

bool stop_requested(void) { return stop != 0; }

void end_at_signal(const char *command) {
  static char words[80];
  if (is_printing_process()) snprintf(words, sizeof words, "limber %s: interrupted\n", command);
  catch_signals();
  set_last_words(words);
}

PetscErrorCode StopRequestedAnywhere(MPI_Comm comm, bool *out) {
  int any = stop != 0;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm));
  *out = any;
  PetscFunctionReturn(0);
}

void restore_signals(void) {
  signal(SIGPIPE, SIG_IGN); // nobody reads on: the results are written all the same
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow is met where it is written
  signal(SIGTERM, SIG_DFL); // PETSc would trace them
  if (!is_ignored(SIGHUP)) signal(SIGHUP, SIG_DFL);
}
