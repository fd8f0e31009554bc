// SPDX-License-Identifier: Apache-2.0
// A run in time: model file in, results out.
#include "results/checkpoint/checkpoint.h"
#include "console/library_commands.h"
#include "console/output.h"
#include "app/accuracy.h"
#include "app/command.h"
#include "files/claim.h"

#include <petscsys.h>
#include <string.h>

// Reads a model that has a part `run`.
static Error LoadRun(const char *command, const char *model, const InputOptions *o, Input **in, ExitCode *code) {
  TRY(LoadModelFile(command, model, o, in, code));
  if (*code == EXIT_GOOD && (*in)->participants) {
    print_command_error(command, "%s is a system of models: limber couple %s runs it", model, model);
    *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD && !((*in)->end > 0)) {
    print_command_error(command,
                        "%s has no part `run`: add one, such as `run: {step: 1 ms, end: 1 s}`\n"
                        "  Without a run, `limber static %s` finds the equilibrium and `limber modes %s` the modes.",
                        model, model, model);
    *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD && (*in)->model->ports.count) {
    print_command_error(command,
                        "%s has ports: it is one side of a coupled run, which limber couple starts, and in programs "
                        "`limber.couple` of the Python module and limber/ports.h",
                        model);
    *code = EXIT_MISTAKE;
  }
  return 0;
}

PetscErrorCode MakeRunResults(const ResultsRequest *r, ExitCode *code) {
  Input *in = NULL;
  InputOptions input = r->input;
  const char **change;
  bool can = true;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(input.changes + 1, &change));
  for (int i = 0; i < input.changes; i++) change[i] = input.change[i];
  if (!r->frames)
    change[input.changes++] = "run.snapshots=0"; // a run that chooses its steps does not stop for them either
  input.change = change;
  PetscCall(LoadRun(r->command, r->model, &input, &in, code));
  if (*code == EXIT_GOOD && !check_step(r->command, r->model, in)) *code = EXIT_MISTAKE;
  if (*code == EXIT_GOOD) PetscCall(CanWriteResults(r->command, r->path, in, &can));
  if (!can) *code = EXIT_MISTAKE;
  if (*code == EXIT_GOOD) PetscCall(RunSimulation(r->command, in, r->path, &(SimulateOptions){.talk = r->talk}, code));
  PetscCall(InputDestroy(&in));
  PetscCall(PetscFree(change));
  PetscFunctionReturn(0);
}

static bool parse_checkpoint(const Arguments *a, double *seconds) {
  const char *interval = argument_value(a, "checkpoint");
  *seconds = CHECKPOINT_SECONDS;
  if (!interval || checkpoint_interval(interval, seconds)) return true;
  print_command_error("run", "--checkpoint needs a time, such as 60s, 5min or 0 for none, not '%s'", interval);
  return false;
}

static Input *loaded; // before MPI started; NULL: not yet

static PetscErrorCode RunFile(const Arguments *a, ExitCode *code) {
  Input *in = loaded;
  CommandRequest c;
  bool can = false;
  PetscFunctionBegin;
  loaded = NULL;
  command_request(a, "run", ".h5", &c);
  SimulateOptions s = {.talk = c.request.talk, .monitor = c.request.monitor};
  *code = EXIT_MISTAKE;
  if (!parse_checkpoint(a, &s.checkpoint)) PetscFunctionReturn(0);
  if (in) *code = EXIT_GOOD;
  else PetscCall(LoadRun("run", c.request.model, &c.request.input, &in, code));
  if (*code == EXIT_GOOD) {
    PetscCall(CanWriteResults("run", c.path, in, &can));
    if (!can) *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD && in->accuracy > 0) PetscCall(RunToAccuracy(a, &c, in, code));
  else if (*code == EXIT_GOOD) PetscCall(RunSimulation("run", in, c.path, &s, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

// ---- on a cluster ----

static void print_resume(const Arguments *a) {
  static const char *const without[] = {"output", "set", "allow-outside", "script", "ranks", NULL};
  Arguments resume = *a;
  resume.command = "resume", resume.words = 0;
  print_command_line(stdout, &resume, without, "\"$results\"");
}

static void print_run_script(const Arguments *a, const char *results, int ranks) {
  static const char *const without[] = {"script", "ranks", NULL};
  char option[100], checkpoint[4200];
  const char *start = ranks > 1 ? "$start " : "";
  checkpoint_path(results, checkpoint, sizeof checkpoint);
  snprintf(option, sizeof option, "--ntasks=%d", ranks);
  print_script_head(a->word[0], option);
  printf("# A run on %d process%s. Save this text in a file, add #SBATCH lines that your cluster needs, and submit\n"
         "# it with\n"
         "#   sbatch [options, such as --time=1:00:00] FILE\n"
         "# A job that is requeued, or submitted again, continues from its checkpoint. Results are not overwritten.\n",
         ranks, ranks > 1 ? "es" : "");
  puts("set -eu");
  print_script_work();
  if (ranks > 1) printf("start=srun # or 'mpiexec -n %d', if srun does not know your MPI\n", ranks);
  printf("results=%s", *results == '-' ? "./" : ""); // else an option
  print_shell_word(stdout, results);
  printf("\ncheckpoint=");
  print_shell_word(stdout, checkpoint);
  printf("\nif [[ -e $results && -e $checkpoint ]]; then\n  work %s", start);
  print_resume(a);
  printf("elif [[ -e $results && ${SLURM_RESTART_COUNT:-0} == 0 ]]; then\n"
         "  printf '%%s exists already and has no checkpoint: remove it first\\n' \"$results\" >&2\n"
         "  exit 2\n"
         "fi\n"
         "work %s",
         start);
  print_command_line(stdout, a, without, "");
}

// The model is read, so that its mistakes are found before it waits in a queue.
static int print_script(const Arguments *a) {
  Input *in = NULL;
  CommandRequest c;
  ExitCode code = EXIT_MISTAKE;
  const char *ranks = argument_value(a, "ranks");
  int count = 1;
  double seconds;
  if (!is_printing_process()) return EXIT_GOOD;
  if (!parse_checkpoint(a, &seconds)) return EXIT_MISTAKE;
  if (ranks && !parse_count("run", "ranks", ranks, 1 << 20, &count)) return EXIT_MISTAKE;
  command_request(a, "run", ".h5", &c);
  c.request.input.read = SourceRead;
  if (LoadRun("run", c.request.model, &c.request.input, &in, &code)) return EXIT_MACHINE;
  if (code == EXIT_GOOD) print_run_script(a, c.path, count);
  if (in && InputDestroy(&in)) return EXIT_MACHINE;
  return (int)end_stdout("run", false, code);
}

// A model is read before MPI starts: if it chooses its step, its runs are processes in which MPI starts.
static int run_alone(const Arguments *a) {
  CommandRequest c;
  ExitCode code = EXIT_MISTAKE;
  double seconds;
  bool can = false;
  if (!parse_checkpoint(a, &seconds)) return EXIT_MISTAKE;
  command_request(a, "run", ".h5", &c);
  c.request.input.read = SourceRead;
  if (LoadRun("run", c.request.model, &c.request.input, &loaded, &code)) return EXIT_MACHINE;
  if (code == EXIT_GOOD && !(loaded->accuracy > 0)) return CommandStart(a, RunFile);
  if (code == EXIT_GOOD && CanWriteResultsAlone("run", c.path, loaded, &can)) code = EXIT_MACHINE;
  else if (code == EXIT_GOOD && !can) code = EXIT_MISTAKE;
  else if (code == EXIT_GOOD && RunToAccuracy(a, &c, loaded, &code)) code = EXIT_MACHINE;
  if (loaded && InputDestroy(&loaded)) code = EXIT_MACHINE;
  claim_drop_unused();
  return end_stdout("run", true, code);
}

int limber_command_run(const Arguments *a) {
  if (!check_script_options(a, "ranks")) return EXIT_MISTAKE;
  if (argument_value(a, "script")) return print_script(a);
  return family_on_ranks() ? CommandStart(a, RunFile) : run_alone(a);
}
